"""Files written whole or not at all, and files of the user read with care."""

from __future__ import annotations

import contextlib
import errno
import fnmatch
import glob
import hashlib
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from .errors import InputError

_DAY = 86_400  # seconds
_OPENED = re.compile(r"/dev/stdin|(?:/dev/fd|/proc/self/fd)/(?P<n>[0-9]{1,9})")
_SPECIAL = {
    stat.S_ISDIR: "a folder",
    stat.S_ISFIFO: "a named pipe",
    stat.S_ISSOCK: "a socket",
    stat.S_ISCHR: "a device",
    stat.S_ISBLK: "a device",
}


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
    beside = path.with_name(f".{path.name}.{_machine()}-{os.getpid()}")
    try:
        clear_leftovers(path.parent, glob.escape(path.name))
        yield beside
        beside.replace(path)
    except OSError as error:
        raise OSError(error.errno, f"{path}: {error.strerror or error}") from None
    finally:
        beside.unlink(missing_ok=True)


def _machine() -> str:
    """Six hex digits for the name of this machine, on which alone a process number says something."""
    import platform

    return hashlib.sha256(platform.node().encode()).hexdigest()[:6]


def clear_leftovers(folder: Path, like: str) -> None:
    """Delete what writers of files left in a folder who were killed.

    Parameters
    ----------
    folder : Path
    like : str
        The names of the files that were to be written, with * for anything.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     left = Path(name) / f".a.txt.{2**22 + 1}"  # no process has that number
    ...     _ = left.write_text("half")
    ...     clear_leftovers(Path(name), "*.txt")
    ...     left.exists()
    False
    """
    written = re.compile(fnmatch.translate(f".{like}"))
    with contextlib.suppress(OSError):  # no folder, or another clears it too
        for left in list(os.scandir(folder)):
            if not left.name.startswith("."):
                continue
            stem, _, writer = left.name.rpartition(".")
            wrote = re.fullmatch(r"(?:([0-9a-f]{6})-)?([0-9]{1,9})", writer)
            if wrote is None or not written.match(stem):
                continue
            old = time.time() - left.stat(follow_symlinks=False).st_mtime > _DAY
            here = wrote[1] in (None, _machine())
            if old or (here and not _is_running(int(wrote[2]))):
                os.unlink(left)


def _is_running(process: int) -> bool:
    if os.name != "posix":  # where asking would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # of another user
        return True
    return True


def make_folder(folder: Path, option: str = "--out") -> None:
    """Make a folder to write to, where there is none.

    Raises
    ------
    InputError
        If something else has the name, or it cannot be made or written to.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     make_folder(Path(file.name))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    gupai.analysis.errors.InputError: --out ...: is no folder that can be written to (File exists)
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{option} {folder}: is no folder that can be written to ({why})") from None


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
        opened = _OPENED.fullmatch(str(path))
        if opened is None:
            _refuse_special(path)
            file = path.open("rb")
        else:  # what the shell has opened for us
            file = open(int(opened["n"] or 0), "rb", closefd=False)  # noqa: SIM115
        with file:
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


def _refuse_special(path: Path) -> None:
    """Refuse what is no file, above all what would be waited for without end."""
    with suppress(FileNotFoundError):  # told better when it is opened
        mode = path.stat().st_mode
        kind = next((kind for is_one, kind in _SPECIAL.items() if is_one(mode)), None)
        if kind is not None:
            raise InputError(f"{path}: cannot be read (it is {kind}); name an ordinary file")


def read_toml(path: str | os.PathLike[str], largest: int, what: str) -> dict[str, Any]:
    """A TOML file of the user.

    Raises
    ------
    InputError
        Naming the file, if it is none, or for the reasons of `read_small`.
    """
    import tomllib

    from .texts import read_text

    text = read_text(path, largest, what)
    try:
        return tomllib.loads(text)
    except (RecursionError, ValueError) as error:  # also of numbers with too many digits
        raise InputError(f"{path}: is no TOML ({str(error)[:200]})") from None
