"""Options that several commands share."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from ..analysis.errors import InputError

Format = Literal["table", "json", "csv", "markdown"]


def _whole(_kind: Any, tokens: Any) -> int:
    text = tokens[0].value
    if not re.fullmatch(r"[+-]?[0-9]{1,30}", text):
        raise ValueError(f"{text[:40]} is no whole number")
    return int(text)


def _folder(_kind: Any, tokens: Any) -> Path:
    text = tokens[0].value
    if not text or "\0" in text:
        raise ValueError("an empty name is no folder" if not text else "a name with a zero byte")
    try:
        os.lstat(text)
    except (FileNotFoundError, NotADirectoryError):  # whoever makes it tells what stands in the way
        return Path(text)
    except OSError as error:
        raise ValueError(f"{text[:200]} is no folder ({error.strerror})") from None
    if not os.path.isdir(text):  # also a link to nothing
        raise ValueError(f"{text[:200]} is no folder")
    return Path(text)


Folder = Annotated[Path, Parameter(converter=_folder)]
Whole = Annotated[int, Parameter(converter=_whole)]
Rules = Annotated[str, Parameter(name="--rules")]
Settings = Annotated[tuple[str, ...], Parameter(name="--set", negative="", show_default=False)]


def read_settings(settings: tuple[str, ...]) -> dict[str, Any]:
    """The switches set by ``--set``."""
    from ..analysis import parse_setting

    switches: dict[str, Any] = {}
    for text in settings:
        name, value = parse_setting(text)
        if name in switches:
            raise InputError(f"--set {text}: {name} is set twice")
        switches[name] = value
    return switches


def policy_name(text: str) -> str:
    """A policy as it was written, a file's capitals kept.

    Examples
    --------
    >>> policy_name(" Tuned "), policy_name("Mine.toml")
    ('tuned', 'Mine.toml')
    """
    name = text.strip()
    return name if is_a_file(name) else name.lower()


def is_a_file(name: str) -> bool:
    """Whether a policy is named by a file, whose capitals count."""
    return name.endswith(".toml") or name.rpartition(":")[0].endswith(".py")


def four_policies(text: str, order: str = "as banker,right,across,left") -> tuple[str, str, str, str]:
    """The policies of banker, right, across and left from one name or four.

    Examples
    --------
    >>> four_policies("greedy")
    ('greedy', 'greedy', 'greedy', 'greedy')
    """
    names = [policy_name(name) for name in several(text, ",", what="--policy")]
    if len(names) == 1:
        names *= 4
    if len(names) != 4:
        hint = "; a file whose name holds a comma stands in double quotes"
        raise InputError(
            f"--policy {text}: names {len(names)} policies; write one for all seats, or four {order}"
            + hint * any(map(is_a_file, names))
        )
    return names[0], names[1], names[2], names[3]


def several(text: str, sign: str, *, what: str) -> list[str]:
    """What stands between signs; a file of that very name is one, and double quotes keep a sign.

    Examples
    --------
    >>> several('tuned,"a,b.toml"', ",", what="--policy")
    ['tuned', 'a,b.toml']
    """
    from ..analysis.lists import apart

    path = text.strip()
    if is_a_file(path) and sign in path:
        with suppress(OSError, ValueError):
            if Path(path if path.endswith(".toml") else path.rpartition(":")[0]).is_file():
                return [path]
    return apart(text, sign, what=what)
