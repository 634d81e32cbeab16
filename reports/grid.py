"""A grid of text, one column a run: printed as a table, as Markdown or as CSV."""

from __future__ import annotations

import csv
import io
import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .terminal import PAINT, drawn


@dataclass
class Grid:
    """Rows of cells under a head; a row with a single cell is a heading between rows."""

    head: list[str]
    rows: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def heading(self, text: str) -> None:
        """Start a part of the table."""
        self.rows.append([text])

    def row(self, name: str, cells: Iterable[str]) -> None:
        """Add a row."""
        self.rows.append([name, *cells])

    def text(self, room: int | None = None) -> str:
        """The grid in columns of even width; those that do not fit in `room` stand below."""
        head, *rows = [[drawn(cell) for cell in row] for row in (self.head, *self.rows)]
        full = [head, *(row for row in rows if len(row) > 1)]
        widths = [max(map(width, column)) for column in zip(*full, strict=True)]
        lines: list[str] = []
        for columns in _that_fit(widths, room):
            lines += [_line(head, widths, columns)]
            lines += ["─" * (sum(widths[column] + 2 for column in columns) - 2)]
            for row in rows:
                lines += ["", row[0]] if len(row) == 1 else [_line(row, widths, columns)]
            lines.append("")
        return "\n".join(lines + self.notes)

    def markdown(self) -> str:
        """The grid as a Markdown table."""
        empty = [""] * (len(self.head) - 1)
        rows = [[f"**{row[0]}**", *empty] if len(row) == 1 else row for row in self.rows]
        rule = ["---"] + ["---:"] * (len(self.head) - 1)
        lines = [f"| {' | '.join(_escaped(row))} |" for row in (self.head, rule, *rows)]
        return "\n".join([*lines, *([""] + [f"{note}  " for note in self.notes] if self.notes else [])])


def _escaped(row: Sequence[str]) -> list[str]:
    return [cell.replace("|", "\\|") for cell in row]


def width(text: str) -> int:
    """Columns of a terminal that a text takes; a Chinese sign takes two, and colour none."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in PAINT.sub("", text))


def _that_fit(widths: Sequence[int], room: int | None) -> list[list[int]]:
    """The columns of each part of a grid; the first column stands in all of them."""
    parts: list[list[int]] = [[0]]
    for column in range(1, len(widths)):
        taken = sum(widths[number] + 2 for number in parts[-1])
        if room is not None and len(parts[-1]) > 1 and taken + widths[column] > room:
            parts.append([0])
        parts[-1].append(column)
    return parts


def _line(cells: Sequence[str], widths: Sequence[int], columns: Sequence[int]) -> str:
    blanks = {column: " " * (widths[column] - width(cells[column])) for column in columns}
    padded = [blanks[column] + cells[column] for column in columns[1:]]
    return "  ".join([cells[0] + blanks[0], *padded]).rstrip()


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV with a head line; what is not known (nan) is left empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow(["" if isinstance(v, float) and math.isnan(v) else v for v in row])
    return out.getvalue()
