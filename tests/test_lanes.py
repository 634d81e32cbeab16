"""The lane loop against the plain loop, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from gupai.analysis import DEALS, RuleSet
from gupai.analysis.tiengow.request import SEATS
from gupai.analysis.tiengow.simulate import GROUPS
from gupai.kernels.tiengow.deal import taking
from gupai.kernels.tiengow.features import FEATURES, WINNER_SEAT, feature
from gupai.kernels.tiengow.given import no_condition
from gupai.kernels.tiengow.lane_fields import LANES
from gupai.kernels.tiengow.lanes import BLOCK_KERNELS, new_lanes
from gupai.kernels.tiengow.outcome import HONOUR_BITS, SETTLED_BITS
from gupai.kernels.tiengow.policies import GREEDY, RANDOM
from gupai.kernels.tiengow.single import deal_hands, play_hands
from gupai.kernels.tiengow.trick import EACH_ITS_OWN

HANDS = 5 * LANES + 37
RULES = {
    "ja": RuleSet(),
    "wenzun": RuleSet(supreme_civil="on"),
    "zh, no two stacks": RuleSet(supreme_civil="beaten_by_J", two_stacks=False),
    "patterns": RuleSet(
        hand_patterns=("one_red", "no_red", "seven_civil", "seven_military", "four_pairs")
    ),
}
POLICIES = {
    RANDOM: (RANDOM,) * 4,
    GREEDY: (GREEDY,) * 4,
    EACH_ITS_OWN: (GREEDY, RANDOM, RANDOM, GREEDY),
}


def one_by_one(policies, deal, rules, start, seed=9):
    records = np.zeros((HANDS, 2), np.uint32)
    packed = sum(policy << 4 * seat for seat, policy in enumerate(policies))
    scratch = np.zeros(34, np.int64), np.zeros(4, np.int64), np.zeros((8, 10), np.int64)
    play_hands(
        np.uint64(seed),
        start,
        HANDS,
        packed,
        taking(DEALS.index(deal)),
        rules.switches(),
        *scratch,
        records,
    )
    return records


def in_lanes(kernel, policies, deal, rules, start, split=0, seat=0, seed=9):
    keys, counts = np.zeros(1 << 14, np.uint64), np.zeros(1 << 14, np.int64)
    last_tiles = np.zeros((GROUPS, 32), np.int64)
    packed = sum(policy << 4 * seat for seat, policy in enumerate(policies))
    done = BLOCK_KERNELS[kernel](
        new_lanes(), np.uint64(seed), start, HANDS, packed, taking(DEALS.index(deal)), rules.switches(),
        no_condition(), split, seat, 0, keys, counts, last_tiles, np.zeros((0, 6), np.uint32),
    )  # fmt: skip
    assert done == HANDS
    used = keys != 0
    order = np.argsort(keys[used])
    return keys[used][order], counts[used][order], last_tiles


def tallied(records, groups):
    settled = (records[:, 0] & np.uint32(SETTLED_BITS)).astype(np.uint64)
    upper = records[:, 1].astype(np.uint64) | groups.astype(np.uint64) << np.uint64(HONOUR_BITS)
    keys, counts = np.unique(settled | upper << np.uint64(32), return_counts=True)
    last_tiles = np.zeros((GROUPS, 32), np.int64)
    single = (records[:, 0] >> 8 & 7) == 1
    np.add.at(last_tiles, (groups[single], records[single, 0] >> 26), 1)
    return keys, counts, last_tiles


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("kernel", POLICIES)
@pytest.mark.parametrize("deal", ["pairs_of_columns", "bottom_layers", "three_lions"])
def test_lanes__equal_the_plain_loop(kernel: int, deal: str, rules: RuleSet) -> None:
    start = 123_456_789_012
    records = one_by_one(POLICIES[kernel], deal, rules, start)
    expected = tallied(records, np.zeros(HANDS, np.int64))
    for mine, theirs in zip(
        in_lanes(kernel, POLICIES[kernel], deal, rules, start), expected, strict=True
    ):
        assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("name", FEATURES)
@pytest.mark.parametrize("seat", [0, 2, WINNER_SEAT])
def test_lanes__split_by_what_was_dealt(name: str, seat: int) -> None:
    """The groups of ``--by`` are those of the deals, dealt again by the plain loop."""
    rules = RuleSet(supreme_civil="on")
    records = one_by_one((GREEDY,) * 4, "ends_in", rules, 7)
    dealt = np.zeros((HANDS, 4), np.int64)
    deal_hands(np.uint64(9), 7, HANDS, taking(DEALS.index("ends_in")), dealt)
    number = FEATURES.index(name) + 1
    seats = records[:, 0] & 3 if seat == WINNER_SEAT else np.full(HANDS, seat)
    groups = np.array(
        [feature(int(dealt[hand, who]), number, rules.switches()) for hand, who in enumerate(seats)]
    )
    assert len(set(groups.tolist())) > 1
    result = in_lanes(GREEDY, (GREEDY,) * 4, "ends_in", rules, 7, number, seat)
    for mine, theirs in zip(result, tallied(records, groups), strict=True):
        assert np.array_equal(mine, theirs)


def test_seats__have_the_numbers_of_the_kernels() -> None:
    assert SEATS == ("banker", "right", "across", "left") and len(SEATS) == WINNER_SEAT
