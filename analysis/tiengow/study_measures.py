"""What a way to play did, deal by deal: whether a study's ways differ in what they claim to."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...kernels.tiengow.endings import SUPREME_WON
from ...kernels.tiengow.outcome import LED_63
from ...kernels.tiengow.settlement import LAST_SIZE
from ..phrases import phrase
from .study_ways import Tried

FOUR_LED = phrase("four led before the last trick")
SUPREME_LED = phrase("63 led before the last trick")
FIRST_TRICK = phrase("banker takes the first trick")
BEATS_BANKER = phrase("beats the banker in the first three tricks")
BEATS_NON_BANKER = phrase("beats another non-banker in the first three tricks")
BANKER_AHEAD = phrase("banker takes two of the first three tricks")
COMBINATION_LED = phrase("leads two tiles or more at once")
OTHERWISE = phrase("hand goes otherwise")
Measured = Callable[[Tried], NDArray[np.bool_]]

_EVENT, _LEADER = 9, 3  # bits of the honours a four, and of a leader


def four_led(tried: Tried) -> NDArray[np.bool_]:
    """The seat led a four before the last trick."""
    honours = tried.kept[:, :, 1].astype(np.int64)
    found = np.zeros(honours.shape, np.bool_)
    for number in range(2):
        event = honours >> _EVENT * number
        led = (event & 1 != 0) & (event >> 1 & _LEADER == tried.seat)
        found |= led & (tried.settled[:, :, LAST_SIZE] != 4) if number == 0 else led
    return found


def supreme_led(tried: Tried) -> NDArray[np.bool_]:
    """The seat led 63 before the last trick."""
    event = tried.kept[:, :, 1].astype(np.int64) >> LED_63
    ending = tried.kept[:, :, 0].astype(np.int64) >> 4 & 15
    led: NDArray[np.bool_] = (event & 1 != 0) & (event >> 1 & _LEADER == tried.seat)
    found: NDArray[np.bool_] = led & (ending != SUPREME_WON)
    return found


def first_trick(tried: Tried) -> NDArray[np.bool_]:
    """The banker took the first trick."""
    found: NDArray[np.bool_] = tried.kept[:, :, 0] >> np.uint32(31) != 0
    return found


def goes_otherwise(tried: Tried) -> NDArray[np.bool_]:
    """The hand came to another result than with the first way."""
    found: NDArray[np.bool_] = (tried.kept[:, :, :2] != tried.kept[:, :1, :2]).any(axis=2)
    return found


def beats_banker(tried: Tried) -> NDArray[np.bool_]:
    """In the first three tricks the seat beat a play of the banker that was the best till then."""
    return _beats(tried, banker=True)


def beats_non_banker(tried: Tried) -> NDArray[np.bool_]:
    """In the first three tricks the seat beat a play of another non-banker."""
    return _beats(tried, banker=False)


def banker_ahead(tried: Tried) -> NDArray[np.bool_]:
    """The banker took two or more of the first three tricks."""
    _, best = _followed(tried)
    found: NDArray[np.bool_] = (best == 0).sum(axis=2) >= 2
    return found


def combination_led(tried: Tried) -> NDArray[np.bool_]:
    """The seat led two tiles or more at once, before the last trick."""
    plays = tried.plays
    led: NDArray[np.bool_] = (plays[..., 0] == tried.seat) & (plays[..., 1] > 1)
    not_last = np.cumsum(plays[..., 1], axis=2) < 8
    found: NDArray[np.bool_] = np.asarray((led & not_last).any(axis=2), np.bool_)
    return found


def _beats(tried: Tried, *, banker: bool) -> NDArray[np.bool_]:
    beaten, _ = _followed(tried)
    victims = beaten[..., tried.seat]
    hit = victims == 0 if banker else victims > 0
    found: NDArray[np.bool_] = np.asarray(hit.any(axis=2), np.bool_)
    return found


def _followed(tried: Tried) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of the first three tricks: whom each seat beat (deals × ways × tricks × seats), and who won.

    -1 stands for nobody.
    """
    plays = tried.plays[:, :, :3]
    best: NDArray[np.int64] = plays[..., 0].copy()
    best[plays[..., 1] == 0] = -1
    beaten: NDArray[np.int64] = np.full((*best.shape, 4), -1)
    for place in range(1, 4):
        seat: NDArray[np.int64] = plays[..., 0] + place & 3
        beats: NDArray[np.bool_] = (plays[..., 1] > 0) & (plays[..., 6 + place] != 0)
        for number in range(4):
            here = beats & (seat == number)
            beaten[here, number] = best[here]
        best[beats] = seat[beats]
    return beaten, best
