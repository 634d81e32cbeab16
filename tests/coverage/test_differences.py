"""Paired differences between two rule sets, and what is claimed of them.

What differences there are is found once from many hands; shorter runs are then drawn from those.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy.stats import beta

from gupai.analysis import PRESETS, Run, compare
from gupai.analysis.bounded import bounded_mean
from gupai.analysis.tiengow.compare import must_be_replayed
from gupai.analysis.tiengow.extremes import possible_changes
from gupai.analysis.tiengow.house_rules import USUAL, variants
from gupai.analysis.tiengow.paired import points_of, quantities, settled
from gupai.analysis.tiengow.playing import Player
from gupai.analysis.tiengow.simulate import simulate
from gupai.kernels.tiengow.outcome import SETTLED_BITS

from ledger import judge, judge_false_claims

KIND = "difference between two rule sets (weighted rare events)"
RUNS = {200: 500, 2_000: 500, 20_000: 500, 400_000: 500}
PAIRS = 60  # of rule sets, drawn at random; of each two quantities and a policy


def truth(base, other, policy):
    """By how much each quantity differs, in how many hands of many: name -> (values, counts)."""
    run = Run(rules=base, policies=(policy,) * 4, hands=1_000_000, seed=77)
    if must_be_replayed(base, other, run):
        hands, rows = 100_000, []
        for rules in (base, other):
            kept = Player(Run(rules=rules, policies=(policy,) * 4, hands=hands, seed=77)).keep(0, hands)
            keys = kept[:, 0].astype(np.uint64) & np.uint64(SETTLED_BITS)
            rows.append(settled(keys | kept[:, 1].astype(np.uint64) << np.uint64(32), rules, 1))
        counts = np.ones(hands, np.int64)
    else:
        tally = simulate(run)
        rows, counts = [settled(tally.keys, rules, 1) for rules in (base, other)], tally.counts
    one, other_side = quantities(rows[0]), quantities(rows[1])
    return (
        {str(name): histogram(other_side[name] - one[name], counts) for name in one},
        points_of(rows[1]) - points_of(rows[0]),
        counts,
    )


def histogram(moved, counts):
    values, place = np.unique(moved, return_inverse=True)
    return values, np.bincount(place.ravel(), weights=counts).astype(np.int64)


def cells():
    dice = random.Random(12)
    pairs = [(name, switch, other) for name, preset in PRESETS.items() for switch in USUAL
             for other in variants(preset.rules, switch)]  # fmt: skip
    dice.shuffle(pairs)
    for name, switch, other in pairs[:PAIRS]:
        yield name, switch, other, dice.choice(["random", "greedy"]), dice.randrange(10**6)


def check(moved, least, most, hands, runs, rng):
    """How many intervals cover the truth; their widths are looked at on the way."""
    values, counts = moved
    if 0 not in values:
        values, counts = np.append(values, 0), np.append(counts, 0)
    chances = counts / counts.sum()
    true = float(chances @ values)
    covered = 0
    for drawn in rng.multinomial(hands, chances, size=runs):
        found = bounded_mean(values, drawn, least=least, most=most)
        covered += found.low - 1e-12 <= true <= found.high + 1e-12
        changed = int(drawn[values != 0].sum())
        width = found.high - found.low
        if changed >= 100:
            assert width <= 1.5 * 2 * 1.96 * found.se
        elif changed <= 10:
            rate = beta.ppf(0.975, changed + 1, hands - changed)
            assert width <= 2 * rate * max(abs(least), abs(most)) * (1 + 1e-9)
    return covered


@pytest.mark.parametrize(("preset", "switch", "other", "policy", "seed"), list(cells()))
def test_compare__intervals_cover(preset, switch, other, policy, seed) -> None:
    base = PRESETS[preset].rules
    run = Run(rules=base, policies=(policy,) * 4)
    possible = possible_changes(base, other, replayed=must_be_replayed(base, other, run)).quantities
    moved, _, _ = truth(base, other, policy)
    rng = np.random.default_rng(seed)
    names = [name for name, (least, most) in possible.items() if least < most]
    for name in rng.choice(names, min(len(names), 2), replace=False) if names else ():
        hands = int(rng.choice(list(RUNS)))
        covered = check(moved[name], *possible[name], hands, RUNS[hands], rng)
        value = getattr(other, switch)
        cell = f"{preset}, {switch}={value}, {policy}, {name}, {hands:,} hands"
        judge(KIND, cell.replace("'", ""), covered, RUNS[hands])


@pytest.mark.parametrize("hands", [200, 2_000, 20_000, 400_000])
def test_compare__the_rare_change_of_the_banker_is_covered(hands: int) -> None:
    """``kam=4`` with random play: with Student's interval 13, 59 and 93 % were covered."""
    base, other = PRESETS["tiengow-ja"].rules, PRESETS["tiengow-ja"].rules.model_copy(update={"kam": 4})
    moved, _, _ = truth(base, other, "random")
    possible = possible_changes(base, other).quantities
    covered = check(moved["points banker"], *possible["points banker"], hands, 1000,
                    np.random.default_rng(hands))  # fmt: skip
    judge(KIND, f"tiengow-ja, kam=4, random, points banker, {hands:,} hands", covered, 1000)


def sampled_sentences(hands, runs, errors):
    """In how many runs a seat's change is called clear, where one seat's is so many standard errors."""
    base = PRESETS["tiengow-ja"].rules
    _, points, counts = truth(base, base.model_copy(update={"banker": "off"}), "random")
    rng = np.random.default_rng(4)
    chances = counts / counts.sum()
    effect = errors * float(np.sqrt(chances @ points[:, 1].astype(float) ** 2)) / hands**0.5
    claims = 0
    for _ in range(runs):
        # Each hand as it is or with all signs turned: no seat's points change in the mean.
        moved = points[rng.choice(len(points), hands, p=chances)] * rng.choice([-1, 1], hands)[:, None]
        moved[:, 1] += int(effect) + (rng.random(hands) < effect % 1)
        ends = [bounded_mean(*np.unique(moved[:, seat], return_counts=True), least=-300, most=300,
                             confidence=1 - 0.05 / 4) for seat in range(4)]  # fmt: skip
        claims += any(end.low > 0 or end.high < 0 for end in ends)
    return claims


def test_sentence__claims_nothing_where_nothing_is() -> None:
    """All four seats without effect: at most 5 % of runs name a seat."""
    judge_false_claims("sentence of compare (four seats together)", "no effect, 2,000 hands",
                       sampled_sentences(2_000, 1000, 0), 1000)  # fmt: skip


def test_sentence__finds_four_standard_errors() -> None:
    found = sampled_sentences(2_000, 200, 4)
    assert found >= 160, f"{found} of 200 runs"


def test_event__each_time_covers_the_mean_of_what_one_costs() -> None:
    """The mean change in the hands that change, also where all seen were alike."""
    base, other = PRESETS["tiengow-ja"].rules, PRESETS["tiengow-ja"].rules.model_copy(update={"kam": 4})
    long = compare(base, other, run=Run(policies=("random",) * 4, hands=4_000_000, seed=991))
    true = long.event[1].mean
    covered = told = 0
    for seed in range(400):
        short = compare(base, other, run=Run(policies=("random",) * 4, hands=4_000, seed=seed))
        if short.event is not None:
            told += 1
            covered += short.event[1].low <= true <= short.event[1].high
    judge(
        "what one event costs (weighted rare events)",
        "tiengow-ja, kam=4, random, 4,000 hands",
        covered,
        told,
    )
