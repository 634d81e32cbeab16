"""The heuristic family for many hands side by side, with the helpers of ``family.py``.

A *desk* has a column for each decision of one policy at one place in the trick: what the seat
knows, then the best play so far and its score.  The loop over candidates stands outside the loop
over the columns, which LLVM turns into vector instructions; columns go in chunks, so that each
chunk stops after its own last candidate.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import helper, routine
from ..word import count, integer, lowest, word
from .family import (
    WORST,
    Known,
    Stakes,
    combination_at,
    combinations_led,
    each_class,
    known_of,
    score_combination,
    score_single,
    stakes_of,
    worth_of,
)
from .lane_fields import FACES, LANES, PLAYS
from .plays import kind_of, tiles_of
from .switches import Switches
from .table import stacks_of
from .weights import Weights

CHUNK = 16  # columns
# The words of a column: what the seat knows, in the order of `Known`,
HAND, UNSEEN, SURE, ONE, TWO, THREE, FOUR, TOP_PAIRS, STACKLESS = range(9)
# the lead, its number of tiles, the places at which the seat may beat, the candidates to come,
LED, NUMBER, PLACES, REST = 9, 10, 11, 12
# the tiles left after discarding so far, the best tile to discard, the best play face up; and
# the lane of the column, all stacks, and the situation of the seat.
LEFT, TILE, SHOW, LANE, ALL_STACKS, SITUATION = 13, 14, 15, 16, 17, 18
WORDS = 19
# Its numbers: the `Stakes`, then the scores of `TILE` and `SHOW`.
TILE_SCORE, SHOW_SCORE = 10, 11
REALS = 12


def new_desk() -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
    """Room for the decisions of one batch, see above."""
    chunks = LANES // CHUNK
    return np.zeros((chunks, WORDS * CHUNK), np.uint32), np.zeros((chunks, REALS * CHUNK), np.float32)


@helper
def at(desk: Any, field: int, column: int) -> int:
    """A word of a column."""
    return word(desk[field * CHUNK + column])


@helper
def known_at(desk: Any, column: int) -> Known:
    """What the seat of a column knows."""
    return Known(
        at(desk, HAND, column),
        at(desk, UNSEEN, column),
        at(desk, SURE, column),
        at(desk, ONE, column),
        at(desk, TWO, column),
        at(desk, THREE, column),
        at(desk, FOUR, column),
        at(desk, TOP_PAIRS, column),
        at(desk, STACKLESS, column),
    )


@helper
def stakes_at(reals: Any, column: int) -> Stakes:
    """What is at stake in a column."""
    return Stakes(
        reals[column],
        reals[CHUNK + column],
        reals[2 * CHUNK + column],
        reals[3 * CHUNK + column],
        reals[4 * CHUNK + column],
        reals[5 * CHUNK + column],
        reals[6 * CHUNK + column],
        reals[7 * CHUNK + column],
        reals[8 * CHUNK + column],
        reals[9 * CHUNK + column],
    )


@helper
def set_desk(desk: Any, reals: Any, place: int, multiplier: int, w: Weights) -> None:
    """Fill in what follows from the first words of each column."""
    for column in range(CHUNK):
        hand, unseen = at(desk, HAND, column), at(desk, UNSEEN, column)
        stacks, situation = at(desk, ALL_STACKS, column), at(desk, SITUATION, column)
        seat, size = situation & 3, situation >> 2 & 15
        trick, best_seat = situation >> 6 & 15, situation >> 10 & 3
        stackless = most = later = word(0)
        for step in range(1, 4):
            others = stacks_of(seat + step & 3, stacks)
            stackless += word(others == 0)
            most = others if others > most else most
            may = (size > 1) | (others != 0)
            later += size if may & (step < 4 - place) else word(0)

        known = known_of(hand, unseen, stackless)
        desk[SURE * CHUNK + column] = known.sure
        desk[ONE * CHUNK + column] = known.one
        desk[TWO * CHUNK + column] = known.two
        desk[THREE * CHUNK + column] = known.three
        desk[FOUR * CHUNK + column] = known.four
        desk[TOP_PAIRS * CHUNK + column] = known.top_pairs
        desk[STACKLESS * CHUNK + column] = known.stackless

        stakes = stakes_of(
            seat, word(place), trick, count(unseen), later, stacks_of(seat, stacks), most,
            word(8) - size, best_seat, word(multiplier), w,
        )  # fmt: skip
        reals[column] = stakes.a_tile
        reals[CHUNK + column] = stakes.first_early
        reals[2 * CHUNK + column] = stakes.first_middle
        reals[3 * CHUNK + column] = stakes.first_late
        reals[4 * CHUNK + column] = stakes.last
        reals[5 * CHUNK + column] = stakes.bonus
        reals[6 * CHUNK + column] = stakes.honour
        reals[7 * CHUNK + column] = stakes.cash
        reals[8 * CHUNK + column] = stakes.always
        reals[9 * CHUNK + column] = stakes.hazard
        desk[SHOW * CHUNK + column] = 0
        reals[SHOW_SCORE * CHUNK + column] = WORST
        desk[LEFT * CHUNK + column] = hand
        desk[NUMBER * CHUNK + column] = situation >> 12 & 7


@helper
def any_rest(desk: Any) -> bool:
    """Whether candidates are left in a chunk."""
    rest = word(0)
    for column in range(CHUNK):
        rest |= at(desk, REST, column)
    return rest != 0


@helper
def keep_show(desk: Any, reals: Any, column: int, play: int, score: float) -> None:
    """Keep a play face up if it is the best so far."""
    best, best_score = at(desk, SHOW, column), reals[SHOW_SCORE * CHUNK + column]
    is_better = (play != 0) & (score > best_score)
    reals[SHOW_SCORE * CHUNK + column] = score if is_better else best_score
    desk[SHOW * CHUNK + column] = play if is_better else best


@helper
def lead_singles(desk: Any, reals: Any, w: Weights) -> None:
    """Score each single tile of a chunk of leaders."""
    for column in range(CHUNK):
        desk[REST * CHUNK + column] = each_class(at(desk, HAND, column))
    while any_rest(desk):
        for column in range(CHUNK):
            rest, known = at(desk, REST, column), known_at(desk, column)
            tile = lowest(rest)
            desk[REST * CHUNK + column] = rest ^ tile
            worth = worth_of(known.hand ^ tile, known, w)
            score = score_single(tile, known, stakes_at(reals, column), worth, w)
            keep_show(desk, reals, column, tile, score)


@helper
def lead_combinations(desk: Any, reals: Any, number: int, w: Weights, rules: Switches) -> None:
    """Score all leads of one sort of more tiles of a chunk of leaders."""
    for column in range(CHUNK):
        desk[REST * CHUNK + column] = combinations_led(number, at(desk, HAND, column))
    while any_rest(desk):
        for column in range(CHUNK):
            rest, known = at(desk, REST, column), known_at(desk, column)
            place = lowest(rest)
            desk[REST * CHUNK + column] = rest ^ place
            play = combination_at(number, place, known.hand)
            play = play if place != 0 else word(0)
            worth = worth_of(known.hand ^ play, known, w)
            stakes = stakes_at(reals, column)
            score = score_combination(play, word(0), known, stakes, worth, w, rules)
            keep_show(desk, reals, column, play, score)


@helper
def follow_combinations(desk: Any, reals: Any, w: Weights, rules: Switches) -> None:
    """Score all plays of two to four tiles by which the seats of a chunk may beat."""
    for column in range(CHUNK):
        desk[REST * CHUNK + column] = at(desk, PLACES, column)
    while any_rest(desk):
        for column in range(CHUNK):
            rest, led, known = at(desk, REST, column), at(desk, LED, column), known_at(desk, column)
            place = lowest(rest)
            desk[REST * CHUNK + column] = rest ^ place
            play = tiles_of(place, known.hand, kind_of(led))
            play = play if place != 0 else word(0)
            worth = worth_of(known.hand ^ play, known, w)
            stakes = stakes_at(reals, column)
            score = score_combination(play, led, known, stakes, worth, w, rules)
            keep_show(desk, reals, column, play, score)


@helper
def follow(desk: Any, reals: Any, shows: bool, steps: int, w: Weights) -> None:
    """Choose the tiles to discard, one after another; score single tiles to show as well."""
    for step in range(steps):
        for column in range(CHUNK):
            is_due = at(desk, NUMBER, column) > step
            tiles = each_class(at(desk, LEFT, column))
            desk[REST * CHUNK + column] = tiles if is_due else word(0)
            desk[TILE * CHUNK + column] = 0
            reals[TILE_SCORE * CHUNK + column] = WORST
        while any_rest(desk):
            for column in range(CHUNK):
                rest, known = at(desk, REST, column), known_at(desk, column)
                tile = lowest(rest)
                desk[REST * CHUNK + column] = rest ^ tile
                worth = worth_of(at(desk, LEFT, column) ^ tile, known, w)
                best, best_worth = at(desk, TILE, column), reals[TILE_SCORE * CHUNK + column]
                is_better = (tile != 0) & (worth.itself > best_worth)
                reals[TILE_SCORE * CHUNK + column] = worth.itself if is_better else best_worth
                desk[TILE * CHUNK + column] = tile if is_better else best
                if shows:
                    score = score_single(tile, known, stakes_at(reals, column), worth, w)
                    keep_show(desk, reals, column, tile & at(desk, PLACES, column), score)
        for column in range(CHUNK):
            desk[LEFT * CHUNK + column] ^= desk[TILE * CHUNK + column]


@helper
def lay_plays(lanes: Any, desk: Any, reals: Any, place: int) -> None:
    """Write the plays into the lanes."""
    for column in range(CHUNK):
        lane = integer(at(desk, LANE, column))
        play, face_up = at(desk, SHOW, column), word(1)
        if place != 0:
            shows = reals[SHOW_SCORE * CHUNK + column] > reals[TILE_SCORE * CHUNK + column]
            discard = at(desk, HAND, column) ^ at(desk, LEFT, column)
            play, face_up = play if shows else discard, word(shows)
        lanes[(PLAYS + place) * LANES + lane] = play
        lanes[(FACES + place) * LANES + lane] = face_up


@routine
def lead_family(
    lanes: Any, desks: Any, reals_of: Any, columns: int, multiplier: int, w: Weights, rules: Switches
) -> None:
    """Lead in all lanes that the desk lists."""
    for chunk in range(columns // CHUNK):
        desk, reals = desks[chunk], reals_of[chunk]
        set_desk(desk, reals, 0, multiplier, w)
        lead_singles(desk, reals, w)
        for number in range(1, 5):
            lead_combinations(desk, reals, number, w, rules)
        lay_plays(lanes, desk, reals, 0)


@routine
def follow_family(
    lanes: Any, desks: Any, reals_of: Any, columns: int, place: int, is_single: bool,
    multiplier: int, w: Weights, rules: Switches,
) -> None:  # fmt: skip
    """Answer the leads, all of one tile or all of more, in all lanes that the desk lists."""
    for chunk in range(columns // CHUNK):
        desk, reals = desks[chunk], reals_of[chunk]
        set_desk(desk, reals, place, multiplier, w)
        if is_single:
            follow(desk, reals, True, 1, w)
        else:
            follow_combinations(desk, reals, w, rules)
            follow(desk, reals, False, 4, w)
            for column in range(CHUNK):
                left, known = at(desk, LEFT, column), known_at(desk, column)
                reals[TILE_SCORE * CHUNK + column] = worth_of(left, known, w).itself
        lay_plays(lanes, desk, reals, place)


assert len(Known._fields) == LED and len(Stakes._fields) == TILE_SCORE
