"""Progress on standard error: hands played, rate, time left; and when kernels are compiled."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..analysis.runs import Progress
from ..kernels._jit import on_compile
from .numbers import duration, rate

_PATIENCE = 0.7  # seconds without a word


def note(text: str) -> None:
    """A line on standard error."""
    print(text, file=sys.stderr, flush=True)


_told: list[str] = []


def announce_compiling() -> None:
    """Say once, when the first kernel is about to be compiled, what the wait is for."""

    def tell(_name: str) -> None:
        if not _told:
            _told.append("compiling")
            note("compiling the kernels, once on this machine (some 10 to 30 seconds) …")

    on_compile(tell)


@contextmanager
def progress_line(what: str) -> Iterator[Callable[[Progress], None]]:
    """A line that rewrites itself on a terminal, and stays silent elsewhere and in short runs."""
    on_terminal = sys.stderr.isatty()
    shown = False

    def show(progress: Progress) -> None:
        nonlocal shown
        if not on_terminal or progress.seconds < _PATIENCE:
            return
        shown = True
        share = progress.done / progress.hands
        left = duration(progress.seconds_left) if progress.done else "?"
        line = f"{what}: {share:6.1%} of {progress.hands:,} hands, {rate(progress.rate)}, {left} left"
        print(f"\r\x1b[2K{line}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown:
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)
