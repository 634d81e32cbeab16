"""The starting-hand table in the compact form that is shipped, and ranks from it."""

from __future__ import annotations

import functools
import json
import math
import os
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.tiengow.starting import STARTING_HANDS, starting_hand_number, starting_hands
from ..checks import checked, told, whole
from ..errors import InputError
from ..estimates import normal_quantile, proportion
from ..parquet import is_of_gupai, write_table
from .hand_table import ALL_HANDS, codes_of_hands, read_hand_table, weights
from .request import SEATS

if TYPE_CHECKING:
    import pandas as pd

SHIPPED = "starting_hands.parquet"
POINT_STEP, WIN_STEP, SD_STEP, SE_STEP = 0.02, 0.001, 0.1, 0.005


def write_compact(table: str | os.PathLike[str], path: str | os.PathLike[str]) -> dict[str, Any]:
    """Write the compact form of a starting-hand table.

    Parameters
    ----------
    table : path
        A table that `make_hand_table` wrote.
    path : path
        Receives points (steps of 0.02) and P(結) (0.001) in each seat, the standard deviation of
        one hand (0.1) and the standard error of the mean over the seats (0.005), in the order of
        the hands' numbers.

    Returns
    -------
    dict
        The errors stated in the file: of rounding, and of sampling (median and largest standard
        error of a hand's points over the seats, points).

    Examples
    --------
    >>> import tempfile
    >>> from gupai.analysis import HandTableRun, Run, make_hand_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = make_hand_table(HandTableRun(run=Run(hands=500), fewest=0), folder)
    ...     write_compact(table, f"{folder}/compact.parquet")["rounding_points"]
    0.01
    """
    check_compact(path)
    frame = read_hand_table(table)
    if len(frame) != STARTING_HANDS or "sd" not in frame:
        raise InputError(f"{table}: is no finished starting-hand table")
    columns: dict[str, NDArray[Any]] = {}
    for seat in SEATS:
        columns[f"points_{seat}"] = _steps(frame[f"points_{seat}"], POINT_STEP, np.int16)
        columns[f"win_{seat}"] = _steps(frame[f"win_{seat}"], WIN_STEP, np.uint16)
    columns["sd"] = _steps(frame["sd"], SD_STEP, np.uint16)
    columns["se"] = np.maximum(_steps(frame["se"], SE_STEP, np.uint16), 1)
    se = frame["se"].to_numpy()
    error = {
        "rounding_points": POINT_STEP / 2,
        "rounding_win": WIN_STEP / 2,
        "se_points_median": round(float(np.median(se)), 4),
        "se_points_largest": round(float(se.max()), 4),
    }
    facts = {str(name): value for name, value in frame.attrs.items()} | {"error": error}
    write_table(Path(path), columns, facts, kept="compact hand table", level=19)
    return error


def check_compact(path: str | os.PathLike[str]) -> None:
    """Refuse a file for the compact form that this program did not write.

    Raises
    ------
    InputError
        If it is there and is something else, or does not end in .parquet.
    """
    path = Path(path)
    if path.suffix != ".parquet" or not path.parent.is_dir():
        raise InputError(
            f"--compact {path}: must be a file that ends in .parquet, in a folder that exists"
        )
    if path.exists() and not is_of_gupai(path):
        raise InputError(
            f"--compact {path}: is there and is no table of this program; name another file"
        )


def _steps(values: Any, step: float, dtype: Any) -> NDArray[Any]:
    whole = np.rint(np.asarray(values) / step)
    room = np.iinfo(dtype)
    return np.clip(whole, room.min, room.max).astype(dtype)


