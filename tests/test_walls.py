"""Patterns and washes compared with the perfect shuffle."""

from __future__ import annotations

import csv
import io
import json
import math
import shlex
from fractions import Fraction
from itertools import combinations

import pytest

from gupai.analysis import DEALS, InputError, RuleSet, Run, compare_walls, dice_chances, odds
from gupai.analysis.tiengow.walls import exact_values
from gupai.reports.cli import main

import reference


def test_dice_chances__of_the_rules_page() -> None:
    """The section "Dice": sums mod 4, counted from the seat across; the banker 10/36."""
    assert dice_chances() == {
        "banker": Fraction(10, 36), "right": Fraction(9, 36), "across": Fraction(8, 36),
        "left": Fraction(9, 36),
    }  # fmt: skip
    assert sum(dice_chances(roller=0).values()) == 1


def test_exact_values__by_counting() -> None:
    """Pairs and supreme from all pairs of tiles; fours by the exact engine's chances."""
    values = exact_values(RuleSet())
    together = Fraction(8 * 7, 32 * 31)
    twins = sum(one[0] == other[0] for one, other in combinations(reference.TILES, 2))
    assert values["pairs"] == twins * together
    fours = sum(k * odds(f"fours(banker) = {k}").fraction for k in (1, 2))
    assert values["fours"] == fours
    assert values["supreme"] == odds("supreme(banker) = 1").fraction
    rules = RuleSet(supreme_civil="on")
    both = sum(
        k * odds(f"supreme(banker) = {k}", run=Run(policies=("greedy",) * 4, rules=rules)).fraction
        for k in (1, 2)
    )
    assert exact_values(rules)["supreme"] == both


def test_walls__perfect_shuffles_agree() -> None:
    """Ten patterns, six quantities; the comparison's own false alarm rate, 5 %, at a fixed seed."""
    walls = compare_walls(shuffles=["perfect"], policies=("greedy",) * 4, hands=30_000, seed=2)
    assert all(not walls.told_apart(deal, "perfect") for deal in DEALS)
    assert walls.tests == 60 and "no pattern can be told" in walls.sentence()


def test_walls__false_alarms_are_as_rare_as_stated() -> None:
    """P-values of the exact quantities over many seeds are uniform: share below 0.05, binomial test."""
    from scipy import stats

    below = total = 0
    for seed in range(60):
        walls = compare_walls(["ends_in"], ["perfect"], policies=("greedy",) * 4, hands=6000, seed=seed)
        for look in walls.looks["ends_in", "perfect"].values():
            below, total = below + (look.p_value < 0.05), total + 1
    assert total == 240  # four quantities have exact values
    assert stats.binomtest(below, total, 0.05).pvalue > 1e-3


def test_walls__a_bad_wash_shows_and_a_good_one_does_not() -> None:
    walls = compare_walls(["pairs_of_columns", "top_layers"], ["wash:0", "wash:1", "wash:10000"],
                          policies=("greedy",) * 4, hands=40_000)  # fmt: skip
    for deal in walls.deals:
        assert "pairs" in walls.told_apart(deal, "wash:0")
        assert walls.told_apart(deal, "wash:10000") == []
        assert walls.enough(deal) == "wash:10000"
    assert "From wash:10000 on" in walls.sentence()
    # Stacks lie together, so columns give pairs; layers cut across the stacks.
    pairs = {deal: walls.looks[deal, "wash:0"]["pairs"].value.mean for deal in walls.deals}
    exact = float(exact_values(RuleSet())["pairs"])
    assert pairs["top_layers"] < exact < pairs["pairs_of_columns"]


def test_walls__correlation_without_a_wash() -> None:
    """The correlation is that of two indicators with mean 1/4 each."""
    walls = compare_walls(["top_layers"], ["wash:0"], policies=("greedy",) * 4, hands=20_000)
    value, low, high = walls.correlation("top_layers", "wash:0")
    mean = walls.looks["top_layers", "wash:0"]["same tiles"].value.mean
    assert value == pytest.approx((mean / 8 - 1 / 16 * 4) / (1 / 4 * 3 / 4) / 4)
    assert low < value < high


def test_walls__same_for_any_threads() -> None:
    one, other = (
        compare_walls(
            ["three_lions"], ["wash:0.7"], policies=("greedy",) * 4, hands=20_000, threads=n
        ).to_json()
        for n in (1, 3)
    )
    assert one == other


def run_command(capsys, *words: str) -> tuple[int, str, str]:
    status = main(["deals", *words])
    out, err = capsys.readouterr()
    return status, out, err


def test_deals__output_and_its_command(capsys) -> None:
    words = ("--deal", "ends_in", "--shuffle", "wash:0", "--shuffle", "wash:50", "--hands", "5000")
    status, out, _ = run_command(capsys, *words, "--format", "json")
    result = json.loads(out)
    assert status == 0 and result["enough"] == "wash:50" and len(result["cells"]) == 3
    assert result["dice"]["banker"] == "5/18"
    again = shlex.split(result["command"])[2:]
    assert json.loads(run_command(capsys, *again, "--format", "json")[1]) == result
    text = run_command(capsys, *words)[1]
    for wanted in ("perfect shuffle, exact", "wash:50", "From wash:50 on", "10/36", "*"):
        assert wanted in text
    rows = list(csv.DictReader(io.StringIO(run_command(capsys, *words, "--format", "csv")[1])))
    assert {row["quantity"] for row in rows} >= {"fours", "pairs", "correlation"}
    assert all(math.isfinite(float(row["mean"])) for row in rows)


@pytest.mark.parametrize(
    "words, complaint",
    [
        (("--deal", "top_layer"), "Did you mean top_layers"),
        (("--shuffle", "wash:x"), "the strength must be"),
        (("--hands", "1"), "--hands 1"),
        (("--hands", "500"), "too few to judge by"),
        (("--session-hands", "1"), "--session-hands 1"),
        (("--policy", "nobody"), "nobody"),
        (("--seed", "-3"), "--seed -3"),
    ],
)
def test_deals__bad_input(capsys, words: tuple[str, ...], complaint: str) -> None:
    status, out, err = run_command(capsys, *words)
    assert status == 2 and not out and complaint in err and "Traceback" not in err


def test_compare_walls__refuses_other_shuffles() -> None:
    with pytest.raises(InputError, match="--shuffle"):
        compare_walls(["top_layers"], ["riffle"], hands=5000)
