"""The README: its commands and programs work, and what it shows is what they print."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from gupai.reports.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def readme_commands() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    return [line for line in lines if line.startswith("gupai ")]


COMMANDS = readme_commands()
assert len(COMMANDS) > 50


def test_readme__has_the_two_commands() -> None:
    assert "python3 -m venv .venv && .venv/bin/pip install -q -e . && .venv/bin/gupai simulate" in README
    test = "python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' && .venv/bin/pytest"
    assert test in README and test in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def folder_with_policy(folder: Path) -> Path:
    [policy] = [block for block in PYTHON if "# mine.py" in block]
    (folder / "mine.py").write_text(policy, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def readme_folder(tmp_path_factory) -> Path:
    return folder_with_policy(tmp_path_factory.mktemp("readme"))


@pytest.fixture(scope="module")
def process_folder(tmp_path_factory) -> Path:
    return folder_with_policy(tmp_path_factory.mktemp("readme-processes"))


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(
            command,
            marks=pytest.mark.slow if command.startswith(("gupai report", "gupai bench")) else (),
        )
        for command in COMMANDS
    ],
)
def test_readme__every_command_works(command: str, readme_folder: Path, monkeypatch, capsys) -> None:
    """All in one process, in order: some write a file that a later one reads.

    The report and the bench are slow; tests of their own run them at every push.
    """
    monkeypatch.chdir(readme_folder)
    words = shlex.split(command, comments=True)[1:]
    file = None
    if ">" in words:
        *words, sign, file = words
        assert sign == ">"
    assert main(words) == 0
    out = capsys.readouterr().out
    assert out
    if file is not None:
        Path(file).write_text(out, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_readme__every_command_works_in_a_shell(command: str, process_folder: Path) -> None:
    """As above, each typed by itself."""
    program = f"{shlex.quote(sys.executable)} -m gupai.reports.cli "
    done = subprocess.run(
        program + command.removeprefix("gupai ").split("#")[0],
        shell=True, cwd=process_folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout or ">" in command


@pytest.mark.parametrize("block", PYTHON)
def test_readme__python_runs(block: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    exec(compile(block, "README.md", "exec"), {})


def test_readme__shows_real_output() -> None:
    """The figures of the first table in the README are those of a run."""
    from gupai.analysis import Run, Tables, simulate
    from gupai.reports.tiengow import probability_grid

    shown = re.search(r"```text\n(.*?)```", README, re.DOTALL)
    assert shown is not None
    tables = [Tables(simulate(Run(policies=(p,) * 4))) for p in ("random", "greedy")]
    text = probability_grid(tables).text()
    for line in shown.group(1).strip().splitlines():
        assert line in text or line.startswith("…"), line
