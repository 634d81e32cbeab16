"""Washing: a wall that is built from the tiles as the last hand left them.

Tile i of the order in which they lie gets the key i + 32·S·u, with u uniform on [0, 1); the wall is
filled in the order of the keys.  Keys are kept in 64 bits together with their tile: i and the
binary digits of 32·S·u, of which ten stand behind the point of S.

Source: the section "Washing" of the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import helper, routine
from ..keys import hand_key
from ..streams import WALL, draw
from ..word import count, integer, position, word
from .deal import BLOCKS, TILES, Taking, throw_dice
from .lane_deals import seat_takers
from .lane_fields import DEALT, KEY_HIGH, KEY_LOW, LANES, TAKEN, load_key
from .tiles import CLASSES, FIRST_BIT, SINGLE_TILES

_TRICKS = 8
# A trick that was played: the four plays in the order of play, and the seat that took it.
PLAY, TOOK = 0, 4
TRICK_FIELDS = 5
PERFECT = -1  # in place of a strength
_DIGITS = 10  # binary digits of the strength behind the point
LARGEST_STRENGTH = 10_000
_TILE_BITS = 5

# Code order: A A B B … K K 9 9 8 8 7 7 6 5 5 3.
_BITS_BY_CODE = np.array(
    [FIRST_BIT[code] + copy for code in CLASSES for copy in range(1 if code in SINGLE_TILES else 2)]
)
_CODE_OF_BIT = np.argsort(_BITS_BY_CODE)


def wash_factor(strength: float) -> int:
    """The strength S of a wash for the kernels: 32·S in units of 1/1024.

    Examples
    --------
    >>> wash_factor(0.5)
    16384
    """
    return round(TILES * strength * (1 << _DIGITS))


def new_plays() -> NDArray[np.uint32]:
    """Room for the tricks of one batch of hands."""
    return np.zeros(_TRICKS * TRICK_FIELDS * LANES, np.uint32)


def new_order() -> NDArray[np.uint64]:
    """Room for the tiles of one batch, in the order in which they lie."""
    return np.zeros((TILES, LANES), np.uint64)


@helper
def trick_place(number: int, field: int, lane: int) -> int:
    """Where a field of a trick stands in an array of `new_plays`."""
    return (number * TRICK_FIELDS + field) * LANES + lane


@routine
def _in_code_order(tiles: int) -> int:
    """The bit numbers of one to four tiles in code order, a byte each from the lowest."""
    codes, found = word(0), word(0)
    for _ in range(integer(count(tiles))):
        codes |= word(1) << word(_CODE_OF_BIT[integer(position(tiles))])
        tiles &= tiles - 1
    for number in range(integer(count(codes))):
        found |= word(_BITS_BY_CODE[integer(position(codes))]) << word(8 * number)
        codes &= codes - 1
    return found


@helper
def _put(tiles: int, size: int, place: int, lane: int, order: Any) -> None:
    """Lay down the one to four tiles of a play in code order from a place on."""
    bits = position(tiles) if size == 1 else _in_code_order(tiles)
    for number in range(size):
        order[place + number, lane] = integer(bits >> word(8 * number) & 255)


@routine
def lay_down(lanes: Any, plays: Any, bankers: Any, order: Any) -> None:
    """The tiles of each lane in the order in which its hand left them.

    `bankers` are the absolute seats of the hands' bankers.  The stacks of seat 0 come first, each
    seat's in the order won; where a pattern ended the hand, the dealt hands of the seats.
    """
    for lane in range(LANES):
        banker, laid = bankers[lane], word(0)
        if plays[trick_place(0, PLAY, lane)] == 0:
            for seat in range(4):
                dealt = word(lanes[(DEALT + (seat - banker & 3)) * LANES + lane])
                for code in range(TILES):  # in code order
                    bit = _BITS_BY_CODE[code]
                    if (dealt >> word(bit) & 1) != 0:
                        order[8 * seat + integer(count(laid & dealt)), lane] = bit
                        laid |= word(1) << word(bit)
            continue
        stacks = word(0)  # of the absolute seats, a byte each
        for number in range(_TRICKS):
            size = count(word(plays[trick_place(number, PLAY, lane)]))
            seat = banker + integer(word(plays[trick_place(number, TOOK, lane)])) & 3
            stacks += size << word(8 * seat)
        before = (stacks << 8) + (stacks << 16) + (stacks << 24)
        for number in range(_TRICKS):
            size = integer(count(word(plays[trick_place(number, PLAY, lane)])))
            byte = word(8 * (banker + integer(word(plays[trick_place(number, TOOK, lane)])) & 3))
            place = 4 * integer(before >> byte & 255)
            for turn in range(4 if size != 0 else 0):
                tiles = word(plays[trick_place(number, PLAY + turn, lane)])
                _put(tiles, size, place + turn * size, lane, order)
            before += word(size) << byte


@routine
def deal_washed(
    lanes: Any, order: Any, factor: int, seed: Any, start: int, step: int, taking: Taking
) -> None:
    """Wash the tiles of each lane, build its wall and deal; `order` becomes the wall's order."""
    for lane in range(LANES):
        key = hand_key(seed, taking.series, start + lane * step)
        lanes[KEY_LOW * LANES + lane] = key.low
        lanes[KEY_HIGH * LANES + lane] = key.high
    for place in range(TILES):
        for lane in range(LANES):
            luck = np.uint64(integer(draw(load_key(lanes, lane), WALL, place)))
            moved = np.uint64(factor) * luck >> np.uint64(_DIGITS)
            value = (np.uint64(place) << np.uint64(32)) + moved
            tile = order[place, lane]
            order[place, lane] = value << np.uint64(_TILE_BITS) | tile
    _sort_lanes(order)

    for taker in range(4):
        for lane in range(LANES):
            lanes[(TAKEN + taker) * LANES + lane] = 0
    for place in range(TILES):
        column, layer = place >> 2, place & 3
        block = 2 * layer + (column >> 2) if taking.layered != 0 else column
        for lane in range(LANES):
            from_right = throw_dice(load_key(lanes, lane), taking.either_end).from_right
            counted = BLOCKS - 1 - block if from_right else block
            taker = word(taking.takers) >> 2 * word(counted) & 3
            tile = word(1) << (word(order[place, lane]) & word(TILES - 1))
            for number in range(4):
                lanes[(TAKEN + number) * LANES + lane] |= tile if taker == number else word(0)
    seat_takers(lanes, taking)


@routine
def _sort_two(low: Any, high: Any) -> None:
    """Put the smaller key of each lane into `low`, the larger into `high`."""
    for lane in range(LANES):
        one, other = low[lane], high[lane]
        low[lane] = one if one < other else other
        high[lane] = other if one < other else one


@helper
def _sort_lanes(order: Any) -> None:
    """Sort the 32 keys of each lane, by Batcher's odd-even merge sort (1968)."""
    merged = 1
    while merged < TILES:
        apart = merged
        while apart >= 1:
            for start in range(apart % merged, TILES - apart, 2 * apart):
                for low in range(start, min(start + apart, TILES - apart)):
                    high = low + apart
                    if low // (2 * merged) == high // (2 * merged):
                        _sort_two(order[low], order[high])
            apart >>= 1
        merged <<= 1
