"""How rare something is, in words."""

from __future__ import annotations

import math

from ..phrases import Phrase, phrase


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
