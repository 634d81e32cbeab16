"""Policies that a user wrote: compiled by themselves and called by their address.

Such a policy takes a view (int64 array, see ``state.py``) and returns the tiles it plays as tile
bits; a negative number puts them face down though they might beat.
"""

from __future__ import annotations

from typing import Any

from .._jit import routine
from ..foreign import call_policy
from ..word import count, integer, word
from .plays import Kind, Move, beats, is_combination
from .state import BEATS, CIVIL_LED, HAND, MAY_SHOW, MILITARY_LED, POSITION

USER = 6  # the kind of such a policy; its address stands in place of its first weight
ILLEGAL = "a policy played tiles that are not legal"


@routine
def user_move(address: int, view: Any) -> Move:
    """The play of a user's policy.

    Raises
    ------
    ValueError
        If it is not legal.
    """
    answer = call_policy(address, view)
    tiles = -answer if answer < 0 else answer
    play, hand = word(tiles), word(view[HAND])
    if tiles == 0 or tiles >> 32 != 0 or (play & ~hand) != 0:
        raise ValueError(ILLEGAL)
    if view[POSITION] == 0:
        if not is_combination(play):
            raise ValueError(ILLEGAL)
        return Move(play, True)
    kind = Kind(word(view[CIVIL_LED]), word(view[MILITARY_LED]))
    if integer(count(play)) != view[CIVIL_LED] + view[MILITARY_LED]:
        raise ValueError(ILLEGAL)
    shows = answer > 0 and view[MAY_SHOW] != 0 and beats(play, kind, word(view[BEATS]))
    return Move(play, shows)
