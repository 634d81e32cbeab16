"""Hand patterns: exact chances by combinatorics, and their share among the hands played."""

from __future__ import annotations

import csv
import io
import json
import shlex
from fractions import Fraction
from math import comb

import pytest

from gupai.analysis import InputError, RuleSet, Run, hand_patterns
from gupai.reports.cli import main
from gupai.reports.patterns import _ended

import reference

HANDS = comb(32, 8)


def tiles_with(red: int, heaven_red: int = 6) -> int:
    return sum(reference.red_pips(tile, heaven_red) == red for tile in reference.TILES)


@pytest.mark.parametrize("heaven_red", [6, 0])
def test_hand_patterns__chances_by_counting(heaven_red: int) -> None:
    found = {
        p.name: p
        for p in hand_patterns(
            run=Run(policies=("greedy",) * 4, rules=RuleSet(heaven_red=heaven_red), hands=1000)
        )
        if p.seat is not None
    }
    plain, one = tiles_with(0, heaven_red), tiles_with(1, heaven_red)
    counted = {
        "one_red": one * comb(plain, 7), "no_red": comb(plain, 8),
        "seven_military": comb(10, 7) * 22, "eight_military": comb(10, 8),
        "seven_civil": comb(22, 7) * 10, "eight_civil": comb(22, 8), "four_pairs": comb(15, 4),
    }  # fmt: skip
    assert {name: p.seat for name, p in found.items()} == {
        name: Fraction(count, HANDS) for name, count in counted.items()
    }
    for name in ("seven_military", "eight_military"):  # two seats would need 14 of 10 tiles
        assert found[name].table == 4 * found[name].seat
    # Two seats of four pairs: inclusion and exclusion over the seats.
    rest = [HANDS * comb(24, 8), HANDS * comb(24, 8) * comb(16, 8)]
    two, three = comb(15, 4) * comb(11, 4), comb(15, 4) * comb(11, 4) * comb(7, 4)
    all_four = 0  # sixteen classes of pairs would be needed
    table = 4 * found["four_pairs"].seat - 6 * Fraction(two, rest[0]) + 4 * Fraction(three, rest[1])
    assert found["four_pairs"].table == table - all_four


def test_hand_patterns__share_among_the_hands_played() -> None:
    """99.99 % intervals of the share of hands that each pattern ended."""
    from gupai.analysis import proportion

    n = 60_000
    for pattern in hand_patterns(
        ["seven_civil", "eight_civil", "one_red"], run=Run(policies=("greedy",) * 4, hands=n, seed=3)
    ):
        value = _ended(pattern)[0]
        estimate = proportion(round(value * n), n, confidence=0.9999)
        assert pattern.table is not None and estimate.low <= float(pattern.table) <= estimate.high


def test_hand_patterns__collects_as_the_reference_settles() -> None:
    rules = RuleSet(empty=4, eight=5, hand_patterns=("eight_military",))
    [pattern] = hand_patterns(
        ["eight_military"], run=Run(policies=("greedy",) * 4, rules=rules, hands=100, term=3)
    )
    history = reference.History([[]] * 4, stacks=[8, 0, 0, 0], pattern=(0, "eight"))
    banker = reference.settle(history, rules.to_json(), 3)["settlement"][0]
    history = reference.History([[]] * 4, stacks=[0, 8, 0, 0], pattern=(1, "eight"))
    other = reference.settle(history, rules.to_json(), 3)["settlement"][1]
    assert pattern.collects == (banker, other)


def run_command(capsys, *words: str) -> tuple[int, str, str]:
    status = main(["patterns", *words])
    out, err = capsys.readouterr()
    return status, out, err


def test_patterns__output_and_its_command(capsys) -> None:
    status, out, _ = run_command(capsys, "--hands", "2000")
    assert status == 0 and "seven_civil 七文" in out and "6.17" in out and "all 例牌" in out
    again = shlex.split(out.strip().splitlines()[-1])[2:]
    assert run_command(capsys, *again)[1] == out
    found = json.loads(run_command(capsys, "no_red", "--hands", "500", "--format", "json")[1])
    assert found[0]["seat"]["denominator"] == "89900"
    rows = list(csv.DictReader(io.StringIO(
        run_command(capsys, "all", "--hands", "500", "--format", "csv")[1]
    )))  # fmt: skip
    assert rows[0]["pattern"] == "all" and 0.5 < float(rows[0]["ended"]) < 0.8


def test_patterns__bad_input(capsys) -> None:
    for words, complaint in (
        (("four_pair",), "Did you mean four_pairs"), (("--hands", "1"), "two hands"),
        (("--threads", "0"), "--threads 0"),
    ):  # fmt: skip
        status, out, err = run_command(capsys, *words)
        assert status == 2 and not out and complaint in err
    with pytest.raises(InputError):
        hand_patterns(["nothing"])
