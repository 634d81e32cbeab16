"""Random words that depend on (seed, hand number, purpose, draw) alone.

Any hand of a run can be dealt and played by itself, in any order, on any thread, and comes out
bit for bit the same.

A hand's *key* is 64 bits, mixed from seed, series and hand number (see ``keys.py``) by the finaliser
of SplitMix64 (Steele, Lea & Flood, 2014).  Word number `draw` of purpose `purpose` under that key is a
two-round multiply-and-shift mix (the finaliser of MurmurHash3, Appleby, 2011) of a Weyl counter,
with one half of the key added before each round.
"""

from __future__ import annotations

from typing import NamedTuple

from ._jit import helper
from .word import word

# Purposes.  Each owns the draws 0-255 of its own.
DICE = 0
DECISIONS = 1  # + seat
WALL = 8
WORLDS = 9
CHOICES = 10  # of what to try

_DRAWS = 8  # bits


class Key(NamedTuple):
    """The random key of one hand, in two words."""

    low: int
    high: int


@helper
def draw(key: Key, purpose: int, number: int) -> int:
    """Random word `number` (0-255) of a purpose: 32 independent fair bits."""
    bits = word(word((purpose << _DRAWS) + number) * word(0x9E3779B9) + key.low)
    bits = word((bits ^ bits >> 16) * 0x85EBCA6B + key.high)
    bits = word((bits ^ bits >> 13) * 0xC2B2AE35)
    return bits ^ bits >> 16
