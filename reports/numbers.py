"""Numbers as a reader wants them: no more digits than the interval bears out."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from ..analysis.digits import figures, percentage, percentage_to
from ..analysis.errors import InputError
from ..analysis.phrases import phrase
from ..analysis.wording import around, decimals
from .language import said, say

_FACTORS = {"k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}
_SHARES = (phrase("none (under {limit} %)"), phrase("all (over {limit} %)"))
ROUNDED = (phrase("under {limit} %"), phrase("over {limit} %"))
_FEW = {
    "hand": phrase("{value} (too few hands for an interval)"),
    "session": phrase("{value} (too few sessions for an interval)"),
    "deal": phrase("{value} (too few deals for an interval)"),
}
_EVERY = {
    "hand": phrase("{value} (in every hand)"),
    "session": phrase("{value} (in every session)"),
    "deal": phrase("{value} (the mean of every deal)"),
}
_GROUPED = r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?:_[0-9]{3})+"
_HANDS = rf"(?P<number>[+-]?(?:{_GROUPED}|[0-9]+(?:\.[0-9]+)?(?:e\+?[0-9]{{1,3}})?))(?P<factor>[kmgb]?)"


def percent(value: float, low: float, high: float) -> str:
    """A share of hands in percent with its interval.

    Examples
    --------
    >>> percent(0.2073, 0.2055, 0.2091)
    '20.73 % (20.55–20.91)'
    >>> percent(0.0, 0.0, 0.0000038)
    'none (under 0.00038 %)'
    >>> percent(1.0, 0.9999808, 1.0)
    'all (over 99.9981 %)'
    >>> percent(0.0008, 0.0, 0.18), percent(0.0008, 0.0008, 0.0008)
    ('0.1 % (0.0–18.0)', '0.08 %')
    """
    if low == high:  # exact
        return f"{percentage(value, 2)} %"
    if value == 0:
        return say(_SHARES[0], limit=_limit(high))
    if value == 1:
        return say(_SHARES[1], limit=percentage(low, decimals(100 * (1 - low))))
    digits = decimals(50 * (high - low))
    return f"{percentage(value, digits)} % ({percentage(low, digits)}–{percentage(high, digits)})"


def _limit(high: float) -> str:
    return figures(100 * high, 2) if high < 0.99 else percentage_to(high, 2)


def rounded_percent(value: float, low: float, high: float) -> str:
    """As `percent`, of a share that was rounded: 0 does not say that it was never seen.

    Examples
    --------
    >>> rounded_percent(0.0, 0.0, 0.0019), rounded_percent(1.0, 0.9972, 1.0)
    ('under 0.19 %', 'over 99.72 %')
    """
    if value == 0:
        return say(ROUNDED[0], limit=_limit(high))
    if value == 1:
        return say(ROUNDED[1], limit=percentage(low, decimals(100 * (1 - low))))
    return percent(value, low, high)


def mean(value: float, low: float, high: float, *, signed: bool = False, unit: str = "hand") -> str:
    """A mean with its interval: the half-width, or both ends where they are not alike.

    Examples
    --------
    >>> mean(1.3376, 1.2766, 1.3986, signed=True), mean(0.2, 0.0, 1.2)
    ('+1.338 ± 0.061', '0.20 (0.00 to 1.20)')
    """
    half = (high - low) / 2
    if math.isnan(half):
        return say(_FEW[unit], value=figures(value, 4, signed=signed))
    if half == 0:
        return say(_EVERY[unit], value=figures(value, 4, signed=signed))
    return said(around(value, low, high, signed=signed))


def reach_text(reach: float) -> str:
    """Half of the width of an interval, rounded up so that the interval printed is not narrower.

    Examples
    --------
    >>> reach_text(5.5171), reach_text(0.1299)
    ('5.6', '0.13')
    """
    digits = decimals(reach)
    return f"{math.ceil(reach * 10**digits - 1e-9) / 10**digits:.{digits}f}"


FEW = 1000  # hands
FEW_SESSIONS = 100  # or deals, each of which gives several hands
FEW_CASES = 10


def few_hands(hands: int) -> list[str]:
    """A warning, if a result rests on too few hands.

    Examples
    --------
    >>> few_hands(1000), few_hands(999)[0][:30]
    ([], 'Few hands: with 999 intervals ')
    """
    if hands >= FEW:
        return []
    return [
        say(
            "Few hands: with {hands} intervals are wide; play 10,000 or more.",
            hands=f"{hands:,}",
        )
    ]


def few_groups(groups: dict[int, int]) -> list[str]:
    """A warning that names the groups of a split with too few hands.

    Examples
    --------
    >>> few_groups({0: 5000, 3: 12})[0][:32]
    'Few hands in the groups 3 (12): '
    """
    few = [f"{group} ({hands:,})" for group, hands in groups.items() if hands < FEW]
    if not few:
        return []
    return [
        say(
            "Few hands in the groups {groups}: their intervals are wide.",
            groups=", ".join(few),
        )
    ]


def few_sessions(sessions: int) -> list[str]:
    """A warning, if a result rests on too few sessions."""
    if sessions >= FEW_SESSIONS:
        return []
    return [
        say(
            "Few sessions: {n} tell little of what is rare; play 1,000 or more.",
            n=f"{sessions:,}",
        )
    ]


def few_deals(deals: int) -> list[str]:
    """A warning, if a comparison rests on too few deals."""
    if deals >= FEW_SESSIONS:
        return []
    return [say("Few deals: {n} tell apart only what differs much; play 1,000 or more.", n=f"{deals:,}")]


def few_cases(cases: int, of: int) -> list[str]:
    """A warning, if an event, or its contrary, was seen too seldom.

    Examples
    --------
    >>> few_cases(500, 1000), few_cases(3, 1000)[0][:42]
    ([], 'Few cases: the event came in 3 of 1,000 ha')
    """
    if min(cases, of - cases) >= FEW_CASES:
        return []
    return [
        say(
            "Few cases: the event came in {cases} of {hands} hands; for a closer answer play more "
            "hands, or ask with --relative 10%.",
            cases=f"{cases:,}", hands=f"{of:,}",
        )
    ]  # fmt: skip


def rate(per_second: float) -> str:
    """Hands per second, short.

    Examples
    --------
    >>> rate(12_345_678)
    '12.3 M hands/s'
    """
    if per_second >= 1e6:
        return f"{per_second / 1e6:.1f} M hands/s"
    return f"{per_second / 1e3:.1f} k hands/s" if per_second >= 1e3 else f"{per_second:.0f} hands/s"


def duration(seconds: float) -> str:
    """A span of time, short.

    Examples
    --------
    >>> duration(75), duration(9000)
    ('1 min 15 s', '2.5 h')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds // 60:.0f} min {seconds % 60:.0f} s"
    return f"{seconds / 3600:.1f} h" if seconds < 172800 else f"{seconds / 86400:.0f} days"


