"""Text that a user wrote, read as bytes, whatever the locale."""

from __future__ import annotations

import codecs
import os

from .errors import InputError
from .files import read_small

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF_32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


def decoded(content: bytes, name: str) -> str:
    """UTF-8, with or without a byte order mark, or UTF-16 with one, as text.

    Parameters
    ----------
    content : bytes
    name : str
        What to name in an error message.

    Raises
    ------
    InputError
        If it is neither.

    Examples
    --------
    >>> [decoded("天九".encode(how), "a file") for how in ("utf-8", "utf-8-sig", "utf-16")]
    ['天九', '天九', '天九']
    """
    encoding = "utf-8-sig"
    if content.startswith(_UTF_16) and not content.startswith(_UTF_32):
        encoding = "utf-16"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise InputError(f"{name}: is no UTF-8 text (nor UTF-16 with a byte order mark)") from None


def read_text(path: str | os.PathLike[str], largest: int, what: str) -> str:
    """The text of a user's file.

    Raises
    ------
    InputError
        Naming the file, if it is no text, or for the reasons of `read_small`.

    Examples
    --------
    >>> read_text("none.json", 100, "record")
    Traceback (most recent call last):
    ...
    gupai.analysis.errors.InputError: none.json: cannot be read (No such file or directory)
    """
    return decoded(read_small(path, largest, what), os.fspath(path))
