"""Reading and writing tiles: class codes, pips and Chinese names.

Source: the section "Tiles" of the rules.
"""

from __future__ import annotations

import difflib
import itertools
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...kernels.tiengow.tiles import CLASSES, FIRST_BIT, SINGLE_TILES
from ..checks import whole
from ..errors import InputError, shown
from ..phrases import Tiles

# Pips of each class; two where its tiles differ, in the order of their bits.
CLASS_PIPS: dict[str, tuple[str, ...]] = {
    "A": ("6-6",), "B": ("1-1",), "C": ("4-4",), "D": ("1-3",), "E": ("5-5",), "F": ("3-3",),
    "G": ("2-2",), "H": ("5-6",), "I": ("4-6",), "J": ("1-6",), "K": ("1-5",),
    "9": ("3-6", "4-5"), "8": ("2-6", "3-5"), "7": ("2-5", "3-4"), "6": ("2-4",),
    "5": ("1-4", "2-3"), "3": ("1-2",),
}  # fmt: skip

# The sign printed for each class, then its other short signs and its longer names.
CHINESE: dict[str, tuple[str, ...]] = {
    "A": ("天", "天牌"),
    "B": ("地", "地牌"),
    "C": ("人", "人牌"),
    "D": ("鵝", "和", "鹅", "鵝牌", "和牌", "鹅牌"),
    "E": ("梅", "梅花", "梅牌"),
    "F": ("長", "长", "長衫", "長三", "长衫", "长三", "長牌"),
    "G": ("板", "櫈", "凳", "板凳", "板櫈", "板牌"),
    "H": ("斧", "斧頭", "斧头", "虎頭", "虎头"),
    "I": ("紅", "红", "紅頭十", "红头十", "紅頭", "屏風", "屏风"),
    "J": ("高", "高脚七", "高腳七", "高脚", "高腳"),
    "K": ("伶", "伶冧六", "伶冧", "零霖六", "零霖", "零林六", "銅錘六", "铜锤六"),
    "9": ("九", "雜九", "杂九"),
    "8": ("八", "雜八", "杂八"),
    "7": ("七", "雜七", "杂七"),
    "6": ("六", "大頭六", "大头六"),
    "5": ("五", "雜五", "杂五"),
    "3": ("三", "三雞", "三鸡", "丁三"),
}
# Names that tell one of two unlike tiles.
CHINESE_PIPS = {
    "黑九": "3-6", "紅九": "4-5", "红九": "4-5", "平八": "2-6", "斜八": "3-5", "彎八": "3-5",
    "黑七": "2-5", "紅七": "3-4", "红七": "3-4", "紅五": "1-4", "红五": "1-4", "黑五": "2-3",
}  # fmt: skip

_BY_PIPS = {pips: code for code, both in CLASS_PIPS.items() for pips in both}
_BY_NAME = {name: code for code, names in CHINESE.items() for name in names}
LONGEST_TEXT = 1000  # signs
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | dict.fromkeys(",、;", " "))


class TileError(InputError):
    """Tiles that cannot be read, or that cannot be together; `fault` is the kind of fault."""

    def __init__(self, message: str, fault: str) -> None:
        super().__init__(message)
        self.fault = fault


