"""A grid of text, one column a run: printed as a table, as Markdown or as CSV."""

from __future__ import annotations

import csv
import io
import shutil
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass
class Grid:
    """Rows of cells under a head; a row with a single cell is a heading between rows."""

    head: list[str]
    rows: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left: bool = False  # cells of words, set to the left and folded to the width of the terminal

    def heading(self, text: str) -> None:
        """Start a part of the table."""
        self.rows.append([text])

    def row(self, name: str, cells: Iterable[str]) -> None:
        """Add a row."""
        self.rows.append([name, *cells])

    def text(self) -> str:
        """The grid in columns of even width for a terminal."""
        full = [self.head, *(row for row in self.rows if len(row) > 1)]
        widths = [max(map(_width, column)) for column in zip(*full, strict=True)]
        if self.left:
            room = shutil.get_terminal_size((120, 24)).columns
            widths[-1] = max(30, min(widths[-1], room - sum(widths[:-1]) - 2 * len(widths)))
        lines = [*self._lines(self.head, widths), "─" * (sum(widths) + 2 * len(widths) - 2)]
        for row in self.rows:
            lines += ["", row[0]] if len(row) == 1 else self._lines(row, widths)
        return "\n".join([*lines, *([""] + self.notes if self.notes else [])])

    def _lines(self, cells: Sequence[str], widths: Sequence[int]) -> list[str]:
        if not self.left:
            first = cells[0] + _blanks(cells[0], widths[0])
            rest = [_blanks(cell, width) + cell for cell, width in zip(cells[1:], widths[1:], strict=True)]
            return ["  ".join([first, *rest]).rstrip()]
        folded = _folded(cells[-1], widths[-1])
        start = [cell + _blanks(cell, width) for cell, width in zip(cells[:-1], widths[:-1], strict=True)]
        empty = [" " * width for width in widths[:-1]]
        return [
            "  ".join([*(empty if number else start), part]).rstrip()
            for number, part in enumerate(folded)
        ]

    def markdown(self) -> str:
        """The grid as a Markdown table."""
        empty = [""] * (len(self.head) - 1)
        rows = [[f"**{row[0]}**", *empty] if len(row) == 1 else row for row in self.rows]
        rule = ["---"] + ["---:"] * (len(self.head) - 1)
        lines = [f"| {' | '.join(_escaped(row))} |" for row in (self.head, rule, *rows)]
        return "\n".join([*lines, *([""] + [f"{note}  " for note in self.notes] if self.notes else [])])


def _escaped(row: Sequence[str]) -> list[str]:
    return [cell.replace("|", "\\|") for cell in row]


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _blanks(text: str, width: int) -> str:
    return " " * (width - _width(text))


def _folded(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and _width(joined) > width:
            lines.append(word)
        else:
            lines[-1] = joined
    return lines


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV with a head line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()
