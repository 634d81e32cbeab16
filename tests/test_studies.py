"""Players' questions about good play, answered on the same deals."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gupai.analysis import PRESETS, InputError, RuleSet, run_study, study_list
from gupai.analysis.tiengow.duplicate import Duplicates
from gupai.analysis.tiengow.policies import find_policy
from gupai.analysis.tiengow.studies import Setting, compare_ways
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
    result = run_study("civil-supreme", rules=PRESETS[preset].rules, deals=200)
    assert result.term == 3 and "28/145" in result.sentence


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
