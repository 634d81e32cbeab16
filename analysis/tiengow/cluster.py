"""Playing on many machines: the ranges of a run as tasks of dask.distributed.

A task is a range of hands, and its result the counted outcome records of that range, which depend
on the numbers of the hands alone.  Results are taken in the order of the ranges, so that what is
saved or added up is the same as on one thread; a task whose worker was lost is played again.
"""

from __future__ import annotations

import contextlib
import logging
import re
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..checks import text
from ..errors import InputError
from ..runs import BLOCK
from .parts import base_facts, playable
from .playing import block_of
from .request import RUN, Run
from .simulate import Counter, Counts
from .sources import Range

if TYPE_CHECKING:
    from distributed import Client, Future

_BLOCKS_A_TASK = 1024  # of the pinned policies, ten seconds or so; a quarter of it of those that think
_TASKS_A_RUN = 16  # for each thread at least, so that an interrupted run keeps something
_TASKS_A_THREAD = 3  # in work or waiting at a time
_PATIENCE = 15  # seconds until a scheduler answers
_POLL = 0.2  # seconds


def play_range(facts: dict[str, Any], first: int, end: int) -> Counts:
    """Count the hands `first` to ``end - 1`` of the run that `facts` tell of: the task of a worker.

    Raises
    ------
    InputError
        If this worker would play other hands: another gupai, or other weights of a policy.
    """
    run = playable(facts, "this worker")
    return Counter(run, threads=1, most=end - first).count(first, end)[0]


class ClusterLostError(RuntimeError):
    """The scheduler, or worker after worker, ended while a run was played; what had come is kept."""


class Cluster:
    """The workers of a dask scheduler: a `Source`, to be used in a ``with`` statement.

    Parameters
    ----------
    run : Run
    address : str
        Of a scheduler, such as ``tcp://10.0.0.1:8786``; or ``local:N``, N processes on this machine.
    hands : int, optional
        Hands to be played, those of the run by default; a task is at most a share of them, so that
        every worker has some.

    Raises
    ------
    InputError
        If the address is none, nobody answers there, or dask.distributed is not installed.

    Examples
    --------
    >>> with Cluster(Run(), "local:2") as source:  # doctest: +SKIP
    ...     tally = simulate_by(source, Run())
    """

    def __init__(self, run: Run, address: str, hands: int | None = None) -> None:
        self.run, self.address = RUN("run", run), text("cluster", address)
        self._hands = run.hands if hands is None else hands
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Cluster:
        self._client: Client = connect(self.address, self._open)
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(*_losses()):  # a scheduler that is gone need not be told
            self._open.close()

    def play(
        self, ranges: Iterable[Range], progress: Callable[[int], None]
    ) -> Iterator[tuple[int, int, Counts]]:
        """See `Source`.

        Raises
        ------
        ClusterLostError
            If the scheduler is lost, or one task ended several workers.
        """
        try:
            yield from self._play(ranges, progress)
        except _losses() as error:
            what = "worker after worker" if type(error).__name__ == "KilledWorker" else "the scheduler"
            raise ClusterLostError(f"--cluster {self.address}: {what} has ended") from None

    def _play(
        self, ranges: Iterable[Range], progress: Callable[[int], None]
    ) -> Iterator[tuple[int, int, Counts]]:
        threads = max(1, sum(self._client.nthreads().values()))
        block = block_of(self.run.players())
        share = -(-self._hands // (_TASKS_A_RUN * threads * block)) * block
        most = _BLOCKS_A_TASK if block == BLOCK else _BLOCKS_A_TASK // 4
        tasks = iter(_pieces(ranges, min(most * block, share)))
        facts = base_facts(self.run)
        waiting: deque[tuple[int, int, Future]] = deque()
        try:
            while True:
                while len(waiting) < _TASKS_A_THREAD * threads and (task := next(tasks, None)):
                    future = self._client.submit(play_range, facts, *task, pure=False)
                    waiting.append((*task, future))
                if not waiting:
                    return
                first, end, future = waiting[0]
                while not future.done():
                    with contextlib.suppress(TimeoutError):
                        future.result(timeout=_POLL)
                    progress(sum(b - a for a, b, other in waiting if other.done()))
                yield first, end, future.result()
                waiting.popleft()
        except KeyboardInterrupt:
            while waiting and waiting[0][2].status == "finished":
                first, end, future = waiting.popleft()
                yield first, end, future.result()
            raise
        finally:
            with contextlib.suppress(*_losses()):
                for _, _, future in waiting:
                    future.cancel()


def _losses() -> tuple[type[BaseException], ...]:
    """What is raised where a scheduler or its workers are gone."""
    import asyncio
    from concurrent.futures import CancelledError

    from distributed.comm import CommClosedError
    from distributed.scheduler import KilledWorker

    return CancelledError, asyncio.CancelledError, CommClosedError, KilledWorker, TimeoutError


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Have the libraries below log nothing: what matters to the user is raised."""
    names = ("", ".client", ".core", ".comm", ".batched", ".worker", ".scheduler", ".nanny")
    loggers = [logging.getLogger(f"distributed{name}") for name in names]
    loggers += [logging.getLogger(name) for name in ("tornado.application", "asyncio")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def _pieces(ranges: Iterable[Range], size: int) -> Iterator[Range]:
    """Ranges cut into pieces of at most `size` hands."""
    for first, end in ranges:
        for start in range(first, end, size):
            yield start, min(start + size, end)


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Processes that are started meanwhile leave Ctrl-C to this one."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def connect(address: str, opened: contextlib.ExitStack) -> Client:
    """A client of the scheduler at an address, closed with `opened`."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise InputError(
            "--cluster: needs dask.distributed; install it with pip install 'gupai[cluster]'"
        ) from None
    opened.enter_context(_quiet())
    local = re.fullmatch(r"local:([0-9]{1,4})", address)
    if local is not None:
        if not 1 <= int(local[1]) <= 1024:
            raise InputError(f"--cluster {address}: write local:1 to local:1024")
        with _interrupts_ignored():
            processes = LocalCluster(
                n_workers=int(local[1]), threads_per_worker=1, dashboard_address=None, silence_logs=50
            )
        cluster = opened.enter_context(processes)
        return opened.enter_context(Client(cluster))
    if not re.fullmatch(r"(?:(?:tcp|tls)://)?[^/:\s]+:[0-9]{1,5}", address) or (
        int(address.rpartition(":")[2]) > 65535
    ):
        raise InputError(
            f"--cluster {address}: write the address of a scheduler, such as tcp://10.0.0.1:8786, or "
            "local:N for N processes on this machine"
        )
    try:
        return opened.enter_context(Client(address, timeout=_PATIENCE))
    except OSError:
        raise InputError(
            f"--cluster {address}: no scheduler answers there; start one with dask scheduler"
        ) from None
