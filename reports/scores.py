"""Settled records as a table."""

from __future__ import annotations

from collections.abc import Sequence

from ..analysis.phrases import phrase
from ..analysis.tiengow.records import CHINESE_FINISH, CHINESE_SWEEP, Score, term_words
from .grid import Grid, csv_text
from .language import said, say

_HEAD = [
    phrase("record"), phrase("winner"), phrase("stacks"), phrase("finish"), phrase("sweep"),
    phrase("kam"), phrase("settlement"), phrase("bonuses"), phrase("total"), phrase("next banker"),
]  # fmt: skip


def scores_grid(scores: Sequence[tuple[str, Score]]) -> Grid:
    """One row a record, under the place where it stands."""
    grid = Grid([say(name) for name in _HEAD])
    for where, score in scores:
        cells = [
            say("seat {seat}", seat=score.winner),
            " ".join(map(str, score.stacks)),
            CHINESE_FINISH.get(score.finish) or say("plain"),
            CHINESE_SWEEP.get(score.sweep or "", "–"),
            "–" if score.kam is None else say("擒 seat {seat}", seat=score.kam),
            _points(score.settlement),
            _points(score.bonuses),
            _points(score.total),
            say("seat {seat}, {term}", seat=score.next_banker, term=term_words(score.next_term)),
        ]
        grid.row(said(where), cells)
    grid.notes.append(say("Lists run over the seats 0, 1, 2, 3."))
    return grid


def _points(points: Sequence[int]) -> str:
    return " ".join(f"{value:+d}" if value else "0" for value in points)


def scores_csv(scores: Sequence[tuple[str, Score]]) -> str:
    """One line a record, one column a seat and figure."""
    lists = ("stacks", "settlement", "bonuses", "total")
    head = ["record", "winner", "finish", "sweep", "kam", "next_banker", "next_term", "last_size"]
    rows = []
    for where, score in scores:
        plain = [getattr(score, name) for name in head[1:]]
        rows.append([where, *plain, *(value for name in lists for value in getattr(score, name))])
    return csv_text(head + [f"{name}_{seat}" for name in lists for seat in range(4)], rows)
