"""Many hands side by side: the fast loop.

A *lane* is one hand.  The lanes of a batch stand in one flat array, field after field, and each
loop over them calls the same helpers as the loop over a single hand in ``single.py``.  The
helpers have no loops of their own that depend on data, so LLVM works on 8 or 16 lanes at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import Kernel, helper, kernel
from ..counting import count_key
from ..streams import WALL, Key, draw, hand_key
from ..word import integer, word
from .deal import (
    BLOCKS,
    FAR_FREE,
    NEAR_FREE,
    TILES,
    Taking,
    free_place,
    left_of,
    left_tiles,
    throw_dice,
)
from .features import feature, pattern_ending
from .given import ROW_DRAW, SECOND_SHARE, Given, find_row, take_place
from .outcome import HONOUR_BITS, SETTLED_BITS, outcome_of, pattern_outcome
from .policies import GREEDY, RANDOM
from .switches import Switches
from .trick import EACH_ITS_OWN, Table, play_trick, take_trick

LANES = 128

# Fields of a lane: the table, in the order of its members,
FIRST, SECOND, THIRD, FOURTH, SIZE, LEADER, STACKS, SHOWN, OPENING, FOURS, SUPREMES = range(11)
LAST_LED, LAST_BEST, LAST_TILES, LAST_LEADER = range(11, 15)
# the random key, the hands as dealt to the seats, the outcome record,
KEY_LOW, KEY_HIGH, DEALT, RESULT, HONOURS = 15, 16, 17, 21, 22
# and the wall (see `deal`): free places, tiles left of the borders, tiles of the takers.
NEAR, FAR, NEAR_LEFT, FAR_LEFT, LEFT, TAKEN, ROW = 23, 24, 25, 29, 33, 41, 45
FIELDS = 46


def new_lanes() -> NDArray[np.uint32]:
    """Room for one batch."""
    return np.zeros(FIELDS * LANES, np.uint32)


@helper
def load_key(lanes: Any, lane: int) -> Key:
    """The random key of one lane."""
    return Key(word(lanes[KEY_LOW * LANES + lane]), word(lanes[KEY_HIGH * LANES + lane]))


@helper
def deal_lanes(lanes: Any, seed: int, start: int, taking: Taking) -> None:
    """Deal the hands `start` to ``start + LANES - 1``."""
    for lane in range(LANES):
        key = hand_key(seed, taking.pattern, start + lane)
        lanes[KEY_LOW * LANES + lane] = key.low
        lanes[KEY_HIGH * LANES + lane] = key.high
        lanes[NEAR * LANES + lane] = word(NEAR_FREE)
        lanes[FAR * LANES + lane] = word(FAR_FREE)

    for eight in range(3, -1, -1):
        for lane in range(LANES):
            key = load_key(lanes, lane)
            near, far = word(lanes[NEAR * LANES + lane]), word(lanes[FAR * LANES + lane])
            near_left, far_left = word(0), word(0)
            for number in range(7, -1, -1):
                place = free_place(key, 8 * eight + number, far)
                near_of, far_of = left_of(place, near), left_of(place, far)
                near, far = near - near_of, far - far_of
                near_left, far_left = near_left << 1 | near_of, far_left << 1 | far_of
            lanes[NEAR * LANES + lane] = near
            lanes[FAR * LANES + lane] = far
            lanes[(NEAR_LEFT + eight) * LANES + lane] = near_left
            lanes[(FAR_LEFT + eight) * LANES + lane] = far_left

    for side in range(2):
        for lane in range(LANES):
            words = (
                word(lanes[(NEAR_LEFT + 4 * side) * LANES + lane]),
                word(lanes[(NEAR_LEFT + 4 * side + 1) * LANES + lane]),
                word(lanes[(NEAR_LEFT + 4 * side + 2) * LANES + lane]),
                word(lanes[(NEAR_LEFT + 4 * side + 3) * LANES + lane]),
            )
            for border in range(4):
                tiles = left_tiles(border, words[0], words[1], words[2], words[3])
                lanes[(LEFT + 4 * side + border) * LANES + lane] = tiles

    for lane in range(LANES):
        key = load_key(lanes, lane)
        from_right = throw_dice(key, taking.either_end).from_right
        taken_0, taken_1, taken_2, taken_3 = word(0), word(0), word(0), word(0)
        before = word(0)
        for number in range(BLOCKS):
            left = word(lanes[(LEFT + number) * LANES + lane])
            block = left & ~before
            before = left
            place = BLOCKS - 1 - number if from_right else number
            taker = word(taking.takers) >> 2 * word(place)
            odd, high = 0 - (taker & 1), 0 - (taker >> 1 & 1)
            taken_0 |= block & ~odd & ~high
            taken_1 |= block & odd & ~high
            taken_2 |= block & ~odd & high
            taken_3 |= block & odd & high
        lanes[TAKEN * LANES + lane] = taken_0
        lanes[(TAKEN + 1) * LANES + lane] = taken_1
        lanes[(TAKEN + 2) * LANES + lane] = taken_2
        lanes[(TAKEN + 3) * LANES + lane] = taken_3

    for lane in range(LANES):
        key = load_key(lanes, lane)
        first = throw_dice(key, taking.either_end).first_taker
        taken = (
            word(lanes[TAKEN * LANES + lane]),
            word(lanes[(TAKEN + 1) * LANES + lane]),
            word(lanes[(TAKEN + 2) * LANES + lane]),
            word(lanes[(TAKEN + 3) * LANES + lane]),
        )
        if (first & 1) != 0:
            taken = (taken[3], taken[0], taken[1], taken[2])
        if (first & 2) != 0:
            taken = (taken[2], taken[3], taken[0], taken[1])
        lanes[DEALT * LANES + lane] = taken[0]
        lanes[(DEALT + 1) * LANES + lane] = taken[1]
        lanes[(DEALT + 2) * LANES + lane] = taken[2]
        lanes[(DEALT + 3) * LANES + lane] = taken[3]


@helper
def deal_lanes_given(lanes: Any, seed: Any, series: int, start: int, given: Given) -> None:
    """Deal hands that meet a condition, see ``given.py``."""
    quotas, keep, other = given.quotas, given.keep, given.other
    order, group_of = given.order, given.group
    groups = quotas.size // keep.size
    for lane in range(LANES):
        key = hand_key(seed, series, start + lane)
        lanes[KEY_LOW * LANES + lane] = key.low
        lanes[KEY_HIGH * LANES + lane] = key.high
        for number in range(4):
            lanes[(NEAR_LEFT + number) * LANES + lane] = draw(key, WALL, ROW_DRAW + number)
        for border in range(3):
            lanes[(LEFT + border) * LANES + lane] = 0
    for lane in range(LANES):
        lanes[ROW * LANES + lane] = find_row(
            lanes[NEAR_LEFT * LANES + lane],
            lanes[(NEAR_LEFT + 1) * LANES + lane],
            lanes[(NEAR_LEFT + 2) * LANES + lane],
            lanes[(NEAR_LEFT + 3) * LANES + lane],
            keep,
            other,
        )
    before = -1
    for number in range(TILES):
        tile, group = order[number], group_of[number]
        if group != before:
            before = group
            for lane in range(LANES):
                row = np.int64(lanes[ROW * LANES + lane])
                lanes[NEAR * LANES + lane] = quotas[row * groups + group]
        for lane in range(LANES):
            free = word(lanes[NEAR * LANES + lane])
            left = take_place(load_key(lanes, lane), tile, free)
            first, second = word(lanes[LEFT * LANES + lane]), word(lanes[(LEFT + 1) * LANES + lane])
            third = word(lanes[(LEFT + 2) * LANES + lane])
            lanes[NEAR * LANES + lane] = free - left
            lanes[LEFT * LANES + lane] = first | (left & 1) << tile
            lanes[(LEFT + 1) * LANES + lane] = second | (left >> 8 & 1) << tile
            lanes[(LEFT + 2) * LANES + lane] = third | (left >> 16 & 1) << tile
    for lane in range(LANES):
        first, second = word(lanes[LEFT * LANES + lane]), word(lanes[(LEFT + 1) * LANES + lane])
        third = word(lanes[(LEFT + 2) * LANES + lane])
        lanes[TAKEN * LANES + lane] = first
        lanes[(TAKEN + 1) * LANES + lane] = second & ~first
        lanes[(TAKEN + 2) * LANES + lane] = third & ~second
        lanes[(TAKEN + 3) * LANES + lane] = ~third
    if given.rest_borders != 0:
        share_rest(lanes, given)
    for number in range(4):
        shared = given.rest_borders != 0 and number >= given.named
        field = LEFT + number - given.named if shared else TAKEN + number
        seat = given.seats[number]
        for lane in range(LANES):
            lanes[(DEALT + seat) * LANES + lane] = lanes[field * LANES + lane]


@helper
def share_rest(lanes: Any, given: Given) -> None:
    """Share the tiles of the last bin among its two or three seats, eight each."""
    for lane in range(LANES):
        lanes[FAR * LANES + lane] = lanes[(TAKEN + given.named) * LANES + lane]
    for lane in range(LANES):
        lanes[NEAR * LANES + lane] = word(given.rest_borders)
        lanes[LEFT * LANES + lane] = 0
        lanes[(LEFT + 1) * LANES + lane] = 0
    for four in range(0, TILES, 4):
        for lane in range(LANES):
            key = load_key(lanes, lane)
            tiles = word(lanes[FAR * LANES + lane]) >> four
            free = word(lanes[NEAR * LANES + lane])
            first, second = word(0), word(0)
            for number in range(4):
                left = take_place(key, SECOND_SHARE + four + number, free)
                left = left if (tiles >> number & 1) != 0 else word(0)
                free -= left
                first |= (left & 1) << number
                second |= (left >> 8 & 1) << number
            lanes[NEAR * LANES + lane] = free
            lanes[LEFT * LANES + lane] = word(lanes[LEFT * LANES + lane]) | first << four
            lanes[(LEFT + 1) * LANES + lane] = word(lanes[(LEFT + 1) * LANES + lane]) | second << four
    for lane in range(LANES):
        tiles = word(lanes[FAR * LANES + lane])
        first, second = word(lanes[LEFT * LANES + lane]), word(lanes[(LEFT + 1) * LANES + lane])
        lanes[(LEFT + 1) * LANES + lane] = second & ~first
        lanes[(LEFT + 2) * LANES + lane] = tiles & ~second


@helper
def set_table(lanes: Any, rules: Switches) -> None:
    """Put the dealt hands on the table, the banker to lead; end those that a pattern ends."""
    for lane in range(LANES):
        for seat in range(4):
            lanes[(FIRST + seat) * LANES + lane] = lanes[(DEALT + seat) * LANES + lane]
        lanes[SIZE * LANES + lane] = 8
        for field in range(LEADER, LAST_LEADER + 1):
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
def write_outcomes(lanes: Any, rules: Switches) -> None:
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
            outcome = outcome_of(table, dealt, True, rules)
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
        keys: Any,
        counts: Any,
        last_tiles: Any,
        kept: Any,
    ) -> int:
        """Play up to `hands` hands from hand `start` on and count their records.

        Stops early, between two batches, when the table of keys is half full.  Returns the
        number of hands played.  If `kept` (uint32, hands × 6) has rows, each hand's result,
        honours and dealt hands are written there and nothing is counted.
        """
        room = keys.size // 2 - LANES
        used = 0
        for slot in range(keys.size):
            used += keys[slot] != 0
        done = 0
        while done < hands and (used <= room or kept.size != 0):
            batch = min(LANES, hands - done)
            if given.keep.size != 0:
                deal_lanes_given(lanes, seed, taking.pattern, start + done, given)
            else:
                deal_lanes(lanes, seed, start + done, taking)
            set_table(lanes, rules)
            for _trick in range(8):
                for lane in range(LANES):
                    table = load_table(lanes, lane)
                    key = load_key(lanes, lane)
                    trick = play_trick(one_policy, word(policies), table, key, rules)
                    store_table(lanes, lane, take_trick(table, trick, rules))
            write_outcomes(lanes, rules)
            if kept.size != 0:
                for lane in range(batch):
                    for field in range(6):
                        place = (RESULT, HONOURS, DEALT, DEALT + 1, DEALT + 2, DEALT + 3)[field]
                        kept[done + lane, field] = lanes[place * LANES + lane]
                done += batch
                continue
            for lane in range(batch):
                result = word(lanes[RESULT * LANES + lane])
                honours = word(lanes[HONOURS * LANES + lane])
                group = word(0)
                if split != 0:
                    seat = integer(result & 3) if split_seat == 4 else split_seat
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
        deal_lanes(lanes, seed, start + done, taking)
        total += integer(word(lanes[DEALT * LANES]))
    return total
