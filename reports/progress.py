"""Progress on standard error: hands played, rate, time left; and when kernels are compiled."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from .streams import tell

if TYPE_CHECKING:
    from ..analysis.runs import Progress

_PATIENCE = 0.7  # seconds without a word


def note(text: str) -> None:
    """A line on standard error."""
    tell(f"{text}\n")


@cache
def announce_compiling() -> None:
    """From now on, say what the wait is for whenever a kernel is about to be compiled."""
    from ..kernels._jit import on_compile

    wait = "once on this machine (a few seconds to half a minute)"
    on_compile(lambda _name: note(f"compiling a kernel, {wait} …"))


@contextmanager
def progress_line(what: str) -> Iterator[Callable[[Progress], None]]:
    """A line that rewrites itself on a terminal, and stays silent elsewhere and in short runs."""
    from .numbers import duration, rate

    on_terminal = sys.stderr is not None and sys.stderr.isatty()
    shown = False

    def show(progress: Progress) -> None:
        nonlocal shown
        if not on_terminal or progress.seconds < _PATIENCE:
            return
        shown = True
        share = progress.done / progress.hands
        left = duration(progress.seconds_left) if progress.done else "?"
        line = f"{what}: {share:6.1%} of {progress.hands:,} hands, {rate(progress.rate)}, {left} left"
        line = line[: shutil.get_terminal_size().columns - 1]  # a wrapped line cannot be rewritten
        tell(f"\r\x1b[2K{line}")

    try:
        yield show
    finally:
        if shown:
            tell("\r\x1b[2K")
