"""``gupai score``: records of hands really played, settled."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Annotated, Any

from cyclopts import Parameter

from ..analysis.errors import InputError
from ..analysis.phrases import phrase
from .options import Format, Settings, read_settings
from .progress import note
from .streams import read_words

LARGEST_FILE = 100_000_000  # bytes
LONGEST_RECORD = 100_000  # signs; one takes some two thousand


def score_command(
    *records: Annotated[str, Parameter(allow_leading_hyphen=True)],
    rules: str | None = None,
    settings: Settings = (),
    format: Format = "table",
) -> int:
    """Settle hands that were really played.

    Parameters
    ----------
    records
        Files of records, one JSON object or one a line; - is standard input.
    rules
        Settle under these rules in place of the records' own.
    settings
        A switch to change in the rules, SWITCH=VALUE; may be repeated.
    format
        How to print; json is one object a record.
    """
    from ..analysis import RecordError, load_rules, read_record, score_record

    if not records:
        raise InputError("name a file of records, or - for standard input")
    for name in records:
        if name.startswith("-") and name != "-":
            raise InputError(f"{name}: no such option. See: gupai score --help")
    switches = read_settings(settings)
    override = load_rules(rules, switches) if rules is not None else None
    scores: list[tuple[str, Any]] = []
    faults = 0
    unreadable = False
    for name in records:
        try:
            for where, text in _record_texts(name):
                try:
                    settled = score_record(read_record(text, rules=override, switches=switches))
                except RecordError as error:
                    faults += 1
                    note(f"{where}: {error}")
                    continue
                if format == "json":
                    print(json.dumps(dataclasses.asdict(settled)))
                scores.append((where, settled))
        except InputError as error:  # a file; the others are settled all the same
            unreadable = True
            note(f"gupai score: {error}")
    if format != "json" and scores:
        from .scores import scores_csv, scores_grid

        if format == "csv":
            print(scores_csv(scores), end="")
        else:
            grid = scores_grid(scores)
            print(grid.shown(format))
    if faults:
        note(f"{faults} of {faults + len(scores)} records refused")
    return 2 if faults or unreadable else 0


def _record_texts(name: str) -> Iterator[tuple[str, str]]:
    """Each record of a file with the place where it stands."""
    text = read_words(name, LARGEST_FILE, "file to be settled at once; split it")
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise InputError(f"{name}: holds no record")
    over_many_lines = len(lines) > 1 and not _is_json(lines[0][1])
    if over_many_lines and (lines[0][1].strip() in ("{", "[") or _is_json(text)):
        lines = [(lines[0][0], text)]
    for number, line in lines:
        if len(line) > LONGEST_RECORD:
            raise InputError(f"{name}, line {number}: longer than {LONGEST_RECORD} signs, so no record")
        yield phrase("{file}, line {n}", file=name, n=number), line


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
