"""Random keys: the only module that makes them; their series stand in ``series.py``.

A key comes from the seed of a run, a *series* and the number of a hand (a world, a position, …) in
that series.  What is to be compared as independent samples has series of its own; what is to meet
the same luck shares a series and a number.  A key may also stand *under* another one: each world
that a policy imagines has a key under that of the hand in which it thinks.

Two keys of one seed are equal only where ``(series - other) * _SERIES_STEP`` is
``(number of the other - number) * _STEP`` modulo 2^64.  For the numbered series that takes
numbers 2^54 apart, further than any are (see `series.LARGEST_NUMBER`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import helper
from .streams import Key
from .word import integer, word

_STEP = 0x9E3779B97F4A7C15
_SERIES_STEP = 0xD1B54A32D192ED03


@helper
def _mixed(value: Any) -> Any:
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@helper
def hand_key(seed: Any, series: int, hand: int) -> Key:
    """The key of hand number `hand` (from 0) of a series of a seed (0 to 2**64 - 1)."""
    start = _mixed(np.uint64(seed) + np.uint64(_STEP))
    start += np.uint64(series) * np.uint64(_SERIES_STEP)
    mixed = _mixed(start + np.uint64(hand) * np.uint64(_STEP))
    return Key(word(mixed), word(mixed >> np.uint64(32)))


@helper
def key_under(key: Key, series: int, number: int) -> Key:
    """The key of a number of a series under another key, which serves as its seed."""
    above = np.uint64(integer(key.high)) << np.uint64(32) | np.uint64(integer(key.low))
    return hand_key(above, series, number)


@helper
def decision_number(trick: int, seat: int, part: int) -> int:
    """A number for part `part` (below 2**32) of what a seat decides in a trick of its hand."""
    return (4 * trick + seat << 32) + part


@helper
def stored_key(low: int, high: int) -> Key:
    """A key that was kept as two words."""
    return Key(word(low), word(high))


def no_key() -> Key:
    """A key for views of which nobody reads the luck."""
    return Key(word(0), word(0))


def generator(seed: int, series: int, number: int) -> np.random.Generator:
    """A generator of numpy's for what no kernel draws, such as the candidates of a search.

    Examples
    --------
    >>> bool(generator(1, 71, 0).random() == generator(1, 71, 0).random())
    True
    """
    return np.random.default_rng([seed, series, number])
