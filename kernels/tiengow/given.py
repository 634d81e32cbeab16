"""Dealing under a condition: never a deal thrown away.

A condition divides the tiles into groups of tiles that it treats alike, and the seats into bins: the
seats that it names, then the others together.  A *row* says how many tiles of each group each bin
receives; all rows that meet the condition stand in a table, each with the number of deals that it
stands for.  A deal draws a row by that number, lets the tiles of each group take the places that
the row grants, and shares the last bin's tiles among its seats.  Once all groups but the largest
are dealt, the places that the seats have left are the largest group's: its tiles take them freely.

Places are counted as in ``deal.py``: a word holds four borders a byte each, one a bin or a seat.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import helper, kernel
from ..series import RUN_HANDS
from ..streams import WALL, Key, draw
from ..word import share, word
from .deal import TILES, left_of

ROW_DRAW = 2 * TILES  # this draw and the three that follow choose a row
SEATS_FREE = 0xA0_98_90_88  # 128 + 32, 24, 16, 8: eight places a seat


class Given(NamedTuple):
    """A condition for the kernels; without rows there is none."""

    quotas: NDArray[np.uint32]  # rows × groups: borders of the bins in places of a group
    keep: NDArray[np.uint64]  # alias table: the chance to keep a row, times 2**64
    other: NDArray[np.int64]  # and the row to take in its place
    order: NDArray[np.int64]  # the tiles, group by group
    group: NDArray[np.int64]  # the group of each tile in that order
    seats: NDArray[np.int64]  # the seats of the bins in order, those of the last bin last
    named: int  # bins of one seat
    first_of_last: int  # where in that order the last group begins
    series: int  # of patterns: of the random keys


def no_condition() -> Given:
    """What stands for the absence of a condition."""
    nothing = np.zeros(0, np.int64)
    empty = np.zeros(0, np.uint32), np.zeros(0, np.uint64)
    return Given(*empty, nothing, nothing, nothing, nothing, 0, 0, RUN_HANDS)


@helper
def find_row(slot_high: int, slot_low: int, coin_high: int, coin_low: int, keep: Any, other: Any) -> Any:
    """A row from four random words, each as likely as the deals it stands for.

    Walker's alias method (1977) with a 64-bit slot and a 64-bit coin.
    """
    rows = np.uint64(keep.size)
    low = (np.uint64(slot_low) * rows) >> np.uint64(32)
    slot = np.int64((np.uint64(slot_high) * rows + low) >> np.uint64(32))
    coin = np.uint64(coin_high) << np.uint64(32) | np.uint64(coin_low)
    return slot if coin <= keep[slot] else other[slot]


class Taken(NamedTuple):
    """A place taken by a tile: 1 in the byte of each border right of it."""

    of_group: int
    of_seats: int


@helper
def take_place(key: Key, tile: int, free: int, seats_free: int, named: int) -> Taken:
    """Let a tile take one of its group's free places, and with it a place of a seat.

    One random word serves both choices: what the first leaves of it is even to one part in
    five million.
    """
    luck = draw(key, WALL, tile)
    places = free >> 24 & 127
    left = left_of(share(luck, places), free)
    if named >= 3:  # every bin is a seat
        return Taken(left, left)
    border = 8 * (named - 1)  # of the named seats
    before = seats_free >> border & 127
    place = before + share(word(luck * places), (seats_free >> 24 & 127) - before)
    of_rest = left_of(place, seats_free)
    return Taken(left, of_rest if (left >> border & 1) == 0 else left)


@kernel
def make_alias(weights: Any, keep: Any, other: Any) -> None:
    """Fill an alias table (Vose, 1991) for weights that average 1 (float64)."""
    n = weights.size
    left = weights.copy()
    small, large = np.empty(n, np.int64), np.empty(n, np.int64)
    smalls = larges = 0
    for row in range(n):
        other[row] = row
        keep[row] = np.uint64(0xFFFFFFFFFFFFFFFF)
        if left[row] < 1.0:
            small[smalls] = row
            smalls += 1
        else:
            large[larges] = row
            larges += 1
    while smalls > 0 and larges > 0:
        smalls -= 1
        less, more = small[smalls], large[larges - 1]
        keep[less] = np.uint64(left[less] * 18446744073709549568.0)
        other[less] = more
        left[more] -= 1.0 - left[less]
        if left[more] < 1.0:
            larges -= 1
            small[smalls] = more
            smalls += 1
