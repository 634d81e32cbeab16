"""The deal: wall, dice, and the ten ways to take tiles from the wall (牌頭).

The wall is 8 columns of 4 tiles.  Every pattern hands each seat two *blocks* of four tiles:
two columns, or the two halves of a layer.  A perfect shuffle therefore puts each tile into one
of eight blocks; inside a block the order does not matter to the deal.

Source: the section "Dice, wall, deal patterns" of the rules.
"""

from __future__ import annotations

from typing import NamedTuple

from .._jit import helper
from ..series import RUN_HANDS, SESSIONS, of_pattern
from ..streams import DICE, WALL, Key, draw
from ..word import share

TILES = 32
BLOCKS = 8


class Pattern(NamedTuple):
    """A way to take tiles from the wall.

    blocks : the two blocks (0-7) of the first, second, third and fourth taker.
    either_end : whether the blocks are counted from the left or the right end by chance.
    layered : whether the blocks are halves of layers, not columns.
    """

    name: str
    chinese: str
    blocks: tuple[tuple[int, int], ...]
    either_end: bool
    meaning: str
    layered: bool = False


def _columns(*takers: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    return tuple((left - 1, right - 1) for left, right in takers)


_LAYERS = ((0, 1), (2, 3), (4, 5), (6, 7))
PATTERNS = (
    Pattern("pairs_of_columns", "端から2列", _columns((1, 2), (3, 4), (5, 6), (7, 8)), True,
            "two columns at a time from the end nearer to the dice"),
    Pattern("top_layers", "上から・大片", _LAYERS, False, "one layer each, from the top", True),
    Pattern("bottom_layers", "下から", _LAYERS[::-1], False, "one layer each, from the bottom", True),
    Pattern("single_columns", "一棟棟", _columns((1, 5), (2, 6), (3, 7), (4, 8)), True,
            "one column at a time, twice round"),
    Pattern("alternate_columns", "間棟", _columns((1, 3), (2, 4), (5, 7), (6, 8)), True,
            "every other column"),
    Pattern("centre_out", "中掘・挖心", _columns((4, 5), (3, 6), (2, 7), (1, 8)), False,
            "from the middle outwards"),
    Pattern("ends_in", "切耳", _columns((1, 8), (2, 7), (3, 6), (4, 5)), False,
            "from both ends inwards"),
    Pattern("dragon_phoenix", "龍頭鳳尾", _columns((1, 7), (2, 8), (3, 4), (5, 6)), False,
            "columns 7 8 are put on 1 2"),
    Pattern("flying_wings", "雙翼齊飛", _columns((2, 3), (4, 1), (5, 8), (6, 7)), False,
            "columns 1 8 are put on 4 5"),
    Pattern("three_lions", "舞三獅", _columns((1, 6), (3, 7), (5, 8), (2, 4)), False,
            "columns 6 7 8 are put on 1 3 5"),
)  # fmt: skip


class Taking(NamedTuple):
    """A pattern as the kernels read it."""

    series: int  # of the random key
    takers: int  # two bits a block: its taker, 0-3
    either_end: int  # 1: the blocks are counted from the left or the right end by chance
    layered: int  # 1: blocks are halves of layers, 0: columns


def taking(pattern: int, series: int = RUN_HANDS) -> Taking:
    """Pattern number `pattern` of `PATTERNS` for the kernels, with keys of a series of patterns.

    Examples
    --------
    >>> f"{taking(1).takers:016b}"
    '1111101001010000'
    """
    blocks = PATTERNS[pattern].blocks
    takers = sum(taker << 2 * block for taker in range(4) for block in blocks[taker])
    way = PATTERNS[pattern]
    return Taking(of_pattern(series, pattern), takers, int(way.either_end), int(way.layered))


def taking_in_sessions(pattern: int) -> Taking:
    """The same for the hands of sessions, which share nothing with single hands."""
    return taking(pattern, SESSIONS)


@helper
def place_on_wall(place: int, layered: int) -> int:
    """Where the place that stands at `place` in the order of the blocks is on the wall.

    The wall is numbered column by column, top to bottom; blocks of a layered pattern are
    counted layer by layer, left to right.
    """
    return 4 * (place & 7) + (place >> 3) if layered != 0 else place


class Dice(NamedTuple):
    """First taker (seat 0-3) and whether the blocks are counted from the right end."""

    first_taker: int
    from_right: bool


@helper
def throw_dice(key: Key, either_end: int) -> Dice:
    """Two dice, thrown by the seat across the banker, which counts from itself as 1."""
    total = 2 + share(draw(key, DICE, 0), 6) + share(draw(key, DICE, 1), 6)
    from_right = (draw(key, DICE, 2) & either_end) != 0
    return Dice(2 + total - 1 & 3, from_right)


# Shuffling.  The tiles are put into the wall one after another, each into one of the places that
# are still free, chosen at random: every order is equally likely.  Of the wall only the borders
# between blocks are kept, eight of them (the last is the right end), four to a word, a byte each:
# how many places left of the border are free (with 128 added, so that no byte ever borrows from
# its neighbour), and which of the last eight tiles lie left of it.

NEAR_FREE = 0x90_8C_88_84  # 128 + 16, 12, 8, 4
FAR_FREE = 0xA0_9C_98_94  # 128 + 32, 28, 24, 20
_EACH_BYTE = 0x01_01_01_01


@helper
def free_place(key: Key, tile: int, far: int) -> int:
    """Which of the free places, from the left, a tile takes; `far` knows how many there are."""
    return share(draw(key, WALL, tile), far >> 24 & 127)


@helper
def left_of(place: int, free: int) -> int:
    """For four borders a byte each: 1 where this free place lies left of the border."""
    beyond = place + 1
    beyond |= beyond << 8
    beyond |= beyond << 16
    return (free - beyond) >> 7 & _EACH_BYTE


@helper
def left_tiles(border: int, first: int, second: int, third: int, fourth: int) -> int:
    """The tiles left of one border (0-3) of a word, from its words for tiles 0-7, 8-15 …"""
    byte = 8 * border
    low = first >> byte & 255 | (second >> byte & 255) << 8
    return low | (third >> byte & 255) << 16 | (fourth >> byte & 255) << 24
