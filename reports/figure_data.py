"""The plain numbers that figures are drawn from, by kind of result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..analysis.tiengow.request import SEAT_WORDS
from .language import say
from .tiengow import policy_name

if TYPE_CHECKING:
    from ..analysis import SessionResult, Tables, Tournament, Walls

Data = dict[str, Any]


def seats_data(tables: Sequence[Tables]) -> Data:
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
