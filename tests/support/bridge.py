"""Between the kernels' tile bits and the reference engine's tiles."""

from __future__ import annotations

import random

import numpy as np

from gupai.analysis import DEALS, RuleSet
from gupai.kernels.tiengow import settlement as columns
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


M32, M64 = 2**32 - 1, 2**64 - 1


def python_word(seed: int, series: int, hand: int, purpose: int, number: int) -> int:
    """A random word by the formula of ``streams.py``, in plain integers."""

    def finaliser(z: int) -> int:
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & M64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & M64
        return z ^ z >> 31

    golden = 0x9E3779B97F4A7C15
    start = finaliser(seed + golden & M64) + series * 0xD1B54A32D192ED03
    key = finaliser(start + hand * golden & M64)
    return python_draw(key & M32, key >> 32, purpose, number)


def python_draw(low: int, high: int, purpose: int, number: int) -> int:
    """A random word of a key, given by its two halves."""
    bits = ((purpose << 8) + number) * 0x9E3779B9 + low & M32
    bits = (bits ^ bits >> 16) * 0x85EBCA6B + high & M32
    bits = (bits ^ bits >> 13) * 0xC2B2AE35 & M32
    return bits ^ bits >> 16


# Section "Dice, wall, deal patterns", columns of the four takers in words of the page; "top"
# is the table of layers.  Written anew here, not taken from the kernels.
COLUMNS = {
    "pairs_of_columns": [(1, 2), (3, 4), (5, 6), (7, 8)],
    "single_columns": [(1, 5), (2, 6), (3, 7), (4, 8)],
    "alternate_columns": [(1, 3), (2, 4), (5, 7), (6, 8)],
    "centre_out": [(4, 5), (3, 6), (2, 7), (1, 8)],
    "ends_in": [(1, 8), (2, 7), (3, 6), (4, 5)],
    "dragon_phoenix": [(1, 7), (2, 8), (3, 4), (5, 6)],
    "flying_wings": [(2, 3), (4, 1), (5, 8), (6, 7)],
    "three_lions": [(1, 6), (3, 7), (5, 8), (2, 4)],
}
LAYERS = {"top_layers": [1, 2, 3, 4], "bottom_layers": [4, 3, 2, 1]}
EITHER_END = {"pairs_of_columns", "single_columns", "alternate_columns"}


def places_taken(deal, taker, from_right):
    """The places of the wall, column by column and top to bottom, that a taker takes."""
    if deal in LAYERS:
        layer = LAYERS[deal][taker]
        return {4 * column + layer - 1 for column in range(8)}
    columns = [9 - c if from_right else c for c in COLUMNS[deal][taker]]
    return {4 * (column - 1) + layer for column in columns for layer in range(4)}


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


def settled(hand, rules, term):
    """A played hand settled by the kernels, in the reference engine's words."""
    row = [0] * columns.COLUMNS
    columns.settle(hand.result, hand.honours, rules.switches(), term, row)
    return {
        "winner": row[columns.WINNER],
        "stacks": row[columns.STACKS : columns.STACKS + 4],
        "finish": ["plain", "yao", "supreme", "four"][row[columns.FINISH]],
        "sweep": [None, "seven", "eight"][row[columns.SWEEP]],
        "kam": None if row[columns.KAM] < 0 else row[columns.KAM],
        "settlement": row[columns.SETTLEMENT : columns.SETTLEMENT + 4],
        "bonuses": row[columns.BONUSES : columns.BONUSES + 4],
        "payments": {"supreme": row[columns.SUPREME_BONUSES], "four": row[columns.FOUR_BONUSES]},
        "last_size": row[columns.LAST_SIZE],
    }
