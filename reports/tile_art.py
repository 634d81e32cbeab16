"""Tiles drawn as they are: black, with red and white pips; ones and fours red, half of 6-6 red."""

from __future__ import annotations

from ..analysis.tiengow.notation import BIT_ORDER, chinese_of, codes_of, pips_of

WIDTH, HEIGHT = 30, 64
# Where the pips of a half stand: columns and rows from 0 to 2.
_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((1, 1),),
    2: ((1, 0), (1, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (2, 0), (0, 2), (2, 2)),
    5: ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}
_RED, _WHITE, _BLACK = "#e03131", "#ffffff", "#1b1b1b"


def _pip_marks(pips: str) -> list[tuple[float, float, float, bool]]:
    """Each pip of a tile: x, y, radius, and whether it is red."""
    marks = []
    halves = [int(number) for number in pips.split("-")]
    for half, number in enumerate(halves):
        for column, row in _PIPS[number]:
            across = 2 - column if halves == [3, 3] and half == 1 else column  # 3-3 is crossed
            red = number in (1, 4) or (halves == [6, 6] and (column == 0) == (half == 0))
            x, y = 7.5 + 7.5 * across, 8.0 + 8.5 * row + 31.0 * half
            marks.append((x, y, 4.4 if number == 1 else 2.9, red))
    return marks


def tile_svg(tile: int, *, white: bool = False, height: int = 40) -> str:
    """One tile as an SVG picture that says its name.

    Parameters
    ----------
    tile : int
        Its bit.
    white : bool
        A white tile with red and black pips, in place of a black one.
    height : int
        Pixels.

    Examples
    --------
    >>> from gupai.kernels.tiengow.tiles import FIRST_BIT
    >>> tile_svg(1 << FIRST_BIT["A"]).count("<circle")
    12
    """
    [pips] = pips_of(tile).split()
    body, plain = (_WHITE, _BLACK) if white else (_BLACK, _WHITE)
    circles = "".join(
        f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{_RED if red else plain}"/>'
        for x, y, r, red in _pip_marks(pips)
    )
    name = f"{codes_of(tile)} {pips} {chinese_of(tile)}"
    return (
        f'<svg class="tile" role="img" aria-label="{name}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'height="{height}" width="{height * WIDTH / HEIGHT:g}"><title>{name}</title>'
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="4" fill="{body}" '
        f'stroke="#777"/>{circles}</svg>'
    )


def hand_svg(tiles: int, *, white: bool = False, height: int = 40) -> str:
    """The tiles of a hand side by side, civil before military, strongest first.

    Examples
    --------
    >>> from gupai.kernels.tiengow.tiles import SUPREME
    >>> hand_svg(SUPREME).count("<svg")
    2
    """
    held = [bit for bit in BIT_ORDER if tiles >> bit & 1]
    return "".join(tile_svg(1 << bit, white=white, height=height) for bit in held)
