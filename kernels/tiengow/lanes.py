"""Many hands side by side: the fast loop.

A *lane* is one hand.  The lanes of a batch stand in one flat array, field after field, and each
loop over them calls the same helpers as the loop over a single hand in ``single.py``.  The
helpers have no loops of their own that depend on data, so LLVM works on 8 or 16 lanes at once.
"""

from __future__ import annotations

from typing import Any

from .._jit import Kernel, helper, kernel
from ..counting import count_key
from ..word import integer, word
from .deal import Taking
from .features import WINNER_SEAT, feature, pattern_ending
from .given import Given
from .lane_deals import deal_lanes, deal_lanes_given
from .lane_fields import (
    DEALT,
    FIRST,
    FIRST_TRICK,
    FOURS,
    FOURTH,
    HONOURS,
    LANES,
    LAST_BEST,
    LAST_LEADER,
    LAST_LED,
    LAST_TILES,
    LEADER,
    OPENING,
    RESULT,
    SECOND,
    SHOWN,
    SIZE,
    STACKS,
    SUPREMES,
    THIRD,
    load_key,
    new_lanes,
)
from .outcome import HONOUR_BITS, SETTLED_BITS, outcome_of, pattern_outcome
from .policies import GREEDY, RANDOM
from .switches import Switches
from .table import Table, take_trick
from .trick import EACH_ITS_OWN, play_trick

__all__ = ["BLOCK_KERNELS", "deal_block", "new_lanes"]


@helper
def set_table(lanes: Any, leader: int, rules: Switches) -> None:
    """Put the dealt hands on the table, in order from the leader; end those that a pattern ends."""
    for lane in range(LANES):
        for place in range(4):
            seat = leader + place & 3
            lanes[(FIRST + place) * LANES + lane] = lanes[(DEALT + seat) * LANES + lane]
        lanes[SIZE * LANES + lane] = 8
        lanes[LEADER * LANES + lane] = leader
        for field in range(LEADER + 1, LAST_LEADER + 1):
            lanes[field * LANES + lane] = 0
    if rules.hand_patterns != 0:
        for lane in range(LANES):
            for seat in range(3, -1, -1):  # the banker last: it has the first claim
                ending = pattern_ending(word(lanes[(DEALT + seat) * LANES + lane]), rules)
                if ending != 0:
                    outcome = pattern_outcome(word(seat), ending)
                    lanes[RESULT * LANES + lane] = outcome.result
                    lanes[HONOURS * LANES + lane] = outcome.honours
                    lanes[SIZE * LANES + lane] = 0
                    for place in range(4):
                        lanes[(FIRST + place) * LANES + lane] = 0


@helper
def load_table(lanes: Any, lane: int) -> Table:
    """The table of one lane."""
    return Table(
        word(lanes[FIRST * LANES + lane]),
        word(lanes[SECOND * LANES + lane]),
        word(lanes[THIRD * LANES + lane]),
        word(lanes[FOURTH * LANES + lane]),
        word(lanes[SIZE * LANES + lane]),
        word(lanes[LEADER * LANES + lane]),
        word(lanes[STACKS * LANES + lane]),
        word(lanes[SHOWN * LANES + lane]),
        word(lanes[OPENING * LANES + lane]),
        word(lanes[FOURS * LANES + lane]),
        word(lanes[SUPREMES * LANES + lane]),
        word(lanes[LAST_LED * LANES + lane]),
        word(lanes[LAST_BEST * LANES + lane]),
        word(lanes[LAST_TILES * LANES + lane]),
        word(lanes[LAST_LEADER * LANES + lane]),
    )


@helper
def store_table(lanes: Any, lane: int, table: Table) -> None:
    """Write the table of one lane back."""
    lanes[FIRST * LANES + lane] = table.first
    lanes[SECOND * LANES + lane] = table.second
    lanes[THIRD * LANES + lane] = table.third
    lanes[FOURTH * LANES + lane] = table.fourth
    lanes[SIZE * LANES + lane] = table.size
    lanes[LEADER * LANES + lane] = table.leader
    lanes[STACKS * LANES + lane] = table.stacks
    lanes[SHOWN * LANES + lane] = table.shown
    lanes[OPENING * LANES + lane] = table.opening
    lanes[FOURS * LANES + lane] = table.fours
    lanes[SUPREMES * LANES + lane] = table.supremes
    lanes[LAST_LED * LANES + lane] = table.last_led
    lanes[LAST_BEST * LANES + lane] = table.last_best
    lanes[LAST_TILES * LANES + lane] = table.last_tiles
    lanes[LAST_LEADER * LANES + lane] = table.last_leader


