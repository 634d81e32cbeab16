"""Every public call refuses what it cannot use with `InputError`, before anything is played."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import numpy as np
import pytest

import gupai.analysis as analysis
from gupai.analysis import (
    Adaptation,
    HandTableRun,
    InputError,
    RuleSet,
    Run,
    SessionRun,
    Tuning,
    find_policy,
    parse_question,
    position_of,
    read_record,
)
from gupai.analysis.checks import LARGEST_SEED, checked, told, whole

NO_WHOLE_NUMBER = [
    "1",
    1.0,
    2.5,
    float("nan"),
    True,
    False,
    [],
    (),
    {},
    np.float64(1),
    np.bool_(True),
    b"1",
]
TOO_MUCH = [-1, 2**64, 10**5000, np.int64(-1)]
WRONG = {
    "seed": [*NO_WHOLE_NUMBER, *TOO_MUCH, None],
    "term": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0, 1001],
    "threads": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0, 1025],
    "hands": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0, None],
    "deals": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0, None],
    "sessions": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0, None],
    "steps": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0, None],
    "check": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0, None],
    "population": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0, None],
    "elite": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0, None],
    "fewest": [*NO_WHOLE_NUMBER, *TOO_MUCH, None],
    "stake": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0],
    "banker_changes": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0],
    "first_banker": [*NO_WHOLE_NUMBER, *TOO_MUCH, 4, None, "dices"],
    "worlds": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0, 1, None],
    "positions": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0, None],
    "rounds": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0, None],
    "session_hands": [*NO_WHOLE_NUMBER, *TOO_MUCH, 1, None],
    "most": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0, None],
    "block": [*NO_WHOLE_NUMBER, *TOO_MUCH, 0],
    "seat": [*NO_WHOLE_NUMBER, *TOO_MUCH, 4],
    "number": [*NO_WHOLE_NUMBER, *TOO_MUCH, None],
    "plays": [*NO_WHOLE_NUMBER, *TOO_MUCH, 32, None],
    "roller": [*NO_WHOLE_NUMBER, *TOO_MUCH, 4, None],
    "spread": ["1", None, True, [], 0, -1.0, 11, float("nan"), 1j],
    "precision": ["0.1", True, [], 0, 1, -1.0, float("nan"), 1j],
    "relative": ["10%", True, [], 0.0, 1.0, float("inf"), 1j],
    "deal": [5, None, [], ["top_layers"], "top", b"top_layers", True, np.array(["top_layers"])],
    "shuffle": [8, None, [], "bad", True, 1.5, b"perfect"],
    "by": [3, [], "colour", True, b"red", ("banker", "red")],
    "given": [[], 3, "", "no question", True, b"kam", {}],
    "event": [[], 3, "", None, "no question", True, b"kam"],
    "text": [[], 3, None, True, b"kam"],
    "rules": ["tiengow-ja", 5, {}, {"kam": 4}, RuleSet, [], True],
    "policies": ["greedy", 5, None, [], ("greedy",) * 3, (5,) * 4, (None,) * 4, ("greedy", "random", 1, True)],
    "policy": [5, None, [], ("greedy",), True, b"tuned", "gredy"],
    "run": ["greedy", 5, {}, [], Run, RuleSet(), True],
    "names": ["no_red", 5, None, [5], ["patterns"]],
    "switches": ["kam", 5, [5], ["kamm"]],
    "deals_of_walls": ["top_layers", 5, [5], ["top"], None],
    "shuffles": ["perfect", 5, [5], ["wish:1"], None],
    "frozen": ["single_early_0", 5, [5], ["no_such"], None],
    "pool": ["greedy", 5, (), [5], ["no_such"], None],
    "start": [5, None, "greedy", [], True],
    "exact": [1, 0, "yes", None],
    "looks": [1, 0, "yes", None],
    "by_role": [1, 0, "yes", None],
    "play_on": [1, 0, "yes", None],
    "folder": [5, None, [], True],
    "path": [5, None, [], True],
    "address": [5, None, [], True],
    "tiles": [-1, 2**32, 1.5, None, [], True],
    "hand": [-1, 0, 0xFFFF, 2**32, 1.5, None, [], True, "AA", ""],
    "position": [5, None, [], "AA", {}],
    "record": [5, None, [], "AA", {}],
    "data": [5, None, [], "AA", {}, True, "[]"],
    "request": [5, None, [], Run(policies=("greedy",) * 4)],
    "adaptation": [5, [], Run(policies=("greedy",) * 4)],
    "name": [5, None, [], True, b"greedy", "no such name"],
    "settings": [5, "kam=4", [5]],
    "question": [5, None, [], "kam", True],
}  # fmt: skip
_KEPT = Path(__file__).parent / "data" / "tiengow-records.jsonl"
RECORD = read_record(json.loads(_KEPT.read_text(encoding="utf-8").splitlines()[0])["record"])
POSITION = position_of(RECORD, RECORD.banker, 0)
RUN = Run(policies=("greedy",) * 4, hands=10)
# Each call: what it takes, and which of its arguments are tried; others go by their own names.
CALLS = {
    "Run": ({}, "rules policies deal shuffle term seed hands by given"),
    "SessionRun": (
        {"stake": 10},
        "rules policies by_role deal shuffle hands sessions stake play_on banker_changes first_banker seed",
    ),
    "Adaptation": ({}, "steps deals check seed"),
    "Tuning": (
        {"rules": RuleSet()},
        "rules start pool steps population elite deals spread check frozen seed",
    ),
    "HandTableRun": ({"run": RUN}, "run fewest"),
    "Here": ({"run": RUN, "threads": 1, "most": 1}, "run threads most"),
    "Cluster": ({"run": RUN, "address": "local:2"}, "run address"),
    "Keeper": ({"run": RUN, "folder": "nowhere"}, "run threads"),
    "simulate": ({"run": RUN}, "run threads block"),
    "prepare": ({"run": RUN}, "run"),
    "simulate_by": ({"source": None, "run": RUN}, "run"),
    "show_hand": ({"run": RUN, "number": 1}, "run number"),
    "compare": ({"a": RuleSet(), "b": RuleSet()}, "a=rules b=rules run threads"),
    "compare_adapted": (
        {"a": RuleSet(), "b": RuleSet()}, "a=rules b=rules run adaptation threads",
    ),
    "compare_switches": ({"rules": RuleSet()}, "rules switches run threads"),
    "hand_patterns": ({}, "names run threads"),
    "odds": ({"event": "kam"}, "event given run exact precision relative most threads"),
    "exact_chance": (
        {"event": parse_question("kam"), "rules": RuleSet()}, "event=question rules",
    ),
    "parse_question": ({}, "text"),
    "session": ({}, "run threads"),
    "play_sessions": ({"run": SessionRun(policies=("greedy",) * 4)}, "run looks threads"),
    "compare_walls": (
        {}, "deals=deals_of_walls shuffles rules policies hands session_hands seed threads",
    ),
    "dice_chances": ({}, "roller"),
    "tournament": (
        {"policies": ["random", "greedy"]}, "policies rules deals term seed threads",
    ),
    "tune": ({"request": Tuning(rules=RuleSet()), "path": "mine.toml"}, "request path threads"),
    "policy_toml": ({}, "policy"),
    "run_study": ({"name": "kam"}, "name rules deals term seed threads"),
    "starting_hand": ({"hand": "AA99BK63"}, "hand run threads"),
    "read_hand": ({"text": "AA99BK63", "rules": RuleSet()}, "text rules"),
    "hand_rank": ({}, "tiles=hand"),
    "codes_of": ({}, "tiles"),
    "pips_of": ({}, "tiles"),
    "chinese_of": ({}, "tiles"),
    "parse_tiles": ({}, "text"),
    "make_hand_table": (
        {"request": HandTableRun(run=RUN), "folder": "nowhere"}, "request folder threads",
    ),
    "advise": ({"position": POSITION}, "position worlds policy by seed threads"),
    "post_mortem": (
        {"record": RECORD, "seat": 0}, "record seat worlds policy by seed threads",
    ),
    "position_of": ({"record": RECORD, "seat": RECORD.banker, "plays": 0}, "record seat plays"),
    "read_position": ({"data": "{}"}, "data rules seat"),
    "read_record": ({"data": "{}"}, "data rules"),
    "score_record": ({}, "record"),
    "find_policy": ({"name": "tuned"}, "name rules"),
    "check_policy": ({"name": "greedy"}, "name positions seed"),
    "load_rules": ({"name": "tiengow-ja"}, "name settings"),
    "make_rules": ({}, "switches=settings"),
    "parse_setting": ({}, "text"),
    "rules_toml": ({}, "rules"),
    "rules_words": ({}, "rules"),
    "nearest_preset": ({}, "rules"),
    "bench": ({}, "threads rounds"),
    "bench_peers": ({}, "rounds"),
}  # fmt: skip
TRIED = [
    (call, *(word.split("=") * 2)[:2]) for call, (_, words) in CALLS.items() for word in words.split()
]


class PlayedError(Exception):
    """Something was about to be played."""


@pytest.fixture(autouse=True)
def nothing_is_played(monkeypatch):
    def refuse(*_, **__):
        raise PlayedError

    for place in (
        "runs.ThreadPoolExecutor",
        "tiengow.tune.ThreadPoolExecutor",
        "tiengow.advise.ThreadPoolExecutor",
    ):
        monkeypatch.setattr(f"gupai.analysis.{place}", refuse)


@pytest.mark.parametrize("call, argument, kind", TRIED, ids=lambda value: str(value))
def test_call__wrong_value__is_an_input_error(call: str, argument: str, kind: str) -> None:
    function = getattr(analysis, call)
    takes = CALLS[call][0]
    may_be_none = inspect.signature(function).parameters[argument].default is None
    values = WRONG[kind]
    if (call, argument) == ("tournament", "policies"):
        values = [value for value in values if value not in (("greedy", "random", 1, True),)] + [
            ["greedy"]
        ]
    for value in values:
        if may_be_none and value is None:
            continue
        with pytest.raises(InputError) as raised:
            function(**takes | {argument: value})
        assert 0 < len(str(raised.value)) < 2_600


def test_calls__all_that_are_public_and_take_such_arguments_are_tried() -> None:
    """A new public call is tried too, or named here with the reason."""
    left_out = {
        "SavedRun", "saved_runs", "merge_runs", "read_hands", "read_hand_table", "write_compact",  # kept files
        "Tables", "outcomes", "compare_deals",  # of what was played
        "clustered_proportion", "confidence_sequence", "homogeneity", "mean_from_sums", "mean_of",
        "mean_of_floats", "proportion",  # arithmetic: ValueError
        "policy_names", "shipped_hands", "study_list", "switch_list",  # take nothing
    }  # fmt: skip
    functions = {
        name for name in analysis.__all__ if inspect.isfunction(inspect.unwrap(getattr(analysis, name)))
    }
    assert functions - left_out == {name for name in CALLS if name in functions}


@pytest.mark.parametrize(
    "request_, taken",
    [
        (Run, {"seed": np.uint64(LARGEST_SEED), "hands": np.int32(5), "term": np.int8(3)}),
        (SessionRun, {"seed": LARGEST_SEED, "hands": np.int64(5), "first_banker": np.int64(3)}),
        (Adaptation, {"seed": LARGEST_SEED, "steps": np.int16(2)}),
        (Tuning, {"rules": RuleSet(), "seed": LARGEST_SEED, "spread": np.float32(0.5)}),
    ],
)
def test_request__numbers_of_numpy__become_pythons(request_, taken) -> None:
    """And the same largest seed everywhere: `tune` stopped at 2**32."""
    made = request_(**taken)
    for name, value in taken.items():
        kept = getattr(made, name)
        assert kept == value and type(kept) in (int, float, RuleSet)


def test_tuning__small_seeds__draw_as_before() -> None:
    """Seeds from 2**32 on are allowed, and no smaller one changes for it."""
    drawn = np.random.default_rng([7, 3]).standard_normal(2)
    assert np.array_equal(drawn, np.random.default_rng([np.uint32(7), 3]).standard_normal(2))
    assert not np.array_equal(np.random.default_rng([2**32 + 7, 3]).standard_normal(2), drawn)


def test_checked__keeps_name_help_and_signature() -> None:
    assert "Parameters" in (analysis.compare.__doc__ or "")
    assert list(inspect.signature(analysis.odds).parameters)[:2] == ["event", "given"]
    assert find_policy("greedy").name == "greedy"
    with pytest.raises(TypeError, match="unexpected"):
        analysis.compare(RuleSet(), RuleSet(), sead=1)  # type: ignore[call-arg]


def test_told__whatever_it_is() -> None:
    class Odd:
        def __repr__(self) -> str:
            raise RuntimeError

    assert told(Odd()) == "a value of type Odd" and told(10**5000) == "a value of type int"
    with pytest.raises(InputError, match="--a 10: must be a whole number from 1 to 9"):
        checked(a=whole(1, 9))(lambda a: a)(10)
