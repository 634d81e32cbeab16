"""How kernels are compiled: the only module that knows numba's options and its cache.

Three decorators serve the whole package:

``helper``
    a small function with a name from the game.  Called from Python it is plain Python (so a
    record is settled without loading numba); called from a kernel it is inlined.
``routine``
    the same for a larger function with loops of its own: it is called, not inlined.
``kernel``
    an entry point that loops over many hands.  It is compiled at its first call, releases the
    GIL, and is cached on disk.

numba does not notice that a *callee* changed and would run a stale machine code.  The cache
therefore lives in a folder named by a hash of every kernel source: any edit starts a new one.
Where no folder can be written, kernels are compiled afresh in each process.  ``_kernel_cache.py``
has each kernel compiled by one process and read by the others.
"""

from __future__ import annotations

import functools
import hashlib
import os
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

SOURCES = Path(__file__).parent

_lock = threading.RLock()
_waiting_helpers: list[Callable[..., Any]] = []
_waiting_routines: list[Callable[..., Any]] = []
_routine_names: set[str] = set()
_compile_listeners: list[Callable[[str], None]] = []


def helper(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function as inlined wherever a kernel calls it."""
    _waiting_helpers.append(function)
    return function


def routine(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function as called, not inlined, wherever a kernel uses it.

    Its module and qualified name must be its own: machine code loaded from the cache is linked by
    name, so of two routines of one name either might be called.

    Raises
    ------
    ValueError
        If another routine has the name.
    """
    name = f"{function.__module__}.{function.__qualname__}"
    if name in _routine_names:
        raise ValueError(f"two routines are named {name}")
    _routine_names.add(name)
    _waiting_routines.append(function)
    return function


class Kernel(Generic[P, R]):
    """A function that is compiled when it is first called.

    Parameters
    ----------
    function : callable
        Takes arrays and scalars only.  It sees no global but constants and helpers that stand
        in this package, because numba freezes them into the cached code.
    """

    def __init__(self, function: Callable[P, R]) -> None:
        self.python = function
        self._compiled: Any = None
        self._proven = False  # it has run once in this process
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        result: R
        if self._proven:
            result = self._compiled(*args, **kwargs)
            return result
        dispatcher = self.compiled()
        try:
            result = dispatcher(*args, **kwargs)
        finally:
            _release_lock(dispatcher)  # which a compilation that failed still holds
        self._proven = True
        return result

    def compiled(self) -> Any:
        """The numba dispatcher, made at the first request."""
        if self._compiled is None:
            with _lock:
                if self._compiled is None:
                    self._compiled = _dispatcher(self.python)
        return self._compiled


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a function as a compiled entry point."""
    return Kernel(function)


def on_compile(listener: Callable[[str], None]) -> None:
    """Have ``listener(kernel name)`` called just before a kernel is compiled, not loaded."""
    _compile_listeners.append(listener)


def source_hash(folder: Path = SOURCES) -> str:
    """Sixteen hex digits that change with any edit of any kernel source."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """The writable folder for this state of the sources, or None where there is none."""
    chosen = os.environ.get("GUPAI_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    try:
        base = Path(chosen) if chosen else Path.home() / ".cache"
        folder = base / "gupai" / "kernels" / source_hash()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):  # RuntimeError: this user has no home
        return None


def _dispatcher(function: Callable[..., Any]) -> Any:
    import numba

    _prefer_wide_vectors()
    teach_numba()

    def tell() -> None:
        for listener in _compile_listeners:
            listener(function.__qualname__)

    dispatcher = numba.njit(nogil=True, error_model="numpy")(function)
    folder = cache_folder()
    if folder is None or not _keep_in(dispatcher, folder, before_compiling=tell):
        tell()
    return dispatcher


def _keep_in(dispatcher: Any, folder: Path, *, before_compiling: Callable[[], None]) -> bool:
    """Have the machine code kept in a folder; returns whether that is possible."""
    import numba

    from ._kernel_cache import KernelCache

    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        dispatcher._cache = KernelCache(dispatcher.py_func, before_compiling)
    except RuntimeError:  # a function that stands in no file
        return False
    finally:
        numba.config.CACHE_DIR = before
    return True


def _release_lock(dispatcher: Any) -> None:
    """Let other processes compile this kernel, if this thread still keeps them from it."""
    release = getattr(dispatcher._cache, "release", None)
    if release is not None:
        release()


def _prefer_wide_vectors() -> None:
    """Have LLVM use all of an AVX-512 register; by itself it stops at half.

    The loops over lanes are plain integer arithmetic and gain a third.  numba reads the setting
    when it compiles for the first time; a setting of the user's own is left alone.
    """
    import llvmlite.binding
    import numba

    if not numba.config.CPU_NAME and not numba.config.CPU_FEATURES:
        features = llvmlite.binding.get_host_cpu_features()
        if features.get("avx512f"):
            numba.config.CPU_FEATURES = features.flatten() + ",-prefer-256-bit"


def teach_numba() -> None:
    """Make the 32-bit word, all helpers and all routines known to numba (once)."""
    from numba.extending import register_jitable

    from . import _foreign_numba, _word_numba  # noqa: F401  (importing them registers)

    while _waiting_helpers:
        function = _waiting_helpers.pop()
        register_jitable(forceinline=True, error_model="numpy")(function)
    while _waiting_routines:
        register_jitable(error_model="numpy")(_waiting_routines.pop())
