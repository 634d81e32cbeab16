"""The files of a saved run: outcome records as Parquet, with how they were made."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..files import replacing
from ..kernel_hash import kernel_hash
from ..parquet import read_table, write_table
from ..sealed import content_of
from .policies import KeptPolicy, find_policy, is_user_policy, kept_policies
from .presets import make_rules
from .request import Run
from .simulate import GROUPS, Counts

GAME = "tiengow"  # files do not name it: one that names a game is of another one
_PART, _HANDS = "part of a run", "single hands of a run"
_NOT_OF_PARTS = ("hands", "fingerprint", "tuned_under")
_CURE = "delete it, and its hands will be played again"


def write_counts(path: Path, counts: Counts, facts: dict[str, Any]) -> None:
    """Write outcome records as Parquet, columns ``key`` and ``count``, with how they were made."""
    groups, tiles = np.nonzero(counts.last_tiles)
    sparse = np.column_stack([groups, tiles, counts.last_tiles[groups, tiles]]).tolist()
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = {"key": counts.keys, "count": counts.counts}
    write_table(path, columns, facts | {"last_tiles": sparse}, kept=_PART)


def _older_seal(facts: dict[str, Any], *columns: NDArray[Any]) -> str:
    """What files of an older gupai have in place of a seal: a digest of facts and columns."""
    told = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for column in columns:
        told.update(np.ascontiguousarray(column).tobytes())
    return told.hexdigest()


def _own(path: Path, facts: dict[str, Any], *columns: NDArray[Any]) -> dict[str, Any]:
    """The facts of a file of a run of this game; those of an older gupai are looked at here."""
    if "kept" not in facts:
        if "seal" not in facts:
            raise InputError(f"{path}: was not written by gupai simulate --out; put it elsewhere")
        if facts.pop("seal") != _older_seal(facts, *columns):
            raise damaged(path, "it does not hold what was written")
    if facts.get("game", GAME) != GAME or facts.get("words", 1) != 1:
        raise InputError(
            f"{path}: holds hands of the game {str(facts.get('game'))[:40]}, which this gupai does "
            "not know; show it with the gupai that played it"
        )
    return facts


def read_counts(path: Path) -> tuple[dict[str, Any], Counts]:
    """Outcome records, and how they were made.

    Raises
    ------
    InputError
        Naming the file, if it is damaged or of another making.
    """
    facts, table = read_table(path, _PART, cure=_CURE)
    try:
        keys, counts = (table.column(name).to_numpy() for name in ("key", "count"))
    except KeyError as error:
        raise damaged(path, f"it has no column {error}") from None
    facts = _own(path, facts, keys, counts)
    last_tiles = np.zeros((GROUPS, 32), np.int64)
    try:
        for group, tile, hands in facts.pop("last_tiles"):
            last_tiles[group, tile] = hands
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise damaged(path, str(error)) from None
    return facts, Counts(keys, counts, last_tiles)


def write_hands(path: Path, columns: dict[str, Any], facts: dict[str, Any]) -> None:
    """Write single hands as Parquet, with how they were made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_table(path, columns, facts, kept=_HANDS)


def read_hands_file(path: Path) -> tuple[dict[str, Any], Any]:
    """How single hands were made, and their columns as a table of pyarrow.

    Raises
    ------
    InputError
        Naming the file, if it is damaged or of another making.
    """
    facts, table = read_table(path, _HANDS, cure=_CURE)
    facts = _own(path, facts)
    if facts.get("held") != table.num_rows:
        raise damaged(path, "it does not hold as many hands as it says")
    named = facts.get("file", path.name)
    if named != path.name:
        raise InputError(f"{path}: bears another name than it was given; name it again {named}")
    return facts, table


def take_hands(source: Path, target: Path, identity: str) -> None:
    """Copy the files of single hands from the folder of a run to another, where they hold more.

    Raises
    ------
    InputError
        Naming a file that is damaged or belongs to another run, or was played by other kernels than
        the one in its place.
    """
    for path in sorted(source.glob("hands-*.parquet")):
        mine, facts = target / path.name, hands_facts(path, identity)
        before = hands_facts(mine, identity) if mine.exists() else {"held": 0}
        if before["held"] and before.get("kernels") != facts.get("kernels"):
            raise unlike(path, mine)
        if facts["held"] > before["held"]:
            target.mkdir(parents=True, exist_ok=True)
            content = content_of(path)
            with replacing(mine) as beside:
                beside.write_bytes(content)


