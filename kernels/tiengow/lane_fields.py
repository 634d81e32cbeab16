"""What a lane holds: the flat array of a batch, field after field."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import helper
from ..keys import stored_key
from ..streams import Key

LANES = 128

# Fields of a lane: the table, in the order of its members,
FIRST, SECOND, THIRD, FOURTH, SIZE, LEADER, STACKS, SHOWN, OPENING, FOURS, SUPREMES = range(11)
LAST_LED, LAST_BEST, LAST_TILES, LAST_LEADER = range(11, 15)
# the random key, the hands as dealt to the seats, the outcome record,
KEY_LOW, KEY_HIGH, DEALT, RESULT, HONOURS = 15, 16, 17, 21, 22
# and the wall (see `deal`): free places, tiles left of the borders, tiles of the takers.
NEAR, FAR, NEAR_LEFT, FAR_LEFT, LEFT, TAKEN, ROW = 23, 24, 25, 29, 33, 41, 45
FIRST_TRICK = 46  # bit 31: the banker took it
# The open trick, where policies need to know more: the plays in their order, whether they lie
# face up, the places that beat the best one, its place, all tiles face up; and how many tricks
# came before.
PLAYS, FACES, BEATERS, BEST_PLACE, OPEN_SHOWN, TRICKS = 47, 51, 55, 56, 57, 58
# Of the seat to play: the tiles that it has not seen, the places at which it may beat (of a
# single lead: the tiles), and its situation, see `players_lanes.look_around`.
UNSEEN_BY, MAY_BEAT, SITUATION = 59, 60, 61
FIELDS = 62


def new_lanes() -> NDArray[np.uint32]:
    """Room for one batch."""
    return np.zeros(FIELDS * LANES, np.uint32)


@helper
def load_key(lanes: Any, lane: int) -> Key:
    """The random key of one lane."""
    return stored_key(lanes[KEY_LOW * LANES + lane], lanes[KEY_HIGH * LANES + lane])
