"""Policies that users write in Python: loaded from a file, compiled, and checked.

A policy is a function of one argument, the view of the seat whose turn it is: an int64 array whose
places are named in ``gupai.kernels.tiengow.state`` (`HAND`, `UNSEEN`, `BEATS` …).  It returns the
tiles it plays as tile bits.  They lie face up where that is legal; a negative number puts them face
down all the same.  It is compiled by numba, so it may use what numba knows, and the helpers of
``gupai.kernels.tiengow``.
"""

from __future__ import annotations

import functools
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ...kernels.keys import no_key
from ...kernels.series import CHECK_POSITIONS
from ...kernels.tiengow.blocks import decide, draw_positions
from ...kernels.tiengow.deal import taking
from ...kernels.tiengow.foreign import ILLEGAL, USER
from ...kernels.tiengow.search import MOST_PLAYS, legal_plays
from ...kernels.tiengow.state import HAND, LED, STATE, TRICK, VIEW, fill_rules, make_view
from ..checks import SEED, checked, text, whole
from ..errors import InputError
from ..files import read_small
from ..phrases import Phrase, phrase
from .notation import codes_of
from .policies import Policy, find_policy
from .rules import RuleSet
from .user_code import digest_of, in_words, load_code, reads_place

_LARGEST_FILE = 1_000_000  # bytes

_loading = threading.RLock()
_files: dict[tuple[str, bytes], tuple[Path, ...]] = {}  # that policies are made of, by place and source
_modules: dict[tuple[str, str], ModuleType] = {}  # by path and digest
_loaded: dict[tuple[str, str], Any] = {}  # compiled functions, which must not be thrown away


class Compiled(NamedTuple):
    """A user's function: as Python, as numba's, and its address."""

    python: Callable[[Any], int]
    jitted: Any
    address: int


def user_policy(name: str) -> Policy:
    """The policy ``file.py:function``.

    Raises
    ------
    InputError
        If the file, or the function in it, cannot be used.

    Examples
    --------
    >>> user_policy("none.py:lowest")
    Traceback (most recent call last):
    ...
    gupai.analysis.errors.InputError: --policy none.py:lowest: cannot be read (No such file or directory)
    """
    path, _, function = name.rpartition(":")
    try:
        source = read_small(path, _LARGEST_FILE, "policy")
    except InputError as error:
        raise InputError(f"--policy {name}: {str(error).removeprefix(f'{path}: ')}") from None
    digest = _digest(name, path, function, source)
    compiled = _compiled(name, path, function, digest)
    beliefs = (compiled.python.__doc__ or "A policy of the user's own.").strip().splitlines()[0]
    return Policy(name, USER, beliefs, (float(compiled.address),), source=digest)


@functools.lru_cache(maxsize=64)
def _compiled(name: str, path: str, function: str, digest: str) -> Compiled:
    import numba
    from numba.core import types
    from numba.core.errors import NumbaError

    from ...kernels._jit import teach_numba

    python = _function_of(_modules[path, digest], name, function)
    teach_numba()
    jitted = numba.njit(nogil=True, error_model="numpy")(python)
    try:
        jitted.compile((types.int64[::1],))
        result = jitted.overloads[(types.int64[::1],)].signature.return_type
    except (NumbaError, TypeError, ValueError) as error:
        told = " ".join(str(error).split())
        hint = " (a helper in the same file needs @numba.njit)" if "global name" in told else ""
        raise InputError(f"--policy {name}: numba cannot compile it{hint}: {told[:600]}") from None
    if not isinstance(result, (types.Integer, types.Boolean)) and result.name != "Word":
        raise InputError(
            f"--policy {name}: returns {result}; it must return tile bits, a whole number, every time"
        )

    pointer_to = types.CPointer  # type: ignore[attr-defined]

    @numba.cfunc(types.int64(pointer_to(types.int64)))
    def called(pointer):  # type: ignore[no-untyped-def]
        return types.int64(jitted(numba.carray(pointer, VIEW)))

    _loaded[name, digest] = (jitted, called)
    return Compiled(python, jitted, called.address)


def _digest(name: str, path: str, function: str, source: bytes) -> str:
    """The digest of a policy with all it is made of, which is loaded if it has changed."""
    place = os.path.abspath(path), source
    with _loading:
        if place in _files:
            digest = digest_of(source, function, path, _files[place])
            if digest is not None and (path, digest) in _modules:
                return digest
        module, files = load_code(name, path)
        digest = digest_of(source, function, path, files)
        if digest is None:
            raise InputError(f"--policy {name}: its files change while they are read; try again")
        _files[place], _modules[path, digest] = files, module
        return digest


def _function_of(module: ModuleType, name: str, function: str) -> Callable[[Any], int]:
    found = getattr(module, function, None)
    if found is None:
        known = [
            key
            for key, value in vars(module).items()
            if getattr(value, "__module__", None) == module.__name__
        ]
        raise InputError(
            f"--policy {name}: the file has no function {function}; it has: {', '.join(known[:20])}"
        )
    found = getattr(found, "py_func", found)  # one that numba compiled already
    if not callable(found) or not hasattr(found, "__code__"):
        raise InputError(f"--policy {name}: {function} is no function")
    if found.__code__.co_argcount != 1:
        raise InputError(f"--policy {name}: {function} must take one argument, the view")
    return found  # type: ignore[no-any-return]


@dataclass(frozen=True, kw_only=True)
class Check:
    """What a conformance check found.

    Attributes
    ----------
    policy : str
    positions : int
        Positions it was asked in, under several rule sets.
    fault : str
        The first thing that is wrong, or nothing.
    decisions_per_second : float
    note : str
        What else its author should know, or nothing: whether it reads a place of the view whose
        meaning has changed.
    """

    policy: str
    positions: int
    fault: str
    decisions_per_second: float
    note: str = ""


