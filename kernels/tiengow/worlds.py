"""Worlds: deals of the tiles that a seat has not seen, which agree with all that it has seen.

A world gives every other seat the tiles in its hand and those face down before it.  Only the
public part of a state and the seat's own tiles are used to make one.
"""

from __future__ import annotations

from typing import Any

from .._jit import kernel, routine
from ..keys import hand_key, key_under
from ..series import AGAIN
from ..streams import WORLDS, Key, draw
from ..word import count, integer, lowest, share, word
from .features import pattern_ending
from .state import (
    DEALT,
    DOWN,
    FACES,
    FIRST,
    FIRST_WINNER,
    LEADER,
    PLAYED,
    PLAYS,
    SIZE,
    UP,
    to_play,
)
from .switches import Switches
from .tiles import ALL

# A world: by seat the tiles in hand, all that lie face down, and those of them in the open trick.
WORLD = 12
_TRIES = 64  # to find a world that no hand pattern would have ended
MANY = 1 << 40  # in place of any larger number of worlds


@routine
def unseen_by(state: Any, me: int) -> int:
    """The tiles that a seat, whose turn it is, has not seen."""
    seen = word(state[FIRST + state[PLAYED]] | state[DOWN + me])
    for seat in range(4):
        seen |= word(state[UP + seat])
    return word(ALL) & ~seen


@routine
def combinations(things: int, chosen: int) -> int:
    """In how many ways so many of some things can be chosen."""
    ways = 1
    for number in range(chosen):
        ways = ways * (things - number) // (number + 1)
    return ways


@routine
def count_worlds(state: Any) -> int:
    """In how many ways the others may hold the unseen tiles, at most `MANY`."""
    me = to_play(state)
    left, ways = integer(count(unseen_by(state, me))), 1
    for place in range(1, 4):
        size = tiles_in_hand(state, me + place & 3)
        ways *= combinations(left, size)
        left -= size
        if ways > MANY:
            return MANY
    return ways


@routine
def nth_world(state: Any, index: int, world: Any) -> None:
    """World number `index` of `count_worlds`; what lies face down is told apart by hands alone."""
    me = to_play(state)
    unseen = unseen_by(state, me)
    for seat in range(4):
        world[seat] = world[4 + seat] = world[8 + seat] = 0
    for place in range(1, 4):
        seat = me + place & 3
        things, size = integer(count(unseen)), tiles_in_hand(state, seat)
        ways = combinations(things, size)
        rank = index % ways
        index //= ways
        rest = unseen
        while size > 0:
            tile = lowest(rest)
            rest = rest ^ tile
            things -= 1
            with_it = combinations(things, size - 1)
            if rank < with_it:
                world[seat] |= integer(tile)
                unseen = unseen ^ tile
                size -= 1
            else:
                rank -= with_it
    for place in range(1, 4):
        seat = me + place & 3
        open_ones = tiles_down_now(state, seat)
        for _ in range(tiles_down(state, seat)):
            tile = lowest(unseen)
            unseen = unseen ^ tile
            world[4 + seat] |= integer(tile)
            if open_ones > 0:
                world[8 + seat] |= integer(tile)
                open_ones -= 1
    world[me], world[4 + me] = state[FIRST + state[PLAYED]], state[DOWN + me]


@kernel
def list_worlds(state: Any, worlds: Any) -> None:
    """All worlds; rows of `worlds` (int64, `count_worlds` × `WORLD`) receive them."""
    for number in range(worlds.shape[0]):
        nth_world(state, number, worlds[number])


@routine
def draw_world(state: Any, key: Key, world: Any) -> None:
    """Deal the tiles that the seat to play has not seen, evenly, to hands and face-down plays.

    `state` may hold anything in the places of those tiles: only how many lie there is read.
    """
    me = to_play(state)
    unseen = unseen_by(state, me)
    for seat in range(4):
        world[seat] = world[4 + seat] = world[8 + seat] = 0
    left = integer(count(unseen))
    number = 0
    for place in range(8):
        seat = place & 3
        if seat == me:
            continue
        in_hand = place < 4
        wanted = tiles_in_hand(state, seat) if in_hand else tiles_down(state, seat)
        open_ones = 0 if in_hand else tiles_down_now(state, seat)
        for _ in range(wanted):
            skip = integer(share(draw(key, WORLDS, number), word(left)))
            number += 1
            tile = unseen
            for _step in range(skip):
                tile = tile & (tile - 1)
            tile = lowest(tile)
            unseen = unseen ^ tile
            world[place] |= integer(tile)
            if open_ones > 0:
                world[8 + seat] |= integer(tile)
                open_ones -= 1
            left -= 1
    world[me], world[4 + me] = state[FIRST + state[PLAYED]], state[DOWN + me]


@routine
def tiles_down_now(state: Any, seat: int) -> int:
    """How many tiles a seat has put face down in the open trick."""
    place = seat - state[LEADER] & 3
    if place < state[PLAYED] and state[FACES + place] == 0:
        return integer(count(word(state[PLAYS])))
    return 0


@routine
def tiles_in_hand(state: Any, seat: int) -> int:
    """How many tiles a seat holds."""
    has_played = (seat - state[LEADER] & 3) < state[PLAYED]
    tiles: int = state[SIZE] - (integer(count(word(state[PLAYS]))) if has_played else 0)
    return tiles


@routine
def tiles_down(state: Any, seat: int) -> int:
    """How many tiles a seat has put face down: all that it has neither shown nor holds."""
    return 8 - tiles_in_hand(state, seat) - integer(count(word(state[UP + seat])))


@routine
def enter_world(state: Any, world: Any, into: Any) -> None:
    """The state as it would be in a world."""
    into[:] = state
    for place in range(4):
        seat = state[LEADER] + place & 3
        into[FIRST + place] = world[seat]
        if place < state[PLAYED]:  # what it has played stays part of its hand until the trick ends
            play = state[PLAYS + place] if state[FACES + place] != 0 else world[8 + seat]
            into[PLAYS + place] = play
            into[FIRST + place] |= play
        into[DOWN + seat] = world[4 + seat]
        into[DEALT + seat] = world[seat] | world[4 + seat] | state[UP + seat]
    into[FIRST_WINNER] = -1


@routine
def is_possible(state: Any, world: Any, rules: Switches) -> bool:
    """Whether no hand pattern would have ended the hand in this world."""
    if rules.hand_patterns != 0:
        for seat in range(4):
            dealt = word(world[seat] | world[4 + seat] | state[UP + seat])
            if pattern_ending(dealt, rules) != 0:
                return False
    return True


@kernel
def sample_worlds(state: Any, seed: Any, series: int, start: int, rules: Switches, worlds: Any) -> None:
    """Worlds number `start` on of a series; rows of `worlds` (int64, n × `WORLD`) receive them."""
    for number in range(worlds.shape[0]):
        key = hand_key(seed, series, start + number)
        for attempt in range(_TRIES):
            draw_world(state, key, worlds[number])
            if is_possible(state, worlds[number], rules):
                break
            key = key_under(key, AGAIN, attempt)
