"""House rules compared, against plain replays and the reference engine."""

from __future__ import annotations

import csv
import io
import json
import random

import numpy as np
import pytest

from gupai.analysis import PRESETS, InputError, RuleSet, Run, compare, compare_switches, simulate
from gupai.analysis.tiengow.compare import must_be_replayed
from gupai.analysis.tiengow.comparison import changed_switches
from gupai.analysis.tiengow.house_rules import USUAL, variants
from gupai.analysis.tiengow.paired import SOURCES, money_by_source, points_of, quantities
from gupai.analysis.tiengow.playing import Player
from gupai.kernels.tiengow.outcome import SETTLED_BITS
from gupai.kernels.tiengow.policies import GREEDY, RANDOM
from gupai.kernels.tiengow.settlement import COLUMNS, settle_all
from gupai.reports.cli import main

import reference
from bridge import PlayedHand, random_rules

RANDOM_RUN = Run(policies=("random",) * 4, hands=4000, seed=5)


@pytest.mark.parametrize("policy", ["greedy", "tuned"])
def test_compare__a_rule_set_with_itself_is_exactly_zero(policy: str) -> None:
    for preset in PRESETS.values():
        result = compare(preset.rules, preset.rules, run=Run(policies=(policy,) * 4, hands=800))
        values = [*result.points.values(), *result.probabilities.values()]
        assert all(v.difference == v.low == v.high == v.sd == 0 and v.a == v.b for v in values)
        assert result.changed == 0 and result.method == "settled twice"


def settled(run: Run, rules: RuleSet) -> np.ndarray:
    from dataclasses import replace

    kept = Player(replace(run, rules=rules)).keep(0, run.hands)
    rows = np.zeros((run.hands, COLUMNS), np.int64)
    result = kept[:, 0] & np.uint32(SETTLED_BITS)
    settle_all(result, np.ascontiguousarray(kept[:, 1]), rules.switches(), run.term, rows)
    return rows


def check_against_replay(a: RuleSet, b: RuleSet, run: Run) -> None:
    result = compare(a, b, run=run)
    rows = settled(run, a), settled(run, b)
    values = [quantities(side) for side in rows]
    for name, found in (
        {f"points {s}": v for s, v in result.points.items()} | result.probabilities
    ).items():
        one, other = values[0][name], values[1][name]
        d = (other - one).astype(float)
        assert found.a == pytest.approx(one.mean()) and found.b == pytest.approx(other.mean())
        assert found.difference == pytest.approx(d.mean(), abs=1e-12)
        assert found.sd == pytest.approx(d.std(ddof=1), abs=1e-9)
    assert result.changed == int((points_of(rows[0]) != points_of(rows[1])).any(axis=1).sum())
    for side in (0, 1):
        moved = np.abs(points_of(rows[side])).sum(axis=1).mean() / 2
        assert sum(part[side] for part in result.money.values()) == pytest.approx(moved)
        assert result.largest[side] == points_of(rows[side]).max()


@pytest.mark.parametrize("number", range(12))
def test_compare__is_the_brute_force_replay(number: int) -> None:
    rng = random.Random(number)
    a, b = random_rules(rng), random_rules(rng)
    run = Run(
        policies=("random", "greedy", "greedy", "random"), hands=1500, seed=number, term=1 + number % 3
    )
    check_against_replay(a, b, run)


@pytest.mark.parametrize("switch", list(USUAL))
def test_compare__each_switch_as_the_reference_engine_settles_it(switch: str) -> None:
    """Hands of the plain loop, settled by the reference under both rule sets."""
    base = RuleSet(supreme_civil="beaten_by_J", kam_supreme_civil=switch == "kam_supreme_civil")
    if switch in ("supreme_civil", "two_stacks", "hand_patterns", "heaven_red"):
        base = RuleSet()
    run = Run(policies=("random", "greedy", "random", "random"), hands=150, seed=8, term=2)
    for other in variants(base, switch):
        total = np.zeros(4)
        for number in range(run.hands):
            points = []
            for rules in (base, other):
                hand = PlayedHand(
                    seed=8, number=number, policies=(RANDOM, GREEDY, RANDOM, RANDOM), rules=rules
                )
                plain = rules.to_json()
                found = reference.settle(reference.replay(hand.hands, hand.tricks, plain), plain, 2)
                points.append(np.add(found["settlement"], found["bonuses"]))
            total += points[1] - points[0]
        result = compare(base, other, run=run)
        assert changed_switches(base, other) == [switch]
        means = [value.difference for value in result.points.values()]
        assert means == pytest.approx((total / run.hands).tolist())


