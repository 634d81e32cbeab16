"""Means of points, which are skewed."""

import numpy as np
import pytest
from populations import points

from gupai.analysis import Run, Tables, load_rules, mean_of_floats, simulate
from gupai.analysis.estimates import FEWEST, mean_of

from ledger import judge

ALL_RANDOM, ALL_GREEDY = ("random",) * 4, ("greedy",) * 4
CELLS = [
    ("tiengow-ja", ALL_RANDOM, "banker", 1, None), ("tiengow-ja", ALL_GREEDY, "banker", 1, None),
    ("tiengow-zh", ALL_GREEDY, "banker", 1, None), ("tiengow-zh", ALL_GREEDY, "banker", 5, None),
    ("tiengow-ja", ALL_GREEDY, "banker", 1, 1), ("tiengow-zh", ALL_RANDOM, "right", 5, None),
    ("tiengow-zh", ("random", "public-a", "greedy", "greedy"), "left", 1, None),
    ("tiengow-ja", ("public-a", "random", "random", "random"), "banker", 1, None),
]  # fmt: skip
KIND = "mean (Student's t, Hall's ends below 10,000)"


@pytest.mark.parametrize("n", [FEWEST, 200, 1000, 5000])
@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_mean__covers(cell, n: int) -> None:
    rules, policies, seat, term, fours = cell
    values, chances = points(rules, policies, seat, term, fours)
    truth = float(values @ chances)
    rng = np.random.default_rng(n)
    runs, covered = 1000, 0
    whole = values.tolist()
    for counts in rng.multinomial(n, chances, runs):
        e = mean_of(whole, counts.tolist())
        covered += e.low <= truth <= e.high
    played = "/".join(dict.fromkeys(policies))
    group = "" if fours is None else f", {fours} four"
    judge(KIND, f"{seat}, {played}, {rules}, term {term}{group}, {n:,} hands", covered, runs)


def test_simulate__points_cover_and_few_hands_say_nothing() -> None:
    """The interval of runs as they are played, each with a seed of its own."""
    run = Run(rules=load_rules("tiengow-ja"), policies=ALL_RANDOM, hands=400_000, seed=77)
    truth = Tables(simulate(run, threads=1)).point_means()["banker"].mean
    covered, runs = 0, 600
    for seed in range(runs):
        played = simulate(Run(policies=ALL_RANDOM, hands=200, seed=1000 + seed), threads=1)
        e = Tables(played).point_means()["banker"]
        covered += e.low <= truth <= e.high
    judge(KIND, "banker, random, 200 hands, played", covered, runs)
    few = Tables(simulate(Run(policies=ALL_RANDOM, hands=FEWEST - 1), threads=1)).point_means()
    assert all(np.isnan(e.low) and np.isnan(e.high) for e in few.values())


@pytest.mark.parametrize("n", [FEWEST, 400, 2000])
def test_mean_of_floats__covers_means_of_deals(n: int) -> None:
    from populations import contest

    policies = ("random", "greedy", "public-a")
    cells = contest(policies, 12_000)[0]
    rng = np.random.default_rng(n)
    own = cells.mean(axis=(2, 3))
    single = cells.mean(axis=3)
    quantities = {f"points of {name}": own[:, i] for i, name in enumerate(policies)}
    quantities["greedy over random"] = own[:, 1] - own[:, 0]
    quantities["greedy against three random"] = single[:, 1, 0]
    for what, each in quantities.items():
        truth, covered, runs = each.mean(), 0, 1000
        for _ in range(runs):
            e = mean_of_floats(each[rng.integers(0, len(each), n)])
            covered += e.low <= truth <= e.high
        judge(KIND, f"{what}, {n:,} deals", covered, runs)
