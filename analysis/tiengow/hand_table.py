"""The starting-hand table: what each of the 330,525 hands is worth in each seat.

A run deals hands freely, each deal informing four starting hands, then deals those hands by
themselves that came too seldom.  The sums are whole numbers, saved as the run goes.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.series import RUN_HANDS, number_by_itself
from ...kernels.tiengow.starting import (
    CATCHES,
    CAUGHT,
    EMPTY,
    HANDS,
    POINTS,
    SQUARES,
    STARTING_HANDS,
    SUMS,
    SWEEPS,
    WINS,
    add_to_sums,
    starting_hands,
)
from ...kernels.tiengow.tiles import FIRST
from ..checks import THREADS, checked, instance, path, settle, whole
from ..errors import InputError
from ..files import clear_leftovers, make_folder
from ..kernel_hash import kernel_hash
from ..parquet import read_table, write_table
from ..runs import Progress, default_threads, run_blocks
from .conditions import fixed_hand
from .notation import BIT_ORDER, code_of_bit
from .parts import GAME
from .playing import Player, block_of, prepare
from .request import RUN, SEATS, Run

if TYPE_CHECKING:
    import pandas as pd

ALL_HANDS = 10_518_300  # C(32, 8)
FEWEST = 1000  # deals of each hand in each seat
_SPAN = 1 << 26  # free deals between two savings
_JOBS_AT_ONCE = 20_000
_HANDS_A_JOB = 1 << 24
_STATE = "sums.parquet"
TABLE = "hands.parquet"
_SUMS, _HANDS = "sums of a hand table", "hand table"
_CURE = "delete it to start again"
_VERSION = 1  # to be raised whenever the same request gives other numbers


def weights() -> NDArray[np.int64]:
    """In how many of the 10,518,300 sets of eight tiles each starting hand comes.

    Examples
    --------
    >>> int(weights().sum())
    10518300
    """
    hands = starting_hands()
    held = (hands | hands >> np.uint32(1)) & np.uint32(FIRST)
    both = hands & hands >> np.uint32(1) & np.uint32(FIRST)
    return np.int64(1) << np.bitwise_count(held ^ both).astype(np.int64)


def codes_of_hands(hands: NDArray[np.uint32]) -> NDArray[np.str_]:
    """The class codes of hands of eight tiles, in code order.

    Examples
    --------
    >>> codes_of_hands(starting_hands()[[0, -1]]).tolist()
    ['JJKK6553', 'AABBCCDD']
    """
    order = np.array(BIT_ORDER, np.uint32)
    codes = np.array([code_of_bit(bit) for bit in BIT_ORDER])
    _, place = np.nonzero(hands[:, None] >> order & np.uint32(1))
    return codes[place].reshape(-1, 8).view("<U8").ravel()


@dataclass(frozen=True, kw_only=True)
class HandTableRun:
    """A request for a starting-hand table.

    Attributes
    ----------
    run : Run
        Rules, policies, deal, term, seed, and the hands to deal freely.
    fewest : int
        Deals to be expected of each hand in each seat; what free deals are not expected to give
        is dealt by itself.
    """

    run: Run
    fewest: int = FEWEST

    def __post_init__(self) -> None:
        settle(self, run=RUN, fewest=whole(0, _HANDS_A_JOB))
        if self.run.given is not None or self.run.by is not None:
            raise InputError("a starting-hand table takes neither a condition nor a split")

    def provenance(self) -> dict[str, Any]:
        """What it takes to get the same numbers again."""
        request = self.run.provenance() | {"fewest": self.fewest, "table": _VERSION}
        beside = ("version", "tuned_under")
        text = json.dumps({k: v for k, v in request.items() if k not in beside}, sort_keys=True)
        return request | {"fingerprint": hashlib.sha256(text.encode()).hexdigest()[:16]}

    def jobs(self) -> NDArray[np.int64]:
        """Hands to be dealt by themselves: for each job ``4 * hand + seat`` and its deals."""
        expected = self.run.hands * weights() // ALL_HANDS
        missing = np.repeat(np.maximum(self.fewest - expected, 0), len(SEATS))
        rows = np.flatnonzero(missing)
        return np.column_stack([rows, missing[rows]])


@dataclass
class _State:
    """How far a run is."""

    sums: NDArray[np.int64]  # hands · seats · SUMS
    dealt: int = 0  # freely
    jobs: int = 0


class _Free:
    """Deals hands freely on one thread."""

    def __init__(self, run: Run) -> None:
        self._run, self._player = run, Player(run)
        self._rules = run.rules.switches()
        self.sums = np.zeros(STARTING_HANDS * len(SEATS) * SUMS, np.int64)

    def play(self, start: int, hands: int) -> None:
        add_to_sums(self._player.keep(start, hands), -1, self._rules, self._run.term, self.sums)


class _Direct:
    """Deals single starting hands on one thread."""

    def __init__(self, request: HandTableRun, jobs: NDArray[np.int64], sums: NDArray[np.int64]) -> None:
        self._run, self._jobs, self._sums = request.run, jobs, sums
        self._rules = request.run.rules.switches()
        self._hands = starting_hands()
        # The order of the tiles is another one for each hand; their numbers keep them apart.
        self._given = [fixed_hand(0xFF, seat)._replace(series=RUN_HANDS) for seat in range(len(SEATS))]
        self._players = [Player(request.run, given=given) for given in self._given]

    def play(self, start: int, hands: int) -> None:
        for row, deals in self._jobs[start : start + hands].tolist():
            number, seat = divmod(row, len(SEATS))
            is_held = self._hands[number] >> np.arange(32, dtype=np.uint32) & 1
            self._given[seat].order[:] = np.argsort(1 - is_held.astype(np.int8), kind="stable")
            kept = self._players[seat].keep(number_by_itself(_HANDS_A_JOB * row), deals)
            # No two jobs add to the same place, so that the threads share the sums.
            add_to_sums(kept, seat, self._rules, self._run.term, self._sums)


@checked(request=instance(HandTableRun, "a HandTableRun"), folder=path, threads=THREADS)
def make_hand_table(
    request: HandTableRun,
    folder: str | os.PathLike[str],
    *,
    threads: int | None = None,
    progress: Callable[[str, Progress], None] | None = None,
) -> Path | None:
    """Play a starting-hand table, or go on with one that was interrupted.

    Parameters
    ----------
    request : HandTableRun
    folder : path
        Receives the sums as the run goes, and the table ``hands.parquet`` at the end.
    threads : int, optional
        Threads; all processors by default.  The result does not depend on it.
    progress : callable, optional
        Called several times a second with the name of the step and a `Progress`.

    Returns
    -------
    Path or None
        The table; None if Ctrl-C ended the run early (the same call goes on with it).

    Raises
    ------
    InputError
        If the folder holds the sums of another request, or files that cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = make_hand_table(HandTableRun(run=Run(hands=500), fewest=0), folder)
    ...     int(read_hand_table(table)["deals_left"].sum())
    500
    """
    if not os.fspath(folder):
        raise InputError("the name of the folder is empty; name a new folder for the table")
    folder = Path(folder)
    if os.path.lexists(folder) and not os.path.isdir(folder):  # also a link to nothing
        raise InputError(f"{folder}: is no folder; name a new folder for the table")
    table = folder / TABLE
    if os.path.lexists(table):
        facts, _ = read_table(table, _HANDS, cure="delete it to make it again")
        if facts.get("fingerprint") == request.provenance()["fingerprint"]:
            return table
        raise InputError(f"{table}: holds another table; give the same options again or another folder")
    state = _load_state(folder / _STATE, request)
    make_folder(folder, "the folder")
    for name in (TABLE, _STATE):
        clear_leftovers(folder, name)
    prepare(request.run)
    number = default_threads() if threads is None else threads
    workers = [_Free(request.run) for _ in range(number)] if state.dealt < request.run.hands else []
    block = block_of(request.run.players())
    step = _report(progress, "free deals", state.dealt, request.run.hands)
    while state.dealt < request.run.hands:
        until = min(request.run.hands, state.dealt + _SPAN)
        state.dealt, interrupted = run_blocks(
            list(workers), until, first=state.dealt, block=block, progress=step
        )
        for worker in workers:
            state.sums += worker.sums
            worker.sums[:] = 0
        _save_state(folder / _STATE, request, state)
        if interrupted:
            return None
    jobs = request.jobs()
    direct = [_Direct(request, jobs, state.sums) for _ in range(number)]
    step = _report(progress, "hands dealt by themselves", state.jobs, len(jobs))
    while state.jobs < len(jobs):
        until = min(len(jobs), state.jobs + _JOBS_AT_ONCE)
        state.jobs, interrupted = run_blocks(
            list(direct), until, first=state.jobs, block=64, progress=step
        )
        _save_state(folder / _STATE, request, state)
        if interrupted:
            return None
    columns = hand_columns(state.sums.reshape(STARTING_HANDS, len(SEATS), SUMS))
    write_table(table, columns, _facts(request), kept=_HANDS)
    return table


def _facts(request: HandTableRun) -> dict[str, Any]:
    """What a file says of its making: the request, and the kernels that play it here."""
    return request.provenance() | {"kernels": kernel_hash(GAME)}


def _report(
    progress: Callable[[str, Progress], None] | None, name: str, first: int, whole: int
) -> Callable[[Progress], None] | None:
    """Progress of a step that is played in several parts, `first` of which were done before."""
    if progress is None:
        return None
    started = time.perf_counter()
    return lambda step: progress(
        name, Progress(step.done - first, whole - first, time.perf_counter() - started)
    )


def hand_columns(sums: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """The columns of a table from sums (hands × seats × `SUMS`).

    Shares are of the deals of that hand to that seat; ``points`` and ``win`` without a seat are
    the means over the four seats, ``se`` the standard error of the former, ``sd`` the standard
    deviation of one hand (the root of the mean variance over the seats).
    """
    hands = starting_hands()
    n = np.maximum(sums[:, :, HANDS], 1)
    mean = sums[:, :, POINTS] / n
    variance = (sums[:, :, SQUARES] - sums[:, :, POINTS] * mean) / np.maximum(n - 1, 1)
    order = np.argsort(-mean.mean(axis=1), kind="stable")
    rank = np.empty(len(hands), np.int64)
    rank[order] = np.arange(1, len(hands) + 1)
    columns: dict[str, NDArray[Any]] = {
        "hand": codes_of_hands(hands),
        "weight": weights(),
        "rank": rank,
        "points": mean.mean(axis=1),
        "se": np.sqrt((variance / n).sum(axis=1)) / len(SEATS),
        "sd": np.sqrt(variance.mean(axis=1)),
        "win": (sums[:, :, WINS] / n).mean(axis=1),
    }
    shares = {"win": WINS, "sweep": SWEEPS, "empty": EMPTY, "caught": CAUGHT, "catches": CATCHES}
    for seat, name in enumerate(SEATS):
        columns[f"deals_{name}"] = sums[:, seat, HANDS]
        columns[f"points_{name}"] = mean[:, seat]
        columns[f"se_{name}"] = np.sqrt(variance[:, seat] / n[:, seat])
        columns[f"sd_{name}"] = np.sqrt(variance[:, seat])
        for share, column in shares.items():
            columns[f"{share}_{name}"] = sums[:, seat, column] / n[:, seat]
    return columns


def read_hand_table(path: str | os.PathLike[str]) -> pd.DataFrame:
    """A starting-hand table as a pandas table, its provenance in ``attrs``.

    Raises
    ------
    InputError
        If the file cannot be read as one.

    Examples
    --------
    >>> read_hand_table("none.parquet")
    Traceback (most recent call last):
    ...
    gupai.analysis.errors.InputError: none.parquet: cannot be read (No such file or directory)
    """
    facts, table = read_table(Path(path), _HANDS, cure="delete it to make it again")
    return _frame(facts, table)


def _frame(facts: dict[str, Any], table: Any) -> pd.DataFrame:
    frame: pd.DataFrame = table.replace_schema_metadata().to_pandas()
    frame.attrs.update({name: fact for name, fact in facts.items() if name != "kept"})
    return frame


def _save_state(path: Path, request: HandTableRun, state: _State) -> None:
    columns = {f"c{n}": state.sums[n :: 4 * SUMS] for n in range(4 * SUMS)}
    facts = _facts(request) | {"dealt": state.dealt, "jobs": state.jobs}
    write_table(path, columns, facts, kept=_SUMS)


def _load_state(path: Path, request: HandTableRun) -> _State:
    sums = np.zeros(STARTING_HANDS * len(SEATS) * SUMS, np.int64)
    if not os.path.lexists(path):
        return _State(sums)
    facts, table = read_table(path, _SUMS, cure=_CURE)
    frame = _frame(facts, table)
    if facts.get("fingerprint") != request.provenance()["fingerprint"]:
        held = ""
        if "hands" in facts:
            policies = ",".join(facts["policies"])
            held = f" ({facts['hands']:,} hands, seed {facts['seed']}, policies {policies})"
        raise InputError(
            f"{path.parent}: holds another run{held}; give the same options again or another folder"
        )
    if facts.get("kernels", kernel_hash(GAME)) != kernel_hash(GAME):
        raise InputError(
            f"{path}: was played by other kernels ({facts['kernels']} of gupai {facts.get('version')}); "
            "choose another folder"
        )
    dealt, jobs = facts.get("dealt"), facts.get("jobs")
    right = (
        len(frame) == STARTING_HANDS
        and list(frame.columns) == [f"c{n}" for n in range(4 * SUMS)]
        and type(dealt) is int and 0 <= dealt <= request.run.hands
        and type(jobs) is int and 0 <= jobs <= len(request.jobs())
    )  # fmt: skip
    if not right or not isinstance(dealt, int) or not isinstance(jobs, int):
        raise InputError(f"{path}: is damaged (it does not hold the sums of its hands); {_CURE}")
    for n, name in enumerate(frame.columns):
        sums[n :: 4 * SUMS] = frame[name].to_numpy()
    return _State(sums, dealt, jobs)
