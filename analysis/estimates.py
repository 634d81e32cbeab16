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


def normal_quantile(confidence: float = CONFIDENCE) -> float:
    """How many standard errors a two-sided interval reaches.

    Examples
    --------
    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    return NormalDist().inv_cdf(0.5 + confidence / 2)


@dataclass(frozen=True, kw_only=True)
class Proportion:
    """A share of hands with its Wilson interval.

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
    """Estimate a share from a count, with the interval of Wilson (1927).

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
    >>> estimate = proportion(27, 100)
    >>> round(estimate.low, 4), round(estimate.high, 4)
    (0.1927, 0.3643)
    """
    if n < 1 or not 0 <= count <= n:
        raise ValueError(f"count {count} of {n} hands is no share")
    low, high = _wilson(count / n, n, confidence)
    return Proportion(count=count, n=n, value=count / n, low=low, high=high)


def _wilson(share: float, n: float, confidence: float) -> tuple[float, float]:
    z = normal_quantile(confidence)
    centre = share + z * z / (2 * n)
    spread = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if share == 0 else max(0.0, (centre - spread) / scale)
    high = 1.0 if share == 1 else min(1.0, (centre + spread) / scale)
    return low, high


def clustered_proportion(
    counts: Iterable[int], size: int, *, confidence: float = CONFIDENCE
) -> Proportion:
    """Estimate a share of hands of which each deal gave several, so that they hang together.

    The interval is that of Wilson for as many independent hands as would spread like the deals do
    (Kish's effective sample size), at most for all of them.

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
    >>> one, four = proportion(30, 100), clustered_proportion([4] * 30 + [0] * 70, 4)
    >>> one.value == four.value, round(four.high - four.low, 2), round(one.high - one.low, 2)
    (True, 0.18, 0.18)
    """
    import numpy as np

    each = np.fromiter(counts, float)
    deals = each.size
    hands = deals * size
    share = float(each.sum()) / hands
    variance = float((each / size).var(ddof=1)) / deals if deals > 1 else 0.0
    if share in (0.0, 1.0):
        alike: float = deals
    else:
        alike = min(share * (1 - share) / variance, hands) if variance > 0 else hands
    low, high = _wilson(share, alike, confidence)
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
        The interval of the mean (Student's t).
    """

    n: int
    mean: float
    se: float
    sd: float
    low: float
    high: float

    def to_json(self) -> dict[str, float | None]:
        """Mean, standard error and interval; null where one hand gives none."""
        known = {"mean": self.mean, "se": self.se, "low": self.low, "high": self.high}
        return {name: None if math.isnan(value) else value for name, value in known.items()}


def _student_quantile(freedom: int, confidence: float) -> float:
    """How many standard errors the interval of a mean reaches."""
    if freedom < 1:
        return math.nan
    if freedom > 100_000:  # there the two agree to five digits
        return normal_quantile(confidence)
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.5 + confidence / 2))


def mean_of(values: Sequence[int], counts: Sequence[int], *, confidence: float = CONFIDENCE) -> Mean:
    """The mean of integer values that occurred so many times each, from exact sums.

    Examples
    --------
    >>> estimate = mean_of([0, 10], [3, 1])
    >>> estimate.mean, round(estimate.sd, 3), round(estimate.se, 3)
    (2.5, 5.0, 2.5)
    """
    total = sum(value * count for value, count in zip(values, counts, strict=True))
    squares = sum(value * value * count for value, count in zip(values, counts, strict=True))
    return mean_from_sums(sum(counts), total, squares, confidence=confidence)


def mean_from_sums(n: int, total: int, squares: int, *, confidence: float = CONFIDENCE) -> Mean:
    """The mean of integer values from their number, their sum and the sum of their squares.

    Raises
    ------
    ValueError
        If there are no hands.

    Examples
    --------
    >>> mean_from_sums(4, 10, 100) == mean_of([0, 10], [3, 1])
    True
    """
    if n < 1:
        raise ValueError("no hands, so no mean")
    # Exact integers up to the one division: n * squares - total**2 loses nothing.
    variance = (n * squares - total * total) / (n * (n - 1)) if n > 1 else math.nan
    sd = math.sqrt(variance)
    se = sd / math.sqrt(n)
    reach = _student_quantile(n - 1, confidence) * se
    mean = total / n
    return Mean(n=n, mean=mean, se=se, sd=sd, low=mean - reach, high=mean + reach)


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
    se = sd / math.sqrt(n)
    reach = _student_quantile(n - 1, confidence) * se
    return Mean(n=n, mean=mean, se=se, sd=sd, low=mean - reach, high=mean + reach)


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
