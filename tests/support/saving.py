"""Saved runs to test with: played, interrupted, spoilt."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from gupai.analysis import (
    Here,
    Run,
    SavedRun,
)

SEATS = ("banker", "right", "across", "left")
RUN = Run(policies=("greedy",) * 4, hands=50_000, seed=3)
SMALL = 20_000  # hands a part in most tests


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


class Interrupted:
    """Plays as this machine does, and is interrupted after so many pieces."""

    def __init__(self, run: Run, pieces: int, size: int) -> None:
        self.here, self.pieces, self.size = Here(run, 1, run.hands), pieces, size

    def play(self, ranges, progress):
        cut = [
            (a, min(a + self.size, end)) for first, end in ranges for a in range(first, end, self.size)
        ]
        for number, piece in enumerate(self.here.play(cut, progress)):
            if number == self.pieces:
                raise KeyboardInterrupt
            yield piece


def played(folder: Path, run: Run, hands: int, **options) -> SavedRun:
    saved = SavedRun(folder, run)
    saved.extend(hands, **options)
    return saved


def spoil_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 4] ^= 0x40
    path.write_bytes(content)


def spoil_length(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def spoil_all(path: Path) -> None:
    path.write_text("no Parquet")


def spoil_table(path: Path) -> None:
    pq.write_table(pa.table({"key": [1], "count": [2]}), path)
