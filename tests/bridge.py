"""Between the kernels' tile bits and the reference engine's tiles."""

from __future__ import annotations

import random

import numpy as np

from gupai.analysis import DEALS, RuleSet
from gupai.kernels.tiengow.deal import taking
from gupai.kernels.tiengow.single import play_hands
from gupai.kernels.tiengow.tiles import FIRST_BIT

import reference

TILE_OF_BIT = {FIRST_BIT[code] + copy: (code, pips, copy) for code, pips, copy in reference.TILES}
BIT_OF_TILE = {tile: bit for bit, tile in TILE_OF_BIT.items()}


def tiles(mask):
    return tuple(TILE_OF_BIT[bit] for bit in range(32) if int(mask) >> bit & 1)


def mask(some_tiles):
    return sum(1 << BIT_OF_TILE[tile] for tile in some_tiles)


def random_rules(rng: random.Random) -> RuleSet:
    """Every switch at random, usual and unusual values, each left at its default half the time."""
    values = {
        "supreme_civil": ["off", "on", "beaten_by_J"], "last_low_civil": [True, False],
        "kam_supreme_civil": [True, False], "capture_bonus": [True, False], "kam": [1, 2, 3, 4],
        "kam_fours": [True, False], "excess": ["special", "plain"], "yao": [1, 2, 3],
        "supreme_finish": [1, 2, 5], "four_finish": [1, 2, 4], "seven": [1, 2, 3], "eight": [1, 2, 4, 5],
        "sure_single": ["public", "actual"], "opening_ban": ["off", "no_eight", "no_sweep"],
        "supreme_bonus": [0, 1, 2], "four_bonus": [0, 2, 4], "bonus_on_last": [True, False],
        "four_bonus_to": ["winner", "everyone", "leader", "winning_leader"],
        "banker": ["streak", "double", "off"], "two_stacks": [True, False], "empty": [5, 4, 0],
        "heaven_red": [6, 0],
    }  # fmt: skip
    chosen = {name: rng.choice(options) for name, options in values.items() if rng.random() < 0.5}
    patterns = [
        "one_red", "seven_military", "seven_civil", "no_red", "eight_military", "eight_civil", "four_pairs",
    ]  # fmt: skip
    if rng.random() < 0.3:
        chosen["hand_patterns"] = tuple(rng.sample(patterns, rng.randint(1, 7)))
    return RuleSet(**chosen)


class PlayedHand:
    """A hand of the plain kernel loop, in the reference engine's terms."""

    def __init__(self, *, seed, number, policies, rules, deal="pairs_of_columns"):
        wall, dealt = np.zeros(34, np.int64), np.zeros(4, np.int64)
        plays, records = np.zeros((8, 10), np.int64), np.zeros((1, 2), np.uint32)
        packed = sum(policy << 4 * seat for seat, policy in enumerate(policies))
        play_hands(
            np.uint64(seed), number, 1, packed, taking(DEALS.index(deal)), rules.switches(),
            wall, dealt, plays, records,
        )  # fmt: skip
        self.wall = [TILE_OF_BIT[int(bit)] for bit in wall[:32]]
        self.hands = [tiles(hand) for hand in dealt]
        self.tricks = [
            (int(row[0]), [(tiles(row[2 + place]), bool(row[6 + place])) for place in range(4)])
            for row in plays
            if row[1]
        ]
        self.result, self.honours = (int(word) for word in records[0])
