"""Plots of probability tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..analysis.tiengow.request import SEAT_WORDS
from ..analysis.tiengow.tables import Tables
from .language import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Told apart by people with any colour vision (Okabe & Ito, 2008).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")


def seats_plot(tables: Sequence[Tables]) -> Figure:
    """How often each seat wins the last trick, and what it earns, with 95 % intervals.

    Parameters
    ----------
    tables : sequence of Tables
        One or more runs; each has a colour and its name beside its last point.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from gupai.analysis import Run, Tables, simulate
    >>> len(seats_plot([Tables(simulate(Run(hands=500)))]).axes)
    2
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    wins, earns = figure.subplots(1, 2)
    for number, table in enumerate(tables):
        colour = COLOURS[number % len(COLOURS)]
        name = "/".join(dict.fromkeys(table.run.policies))
        shares = table.shares()
        shares = shares[shares["table"] == "winner"]
        points = table.points()
        for axes, centre, low, high, scale in (
            (wins, shares["share"], shares["low"], shares["high"], 100.0),
            (earns, points["mean"], points["low"], points["high"], 1.0),
        ):
            middle = (scale * centre).tolist()
            below, above = (scale * (centre - low)).tolist(), (scale * (high - centre)).tolist()
            places = [seat + 0.08 * (number - (len(tables) - 1) / 2) for seat in range(4)]
            axes.errorbar(
                places, middle, yerr=[below, above], fmt="o-", markersize=5, linewidth=1, capsize=4,
                color=colour,
            )  # fmt: skip
            axes.annotate(
                name, (places[-1], middle[-1]), xytext=(8, 0), textcoords="offset points",
                va="center", color=colour,
            )  # fmt: skip
    for axes, title, unit in (
        (wins, say("Who wins the last trick"), say("% of hands")),
        (earns, say("What a seat earns"), say("points a hand")),
    ):
        axes.set_title(title)
        axes.set_ylabel(unit)
        axes.set_xticks(range(4), [say(seat) for seat in SEAT_WORDS.values()])
        axes.set_xlim(-0.3, 3.9)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", alpha=0.3)
    earns.axhline(0, color="black", linewidth=0.8)
    return figure
