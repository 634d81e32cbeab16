"""Files written whole or not at all, and files of the user read with care."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .errors import InputError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file beside `path` to write to; it takes the place of `path` if nothing went wrong.

    Raises
    ------
    OSError
        Naming `path`, if it cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(Path(folder) / "a.txt") as beside:
    ...         _ = beside.write_text("whole")
    ...     [path.name for path in Path(folder).iterdir()]
    ['a.txt']
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield beside
        beside.replace(path)
    except OSError as error:
        raise OSError(error.errno, f"{path}: {error.strerror or error}") from None
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other processes that ask the same out of a folder for a while (not on Windows).

    Raises
    ------
    InputError
        If another process is in it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, alone(Path(folder)):
    ...     pass
    """
    try:
        import fcntl
    except ImportError:  # not on this system
        yield
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise InputError(
            f"{folder}: another gupai is playing into it; wait until it has ended"
        ) from None
    finally:
        os.close(opened)


def read_small(path: str | os.PathLike[str], largest: int, what: str) -> bytes:
    """What a file of the user holds.

    Raises
    ------
    InputError
        Naming the file, if it cannot be read, is no ordinary file, or is larger than a `what`.

    Examples
    --------
    >>> read_small("none.toml", 100, "rules file")
    Traceback (most recent call last):
    ...
    gupai.analysis.errors.InputError: none.toml: cannot be read (No such file or directory)
    """
    path = Path(path)
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: is no ordinary file")
        with path.open("rb") as file:
            content = file.read(largest + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})"
        ) from None
    if len(content) > largest:
        raise InputError(f"{path}: larger than {largest:,} bytes, so no {what}")
    return content


def read_toml(path: str | os.PathLike[str], largest: int, what: str) -> dict[str, Any]:
    """A TOML file of the user.

    Raises
    ------
    InputError
        Naming the file, if it is none, or for the reasons of `read_small`.
    """
    import tomllib

    content = read_small(path, largest, what)
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError(f"{path}: is no UTF-8 text") from None
    except (RecursionError, ValueError) as error:  # also of numbers with too many digits
        raise InputError(f"{path}: is no TOML ({str(error)[:200]})") from None
