"""Reading the question language; errors point at the spot and list what may stand there."""

from __future__ import annotations

import difflib
from functools import cache
from typing import Any
from unicodedata import east_asian_width

from ..errors import InputError
from .notation import Tile, TileError, parse_tiles
from .questions import (
    COMPARISONS,
    DEAL_COUNTS,
    NAMED,
    WHOS,
    And,
    AtEnd,
    Count,
    Has,
    Kam,
    LastSize,
    LastTile,
    Named,
    Not,
    Or,
    Question,
    Who,
    Wins,
)

LONGEST = 2000  # characters of a question
LARGEST_NUMBER = 10**15

_GRAMMAR = r"""
start: either
?either: both (_OR both)*
?both: part (_AND part)*
?part: _NOT part -> contrary
     | "(" either ")"
     | atom
?atom: WHO _HAS TILES+ -> has
     | WHO _HAS _NO_STACK -> no_stack
     | _NO_STACK WHO -> no_stack
     | _NO_STACK "(" WHO ")" -> no_stack
     | WHO _WINS -> wins
     | DEAL_COUNT "(" WHO ")" COMPARISON NUMBER -> count
     | END_COUNT "(" WHO ")" COMPARISON NUMBER -> at_end
     | FINISH EQUALITY FINISH_NAME -> named
     | SWEEP EQUALITY SWEEP_NAME -> named
     | BONUS EQUALITY BONUS_NAME -> named
     | KAM -> kam
     | _LAST_SIZE COMPARISON NUMBER -> last_size
     | _LAST_TILE EQUALITY TILES -> last_tile

_OR.3: /or\b/i
_AND.3: /and\b/i
_NOT.3: /not\b/i
_HAS.2: /ha(s|ve)\b/i
_WINS.2: /wins?\b/i
_NO_STACK.3: /no[\s_]*stacks?\b/i
WHO.2: /(banker|right|across|left|winner|(any|every)(one|body)|some(one|body)|nobody|I|me)\b/i
DEAL_COUNT.2: /(military|civil|pairs|mixed|threes|fours|supreme|red)\b/i
END_COUNT.2: /(stacks|points)\b/i
FINISH.2: /finish\b/i
SWEEP.2: /sweep\b/i
BONUS.2: /bonus\b/i
KAM.2: /kam\b/i
_LAST_SIZE.2: /last_size\b/i
_LAST_TILE.2: /last_tile\b/i
FINISH_NAME.1: /(plain|yao|supreme|four)\b/i
SWEEP_NAME.1: /(none|seven|eight)\b/i
BONUS_NAME.1: /(supreme|four)\b/i
COMPARISON: /<=|>=|!=|==|=|<|>/
EQUALITY.1: /!=|==|=/
NUMBER.1: /[+-]?\d+\b/
TILES: /(?!(and|or|not)\b)[^\s()]+/i
%import common.WS
%ignore WS
"""

# What may stand somewhere, in a user's words.
_WORDS: dict[str, tuple[str, ...]] = {
    "_OR": ("or",), "_AND": ("and",), "_NOT": ("not",), "_HAS": ("has",), "_WINS": ("wins",),
    "_NO_STACK": ("no stack",), "WHO": (*WHOS, "somebody", "I", "me"),
    "DEAL_COUNT": DEAL_COUNTS, "END_COUNT": ("stacks", "points"),
    "FINISH": ("finish",), "SWEEP": ("sweep",), "BONUS": ("bonus",), "KAM": ("kam",),
    "_LAST_SIZE": ("last_size",), "_LAST_TILE": ("last_tile",), "FINISH_NAME": NAMED["finish"],
    "SWEEP_NAME": NAMED["sweep"], "BONUS_NAME": NAMED["bonus"], "COMPARISON": COMPARISONS,
    "EQUALITY": ("=", "!="), "NUMBER": ("a whole number",), "TILES": ("tiles such as AA99",),
    "LPAR": ("(",), "RPAR": (")",), "$END": ("the end",),
}  # fmt: skip


# Other words for those of `WHOS`; a question has no seat of its own, so that I am who leads first.
SAME_AS: dict[str, Who] = {
    "anybody": "anyone", "somebody": "anyone", "someone": "anyone", "everybody": "everyone",
    "i": "banker", "me": "banker",
}  # fmt: skip


class QuestionError(InputError):
    """A question that cannot be read; the message has a caret under the spot."""


