"""Sums over hands that were settled under two rule sets, and of the differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.tiengow.outcome import HONOUR_BITS, SETTLED_BITS
from ...kernels.tiengow.settlement import (
    BONUSES,
    COLUMNS,
    FINISH,
    FOUR_BONUSES,
    KAM,
    LAST_SIZE,
    SETTLEMENT,
    STACKS,
    SUPREME_BONUSES,
    SWEEP,
    WINNER,
    settle_all,
)
from ..phrases import phrase
from .request import SEAT_WORDS, SEATS
from .rules import RuleSet

SOURCES = (
    phrase("stacks"), "入", phrase("banker"), phrase("finish"), phrase("sweep"), "擒", phrase("bonuses"),
)  # fmt: skip
_FINISHES = (
    phrase("finish plain"), phrase("finish yao"), phrase("finish supreme"), phrase("finish four"),
)  # fmt: skip


class Sums:
    """Sums over hands of every quantity under both rule sets, and of the differences."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.hands = self.changed = 0
        # Python's integers: exact, so that the order of adding, and the threads, do not matter.
        self.a, self.b, self.aa, self.bb, self.d, self.dd = np.zeros((6, len(names)), object)
        self.largest = np.zeros(2, np.int64)
        self.money = np.zeros((2, len(SOURCES)), object)
        # By how much what changes hands differs, by source and in all; hands alike left out.
        self.money_moved: list[Counter[int]] = [Counter() for _ in (*SOURCES, "in all")]
        # By how much the points of each seat differ, and in how many hands; hands alike left out.
        self.moved: list[Counter[int]] = [Counter() for _ in SEATS]
        # The same of the caught leader, and of the hand's winner.
        self.events: list[Counter[int]] = [Counter(), Counter()]

    def add(
        self,
        a: NDArray[np.int64],
        b: NDArray[np.int64],
        counts: NDArray[np.int64],
        money: tuple[NDArray[np.int64], NDArray[np.int64]],
    ) -> None:
        """Settled rows under both rules, and how many hands each row stands for."""
        values = [np.column_stack(list(quantities(rows).values())) for rows in (a, b)]
        difference = values[1] - values[0]
        self.hands += int(counts.sum())
        self.a += _total(counts, values[0])
        self.b += _total(counts, values[1])
        self.aa += _total(counts, values[0], squared=True)
        self.bb += _total(counts, values[1], squared=True)
        self.d += _total(counts, difference)
        self.dd += _total(counts, difference, squared=True)
        points = [points_of(rows) for rows in (a, b)]
        moved = points[1] - points[0]
        changed = moved.any(axis=1)
        self.changed += int(counts[changed].sum())
        for seat, tally in enumerate(self.moved):
            _count(tally, moved[changed, seat], counts[changed])
        kam = np.maximum(a[:, KAM], b[:, KAM])
        for tally, seats in zip(self.events, (kam, a[:, WINNER]), strict=True):
            here = np.flatnonzero(changed & (seats >= 0))
            _count(tally, moved[here, seats[here]], counts[here])
        self.largest = np.maximum(self.largest, [int(p.max(initial=0)) for p in points])
        self.money += np.array([_total(counts, part) for part in money])
        apart = with_sum(money[1] - money[0])
        differs = apart.any(axis=1)
        for number, tally in enumerate(self.money_moved):
            _count(tally, apart[differs, number], counts[differs])

    def moved_by(self, number: int) -> Counter[int]:
        """By how much a quantity differs, and in how many hands; hands alike left out."""
        if number < len(self.moved):
            return self.moved[number]
        up = (self.dd[number] + self.d[number]) // 2  # what is no points is 0 or 1
        return Counter({1: up, -1: self.dd[number] - up})

    def merge(self, other: Sums) -> None:
        """Add the sums of other hands."""
        for name in ("hands", "changed", "a", "b", "aa", "bb", "d", "dd", "money"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        pairs = ((self.moved, other.moved), (self.events, other.events),
                 (self.money_moved, other.money_moved))  # fmt: skip
        for mine, theirs in (pair for both in pairs for pair in zip(*both, strict=True)):
            mine.update(theirs)
        self.largest = np.maximum(self.largest, other.largest)


def _count(tally: Counter[int], moved: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
    """Count by how much each hand differs, where it does."""
    values, place = np.unique(moved, return_inverse=True)
    hands = np.zeros(values.size, np.int64)
    np.add.at(hands, place.ravel(), counts)
    tally.update({v: n for v, n in zip(values.tolist(), hands.tolist(), strict=True) if v != 0})


def _total(
    counts: NDArray[np.int64], values: NDArray[np.int64], *, squared: bool = False
) -> NDArray[np.object_]:
    """Exact sums of the columns (or of their squares), each row as often as it is counted."""
    most = int(np.abs(values).max(initial=0)) ** (2 if squared else 1)
    if most * int(counts.sum()) >= 2**62:  # beyond 64 bits: slower, still exact
        counts, values = counts.astype(object), values.astype(object)
    total: NDArray[np.object_] = (counts @ (values**2 if squared else values)).astype(object)
    return total


def with_sum(parts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The parts of each row and, as a last column, their sum."""
    return np.column_stack([parts, parts.sum(axis=1)])


def points_of(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Points with bonuses of the four seats, one row a settled hand."""
    return rows[:, SETTLEMENT : SETTLEMENT + 4] + rows[:, BONUSES : BONUSES + 4]


def quantities(rows: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    """What is compared, one number a settled hand: points of each seat, then what happened."""
    found: dict[str, NDArray[Any]] = {
        f"points {seat}": points for seat, points in zip(SEATS, points_of(rows).T, strict=True)
    }
    seats = list(enumerate(SEAT_WORDS.values()))
    found |= {phrase("winner {seat}", seat=seat): rows[:, WINNER] == n for n, seat in seats}
    found |= {name: rows[:, FINISH] == n for n, name in enumerate(_FINISHES)}
    found |= {phrase("sweep seven"): rows[:, SWEEP] == 1, phrase("sweep eight"): rows[:, SWEEP] == 2}
    found |= {phrase("sweep any"): rows[:, SWEEP] != 0}
    found |= {phrase("kam"): rows[:, KAM] >= 0}
    found |= {phrase("bonus supreme"): rows[:, SUPREME_BONUSES] > 0}
    found |= {phrase("bonus four"): rows[:, FOUR_BONUSES] > 0}
    found |= {phrase("no stack {seat}", seat=seat): rows[:, STACKS + n] == 0 for n, seat in seats}
    found |= {phrase("last size {n}", n=n): rows[:, LAST_SIZE] == n for n in range(1, 5)}
    return {name: values.astype(np.int64) for name, values in found.items()}


def settled(keys: NDArray[np.uint64], rules: RuleSet, term: int) -> NDArray[np.int64]:
    """Outcome records (result below, honours above) settled, one row of columns each."""
    low = (keys & np.uint64(2**32 - 1)).astype(np.uint32) & np.uint32(SETTLED_BITS)
    high = (keys >> np.uint64(32)).astype(np.uint32) & np.uint32(2**HONOUR_BITS - 1)
    rows = np.zeros((keys.size, COLUMNS), np.int64)
    settle_all(low, high, rules.switches(), term, rows)
    return rows


def money_by_source(keys: NDArray[np.uint64], rules: RuleSet, term: int) -> NDArray[np.int64]:
    """Points that change hands in each record by `SOURCES`, which add up to all of them.

    The settlement is built up: stacks alone, then the banker's multiplier, the finish, the sweep,
    擒 and the bonuses; each source is what it adds.  What seats with five stacks and more collect
    (入), without multipliers, is told apart from the stacks.

    Examples
    --------
    >>> from gupai.analysis import Run, RuleSet, simulate
    >>> tally = simulate(Run(hands=500))
    >>> parts = money_by_source(tally.keys, RuleSet(), 1)
    >>> parts.shape[1] == len(SOURCES)
    True
    """
    bare = {
        "banker": "off", "yao": 1, "supreme_finish": 1, "four_finish": 1, "seven": 1, "eight": 1,
        "kam": 1, "supreme_bonus": 0, "four_bonus": 0,
    }  # fmt: skip
    steps: list[Sequence[str]] = [
        (), ("banker",), ("yao", "supreme_finish", "four_finish"), ("seven", "eight"), ("kam",),
        ("supreme_bonus", "four_bonus"),
    ]  # fmt: skip
    moved = []
    for step in steps:
        for name in step:
            bare.pop(name)
        rows = settled(keys, rules.model_copy(update=bare), term)
        points = points_of(rows)
        moved.append(np.abs(points).sum(axis=1) // 2)
        if not step:
            seats = np.arange(4)
            stacks = rows[:, STACKS : STACKS + 4]
            loses = seats != rows[:, WINNER, None]
            excess = (np.maximum(stacks - 4, 0) * loses).sum(axis=1)
    # The winner collects from some and pays others: what is paid as 入 is a part of its own.
    added = np.diff(np.column_stack(moved), axis=1)
    stacks_alone = moved[0] - excess
    return np.column_stack([stacks_alone, excess, added])
