"""All policies that need no search behind one call, and a hand played to its end by four of them."""

from __future__ import annotations

from typing import Any

from .._jit import helper, routine
from ..streams import Key
from ..word import count, integer, lowest, share, word
from .family_play import family_move
from .foreign import USER, user_move
from .outcome import Outcome
from .plays import Kind, Move, options, tiles_of
from .policies import GREEDY, RANDOM, View, follow, lead
from .state import (
    BEATS,
    CIVIL_LED,
    HAND,
    LUCK,
    MAY_SHOW,
    MILITARY_LED,
    SIZE,
    TILES_OF,
    finished,
    make_play,
    make_view,
    to_play,
)
from .switches import Switches
from .tiles import FAMILIES, SUPREME, partners, twins

# Kinds of policies that follow RANDOM and GREEDY.
FAMILY, PUBLIC_A, PUBLIC_B = 2, 3, 4


@helper
def public_a_move(view: View) -> Move:
    """Leads 63, else a four, else its cheapest single; makes the cheapest legal beat; else junk."""
    hand, kind = view.hand, view.kind
    number = kind.civil + kind.military
    beside = partners(hand)
    fours = twins(hand) & twins(beside) & FAMILIES
    if number == 0:
        if (hand & SUPREME) == SUPREME:
            return Move(word(SUPREME), True)
        if fours != 0:
            return Move(tiles_of(lowest(fours), hand, Kind(word(2), word(2))), True)
        return Move(lowest(hand), True)
    place = lowest(options(hand, kind) & view.beaters)
    if place != 0 and view.may_show:
        return Move(tiles_of(place, hand, kind), True)
    kept = twins(hand) * 3
    if (hand & SUPREME) == SUPREME:
        kept |= SUPREME
    junk = hand & ~kept
    chosen = word(0)
    for _ in range(integer(number)):
        tile = lowest(junk) if junk != 0 else lowest(hand ^ chosen)
        junk &= ~tile
        chosen |= tile
    return Move(chosen, False)


@helper
def public_b_move(view: View) -> Move:
    """Leads its weakest pair, else its lowest single; ducks 3 times in 10; discards at random."""
    hand, luck, kind = view.hand, view.luck, view.kind
    number = kind.civil + kind.military
    if number == 0:
        pairs = twins(hand)
        return Move(lowest(pairs) * 3 if pairs != 0 else lowest(hand), True)
    place = lowest(options(hand, kind) & view.beaters)
    ducks = share(luck, 10) < 3
    if place != 0 and view.may_show and not ducks:
        return Move(tiles_of(place, hand, kind), True)
    rest, chosen = hand, word(0)
    luck = word(luck * 10)
    for _ in range(integer(number)):
        size = count(rest)
        tile = rest
        for _skip in range(integer(share(luck, size))):
            tile &= tile - 1
        tile = lowest(tile)
        luck = word(luck * size)
        rest, chosen = rest ^ tile, chosen | tile
    return Move(chosen, False)


@helper
def simple_move(policy: int, view: View, rules: Switches) -> Move:
    """The play of a policy that has no weights."""
    if policy == PUBLIC_A:
        return public_a_move(view)
    if policy == PUBLIC_B:
        return public_b_move(view)
    pinned = GREEDY if policy == GREEDY else RANDOM
    if (view.kind.civil | view.kind.military) == 0:
        return Move(lead(pinned, view, rules), True)
    return follow(pinned, view)


@routine
def choose(kind: int, view: Any, weights: Any, rules: Switches) -> Move:
    """The play of a policy of this kind; the family reads `weights`, a user's has its address there."""
    if kind == FAMILY:
        return family_move(view, weights, rules)
    if kind == USER:
        return user_move(int(weights[0]), view)
    led = Kind(word(view[CIVIL_LED]), word(view[MILITARY_LED]))
    simple = View(
        word(view[HAND]),
        word(view[TILES_OF]),
        led,
        word(view[BEATS]),
        view[MAY_SHOW] != 0,
        word(view[LUCK]),
    )
    return simple_move(kind, simple, rules)


@routine
def play_out(state: Any, kinds: Any, weights: Any, key: Key, rules: Switches, view: Any) -> Outcome:
    """Play a hand in progress to its end; row s of `kinds` and `weights` is seat s."""
    while state[SIZE] != 0:
        make_view(state, key, rules, view)
        seat = to_play(state)
        move = choose(kinds[seat], view, weights[seat], rules)
        make_play(state, move, rules)
    return finished(state, rules)
