"""Histograms against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gupai.analysis import Histogram

NUMBERS = st.lists(
    st.one_of(st.integers(-50, 50), st.integers(-(10**9), 10**9)), min_size=1, max_size=60
)


@given(st.lists(NUMBERS, min_size=1, max_size=4), st.booleans())
def test_histogram__is_what_numpy_counts(parts: list[list[int]], merged: bool) -> None:
    histogram = Histogram()
    for part in parts:
        numbers = np.array(part, np.int64)
        if merged:
            other = Histogram()
            other.add(numbers)
            histogram.merge(other)
        else:
            histogram.add(numbers)
    everything = np.array([number for part in parts for number in part], np.int64)
    values, counts = np.unique(everything, return_counts=True)
    assert histogram.values.tolist() == values.tolist()
    assert histogram.counts.tolist() == counts.tolist()
    assert histogram.n == everything.size
    assert histogram.mean().mean == pytest.approx(everything.mean())
    for share in (0.01, 0.3, 0.5, 0.97):
        assert histogram.quantile(share) == np.quantile(everything, share, method="inverted_cdf")


def test_histogram__adds_after_it_was_read() -> None:
    histogram = Histogram()
    for numbers in ([1, 2, 2], [2, 9], [-5]):
        histogram.add(np.array(numbers))
        assert histogram.values.size
    assert dict(zip(histogram.values.tolist(), histogram.counts.tolist(), strict=True)) == {
        -5: 1, 1: 1, 2: 3, 9: 1,
    }  # fmt: skip


def test_quantile_interval__covers_as_often_as_stated() -> None:
    """95 % intervals of the median of a uniform distribution; binomial test, once in 1,000."""
    from scipy import stats

    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(400):
        histogram = Histogram()
        histogram.add(rng.integers(0, 1001, 300))
        low, high = histogram.quantile_interval(0.5)
        covered += low <= 500 <= high
    assert stats.binomtest(covered, 400, 0.95, alternative="less").pvalue > 1e-3
    assert covered < 400
