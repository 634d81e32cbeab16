"""Players' questions about good play, answered on the same deals."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gupai.analysis import PRESETS, InputError, RuleSet, run_study, study_list
from gupai.analysis.tiengow import studies as studies_module
from gupai.analysis.tiengow import study_list as study_list_module
from gupai.analysis.tiengow.duplicate import Duplicates
from gupai.analysis.tiengow.extremes import mean_points
from gupai.analysis.tiengow.policies import find_policy
from gupai.analysis.tiengow.studies import Setting, compare_ways
from gupai.analysis.tiengow.study_words import gain_in_words
from gupai.kernels.tiengow.settlement import BONUSES, SETTLEMENT, WINNER
from gupai.reports.cli import main

NAMES = [study.name for study in study_list()]


@pytest.mark.parametrize("name", NAMES)
def test_study__command_gives_the_same_answer(name: str, capsys) -> None:
    assert main(["study", name, "--deals", "600", "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["study"] == name and result["answer"].endswith(".") and result["rows"]
    for row in result["rows"]:
        for value in (row["points"], row["difference"]):
            if value is not None and value["low"] is not None:  # none where it came too seldom
                assert value["low"] <= value["mean"] <= value["high"]
        assert all(e["low"] <= e["value"] <= e["high"] for e in row["shares"].values())
    again = result["command"].split()[1:]
    assert main([*again, "--format", "json", "--threads", "1"]) == 0
    assert json.loads(capsys.readouterr().out) == result
    assert main(["study", name, "--deals", "600"]) == 0
    out = capsys.readouterr().out
    assert result["answer"] in out and result["command"] in out


@pytest.mark.parametrize("preset", list(PRESETS))
def test_study__runs_under_every_preset(preset: str) -> None:
    """文尊 as each preset has it: there is none, nothing beats it, or JJ does."""
    rules = PRESETS[preset].rules
    if rules.supreme_civil == "off":
        with pytest.raises(InputError, match="--set supreme_civil=beaten_by_J"):
            run_study("civil-supreme", rules=rules, deals=200)
        return
    result = run_study("civil-supreme", rules=rules, deals=200)
    assert result.term == 3 and result.rules == rules
    beaten = rules.supreme_civil == "beaten_by_J"
    assert ("28/145" in result.sentence) == beaten != ("Nothing beats" in result.sentence)
    assert bool(result.rows[1].shares) == beaten


@pytest.mark.parametrize("name", NAMES)
def test_study__plays_under_the_rules_that_it_prints(name: str, capsys, monkeypatch) -> None:
    """No study sets a switch in silence: what is played and settled, but for what it says it sets."""
    seen: set[RuleSet] = set()
    settle, play = study_list_module.settle_kept, Duplicates.__init__

    def settling(kept, rules, term):
        seen.add(rules)
        return settle(kept, rules, term)

    def playing(self, players, lineups, rules, **more):
        seen.add(rules)
        play(self, players, lineups, rules, **more)

    monkeypatch.setattr(study_list_module, "settle_kept", settling)
    monkeypatch.setattr(studies_module, "settle_kept", settling)
    monkeypatch.setattr(Duplicates, "__init__", playing)
    place = study_list_module.Position
    monkeypatch.setattr(
        study_list_module, "Position", lambda **facts: seen.add(facts["rules"]) or place(**facts)
    )
    rules = PRESETS["tiengow-zh"].rules.model_copy(update={"empty": 4})
    result = run_study(name, rules=rules, deals=60, threads=1)
    kams = {1, 2, 4} if result.sets else {rules.kam}
    assert all(each.model_copy(update={"kam": rules.kam}) == rules for each in seen)
    assert {each.kam for each in seen} == kams
    assert (result.sets == "kam is set to 1, 2 and 4 in turn") == (name == "kam")
    assert main(["study", name, "--deals", "60", "--rules", "tiengow-zh", "--set", "empty=4"]) == 0
    printed = capsys.readouterr().out
    assert "Rules tiengow-zh empty=4" in printed and result.sets in printed


def test_study__same_play_differs_by_nothing() -> None:
    setting = Setting(rules=RuleSet(), term=1, deals=300, seed=4, threads=2)
    policy = find_policy("tuned")
    first, second = compare_ways(setting, {"a": policy, "b": policy}, (0, 1, 2, 3))
    assert second.difference.mean == second.difference.sd == 0
    assert first.points == second.points and first.shares == second.shares
    # One seat of four alike, over all seats: the points of a deal sum to zero.
    assert abs(first.points.mean) < 1e-12


def test_study__ways_are_what_was_played() -> None:
    """Rows again from the line-ups one by one."""
    setting = Setting(rules=RuleSet(), term=2, deals=200, seed=4, threads=1)
    tuned, greedy = find_policy("tuned"), find_policy("greedy")
    rows = compare_ways(setting, {"tuned": tuned, "greedy": greedy}, (2,), shares=("結",))
    played = [
        Duplicates([tuned, way], [[0, 0, 1, 0]], RuleSet(), seed=4, term=2).settled(0, 200)[:, 0]
        for way in (tuned, greedy)
    ]
    points = [(table[:, SETTLEMENT + 2] + table[:, BONUSES + 2]).astype(float) for table in played]
    assert rows[0].points.mean == pytest.approx(points[0].mean())
    assert rows[1].difference.mean == pytest.approx((points[1] - points[0]).mean())
    assert rows[1].difference.se == pytest.approx((points[1] - points[0]).std(ddof=1) / np.sqrt(200))
    assert rows[1].shares["結"].count == int((played[1][:, WINNER] == 2).sum())


def test_study__bad_input(capsys) -> None:
    with pytest.raises(InputError, match="Did you mean cash-four"):
        run_study("cash-for")
    for words, complaint in (
        (("cash-for",), "Did you mean cash-four"),
        (("civil-supreme", "--rules", "tiengow-ja"), "no 文尊"),
        (("kam", "--deals", "1"), "--deals 1"),
        (("kam", "--term", "0"), "--term 0"),
        (("kam", "--seed", "-1"), "--seed -1"),
        (("kam", "--threads", "0"), "--threads 0"),
    ):
        assert main(["study", *words]) == 2
        out, err = capsys.readouterr()
        assert not out and complaint in err
    assert main(["study"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in NAMES)


def test_gain_in_words__says_where_nothing_differs() -> None:
    nothing = mean_points(np.zeros(300, np.int64), 4, RuleSet(), apart=True)
    assert gain_in_words(nothing).startswith("is what the tuned policy does already (300 deals")
    small = np.array([0, 1, -1, 0] * 500)
    told = gain_in_words(mean_points(small, 40, RuleSet(), apart=True))
    assert told.startswith("makes no clear difference") and "± 0.00 " not in told
