"""Starting hands: a number for each of the 330,525 hands distinct by class, and their sums.

Hands are numbered in the order of their tiles from the strongest byte of the word down, where of a
class with one tile held it does not matter which.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import helper, kernel
from ..word import count, integer, word
from .outcome import SETTLED_BITS
from .settlement import BONUSES, COLUMNS, KAM, SETTLEMENT, STACKS, SWEEP, WINNER, settle
from .switches import Switches
from .tiles import SECOND

STARTING_HANDS = 330_525

# Columns of a sum: hands, and of them hands that the seat won, swept, ended without a stack, was
# caught in and caught in; then points and squares of points.
HANDS, WINS, SWEEPS, EMPTY, CAUGHT, CATCHES, POINTS, SQUARES = range(8)
SUMS = 8


def _contents(byte: int) -> list[int]:
    """What the classes of one byte of a word may hold, each class's first tiles before others."""
    seconds = SECOND >> 8 * byte & 255
    return [held for held in range(256) if held & seconds & ~(held << 1) == 0]


def _offsets() -> NDArray[np.int64]:
    """At ``(byte, tiles in higher bytes, content)`` flat: hands that stand before."""
    by_size = [[sum(c.bit_count() == size for c in _contents(byte)) for size in range(9)]
               for byte in range(4)]  # fmt: skip
    ways = [[int(used == 8) for used in range(9)]]  # to fill the bytes below, from `used` tiles
    for byte in range(4):
        below = ways[-1]
        ways.append(
            [
                sum(n * below[used + size] for size, n in enumerate(by_size[byte]) if used + size <= 8)
                for used in range(9)
            ]
        )
    offsets = np.zeros((4, 9, 256), np.int64)
    for byte in range(4):
        for used in range(9):
            before = 0
            for content in _contents(byte):
                offsets[byte, used, content] = before
                if used + content.bit_count() <= 8:
                    before += ways[byte][used + content.bit_count()]
    return offsets.ravel()


_OFFSETS = _offsets()


def starting_hands() -> NDArray[np.uint32]:
    """Every starting hand once, in the order of their numbers, each class's first tiles.

    Examples
    --------
    >>> hands = starting_hands()
    >>> hands.size, int(starting_hand_number(int(hands[1000])))
    (330525, 1000)
    """
    hands, used = np.zeros(1, np.uint32), np.zeros(1, np.int64)
    for byte in range(3, -1, -1):
        contents = np.array(_contents(byte), np.uint32)
        sizes = np.bitwise_count(contents).astype(np.int64)
        last = byte == 0
        fits = [contents[sizes == 8 - n] if last else contents[sizes <= 8 - n] for n in range(9)]
        lengths = np.array([fit.size for fit in fits])[used]
        starts = np.concatenate([[0], np.cumsum([fit.size for fit in fits])])[used]
        row = np.repeat(np.arange(hands.size), lengths)
        place = np.arange(row.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        chosen = np.concatenate(fits)[starts[row] + place]
        hands = hands[row] | chosen << np.uint32(8 * byte)
        used = used[row] + np.bitwise_count(chosen)
    return hands


@helper
def starting_hand_number(hand: int) -> int:
    """The number (0 to 330,524) of a hand of eight tiles."""
    moved = hand & SECOND & ~(hand << 1)  # second tiles without the first
    plain = hand ^ moved | moved >> 1
    number = used = 0
    for byte in range(3, -1, -1):
        content = plain >> 8 * byte & 255
        number += _OFFSETS[9 * 256 * byte + 256 * used + integer(content)]
        used += integer(count(content))
    return number


@helper
def add_outcome(settled: Any, seat: int, sums: Any, row: int) -> None:
    """Add a settled hand, as it went for one seat, to the `SUMS` numbers from `row` on."""
    won = settled[WINNER] == seat
    points = settled[SETTLEMENT + seat] + settled[BONUSES + seat]
    sums[row + HANDS] += 1
    sums[row + WINS] += won
    sums[row + SWEEPS] += won and settled[SWEEP] != 0
    sums[row + EMPTY] += settled[STACKS + seat] == 0
    sums[row + CAUGHT] += settled[KAM] == seat
    sums[row + CATCHES] += won and settled[KAM] >= 0
    sums[row + POINTS] += points
    sums[row + SQUARES] += points * points


@kernel
def add_to_sums(kept: Any, only_seat: int, rules: Switches, term: int, sums: Any) -> None:
    """Add hands that a block kernel kept to the sums of their starting hands.

    Parameters
    ----------
    kept : uint32 array, n × 6
        Result, honours and the four dealt hands of each.
    only_seat : int
        Add the hand of this seat alone; -1: those of all four.
    rules : Switches
    term : int
        The banker's term.
    sums : int64 array, (330525 · 4 · `SUMS`)
        Row ``4 * number + seat`` has the columns `HANDS` to `SQUARES`.
    """
    settled = np.zeros(COLUMNS, np.int64)
    for hand in range(kept.shape[0]):
        settle(word(kept[hand, 0] & SETTLED_BITS), word(kept[hand, 1]), rules, term, settled)
        for seat in range(4):
            if only_seat < 0 or seat == only_seat:
                number = starting_hand_number(word(kept[hand, 2 + seat]))
                add_outcome(settled, seat, sums, (4 * number + seat) * SUMS)


@kernel
def seat_outcomes(kept: Any, seat: int, rules: Switches, term: int, out: Any) -> None:
    """How each kept hand went for one seat: ``out[8 i]`` on (int64, zeros) has hand i's columns."""
    settled = np.zeros(COLUMNS, np.int64)
    for hand in range(kept.shape[0]):
        settle(word(kept[hand, 0] & SETTLED_BITS), word(kept[hand, 1]), rules, term, settled)
        add_outcome(settled, seat, out, hand * SUMS)
