"""Tiles in the terminal, and warnings where a result rests on too few hands."""

from __future__ import annotations

import io
import json
import shlex

import pytest

from gupai.analysis import codes_of, pips_of
from gupai.analysis.phrases import Tiles
from gupai.analysis.tiengow.notation import BIT_ORDER, written
from gupai.reports.cli import main
from gupai.reports.grid import Grid, width
from gupai.reports.terminal import PAINT, draw_tiles, drawn


@pytest.fixture(autouse=True)
def plain_again():
    yield
    draw_tiles("codes")


def output(capsys, *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["hand", "--best", "3"],
        ["simulate", "--policy", "greedy", "--show", "17"],
        ["hand", "AA99BK63", "--hands", "1000"],
        [
            "advise",
            '{"banker": 0, "hands": ["AC99GJK3", null, null, null], "tricks": []}',
            "--worlds",
            "100",
        ],
    ],
)
def test_tiles__in_colour__are_the_same_text(words, capsys):
    plain = output(capsys, *words)
    colour = output(capsys, *words, "--tiles", "colour")
    assert "\x1b" not in plain and PAINT.sub("", colour) == plain
    assert colour.count("\x1b[1;33m") > 4 and colour.count("\x1b[1;36m") > 4
    assert output(capsys, *words, "--tiles=codes") == plain
    dominoes = output(capsys, "--tiles", "dominoes", *words)
    assert sum(0x1F063 <= ord(sign) <= 0x1F093 for sign in dominoes) > 10


@pytest.mark.parametrize("format", ["json", "csv", "markdown"])
def test_tiles__elsewhere__stay_codes(format, capsys):
    words = ["hand", "--best", "3", "--format", format]
    assert output(capsys, *words, "--tiles", "colour") == output(capsys, *words)


def test_tiles__every_domino_sign__has_the_tiles_pips():
    draw_tiles("dominoes")
    for bit in BIT_ORDER:
        one, other = map(int, pips_of(1 << bit).split("-"))
        assert drawn(written(1 << bit)) == chr(0x1F063 + 7 * one + other)


def test_tiles__suits__have_colours_of_their_own():
    draw_tiles("colour")
    for bit in BIT_ORDER:
        civil = codes_of(1 << bit).isalpha()
        assert drawn(written(1 << bit)).startswith("\x1b[1;33m" if civil else "\x1b[1;36m")


def test_tiles__what_stands_around_them__stays():
    draw_tiles("dominoes")
    assert drawn(written(0b11, out_of_sight=True)).startswith("(") and isinstance(written(1), Tiles)
    assert drawn(written(0b1001, names=True, after=" 墊")).endswith(" 六三 墊")
    assert drawn("63") == "63"


def test_grid__colour__takes_no_room():
    draw_tiles("colour")
    text = Grid(["hand", "n"], [[written(0b1001, names=True), "1"], ["63 六三", "22"]]).text()
    lines = text.splitlines()
    assert width(lines[2]) == width(lines[3]) and "\x1b" in lines[2]


@pytest.mark.parametrize(
    "terminal, settings, coloured",
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_tiles__by_default__are_coloured_on_a_terminal(monkeypatch, terminal, settings, coloured):
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return terminal

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout", Screen())
    draw_tiles(None)
    assert ("\x1b" in drawn(written(1))) == coloured


def test_tiles__another_way__is_one_sentence(capsys):
    assert main(["hand", "--best", "3", "--tiles", "pictures"]) == 2
    assert "--tiles pictures: must be one of codes, colour, dominoes" in capsys.readouterr().err


# ---------------------------------------------------------------- too few hands
@pytest.mark.parametrize(
    "words, few, enough",
    [
        ("simulate --policy greedy", "--hands 999", "--hands 1000"),
        ("hand AA99BK63", "--hands 200", "--hands 1000"),
        ("compare tiengow-ja --set kam=4", "--hands 500", "--hands 1000"),
        ("session --hands 5", "--sessions 20", "--sessions 100"),
        ("tournament greedy random", "--deals 20", "--deals 100"),
        ("study kam", "--deals 50", "--deals 100"),
        ("odds 'banker wins' --policy greedy", "--hands 30", "--hands 1000"),
    ],
)
def test_warning__only_where_there_are_few(words, few, enough, capsys):
    warned = output(capsys, *shlex.split(f"{words} {few}"))
    told = output(capsys, *shlex.split(f"{words} {enough}"))
    assert "Few " in warned and "Few " not in told


def test_warning__names_the_groups(capsys):
    out = output(capsys, "simulate", "--policy", "greedy", "--by", "fours", "--hands", "5000")
    counted = json.loads(
        output(
            capsys,
            "simulate",
            "--policy",
            "greedy",
            "--by",
            "fours",
            "--hands",
            "5000",
            "--format",
            "json",
        )
    )["groups"]
    [line] = [line for line in out.splitlines() if line.startswith("Few hands in the groups")]
    for group, tables in counted.items():
        hands = tables["counts"]["hands"]
        assert (f"{group} ({hands:,})" in line) == (hands < 1000)
