"""The package: what is installed, its documentation, and its README."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from gupai.reports.cli import main

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
MODULES = sorted(
    ".".join(("gupai", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    for layer in ("kernels", "analysis", "reports")
    for path in (ROOT / layer).rglob("*.py")
    if "examples" not in path.parts
)
assert len(MODULES) > 40


def test_packages__every_folder_with_code_is_listed() -> None:
    folders = {
        path.parent.relative_to(ROOT).as_posix()
        for layer in ("kernels", "analysis", "reports")
        for path in (ROOT / layer).rglob("*.py")
        if "examples" not in path.parts
    }
    settings = PROJECT["tool"]["setuptools"]
    assert set(settings["packages"]) == set(settings["package-dir"])
    assert {folder: name for name, folder in settings["package-dir"].items()} == {
        folder: "gupai" if folder == "reports/program" else f"gupai.{folder.replace('/', '.')}"
        for folder in folders
    }


def test_version__is_that_of_the_changelog() -> None:
    assert version("gupai") == PROJECT["project"]["version"]
    assert f"## {version('gupai')}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_root__holds_the_fixed_set_only() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not in a checkout")
    top = {line.split("/")[0] for line in listed.stdout.splitlines()}
    assert top <= {
        "pyproject.toml", "analysis", "kernels", "reports", "tests", "README.md", "LICENSE",
        "CHANGELOG.md", ".gitignore", ".ci",
    }  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_docstrings__examples_run(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert result.failed == 0


def test_docstrings__every_public_call_has_an_example() -> None:
    analysis = importlib.import_module("gupai.analysis")
    for name in analysis.__all__:
        thing = getattr(analysis, name)
        if callable(thing) and not isinstance(thing, type):
            assert thing.__doc__ and ">>>" in thing.__doc__, name
        elif isinstance(thing, type):
            assert thing.__doc__, name


def test_modules__are_short() -> None:
    for layer in ("kernels", "analysis", "reports"):
        for path in (ROOT / layer).rglob("*.py"):
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path


COOKBOOK = (ROOT / "reports" / "cookbook.md").read_text(encoding="utf-8")


def readme_commands() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    return [line for line in lines if line.startswith("gupai ")]


def test_readme__has_the_two_commands() -> None:
    assert "python3 -m venv .venv && .venv/bin/pip install -q -e . && .venv/bin/gupai simulate" in README
    test = "python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' && .venv/bin/pytest"
    assert test in README and test in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def readme_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("readme")
    [policy] = [
        block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "# mine.py" in block
    ]
    (folder / "mine.py").write_text(policy, encoding="utf-8")
    return folder


@pytest.mark.parametrize("command", readme_commands())
def test_readme__every_command_works(command: str, readme_folder: Path) -> None:
    """In order: some write a file that a later one reads."""
    program = f"{shlex.quote(sys.executable)} -m gupai.reports.cli "
    done = subprocess.run(
        program + command.removeprefix("gupai ").split("#")[0],
        shell=True, cwd=readme_folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout or ">" in command


@pytest.mark.parametrize(
    "command, shown", re.findall(r"```sh\n(.*?)\n```\n\n```text\n(.*?)```", COOKBOOK, re.DOTALL)
)
def test_cookbook__shows_what_its_commands_print(command: str, shown: str, capsys) -> None:
    assert main(shlex.split(command)[1:]) == 0
    printed = iter(line.rstrip() for line in capsys.readouterr().out.splitlines())
    for line in shown.splitlines():
        assert line == "…" or line in printed, line  # in this order


def test_cookbook__every_command_has_its_output() -> None:
    assert COOKBOOK.count("```sh") == COOKBOOK.count("```text") >= 12
    asked = set(
        re.findall(r"[0-9]+", " ".join(re.findall(r"^## ([0-9 and,]+)\.", COOKBOOK, re.MULTILINE)))
    )
    assert asked == {str(n) for n in (1, 2, 3, 4, 6, 12, 16, 18, 19, 20, 21, 22, 28)}


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_readme__python_runs(block: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    exec(compile(block, "README.md", "exec"), {})


def test_readme__shows_real_output() -> None:
    """The figures of the first table in the README are those of a run."""
    from gupai.analysis import Run, Tables, simulate

    shown = re.search(r"```text\n(.*?)```", README, re.DOTALL)
    assert shown is not None
    from gupai.reports.tiengow import probability_grid

    tables = [Tables(simulate(Run(policies=(p,) * 4))) for p in ("random", "greedy")]
    text = probability_grid(tables).text()
    for line in shown.group(1).strip().splitlines():
        assert line in text or line.startswith("…"), line
