"""``gupai hand`` and ``gupai hand-table``, end to end."""

from __future__ import annotations

import csv
import io
import json

import pytest

from gupai.analysis import shipped_hands
from gupai.reports.cli import main

SEATS = ("banker", "right", "across", "left")


def run(capsys, *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


def test_hand__json_form(capsys) -> None:
    words = ("hand", "AA99BK63", "--hands", "2000", "--format", "json")
    status, out, _ = run(capsys, *words)
    result = json.loads(out)
    assert status == 0 and result["hand"] == "AABK9963" and result["of"] == 330_525
    assert result["dealt"] == {"numerator": "1", "denominator": "2629575"}
    assert list(result["seats"]) == list(SEATS)
    for seat in SEATS:
        assert set(result["seats"][seat]["win"]) == {"value", "low", "high"}
        assert {"mean", "se"} <= set(result["seats"][seat]["points"])
        assert {"sweep", "empty", "caught", "catches"} <= set(result["seats"][seat])
    assert result["leads"][0]["behind"]["mean"] == 0
    assert {lead["lead"] for lead in result["leads"]} >= {"AA99", "63", "K", "A9"}
    assert result["rank_low"] <= result["rank"] <= result["rank_high"]
    again = result["command"].split()[1:]
    assert json.loads(run(capsys, *again, "--format", "json")[1]) == result


def test_hand__one_hand_is_json_all_the_same(capsys) -> None:
    """A single hand has no spread; null says so, for NaN is no JSON."""

    def refuse(name: str) -> None:
        raise AssertionError(name)

    out = run(capsys, "hand", "AC99GJK3", "--hands", "1", "--format", "json")[1]
    result = json.loads(out, parse_constant=refuse)
    assert result["seats"]["banker"]["points"]["se"] is None is result["seats"]["banker"]["points"]["sd"]


def test_hand__any_notation_is_the_same_hand(capsys) -> None:
    results = [
        run(capsys, "hand", *text.split(), "--hands", "300", "--format", "json")[1]
        for text in ("aa99bk63", "天天九九地伶六三", "6-6 6-6 3-6 4-5 1-1 1-5 2-4 1-2")
    ]
    assert results[0] == results[1] == results[2]


def test_hand__several_rules_and_policies(capsys) -> None:
    words = ("hand", "KKJJ6399", "--hands", "300", "--policy", "greedy", "--policy", "random")
    words += ("--rules", "tiengow-ja", "--rules", "tiengow-zh", "--format", "json")
    results = json.loads(run(capsys, *words)[1])
    asked = [
        (result["provenance"]["rules"]["kam"], result["provenance"]["policies"][0]) for result in results
    ]
    assert asked == [(2, "greedy"), (2, "random"), (4, "greedy"), (4, "random")]


def test_hand__table_reads_well(capsys) -> None:
    policy = ",".join(shipped_hands().attrs["policies"])
    status, out, _ = run(capsys, "hand", "AA99BK63", "--hands", "2000", "--policy", policy)
    assert status == 0
    for text in ("banker 莊", "結 wins the last trick", "lead of the banker", "AA99 天天九九", "best",
                 "= 1 / 2629575", "of 330,525 starting hands", "gupai hand AABK9963"):  # fmt: skip
        assert text in out
    markdown = run(capsys, "hand", "AA99BK63", "--hands", "300", "--format", "markdown")[1]
    assert markdown.count("| --- |") == 2


def test_hand__csv(capsys) -> None:
    out = run(capsys, "hand", "AA99BK63", "--hands", "300", "--format", "csv")[1]
    rows = list(csv.DictReader(io.StringIO(out)))
    assert {row["of"] for row in rows} == {"seat", "lead", "hand"}
    assert all(
        float(row["low"]) <= float(row["estimate"]) <= float(row["high"]) for row in rows if row["low"]
    )


@pytest.mark.parametrize("name", ["best", "worst", "swingiest"])
def test_hand__lists(capsys, name: str) -> None:
    status, out, _ = run(capsys, "hand", f"--{name}", "20", "--format", "json")
    hands = json.loads(out)["hands"]
    assert status == 0 and len(hands) == 20
    ranks = [hand["rank"] for hand in hands]
    if name == "best":
        assert ranks == list(range(1, 21)) and hands[0]["hand"] == "AABB9988"
    elif name == "worst":
        assert ranks == list(range(330_525, 330_505, -1))
    else:
        assert sorted((hand["sd"] for hand in hands), reverse=True) == [hand["sd"] for hand in hands]
    text = run(capsys, "hand", f"--{name}", "3")[1]
    assert f"The {name} of all 330,525" in text and "dealt once in" in text
    table = run(capsys, "hand", f"--{name}", "3", "--format", "csv")[1]
    assert len(list(csv.DictReader(io.StringIO(table)))) == 3


@pytest.mark.parametrize(
    "words, complaint",
    [
        ((), "write one hand"),
        (("AA99BK63", "--best", "3"), "write one hand"),
        (("--best", "3", "--worst", "3"), "write one hand"),
        (("--best", "0"), "--best 0: must be a whole number from 1 to 1000"),
        (("--best", "3", "--term", "4"), "takes only --format"),
        (("AA99BK6",), "has 7 tiles"),
        (("AA99BK63A",), "tile A"),
        (("AA99BK63", "--policy", "gredy"), "Did you mean greedy"),
        (("AA99BK63", "--hands", "0"), "--hands 0"),
        (("AA99BK63", "--threads", "0"), "--threads 0"),
        (("A9FFGGHH", "--set", "hand_patterns=one_red"), "write the pips"),
        (("AA99BK63", "--rules", "tiengow-jp"), "Did you mean tiengow-ja"),
    ],
)
def test_hand__bad_input(capsys, words: tuple[str, ...], complaint: str) -> None:
    status, out, err = run(capsys, "hand", *words)
    assert status == 2 and not out
    assert err.startswith("gupai hand: ") and complaint in err and "Traceback" not in err


def test_hand_table__command(capsys, tmp_path) -> None:
    words = ("hand-table", str(tmp_path / "t"), "--hands", "2000", "--fewest", "0")
    status, out, _ = run(capsys, *words, "--compact", str(tmp_path / "c.parquet"))
    assert status == 0 and str(tmp_path / "t" / "hands.parquet") in out and "rounding_points 0.01" in out
    assert (tmp_path / "c.parquet").stat().st_size > 20_000
    status, _, err = run(capsys, "hand-table", str(tmp_path / "t"), "--hands", "3000", "--fewest", "0")
    assert status == 2 and "holds another table" in err
    status, _, err = run(capsys, *words[:-1], "-1")
    assert status == 2 and "--fewest -1" in err