_RULES = (
    RuleSet(),
    RuleSet(supreme_civil="beaten_by_J", last_low_civil=True),
    RuleSet(supreme_civil="on", two_stacks=False),
)
_FAULTS = ("plays tiles that are not legal", "answers otherwise when asked again",
           "answers otherwise when hidden tiles change")  # fmt: skip


@checked(name=text, positions=whole(1, 10**6), seed=SEED)
def check_policy(name: str, *, positions: int = 3000, seed: int = 1) -> Check:
    """Ask a policy in many positions whether it keeps the rules of a policy.

    Every play must be legal, the same whenever it is asked, and must not change when the tiles
    that the seat has not seen change places.

    Parameters
    ----------
    name : str
        Any policy, a file of weights, or ``file.py:function``.
    positions : int
        For each of three rule sets.
    seed : int

    Raises
    ------
    InputError
        If there is no such policy.

    Examples
    --------
    >>> check_policy("greedy", positions=50).fault
    ''
    """
    fault, spent, asked = "", 0.0, 0
    for rules in _RULES:
        policy = find_policy(name, rules)
        makers = [find_policy(maker, rules) for maker in ("random", "greedy", "tuned", "public-a")]
        states, others = np.zeros((2, positions, STATE), np.int64)
        kinds, weights = np.array([p.kind for p in makers]), np.array([p.row() for p in makers])
        way = taking(0, CHECK_POSITIONS)
        draw_positions(np.uint64(seed), kinds, weights, way, rules.switches(), 1, states, others)
        moves = np.zeros((3, positions, 1, 2), np.int64)
        fixed = np.array([policy.kind]), policy.row()[None, :], np.array([policy.worlds])
        if policy.kind == USER and (raised := _raises(name, policy, states[:200], rules)):
            fault = raised
            break
        try:
            decide(states[:1], *fixed, np.uint64(seed), rules.switches(), 1, moves[0, :1])
            for number, asked_in in enumerate((states, states, others)):
                start = time.perf_counter()
                decide(asked_in, *fixed, np.uint64(seed), rules.switches(), 1, moves[number])
                spent += time.perf_counter() - start
                asked += positions
        except ValueError as error:
            if str(error) != ILLEGAL:
                raise
            fault = fault or _illegal(name, states, rules)
            break
        for number, what in ((1, _FAULTS[1]), (2, _FAULTS[2])):
            differ = (moves[number] != moves[0]).any(axis=(1, 2))
            if differ.any() and not fault:
                fault = f"{what}: {_described(states[int(np.argmax(differ))], rules)}"
        if not fault and _writes_view(policy, states[0], rules):
            fault = "writes to the view that it is given"
    return Check(
        policy=name,
        positions=positions * len(_RULES),
        fault=fault,
        decisions_per_second=asked / spent if spent else 0.0,
        note=_note_on(policy),
    )


def _note_on(policy: Policy) -> Phrase | str:
    """What the author of a user's policy is told of places of the view that changed."""
    if policy.kind != USER:
        return ""
    python = _compiled(policy.name, *_where(policy.name), policy.source).python
    if not reads_place(python, TRICK):
        return ""
    return phrase(
        "It reads view[TRICK], which now counts the tricks before this one; before, it counted the "
        "tiles that each seat had played, which were more after pairs, threes and fours."
    )


def _view_of(state: Any, rules: RuleSet) -> list[int]:
    view = [0] * VIEW
    fill_rules(view, rules.switches(), 1)
    make_view([int(value) for value in state], no_key(), rules.switches(), view)
    return view


def _described(state: Any, rules: RuleSet) -> str:
    view = _view_of(state, rules)
    led = f", {codes_of(view[LED])} led" if view[LED] else ", to lead"
    return f"with {codes_of(view[HAND])} in hand{led}"


def _illegal(name: str, states: Any, rules: RuleSet) -> str:
    """The first position in which a user's policy plays what is not legal, by plain Python."""
    policy = user_policy(name)
    compiled = _compiled(name, *_where(name), policy.source)
    for state in states:
        view = _view_of(state, rules)
        try:
            answer = int(compiled.jitted(np.array(view)))
        except Exception as error:  # whatever a user's function may raise
            return f"raises {in_words(error)} {_described(state, rules)}"
        plays, faces = [0] * MOST_PLAYS, [0] * MOST_PLAYS
        legal = {codes_of(play) for play in plays[: legal_plays(view, plays, faces)]}
        tiles = abs(answer)
        if tiles >> 32 or tiles & ~view[HAND] or codes_of(tiles) not in legal:
            shown = codes_of(tiles) if not tiles >> 32 and tiles else str(answer)
            return f"{_FAULTS[0]}: {shown} {_described(state, rules)}"
    return _FAULTS[0]


def _raises(name: str, policy: Policy, states: Any, rules: RuleSet) -> str:
    """The first position in which a policy raises an error or looks beside its view."""
    import numba

    careful = numba.njit(boundscheck=True)(_compiled(name, *_where(name), policy.source).python)
    for state in states:
        try:
            careful(np.array(_view_of(state, rules)))
        except Exception as error:  # whatever a user's function may raise
            return f"raises {in_words(error)} {_described(state, rules)}"
    return ""


def _where(name: str) -> tuple[str, str]:
    path, _, function = name.rpartition(":")
    return path, function


def _writes_view(policy: Policy, state: Any, rules: RuleSet) -> bool:
    if policy.kind != USER:
        return False
    compiled = _compiled(policy.name, *_where(policy.name), policy.source)
    before = np.array(_view_of(state, rules))
    view = before.copy()
    compiled.jitted(view)
    return bool((view != before).any())
