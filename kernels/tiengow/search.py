"""Looking ahead: each play of a seat played out in worlds that agree with what the seat knows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._jit import kernel, routine
from ..keys import decision_number, hand_key, key_under
from ..series import IMAGINED
from ..streams import Key
from ..word import count, integer, word
from .family import worth_of
from .family_play import known_to, score_in, stakes_in
from .outcome import SETTLED_BITS, Outcome
from .players import FAMILY, choose, play_out
from .plays import Kind, Move, beats, is_combination
from .policies import deposit
from .settlement import BONUSES, COLUMNS, SETTLEMENT, WINNER, settle
from .starting import SUMS, add_outcome
from .state import (
    BEATS,
    CIVIL_LED,
    FIRST_WINNER,
    HAND,
    MAY_SHOW,
    MILITARY_LED,
    POSITION,
    SIZE,
    STATE,
    VIEW,
    fill_rules,
    finished,
    make_play,
    make_view,
    to_play,
)
from .switches import Switches
from .tiles import SECOND
from .weights import WEIGHTS, weights_of
from .worlds import WORLD, count_worlds, draw_world, enter_world, nth_world

SEARCH = 5  # the kind of a policy that looks ahead
MOST_PLAYS = 96  # legal plays of a seat, one of each class
TRIED = 8  # plays that a policy that looks ahead tries


@routine
def legal_plays(view: Any, plays: Any, faces: Any) -> int:
    """Every legal play of the seat to play, one of each class; returns how many."""
    hand = word(view[HAND])
    size = integer(count(hand))
    number = view[CIVIL_LED] + view[MILITARY_LED]
    kind = Kind(word(view[CIVIL_LED]), word(view[MILITARY_LED]))
    found = 0
    for pattern in range(1, 1 << size):
        play = deposit(word(pattern), hand)
        tiles = integer(count(play))
        later_copy = play & SECOND & ~(play << 1)  # without the first, which the hand may hold
        if tiles > 4 or (later_copy >> 1 & hand) != 0:
            continue
        if view[POSITION] == 0:
            if is_combination(play):
                plays[found], faces[found] = integer(play), 1
                found += 1
        elif tiles == number:
            if view[MAY_SHOW] != 0 and beats(play, kind, word(view[BEATS])):
                plays[found], faces[found] = integer(play), 1
                found += 1
            plays[found], faces[found] = integer(play), 0
            found += 1
    return found


@kernel
def price_plays(
    state: Any,
    worlds: Any,
    seed: Any,
    series: int,
    start: int,
    plays: Any,
    faces: Any,
    kinds: Any,
    weights: Any,
    rules: Switches,
    term: int,
    out: Any,
    took: Any,
) -> None:
    """Play each play out in each world.

    Parameters
    ----------
    state : int64 array, `STATE`
        The position; the seat to play is the one that asks.
    worlds : int64 array, n × `WORLD`
    seed, series, start : int
        Of the luck of policies that draw lots: the first world has number `start` of the series.  All
        plays of one world meet the same luck.
    plays, faces : int64 arrays, m
        Tiles of each play, and whether they lie face up.
    kinds, weights : arrays, 4 and 4 × `WEIGHTS`
        How each seat plays on.
    out : int64 array, n · m · `SUMS` zeros
        Receives how each world went for the seat that asks, see ``starting.py``.
    took : bool array, n × m
        Receives whether the seat took the trick.
    """
    me = to_play(state)
    here, view = np.zeros(STATE, np.int64), np.zeros(VIEW, np.int64)
    settled = np.zeros(COLUMNS, np.int64)
    fill_rules(view, rules, term)
    for number in range(worlds.shape[0]):
        key = hand_key(seed, series, start + number)
        for chosen in range(plays.size):
            enter_world(state, worlds[number], here)
            make_play(here, Move(word(plays[chosen]), faces[chosen] != 0), rules)
            outcome = play_out(here, kinds, weights, key, rules, view)
            settle(outcome.result & SETTLED_BITS, outcome.honours, rules, term, settled)
            add_outcome(settled, me, out, (number * plays.size + chosen) * SUMS)
            took[number, chosen] = here[FIRST_WINNER] == me


@routine
def search_move(
    state: Any,
    key: Key,
    worlds: int,
    kinds: Any,
    weights: Any,
    rules: Switches,
    term: int,
    view: Any,
) -> Move:
    """The play that does best in sampled worlds, of those that the family scores highest.

    Where no more than `worlds` worlds remain, all are tried.  A negative number of worlds asks for
    the play that wins the hand (結) most often in place of the most points.  The heuristic's own
    play is left only for one that is better by more than one standard error of the difference;
    plays that fall three behind are dropped on the way.
    """
    me = to_play(state)
    make_view(state, key, rules, view)
    plays, faces = np.zeros(MOST_PLAYS, np.int64), np.zeros(MOST_PLAYS, np.int64)
    scores = np.zeros(MOST_PLAYS)
    found = legal_plays(view, plays, faces)
    if found == 1:
        return Move(word(plays[0]), faces[0] != 0)
    own = weights_of(weights[me])
    known, stakes = known_to(view), stakes_in(view, own)
    for number in range(found):
        play = word(plays[number])
        if faces[number] != 0:
            scores[number] = score_in(play, view, known, stakes, own, rules)
        else:
            scores[number] = worth_of(known.hand ^ play, known, own).itself
    tried = min(found, TRIED)
    for place in range(tried):  # the best first
        best = place
        for number in range(place + 1, found):
            best = number if scores[number] > scores[best] else best
        plays[place], plays[best] = plays[best], plays[place]
        faces[place], faces[best] = faces[best], faces[place]
        scores[place], scores[best] = scores[best], scores[place]
    sums, squares = np.zeros(TRIED), np.zeros(TRIED)  # of the difference to the first
    alive = np.ones(TRIED, np.bool_)
    world, settled = np.zeros(WORLD, np.int64), np.zeros(COLUMNS, np.int64)
    here = np.zeros(STATE, np.int64)
    by_win = worlds < 0
    budget = abs(worlds)
    whole = count_worlds(state)
    exactly = rules.hand_patterns == 0 and whole <= budget
    budget = whole if exactly else budget
    number = 0
    while number < budget:
        draw_key = key_under(key, IMAGINED, decision_number(8 - state[SIZE], me, number))
        if exactly:
            nth_world(state, number, world)
        else:
            draw_world(state, draw_key, world)
        number += 1
        first = 0.0
        left = 0
        for chosen in range(tried):
            if alive[chosen]:
                left += 1
                enter_world(state, world, here)
                make_play(here, Move(word(plays[chosen]), faces[chosen] != 0), rules)
                outcome = play_out(here, kinds, weights, draw_key, rules, view)
                settle(outcome.result & SETTLED_BITS, outcome.honours, rules, term, settled)
                points = float(settled[SETTLEMENT + me] + settled[BONUSES + me])
                if by_win:
                    points = 1.0 if settled[WINNER] == me else 0.0
                first = points if chosen == 0 else first
                sums[chosen] += points - first
                squares[chosen] += (points - first) ** 2
        if left == 1:
            break
        if not exactly and number >= 16 and number % 8 == 0:
            for chosen in range(1, tried):
                if sums[chosen] + 3.0 * error_of(sums[chosen], squares[chosen], number) < 0.0:
                    alive[chosen] = False
    best, best_gain = 0, 0.0
    for chosen in range(1, tried):
        gain = sums[chosen]
        doubt = 0.0 if exactly else error_of(gain, squares[chosen], number)
        if alive[chosen] and gain > best_gain and gain > doubt:
            best, best_gain = chosen, gain
    return Move(word(plays[best]), faces[best] != 0)


@routine
def error_of(total: float, squares: float, n: int) -> float:
    """The standard error of a sum of n differences."""
    return math.sqrt(max(squares - total * total / n, 0.0) * n / max(n - 1, 1))


@routine
def think(
    state: Any,
    kinds: Any,
    weights: Any,
    worlds: Any,
    key: Key,
    rules: Switches,
    term: int,
    view: Any,
) -> Move:
    """The play of the seat whose turn it is, by any policy.

    A seat of kind `SEARCH` looks ahead in ``worlds[seat]`` worlds; it takes it that all seats play
    on as the family with its own weights.
    """
    seat = to_play(state)
    if kinds[seat] == SEARCH:
        ahead, ahead_weights = np.full(4, FAMILY, np.int64), np.zeros((4, WEIGHTS))
        for other in range(4):
            ahead_weights[other, :] = weights[seat]
        return search_move(state, key, worlds[seat], ahead, ahead_weights, rules, term, view)
    make_view(state, key, rules, view)
    return choose(kinds[seat], view, weights[seat], rules)


@routine
def play_out_thinking(
    state: Any,
    kinds: Any,
    weights: Any,
    worlds: Any,
    key: Key,
    rules: Switches,
    term: int,
    view: Any,
) -> Outcome:
    """`play_out` where some seats look ahead, see `think`."""
    while state[SIZE] != 0:
        make_play(state, think(state, kinds, weights, worlds, key, rules, term, view), rules)
    return finished(state, rules)
