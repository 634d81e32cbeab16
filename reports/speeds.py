"""Speeds as a table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .grid import Grid, csv_text

if TYPE_CHECKING:
    import pandas as pd


def print_speeds(speeds: pd.DataFrame, format: str) -> None:
    """Print what `bench` measured."""
    if format == "json":
        print(json.dumps(speeds.to_dict("records"), ensure_ascii=False))
        return
    if format == "csv":
        print(csv_text(list(speeds.columns), speeds.itertuples(index=False)), end="")
        return
    grid = Grid(["", "threads", "M hands/s", "to yardstick"])
    for work, threads, speed, ratio in speeds.values.tolist():
        grid.row(work, [str(threads), f"{speed / 1e6:.2f}", f"{ratio:.2f}"])
    grid.notes.append("Medians; each work is timed between two runs of the yardstick.")
    print(grid.markdown() if format == "markdown" else grid.text())
