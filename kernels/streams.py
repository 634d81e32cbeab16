"""Random words that depend on (seed, hand number, purpose, draw) alone.

Any hand of a run can be dealt and played by itself, in any order, on any thread, and comes out
bit for bit the same.

A hand's *key* is 64 bits, mixed from seed, series and hand number by the finaliser of SplitMix64
(Steele, Lea & Flood, 2014).  Word number `draw` of purpose `purpose` under that key is a
two-round multiply-and-shift mix (the finaliser of MurmurHash3, Appleby, 2011) of a Weyl counter,
with one half of the key added before each round.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._jit import helper
from .word import word

# Purposes.  Each owns the draws 0-255 of its own.
DICE = 0
DECISIONS = 1  # + seat
WALL = 8
WORLDS = 9

_DRAWS = 8  # bits


class Key(NamedTuple):
    """The random key of one hand, in two words."""

    low: int
    high: int


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


@helper
def draw(key: Key, purpose: int, number: int) -> int:
    """Random word `number` (0-255) of a purpose: 32 independent fair bits."""
    bits = word(word((purpose << _DRAWS) + number) * word(0x9E3779B9) + key.low)
    bits = word((bits ^ bits >> 16) * 0x85EBCA6B + key.high)
    bits = word((bits ^ bits >> 13) * 0xC2B2AE35)
    return bits ^ bits >> 16
