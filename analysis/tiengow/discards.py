"""Kinds of single tiles to give away."""

from __future__ import annotations

from ...kernels.tiengow.family import stronger_than
from ...kernels.tiengow.state import HAND, UNSEEN
from ...kernels.tiengow.tiles import CIVIL, twins
from ..phrases import phrase

DISCARDS = (
    phrase("a tile that nothing unseen beats"),
    phrase("one of a pair"),
    phrase("a civil tile that one or two unseen tiles beat"),
    phrase("a military tile that one or two unseen tiles beat"),
    phrase("a civil tile that three or more beat"),
    phrase("a military tile that three or more beat"),
)


def discard_kind(tile: int, view: list[int]) -> int:
    """Which of `DISCARDS` a tile is that a view holds."""
    stronger = (stronger_than(tile) & view[UNSEEN]).bit_count()
    both = twins(view[HAND])
    if stronger == 0:
        return 0
    if tile & (both | both << 1):
        return 1
    civil = bool(tile & CIVIL)
    return (2 if civil else 3) if stronger <= 2 else (4 if civil else 5)
