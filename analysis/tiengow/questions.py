"""The question language: a question about a hand as a small typed tree.

Source: the section "gupai odds" of the interface.  ``parse_question`` reads a text; every node
can say which seats and what it concerns.  What a node is worth, exactly or on played hands, is told
by ``exact.py`` and ``events.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from ...kernels.tiengow.features import FEATURES
from ..checks import instance
from .notation import Tile

Who: TypeAlias = Literal["banker", "right", "across", "left", "anyone", "everyone", "nobody", "winner"]
Comparison: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]
WHOS: tuple[Who, ...] = ("banker", "right", "across", "left", "anyone", "everyone", "nobody", "winner")
COMPARISONS: tuple[Comparison, ...] = ("=", "!=", "<", "<=", ">", ">=")
DEAL_COUNTS = FEATURES
NAMED = {
    "finish": ("plain", "yao", "supreme", "four"),
    "sweep": ("none", "seven", "eight"),
    "bonus": ("supreme", "four"),
}


@dataclass(frozen=True)
class Has:
    """The dealt hand holds at least these tiles."""

    who: Who
    tiles: tuple[Tile, ...]


@dataclass(frozen=True)
class Count:
    """A count on the dealt hand, one of `DEAL_COUNTS`, compared."""

    what: str
    who: Who
    comparison: Comparison
    number: int


@dataclass(frozen=True)
class Wins:
    """結: wins the last trick."""

    who: Who


@dataclass(frozen=True)
class AtEnd:
    """Stacks, or points with bonuses, at the end of the hand, compared."""

    what: str
    who: Who
    comparison: Comparison
    number: int


@dataclass(frozen=True)
class Named:
    """Finish, sweep or bonus, equal or unequal to a name."""

    what: str
    equal: bool
    name: str


@dataclass(frozen=True)
class Kam:
    """擒 happened."""


@dataclass(frozen=True)
class LastSize:
    """Number of tiles in the last trick, compared."""

    comparison: Comparison
    number: int


@dataclass(frozen=True)
class LastTile:
    """The class of the tile that won a last trick of one tile."""

    equal: bool
    code: str


@dataclass(frozen=True)
class Not:
    """The contrary."""

    part: Question


@dataclass(frozen=True)
class And:
    """All parts."""

    parts: tuple[Question, ...]


@dataclass(frozen=True)
class Or:
    """Any part."""

    parts: tuple[Question, ...]


Question: TypeAlias = Has | Count | Wins | AtEnd | Named | Kam | LastSize | LastTile | Not | And | Or
QUESTION = instance(get_args(Question), "a question, such as parse_question gives")
Atom: TypeAlias = Has | Count | Wins | AtEnd | Named | Kam | LastSize | LastTile


def atoms(question: Question) -> Iterator[Atom]:
    """All atoms of a question, from left to right.

    Examples
    --------
    >>> [type(atom).__name__ for atom in atoms(And((Kam(), Not(Wins("banker")))))]
    ['Kam', 'Wins']
    """
    if isinstance(question, Not):
        yield from atoms(question.part)
    elif isinstance(question, (And, Or)):
        for part in question.parts:
            yield from atoms(part)
    else:
        yield question


def is_about_the_deal(question: Question) -> bool:
    """Whether the dealt hands alone answer it.

    Examples
    --------
    >>> is_about_the_deal(Count("fours", "anyone", ">=", 1)), is_about_the_deal(Kam())
    (True, False)
    """
    return all(isinstance(atom, (Has, Count)) and atom.who != "winner" for atom in atoms(question))


def split_conditions(question: Question) -> tuple[Question | None, Question | None]:
    """A condition as its part on the deal and its part on the play, both of which must hold.

    Examples
    --------
    >>> fours = Count("fours", "banker", ">=", 1)
    >>> split_conditions(And((fours, Kam()))) == (fours, Kam())
    True
    """
    parts = question.parts if isinstance(question, And) else (question,)
    deal = tuple(part for part in parts if is_about_the_deal(part))
    play = tuple(part for part in parts if not is_about_the_deal(part))
    return _together(deal), _together(play)


def _together(parts: tuple[Question, ...]) -> Question | None:
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else And(parts)
