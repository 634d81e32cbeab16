"""Players' questions about good play, answered on the same deals."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gupai.analysis import PRESETS, InputError, RuleSet, run_study, study_list
from gupai.analysis.estimates import Mean
from gupai.analysis.tiengow import study_discards, study_honours, study_ways
from gupai.analysis.tiengow.duplicate import Duplicates
from gupai.analysis.tiengow.policies import find_policy
from gupai.analysis.tiengow.studies import Row, Setting
from gupai.analysis.tiengow.study_claims import claim_of, hardly_apart
from gupai.analysis.tiengow.study_ways import compare_ways
from gupai.kernels.tiengow.settlement import BONUSES, SETTLEMENT, WINNER
from gupai.reports.cli import main

NAMES = [study.name for study in study_list()]


@pytest.mark.parametrize("name", NAMES)
def test_study__command_gives_the_same_answer(name: str, capsys) -> None:
    assert main(["study", name, "--deals", "200", "--format", "json"]) == 0
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
    assert main(["study", name, "--deals", "200"]) == 0
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
    assert ("beaten by JJ" in result.rows[1].shares) == beaten


@pytest.mark.parametrize("name", NAMES)
def test_study__plays_under_the_rules_that_it_prints(name: str, capsys, monkeypatch) -> None:
    """No study sets a switch in silence: what is played and settled, but for what it says it sets."""
    seen: set[RuleSet] = set()
    settle, play = study_ways.settle_kept, Duplicates.__init__

    def settling(kept, rules, term):
        seen.add(rules)
        return settle(kept, rules, term)

    def playing(self, players, lineups, rules, **more):
        seen.add(rules)
        play(self, players, lineups, rules, **more)

    monkeypatch.setattr(study_honours, "settle_kept", settling)
    monkeypatch.setattr(study_ways, "settle_kept", settling)
    monkeypatch.setattr(Duplicates, "__init__", playing)
    place = study_discards.Position
    monkeypatch.setattr(
        study_discards, "Position", lambda **facts: seen.add(facts["rules"]) or place(**facts)
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
    first, second = compare_ways(setting, {"a": policy, "b": policy}, (0, 1, 2, 3), pool=[policy])
    assert second.difference.mean == second.difference.sd == 0
    assert first.points == second.points and first.shares == second.shares
    # One seat of four alike, over all seats: the points of a deal sum to zero.
    assert abs(first.points.mean) < 1e-12


def test_study__ways_are_what_was_played() -> None:
    """Rows again from the line-ups one by one."""
    setting = Setting(rules=RuleSet(), term=2, deals=200, seed=4, threads=1)
    tuned, greedy = find_policy("tuned"), find_policy("greedy")
    rows = compare_ways(setting, {"tuned": tuned, "greedy": greedy}, (2,), shares=("結",), pool=[tuned])
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


def test_cash_four__tells_how_it_depends_on_the_opponents() -> None:
    result = run_study("cash-four", deals=600)
    assert {row.against for row in result.rows} >= {"tuned", "greedy", "public-a"}
    early, late = result.claims
    assert early.verdict == "alike" and "hardly differs" in result.sentence
    assert late.verdict == "depends" and late.apart[1] > 0 and "depends on them" in result.sentence


def test_spare__ways_do_what_they_claim() -> None:
    result = run_study("spare", deals=300)
    for row in result.rows:
        if row.thing and "beats" in row.thing and "three" not in row.label:
            assert not hardly_apart(row.claimed, more=row.more), (row.label, row.against)


def test_claim__holds_for_all_or_not_at_all() -> None:
    def rows(*means):
        return [
            Row(label="w", against=str(n),
                difference=Mean(n=400, mean=m, se=0.5, sd=10.0, low=m - 1, high=m + 1))
            for n, m in enumerate(means)
        ]  # fmt: skip

    for means, verdict in (((2.0, 3.0), "gains"), ((-2.0, -3.0), "costs"), ((3.0, 0.5), "depends"),
                           ((0.5, 1.5), "open"), ((0.0, 0.0), "open")):  # fmt: skip
        claim, words = claim_of(rows(*means), claims=2)
        assert claim.verdict == verdict, words
    claim, words = claim_of(rows(0.5, 1.5), claims=2)
    assert claim.deals > 400 and f"about {claim.deals:,} would do" in words
