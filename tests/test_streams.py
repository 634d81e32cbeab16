"""Random streams: by the documented formula, uniform, and without visible dependence."""

from __future__ import annotations

import numpy as np
from scipy import stats

from gupai.kernels._jit import kernel
from gupai.kernels.keys import hand_key
from gupai.kernels.streams import DECISIONS, draw
from gupai.kernels.word import integer

from bridge import python_word


@kernel
def words(seed, hands, purpose, draws, out, series=0):
    for hand in range(hands):
        key = hand_key(seed, series, hand)
        for number in range(draws):
            out[hand, number] = integer(draw(key, purpose, number))


def test_draw__is_the_documented_formula() -> None:
    out = np.zeros((50, 20), np.int64)
    for seed, series in ((0, 0), (1, 9), (2**64 - 1, 3)):
        words(np.uint64(seed), 50, 3, 20, out, series)
        expected = [[python_word(seed, series, h, 3, n) for n in range(20)] for h in range(50)]
        assert out.tolist() == expected


def test_draw__every_draw_is_uniform_over_hands() -> None:
    """64 draws, 64 equal bins each; false alarm once in 1,000 runs of another seed."""
    out = np.zeros((100_000, 64), np.int64)
    words(np.uint64(1), 100_000, DECISIONS, 64, out)
    p_values = [stats.chisquare(np.bincount(column >> 26, minlength=64)).pvalue for column in out.T]
    assert min(p_values) > 0.001 / 64
    low = [stats.chisquare(np.bincount(column & 63, minlength=64)).pvalue for column in out.T]
    assert min(low) > 0.001 / 64


def test_draw__neighbours_are_independent() -> None:
    """Pairs of draws, of hands, of seeds and of purposes: 16 × 16 bins, once in 1,000."""
    n = 200_000
    first, other = np.zeros((n, 8), np.int64), np.zeros((n, 8), np.int64)
    words(np.uint64(1), n, 1, 8, first)
    words(np.uint64(2), n, 1, 8, other)
    purpose = np.zeros((n, 8), np.int64)
    words(np.uint64(1), n, 2, 8, purpose)
    series = np.zeros((n, 8), np.int64)
    words(np.uint64(1), n, 1, 8, series, 1)
    pairs = [(first[:, i], first[:, i + 1]) for i in range(7)]
    pairs += [(first[:-1, i], first[1:, i]) for i in range(8)]
    pairs += [(first[:, i], other[:, i]) for i in range(8)]
    pairs += [(first[:, i], purpose[:, i]) for i in range(8)]
    pairs += [(first[:, i], series[:, i]) for i in range(8)]
    for shift in (28, 0):
        tables = [
            np.bincount((a >> shift & 15) * 16 + (b >> shift & 15), minlength=256) for a, b in pairs
        ]
        assert min(stats.chisquare(table).pvalue for table in tables) > 0.001 / (2 * len(pairs))
