"""Who plays the hands of a run: this machine's threads, or others."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from ..checks import checked, whole
from ..runs import Progress
from .request import LARGEST_HANDS, RUN, Run
from .simulate import NOTHING, Counter, Counts, Tally, add_counts

_PIECE = 10.0  # seconds of play
Range = tuple[int, int]  # the first hand, and one more than the last


class Source(Protocol):
    """Plays ranges of hands of a run, here or elsewhere.

    Examples
    --------
    >>> source: Source = Here(Run(), 1, 500)
    """

    def play(
        self, ranges: Iterable[Range], progress: Callable[[int], None]
    ) -> Iterator[tuple[int, int, Counts]]:
        """Play `ranges`; yields what came of them piece by piece in their order.

        `progress` is called with hands played of the piece in work.  Ctrl-C is raised after what
        was played has been yielded.
        """


class Here:
    """Plays on this machine's threads, in pieces of some seconds: a `Source`.

    Parameters
    ----------
    run : Run
    threads : int or None
        None: all processors.
    most : int
        Hands in the longest range.

    Examples
    --------
    >>> pieces = Here(Run(), 1, 500).play([(0, 500)], lambda _hands: None)
    >>> [(first, end) for first, end, _ in pieces]
    [(0, 500)]
    """

    def __init__(self, run: Run, threads: int | None, most: int) -> None:
        whole(1, LARGEST_HANDS)("most", most)
        self._counter = Counter(RUN("run", run), threads=threads, most=most)

    def play(
        self, ranges: Iterable[Range], progress: Callable[[int], None]
    ) -> Iterator[tuple[int, int, Counts]]:
        """See `Source`."""
        step = 4 * self._counter.block * self._counter.threads
        for first, end in ranges:
            while first < end:
                until = min(first + step, end)
                started, start = time.perf_counter(), first
                counts, first, interrupted = self._counter.count(
                    start,
                    until,
                    lambda now, start=start: progress(now.done - start),  # type: ignore[misc]
                )
                if first > start:
                    yield start, first, counts
                if interrupted:
                    raise KeyboardInterrupt
                rate = (until - start) / max(time.perf_counter() - started, 1e-3)
                step = max(self._counter.block, int(rate * _PIECE))


class Meter:
    """Tells how many of the hands wanted are played; never less than it told before.

    Parameters
    ----------
    wanted : int
        Hands.
    progress : callable or None
        Called with a `Progress`.
    """

    def __init__(self, wanted: int, progress: Callable[[Progress], None] | None) -> None:
        self.done = 0  # hands taken
        self._told, self._wanted, self._progress = 0, wanted, progress
        self._started = time.perf_counter()

    def tell(self, more: int = 0) -> None:
        """Tell of the hands taken and `more` that are in work."""
        self._told = max(self._told, self.done + more)
        if self._progress is not None:
            self._progress(Progress(self._told, self._wanted, time.perf_counter() - self._started))


@checked(run=RUN)
def simulate_by(
    source: Source, run: Run, *, progress: Callable[[Progress], None] | None = None
) -> Tally:
    """Play a run by a source, such as a cluster; the tally is that of `simulate`.

    Examples
    --------
    >>> run = Run(hands=500)
    >>> int(simulate_by(Here(run, 1, run.hands), run).counts.sum())
    500
    """
    meter, total, interrupted = Meter(run.hands, progress), (NOTHING, 0), False
    try:
        for _, end, counts in source.play([(0, run.hands)], meter.tell):
            total = add_counts([total[0], counts]), end  # at once: hands and how many there are
            meter.done = end
            meter.tell()
    except KeyboardInterrupt:
        interrupted = True
    counted, done = total
    run = dataclasses.replace(run, hands=done) if 0 < done < run.hands else run
    return Tally(run=run, interrupted=interrupted, **counted._asdict())
