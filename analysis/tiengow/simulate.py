"""Playing a run, and the tally of its outcome records."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..checks import THREADS, checked, optional, whole
from ..results import Result
from ..runs import Progress, default_threads, run_blocks
from .playing import Player, block_of
from .request import LARGEST_HANDS, RUN, Run

if TYPE_CHECKING:
    import pandas as pd

GROUPS = 64
_FIRST_TABLE = 1 << 14


@dataclass(frozen=True, kw_only=True, eq=False)
class Tally(Result):
    """What came of a run: how often each outcome record occurred.

    ``Tables(tally)`` are its probability tables; shown, drawn or as a pandas table it is those.

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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        arrays = ("keys", "counts", "last_tiles")
        return (self.run, self.interrupted) == (other.run, other.interrupted) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in arrays
        )

    __hash__ = None  # type: ignore[assignment]

    def to_frame(self) -> pd.DataFrame:
        """All probability tables in one, as ``Tables(tally).to_frame()``.

        Examples
        --------
        >>> frame = simulate(Run(hands=500)).to_frame()
        >>> int(frame[frame["table"] == "winner"]["count"].sum())
        500
        """
        from .tables import Tables

        return Tables(self).to_frame()


class Counts(NamedTuple):
    """Outcome records of some hands, as in a `Tally`."""

    keys: NDArray[np.uint64]
    counts: NDArray[np.int64]
    last_tiles: NDArray[np.int64]


NOTHING = Counts(np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros((GROUPS, 32), np.int64))


def add_counts(parts: Sequence[Counts]) -> Counts:
    """The records of all parts together, each once, rising.

    Examples
    --------
    >>> one = Counts(np.array([7], np.uint64), np.array([2]), np.zeros((GROUPS, 32), np.int64))
    >>> add_counts([one, one]).counts.tolist()
    [4]
    """
    keys, place = np.unique(np.concatenate([part.keys for part in parts]), return_inverse=True)
    counts = np.zeros(keys.size, np.int64)
    np.add.at(counts, place, np.concatenate([part.counts for part in parts]))
    last_tiles = np.asarray(np.sum([part.last_tiles for part in parts], axis=0, dtype=np.int64))
    return Counts(keys, counts, last_tiles)


class _TallyWorker:
    """Plays blocks of a run on one thread and counts what came of them."""

    def __init__(self, run: Run) -> None:
        self._player = Player(run)
        self._last_tiles = np.zeros((GROUPS, 32), np.int64)
        self._parts: list[Counts] = []
        self._new_table(_FIRST_TABLE)

    def _new_table(self, size: int) -> None:
        self._keys = np.zeros(size, np.uint64)
        self._counts = np.zeros(size, np.int64)

    def play(self, start: int, hands: int) -> None:
        end = start + hands
        while start < end:
            start += self._player.count(start, end - start, self._keys, self._counts, self._last_tiles)
            if start < end:  # the table is half full
                self._flush(2 * self._keys.size)

    def count(self, rows: NDArray[np.uint32]) -> None:
        """Count hands that were played and kept."""
        start = 0
        while start < len(rows):
            start += self._player.count_kept(rows, start, self._keys, self._counts, self._last_tiles)
            if start < len(rows):
                self._flush(2 * self._keys.size)

    def _flush(self, size: int) -> None:
        """Put the counted records aside and start a table of another size."""
        used = self._keys != 0
        self._parts.append(Counts(self._keys[used], self._counts[used], np.zeros_like(self._last_tiles)))
        self._new_table(size)

    def take(self) -> Counts:
        """What was counted since the last time."""
        self._flush(_FIRST_TABLE)
        self._parts.append(Counts(self._keys[:0], self._counts[:0], self._last_tiles))
        taken = add_counts(self._parts)
        self._parts, self._last_tiles = [], np.zeros_like(self._last_tiles)
        return taken


def count_rows(run: Run, rows: NDArray[np.uint32]) -> Counts:
    """Count kept hands (see `Player.keep`) as they would have been counted while playing."""
    worker = _TallyWorker(run)
    worker.count(rows)
    return worker.take()


class Counter:
    """Plays ranges of hands of a run on a pool of threads and counts what came of them.

    Parameters
    ----------
    run : Run
    threads : int, optional
        Threads; all processors by default.  No result depends on it.
    block : int, optional
        Hands a block; no result depends on it.
    most : int, optional
        Hands in the longest range; more threads than its blocks are not started.

    Raises
    ------
    InputError
        If `threads` is not from 1 to 1024.
    """

    def __init__(
        self, run: Run, *, threads: int | None = None, block: int | None = None, most: int | None = None
    ) -> None:
        number = default_threads() if threads is None else THREADS("threads", threads)
        self.block = block_of(run.players()) if block is None else block
        most = run.hands if most is None else most
        self.threads = min(number, -(-most // self.block))
        self._workers = [_TallyWorker(run) for _ in range(self.threads)]

    def count(
        self, first: int, end: int, progress: Callable[[Progress], None] | None = None
    ) -> tuple[Counts, int, bool]:
        """Count the hands `first` to ``end - 1``.

        Returns
        -------
        tuple of Counts, int and bool
            Of the hands played, one more than the number of the last one played, and whether
            Ctrl-C ended it early.
        """
        done, interrupted = run_blocks(
            list(self._workers), end, first=first, block=self.block, progress=progress
        )
        return add_counts([worker.take() for worker in self._workers]), done, interrupted


@checked(run=RUN, threads=THREADS, block=optional(whole(1, LARGEST_HANDS)))
def simulate(
    run: Run,
    *,
    threads: int | None = None,
    block: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Tally:
    """Play a run and count its outcome records.

    Parameters
    ----------
    run : Run
    threads : int, optional
        Threads; all processors by default.  The result does not depend on it.
    block : int, optional
        Hands a block; the result does not depend on it.
    progress : callable, optional
        Called several times a second with a `Progress`.

    Returns
    -------
    Tally
        Of the hands played: all of them, or after Ctrl-C the first ones.  As every result it has a
        pandas table, a figure and a file: `to_frame`, `plot`, `save`, `load`.

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
    counted, done, interrupted = Counter(run, threads=threads, block=block).count(0, run.hands, progress)
    return Tally(
        run=dataclasses.replace(run, hands=done) if 0 < done < run.hands else run,
        interrupted=interrupted,
        **counted._asdict(),
    )
