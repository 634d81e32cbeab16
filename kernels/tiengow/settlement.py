"""From outcome records to points, under any rule set and banker term.

Source: the sections "Settlement" and "Switches" of the rules.  Seats are relative to the banker.
"""

from __future__ import annotations

from typing import Any

from .._jit import helper, kernel
from ..word import integer, word
from .endings import (
    FOUR,
    FOUR_CAUGHT,
    LOW,
    LOW_CAUGHT,
    LOW_CIVIL,
    LOW_CIVIL_CAUGHT,
    PATTERN_EIGHT,
    PATTERN_SEVEN,
    SUPREME_CIVIL_CAUGHT,
    SUPREME_CIVIL_WON,
    SUPREME_WON,
)
from .switches import (
    BAN_EIGHT,
    BAN_OFF,
    BANKER_DOUBLE,
    BANKER_STREAK,
    EXCESS_PLAIN,
    SURE_ACTUAL,
    TO_EVERYONE,
    TO_LEADER,
    TO_WINNER,
    Switches,
)

# finish
FINISH_PLAIN, FINISH_YAO, FINISH_SUPREME, FINISH_FOUR = range(4)
# sweep
SWEEP_NONE, SWEEP_SEVEN, SWEEP_EIGHT = range(3)

# Columns of a settled outcome
WINNER, LAST_SIZE, FINISH, SWEEP, KAM, SUPREME_BONUSES, FOUR_BONUSES = range(7)
STACKS, SETTLEMENT, BONUSES = 7, 11, 15  # four columns each
COLUMNS = 19


@helper
def ending_of_record(result: int) -> int:
    """How the last trick was won."""
    return integer(result >> 4 & 15)


@helper
def record_stacks(result: int, seat: int) -> int:
    """The stacks of a seat; those of the banker are what the others leave."""
    others = integer(result >> 11 & 15), integer(result >> 15 & 15), integer(result >> 19 & 15)
    if seat == 0:
        return 8 - others[0] - others[1] - others[2]
    return others[0] if seat == 1 else (others[1] if seat == 2 else others[2])


@helper
def banker_multiplier(rules: Switches, term: int) -> int:
    """What a payment from or to the banker is multiplied by."""
    if rules.banker == BANKER_STREAK:
        return term + 1
    return 2 if rules.banker == BANKER_DOUBLE else 1


@helper
def finish_of(ending: int, rules: Switches) -> int:
    """The finish that an ending is under these rules, whatever it multiplies by."""
    if ending == LOW or (ending == LOW_CIVIL and rules.last_low_civil != 0):
        return FINISH_YAO
    if ending == SUPREME_WON or ending == SUPREME_CIVIL_WON:
        return FINISH_SUPREME
    return FINISH_FOUR if ending == FOUR or ending == FOUR_CAUGHT else FINISH_PLAIN


@helper
def finish_multiplier(finish: int, rules: Switches) -> int:
    """What a finish multiplies the stakes by."""
    if finish == FINISH_YAO:
        return rules.yao
    if finish == FINISH_SUPREME:
        return rules.supreme_finish
    return rules.four_finish if finish == FINISH_FOUR else 1


@helper
def is_kam(ending: int, rules: Switches) -> bool:
    """Whether the leader of the last trick was caught (擒) under these rules."""
    if rules.kam == 1:
        return False
    if ending == LOW_CIVIL_CAUGHT:
        return rules.last_low_civil != 0
    if ending == SUPREME_CIVIL_CAUGHT:
        return rules.kam_supreme_civil != 0
    if ending == FOUR_CAUGHT:
        return rules.kam_fours != 0
    return ending == LOW_CAUGHT


@helper
def sweep_of(result: int, rules: Switches) -> int:
    """Whether the hand is a 七支, an 八支 or no sweep; a banned one is none."""
    ending, winner = ending_of_record(result), integer(result & 3)
    if ending == PATTERN_SEVEN or ending == PATTERN_EIGHT:
        return SWEEP_SEVEN if ending == PATTERN_SEVEN else SWEEP_EIGHT
    if record_stacks(result, winner) != 8:
        return SWEEP_NONE
    single = integer(result >> 8 & 7) == 1
    sure_bit = 24 if rules.sure_single == SURE_ACTUAL else 23
    sure = (result >> sure_bit & 1) != 0
    sweep = SWEEP_SEVEN if single and not sure and rules.two_stacks != 0 else SWEEP_EIGHT
    opened_high = (result >> 25 & 1) != 0
    if winner == 0 and opened_high and rules.opening_ban != BAN_OFF:
        if sweep == SWEEP_EIGHT or rules.opening_ban != BAN_EIGHT:
            return SWEEP_NONE
    return sweep


