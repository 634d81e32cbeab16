"""How rare something is, and what is gained or lost, in words."""

from __future__ import annotations

import math

from ..estimates import Mean
from ..phrases import Phrase, phrase
from ..wording import around


def gain_in_words(difference: Mean) -> Phrase:
    """A gain or a loss with its interval, in words.

    Examples
    --------
    >>> from gupai.analysis import mean_of_floats
    >>> gain_in_words(mean_of_floats([1.0, 1.5, 2.0, 1.5] * 50))
    'gains 1.500 ± 0.049 points a hand'
    >>> gain_in_words(mean_of_floats([0.0] * 1000))
    'is what the tuned policy does already (1,000 deals went the same)'
    """
    if difference.mean == difference.sd == 0:
        return phrase(
            "is what the tuned policy does already ({n} deals went the same)", n=f"{difference.n:,}"
        )
    if difference.low <= 0 <= difference.high:
        by = around(difference.mean, difference.low, difference.high, signed=True)
        return phrase("makes no clear difference ({by} points a hand)", by=by)
    if difference.mean > 0:
        by = around(difference.mean, difference.low, difference.high)
        return phrase("gains {by} points a hand", by=by)
    by = around(-difference.mean, -difference.high, -difference.low)
    return phrase("costs {by} points a hand", by=by)


def once_in(count: int, n: int) -> Phrase:
    """How rare something is, in words.

    Examples
    --------
    >>> once_in(4, 1000), once_in(0, 1000)
    ('once in 250 hands', 'never in 1,000 hands')
    """
    if count == 0:
        return phrase("never in {n} hands", n=f"{n:,}")
    step = 10 ** max(math.floor(math.log10(n / count)) - 1, 0)
    return phrase("once in {n} hands", n=f"{round(n / count / step) * step:,}")
