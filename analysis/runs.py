"""Playing blocks of hands on a pool of threads.

A block is a range of hand numbers.  Which thread plays it changes nothing, because a hand
depends on its number alone; results are integer counts, added up at the end.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ..kernels._jit import on_compile as on_compile

BLOCK = 1 << 16
_POLL = 0.1  # seconds between two looks at the progress


class Worker(Protocol):
    """Plays blocks on one thread and keeps its own counts."""

    def play(self, start: int, hands: int) -> None:
        """Play the hands from number `start` on."""


class Progress(NamedTuple):
    """How far a run is: hands played, hands wanted, seconds so far."""

    done: int
    hands: int
    seconds: float

    @property
    def rate(self) -> float:
        """Hands per second."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float:
        """Seconds that the rest will take at this rate."""
        return (self.hands - self.done) / self.rate if self.done else float("inf")


@dataclass
class _Blocks:
    """Hands out blocks in order, so that what was played is always the hands 0 to done - 1."""

    hands: int
    block: int
    given: int = 0
    done: int = 0
    stopped: bool = False

    def __post_init__(self) -> None:
        self.lock = threading.Lock()

    def next(self, finished: int) -> tuple[int, int] | None:
        with self.lock:
            self.done += finished
            if self.stopped or self.given >= self.hands:
                return None
            start, size = self.given, min(self.block, self.hands - self.given)
            self.given += size
            return start, size


def default_threads() -> int:
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


def run_blocks(
    workers: list[Worker],
    hands: int,
    *,
    first: int = 0,
    block: int = BLOCK,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[int, bool]:
    """Play `hands` hands, one thread a worker.

    Parameters
    ----------
    workers : list of Worker
    hands : int
        One more than the number of the last hand.
    first : int
        The number of the first hand.
    block : int
        Hands a block.
    progress : callable, optional
        Called several times a second.

    Returns
    -------
    tuple of int and bool
        One more than the number of the last hand played, and whether Ctrl-C ended the run early.
    """
    blocks = _Blocks(hands, block, given=first, done=first)
    started = time.perf_counter()

    def report() -> None:
        if progress is not None:
            progress(Progress(blocks.done, hands, time.perf_counter() - started))

    def work(worker: Worker) -> None:
        finished = 0
        while (piece := blocks.next(finished)) is not None:
            worker.play(*piece)
            finished = piece[1]

    interrupted = False
    results: list[Future[None]] = []
    with ThreadPoolExecutor(len(workers)) as pool:
        try:
            results += [pool.submit(work, worker) for worker in workers]
            waiting = set(results)
            while waiting:
                _, waiting = wait(waiting, timeout=_POLL)
                report()
                blocks.stopped |= any(f.done() and f.exception() for f in results)
        except KeyboardInterrupt:
            blocks.stopped = interrupted = True
        except BaseException:
            blocks.stopped = True
            raise
    for result in results:
        result.result()
    return blocks.done, interrupted
