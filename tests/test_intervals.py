"""Exact coverage of the intervals of shares: binomial sums, no chance in it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import bdtr

from gupai.analysis import proportion
from gupai.analysis.estimates import RARE


def least_coverage(n: int) -> float:
    """The least coverage over all shares: it is taken just outside of an end of some interval."""
    most = min(n, 1200)  # of rare events: beyond, coverage is that of the normal law
    ends = [(e.low, e.high) for e in (proportion(count, n) for count in range(most + 1))]
    low, high = np.array(ends).T
    assert (np.diff(low) > 0).all() and (np.diff(high) > 0).all()
    p = np.concatenate([low[1:] * (1 - 1e-12), high[:-1] * (1 + 1e-12)])
    p = p[p < high[most - 400]] if most < n else p
    first = np.searchsorted(high, p)  # counts whose intervals cover p
    last = np.searchsorted(low, p, side="right") - 1
    below = np.where(first > 0, bdtr(np.maximum(first - 1, 0), n, p), 0.0)
    return float((np.where(last < n, bdtr(last, n, p), 1.0) - below).min())


@pytest.mark.parametrize(
    "hands", [range(2, 60), range(60, 200, 2), (200, 300, 500, 1000), (10**4, 10**6)]
)
def test_proportion__covers_at_least_94_percent_whatever_the_share(hands) -> None:
    for n in hands:
        assert least_coverage(n) >= 0.94, n


def test_proportion__wilson_alone_would_not_do(monkeypatch) -> None:
    """Below 60 there is little room: from 55 on the switch would do, at 54 it would not."""
    assert RARE == 60
    monkeypatch.setattr("gupai.analysis.estimates.RARE", 0)
    assert least_coverage(2) < 0.83 and least_coverage(10**6) < 0.90
    monkeypatch.setattr("gupai.analysis.estimates.RARE", 54)
    assert min(least_coverage(n) for n in (136, 138, 140, 150)) < 0.94
