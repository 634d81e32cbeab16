"""Numbers of 32 bits beside the words of ``word.py``; apart from it, for they take numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

REAL: Any = np.float32  # numba knows it for 32 bits; a Python float has 64


def real(value: int) -> float:
    """A word below 2**31 as a float32, which like a word stays 32 bits wide.

    Examples
    --------
    >>> real(3) / real(2)
    np.float32(1.5)
    """
    number: float = REAL(value)
    return number
