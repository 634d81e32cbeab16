"""What the rules allow: the range of every quantity of a hand, and of its change between two rule sets.

All outcome records that a hand can leave are listed by what the rules demand of them; bonuses, which
are paid beside the stakes, are added one event at a time.  The list holds every record that can be
played, and some that cannot, so a range is never too narrow.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.tiengow import endings
from ...kernels.tiengow.outcome import LED_63
from ...kernels.tiengow.settlement import BONUSES, COLUMNS, KAM, SETTLEMENT, WINNER, settle_all
from ..bounded import bounded_mean
from ..estimates import CONFIDENCE, Mean
from .paired import SOURCES, money_by_source, points_of, quantities, with_sum
from .request import SEATS
from .rules import RuleSet

_SIZES = {
    endings.PLAIN: (1, 2, 3), endings.LOW: (1,), endings.LOW_CIVIL: (1,), endings.SUPREME_WON: (2,),
    endings.SUPREME_CIVIL_WON: (2,), endings.FOUR: (4,), endings.LOW_CAUGHT: (1,),
    endings.LOW_CIVIL_CAUGHT: (1,), endings.SUPREME_CIVIL_CAUGHT: (2,), endings.FOUR_CAUGHT: (4,),
    endings.PATTERN_SEVEN: (0,), endings.PATTERN_EIGHT: (0,),
}  # fmt: skip
_LED_AND_WON = {
    endings.LOW, endings.LOW_CIVIL, endings.SUPREME_WON, endings.SUPREME_CIVIL_WON, endings.FOUR,
}  # fmt: skip
_SEVEN_PATTERNS = {"one_red", "seven_military", "seven_civil"}
_ALL_STACKS = [s for s in itertools.product(range(9), repeat=4) if sum(s) == 8]


class Range(NamedTuple):
    """The least and the most that something can be."""

    least: int
    most: int


class Changes(NamedTuple):
    """What may change in a hand: each quantity, points of the caught leader and of the winner, money."""

    quantities: dict[str, Range]
    caught: Range
    winner: Range
    money: dict[str, Range]  # that changes hands, by source and in all


class _Space(NamedTuple):
    """Outcome records with no event, and events to be added to a record of the same ending."""

    results: NDArray[np.uint32]
    endings: NDArray[np.int64]
    event_results: NDArray[np.uint32]
    event_honours: NDArray[np.uint32]
    event_endings: NDArray[np.int64]
    event_kinds: NDArray[np.int64]  # of each kind one at most befalls a hand


def possible_changes(a: RuleSet, b: RuleSet, *, term: int = 1, replayed: bool = False) -> Changes:
    """By how much a hand can differ between two rule sets.

    Parameters
    ----------
    a, b : RuleSet
    term : int
        The banker's term.
    replayed : bool
        Whether the hand is played anew under `b`, so that any two hands may stand side by side.

    Examples
    --------
    >>> changes = possible_changes(RuleSet(), RuleSet(kam=4))
    >>> changes.quantities["points banker"], changes.quantities["kam"]
    (Range(least=-32, most=52), Range(least=0, most=0))
    """
    if replayed:
        one, other = _ranges(a, term), _ranges(b, term)
        apart = {
            name: Range(other[name].least - one[name].most, other[name].most - one[name].least)
            for name in one
        }
        points = [apart[f"points {seat}"] for seat in SEATS]
        widest = Range(min(p.least for p in points), max(p.most for p in points))
        money = [_money(_space(rules), (rules,), term) for rules in (a, b)]
        moved = {
            name: Range(money[1][name].least - most, money[1][name].most - least)
            for name, (least, most) in money[0].items()
        }
        return Changes(apart, widest, widest, moved)
    space = _space(a)

    def settled(results: NDArray[np.uint32], honours: NDArray[np.uint32]) -> list[NDArray[np.int64]]:
        return [_settle(results, honours, rules, term) for rules in (a, b)]

    found = _found(space, settled, lambda one, other: other - one)
    return Changes(*found, _money(space, (a, b), term))


def points_range(rules: RuleSet, *, term: int = 1) -> Range:
    """The least and the most points, bonuses included, that a hand can bring to a seat.

    Examples
    --------
    >>> least, most = points_range(RuleSet())
    >>> least < -120 and most > 480
    True
    """
    found = [_ranges(rules, term)[f"points {seat}"] for seat in SEATS]
    return Range(min(each.least for each in found), max(each.most for each in found))


def mean_points(
    sums: NDArray[np.int64],
    hands: int,
    rules: RuleSet,
    *,
    term: int = 1,
    apart: bool = False,
    confidence: float = CONFIDENCE,
) -> Mean:
    """The mean points of one hand, from deals that each give the sum of several hands.

    Parameters
    ----------
    sums : array of int, one a deal
        Points of a seat, bonuses included, added over `hands` hands of the deal.
    hands : int
    rules : RuleSet
    term : int
        The banker's term.
    apart : bool
        The sums are differences between two ways of playing the same hands.
    confidence : float
        Chance that the interval covers the truth.

    Examples
    --------
    >>> estimate = mean_points(np.array([0, 8, -4, 8]), 4, RuleSet())
    >>> estimate.mean, estimate.n
    (0.75, 4)
    """
    least, most = points_range(rules, term=term)
    if apart:
        least, most = least - most, most - least
    values, counts = np.unique(sums, return_counts=True)
    found = bounded_mean(
        values, counts, least=hands * least, most=hands * most, confidence=confidence
    )  # fmt: skip
    of_one = {name: getattr(found, name) / hands for name in ("mean", "se", "sd", "low", "high")}
    return Mean(n=found.n, **of_one)


@functools.lru_cache(maxsize=64)
def _ranges(rules: RuleSet, term: int) -> dict[str, Range]:
    def settled(results: NDArray[np.uint32], honours: NDArray[np.uint32]) -> list[NDArray[np.int64]]:
        return [_settle(results, honours, rules, term)]

    return _found(_space(rules), settled, lambda one: one)[0]


def _money(space: _Space, rules: tuple[RuleSet, ...], term: int) -> dict[str, Range]:
    """The ranges of what changes hands under one rule set, or of its change from one to another."""
    nothing = np.zeros(space.results.size, np.uint32)
    keys = space.results.astype(np.uint64)
    sides = [money_by_source(keys, each, term)[:, :-1] for each in rules]
    stakes = with_sum(sides[-1] - sides[0] if len(sides) == 2 else sides[0])
    found = [Range(int(column.min()), int(column.max())) for column in stakes.T]
    # Stakes and bonuses are netted in a hand, so a bonus moves at most its own size either way.
    most = sum(_bonuses(space, (each,), term) for each in rules)
    if len(rules) == 2:
        one, other = (points_of(_settle(space.results, nothing, each, term)) for each in rules)
        if (one == other).all():
            most = _bonuses(space, rules, term)
    bonuses, total = Range(-most, most), found.pop()
    found += [bonuses, Range(total.least - most, total.most + most)]
    return dict(zip((*SOURCES, "in all"), found, strict=True))


def _bonuses(space: _Space, rules: tuple[RuleSet, ...], term: int) -> int:
    """The most points that bonuses can move in a hand under a rule set, or that they can differ by."""
    rows = [_settle(space.event_results, space.event_honours, each, term) for each in rules]
    paid = [each[:, BONUSES : BONUSES + 4] for each in rows]
    sizes = np.abs(paid[-1] - paid[0] if len(paid) == 2 else paid[0]).sum(axis=1) // 2
    return sum(int(sizes[space.event_kinds == kind].max(initial=0)) for kind in range(4))


def _settle(
    results: NDArray[np.uint32], honours: NDArray[np.uint32], rules: RuleSet, term: int
) -> NDArray[np.int64]:
    out = np.zeros((results.size, COLUMNS), np.int64)
    settle_all(results, honours, rules.switches(), term, out)
    return out


def _found(
    space: _Space,
    settled: Callable[[NDArray[np.uint32], NDArray[np.uint32]], list[NDArray[np.int64]]],
    combine: Callable[..., NDArray[np.int64]],
) -> tuple[dict[str, Range], Range, Range]:
    """The ranges of a combination of the quantities of all records, of the caught leader, the winner."""
    bare = settled(space.results, np.zeros(space.results.size, np.uint32))
    events = settled(space.event_results, space.event_honours)
    for rows in events:  # of an event its bonuses alone
        rows[:, SETTLEMENT : SETTLEMENT + 4] = 0
    found: dict[str, Range] = {}
    plain = [quantities(rows) for rows in bare]
    paid = [quantities(rows) for rows in events]
    for name in plain[0]:
        values = combine(*(each[name] for each in plain))
        bonuses = combine(*(each[name] for each in paid))
        if name.startswith("bonus"):
            found[name] = Range(int(bonuses.min(initial=0)), int(bonuses.max(initial=0)))
        elif name.startswith("points"):
            found[name] = _with_events(space, values, space.endings, bonuses[:, None])
        else:
            found[name] = Range(int(values.min()), int(values.max()))
    moved = combine(*map(points_of, bare))
    bonuses = combine(*map(points_of, events))
    kam = np.max([rows[:, KAM] for rows in bare], axis=0)
    winner = bare[0][:, WINNER]
    of_seat = [
        _with_events(space, moved[here, seat[here]], space.endings[here], bonuses)
        for seat, here in ((kam, kam >= 0), (winner, winner >= 0))
    ]
    return found, of_seat[0], of_seat[1]


def _with_events(
    space: _Space, values: NDArray[np.int64], ending: NDArray[np.int64], bonuses: NDArray[np.int64]
) -> Range:
    """The range of values with the bonuses that may befall a hand of the same ending."""
    least, most = 0, 0
    for each in np.unique(ending):
        low, high = int(values[ending == each].min()), int(values[ending == each].max())
        for kind in range(4):
            here = bonuses[(space.event_endings == each) & (space.event_kinds == kind)]
            low += int(here.min(initial=0))
            high += int(here.max(initial=0))
        least, most = min(least, low), max(most, high)
    return Range(least, most)


def _space(rules: RuleSet) -> _Space:
    return _listed(rules.supreme_civil, rules.two_stacks, rules.hand_patterns)


@functools.lru_cache(maxsize=64)
def _listed(supreme_civil: str, two_stacks: bool, patterns: tuple[str, ...]) -> _Space:
    possible = set(_SIZES) - {endings.PATTERN_SEVEN, endings.PATTERN_EIGHT}
    if supreme_civil == "off":
        possible.discard(endings.SUPREME_CIVIL_WON)
    if supreme_civil != "beaten_by_J":
        possible.discard(endings.SUPREME_CIVIL_CAUGHT)
    if _SEVEN_PATTERNS & set(patterns):
        possible.add(endings.PATTERN_SEVEN)
    if set(patterns) - _SEVEN_PATTERNS:
        possible.add(endings.PATTERN_EIGHT)
    records = [(ending, record) for ending in possible for record in _records(ending, two_stacks)]
    events = []
    for ending in possible - {endings.PATTERN_SEVEN, endings.PATTERN_EIGHT}:
        some = next(_records(ending, two_stacks))
        events += [(ending, some, *event) for event in _events(ending, supreme_civil)]
    by_ending, results = np.array(records).T
    event_endings, some_results, kinds, honours = np.array(events).T
    return _Space(
        results.astype(np.uint32), by_ending, some_results.astype(np.uint32),
        honours.astype(np.uint32), event_endings, kinds,
    )  # fmt: skip


def _records(ending: int, two_stacks: bool) -> Iterator[int]:
    """The results of hands that end so, see ``kernels/tiengow/outcome.py``."""
    caught = ending in (
        endings.LOW_CAUGHT, endings.LOW_CIVIL_CAUGHT, endings.SUPREME_CIVIL_CAUGHT, endings.FOUR_CAUGHT
    )  # fmt: skip
    for size, winner, stacks in itertools.product(_SIZES[ending], range(4), _ALL_STACKS):
        # Whoever led the last trick had won the one before.
        needed = 8 if size == 0 else size + (ending in _LED_AND_WON or (size == 1 and two_stacks))
        if stacks[winner] < needed:
            continue
        plain = winner | ending << 4 | size << 8
        plain |= stacks[1] << 11 | stacks[2] << 15 | stacks[3] << 19
        leaders = [s for s in range(4) if s != winner and stacks[s] >= 1] if caught else [0]
        swept = stacks[winner] == 8 and size > 0
        sure = (0, 2, 3) if swept and size == 1 else (0,)  # what is sure by what was shown is sure
        opened = (0, 1) if swept and winner == 0 else (0,)
        for leader, sureness, high in itertools.product(leaders, sure, opened):
            yield plain | leader << 2 | sureness << 23 | high << 25


def _events(ending: int, supreme_civil: str) -> Iterator[tuple[int, int]]:
    """What may be paid beside the stakes: the kind of an event, and its bits of the honours."""
    for leader in range(4):
        yield 0, (1 | leader << 1) << LED_63
        for taker in range(4):
            if supreme_civil == "beaten_by_J" or (supreme_civil == "on" and taker == leader):
                yield 1, (1 | leader << 1 | taker << 3) << LED_63 + 3
            for showed in range(16):
                both = 1 << leader | 1 << taker
                if showed & both == both and (taker != leader or showed == both):
                    event = 1 | leader << 1 | taker << 3 | showed << 5
                    yield 2, event
                    if ending in (endings.FOUR, endings.FOUR_CAUGHT):  # the first of two such tricks
                        yield 3, event << 9
