"""The code of a user's policy, and every other file of the user's that it is made of.

A policy may import helpers that stand beside it, or elsewhere outside of what is installed, and may
read files beside it.  They are found while it is loaded: what comes into ``sys.modules``, and what is
opened.  So they count in the digest of the policy, and a run is known by them too.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib
import importlib.util
import inspect
import os
import site
import stat
import sys
import sysconfig
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from ...kernels._jit import SOURCES
from ..errors import InputError

_CODE = (".py", ".so", ".pyd")
_lock = threading.RLock()
_opened: set[str] | None = None  # files that are read while a policy is loaded


def load_code(name: str, path: str) -> tuple[ModuleType, tuple[Path, ...]]:
    """Run the file of a policy; returns its module, and the other files that it is made of.

    Helpers are loaded afresh each time, and never taken for those of another policy.

    Parameters
    ----------
    name : str
        As the user wrote it, for messages.
    path : str

    Raises
    ------
    InputError
        If it cannot be run, or imports what stands in no file and so cannot be told from other code.
    """
    place = os.path.abspath(path)
    spec = importlib.util.spec_from_file_location(f"gupai_user_{_short(place)}", place)
    if spec is None or spec.loader is None:
        raise InputError(f"--policy {name}: is no Python file")
    module = importlib.util.module_from_spec(spec)
    with _lock, _apart(os.path.dirname(place)) as found:
        try:
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as error:  # whatever a user's file may raise
            raise InputError(f"--policy {name}: running the file failed: {in_words(error)}") from None
        files = {os.path.abspath(file) for file in found() if file}
        if None in found():
            raise InputError(
                f"--policy {name}: imports code that stands in no file, so that its runs could not be "
                "told from others; put that code into a file beside the policy"
            )
    return module, tuple(Path(file) for file in sorted(files - {place}))


def digest_of(source: bytes, function: str, path: str, files: tuple[Path, ...]) -> str | None:
    """Sixteen hex digits for a policy's file, its function, and the files it is made of besides.

    None if one of these files is there no longer.
    """
    told = hashlib.sha256(source + function.encode())
    if not files:
        return told.hexdigest()[:16]
    folder = os.path.dirname(os.path.abspath(path))
    try:
        rows = sorted(
            (_inside(str(file), folder) or file.name, hashlib.sha256(file.read_bytes()).hexdigest())
            for file in files
        )
    except OSError:
        return None
    return hashlib.sha256(repr((told.hexdigest(), rows)).encode()).hexdigest()[:16]


def in_words(error: BaseException) -> str:
    """An error of a user's code in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def reads_place(policy: Any, place: int) -> bool:
    """Whether a policy, or a function of the user's that it names, reads a place of its view.

    Told from the source: ``view[NAME]``, ``view[state.NAME]`` and a bare number are found, an index
    that is computed is not.
    """
    seen: set[int] = set()
    todo = [policy]
    while todo:
        function = todo.pop()
        function = getattr(function, "py_func", function)  # one that numba compiled
        if not inspect.isfunction(function) or id(function) in seen:
            continue
        seen.add(id(function))
        known = function.__globals__
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        except (OSError, TypeError, SyntaxError):  # its source is gone, or it is a lambda in a call
            continue
        arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        for node in ast.walk(tree):
            if isinstance(node, (ast.Name, ast.Attribute)):
                named = _value_of(node, known)
                if not str(getattr(named, "__module__", "")).startswith("gupai."):
                    todo.append(named)
            elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
                of_view = isinstance(node.value, ast.Name) and node.value.id in arguments
                index = _value_of(node.slice, known)
                if of_view and isinstance(index, int) and index == place:
                    return True
    return False


def _value_of(node: ast.expr, known: dict[str, Any]) -> Any:
    """What a constant or a global name stands for; None for anything else."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Attribute):
        return getattr(_value_of(node.value, known), node.attr, None)
    return known.get(node.id) if isinstance(node, ast.Name) else None


@contextlib.contextmanager
def _apart(folder: str) -> Iterator[Any]:
    """Have modules of the user's loaded from their files, those in `folder` too, and forgotten again.

    Gives a function that returns the files so far; None stands for code without a file.
    """
    global _opened
    _watch()
    hidden = {name: module for name, module in sys.modules.items() if _is_users(name, module)}
    for name in hidden:
        del sys.modules[name]
    before, writes = set(sys.modules), sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # an edit within a second would not be seen
    sys.path.append(folder)
    importlib.invalidate_caches()
    _opened = set()

    def found() -> list[str | None]:
        new = {name: module for name, module in sys.modules.items() if name not in before}
        files: list[str | None] = [module.__file__ for n, module in new.items() if _is_users(n, module)]
        files += [None for name, module in new.items() if _has_no_file(name, module)]
        return files + [path for path in _opened or () if _counts(path, folder)]

    try:
        yield found
    finally:
        _opened = None
        sys.path.remove(folder)
        sys.dont_write_bytecode = writes
        for name in [name for name, module in sys.modules.items() if name not in before]:
            if _is_users(name, sys.modules[name]):
                del sys.modules[name]
        sys.modules.update(hidden)


@functools.cache
def _watch() -> None:
    """Note the files that are opened to be read while a policy is loaded."""

    def note(event: str, details: tuple[Any, ...]) -> None:
        if event == "open" and _opened is not None:
            path, _, flags = details
            if isinstance(path, (str, bytes)) and not flags & (os.O_WRONLY | os.O_RDWR):
                _opened.add(os.path.abspath(os.fsdecode(path)))

    sys.addaudithook(note)


@functools.cache
def _installed() -> tuple[str, ...]:
    """The folders of what is installed, gupai among it."""
    known = sysconfig.get_paths()
    folders = [known[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders += [*site.getsitepackages(), site.getusersitepackages()]
    folders += [str(SOURCES), *(str(SOURCES.parent / part) for part in ("analysis", "reports"))]
    return tuple({os.path.realpath(folder) for folder in folders} | set(folders))


def _inside(path: str, *folders: str) -> str | None:
    """A path as it stands in one of some folders; None if it stands in none."""
    for folder in folders:
        if path.startswith(folder.rstrip(os.sep) + os.sep):
            return Path(path).relative_to(folder).as_posix()
    return None


def _is_users(name: str, module: object) -> bool:
    """Whether a module stands in a file that is not installed."""
    file = getattr(module, "__file__", None)
    if not isinstance(file, str) or name in ("__main__", "__mp_main__") or file.startswith("<"):
        return False
    return _inside(os.path.abspath(file), *_installed()) is None


def _has_no_file(name: str, module: object) -> bool:
    """Whether a module stands in no file, and is no part of what is installed or built in."""
    if getattr(module, "__file__", None) is not None or getattr(module, "__path__", None) is not None:
        return False
    if name.partition(".")[0] in {*sys.builtin_module_names, *sys.stdlib_module_names}:
        return False
    first = sys.modules.get(name.partition(".")[0])
    file = getattr(first, "__file__", None)
    return not isinstance(file, str) or _is_users(name, first)


def _counts(path: str, folder: str) -> bool:
    """Whether a file that was opened is one that the policy is made of."""
    if "__pycache__" in Path(path).parts or _inside(path, *_installed()) is not None:
        return False
    if _inside(path, folder) is None and not path.endswith(_CODE):
        return False
    with contextlib.suppress(OSError, ValueError):
        return stat.S_ISREG(os.stat(path).st_mode)
    return False


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
