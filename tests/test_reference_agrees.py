"""The kernels against the plain-Python engine, play by play and point by point."""

from __future__ import annotations

import random

import pytest

from gupai.kernels.tiengow.policies import GREEDY, RANDOM

import reference
from bridge import PlayedHand, random_rules, settled

PARTS = 10  # of which two are played at every push, the others with what is slow
RULE_SETS = 50  # in each part
HANDS_EACH = 40


def check_greedy_plays(hand, rules, policies):
    """Every play of a greedy seat is the one that the reference would make."""
    left = [set(tiles) for tiles in hand.hands]
    stacks = [0] * 4
    for leader, plays in hand.tricks:
        lead = plays[0][0]
        contest = reference.Contest(*reference.combination(lead, rules, led=True), rules)
        winner = leader
        for place, (tiles, up) in enumerate(plays):
            seat = (leader + place) % 4
            if policies[seat] == GREEDY:
                if place == 0:
                    wanted, face_up = reference.greedy_lead(left[seat], rules), True
                else:
                    wanted, face_up = reference.greedy_follow(
                        left[seat], stacks[seat], contest, len(lead), rules
                    )
                assert (reference.codes(tiles), up) == (reference.codes(wanted), face_up)
            if place and up:
                contest.beat_with(tiles)
                winner = seat
            left[seat] -= set(tiles)
        stacks[winner] += len(lead)


@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=pytest.mark.slow if part >= 2 else ()) for part in range(PARTS)]
)
def test_kernels__agree_with_reference(part: int) -> None:
    rng = random.Random(part)
    for _ in range(RULE_SETS):
        rules = random_rules(rng)
        plain = rules.to_json()
        policies = [rng.choice((RANDOM, GREEDY)) for _ in range(4)]
        term = rng.randint(1, 5)
        start, seed = rng.randrange(10**12), rng.randrange(2**64)
        deal = rng.choice(["pairs_of_columns", "top_layers", "flying_wings"])
        for number in range(start, start + HANDS_EACH):
            hand = PlayedHand(seed=seed, number=number, policies=policies, rules=rules, deal=deal)
            assert sorted(hand.wall) == sorted(reference.TILES)
            history = reference.replay(hand.hands, hand.tricks, plain)
            expected = reference.settle(history, plain, term)
            assert settled(hand, rules, term) == expected, (seed, number, rules)
            if number % 4 == 0:
                check_greedy_plays(hand, plain, policies)
