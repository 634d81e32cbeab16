"""The 32-bit word: a set of 32 tiles, or 32 random bits.

In Python a word is an ordinary ``int``.  In a kernel ``word(x)`` makes it a true 32-bit unsigned
integer (see ``_word_numba``), so that the compiler can work on many hands side by side; numba's
own integers would all grow to 64 bits.  ``& | ^ ~ << >> + - *`` and comparisons work as usual
and wrap at 32 bits; write ``0 - x`` for a negative.
"""

from __future__ import annotations

MASK = 0xFFFFFFFF


def word(value: int) -> int:
    """The lowest 32 bits of `value`.

    Examples
    --------
    >>> word(-1) == 0xFFFFFFFF
    True
    """
    return int(value) & MASK


def integer(value: int) -> int:
    """A word as a signed 64-bit integer, to index and to add up."""
    return value


def count(value: int) -> int:
    """Number of set bits.

    Examples
    --------
    >>> count(0b1011)
    3
    """
    return value.bit_count()


def highest(value: int) -> int:
    """The highest set bit alone, 0 for 0.

    Examples
    --------
    >>> highest(0b1011)
    8
    """
    return 1 << value.bit_length() - 1 if value else 0


def lowest(value: int) -> int:
    """The lowest set bit alone, 0 for 0.

    Examples
    --------
    >>> lowest(0b1010)
    2
    """
    return value & -value


def position(value: int) -> int:
    """Place of the lowest set bit, 32 for 0.

    Examples
    --------
    >>> position(0b1000)
    3
    """
    return (value & -value).bit_length() - 1 if value else 32


def share(value: int, parts: int) -> int:
    """Which of `parts` equal parts of [0, 2**32) holds `value`: ``value * parts >> 32``.

    Examples
    --------
    >>> share(0x80000000, 6)
    3
    """
    return value * parts >> 32
