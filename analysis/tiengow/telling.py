"""How many deals it takes to tell two policies apart, and how much of the points is skill.

Both are ratios of what one tournament measured, and have intervals of their own.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..estimates import FEWEST, normal_quantile

_POWER = 0.8
_Range = tuple[float, float]
_UNKNOWN = (math.nan, math.nan)


def to_tell(
    difference: NDArray[np.float64], squares: NDArray[np.float64]
) -> tuple[float, tuple[float, float]]:
    """Observations after which a difference shows at 95 % with chance 0.8, and their interval.

    The number depends on the difference in standard deviations alone, whose interval is the normal
    one (delta method, so that the spread is not taken as known); where it holds zero the number may
    be without end.

    Parameters
    ----------
    difference : float array, n
        Of each deal.
    squares : float array, n
        What the variance of one observation is the mean of.

    Returns
    -------
    tuple of float and tuple of two floats
        nan for the interval where there are too few deals, or none differs.

    Examples
    --------
    >>> each = np.tile([0.0, 3.0], 500)
    >>> number, (low, high) = to_tell(each, (each - 1.5) ** 2)
    >>> round(number, 1), round(low, 1), round(high, 1)
    (7.8, 7.0, 8.9)
    """
    n, mean, variance = len(difference), float(difference.mean()), float(squares.mean())
    if variance == 0 or not difference.any():
        return math.inf, _UNKNOWN
    sd = math.sqrt(variance)
    effect = mean / sd
    shown = normal_quantile(0.95) + normal_quantile(2 * _POWER - 1)

    def number(size: float) -> float:
        return (shown / size) ** 2 if size != 0 else math.inf

    if n < FEWEST:
        return number(effect), _UNKNOWN
    moves = (difference - mean) / sd - effect * (squares / variance - 1) / 2
    reach = normal_quantile() * float(moves.std(ddof=1)) / math.sqrt(n)
    near, far = abs(effect) - reach, abs(effect) + reach
    return number(effect), (number(far), number(near) if near > 0 else math.inf)


def shares_of_variance(points: NDArray[np.int64]) -> tuple[tuple[float, _Range], tuple[float, _Range]]:
    """Shares of the variance of a seat's points by policy, and by cards and seat, with intervals.

    A two-way table: rows are deal and seat, columns the policy of that seat, cells its points
    averaged over the opponents; the total is that of single hands.

    What the policies' means differ by is the length of a vector.  The one that was measured is as
    long as the true one up to the length of their error, whose distribution is that of a sum of
    squares (Satterthwaite, 1946); that holds even where all policies are equally good.

    Parameters
    ----------
    points : int array, deals × policies × opponents × seats
    """
    deals, policies = points.shape[:2]
    single = ((points - points.mean()) ** 2).mean(axis=(1, 2, 3))  # of each deal
    total = float(single.mean())
    if total == 0:
        return (0.0, _UNKNOWN), (0.0, _UNKNOWN)
    means = points.mean(axis=2)  # deals, policies, seats
    own = means.mean(axis=2)
    apart = own - own.mean(axis=1, keepdims=True)
    covariance = np.cov(apart.T, bias=True).reshape(policies, policies) / max(deals - 1, 1)
    noise = float(np.trace(covariance)) / policies
    measured = float((apart.mean(axis=0) ** 2).mean())
    skill = max(measured - noise, 0.0)  # the noise of the means is no skill
    # Without the part of the row means that is noise of the columns within a row.
    within = (means - means.mean(axis=0)).var(axis=1, ddof=1).mean(axis=1)
    rows = ((means.mean(axis=1) - means.mean()) ** 2).mean(axis=1)
    of_cards = rows - within / policies
    cards = max(float(of_cards.mean()), 0.0)
    found = skill / total, cards / total
    if deals < FEWEST:
        return (found[0], _UNKNOWN), (found[1], _UNKNOWN)

    z = normal_quantile()
    error = math.sqrt(noise * _sum_of_squares(covariance)) if noise > 0 else 0.0
    off = z * float(single.std(ddof=1)) / math.sqrt(deals)  # of the total
    skill_range = (
        max(math.sqrt(measured) - error, 0.0) ** 2 / (total + off),
        min((math.sqrt(measured) + error) ** 2 / max(total - off, 1e-300), 1.0),
    )
    reach = z * float((of_cards - found[1] * single).std(ddof=1)) / math.sqrt(deals) / total
    return (found[0], skill_range), (found[1], (max(found[1] - reach, 0.0), min(found[1] + reach, 1.0)))


def _sum_of_squares(covariance: NDArray[np.float64], chance: float = 0.95) -> float:
    """What the mean square of such an error stays under, in parts of its expectation."""
    from scipy.special import chdtri

    freedom = float(np.trace(covariance) ** 2 / (covariance**2).sum())
    return float(chdtri(freedom, 1 - chance)) / freedom
