"""Rule sets: presets, switches, files, and errors that name everything at once."""

from __future__ import annotations

import random

import pytest

from gupai.analysis import (
    PRESETS,
    RulesError,
    RuleSet,
    load_rules,
    make_rules,
    parse_setting,
    rules_toml,
    switch_list,
)
from gupai.kernels.tiengow.switches import Switches

import reference
from bridge import random_rules


def test_rule_set__has_the_switches_and_defaults_of_the_page() -> None:
    values = RuleSet().to_json()
    assert values == reference.DEFAULTS | {"first_banker_leads": True}
    assert set(Switches._fields) == set(values) - {"first_banker_leads"}


def test_presets__are_those_of_the_page() -> None:
    assert PRESETS["tiengow-ja"].rules == RuleSet()
    assert PRESETS["tiengow-ja-wenzun"].rules == RuleSet(supreme_civil="on", last_low_civil=True)
    assert PRESETS["tiengow-zh"].rules == RuleSet(
        supreme_civil="beaten_by_J",
        last_low_civil=True,
        kam_supreme_civil=True,
        capture_bonus=True,
        kam=4,
    )


def test_rule_set__is_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        RuleSet().kam = 4  # type: ignore[misc]


def test_switch_list__explains_every_switch() -> None:
    for switch in switch_list():
        assert switch.meaning and switch.values and switch.source
    play = {switch.name for switch in switch_list() if switch.changes == "play"}
    assert play == {"two_stacks", "supreme_civil", "hand_patterns", "heaven_red"}


@pytest.mark.parametrize("name", PRESETS)
def test_to_toml__reads_back(name: str, tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(rules_toml(PRESETS[name].rules), encoding="utf-8")
    assert load_rules(str(path)) == PRESETS[name].rules


def test_to_toml__reads_back_any_rules(tmp_path) -> None:
    rng = random.Random(1)
    path = tmp_path / "mine.toml"
    for _ in range(40):
        rules = random_rules(rng)
        path.write_text(rules_toml(rules), encoding="utf-8")
        assert load_rules(str(path)) == rules


def test_load_rules__file_extends_a_preset_and_settings_stand_above(tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('preset = "tiengow-zh"\nempty = 4\nhand_patterns = ["no_red", "one_red"]\n')
    rules = load_rules(str(path), {"kam": 3})
    assert (rules.kam, rules.empty, rules.capture_bonus) == (3, 4, True)
    assert rules.hand_patterns == ("one_red", "no_red")


def test_load_rules__shows_all_faults_of_a_file(tmp_path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('kam = "four"\ntwo_stack = true\nfour_bonus_to = "winers"\n')
    with pytest.raises(RulesError) as refused:
        load_rules(str(path))
    text = str(refused.value)
    assert "3 faults" in text and 'kam = "four"' in text
    assert "Did you mean two_stacks?" in text and "Did you mean winner?" in text


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"kam = ", "no TOML"),
        (b"\xff\xfe\x00", "UTF-"),
        (b"kam = nan", "kam"),
        (b"kam = 1e3", "kam"),
        (b"kam = " + b"9" * 5000, "TOML"),
        (b"kam = 99999999999999999999999", "kam"),
        (b"preset = 3", "3"),
        (b"a = " + b"[" * 15_000, "TOML"),
        (b"#" * 200_000, "larger"),
        (b"kam = 0x" + b"f" * 15_000, "kam"),
        (b"kam" + b".a" * 5_000 + b" = 1", "kam|TOML"),
        (b"preset" + b".a" * 5_000 + b" = 1", "rule set|TOML"),
        (b"[kam]\nx = 1", "kam"),
    ],
)
def test_load_rules__odd_files_are_refused(content: bytes, words: str, tmp_path) -> None:
    path = tmp_path / "odd.toml"
    path.write_bytes(content)
    with pytest.raises(RulesError, match=words) as refused:
        load_rules(str(path))
    assert len(str(refused.value)) < 1000


@pytest.mark.parametrize("name", ["nothing.toml", "tiengow-jp", "", "."])
def test_load_rules__no_such_rules(name: str) -> None:
    with pytest.raises(RulesError):
        load_rules(name)


@pytest.mark.parametrize("text", ["kam", "=4", "kam=", "kam = ", ""])
def test_parse_setting__needs_both_sides(text: str) -> None:
    with pytest.raises(RulesError, match="SWITCH=VALUE"):
        parse_setting(text)


@pytest.mark.parametrize(
    "switches",
    [{"heaven_red": False}, {"heaven_red": 0.0}, {"\ud800": 1}, {"kam": [[[]]]}, {"kam": 0}, {"kam": True}, {"kam": 2.0}, {"kam": None}, {"two_stacks": 1}, {"two_stacks": "yes"},
     {"heaven_red": 3}, {"empty": -1}, {"hand_patterns": "one-red"}, {"hand_patterns": [1]},
     {"supreme_civil": "ON"}, {"nonsense": 1}],
)  # fmt: skip
def test_make_rules__strict(switches: dict) -> None:
    name = next(iter(switches))
    with pytest.raises(RulesError, match=name if name.isprintable() else "switch"):
        make_rules(switches)
