"""What a starting hand is worth to several policies, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .grid import Grid
from .language import say
from .numbers import mean
from .words import SEAT_NAMES

if TYPE_CHECKING:
    from ..analysis import HandWorth, Mean


def side_by_side(worths: Sequence[HandWorth]) -> list[list[HandWorth]]:
    """Those that differ in policies alone, together; none where one stands alone."""
    groups: dict[str, list[HandWorth]] = {}
    for worth in worths:
        groups.setdefault(str(worth.run.rules.to_json()), []).append(worth)
    return [group for group in groups.values() if len(group) > 1]


def beside_grid(worths: Sequence[HandWorth]) -> Grid:
    """Points in each seat and after each lead, a column a policy."""
    from ..analysis import rules_words
    from ..analysis.tiengow.notation import written

    def cells(points: Sequence[Mean]) -> list[str]:
        return [mean(p.mean, p.low, p.high, signed=True) for p in points]

    names = ["/".join(dict.fromkeys(worth.run.policies)) for worth in worths]
    grid = Grid([written(worths[0].tiles, names=True), *names])
    grid.heading(say("Points a hand, bonuses included"))
    for seat, name in SEAT_NAMES.items():
        grid.row(f"  {say(name)}", cells([worth.seats[seat].points for worth in worths]))
    grid.heading(say("lead of the banker"))
    leads = [{one.lead: one.points for one in worth.leads} for worth in worths]
    for lead in leads[0]:
        grid.row(f"  {written(lead, names=True)}", cells([each[lead] for each in leads]))
    grid.notes += [
        " ".join(rules_words(worths[0].run.rules)),
        say("In parentheses and after ± stand 95 % intervals."),
    ]
    return grid
