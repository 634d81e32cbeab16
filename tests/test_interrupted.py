"""Ctrl-C at every line of a save: the same command goes on, and no hand is counted twice or lost."""

from __future__ import annotations

import contextlib
import itertools
import sys
from pathlib import Path

import pytest

from gupai.analysis import (
    Here,
    RuleSet,
    SavedRun,
    Tuning,
    files,
    parquet,
    runs,
    sealed,
    simulate_by,
    tune,
)
from gupai.analysis.tiengow import kept, parts, sources
from gupai.analysis.tiengow import saved as saved_module
from gupai.analysis.tiengow import tune as tune_module

from saving import RUN, contents

HANDS, PART, PIECE = 55, 40, 15
WRITING = (parts, parquet, sealed, files)
pytestmark = [  # of files between their opening and their closing
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


class Interrupt:
    """Raises KeyboardInterrupt at the so manieth line that is run in some files."""

    def __init__(self, line: int, *modules) -> None:
        self.left, self.watched = line, {module.__file__ for module in modules}

    def __enter__(self) -> Interrupt:
        sys.settrace(self.trace)
        return self

    def __exit__(self, *_) -> None:
        sys.settrace(None)

    def trace(self, frame, event, _):
        if frame.f_code.co_filename not in self.watched:
            return None
        if event == "line":
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt
        return self.trace


class Played:
    """Gives pieces that were played before: a `Source`."""

    def __init__(self) -> None:
        here = Here(RUN, 1, HANDS)
        cuts = sorted({*range(0, HANDS, PIECE), *range(0, HANDS, PART), HANDS})
        self.pieces = {
            first: next(iter(here.play([(first, end)], lambda _: None)))
            for first, end in itertools.pairwise(cuts)
        }

    def play(self, ranges, progress):
        for first, end in ranges:
            while first < end:
                piece = self.pieces[first]
                yield piece
                first = piece[1]


@pytest.fixture(scope="module")
def played() -> Played:
    return Played()


@pytest.mark.parametrize("between", [0.0, 1e9], ids=["each piece", "each part"])
@pytest.mark.parametrize("watched, step", [((saved_module,), 2), (WRITING, 13)], ids=["save", "write"])
def test_extend__interrupted_at_any_line_of_a_save__counts_each_hand_once(
    tmp_path, monkeypatch, played, between, watched, step
):
    """Every other line of the save itself, every thirteenth of what it calls."""
    monkeypatch.setattr(saved_module, "PART", PART)
    monkeypatch.setattr(saved_module, "_BETWEEN_SAVINGS", between)
    SavedRun(tmp_path / "whole", RUN).extend(HANDS, source=played)
    whole, line = contents(tmp_path / "whole"), 1
    while True:
        folder = tmp_path / str(line)
        interrupt = Interrupt(line, *watched)
        with contextlib.suppress(KeyboardInterrupt), interrupt:
            SavedRun(folder, RUN).extend(HANDS, source=played)
        ended = interrupt.left > 0
        SavedRun(folder, RUN).extend(HANDS, source=played)
        assert contents(folder) == whole, f"interrupted at line {line}"
        if ended:
            break
        line += step
    assert line > 50


def test_extend__interrupted_twice__counts_each_hand_once(tmp_path, monkeypatch, played):
    """The second Ctrl-C comes in the save that the first one asks for."""
    monkeypatch.setattr(saved_module, "PART", PART)
    monkeypatch.setattr(saved_module, "_BETWEEN_SAVINGS", 0.0)
    SavedRun(tmp_path / "whole", RUN).extend(HANDS, source=played)
    whole, write = contents(tmp_path / "whole"), saved_module.write_counts
    for before in (False, True):
        for number in range(5):
            folder, calls = tmp_path / f"{before} {number}", []

            def broken(*given, before=before, number=number, calls=calls):
                calls.append(0)
                if not before:
                    write(*given)
                if len(calls) > number:
                    raise KeyboardInterrupt
                if before:
                    write(*given)

            monkeypatch.setattr(saved_module, "write_counts", broken)
            with pytest.raises(KeyboardInterrupt):
                SavedRun(folder, RUN).extend(HANDS, source=played)
            monkeypatch.setattr(saved_module, "write_counts", write)
            SavedRun(folder, RUN).extend(HANDS, source=played)
            assert contents(folder) == whole


def test_simulate_by__interrupted_at_every_line__tells_as_many_hands_as_it_counts(played):
    line = 1
    while True:
        with Interrupt(line, sources) as interrupt:
            try:
                tally = simulate_by(played, RUN.__class__(hands=HANDS, seed=RUN.seed))
            except KeyboardInterrupt:  # outside of the play
                tally = None
        if tally is not None and tally.counts.size:
            assert int(tally.counts.sum()) == tally.run.hands, f"interrupted at line {line}"
        if interrupt.left > 0:
            break
        line += 1
    assert line > 20


def test_keeper__interrupted_at_every_line__keeps_and_counts_each_hand_once(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "_BLOCKS_A_FILE", 1)
    monkeypatch.setattr(kept, "block_of", lambda _players: 30)
    monkeypatch.setattr(saved_module, "PART", PART)

    def extend(folder: Path) -> None:
        saved = SavedRun(folder, RUN)
        saved.extend(HANDS, source=kept.Keeper(RUN, saved.folder, threads=1))

    extend(tmp_path / "whole")
    whole, line = contents(tmp_path / "whole"), 1
    while True:
        folder = tmp_path / str(line)
        try:
            with Interrupt(line, kept, runs, parts) as interrupt:
                extend(folder)
        except KeyboardInterrupt:
            pass
        ended = interrupt.left > 0
        extend(folder)
        assert contents(folder) == whole, f"interrupted at line {line}"
        if ended:
            break
        line += 37
    assert line > 100


def test_tune__interrupted_at_many_lines__finds_the_same(tmp_path):
    request = Tuning(rules=RuleSet(), steps=2, population=4, elite=2, deals=2, check=4)
    whole = tmp_path / "whole.toml"
    tune(request, whole)
    line = 1
    while True:
        path = tmp_path / f"{line}.toml"
        try:
            with Interrupt(line, tune_module, sealed) as interrupt:
                tune(request, path)
        except KeyboardInterrupt:
            pass
        ended = interrupt.left > 0
        tune(request, path)
        assert path.read_text() == whole.read_text(), f"interrupted at line {line}"
        assert not path.with_name(path.name + ".state").exists()
        if ended:
            break
        line += 149
    assert line > 200


@pytest.mark.parametrize("line", range(1, 25))
def test_run_blocks__interrupted_at_once__ends(line):
    """However early Ctrl-C comes, the threads that were started do not play on to the end."""

    class Worker:
        def play(self, start: int, hands: int) -> None:
            pass

    with Interrupt(line, runs) as interrupt:
        try:
            done, interrupted = runs.run_blocks([Worker(), Worker()], 10**15, block=1000)
            assert interrupted and done < 10**15
        except KeyboardInterrupt:
            pass
    assert interrupt.left <= 0
