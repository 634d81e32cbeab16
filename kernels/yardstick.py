"""A yardstick for speeds: shuffles by Fisher–Yates in a plain loop, nothing clever."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import kernel


@kernel
def fisher_yates(shuffles: int, seed: Any) -> int:
    """Shuffle 32 tiles so many times with SplitMix64; returns a sum that needs every shuffle."""
    tiles = np.arange(32).astype(np.uint32)
    state, total = np.uint64(seed), 0
    for _ in range(shuffles):
        for last in range(31, 0, -1):
            state += np.uint64(0x9E3779B97F4A7C15)
            mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            mixed ^= mixed >> np.uint64(31)
            other = ((mixed >> np.uint64(32)) * np.uint64(last + 1)) >> np.uint64(32)
            tiles[last], tiles[other] = tiles[other], tiles[last]
        total += tiles[0]
    return total
