"""Shares of hands, and of hands of which each deal gave several."""

import numpy as np
import pytest
from populations import contest

from gupai.analysis import clustered_proportion, proportion

from ledger import judge

RUNS = 4000


@pytest.mark.parametrize("n", [20, 200, 2000, 20_000, 1_000_000])
@pytest.mark.parametrize("expected", [0.05, 0.12, 1.0, 3.0, 10.0, 50.0, 70.0, 100.0])
def test_proportion__covers(n: int, expected: float) -> None:
    if expected > n / 2:
        return
    rng = np.random.default_rng([n, int(100 * expected)])
    counts, times = np.unique(rng.binomial(n, expected / n, RUNS), return_counts=True)
    covered = 0
    for count, many in zip(counts.tolist(), times.tolist(), strict=True):
        e, rest = proportion(count, n), proportion(n - count, n)
        assert (rest.low, rest.high) == (pytest.approx(1 - e.high), pytest.approx(1 - e.low))
        covered += many * (e.low <= expected / n <= e.high)
    judge("share (Wilson, Clopper-Pearson below 60)", f"{expected:g} of {n:,} hands expected",
          covered, RUNS)  # fmt: skip


@pytest.mark.parametrize("deals", [50, 300, 2000])
def test_clustered_proportion__covers_in_tournaments(deals: int) -> None:
    policies = ("random", "greedy", "public-a")
    _, counts = contest(policies, 12_000)
    hands = 4 * (len(policies) - 1)
    rng = np.random.default_rng(deals)
    for player, name in enumerate(policies):
        for column, what in enumerate(("win", "sweep", "caught")):
            each = counts[:, player, column]
            truth, covered, runs = each.mean() / hands, 0, 500
            for _ in range(runs):
                e = clustered_proportion(each[rng.integers(0, len(each), deals)], hands)
                covered += e.low <= truth <= e.high
            judge("share of several hands a deal (Korn and Graubard)",
                  f"{what} of {name}, {deals:,} deals", covered, runs)  # fmt: skip


@pytest.mark.parametrize("together", [1, 4, 8])
@pytest.mark.parametrize("expected", [0.5, 5.0, 40.0, 150.0])
def test_clustered_proportion__covers_where_events_come_together(together: int, expected: float) -> None:
    """Of eight hands a deal, so many have the event at once; `expected` deals with it of 2,000."""
    rng = np.random.default_rng([together, int(expected * 10)])
    deals, chance, covered, runs = 2000, expected / 2000, 0, 600
    for _ in range(runs):
        e = clustered_proportion(together * rng.binomial(1, chance, deals), 8)
        covered += e.low <= chance * together / 8 <= e.high
    judge("share of several hands a deal (Korn and Graubard)",
          f"{together} of 8 at once in {expected:g} of 2,000 deals", covered, runs)  # fmt: skip
