"""Tables fold to the terminal's width, and say the same as unfolded ones."""

from __future__ import annotations

import re

import pytest

from gupai.reports import grid as grids
from gupai.reports.cli import main
from gupai.reports.grid import Grid, width

ROOM = 80
POSITION = '{"banker": 0, "hands": ["AC99GJK3", null, null, null], "tricks": []}'
TABLES = [
    "simulate --hands 2000",
    "simulate --policy greedy --by fours --hands 2000",
    "compare tiengow-ja tiengow-zh --policy random --hands 2000",
    "compare tiengow-ja --switch kam --policy random --hands 2000",
    "hand AC99GJK3 --hands 300",
    "hand --best 3",
    "odds 'banker has A and right has B and across has C and left has D and not banker has 3 or kam' "
    "--hands 2000",
    "session --hands 8 --sessions 50",
    "deals --deal top_layers --shuffle wash:1 --hands 4000",
    "patterns no_red --hands 2000",
    "study safe-tricks --deals 20",
    "tournament greedy random public-a --deals 8",
    f"advise '{POSITION}' --worlds 40",
]


def printed(capsys, command: str, *more: str) -> str:
    import shlex

    assert main([*shlex.split(command), *more]) == 0
    return capsys.readouterr().out


def cells(text: str) -> list[str]:
    """Every word of the tables' lines, without those that stand in several parts again."""
    return sorted(set(re.findall(r"\S+", text.replace("─", ""))))


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
@pytest.mark.parametrize("command", TABLES)
def test_tables__at_80_columns__are_folded(command, language, capsys, monkeypatch) -> None:
    if language != "en" and command.startswith(("tournament", "study", "advise")):
        pytest.skip("the width of these is that of their numbers")
    plain = printed(capsys, command, "--lang", language)
    monkeypatch.setattr(grids, "terminal_room", lambda: ROOM)
    folded = printed(capsys, command, "--lang", language)
    rule = 0
    lines = folded.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("──"):
            rule += 1
            part = lines[number - 1 : lines.index("", number) if "" in lines[number:] else None]
            assert max(map(width, part)) <= ROOM, part
    assert rule
    for line in lines:  # notes are not folded: the terminal wraps them, and a command can be copied
        assert width(line) <= ROOM or line in plain.splitlines()


def test_text__folded__keeps_every_cell() -> None:
    grid = Grid(
        ["", "A: one", "B: other"], [["a rather long name of a row", "20.73 %", "14 %"], ["Part"]]
    )
    narrow = grid.text(24)
    assert max(map(width, narrow.splitlines())) <= 24
    assert set(cells(grid.text())) == set(cells(narrow))


def test_text__that_fits__is_not_touched() -> None:
    grid = Grid(["", "A"], [["row", "1"]])
    assert grid.text(80) == grid.text() == grid.text(8)


def test_text__long_words_and_wide_signs__are_cut_between_signs() -> None:
    grid = Grid(["", "天" * 30], [["x" * 50, "1"]])
    narrow = grid.text(30)
    assert max(map(width, narrow.splitlines())) <= 30
    assert narrow.count("天") == 30 and narrow.count("x") == 50


def test_split__says_whose(capsys) -> None:
    for by, whose in (
        ("fours", "banker 莊"),
        ("right.pairs", "right 下家"),
        ("winner.military", "winner"),
    ):
        text = printed(capsys, f"simulate --policy greedy --by {by} --hands 500 --lang en")
        assert whose in text.splitlines()[0] and by.split(".")[-1][:4] in text.splitlines()[0]
