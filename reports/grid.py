"""A grid of text, one column a run: printed as a table, as Markdown or as CSV."""

from __future__ import annotations

import csv
import io
import math
import shutil
import sys
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

    def shown(self, format: str) -> str:
        """The grid as it is printed: as Markdown, or as a table folded to the terminal's width."""
        return self.markdown() if format == "markdown" else self.text(terminal_room())

    def text(self, room: int | None = None) -> str:
        """The grid in columns of even width.

        Columns that do not fit in `room` stand below, under the first column again; a cell that does
        not even fit beside the first column goes on in the next line.

        Examples
        --------
        >>> print(Grid(["", "A", "B"], [["wins", "20.7 %", "14.4 %"]]).text(16))
                   A
        ────────────
        wins  20.7 %
        <BLANKLINE>
                   B
        ────────────
        wins  14.4 %
        <BLANKLINE>
        """
        head, *rows = [[drawn(cell) for cell in row] for row in (self.head, *self.rows)]
        full = [head, *(row for row in rows if len(row) > 1)]
        widths = _narrowed([max(map(width, column)) for column in zip(*full, strict=True)], room)
        lines: list[str] = []
        for columns in _that_fit(widths, room):
            lines += _lines(head, widths, columns)
            lines += ["─" * (sum(widths[column] + 2 for column in columns) - 2)]
            for row in rows:
                lines += ["", row[0]] if len(row) == 1 else _lines(row, widths, columns)
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


def terminal_room() -> int | None:
    """Columns of the terminal, None where the output goes elsewhere."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


def _narrowed(widths: Sequence[int], room: int | None) -> list[int]:
    """Widths with which each column fits beside the first."""
    first, *others = widths
    if room is None:
        return [first, *others]
    widest = max(others, default=0)
    if first + 2 + widest > room:
        first = min(first, max(room // 2, room - 2 - widest))
    return [first, *(min(other, max(room - 2 - first, 1)) for other in others)]


def _that_fit(widths: Sequence[int], room: int | None) -> list[list[int]]:
    """The columns of each part of a grid; the first column stands in all of them."""
    parts: list[list[int]] = [[0]]
    for column in range(1, len(widths)):
        taken = sum(widths[number] + 2 for number in parts[-1])
        if room is not None and len(parts[-1]) > 1 and taken + widths[column] > room:
            parts.append([0])
        parts[-1].append(column)
    return parts


def _lines(cells: Sequence[str], widths: Sequence[int], columns: Sequence[int]) -> list[str]:
    """The lines of a row: one, or as many as its tallest cell takes."""
    folded = {column: _folded(cells[column], widths[column]) for column in columns}
    lines = []
    for number in range(max(map(len, folded.values()))):
        parts = {c: text[number] if number < len(text) else "" for c, text in folded.items()}
        blanks = {column: " " * (widths[column] - width(part)) for column, part in parts.items()}
        padded = [blanks[column] + parts[column] for column in columns[1:]]
        lines.append("  ".join([parts[0] + blanks[0], *padded]).rstrip())
    return lines


def _folded(text: str, room: int) -> list[str]:
    """A text in lines that fit, broken at blanks, or anywhere in a word that is longer."""
    if width(text) <= room or PAINT.search(text):
        return [text]
    margin = text[: len(text) - len(text.lstrip())]
    lines = [margin]
    for word in text.split():
        for number, piece in enumerate(_pieces(word, room - len(margin) - 2)):
            apart = " " if number == 0 and lines[-1].strip() else ""
            if lines[-1].strip() and width(lines[-1] + apart + piece) > room:
                lines.append(margin + "  ")
                apart = ""
            lines[-1] += apart + piece
    return lines


def _pieces(word: str, room: int) -> list[str]:
    """A word, cut where it is wider than a line."""
    pieces = [""]
    for sign in word:
        if width(pieces[-1] + sign) > max(room, 2):
            pieces.append("")
        pieces[-1] += sign
    return pieces


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV with a head line; what is not known (nan) is left empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow(["" if isinstance(v, float) and math.isnan(v) else v for v in row])
    return out.getvalue()
