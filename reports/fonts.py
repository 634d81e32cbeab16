"""The Chinese and Japanese signs of a page, as a small font that the page carries with it."""

from __future__ import annotations

import base64
import io
import unicodedata
from importlib.resources import files

FAMILY = "gupai signs"
_TRADITIONAL = "pylopdf_fonts_zh_tw", "NotoSansTC-Regular.otf"
_JAPANESE = "pylopdf_fonts_jp", "NotoSansJP-Regular.otf"
# The first font of a language that has a sign shows it: the Japanese one lacks some of the game's.
_FONTS = {"en": (_TRADITIONAL,), "ja": (_JAPANESE, _TRADITIONAL), "zh": (_TRADITIONAL,)}


def signs_of(text: str) -> str:
    """The wide signs of a text, each once.

    Examples
    --------
    >>> signs_of("banker 莊, 結 and 莊")
    '結莊'
    """
    return "".join(sorted({sign for sign in text if unicodedata.east_asian_width(sign) in "WF"}))


def paths(language: str) -> list[str]:
    """The font files of a language.

    Examples
    --------
    >>> [path[-22:] for path in paths("zh")]
    ['NotoSansTC-Regular.otf']
    """
    return [str(files(package).joinpath(file)) for package, file in _FONTS[language]]


def shared_out(signs: str, language: str) -> dict[str, str]:
    """Which signs each font file of a language shows.

    Raises
    ------
    ValueError
        If no font has a sign: it would be shown as an empty box.
    """
    from fontTools.ttLib import TTFont

    left = signs
    found = {}
    for path in paths(language):
        known = TTFont(path).getBestCmap()
        found[path] = "".join(sign for sign in left if ord(sign) in known)
        left = "".join(sign for sign in left if ord(sign) not in known)
    if left:
        raise ValueError(f"the font has no glyph for {' '.join(left)}")
    return {path: part for path, part in found.items() if part}


def font_of(signs: str, path: str) -> bytes:
    """A WOFF font of these signs, cut from a font file (Noto Sans, SIL Open Font License)."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    font = TTFont(path)
    cutter = subset.Subsetter(subset.Options(layout_features=[], hinting=False, notdef_outline=True))
    cutter.populate(text=signs)
    cutter.subset(font)
    font["head"].modified = font["head"].created  # the same bytes at any time
    font.recalcTimestamp = False
    font.flavor = "woff"
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def font_face(text: str, language: str = "en") -> str:
    """Style rules that carry the fonts of a page's wide signs."""
    rules = []
    for path, signs in shared_out(signs_of(text), language).items():
        data = base64.b64encode(font_of(signs, path)).decode()
        source = f'url(data:font/woff;base64,{data}) format("woff")'
        reach = ", ".join(f"U+{ord(sign):X}" for sign in signs)
        rules.append(f'@font-face {{ font-family: "{FAMILY}"; src: {source}; unicode-range: {reach}; }}')
    return "\n".join(rules)
