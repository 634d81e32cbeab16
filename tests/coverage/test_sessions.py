"""What sessions come to: means, quantiles, ruin, and when a lead shows."""

import numpy as np
import pytest
from populations import sessions

from gupai.analysis import SessionRun, session
from gupai.analysis.estimates import FEWEST, mean_from_sums, proportion
from gupai.analysis.histogram import Histogram
from gupai.analysis.tiengow.session_result import QUANTILES

from ledger import judge

GREEDY, MIXED = ("greedy",) * 4, ("greedy", "random", "random", "random")
CELLS = [(("random",) * 4, 4, 60_000), (GREEDY, 16, 60_000), (MIXED, 64, 40_000)]


@pytest.mark.parametrize("n", [FEWEST, 500])
@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_sessions__intervals_cover(cell, n: int) -> None:
    policies, hands, number = cell
    of = f"sessions of {hands} hands, {policies[0]}"
    population = sessions(policies, hands, number)
    rng = np.random.default_rng(n)
    runs = 500
    covered = dict.fromkeys(("points", "swing", "changes", "gap", "ruin"), 0)
    quantiles = dict.fromkeys(QUANTILES, 0)
    whole = Histogram()
    whole.add(population["points"])
    truth = {name: population[name].mean() for name in ("points", "swing", "changes", "gap")}
    ruin = (population["lowest"] <= -100).mean()
    for _ in range(runs):
        drawn = rng.integers(0, number, n)
        for name in ("points", "swing", "changes"):
            found = Histogram()
            found.add(population[name][drawn])
            e = found.mean()
            covered[name] += e.low <= truth[name] <= e.high
            if name == "points":
                for q in QUANTILES:
                    low, high = found.quantile_interval(q)
                    true = whole.quantile(q)
                    quantiles[q] += (low is None or low <= true) and (high is None or true <= high)
        gap = population["gap"][drawn]
        e = mean_from_sums(n, int(gap.sum()), int((gap**2).sum()), fewest=FEWEST)
        covered["gap"] += e.low <= truth["gap"] <= e.high
        e = proportion(int((population["lowest"][drawn] <= -100).sum()), n)
        covered["ruin"] += e.low <= ruin <= e.high
    for name, count in covered.items():
        kind = {"ruin": "share (Wilson, Clopper-Pearson below 60)",
                "gap": "mean of the points between two players (Student's t)"}.get(
                    name, "mean (Student's t, Hall's ends below 10,000)")  # fmt: skip
        judge(kind, f"{name}, {n:,} {of}", count, runs)
    for q, count in quantiles.items():
        judge("quantile (ranks)", f"{q:g}, {n:,} {of}", count, runs)


def test_sessions__of_few_have_no_interval() -> None:
    result = session(SessionRun(policies=("greedy",) * 4, hands=4, sessions=FEWEST - 1), threads=1)
    for player in result.players():
        assert np.isnan(player.points.low) and np.isnan(player.swing.high)


@pytest.mark.parametrize(("hands", "n"), [(16, 300), (200, 400)])
def test_lead__hands_to_lead_cover(hands: int, n: int) -> None:
    """Sessions of 16 hands are carried on, by the law that is printed; after 200 it was reached."""
    policies = ("greedy", "random", "random", "random")

    def of(number: int, seed: int):
        run = SessionRun(policies=policies, hands=hands, sessions=number, seed=seed)
        leads = session(run, threads=1).leads()
        return next((lead for lead in leads if (lead.better, lead.worse) == (0, 1)), None)

    truth = of(60_000 if hands < 100 else 8_000, 4)
    runs = 200 if hands < 100 else 60
    covered = told = 0
    for seed in range(runs):
        lead = of(n, 100 + seed)
        if lead is None or lead.observed != truth.observed:
            continue
        told += 1
        covered += lead.low <= truth.hands <= lead.high
    law = "observed" if truth.observed else "carried on"
    judge(f"hands until a lead shows ({law})", f"greedy over random, {n} sessions of {hands} hands",
          covered, told)  # fmt: skip
