"""Plans of runs that ask for a width: their parts, and what ends them."""

from __future__ import annotations

import numpy as np
import pytest

from gupai.analysis import InputError, Run, odds, proportion
from gupai.analysis.precision import Plan, Width, counted


def carried_out(width: Width, p: float, rng, *, rate: float = 1.0, most: int = 10**9) -> Plan:
    """A plan carried out on draws: `rate` of the hands meet the condition, `p` of those have the event."""
    plan = Plan(width, most=most)
    while (hands := plan.following()) is not None:
        met = int(rng.binomial(hands, rate))
        plan.add(hands, met=met, happened=int(rng.binomial(met, p)))
    return plan


@pytest.mark.parametrize("p", [0.0, 0.001, 0.3, 0.999, 1.0])
def test_plan__ends_with_the_width_that_was_asked_for(p: float) -> None:
    rng = np.random.default_rng(1)
    for width in (Width(absolute=0.01), Width(absolute=0.002)):
        plan = carried_out(width, p, rng)
        assert plan.share is not None and width.reached(plan.share) and plan.following() is None
        assert plan.share.n == plan.hands - plan.before
    if p > 0:
        width = Width(relative=0.1)
        assert width.reached(carried_out(width, p, rng, rate=0.2).share)


def test_plan__gives_up() -> None:
    rng = np.random.default_rng(2)
    never = carried_out(Width(relative=0.1), 0.0, rng, most=100_000)
    assert never.hands == 100_000 and never.share.count == 0
    unmet = carried_out(Width(absolute=0.1), 0.5, rng, rate=0.0, most=5000)
    assert unmet.hands == 5000 and unmet.share is None
    narrow = carried_out(Width(absolute=1e-6), 0.5, rng, most=5000)  # known beforehand: all are counted
    assert narrow.before == 0 and narrow.share == counted(narrow.share.count, 5000)


def test_plan__parts_of_the_error_add_up() -> None:
    """However often a part is not enough, the errors of all intervals are 5 % together at most."""
    plan = Plan(Width(absolute=0.01), most=10**12)
    errors = []
    happened = 0
    for _ in range(200):
        hands = plan.following()
        if hands is None:
            break
        # Most unlucky: nothing happens until a part is counted, then half of the hands.
        happened = hands // 2 if plan.before else 0
        plan.add(hands, met=hands, happened=happened if plan.before else hands // 50)
        errors.append((plan.before, plan.error))
    spent = dict(errors)
    assert sum(spent.values()) <= 1 and len(spent) > 2


def test_plan__interrupted_while_planning_tells_what_it_saw() -> None:
    plan = Plan(Width(relative=0.01), most=10**9)
    plan.add(plan.following(), met=128, happened=64)
    plan.stop()
    assert plan.share == counted(64, 128, error=0.9) and plan.before == 0


def test_plan__costs_little_more_than_a_run_of_known_length() -> None:
    """At most 2.5 times the hands, on average of 40 runs, where ten events or more are needed."""
    rng = np.random.default_rng(3)
    for p, width in (
        (0.001, Width(absolute=0.0005)), (0.1, Width(absolute=0.01)), (0.5, Width(absolute=0.01)),
        (0.01, Width(relative=0.3)),
    ):  # fmt: skip
        fixed = next(
            n for n in (int(100 * 1.01**k) for k in range(2000))
            if width.reached(proportion(round(p * n), n))
        )  # fmt: skip
        assert np.mean([carried_out(width, p, rng).hands for _ in range(40)]) < 2.5 * fixed


def test_odds__of_a_width_says_what_was_counted() -> None:
    run = Run(policies=("greedy",) * 4, seed=3)
    answer = odds("right wins", "banker has AA", run=run, precision=0.02)
    assert answer.counted == answer.hands - answer.planning and answer.planning > 0
    on_play = odds("right wins", "sweep == none", run=run, precision=0.02)
    assert on_play.counted < on_play.hands - on_play.planning
    with pytest.raises(InputError, match="precision"):
        odds("kam", run=run, precision=0.0)
