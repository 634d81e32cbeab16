"""Runs kept in a folder: Parquet parts of 100 million hands each, which add up to the run.

A part holds the first so many of its hands.  Playing adds to what is there, so that a run which
was interrupted, or is asked for more hands, ends in the same bytes as one played in one go.
"""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from ..files import alone, clear_leftovers, make_folder, replacing
from ..runs import Progress
from ..sealed import content_of
from .parts import (
    base_facts,
    damaged,
    foreign,
    read_counts,
    refuse_to_go_on,
    unlike,
    write_counts,
)
from .playing import prepare
from .request import Run
from .simulate import Counts, Tally, add_counts
from .sources import Here, Meter, Range, Source

PART = 100_000_000  # hands
_BETWEEN_SAVINGS = 10.0  # seconds


class SavedRun:
    """A run in a folder.

    Parameters
    ----------
    folder : path
        Holds one folder a run, named by its identity.
    run : Run
        Its `hands` do not matter here.
    identity : str, optional
        Of a run that is read from the folder and may have been played by another gupai.

    Raises
    ------
    InputError
        Naming a part that is damaged or belongs to another run.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     saved = SavedRun(folder, Run())
    ...     saved.extend(500), saved.extend(500), saved.ranges()
    (500, 0, [(0, 500)])
    """

    def __init__(self, folder: str | os.PathLike[str], run: Run, identity: str | None = None) -> None:
        self.run, self.identity = run, identity or run.identity()
        self.folder = Path(folder) / f"run-{self.identity}"
        self._facts: dict[str, Any] | None = None  # of a part that is held
        self._seen: dict[Path, tuple[tuple[int, ...], int, int]] = {}
        self._look()

    def _look(self) -> None:
        """See what the folder holds; a file that has not changed is not read again."""
        self._held: dict[int, int] = {}  # hands of each part
        for path in sorted(self.folder.glob("part-*.parquet")):
            mark = _mark(path)
            if path not in self._seen or self._seen[path][0] != mark:
                self._seen[path] = (mark, *self._read(path)[:2])
            _, number, hands = self._seen[path]
            self._held[number] = hands

    def _read(self, path: Path) -> tuple[int, int, Counts]:
        facts, counts = read_counts(path)
        if facts.get("identity") != self.identity:
            raise foreign(path)
        number, hands = facts.get("part"), facts.get("held")
        if type(number) is not int or type(hands) is not int or not 0 < hands <= PART:
            raise damaged(path, "it does not say which hands it holds")
        if int(counts.counts.sum()) != hands:
            raise damaged(path, "it does not hold as many hands as it says")
        if path != self._path(number):
            raise InputError(
                f"{path}: bears another name than it was given; put it elsewhere, or name it again "
                f"{self._path(number).name}"
            )
        self._facts = self._facts or facts
        if facts.get("kernels") != self._facts.get("kernels"):
            raise unlike(path, self._path(self._facts["part"]))
        return number, hands, counts

    @property
    def shown_only(self) -> str:
        """Why it can be shown and not gone on with, in one sentence; nothing where it can."""
        try:
            self.check_playable()
        except InputError as error:
            return str(error)
        return ""

    def check_playable(self) -> None:
        """Refuse to add hands to what another gupai played.

        Raises
        ------
        InputError
            Saying what differs: kernels, policies or the way of playing.
        """
        if self._facts is not None:
            refuse_to_go_on(self.run, self._facts, self.folder)

    def _path(self, number: int) -> Path:
        return self.folder / f"part-{number:06}.parquet"

    def ranges(self) -> list[Range]:
        """The hands held, as ranges that do not touch one another."""
        found: list[Range] = []
        for number, hands in sorted(self._held.items()):
            first = number * PART
            if found and found[-1][1] == first:
                found[-1] = (found[-1][0], first + hands)
            else:
                found.append((first, first + hands))
        return found

    def missing(self, first: int, end: int) -> Iterator[Range]:
        """The ranges of hands that are not held, from `first` (where a part begins) up to `end`."""
        for number in range(first // PART, -(-end // PART)):
            start = number * PART + self._held.get(number, 0)
            until = min((number + 1) * PART, end)
            if start < until:
                yield start, until

    def lacking(self, first: int, end: int) -> int:
        """How many hands `missing` tells of."""
        held = [
            min(hands, max(0, end - number * PART))
            for number, hands in self._held.items()
            if number >= first // PART
        ]
        return end - first - sum(held)

    def extend(
        self,
        hands: int,
        *,
        first: int = 0,
        source: Source | None = None,
        threads: int | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> int:
        """Play the hands up to number `hands` that are missing, saving every few seconds.

        Parameters
        ----------
        hands : int
            One more than the number of the last hand.
        first : int
            The first hand wanted, where a part begins.
        source : Source, optional
            Who plays; by default this machine on `threads` threads.
        progress : callable, optional
            Called several times a second.

        Returns
        -------
        int
            Hands added.

        Raises
        ------
        KeyboardInterrupt
            After what was played has been saved.
        """
        if first % PART or not 0 <= first < hands:
            raise InputError(
                f"--first {first}: must be where a part of {PART:,} hands begins, below --hands: "
                f"0, {PART:,}, {2 * PART:,} …"
            )
        if not self.lacking(first, hands):
            return 0
        self.check_playable()
        make_folder(self.folder)
        with alone(self.folder):
            self._look()  # again: another may have played meanwhile
            self.check_playable()
            clear_leftovers(self.folder, "*.parquet")
            return self._extend(hands, first, source, threads, progress)

    def _extend(
        self,
        hands: int,
        first: int,
        source: Source | None,
        threads: int | None,
        progress: Callable[[Progress], None] | None,
    ) -> int:
        wanted = self.lacking(first, hands)
        if source is None:
            prepare(self.run)
            source = Here(self.run, threads, wanted)
        meter, saved = Meter(wanted, progress), time.perf_counter()
        waiting: list[tuple[int, int, Counts]] = []  # pieces of one part that may not be saved yet
        try:
            for start, end, counts in source.play(self.missing(first, hands), meter.tell):
                if waiting and waiting[-1][0] // PART != start // PART:
                    self._save(waiting)
                    waiting = []
                waiting.append((start, end, counts))
                meter.done += end - start
                meter.tell()
                if end % PART == 0 or time.perf_counter() - saved > _BETWEEN_SAVINGS:
                    self._save(waiting)
                    waiting, saved = [], time.perf_counter()
        finally:  # interrupted anywhere, in a save too: a piece that is held is not added again
            self._save(waiting)
        return meter.done

    def _save(self, pieces: list[tuple[int, int, Counts]]) -> None:
        """Add those of some pieces to their part that it does not hold; the file says which these are.

        So it may be interrupted at any place and done again: the file is the only memory of it.
        """
        if not pieces:
            return
        number = pieces[0][0] // PART
        path, held = self._path(number), 0
        counts: list[Counts] = []
        if path.exists():
            _, held, before = self._read(path)
            counts.append(before)
        self._held[number] = held
        for start, end, more in pieces:
            if start == number * PART + held:
                counts.append(more)
                held += end - start
        if held > self._held.get(number, 0):
            facts = base_facts(self.run) | {"part": number, "held": held}
            write_counts(path, add_counts(counts), facts)
            self._held[number] = held

    def take(self, other: SavedRun) -> None:
        """Take the parts of the same run from another folder, where they hold more hands.

        Raises
        ------
        InputError
            If two parts disagree: one does not hold what the other does.
        """
        for number in sorted(other._held):
            path = other._path(number)
            _, hands, counts = other._read(path)
            held = self._held.get(number, 0)
            mine, theirs = self._facts or {}, other._facts or {}
            if mine and mine.get("kernels") != theirs.get("kernels"):
                raise unlike(path, self._path(mine["part"]))
            if held:
                here = self._read(self._path(number))[2]
                shorter, longer = (here, counts) if held <= hands else (counts, here)
                if not _contains(longer, shorter):
                    raise InputError(
                        f"{path}: disagrees with {self._path(number)}, though both are of the same run; "
                        "delete the one that is wrong"
                    )
            if hands > held:  # as it is: who played it stands in it
                content = content_of(path)
                with replacing(self._path(number)) as beside:
                    beside.write_bytes(content)
                self._look()

    def tally(self) -> Tally:
        """All hands held, added up.

        Raises
        ------
        InputError
            If there are none, or hands are missing between those that are there.
        """
        ranges = self.ranges()
        if not ranges:
            raise InputError(f"{self.folder}: holds no hands")
        if len(ranges) > 1 or ranges[0][0] > 0:
            held = ", ".join(f"{first:,} to {end - 1:,}" for first, end in ranges)
            raise InputError(
                f"{self.folder}: holds the hands {held}, and none between; play the missing ones: "
                f"{dataclasses.replace(self.run, hands=ranges[-1][1]).command()} --out "
                f"{self.folder.parent}"
            )
        total: list[Counts] = []
        for number in sorted(self._held):
            total.append(self._read(self._path(number))[2])
            if len(total) >= 32:
                total = [add_counts(total)]
        run = dataclasses.replace(self.run, hands=ranges[0][1])
        return Tally(run=run, **add_counts(total)._asdict())


def _mark(path: Path) -> tuple[int, ...]:
    """What tells a file from one that took its place."""
    try:
        state = path.stat()
    except OSError as error:  # a link to nothing
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    return state.st_mtime_ns, state.st_ino, state.st_size


def _contains(longer: Counts, shorter: Counts) -> bool:
    """Whether no record is rarer in the longer part."""
    place = np.minimum(np.searchsorted(longer.keys, shorter.keys), longer.keys.size - 1)
    held = longer.counts[place] * (longer.keys[place] == shorter.keys)
    return bool((held >= shorter.counts).all() and (longer.last_tiles >= shorter.last_tiles).all())
