"""How results look in a notebook: as HTML tables and as figures.

The analysis finds this module under the entry point ``gupai.display``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from ..analysis import (
    AdaptedComparison,
    Advice,
    Comparison,
    HandWorth,
    Odds,
    SessionResult,
    StudyResult,
    Tables,
    Tally,
    Tournament,
    Walls,
)
from ..analysis.estimates import Mean
from ..analysis.phrases import phrase
from ..analysis.results import Result
from ..analysis.tiengow.studies import Row
from .advise import advice_grid
from .compare import comparison_grid
from .contests import study_grid, tournament_grids
from .deals import walls_grid
from .figure_data import Data, ranking_data, seats_data, session_data, walls_data
from .figures import (
    intervals_figure,
    lettering,
    ranking_figure,
    seats_figure,
    session_figure,
    walls_figure,
)
from .grid import Grid
from .hand import hand_grids
from .language import said, say
from .odds import odds_grid
from .session import session_grids
from .tiengow import probability_grid, provenance_line
from .words import SEAT_NAMES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Drawing = tuple[Callable[[Data], Any], Data]  # of a figure
_SAME_PLAY = phrase("{seat}, same play")
_ADAPTED_PLAY = phrase("{seat}, adapted play")


def html(result: Result) -> str:
    """A result as HTML tables; everything from the user is escaped.

    Examples
    --------
    >>> from gupai.analysis import Run, simulate
    >>> html(Tables(simulate(Run(hands=500)))).startswith("<table>")
    True
    """
    return "\n".join(grid_html(grid) for grid in _grids(result))


def grid_html(grid: Grid) -> str:
    """A grid as an HTML table, its notes below.

    Examples
    --------
    >>> print(grid_html(Grid(["", "a<b"], [["x", "1"]])))
    <table>
    <thead><tr><th></th><th>a&lt;b</th></tr></thead>
    <tbody>
    <tr><th>x</th><td>1</td></tr>
    </tbody>
    </table>
    """
    lines = ["<table>", f"<thead><tr>{''.join(f'<th>{escape(c)}</th>' for c in grid.head)}</tr></thead>"]
    lines.append("<tbody>")
    for row in grid.rows:
        if len(row) == 1:
            lines.append(f'<tr><th colspan="{len(grid.head)}">{escape(row[0])}</th></tr>')
        else:
            cells = "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
            lines.append(f"<tr><th>{escape(row[0].strip())}</th>{cells}</tr>")
    lines += ["</tbody>", "</table>", *(f"<p>{escape(note)}</p>" for note in grid.notes)]
    return "\n".join(lines)


@functools.singledispatch
def _grids(result: Result) -> list[Grid]:
    raise TypeError(f"{type(result).__name__} has no tables")


@_grids.register
def _(result: Tables) -> list[Grid]:
    grid = probability_grid([result])
    grid.notes.append(provenance_line(result))
    return [grid]


_grids.register(Tally, lambda result: _grids(Tables(result)))
_grids.register(Comparison, lambda result: [comparison_grid(result)])
_grids.register(
    AdaptedComparison, lambda result: [comparison_grid(result.same), comparison_grid(result.adapted)]
)
_grids.register(SessionResult, session_grids)
_grids.register(Tournament, tournament_grids)
_grids.register(Walls, lambda result: [walls_grid(result)])
_grids.register(Odds, lambda result: [odds_grid(result)])
_grids.register(HandWorth, hand_grids)
_grids.register(Advice, lambda result: [advice_grid(result)])
_grids.register(StudyResult, lambda result: [study_grid(result)])


def plot(result: Result) -> Figure:
    """A result as a figure.

    Examples
    --------
    >>> from gupai.analysis import Run, simulate
    >>> len(plot(Tables(simulate(Run(hands=500)))).axes)
    2
    """
    draw, data = _drawn(result)
    with lettering():
        figure: Figure = draw(data)
    return figure


@functools.singledispatch
def _drawn(result: Result) -> Drawing:
    """What draws a result, and from which numbers."""
    raise TypeError(f"{type(result).__name__} has no figure")


@_drawn.register
def _(result: Tables) -> Drawing:
    return seats_figure, seats_data([result])


@_drawn.register
def _(result: Tally) -> Drawing:
    return _drawn(Tables(result))


@_drawn.register
def _(result: SessionResult) -> Drawing:
    return session_figure, session_data(result)


@_drawn.register
def _(result: Tournament) -> Drawing:
    return ranking_figure, ranking_data(result)


@_drawn.register
def _(result: Walls) -> Drawing:
    return walls_figure, walls_data(result)


@_drawn.register
def _(result: Comparison) -> Drawing:
    rows = [[say(SEAT_NAMES[seat]), v.difference, v.low, v.high] for seat, v in result.points.items()]
    return intervals_figure, {"rows": rows, "unit": say("points a hand, B - A")}


@_drawn.register
def _(result: AdaptedComparison) -> Drawing:
    rows = [
        [say(name, seat=SEAT_NAMES[seat]), v.difference, v.low, v.high]
        for name, part in ((_SAME_PLAY, result.same), (_ADAPTED_PLAY, result.adapted))
        for seat, v in part.points.items()
    ]
    return intervals_figure, {"rows": rows, "unit": say("points a hand, B - A")}


@_drawn.register
def _(result: HandWorth) -> Drawing:
    rows = [_interval(say(SEAT_NAMES[seat]), worth.points) for seat, worth in result.seats.items()]
    return intervals_figure, {"rows": rows, "unit": say("points a hand")}


@_drawn.register
def _(result: Advice) -> Drawing:
    rows = [_interval(play.codes, play.points) for play in result.plays]
    return intervals_figure, {"rows": rows, "unit": say("points a hand")}


@_drawn.register
def _(result: StudyResult) -> Drawing:
    if any(row.points is not None for row in result.rows):
        rows = [_interval(_way(row), row.points) for row in result.rows if row.points is not None]
        return intervals_figure, {"rows": rows, "unit": say("points a hand")}
    rows = [
        [f"{_way(row)}: {said(name)}", 100 * share.value, 100 * share.low, 100 * share.high]
        for row in result.rows
        for name, share in row.shares.items()
    ]
    return intervals_figure, {"rows": rows, "unit": say("% of deals")}


def _way(row: Row) -> str:
    way = said(row.label)
    return say("{way}, against {policy}", way=way, policy=row.against) if row.against else way


@_drawn.register
def _(result: Odds) -> Drawing:
    name = result.event
    if result.given is not None:
        name = say("{event}, given {condition}", event=result.event, condition=result.given)
    row = [name, 100 * result.value, 100 * result.low, 100 * result.high]
    return intervals_figure, {"rows": [row], "unit": say("% of hands")}


def _interval(name: str, value: Mean) -> list[Any]:
    return [name, value.mean, value.low, value.high]