@helper
def write_outcomes(lanes: Any, banker_led: bool, rules: Switches) -> None:
    """Write the outcome records of the hands that were played."""
    for lane in range(LANES):
        table = load_table(lanes, lane)
        if table.stacks != 0:  # else a hand pattern ended it
            dealt = word(lanes[DEALT * LANES + lane])
            if table.leader == 1:
                dealt = word(lanes[(DEALT + 1) * LANES + lane])
            if table.leader == 2:
                dealt = word(lanes[(DEALT + 2) * LANES + lane])
            if table.leader == 3:
                dealt = word(lanes[(DEALT + 3) * LANES + lane])
            outcome = outcome_of(table, dealt, banker_led, rules)
            lanes[RESULT * LANES + lane] = outcome.result
            lanes[HONOURS * LANES + lane] = outcome.honours


def _block_kernel(one_policy: int) -> Kernel[..., int]:
    """A kernel for one policy in all seats, or for `EACH_ITS_OWN`."""

    def play_block(
        lanes: Any,
        seed: Any,
        start: int,
        hands: int,
        policies: int,
        taking: Taking,
        rules: Switches,
        given: Given,
        split: int,
        split_seat: int,
        opening: int,
        keys: Any,
        counts: Any,
        last_tiles: Any,
        kept: Any,
    ) -> int:
        """Play up to `hands` hands from hand `start` on and count their records.

        Stops early, between two batches, when the table of keys is half full.  Returns the
        number of hands played.  If `kept` (uint32, hands × 6) has rows, each hand's result,
        honours and dealt hands are written there and nothing is counted; bit 31 of such a result
        says whether the banker took the first trick.  The banker leads `opening` to it, or what
        its policy leads if that is 0.
        """
        room = keys.size // 2 - LANES
        used = 0
        for slot in range(keys.size):
            used += keys[slot] != 0
        done = 0
        while done < hands and (used <= room or kept.size != 0):
            batch = min(LANES, hands - done)
            if given.keep.size != 0:
                deal_lanes_given(lanes, seed, taking.series, start + done, given)
            else:
                deal_lanes(lanes, seed, start + done, 1, taking)
            set_table(lanes, 0, rules)
            for number in range(8):
                forced = word(opening if number == 0 else 0)
                for lane in range(LANES):
                    table = load_table(lanes, lane)
                    key = load_key(lanes, lane)
                    lead = forced & table.first  # nothing where a pattern ended the hand
                    trick = play_trick(one_policy, word(policies), table, lead, key, rules)
                    store_table(lanes, lane, take_trick(table, trick, rules))
                if number == 0:
                    for lane in range(LANES):
                        took = word(lanes[LEADER * LANES + lane] == 0) << 31
                        played = lanes[STACKS * LANES + lane] != 0  # no hand pattern ended it
                        lanes[FIRST_TRICK * LANES + lane] = took if played else word(0)
            write_outcomes(lanes, True, rules)
            if kept.size != 0:
                for lane in range(batch):
                    for field in range(6):
                        place = (RESULT, HONOURS, DEALT, DEALT + 1, DEALT + 2, DEALT + 3)[field]
                        kept[done + lane, field] = lanes[place * LANES + lane]
                    kept[done + lane, 0] |= lanes[FIRST_TRICK * LANES + lane]
                done += batch
                continue
            for lane in range(batch):
                result = word(lanes[RESULT * LANES + lane])
                honours = word(lanes[HONOURS * LANES + lane])
                group = word(0)
                if split != 0:
                    seat = integer(result & 3) if split_seat == WINNER_SEAT else split_seat
                    group = feature(word(lanes[(DEALT + seat) * LANES + lane]), split, rules)
                last_tiles[integer(group), integer(result >> 26)] += integer(result >> 8 & 7) == 1
                used += count_key(keys, counts, result & SETTLED_BITS, honours | group << HONOUR_BITS)
            done += batch
        return done

    play_block.__qualname__ = f"play_block_{one_policy}"  # each has a cache file of its own
    return kernel(play_block)


BLOCK_KERNELS = {
    RANDOM: _block_kernel(RANDOM),
    GREEDY: _block_kernel(GREEDY),
    EACH_ITS_OWN: _block_kernel(EACH_ITS_OWN),
}


@kernel
def deal_block(lanes: Any, seed: Any, start: int, hands: int, taking: Taking) -> int:
    """Deal hands without playing them; returns a number that a compiler cannot know."""
    total = 0
    for done in range(0, hands, LANES):
        deal_lanes(lanes, seed, start + done, 1, taking)
        total += integer(word(lanes[DEALT * LANES]))
    return total