@functools.cache
def shipped_hands() -> pd.DataFrame:
    """All 330,525 starting hands with what they are worth, from the table that is shipped.

    Returns
    -------
    pandas.DataFrame
        One row a hand, in the order of the hands' numbers: ``hand`` (class codes), ``weight``
        (of 10,518,300 sets of eight tiles), ``rank`` by mean points over the seats, ``points``
        (points a hand, mean over the seats), ``se`` (its standard error), ``sd`` (standard
        deviation of one hand), ``win`` (P(結), mean over the seats), then ``points_banker``,
        ``win_banker`` and so on.  ``attrs`` say how it was made and with what error.

    Examples
    --------
    >>> hands = shipped_hands()
    >>> len(hands), int(hands["weight"].sum())
    (330525, 10518300)
    """
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

    data = files(__package__).joinpath(SHIPPED).read_bytes()
    table = pq.read_table(pa.BufferReader(data))
    raw = {name: table[name].to_numpy() for name in table.column_names}
    columns: dict[str, NDArray[Any]] = {}
    for seat in SEATS:
        columns[f"points_{seat}"] = raw[f"points_{seat}"] * POINT_STEP
        columns[f"win_{seat}"] = raw[f"win_{seat}"] * WIN_STEP
    points = np.mean([columns[f"points_{seat}"] for seat in SEATS], axis=0)
    order = np.argsort(-points.round(6), kind="stable")
    rank = np.empty(STARTING_HANDS, np.int64)
    rank[order] = np.arange(1, STARTING_HANDS + 1)
    first = {
        "hand": codes_of_hands(starting_hands()),
        "weight": weights(),
        "rank": rank,
        "points": points,
        "se": raw["se"] * SE_STEP,
        "sd": raw["sd"] * SD_STEP,
        "win": np.mean([columns[f"win_{seat}"] for seat in SEATS], axis=0),
    }
    frame = pd.DataFrame(first | columns)
    frame.attrs.update(json.loads(table.schema.metadata[b"gupai"]))
    return frame


def expected_deals(weight: int) -> int:
    """How many deals of a hand to each seat the shipped table is expected to rest on.

    Parameters
    ----------
    weight : int
        Sets of eight tiles that are this hand, as in `shipped_hands`.

    Examples
    --------
    >>> expected_deals(4), expected_deals(256)
    (2000, 48677)
    """
    made = shipped_hands().attrs
    return max(int(made["hands"]) * weight // ALL_HANDS, int(made["fewest"]))


def points_reach(se: float, *, seats: int = 4) -> float:
    """Half of the 95 % interval of a hand's points in the shipped table, rounding included.

    Parameters
    ----------
    se : float
        As in `shipped_hands`: the standard error of the mean over the four seats.
    seats : int
        4: of that mean.  1: of one seat, of which only a bound is known: the squares of the four
        seats' standard errors add up to the square of ``4 * se``, so that none is larger than
        ``4 * se`` (were all four alike, each would be half of it).

    Examples
    --------
    >>> round(points_reach(0.06), 2), round(points_reach(0.06, seats=1), 2)
    (0.13, 0.5)
    """
    largest = (se + SE_STEP / 2) * len(SEATS) / seats
    return normal_quantile() * largest + POINT_STEP / 2


def win_interval(win: float, weight: int, *, seats: int = 4) -> tuple[float, float]:
    """The 95 % interval of a hand's P(結) in the shipped table, rounding included.

    Parameters
    ----------
    win : float
        As in `shipped_hands`, of one seat or the mean over four.
    weight : int
    seats : int
        4 for the mean, 1 for a seat.

    Examples
    --------
    >>> low, high = win_interval(0.0, 16, seats=1)
    >>> low, 0.0005 < high < 0.005
    (0.0, True)
    """
    deals = expected_deals(weight) * seats
    fewest = max(math.ceil((win - WIN_STEP / 2) * deals), 0)
    most = min(math.floor((win + WIN_STEP / 2) * deals), deals)
    return proportion(min(fewest, most), deals).low, proportion(max(fewest, most), deals).high


def eight_tiles(name: str, value: Any) -> int:
    """A check: the bits of a starting hand.

    Examples
    --------
    >>> eight_tiles("hand", 7)
    Traceback (most recent call last):
    ...
    gupai.analysis.errors.InputError: hand 7: must be the bits of eight tiles
    """
    tiles = int(whole(0, 2**32 - 1)(name, value))
    if tiles.bit_count() != 8:
        raise InputError(f"{name} {told(value)}: must be the bits of eight tiles")
    return tiles


@checked(tiles=eight_tiles)
def hand_rank(tiles: int) -> tuple[int, int, int]:
    """The rank of a hand (tile bits) in the shipped table, with the 95 % interval of the rank.

    Ranks go by mean points over the four seats.  The interval is where the hand would stand if its
    own points were at the ends of their interval.

    Examples
    --------
    >>> from gupai.kernels.tiengow.tiles import tiles_of_classes
    >>> hand_rank(tiles_of_classes("AB98"))[0]  # AABB9988
    1
    """
    frame = shipped_hands()
    row = frame.iloc[starting_hand_number(tiles)]
    reach = normal_quantile() * row["se"]
    points = frame["points"].to_numpy()
    best = 1 + int((points > row["points"] + reach).sum())
    worst = int((points >= row["points"] - reach).sum())
    return int(row["rank"]), min(best, int(row["rank"])), max(worst, int(row["rank"]))
