"""What a hand may bring, and differ by, under two rule sets."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gupai.analysis import PRESETS, RuleSet, Run
from gupai.analysis.tiengow.extremes import points_range, possible_changes
from gupai.analysis.tiengow.house_rules import USUAL, variants
from gupai.analysis.tiengow.paired import money_by_source, points_of, quantities, settled, with_sum
from gupai.analysis.tiengow.simulate import simulate

from bridge import random_rules


@pytest.fixture(scope="module")
def played():
    """Outcome records of hands played at random under each preset."""
    return {
        name: simulate(Run(rules=preset.rules, policies=("random",) * 4, hands=100_000)).keys
        for name, preset in PRESETS.items()
    }


def inside(rows_a, rows_b, keys, a, b, term) -> None:
    possible = possible_changes(a, b, term=term)
    one, other = quantities(rows_a), quantities(rows_b)
    for name, (least, most) in possible.quantities.items():
        moved = other[name] - one[name]
        assert least <= moved.min() and moved.max() <= most, name
    money = with_sum(money_by_source(keys, b, term) - money_by_source(keys, a, term))
    for (name, (least, most)), moved in zip(possible.money.items(), money.T, strict=True):
        assert least <= moved.min() and moved.max() <= most, name


@pytest.mark.parametrize("preset", PRESETS)
def test_possible_changes__hold_every_change_of_hands_played(preset: str, played) -> None:
    """Every switch that does not change play, and random ones together, in terms 1 and 3."""
    keys = played[preset]
    base = PRESETS[preset].rules
    dice = random.Random(preset)
    others = [other for switch in USUAL for other in variants(base, switch)]
    fixed = ("supreme_civil", "two_stacks", "hand_patterns", "heaven_red")
    same = {name: getattr(base, name) for name in fixed}
    others = [o for o in others if all(getattr(o, n) == v for n, v in same.items())]
    others += [random_rules(dice).model_copy(update=same) for _ in range(20)]
    for number, other in enumerate(others):
        term = 1 + 2 * (number % 2)
        rows = [settled(keys, rules, term) for rules in (base, other)]
        inside(*rows, keys, base, other, term)
        least, most = points_range(other, term=term)
        points = points_of(rows[1])
        assert least <= points.min() and points.max() <= most


def test_possible_changes__of_hands_played_anew(played) -> None:
    """Any two hands may stand side by side."""
    a, b = RuleSet(), RuleSet(two_stacks=False)
    possible = possible_changes(a, b, replayed=True).quantities
    keys = played["tiengow-ja"]
    values = [quantities(settled(keys, rules, 1)) for rules in (a, b)]
    for name, (least, most) in possible.items():
        assert least <= values[1][name].min() - values[0][name].max(), name
        assert values[1][name].max() - values[0][name].min() <= most, name
    assert possible["sweep seven"] == (-1, 0)  # without the two-stack rule every sweep is an 八支


@pytest.mark.parametrize(
    ("changes", "differ"),
    [
        ({"kam": 4}, {"points"}),
        ({"kam": 1}, {"points", "kam"}),
        ({"empty": 4}, {"points"}),
        ({"last_low_civil": True}, {"points", "kam", "finish plain", "finish yao"}),
        ({"supreme_bonus": 0}, {"points", "bonus supreme"}),
        ({"four_bonus": 8}, {"points"}),
        ({"four_bonus_to": "winning_leader"}, {"points", "bonus four"}),
        ({"opening_ban": "no_sweep"}, {"points", "sweep seven", "sweep eight", "sweep any"}),
        ({"sure_single": "actual"}, {"points", "sweep seven", "sweep eight"}),
        ({"kam_supreme_civil": True}, set()),  # without effect unless KK can be beaten
        ({"capture_bonus": True}, set()),
        ({"heaven_red": 0}, set()),
        ({"first_banker_leads": False}, set()),
    ],
)  # fmt: skip
def test_possible_changes__name_what_can_differ_and_nothing_else(changes, differ) -> None:
    """Section "Switches" of the rules: what each bears on."""
    found = possible_changes(RuleSet(), RuleSet(**changes)).quantities
    names = {name for name, (least, most) in found.items() if least != 0 or most != 0}
    points = {name for name in found if name.startswith("points")}
    assert points <= names or not points & names
    assert {"points" if name in points else name for name in names} == differ


def test_possible_changes__are_reached(played) -> None:
    """The range of a usual switch is what random hands show, not a guess beyond it."""
    keys = simulate(Run(policies=("random",) * 4, hands=1_000_000)).keys
    for changes in ({"kam": 1}, {"excess": "plain"}, {"supreme_bonus": 4}, {"seven": 4}):
        rules = RuleSet(), RuleSet(**changes)
        one, other = (points_of(settled(keys, each, 1))[:, 0] for each in rules)
        moved = other - one
        assert possible_changes(*rules).quantities["points banker"] == (moved.min(), moved.max())


def test_points_range__grows_with_the_term() -> None:
    assert points_range(RuleSet(), term=3).most > points_range(RuleSet()).most
    assert np.array(points_range(RuleSet(banker="off"))).tolist() == list(
        points_range(RuleSet(banker="off"), term=9)
    )
