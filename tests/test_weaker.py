"""Where simple players turn an answer round, the answer of good players says so."""

from __future__ import annotations

import csv
import io
import json

import pytest

from gupai.analysis import RuleSet, Run, compare, starting_hand
from gupai.analysis.tiengow.weaker import Told, turns, weaker_comparison, weaker_hand
from gupai.reports.cli import main

TWO_STACKS = ("compare", "tiengow-ja", "--set", "two_stacks=false", "--hands", "5000")
NAN = float("nan")


def run(capsys, *words: str) -> tuple[int, str, str]:
    status = main([*words, "--lang", "en"])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize(
    ("good", "simple", "told"),
    [
        ((1, 0.9, 1.1), (-1, -1.1, -0.9), True),  # the sign
        ((-1, -1.1, -0.9), (1, 0.9, 1.1), True),
        ((0.05, -0.05, 0.15), (-1.61, -1.63, -1.59), True),  # nothing, or much
        ((-1.61, -1.63, -1.59), (0.05, -0.05, 0.15), True),
        ((1, 0.9, 1.1), (2.5, 2.2, 2.8), True),  # just double
        ((1, 0.9, 1.1), (2.5, 2.1, 2.9), False),  # not beyond the intervals
        ((1, 0.9, 1.1), (0.4, 0.35, 0.45), True),  # half
        ((1, 0.9, 1.1), (0.4, 0.2, 0.6), False),
        ((0.1, -1, 1.2), (-0.2, -1.4, 1), False),  # nobody knows
        ((0, 0, 0), (0, 0, 0), False),
        ((0, 0, 0), (1, 0.9, 1.1), True),
        ((1, NAN, NAN), (-1, NAN, NAN), False),  # too few hands for intervals
        ((1, 0.9, 1.1), (-1, NAN, NAN), False),
    ],
)
def test_turns(good: tuple, simple: tuple, told: bool) -> None:
    assert turns(Told(*good), Told(*simple)) is told


def test_compare__says_what_turns(capsys) -> None:
    status, out, _ = run(capsys, *TWO_STACKS)
    assert status == 0 and out.count("Under weaker play (greedy): ") == 1
    [line] = [line for line in out.splitlines() if line.startswith("Under weaker play")]
    simple = compare(
        RuleSet(), RuleSet(two_stacks=False), run=Run(policies=("greedy",) * 4, hands=5000)
    ).points["banker"]
    assert f"banker {simple.difference:+.1f}" in line or f"banker {simple.difference:+.2f}" in line


@pytest.mark.parametrize("words", [("--policy", "greedy"), ("--policy", "greedy,tuned,tuned,tuned")])
def test_compare__other_players__says_nothing_of_it(words: tuple, capsys) -> None:
    assert "weaker" not in run(capsys, *TWO_STACKS, *words)[1]
    assert "weaker" not in json.loads(run(capsys, *TWO_STACKS, *words, "--format", "json")[1])


def test_compare__what_does_not_turn__is_not_told() -> None:
    good = compare(RuleSet(), RuleSet(heaven_red=0), run=Run(hands=300))
    weaker = weaker_comparison(good, threads=1)
    assert weaker is not None and weaker.turned == () and weaker.sentence() is None


def test_compare__json_has_the_weaker_answer(capsys) -> None:
    result = json.loads(run(capsys, *TWO_STACKS, "--format", "json")[1])
    weaker = result["weaker"]
    assert result["provenance"]["policies"] == ["tuned"] * 4 and weaker["policy"] == "greedy"
    assert "banker" in weaker["turned"] and set(weaker["points"]) == set(result["points"])
    again = run(capsys, *weaker["command"].removeprefix("gupai ").replace("'", "").split(),
                "--format", "json")[1]  # fmt: skip
    assert json.loads(again)["points"]["banker"]["difference"] == weaker["points"]["banker"]["value"]


def test_compare__several_policies_stand_side_by_side(capsys) -> None:
    words = ("compare", "tiengow-ja", "--set", "kam=4", "--hands", "300")
    both = ("--policy", "tuned", "--policy", "greedy")
    out = run(capsys, *words, *both)[1]
    assert "B - A, tuned" in out and "B - A, greedy" in out and "weaker" not in out
    results = json.loads(run(capsys, *words, *both, "--format", "json")[1])
    for result, policy in zip(results, ("tuned", "greedy"), strict=True):
        alone = json.loads(run(capsys, *words, "--policy", policy, "--format", "json")[1])
        alone.pop("weaker", None)
        assert result == alone
    rows = list(csv.DictReader(io.StringIO(run(capsys, *words, *both, "--format", "csv")[1])))
    assert {row["play"] for row in rows} == {"tuned", "greedy"}


@pytest.mark.parametrize("words", ["--switch kam", "--all-switches", "--set kam=4 --adapt"])
def test_compare__several_policies__refused_where_one_table_is_made(words: str, capsys) -> None:
    asked = ("compare", "tiengow-ja", *words.split(), "--policy", "tuned", "--policy", "greedy")
    status, _, err = run(capsys, *asked)
    assert status == 2 and f"{words.split()[-1] if 'adapt' in words else words.split()[0]}: takes" in err


def test_map__names_the_values_that_turn(capsys) -> None:
    out = run(capsys, "compare", "--switch", "two_stacks", "--switch", "kam", "--hands", "5000")[1]
    assert "Under weaker play (greedy): two_stacks=false -1." in out


def test_hand__says_what_turns_and_the_other_lead(capsys) -> None:
    out = run(capsys, "hand", "AC99GJK3", "--hands", "4000")[1]
    [line] = [line for line in out.splitlines() if line.startswith("Under weaker play (greedy): ")]
    assert "banker -1." in line and "best lead 3" in line
    assert "weaker" not in run(capsys, "hand", "AC99GJK3", "--hands", "100", "--policy", "random")[1]
    result = json.loads(run(capsys, "hand", "AC99GJK3", "--hands", "4000", "--format", "json")[1])
    assert result["weaker"]["lead"] == "3" and "banker" in result["weaker"]["turned"]


def test_hand__few_hands__nothing_is_claimed() -> None:
    weaker = weaker_hand(starting_hand("AC99GJK3", run=Run(hands=2)))
    assert weaker is not None and weaker.sentence() is None


def test_hand__several_policies_stand_side_by_side(capsys) -> None:
    words = ("hand", "AC99GJK3", "--hands", "300", "--policy", "tuned", "--policy", "greedy")
    out = run(capsys, *words)[1]
    heads = [line for line in out.splitlines() if line.split()[-2:] == ["tuned", "greedy"]]
    assert len(heads) == 1 and "weaker" not in out
