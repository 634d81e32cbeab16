"""What rule sets are compared by, under the names and headings of the probability tables."""

from __future__ import annotations

from ..analysis.phrases import phrase
from .language import said, say
from .tiengow import BONUS_NAMES, HEADINGS, VALUES
from .words import SEAT_NAMES

_HEADINGS = {
    "winner": HEADINGS["winner"],
    "finish": HEADINGS["finish"],
    "sweep": HEADINGS["sweep"],
    "kam": HEADINGS["kam"],
    "bonus": phrase("Bonuses: hands in which one is paid"),
    "no": phrase("no stack"),
    "last": HEADINGS["last_size"],
}
_SOURCES = {
    "stacks": phrase("stacks 棟"),
    "banker": SEAT_NAMES["banker"],
    "sweep": phrase("sweep 完封"),
    "bonuses": phrase("bonuses 賀"),
    "finish": phrase("finish"),
}


def heading_of(name: str) -> str:
    """The heading that a compared chance stands under.

    Examples
    --------
    >>> heading_of("sweep seven")
    'Sweep 完封'
    """
    return say(_HEADINGS[name.split()[0]])


def quantity_name(name: str) -> str:
    """A compared chance as a table calls it, under its heading.

    Examples
    --------
    >>> [quantity_name(name) for name in ("sweep seven", "finish yao", "winner banker", "last size 2")]
    ['七支', '幺結 won by the led lowest tile', 'banker 莊', '2']
    """
    kind, _, value = name.partition(" ")
    if kind == "kam":
        return say(VALUES["kam", "kam"])
    if value == "any":
        return say("any")
    if kind == "bonus":
        return BONUS_NAMES[value]
    last = value.split()[-1]  # of "no stack left", "last size 2"
    return said(VALUES.get((kind, value), SEAT_NAMES.get(last, last)))


def source_name(name: str) -> str:
    """A source of points as a table calls it.

    Examples
    --------
    >>> source_name("banker"), source_name("擒")
    ('banker 莊', '擒')
    """
    return say(_SOURCES[name]) if name in _SOURCES else name
