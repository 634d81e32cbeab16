"""The random key of a hand, from its number, the seed and the series of the run."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import helper
from .streams import Key
from .word import word


@helper
def _mixed(value: Any) -> Any:
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@helper
def hand_key(seed: Any, series: int, hand: int) -> Key:
    """The key of hand number `hand` (from 0) of a run with this seed (0 to 2**64 - 1).

    Runs of different `series` (small numbers) share nothing, so that they may be compared as
    independent samples.
    """
    start = _mixed(np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15))
    start += np.uint64(series) * np.uint64(0xD1B54A32D192ED03)
    mixed = _mixed(start + np.uint64(hand) * np.uint64(0x9E3779B97F4A7C15))
    return Key(word(mixed), word(mixed >> np.uint64(32)))
