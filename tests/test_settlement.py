"""Settlement: worked examples, extremes, and properties ("Settlement", "Switches")."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gupai.analysis import RuleSet
from gupai.kernels.tiengow import endings
from gupai.kernels.tiengow.settlement import BONUSES, COLUMNS, SETTLEMENT, STACKS, SWEEP, settle

from bridge import random_rules


def settled(rules, term=1, *, winner=0, stacks=(8, 0, 0, 0), ending=endings.PLAIN, size=1,
            caught=0, sure=0, opened=0, honours=0):  # fmt: skip
    result = winner | caught << 2 | ending << 4 | size << 8 | sure << 23 | opened << 25
    for seat in (1, 2, 3):
        result |= stacks[seat] << (7 + 4 * seat)
    row = [0] * COLUMNS
    settle(result, honours, rules.switches(), term, row)
    assert row[STACKS : STACKS + 4] == list(stacks)
    return row


# The worked examples of the Chinese page: winner A and one loser B.  (banker is A, B or neither;
# term; B's stacks; B's points)
EXAMPLES = [
    ("neither", 1, 0, -5),
    ("neither", 1, 6, +2),
    ("neither", 1, 4, 0),
    ("B", 2, 6, +2),
    ("B", 1, 1, -6),
    ("B", 1, 0, -10),
    ("B", 2, 0, -15),
    ("A", 1, 0, -10),
    ("A", 1, 5, +2),
    ("A", 2, 0, -15),
    ("A", 3, 3, -4),
]


@pytest.mark.parametrize(("banker", "term", "stacks_of_b", "points"), EXAMPLES)
def test_settle__worked_examples(banker: str, term: int, stacks_of_b: int, points: int) -> None:
    a, b = {"neither": (1, 2), "A": (0, 2), "B": (1, 0)}[banker]
    stacks = [0] * 4
    stacks[b] = stacks_of_b
    stacks[a] = 8 - stacks_of_b if stacks_of_b else 7
    if not stacks_of_b:
        stacks[next(seat for seat in range(4) if seat not in (a, b))] = 1  # no sweep
    row = settled(RuleSet(), term, winner=a, stacks=tuple(stacks))
    assert row[SETTLEMENT + b] == points


def test_settle__yao_with_a_seven_sweep() -> None:
    """A banker in its first term that wins by 幺結 with a 七支 collects 40 from each."""
    row = settled(RuleSet(), ending=endings.LOW)
    assert row[SETTLEMENT : SETTLEMENT + 4] == [120, -40, -40, -40]


def test_settle__extreme_stakes_do_not_overflow() -> None:
    """八支 by a four from a banker in its eighth term: 5 × 4 × 4 × 9 from each; and far beyond."""
    row = settled(RuleSet(), 8, ending=endings.FOUR, size=4)
    assert row[SETTLEMENT : SETTLEMENT + 4] == [3 * 5 * 4 * 4 * 9, *[-5 * 4 * 4 * 9] * 3]
    huge = RuleSet(empty=1000, eight=1000, four_finish=1000, kam=1000)
    row = settled(huge, 1000, ending=endings.FOUR, size=4)
    assert row[SETTLEMENT + 1] == -1000 * 1000 * 1000 * 1001


def test_settle__kam_pays_for_all() -> None:
    """The caught leader pays what every loser owed, each with that loser's banker multiplier."""
    row = settled(RuleSet(kam=4), 2, winner=1, stacks=(0, 4, 1, 3), ending=endings.LOW_CAUGHT, caught=3)
    debts = 5 * 3 * 4 + 3 * 4 + 1 * 4  # the banker empty at ×3, across one stack, left three
    assert row[SETTLEMENT : SETTLEMENT + 4] == [0, debts, 0, -debts]


def test_settle__kam_of_one_is_no_kam() -> None:
    row = settled(RuleSet(kam=1), winner=1, stacks=(2, 4, 1, 1), ending=endings.LOW_CAUGHT, caught=3)
    assert row[SETTLEMENT : SETTLEMENT + 4] == [-4, 10, -3, -3]


@pytest.mark.parametrize(
    ("ban", "sure", "sweep"),
    [("off", 0, 1), ("off", 1, 2), ("no_eight", 0, 1), ("no_eight", 1, 0), ("no_sweep", 0, 0)],
)
def test_settle__opening_ban(ban: str, sure: int, sweep: int) -> None:
    row = settled(RuleSet(opening_ban=ban), sure=sure, opened=1)
    assert row[SWEEP] == sweep
    assert row[SETTLEMENT + 1] == -5 * 2 * {0: 1, 1: 2, 2: 4}[sweep]
    other = settled(RuleSet(opening_ban=ban), winner=2, stacks=(0, 0, 8, 0), sure=sure, opened=1)
    assert other[SWEEP] == 1 + sure  # the banker's sweep only


@given(st.integers(0, 2**32), st.integers(1, 1000), st.data())
def test_settle__sums_to_zero(seed: int, term: int, data: st.DataObject) -> None:
    rules = random_rules(random.Random(seed))
    winner = data.draw(st.integers(0, 3))
    stacks = [0] * 4
    for _ in range(8):
        stacks[data.draw(st.integers(0, 3))] += 1
    row = settled(
        rules,
        term,
        winner=winner,
        stacks=tuple(stacks),
        ending=data.draw(st.integers(0, 9)),
        size=data.draw(st.integers(1, 4)),
        caught=data.draw(st.integers(0, 3)),
        honours=data.draw(st.integers(0, 2**26 - 1)),
    )
    assert sum(row[SETTLEMENT : SETTLEMENT + 4]) == 0 == sum(row[BONUSES : BONUSES + 4])
