"""What is known of sessions, and how a hand is booked: points, banker, term, and who is broke.

The sessions of a batch stand in one flat array of integers, field after field, like the lanes.
Seats of a session are absolute; seats of a hand are relative to its banker.

Source: "The hand", point 5, and "Settlement" of the rules.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import helper, routine
from ..keys import hand_key
from ..streams import DICE, draw
from ..word import count, integer, share, word
from .deal import Taking
from .endings import PLAIN
from .features import N_FOURS, N_PAIRS, N_SUPREME, feature
from .lane_fields import DEALT, HONOURS, LANES, RESULT
from .outcome import LED_63, SETTLED_BITS
from .settlement import BONUSES, SETTLEMENT, banker_multiplier, ending_of_record, settle, sweep_of
from .switches import EXCESS_PLAIN, Switches

HAND_BITS = 20  # of a hand's number: which hand of its session it is
DICE_BANKER = 4  # in place of a seat: the dice choose the first banker
_BANKER_DRAW = 4  # this draw of the dice and the next choose it

# Fields of a session: how it stands,
BANKER, TERM, OVER, HANDS, CHANGES, LONGEST = range(6)
TOTAL, HIGH, LOW = 6, 10, 14  # + absolute seat: points now, most and least so far
BROKE = 18  # + absolute seat: the hand after which it was broke, 0: never
POINTS = 22  # + seat relative to the banker: of the last hand
HELD = 26  # + absolute seat: the tiles of the last hand
# and sums over its hands after the first (see `LOOKS`).
LOOKED, FOURS, PAIRS, SUPREMES, SWEEPS, BANKER_POINTS, SAME_TILES = range(30, 37)
SESSION = 37
LOOKS = ("hands", "fours", "pairs", "supreme", "sweeps", "banker's points", "same tiles")


class Terms(NamedTuple):
    """How sessions go, as integers."""

    hands: int  # at most
    first_banker: int  # absolute seat, or `DICE_BANKER`
    first_leader: int  # of a session's first trick, relative to its banker
    by_role: int  # 1: players sit relative to the banker, 0: in absolute seats
    stake: int  # a seat is broke when it has lost so many points
    stop_when_broke: int
    changes: int  # the session ends after so many changes of the banker; 0: it does not
    wash: int  # see ``washing.py``
    looks: int  # 1: add up what the dealt hands hold


def new_sessions() -> NDArray[np.int64]:
    """Room for one batch of sessions."""
    return np.zeros(SESSION * LANES, np.int64)


@routine
def begin_sessions(
    sessions: Any, batch: int, seed: Any, start: int, terms: Terms, taking: Taking
) -> None:
    """The state before the first hands; lanes beyond `batch` are over at once."""
    sessions[:] = 0
    for lane in range(LANES):
        banker = terms.first_banker
        if banker == DICE_BANKER:  # seat 0 rolls, and counts from itself as 1
            key = hand_key(seed, taking.series, start + lane << HAND_BITS)
            dice = draw(key, DICE, _BANKER_DRAW), draw(key, DICE, _BANKER_DRAW + 1)
            banker = 1 + integer(share(dice[0], 6)) + integer(share(dice[1], 6)) & 3
        sessions[BANKER * LANES + lane] = banker
        sessions[TERM * LANES + lane] = 1
        sessions[OVER * LANES + lane] = int(lane >= batch)


@routine
def settle_hands(lanes: Any, sessions: Any, rules: Switches, settled: Any) -> None:
    """The points of each lane's hand, by seats relative to the banker.

    Most hands are plain: no finish, no sweep, no bonus but for a 63 led early.  These are settled
    side by side; the others, one by one, in full.
    """
    for lane in range(LANES):
        result = word(lanes[RESULT * LANES + lane])
        honours = word(lanes[HONOURS * LANES + lane])
        banker = banker_multiplier(rules, sessions[TERM * LANES + lane])
        winner = integer(result & 3)
        one, two = integer(result >> 11 & 15), integer(result >> 15 & 15)
        three = integer(result >> 19 & 15)
        stacks = (8 - one - two - three, one, two, three)
        bonus = rules.supreme_bonus if (honours >> LED_63 & 1) != 0 else 0
        collector = integer(honours >> LED_63 + 1 & 3)
        paid = collected = 0
        for seat in range(4):
            times = banker if winner == 0 or seat == 0 else 1
            debt = rules.empty if stacks[seat] == 0 else max(4 - stacks[seat], 0)
            rate = times if rules.excess == EXCESS_PLAIN else (banker if winner == 0 else 1)
            gain = 0 if seat == winner else max(stacks[seat] - 4, 0) * rate - debt * times
            share_of_bonus = bonus * (banker if collector == 0 or seat == 0 else 1)
            share_of_bonus = 0 if seat == collector else share_of_bonus
            sessions[(POINTS + seat) * LANES + lane] = gain - share_of_bonus
            paid += gain
            collected += share_of_bonus
        for seat in range(4):
            points = sessions[(POINTS + seat) * LANES + lane]
            points -= paid if seat == winner else 0
            sessions[(POINTS + seat) * LANES + lane] = points + (collected if seat == collector else 0)
    for lane in range(LANES):
        result = word(lanes[RESULT * LANES + lane])
        honours = word(lanes[HONOURS * LANES + lane])
        others = result >> 11 & 0xFFF  # the stacks of right, across and left
        swept = (others == 0) | (others == 8) | (others == 0x80) | (others == 0x800)
        special = (honours & ~(7 << LED_63)) | (ending_of_record(result) ^ PLAIN)
        if special != 0 or swept:
            settle(result & SETTLED_BITS, honours, rules, sessions[TERM * LANES + lane], settled)
            for seat in range(4):
                points = settled[SETTLEMENT + seat] + settled[BONUSES + seat]
                sessions[(POINTS + seat) * LANES + lane] = points


@routine
def book_hands(lanes: Any, sessions: Any, number: int, terms: Terms, streaks: Any, moved: Any) -> int:
    """Book the settled hand `number` of each session; returns how many sessions go on."""
    for lane in range(LANES):  # streaks and the points that changed hands, by term
        if sessions[OVER * LANES + lane] == 0:
            term = sessions[TERM * LANES + lane]
            won = 0
            for seat in range(4):
                won += max(sessions[(POINTS + seat) * LANES + lane], 0)
            moved[term] += won
            streaks[0, term] += int(lanes[RESULT * LANES + lane] & 3 != 0)

    going = 0
    for lane in range(LANES):
        over = sessions[OVER * LANES + lane] != 0
        banker, term = sessions[BANKER * LANES + lane], sessions[TERM * LANES + lane]
        winner = integer(word(lanes[RESULT * LANES + lane]) & 3)
        points = (
            sessions[POINTS * LANES + lane],
            sessions[(POINTS + 1) * LANES + lane],
            sessions[(POINTS + 2) * LANES + lane],
            sessions[(POINTS + 3) * LANES + lane],
        )
        if (banker & 1) != 0:
            points = (points[3], points[0], points[1], points[2])
        if (banker & 2) != 0:
            points = (points[2], points[3], points[0], points[1])
        broke = False
        for seat in range(4):
            total = sessions[(TOTAL + seat) * LANES + lane] + (0 if over else points[seat])
            high = max(sessions[(HIGH + seat) * LANES + lane], total)
            low = min(sessions[(LOW + seat) * LANES + lane], total)
            since = sessions[(BROKE + seat) * LANES + lane]
            is_broke = total <= -terms.stake
            broke |= is_broke
            sessions[(TOTAL + seat) * LANES + lane] = total
            sessions[(HIGH + seat) * LANES + lane] = high
            sessions[(LOW + seat) * LANES + lane] = low
            sessions[(BROKE + seat) * LANES + lane] = number + 1 if is_broke and since == 0 else since
        passes = winner != 0
        changes = sessions[CHANGES * LANES + lane] + int(passes and not over)
        longest = sessions[LONGEST * LANES + lane]
        ends = number + 1 == terms.hands or (broke and terms.stop_when_broke != 0)
        ends |= terms.changes != 0 and changes == terms.changes
        sessions[CHANGES * LANES + lane] = changes
        sessions[LONGEST * LANES + lane] = longest if over else max(longest, term)
        sessions[HANDS * LANES + lane] += int(not over)
        sessions[BANKER * LANES + lane] = banker if over else banker + winner & 3
        sessions[TERM * LANES + lane] = term if over else (1 if passes else term + 1)
        sessions[OVER * LANES + lane] = int(over) + int(not over and ends) * 2
        going += int(not over and not ends)
    for lane in range(LANES):  # a banker who would have stayed is cut off
        if sessions[OVER * LANES + lane] == 2:
            sessions[OVER * LANES + lane] = 1
            if lanes[RESULT * LANES + lane] & 3 == 0:
                streaks[1, sessions[TERM * LANES + lane] - 1] += 1
    return going


@routine
def look_at_hands(lanes: Any, sessions: Any, number: int, rules: Switches) -> None:
    """Add up what the dealt hands hold, and how many tiles each seat holds again."""
    for lane in range(LANES):
        going = int(sessions[OVER * LANES + lane] == 0 and number > 0)
        banker = sessions[BANKER * LANES + lane]
        fours = pairs = supremes = same = 0
        for place in range(4):
            hand = word(lanes[(DEALT + place) * LANES + lane])
            held = (HELD + (banker + place & 3)) * LANES + lane
            same += integer(count(hand & word(sessions[held])))
            fours += integer(feature(hand, N_FOURS, rules))
            pairs += integer(feature(hand, N_PAIRS, rules))
            supremes += integer(feature(hand, N_SUPREME, rules))
            sessions[held] = integer(hand)
        swept = sweep_of(word(lanes[RESULT * LANES + lane]) & SETTLED_BITS, rules) != 0
        sessions[LOOKED * LANES + lane] += going
        sessions[FOURS * LANES + lane] += going * fours
        sessions[PAIRS * LANES + lane] += going * pairs
        sessions[SUPREMES * LANES + lane] += going * supremes
        sessions[SAME_TILES * LANES + lane] += going * same
        sessions[SWEEPS * LANES + lane] += going * int(swept)
        sessions[BANKER_POINTS * LANES + lane] += going * sessions[POINTS * LANES + lane]


@helper
def compare_standings(sessions: Any, leads: Any) -> None:
    """Count in how many sessions a seat stands above another."""
    for seat in range(4):
        for other in range(4):
            above = 0
            for lane in range(LANES):
                total = sessions[(TOTAL + seat) * LANES + lane]
                above += int(total > sessions[(TOTAL + other) * LANES + lane])
            leads[seat, other] += above
