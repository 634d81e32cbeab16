"""The interval of means of bounded numbers, and of differences that are mostly 0."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, gamma, norm

from gupai.analysis.bounded import bounded_mean
from gupai.analysis.estimates import mean_of

tallies = st.dictionaries(st.integers(-50, 50), st.integers(1, 10**6), min_size=1, max_size=8)


@given(tallies, st.integers(0, 500))
def test_bounded_mean__holds_its_mean_and_stays_in_the_range(tally, room) -> None:
    least, most = min(tally) - room, max(tally) + room
    found = bounded_mean(tally.keys(), tally.values(), least=least, most=most)
    plain = mean_of(list(tally), list(tally.values()))
    assert (found.mean, found.n) == (plain.mean, plain.n)
    assert least <= found.low <= found.mean <= found.high <= most
    if room:
        assert found.low < found.mean < found.high


@given(tallies)
def test_bounded_mean__mirrored_numbers_mirror_the_interval(tally) -> None:
    one = bounded_mean(tally.keys(), tally.values(), least=-60, most=60)
    other = bounded_mean([-v for v in tally], tally.values(), least=-60, most=60)
    if sum(tally.values()) % 2:  # an even number has two medians
        assert (other.low, other.high) == pytest.approx((-one.high, -one.low))


def test_bounded_mean__nothing_seen_is_the_exact_bound_times_the_largest_change() -> None:
    """Of 0 among n hands the exact bound on the rate is 1 - 0.025^(1/n)."""
    for n in (200, 2_000, 400_000):
        found = bounded_mean([0], [n], least=0, most=240)
        assert found.low == found.mean == 0
        assert found.high == pytest.approx(240 * (1 - 0.025 ** (1 / n)), rel=0.01)
        both = bounded_mean([0], [n], least=-80, most=240)
        assert both.high == found.high and both.low == pytest.approx(-found.high / 3)


def test_bounded_mean__nothing_can_differ() -> None:
    found = bounded_mean([0], [1000], least=0, most=0)
    assert (found.mean, found.low, found.high) == (0, 0, 0)
    with pytest.raises(ValueError, match="leave"):
        bounded_mean([0, 3], [10, 1], least=0, most=2)
    with pytest.raises(ValueError, match="no hands"):
        bounded_mean([], [], least=0, most=1)


@pytest.mark.parametrize("seen", [1, 2, 5, 10, 37])
def test_bounded_mean__equal_changes_have_the_exact_interval_of_their_count(seen: int) -> None:
    """Garwood's interval of a Poisson count (1936); Clopper and Pearson's is no wider than 2 % less."""
    n, size = 20_000, 6
    found = bounded_mean([0, size], [n - seen, seen], least=0, most=size)
    assert found.low * n / size == pytest.approx(gamma.ppf(0.025, seen), rel=0.005)
    assert found.high * n / size == pytest.approx(gamma.ppf(0.975, seen + 1), rel=0.005)
    assert found.high / size == pytest.approx(beta.ppf(0.975, seen + 1, n - seen), rel=0.02)


@pytest.mark.parametrize("seen", [100, 1000, 100_000])
def test_bounded_mean__many_changes_have_nearly_the_normal_interval(seen: int) -> None:
    """No wider than 1.5 times, although a change of 40 times the usual one is possible."""
    n = 10**6
    tally = {0: n - seen, 4: seen // 2, -2: seen // 4, 10: seen - seen // 2 - seen // 4}
    found = bounded_mean(tally.keys(), tally.values(), least=-160, most=160)
    normal = norm.ppf(0.975) * found.se
    assert 0.97 < (found.high - found.low) / (2 * normal) < 1.5
    assert (found.high - found.low) / (2 * normal) < 1.02 or seen < 10_000


@pytest.mark.parametrize("seen", range(11))
def test_bounded_mean__few_changes_are_bounded_by_rate_times_size(seen: int) -> None:
    """Twice what the exact bound on the rate and the largest change that is possible give."""
    n, largest = 20_000, 240
    rate = beta.ppf(0.975, seen + 1, n - seen)
    for size in (1, 10, 240):
        found = bounded_mean([0, size], [n - seen, seen], least=-largest, most=largest)
        assert found.high - found.low <= 2 * rate * largest


def test_bounded_mean__joint_intervals_are_wider() -> None:
    tally = {0: 900, 5: 60, -3: 40}
    one = bounded_mean(tally.keys(), tally.values(), least=-30, most=30)
    joint = bounded_mean(tally.keys(), tally.values(), least=-30, most=30, confidence=0.9875)
    assert joint.low < one.low < one.high < joint.high
