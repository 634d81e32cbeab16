"""Hand by hand: the outcome of every hand of a run as Parquet, for pandas or DuckDB."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.tiengow.settlement import (
    BONUSES,
    FINISH,
    FOUR_BONUSES,
    KAM,
    LAST_SIZE,
    SETTLEMENT,
    STACKS,
    SUPREME_BONUSES,
    SWEEP,
    WINNER,
)
from ..errors import InputError
from ..runs import default_threads, run_blocks
from .duplicate import settle_kept
from .hand_table import codes_of_hands
from .notation import code_of_bit
from .parts import (
    base_facts,
    foreign,
    hands_facts,
    read_counts,
    read_hands_file,
    refuse_to_go_on,
    write_hands,
)
from .playing import Player, block_of
from .records import FINISHES
from .request import SEATS, Run, check_range
from .simulate import Counts, count_rows
from .sources import Range
from .tables import SWEEP_NAMES

if TYPE_CHECKING:
    import pandas as pd

_BLOCKS_A_FILE = 16
HAND_SCHEMA = {
    "hand": "number of the hand in the run, from 0",
    "winner": "seat that wins the last trick 結",
    "last_size": "tiles of that trick (0: a hand pattern 例牌 ended the hand)",
    "last_tile": "code of the tile that wins a last trick of one tile, else null",
    "finish": "plain, yao 幺結, supreme 包尊 or four 四大包",
    "sweep": "none, seven 七支 or eight 八支",
    "caught": "seat that is caught 擒, else null",
    "supreme_bonuses": "payments of 賀尊",
    "four_bonuses": "payments of 四大賀",
    **{f"stacks_{seat}": f"stacks 棟 of {seat}" for seat in SEATS},
    **{f"settlement_{seat}": f"points of {seat}, bonuses aside" for seat in SEATS},
    **{f"bonuses_{seat}": f"points of {seat} from bonuses" for seat in SEATS},
    **{f"tiles_{seat}": f"codes of the eight tiles dealt to {seat}" for seat in SEATS},
}
"""Columns of the files that hold single hands, and what stands in them."""


class _Filler:
    """Plays blocks on one thread into the rows of a file."""

    def __init__(self, run: Run) -> None:
        self._player = Player(run)
        self.rows, self.first = np.zeros((0, 6), np.uint32), 0

    def play(self, start: int, hands: int) -> None:
        place = start - self.first
        self.rows[place : place + hands] = self._player.keep(start, hands)


class Keeper:
    """Plays ranges of hands, writes the outcome of each hand, and counts them: a `Source`.

    Parameters
    ----------
    run : Run
    folder : path
        That of the saved run; receives ``hands-000000.parquet`` and so on.
    threads : int, optional
        Threads; all processors by default.  No byte depends on it.

    Examples
    --------
    >>> import tempfile
    >>> from .saved import SavedRun
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     saved = SavedRun(folder, Run())
    ...     _ = saved.extend(500, source=Keeper(saved.run, saved.folder))
    ...     len(read_hands(saved.folder))
    500
    """

    def __init__(self, run: Run, folder: Path, threads: int | None = None) -> None:
        self.run, self.folder = run, folder
        number = default_threads() if threads is None else threads
        check_range("--threads", number, 1, 1024)
        self._block = block_of(run.players())
        self.span = _BLOCKS_A_FILE * self._block  # hands a file
        self._workers = [_Filler(run) for _ in range(number)]

    def play(
        self, ranges: Iterable[Range], progress: Callable[[int], None]
    ) -> Iterator[tuple[int, int, Counts]]:
        """See `Source`."""
        for first, end in ranges:
            while first < end:
                number = first // self.span
                until = min((number + 1) * self.span, end)
                rows, interrupted = self._write(number, until, progress)
                start, first = first, number * self.span + len(rows)
                if first > start:
                    yield start, first, count_rows(self.run, rows[start - number * self.span :])
                if interrupted:
                    raise KeyboardInterrupt

    def catch_up(self, ranges: Iterable[Range]) -> None:
        """Write the files of hands that were counted before without being kept.

        Raises
        ------
        InputError
            If they were counted by other kernels than these.
        """
        for part in sorted(self.folder.glob("part-*.parquet"))[:1]:
            refuse_to_go_on(self.run, read_counts(part)[0], self.folder)
        for first, end in ranges:
            for number in range(first // self.span, -(-end // self.span)):
                until = min((number + 1) * self.span, end)
                if self._held(number) < until - number * self.span:
                    _, interrupted = self._write(number, until, lambda _hands: None)
                    if interrupted:
                        raise KeyboardInterrupt

    def path(self, number: int) -> Path:
        """The file of hands `number` times `span` and so on."""
        return self.folder / f"hands-{number:06}.parquet"

    def _held(self, number: int) -> int:
        """Hands in a file."""
        path = self.path(number)
        if not path.exists():
            return 0
        facts = hands_facts(path, self.run.identity())
        refuse_to_go_on(self.run, facts, path)
        return int(facts["held"])

    def _write(
        self, number: int, end: int, progress: Callable[[int], None]
    ) -> tuple[NDArray[np.uint32], bool]:
        """Play the hands of a file up to hand `end` and write it; returns them, whether interrupted."""
        first = number * self.span
        rows = np.zeros((end - first, 6), np.uint32)
        for worker in self._workers:
            worker.rows, worker.first = rows, first
        done, interrupted = run_blocks(
            list(self._workers), end, first=first, block=self._block,
            progress=lambda now: progress(now.done - first),
        )  # fmt: skip
        rows = rows[: done - first]
        if len(rows) > self._held(number):
            path = self.path(number)
            facts = base_facts(self.run) | {"file": path.name, "held": len(rows)}
            write_hands(path, hand_columns(self.run, rows, first), facts)
        return rows, interrupted


def hand_columns(run: Run, rows: NDArray[np.uint32], first: int) -> dict[str, Any]:
    """The columns of `HAND_SCHEMA` of kept hands, the first of which has number `first`."""
    import pyarrow as pa

    def named(
        numbers: NDArray[Any], names: Sequence[str], unless: NDArray[np.bool_] | None = None
    ) -> pa.Array:
        return pa.array(names).take(pa.array(np.maximum(numbers, 0), mask=unless))

    settled = settle_kept(rows, run.rules, run.term)
    last = rows[:, 0] >> np.uint32(26) & np.uint32(31)
    columns: dict[str, Any] = {
        "hand": np.arange(first, first + len(rows)),
        "winner": named(settled[:, WINNER], SEATS),
        "last_size": settled[:, LAST_SIZE].astype(np.int8),
        "last_tile": named(
            last, [code_of_bit(bit) for bit in range(32)], unless=settled[:, LAST_SIZE] != 1
        ),
        "finish": named(settled[:, FINISH], FINISHES),
        "sweep": named(settled[:, SWEEP], SWEEP_NAMES),
        "caught": named(settled[:, KAM], SEATS, unless=settled[:, KAM] < 0),
        "supreme_bonuses": settled[:, SUPREME_BONUSES].astype(np.int8),
        "four_bonuses": settled[:, FOUR_BONUSES].astype(np.int8),
    }
    for number, seat in enumerate(SEATS):
        columns[f"stacks_{seat}"] = settled[:, STACKS + number].astype(np.int8)
        columns[f"settlement_{seat}"] = settled[:, SETTLEMENT + number].astype(np.int32)
        columns[f"bonuses_{seat}"] = settled[:, BONUSES + number].astype(np.int32)
        columns[f"tiles_{seat}"] = codes_of_hands(np.ascontiguousarray(rows[:, 2 + number]))
    return {name: columns[name] for name in HAND_SCHEMA}


def read_hands(folder: str | os.PathLike[str]) -> pd.DataFrame:
    """All kept hands of the folder of one saved run as a pandas table, columns `HAND_SCHEMA`.

    Raises
    ------
    InputError
        If there are none, or one of them is damaged or of another run than the others.

    Examples
    --------
    >>> read_hands("nowhere")
    Traceback (most recent call last):
    ...
    gupai.analysis.errors.InputError: nowhere: holds no single hands; play them with gupai simulate ...
    """
    import pyarrow as pa

    paths = sorted(Path(folder).glob("hands-*.parquet"))
    if not paths:
        raise InputError(f"{folder}: holds no single hands; play them with gupai simulate --keep-hands")
    facts, tables = zip(*map(read_hands_file, paths), strict=True)
    for path, told in zip(paths, facts, strict=True):
        if told.get("identity") != facts[0].get("identity"):
            raise foreign(path)
    frame: pd.DataFrame = pa.concat_tables(
        table.replace_schema_metadata() for table in tables
    ).to_pandas()
    return frame
