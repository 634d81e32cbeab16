"""``gupai bench``: speeds here, as a table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ..analysis.digits import figures
from ..analysis.errors import InputError
from ..analysis.phrases import phrase
from .grid import Grid, csv_text
from .language import said, say
from .options import Format, Whole
from .progress import announce_compiling, note

if TYPE_CHECKING:
    import pandas as pd

    from ..analysis import Speed
_WORKS = {
    "deal alone": phrase("deal alone"),
    "yardstick: Fisher–Yates shuffles": phrase("yardstick: Fisher–Yates shuffles"),
    "hand by hand": phrase("{policy}, hand by hand"),
    "end to end": phrase("{policy}, end to end"),
    "sessions of 64": phrase("{policy}, sessions of 64"),
    "two rule sets compared": phrase("{policy}, two rule sets compared"),
    "washed sessions": phrase("{policy}, washed sessions"),
}


def bench_command(
    *,
    threads: Whole | None = None,
    rounds: Whole = 5,
    peers: Annotated[bool, Parameter(negative="")] = False,
    format: Format = "table",
) -> int:
    """Measure hands per second here, beside a simple yardstick timed in the same minute.

    Parameters
    ----------
    threads
        The larger number of threads; all processors by default.
    rounds
        Times each work is timed; medians are given.
    peers
        Measure full games and decisions per second beside the plain-Python reference engine (in a
        checkout) and OpenSpiel's trick games (with the extra gupai[bench]), on one thread.
    format
        How to print.
    """
    from ..analysis import bench, bench_peers

    announce_compiling()
    if peers:
        if threads is not None:
            raise InputError("--peers and --threads: peers play on one thread; leave --threads out")
        print_peers(*bench_peers(rounds=rounds, progress=lambda name: note(f"{name} …")), format)
        return 0
    print_speeds(bench(threads=threads, rounds=rounds, progress=lambda name: note(f"{name} …")), format)
    return 0


def print_speeds(speeds: pd.DataFrame, format: str) -> None:
    """Print what `bench` measured."""
    if format == "json":
        print(json.dumps(speeds.to_dict("records"), ensure_ascii=False))
        return
    if format == "csv":
        print(csv_text(list(speeds.columns), speeds.itertuples(index=False)), end="")
        return
    grid = Grid(["", say("threads"), say("M hands/s"), say("to yardstick")])
    for work, threads, speed, ratio in speeds.values.tolist():
        grid.row(_in_words(work), [str(threads), f"{speed / 1e6:.2f}", f"{ratio:.2f}"])
    grid.notes.append(say("Medians; each work is timed between two runs of the yardstick."))
    print(grid.shown(format))


def print_peers(speeds: list[Speed], missing: list[str], format: str) -> None:
    """Print what `bench_peers` measured."""
    for text in missing:
        note(f"left out: {text}")
    if format == "json":
        print(json.dumps([speed._asdict() for speed in speeds], ensure_ascii=False))
        return
    if format == "csv":
        print(csv_text(list(speeds[0]._fields), speeds), end="")
        return
    grid = Grid([say("one thread"), say("full games/s"), say("decisions/s"), say("games to yardstick")])
    for work, games, decisions, ratio in speeds:
        shown = "" if decisions is None else f"{decisions:,.0f}"
        grid.row(said(work), [f"{games:,.0f}", shown, figures(ratio, 2)])
    grid.notes.append(
        say(
            "Medians; each work is timed between two runs of the yardstick. A game is dealt, played "
            "and scored; games differ in length, so compare decisions per second."
        )
    )
    print(grid.shown(format))


def _in_words(work: str) -> str:
    policy, _, kind = work.rpartition(", ")
    return say(_WORKS[kind], policy=policy)
