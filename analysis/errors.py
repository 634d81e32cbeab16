"""Errors in what a user asked for, told in one clear sentence."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """Something the user wrote cannot be used; the message says what, where and what is allowed."""


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
