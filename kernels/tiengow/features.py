"""What a dealt hand holds: counts of suits, combinations and red pips, and the hand patterns.

Combinations are counted by class: AA99 has two pairs, one mixed pair, two threes, one four.
"""

from __future__ import annotations

from .._jit import helper
from ..word import count, word
from .endings import PATTERN_EIGHT, PATTERN_SEVEN
from .switches import (
    EIGHT_CIVIL,
    EIGHT_MILITARY,
    EIGHT_PATTERNS,
    FOUR_PAIRS,
    NO_RED,
    ONE_RED,
    SEVEN_CIVIL,
    SEVEN_MILITARY,
    SUPREME_OFF,
    Switches,
)
from .tiles import (
    CIVIL,
    FAMILIES,
    FIRST_BIT,
    MILITARY,
    SUPREME,
    A,
    B,
    C,
    K,
    held,
    partners,
    tiles_of_classes,
    twins,
)

# Features, by number; 0 is none.
FEATURES = ("military", "civil", "pairs", "mixed", "threes", "fours", "supreme", "red")
FEATURE_NUMBERS = {name: number for number, name in enumerate(FEATURES, 1)}
N_MILITARY, N_CIVIL, N_PAIRS, N_MIXED, N_THREES, N_FOURS, N_SUPREME, N_RED = range(1, 9)
WINNER_SEAT = 4  # in place of a seat: whoever won

_ONE_RED_PIP = tiles_of_classes("DJK3")
_FOUR_RED_PIPS = tiles_of_classes("I6") | 2 << FIRST_BIT["9"] | 2 << FIRST_BIT["7"]  # 4-5 and 3-4
_FIVE_RED_PIPS = 1 << FIRST_BIT["5"]  # 1-4


@helper
def red_pips(hand: int, rules: Switches) -> int:
    """Red pips of a hand: the ones and fours, and `heaven_red` on each 6-6."""
    pips = rules.heaven_red * count(hand & A) + 2 * count(hand & B) + 8 * count(hand & C)
    pips += count(hand & _ONE_RED_PIP) + 4 * count(hand & _FOUR_RED_PIPS)
    return pips + 5 * count(hand & _FIVE_RED_PIPS)


@helper
def feature(hand: int, number: int, rules: Switches) -> int:
    """Feature `number` of `FEATURES` (from 1) of a dealt hand."""
    if number == N_MILITARY or number == N_CIVIL:
        return count(hand & (MILITARY if number == N_MILITARY else CIVIL))
    both = twins(hand)
    beside = partners(hand)
    mixed = held(hand) & held(beside) & FAMILIES
    two_civil, two_military = mixed & both, mixed & twins(beside)
    if number == N_PAIRS:
        return count(both)
    if number == N_MIXED:
        return count(mixed)
    if number == N_THREES:
        return count(two_civil) + count(two_military)
    if number == N_FOURS:
        return count(two_civil & two_military)
    if number == N_SUPREME:
        civil = ((hand & K) == K) & (rules.supreme_civil != SUPREME_OFF)
        return word((hand & SUPREME) == SUPREME) + word(civil)
    return red_pips(hand, rules)


@helper
def patterns_of(hand: int, rules: Switches) -> int:
    """The hand patterns (例牌) that eight dealt tiles show, as bits of the switch."""
    military, red = count(hand & MILITARY), red_pips(hand, rules)
    found = word(0)
    found |= ONE_RED if red == 1 else (NO_RED if red == 0 else 0)
    found |= SEVEN_MILITARY if military == 7 else (EIGHT_MILITARY if military == 8 else 0)
    found |= SEVEN_CIVIL if military == 1 else (EIGHT_CIVIL if military == 0 else 0)
    return found | (FOUR_PAIRS if count(twins(hand)) == 4 else 0)


@helper
def pattern_ending(hand: int, rules: Switches) -> int:
    """How a dealt hand ends the hand under the rules' patterns: 0 if it does not."""
    found = patterns_of(hand, rules) & rules.hand_patterns
    if (found & EIGHT_PATTERNS) != 0:
        return word(PATTERN_EIGHT)
    return word(PATTERN_SEVEN) if found != 0 else word(0)
