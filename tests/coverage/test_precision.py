"""Runs that are played until an interval is narrow."""

import numpy as np
import pytest

from gupai.analysis import Run, odds
from gupai.analysis.precision import Plan, Width

from ledger import judge

KIND = "share of a run with --precision (plan, Clopper-Pearson)"


@pytest.mark.parametrize("rate", [1.0, 0.05])
@pytest.mark.parametrize("p", [0.001, 0.01, 0.1, 0.5])
def test_plan__covers_when_it_stops(p: float, rate: float) -> None:
    rng = np.random.default_rng([int(1000 * p), int(100 * rate)])
    covered, runs, widths = 0, 100, (Width(absolute=p), Width(absolute=p / 5), Width(relative=0.3))
    for width in widths:
        for _ in range(runs):
            plan = Plan(width, most=10**9)
            while (hands := plan.following()) is not None:
                met = int(rng.binomial(hands, rate))
                plan.add(hands, met=met, happened=int(rng.binomial(met, p)))
            covered += plan.share.low <= p <= plan.share.high
    judge(KIND, f"chance {p:g} to {p:g}, {p / 5:g} and relative 0.3, condition {rate:g}",
          covered, runs * len(widths), least=0.95)  # fmt: skip


def test_odds__covers_when_it_stops() -> None:
    """Questions about the deal, whose chance is counted exactly, asked as if they could not be."""
    run = Run(policies=("greedy",) * 4, hands=400_000, seed=31)
    for event, given in (
        ("banker wins", None),
        ("sweep != none", None),
        ("right wins", "sweep == none"),
    ):
        truth = odds(event, given, run=run, threads=1).value
        covered, runs = 0, 60
        for seed in range(runs):
            own = Run(policies=run.policies, seed=500 + seed)
            answer = odds(event, given, run=own, precision=0.03, threads=1)
            covered += answer.low <= truth <= answer.high
        judge(KIND, f"{event}, given {given}, precision 0.03", covered, runs, least=0.95)
