"""Saved runs as they lie in folders: all of one folder, and those of several put together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError
from ..files import alone, clear_leftovers, make_folder
from .parts import foreign, read_counts, run_of, take_hands
from .request import Run
from .saved import SavedRun


def saved_runs(
    folder: str | os.PathLike[str], problems: list[InputError] | None = None
) -> list[SavedRun]:
    """All runs in a folder.

    Parameters
    ----------
    folder : path
    problems : list, optional
        Receives what is wrong with runs that cannot be used, in place of raising it.

    Raises
    ------
    InputError
        If it holds none, or a part that is damaged or cannot be played again by this program.

    Examples
    --------
    >>> saved_runs("nowhere")
    Traceback (most recent call last):
    ...
    gupai.analysis.errors.InputError: nowhere: holds no saved run; make one with gupai simulate --out ...
    """
    found = []
    wrong: list[InputError] = []
    for path in sorted(Path(folder).glob("run-*")):
        parts = sorted(path.glob("part-*.parquet"))
        try:
            if parts:
                found.append(_run_at(path, parts[0]))
        except InputError as error:
            wrong.append(error)
    if wrong and (problems is None or not found):
        raise wrong[0]
    if not found:
        raise InputError(f"{folder}: holds no saved run; make one with gupai simulate --out {folder}")
    if problems is not None:
        problems += wrong
    return sorted(found, key=lambda saved: (saved.run.policies, saved.run.deal, saved.identity))


def _run_at(folder: Path, part: Path) -> SavedRun:
    facts, _ = read_counts(part)
    run = run_of(facts, part)
    if folder.name != f"run-{facts.get('identity')}":
        raise foreign(part)
    return SavedRun(folder.parent, run, facts["identity"])


def merge_runs(folders: Sequence[str | os.PathLike[str]], out: str | os.PathLike[str]) -> list[SavedRun]:
    """Put the parts of the same runs from several folders together in one.

    Parameters
    ----------
    folders : sequence of paths
        Each holds saved runs; none may hold a run that the first does not.
    out : path
        Receives the parts; of two that begin with the same hands the longer one.

    Returns
    -------
    list of SavedRun

    Raises
    ------
    InputError
        If the runs are not the same, or two parts of one run disagree.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for part, hands in (("one", 500), ("two", 800)):
    ...         _ = SavedRun(f"{folder}/{part}", Run()).extend(hands)
    ...     [merged] = merge_runs([f"{folder}/one", f"{folder}/two"], f"{folder}/whole")
    ...     merged.ranges()
    [(0, 800)]
    """
    sources = [(folder, saved_runs(folder)) for folder in folders]
    wanted = {saved.identity: saved for saved in sources[0][1]}
    for folder, runs in sources[1:]:
        for other in runs:
            if other.identity not in wanted:
                nearest = min(wanted.values(), key=lambda saved: len(_differences(saved.run, other.run)))
                raise InputError(
                    f"{folder}: holds a run that {folders[0]} does not: they differ in "
                    f"{'; '.join(_differences(nearest.run, other.run))}; only parts of the same run "
                    "can be put together"
                )
    make_folder(Path(out))
    merged = []
    for identity, saved in wanted.items():
        target = SavedRun(out, saved.run, identity)
        make_folder(target.folder)
        with alone(target.folder):
            clear_leftovers(target.folder, "*.parquet")
            for _, runs in sources:
                for same in runs:
                    if same.identity == identity and same.folder.resolve() != target.folder.resolve():
                        target.take(same)
                        take_hands(same.folder, target.folder, identity)
        merged.append(target)
    return merged


def _differences(one: Run, other: Run) -> list[str]:
    """In what two runs differ, hands aside."""
    return [
        name if name == "rules" else f"{name} ({getattr(one, name)} and {getattr(other, name)})"
        for name in ("rules", "policies", "deal", "shuffle", "term", "seed", "by", "given")
        if getattr(one, name) != getattr(other, name)
    ] or ["the weights of a policy"]
