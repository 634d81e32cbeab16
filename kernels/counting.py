"""Counting distinct records: an open-addressing table of 64-bit keys."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import helper
from .word import integer


@helper
def count_key(keys: Any, counts: Any, low: int, high: int) -> bool:
    """Count one occurrence of the key made of two words; True if the key is new.

    `keys` (uint64) and `counts` (int64) have a power of two of slots; 0 marks an empty slot, so
    a key must not be 0.  The caller keeps the table at most half full.
    """
    key = np.uint64(integer(high)) << np.uint64(32) | np.uint64(integer(low))
    slot = integer((low * 0x9E3779B9 ^ high * 0x85EBCA6B) * 0x9E3779B9 >> 8) & keys.size - 1
    while keys[slot] != key:
        if keys[slot] == 0:
            keys[slot] = key
            counts[slot] = 1
            return True
        slot = slot + 1 & keys.size - 1
    counts[slot] += 1
    return False
