"""All deals that agree with what a seat has seen, where they are few."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...kernels.tiengow.worlds import WORLD, count_worlds, list_worlds
from .position import Position

EXACT_BELOW = 20_000  # worlds that are played out all


def every_world(position: Position) -> NDArray[np.int64] | None:
    """All worlds of a position, or None where there are too many (20,000 and more).

    Which of the tiles face down lies where changes nothing that is played or paid, so only the
    hands are told apart; rules that look at the tiles of the last trick (``sure_single`` =
    ``actual``) or at dealt patterns are left to sampling.

    Examples
    --------
    >>> from gupai.analysis import read_position
    >>> hands = ["AA99BK63", None, None, None]
    >>> every_world(read_position({"banker": 0, "hands": hands, "tricks": []})) is None
    True
    """
    rules = position.rules
    if rules.sure_single == "actual" or rules.hand_patterns:
        return None
    state = np.array(position.state, np.int64)
    number = int(count_worlds(list(position.state)))
    if number >= EXACT_BELOW:
        return None
    worlds = np.zeros((number, WORLD), np.int64)
    list_worlds(state, worlds)
    return worlds
