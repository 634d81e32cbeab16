"""The switches of a rule set as the kernels read them: one integer each.

Source: the section "Switches" of the rules.  The meaning, the allowed values and the defaults
stand in ``gupai.analysis.tiengow.rules``; here are only the numbers.
"""

from __future__ import annotations

from typing import NamedTuple

# supreme_civil
SUPREME_OFF, SUPREME_ON, SUPREME_BEATEN_BY_J = 0, 1, 2
# excess
EXCESS_SPECIAL, EXCESS_PLAIN = 0, 1
# sure_single
SURE_PUBLIC, SURE_ACTUAL = 0, 1
# opening_ban
BAN_OFF, BAN_EIGHT, BAN_SWEEP = 0, 1, 2
# four_bonus_to
TO_WINNER, TO_EVERYONE, TO_LEADER, TO_WINNING_LEADER = 0, 1, 2, 3
# banker
BANKER_STREAK, BANKER_DOUBLE, BANKER_OFF = 0, 1, 2
# hand_patterns: a set of bits, the ones settled as a seven below those settled as an eight
ONE_RED, SEVEN_MILITARY, SEVEN_CIVIL = 1, 2, 4
NO_RED, EIGHT_MILITARY, EIGHT_CIVIL, FOUR_PAIRS = 8, 16, 32, 64
EIGHT_PATTERNS = NO_RED | EIGHT_MILITARY | EIGHT_CIVIL | FOUR_PAIRS


class Switches(NamedTuple):
    """Every switch of a rule set, as integers; the first four change play, the rest settlement."""

    two_stacks: int
    supreme_civil: int
    hand_patterns: int
    heaven_red: int
    last_low_civil: int
    kam_supreme_civil: int
    capture_bonus: int
    kam: int
    kam_fours: int
    excess: int
    yao: int
    supreme_finish: int
    four_finish: int
    seven: int
    eight: int
    sure_single: int
    opening_ban: int
    supreme_bonus: int
    four_bonus: int
    bonus_on_last: int
    four_bonus_to: int
    banker: int
    empty: int


SWITCHES = len(Switches._fields)
