"""Random keys: one module makes them, no two series meet, and conditions have series of their own."""

from __future__ import annotations

import ast
import hashlib
import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import gupai.kernels
from gupai.analysis import DEALS, RuleSet, Run, parse_question, show_hand
from gupai.analysis.tiengow.canonical import canonical
from gupai.analysis.tiengow.conditions import deal_condition, fixed_hand
from gupai.analysis.tiengow.exact import exact_chance
from gupai.analysis.tiengow.playing import Player
from gupai.analysis.tiengow.policies import find_policy
from gupai.kernels import keys
from gupai.kernels import series as owned
from gupai.kernels.tiengow.deal import PATTERNS, taking, taking_in_sessions

SOURCES = Path(gupai.kernels.__file__).parent
OWNERS = {"keys.py", "series.py", "streams.py"}
# Other engines and the yardstick with their own luck, and a hash of records.
FOREIGN = {"peers.py", "yardstick.py", "counting.py"}

# ---------------------------------------------------------------- the series


def test_series__do_not_overlap() -> None:
    for (one, of_one), (other, of_other) in combinations(owned.SERIES.items(), 2):
        assert of_one.stop <= of_other.start or of_other.stop <= of_one.start, (one, other)
    numbers = {
        name: value
        for name, value in vars(owned).items()
        if name.isupper() and isinstance(value, int) and not name.startswith(("_", "MOST_", "LARGEST_"))
    }
    assert sorted(numbers.values()) == sorted(series.start for series in owned.SERIES.values())
    assert len(PATTERNS) <= owned.MOST_PATTERNS


def test_hand_key__no_two_numbered_series_of_a_seed_meet() -> None:
    """By arithmetic: series s and t have equal keys only for numbers (t - s) · step / step' apart."""
    numbered = [n for series in owned.SERIES.values() if series.stop < 2**62 for n in series]
    inverse = pow(keys._STEP, -1, 2**64)
    for difference in range(1, max(numbered) - min(numbered) + 1):
        apart = difference * keys._SERIES_STEP * inverse % 2**64
        assert min(apart, 2**64 - apart) > owned.LARGEST_NUMBER
    assert owned.number_by_itself(2**24 * 4 * 330_525) <= owned.LARGEST_NUMBER  # the largest in use
    assert owned.number_by_itself(0) > 10**15  # beyond the hands of runs
    assert owned.LARGEST_NUMBER >= 10**9 << 20  # and those of sessions


def test_hand_key__differs_by_seed_series_number_and_key_above() -> None:
    found = set()
    expected = 0
    conditions = [owned.condition_series(text) for text in ("one", "other")]
    with np.errstate(over="ignore"):  # in a kernel 64-bit numbers wrap
        for seed in (0, 1, 2, 2**64 - 1):
            for series in (n for r in owned.SERIES.values() for n in r[: owned.MOST_PATTERNS]):
                for number in (0, 1, 2, 1 << 20, 1 << 40, owned.number_by_itself(0)):
                    found.add(keys.hand_key(seed, series, number))
                    expected += 1
            for base in conditions:
                for pattern in range(len(PATTERNS)):
                    found.add(keys.hand_key(seed, owned.of_pattern(base, pattern), 0))
                    expected += 1
        above = keys.hand_key(1, owned.RUN_HANDS, 0)
        for trick in range(8):
            for seat in range(4):
                for world in (0, 1, 249, 250, 10**6 - 1):
                    number = keys.decision_number(trick, seat, world)
                    key = keys.key_under(above, owned.IMAGINED, number)
                    found |= {
                        key,
                        keys.key_under(key, owned.AGAIN, 0),
                        keys.key_under(key, owned.AGAIN, 1),
                    }
                    expected += 3
    assert len(found) == expected


def test_key_under__is_a_hand_key_with_the_key_above_as_its_seed() -> None:
    with np.errstate(over="ignore"):
        above = keys.hand_key(5, 7, 9)
        seed = above.high << 32 | above.low
        assert keys.key_under(above, owned.AGAIN, 3) == keys.hand_key(seed, owned.AGAIN, 3)


def test_taking__has_the_series_of_its_pattern() -> None:
    for pattern in range(len(PATTERNS)):
        assert taking(pattern).series == pattern and taking_in_sessions(pattern).series == 32 + pattern


