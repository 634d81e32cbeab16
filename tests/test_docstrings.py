"""The examples in docstrings."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted(
    ".".join(("gupai", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    for layer in ("kernels", "analysis", "reports")
    for path in (ROOT / layer).rglob("*.py")
    if "examples" not in path.parts
)
assert len(MODULES) > 40


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
