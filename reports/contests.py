"""The tables of tournaments and studies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..analysis.digits import figures
from .grid import Grid
from .language import said, say
from .numbers import few_deals, mean, percent

if TYPE_CHECKING:
    from ..analysis import StudyResult, Tournament


def study_grid(result: StudyResult) -> Grid:
    shares = list(dict.fromkeys(share for row in result.rows for share in row.shares))
    head = [say("way to play"), say("points a hand"), say("difference")]
    pooled = any(row.against for row in result.rows)
    if pooled:
        head.insert(1, say("against"))
    grid = Grid([*head, *(said(share) for share in shares)])
    grid.heading(said(result.question))
    for row in result.rows:
        cells = [
            "" if value is None else mean(value.mean, value.low, value.high, signed=True, unit="deal")
            for value in (row.points, row.difference)
        ]
        for share in shares:
            e = row.shares.get(share)
            cells.append("" if e is None else percent(e.value, e.low, e.high))
        grid.row(said(row.label), [row.against, *cells] if pooled else cells)
    grid.notes += [
        said(result.sentence),
        say("Rules {rules}, banker's {term}, seed {seed}.", **_played(result))
        if not result.sets
        else say(
            "Rules {rules}, but {sets}; banker's {term}, seed {seed}.",
            sets=said(result.sets),
            **_played(result),
        ),
        say(
            "{deals} deals, the same for every way; after ± and in parentheses stand 95 % intervals, "
            "those of the differences together.",
            deals=f"{result.deals:,}",
        ),
        *few_deals(result.deals),
        result.command(),
    ]
    return grid


def _played(result: StudyResult) -> dict[str, object]:
    from ..analysis import rules_words
    from ..analysis.tiengow.records import term_words

    rules = " ".join(rules_words(result.rules))
    return {"rules": rules, "term": term_words(result.term), "seed": result.seed}


def tournament_grids(result: Tournament) -> list[Grid]:
    ranking = Grid(["", say("points a hand"), "結", "完封", say("擒 caught")])
    for place, standing in enumerate(result.ranking, 1):
        points = standing.points
        shares = [standing.win, standing.sweep, standing.caught]
        ranking.row(
            f"{place}. {standing.policy}",
            [mean(points.mean, points.low, points.high, signed=True, unit="deal"),
             *(percent(e.value, e.low, e.high) for e in shares)],
        )  # fmt: skip
    ranking.notes.append(say("One seat against three of another policy, mean over all others."))

    names = [standing.policy for standing in result.ranking]
    order = [result.policies.index(name) for name in names]
    cross = Grid([say("one seat ↓ against three →"), *names])
    for i in order:
        cells = [result.table[i][j] for j in order]
        cross.row(
            result.policies[i],
            ["0" if c is result.table[i][i] else
             mean(c.mean, c.low, c.high, signed=True, unit="deal") for c in cells],
        )  # fmt: skip

    head = [say("neighbours"), say("points between"), say("duplicate deals to tell")]
    gaps = Grid([*head, say("hands at a table")])
    for gap in result.gaps:
        d = gap.difference
        between = mean(d.mean, d.low, d.high, unit="deal")
        gaps.row(
            say("{better} before {worse}", better=gap.better, worse=gap.worse),
            [between, _to_tell(gap.duplicate_deals, *gap.duplicate_range),
             _to_tell(gap.hands, *gap.hands_range)],
        )  # fmt: skip
    gaps.notes += [
        say(
            "To tell: after so many a 95 % interval excludes zero with chance 0.8, if the points are as "
            "they were here."
        ),
        say(
            "Of the variance of a seat's points in one hand there go with the policy it plays (skill): "
            "{skill}; with the cards and the seat (luck): {luck}; the rest is how the two go together.",
            skill=_share(result.skill, *result.skill_range),
            luck=_share(result.cards, *result.cards_range),
        ),
        say(
            "{deals} deals, each from four seats: {hands} hands. After ± and in parentheses stand 95 % "
            "intervals; those of the ranking's points hold together, and so do those between "
            "neighbours.",
            deals=f"{result.deals:,}",
            hands=f"{result.hands:,}",
        ),
        *few_deals(result.deals),
        result.command(),
    ]
    return [ranking, cross, gaps]


def _share(value: float, low: float, high: float) -> str:
    """A share of the variance."""
    if math.isnan(low):
        return say("unknown") if value else "0 %"
    if low == 0:
        return say("under {limit} %", limit=figures(100 * high, 2))
    return percent(value, low, high)


def _to_tell(number: float, low: float, high: float) -> str:
    """A number of deals or hands with its interval, no more of it than is known."""
    if math.isnan(low):
        return say("unknown")
    if high == math.inf:
        return say("more than {many}", many=_many(low))
    return say("{value} ({low} to {high})", value=_many(number), low=_many(low), high=_many(high))


def _many(value: float) -> str:
    if value > 1e12:
        return "10^12"
    if value < 2:
        return "2"
    step = 10 ** max(math.floor(math.log10(value)) - 1, 0)
    return f"{math.ceil(value / step) * step:,}"
