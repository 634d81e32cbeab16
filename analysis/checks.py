"""What callers hand over, checked where it enters: one sentence for what is not allowed.

A check takes the name of a value and the value, and returns the value to go on with (a whole number
of numpy becomes one of Python's) or raises `InputError`.  `checked` applies checks to the arguments of
a function, `settle` to the attributes of a request.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import numbers
import operator
import os
from collections.abc import Callable, Iterable
from typing import Any, ParamSpec, TypeVar

from .errors import InputError, no_such

Check = Callable[[str, Any], Any]
_P = ParamSpec("_P")
_R = TypeVar("_R")
_LONGEST = 60  # signs of a value in a message


def told(value: object) -> str:
    """A value as a message shows it.

    Examples
    --------
    >>> told(5), told("5"), len(told([1.5] * 100))
    ('5', "'5'", 60)
    """
    try:
        text = " ".join(repr(value).split())
    except Exception:  # whatever a caller's object may raise, and numbers of too many digits
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def option(name: str) -> str:
    """An argument as it is written on the command line.

    Examples
    --------
    >>> option("session_hands")
    '--session-hands'
    """
    return name if name.startswith("-") else f"--{name.replace('_', '-')}"


def whole(least: int, largest: int) -> Check:
    """A whole number, Python's or numpy's; True and False are none.

    Examples
    --------
    >>> whole(1, 9)("hands", 0)
    Traceback (most recent call last):
    ...
    gupai.analysis.errors.InputError: --hands 0: must be a whole number from 1 to 9
    """

    def check(name: str, value: Any) -> int:
        number = None
        if not isinstance(value, bool):
            with contextlib.suppress(TypeError):
                number = operator.index(value)
        if number is None or not least <= number <= largest:
            raise InputError(
                f"{option(name)} {told(value)}: must be a whole number from {least} to {largest}"
            )
        return number

    return check


def number(above: float, largest: float, what: str) -> Check:
    """A number, whole or not, above one bound and up to another; `what` says so in words.

    Examples
    --------
    >>> number(0, 10, "above 0 and at most 10")("spread", 2.5)
    2.5
    """

    def check(name: str, value: Any) -> float:
        if not isinstance(value, numbers.Real) or isinstance(value, bool):
            raise InputError(f"{option(name)} {told(value)}: must be a number {what}")
        if not above < float(value) <= largest:
            raise InputError(f"{option(name)} {told(value)}: must be {what}")
        return value if isinstance(value, int) else float(value)

    return check


def text(name: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise InputError(f"{option(name)} {told(value)}: must be a text")
    return str(value)


def one_of(choices: Iterable[str], what: str) -> Check:
    """One of some names.

    Examples
    --------
    >>> one_of(["points", "win"], "order")("by", "points")
    'points'
    """
    known = tuple(choices)

    def check(name: str, value: Any) -> str:
        if text(name, value) not in known:
            raise InputError(f"{option(name)} " + no_such(value, what, known))
        return str(value)

    return check


def either(word: str, check: Check, how: str) -> Check:
    """A word, or what another check wants; `how` tells both.

    Examples
    --------
    >>> either("dice", whole(0, 3), "a seat, or dice")("first", "dice")
    'dice'
    """

    def check_either(name: str, value: Any) -> Any:
        if isinstance(value, str) and value == word:
            return word
        try:
            return check(name, value)
        except InputError:
            raise InputError(f"{option(name)} {told(value)}: must be {how}") from None

    return check_either


def texts(name: str, value: Any) -> tuple[str, ...]:
    """Several texts: a list or tuple, no single text, which would be read sign by sign."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InputError(f"{name} {told(value)}: must be a list of texts")
    return tuple(text(name, each) for each in value)


def instance(kind: type | tuple[type, ...], how: str) -> Check:
    """An object of a type; `how` says where one comes from.

    Examples
    --------
    >>> instance(bool, "True or False")("exact", 1)
    Traceback (most recent call last):
    ...
    gupai.analysis.errors.InputError: exact 1: must be True or False
    """

    def check(name: str, value: Any) -> Any:
        if not isinstance(value, kind):
            raise InputError(f"{name} {told(value)}: must be {how}")
        return value

    return check


def path(name: str, value: Any) -> Any:
    """The path of a file or folder."""
    if not isinstance(value, (str, os.PathLike)):
        raise InputError(f"{name} {told(value)}: must be a path")
    return value


def optional(check: Check) -> Check:
    """None, or what another check wants."""
    return lambda name, value: None if value is None else check(name, value)


YES_OR_NO = instance(bool, "True or False")
LARGEST_SEED = 2**64 - 1
SEED = whole(0, LARGEST_SEED)
THREADS = optional(whole(1, 1024))
ROUNDS = whole(1, 1000)


def checked(**checks: Check) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Check the arguments of a function by their names before it is called.

    Examples
    --------
    >>> @checked(seed=SEED)
    ... def double(seed=1):
    ...     return 2 * seed
    >>> double(), double(21)
    (2, 42)
    """

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        signature = inspect.signature(function)
        assert set(checks) <= set(signature.parameters), function

        @functools.wraps(function)
        def call(*positional: _P.args, **named: _P.kwargs) -> _R:
            bound = signature.bind(*positional, **named)
            for name, check in checks.items():
                if name in bound.arguments:
                    bound.arguments[name] = check(name, bound.arguments[name])
            return function(*bound.args, **bound.kwargs)

        return call

    return decorate


def settle(request: object, prefix: str = "", /, **checks: Check) -> None:
    """Check the attributes of a request, a frozen dataclass, when it is made.

    In messages their names stand after `prefix`, as they do on the command line.
    """
    for name, check in checks.items():
        object.__setattr__(request, name, check(prefix + name, getattr(request, name)))
