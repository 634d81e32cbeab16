"""What a tournament says of neighbours and of skill."""

import numpy as np
import pytest
from populations import contest

from gupai.analysis.tiengow.telling import shares_of_variance, to_tell

from ledger import judge

POLICIES = ("random", "greedy", "public-a")
RUNS = 300


@pytest.mark.parametrize("deals", [150, 500, 2000])
def test_tournament__numbers_to_tell_and_shares_cover(deals: int) -> None:
    points, _ = contest(POLICIES, 12_000)
    own = points.mean(axis=(2, 3))

    def numbers(rows):
        single = points[rows]
        apart = 2 * ((single - single.mean()) ** 2).mean(axis=(1, 2, 3))
        found = {}
        for one, other in ((1, 0), (1, 2), (2, 0)):
            each = own[rows, one] - own[rows, other]
            name = f"{POLICIES[one]} and {POLICIES[other]}"
            found[f"duplicate deals, {name}"] = to_tell(each, (each - each.mean()) ** 2)
            found[f"hands, {name}"] = to_tell(each, apart)
        (skill, cards) = shares_of_variance(single)
        return found | {"skill": skill, "cards": cards}

    truth = {name: value for name, (value, _) in numbers(np.arange(len(own))).items()}
    covered = dict.fromkeys(truth, 0)
    rng = np.random.default_rng(deals)
    for _ in range(RUNS):
        for name, (_, (low, high)) in numbers(rng.integers(0, len(own), deals)).items():
            covered[name] += low <= truth[name] <= high
    for name, count in covered.items():
        kind = (
            "share of the variance" if name in ("skill", "cards") else "deals to tell neighbours apart"
        )
        judge(kind, f"{name}, {deals:,} deals", count, RUNS)


def test_shares_of_variance__of_equal_policies_have_no_skill() -> None:
    rng = np.random.default_rng(8)
    covered = 0
    for _ in range(RUNS):
        cards = rng.normal(0, 5, (300, 1, 1, 4))
        points = cards + rng.normal(0, 10, (300, 4, 3, 4))
        (_, (low, _)), (share, (least, most)) = shares_of_variance(points)
        assert least <= share <= most
        covered += low == 0
    judge("share of the variance", "skill of four equal policies, 300 deals", covered, RUNS)
