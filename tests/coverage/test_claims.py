"""Claims about the best of several: leaders of tournaments, ways to play.

Deals are played once, by many; shorter contests are then drawn from them.
"""

from __future__ import annotations

import numpy as np
import pytest

from gupai.analysis import RuleSet
from gupai.analysis.estimates import joint
from gupai.analysis.tiengow.extremes import mean_points
from gupai.analysis.tiengow.policies import find_policy
from gupai.analysis.tiengow.tournament import _result, _Worker

from ledger import judge, judge_false_claims

NAMES = ("tuned", "bold", "cautious", "block-banker", "honour-late", "control", "public-a", "greedy")
DEALS = 1500


@pytest.fixture(scope="module")
def played():
    """Points and counts of many deals between eight policies, some of them close."""
    pairs = [(i, j) for i in range(len(NAMES)) for j in range(len(NAMES)) if i != j]
    players = [find_policy(name, RuleSet()) for name in NAMES]
    worker = _Worker(players, pairs, rules=RuleSet(), seed=71, term=1)
    worker.play(0, DEALS)
    return pairs, worker.points[0], worker.counts[0]


def drawn_contest(played, deals, rng):
    pairs, points, counts = played
    chosen = rng.integers(0, len(points), deals)
    return _result(NAMES, RuleSet(), 1, 1, pairs, points[chosen], counts[chosen])


@pytest.mark.parametrize("deals", [150, 600])
def test_tournament__interval_of_the_leader_covers(played, deals) -> None:
    """The best of eight, chosen by looking: with intervals of one by one 76 % were covered."""
    rng, runs = np.random.default_rng(deals), 400
    truth = {s.policy: s.points.mean for s in drawn_contest_of_all(played).ranking}
    covered = apart = 0
    for _ in range(runs):
        found = drawn_contest(played, deals, rng)
        leader = found.ranking[0]
        covered += leader.points.low <= truth[leader.policy] <= leader.points.high
        apart += all(
            gap.difference.low <= truth[gap.better] - truth[gap.worse] <= gap.difference.high
            for gap in found.gaps
        )
    judge("leader of a tournament (all together)", f"eight policies, {deals} deals", covered, runs)
    judge("neighbours of a ranking (all pairs together)", f"eight policies, {deals} deals", apart, runs)


def drawn_contest_of_all(played):
    pairs, points, counts = played
    return _result(NAMES, RuleSet(), 1, 1, pairs, points, counts)


@pytest.mark.parametrize("ways", [2, 8])
def test_study__names_no_way_where_none_differs(played, ways) -> None:
    """Differences whose signs are tossed: at most 5 % of studies call any way better or worse."""
    points = played[1]
    rng, runs = np.random.default_rng(ways), 600
    own = points.sum(axis=2)
    apart = np.stack([own[:, n] - own[:, -1 - n] for n in range(ways)], axis=1)
    claims = 0
    for _ in range(runs):
        chosen = apart[rng.integers(0, len(apart), 400)] * rng.choice([-1, 1], 400)[:, None]
        found = [
            mean_points(column, 4, RuleSet(), apart=True, confidence=joint(ways)) for column in chosen.T
        ]
        claims += any(one.low > 0 or one.high < 0 for one in found)
    judge_false_claims("ways of a study (all together)", f"{ways} ways, 400 deals", claims, runs)
