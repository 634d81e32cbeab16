"""Everything in this folder is slow; its table is printed at the end: pytest tests/coverage -m slow -n 0."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import ledger


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)


def pytest_terminal_summary(terminalreporter):
    if ledger.Cell.cells:
        terminalreporter.section("coverage of nominal 95 % intervals")
        for line in ledger.table():
            terminalreporter.write_line(line)
