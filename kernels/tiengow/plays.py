"""Combinations: what may be led, what beats it, which tiles make a play.

The kind of a play is its number of civil and of military tiles: (1, 0) a civil single, (0, 2) a
military pair or the supreme pair, (2, 1) a three with two civil tiles.  Within a kind a play is
known by its *place*: the bit of its class, such that a stronger play has a higher bit.  What
still beats the best play on the table is a mask of places, the *beaters*.

Source: the sections "Combinations" and "The hand" of the rules.
"""

from __future__ import annotations

from typing import NamedTuple

from .._jit import helper
from ..word import count, lowest, word
from .switches import SUPREME_BEATEN_BY_J, SUPREME_OFF, Switches
from .tiles import (
    CIVIL,
    FAMILIES,
    FIRST,
    MILITARY,
    SUPREME,
    J,
    K,
    above,
    from_military_strength,
    from_partners,
    held,
    military_strength,
    partners,
    twins,
)


class Kind(NamedTuple):
    """Number of civil and of military tiles in a play."""

    civil: int
    military: int


class Move(NamedTuple):
    """The tiles played and whether they lie face up."""

    play: int
    face_up: bool


@helper
def up_to_two(tiles: int) -> int:
    """How many tiles these are, none, one or two; two also for more."""
    return word(tiles != 0) + word((tiles & (tiles - 1)) != 0)


@helper
def kind_of(play: int) -> Kind:
    """The kind of a combination."""
    return Kind(up_to_two(play & CIVIL), up_to_two(play & MILITARY))


@helper
def is_supreme(lead: int, rules: Switches) -> bool:
    """Whether a led play is the supreme pair 63, or KK where that counts as one."""
    return (lead == SUPREME) | (lead == K) & (rules.supreme_civil != SUPREME_OFF)


@helper
def is_combination(play: int) -> bool:
    """Whether the tiles of a non-empty play may be led together."""
    civil, military = kind_of(play)
    couple = twins(play)
    same_civil = (civil <= 1) | ((couple & CIVIL) != 0)
    same_military = (military <= 1) | ((couple & MILITARY) != 0)
    family = (civil == 0) | (military == 0) | ((held(play) & held(partners(play)) & FAMILIES) != 0)
    small = (count(play & CIVIL) <= 2) & (count(play & MILITARY) <= 2)
    return (play == SUPREME) | small & same_civil & same_military & family


@helper
def place_of(play: int, kind: Kind) -> int:
    """The place of a combination within its kind."""
    if kind.civil != 0:
        return held(play) & CIVIL
    return twins(play) if kind.military == 2 else military_strength(play)


@helper
def beaters_of_lead(lead: int, kind: Kind, rules: Switches) -> int:
    """The places that beat a led combination: none for supreme, JJ alone where it beats KK."""
    if is_supreme(lead, rules):
        jj_beats = (lead == K) & (rules.supreme_civil == SUPREME_BEATEN_BY_J)
        return word(J & FIRST if jj_beats else 0)
    return above(place_of(lead, kind))


@helper
def options(hand: int, kind: Kind) -> int:
    """The places at which a hand holds a play of this kind (supreme is no follower)."""
    one, both = held(hand), twins(hand)
    beside = partners(hand)
    civil = both if kind.civil == 2 else one
    military = twins(beside) if kind.military == 2 else held(beside)
    family = civil & military & FAMILIES
    only_civil = (both if kind.civil == 2 else hand) & CIVIL
    only_military = both & MILITARY if kind.military == 2 else military_strength(hand)
    pure = only_civil if kind.military == 0 else only_military
    return family if (kind.civil != 0) & (kind.military != 0) else pure


@helper
def tiles_of(place: int, hand: int, kind: Kind) -> int:
    """The tiles of a hand that make the play of this kind at a place, the lowest ones."""
    single = place if kind.civil != 0 else from_military_strength(place)
    both = place * 3
    civil = hand & both & CIVIL
    military = hand & (from_partners(both) if kind.civil != 0 else both) & MILITARY
    civil = civil if kind.civil == 2 else lowest(civil)
    military = military if kind.military == 2 else lowest(military)
    together = (civil if kind.civil != 0 else word(0)) | (military if kind.military != 0 else word(0))
    return single if kind.civil + kind.military == 1 else together


@helper
def beats(play: int, kind: Kind, beaters: int) -> bool:
    """Whether a play is of the kind led and beats the best play so far."""
    civil, military = kind_of(play)
    same_kind = (civil == kind.civil) & (military == kind.military)
    return same_kind & is_combination(play) & (play != SUPREME) & ((place_of(play, kind) & beaters) != 0)


@helper
def may_show(hand: int, stacks: int, rules: Switches) -> bool:
    """Whether a follower may play face up: not its last tile without a stack (two-stack rule)."""
    return (rules.two_stacks == 0) | (stacks != 0) | ((hand & (hand - 1)) != 0)
