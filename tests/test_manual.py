"""Help, examples and completion; and that small commands stay quick."""

from __future__ import annotations

import importlib
import json
import os
import shlex
import shutil
import subprocess
import sys

import pytest

from gupai.reports.cli import GROUPS, main, make_app, overview
from gupai.reports.manual import EXAMPLES

COMMANDS = {name: entry for commands in GROUPS.values() for name, entry in commands.items()}


@pytest.mark.parametrize("name", COMMANDS)
def test_command__says_the_same_in_the_overview_and_by_itself(name):
    place, about = COMMANDS[name]
    module, function = place.split(":")
    command = getattr(importlib.import_module(f"gupai.reports.{module}"), f"{function}_command")
    assert command.__doc__.strip().splitlines()[0] == about


@pytest.mark.parametrize("name", COMMANDS)
def test_command__help__has_its_examples(name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    for about, words in EXAMPLES[name]:
        assert about in out and words in out


@pytest.mark.parametrize("words", [words for examples in EXAMPLES.values() for _, words in examples])
def test_example__is_a_command_line(words):
    plain = shlex.split(words.split(" > ")[0].split(" >> ")[0])
    assert plain[0] == "gupai"
    make_app().parse_args(plain[1:], exit_on_error=False, print_error=False)


def test_examples__are_of_commands():
    assert set(EXAMPLES) == set(COMMANDS)


@pytest.mark.parametrize("words", [[], ["-h"], ["--help"]])
def test_overview__names_every_command(words, capsys):
    assert main(words) == 0
    out = capsys.readouterr().out
    assert all(f"  {name}  " in out for name in COMMANDS)


@pytest.mark.parametrize("columns", ["20", "40", "80", "300"])
def test_overview__keeps_to_the_terminal(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    lines = overview().splitlines()
    assert max(len(line) for line in lines if line.startswith("  ")) <= max(40, int(columns))


HEAVY = ("numpy", "numba", "pandas", "scipy", "matplotlib", "pyarrow", "rich")


@pytest.mark.parametrize(
    "words, never", [(["--help"], (*HEAVY, "cyclopts", "pydantic")), (["score", "hand.jsonl"], HEAVY)]
)
def test_small_commands__load_nothing_heavy(tmp_path, data, words, never):
    """What makes a start slow is what is imported."""
    line = (data / "tiengow-records.jsonl").read_text().splitlines()[0]
    (tmp_path / "hand.jsonl").write_text(json.dumps(json.loads(line)["record"]))
    program = (
        "import sys\nfrom gupai.reports.cli import main\n"
        f"assert main({words!r}) == 0\nprint([name for name in {never!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion__names_commands_and_options(shell, capsys):
    assert main(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert "hand-table" in out and "keep-hands" in out


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    "typed, offered", [("gupai sim", "simulate"), ("gupai simulate --keep", "--keep-hands")]
)
def test_completion__in_bash__completes(tmp_path, capsys, typed, offered):
    assert main(["completion", "bash"]) == 0
    (tmp_path / "gupai.bash").write_text(capsys.readouterr().out)
    words = typed.split()
    script = (
        f"source gupai.bash; COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _gupai; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert offered in done.stdout.split()


def test_completion__of_an_unknown_shell__is_one_sentence(capsys, monkeypatch):
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert main(["completion"]) == 2
    assert "name the shell" in capsys.readouterr().err
    monkeypatch.setenv("SHELL", "/bin/bash")
    assert main(["completion"]) == 0
    assert os.linesep in capsys.readouterr().out
