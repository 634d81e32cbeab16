"""Tiles and combinations against the rules page ("Tiles", "Combinations")."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from gupai.analysis import RuleSet
from gupai.kernels.tiengow import plays
from gupai.kernels.tiengow import tiles as layout
from gupai.kernels.word import lowest

import reference
from bridge import BIT_OF_TILE, mask, tiles

RULES = [RuleSet(supreme_civil=value) for value in ("off", "on", "beaten_by_J")]


def test_tiles__are_32_in_17_classes() -> None:
    assert sorted(BIT_OF_TILE.values()) == list(range(32))
    assert layout.ALL == 2**32 - 1 and layout.CIVIL.bit_count() == 22
    assert len(layout.CLASSES) == 17


def test_tiles__numbers_of_the_rules_page() -> None:
    """17 classes; deals and hands, all and distinct by class."""
    assert math.factorial(32) // math.factorial(8) ** 4 == 99_561_092_450_391_000
    assert math.comb(32, 8) == 10_518_300
    copies = [1 if code in "63" else 2 for code in layout.CLASSES]
    ways = {(8,) * 4: 1}
    for number in copies:  # four hands at once, by class
        following: dict[tuple[int, ...], int] = {}
        for room, count in ways.items():
            for seats in itertools.combinations_with_replacement(range(4), number):
                left = tuple(r - seats.count(s) for s, r in enumerate(room))
                if min(left) >= 0:
                    following[left] = following.get(left, 0) + count
        ways = following
    assert ways == {(0, 0, 0, 0): 66_065_375_067_120}
    one = {8: 1}
    for number in copies:
        following_one: dict[int, int] = {}
        for room, count in one.items():
            for taken in range(min(number, room) + 1):
                following_one[room - taken] = following_one.get(room - taken, 0) + count
        one = following_one
    assert one[0] == 330_525


def test_is_combination__every_set_of_up_to_four_tiles() -> None:
    for size in range(1, 5):
        for subset in itertools.combinations(reference.TILES, size):
            expected = reference.combination(subset, reference.DEFAULTS, led=True) is not None
            assert plays.is_combination(mask(subset)) == expected, subset


def test_is_combination__no_larger_set() -> None:
    for size in (5, 6, 7, 8):
        for subset in itertools.islice(itertools.combinations(reference.TILES, size), 0, None, 997):
            assert not plays.is_combination(mask(subset))


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.supreme_civil)
def test_beats__every_combination_against_every_lead(rules: RuleSet) -> None:
    """The full ranking of combinations: which beats which when led."""
    plain = rules.to_json()
    some_tiles = [
        subset
        for size in range(1, 5)
        for subset in itertools.combinations(reference.TILES, size)
        if reference.combination(subset, plain, led=True)
    ]
    one_each = list({reference.codes(subset): subset for subset in some_tiles}.values())
    # 11 + 6 singles, 11 civil, 4 military and 4 mixed pairs, 63, 8 threes, 4 fours
    assert len(one_each) == 17 + 11 + 4 + 4 + 1 + 8 + 4
    for led in one_each:
        kind = plays.kind_of(mask(led))
        beaters = plays.beaters_of_lead(mask(led), kind, rules.switches())
        for other in one_each:
            contest = reference.Contest(*reference.combination(led, plain, led=True), plain)
            assert plays.beats(mask(other), kind, beaters) == contest.is_beaten_by(other), (led, other)


def test_options__name_the_plays_that_a_hand_holds() -> None:
    rng = random.Random(1)
    plain = reference.DEFAULTS
    kinds = [
        plays.Kind(*kind) for kind in ((1, 0), (0, 1), (2, 0), (0, 2), (1, 1), (2, 1), (1, 2), (2, 2))
    ]
    for _ in range(500):
        hand = rng.sample(reference.TILES, rng.randint(1, 8))
        for kind in kinds:
            found = set()
            places = plays.options(mask(hand), kind)
            while places:
                place = lowest(places)
                places ^= place
                found.add(reference.codes(tiles(plays.tiles_of(place, mask(hand), kind))))
            size = sum(kind)
            expected = {
                reference.codes(subset)
                for subset in itertools.combinations(hand, size)
                if reference.combination(subset, plain, led=False)
                and plays.kind_of(mask(subset)) == kind
                and reference.codes(subset) != "63"
            }
            assert found == expected, (hand, kind)


def test_may_show__two_stack_rule() -> None:
    """With one tile left, a seat that holds no stack plays face down (point 4 of the hand)."""
    on, off = RuleSet().switches(), RuleSet(two_stacks=False).switches()
    assert not plays.may_show(layout.THREE, 0, on)
    assert plays.may_show(layout.THREE, 1, on)
    assert plays.may_show(layout.SUPREME, 0, on)
    assert plays.may_show(layout.THREE, 0, off)
