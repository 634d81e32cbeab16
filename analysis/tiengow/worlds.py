"""All deals that agree with what a seat has seen, where they are few."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...kernels.tiengow.search import WORLD, tiles_down_now
from ...kernels.tiengow.state import DOWN, HAND, TILES_OF, UNSEEN, UP
from .position import Position

EXACT_BELOW = 20_000  # worlds that are played out all


def every_world(position: Position) -> NDArray[np.int64] | None:
    """All worlds of a position, or None where there are too many (20,000 and more).

    Which of the tiles face down lies where changes nothing that is played or paid, so only the
    hands are told apart; rules that look at the tiles of the last trick (``sure_single`` =
    ``actual``) or at dealt patterns are left to sampling.

    Examples
    --------
    >>> from gupai.analysis import read_position
    >>> hands = ["AA99BK63", None, None, None]
    >>> every_world(read_position({"banker": 0, "hands": hands, "tricks": []})) is None
    True
    """
    rules = position.rules
    if rules.sure_single == "actual" or rules.hand_patterns:
        return None
    view, state = position.view(), position.state
    me = (position.seat - position.banker) % 4
    unseen = [bit for bit in range(32) if view[UNSEEN] >> bit & 1]
    others = [(me + place) % 4 for place in (1, 2, 3)]
    sizes = [view[TILES_OF + place] for place in (1, 2, 3)]
    number, left = 1, len(unseen)
    for size in sizes:
        number *= math.comb(left, size)
        left -= size
    if number >= EXACT_BELOW:
        return None
    down = {seat: 8 - sizes[n] - state[UP + seat].bit_count() for n, seat in enumerate(others)}
    rows = []
    for hands in _deals(unseen, sizes):
        row = [0] * WORLD
        row[me], row[4 + me] = view[HAND], state[DOWN + me]
        for seat, hand in zip(others, hands, strict=True):
            row[seat] = hand
        rest = [bit for bit in unseen if not sum(hands) >> bit & 1]
        for seat in others:
            taken, rest = rest[: down[seat]], rest[down[seat] :]
            row[4 + seat] = sum(1 << bit for bit in taken)
            open_ones = tiles_down_now(state, seat)
            row[8 + seat] = sum(1 << bit for bit in taken[:open_ones])
        rows.append(row)
    return np.array(rows, np.int64)


def _deals(tiles: list[int], sizes: list[int]) -> Iterator[tuple[int, ...]]:
    """All ways to deal hands of these sizes, as tile bits."""
    if not sizes:
        yield ()
        return
    for chosen in itertools.combinations(tiles, sizes[0]):
        rest = [bit for bit in tiles if bit not in chosen]
        for others in _deals(rest, sizes[1:]):
            yield (sum(1 << bit for bit in chosen), *others)
