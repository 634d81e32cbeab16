"""One hand by itself: the plain loop.

It deals by taking each tile to its place on a wall, and plays trick by trick with the same
`play_trick` as the lanes.  It serves to show a hand, and the lanes are checked against it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._jit import helper, kernel
from ..keys import hand_key
from ..streams import WALL, Key, draw
from ..word import integer, share, word
from .deal import BLOCKS, TILES, Taking, place_on_wall, throw_dice
from .features import pattern_ending
from .outcome import Outcome, outcome_of, pattern_outcome
from .switches import Switches
from .table import new_table, take_trick
from .trick import EACH_ITS_OWN, play_trick


@helper
def build_wall(key: Key, taking: Taking, wall: Any) -> None:
    """A shuffled wall: ``wall[place]`` is a tile; places go column by column, top to bottom.

    The tiles are shuffled in the words of ``deal.py``: one after another each takes one of the
    free places.  Here the free places stand in a row, and the ones behind move up.
    """
    free = np.arange(TILES)
    for tile in range(TILES - 1, -1, -1):
        chosen = integer(share(draw(key, WALL, tile), tile + 1))
        wall[place_on_wall(free[chosen], taking.layered)] = tile
        for place in range(chosen, tile):
            free[place] = free[place + 1]


@helper
def take_wall(wall: Any, key: Key, taking: Taking, dealt: Any) -> None:
    """The hands of the four seats from a wall, by dice and pattern.

    The first taker and whether it counts from the right end are noted behind the wall.
    """
    dice = throw_dice(key, taking.either_end)
    wall[TILES], wall[TILES + 1] = integer(dice.first_taker), int(dice.from_right)
    for seat in range(4):
        dealt[seat] = 0
    for place in range(TILES):
        block = place // (TILES // BLOCKS)
        counted = BLOCKS - 1 - block if dice.from_right else block
        taker = taking.takers >> 2 * counted & 3
        seat = integer(dice.first_taker) + taker & 3
        dealt[seat] |= 1 << wall[place_on_wall(place, taking.layered)]


@helper
def play_dealt(key: Key, policies: int, rules: Switches, dealt: Any, plays: Any) -> Outcome:
    """Play a hand from the tiles dealt to banker, right, across and left.

    Parameters
    ----------
    dealt : int64 array, 4
        The hands as tile bits.
    plays : int64 array, 8 × 10
        Row t receives trick t: its leader, its number of tiles (0: not played), the four plays
        in the order of play, and which of them lie face up.
    """
    plays[:, :] = 0
    for seat in range(4):
        ending = pattern_ending(word(dealt[seat]), rules)
        if ending != 0:
            return pattern_outcome(word(seat), ending)

    table = new_table(word(dealt[0]), word(dealt[1]), word(dealt[2]), word(dealt[3]), word(0))
    number = 0
    while table.size != 0:
        trick = play_trick(EACH_ITS_OWN, word(policies), table, word(0), key, rules)
        after = take_trick(table, trick, rules)
        row = plays[number]
        row[0], row[1] = integer(table.leader), integer(table.size - after.size)
        row[2], row[3] = integer(trick.led), integer(trick.second.play)
        row[4], row[5] = integer(trick.third.play), integer(trick.fourth.play)
        row[6], row[7] = 1, int(trick.second.face_up)
        row[8], row[9] = int(trick.third.face_up), int(trick.fourth.face_up)
        table = after
        number += 1
    return outcome_of(table, word(dealt[integer(table.leader)]), True, rules)


@kernel
def deal_one_hand(seed: Any, hand: int, taking: Taking, wall: Any, dealt: Any) -> None:
    """Deal hand number `hand`; `wall` (int64, 34) keeps the wall and the dice."""
    key = hand_key(seed, taking.series, hand)
    build_wall(key, taking, wall)
    take_wall(wall, key, taking, dealt)


@kernel
def play_hands(
    seed: Any,
    start: int,
    hands: int,
    policies: int,
    taking: Taking,
    rules: Switches,
    wall: Any,
    dealt: Any,
    plays: Any,
    records: Any,
) -> None:
    """Play `hands` hands one by one; row i of `records` (uint32, n × 2) is the i-th outcome.

    `wall` (int64, 34) keeps the last hand's wall and dice; for `dealt` and `plays` see
    `play_dealt`.
    """
    for number in range(hands):
        key = hand_key(seed, taking.series, start + number)
        build_wall(key, taking, wall)
        take_wall(wall, key, taking, dealt)
        outcome = play_dealt(key, policies, rules, dealt, plays)
        records[number, 0] = outcome.result
        records[number, 1] = outcome.honours


@kernel
def deal_hands(seed: Any, start: int, hands: int, taking: Taking, out: Any) -> None:
    """Deal `hands` hands; row i of `out` (int64, n × 4) has the tile bits of the four seats."""
    wall = np.zeros(TILES + 2, np.int64)
    for number in range(hands):
        key = hand_key(seed, taking.series, start + number)
        build_wall(key, taking, wall)
        take_wall(wall, key, taking, out[number])