def hands_facts(path: Path, identity: str) -> dict[str, Any]:
    """How a file of single hands was made; ``held`` is how many it holds.

    Raises
    ------
    InputError
        Naming the file, if it is damaged or belongs to another run.
    """
    facts, _ = read_hands_file(path)
    if facts.get("identity") != identity:
        raise foreign(path)
    return facts


def base_facts(run: Run) -> dict[str, Any]:
    """The provenance of a run without its number of hands, and the kernels that play it here."""
    facts = run.provenance()
    told = {name: fact for name, fact in facts.items() if name not in _NOT_OF_PARTS}
    return told | {"identity": run.identity(), "kernels": kernel_hash(GAME)}


def run_of(facts: dict[str, Any], path: Path | str) -> Run:
    """The run that a part belongs to, with the hands it holds; no code of a policy is run for it.

    Raises
    ------
    InputError
        If this program does not know such a run.
    """
    try:
        policies, digests = facts["policies"], facts.get("policy_digests")
        return Run(
            rules=make_rules(facts["rules"]),
            policies=kept_policies(policies, digests),  # type: ignore[arg-type]
            deal=facts["deal"], shuffle=facts["shuffle"], term=facts["term"], seed=facts["seed"],
            hands=facts["held"], by=facts.get("by"), given=facts.get("given"),
        )  # fmt: skip
    except InputError as error:
        raise InputError(f"{path}: cannot be shown by this gupai ({error})") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: does not say how it was made ({error})") from None


def playable(facts: dict[str, Any], where: str) -> Run:
    """The run that a task is of, to be played here: whoever sent it named its policies.

    Raises
    ------
    InputError
        If it would be played otherwise here.
    """
    try:
        run = run_of(facts | {"held": 1}, where)
        run = dataclasses.replace(run, policies=tuple(map(str, run.policies)))  # type: ignore[arg-type]
    except InputError as error:
        raise InputError(f"{where}: cannot play it ({error})") from None
    if why := _otherwise(run, facts):
        raise InputError(f"{where}: would play otherwise: the run {why}; install the same gupai there")
    return run


def refuse_to_go_on(run: Run, facts: dict[str, Any], where: Path | str) -> None:
    """Refuse to add to what was kept where the hands would not be those of the same run.

    Raises
    ------
    InputError
    """
    if why := _otherwise(run, facts):
        raise InputError(f"{where}: {why}; it is shown only: to play on, choose another folder")


def _otherwise(run: Run, facts: dict[str, Any]) -> str:
    """Why this gupai would play a run otherwise than it was played, or nothing."""
    version = facts.get("version")
    if facts.get("kernels") is None:
        return f"was played by gupai {version}, which did not write down by what kernels"
    if facts["kernels"] != kernel_hash(GAME):
        here = kernel_hash(GAME)
        return f"was played by other kernels ({facts['kernels']} of gupai {version}; here {here})"
    for name, then in zip(run.policies, facts.get("policy_digests") or [], strict=False):
        if isinstance(name, KeptPolicy) and is_user_policy(name):
            continue  # its code is run only where the user names it
        try:
            now = find_policy(str(name), run.rules).digest()
        except InputError:  # its file is there no longer
            now = ""
        if then != now:
            return (
                f"was played when {name} was another policy (its file or its weights have changed since)"
            )
    if run.identity() != facts.get("identity"):
        return f"was played by gupai {version} and would be played otherwise by this one"
    return ""


def unlike(path: Path, other: Path) -> InputError:
    """What is said of two parts that were not played by the same kernels."""
    return InputError(
        f"{path}: was played by other kernels than {other}; only what the same kernels played can be "
        "put together"
    )


def foreign(path: Path) -> InputError:
    """What is said of a part that lies in the folder of another run."""
    return InputError(f"{path}: belongs to another run; put it elsewhere, or choose another folder")


def damaged(path: Path, why: str) -> InputError:
    """What is said of a part that does not hold what was written."""
    why = (why or "it holds nothing").splitlines()[0]
    return InputError(f"{path}: is damaged ({why}); {_CURE}")
