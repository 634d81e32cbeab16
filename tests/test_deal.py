"""Dealing: exact chances, uniformity, and the ten patterns against the rules page."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from gupai.analysis import DEALS, RuleSet, Run, Tables, compare_deals, simulate
from gupai.kernels._jit import kernel
from gupai.kernels.keys import hand_key
from gupai.kernels.tiengow.deal import taking, throw_dice
from gupai.kernels.tiengow.features import FEATURES, feature, red_pips
from gupai.kernels.tiengow.single import deal_hands, take_wall
from gupai.kernels.word import integer

import reference
from bridge import EITHER_END, TILE_OF_BIT, places_taken, tiles


@kernel
def dice_of(seed, hands, either_end, out):
    for hand in range(hands):
        dice = throw_dice(hand_key(seed, 0, hand), either_end)
        out[hand, 0], out[hand, 1] = integer(dice.first_taker), int(dice.from_right)


@kernel
def take(seed, hand, wall, taking, dealt):
    take_wall(wall, hand_key(seed, 0, hand), taking, dealt)


def dealt_hands(n, seed=3, deal="pairs_of_columns"):
    out = np.zeros((n, 4), np.int64)
    deal_hands(np.uint64(seed), 0, n, taking(DEALS.index(deal)), out)
    return out


@pytest.mark.parametrize("deal", DEALS)
def test_patterns__take_the_wall_as_the_page_says(deal: str) -> None:
    """A wall of numbered tiles, column by column and top to bottom, for many throws."""
    pattern = taking(DEALS.index(deal))
    assert bool(pattern.either_end) == (deal in EITHER_END)
    wall, dealt, dice = np.arange(34), np.zeros(4, np.int64), np.zeros((40, 2), np.int64)
    dice_of(np.uint64(5), 40, pattern.either_end, dice)
    assert {tuple(row) for row in dice.tolist()} >= {(seat, 0) for seat in range(4)}
    for hand, (first, right) in enumerate(dice.tolist()):
        take(np.uint64(5), hand, wall, pattern, dealt)
        for place in range(4):
            wanted = places_taken(deal, place, right)
            got = int(dealt[(first + place) % 4])
            assert {bit for bit in range(32) if got >> bit & 1} == wanted


def test_dice__first_taker_shares() -> None:
    """Sum mod 4 counted from the seat across: 1: 8/36, 2: 9/36, 3: 10/36, 0: 9/36 (the banker: 3)."""
    exact = {s: sum((a + b) % 4 == s for a in range(1, 7) for b in range(1, 7)) for s in range(4)}
    assert exact == {1: 8, 2: 9, 3: 10, 0: 9}
    out = np.zeros((200_000, 2), np.int64)
    dice_of(np.uint64(1), 200_000, 1, out)
    shares = [exact[(seat - 2 + 1) % 4] / 36 for seat in range(4)]
    assert shares[0] == 10 / 36
    counts = np.bincount(out[:, 0], minlength=4)
    assert stats.chisquare(counts, 200_000 * np.array(shares)).pvalue > 1e-4
    assert stats.binomtest(int(out[:, 1].sum()), 200_000).pvalue > 1e-4


def test_deal__is_all_tiles_eight_each() -> None:
    for row in dealt_hands(500).tolist():
        assert all(hand.bit_count() == 8 for hand in row)
        assert row[0] | row[1] | row[2] | row[3] == 2**32 - 1


@pytest.mark.parametrize("deal", ["pairs_of_columns", "top_layers", "dragon_phoenix"])
def test_deal__every_tile_at_every_seat(deal: str) -> None:
    """32 tiles × 4 seats, each 1/4; false alarm once in 1,000."""
    n = 100_000
    hands = dealt_hands(n, deal=deal)
    counts = [[int((hands[:, seat] >> bit & 1).sum()) for bit in range(32)] for seat in range(4)]
    p_values = [stats.binomtest(count, n, 0.25).pvalue for row in counts for count in row]
    assert min(p_values) > 0.001 / 128


def test_deal__pairs_of_tiles_are_together_as_often_as_they_must() -> None:
    """Two given tiles in one hand: 7/31, all 496 pairs; once in 1,000."""
    n = 100_000
    hands = dealt_hands(n, seed=4)
    bits = np.array([(hands >> bit & 1).argmax(axis=1) for bit in range(32)])
    p_values = [
        stats.binomtest(int((bits[a] == bits[b]).sum()), n, 7 / 31).pvalue
        for a in range(32)
        for b in range(a)
    ]
    assert min(p_values) > 0.001 / 496


def exact_features():
    """Exact shares of features of a random hand, by counting hands class by class."""
    total = math.comb(32, 8)
    four = 0
    for number, sign in ((1, 1), (2, -1)):  # inclusion–exclusion over the four families
        four += sign * math.comb(4, number) * math.comb(32 - 4 * number, 8 - 4 * number)
    assert four == 81_894
    return {"four": Fraction(four, total), "63": Fraction(7, 31)}


def test_deal__exact_chances() -> None:
    """Somebody holds 63; a hand has a four; a four anywhere; false alarm once in 10,000 each."""
    n = 400_000
    hands = dealt_hands(n, seed=6)
    exact = exact_features()
    six, three = 1 << 3, 1
    both = ((hands & (six | three)) == (six | three)).any(axis=1)
    assert stats.binomtest(int(both.sum()), n, float(exact["63"])).pvalue > 1e-4

    fours = np.zeros(hands.shape, bool)
    for civil, military in ((30, 18), (28, 14), (26, 10), (24, 6)):
        whole = 3 << civil | 3 << military
        fours |= (hands & whole) == whole
    assert stats.binomtest(int(fours[:, 0].sum()), n, float(exact["four"])).pvalue > 1e-4
    assert stats.binomtest(int(fours.any(axis=1).sum()), n, four_anywhere()).pvalue > 1e-4
    assert round(four_anywhere(), 5) == 0.03067


def four_anywhere() -> float:
    """A four in any hand, by inclusion–exclusion over which families lie whole in which hands."""
    chance = 0.0
    deals = math.factorial(32) / math.factorial(8) ** 4
    for chosen in range(1, 5):
        # ways to put `chosen` families into hands, at most two a hand, times the rest
        ways = 0.0
        for placement in np.ndindex(*(4,) * chosen):
            taken = [4 * placement.count(seat) for seat in range(4)]
            if max(taken) <= 8:
                rest = math.factorial(32 - 4 * chosen)
                for used in taken:
                    rest /= math.factorial(8 - used)
                ways += rest
        chance += (-1) ** (chosen + 1) * math.comb(4, chosen) * ways / deals
    return chance


def test_features__agree_with_the_reference() -> None:
    rules = [RuleSet(heaven_red=red, supreme_civil=civil) for red in (6, 0) for civil in ("off", "on")]
    for hand in dealt_hands(400)[:, 0].tolist():
        text = reference.codes(tiles(hand))
        for rule_set in rules:
            switches = rule_set.switches()
            got = {name: feature(hand, n, switches) for n, name in enumerate(FEATURES, 1)}
            families = [[text.count(c), text.count(m)] for c, m in reference.FAMILIES]
            assert got == {
                "military": sum(code in reference.MILITARY for code in text),
                "civil": sum(code in reference.CIVIL for code in text),
                "pairs": sum(text.count(code) == 2 for code in set(text)),
                "mixed": sum(c > 0 and m > 0 for c, m in families),
                "threes": sum((c == 2 and m > 0) + (m == 2 and c > 0) for c, m in families),
                "fours": sum(c == 2 and m == 2 for c, m in families),
                "supreme": ("6" in text and "3" in text)
                + (rule_set.supreme_civil != "off" and text.count("K") == 2),
                "red": sum(reference.red_pips(tile, rule_set.heaven_red) for tile in tiles(hand)),
            }


@pytest.mark.parametrize(("heaven", "none", "one"), [(6, 1_287, 12_012), (0, 6_435, 45_045)])
def test_red_pips__exact_numbers_of_hands(heaven: int, none: int, one: int) -> None:
    """Hands with no red pip and with exactly one, of 10,518,300."""
    switches = RuleSet(heaven_red=heaven).switches()
    red = [red_pips(1 << bit, switches) for bit in range(32)]
    assert red == [reference.red_pips(TILE_OF_BIT[bit], heaven) for bit in range(32)]
    assert math.comb(red.count(0), 8) == none
    assert red.count(1) * math.comb(red.count(0), 7) == one


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_patterns__deal_the_same_distribution(policy: str) -> None:
    """All ten patterns under a perfect shuffle; false alarm once in 1,000."""
    runs = [Run(policies=(policy,) * 4, deal=deal, hands=100_000, seed=11) for deal in DEALS]
    assert compare_deals([Tables(simulate(run)) for run in runs]).p_value > 0.001
