"""The command line, end to end."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gupai.analysis import DEALS, PRESETS
from gupai.reports.cli import main

SEATS = ("banker", "right", "across", "left")


def run(capsys, *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


def simulated(capsys, *words: str):
    status, out, _ = run(capsys, "simulate", "--hands", "3000", "--format", "json", *words)
    assert status == 0
    return json.loads(out)


def check_form(result, hands=3000) -> None:
    """The JSON form of the interface."""
    assert set(result["provenance"]) >= {
        "version", "rules", "policies", "deal", "shuffle", "seed", "hands", "fingerprint",
    }  # fmt: skip
    counts = result["counts"]
    assert counts["hands"] == hands == result["provenance"]["hands"]
    assert list(counts["winner"]) == list(SEATS) and sum(counts["winner"].values()) == hands
    assert list(counts["last_size"]) == ["1", "2", "3", "4"]
    assert "".join(counts["last_tile"]) == "ABCDEFGHIJK987653"
    assert sum(counts["last_tile"].values()) == counts["last_size"]["1"]
    assert list(counts["finish"]) == ["plain", "yao", "supreme", "four"]
    assert list(counts["sweep"]) == ["none", "seven", "eight"]
    assert sum(counts["finish"].values()) == sum(counts["sweep"].values()) == hands
    assert isinstance(counts["kam"], int) and set(counts["bonus"]) == {"supreme", "four"}
    for seat in SEATS:
        assert len(counts["stacks"][seat]) == 9 and sum(counts["stacks"][seat]) == hands
        assert set(result["points"][seat]) == {"mean", "se", "sd"}
    assert abs(sum(result["points"][seat]["mean"] for seat in SEATS)) < 1e-9


def test_simulate__json_form(capsys) -> None:
    check_form(simulated(capsys, "--policy", "greedy"))


def test_simulate__alone_plays_the_yardsticks_and_good_players(capsys) -> None:
    random, greedy, tuned = simulated(capsys)
    assert random["provenance"]["policies"] == ["random"] * 4
    assert greedy["provenance"]["policies"] == ["greedy"] * 4
    assert tuned["provenance"]["policies"] == ["tuned"] * 4
    for result in (random, greedy, tuned):
        check_form(result)
        assert result["provenance"]["rules"] == PRESETS["tiengow-ja"].rules.to_json()


def test_simulate__one_run_a_combination(capsys) -> None:
    results = simulated(
        capsys, "--deal", "all", "--policy", "random", "--policy", "greedy,random,random,greedy"
    )
    assert [(r["provenance"]["policies"][0], r["provenance"]["deal"]) for r in results] == [
        (policy, deal) for policy in ("random", "greedy") for deal in DEALS
    ]


def test_simulate__same_bytes_for_any_threads(capsys) -> None:
    words = ["simulate", "--hands", "200k", "--policy", "random", "--by", "red", "--format", "json"]
    first = run(capsys, *words, "--threads", "1")[1]
    assert run(capsys, *words, "--threads", "5")[1] == first == run(capsys, *words)[1]


def test_simulate__rules_settings_term_and_seed(capsys, tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(run(capsys, "rules", "tiengow-zh")[1], encoding="utf-8")
    words = ["--policy", "greedy", "--set", "kam=3", "--term", "4", "--seed", "18446744073709551615"]
    a = simulated(capsys, "--rules", str(path), *words)
    b = simulated(capsys, "--rules", "tiengow-zh", *words)
    assert a == b and a["provenance"]["rules"]["kam"] == 3 and a["provenance"]["term"] == 4


def test_simulate__by_a_feature(capsys) -> None:
    result = simulated(capsys, "--policy", "greedy", "--by", "winner.military")
    assert sum(group["counts"]["hands"] for group in result["groups"].values()) == 3000


def test_simulate__table_names_everything(capsys) -> None:
    status, out, err = run(capsys, "simulate", "--hands", "20k", "--deal", "all", "--policy", "random")
    assert status == 0
    for word in (
        "結",
        "七支",
        "八支",
        "擒",
        "包尊",
        "四大包",
        "幺結",
        "賀尊",
        "四大賀",
        "棟",
        "banker 莊",
    ):
        assert word in out
    assert "the deal patterns agree" in out and "χ²" in out and "degrees of freedom" in out
    assert all(deal in out for deal in DEALS) and "hands/s" in err


def test_simulate__provenance_line_is_a_command_that_prints_the_same(capsys) -> None:
    words = ["simulate", "--hands", "5000", "--rules", "tiengow-zh", "--set", "empty=4", "--deal", "ends_in",
             "--policy", "greedy,random,greedy,random", "--by", "right.civil", "--term", "2"]  # fmt: skip
    out = run(capsys, *words)[1]
    line = next(line for line in out.splitlines() if line.startswith("gupai 0"))
    again = line.split(": ", 1)[1].split()
    assert again[0] == "gupai"
    assert run(capsys, *again[1:])[1] == out


def test_simulate__split_has_all_hands_first_and_no_test_of_deals(capsys) -> None:
    out = run(capsys, "simulate", "--hands", "20k", "--policy", "greedy", "--by", "fours")[1]
    assert "greedy, pairs_of_columns: by fours 四 of banker 莊" in out and "χ²" not in out
    assert out.splitlines()[0].split()[-3:] == ["all", "0", "1"]
    assert "20,000" in out.splitlines()[2]


def test_simulate__too_few_hands_to_compare_deals(capsys) -> None:
    out = run(capsys, "simulate", "--hands", "2", "--policy", "greedy", "--deal", "all")[1]
    assert "too few hands" in out and "agree" not in out


def test_simulate__what_is_not_used_is_said(capsys) -> None:
    words = ["simulate", "--hands", "100", "--policy", "greedy", "--set", "first_banker_leads=false"]
    assert "session" in run(capsys, *words)[2]
    assert run(capsys, "simulate", "--set", "kam=2", "--set", "kam=4")[0] == 2
    assert run(capsys, "simulate", "--show", "1", "--format", "csv")[0] == 2
    assert run(capsys, "rules", "tiengow-ja", "--format", "csv")[0] == 2


def test_simulate__names_in_any_case(capsys) -> None:
    words = ["--policy", "Greedy", "--deal", "Ends_In"]
    assert simulated(capsys, *words)["provenance"]["deal"] == "ends_in"


def test_simulate__csv_and_markdown(capsys) -> None:
    status, out, _ = run(capsys, "simulate", "--hands", "2000", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert status == 0 and {row["policy"] for row in rows} == {"random", "greedy", "tuned"}
    winners = [row for row in rows if row["table"] == "winner" and row["policy"] == "greedy"]
    assert sum(int(row["count"]) for row in winners) == 2000
    assert {row["value"] for row in rows if row["table"] == "points"} == set(SEATS)
    out = run(capsys, "simulate", "--hands", "2000", "--format", "markdown")[1]
    table = [line for line in out.splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in table}) == 1


def test_simulate__few_hands_have_honest_intervals(capsys) -> None:
    out = run(capsys, "simulate", "--hands", "1", "--policy", "greedy")[1]
    assert "too few hands for an interval" in out and "nan" not in out
    result = json.loads(
        run(capsys, "simulate", "--hands", "1", "--policy", "greedy", "--format", "json")[1]
    )
    assert result["points"]["banker"]["se"] is None


@pytest.mark.parametrize("patterns", ["none", "one_red,no_red"])
def test_simulate__show_prints_a_record_that_score_accepts(capsys, tmp_path, patterns: str) -> None:
    words = ["simulate", "--hands", "100", "--policy", "random", "--set", f"hand_patterns={patterns}"]
    status, out, _ = run(capsys, *words, "--show", "17", "--show", "3")
    assert status == 0 and "Hand 17 of seed 1" in out and "Hand 3 of seed 1" in out and "結" in out
    path = tmp_path / "hands.jsonl"
    path.write_text(run(capsys, *words, "--show", "17", "--format", "json")[1], encoding="utf-8")
    status, out, _ = run(capsys, "score", str(path), "--format", "json")
    assert status == 0 and set(json.loads(out)) == {
        "winner", "stacks", "finish", "sweep", "kam", "settlement", "bonuses", "total",
        "next_banker", "next_term", "last_size",
    }  # fmt: skip


BAD = {
    "--hands 0": ["--hands 0", "whole number from 1"],
    "--hands -5": ["-5", "whole number"],
    "--hands 1.5": ["1.5", "whole number"],
    "--hands nan": ["nan", "whole number"],
    "--hands 1,5M": ["1,5M", "whole number"],
    "--hands 1__0": ["1__0", "whole number"],
    "--seed 1.9": ["1.9", "whole number"],
    "--threads 1.5": ["1.5", "whole number"],
    "--set kam=--4": ["kam", "--4"],
    "--set heaven_red=false": ["heaven_red", "false"],
    "--hands 1e400": ["1e400"],
    "--hands 1e12": ["1,000,000,000,000", "would last", "--yes"],
    "--hands 1e16 --yes": ["10000000000000000"],
    "--threads 0": ["--threads 0", "from 1"],
    "--threads x": ["--threads"],
    "--policy gredy": ["gredy", "Did you mean greedy?"],
    "--policy greedy,random": ["2 policies", "banker,right,across,left"],
    "--deal top": ["top", "Did you mean top_layers?"],
    "--deal dragon-phoenix": ["Did you mean dragon_phoenix?"],
    "--rules tiengow-jp": ["no such rule set", "Did you mean tiengow-ja?"],
    "--rules no/such.toml": ["no/such.toml", "cannot be read"],
    "--set kamm=2": ["kamm", "Did you mean kam?"],
    "--set kam=0": ["kam = 0", "from 1"],
    "--set kam": ["SWITCH=VALUE"],
    "--set excess=plane": ["Did you mean plain?"],
    "--seed -1": ["--seed -1", "from 0"],
    "--seed x": ["--seed", "x"],
    "--term 0": ["--term 0"],
    "--by colour": ["colour", "no such feature"],
    "--by winer.red": ["winer", "Did you mean winner?"],
    "--shuffle wash:2": ["wash:2", "perfect"],
    "--shuffle bad": ["bad", "perfect"],
    "--show 1000000": ["--show 1000000", "0 to 999999"],
    "--show -1": ["--show -1"],
    "--format xml": ["xml", "json"],
    "--hand 5": ["--hand", "--hands"],
    "extra": ["extra"],
}


@pytest.mark.parametrize("words", BAD)
def test_simulate__bad_input_is_one_clear_message(capsys, words: str) -> None:
    status, out, err = run(capsys, "simulate", *words.split())
    assert status == 2 and out == ""
    message = [line for line in err.splitlines() if not line.startswith("compiling")]
    assert len(message) == 1 and message[0].startswith("gupai simulate: ")
    assert all(part in err for part in BAD[words]), err


def test_simulate__a_file_with_three_errors_shows_all_three(capsys, tmp_path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('kam = "four"\ntwo_stack = true\nbanker = "none"\n')
    status, out, err = run(capsys, "simulate", "--rules", str(path))
    assert status == 2 and out == "" and all(word in err for word in ("kam", "two_stack", "banker"))


def test_simulate__numbers_of_hands_as_people_write_them(capsys) -> None:
    for written, hands in (
        ("2k", 2000),
        ("2.2k", 2200),
        ("1,200", 1200),
        ("1e3", 1000),
        ("1_500", 1500),
        ("0.001M", 1000),
    ):
        out = run(capsys, "simulate", "--hands", written, "--policy", "greedy", "--format", "json")[1]
        assert json.loads(out)["counts"]["hands"] == hands


def test_score__settles_the_good_and_reports_the_bad(capsys, data, tmp_path) -> None:
    records = [
        json.loads(line) for line in (data / "tiengow-records.jsonl").read_text().splitlines()[:3]
    ]
    bad = json.loads((data / "tiengow-illegal.jsonl").read_text().splitlines()[0])
    lines = [
        records[0]["record"],
        bad["record"],
        records[1]["record"],
        "no record",
        records[2]["record"],
    ]
    path = tmp_path / "hands.jsonl"
    path.write_text("\n\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    status, out, err = run(capsys, "score", str(path), "--format", "json")
    assert status == 2
    assert [json.loads(line) for line in out.splitlines()] == [entry["expect"] for entry in records]
    assert f"{path}, line 3: hand of seat 2" in err and f"{path}, line 7: " in err
    assert "2 of 5 records refused" in err


def test_score__one_object_over_many_lines_and_standard_input(
    capsys, data, monkeypatch, tmp_path
) -> None:
    entry = json.loads((data / "tiengow-records.jsonl").read_text().splitlines()[4])
    text = json.dumps(entry["record"], indent=2)
    path = tmp_path / "hand.json"
    path.write_text(text)
    status, out, _ = run(capsys, "score", str(path), "--format", "json")
    assert status == 0 and json.loads(out) == entry["expect"]
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert run(capsys, "score", "-", "--format", "json") == (0, out, "")


def test_score__under_the_rules_of_the_house(capsys, data, tmp_path) -> None:
    entry = json.loads((data / "tiengow-records.jsonl").read_text().splitlines()[1])
    path = tmp_path / "hand.json"
    path.write_text(json.dumps(entry["record"]))
    words = ["score", str(path), "--format", "json"]
    assert json.loads(run(capsys, *words)[1]) == entry["expect"]
    changed = json.loads(run(capsys, *words, "--set", "empty=4")[1])
    # Seat 0 and the banker, seat 3 in its second term, are empty; seat 2 has six stacks.
    assert entry["expect"]["settlement"] == [-5, 18, 2, -15]
    assert changed["settlement"] == [-4, 14, 2, -12]
    other = json.loads(run(capsys, *words, "--rules", "tiengow-ja")[1])
    assert other["bonuses"] == entry["expect"]["bonuses"]
    assert run(capsys, "score", str(path), "--rules", "nothing")[0] == 2
    assert "no such option" in run(capsys, "score", "--fromat", "json")[2]


def test_score__a_slip_in_a_long_record_is_one_error(capsys, data, tmp_path) -> None:
    entry = json.loads((data / "tiengow-records.jsonl").read_text().splitlines()[0])
    path = tmp_path / "hand.json"
    path.write_text(json.dumps(entry["record"], indent=2).replace('"term"', '"term', 1))
    status, out, err = run(capsys, "score", str(path))
    assert (status, out) == (2, "") and "1 of 1 records refused" in err and "line 6" in err


@pytest.mark.parametrize("format_", ["table", "csv", "markdown"])
def test_score__other_forms(capsys, data, tmp_path, format_: str) -> None:
    entry = json.loads((data / "tiengow-records.jsonl").read_text().splitlines()[0])
    path = tmp_path / "hand.json"
    path.write_text(json.dumps(entry["record"]))
    status, out, _ = run(capsys, "score", str(path), "--format", format_)
    assert status == 0 and "16" in out and str(path) in out


def test_score__a_missing_file_does_not_stop_the_others(capsys, data, tmp_path) -> None:
    entry = json.loads((data / "tiengow-records.jsonl").read_text().splitlines()[0])
    path = tmp_path / "hand.json"
    path.write_text("\ufeff" + json.dumps(entry["record"]) + "\r\n", encoding="utf-8")
    for format_ in ("table", "json"):
        status, out, err = run(capsys, "score", str(tmp_path / "none"), str(path), "--format", format_)
        assert status == 2 and "cannot be read" in err and "16" in out


def test_score__endless_and_closed_input(capsys, monkeypatch, tmp_path) -> None:
    path = tmp_path / "long"
    path.write_text('{"hands": ["' + "A" * 200_000 + '"]}')
    status, out, err = run(capsys, "score", str(path))
    assert (status, out) == (2, "") and "longer than" in err
    monkeypatch.setattr(sys, "stdin", None)
    assert run(capsys, "score", "-")[0] == 2


def test_output__that_cannot_be_written_is_told() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    for words in ("rules", "simulate --hands 100 --policy greedy"):
        command = f"{sys.executable} -m gupai.reports.cli {words} > /dev/full"
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        assert done.returncode == 1 and "cannot write" in done.stderr and "Traceback" not in done.stderr


def test_output__to_a_terminal_without_the_signs() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "gupai.reports.cli", "rules"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "two_stacks" in done.stdout


def test_score__bad_files(capsys, tmp_path) -> None:
    assert run(capsys, "score")[0] == 2
    assert "cannot be read" in run(capsys, "score", str(tmp_path / "none"))[2]
    assert "cannot be read" in run(capsys, "score", str(tmp_path))[2]
    (tmp_path / "empty").touch()
    assert "no record" in run(capsys, "score", str(tmp_path / "empty"))[2]
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    status, out, err = run(capsys, "score", str(tmp_path / "bytes"))
    assert (status, out) == (2, "") and "UTF-8" in err


def test_rules__lists_and_explains(capsys) -> None:
    status, out, _ = run(capsys, "rules")
    assert status == 0
    for name in (*PRESETS, "two_stacks", "擒", "四大賀", "例牌", "settlement", "play"):
        assert name in out
    assert "| two_stacks |" in run(capsys, "rules", "--format", "markdown")[1]
    assert set(json.loads(run(capsys, "rules", "--format", "json")[1])) == set(PRESETS)


def test_rules__unknown_name(capsys) -> None:
    status, out, err = run(capsys, "rules", "tiengow")
    assert (status, out) == (2, "") and "Did you mean tiengow-" in err


def test_main__unknown_command_help_and_version(capsys) -> None:
    assert run(capsys, "simulat")[0] == 2
    assert run(capsys, "--help")[0] == 0 and run(capsys, "simulate", "--help")[0] == 0
    assert run(capsys, "--version")[1].strip()[0].isdigit()


def test_bench__has_a_yardstick(capsys, monkeypatch) -> None:
    from gupai.analysis.tiengow import bench

    for name, hands in {"_LONG": 1 << 16, "_SHORT": 1 << 13, "_SLOWEST": 4}.items():
        monkeypatch.setattr(bench, name, hands)
    status, out, _ = run(capsys, "bench", "--rounds", "1", "--threads", "2", "--format", "json")
    rows = json.loads(out)
    assert status == 0 and "yardstick" in rows[0]["work"] and rows[0]["to_yardstick"] == 1.0
    assert {row["work"] for row in rows} >= {"deal alone", "random, end to end", "greedy, end to end"}
    assert all(row["hands_per_second"] > 0 for row in rows)
    assert run(capsys, "bench", "--rounds", "0")[0] == 2


@pytest.mark.skipif(os.name != "posix", reason="sends the signal of Ctrl-C")
def test_simulate__ctrl_c_prints_what_was_played(capsys) -> None:
    simulated(capsys, "--policy", "greedy")
    # Where the tests run in the background the signal may be ignored, and children inherit that.
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from gupai.reports.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    words = ["simulate", "--policy", "greedy", "--yes", "--hands", "1e12", "--format", "json"]
    # The kernel is in the cache (other tests ran it), so a few seconds are enough to be playing,
    # unless the machine is very busy: then nothing was played, and it is told more patiently.
    for patience in (6, 30, 90):
        with subprocess.Popen(
            [sys.executable, "-c", program, *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            try:
                time.sleep(patience)
                process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=60)
            finally:
                process.kill()
        assert process.returncode == 1 and "Traceback" not in err and "interrupted" in err
        if out:
            break
    assert 0 < json.loads(out)["counts"]["hands"] < 10**12


def test_output__a_closed_pipe_is_no_traceback() -> None:
    words = "simulate --policy greedy --hands 1000 --by red --format csv"
    command = f"{sys.executable} -m gupai.reports.cli {words} | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


def test_cli__a_compiled_kernel_is_announced(tmp_path: Path) -> None:
    """The smallest kernel, in a cache of its own."""
    environment = os.environ | {"GUPAI_CACHE_DIR": str(tmp_path)}
    program = (
        "import numpy as np; from gupai.kernels.yardstick import fisher_yates; "
        "from gupai.reports.progress import announce_compiling; announce_compiling(); "
        "fisher_yates(5, np.uint64(1)); fisher_yates(5, np.uint64(2))"
    )
    for told in (1, 0):
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stderr.count("compiling a kernel") == told


@pytest.mark.slow  # compiles the fast loops in a cache of its own
def test_cli__compiled_kernels_are_announced(tmp_path: Path) -> None:
    environment = os.environ | {"GUPAI_CACHE_DIR": str(tmp_path)}
    words = ["simulate", "--hands", "1000", "--format", "json"]
    for policy, told in (("greedy", True), ("greedy", False), ("random", True)):
        done = subprocess.run(
            [sys.executable, "-m", "gupai.reports.cli", *words, "--policy", policy],
            env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert ("compiling" in done.stderr) == told
