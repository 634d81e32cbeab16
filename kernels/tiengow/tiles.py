"""The 32 tiles as bits of one word.

From the lowest bit the tiles stand in the order ``3 KK 6 JJ 55 II 77 HH 88 GG 99 FF EE DD CC
BB AA``.  Identical tiles lie side by side, the civil classes rise in strength, and so do the
military ones, except that 6, which ranks above 5, stands below it (see `military_strength`).
The two tiles of 9, 8, 7 and 5 have equal strength but their own bits, in the order of the rules
page: 3-6 then 4-5, 2-6 then 3-5, 2-5 then 3-4, 1-4 then 2-3.

Source: the section "Tiles" of the rules.
"""

from __future__ import annotations

from .._jit import helper
from ..word import word

# The bit of each class's first tile, in the order in which the classes stand.
FIRST_BIT = {
    "3": 0, "K": 1, "6": 3, "J": 4, "5": 6, "I": 8, "7": 10, "H": 12, "8": 14,
    "G": 16, "9": 18, "F": 20, "E": 22, "D": 24, "C": 26, "B": 28, "A": 30,
}  # fmt: skip
CIVIL_CLASSES = "ABCDEFGHIJK"  # strongest first
MILITARY_CLASSES = "987653"  # strongest first
CLASSES = CIVIL_CLASSES + MILITARY_CLASSES
SINGLE_TILES = "63"  # classes of one tile


def tiles_of_classes(classes: str) -> int:
    """All tiles of these classes."""
    return sum((1 if c in SINGLE_TILES else 3) << FIRST_BIT[c] for c in classes)


CIVIL = tiles_of_classes(CIVIL_CLASSES)
MILITARY = tiles_of_classes(MILITARY_CLASSES)
ALL = CIVIL | MILITARY
SIX = tiles_of_classes("6")
THREE = tiles_of_classes("3")
SUPREME = SIX | THREE
A, B, C, D, J, K = (tiles_of_classes(c) for c in "ABCDJK")
NINES = tiles_of_classes("9")
FIRST = sum(1 << FIRST_BIT[c] for c in CLASSES if c not in SINGLE_TILES)
SECOND = FIRST << 1
FAMILIES = sum(1 << FIRST_BIT[c] for c in "ABCD")
_NINE_TO_A = FIRST_BIT["A"] - FIRST_BIT["9"]
_EIGHT_TO_B = FIRST_BIT["B"] - FIRST_BIT["8"]
_SEVEN_TO_C = FIRST_BIT["C"] - FIRST_BIT["7"]
_FIVE_TO_D = FIRST_BIT["D"] - FIRST_BIT["5"]
_SIX_UP = FIRST_BIT["I"] - FIRST_BIT["6"]  # the place between 5 and 7 that is free of military
_SIX_RAISED = SIX << _SIX_UP


@helper
def first_tiles(hand: int, number: int) -> int:
    """The first one to four tiles of a hand, from the lowest."""
    one = hand & (hand - 1)
    two = one & (one - 1)
    three = two & (two - 1)
    four = three & (three - 1)
    rest = one if number == 1 else (two if number == 2 else (three if number == 3 else four))
    return hand ^ rest


@helper
def twins(hand: int) -> int:
    """The first bit of each class of which both tiles are held."""
    return hand & hand >> 1 & FIRST


@helper
def held(hand: int) -> int:
    """The first bit of each two-tile class of which a tile is held."""
    return (hand | hand >> 1) & FIRST


@helper
def partners(hand: int) -> int:
    """The tiles 9 8 7 5 moved to where their civil partners A B C D stand.

    Mixed pairs, threes and fours are then plain intersections.
    """
    return (
        hand << _NINE_TO_A & A
        | hand << _EIGHT_TO_B & B
        | hand << _SEVEN_TO_C & C
        | hand << _FIVE_TO_D & D
    )


@helper
def from_partners(tiles: int) -> int:
    """The inverse of `partners`."""
    return (
        (tiles & A) >> _NINE_TO_A
        | (tiles & B) >> _EIGHT_TO_B
        | (tiles & C) >> _SEVEN_TO_C
        | (tiles & D) >> _FIVE_TO_D
    )


@helper
def military_strength(hand: int) -> int:
    """The military tiles with 6 raised above 5, so that a higher bit is a stronger tile."""
    return hand & (MILITARY ^ SIX) | (hand & SIX) << _SIX_UP


@helper
def from_military_strength(tiles: int) -> int:
    """The inverse of `military_strength`."""
    return tiles & (MILITARY ^ SIX) | (tiles & _SIX_RAISED) >> _SIX_UP


@helper
def above(tile: int) -> int:
    """All places stronger than the class of one tile (given by any of its bits)."""
    next_place = tile << 1
    return word(0 - (next_place + (next_place & SECOND)))
