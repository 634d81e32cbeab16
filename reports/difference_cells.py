"""Cells of differences: with an interval, bounded where none was seen, 0 where none can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis.estimates import Mean, proportion
from ..analysis.wording import around, decimals
from .language import said, say
from .numbers import percent

if TYPE_CHECKING:
    from ..analysis import Compared, Comparison


def difference_cell(value: Compared | Mean, times: float = 1.0) -> str:
    """A difference with its interval; 0 alone where no hand can differ."""
    by = value.mean if isinstance(value, Mean) else value.difference
    low, high = times * value.low, times * value.high
    if low == high == 0:
        return "0"
    if by == value.sd == 0:
        return _none_seen(low, high)
    return said(around(times * by, low, high, signed=True))


def _none_seen(low: float, high: float) -> str:
    """What is said where no hand was seen to differ, though it can."""
    least, most = (f"{end:+.{decimals(abs(end))}f}" for end in (low, high))
    if low == 0:
        return say("none seen (under {limit})", limit=most)
    if high == 0:
        return say("none seen ({low} to {high})", low=least, high="0")
    return say("none seen ({low} to {high})", low=least, high=most)


def money_cell(result: Comparison, source: str) -> str:
    """By how much what changes hands differs, by source."""
    change = result.money_changes.get(source)  # results saved by earlier versions have none
    return "" if change is None else difference_cell(change)


def changed_cell(result: Comparison) -> str:
    """The share of hands whose points differ."""
    if all(value.low == value.high for value in result.points.values()):
        return "0"
    share = proportion(result.changed, result.run.hands)
    return percent(share.value, share.low, share.high)