def parse_question(text: str) -> Question:
    """Read a question.

    Parameters
    ----------
    text : str
        Such as ``banker has AA99 and not kam``.  Besides the words of the interface ``somebody`` is
        ``anyone``, ``banker has no stack`` is ``stacks(banker) = 0``, and ``I`` and ``me`` are the
        banker.

    Raises
    ------
    QuestionError
        With the text, a caret under the spot, and what may stand there.

    Examples
    --------
    >>> parse_question("not right wins")
    Not(part=Wins(who='right'))
    >>> parse_question("I have no stack")
    AtEnd(what='stacks', who='banker', comparison='=', number=0)
    """
    if len(text) > LONGEST:
        raise QuestionError(f"a question of {len(text)} characters: at most {LONGEST} are read")
    from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

    try:
        tree = _parser().parse(text)
    except UnexpectedCharacters as error:
        raise _error(text, error.pos_in_stream or 0, error.allowed or set()) from None
    except UnexpectedToken as error:
        place = len(text.rstrip()) if error.token.type == "$END" else error.token.start_pos or 0
        raise _error(text, place, set(error.accepts or error.expected)) from None
    except UnexpectedEOF as error:
        raise _error(text, len(text.rstrip()), set(error.expected)) from None
    except RecursionError:
        raise QuestionError("the question is nested too deeply") from None
    return _build(tree.children[0], text)


def speaks_of_me(text: str) -> bool:
    """Whether a question says ``I`` or ``me``; a text that is no question does not.

    Examples
    --------
    >>> speaks_of_me("I win"), speaks_of_me("banker has I")
    (True, False)
    """
    from lark.exceptions import LarkError

    try:
        tokens = _parser().parse(text).scan_values(lambda token: token.type == "WHO")
    except LarkError:
        return False
    return any(token.lower() in ("i", "me") for token in tokens)


@cache
def _parser() -> Any:
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr", propagate_positions=True)


def _error(text: str, place: int, allowed: set[str]) -> QuestionError:
    words = list(dict.fromkeys(word for name in sorted(allowed) for word in _WORDS.get(name, ())))
    written = text[place:].split(maxsplit=1)[0].strip("()") if text[place:].split() else ""
    near = difflib.get_close_matches(written.lower(), words, 1)
    hint = f"did you mean {near[0]}? " if near else ""
    return _at(text, place, f"{hint}Here may stand: {', '.join(words)}")


def _at(text: str, place: int, message: str) -> QuestionError:
    line = "".join(sign if sign.isprintable() else " " for sign in text)
    columns = sum(2 if east_asian_width(sign) in "WF" else 1 for sign in line[:place])
    return QuestionError(f"cannot read the question\n  {line}\n  {' ' * columns}^ {message}")


def _build(tree: Any, text: str) -> Question:
    kind, parts = tree.data, tree.children
    if kind in ("either", "both"):
        built = tuple(_build(part, text) for part in parts)
        return Or(built) if kind == "either" else And(built)
    if kind == "contrary":
        return Not(_build(parts[0], text))
    if kind == "has":
        return Has(_who(parts[0]), _tiles(parts[1:], text))
    if kind == "wins":
        return Wins(_who(parts[0]))
    if kind == "no_stack":
        return AtEnd("stacks", _who(parts[0]), "=", 0)
    if kind == "count":
        return Count(parts[0].lower(), _who(parts[1]), _sign(parts[2]), _number(parts[3], text))
    if kind == "at_end":
        return AtEnd(parts[0].lower(), _who(parts[1]), _sign(parts[2]), _number(parts[3], text))
    if kind == "named":
        return Named(parts[0].lower(), parts[1] != "!=", parts[2].lower())
    if kind == "last_size":
        return LastSize(_sign(parts[0]), _number(parts[1], text))
    if kind == "last_tile":
        tiles = _tiles(parts[1:], text)
        if len(tiles) != 1 or (tiles[0].is_open() is False and tiles[0].code in "9875"):
            raise _at(text, parts[1].start_pos, "Here stands the class of one tile, such as A or 9")
        return LastTile(parts[0] != "!=", tiles[0].code)
    return Kam()


def _who(token: Any) -> Who:
    word: Who = token.lower()
    return SAME_AS.get(word, word)


def _sign(token: str) -> Any:
    return "=" if token == "==" else str(token)


def _number(token: Any, text: str) -> int:
    if len(token) > 16 or abs(int(token)) > LARGEST_NUMBER:
        raise _at(text, token.start_pos, f"the number is larger than {LARGEST_NUMBER}")
    return int(token)


def _tiles(tokens: Any, text: str) -> tuple[Tile, ...]:
    try:
        tiles = parse_tiles(" ".join(tokens))
    except TileError as error:
        raise _at(text, tokens[0].start_pos, str(error)) from None
    if len(tiles) > 8:
        raise _at(text, tokens[0].start_pos, f"{len(tiles)} tiles, but a hand has 8")
    return tiles
