"""Who plays where nobody is named: good players, those of the preset nearest to the rules."""

from __future__ import annotations

import inspect
import json

import pytest

from gupai.analysis import (
    Run,
    SessionRun,
    Tables,
    compare_walls,
    find_policy,
    load_rules,
    make_rules,
    simulate,
)
from gupai.analysis.tiengow.family_presets import tuned_note
from gupai.reports.cli import main

GOOD = ["tuned"] * 4
COMMANDS = (
    "odds kam --hands 50", "hand AA99BK63 --hands 20", "compare tiengow-ja --set kam=4 --hands 50",
    "session --hands 4 --sessions 10", "patterns no_red --hands 50",
    "deals --deal top_layers --shuffle wash:0 --hands 240 --session-hands 5",
)  # fmt: skip
NEAREST = "No preset has these rules: tuned plays with the weights of tiengow-zh, the nearest one."


def test_defaults__in_python() -> None:
    assert list(Run().policies) == list(SessionRun().policies) == GOOD
    assert list(inspect.signature(compare_walls).parameters["policies"].default) == GOOD


def policies_of(text: str) -> list[str]:
    result = json.loads(text)
    result = result[0] if isinstance(result, list) else result
    result = result.get("comparison", result)
    return result["provenance"]["policies"]


@pytest.mark.parametrize("command", COMMANDS)
def test_defaults__of_every_command(command: str, capsys) -> None:
    assert main([*command.split(), "--format", "json"]) == 0
    assert policies_of(capsys.readouterr().out) == GOOD


def test_defaults__are_what_naming_them_gives(capsys) -> None:
    assert main(["odds", "banker wins", "--hands", "300"]) == 0
    unnamed = capsys.readouterr().out
    assert main(["odds", "banker wins", "--hands", "300", "--policy", "tuned"]) == 0
    assert capsys.readouterr().out == unnamed and "--policy tuned" in unnamed


@pytest.mark.parametrize("preset", ["tiengow-ja", "tiengow-ja-wenzun", "tiengow-zh"])
def test_defaults__play_as_tuned_for_the_preset(preset: str) -> None:
    rules = load_rules(preset)
    run = Run(rules=rules, hands=100)
    facts = run.provenance()
    assert facts["policy_digests"] == [find_policy("tuned", rules).digest()] * 4
    assert "tuned_under" not in facts and tuned_note(run.policies, rules) is None
    near = Run(rules=rules.model_copy(update={"empty": 4}), hands=100).provenance()
    assert near["tuned_under"] == preset and near["policy_digests"] == facts["policy_digests"]


@pytest.mark.parametrize(
    "command",
    ["simulate --hands 100", *(words for words in COMMANDS if not words.startswith("compare"))],
)
def test_nearest_preset__stands_once_under_the_table(command: str, capsys) -> None:
    assert main([*command.split(), "--rules", "tiengow-zh", "--set", "empty=4"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    if command.startswith("patterns"):
        assert out.count("plays with the weights of tiengow-zh") == 1
    else:
        assert out.count(NEAREST) == 1
    assert main([*command.split(), "--rules", "tiengow-zh", "--policy", "greedy"]) == 0
    assert "weights of" not in capsys.readouterr().out


def test_nearest_preset__both_sides_of_a_comparison_play_as_the_first(capsys) -> None:
    words = ["compare", "tiengow-ja", "tiengow-zh", "--hands", "100"]
    assert main(words) == 0
    said = "Under all rules compared tuned plays with the weights of tiengow-ja, the preset nearest"
    assert said in " ".join(capsys.readouterr().out.split())


def test_nearest_preset__the_fingerprint_does_not_hold_it() -> None:
    """It is said beside the digests; a fingerprint of before still fits."""
    run = Run(rules=make_rules({"kam": 4}), hands=10)
    assert run.provenance()["tuned_under"] == "tiengow-ja"
    assert Tables(simulate(run)).to_json()["provenance"]["tuned_under"] == "tiengow-ja"
    pinned = Run(rules=make_rules({"kam": 4}), policies=("greedy",) * 4, hands=10)
    assert "tuned_under" not in pinned.provenance()
