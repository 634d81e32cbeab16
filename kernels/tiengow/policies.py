"""The two pinned policies, `random` and `greedy`.

A policy sees its `View` and nothing else, and answers with the tiles it plays.
Source: "Pinned baseline policies" of the interface.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import helper
from ..word import count, highest, integer, lowest, share, word
from .plays import Kind, Move, options, tiles_of
from .switches import SUPREME_OFF, Switches
from .tiles import (
    ALL,
    CIVIL,
    FAMILIES,
    FIRST_BIT,
    SECOND,
    SIX,
    SUPREME,
    THREE,
    D,
    K,
    first_tiles,
    from_military_strength,
    from_partners,
    held,
    military_strength,
    partners,
    twins,
)

RANDOM = 0
GREEDY = 1
POLICIES = {"random": RANDOM, "greedy": GREEDY}

_SIX_TO_D = FIRST_BIT["D"] - FIRST_BIT["6"]
_FIVE_TO_E = FIRST_BIT["E"] - FIRST_BIT["5"]
_THREE_TO_F = FIRST_BIT["F"] - FIRST_BIT["3"]
_FIVES = 3 << FIRST_BIT["5"]
_NOT_D = ALL ^ D


class View(NamedTuple):
    """What a seat knows when it is its turn."""

    hand: int
    size: int  # tiles in the hand
    kind: Kind  # of the play led
    beaters: int  # the places that beat the best play so far
    may_show: bool  # the two-stack rule lets it play face up
    luck: int  # a random word of its own


@helper
def lead(policy: int, view: View, rules: Switches) -> int:
    """The combination that a policy leads."""
    if policy == GREEDY:
        return greedy_lead(view, rules)
    return random_lead(view)


@helper
def follow(policy: int, view: View) -> Move:
    """How a policy answers a lead."""
    if policy == GREEDY:
        return greedy_follow(view)
    return random_follow(view)


# ---------------------------------------------------------------- greedy


@helper
def greedy_lead(view: View, rules: Switches) -> int:
    """The largest combination; among equals the strongest of its kind; then by kind.

    Where the largest combination has n tiles, no family of the hand has more than n, so the
    combination is all that the hand holds of that family.
    """
    hand = view.hand
    one, both = held(hand), twins(hand)
    beside = partners(hand)
    beside_one, beside_both = held(beside), twins(beside)

    fours = both & beside_both & FAMILIES
    threes = (both & beside_one | one & beside_both) & FAMILIES
    couples = both & CIVIL | (beside_both | one & beside_one) & FAMILIES
    family = highest(fours if fours != 0 else (threes if threes != 0 else couples)) * 3
    combination = hand & (family | from_partners(family))

    if (threes | fours) == 0:
        if (hand & SUPREME) == SUPREME:
            return word(SUPREME)
        if ((hand & K) == K) & (rules.supreme_civil != SUPREME_OFF):
            return word(K)
    return combination if combination != 0 else _strongest_single(hand, beside)


@helper
def _strongest_single(hand: int, beside: int) -> int:
    """The tile of the best rank within its suit, civil before military; all classes differ."""
    civil = highest(hand & CIVIL)
    military = highest(military_strength(hand))
    # The military ranks 1 to 6 moved to the places of the civil ranks 1 to 6.
    ranked = beside & _NOT_D | (hand & SIX) << _SIX_TO_D
    ranked |= (hand & _FIVES) << _FIVE_TO_E | (hand & THREE) << _THREE_TO_F
    return civil if held(civil) >= highest(held(ranked)) else from_military_strength(military)


@helper
def greedy_follow(view: View) -> Move:
    """The weakest play that beats, else the first tiles in the order of the bits, face down."""
    place = lowest(options(view.hand, view.kind) & view.beaters)
    if (place != 0) & view.may_show:
        return Move(tiles_of(place, view.hand, view.kind), True)
    return Move(first_tiles(view.hand, view.kind.civil + view.kind.military), False)


# ---------------------------------------------------------------- random

# A list of family combinations is a word with one bit for each.  The bits of a family stand at
# the place of its civil class, in the byte that says what they hold of which suit:
#   mixed pairs:  byte 3 the lowest civil tile (the other one a bit higher) with the lowest
#                 military tile, byte 2 the same with the other military tile
#   three, four:  byte 3 both civil tiles with the lowest military one (the other a bit higher),
#                 byte 2 both military tiles with the lowest civil one (the other a bit higher),
#                 byte 1 all four


class FamilyLists(NamedTuple):
    """The family combinations of a hand, one bit for each set of tiles."""

    mixed: int
    larger: int


@helper
def family_lists(hand: int) -> FamilyLists:
    """All combinations of both suits that a hand holds."""
    beside = partners(hand)
    civil_twins, military_twins = twins(hand), twins(beside)
    family = held(hand) & held(beside) & FAMILIES
    two_civil, two_military = family & civil_twins, family & military_twins
    four = two_civil & two_military
    mixed = family | two_civil << 1 | two_military >> 8 | four >> 7
    larger = two_civil | four << 1 | two_military >> 8 | four >> 7 | four >> 16
    return FamilyLists(mixed, larger)


@helper
def family_tiles(chosen: int, is_mixed: bool, hand: int) -> int:
    """The tiles of the combination that one bit of a list stands for."""
    byte_2, byte_1 = chosen & 0xFF0000, chosen & 0xFF00
    place = chosen & 0xFF000000 | byte_2 << 8 | byte_1 << 16
    is_other = (place & SECOND) != 0
    both = place | (place >> 1 if is_other else place << 1)
    civil, military = hand & both, hand & from_partners(both)
    whole_civil = (not is_mixed) & (byte_2 == 0)
    whole_military = (not is_mixed) & ((byte_2 | byte_1) != 0)
    other_military = (byte_2 != 0) if is_mixed else is_other
    one_civil = civil ^ lowest(civil) if is_other else lowest(civil)
    one_military = military ^ lowest(military) if other_military else lowest(military)
    return (civil if whole_civil else one_civil) | (military if whole_military else one_military)


@helper
def nth(tiles: int, number: int) -> int:
    """The set bit number `number` (from 0, at most 9) of a word."""
    for step in range(9):
        tiles = tiles & (tiles - 1) if step < number else tiles
    return lowest(tiles)


@helper
def random_lead(view: View) -> int:
    """Any combination of the hand, each set of tiles equally likely."""
    hand = view.hand
    has_supreme = word((hand & SUPREME) == SUPREME)
    pairs = twins(hand) | has_supreme  # bit 0, no place of a pair, stands for supreme
    mixed, larger = family_lists(hand)
    to_pairs = view.size
    to_mixed = to_pairs + count(pairs)
    to_larger = to_mixed + count(mixed)
    number = share(view.luck, to_larger + count(larger))

    source, start = hand, word(0)
    if number >= to_pairs:
        source, start = pairs, to_pairs
    if number >= to_mixed:
        source, start = mixed, to_mixed
    if number >= to_larger:
        source, start = larger, to_larger
    chosen = nth(source, number - start)
    family = family_tiles(chosen, number < to_larger, hand)
    pair = word(SUPREME) if chosen == 1 else chosen * 3
    return chosen if number < to_pairs else (pair if number < to_mixed else family)


def _subsets() -> NDArray[np.uint32]:
    """From 70 * n on: the sets of n of 8 things as bit masks, in rising order.

    In that order the sets of the first m things stand first, so one row serves every hand size.
    """
    rows = np.zeros((5, 70), np.uint32)
    for size in range(1, 5):
        masks = [mask for mask in range(256) if mask.bit_count() == size]
        rows[size, : len(masks)] = masks
    return rows.ravel()


SUBSETS = _subsets()


@helper
def choose(size: int, number: int) -> int:
    """How many sets of one to four things there are among `size` things."""
    two = size * (size - 1) >> 1
    three = share(two * (size - 2), 0x55555556)  # divided by 3
    four = three * (size - 3) >> 2
    return size if number == 1 else (two if number == 2 else (three if number == 3 else four))


@helper
def deposit(pattern: int, tiles: int) -> int:
    """The tiles whose numbers, from the lowest, are the set bits of an 8-bit pattern."""
    chosen = word(0)
    for number in range(8):
        tile = lowest(tiles)
        tiles ^= tile
        chosen |= tile if (pattern & 1 << number) != 0 else word(0)
    return chosen


@helper
def random_follow(view: View) -> Move:
    """Any set of tiles that beats, or any set face down, each equally likely."""
    hand, kind = view.hand, view.kind
    number = kind.civil + kind.military
    is_family = (kind.civil != 0) & (kind.military != 0)
    mixed, larger = family_lists(hand)
    byte = 0xFF000000 if kind.military == 1 else (0xFF0000 if kind.civil == 1 else 0xFF00)
    families = mixed if number == 2 else larger & byte
    beating_families = (view.beaters & FAMILIES) * 3
    beating_families |= beating_families >> 8 | beating_families >> 16
    beating = families & beating_families if is_family else options(hand, kind) & view.beaters
    beating = beating if view.may_show else word(0)

    face_up = count(beating)
    which = share(view.luck, face_up + choose(view.size, number))
    shows = which < face_up
    subset = word(SUBSETS[integer(number * 70 + (word(0) if shows else which - face_up))])
    chosen = deposit(word(1) << which if shows else subset, beating if shows else hand)

    single = chosen if kind.civil != 0 else from_military_strength(chosen)
    pure = single if number == 1 else chosen * 3
    play = family_tiles(chosen, number == 2, hand) if is_family else pure
    return Move(play if shows else chosen, shows)
