"""Blocks of hands played by any policies, one hand after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._jit import Kernel, kernel, routine
from ..counting import count_key
from ..keys import hand_key
from ..series import CHECK_LUCK
from ..streams import CHOICES, Key, draw
from ..word import integer, share, word
from .deal import TILES, Taking
from .features import WINNER_SEAT, feature, pattern_ending
from .given import Given
from .lane_deals import deal_lanes, deal_lanes_given
from .lane_fields import DEALT, LANES, load_key
from .outcome import HONOUR_BITS, SETTLED_BITS, Outcome, pattern_outcome
from .players import choose, play_out
from .plays import Move
from .search import play_out_thinking, think
from .single import build_wall, take_wall
from .state import (
    FIRST_WINNER,
    PLAYED,
    SIZE,
    STATE,
    VIEW,
    begin,
    fill_rules,
    make_play,
    make_view,
    to_play,
)
from .switches import Switches
from .weights import WEIGHTS
from .worlds import WORLD, draw_world, enter_world


def _block_kernel(play: Callable[..., Outcome], name: str) -> Kernel[..., None]:
    """A kernel that plays each hand to its end by `play`."""

    def keep_block(
        lanes: Any,
        seed: Any,
        start: int,
        hands: int,
        lineups: Any,
        kinds: Any,
        weights: Any,
        worlds: Any,
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
        kinds, weights, worlds : arrays, players, players × `WEIGHTS`, players
            Of each player; `worlds` for those that look ahead.
        opening : int
            What the banker leads to the first trick; 0: what its policy leads.
        kept : uint32 array, (hands · n) × 6
            Receives result, honours and the four dealt hands, for each hand the line-ups in turn; bit
            31 of a result says whether the banker took the first trick.
        """
        state, view, dealt = np.zeros(STATE, np.int64), np.zeros(VIEW, np.int64), np.zeros(4, np.int64)
        seat_kinds, seat_weights = np.zeros(4, np.int64), np.zeros((4, WEIGHTS))
        seat_worlds = np.zeros(4, np.int64)
        fill_rules(view, rules, term)
        row = 0
        for number in range(hands):
            lane = number % LANES
            if lane == 0:
                if given.keep.size != 0:
                    deal_lanes_given(lanes, seed, taking.series, start + number, given)
                else:
                    deal_lanes(lanes, seed, start + number, 1, taking)
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
                        seat_worlds[seat] = worlds[player]
                    begin(state, dealt, 0)
                    if opening != 0:
                        make_play(state, Move(word(opening), True), rules)
                    outcome = play(state, seat_kinds, seat_weights, seat_worlds, key, rules, term, view)
                    took = state[FIRST_WINNER] == 0
                kept[row, 0] = integer(outcome.result) | int(took) << 31
                kept[row, 1] = outcome.honours
                for seat in range(4):
                    kept[row, 2 + seat] = dealt[seat]
                row += 1

    keep_block.__qualname__ = name  # each has a cache file of its own
    return kernel(keep_block)


@routine
def _play_out_plainly(
    state: Any,
    kinds: Any,
    weights: Any,
    _worlds: Any,
    key: Key,
    rules: Switches,
    _term: int,
    view: Any,
) -> Outcome:
    """`play_out` with the arguments of `play_out_thinking`; compiled in half the time."""
    return play_out(state, kinds, weights, key, rules, view)


keep_block = _block_kernel(_play_out_plainly, "keep_block")
keep_block_thinking = _block_kernel(play_out_thinking, "keep_block_thinking")


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
            seat = integer(result & 3) if split_seat == WINNER_SEAT else split_seat
            group = feature(word(kept[row, 2 + seat]), split, rules)
        last_tiles[integer(group), integer(result >> 26 & 31)] += integer(result >> 8 & 7) == 1
        used += count_key(keys, counts, result & SETTLED_BITS, honours | group << HONOUR_BITS)
        row += 1
    return row - start


