"""Runs: the same bits for any threads and blocks, hand 17 is hand 17, Ctrl-C."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from gupai.analysis import InputError, RuleSet, Run, Tables, show_hand, simulate
from gupai.analysis.tiengow import simulate as module
from gupai.kernels.tiengow.policies import POLICIES

import reference
from bridge import PlayedHand, settled

RUN = Run(policies=("random", "greedy", "greedy", "random"), hands=70_001, seed=2, by="winner.civil")


def same(a, b) -> bool:
    return all(
        np.array_equal(getattr(a, name), getattr(b, name)) for name in ("keys", "counts", "last_tiles")
    )


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("block", [1 << 10, 777, 1 << 20])
def test_simulate__same_bits_for_any_threads_and_blocks(threads: int, block: int) -> None:
    assert same(simulate(RUN, threads=threads, block=block), simulate(RUN, threads=1))


def test_simulate__a_table_that_overflows_changes_nothing(monkeypatch) -> None:
    expected = simulate(RUN)
    monkeypatch.setattr(module, "_FIRST_TABLE", 512)
    assert same(simulate(RUN, threads=2), expected)


def test_simulate__hand_17_alone_is_hand_17_of_a_long_run() -> None:
    """Runs of 17 and of 18 hands differ by exactly the hand that `show_hand` shows."""
    before, after = (
        Tables(simulate(Run(policies=("greedy",) * 4, hands=hands, seed=5))).counts()
        for hands in (17, 18)
    )
    score = show_hand(Run(policies=("greedy",) * 4, hands=1_000_000, seed=5), 17).score
    seats = ("banker", "right", "across", "left")
    gained = [seat for seat in seats if after["winner"][seat] > before["winner"][seat]]
    assert gained == [seats[score.winner]]
    for seat, stacks in zip(seats, score.stacks, strict=True):
        assert after["stacks"][seat][stacks] == before["stacks"][seat][stacks] + 1


def test_tables__count_what_the_reference_counts() -> None:
    """Every table entry and every mean, from 1,500 hands replayed by the reference engine."""
    rules = RuleSet(
        kam=3, last_low_civil=True, supreme_civil="on", bonus_on_last=True, four_bonus_to="everyone"
    )
    run = Run(rules=rules, policies=("random",) * 4, hands=1500, seed=77, term=2, deal="ends_in")
    tables = Tables(simulate(run))
    counts = tables.counts()
    plain = rules.to_json()
    results = []
    for number in range(run.hands):
        hand = PlayedHand(
            seed=77, number=number, policies=[POLICIES["random"]] * 4, rules=rules, deal="ends_in"
        )
        history = reference.replay(hand.hands, hand.tricks, plain)
        result = reference.settle(history, plain, 2)
        assert settled(hand, rules, 2) == result
        leader, plays, winner = hand.tricks[-1][0], hand.tricks[-1][1], result["winner"]
        tile = reference.codes(plays[(winner - leader) % 4][0])
        results.append(result | {"tile": tile})
    seats = ("banker", "right", "across", "left")
    for number, seat in enumerate(seats):
        assert counts["winner"][seat] == sum(r["winner"] == number for r in results)
        for stacks in range(9):
            assert counts["stacks"][seat][stacks] == sum(r["stacks"][number] == stacks for r in results)
        totals = np.array([r["settlement"][number] + r["bonuses"][number] for r in results])
        mean = tables.point_means()[seat]
        assert (mean.mean, mean.sd) == (pytest.approx(totals.mean()), pytest.approx(totals.std(ddof=1)))
    for name, count in counts["finish"].items():
        assert count == sum(r["finish"] == name for r in results)
    for name, count in counts["sweep"].items():
        assert count == sum((r["sweep"] or "none") == name for r in results)
    for size, count in counts["last_size"].items():
        assert count == sum(r["last_size"] == int(size) for r in results)
    for tile, count in counts["last_tile"].items():
        assert count == sum(r["tile"] == tile for r in results)
    assert counts["kam"] == sum(r["kam"] is not None for r in results)
    for name, count in counts["bonus"].items():
        assert count == sum(r["payments"][name] for r in results)


def test_tables__groups_add_up_to_the_whole() -> None:
    tables = Tables(simulate(RUN))
    split = tables.split()
    whole = tables.counts()
    assert sum(group.hands for group in split.values()) == RUN.hands == whole["hands"]
    for seat in whole["winner"]:
        assert sum(group.counts()["winner"][seat] for group in split.values()) == whole["winner"][seat]
    for tile, count in whole["last_tile"].items():
        assert sum(group.counts()["last_tile"][tile] for group in split.values()) == count


def test_simulate__ctrl_c_keeps_the_first_hands() -> None:
    """What was played is a prefix: playing that many hands again gives the same tally."""

    def interrupt(progress) -> None:
        if progress.done > 0:
            raise KeyboardInterrupt

    long = dataclasses.replace(RUN, hands=10**10)
    tally = simulate(long, threads=2, block=1 << 12, progress=interrupt)
    assert tally.interrupted and 0 < tally.run.hands < 10**10
    assert tally.counts.sum() == tally.run.hands
    assert same(tally, simulate(tally.run))


def test_simulate__a_failing_worker_ends_the_run(monkeypatch) -> None:
    def fail(self, start, hands):
        raise RuntimeError("broken")

    monkeypatch.setattr(module._TallyWorker, "play", fail)
    with pytest.raises(RuntimeError, match="broken"):
        simulate(dataclasses.replace(RUN, hands=10**12), threads=2)


@pytest.mark.parametrize(
    "changes",
    [{"policies": ("greedy", "random")}, {"policies": "greedy"}, {"seed": 1.5}, {"hands": True}, {"hands": 10.5},
     {"rules": "tiengow-ja"}, {"given": "kam"}, {"given": "banker hass A"},
     {"policies": ("greedy", "gredy", "random", "random")}, {"deal": "x"}, {"shuffle": "wash:1"}, {"term": 0},
     {"seed": -1}, {"seed": 2**64}, {"hands": 0}, {"by": "luck"}, {"by": "winer.red"}, {"shuffle": "x"}],
)  # fmt: skip
def test_run__refuses_what_is_not_allowed(changes: dict) -> None:
    with pytest.raises(InputError):
        dataclasses.replace(RUN, **changes)


def test_outcomes__other_rules_must_leave_the_play_alone() -> None:
    """Settling the same outcomes under other stakes is playing the same hands under them."""
    tally = simulate(dataclasses.replace(RUN, by=None))
    other = RuleSet(kam=4, empty=4, opening_ban="no_sweep")
    played = Tables(simulate(dataclasses.replace(RUN, by=None, rules=other)))
    assert Tables(tally, rules=other).to_json() == played.to_json()
    with pytest.raises(InputError, match="two_stacks"):
        Tables(tally, rules=RuleSet(two_stacks=False))


def test_provenance__fingerprint_changes_with_everything_that_matters() -> None:
    others = [
        {"rules": RuleSet(kam=4)}, {"policies": ("greedy",) * 4}, {"deal": "ends_in"}, {"term": 2},
        {"seed": 3}, {"hands": 5}, {"by": None},
    ]  # fmt: skip
    prints = {dataclasses.replace(RUN, **change).provenance()["fingerprint"] for change in others}
    prints.add(RUN.provenance()["fingerprint"])
    assert len(prints) == len(others) + 1
