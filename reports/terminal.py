"""Tiles in the terminal: their codes in the colour of the suit, or the domino signs of Unicode.

Civil tiles 文 are bright, military ones 武 in another colour.  Where output goes to a file or a pipe,
or ``NO_COLOR`` is set, the codes stand alone.
"""

from __future__ import annotations

import os
import re
import sys
from contextvars import ContextVar

from ..analysis.errors import InputError
from ..analysis.phrases import Tiles

WAYS = ("codes", "colour", "dominoes")
_way: ContextVar[str] = ContextVar("tiles", default="codes")
_CIVIL, _MILITARY, _PLAIN = "\x1b[1;33m", "\x1b[1;36m", "\x1b[0m"
_FIRST_SIGN = 0x1F063  # of the upright dominoes, 0-0
PAINT = re.compile(r"\x1b\[[0-9;]*m")


def draw_tiles(way: str | None) -> None:
    """From now on, draw tiles that way in tables; None: in colour on a terminal.

    Raises
    ------
    InputError
        If it is none of `WAYS`.
    """
    if way is not None and way not in WAYS:
        raise InputError(f"--tiles {way}: must be one of {', '.join(WAYS)}")
    terminal = sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    _way.set(way or ("colour" if terminal and not os.environ.get("NO_COLOR") else "codes"))


def drawn(text: str) -> str:
    """A text as the terminal shall show it: the tiles that it remembers are drawn.

    Examples
    --------
    >>> from gupai.analysis.tiengow.notation import written
    >>> drawn(written(1, names=True))
    '3 三'
    """
    if not isinstance(text, Tiles) or _way.get() == "codes":
        return text
    from ..analysis.tiengow.notation import codes_of

    return text.replace(codes_of(text.mask), drawn_tiles(text.mask), 1)


def drawn_tiles(mask: int) -> str:
    """Tiles as the terminal shall show them.

    Examples
    --------
    >>> drawn_tiles(1)
    '3'
    """
    from ..analysis.tiengow.notation import BIT_ORDER, codes_of, pips_of

    if _way.get() == "codes":
        return codes_of(mask)
    bits = [1 << bit for bit in BIT_ORDER if mask >> bit & 1]
    if _way.get() == "dominoes":
        return "".join(_sign(pips_of(bit)) for bit in bits)
    shown = ""
    for bit in bits:
        code = codes_of(bit)
        shown += f"{_CIVIL if code.isalpha() else _MILITARY}{code}"
    return shown + _PLAIN


def _sign(pips: str) -> str:
    """The domino sign of a tile.

    Examples
    --------
    >>> _sign("6-6") == chr(0x1F093)
    True
    """
    one, other = map(int, pips.split("-"))
    return chr(_FIRST_SIGN + 7 * one + other)
