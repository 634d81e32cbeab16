"""Numbers as text: no exponents, and no chance rounded to nothing or to certainty.

Every table, sentence and figure writes its numbers by these functions.
"""

from __future__ import annotations

import math
from decimal import Decimal

_MOST_DIGITS = 400  # after the point; the smallest number of Python has 324 zeros there


def percentage(share: float, digits: int = 1) -> str:
    """A share in per cent, without the sign, with at least so many digits after the point.

    A share strictly between 0 and 1 gets as many digits as it takes to be told from both.

    Parameters
    ----------
    share : float
        0 to 1.
    digits : int
        Digits after the point.

    Examples
    --------
    >>> percentage(0.2073, 2), percentage(0.00004, 1), percentage(0.99996, 1)
    ('20.73', '0.004', '99.996')
    >>> percentage(0.0), percentage(1.0)
    ('0.0', '100.0')
    """
    if not 0 < share < 1:
        return f"{100 * share:.{digits}f}"
    exact = 100 * Decimal(share)  # 100 times the largest float under 1 is 100 in floats
    for more in range(digits, _MOST_DIGITS):
        text = f"{exact:.{more}f}"
        if text.strip("0.") and not text.startswith("100"):
            break
    return text


def percentage_to(share: float, figures: int = 3) -> str:
    """A share in per cent, without the sign, to so many significant figures of it or of the rest.

    Examples
    --------
    >>> percentage_to(0.2258), percentage_to(4.27826e-06), percentage_to(0.99975)
    ('22.6', '0.000428', '99.9750')
    >>> percentage_to(0.0), percentage_to(1.0)
    ('0', '100')
    """
    rare = 100 * min(share, 1 - share)
    if not 0 < share < 1 or rare <= 0:
        return percentage(share, 0)
    return percentage(share, max(0, figures - 1 - math.floor(math.log10(rare))))


def figures(value: float, number: int = 3, *, signed: bool = False) -> str:
    """A number to so many significant figures, never with an exponent.

    Examples
    --------
    >>> figures(1320.4), figures(0.0000151), figures(-2.5, 2, signed=True), figures(0.0)
    ('1,320', '0.0000151', '-2.5', '0')
    """
    sign = "+" if signed else ""
    if not math.isfinite(value):
        return f"{value:{sign}}"
    if value == 0:
        return f"{0:{sign}}"
    size = math.floor(math.log10(abs(value)))
    rounded = round(Decimal(value), number - 1 - size)
    text = f"{rounded:{sign},f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text
