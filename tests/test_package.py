"""The package: what is installed, and how its folders look."""

from __future__ import annotations

import subprocess
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


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


def test_modules__are_short() -> None:
    for layer in ("kernels", "analysis", "reports"):
        for path in (ROOT / layer).rglob("*.py"):
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path
