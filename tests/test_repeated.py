"""The line that repeats a command repeats it: the same request, and the same bytes."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from gupai.reports.cli import GROUPS, main

POSITION = '{"banker": 0, "hands": ["AC99GJK3", null, null, null], "tricks": []}'
_RULES = "--rules tiengow-zh --set empty=4 --set hand_patterns=no_red,eight_military"
COMMANDS = [
    f"simulate {_RULES} --policy greedy,random,public-a,random --deal top_layers --hands 300 --term 3 "
    "--seed 18446744073709551615 --by right.pairs --given 'banker has AA' --threads 1",
    "simulate --policy random --hands 200 --by winner.red",
    f"odds 'I have no stack and (kam or left has 3)' --given 'right has A' {_RULES} "
    "--policy greedy,random,random,random --hands 700 --term 2 --seed 9",
    "odds 'banker wins' --precision 0.05 --policy random",
    "odds 'banker wins' --relative 20% --policy random --hands 3000",
    "odds 'somebody has 63' --exact --rules tiengow-zh",
    f"hand '6-6 4-4 5-4 3-6 2-2 1-6 1-5 1-2' {_RULES} --policy random --hands 40 --term 2 --seed 3",
    "hand AC99GJK3 --policy greedy --policy random --hands 40",
    "hand --best 3", "hand --worst 2", "hand --swingiest 2",
    f"advise '{POSITION}' --worlds 60 --policy greedy --by win --seed 5 --rules tiengow-zh --set kam=2",
    "advise position.json --worlds 60 --seat 0",
    "advise 'a position.json' --worlds 60",
    "advise --record played.json --seat 2 --worlds 40 --policy greedy --set empty=4 --by win --seed 2",
    "study kam --rules tiengow-ja-wenzun --set empty=4 --deals 300 --term 2 --seed 4",
    "study civil-supreme --deals 20",
    f"compare 'tiengow-ja;kam=4' {_RULES.split()[1]} --policy random --hands 600 --term 2 --seed 3",
    "compare tiengow-ja --set kam=4 --set hand_patterns=no_red --policy random,greedy,greedy,greedy "
    "--hands 600",
    "compare --all-switches tiengow-zh --policy random --hands 60 --term 2",
    "compare tiengow-ja --switch kam --switch empty --policy random --hands 200 --seed 6",
    "compare tiengow-ja --set banker=off --adapt --adapt-steps 1 --adapt-deals 8 --adapt-check 20 "
    "--hands 200 --seed 2",
    f"session {_RULES} --policy greedy,random,random,random --by-role --deal ends_in --shuffle wash:0.5 "
    "--hands 20 --sessions 30 --stake 60 --play-on --banker-changes 4 --first-banker dice --seed 8",
    "session --policy random --hands 9 --sessions 20 --stake 30 --first-banker 2",
    f"deals --deal top_layers --deal ends_in --shuffle wash:1 --shuffle wash:0.25 {_RULES} "
    "--policy greedy,random,random,random --hands 2000 --session-hands 8 --seed 2",
    "patterns no_red all --rules tiengow-zh --set empty=4 --policy random --hands 300 --term 2 --seed 3",
    "tournament greedy random public-a --rules tiengow-zh --set empty=4 --deals 6 --term 2 --seed 3",
]  # fmt: skip
# They print no line: what they do is not a table of numbers, or repeats itself by its own words.
WITHOUT = {
    "score", "show", "merge", "report", "hand-table", "rules", "policies", "tune", "policy-check",
    "bench", "completion",
}  # fmt: skip


def printed(capsys, words: list[str]) -> str:
    assert main(words) == 0, words
    return capsys.readouterr().out


@pytest.fixture
def files(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("position.json", "a position.json"):
        Path(name).write_text(POSITION)
    record = printed(capsys, shlex.split("simulate --policy greedy --show 17 --format json"))
    Path("played.json").write_text(record)


def lines_of(text: str) -> list[str]:
    """The command lines that a table ends with."""
    found = re.findall(r"^(?:gupai [^:\n]*: )?(gupai [a-z].*)$", text, re.MULTILINE)
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("command", COMMANDS)
def test_command__is_repeated_by_the_line_it_prints(command: str, files, capsys) -> None:
    words = [*shlex.split(command), "--lang", "en"]
    table = printed(capsys, words)
    lines = lines_of(table)
    assert lines, "no line to repeat it by"
    again = "".join(printed(capsys, [*shlex.split(line)[1:], "--lang", "en"]) for line in lines)
    if len(lines) == 1:
        assert again == table
        form = ["--format", "json"]
        one = printed(capsys, [*words, *form])
        other = printed(capsys, [*shlex.split(lines[0])[1:], "--lang", "en", *form])
        assert one == other
        found = json.loads(one)
        if isinstance(found, dict) and "command" in found:
            assert found["command"] == lines[0]
    else:  # several runs side by side, each with a line of its own
        assert lines_of(again) == lines
    assert table.splitlines()[-1].endswith(lines[-1]) or lines[-1] in table


def test_commands__all_are_covered() -> None:
    names = {name for group in GROUPS.values() for name in group}
    assert {shlex.split(command)[0] for command in COMMANDS} | WITHOUT == names


def test_advise__from_standard_input__repeats_the_position(capsys, monkeypatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(POSITION.encode())))
    table = printed(capsys, ["advise", "-", "--worlds", "40", "--lang", "en"])
    [line] = lines_of(table)
    assert shlex.split(line)[2] == POSITION
    assert printed(capsys, [*shlex.split(line)[1:], "--lang", "en"]) == table