def parse_hands(text: str, name: str = "--hands") -> int:
    """A number of hands: ``250000``, ``1e6``, ``2M``, ``500k``.

    Raises
    ------
    InputError
        If it is no positive whole number.

    Examples
    --------
    >>> parse_hands("1e6"), parse_hands("2M"), parse_hands("1.5k")
    (1000000, 2000000, 1500)
    """
    problem = InputError(
        f"{name} {text[:40]}: must be a whole number from 1 up, such as 250000, 1e6 or 2M"
    )
    written = re.fullmatch(_HANDS, text.strip().lower())
    if written is None or len(text) > 40:
        raise problem
    plain = written["number"].replace("_", "").replace(",", "")
    value = Decimal(plain) * _FACTORS.get(written["factor"], 1)
    if value > Decimal(10) ** 30 or value != value.to_integral_value():
        raise problem
    number = int(value)
    if number < 1:
        raise problem
    return number


def chance(value: float) -> str:
    """A chance with three significant digits, however small.

    Examples
    --------
    >>> chance(0.2258064), chance(4.27826e-06), chance(0.0), chance(0.9975)
    ('22.6 %', '0.000428 %', '0 %', '99.750 %')
    """
    return f"{percentage_to(value)} %"


def interval(low: float, high: float) -> str:
    """An interval of a chance, to the digits that its width bears out.

    Examples
    --------
    >>> interval(0.24332, 0.24501)
    '24.332 to 24.501 %'
    """
    digits = decimals(50 * (high - low))
    return say("{low} to {high} %", low=percentage(low, digits), high=percentage(high, digits))


def one_in(value: float) -> str:
    """A chance as one in so many.

    Examples
    --------
    >>> one_in(7 / 31), one_in(4.27826e-06), one_in(0.0), one_in(0.9999)
    ('4.43', '234,000', 'never', '1.0001')
    """
    if math.isnan(value) or value == 0:
        return say("never") if value == 0 else say("unknown")
    many = 1 / value
    if many < 1.005:
        return figures(many, 3 + math.ceil(-math.log10(many - 1))) if many > 1 else "1"
    if many < 100:
        return figures(many)
    step = 10 ** (math.floor(math.log10(many)) - 2)
    return f"{round(many / step) * step:,.0f}"


def points_between(low: float, high: float) -> str:
    """A class of points, from `low` to under `high`.

    Examples
    --------
    >>> points_between(-5, -2), points_between(61, math.inf)
    ('-5 to -3', '+61 and more')
    """
    if low == -math.inf:
        return say("under {high}", high=f"{high:+.0f}")
    if high == math.inf:
        return say("{n} and more", n=f"{low:+.0f}")
    last = high - 1
    if last == low:
        return f"{low:+.0f}"
    return say("{low} to {high}", low=f"{low:+.0f}", high=f"{last:+.0f}")


def parse_share(name: str, text: str) -> float:
    """A width, ``0.001`` or ``1%``.

    Raises
    ------
    InputError
        If it is not above 0 and below 1.

    Examples
    --------
    >>> parse_share("--relative", "1%"), parse_share("--precision", "0.001")
    (0.01, 0.001)
    """
    written = text.strip()
    try:
        value = float(written.removesuffix("%")) / (100 if written.endswith("%") else 1)
    except ValueError:
        value = math.nan
    if not 0 < value < 1:
        raise InputError(f"{name} {text[:40]}: must be above 0 and below 1, such as 0.001 or 1%")
    return value
