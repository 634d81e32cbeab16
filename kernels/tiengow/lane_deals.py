"""Dealing many hands side by side, freely or under a condition."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._jit import helper
from ..keys import hand_key
from ..streams import WALL, draw
from ..word import word
from .deal import BLOCKS, FAR_FREE, NEAR_FREE, TILES, Taking, free_place, left_of, left_tiles, throw_dice
from .given import ROW_DRAW, SEATS_FREE, Given, find_row, take_place
from .lane_fields import (
    DEALT,
    FAR,
    FAR_LEFT,
    KEY_HIGH,
    KEY_LOW,
    LANES,
    LEFT,
    NEAR,
    NEAR_LEFT,
    ROW,
    TAKEN,
    load_key,
)


@helper
def deal_lanes(lanes: Any, seed: Any, start: int, step: int, taking: Taking) -> None:
    """Deal hand `start` to the first lane, and to each other one `step` hands on."""
    for lane in range(LANES):
        key = hand_key(seed, taking.series, start + lane * step)
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

    seat_takers(lanes, taking)


@helper
def seat_takers(lanes: Any, taking: Taking) -> None:
    """Give the tiles of the takers to the seats, as the dice say."""
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
    named_bins = given.named
    groups = quotas.size // keep.size
    for lane in range(LANES):
        key = hand_key(seed, series, start + lane)
        lanes[KEY_LOW * LANES + lane] = key.low
        lanes[KEY_HIGH * LANES + lane] = key.high
        for number in range(4):
            lanes[(NEAR_LEFT + number) * LANES + lane] = draw(key, WALL, ROW_DRAW + number)
        for border in range(3):
            lanes[(LEFT + border) * LANES + lane] = 0
        lanes[FAR * LANES + lane] = word(SEATS_FREE)
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
    for number in range(given.first_of_last):
        tile, group = order[number], group_of[number]
        if group != before:
            before = group
            for lane in range(LANES):
                row = np.int64(lanes[ROW * LANES + lane])
                lanes[NEAR * LANES + lane] = quotas[row * groups + group]
        for lane in range(LANES):
            free, seats_free = word(lanes[NEAR * LANES + lane]), word(lanes[FAR * LANES + lane])
            taken = take_place(load_key(lanes, lane), tile, free, seats_free, named_bins)
            lanes[NEAR * LANES + lane] = free - taken.of_group
            lanes[FAR * LANES + lane] = seats_free - taken.of_seats
            for border in range(3):
                left = word(lanes[(LEFT + border) * LANES + lane])
                left |= (taken.of_seats >> 8 * border & 1) << tile
                lanes[(LEFT + border) * LANES + lane] = left

    number = given.first_of_last
    while number + 4 <= TILES:
        four = order[number], order[number + 1], order[number + 2], order[number + 3]
        for lane in range(LANES):
            fill_seats(lanes, lane, four)
        number += 4
    while number < TILES:
        tile = order[number]
        for lane in range(LANES):
            fill_seats(lanes, lane, (tile,))
        number += 1

    for lane in range(LANES):
        first, second = word(lanes[LEFT * LANES + lane]), word(lanes[(LEFT + 1) * LANES + lane])
        third = word(lanes[(LEFT + 2) * LANES + lane])
        lanes[TAKEN * LANES + lane] = first
        lanes[(TAKEN + 1) * LANES + lane] = second & ~first
        lanes[(TAKEN + 2) * LANES + lane] = third & ~second
        lanes[(TAKEN + 3) * LANES + lane] = ~third
    for place in range(4):
        seat = given.seats[place]
        for lane in range(LANES):
            lanes[(DEALT + seat) * LANES + lane] = lanes[(TAKEN + place) * LANES + lane]


@helper
def fill_seats(lanes: Any, lane: int, tiles: tuple[int, ...]) -> None:
    """Let tiles of the last group take any places that the seats have left."""
    key = load_key(lanes, lane)
    free = word(lanes[FAR * LANES + lane])
    first, second = word(lanes[LEFT * LANES + lane]), word(lanes[(LEFT + 1) * LANES + lane])
    third = word(lanes[(LEFT + 2) * LANES + lane])
    for tile in tiles:
        left = left_of(free_place(key, tile, free), free)
        free -= left
        first |= (left & 1) << tile
        second |= (left >> 8 & 1) << tile
        third |= (left >> 16 & 1) << tile
    lanes[FAR * LANES + lane] = free
    lanes[LEFT * LANES + lane] = first
    lanes[(LEFT + 1) * LANES + lane] = second
    lanes[(LEFT + 2) * LANES + lane] = third
