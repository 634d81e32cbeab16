"""The weights of the heuristic family, in points."""

from __future__ import annotations

from typing import Any, NamedTuple

from .._jit import helper
from ..real import REAL


class Weights(NamedTuple):
    """What a policy of the family thinks that things are worth, each a float32.

    A *stage* is by the tiles left after a play: early five or more, middle three or four, late
    fewer.  A weight of 0 means nothing, so a policy that lacks one plays as before it came.
    """

    # + how many unseen tiles of its suit beat it, at most 5: a tile kept
    single_early_0: float
    single_early_1: float
    single_early_2: float
    single_early_3: float
    single_early_4: float
    single_early_5: float
    single_middle_0: float
    single_middle_1: float
    single_middle_2: float
    single_middle_3: float
    single_middle_4: float
    single_middle_5: float
    single_late_0: float
    single_late_1: float
    single_late_2: float
    single_late_3: float
    single_late_4: float
    single_late_5: float
    # + the same, at most 3: the strongest tile of a suit
    top_early_0: float
    top_early_1: float
    top_early_2: float
    top_early_3: float
    top_middle_0: float
    top_middle_1: float
    top_middle_2: float
    top_middle_3: float
    top_late_0: float
    top_late_1: float
    top_late_2: float
    top_late_3: float
    # + the same, at most 2: the second strongest
    second_0: float
    second_1: float
    second_2: float
    # combinations kept
    pair: float
    sure_pair: float
    mixed: float
    three: float
    four: float
    supreme: float
    # share of the tiles kept that nothing unseen beats; all of them, and the lead
    cover_early: float
    cover_middle: float
    cover_late: float
    run: float
    # the next lead; a stack; the first stack; a point of bonus; the last trick
    lead_early: float
    lead_middle: float
    lead_late: float
    stack: float
    first_stack_early: float
    first_stack_middle: float
    first_stack_late: float
    bonus: float
    last_trick: float
    # how surely who can beat a single, pair, mixed pair, three does
    risk_single: float
    risk_pair: float
    risk_mixed: float
    risk_three: float
    deny_banker: float  # beating the banker
    spare_non_banker: float  # not beating another one, in the first three tricks
    banker_beats: float  # the banker beating anyone
    three_last: float  # the 3 left alone, and the lead
    per_tile: float  # each further tile led
    honour: float  # a four or supreme
    void: float  # no tile of a suit
    cash: float  # a play that nothing beats, in the first four tricks
    banker_cash: float  # the same, more for the banker
    # the 3 kept for 幺結 where the 6 is away
    yao_early: float
    yao_middle: float
    yao_late: float
    # a four kept with three or four tiles in hand; for each other seat without a stack
    four_middle: float
    four_stackless: float
    # a four or supreme, for each trick before this one; for each other seat without a stack
    honour_trick: float
    honour_stackless: float
    # how the risk of being beaten grows with each trick before this one, with each later seat
    risk_trick: float
    risk_seats: float
    # a play face up, for each seat still to play
    show_seats: float
    # not beating another non-banker from the fourth trick on
    spare_late: float
    # a stack for who holds all so far; the first stack, for each stack of who holds all so far
    sweep: float
    break_sweep: float
    # times the stakes above the lowest: a stack, the last trick, beating the banker
    stakes_stack: float
    stakes_last: float
    stakes_deny: float


WEIGHT_NAMES = Weights._fields
WEIGHTS = len(WEIGHT_NAMES)
WEIGHTS_AT_FIRST = WEIGHT_NAMES.index("yao_early")  # all that came before these


@helper
def weights_of(row: Any) -> Weights:
    """The weights out of a row of an array."""
    f = REAL
    return Weights(
        f(row[0]), f(row[1]), f(row[2]), f(row[3]), f(row[4]), f(row[5]),
        f(row[6]), f(row[7]), f(row[8]), f(row[9]), f(row[10]), f(row[11]),
        f(row[12]), f(row[13]), f(row[14]), f(row[15]), f(row[16]), f(row[17]),
        f(row[18]), f(row[19]), f(row[20]), f(row[21]), f(row[22]), f(row[23]),
        f(row[24]), f(row[25]), f(row[26]), f(row[27]), f(row[28]), f(row[29]),
        f(row[30]), f(row[31]), f(row[32]), f(row[33]), f(row[34]), f(row[35]),
        f(row[36]), f(row[37]), f(row[38]), f(row[39]), f(row[40]), f(row[41]),
        f(row[42]), f(row[43]), f(row[44]), f(row[45]), f(row[46]), f(row[47]),
        f(row[48]), f(row[49]), f(row[50]), f(row[51]), f(row[52]), f(row[53]),
        f(row[54]), f(row[55]), f(row[56]), f(row[57]), f(row[58]), f(row[59]),
        f(row[60]), f(row[61]), f(row[62]), f(row[63]), f(row[64]), f(row[65]),
        f(row[66]), f(row[67]), f(row[68]), f(row[69]), f(row[70]), f(row[71]),
        f(row[72]), f(row[73]), f(row[74]), f(row[75]), f(row[76]), f(row[77]),
        f(row[78]), f(row[79]), f(row[80]),
    )  # fmt: skip


def weights_in(row: Any) -> Weights:
    """The same for a call from Python, where numba's types must be exact.

    Examples
    --------
    >>> weights_in(range(WEIGHTS)).single_early_1
    np.float32(1.0)
    """
    return Weights(*(REAL(value) for value in row))
