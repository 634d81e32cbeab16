"""A compiled function that stands outside this package, called by its address."""

from __future__ import annotations

from typing import Any


def call_policy(address: int, view: Any) -> int:
    """The answer of the policy at an address to a view; only a kernel can ask for it."""
    raise NotImplementedError("a user's policy is called from kernels alone")
