"""Sessions: many hands in a row, the banker passing and its term growing.

128 sessions are played side by side, one hand of each at a time (see ``booking.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._jit import Kernel, kernel, routine
from ..word import word
from .booking import (
    BANKER,
    HAND_BITS,
    OVER,
    SESSION,
    TERM,
    TOTAL,
    Terms,
    begin_sessions,
    book_hands,
    compare_standings,
    look_at_hands,
    settle_hands,
)
from .deal import Taking
from .features import pattern_ending
from .lane_deals import deal_lanes
from .lane_fields import DEALT, FIELDS, HONOURS, LANES, RESULT, load_key
from .lanes import load_table, set_table, store_table, write_outcomes
from .outcome import pattern_outcome
from .players import choose
from .policies import GREEDY, RANDOM
from .search import think
from .settlement import COLUMNS, banker_multiplier
from .state import (
    MULTIPLIER,
    PLAYED,
    PLAYS,
    SIZE,
    STATE,
    VIEW,
    begin,
    fill_rules,
    finished,
    make_play,
    make_view,
    to_play,
)
from .state import TERM as VIEW_TERM
from .switches import Switches
from .table import take_trick
from .trick import EACH_ITS_OWN, play_trick
from .washing import PERFECT, PLAY, TOOK, deal_washed, lay_down, trick_place
from .weights import WEIGHTS


@routine
def _deal(lanes: Any, seed: Any, hand: int, taking: Taking) -> None:
    """`deal_lanes` as a function of its own: LLVM vectorises short functions best."""
    deal_lanes(lanes, seed, hand, 1 << HAND_BITS, taking)


def _lane_play(one_policy: int, *, keeps_plays: bool = False) -> Callable[..., None]:
    """A way to play one hand of each lane: the pinned policies, side by side."""

    def play_lanes(
        lanes: Any,
        sessions: Any,
        plays: Any,
        _players: Any,
        policies: int,
        by_role: int,
        leader: int,
        rules: Switches,
    ) -> None:
        set_table(lanes, leader, rules)
        for lane in range(LANES):
            turned = 0 if by_role != 0 else 4 * sessions[BANKER * LANES + lane]
            lanes[FIELDS * LANES + lane] = policies >> turned | policies << 16 - turned
        for number in range(8):
            for lane in range(LANES):
                table = load_table(lanes, lane)
                key = load_key(lanes, lane)
                own = word(lanes[FIELDS * LANES + lane])
                trick = play_trick(one_policy, own, table, word(0), key, rules)
                after = take_trick(table, trick, rules)
                store_table(lanes, lane, after)
                if keeps_plays:
                    plays[trick_place(number, PLAY, lane)] = trick.led
                    plays[trick_place(number, PLAY + 1, lane)] = trick.second.play
                    plays[trick_place(number, PLAY + 2, lane)] = trick.third.play
                    plays[trick_place(number, PLAY + 3, lane)] = trick.fourth.play
                    plays[trick_place(number, TOOK, lane)] = after.leader
        write_outcomes(lanes, leader == 0, rules)

    play_lanes.__qualname__ = f"play_lanes_{one_policy}_{keeps_plays}"
    return routine(play_lanes)


def _single_play(thinking: bool) -> Callable[..., None]:
    """A way to play one hand of each lane: any policies, one hand after another."""

    def play_singly(
        lanes: Any,
        sessions: Any,
        plays: Any,
        players: Any,
        _policies: int,
        by_role: int,
        leader: int,
        rules: Switches,
    ) -> None:
        kinds, weights, worlds = players
        state, view = np.zeros(STATE, np.int64), np.zeros(VIEW, np.int64)
        dealt = np.zeros(4, np.int64)
        seat_kinds, seat_worlds = np.zeros(4, np.int64), np.zeros(4, np.int64)
        seat_weights = np.zeros((4, WEIGHTS))
        fill_rules(view, rules, 1)
        plays[:] = 0
        for lane in range(LANES):
            if sessions[OVER * LANES + lane] != 0:
                continue
            ended, claimant = word(0), 0
            for seat in range(3, -1, -1):
                dealt[seat] = lanes[(DEALT + seat) * LANES + lane]
                ending = pattern_ending(word(dealt[seat]), rules)
                if ending != 0:
                    ended, claimant = ending, seat
            outcome = pattern_outcome(word(claimant), ended)
            if ended == 0:
                key, term = load_key(lanes, lane), sessions[TERM * LANES + lane]
                for seat in range(4):
                    turned = 0 if by_role != 0 else sessions[BANKER * LANES + lane]
                    player = turned + seat & 3
                    seat_kinds[seat], seat_worlds[seat] = kinds[player], worlds[player]
                    seat_weights[seat, :] = weights[player]
                view[VIEW_TERM], view[MULTIPLIER] = term, banker_multiplier(rules, term)
                begin(state, dealt, leader)
                number = 0
                while state[SIZE] != 0:
                    if thinking:
                        move = think(
                            state, seat_kinds, seat_weights, seat_worlds, key, rules, term, view
                        )
                    else:
                        make_view(state, key, rules, view)
                        seat = to_play(state)
                        move = choose(seat_kinds[seat], view, seat_weights[seat], rules)
                    make_play(state, move, rules)
                    if state[PLAYED] == 0:
                        for turn in range(4):
                            plays[trick_place(number, PLAY + turn, lane)] = state[PLAYS + turn]
                        plays[trick_place(number, TOOK, lane)] = to_play(state)
                        number += 1
                outcome = finished(state, rules)
            lanes[RESULT * LANES + lane] = outcome.result
            lanes[HONOURS * LANES + lane] = outcome.honours

    play_singly.__qualname__ = f"play_singly_{thinking}"
    return routine(play_singly)


def _session_kernel(play_hand: Callable[..., None], name: str) -> Kernel[..., None]:
    """A kernel for one way to play a hand."""

    def play_sessions(
        lanes: Any,
        sessions: Any,
        plays: Any,
        order: Any,
        seed: Any,
        start: int,
        number_of_sessions: int,
        players: Any,
        policies: int,
        taking: Taking,
        rules: Switches,
        terms: Terms,
        checkpoints: Any,
        rows: Any,
        standings: Any,
        streaks: Any,
        moved: Any,
        leads: Any,
    ) -> None:
        """Play sessions `start` to ``start + number_of_sessions - 1``.

        Parameters
        ----------
        lanes : uint32 array, (`FIELDS` + 1) × `LANES`
            With one field more, for the policies of the seats.
        sessions, plays, order : arrays of `new_sessions`, `new_plays`, `new_order`
        players : tuple of arrays
            Kinds, weights and worlds of four players.
        policies : int
            The pinned policies of the players, four bits each.
        checkpoints : int64 array, rising
            Hands after which the standings are kept.
        rows : int64 array, `SESSION` × sessions
            Receives what is known of each session at its end.
        standings : int64 array, checkpoints × 4 × sessions
            Receives the points of the seats.
        streaks : int64 array, 2 × (hands + 1)
            Has added how many bankers stayed for so many hands: passed on, cut off by the end.
        moved : int64 array, hands + 1
            Has added the points that changed hands in hands of each term.
        leads : int64 array, hands × 4 × 4, or without rows
            Has added in how many sessions a seat stands above another after each hand.
        """
        settled = np.zeros(COLUMNS, np.int64)
        for first in range(0, number_of_sessions, LANES):
            batch = min(LANES, number_of_sessions - first)
            begin_sessions(sessions, batch, seed, start + first, terms, taking)
            going = batch
            checkpoint = 0
            for number in range(terms.hands):
                if going > 0:
                    hand = (start + first << HAND_BITS) + number
                    if number == 0 or terms.wash == PERFECT:
                        _deal(lanes, seed, hand, taking)
                    else:
                        deal_washed(lanes, order, terms.wash, seed, hand, 1 << HAND_BITS, taking)
                    leader = terms.first_leader if number == 0 else 0
                    play_hand(lanes, sessions, plays, players, policies, terms.by_role, leader, rules)
                    settle_hands(lanes, sessions, rules, settled)
                    if terms.wash != PERFECT:
                        bankers = sessions[BANKER * LANES : (BANKER + 1) * LANES]
                        lay_down(lanes, plays, bankers, order)
                    if terms.looks != 0:
                        look_at_hands(lanes, sessions, number, rules)
                    going = book_hands(lanes, sessions, number, terms, streaks, moved)
                if leads.shape[0] != 0:
                    compare_standings(sessions, leads[number])
                if checkpoint < checkpoints.size and checkpoints[checkpoint] == number + 1:
                    for lane in range(batch):
                        for seat in range(4):
                            total = sessions[(TOTAL + seat) * LANES + lane]
                            standings[checkpoint, seat, first + lane] = total
                    checkpoint += 1
            for field in range(SESSION):
                for lane in range(batch):
                    rows[field, first + lane] = sessions[field * LANES + lane]

    play_sessions.__qualname__ = f"play_sessions_{name}"  # each has a cache file of its own
    return kernel(play_sessions)


SESSION_KERNELS = {
    RANDOM: _session_kernel(_lane_play(RANDOM), "random"),
    GREEDY: _session_kernel(_lane_play(GREEDY), "greedy"),
    EACH_ITS_OWN: _session_kernel(_lane_play(EACH_ITS_OWN), "each"),
}
play_sessions_washed = _session_kernel(_lane_play(EACH_ITS_OWN, keeps_plays=True), "washed")
play_sessions_singly = _session_kernel(_single_play(False), "singly")
play_sessions_thinking = _session_kernel(_single_play(True), "thinking")
