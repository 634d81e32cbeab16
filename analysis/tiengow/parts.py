"""The files of a saved run: outcome records as Parquet, with how they were made."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from ..files import replacing
from ..parquet import facts_of, read_table, write_table
from .presets import make_rules
from .request import Run
from .simulate import GROUPS, Counts


def identity_of(run: Run) -> str:
    """The fingerprint of all that a run's hands depend on; how many there are is left out.

    Examples
    --------
    >>> identity_of(Run(hands=10)) == identity_of(Run(hands=20))
    True
    """
    return str(dataclasses.replace(run, hands=1).provenance()["fingerprint"])


def write_counts(path: Path, counts: Counts, facts: dict[str, Any]) -> None:
    """Write outcome records as Parquet, columns ``key`` and ``count``, with how they were made."""
    groups, tiles = np.nonzero(counts.last_tiles)
    sparse = np.column_stack([groups, tiles, counts.last_tiles[groups, tiles]]).tolist()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_table(path, {"key": counts.keys, "count": counts.counts}, facts | {"last_tiles": sparse})


def read_counts(path: Path) -> tuple[dict[str, Any], Counts]:
    """Outcome records, and how they were made.

    Raises
    ------
    InputError
        Naming the file, if it is damaged or of another making.
    """
    try:
        facts = facts_of(path)
        table = read_table(path)
    except (OSError, ValueError) as error:
        raise damaged(path, str(error).splitlines()[0]) from None
    if facts is None or "last_tiles" not in facts or table.column_names != ["key", "count"]:
        raise InputError(f"{path}: was not written by gupai simulate --out; put it elsewhere")
    last_tiles = np.zeros((GROUPS, 32), np.int64)
    for group, tile, hands in facts.pop("last_tiles"):
        last_tiles[group, tile] = hands
    keys, counts = (table.column(name).to_numpy() for name in ("key", "count"))
    if keys.dtype != np.uint64 or counts.dtype != np.int64 or (keys[1:] <= keys[:-1]).any():
        raise damaged(path, "its records are not in order")
    return facts, Counts(keys, counts, last_tiles)


def take_hands(source: Path, target: Path, identity: str) -> None:
    """Copy the files of single hands from the folder of a run to another, where they hold more.

    Raises
    ------
    InputError
        Naming a file that is damaged or belongs to another run.
    """
    for path in sorted(source.glob("hands-*.parquet")):
        mine = target / path.name
        if hands_held(path, identity) > (hands_held(mine, identity) if mine.exists() else 0):
            target.mkdir(parents=True, exist_ok=True)
            with replacing(mine) as beside:
                shutil.copyfile(path, beside)


def hands_held(path: Path, identity: str) -> int:
    """How many hands a file of single hands holds.

    Raises
    ------
    InputError
        Naming the file, if it is damaged or belongs to another run.
    """
    try:
        facts = facts_of(path)
    except (OSError, ValueError) as error:
        raise damaged(path, str(error).splitlines()[0]) from None
    if facts is None or facts.get("identity") != identity:
        raise foreign(path)
    return int(facts["held"])


def base_facts(run: Run) -> dict[str, Any]:
    """The provenance of a run without its number of hands."""
    facts = run.provenance()
    return {name: fact for name, fact in facts.items() if name not in ("hands", "fingerprint")}


def run_of(facts: dict[str, Any], path: Path | str) -> Run:
    """The run that a part belongs to, with the hands it holds.

    Raises
    ------
    InputError
        If this program cannot play it, or would play it otherwise.
    """
    try:
        run = Run(
            rules=make_rules(facts["rules"]), policies=tuple(facts["policies"]), deal=facts["deal"],
            shuffle=facts["shuffle"], term=facts["term"], seed=facts["seed"], hands=facts["held"],
            by=facts.get("by"), given=facts.get("given"),
        )  # fmt: skip
        identity = facts["identity"]
    except (KeyError, TypeError) as error:
        raise InputError(f"{path}: does not say how it was made ({error})") from None
    except InputError as error:
        raise InputError(f"{path}: cannot be played by this gupai ({error})") from None
    if identity_of(run) != identity:
        raise InputError(
            f"{path}: was played by gupai {facts.get('version')} and would be played "
            "otherwise by this one (a policy or a kernel has changed); play again into another folder"
        )
    return run


def foreign(path: Path) -> InputError:
    """What is said of a part that lies in the folder of another run."""
    return InputError(f"{path}: belongs to another run; put it elsewhere, or choose another folder")


def damaged(path: Path, why: str) -> InputError:
    return InputError(f"{path}: is damaged ({why}); delete it, and its hands will be played again")
