"""Intervals of advice where the policies draw lots, against hands that are dealt and played whole.

The truth comes from `starting_hand`, which shares neither the worlds nor the luck of `advise`: a long
run of `advise` itself would not show luck that comes back.
"""

from __future__ import annotations

import pytest

from gupai.analysis import Run, advise, read_position, starting_hand

import ledger

RUNS, WORLDS = 200, 600
# Hands of the truth; its own error widens that of a run by 1 part in 100 at most.
CASES = [
    ("AC99GJK3", "random", 200_000),
    ("AC99GJK3", "public-b", 40_000),
    ("CHIKK553", "random", 200_000),
]


@pytest.mark.parametrize("hand, policy, many", CASES)
def test_advise__intervals_cover_the_truth(hand: str, policy: str, many: int) -> None:
    """Points and P(結) of three leads, and by how much the third is behind what each run calls best."""
    position = read_position({"banker": 0, "hands": [hand, None, None, None], "tricks": []})
    played = starting_hand(hand, run=Run(policies=(policy,) * 4, hands=many, seed=10**9))
    truth = {lead.lead: lead for lead in played.leads}
    best, second, third, *_ = truth
    points, wins = dict.fromkeys((best, second, third), 0), dict.fromkeys((best, second, third), 0)
    gaps = claims = 0
    for seed in range(RUNS):
        advice = advise(position, worlds=WORLDS, policy=policy, seed=seed)
        found = {play.play: play for play in advice.plays}
        for lead in points:
            mine, true = found[lead], truth[lead]
            points[lead] += mine.points.low <= true.points.mean <= mine.points.high
            wins[lead] += mine.win.low <= true.win.value <= mine.win.high
        called = advice.plays[0].play
        gap = truth[called].points.mean - truth[third].points.mean
        gaps += found[third].behind.low <= gap <= found[third].behind.high
        claims += advice.clear and called != best
    for place, lead in enumerate(points, 1):
        where = f"lead {place} of {hand}, {policy}, {WORLDS:,} worlds"
        ledger.judge("advice: points", where, points[lead], RUNS)
        ledger.judge("advice: P(結)", where, wins[lead], RUNS)
    where = f"leads of {hand}, {policy}, {WORLDS:,} worlds"
    ledger.judge("advice: behind the best", where, gaps, RUNS, least=0.93)  # the best is chosen
    ledger.judge_false_claims("advice: a wrong lead called clearly best", where, claims, RUNS)
