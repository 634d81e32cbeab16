"""Estimates that carry their uncertainty.

Hands are independent; an estimate counts hands.  Nothing here knows any game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95
# The least coverage of Wilson's interval where both counts are at least this is 94.006 % (at 150 hands),
# that of the exact interval below it 95 %: tests/test_intervals.py computes both.
RARE = 60
# Means of so many hands have an interval; below, too few of the rare large values are seen for any.
FEWEST = 128
# From so many deals with the event, and without, it is seen how the hands of a deal hang together.
_DEALS_TO_TELL = 100
SKEWNESS_TELLS = 10_000  # hands; from there on it moves an end of an interval by a hundredth at most
_FEWEST_UNSKEWED = 2000  # the same as `FEWEST` where the skewness was not kept


def normal_quantile(confidence: float = CONFIDENCE) -> float:
    """How many standard errors a two-sided interval reaches.

    Examples
    --------
    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def known(value: float) -> float | None:
    """A number for JSON, which has none for what is not known."""
    return None if math.isnan(value) else value


@dataclass(frozen=True, kw_only=True)
class Proportion:
    """A share of hands with its interval.

    Attributes
    ----------
    count, n : int
        Hands in which it happened, hands played.
    value, low, high : float
        The share and its interval, 0 to 1.
    """

    count: int
    n: int
    value: float
    low: float
    high: float

    def to_json(self) -> dict[str, float]:
        """Value and interval."""
        return {"value": self.value, "low": self.low, "high": self.high}


def proportion(count: int, n: int, *, confidence: float = CONFIDENCE) -> Proportion:
    """Estimate a share from a count, with its interval.

    That is the interval of Wilson (1927), or the exact one of Clopper and Pearson (1934) where it
    happened, or failed to, in fewer than `RARE` hands: there Wilson's covers as little as 82 %.

    Parameters
    ----------
    count : int
        Hands in which it happened.
    n : int
        Hands played, at least 1.
    confidence : float
        Chance that the interval covers the truth.

    Raises
    ------
    ValueError
        If `count` is not between 0 and `n`, or `n` is 0.

    Examples
    --------
    >>> estimate = proportion(270, 1000)
    >>> round(estimate.low, 4), round(estimate.high, 4)
    (0.2434, 0.2984)
    """
    if n < 1 or not 0 <= count <= n:
        raise ValueError(f"count {count} of {n} hands is no share")
    low, high = _share_interval(count, n, confidence)
    return Proportion(count=count, n=n, value=count / n, low=low, high=high)


