"""Numbers of 32 bits beside the words of ``word.py``; apart from it, for they take numpy."""

from __future__ import annotations

import numpy as np


def real(value: int) -> float:
    """A word below 2**31 as a float32, which like a word stays 32 bits wide.

    Examples
    --------
    >>> real(3) / real(2)
    np.float32(1.5)
    """
    return np.float32(value)  # type: ignore[return-value]
