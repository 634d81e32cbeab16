"""The mean of whole numbers that rules bound, with an interval that counts what was not seen.

Differences between two rule sets are 0 in nearly every hand; points are skewed.  Student's interval
collapses on the one (no difference seen: no width) and is too narrow on the other.  This one takes
the sum apart into what lies above and below the median, bounds each part as a sum of rare
events with weights (Fay and Feuer, Statistics in Medicine 16, 1997: gamma distributions of the same
mean and variance, the upper one with one event more), and puts the parts together as Zou and Donner do
(Statistics in Medicine 27, 2008).

The one event more is the next that would be seen: with the chance 1 / (events seen + 1) it is the
largest that the rules allow, else one of those seen.  So where nothing was seen the bound is the
exact one of the share of hands times the largest change possible (3.7 hands), and where much was seen it
is that of the normal distribution, skewed as the numbers are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from .estimates import CONFIDENCE, Mean, mean_of


def bounded_mean(
    values: Iterable[int],
    counts: Iterable[int],
    *,
    least: int,
    most: int,
    confidence: float = CONFIDENCE,
) -> Mean:
    """The mean of whole numbers that occurred so many times each and cannot leave a range.

    Parameters
    ----------
    values, counts : iterable of int
        The distinct numbers, and in how many hands each was seen.
    least, most : int
        What the rules allow; where both are equal there is nothing to estimate.
    confidence : float
        Chance that the interval covers the truth.

    Returns
    -------
    Mean
        Its interval does not lie evenly around the mean where little was seen.

    Raises
    ------
    ValueError
        If there are no hands, or a number lies outside of the range.

    Examples
    --------
    >>> nothing_seen = bounded_mean([0], [1000], least=-20, most=0)
    >>> nothing_seen.mean, round(nothing_seen.low, 3), nothing_seen.high
    (0.0, -0.074, 0.0)
    >>> bounded_mean([0], [1000], least=0, most=0).low
    0.0
    """
    pairs = sorted((int(v), int(c)) for v, c in zip(values, counts, strict=True) if c)
    if pairs and not least <= pairs[0][0] <= pairs[-1][0] <= most:
        raise ValueError(f"numbers from {pairs[0][0]} to {pairs[-1][0]} leave {least} to {most}")
    plain = mean_of([v for v, _ in pairs], [c for _, c in pairs], confidence=confidence)
    n = plain.n
    base = _median(pairs, n)
    above = _Part([(v - base, c) for v, c in pairs if v > base], n, most - base, confidence)
    below = _Part([(base - v, c) for v, c in pairs if v < base], n, base - least, confidence)
    squares = above.squares + below.squares
    # As rare events the hands would spread by their squares; so many less they do around their mean.
    narrower = 1.0
    if squares:
        narrower = math.sqrt(max(1 - (above.total - below.total) ** 2 / (n * squares), 0.0))
    down = narrower * math.hypot(above.down, below.up) / n
    up = narrower * math.hypot(above.up, below.down) / n
    low, high = max(plain.mean - down, float(least)), min(plain.mean + up, float(most))
    return Mean(n=n, mean=plain.mean, se=plain.se, sd=plain.sd, low=low, high=high)


def _median(pairs: list[tuple[int, int]], n: int) -> int:
    passed = 0
    for value, count in pairs:
        passed += count
        if 2 * passed >= n:
            return value
    raise ValueError("no hands, so no median")


class _Part:
    """A sum of rare events, each with a weight above 0, and how far the true sum may lie from it.

    Attributes
    ----------
    total, squares : int
        Sums of the weights and of their squares.
    down, up : float
        How far below and above `total` the interval reaches.
    """

    def __init__(
        self, events: list[tuple[int, int]], hands: int, largest: int, confidence: float
    ) -> None:
        seen = sum(count for _, count in events)
        self.total = sum(weight * count for weight, count in events)
        self.squares = sum(weight * weight * count for weight, count in events)
        tail = (1 - confidence) / 2
        self.down = self.up = 0.0
        if seen:
            self.down = self.total - _gamma_quantile(tail, self.total, self.squares)
        elif largest > 0:  # no event in so many hands: Clopper and Pearson
            self.up = -hands * largest * math.expm1(math.log(tail) / hands)
        if seen and largest > 0:
            more = (self.total + largest) / (seen + 1), (self.squares + largest**2) / (seen + 1)
            high = _gamma_quantile(1 - tail, self.total + more[0], self.squares + more[1])
            self.up = high - self.total


def _gamma_quantile(chance: float, mean: float, variance: float) -> float:
    """The quantile of the gamma distribution with this mean and variance."""
    from scipy.special import gammaincinv

    return float(gammaincinv(mean / variance * mean, chance)) * (variance / mean)
