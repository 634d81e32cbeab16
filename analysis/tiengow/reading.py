"""Reading records: from JSON to a hand checked to the last play.

Source: the section "Records" of the interface.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from ..checks import checked, optional
from ..errors import shown
from .notation import Tile, TileError, codes_of, hand_readings, parse_tiles
from .presets import SWITCHES, RulesError, make_rules
from .records import LARGEST_TERM, Record, RecordError, Score, play_out, score_record
from .rules import RULES, RuleSet

_FIELDS = ("rules", "banker", "term", "hands", "tricks", "first_leader")
_T = TypeVar("_T")


class _Draft(NamedTuple):
    """A record whose tiles are read but not yet told apart."""

    rules: RuleSet
    banker: int
    term: int
    hands: list[tuple[Tile, ...]]
    tricks: list[tuple[int, list[tuple[tuple[Tile, ...], bool]]]]
    first_leader: int | None


@checked(rules=optional(RULES), switches=optional(SWITCHES))
def read_record(
    data: Mapping[str, Any] | str,
    *,
    rules: RuleSet | None = None,
    switches: Mapping[str, Any] | None = None,
) -> Record:
    """Read and check a record.

    Parameters
    ----------
    data : mapping or str
        The JSON object of a record, or its text.
    rules : RuleSet, optional
        The rules to take in place of the record's own.
    switches : mapping, optional
        Switches to change in the rules.

    Returns
    -------
    Record
        Legal from the first play to the last.

    Raises
    ------
    RecordError
        Naming seat, trick, play and reason.

    Examples
    --------
    >>> read_record({"banker": 0})
    Traceback (most recent call last):
    ...
    gupai.analysis.tiengow.records.RecordError: 'hands' is missing: four hands of eight tiles
    """
    draft = _read_draft(parse_json(data))
    if rules is not None or switches:
        values = (rules or draft.rules).model_dump() | dict(switches or {})
        draft = draft._replace(rules=make_rules(values, where="--set"))
    readings = list(hand_readings(draft.hands))
    if not _pips_matter(draft):
        return _resolve(draft, readings[0])
    legal = _all_legal(draft, readings)
    scores = [score_record(record) for record in legal]
    if any(score != scores[0] for score in scores):
        raise RecordError(
            f"hands: write the tiles of class {', '.join(_telling_classes(legal, scores))} with their "
            "pips (such as 4-5), because the result depends on which is which",
            "pips needed",
        )
    return legal[0]


def _telling_classes(records: list[Record], scores: list[Score]) -> list[str]:
    """The classes whose reading changes the score: alone if possible, else together."""
    telling: set[str] = set()
    unlike: set[str] = set()
    for (a, one), (b, other) in itertools.combinations(zip(records, scores, strict=True), 2):
        differs = {code for x, y in zip(a.hands, b.hands, strict=True) for code in codes_of(x ^ y)}
        if one != other:
            unlike |= differs
            telling |= differs if len(differs) == 1 else set()
    return sorted(telling or unlike)


def parse_json(text: Mapping[str, Any] | str) -> Mapping[str, Any]:
    """The JSON object of a record, also of one that was read before."""
    if isinstance(text, Mapping):
        return text
    if not isinstance(text, str):
        raise RecordError("is no record: a record is one JSON object", "no record")
    try:
        data = json.loads(text, object_pairs_hook=_unique_names)
    except (ValueError, RecursionError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError(f"is no JSON ({error})", "no JSON") from None
    if not isinstance(data, dict):
        raise RecordError("is no record: a record is one JSON object", "no record")
    return data


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(pairs)
    if len(named) < len(pairs):
        twice = next(name for name in named if sum(name == other for other, _ in pairs) > 1)
        raise RecordError(f"{shown(twice)} stands twice in one object", "entry twice")
    return named


def _read_draft(data: Mapping[str, Any]) -> _Draft:
    for name in data:
        if name not in _FIELDS:
            raise RecordError(
                f"{shown(name)}: no such entry. A record has {', '.join(_FIELDS)}", "unknown entry"
            )
    for name, what in (
        ("hands", "four hands of eight tiles"),
        ("tricks", "the list of tricks"),
        ("banker", "the seat of the banker, 0 to 3"),
    ):
        if name not in data:
            raise RecordError(f"{name!r} is missing: {what}", "entry missing")
    rules = read_rules_of_record(data.get("rules", "tiengow-ja"))
    banker = whole(data["banker"], "banker", 0, 3)
    term = whole(data.get("term", 1), "term", 1, LARGEST_TERM)
    first_leader = data.get("first_leader")
    if first_leader is not None:
        first_leader = whole(first_leader, "first_leader", 0, 3)
    hands = [read_hand_of_seat(text, seat) for seat, text in enumerate(items(data["hands"], "hands", 4))]
    try:
        next(hand_readings(hands))
    except TileError as error:
        raise RecordError(f"hands: {error}", error.fault) from None
    check_full(hands)
    tricks = [
        _read_trick(trick, number)
        for number, trick in enumerate(items(data["tricks"], "tricks", None), 1)
    ]
    return _Draft(rules, banker, term, hands, tricks, first_leader)


def read_rules_of_record(rules: Any) -> RuleSet:
    """The rules entry of a record."""
    try:
        if isinstance(rules, str):
            return make_rules({}, preset=rules)
        if isinstance(rules, dict):
            switches = dict(rules)
            preset = switches.pop("preset", "tiengow-ja")
            return make_rules(switches, preset=preset)
    except RulesError as error:
        raise RecordError(str(error), "rules") from None
    raise RecordError(f"rules: {shown(rules)} is neither a preset nor an object of switches", "rules")


def whole(value: Any, name: str, least: int, largest: int) -> int:
    """A whole number of a record."""
    if type(value) is not int or not least <= value <= largest:
        raise RecordError(
            f"{name}: {shown(value)} is not a whole number from {least} to {largest}", "wrong entry"
        )
    return value


def items(value: Any, name: str, number: int | None) -> list[Any]:
    """A list of a record."""
    if not isinstance(value, list) or (number is not None and len(value) != number):
        raise RecordError(f"{name}: must be a list{f' of {number}' if number else ''}", "wrong entry")
    return value


def read_hand_of_seat(text: Any, seat: int) -> tuple[Tile, ...]:
    """A hand of a record."""
    return _located(lambda: parse_tiles(text), f"hand of seat {seat}")


def _located(read: Callable[[], _T], where: str) -> _T:
    try:
        return read()
    except TileError as error:
        raise RecordError(f"{where}: {error}", error.fault) from None


def check_full(hands: list[tuple[Tile, ...]], only: int | None = None) -> None:
    """Refuse a hand that has not eight tiles."""
    for seat, hand in enumerate(hands):
        if len(hand) != 8 and only in (None, seat):
            fault = "short hand" if len(hand) < 8 else "long hand"
            raise RecordError(f"hand of seat {seat}: has {len(hand)} tiles in place of 8", fault)


def _read_trick(trick: Any, number: int) -> tuple[int, list[tuple[tuple[Tile, ...], bool]]]:
    where = f"trick {number}"
    if not isinstance(trick, dict) or set(trick) != {"leader", "plays"}:
        raise RecordError(f"{where}: must be an object with leader and plays", "wrong entry")
    leader = whole(trick["leader"], f"{where}, leader", 0, 3)
    plays = []
    for place, text in enumerate(items(trick["plays"], f"{where}, plays", 4)):
        at = f"{where}, play {place + 1} of seat {(leader + place) % 4}"
        plays.append(read_play(text, at))
    return leader, plays


def read_play(text: Any, where: str) -> tuple[tuple[Tile, ...], bool]:
    """A play as it is written: its tiles, and whether they lie face up."""
    if not isinstance(text, str):
        raise RecordError(
            f"{where}: {shown(text)} is no play: write a text such as AA9 or (B)", "no play"
        )
    inner = text.strip()
    face_down = inner[:1] in ("(", "（") and inner[-1:] in (")", "）")
    written = inner[1:-1] if face_down else inner
    if set(written) & set("()（）"):
        raise RecordError(f"{where}: {shown(text)} has a wrong parenthesis", "no play")
    tiles = _located(functools.partial(parse_tiles, written), where)
    if not tiles:
        raise RecordError(f"{where}: is empty", "no play")
    return tiles, not face_down


def _pips_matter(draft: _Draft) -> bool:
    return bool({"one_red", "no_red"} & set(draft.rules.hand_patterns)) or any(
        tile.pips is not None and Tile(tile.code, None).is_open()
        for _, plays in draft.tricks
        for tiles, _ in plays
        for tile in tiles
    )


def _all_legal(draft: _Draft, readings: list[tuple[int, ...]]) -> list[Record]:
    legal: list[Record] = []
    first_error: RecordError | None = None
    for reading in readings:
        try:
            legal.append(_resolve(draft, reading))
        except RecordError as error:
            first_error = first_error or error
    if first_error is not None and not legal:
        raise first_error
    return legal


def _resolve(draft: _Draft, hands: tuple[int, ...]) -> Record:
    """The record with its plays found in these hands, checked to the end."""
    record = Record(
        rules=draft.rules,
        banker=draft.banker,
        term=draft.term,
        hands=hands,
        tricks=(),
        first_leader=draft.first_leader,
    )
    tricks, _ = play_out(record, draft.tricks)
    return dataclasses.replace(record, tricks=tuple(tricks))