def test_compare__what_must_be_replayed() -> None:
    ja = RuleSet()
    greedy, tuned = Run(policies=("greedy",) * 4), Run(policies=("greedy", "greedy", "greedy", "tuned"))
    rollout = Run(policies=("rollout:2", "greedy", "greedy", "greedy"))
    for switch in USUAL:
        plays = switch in ("supreme_civil", "two_stacks", "hand_patterns")
        alike = switch == "heaven_red"  # counts for patterns of red pips alone, and there are none
        looks = switch in ("supreme_bonus", "four_bonus", "banker")
        for other in variants(ja, switch):
            assert must_be_replayed(ja, other, greedy) == plays, switch
            assert must_be_replayed(ja, other, tuned) == (plays or looks), switch
            assert must_be_replayed(ja, other, rollout) != alike
    red = RuleSet(hand_patterns=("no_red",))
    assert must_be_replayed(red, RuleSet(hand_patterns=("no_red",), heaven_red=0), greedy)


@pytest.mark.parametrize(
    "switch", ["kam", "yao", "empty", "seven", "excess", "four_bonus_to", "sure_single"]
)
def test_compare__tuned_does_not_look_at_what_is_settled_twice(switch: str) -> None:
    """The hands are the same, play by play, under rules that are compared by settling twice."""
    from dataclasses import replace

    run = Run(policies=("tuned",) * 4, hands=400)
    one = Player(run).keep(0, 400)
    for other in variants(RuleSet(), switch):
        # The nearest preset, and with it the tuned policy, stays the same.
        again = Player(replace(run, rules=other)).keep(0, 400)
        assert (one == again).all()


def test_compare__same_play_under_both() -> None:
    """Under tiengow-zh all still play as tuned for tiengow-ja, from the first to the second side."""
    from gupai.analysis import find_policy

    ja, zh = (PRESETS[name].rules for name in ("tiengow-ja", "tiengow-zh"))
    result = compare(ja, zh, run=Run(policies=("tuned",) * 4, hands=300))
    assert find_policy("tuned", ja).weights != find_policy("tuned", zh).weights
    kept = Player(
        Run(policies=("tuned",) * 4, rules=zh, hands=300), players=[find_policy("tuned", ja)] * 4
    )
    rows = np.zeros((300, COLUMNS), np.int64)
    hands = kept.keep(0, 300)
    settle_all(
        hands[:, 0] & np.uint32(SETTLED_BITS), np.ascontiguousarray(hands[:, 1]), zh.switches(), 1, rows
    )
    assert result.points["left"].b == pytest.approx(points_of(rows)[:, 3].mean())


def test_money__parts_add_up_and_name_their_source() -> None:
    tally = simulate(RANDOM_RUN)
    parts = money_by_source(tally.keys, RuleSet(), 1)
    no_bonus = RuleSet(supreme_bonus=0, four_bonus=0)
    assert (money_by_source(tally.keys, no_bonus, 1)[:, SOURCES.index("bonuses")] == 0).all()
    off = money_by_source(tally.keys, RuleSet(banker="off"), 1)
    assert (off[:, SOURCES.index("banker")] == 0).all()
    assert (parts[:, :2] >= 0).all() and parts[:, SOURCES.index("擒")].any()


