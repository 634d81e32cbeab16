"""The outcome record: all of a played hand that any settlement switch can ask for, in 64 bits.

It is kept as two words, `result` and `honours`.  A record holds seats relative to the banker
(0 banker, 1 right, 2 across, 3 left).  What no switch can ask for is left 0, so that few
distinct records occur and each is settled once.

=========  ======  ==========================================================
result     bits
=========  ======  ==========================================================
winner     0-1     seat that won the last trick
caught     2-3     seat that led the last trick, if it was beaten as in a kam
ending     4-7     how the last trick was won, see the constants
size       8-10    tiles of the last trick, 0 after a hand pattern
stacks     11-22   four bits each for right, across and left
sure       23-24   the winning single was sure by what was shown, in truth
opened     25      the banker opened with an A, a 9 or supreme
last tile  26-30   bit number of the tile that won a last trick of one tile
=========  ======  ==========================================================

=========  ======  ==========================================================
honours    bits
=========  ======  ==========================================================
fours      0-17    two events of nine bits, see `trick.four_event`
supremes   18-25   see `trick.supreme_event`
=========  ======  ==========================================================

Bits 23 to 25 of the result are kept for a sweep only, the one thing that they bear on.
"""

from __future__ import annotations

from typing import NamedTuple

from .._jit import helper
from ..word import position, word
from .endings import (
    FOUR,
    FOUR_CAUGHT,
    LOW,
    LOW_CAUGHT,
    LOW_CIVIL,
    LOW_CIVIL_CAUGHT,
    PLAIN,
    SUPREME_CIVIL_CAUGHT,
    SUPREME_CIVIL_WON,
    SUPREME_WON,
)
from .plays import is_supreme, kind_of
from .switches import Switches
from .table import Table
from .tiles import (
    CIVIL,
    NINES,
    SIX,
    SUPREME,
    THREE,
    A,
    J,
    K,
    above,
    from_military_strength,
    military_strength,
)

SETTLED_BITS = (1 << 26) - 1  # of the result: all but the last tile
HONOUR_BITS = 26
LED_63 = 18  # of the honours: where the event of a 63 lead begins


class Outcome(NamedTuple):
    """The two words of a record."""

    result: int
    honours: int


@helper
def ending_of(led: int, best: int, size: int, rules: Switches) -> int:
    """How the last trick was won, from the tiles led and the tiles that won."""
    won = led == best
    if size == 1:
        if led == THREE:
            caught = word(LOW_CAUGHT if best == SIX else PLAIN)
            return word(LOW) if won else caught
        if (led & K) != 0:
            caught = word(LOW_CIVIL_CAUGHT if (best & J) != 0 else PLAIN)
            return word(LOW_CIVIL) if won else caught
        return word(PLAIN)
    if size == 4:
        return word(FOUR if won else FOUR_CAUGHT)
    if led == SUPREME:
        return word(SUPREME_WON)
    if is_supreme(led, rules):
        return word(SUPREME_CIVIL_WON if won else SUPREME_CIVIL_CAUGHT)
    return word(PLAIN)


@helper
def pattern_outcome(seat: int, ending: int) -> Outcome:
    """The record of a hand that a dealt pattern ended: all stacks go to its seat."""
    stacks = (word(8) << (seat << 2)) >> 4
    return Outcome(seat | ending << 4 | stacks << 11, word(0))


@helper
def outcome_of(table: Table, dealt: int, banker_led: bool, rules: Switches) -> Outcome:
    """The record of a finished hand; `dealt` are the eight tiles that its winner was dealt."""
    winner, best = table.leader, table.last_best
    kind = kind_of(best)
    size = kind.civil + kind.military
    ending = ending_of(table.last_led, best, size, rules)
    caught = table.last_leader if ending >= LOW_CAUGHT else word(0)
    swept = stacks_are_all(table.stacks, winner)

    stronger = _stronger_singles(best)
    sure = word((stronger & ~(dealt | table.shown)) == 0)
    sure |= word((stronger & table.last_tiles) == 0) << 1
    high = table.opening & (A | NINES) != 0
    opened = banker_led & (high | is_supreme(table.opening, rules)) & (winner == 0)

    result = winner | caught << 2 | ending << 4 | size << 8 | (table.stacks >> 4) << 11
    if swept:
        result |= (sure << 23 if size == 1 else word(0)) | word(opened) << 25
    if size == 1:
        result |= position(best) << 26
    return Outcome(result, table.fours | table.supremes << LED_63)


@helper
def stacks_are_all(stacks: int, winner: int) -> bool:
    """Whether one seat holds all eight stacks."""
    return stacks == word(8) << (winner << 2)


@helper
def _stronger_singles(tile: int) -> int:
    """The tiles of its suit that beat a single tile."""
    if (tile & CIVIL) != 0:
        return above(tile) & CIVIL
    return from_military_strength(above(military_strength(tile)))