def exact_interval(count: float, n: float, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of a share by Clopper and Pearson (1934), which never covers less than it says.

    `count` and `n` may be the effective numbers of clustered hands, no whole ones.

    Examples
    --------
    >>> low, high = exact_interval(0, 1000)
    >>> low, round(high, 6)
    (0.0, 0.003682)
    """
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    low = float(betaincinv(count, n - count + 1, tail)) if count > 0 else 0.0
    high = float(betaincinv(count + 1, n - count, 1 - tail)) if count < n else 1.0
    return low, high


def _share_interval(count: float, n: float, confidence: float) -> tuple[float, float]:
    if min(count, n - count) < RARE:
        return exact_interval(count, n, confidence=confidence)
    return _wilson(count / n, n, confidence)


def _wilson(share: float, n: float, confidence: float) -> tuple[float, float]:
    z = normal_quantile(confidence)
    centre = share + z * z / (2 * n)
    spread = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return (centre - spread) / scale, (centre + spread) / scale


def clustered_proportion(
    counts: Iterable[int], size: int, *, confidence: float = CONFIDENCE
) -> Proportion:
    """Estimate a share of hands of which each deal gave several, so that they hang together.

    The interval is that of `proportion` for as many independent hands as would spread like the deals
    do (Kish's effective sample size, with the correction of Korn and Graubard, 1998, for the number
    of deals), at most for all of them.  Where it happened, or failed to, in too few deals to tell how
    its hands hang together, a deal counts as one hand.

    Parameters
    ----------
    counts : iterable of int
        For each deal in how many of its hands it happened.
    size : int
        Hands of a deal.
    confidence : float
        Chance that the interval covers the truth.

    Examples
    --------
    >>> one, four = proportion(300, 1000), clustered_proportion([4] * 300 + [0] * 700, 4)
    >>> one.value == four.value, round(four.high - four.low, 3), round(one.high - one.low, 3)
    (True, 0.057, 0.057)
    """
    import numpy as np

    each = np.fromiter(counts, float)
    deals = each.size
    hands = deals * size
    share = float(each.sum()) / hands
    alike: float = deals
    if size > 1 and min((each > 0).sum(), (each < size).sum()) >= _DEALS_TO_TELL:
        variance = float((each / size).var(ddof=1)) / deals
        alike = min(share * (1 - share) / variance, hands) if variance > 0 else hands
        alike *= (normal_quantile(confidence) / _student_quantile(deals - 1, confidence)) ** 2
    low, high = _share_interval(share * alike, alike, confidence)
    return Proportion(count=int(each.sum()), n=hands, value=share, low=low, high=high)


@dataclass(frozen=True, kw_only=True)
class Mean:
    """A mean over hands.

    Attributes
    ----------
    n : int
        Hands.
    mean, se, sd : float
        The mean, its standard error, and the standard deviation of one hand.
    low, high : float
        The interval of the mean; nan where there are too few hands for one that holds (`FEWEST`).
    """

    n: int
    mean: float
    se: float
    sd: float
    low: float
    high: float

    def to_json(self) -> dict[str, float | None]:
        """Mean, standard error and interval; null where there is none."""
        return {name: known(getattr(self, name)) for name in ("mean", "se", "low", "high")}


def _student_quantile(freedom: int, confidence: float) -> float:
    """How many standard errors the interval of a mean reaches."""
    if freedom < 1:
        return math.nan
    if freedom > 100_000:  # there the two agree to five digits
        return normal_quantile(confidence)
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.5 + confidence / 2))


def _mean(
    n: int, mean: float, sd: float, skewness: float, confidence: float, fewest: int = FEWEST
) -> Mean:
    """A mean with its interval.

    Student's t, whose ends are moved outwards, never inwards, to those of the cubic transformation
    of Hall (1992) where the values are skewed; the reports page on intervals has the coverage.
    """
    se = sd / math.sqrt(n)
    if sd == 0:
        return Mean(n=n, mean=mean, se=se, sd=sd, low=mean, high=mean)
    if math.isnan(sd) or n < fewest:
        return Mean(n=n, mean=mean, se=se, sd=sd, low=math.nan, high=math.nan)
    reach = _student_quantile(n - 1, confidence)
    below = above = reach
    slope = skewness / math.sqrt(n) if n < SKEWNESS_TELLS else 0.0
    if abs(slope) > 1e-9:
        ends = [3 / slope * (math.cbrt(1 + slope * (y - slope / 6)) - 1) for y in (reach, -reach)]
        below, above = max(reach, ends[0]), max(reach, -ends[1])
    return Mean(n=n, mean=mean, se=se, sd=sd, low=mean - below * se, high=mean + above * se)


def mean_of(values: Sequence[int], counts: Sequence[int], *, confidence: float = CONFIDENCE) -> Mean:
    """The mean of integer values that occurred so many times each, from exact sums.

    Examples
    --------
    >>> estimate = mean_of([0, 10], [300, 100])
    >>> estimate.mean, round(estimate.sd, 3), round(estimate.low, 2), round(estimate.high, 2)
    (2.5, 4.336, 2.07, 2.95)
    """
    pairs = list(zip(values, counts, strict=True))
    total, squares, cubes = (sum(value**power * count for value, count in pairs) for power in (1, 2, 3))
    return mean_from_sums(sum(counts), total, squares, cubes, confidence=confidence)


def mean_from_sums(
    n: int,
    total: int,
    squares: int,
    cubes: int | None = None,
    *,
    fewest: int = _FEWEST_UNSKEWED,
    confidence: float = CONFIDENCE,
) -> Mean:
    """The mean of integer values from their number, and the sums of them, their squares and cubes.

    Parameters
    ----------
    n, total, squares : int
    cubes : int, optional
        Without them nothing is known of skewness, so that an interval takes more hands.
    fewest : int
        From so many hands on there is an interval without cubes; for sums over many hands, which
        are little skewed, `FEWEST` is enough.
    confidence : float

    Raises
    ------
    ValueError
        If there are no hands.

    Examples
    --------
    >>> mean_from_sums(400, 1000, 10_000, 100_000) == mean_of([0, 10], [300, 100])
    True
    """
    if n < 1:
        raise ValueError("no hands, so no mean")
    # Exact integers up to the one division: n * squares - total**2 loses nothing.
    spread = n * squares - total * total
    sd = math.sqrt(spread / (n * (n - 1))) if n > 1 else math.nan
    if cubes is None or not spread:
        return _mean(n, total / n, sd, 0.0, confidence, fewest)
    third = n * n * cubes - 3 * n * total * squares + 2 * total**3
    return _mean(n, total / n, sd, third / spread / math.sqrt(spread), confidence)


def mean_of_floats(values: Iterable[float], *, confidence: float = CONFIDENCE) -> Mean:
    """The mean of one number a deal.

    Examples
    --------
    >>> mean_of_floats([1.0, 2.0, 3.0]).mean
    2.0
    """
    import numpy as np

    array = np.fromiter(values, float)
    n = array.size
    if n < 1:
        raise ValueError("no deals, so no mean")
    mean, sd = float(array.mean()), float(array.std(ddof=1)) if n > 1 else math.nan
    skewness = float((((array - mean) / array.std()) ** 3).mean()) if sd > 0 else 0.0
    return _mean(n, mean, sd, skewness, confidence)


class ChiSquare(NamedTuple):
    """A chi-square test: statistic, degrees of freedom, chance of a larger one if all agree."""

    statistic: float
    freedom: int
    p_value: float


def homogeneity(rows: Sequence[Sequence[int]], *, least: float = 5.0) -> ChiSquare:
    """Whether rows of counts can come from one distribution (Pearson's test).

    Columns whose expected count is below `least` in any row are put together first.

    Examples
    --------
    >>> homogeneity([[10, 20, 30], [10, 20, 30]]).statistic
    0.0
    """
    from scipy.special import chdtrc

    sizes = [sum(row) for row in rows]
    total = sum(sizes)
    kept: list[list[int]] = []
    rare = [0] * len(rows)
    for column in zip(*rows, strict=True):
        if sum(column) * min(sizes) / total >= least:
            kept.append(list(column))
        else:
            rare = [have + new for have, new in zip(rare, column, strict=True)]
    if sum(rare) * min(sizes) / total >= least or not kept:
        kept.append(rare)
    else:  # still too rare by themselves
        fewest = min(kept, key=sum)
        fewest[:] = [have + new for have, new in zip(fewest, rare, strict=True)]
    statistic = 0.0
    for counts in kept:
        for count, size in zip(counts, sizes, strict=True):
            expected = sum(counts) * size / total
            statistic += (count - expected) ** 2 / expected
    freedom = (len(kept) - 1) * (len(rows) - 1)
    p_value = float(chdtrc(freedom, statistic)) if freedom > 0 else 1.0
    return ChiSquare(statistic, freedom, p_value)