class Tile(NamedTuple):
    """A tile as it was written: its class and, if they were told, its pips."""

    code: str
    pips: str | None

    def bits(self) -> tuple[int, ...]:
        """The bits it may stand for: both of its class where that was left open."""
        first = FIRST_BIT[self.code]
        both = CLASS_PIPS[self.code]
        if len(both) == 2 and self.pips is not None:
            return (first + both.index(self.pips),)
        return (first,) if self.code in SINGLE_TILES else (first, first + 1)

    def is_open(self) -> bool:
        """Whether it may be either of two tiles with different pips."""
        return self.pips is None and len(CLASS_PIPS[self.code]) == 2

    def __str__(self) -> str:
        return self.pips if self.pips and len(CLASS_PIPS[self.code]) == 2 else self.code


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Read tiles written as class codes, pips or Chinese names, in any mixture.

    Parameters
    ----------
    text : str
        ``AA99BK63``, ``6-6 6-6 3-6``, ``天天九九`` or ``板凳 高脚七``.  An unbroken string of Chinese
        signs is one sign a tile; longer names are separated by blanks.

    Returns
    -------
    tuple of Tile
        In the order written.

    Raises
    ------
    TileError
        For a sign that is no tile, and for more copies of a tile than there are.

    Examples
    --------
    >>> "".join(tile.code for tile in parse_tiles("天天九九"))
    'AA99'
    >>> [str(tile) for tile in parse_tiles("6-6 5-4 板凳")]
    ['A', '4-5', 'G']
    """
    if not isinstance(text, str):
        raise TileError(f"{shown(text)} is no text of tiles such as AA99BK63", "unknown tile")
    if len(text) > LONGEST_TEXT:
        raise TileError(f"a text of {len(text)} signs is no hand of tiles", "unknown tile")
    words = unicodedata.normalize("NFKC", text).translate(_DASHES).split()
    tiles = tuple(itertools.chain.from_iterable(_parse_word(word, len(words) > 1) for word in words))
    check_copies(tiles)
    return tiles


def _parse_word(word: str, among_others: bool) -> Iterator[Tile]:
    if "-" in word:
        ends = sorted(word.split("-"))
        pips = "-".join(ends)
        if pips not in _BY_PIPS:
            raise _unknown(word, "pips are two numbers that a domino of the game has, such as 3-6")
        yield Tile(_BY_PIPS[pips], pips)
        return
    is_name = among_others or len(word) == 1 or not all(_is_sign(sign) for sign in word)
    if word in CHINESE_PIPS and is_name:
        pips = CHINESE_PIPS[word]
        yield Tile(_BY_PIPS[pips], pips)
    elif word in _BY_NAME and is_name:
        yield _tile(_BY_NAME[word])
    else:
        for sign in word:
            if not _is_sign(sign):
                raise _unknown(sign, f"in {word!r}") if len(word) > 1 else _unknown(sign)
            yield _tile(_BY_NAME.get(sign, sign.upper()))


def _is_sign(sign: str) -> bool:
    return sign in _BY_NAME or (sign.isascii() and sign.upper() in CLASS_PIPS)


def _tile(code: str) -> Tile:
    pips = CLASS_PIPS[code]
    return Tile(code, pips[0] if len(pips) == 1 else None)


def _unknown(written: str, where: str = "") -> TileError:
    near = difflib.get_close_matches(written, [*_BY_NAME, *CHINESE_PIPS, *_BY_PIPS], 1)
    hint = f" Did you mean {near[0]}?" if near else ""
    detail = f" ({where})" if where else ""
    return TileError(
        f"{written!r} is no tile{detail}.{hint} Tiles are the codes {CLASSES}, pips such as 3-6, "
        f"or names such as 天 地 人 鵝",
        "unknown tile",
    )


def check_copies(tiles: Sequence[Tile]) -> None:
    """Refuse more copies of a tile than the set of 32 has."""
    for pips, number in Counter(tile.pips for tile in tiles if tile.pips).items():
        code = _BY_PIPS[pips]
        if number > (2 if len(CLASS_PIPS[code]) == 1 and code not in SINGLE_TILES else 1):
            raise _too_many(pips if len(CLASS_PIPS[code]) == 2 else code, number)
    for code, number in Counter(tile.code for tile in tiles).items():
        if number > (1 if code in SINGLE_TILES else 2):
            raise _too_many(code, number)


def _too_many(name: str, number: int) -> TileError:
    code = _BY_PIPS.get(name, name)
    there = 1 if code in SINGLE_TILES or name in _BY_PIPS else 2
    known_as = f"{CLASS_PIPS[code][0]} {CHINESE[code][0]}" if name == code else CHINESE[code][0]
    return TileError(
        f"tile {name} ({known_as}) stands {number} times, but there {'is' if there == 1 else 'are'} "
        f"only {there} of it",
        "tile twice",
    )


def hand_readings(hands: Sequence[Sequence[Tile]]) -> Iterator[tuple[int, ...]]:
    """All ways to tell apart the tiles that class codes leave open, each as tile bits per hand.

    Tiles of classes 9, 8, 7, 5 written by code may be either of two.  Identical tiles are
    handed out from the lower bit on.

    Raises
    ------
    TileError
        If the hands together hold more copies of a tile than there are.

    Examples
    --------
    >>> hands = [parse_tiles("9"), parse_tiles("4-5")]
    >>> [[pips_of(hand) for hand in hands] for hands in hand_readings(hands)]
    [['3-6', '4-5']]
    """
    check_copies([tile for hand in hands for tile in hand])
    masks = [0] * len(hands)
    taken = 0
    by_class: dict[str, list[int]] = {}
    for number, hand in enumerate(hands):
        for tile in hand:
            if tile.is_open():
                by_class.setdefault(tile.code, []).append(number)
            else:
                bit = next(bit for bit in tile.bits() if not taken >> bit & 1)
                taken |= 1 << bit
                masks[number] |= 1 << bit
    choices: list[list[list[tuple[int, int]]]] = []
    for code, holders in by_class.items():
        free = [bit for bit in (FIRST_BIT[code], FIRST_BIT[code] + 1) if not taken >> bit & 1]
        orders = {tuple(sorted(zip(holders, bits, strict=True))) for bits in
                  itertools.permutations(free, len(holders))}  # fmt: skip
        choices.append([list(order) for order in sorted(orders)])
    for chosen in itertools.product(*choices):
        reading = list(masks)
        for holder, bit in itertools.chain.from_iterable(chosen):
            reading[holder] |= 1 << bit
        yield tuple(reading)


def _bits(tiles: int) -> list[int]:
    """The bits of a set of tiles in code order (A … K, 9 … 3), then as pips stand in the rules."""
    held = int(_TILES("tiles", tiles))
    return [bit for bit in BIT_ORDER if held >> bit & 1]


def code_of_bit(bit: int) -> str:
    """The class code of the tile at a bit."""
    return _CODES[bit]


def codes_of(tiles: int) -> str:
    """Class codes of a set of tiles, in code order.

    Examples
    --------
    >>> from gupai.kernels.tiengow.tiles import SUPREME
    >>> codes_of(SUPREME)
    '63'
    """
    return "".join(code_of_bit(bit) for bit in _bits(tiles))


def written(tiles: int, *, names: bool = False, out_of_sight: bool = False, after: str = "") -> Tiles:
    """Tiles as a table shows them: their codes, with Chinese names, or in parentheses.

    Examples
    --------
    >>> written(0b1001), written(0b1001, names=True), written(0b1001, out_of_sight=True)
    ('63', '63 六三', '(63)')
    """
    codes = codes_of(tiles)
    shown = f"({codes})" if out_of_sight else codes
    text = Tiles(f"{shown} {chinese_of(tiles)}{after}" if names else shown + after)
    text.mask = tiles
    return text


def pips_of(tiles: int) -> str:
    """Pips of a set of tiles, separated by blanks, in code order.

    Examples
    --------
    >>> pips_of(0b1001)
    '2-4 1-2'
    """
    return " ".join(_PIPS[bit] for bit in _bits(tiles))


def chinese_of(tiles: int) -> str:
    """Chinese names of a set of tiles, one sign a tile, in code order.

    Examples
    --------
    >>> chinese_of(0b1001)
    '六三'
    """
    return "".join(CHINESE[code_of_bit(bit)][0] for bit in _bits(tiles))


_TILES = whole(0, 2**32 - 1)
_CODES: dict[int, str] = {}
_PIPS: dict[int, str] = {}
for _code, _pips in CLASS_PIPS.items():
    for _copy in range(1 if _code in SINGLE_TILES else 2):
        _CODES[FIRST_BIT[_code] + _copy] = _code
        _PIPS[FIRST_BIT[_code] + _copy] = _pips[_copy % len(_pips)]
BIT_ORDER = tuple(sorted(_CODES, key=lambda bit: (CLASSES.index(_CODES[bit]), bit)))
