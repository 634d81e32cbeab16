"""Runs kept in a folder: the same bytes however they were played, and nothing foreign or damaged."""

from __future__ import annotations

import csv
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gupai.analysis import (
    HAND_SCHEMA,
    InputError,
    Run,
    SavedRun,
    Tables,
    make_rules,
    merge_runs,
    simulate,
    simulate_by,
)
from gupai.analysis.tiengow import saved as saved_module
from gupai.analysis.tiengow.parts import read_counts, write_counts
from gupai.reports.cli import main, make_app

from saving import (
    RUN,
    SEATS,
    SMALL,
    Interrupted,
    contents,
    played,
    spoil_all,
)


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(saved_module, "PART", SMALL)


# ---------------------------------------------------------------- the same bytes
def test_saved__in_one_go__holds_what_simulate_counts(tmp_path, small_parts):
    saved = played(tmp_path, RUN, 50_000)
    assert saved.ranges() == [(0, 50_000)]
    assert Tables(saved.tally()).to_json() == Tables(simulate(RUN)).to_json()
    assert [path.name for path in sorted(saved.folder.iterdir())] == [
        "part-000000.parquet", "part-000001.parquet", "part-000002.parquet",
    ]  # fmt: skip


@pytest.mark.parametrize("steps", [(50_000,), (1, 50_000), (7_000, 20_000, 33_333, 50_000)])
@pytest.mark.parametrize("threads", [1, 2])
def test_saved__however_played__the_same_bytes(tmp_path, small_parts, steps, threads):
    for hands in steps:
        played(tmp_path / "a", RUN, hands, threads=threads)
    played(tmp_path / "b", RUN, 50_000)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_saved__played_again__adds_nothing_and_touches_nothing(tmp_path, small_parts):
    saved = played(tmp_path, RUN, 50_000)
    times = {path: path.stat().st_mtime_ns for path in saved.folder.iterdir()}
    assert SavedRun(tmp_path, RUN).extend(50_000) == 0
    assert SavedRun(tmp_path, RUN).extend(30_000) == 0
    assert {path: path.stat().st_mtime_ns for path in saved.folder.iterdir()} == times


def test_saved__lacking__counts_what_is_missing(tmp_path, small_parts):
    saved = played(tmp_path, RUN, 30_000)
    saved.extend(70_000, first=60_000)
    for first in (0, 20_000, 40_000, 60_000):
        for end in (first + 1, 61_000, 75_000, 99_999):
            gaps = list(saved.missing(first, end))
            assert saved.lacking(first, end) == sum(b - a for a, b in gaps)
    assert list(saved.missing(0, 90_000)) == [(30_000, 40_000), (40_000, 60_000), (70_000, 80_000),
                                              (80_000, 90_000)]  # fmt: skip