def test_compare__same_numbers_for_any_threads() -> None:
    other = RuleSet(two_stacks=False)
    run = Run(policies=("random",) * 4, hands=140_000)
    one, three = (compare(RuleSet(), other, run=run, threads=n).to_json() for n in (1, 3))
    assert one == three and one["method"] == "replayed"


def test_compare_switches__ordered_and_complete() -> None:
    found = compare_switches(RuleSet(), run=Run(policies=("greedy",) * 4, hands=1500))
    assert len(found) == sum(len(variants(RuleSet(), switch)) for switch in USUAL)
    effects = [abs(result.points["banker"].difference) for result in found]
    assert effects == sorted(effects, reverse=True)
    with pytest.raises(InputError, match="Did you mean kam"):
        variants(RuleSet(), "kan")
    with pytest.raises(InputError, match="concerns the first hand of a session"):
        variants(RuleSet(), "first_banker_leads")


def run_command(capsys, *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


def test_compare__json_form(capsys) -> None:
    words = (
        "compare",
        "tiengow-ja;empty=4",
        "tiengow-zh",
        "--set",
        "kam=2",
        "--hands",
        "2000",
        "--policy",
        "random",
    )
    status, out, _ = run_command(capsys, *words, "--format", "json")
    result = json.loads(out)
    assert status == 0 and result["method"] == "replayed" and result["hands"] == 2000
    assert result["a"]["empty"] == 4 and result["b"]["kam"] == 2
    assert list(result["points"]) == ["banker", "right", "across", "left"]
    for value in [*result["points"].values(), *result["probabilities"].values()]:
        assert {"a", "b", "difference", "low", "high"} <= set(value)
        assert value["low"] <= value["difference"] <= value["high"]
    assert {"kam", "sweep seven", "winner banker"} <= set(result["probabilities"])
    import shlex

    again = shlex.split(result["command"])[1:]
    assert json.loads(run_command(capsys, *again, "--format", "json")[1]) == result


def test_compare__tables(capsys) -> None:
    status, out, _ = run_command(capsys, "compare", "tiengow-ja", "--set", "kam=4", "--hands", "2000")
    assert status == 0
    for text in (
        "banker 莊",
        "in all",
        "kam 2 → 4",
        "settled twice",
        "gupai compare tiengow-ja 'tiengow-ja;kam=4'",
    ):
        assert text in out
    status, out, _ = run_command(
        capsys, "compare", "--switch", "kam", "--switch", "empty", "--hands", "2000"
    )
    assert status == 0 and out.count("\nkam") == 2 and out.count("\nempty") == 1
    rows = list(csv.DictReader(io.StringIO(
        run_command(capsys, "compare", "--switch", "kam", "--hands", "500", "--format", "csv")[1]
    )))  # fmt: skip
    assert {row["b"] for row in rows} == {"tiengow-ja;kam=1", "tiengow-ja;kam=4"}


@pytest.mark.parametrize(
    "words, complaint",
    [
        (("tiengow-ja",), "name a second rule set"),
        (("tiengow-jp", "tiengow-zh"), "Did you mean tiengow-ja"),
        (("tiengow-ja;kan=4", "tiengow-zh"), "kan"),
        (("tiengow-ja", "--set", "kam=0"), "kam"),
        (("--switch", "kan"), "Did you mean kam"),
        (("tiengow-ja", "tiengow-zh", "--switch", "kam"), "takes one rule set"),
        (("--switch", "kam", "--all-switches"), "takes one rule set"),
        (("--switch", "first_banker_leads"), "first hand of a session"),
        (("tiengow-ja", "tiengow-zh", "--hands", "1"), "two hands or more"),
        (("tiengow-ja", "tiengow-zh", "--policy", "gredy"), "Did you mean greedy"),
        (("tiengow-ja", "tiengow-zh", "--threads", "0"), "--threads 0"),
    ],
)
def test_compare__bad_input(capsys, words: tuple[str, ...], complaint: str) -> None:
    status, out, err = run_command(capsys, "compare", *words)
    assert status == 2 and not out and complaint in err and "Traceback" not in err
