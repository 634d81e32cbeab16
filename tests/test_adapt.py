"""House rules with adapted play, and what one event costs."""

from __future__ import annotations

import csv
import io
import json
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gupai.analysis import Adaptation, InputError, RuleSet, Run, compare, compare_adapted
from gupai.analysis.tiengow.duplicate import settle_kept
from gupai.analysis.tiengow.paired import points_of
from gupai.analysis.tiengow.playing import Player
from gupai.kernels.series import ADAPTING_GAIN, ADAPTING_PRICE
from gupai.kernels.tiengow.settlement import KAM, WINNER
from gupai.reports.cli import main

QUICK = Adaptation(steps=2, deals=10, check=200)
RUN = Run(policies=("tuned",) * 4, hands=1500)


def test_compare_adapted__of_a_rule_set_with_itself_is_zero() -> None:
    """The same search on both sides finds the same policy."""
    found = compare_adapted(RuleSet(), RuleSet(), run=RUN, adaptation=QUICK)
    assert found.policies[0].weights == found.policies[1].weights
    for value in (*found.same.points.values(), *found.adapted.points.values()):
        assert value.difference == 0
    assert found.gains[0].mean == found.gains[1].mean


def test_compare_adapted__plays_what_was_found(tmp_path: Path) -> None:
    a, b = RuleSet(), RuleSet(banker="off")
    found = compare_adapted(a, b, run=RUN, adaptation=QUICK, folder=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.toml", "b.toml"]
    for side, rules, policy in zip("ab", (a, b), found.policies, strict=True):
        run = replace(RUN, rules=rules)
        kept = Player(run, players=[policy] * 4).keep(0, run.hands)
        means = points_of(settle_kept(kept, rules, 1)).mean(axis=0)
        values = [getattr(value, side) for value in found.adapted.points.values()]
        assert values == pytest.approx(means.tolist())
    again = compare_adapted(a, b, run=RUN, adaptation=QUICK, threads=3)
    assert json.dumps(again.to_json()["points"]) == json.dumps(found.to_json()["points"])
    assert [p.weights for p in again.policies] == [p.weights for p in found.policies]


@pytest.mark.parametrize("chosen", [True, False])
def test_compare_adapted__prices_what_it_adopts_on_other_deals(monkeypatch, chosen: bool) -> None:
    """The deals that choose a policy flatter it, so they say nothing of its gain."""
    asked = []

    def points(_player, others, _rules, *, series, deals, seed, start=0):
        asked.append(series)
        gain = (4 if chosen else -4) if series == ADAPTING_GAIN else 0
        return np.full((deals, len(others)), gain) + np.arange(deals)[:, None] % 3 - 1

    monkeypatch.setattr("gupai.analysis.tiengow.adapt.points_against", points)
    how = replace(QUICK, check=600)
    found = compare_adapted(RuleSet(), RuleSet(kam=4), run=replace(RUN, hands=20), adaptation=how)
    assert found.changed == (chosen, chosen)
    assert [round(gain.mean, 9) for gain in found.gains] == [0, 0]
    assert asked == [ADAPTING_GAIN, ADAPTING_PRICE] * 2


def test_compare__players_given_sit_whatever_the_run_names() -> None:
    """Also where the run names pinned policies, and where the players given are pinned."""
    from gupai.analysis import find_policy

    a, b = RuleSet(), RuleSet(two_stacks=False)
    random, tuned = ([find_policy(name, a)] * 4 for name in ("random", "tuned"))
    run = Run(policies=("greedy",) * 4, hands=600)
    given = compare(a, b, run=run, players=(tuned, random))
    for side, rules, name in (("a", a, "tuned"), ("b", b, "random")):
        rows = settle_kept(
            Player(replace(run, rules=rules, policies=(name,) * 4)).keep(0, 600), rules, 1
        )
        means = [getattr(value, side) for value in given.points.values()]
        assert means == pytest.approx(points_of(rows).mean(axis=0).tolist())


def test_compare__event_is_what_the_hands_say() -> None:
    """Mean of the caught leader's difference over the hands with a 擒, hand by hand."""
    run = Run(policies=("random",) * 4, hands=40_000, seed=6)
    a, b = RuleSet(), RuleSet(kam=4)
    kept = Player(run).keep(0, run.hands)
    rows = [settle_kept(kept, rules, 1) for rules in (a, b)]
    moved = points_of(rows[1]) - points_of(rows[0])
    caught = rows[1][:, KAM] >= 0
    by = moved[caught, rows[1][caught, KAM]]
    result = compare(a, b, run=run)
    assert result.event is not None
    who, mean = result.event
    assert who == "caught leader" and mean.n == (by != 0).sum()
    assert mean.mean == pytest.approx(by[by != 0].mean()) and mean.mean < 0
    assert mean.sd == pytest.approx(by[by != 0].std(ddof=1))
    assert "the leader who is caught (擒) loses another" in result.sentence()
    seven = compare(a, RuleSet(seven=4), run=run)
    rows[1] = settle_kept(kept, RuleSet(seven=4), 1)
    moved = points_of(rows[1]) - points_of(rows[0])
    won = np.take_along_axis(moved, rows[0][:, WINNER, None], axis=1)[:, 0]
    assert seven.event is not None and seven.event[0] == "winner"
    assert seven.event[1].mean == pytest.approx(won[won != 0].mean())
    assert compare(a, RuleSet(supreme_bonus=4), run=run).event is None  # the winner's only at times


def run_command(capsys, *words: str) -> tuple[int, str, str]:
    status = main(["compare", *words])
    out, err = capsys.readouterr()
    return status, out, err


ADAPT = ("--adapt", "--adapt-steps", "1", "--adapt-deals", "4", "--adapt-check", "50")


def test_compare_adapt__output_and_its_command(capsys) -> None:
    words = ("tiengow-ja", "--set", "empty=4", "--hands", "400", *ADAPT)
    status, out, _ = run_command(capsys, *words, "--format", "json")
    result = json.loads(out)
    assert status == 0 and result["method"] == "settled twice"
    adopted = any(result["adapted"]["changed"])
    assert result["adapted"]["method"] == ("replayed" if adopted else result["method"])
    assert len(result["adapted"]["gains"]) == 2
    again = shlex.split(result["adapted"]["command"])[2:]
    assert json.loads(run_command(capsys, *again, "--format", "json")[1]) == result
    text = run_command(capsys, *words)[1]
    assert "B - A, adapted play" in text and "with the same play and by" in text
    rows = csv.DictReader(io.StringIO(run_command(capsys, *words, "--format", "csv")[1]))
    assert {row["play"] for row in rows} == {"same play", "adapted play"}


@pytest.mark.parametrize(
    "words, complaint",
    [
        (("--policy", "greedy"), "one policy of the heuristic family"),
        (("--policy", "tuned,tuned,bold,tuned"), "one policy of the heuristic family"),
        (("--adapt-steps", "0"), "--adapt-steps 0"),
        (("--hands", "1"), "two hands or more"),
        (("--adapt-dir", "no/such/folder"), "is no folder"),
        (("--switch", "kam"), "takes one rule set"),
    ],
)
def test_compare_adapt__bad_input(capsys, words: tuple[str, ...], complaint: str) -> None:
    sides = () if "--switch" in words else ("--set", "kam=4")
    status, out, err = run_command(capsys, "tiengow-ja", *sides, "--adapt", *words)
    assert status == 2 and not out and complaint in err and "Traceback" not in err


def test_compare__refuses_what_says_how_to_adapt_without_adapt(capsys) -> None:
    for option in (("--adapt-steps", "3"), ("--adapt-dir", ".")):
        status, out, err = run_command(capsys, "tiengow-ja", "--set", "kam=4", *option)
        assert status == 2 and not out and f"{option[0]}: says how to adapt; add --adapt" in err


def test_compare__same_bytes_for_any_threads_however_large_the_points() -> None:
    """Sums beyond 64 bits are exact, so that the order of adding does not matter."""
    largest = {
        "kam": 1000,
        "yao": 1000,
        "seven": 999,
        "eight": 997,
        "empty": 1000,
        "supreme_bonus": 1000,
    }
    b = RuleSet(**largest, four_finish=991, supreme_finish=983, two_stacks=False)
    run = Run(policies=("random",) * 4, hands=200_000, term=1000)
    one, four = (json.dumps(compare(RuleSet(), b, run=run, threads=n).to_json()) for n in (1, 4))
    assert one == four


def test_compare__a_change_that_never_happened_says_so() -> None:
    result = compare(RuleSet(), RuleSet(kam=4), run=Run(policies=("greedy",) * 4, hands=2))
    assert result.sentence().startswith("kam 2 → 4: the points change in none of 2 hands (in under ")
    alike = compare(RuleSet(), RuleSet(heaven_red=0), run=Run(policies=("greedy",) * 4, hands=2))
    assert alike.sentence() == "heaven_red 6 → 0: the points of a hand cannot differ."


def test_compare_adapted__refuses_pinned_policies() -> None:
    with pytest.raises(InputError, match="heuristic family"):
        compare_adapted(RuleSet(), RuleSet(kam=4), run=Run(policies=("greedy",) * 4))
