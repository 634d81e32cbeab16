"""The files of a saved run: outcome records as Parquet, with how they were made."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    facts = facts | {"last_tiles": sparse}
    columns = {"key": counts.keys, "count": counts.counts}
    write_table(path, columns, facts | {"seal": seal(facts, *columns.values())})


def seal(facts: dict[str, Any], *columns: NDArray[Any]) -> str:
    """A digest of all that a file tells, so that a single changed bit is seen."""
    told = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for column in columns:
        told.update(np.ascontiguousarray(column).tobytes())
    return told.hexdigest()


def read_counts(path: Path) -> tuple[dict[str, Any], Counts]:
    """Outcome records, and how they were made.

    Raises
    ------
    InputError
        Naming the file, if it is damaged or of another making.
    """
    facts = _sealed_facts(path)
    try:
        table = read_table(path)
        keys, counts = (table.column(name).to_numpy() for name in ("key", "count"))
    except Exception as error:  # whatever a spoilt file may lead to
        raise damaged(path, _first_line(error)) from None
    if facts.pop("seal") != seal(facts, keys, counts):
        raise damaged(path, "it does not hold what was written")
    last_tiles = np.zeros((GROUPS, 32), np.int64)
    try:
        for group, tile, hands in facts.pop("last_tiles"):
            last_tiles[group, tile] = hands
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise damaged(path, _first_line(error)) from None
    return facts, Counts(keys, counts, last_tiles)


def _sealed_facts(path: Path) -> dict[str, Any]:
    """What a file says of its making and of its seal, which is still to be looked at."""
    try:
        facts = facts_of(path)
    except Exception as error:  # whatever a spoilt file may lead to
        raise damaged(path, _first_line(error)) from None
    if not isinstance(facts, dict) or "seal" not in facts:
        raise InputError(f"{path}: was not written by gupai simulate --out; put it elsewhere")
    return facts


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


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
    facts = _sealed_facts(path)
    if facts.pop("seal") != seal(facts):
        raise damaged(path, "it does not say what was written")
    if facts["identity"] != identity:
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
    except InputError as error:
        raise InputError(f"{path}: cannot be played by this gupai ({error})") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: does not say how it was made ({error})") from None
    if identity_of(run) != identity:
        now = run.provenance().get("policy_digests", [])
        changed = [
            name
            for name, before, after in zip(
                run.policies, facts.get("policy_digests", []), now, strict=False
            )
            if before != after
        ]
        if changed:
            raise InputError(
                f"{path}: was played when {changed[0]} was another policy (its file or its weights have "
                "changed since); put the old one back, or play again into another folder"
            )
        raise InputError(
            f"{path}: was played by gupai {facts.get('version')} and would be played "
            "otherwise by this one; play again into another folder"
        )
    return run


def foreign(path: Path) -> InputError:
    """What is said of a part that lies in the folder of another run."""
    return InputError(f"{path}: belongs to another run; put it elsewhere, or choose another folder")


def damaged(path: Path, why: str) -> InputError:
    return InputError(f"{path}: is damaged ({why}); delete it, and its hands will be played again")
