"""What all results can do: tables, figures, HTML, and files that come back as they were."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import runpy
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gupai.analysis import (
    Adaptation,
    Comparison,
    InputError,
    Mean,
    Odds,
    RuleSet,
    Run,
    SessionRun,
    Tables,
    advise,
    compare,
    compare_adapted,
    compare_walls,
    make_rules,
    odds,
    position_of,
    read_record,
    run_study,
    session,
    simulate,
    starting_hand,
    tournament,
)
from gupai.analysis.archive import decoded, encoded
from gupai.analysis.results import Result

ROOT = Path(__file__).parent.parent


def made(name: str, data: Path) -> Result:
    run = Run(hands=2_000, policies=("random",) * 4)
    if name == "simulated":
        return simulate(Run(hands=2_000, policies=("random",) * 4, by="fours"))
    if name == "tables":
        return Tables(simulate(run))
    if name == "tables by fours":
        return Tables(simulate(Run(policies=("greedy",) * 4, hands=2_000, by="fours"))).split()[1]
    if name == "comparison":
        return compare(RuleSet(), RuleSet(kam=4), run=run)
    if name == "adapted":
        few = Adaptation(steps=2, deals=20, check=40)
        return compare_adapted(
            RuleSet(), RuleSet(kam=8), run=Run(policies=("tuned",) * 4, hands=200), adaptation=few
        )
    if name == "session":
        return session(SessionRun(policies=("greedy",) * 4, hands=20, sessions=200))
    if name == "tournament":
        return tournament(["greedy", "random", "tuned"], deals=20)
    if name == "walls":
        return compare_walls(("top_layers", "ends_in"), ("wash:1",), hands=6_000)
    if name == "odds, exact":
        return odds("banker has AA", "banker has 63")
    if name == "odds, played":
        return odds("banker wins", run=run)
    if name == "hand":
        return starting_hand("AA99BK63", run=Run(policies=("greedy",) * 4, hands=300))
    if name == "advice":
        line = (data / "tiengow-records.jsonl").read_text().splitlines()[0]
        record = read_record(json.dumps(json.loads(line)["record"]))
        return advise(position_of(record, record.banker, 0), worlds=100)
    assert name.startswith("study ")
    return run_study(name.removeprefix("study "), deals=200)


NAMES = (
    "simulated", "tables", "tables by fours", "comparison", "adapted", "session", "tournament", "walls", "odds, exact",
    "odds, played", "hand", "advice", "study cash-four", "study kam",
)  # fmt: skip


@pytest.fixture(scope="module")
def results(data) -> dict[str, Result]:
    class Made(dict):
        def __missing__(self, name: str) -> Result:
            self[name] = made(name, data)
            return self[name]

    return Made()


def same(one, other) -> bool:
    """Whether two results agree in everything, nan included."""
    return json.dumps(encoded(one)) == json.dumps(encoded(other))


@pytest.mark.parametrize("name", NAMES)
def test_result__to_frame__has_its_intervals(results, name):
    frame = results[name].to_frame()
    assert isinstance(frame, pd.DataFrame) and len(frame) > 0
    for column in frame.columns:
        if column.endswith("_low"):
            stem = column.removesuffix("_low")
            known = frame[[column, stem, f"{stem}_high"]].dropna()
            assert (known[column] <= known[stem]).all() and (known[stem] <= known[f"{stem}_high"]).all()
    assert any("low" in column for column in frame.columns)


@pytest.mark.parametrize("name", NAMES)
def test_result__in_a_notebook__is_tables_of_html(results, name):
    text = results[name]._repr_html_()
    assert text.startswith("<table>") and text.count("<table>") == text.count("</table>")


@pytest.mark.parametrize("name", NAMES)
def test_result__plot__draws_a_figure(results, name):
    from gupai.reports.figures import png_of

    figure = results[name].plot()
    assert png_of(figure)[:4] == b"\x89PNG"


@pytest.mark.parametrize("name", NAMES)
def test_result__saved_and_loaded__is_the_same(results, name, tmp_path):
    result, path = results[name], tmp_path / "result.json"
    result.save(path)
    again = type(result).load(path)
    assert same(again, result)
    assert again.to_frame().equals(result.to_frame())
    if hasattr(result, "to_json"):
        assert json.dumps(again.to_json()) == json.dumps(result.to_json())
    assert os.listdir(tmp_path) == ["result.json"]


def test_html__text_of_the_user__is_escaped():
    answer = dataclasses.replace(odds("banker has AA"), event="<script>alert(1)</script>")
    assert "<script>" not in answer._repr_html_() and "&lt;script&gt;" in answer._repr_html_()


@pytest.mark.parametrize("name", NAMES)
def test_result__to_frame__names_its_columns_alike(results, name):
    """Words in small letters; an estimate has both ends of its interval, under its own name."""
    frame = results[name].to_frame()
    names = list(frame.columns)
    assert len(set(names)) == len(names)
    for column in names:
        assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", column), column
        assert column not in ("low", "high", "se", "sd", "mean", "value_low"), column
        for end in ("_low", "_high", "_se", "_sd"):
            if column.endswith(end):
                stem = column.removesuffix(end)
                assert {stem, f"{stem}_low", f"{stem}_high"} <= set(names)
    assert any(column.endswith("_low") for column in names)


def test_simulated__is_a_result_and_makes_tables(results, tmp_path):
    tally = results["simulated"]
    assert tally.to_frame().equals(Tables(tally).to_frame())
    assert tally._repr_html_() == Tables(tally)._repr_html_()
    tally.save(tmp_path / "run.json")
    again = type(tally).load(tmp_path / "run.json")
    assert again == tally and again != dataclasses.replace(tally, counts=tally.counts + 1)
    assert Tables(again).to_json() == Tables(tally).to_json()
    assert list(Tables(again).split()) == list(Tables(tally).split())


def test_to_frame__of_tables__as_the_interface(results):
    tables = results["tables"]
    frame = tables.to_frame().set_index(["table", "value"])
    assert frame.loc["winner", "banker"]["count"] == tables.counts()["winner"]["banker"]
    assert frame.loc["points", "left"]["estimate"] == tables.point_means()["left"].mean


# ---------------------------------------------------------------- files that are not what they seem
def older(content: str, archive: int = 1) -> str:
    """A file as an older gupai wrote it, without a seal."""
    return f'{{"gupai": "0.1.0", "archive": {archive}, "content": {content}}}'


@pytest.mark.parametrize(
    "text, said",
    [
        ("{}", "is damaged"),
        ("[1, 2]", "is damaged"),
        (older("1", archive=99), "no result that this gupai saved"),
        (older('{"$tiengow.compare:Nothing": {}}'), "is damaged .*no kind"),
        (older('{"$tiengow.simulate:simulate": {}}'), "is damaged .*no kind"),
        (older('{"$os:system": {}}'), "is damaged .*no kind"),
        (older('{"$..os:system": {}}'), "is damaged .*no kind"),
        (older('{"$tiengow.rules:RuleSet": {"kam": -4}}'), "is damaged"),
        (older("[" * 100_000 + "]" * 100_000), "is damaged"),
        (older("NaN"), "is damaged"),
        (older('{"$array": ["<f8", [1000000000000], ""]}'), "holds more than"),
        (older('{"$array": ["O", [1], ""]}'), "is damaged"),
        (older('{"$fraction": "1e1000000000"}'), "is damaged"),
        (older('{"$phrase": ["{a:>9999999999}", {"$dict": [["a", 1]]}]}'), "is damaged"),
        (older('{"$phrase": ["{a.real}", {"$dict": [["a", 1]]}]}'), "is damaged"),
        (older("5"), "holds a int, not a Comparison"),
    ],
)
def test_load__a_file_that_is_something_else__is_refused_by_name(tmp_path, text, said):
    path = tmp_path / "result.json"
    path.write_text(text)
    with pytest.raises(InputError, match=f"result.json: .*{said}"):
        Comparison.load(path)


def test_load__another_kind__is_refused(results, tmp_path):
    results["odds, exact"].save(tmp_path / "odds.json")
    with pytest.raises(InputError, match="holds a Odds, not a Comparison"):
        Comparison.load(tmp_path / "odds.json")
    assert Odds.load(tmp_path / "odds.json").fraction == results["odds, exact"].fraction


def test_load__no_file__is_one_sentence(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        Comparison.load(tmp_path / "none.json")


def test_save__object_of_another_package__is_refused(tmp_path):
    with pytest.raises(TypeError, match="cannot be saved"):
        encoded(Path("x"))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.fractions(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(
            st.text() | st.integers() | st.tuples(st.text(), st.integers()), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(VALUES)
def test_archive__any_value__comes_back(value):
    again = decoded(json.loads(json.dumps(encoded(value))))
    assert repr(again) == repr(value)


@pytest.mark.parametrize(
    "array",
    [np.zeros((0, 4), np.int64), np.arange(6, dtype=np.uint32).reshape(2, 3), np.array([1.5, np.nan]),
     np.array([[10**40, -1]], object)],
)  # fmt: skip
def test_archive__arrays__come_back(array):
    again = decoded(json.loads(json.dumps(encoded(array))))
    assert again.dtype == array.dtype and again.shape == array.shape
    assert again.tolist() == array.tolist() or np.isnan(array).any()


def test_archive__rules_and_means__come_back():
    rules = make_rules({"hand_patterns": ["no_red"], "kam": 3})
    value = {("a", 1): [rules, Mean(n=2, mean=1.0, se=0.5, sd=0.7, low=0.0, high=2.0), Fraction(1, 3)]}
    assert decoded(json.loads(json.dumps(encoded(value)))) == value


# ---------------------------------------------------------------- the example
def test_example__the_notebook__runs(tmp_path, monkeypatch, capsys):
    script = ROOT / "reports" / "examples" / "notebook.py"
    monkeypatch.setattr(sys, "argv", [str(script), str(tmp_path)])
    runpy.run_path(str(script), run_name="__main__")
    out = capsys.readouterr().out
    assert "Somebody is dealt supreme 至尊: " in out
    assert {path.name for path in tmp_path.iterdir()} == {
        "seats.png", "kam.png", "kam.json", "evening.json", "ranking.json", "run",
    }  # fmt: skip
