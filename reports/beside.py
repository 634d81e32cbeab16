"""Comparisons of rules side by side: of several policies, or of the same play and the adapted one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .compare import chance_rows, comparisons_csv, share, sides
from .difference_cells import difference_cell
from .grid import Grid
from .language import noted, say
from .numbers import few_hands, mean
from .options import Format
from .words import SEAT_NAMES

if TYPE_CHECKING:
    from ..analysis import AdaptedComparison, Compared, Comparison


def print_adapted(both: AdaptedComparison, format: Format) -> None:
    if format == "json":
        print(json.dumps(both.to_json(), ensure_ascii=False))
        return
    if format == "csv":
        print(comparisons_csv([both.same, both.adapted], ["same play", "adapted play"]), end="")
        return
    from ..analysis.tiengow.family_presets import tuned_note

    grid = Grid(["", "A", "B", say("B - A, same play"), "A", "B", say("B - A, adapted play")])
    grid.heading(say("Points a hand, bonuses included"))
    for seat, same in both.same.points.items():
        adapted = both.adapted.points[seat]
        grid.row(f"  {say(SEAT_NAMES[seat])}", _cells((same, adapted), 1.0, both.same.run.hands))
    grid.heading(say("Spread: standard deviation of one hand"))
    for seat, same_spread in both.same.spread.items():
        cells = []
        for one, other in (same_spread, both.adapted.spread[seat]):
            cells += [f"{one:.2f}", f"{other:.2f}", f"{other - one:+.2f}"]
        grid.row(f"  {say(SEAT_NAMES[seat])}", cells)
    grid.heading(say("Chances (differences in percentage points)"))
    chance_rows(
        grid,
        {name: _cells((value, both.adapted.probabilities[name]), 100.0, both.same.run.hands)
         for name, value in both.same.probabilities.items()},
    )  # fmt: skip
    gains = [mean(gain.mean, gain.low, gain.high, signed=True) for gain in both.gains]
    grid.notes += [
        sides(both.same),
        say(both.sentence()),
        say(
            "Re-tuned against three of the old policy: {a} points a hand under A, {b} under B ({deals} "
            "deals that neither the search nor the choice to adopt it used).",
            a=gains[0],
            b=gains[1],
            deals=f"{both.adaptation.check:,}",
        ),
        say(
            "{hands} hands, the same deals under both rule sets; after ± stand 95 % intervals.",
            hands=f"{both.same.run.hands:,}",
        ),
        *noted(tuned_note(both.same.run.policies, both.same.a, both.same.b)),
        both.command(),
    ]
    print(grid.shown(format))


def _cells(values: tuple[Compared, ...], times: float, hands: int) -> list[str]:
    cells = []
    for value in values:
        for one in (value.a, value.b):
            cells.append(f"{one:+.3f}" if times == 1 else share(one, hands))
        cells.append(difference_cell(value, times))
    return cells


def policies_grid(found: list[Comparison]) -> Grid:
    """The same two rule sets as several policies play them, side by side."""
    from ..analysis.tiengow.family_presets import tuned_note

    first = found[0]
    heads = []
    for result in found:
        policy = "/".join(dict.fromkeys(result.run.policies))
        heads += ["A", "B", say("B - A, {policy}", policy=policy)]
    grid = Grid(["", *heads])
    grid.heading(say("Points a hand, bonuses included"))
    for seat in first.points:
        values = tuple(result.points[seat] for result in found)
        grid.row(f"  {say(SEAT_NAMES[seat])}", _cells(values, 1.0, first.run.hands))
    grid.heading(say("Chances (differences in percentage points)"))
    chance_rows(
        grid,
        {name: _cells(tuple(r.probabilities[name] for r in found), 100.0, first.run.hands)
         for name in first.probabilities},
    )  # fmt: skip
    names = tuple(dict.fromkeys(name for result in found for name in result.run.policies))
    grid.notes += [
        sides(first),
        say(
            "{hands} hands, the same deals under both rule sets; after ± stand 95 % intervals.",
            hands=f"{first.run.hands:,}",
        ),
        *few_hands(first.run.hands),
        *noted(tuned_note(names, first.a, first.b)),
        *(result.command() for result in found),
    ]
    return grid