@pytest.mark.parametrize("pieces", [0, 1, 5, 9])
def test_saved__interrupted__goes_on_to_the_same_bytes(tmp_path, small_parts, pieces):
    saved = SavedRun(tmp_path / "a", RUN)
    with pytest.raises(KeyboardInterrupt):
        saved.extend(50_000, source=Interrupted(RUN, pieces, 3_000))
    assert SavedRun(tmp_path / "a", RUN).ranges() == saved.ranges()
    assert SavedRun(tmp_path / "a", RUN).extend(50_000) == 50_000 - sum(b - a for a, b in saved.ranges())
    played(tmp_path / "b", RUN, 50_000)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_saved__killed__goes_on_to_the_same_bytes(tmp_path):
    script = (
        "from gupai.analysis import Run, SavedRun\n"
        "from gupai.analysis.tiengow import saved, sources\n"
        "saved._BETWEEN_SAVINGS = sources._PIECE = 0.05\n"
        "saved.PART = 2_000_000\n"
        f"SavedRun({str(tmp_path / 'a')!r}, Run(policies=('greedy',) * 4, hands=1000, seed=3)).extend(10**11)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script])
    try:
        deadline = time.monotonic() + 120
        while len(list(tmp_path.rglob("part-*"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(saved_module, "PART", 2_000_000)
        held = SavedRun(tmp_path / "a", RUN).ranges()
        assert held[0][0] == 0 and len(held) == 1
        end = held[0][1] + 100_000
        played(tmp_path / "a", RUN, end)
        played(tmp_path / "b", RUN, end)
    whole = {name: text for name, text in contents(tmp_path / "a").items() if "/part" in name}
    assert whole == contents(tmp_path / "b")


@pytest.mark.parametrize("policy", ["tuned", "public-a"])
def test_saved__policies_that_think__as_simulate(tmp_path, policy):
    run = Run(policies=(policy, "greedy", "random", policy), hands=3_000, by="military")
    saved = played(tmp_path, run, 1_000)
    saved.extend(3_000)
    assert Tables(saved.tally()).to_json() == Tables(simulate(run)).to_json()


def test_simulate_by__interrupted__keeps_the_first_hands():
    tally = simulate_by(Interrupted(RUN, 2, 4_000), RUN)
    assert tally.interrupted and tally.run.hands == 8_000
    assert (
        Tables(tally).to_json()
        == Tables(simulate(Run(policies=("greedy",) * 4, hands=8_000, seed=3))).to_json()
    )


# ---------------------------------------------------------------- shared by several machines
def test_merge__two_machines__the_bytes_of_one(tmp_path, small_parts):
    played(tmp_path / "a", RUN, 30_000)
    played(tmp_path / "b", RUN, 50_000, first=20_000)
    assert SavedRun(tmp_path / "b", RUN).ranges() == [(20_000, 50_000)]
    with pytest.raises(InputError, match=r"holds the hands 20,000 to 49,999.*play the missing ones"):
        SavedRun(tmp_path / "b", RUN).tally()
    [merged] = merge_runs([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    assert merged.ranges() == [(0, 50_000)]
    played(tmp_path / "d", RUN, 50_000)
    assert contents(tmp_path / "c") == contents(tmp_path / "d")
    merge_runs([tmp_path / "b", tmp_path / "a"], tmp_path / "b")  # into one of them
    assert contents(tmp_path / "b") == contents(tmp_path / "d")


@pytest.mark.parametrize(
    "other, word",
    [
        (Run(policies=("greedy",) * 4, hands=50_000, seed=4), r"seed \(3 and 4\)"),
        (Run(policies=("greedy",) * 4, hands=50_000, seed=3, term=2), r"term \(1 and 2\)"),
        (Run(policies=("greedy",) * 4, hands=50_000, seed=3, rules=make_rules({"kam": 4})), "rules"),
        (Run(policies=("greedy",) * 4, hands=50_000, seed=3, deal="ends_in"), "deal"),
        (Run(hands=50_000, seed=3, policies=("random",) * 4), "policies"),
        (Run(policies=("greedy",) * 4, hands=50_000, seed=3, by="fours"), "by"),
        (Run(policies=("greedy",) * 4, hands=50_000, seed=3, given="banker has AA"), "given"),
    ],
)
def test_merge__another_run__is_refused(tmp_path, other, word):
    played(tmp_path / "a", RUN, 1_000)
    played(tmp_path / "b", other, 1_000)
    with pytest.raises(InputError, match=f"they differ in .*{word}"):
        merge_runs([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    assert not (tmp_path / "c").exists()


def test_merge__parts_that_disagree__are_refused(tmp_path):
    saved = played(tmp_path / "a", RUN, 1_000)
    path = saved.folder / "part-000000.parquet"
    facts, before = read_counts(path)
    counts = before.counts.copy()
    counts[counts.argmax()] -= 1
    counts[counts.argmin()] += 1
    write_counts(
        tmp_path / "b" / path.relative_to(tmp_path / "a"), before._replace(counts=counts), facts
    )
    with pytest.raises(InputError, match="disagrees with"):
        merge_runs([tmp_path / "a", tmp_path / "b"], tmp_path / "c")


# ---------------------------------------------------------------- the command line
def test_show__prints_the_tables_of_simulate(tmp_path, capsys):
    words = ["simulate", "--hands", "2000", "--policy", "greedy", "--policy", "random"]
    assert main(words) == 0
    plain = capsys.readouterr().out
    assert main([*words, "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out == plain
    for format in ("json", "csv", "markdown", "table"):
        assert main(["show", str(tmp_path), "--format", format]) == 0
        again = capsys.readouterr().out
    assert sorted(again.split("\n")[-4:]) == sorted(plain.split("\n")[-4:])  # both commands


def test_show__other_settlement__as_simulate(tmp_path, capsys):
    assert main(["simulate", "--hands", "2000", "--policy", "greedy", "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    assert main(["show", str(tmp_path), "--set", "kam=4"]) == 0
    shown = capsys.readouterr().out
    assert main(["simulate", "--hands", "2000", "--policy", "greedy", "--set", "kam=4"]) == 0
    assert capsys.readouterr().out == shown
    assert main(["show", str(tmp_path), "--set", "supreme_civil=on"]) == 2
    assert "changes play" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, said",
    [
        ("simulate --keep-hands --hands 10", "--keep-hands: needs --out DIR"),
        ("simulate --first 100M --hands 10", "--first: needs --out DIR"),
        (
            "simulate --first 5 --hands 10 --out X",
            "--first 5: must be where a part of 100,000,000 hands",
        ),
        ("simulate --first 100M --hands 10 --out X", "--first 100000000: must be"),
        ("show nowhere", "nowhere: holds no saved run"),
        ("merge nowhere --out X", "nowhere: holds no saved run"),
        ("merge --out X", "merge"),
    ],
)
def test_saved__bad_words__one_sentence(tmp_path, capsys, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    assert main(words.split()) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_show__runs_of_several_kinds__are_told_apart(tmp_path, capsys):
    words = ["simulate", "--policy", "greedy", "--hands", "1000", "--out", str(tmp_path)]
    for more in (
        [],
        ["--given", "banker has 63"],
        ["--seed", "2"],
        ["--by", "fours"],
        ["--deal", "ends_in"],
    ):
        assert main([*words, *more]) == 0
    capsys.readouterr()
    assert main(["show", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    heads = [
        line
        for line, below in zip(out.splitlines(), out.splitlines()[1:], strict=False)
        if "──" in below
    ]
    assert len(heads) == 4
    assert any("--given 'banker has 63'" in head for head in heads)
    assert any("--seed 2" in head for head in heads)
    assert any("by fours" in head for head in heads)
    assert any("pairs_of_columns" in head and "ends_in" in head for head in heads)
    assert main(["show", str(tmp_path), "--format", "csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert {(row["given"], row["seed"]) for row in rows} == {
        ("", "1"),
        ("banker has 63", "1"),
        ("", "2"),
    }


def test_show__one_run_that_cannot_be_used__does_not_hide_the_others(tmp_path, capsys):
    played(tmp_path, RUN, 2_000)
    bad = played(tmp_path, Run(policies=("greedy",) * 4, hands=10, seed=4), 2_000)
    spoil_all(bad.folder / "part-000000.parquet")
    assert main(["show", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert "hands" in out and "2,000" in out
    assert f"{bad.folder.name}/part-000000.parquet: is damaged" in err


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "--hands", "10", "--out", ""],
        ["show", ""],
        ["merge", "x", "--out", ""],
        ["simulate", "--hands", "10", "--out", "a-file"],
        ["simulate", "--hands", "10", "--show", "3", "--out", "x"],
    ],
)
def test_saved__no_folder__is_refused(tmp_path, capsys, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a-file").write_text("mine")
    assert main(words) == 2
    assert capsys.readouterr().err and [path.name for path in tmp_path.iterdir()] == ["a-file"]


# ---------------------------------------------------------------- the documentation
def test_documentation__tells_the_schema_as_it_is():
    text = (Path(__file__).parent.parent / "reports" / "long-runs.md").read_text()
    for column, meaning in HAND_SCHEMA.items():
        stem, _, seat = column.rpartition("_")
        if seat in SEATS:
            assert f"| `{stem}_SEAT` | {meaning.split(' of ')[0].split(' dealt')[0]}" in text
        else:
            assert f"| `{column}` | {meaning} |" in text


def test_documentation__its_commands_are_commands():
    text = (Path(__file__).parent.parent / "reports" / "long-runs.md").read_text()
    lines = [line for line in text.splitlines() if line.startswith("gupai ")]
    assert len(lines) >= 9
    for line in lines:
        make_app().parse_args(shlex.split(line)[1:], exit_on_error=False, print_error=False)
