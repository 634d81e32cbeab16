"""Kept files that bear the SHA-256 of all their other bytes: no changed bit is read as data.

A JSON file ends in its seal.  A Parquet file has it between its data and its footer, where no
reader of Parquet looks.  What is kept says what it is (`kept`), so that a file of an older gupai,
which bears no seal, cannot be taken for one whose seal was spoilt, nor the other way round.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any, NoReturn

from .errors import InputError
from .files import replacing

LARGEST = 1 << 34  # bytes of a kept file
_DIGITS = 64
_BEFORE, _AFTER = b', "seal": "', b'"}\n'  # the seal at the end of a JSON file
_MARK = b"gupai's seal: "  # before that of a Parquet file
_DIGEST = 32


def write_json(path: Path, kept: str, content: Any, *, version: str | None = None) -> None:
    """Write what is kept as a JSON file.

    Parameters
    ----------
    path : Path
    kept : str
        What it is, such as ``result``.
    content : JSON
    version : str, optional
        Of gupai, told in the file for whoever reads it.

    Raises
    ------
    OSError
        Naming the file, if it cannot be written; what was there before is left.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_json(Path(folder) / "a.json", "example", [1, 2])
    ...     read_json(Path(folder) / "a.json", "example")
    [1, 2]
    """
    told = {"gupai": version} if version else {}
    text = json.dumps({**told, "kept": kept, "content": content}, ensure_ascii=False)
    body = text.encode("utf-8", "surrogatepass")[:-1]
    digest = hashlib.sha256(body).hexdigest().encode()
    with replacing(path) as beside:
        beside.write_bytes(body + _BEFORE + digest + _AFTER)


def read_json(
    path: Path, kept: str, *, cure: str = "", largest: int = LARGEST, older: frozenset[str] = frozenset()
) -> Any:
    """What `write_json` wrote to a file.

    Parameters
    ----------
    path : Path
    kept : str
        What it must be.
    cure : str
        What to do about a damaged file.
    largest : int
        Bytes that such a file has at most.
    older : set of str
        The keys of the JSON object that an older gupai wrote in its place, without a seal: such a
        file is returned whole.

    Raises
    ------
    InputError
        Naming the file, if it cannot be read, any bit of it was changed, or it is something else.
    """
    content = content_of(path, largest, kept)
    end = len(content) - len(_AFTER)
    start = end - _DIGITS
    digest, body = content[max(start, 0) : end], content[: max(start - len(_BEFORE), 0)]
    if content != body + _BEFORE + digest + _AFTER:
        return _older(path, content, older, cure)
    if hashlib.sha256(body).hexdigest().encode() != digest:
        refuse(path, "it does not hold what was written", cure)
    try:
        told = json.loads((body + b"}").decode("utf-8", "surrogatepass"), parse_constant=_no_number)
        what, inner = told["kept"], told["content"]
    except (RecursionError, ValueError, KeyError, TypeError) as error:
        refuse(path, str(error), cure)
    if what != kept:
        raise InputError(f"{path}: holds another thing ({str(what)[:40]}), no {kept}")
    return inner


def _older(path: Path, content: bytes, keys: frozenset[str], cure: str) -> Any:
    """What an older gupai wrote, which is known by its keys."""
    try:
        told = json.loads(content.decode("utf-8"), parse_constant=_no_number)
    except (RecursionError, ValueError) as error:
        refuse(path, str(error), cure)
    if not isinstance(told, dict) or not keys or set(told) != keys:
        refuse(path, "it is not sealed as gupai seals what it keeps", cure)
    return told


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def seal_table(content: bytes) -> bytes:
    """A Parquet file with its seal."""
    start = _footer(content)
    digest = hashlib.sha256(content).digest()
    return content[:start] + _MARK + digest + content[start:]


def unsealed_table(path: Path, content: bytes, cure: str = "") -> bytes | None:
    """The Parquet file that was sealed; None if it bears no seal, as those of an older gupai.

    Raises
    ------
    InputError
        Naming the file, if it is not what was sealed.
    """
    start = _footer(content) - _DIGEST
    mark = start - len(_MARK)
    if mark < 0 or content[mark:start] != _MARK:
        if _MARK in content:
            refuse(path, "it does not hold what was written", cure)
        return None
    plain = content[:mark] + content[start + _DIGEST :]
    if hashlib.sha256(plain).digest() != content[start : start + _DIGEST]:
        refuse(path, "it does not hold what was written", cure)
    return plain


def _footer(content: bytes) -> int:
    """Where the footer of a Parquet file begins, or 0."""
    return max(0, len(content) - 8 - int.from_bytes(content[-8:-4], "little"))


def content_of(path: Path, largest: int = LARGEST, what: str = "kept file") -> bytes:
    """All bytes of a kept file.

    Raises
    ------
    InputError
        Naming the file, if it cannot be read, is no ordinary file, or is larger than a `what`.
    """
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: is no ordinary file")
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size > largest:
                raise InputError(f"{path}: larger than {largest:,} bytes, so no {what}")
            return file.read()
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read ({why})") from None


def refuse(path: Path, why: str, cure: str = "") -> NoReturn:
    """Refuse a damaged file by its name."""
    why = (why or "it holds nothing").splitlines()[0][:200]
    raise InputError(f"{path}: is damaged ({why})" + (f"; {cure}" if cure else ""))
