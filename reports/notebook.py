"""How results look in a notebook: as HTML tables and as figures.

The analysis finds this module under the entry point ``gupai.display``.
"""

from __future__ import annotations

import functools
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
    Tournament,
    Walls,
)
from ..analysis.estimates import Mean
from ..analysis.phrases import phrase
from ..analysis.results import Result
from ..analysis.tiengow.request import SEAT_WORDS
from .advise import advice_grid
from .compare import comparison_grid
from .contests import study_grid, tournament_grids
from .deals import walls_grid
from .figures import FIGURES, lettering
from .grid import Grid
from .hand import hand_grids
from .language import said, say
from .odds import odds_grid
from .session import session_grids
from .tiengow import policy_name, probability_grid, provenance_line
from .words import SEAT_NAMES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Data = dict[str, Any]


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
    name, data = _drawn(result)
    with lettering():
        return FIGURES[name](data)


@functools.singledispatch
def _drawn(result: Result) -> tuple[str, Data]:
    """The name of a figure, and the numbers it is drawn from."""
    raise TypeError(f"{type(result).__name__} has no figure")


@_drawn.register
def _(result: Tables) -> tuple[str, Data]:
    return "seats", seats_data([result])


@_drawn.register
def _(result: SessionResult) -> tuple[str, Data]:
    return "session", session_data(result)


@_drawn.register
def _(result: Tournament) -> tuple[str, Data]:
    return "ranking", ranking_data(result)


@_drawn.register
def _(result: Walls) -> tuple[str, Data]:
    return "walls", walls_data(result)


@_drawn.register
def _(result: Comparison) -> tuple[str, Data]:
    rows = [[say(SEAT_NAMES[seat]), v.difference, v.low, v.high] for seat, v in result.points.items()]
    return "intervals", {"rows": rows, "unit": say("points a hand, B - A")}


@_drawn.register
def _(result: AdaptedComparison) -> tuple[str, Data]:
    rows = [
        [say(play, seat=SEAT_NAMES[seat]), v.difference, v.low, v.high]
        for play, part in (
            (phrase("{seat}, same play"), result.same),
            (phrase("{seat}, adapted play"), result.adapted),
        )
        for seat, v in part.points.items()
    ]
    return "intervals", {"rows": rows, "unit": say("points a hand, B - A")}


@_drawn.register
def _(result: HandWorth) -> tuple[str, Data]:
    rows = [_interval(say(SEAT_NAMES[seat]), worth.points) for seat, worth in result.seats.items()]
    return "intervals", {"rows": rows, "unit": say("points a hand")}


@_drawn.register
def _(result: Advice) -> tuple[str, Data]:
    rows = [_interval(play.codes, play.points) for play in result.plays]
    return "intervals", {"rows": rows, "unit": say("points a hand")}


@_drawn.register
def _(result: StudyResult) -> tuple[str, Data]:
    if any(row.points is not None for row in result.rows):
        rows = [_interval(said(row.label), row.points) for row in result.rows if row.points is not None]
        return "intervals", {"rows": rows, "unit": say("points a hand")}
    rows = [
        [f"{said(row.label)}: {said(name)}", 100 * share.value, 100 * share.low, 100 * share.high]
        for row in result.rows
        for name, share in row.shares.items()
    ]
    return "intervals", {"rows": rows, "unit": say("% of deals")}


@_drawn.register
def _(result: Odds) -> tuple[str, Data]:
    name = result.event
    if result.given is not None:
        name = say("{event}, given {condition}", event=result.event, condition=result.given)
    row = [name, 100 * result.value, 100 * result.low, 100 * result.high]
    return "intervals", {"rows": [row], "unit": say("% of hands")}


def _interval(name: str, value: Mean) -> list[Any]:
    return [name, value.mean, value.low, value.high]


def seats_data(tables: list[Tables]) -> Data:
    """What `seats_figure` draws: shares of last tricks (%), and points, by policy and seat."""
    wins, points = {}, {}
    for table in tables:
        shares = table.shares()
        rows = shares[shares["table"] == "winner"][["share", "low", "high"]]
        wins[policy_name(table)] = (100 * rows.to_numpy()).tolist()
        points[policy_name(table)] = table.points()[["mean", "low", "high"]].to_numpy().tolist()
    return {"seats": [say(seat) for seat in SEAT_WORDS.values()], "wins": wins, "points": points}


def ranking_data(result: Tournament) -> Data:
    """What `ranking_figure` draws."""
    table = [[cell.mean for cell in row] for row in result.table]
    return {"policies": list(result.policies), "table": table}


def session_data(result: SessionResult) -> Data:
    """What `session_figure` draws: quantiles of the points of player 0 after so many hands."""
    from ..analysis.tiengow.session_result import QUANTILES

    hands = [0, *result.run.checkpoints()]
    bands = {
        f"{q:g}": [0, *(result.standing(k, 0).quantile(q) for k in range(len(hands) - 1))]
        for q in QUANTILES
    }
    return {"hands": hands, "bands": bands, "stake": result.stake}


def walls_data(result: Walls) -> Data:
    """What `walls_figure` draws: pairs dealt to a seat under each pattern and wash."""
    pairs = {
        deal: [result.looks[deal, shuffle]["pairs"].value.mean for shuffle in result.shuffles]
        for deal in result.deals
    }
    exact = result.looks[result.deals[0], "perfect"]["pairs"].exact
    return {"pairs": pairs, "exact": exact, "shuffles": list(result.shuffles)}
