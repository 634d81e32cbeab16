"""Conditions on the deal in one form, so that one condition, however written, gives the same deals.

``banker has BA`` and ``banker has 天地``, ``fours(left) > 0`` and ``fours(left) >= 1``, ``A and B`` and
``B and A``, ``not anyone …`` and ``nobody …`` are the same condition.
"""

from __future__ import annotations

import dataclasses

from .notation import Tile
from .questions import And, Comparison, Count, Has, Not, Or, Question, Who

_CONTRARY: dict[Comparison, Comparison] = {
    "=": "!=", "!=": "=", "<": ">=", ">=": "<", "<=": ">", ">": "<=",
}  # fmt: skip


def canonical(question: Question) -> Question:
    """A question in a form that does not depend on how it was written.

    Of comparisons ``>``, ``<=``, ``=`` and ``!=`` remain; parts and tiles stand in one order, each part
    once; a contrary stands before a single question on tiles at most.

    Examples
    --------
    >>> from gupai.analysis import parse_question
    >>> texts = "fours(left) > 0 and banker has BA", "banker has 天地 and not fours(left) < 1"
    >>> one, other = (canonical(parse_question(text)) for text in texts)
    >>> one == other
    True
    """
    if isinstance(question, Not):
        return _contrary(question.part)
    if isinstance(question, (And, Or)):
        return _together(type(question), [canonical(part) for part in question.parts])
    if isinstance(question, Has):
        tiles = (Tile(t.code, t.pips if str(t) != t.code else None) for t in question.tiles)
        return dataclasses.replace(question, tiles=tuple(sorted(tiles, key=str)))
    if isinstance(question, Count):
        return _counted(question)
    return question


def _together(kind: type[And] | type[Or], parts: list[Question]) -> Question:
    """Canonical parts joined: none in another of its kind, none twice, in one order."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, kind) else (part,))]
    if kind is And:
        flat = _hands_merged(flat)
    found = sorted(set(flat), key=repr)
    return found[0] if len(found) == 1 else kind(tuple(found))


def _hands_merged(parts: list[Question]) -> list[Question]:
    """``banker has A and banker has B`` as ``banker has AB``, where no class is named twice."""
    merged: list[Question] = []
    held: dict[Who, list[Has]] = {}
    for part in dict.fromkeys(parts):
        if isinstance(part, Has) and part.who not in ("anyone", "nobody"):
            held.setdefault(part.who, []).append(part)
        else:
            merged.append(part)
    for who, each in held.items():
        classes = [code for has in each for code in {tile.code for tile in has.tiles}]
        tiles = [tile for has in each for tile in has.tiles]
        if len(set(classes)) == len(classes) and len(tiles) <= 8:
            merged.append(Has(who, tuple(sorted(tiles, key=str))))
        else:
            merged += each
    return merged


def _counted(count: Count) -> Count:
    """A count of one seat, of anyone or of everyone, compared by ``>``, ``<=``, ``=`` or ``!=``."""
    if count.who == "nobody":
        count = dataclasses.replace(count, who="everyone", comparison=_CONTRARY[count.comparison])
    if count.comparison == ">=":
        return dataclasses.replace(count, comparison=">", number=count.number - 1)
    if count.comparison == "<":
        return dataclasses.replace(count, comparison="<=", number=count.number - 1)
    return count


def _contrary(question: Question) -> Question:
    """The contrary of a question, canonical."""
    if isinstance(question, Not):
        return canonical(question.part)
    if isinstance(question, (And, Or)):
        kind = Or if isinstance(question, And) else And
        return _together(kind, [_contrary(part) for part in question.parts])
    if isinstance(question, Count):
        if question.who == "nobody":
            return canonical(dataclasses.replace(question, who="anyone"))
        who: Who = {"anyone": "everyone", "everyone": "anyone"}.get(question.who, question.who)  # type: ignore[assignment]
        return _counted(
            dataclasses.replace(question, who=who, comparison=_CONTRARY[question.comparison])
        )
    if isinstance(question, Has) and question.who in ("anyone", "nobody"):
        other: Who = "nobody" if question.who == "anyone" else "anyone"
        return canonical(dataclasses.replace(question, who=other))
    return Not(canonical(question))
