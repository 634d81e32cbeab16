"""The heuristic family for one hand: the plain loop, and the check of ``family_lanes.py``."""

from __future__ import annotations

from typing import Any

from .._jit import helper, routine
from ..word import count, lowest, word
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
from .plays import Kind, Move, options, tiles_of
from .state import (
    BEATS,
    BEST_SEAT,
    CIVIL_LED,
    HAND,
    LED,
    MAY_SHOW,
    MILITARY_LED,
    MULTIPLIER,
    POSITION,
    SEAT,
    STACKS_OF,
    TILES_OF,
    TRICK,
    UNSEEN,
)
from .switches import Switches
from .tiles import from_military_strength
from .weights import Weights, weights_of


@routine
def known_to(view: Any) -> Known:
    """What a view says, as the family reads it."""
    stackless = 0
    for place in range(1, 4):
        stackless += int(view[STACKS_OF + place] == 0)
    return known_of(word(view[HAND]), word(view[UNSEEN]), word(stackless))


@helper
def stakes_in(view: Any, w: Weights) -> Stakes:
    """What a view says of a play face up."""
    tiles = most = 0
    gone = view[STACKS_OF]
    for place in range(1, 4):
        most = max(most, view[STACKS_OF + place])
        gone += view[STACKS_OF + place]
        may = view[TILES_OF + place] > 1 or view[STACKS_OF + place] > 0
        tiles += view[TILES_OF + place] if place < 4 - view[POSITION] and may else 0
    best_seat = view[BEST_SEAT] + view[SEAT] & 3
    return stakes_of(
        word(view[SEAT]), word(view[POSITION]), word(view[TRICK]), count(word(view[UNSEEN])),
        word(tiles), word(view[STACKS_OF]), word(most), word(gone), word(best_seat),
        word(view[MULTIPLIER]), w,
    )  # fmt: skip


@helper
def score_in(play: int, view: Any, known: Known, stakes: Stakes, w: Weights, rules: Switches) -> float:
    """The score of a play that lies face up."""
    worth = worth_of(known.hand ^ play, known, w)
    led = word(view[LED])
    if (play & (play - 1)) == 0:
        return score_single(play, known, stakes, worth, w)
    return score_combination(play, led, known, stakes, worth, w, rules)


@routine
def best_discard(number: int, known: Known, w: Weights) -> int:
    """The tiles whose loss costs the hand least, chosen one after another."""
    left = known.hand
    for _ in range(number):
        best, best_score = word(0), WORST
        rest = each_class(left)
        while rest != 0:
            tile = lowest(rest)
            rest = rest ^ tile
            score = worth_of(left ^ tile, known, w).itself
            if score > best_score:
                best, best_score = tile, score
        left = left ^ best
    return known.hand ^ left


@routine
def family_move(view: Any, row: Any, rules: Switches) -> Move:
    """The play of the heuristic family; `row` has its weights."""
    w = weights_of(row)
    known = known_to(view)
    stakes = stakes_in(view, w)
    hand = known.hand
    best, best_score = word(0), WORST
    if view[POSITION] == 0:
        for number in range(5):
            places = each_class(hand) if number == 0 else combinations_led(number, hand)
            while places != 0:
                place = lowest(places)
                places = places ^ place
                play = place if number == 0 else combination_at(number, place, hand)
                score = score_in(play, view, known, stakes, w, rules)
                if score > best_score:
                    best, best_score = play, score
        return Move(best, True)
    kind = Kind(word(view[CIVIL_LED]), word(view[MILITARY_LED]))
    number = view[CIVIL_LED] + view[MILITARY_LED]
    places = options(hand, kind) & word(view[BEATS])
    if number == 1 and kind.civil == 0:  # tiles in place of places, in the order of any single
        places = from_military_strength(places)
    if view[MAY_SHOW] != 0:
        while places != 0:
            place = lowest(places)
            places = places ^ place
            play = place if number == 1 else tiles_of(place, hand, kind)
            score = score_in(play, view, known, stakes, w, rules)
            if score > best_score:
                best, best_score = play, score
    discard = best_discard(number, known, w)
    if best_score > worth_of(hand ^ discard, known, w).itself:
        return Move(best, True)
    return Move(discard, False)
