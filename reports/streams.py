"""Standard input, output and error of the program, whatever they are connected to.

A readable table speaks the encoding of the terminal, and a sign that it lacks becomes a ``?``.  What
another program reads (JSON, CSV, Markdown, TOML, scripts) is UTF-8 everywhere.  Standard error is a
courtesy: where it cannot be written, nothing else changes.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import select
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from ..analysis.errors import InputError
from ..analysis.texts import decoded, read_text

NARROWEST = 20  # columns of a terminal that are heeded


@contextlib.contextmanager
def safe_streams() -> Iterator[None]:
    """For a while, let no sign, no closed stream and no size of the terminal break the output.

    Examples
    --------
    >>> with safe_streams():
    ...     print("a table")
    a table
    """
    _open_closed_streams()
    _forget_impossible_sizes()
    before: list[tuple[io.TextIOWrapper, dict[str, Any]]] = []
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            before.append((stream, {"encoding": stream.encoding, "errors": stream.errors}))
            stream.reconfigure(errors="replace")
    try:
        yield
    finally:
        for stream, settings in before:
            with contextlib.suppress(OSError, ValueError):  # what is left cannot be written
                stream.reconfigure(**settings)
        # What a stream did not take must not be tried again when Python ends, with another status.
        for left in (sys.stdout, sys.stderr):
            try:
                left.flush()
            except (OSError, ValueError):
                forget(left)


def print_data() -> None:
    """From now on, what is printed is for other programs: UTF-8.

    A name that is no text (bytes of a path) is written with JSON's escapes.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def read_words(name: str, largest: int, what: str) -> str:
    """The text of a file, or of standard input ``-``, by its bytes.

    Raises
    ------
    InputError
        Naming the file, if it cannot be read, is no text, or is larger than a `what`.
    """
    if name != "-":
        return read_text(name, largest, what)
    if sys.stdin is None:
        raise InputError("-: standard input is closed")
    source = getattr(sys.stdin, "buffer", sys.stdin)  # a notebook has text alone
    try:
        content = source.read(largest + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"-: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if len(content) > largest:
        raise InputError(f"-: larger than {largest:,} bytes, so no {what}")
    return content if isinstance(content, str) else decoded(content, "-")


def tell(text: str) -> None:
    """Write to standard error, or nowhere if that is impossible."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        forget(sys.stderr)


def forget(stream: TextIO) -> None:
    """Let what is left in a stream that is broken, and what follows, go nowhere."""
    with contextlib.suppress(OSError, ValueError):
        number = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)
        stream.flush()


def reader_has_gone(error: OSError) -> bool:
    """Whether an error says that whoever read the output wants no more of it, as ``head`` does."""
    if not isinstance(error, BrokenPipeError) or not hasattr(select, "poll"):
        return isinstance(error, BrokenPipeError)
    look = select.poll()  # it may be another pipe that broke, such as that to a worker
    try:
        look.register(sys.stdout.fileno(), 0)
        return any(event & (select.POLLERR | select.POLLHUP) for _, event in look.poll(0))
    except (OSError, ValueError):
        return False


def _open_closed_streams() -> None:
    """Keep the numbers of closed streams from files that are opened later.

    A standard output that is closed refuses what is written to it, as a full one does; standard
    error swallows it.
    """
    if sys.stdout is None:
        refusing = os.open(os.devnull, os.O_RDONLY)
        sys.stdout = open(refusing, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _forget_impossible_sizes() -> None:
    """Look at the terminal where the environment's size of it is no size."""
    for name in ("COLUMNS", "LINES"):
        written = os.environ.get(name)
        least = NARROWEST if name == "COLUMNS" else 1
        if written is not None and not (re.fullmatch("[0-9]{1,4}", written) and int(written) >= least):
            del os.environ[name]
