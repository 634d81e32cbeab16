"""One formatter for every number: no chance prints as 0 or 100 %, and nothing has an exponent."""

from __future__ import annotations

import json
import math
import re
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gupai.analysis import proportion
from gupai.analysis.digits import figures, percentage, percentage_to
from gupai.reports import numbers
from gupai.reports.cli import main
from gupai.reports.language import speaking

SHARES = st.floats(0.0, 1.0, exclude_min=True, exclude_max=True)
# A zero or a hundred that is a number of its own, and an exponent.
NOTHING = re.compile(r"(?<![\d.,])(?:0(?:\.0+)?|100(?:\.0+)?) ?%")
EXPONENT = re.compile(r"\d[eE][+-]?\d")


@given(SHARES, st.integers(0, 12))
def test_percentage__of_a_possible_outcome__is_neither_0_nor_100(share: float, digits: int) -> None:
    for text in (percentage(share, digits), percentage_to(share, 1 + digits % 5)):
        assert text.strip("0.") and not re.fullmatch(r"100(\.0*)?", text)
        assert float(text) == pytest.approx(100 * share, abs=max(10.0**-digits, 50 * share, 1.0))


@given(SHARES, SHARES, SHARES)
def test_percent__of_any_interval__is_neither_0_nor_100(a: float, b: float, c: float) -> None:
    low, value, high = sorted((a, b, c))
    for name in ("en", "ja", "zh"):
        with speaking(name):
            told = [
                numbers.percent(value, low, high), numbers.rounded_percent(value, low, high),
                numbers.percent(value, value, value), f"{numbers.chance(value)}",
                numbers.interval(low, high), numbers.percent(0.0, 0.0, high), numbers.percent(1.0, low, 1.0),
            ]  # fmt: skip
        for text in told:
            found = re.findall(r"\d+(?:\.\d+)?", text.replace(",", ""))
            assert all(0 < float(part) < 100 or len(part) > 300 for part in found), text
            assert not EXPONENT.search(text)
    assert value < 1e-300 or numbers.one_in(value) != "1"


def test_percent__of_counts__says_none_all_or_a_number() -> None:
    """What was seen in 0 or in all of n hands is said so, with its limit."""
    for n in (1, 7, 200, 10**6, 10**12):
        for count in sorted({0, 1, n // 2, n - 1, n}):
            share = proportion(count, n)
            text = numbers.percent(share.value, share.low, share.high)
            assert text.startswith("none (under ") == (count == 0)
            assert text.startswith("all (over ") == (count == n)
            assert not NOTHING.search(text), text


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 6))
def test_figures__have_no_exponent_and_round_right(value: float, number: int) -> None:
    text = figures(value, number)
    assert not EXPONENT.search(text)
    if 1e-300 < abs(value) < 1e300:
        assert float(text.replace(",", "")) == pytest.approx(value, rel=0.51 * 10 ** (1 - number))


def test_mean__of_large_points__has_no_exponent() -> None:
    assert numbers.mean(1320.4, 1320.4, 1320.4) == "1,320 (in every hand)"
    assert numbers.mean(132_040.0, math.nan, math.nan) == "132,000 (too few hands for an interval)"


# Every readable table, at sizes where rare things are seen once, or never, or nearly always.
POSITION = '{"banker": 0, "hands": ["AABB9988", null, null, null], "tricks": []}'
TABLES = [
    "simulate --hands 3000 --deal top_layers --deal ends_in --policy greedy",
    "simulate --hands 1", "simulate --policy greedy --by fours --hands 900",
    "compare tiengow-ja tiengow-zh --policy random --hands 3000",
    "compare tiengow-ja --set empty=1000 --hands 500 --policy random",
    "compare --all-switches tiengow-ja --hands 500 --policy random",
    "hand --best 40", "hand --worst 40", "hand --swingiest 20", "hand AABB9988 --hands 200",
    "hand EGHIJJKK --hands 900", "odds 'anyone has AABBCCDD'", "odds 'not anyone has AABBCCDD'",
    "odds 'banker has AA' --given 'banker has AA'", "odds kam --policy random --hands 2000",
    "session --hands 12 --sessions 200 --stake 1000", "session --hands 3 --sessions 2 --stake 1",
    "deals --deal top_layers --shuffle wash:1 --hands 4000", "patterns --hands 500 --policy random",
    "study low-finish --deals 30", "tournament greedy random public-a --deals 10",
    f"advise '{POSITION}' --worlds 300",
]  # fmt: skip
# An impossible event, a certain one, and what `deals` prints of a fair die are no shares of hands.
EXACT = ("odds 'banker has AA' --given",)


@pytest.mark.parametrize("command", TABLES)
def test_tables__no_possible_outcome_is_0_or_100(command: str, capsys) -> None:
    assert main([*shlex.split(command), "--lang", "en"]) == 0
    text = capsys.readouterr().out
    if not command.startswith(EXACT):
        assert not NOTHING.search(text.replace("100 %: ", "")), NOTHING.search(text)
    lines = [line for line in text.splitlines() if "gupai " not in line]
    assert not EXPONENT.search("\n".join(lines).replace("10^12", "")), text


@pytest.mark.slow
def test_report__tables_and_picker(capsys, tmp_path, monkeypatch) -> None:
    from gupai.reports import sections

    monkeypatch.setattr(sections.ReportRun, "number", lambda _run, quick, *_: min(quick, 4000))
    monkeypatch.setattr(sections.ReportRun, "hands_of", lambda _run, _policy: 1000)
    words = ["report", "--quick", "--policy", "greedy", "--policy", "random", "--lang", "en"]
    assert main([*words, "--out", str(tmp_path)]) == 0
    for part in (tmp_path / "parts").iterdir():
        section = json.loads(part.read_text("utf-8"))["content"]["section"]
        told = json.dumps([section["tables"], section["lead"]], ensure_ascii=False)
        assert not NOTHING.search(told), (part.name, NOTHING.search(told))
        assert not EXPONENT.search(told), (part.name, EXPONENT.search(told))