@kernel
def decide(
    states: Any,
    kinds: Any,
    weights: Any,
    worlds: Any,
    seed: Any,
    rules: Switches,
    term: int,
    moves: Any,
) -> None:
    """What each policy would play in each position.

    Parameters
    ----------
    states : int64 array, n × `STATE`
    kinds, weights, worlds : arrays, m, m × `WEIGHTS`, m
        Of each policy, which then sits in all four seats.
    seed : int
        Of the policies' luck; position number i has its own.
    moves : int64 array, n × m × 2
        Receives the tiles played, and whether they lie face up.
    """
    view, state = np.zeros(VIEW, np.int64), np.zeros(STATE, np.int64)
    fill_rules(view, rules, term)
    four_kinds, four_weights = np.zeros(4, np.int64), np.zeros((4, WEIGHTS))
    four_worlds = np.zeros(4, np.int64)
    for number in range(states.shape[0]):
        key = hand_key(seed, CHECK_LUCK, number)
        for policy in range(kinds.size):
            for seat in range(4):
                four_kinds[seat], four_worlds[seat] = kinds[policy], worlds[policy]
                four_weights[seat, :] = weights[policy]
            state[:] = states[number]
            move = think(state, four_kinds, four_weights, four_worlds, key, rules, term, view)
            moves[number, policy, 0] = integer(move.play)
            moves[number, policy, 1] = int(state[PLAYED] == 0 or move.face_up)


@kernel
def draw_positions(
    seed: Any,
    kinds: Any,
    weights: Any,
    taking: Taking,
    rules: Switches,
    term: int,
    states: Any,
    others: Any,
) -> None:
    """Positions from hands that some policies play, and each again with its hidden tiles changed.

    Parameters
    ----------
    kinds, weights : arrays, m and m × `WEIGHTS`
        Policies, of which each hand is played by four.
    states, others : int64 arrays, n × `STATE`
        Receive the positions; row i of both is the same to the seat to play.
    """
    view, state = np.zeros(VIEW, np.int64), np.zeros(STATE, np.int64)
    fill_rules(view, rules, term)
    wall, dealt = np.zeros(TILES + 2, np.int64), np.zeros(4, np.int64)
    world = np.zeros(WORLD, np.int64)
    number = hand = 0
    while number < states.shape[0]:
        key = hand_key(seed, taking.series, hand)
        hand += 1
        build_wall(key, taking, wall)
        take_wall(wall, key, taking, dealt)
        begin(state, dealt, 0)
        stop = 1 + integer(share(draw(key, CHOICES, 0), word(24)))
        for ply in range(stop):
            make_view(state, key, rules, view)
            policy = integer(share(draw(key, CHOICES, 1 + ply % 4), word(kinds.size)))
            make_play(state, choose(kinds[policy], view, weights[policy], rules), rules)
            if state[SIZE] == 0:
                break
        if state[SIZE] != 0:
            states[number] = state
            draw_world(state, key, world)
            enter_world(state, world, others[number])
            others[number, FIRST_WINNER] = state[FIRST_WINNER]
            number += 1


@kernel
def play_and_show(
    seed: Any,
    series: int,
    hand: int,
    kinds: Any,
    weights: Any,
    worlds: Any,
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
    state, view = np.zeros(STATE, np.int64), np.zeros(VIEW, np.int64)
    fill_rules(view, rules, term)
    key = hand_key(seed, series, hand)
    begin(state, dealt, 0)
    number = 0
    while state[SIZE] != 0:
        place, size = state[PLAYED], state[SIZE]
        seat = to_play(state)
        if place == 0:
            plays[number, 0] = seat
        move = think(state, kinds, weights, worlds, key, rules, term, view)
        make_play(state, move, rules)
        plays[number, 2 + place] = integer(move.play)
        plays[number, 6 + place] = int(place == 0 or move.face_up)
        if place == 3:
            plays[number, 1] = size - state[SIZE]
            number += 1