@helper
def sweep_multiplier(sweep: int, rules: Switches) -> int:
    """What a sweep multiplies the stakes by."""
    return rules.seven if sweep == SWEEP_SEVEN else (rules.eight if sweep == SWEEP_EIGHT else 1)


@helper
def settle(result: int, honours: int, rules: Switches, term: int, out: Any) -> None:
    """Settle one outcome record into a row of `COLUMNS` integers.

    Parameters
    ----------
    result, honours : words
        The record, see ``outcome.py``.
    rules : Switches
    term : int
        The banker's term, from 1.
    out : array or list of int, length `COLUMNS`
        Receives winner, size of the last trick, finish, sweep, kam (the caught seat or -1),
        payments of 賀尊 and 四大賀, then stacks (stacks), settlement and bonuses (points) of
        the banker, right, across and left.
    """
    for column in range(COLUMNS):
        out[column] = 0
    ending, winner = ending_of_record(result), integer(result & 3)
    caught = integer(result >> 2 & 3)
    finish, sweep, kam = finish_of(ending, rules), sweep_of(result, rules), is_kam(ending, rules)
    out[WINNER] = winner
    out[LAST_SIZE] = integer(result >> 8 & 7)
    out[FINISH], out[SWEEP], out[KAM] = finish, sweep, caught if kam else -1
    for seat in range(4):
        out[STACKS + seat] = record_stacks(result, seat)

    banker = banker_multiplier(rules, term)
    finish_times, kam_times = finish_multiplier(finish, rules), rules.kam if kam else 1
    times = finish_times * kam_times * sweep_multiplier(sweep, rules)
    for seat in range(4):
        if seat != winner:
            stacks = out[STACKS + seat]
            with_banker = banker if seat == 0 or winner == 0 else 1
            if stacks <= 4:
                debt = (rules.empty if stacks == 0 else 4 - stacks) * with_banker * times
                payer = caught if kam else seat
                out[SETTLEMENT + payer] -= debt
                out[SETTLEMENT + winner] += debt
            else:
                gain = (stacks - 4) * (banker if winner == 0 else 1)
                if rules.excess == EXCESS_PLAIN:
                    gain = (stacks - 4) * with_banker * finish_times * kam_times
                out[SETTLEMENT + seat] += gain
                out[SETTLEMENT + winner] -= gain
    _pay_bonuses(result, honours, rules, banker, out)


@helper
def _pay_bonuses(result: int, honours: int, rules: Switches, banker: int, out: Any) -> None:
    """賀尊 and 四大賀, from the events in `honours`."""
    ending = ending_of_record(result)
    led_63, led_kk = honours >> 18 & 7, honours >> 21 & 31
    if led_63 != 0 and (ending != SUPREME_WON or rules.bonus_on_last != 0):
        _collect(integer(led_63 >> 1), rules.supreme_bonus, banker, SUPREME_BONUSES, out)
    on_last = ending == SUPREME_CIVIL_WON or ending == SUPREME_CIVIL_CAUGHT
    if led_kk != 0 and (not on_last or rules.bonus_on_last != 0):
        leader, taker = integer(led_kk >> 1 & 3), integer(led_kk >> 3)
        collector = taker if rules.capture_bonus != 0 else leader
        _collect(collector, rules.supreme_bonus, banker, SUPREME_BONUSES, out)

    for number in range(2):
        event = honours >> 9 * number & 511
        is_last = number == 0 and out[LAST_SIZE] == 4
        if event != 0 and (not is_last or rules.bonus_on_last != 0):
            leader, taker = integer(event >> 1 & 3), integer(event >> 3 & 3)
            for seat in range(4):
                collects = seat == leader  # TO_LEADER, or TO_WINNING_LEADER
                if rules.four_bonus_to == TO_EVERYONE:
                    collects = (event >> 5 + seat & 1) != 0
                elif rules.four_bonus_to == TO_WINNER:
                    collects = seat == taker
                elif rules.four_bonus_to != TO_LEADER:
                    collects = seat == leader and leader == taker
                if collects:
                    _collect(seat, rules.four_bonus, banker, FOUR_BONUSES, out)


@helper
def _collect(seat: int, bonus: int, banker: int, counter: int, out: Any) -> None:
    """One seat collects a bonus from each of the others; a bonus of 0 is no payment."""
    out[counter] += bonus != 0
    for other in range(4):
        if other != seat:
            points = bonus * (banker if seat == 0 or other == 0 else 1)
            out[BONUSES + other] -= points
            out[BONUSES + seat] += points


@kernel
def settle_all(results: Any, honours: Any, rules: Switches, term: int, out: Any) -> None:
    """Settle many outcome records: row i of `out` (int64, n × `COLUMNS`) from record i."""
    for number in range(results.size):
        settle(word(results[number]), word(honours[number]), rules, term, out[number])
