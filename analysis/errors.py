"""Errors in what a user asked for, told in one clear sentence."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable

LONGEST_MESSAGE = 2500  # characters; what a user wrote may be endless


class InputError(ValueError):
    """Something the user wrote cannot be used; the message says what, where and what is allowed."""

    def __init__(self, message: str) -> None:
        if len(message) > LONGEST_MESSAGE:
            message = f"{message[:300]} … {message[-300:]}"
        super().__init__("".join(s if s.isprintable() or s == "\n" else "?" for s in message))


def shown(value: object) -> str:
    """What a user wrote, as JSON, short enough for a message.

    Examples
    --------
    >>> shown({"a": None}), shown("x" * 100)[-5:]
    ('{"a": null}', 'xx...')
    """
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = "a value too large to print"
    return text if len(text) <= 60 else text[:57] + "..."


def no_such(name: str, what: str, known: Iterable[str], *, see: str = "") -> str:
    """One sentence for a name that does not exist, with the nearest and all known ones.

    Examples
    --------
    >>> no_such("gredy", "policy", ["random", "greedy"])
    'gredy: no such policy. Did you mean greedy? Known: random, greedy'
    """
    names = list(known)
    shown = name if len(name) <= 60 else name[:57] + "..."
    near = difflib.get_close_matches(name, names, 1) or [n for n in names if name and name in n]
    hint = f" Did you mean {near[0]}?" if near else ""
    listed = f"See: {see}" if see else "Known: " + ", ".join(names)
    return f"{shown}: no such {what}.{hint} {listed}"
