"""How many hands it takes to know a share to a width, and an interval that holds at the end.

An ordinary interval holds for one number of hands fixed beforehand; whoever plays until it looks
narrow misses the truth far too often.  Here a first part of the hands does nothing but tell how many
more it takes; the share is then counted in those alone (Stein, 1945, for means).  Their number was
fixed before any of them was played, so that their exact interval holds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .estimates import CONFIDENCE, Proportion, exact_interval

_LOOK, _COUNT = 0.05, 0.9  # parts of the error spent on the first look and on the first count
_MARGIN = 1.3  # standard errors that a count may fall on the bad side of what was foreseen
_PILOT = 8  # the first part is to be at least one in so many of the hands it plans


@dataclass(frozen=True, kw_only=True)
class Width:
    """The width of an interval that is asked for.

    Attributes
    ----------
    absolute, relative : float or None
        At most so wide, and in parts of the share.
    """

    absolute: float | None = None
    relative: float | None = None

    def reached(self, share: Proportion) -> bool:
        """Whether an interval is narrow enough."""
        width = share.high - share.low
        return (self.absolute is None or width <= self.absolute) and (
            self.relative is None or (share.count > 0 and width <= self.relative * share.value)
        )


def counted(count: int, n: int, *, error: float = 1.0, confidence: float = CONFIDENCE) -> Proportion:
    """A share with its exact interval, at a part of the error that is allowed.

    Examples
    --------
    >>> round(counted(500, 1000).high, 4), round(counted(500, 1000, error=0.9).high, 4)
    (0.5315, 0.5322)
    """
    low, high = exact_interval(count, n, confidence=1 - error * (1 - confidence))
    return Proportion(count=count, n=n, value=count / n, low=low, high=high)


class Plan:
    """Parts in which hands are played until a share is known to a width.

    Parameters
    ----------
    width : Width
    most : int
        Hands after which to give up.

    Attributes
    ----------
    hands : int
        Hands played so far.
    before : int
        Of them, those that only told how many to play: the others are counted.
    share : Proportion or None
        The share and its interval; None while nothing is known.
    error : float
        The part of the error that its interval was given: all parts add up to 1 at most, so that
        one of all intervals misses the share with a chance of 5 % at most.

    Examples
    --------
    >>> plan = Plan(Width(absolute=0.02), most=10**6)
    >>> while (hands := plan.following()) is not None:
    ...     plan.add(hands, met=hands, happened=hands // 2)
    >>> plan.before, plan.hands
    (1269, 11415)
    """

    def __init__(self, width: Width, *, most: int) -> None:
        self._width, self._most = width, most
        self.hands = self.before = 0
        self.share: Proportion | None = None
        self.error = _LOOK
        self._met = self._happened = 0  # all hands
        self._counts = False  # whether the part that is being played is counted
        self._left = 1 - _LOOK - _COUNT
        self._done = False

    def following(self) -> int | None:
        """How many hands to play next; None if the width is reached, or cannot be."""
        if self._done or self.hands >= self._most:
            return None
        first = self._first()
        # The first look is taken when so many hands meet the condition, whatever happens in them.
        if self._met < first and self.hands < self._most // 4 and first < self._most // 2:
            if self._met == 0:
                return max(self.hands, first)
            return min(self.hands, math.ceil((first - self._met) / self._met * self.hands) + 1)
        if self.hands and not self._counts:
            wanted = self._hands_for(self._needed())
            grown = min(2 * self.hands, math.ceil(min(wanted, self._most) / _PILOT))
            if self.hands < grown:
                return grown - self.hands
        # From here on the hands are counted.
        left = self._most - self.hands
        wanted = left if self.hands == 0 else self._hands_for(self._needed())
        self.before, self.error = self.hands, 1.0 if self.hands == 0 else self._error()
        self._counts = True
        return int(min(wanted, left))

    def add(self, hands: int, *, met: int, happened: int) -> None:
        """Hands that were played, those that met the condition, and those of them with the event."""
        first = self._met < self._first() <= self._met + met
        self.hands += hands
        self._met += met
        self._happened += happened
        if met and (self._counts or first):
            self.share = counted(happened, met, error=self.error)
            self._done = self._width.reached(self.share)

    def stop(self) -> None:
        """Take what there is: somebody ends the run early, whatever was seen."""
        if self._met and (not self._counts or self.hands == self.before):
            self.before = 0
            self.share = counted(self._happened, self._met, error=_COUNT)

    def _first(self) -> int:
        """Hands of the first part: with none of them an event, they would do for an absolute width."""
        if self._width.absolute is None:
            return 128
        tail = _LOOK * (1 - CONFIDENCE) / 2
        return math.ceil(math.log(tail) / math.log1p(-min(self._width.absolute, 0.5)))

    def _error(self) -> float:
        """The part of the error for the next count: nine tenths, then half of what is left."""
        if not self._counts:
            return _COUNT
        self._left /= 2
        return self._left

    def _hands_for(self, met: float) -> float:
        """Hands that so many hands that meet the condition take."""
        if self._met == 0 or met == math.inf:
            return math.inf
        rate = self._met / self.hands
        # A count spreads, and so does the rate that was seen.
        spread = math.sqrt(met * (1 - rate) * (1 + met / self._met))
        return math.ceil((met + _MARGIN * spread) / rate)

    def _needed(self) -> float:
        """Hands that meet the condition after which the interval is narrow, most likely."""
        if self._met == 0:
            return math.inf
        spread = 0.2  # the chance to fall on the bad side of both ends
        likely = exact_interval(self._happened, self._met, confidence=1 - spread)
        error = _COUNT if not self._counts else self._left / 2
        most = 2 * self._most
        if self._width.relative is not None and not self._narrow(most, likely, error):
            return math.inf
        low, high = 1, most
        while high - low > max(1, low // 1000):
            middle = math.isqrt(low * high) if high > 4 * low else (low + high) // 2
            low, high = (low, middle) if self._narrow(middle, likely, error) else (middle, high)
        return high

    def _narrow(self, n: int, likely: tuple[float, float], error: float) -> bool:
        """Whether the interval of `n` hands is narrow for every share that is likely."""
        few, many = (
            n * share + side * _MARGIN * math.sqrt(n * share * (1 - share))
            for share, side in zip(likely, (-1, 1), strict=True)
        )
        ends = {max(0, math.floor(few)), min(n, math.ceil(many))}
        ends |= {n // 2} if few < n / 2 < many else set()  # there an interval is widest
        return all(self._width.reached(counted(end, n, error=error)) for end in ends)
