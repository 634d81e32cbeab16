"""Results as JSON files that come back as the same objects.

A file cannot name anything to run: of a policy of the user's own it tells name and digest.

What JSON lacks is written as an object with one key that begins with ``$``: tuples, mappings with
other keys than text, arrays, fractions, numbers that are not finite, and the kinds of `kinds`.
"""

from __future__ import annotations

import base64
import dataclasses
import importlib
import math
import string
import zlib
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from .errors import InputError, shown
from .kinds import KINDS, OLDER
from .phrases import Phrase, phrase
from .sealed import read_json, write_json

_RESULT = "result"
_OLDER = frozenset(("gupai", "archive", "content"))  # keys of a file of an older gupai
_LARGEST = 1 << 28  # bytes of a file, and of all its arrays
_PACKAGE = __name__.rpartition(".")[0]


def encoded(value: Any) -> Any:
    """A value as JSON can hold it.

    Raises
    ------
    TypeError
        For an object of a class that is not among `KINDS`.

    Examples
    --------
    >>> encoded((1, Fraction(1, 3)))
    {'$tuple': [1, {'$fraction': '1/3'}]}
    """
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, Phrase):
        return {"$phrase": [value.template, encoded(value.parts)]}
    if isinstance(value, np.generic):
        return encoded(value.item())
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$float": str(value)}
    if isinstance(value, Fraction):
        return {"$fraction": str(value)}
    if isinstance(value, list):
        return [encoded(item) for item in value]
    if isinstance(value, tuple) and type(value) is tuple:
        return {"$tuple": [encoded(item) for item in value]}
    if isinstance(value, dict):
        return {"$dict": [[encoded(key), encoded(item)] for key, item in value.items()]}
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return {"$objects": [list(value.shape), encoded(value.ravel().tolist())]}
        packed = base64.b64encode(zlib.compress(np.ascontiguousarray(value).tobytes())).decode()
        return {"$array": [value.dtype.str, list(value.shape), packed]}
    return {f"${_name_of(type(value))}": {n: encoded(item) for n, item in _fields_of(value).items()}}


def _name_of(kind: type) -> str:
    place = f"{kind.__module__.removeprefix(f'{_PACKAGE}.')}:{kind.__qualname__}"
    names = [name for name, known in KINDS.items() if known == place]
    if not names or not kind.__module__.startswith(f"{_PACKAGE}."):
        raise TypeError(f"{kind.__name__} cannot be saved: it stands in no table of kinds")
    return names[0]


def _fields_of(value: Any) -> dict[str, Any]:
    if hasattr(value, "archived"):
        fields: dict[str, Any] = value.archived()
        return fields
    if dataclasses.is_dataclass(value):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    return {name: item for name, item in vars(value).items() if not name.startswith("__")}


def decoded(value: Any) -> Any:
    """What `encoded` was given.

    Raises
    ------
    ValueError, TypeError, KeyError
        If it never was.

    Examples
    --------
    >>> decoded({"$tuple": [1, {"$fraction": "1/3"}]})
    (1, Fraction(1, 3))
    """
    if isinstance(value, list):
        return [decoded(item) for item in value]
    if not isinstance(value, dict):
        return value
    [(mark, content)] = value.items()
    if mark == "$float":
        return float(content)
    if mark == "$fraction":
        return Fraction(*map(int, content.split("/")))
    if mark == "$phrase":
        return _phrase(content[0], decoded(content[1]))
    if mark == "$tuple":
        return tuple(decoded(item) for item in content)
    if mark == "$dict":
        return {decoded(key): decoded(item) for key, item in content}
    if mark == "$array":
        return _array(*content)
    if mark == "$objects":
        shape, items = content
        array = np.empty(len(items), object)
        array[:] = decoded(items)
        return array.reshape(shape)
    return _object(mark.removeprefix("$"), {name: decoded(item) for name, item in content.items()})


def _phrase(template: str, parts: dict[str, Any]) -> Phrase:
    """A phrase whose places are names and nothing else: a width of a billion is no text."""
    for _, name, width, conversion in string.Formatter().parse(template):
        if name is not None and (not name.isidentifier() or width or conversion):
            raise ValueError(f"no template: {shown(template)}")
    return phrase(template, **parts)


def _unpacked(value: Any) -> int:
    """How many bytes the arrays of a file will take."""
    if isinstance(value, list):
        return sum(map(_unpacked, value))
    if not isinstance(value, dict):
        return 0
    if list(value) == ["$array"]:
        code, shape, _ = value["$array"]
        return int(math.prod(shape) * np.dtype(code).itemsize)
    return sum(map(_unpacked, value.values()))


def _array(code: str, shape: list[int], packed: str) -> np.ndarray[Any, Any]:
    kind = np.dtype(code)
    size = math.prod(shape) * kind.itemsize
    if kind.kind not in "biuf" or not 0 <= size <= _LARGEST:
        raise ValueError(f"no array of {shown(code)} {shown(shape)}")
    unpacked = zlib.decompressobj().decompress(base64.b64decode(packed), size + 1)
    if len(unpacked) != size:
        raise ValueError("an array has another size than it says")
    return np.frombuffer(unpacked, kind).reshape(shape).copy()


def _object(name: str, fields: dict[str, Any]) -> Any:
    """An object of one of the kinds that are kept; nothing else can be named."""
    place = KINDS.get(OLDER.get(name, name))
    if place is None:
        raise ValueError(f"no kind {shown(name)}")
    module, _, class_name = place.partition(":")
    kind: Any = getattr(importlib.import_module(f"{_PACKAGE}.{module}"), class_name)
    if hasattr(kind, "unarchived"):
        return kind.unarchived(**fields)
    is_plain: bool = dataclasses.is_dataclass(kind)
    if is_plain:
        return kind(**fields)
    thing: Any = object.__new__(kind)
    vars(thing).update(fields)
    return thing


def save(value: Any, path: Path) -> None:
    """Write a value as a sealed JSON file."""
    from importlib.metadata import version

    if not path.name or "\0" in str(path):
        raise InputError(f"{path}: is no name of a file")
    write_json(path, _RESULT, encoded(value), version=version("gupai"))


def load(path: Path, kind: type | None = None) -> Any:
    """What `save` wrote to a file; that of an older gupai is read too.

    Raises
    ------
    InputError
        Naming the file, if it cannot be read, any bit of it was changed, or it holds something else
        than a `kind`.
    """
    content = read_json(path, _RESULT, largest=_LARGEST, older=_OLDER)
    try:
        if isinstance(content, dict) and set(content) == _OLDER:
            if content["archive"] != 1:
                raise InputError(f"{path}: is no result that this gupai saved")
            content = content["content"]
        if _unpacked(content) > _LARGEST:
            raise InputError(f"{path}: holds more than {_LARGEST:,} bytes, which no saved result does")
        value = decoded(content)
    except InputError as error:
        raise InputError(f"{path}: {str(error).removeprefix(f'{path}: ')}") from None
    except Exception as error:  # whatever a spoilt file may lead to
        raise InputError(f"{path}: is damaged ({type(error).__name__}: {error})") from None
    if kind is not None and not isinstance(value, kind):
        raise InputError(f"{path}: holds a {type(value).__name__}, not a {kind.__name__}")
    return value
