"""What all results can do: show themselves in a notebook, become a table, be drawn and be saved.

How they look is not known here: whoever knows (the reports) says so under the entry point
``gupai.display``, as an object with ``html(result)`` and ``plot(result)``.
"""

from __future__ import annotations

import functools
import os
from abc import ABC, abstractmethod
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

from . import archive
from .errors import InputError
from .estimates import Mean, Proportion

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


class Display(Protocol):
    """Knows how results look."""

    def html(self, result: Result) -> str:
        """A result as HTML."""

    def plot(self, result: Result) -> Figure:
        """A result as a figure."""


@functools.cache
def _display() -> Display:
    found = list(entry_points(group="gupai.display"))
    if not found:
        raise InputError("results cannot be drawn: gupai is not installed whole; install it with pip")
    display: Display = found[0].load()
    return display


class Result(ABC):
    """A result of an analysis."""

    @abstractmethod
    def to_frame(self) -> pd.DataFrame:
        """The result as a pandas table; each estimate has its interval beside it.

        Columns are named alike in all results: words in small letters with underscores; beside an
        estimate ``points`` stand ``points_low`` and ``points_high``, the ends of its 95 % interval,
        and where they are known ``points_se`` and ``points_sd``.  Where each row is another quantity
        it is called ``estimate``.
        """

    def plot(self) -> Figure:
        """The result as a matplotlib figure."""
        return _display().plot(self)

    def _repr_html_(self) -> str:
        return _display().html(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result to a JSON file, from which `load` makes the same object again.

        Raises
        ------
        InputError
            If the path names no file.
        OSError
            If it cannot be written; what was there before is left.
        """
        archive.save(self, Path(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """A result that was saved.

        Raises
        ------
        InputError
            If the file cannot be read, or holds another kind of result.
        """
        result: Self = archive.load(Path(path), cls)
        return result


def columns(**values: Any) -> dict[str, Any]:
    """A row of a table: a `Mean` or `Proportion` becomes columns for its value and its interval.

    Examples
    --------
    >>> columns(seat="banker", win=Proportion(count=1, n=2, value=0.5, low=0.1, high=0.9))
    {'seat': 'banker', 'win': 0.5, 'win_low': 0.1, 'win_high': 0.9}
    """
    row: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Mean):
            row |= {name: value.mean, f"{name}_low": value.low, f"{name}_high": value.high}
        elif isinstance(value, Proportion):
            row |= {name: value.value, f"{name}_low": value.low, f"{name}_high": value.high}
        else:
            row[name] = value
    return row
