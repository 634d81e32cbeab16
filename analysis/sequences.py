"""A confidence sequence: an interval that may be looked at after every hand.

An ordinary interval holds for one number of hands fixed beforehand; whoever plays until it looks
narrow misses the truth far too often.  This one covers the truth at all times together with the
stated confidence, so a run may stop on its width.
"""

from __future__ import annotations

import math

from .estimates import CONFIDENCE, Proportion


def confidence_sequence(count: int, n: int, *, confidence: float = CONFIDENCE) -> Proportion:
    """The interval of a share that holds for all numbers of hands at once.

    A share p is kept while the likelihood ratio of the mixture with a Beta(1/2, 1/2) weight against p
    stays under 1 / (1 - confidence); by Ville's inequality (1939) the true share is ever dropped with
    at most that chance (Robbins, 1970).

    Parameters
    ----------
    count, n : int
        Hands in which it happened, hands played.
    confidence : float

    Examples
    --------
    >>> sequence = confidence_sequence(500, 1000)
    >>> round(sequence.low, 3), round(sequence.high, 3)
    (0.442, 0.558)
    """
    if n < 1 or not 0 <= count <= n:
        raise ValueError(f"count {count} of {n} hands is no share")
    missed = n - count
    mixture = (
        math.lgamma(count + 0.5) + math.lgamma(missed + 0.5) - math.lgamma(n + 1) - math.log(math.pi)
    )
    bound = mixture + math.log(1 - confidence)

    def likelihood(p: float) -> float:
        return (count * math.log(p) if count else 0.0) + (missed * math.log1p(-p) if missed else 0.0)

    def edge(inside: float, outside: float) -> float:
        for _ in range(200):
            middle = (inside + outside) / 2
            if middle in (inside, outside):
                break
            if likelihood(middle) >= bound:
                inside = middle
            else:
                outside = middle
        return outside

    share = count / n
    low = 0.0 if count == 0 else edge(share if missed else 1 - 1e-16, 0.0 + 5e-324)
    high = 1.0 if missed == 0 else edge(share if count else 1e-300, 1.0 - 1.2e-16)
    return Proportion(count=count, n=n, value=share, low=low, high=high)
