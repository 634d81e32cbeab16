"""Speeds on this machine, beside a yardstick measured in the same minute."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from ...kernels.tiengow.deal import taking
from ...kernels.tiengow.lanes import deal_block, new_lanes
from ...kernels.tiengow.single import play_hands
from ...kernels.yardstick import fisher_yates
from ..checks import ROUNDS, THREADS, checked
from ..runs import default_threads
from .compare import compare
from .request import Run
from .rules import RuleSet
from .session import SessionRun, play_sessions
from .simulate import simulate
from .tables import Tables

COLUMNS = ("work", "threads", "hands_per_second", "to_yardstick")
YARDSTICK = "yardstick: Fisher–Yates shuffles"
_SHORT = 1 << 18  # hands timed at once of what is not played in lanes
_LONG = 1 << 21
_SLOWEST = 1 << 6  # of a policy that looks ahead


def _end_to_end(policy: str, threads: int, hands: int | None = None) -> int:
    run = Run(policies=(policy,) * 4, hands=(hands or _LONG) * threads)
    Tables(simulate(run, threads=threads)).to_json()
    return run.hands


def _deals() -> int:
    deal_block(new_lanes(), np.uint64(1), 0, _LONG, taking(0))
    return _LONG


def _one_by_one(policy: int) -> int:
    wall, dealt = np.zeros(34, np.int64), np.zeros(4, np.int64)
    plays, records = np.zeros((8, 10), np.int64), np.zeros((_SHORT, 2), np.uint32)
    packed = sum(policy << 4 * seat for seat in range(4))
    play_hands(
        np.uint64(1), 0, _SHORT, packed, taking(0), RuleSet().switches(),
        wall, dealt, plays, records,
    )  # fmt: skip
    return _SHORT


def yardstick() -> int:
    """Shuffles of 32 tiles as a textbook has them; returns how many."""
    fisher_yates(_SHORT * 4, np.uint64(1))
    return _SHORT * 4


def _sessions(policy: str, shuffle: str = "perfect") -> int:
    sessions = (_LONG if shuffle == "perfect" else _SHORT) // 64
    run = SessionRun(policies=(policy,) * 4, shuffle=shuffle, hands=64, sessions=sessions)
    play_sessions(run, threads=1)
    return sessions * 64


def _comparison(policy: str) -> int:
    run = Run(policies=(policy,) * 4, hands=_LONG)
    compare(RuleSet(), RuleSet(kam=4, empty=4), run=run, threads=1)
    return _LONG


def works(threads: int | None = None) -> dict[tuple[str, int], Callable[[], int]]:
    """What is timed: name and threads to a call that returns the hands it worked through."""
    many = default_threads() if threads is None else threads
    timed: dict[tuple[str, int], Callable[[], int]] = {
        ("deal alone", 1): _deals,
        ("random, hand by hand", 1): lambda: _one_by_one(0),
        ("greedy, hand by hand", 1): lambda: _one_by_one(1),
    }
    for policy in ("random", "greedy"):
        for number in dict.fromkeys((1, many)):
            name = f"{policy}, end to end"
            timed[name, number] = lambda p=policy, n=number: _end_to_end(p, n)  # type: ignore[misc]
        timed[f"{policy}, sessions of 64", 1] = lambda p=policy: _sessions(p)  # type: ignore[misc]
        timed[f"{policy}, two rule sets compared", 1] = (
            lambda p=policy: _comparison(p)  # type: ignore[misc]
        )
    timed["greedy, washed sessions", 1] = lambda: _sessions("greedy", "wash:1")
    timed["tuned, end to end", 1] = lambda: _end_to_end("tuned", 1, _SHORT)
    timed["rollout:20, end to end", 1] = lambda: _end_to_end("rollout:20", 1, _SLOWEST)
    return timed


@checked(threads=THREADS, rounds=ROUNDS)
def bench(
    *,
    threads: int | None = None,
    rounds: int = 5,
    progress: Callable[[str], None] | None = None,
) -> pd.DataFrame:
    """Time dealing and playing, each next to the yardstick.

    Parameters
    ----------
    threads : int, optional
        The larger number of threads; all processors by default.
    rounds : int
        Times each work is timed; medians are given.
    progress : callable, optional
        Called with the name of each work before it is timed.

    Returns
    -------
    pandas.DataFrame
        Columns `COLUMNS`: hands per second, and the median over rounds of the ratio to the
        yardstick (one thread) timed before and after.  Machines drift; trust the ratios.

    Examples
    --------
    >>> table = bench(rounds=1, threads=1)  # doctest: +SKIP
    """
    yardstick()
    rows = []
    yardsticks = []
    for (name, number), work in works(threads).items():
        if progress is not None:
            progress(f"{name}, {number} thread{'s' * (number > 1)}")
        timed = time_beside_yardstick(work, rounds)
        yardsticks += timed.yardsticks
        rows.append((name, number, timed.speed, timed.ratio))
    rows.insert(0, (YARDSTICK, 1, statistics.median(yardsticks), 1.0))
    return pd.DataFrame(rows, columns=list(COLUMNS))


class Timed(NamedTuple):
    """Medians over the rounds: what a work returns per second, and its ratio to the yardstick."""

    speed: float
    ratio: float
    yardsticks: list[float]


def time_beside_yardstick(work: Callable[[], int], rounds: int) -> Timed:
    """Time a work several times, each between two runs of the yardstick."""
    work()  # compiles
    speeds, ratios, yardsticks = [], [], []
    for _ in range(rounds):
        before = _speed(yardstick)
        speeds.append(_speed(work))
        yardsticks.append((before + _speed(yardstick)) / 2)
        ratios.append(speeds[-1] / yardsticks[-1])
    return Timed(statistics.median(speeds), statistics.median(ratios), yardsticks)


def _speed(work: Callable[[], int]) -> float:
    start = time.perf_counter()
    done = work()
    return done / (time.perf_counter() - start)
