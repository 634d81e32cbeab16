"""The 32-bit word: compiled and plain Python agree."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gupai.kernels._jit import kernel
from gupai.kernels.word import MASK, count, highest, integer, lowest, position, share, word

WORDS = st.integers(0, MASK)


@kernel
def _all_operations(left, right, places, out):
    a, b, n = word(left), word(right), word(places)
    out[0], out[1], out[2], out[3] = integer(a & b), integer(a | b), integer(a ^ b), integer(~a)
    out[4], out[5], out[6], out[7] = integer(a + b), integer(a - b), integer(a * b), integer(0 - a)
    out[8], out[9], out[10] = integer(a << n), integer(a >> n), integer(share(a, b))
    out[11], out[12], out[13] = integer(count(a)), integer(highest(a)), integer(position(a))
    out[14], out[15], out[16] = int(a < b), int(a == b), int(a >= b)
    out[17], out[18] = 1 if a else 0, integer(lowest(a))


@given(WORDS, WORDS, st.integers(0, 31))
def test_word__compiled_equals_python(a: int, b: int, n: int) -> None:
    out = np.zeros(19, np.int64)
    _all_operations(a, b, n, out)
    python = [
        a & b, a | b, a ^ b, ~a, a + b, a - b, a * b, 0 - a, a << n, a >> n, share(a, b),
        count(a), highest(a), position(a), a < b, a == b, a >= b, bool(a), lowest(a),
    ]  # fmt: skip
    assert out.tolist() == [int(value) & MASK for value in python]


def test_word__zero_has_no_highest_bit() -> None:
    out = np.zeros(19, np.int64)
    _all_operations(0, 0, 0, out)
    assert (out[12], out[13]) == (0, 32) == (highest(0), position(0))
