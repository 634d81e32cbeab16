"""The Chinese and Japanese signs of a page, as a small font that the page carries with it."""

from __future__ import annotations

import base64
import io
import unicodedata
from importlib.resources import files

FAMILY = "gupai signs"
_PACKAGE, _FILE = "pylopdf_fonts_zh_tw", "NotoSansTC-Regular.otf"


def signs_of(text: str) -> str:
    """The wide signs of a text, each once.

    Examples
    --------
    >>> signs_of("banker 莊, 結 and 莊")
    '結莊'
    """
    return "".join(sorted({sign for sign in text if unicodedata.east_asian_width(sign) == "W"}))


def font_of(signs: str) -> bytes:
    """A WOFF font of these signs (Noto Sans TC, under the SIL Open Font License).

    Raises
    ------
    ValueError
        If the font lacks a sign: it would be shown as an empty box.
    """
    from fontTools import subset
    from fontTools.ttLib import TTFont

    font = TTFont(io.BytesIO(files(_PACKAGE).joinpath(_FILE).read_bytes()))
    missing = [sign for sign in signs if ord(sign) not in font.getBestCmap()]
    if missing:
        raise ValueError(f"the font has no glyph for {' '.join(missing)}")
    cutter = subset.Subsetter(subset.Options(layout_features=[], hinting=False, notdef_outline=True))
    cutter.populate(text=signs)
    cutter.subset(font)
    font["head"].modified = font["head"].created  # the same bytes at any time
    font.recalcTimestamp = False
    font.flavor = "woff"
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def font_face(text: str) -> str:
    """A style rule that carries the font of a page's wide signs."""
    signs = signs_of(text)
    if not signs:
        return ""
    data = base64.b64encode(font_of(signs)).decode()
    source = f'url(data:font/woff;base64,{data}) format("woff")'
    return f'@font-face {{ font-family: "{FAMILY}"; src: {source}; }}'
