"""Random keys: the only module that makes them, and that knows every series of keys.

A key comes from the seed of a run, a *series* and the number of a hand (a world, a position, …) in
that series.  What is to be compared as independent samples has series of its own; what is to meet
the same luck shares a series and a number.  A key may also stand *under* another one: each world
that a policy imagines has a key under that of the hand in which it thinks.

Two keys of one seed are equal only where ``(series - other) * _SERIES_STEP`` is
``(number of the other - number) * _STEP`` modulo 2^64.  For the numbered series below that takes
numbers 2^54 apart, further than any are (see `LARGEST_NUMBER`).
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from ._jit import helper
from .streams import Key
from .word import integer, word

# Series with one number for each deal pattern, see `of_pattern`.
MOST_PATTERNS = 32
RUN_HANDS = 0  # the hands of a seed, by intent the same for all that plays them
SESSIONS = 32
TUNING = 128  # on which candidates of a search play
TUNING_CHECK = 160  # on which a search asks whether it still gains
TUNING_RESULT = 192  # on which its result is measured
ADAPTING_GAIN = 224  # on which a comparison of rules asks whether re-tuned play is better
ADAPTING_PRICE = 256  # on which it measures how much better what was chosen is

# Series with one number.
ADVICE_WORLDS = 64  # worlds that agree with what a seat has seen
ADVICE_LUCK = 65  # of policies that draw lots while these worlds are played out
STUDY_POSITIONS = 66
STUDY_WORLDS = 67
STUDY_LUCK = 68
CHECK_POSITIONS = 69  # positions for which a policy is asked twice
CHECK_LUCK = 70
CANDIDATES = 71  # of a search, by step

# Series of keys under other keys.
IMAGINED = 96  # worlds of a policy that looks ahead, and the luck of its policies there
AGAIN = 97  # further tries to draw a world that can be

# Series of conditions on the deal start here; numbers below are for the series above.
CONDITIONS = 1 << 62

SERIES = {
    "hands of runs": range(RUN_HANDS, RUN_HANDS + MOST_PATTERNS),
    "sessions": range(SESSIONS, SESSIONS + MOST_PATTERNS),
    "tuning": range(TUNING, TUNING + MOST_PATTERNS),
    "tuning, check": range(TUNING_CHECK, TUNING_CHECK + MOST_PATTERNS),
    "tuning, result": range(TUNING_RESULT, TUNING_RESULT + MOST_PATTERNS),
    "adapting, gain": range(ADAPTING_GAIN, ADAPTING_GAIN + MOST_PATTERNS),
    "adapting, price": range(ADAPTING_PRICE, ADAPTING_PRICE + MOST_PATTERNS),
    "advice, worlds": range(ADVICE_WORLDS, ADVICE_WORLDS + 1),
    "advice, luck": range(ADVICE_LUCK, ADVICE_LUCK + 1),
    "study, positions": range(STUDY_POSITIONS, STUDY_POSITIONS + 1),
    "study, worlds": range(STUDY_WORLDS, STUDY_WORLDS + 1),
    "study, luck": range(STUDY_LUCK, STUDY_LUCK + 1),
    "policy check, positions": range(CHECK_POSITIONS, CHECK_POSITIONS + 1),
    "policy check, luck": range(CHECK_LUCK, CHECK_LUCK + 1),
    "candidates": range(CANDIDATES, CANDIDATES + 1),
    "imagined worlds": range(IMAGINED, IMAGINED + 1),
    "worlds tried again": range(AGAIN, AGAIN + 1),
    "conditions": range(CONDITIONS, 1 << 63),
}

LARGEST_NUMBER = 1 << 53  # of a hand, a world, a position in its series
_FIRST_BY_ITSELF = 1 << 52

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


def of_pattern(series: int, pattern: int) -> int:
    """The number of a deal pattern in a series that has one for each.

    Examples
    --------
    >>> of_pattern(SESSIONS, 2)
    34
    """
    return series + pattern


def number_by_itself(number: int) -> int:
    """The number in `RUN_HANDS` of a hand that a starting-hand table deals by itself.

    Runs number their hands from 0 to 10**15 - 1; these stand behind, so that none is shared.
    """
    return _FIRST_BY_ITSELF + number


def condition_series(condition: str) -> int:
    """A series of its own for a condition on the deal; `of_pattern` tells patterns apart.

    It is `CONDITIONS` and 56 bits of a hash, so that two conditions are not expected to meet.

    Parameters
    ----------
    condition : str
        The condition in one canonical form.

    Examples
    --------
    >>> condition_series("one") != condition_series("other")
    True
    """
    digest = hashlib.sha256(condition.encode()).digest()
    return CONDITIONS + int.from_bytes(digest[:7], "big") * MOST_PATTERNS


def generator(seed: int, series: int, number: int) -> np.random.Generator:
    """A generator of numpy's for what no kernel draws, such as the candidates of a search.

    Examples
    --------
    >>> bool(generator(1, CANDIDATES, 0).random() == generator(1, CANDIDATES, 0).random())
    True
    """
    return np.random.default_rng([seed, series, number])
