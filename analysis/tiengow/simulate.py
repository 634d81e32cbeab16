"""Playing a run, and the tally of its outcome records."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..runs import BLOCK, Progress, default_threads, run_blocks
from .playing import Player
from .request import Run, check_range

GROUPS = 64
_FIRST_TABLE = 1 << 14


@dataclass(frozen=True, kw_only=True)
class Tally:
    """How often each outcome record occurred.

    Attributes
    ----------
    run : Run
        The request, with `hands` as many as were played (as asked for, if none were).
    keys : uint64 array, n
        Distinct records, rising: the settled bits of `result` below, `honours` and the group
        above.
    counts : int64 array, n
        Hands.
    last_tiles : int64 array, 64 × 32
        Hands whose last trick was won with one tile, by group and bit of that tile.
    interrupted : bool
        Whether Ctrl-C ended the run early.
    """

    run: Run
    keys: NDArray[np.uint64]
    counts: NDArray[np.int64]
    last_tiles: NDArray[np.int64]
    interrupted: bool = False


class _TallyWorker:
    """Plays blocks of a run on one thread and counts what came of them."""

    def __init__(self, run: Run) -> None:
        self._player = Player(run)
        self.last_tiles = np.zeros((GROUPS, 32), np.int64)
        self.parts: list[tuple[NDArray[np.uint64], NDArray[np.int64]]] = []
        self._new_table(_FIRST_TABLE)

    def _new_table(self, size: int) -> None:
        self._keys = np.zeros(size, np.uint64)
        self._counts = np.zeros(size, np.int64)

    def play(self, start: int, hands: int) -> None:
        end = start + hands
        while start < end:
            start += self._player.count(start, end - start, self._keys, self._counts, self.last_tiles)
            if start < end:  # the table is half full
                self.flush(2 * self._keys.size)

    def flush(self, size: int) -> None:
        """Put the counted records aside and start a table of another size."""
        used = self._keys != 0
        self.parts.append((self._keys[used], self._counts[used]))
        self._new_table(size)


def simulate(
    run: Run,
    *,
    threads: int | None = None,
    block: int = BLOCK,
    progress: Callable[[Progress], None] | None = None,
) -> Tally:
    """Play a run and count its outcome records.

    Parameters
    ----------
    run : Run
    threads : int, optional
        Threads; all processors by default.  The result does not depend on it.
    block : int
        Hands a block; the result does not depend on it.
    progress : callable, optional
        Called several times a second with a `Progress`.

    Returns
    -------
    Tally
        Of the hands played: all of them, or after Ctrl-C the first ones.

    Raises
    ------
    InputError
        If `threads` is below 1.

    Examples
    --------
    >>> tally = simulate(Run(policies=("random",) * 4, hands=500))
    >>> int(tally.counts.sum())
    500
    """
    number = default_threads() if threads is None else threads
    check_range("--threads", number, 1, 1024)
    number = min(number, -(-run.hands // block))
    workers = [_TallyWorker(run) for _ in range(number)]
    done, interrupted = run_blocks(list(workers), run.hands, block=block, progress=progress)
    for worker in workers:
        worker.flush(_FIRST_TABLE)
    parts = [part for worker in workers for part in worker.parts]
    keys, place = np.unique(np.concatenate([keys for keys, _ in parts]), return_inverse=True)
    counts = np.zeros(keys.size, np.int64)
    np.add.at(counts, place, np.concatenate([counts for _, counts in parts]))
    return Tally(
        run=dataclasses.replace(run, hands=done) if 0 < done < run.hands else run,
        keys=keys,
        counts=counts,
        last_tiles=np.sum([worker.last_tiles for worker in workers], axis=0, dtype=np.int64),
        interrupted=interrupted,
    )
