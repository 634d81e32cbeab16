"""The machine code of one kernel on disk: read where it is sound, made by one process at a time.

A kernel's files concern that kernel alone: what cannot be read is deleted and compiled again, and
an error of the kernel itself touches no file.  While a process compiles, it holds a lock beside the
files; another one that needs the same kernel waits and then reads it.  The system takes the lock
from a process that ends, however it ends.
"""
# mypy: disable-error-code="no-untyped-call,misc"

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from numba.core.caching import FunctionCache

try:
    import fcntl
except ImportError:  # Windows: processes that start together compile the same, each for itself
    fcntl = None  # type: ignore[assignment]

_LONGEST_WAIT = 300.0  # seconds; a process that was stopped, not ended, is not waited for
_PAUSE = 0.05


class KernelCache(FunctionCache):
    """numba's cache of a function, shared between processes.

    Parameters
    ----------
    function : callable
    before_compiling : callable
        Called when nothing could be read, just before the kernel is compiled.

    Raises
    ------
    RuntimeError
        If the function stands in no file.
    """

    def __init__(self, function: Callable[..., Any], before_compiling: Callable[[], None]) -> None:
        super().__init__(function)
        self._before_compiling = before_compiling
        self._lock = FileLock(Path(self.cache_path) / f"{self._impl.filename_base}.lock")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is on disk for these types; else None, and the lock is held until it is saved."""
        found = self._read(sig, target_context)
        if found is None and self._lock.acquire():
            found = self._read(sig, target_context)  # another process may just have written it
            if found is not None:
                self._lock.release()
        if found is None:
            self._before_compiling()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write what was compiled, if that can be done, and release the lock."""
        try:
            with contextlib.suppress(OSError):  # a full disk: the code in memory will do
                super().save_overload(sig, data)
        finally:
            self._lock.release()

    def release(self) -> None:
        """Release the lock, if this thread holds it."""
        self._lock.release()

    def _read(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever reading a damaged file may raise
            self._delete()
            return None

    def _delete(self) -> None:
        """Delete the files of this kernel."""
        for path in Path(self.cache_path).glob(f"{self._impl.filename_base}.*"):
            if path.suffix in (".nbi", ".nbc"):
                with contextlib.suppress(OSError):
                    path.unlink()


class FileLock:
    """A lock between processes, and between threads, on a file that is left where it is.

    Where the system or the folder knows no such locks, nothing is locked.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._mine = threading.local()

    def acquire(self) -> bool:
        """Wait for the lock; returns False where there is none, or the wait is too long."""
        if fcntl is None:
            return False
        try:
            file = self._path.open("ab")
        except OSError:
            return False
        until = time.monotonic() + _LONGEST_WAIT
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() < until:
                    time.sleep(_PAUSE)
                    continue
                file.close()
                return False
            except OSError:
                file.close()
                return False
            except BaseException:
                file.close()
                raise
            self._mine.file = file
            return True

    def release(self) -> None:
        """Release the lock, if this thread holds it."""
        file: IO[bytes] | None = getattr(self._mine, "file", None)
        if file is not None:
            self._mine.file = None
            file.close()
