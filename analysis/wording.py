"""Estimates in sentences: a value with its interval, to the digits that this bears out."""

from __future__ import annotations

import math

from .phrases import Phrase, phrase

_EVEN = 0.1  # of an interval's width: so far its middle may lie from the value and still be told as ±


def decimals(half_width: float) -> int:
    """Digits after the point that show two significant digits of an interval's half-width.

    Examples
    --------
    >>> decimals(0.0123), decimals(12.3)
    (3, 0)
    """
    if not 0 < half_width < math.inf:
        return 2
    return min(12, max(0, 1 - math.floor(math.log10(half_width))))


def around(value: float, low: float, high: float, *, signed: bool = False) -> Phrase:
    """A value with its interval: ± where it lies in the middle, else both ends.

    Examples
    --------
    >>> around(1.3376, 1.2766, 1.3986), around(-0.2, -3.1, 0.0, signed=True)
    ('1.338 ± 0.061', '-0.2 (-3.1 to +0.0)')
    """
    half = (high - low) / 2
    sign = "+" if signed else ""
    digits = decimals(half)
    shown = f"{value:{sign}.{digits}f}"
    if math.isnan(half):
        return phrase("{value} (too few hands for an interval)", value=shown)
    if abs((low + high) / 2 - value) <= _EVEN * 2 * half:
        return phrase("{value} ± {half}", value=shown, half=f"{half:.{digits}f}")
    return phrase(
        "{value} ({low} to {high})",
        value=shown, low=f"{low:{sign}.{digits}f}", high=f"{high:{sign}.{digits}f}",
    )  # fmt: skip
