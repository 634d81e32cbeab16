"""Conditions on the deal for the kernels: every way to meet one, with its number of deals."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...kernels.series import condition_series
from ...kernels.tiengow.given import Given, make_alias
from ..errors import InputError
from .canonical import canonical
from .exact import SEATS, TILES, WIDEST, Counting, DealCounts, TooWideError, distributions
from .questions import Question
from .rules import RuleSet


@dataclass(frozen=True)
class Condition:
    """A condition that can be dealt directly.

    Attributes
    ----------
    given : Given
        For the kernels.
    deals : int
        Deals that meet it, of 32! / (8!)^4.
    """

    given: Given
    deals: int


def deal_condition(question: Question, rules: RuleSet) -> Condition:
    """Prepare a condition on the deal for dealing.

    Its random keys have a series of its own, the same under all rules and however it is written: runs
    with one condition meet the same deals where the rules do not change what it means.

    Raises
    ------
    TooWideError
        If there are too many ways to meet it.
    InputError
        If no deal meets it.

    Examples
    --------
    >>> from gupai.analysis import RuleSet, parse_question
    >>> deal_condition(parse_question("banker has AABBCCDD"), RuleSet()).given.keep.size
    1
    """
    question = canonical(question)
    counting = Counting([question], rules)
    bins = len(counting.bins)
    quotas = np.zeros((1, 0, bins), np.int8)
    used, gains = np.zeros((1, bins), np.int64), np.zeros((1, len(counting.measures)), np.int64)
    ways = np.ones(1, np.int64)
    most = np.array(list(counting.measures.values()), np.int64)
    for unit in counting.units:
        step = list(itertools.product(*(list(distributions(len(group), bins)) for group in unit)))
        if ways.size * len(step) > WIDEST:
            raise TooWideError("too many ways to meet the condition")
        numbers = np.array([[n for n, _ in choice] for choice in step], np.int8)
        gained = np.array([counting.gains(unit, [n for n, _ in choice]) for choice in step], np.int64)
        number = np.array([math.prod(w for _, w in choice) for choice in step], np.int64)
        now = (used[:, None, :] + numbers.sum(axis=1)[None, :, :]).reshape(-1, bins)
        fits = np.flatnonzero((now <= counting.capacities).all(axis=1))
        old, new = np.divmod(fits, len(step))
        used, ways = now[fits], ways[old] * number[new]
        gains = np.minimum(gains[old] + gained[new].reshape(len(new), -1), most)
        quotas = np.concatenate([quotas[old], numbers[new]], axis=1)
    deals = ways * counting.ways_of_the_rest(used)
    values = {measure: gains[:, n] for n, measure in enumerate(counting.measures)}
    meets = DealCounts(counting, values, deals).truth(question) & (deals > 0)
    total = int(deals[meets].sum())
    if total == 0:
        raise InputError("no deal meets the condition")
    rest = np.array(counting.capacities) - used
    everything = np.concatenate([quotas, rest[:, None, :].astype(np.int8)], axis=1)[meets]
    given = _for_kernels(counting, everything, deals[meets], condition_series(repr(question)))
    return Condition(given, total)


def fixed_hand(tiles: int, seat: int) -> Given:
    """The condition that a seat (0 the banker) holds exactly these eight tiles (bits).

    All that is played with one hand in one seat, such as each of its leads, meets the same deals;
    other hands and other seats meet others.

    Examples
    --------
    >>> fixed_hand(0xFF, 2).seats.tolist()
    [2, 0, 1, 3]
    """
    held = [bit for bit in range(TILES) if tiles >> bit & 1]
    order = held + [bit for bit in range(TILES) if not tiles >> bit & 1]
    return Given(
        np.full(2, sum((128 + 8) << 8 * byte for byte in range(4)), np.uint32),
        np.full(1, 2**64 - 1, np.uint64),
        np.zeros(1, np.int64),
        np.array(order, np.int64),
        np.array([0] * 8 + [1] * 24, np.int64),
        np.array([seat, *(other for other in range(4) if other != seat)], np.int64),
        1,
        8,
        condition_series(f"seat {seat} holds {tiles:08x}"),
    )


def _for_kernels(
    counting: Counting, quotas: NDArray[np.int8], deals: NDArray[np.int64], series: int
) -> Given:
    rows, _, bins = quotas.shape
    borders = np.cumsum(quotas, axis=2)
    four = np.repeat(borders[:, :, -1:], 4, axis=2)
    four[:, :, : min(bins, 4)] = borders[:, :, :4]
    packed = np.zeros(four.shape[:2], np.uint32)
    for byte in range(4):
        packed |= (four[:, :, byte].astype(np.uint32) + 128) << np.uint32(8 * byte)
    groups = [*itertools.chain.from_iterable(counting.units)]
    mentioned = {bit for group in groups for bit in group}
    groups.append(tuple(bit for bit in range(TILES) if bit not in mentioned))
    smallest_first = sorted(range(len(groups)), key=lambda number: len(groups[number]))
    groups = [groups[number] for number in smallest_first]
    packed = packed[:, smallest_first]
    keep, other = np.zeros(rows, np.uint64), np.zeros(rows, np.int64)
    make_alias(deals * (rows / float(deals.sum())), keep, other)
    named = sum(len(seats) == 1 for seats in counting.bins)
    return Given(
        np.ascontiguousarray(packed).ravel(),
        keep,
        other,
        np.array([bit for group in groups for bit in group], np.int64),
        np.array([number for number, group in enumerate(groups) for _ in group], np.int64),
        np.array([SEATS.index(seat) for seats in counting.bins for seat in seats], np.int64),
        named,
        TILES - len(groups[-1]),
        series,
    )
