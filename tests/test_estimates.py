"""Estimates against scipy, and their coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gupai.analysis import clustered_proportion, homogeneity, mean_of, mean_of_floats, proportion
from gupai.analysis.estimates import FEWEST, RARE, mean_from_sums


@given(st.integers(1, 10**9), st.floats(0, 1))
def test_proportion__is_wilson_or_exact_where_rare(n: int, share: float) -> None:
    count = min(n, int(share * n))
    estimate = proportion(count, n)
    method = "exact" if min(count, n - count) < RARE else "wilson"
    expected = stats.binomtest(count, n).proportion_ci(0.95, method=method)
    assert estimate.low == pytest.approx(expected.low, abs=1e-9)
    assert estimate.high == pytest.approx(expected.high, abs=1e-9)
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


@pytest.mark.parametrize("p", [0.0005, 0.03, 0.5])
def test_proportion__covers_the_truth(p: float) -> None:
    """Average coverage of 95 % over 4,000 samples is between 93 and 98 %."""
    rng = np.random.default_rng(1)
    n = 20_000
    hits = [
        estimate.low <= p <= estimate.high
        for estimate in (proportion(int(count), n) for count in rng.binomial(n, p, 4000))
    ]
    assert 0.93 < np.mean(hits) < 0.98


@pytest.mark.parametrize(("count", "n"), [(1, 0), (-1, 5), (6, 5)])
def test_proportion__refuses_no_share(count: int, n: int) -> None:
    with pytest.raises(ValueError, match="no share"):
        proportion(count, n)


@given(
    st.lists(st.tuples(st.integers(-(10**15), 10**15), st.integers(1, 1000)), min_size=1, max_size=20)
)
def test_mean_of__is_exact(pairs) -> None:
    values, counts = zip(*pairs, strict=True)
    estimate = mean_of(values, counts)
    repeated = np.repeat(np.array(values, float), counts)
    assert estimate.n == len(repeated)
    assert estimate.mean == pytest.approx(repeated.mean(), rel=1e-9, abs=1e-3)
    if estimate.n > 1:
        scale = np.abs(repeated).max() + 1
        assert estimate.sd == pytest.approx(repeated.std(ddof=1), rel=1e-6, abs=1e-6 * scale)


@pytest.mark.parametrize("n", [128, 1000, 20_000, 200_000])
def test_mean_of__interval_is_students_where_nothing_is_skewed(n: int) -> None:
    estimate = mean_of([0, 3], [n // 2, n - n // 2])
    low, high = stats.t.interval(0.95, n - 1, loc=estimate.mean, scale=estimate.se)
    assert (estimate.low, estimate.high) == (pytest.approx(low, rel=1e-4), pytest.approx(high, rel=1e-4))


def test_mean__of_few_hands_has_no_interval() -> None:
    few, enough = mean_of([0, 3], [FEWEST - 2, 1]), mean_of([0, 3], [FEWEST - 1, 1])
    assert np.isnan(few.low) and np.isnan(few.high) and few.se > 0
    assert few.to_json() == {"mean": few.mean, "se": few.se, "low": None, "high": None}
    assert enough.low < enough.mean < enough.high
    unskewed = mean_from_sums(1000, 10, 40)  # the cubes are not known
    assert np.isnan(unskewed.low) and np.isfinite(mean_from_sums(1000, 10, 40, 150).low)
    same = mean_of([7], [5])
    assert np.isnan(same.low) and np.isnan(same.high)  # nothing is known of what else there may be


def test_mean__interval_reaches_further_to_the_side_of_the_tail() -> None:
    """The inverse of Hall's transformation g(y) = y + ay²/3 + a²y³/27 + a/6, a the skewness / √n."""
    values, counts = [0, 1, 40], [150, 40, 10]
    estimate = mean_of(values, counts)
    assert estimate.high - estimate.mean > estimate.mean - estimate.low
    repeated = np.repeat(values, counts).astype(float)
    assert mean_of_floats(repeated).high == pytest.approx(estimate.high)
    a = stats.skew(repeated) / np.sqrt(200)
    y = (estimate.mean - estimate.high) / estimate.se
    transformed = y + a * y**2 / 3 + a**2 * y**3 / 27 + a / 6
    assert transformed == pytest.approx(-stats.t.ppf(0.975, 199))
    mirrored = mean_of([-v for v in values], counts)
    assert (mirrored.low, mirrored.high) == (pytest.approx(-estimate.high), pytest.approx(-estimate.low))


def test_homogeneity__rare_columns_are_put_together() -> None:
    assert homogeneity([[10_000, 2, 0], [10_000, 0, 1]]).freedom == 0
    assert homogeneity([[5000, 50, 2, 0], [5000, 50, 0, 1]]).freedom == 1


def test_homogeneity__is_pearson() -> None:
    rows = [[30, 40, 50, 60], [35, 38, 49, 70], [28, 45, 61, 55]]
    test = homogeneity(rows)
    expected = stats.chi2_contingency(rows, correction=False)
    assert test.statistic == pytest.approx(expected.statistic)
    assert test.freedom == expected.dof and test.p_value == pytest.approx(expected.pvalue)


def test_homogeneity__false_alarms() -> None:
    """5 % of equal pairs of samples fall below p = 0.05: 30 to 80 of 1,000."""
    rng = np.random.default_rng(2)
    shares = [0.4, 0.3, 0.2, 0.09, 0.0099, 0.0001]
    alarms = sum(
        homogeneity(rng.multinomial(5000, shares, size=3).tolist()).p_value < 0.05 for _ in range(1000)
    )
    assert 30 <= alarms <= 80
    assert homogeneity([[500, 500], [600, 400]]).p_value < 1e-4


def test_clustered_proportion__covers_where_hands_of_a_deal_hang_together() -> None:
    """Deals of eight hands that all go one way or half so: 2,000 intervals cover 93 to 97 %.

    False alarm below 1 in 10,000 (four standard errors of a share of 0.95 are two points)."""
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(2000):
        chance = np.where(rng.random(400) < 0.5, 0.7, 0.1)  # of each deal; on average 0.4
        estimate = clustered_proportion(rng.binomial(8, chance), 8)
        covered += estimate.low <= 0.4 <= estimate.high
    assert 0.93 < covered / 2000 < 0.97


def test_clustered_proportion__of_single_hands_is_the_plain_one() -> None:
    plain, clustered = proportion(30, 1000), clustered_proportion([1] * 30 + [0] * 970, 1)
    assert clustered.value == plain.value and clustered.n == plain.n
    assert clustered.low == pytest.approx(plain.low, abs=2e-5)
    never = clustered_proportion([0] * 100, 4)
    assert never.low == 0 and never.high == proportion(0, 100).high  # deals count, not hands
