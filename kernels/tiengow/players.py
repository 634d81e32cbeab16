"""All policies behind one call, and hands played by any four of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._jit import kernel, routine
from ..counting import count_key
from ..streams import Key, hand_key
from ..word import count, integer, lowest, share, word
from .deal import Taking
from .family import ROOM, WEIGHTS, family_move
from .features import feature, pattern_ending
from .given import Given
from .lane_deals import deal_lanes, deal_lanes_given
from .lane_fields import DEALT, LANES, load_key
from .outcome import HONOUR_BITS, SETTLED_BITS, Outcome, pattern_outcome
from .plays import Kind, options, tiles_of
from .policies import GREEDY, RANDOM, Move, View, follow, lead
from .state import (
    BEATS,
    CIVIL_LED,
    FIRST_WINNER,
    HAND,
    LUCK,
    MAY_SHOW,
    MILITARY_LED,
    PLAYED,
    POSITION,
    SIZE,
    STATE,
    TILES_OF,
    VIEW,
    begin,
    fill_rules,
    finished,
    make_play,
    make_view,
    to_play,
)
from .switches import Switches
from .tiles import FAMILIES, SUPREME, partners, twins

# Kinds of policies that follow RANDOM and GREEDY.
FAMILY, PUBLIC_A, PUBLIC_B = 2, 3, 4


@routine
def public_a_move(view: Any) -> Move:
    """Leads 63, else a four, else its cheapest single; makes the cheapest legal beat; else junk."""
    hand = word(view[HAND])
    beside = partners(hand)
    fours = twins(hand) & twins(beside) & FAMILIES
    if view[POSITION] == 0:
        if (hand & SUPREME) == SUPREME:
            return Move(word(SUPREME), True)
        if fours != 0:
            return Move(tiles_of(lowest(fours), hand, Kind(word(2), word(2))), True)
        return Move(lowest(hand), True)
    kind = Kind(word(view[CIVIL_LED]), word(view[MILITARY_LED]))
    place = lowest(options(hand, kind) & word(view[BEATS]))
    if place != 0 and view[MAY_SHOW] != 0:
        return Move(tiles_of(place, hand, kind), True)
    kept = twins(hand) * 3
    if (hand & SUPREME) == SUPREME:
        kept |= SUPREME
    junk = hand & ~kept
    number = view[CIVIL_LED] + view[MILITARY_LED]
    chosen = word(0)
    for _ in range(number):
        tile = lowest(junk) if junk != 0 else lowest(hand ^ chosen)
        junk &= ~tile
        chosen |= tile
    return Move(chosen, False)


@routine
def public_b_move(view: Any) -> Move:
    """Leads its weakest pair, else its lowest single; ducks 3 times in 10; discards at random."""
    hand, luck = word(view[HAND]), word(view[LUCK])
    if view[POSITION] == 0:
        pairs = twins(hand)
        return Move(lowest(pairs) * 3 if pairs != 0 else lowest(hand), True)
    kind = Kind(word(view[CIVIL_LED]), word(view[MILITARY_LED]))
    place = lowest(options(hand, kind) & word(view[BEATS]))
    ducks = share(luck, 10) < 3
    if place != 0 and view[MAY_SHOW] != 0 and not ducks:
        return Move(tiles_of(place, hand, kind), True)
    number = view[CIVIL_LED] + view[MILITARY_LED]
    rest, chosen = hand, word(0)
    luck = word(luck * 10)
    for _ in range(number):
        size = count(rest)
        tile = rest
        for _skip in range(integer(share(luck, size))):
            tile &= tile - 1
        tile = lowest(tile)
        luck = word(luck * size)
        rest, chosen = rest ^ tile, chosen | tile
    return Move(chosen, False)


@routine
def choose(kind: int, view: Any, weights: Any, room: Any, rules: Switches) -> Move:
    """The play of a policy of this kind; only the family reads `weights`."""
    if kind == FAMILY:
        return family_move(view, weights, room, rules)
    if kind == PUBLIC_A:
        return public_a_move(view)
    if kind == PUBLIC_B:
        return public_b_move(view)
    led = Kind(word(view[CIVIL_LED]), word(view[MILITARY_LED]))
    narrow = View(
        word(view[HAND]),
        word(view[TILES_OF]),
        led,
        word(view[BEATS]),
        view[MAY_SHOW] != 0,
        word(view[LUCK]),
    )
    policy = GREEDY if kind == GREEDY else RANDOM
    if view[POSITION] == 0:
        return Move(lead(policy, narrow, rules), True)
    return follow(policy, narrow)


@routine
def play_out(
    state: Any, kinds: Any, weights: Any, key: Key, rules: Switches, view: Any, room: Any
) -> Outcome:
    """Play a hand in progress to its end; row s of `kinds` and `weights` is seat s."""
    while state[SIZE] != 0:
        make_view(state, key, rules, view)
        seat = to_play(state)
        move = choose(kinds[seat], view, weights[seat], room, rules)
        make_play(state, move, rules)
    return finished(state, rules)


@kernel
def keep_block(
    lanes: Any,
    seed: Any,
    start: int,
    hands: int,
    lineups: Any,
    kinds: Any,
    weights: Any,
    taking: Taking,
    rules: Switches,
    term: int,
    given: Given,
    opening: int,
    kept: Any,
) -> None:
    """Play hands with any policies, each with one line-up of players or with several.

    Parameters
    ----------
    start, hands : int
        Hands `start` to ``start + hands - 1`` of the seed, the same as in any other loop.
    lineups : int64 array, n × 4
        The player in each seat.
    kinds, weights : arrays, players and players × `WEIGHTS`
        Of each player.
    opening : int
        What the banker leads to the first trick; 0: what its policy leads.
    kept : uint32 array, (hands · n) × 6
        Receives result, honours and the four dealt hands, for each hand the line-ups in turn; bit
        31 of a result says whether the banker took the first trick.
    """
    state, view, dealt = np.zeros(STATE, np.int64), np.zeros(VIEW, np.int64), np.zeros(4, np.int64)
    room = np.zeros(ROOM)
    seat_kinds, seat_weights = np.zeros(4, np.int64), np.zeros((4, WEIGHTS))
    fill_rules(view, rules, term)
    row = 0
    for number in range(hands):
        lane = number % LANES
        if lane == 0:
            if given.keep.size != 0:
                deal_lanes_given(lanes, seed, taking.pattern, start + number, given)
            else:
                deal_lanes(lanes, seed, start + number, taking)
        ended = word(0)
        claimant = 0
        for seat in range(3, -1, -1):
            dealt[seat] = lanes[(DEALT + seat) * LANES + lane]
            ending = pattern_ending(word(dealt[seat]), rules)
            if ending != 0:
                ended, claimant = ending, seat
        key = load_key(lanes, lane)
        for lineup in range(lineups.shape[0]):
            outcome = pattern_outcome(word(claimant), ended)
            took = False
            if ended == 0:
                for seat in range(4):
                    player = lineups[lineup, seat]
                    seat_kinds[seat] = kinds[player]
                    seat_weights[seat, :] = weights[player]
                begin(state, dealt, 0)
                if opening != 0:
                    make_play(state, Move(word(opening), True), rules)
                outcome = play_out(state, seat_kinds, seat_weights, key, rules, view, room)
                took = state[FIRST_WINNER] == 0
            kept[row, 0] = integer(outcome.result) | int(took) << 31
            kept[row, 1] = outcome.honours
            for seat in range(4):
                kept[row, 2 + seat] = dealt[seat]
            row += 1


@kernel
def count_kept(
    kept: Any,
    start: int,
    split: int,
    split_seat: int,
    rules: Switches,
    keys: Any,
    counts: Any,
    last_tiles: Any,
) -> int:
    """Count the records of kept hands from row `start` on, as a block kernel does."""
    room = keys.size // 2
    used = 0
    for slot in range(keys.size):
        used += keys[slot] != 0
    row = start
    while row < kept.shape[0] and used < room:
        result, honours = word(kept[row, 0]), word(kept[row, 1])
        group = word(0)
        if split != 0:
            seat = integer(result & 3) if split_seat == 4 else split_seat
            group = feature(word(kept[row, 2 + seat]), split, rules)
        last_tiles[integer(group), integer(result >> 26 & 31)] += integer(result >> 8 & 7) == 1
        used += count_key(keys, counts, result & SETTLED_BITS, honours | group << HONOUR_BITS)
        row += 1
    return row - start


@kernel
def play_and_show(
    seed: Any,
    series: int,
    hand: int,
    kinds: Any,
    weights: Any,
    rules: Switches,
    term: int,
    dealt: Any,
    plays: Any,
) -> None:
    """Play one hand from the tiles dealt, and keep its plays.

    Row t of `plays` (int64, 8 × 10) receives trick t: its leader, its number of tiles (0: not
    played), the four plays in the order of play, and which of them lie face up.
    """
    plays[:, :] = 0
    for seat in range(4):
        if pattern_ending(word(dealt[seat]), rules) != 0:
            return
    state, view, room = np.zeros(STATE, np.int64), np.zeros(VIEW, np.int64), np.zeros(ROOM)
    fill_rules(view, rules, term)
    key = hand_key(seed, series, hand)
    begin(state, dealt, 0)
    number = 0
    while state[SIZE] != 0:
        place, size = state[PLAYED], state[SIZE]
        seat = to_play(state)
        if place == 0:
            plays[number, 0] = seat
        make_view(state, key, rules, view)
        move = choose(kinds[seat], view, weights[seat], room, rules)
        make_play(state, move, rules)
        plays[number, 2 + place] = integer(move.play)
        plays[number, 6 + place] = int(place == 0 or move.face_up)
        if place == 3:
            plays[number, 1] = size - state[SIZE]
            number += 1
