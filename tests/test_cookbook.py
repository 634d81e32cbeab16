"""The cookbook: every table in it is what its command prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from gupai.reports.cli import main

COOKBOOK = (Path(__file__).parent.parent / "reports" / "cookbook.md").read_text(encoding="utf-8")


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