# ---------------------------------------------------------------- nobody else makes keys


def modules() -> list[tuple[Path, ast.Module]]:
    paths = [
        p for layer in ("kernels", "analysis", "reports") for p in (SOURCES.parent / layer).rglob("*.py")
    ]
    assert len(paths) > 100
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in sorted(paths)]


def name_of(node: ast.AST) -> str:
    return getattr(node, "id", getattr(node, "attr", ""))


def is_number(node: ast.AST) -> bool:
    """Whether a number, or arithmetic with one, is written in place of a series by its name."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        return False
    return any(isinstance(part, ast.Constant) and isinstance(part.value, int) for part in ast.walk(node))


def test_modules__leave_keys_and_series_to_their_owner() -> None:
    parsed = modules()
    takes_series = {  # functions with an argument for a series, and its place
        function.name: [argument.arg for argument in function.args.args].index("series")
        for _, tree in parsed
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and "series" in [a.arg for a in function.args.args]
    }
    assert {"hand_key", "key_under", "sample_worlds", "price_plays", "taking"} <= set(takes_series)
    faults = []
    for path, tree in parsed:
        if path.name in OWNERS | FOREIGN:
            continue
        for node in ast.walk(tree):
            where = f"{path.relative_to(SOURCES.parent)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Call):
                called = name_of(node.func)
                if called == "Key":
                    faults.append(f"{where}: makes a key")
                if called in ("default_rng", "RandomState", "SeedSequence", "Random"):
                    faults.append(f"{where}: has luck of its own")
                written = (
                    node.args[takes_series[called]]
                    if called in takes_series and len(node.args) > takes_series[called]
                    else None
                )
                named = [word.value for word in node.keywords if word.arg == "series"]
                if any(is_number(series) for series in [written, *named] if series is not None):
                    faults.append(f"{where}: writes the number of a series")
                if any(word.arg == "start" and isinstance(word.value, ast.BinOp)
                       and any(name_of(side).isupper() for side in (word.value.left, word.value.right))
                       for word in node.keywords):  # fmt: skip
                    faults.append(f"{where}: keeps hands apart by their numbers")
            if isinstance(node, ast.BinOp):
                sides = [node.left, node.right]
                if any(name_of(side) == "seed" for side in sides):
                    faults.append(f"{where}: calculates with a seed")
                if any(isinstance(side, ast.Attribute) and side.attr in ("low", "high") and "key" in name_of(side.value)
                       for side in sides):  # fmt: skip
                    faults.append(f"{where}: calculates with a key")
            if isinstance(node, ast.Constant) and node.value in (
                0x9E3779B9, 0x9E3779B97F4A7C15, 0xD1B54A32D192ED03, 0x85EBCA6B, 0xC2B2AE35,
            ):  # fmt: skip
                faults.append(f"{where}: steps like the generator")
    assert faults == []


# ---------------------------------------------------------------- conditions


def dealt(run: Run, hands: int, given=None) -> np.ndarray:
    return Player(run, given=given).keep(0, hands)[:, 2:]


def alike(one: np.ndarray, other: np.ndarray) -> float:
    """Standard errors by which tiles lie with the same seat more often than by chance, 8 of 32."""
    same = np.bitwise_count(one & other).sum(axis=1)
    return float((same.mean() - 8) / (same.std(ddof=1) / np.sqrt(len(same))))


CONDITIONS = "banker has AA", "right has A", "military(left) >= 0", "fours(banker) >= 1"


@pytest.mark.parametrize("deal", [DEALS[0], DEALS[4]])
def test_given__shares_no_deals_with_plain_runs_nor_with_other_conditions(deal: str) -> None:
    """Eleven pairs each of 3,000 deals: 4.5 standard errors, false alarm 1 in 7,000."""
    plain = dealt(Run(policies=("greedy",) * 4, deal=deal), 3000)
    found = [
        plain,
        *(dealt(Run(policies=("greedy",) * 4, deal=deal, given=text), 3000) for text in CONDITIONS),
    ]
    for one, other in combinations(found[:4], 2):
        if one is plain or other is plain:  # a condition makes hands alike by itself
            assert abs(alike(one, other)) < 4.5
        assert not (one == other).all(axis=1).any()
    for tiles, seat in ((0xFF, 0), (0xFF, 2), (0xFF00, 0)):
        assert (
            abs(
                alike(
                    plain, dealt(Run(policies=("greedy",) * 4, deal=deal), 3000, fixed_hand(tiles, seat))
                )
            )
            < 4.5
        )


def test_given__has_a_series_for_each_condition_hand_and_seat() -> None:
    series = [deal_condition(parse_question(text), RuleSet()).given.series for text in CONDITIONS]
    series += [fixed_hand(tiles, seat).series for tiles in (0xFF, 0xFF00) for seat in range(4)]
    assert len({number // owned.MOST_PATTERNS for number in series}) == len(series)
    assert all(
        number in owned.SERIES["conditions"] and number % owned.MOST_PATTERNS == 0 for number in series
    )


SAME = [
    ("banker has AB", "banker has 地 天", "banker has B and banker has A"),
    ("fours(left) >= 1", "fours(left) > 0", "not fours(left) < 1", "not not fours(left) > 0"),
    ("nobody has 63", "not anyone has 36"),
    ("military(banker) > 4 and left has K", "left has K and military(banker) >= 5 and left has K"),
    ("banker has A or (left has A or right has A)", "(right has A or left has A) or banker has A"),
    ("not (banker has A or left has A)", "not left has A and not banker has A"),
]  # fmt: skip


@pytest.mark.parametrize("texts", SAME)
def test_canonical__the_same_condition_gives_the_same_deals(texts: tuple[str, ...]) -> None:
    first = dealt(Run(policies=("greedy",) * 4, given=texts[0]), 300)
    for text in texts[1:]:
        assert (dealt(Run(policies=("greedy",) * 4, given=text), 300) == first).all(), text


@pytest.mark.parametrize("text", [text for group in SAME for text in group] + [
    "not everyone has A", "not fours(anyone) > 1", "not fours(everyone) = 0", "fours(nobody) != 0",
    "banker has AA and banker has A", "not (fours(nobody) >= 1 and banker has 63)", "anyone has A and anyone has B",
])  # fmt: skip
def test_canonical__means_the_same(text: str) -> None:
    question = parse_question(text)
    once = canonical(question)
    assert exact_chance(once, RuleSet()) == exact_chance(question, RuleSet())
    assert canonical(once) == once


def test_given__is_the_same_under_both_rule_sets_of_a_comparison() -> None:
    one, other = (
        dealt(Run(policies=("greedy",) * 4, given="banker has AA", rules=rules), 500)
        for rules in (RuleSet(), RuleSet(kam=4, two_stacks=False))
    )
    assert (one == other).all()


def test_given__a_shown_hand_is_the_one_that_was_played() -> None:
    """Decisions too: a policy that draws lots meets the same luck when its hand is shown."""
    run = Run(given="banker has AA", policies=("random", "public-b", "random", "random"), hands=40)
    kept = Player(run).keep(0, 40)
    for number in range(40):
        shown = show_hand(run, number)
        assert list(shown.record.hands) == kept[number, 2:].tolist()
        assert shown.score.winner == kept[number, 0] & 3


# ---------------------------------------------------------------- identities


def test_provenance__changes_where_the_numbers_do() -> None:
    """Plain runs keep the fingerprint that they had; those with a condition have another."""
    for run in (
        Run(policies=("greedy",) * 4),
        Run(policies=("random",) * 4, deal=DEALS[3], by="military"),
    ):
        assert run.provenance()["fingerprint"] == old_fingerprint(run)
    given = Run(policies=("greedy",) * 4, given="banker has AA")
    assert given.provenance()["fingerprint"] != old_fingerprint(given)
    ahead = find_policy("rollout:20")
    was = json.dumps([ahead.kind, ahead.weights, ahead.worlds])
    assert ahead.digest() != hashlib.sha256(was.encode()).hexdigest()[:16]
    hands = {
        Run(policies=("greedy",) * 4).provenance(hand=hand)["fingerprint"]
        for hand in ("AABBCCDD", "AABBCCD9")
    }
    assert len(hands | {Run(policies=("greedy",) * 4).provenance()["fingerprint"]}) == 3


def old_fingerprint(run: Run) -> str:
    """As it was when conditions shared the series of plain runs."""
    request = {k: v for k, v in run.provenance().items() if k not in ("version", "fingerprint")}
    text = json.dumps([2, request], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
