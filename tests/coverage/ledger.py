"""How often intervals covered the truth, judged with a stated false-alarm rate and kept for a table.

A test of this folder repeats an estimate with seeds of its own, counts how often the interval covers
what is true (known exactly, or from a run so long that its own error does not count), and hands the
count to `judge`.  At the end of the run the table of all cells is printed, the worst of each kind first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

FALSE_ALARM = 1e-4  # chance that a cell whose coverage is as promised fails its test


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One cell of the table: of `runs` intervals of a `kind`, how many covered the truth."""

    kind: str  # the method, such as "share (Clopper-Pearson)"
    cell: str  # what was estimated, of what, from how many hands
    covered: int
    runs: int
    least: float  # the coverage asked for

    cells: ClassVar[list[Cell]] = []

    @property
    def coverage(self) -> float:
        return self.covered / self.runs


def judge(kind: str, cell: str, covered: int, runs: int, *, least: float = 0.94) -> None:
    """Note a cell of the table; fail if its coverage is below `least` beyond chance.

    A cell whose true coverage is `least` fails with chance `FALSE_ALARM` at most (exact binomial).
    """
    found = Cell(kind=kind, cell=cell, covered=covered, runs=runs, least=least)
    Cell.cells.append(found)
    tail = at_most(covered, runs, least)
    assert tail > FALSE_ALARM, (
        f"{kind}, {cell}: {covered} of {runs} intervals covered ({found.coverage:.3f}); "
        f"with a coverage of {least} so few come with chance {tail:.2g}"
    )


def judge_false_claims(kind: str, cell: str, claims: int, runs: int, *, most: float = 0.05) -> None:
    """Note how often something was claimed where nothing is; fail if it is more than `most` beyond chance."""
    judge(kind, cell, runs - claims, runs, least=1 - most)


def at_most(count: int, n: int, chance: float) -> float:
    """The chance of at most `count` successes in `n` independent tries."""
    from scipy.special import bdtr

    return float(bdtr(count, n, chance)) if count < n else 1.0


def table() -> list[str]:
    """The cells as lines of Markdown: a line a kind, with its worst cell."""
    lines = [
        "| interval | cells | intervals | covered | worst cell | covered there |",
        "|---|---|---|---|---|---|",
    ]
    for kind in sorted({cell.kind for cell in Cell.cells}):
        cells = [cell for cell in Cell.cells if cell.kind == kind]
        worst = min(cells, key=lambda cell: cell.coverage)
        runs, covered = sum(c.runs for c in cells), sum(c.covered for c in cells)
        half = 1.96 * math.sqrt(max(worst.coverage * (1 - worst.coverage), 1e-9) / worst.runs)
        lines.append(
            f"| {kind} | {len(cells)} | {runs:,} | {covered / runs:.1%} | {worst.cell} "
            f"| {worst.coverage:.1%} ± {half:.1%} of {worst.runs:,} |"
        )
    return lines
