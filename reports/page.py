"""A report as one HTML file that needs no network, with its tables and figures beside it."""

from __future__ import annotations

import base64
import functools
import json
import re
import zlib
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..analysis.files import make_folder, replacing
from ..analysis.phrases import phrase
from .figures import FIGURES, NAMES, png_of, style, svg_of
from .fonts import font_face
from .grid import csv_text
from .language import said, say, spoken
from .numbers import ROUNDED, reach_text, rounded_percent
from .words import SEAT_NAMES

TILE_HEIGHT, SMALL_TILE_HEIGHT = 52, 26
_TAGS = {"en": "en", "ja": "ja", "zh": "zh-Hant"}
_FACTS = {
    "version": phrase("version"),
    "rules": phrase("rules"),
    "policies": phrase("policies"),
    "seed": phrase("seed"),
    "fingerprint": phrase("fingerprint"),
    "command": phrase("command"),
}
_SCRIPT_TEXTS = {  # the script fills the places
    "more": phrase("{n} more tiles."),
    "one more": phrase("1 more tile."),
    "too many": phrase("{n} too many."),
    "reading": phrase("Reading the table …"),
    "rank": phrase(
        "Rank {rank} of {hands} by mean points over the four seats, {points}; dealt once in {rare} "
        "hands ({sets} of {all} sets of tiles). From the table of all hands under {rules}, all "
        "playing {policy}; about {deals} deals of this hand to each seat. In parentheses and after ± "
        "stand 95 % intervals of this hand, rounding included; those of a single seat's points are at "
        "most so wide."
    ),
    "no such tile": phrase("{signs}: no such tile is left. Codes are ABCDEFGHIJK 987653."),
}


def render(
    sections: list[dict[str, Any]], *, title: str, subtitle: str, provenance: dict[str, str]
) -> str:
    """The report page; everything that comes from the request is escaped.

    Parameters
    ----------
    sections : list of dict
        As ``sections.py`` makes them, each with its ``name``.
    title, subtitle : str
    provenance : dict of str
        What is printed in the method box.
    """
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    texts = files(__package__).joinpath("templates")
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.globals |= {
        "say": say,
        "words": {"random": _code("random"), "greedy": _code("greedy"), "ask": _code("gupai policies")},
        "Markup": Markup,
        "language": _TAGS[spoken()],
    }
    template = environment.from_string(texts.joinpath("report.html.jinja").read_text("utf-8"))
    has_picker = any(section.get("picker") for section in sections)
    page = functools.partial(
        template.render,
        title=title,
        subtitle=subtitle,
        provenance={name: (said(_FACTS.get(name, name)), value) for name, value in provenance.items()},
        sections=[_section(section) for section in sections],
        tiles=_tiles(),
        hands=_packed_hands(spoken()) if has_picker else "",
        facts=Markup(_script_json(_facts())),
        style=Markup(texts.joinpath("report.css").read_text("utf-8")),
        script=Markup(texts.joinpath("report.js").read_text("utf-8")),
    )
    packed = "".join(map(say, ROUNDED)) if has_picker else ""  # words that the font must have too
    return page(font=Markup(font_face(page(font="") + packed, spoken())))


def _script_json(value: Any) -> str:
    """JSON that may stand in a <script> element."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def _section(section: dict[str, Any]) -> dict[str, Any]:
    tables = []
    for table in section["tables"]:
        tiles = {label: _drawn(codes) for label, codes in table.get("drawn", {}).items()}
        sortable = all(len(row) > 1 for row in table["rows"])
        tables.append(table | {"tiles": tiles, "sortable": sortable})
    figures = [
        {
            "caption": figure["caption"],
            "alt": say("{section}: {figure}", section=section["title"], figure=NAMES[figure["name"]]),
            "light": _encoded(figure, dark=False),
            "dark": _encoded(figure, dark=True),
        }
        for figure in section["figures"]
    ]
    return section | {"tables": tables, "figures": figures, "picker": section.get("picker", False)}


def _encoded(figure: dict[str, Any], *, dark: bool) -> str:
    with style(dark=dark):
        text = svg_of(FIGURES[figure["name"]](figure["data"]))
    return base64.b64encode(text.encode()).decode()


def _drawn(codes: str) -> Any:
    from markupsafe import Markup

    from ..analysis.tiengow.notation import hand_readings, parse_tiles
    from .tile_art import hand_svg

    [held] = next(hand_readings([parse_tiles(codes)]))
    return Markup(hand_svg(held, height=SMALL_TILE_HEIGHT) + " ")


def _tiles() -> list[dict[str, Any]]:
    from markupsafe import Markup

    from ..analysis.tiengow.notation import BIT_ORDER, chinese_of, codes_of, pips_of
    from .tile_art import tile_svg

    return [
        {
            "bit": bit,
            "name": f"{codes_of(1 << bit)} {pips_of(1 << bit)} {chinese_of(1 << bit)}",
            "svg": Markup(tile_svg(1 << bit, height=TILE_HEIGHT)),
        }
        for bit in BIT_ORDER
    ]


def _facts() -> dict[str, Any]:
    """What the script of the page needs to know of the game."""
    from ..analysis.tiengow.notation import BIT_ORDER, CHINESE, codes_of
    from ..analysis.tiengow.shipped_hands import POINT_STEP
    from ..kernels.tiengow.tiles import CLASSES, SECOND, SINGLE_TILES, tiles_of_classes
    from .hand import table_basis

    return {
        "second": SECOND,
        "pairs": [tiles_of_classes(code) for code in CLASSES if code not in SINGLE_TILES],
        "codes": {str(bit): codes_of(1 << bit) for bit in BIT_ORDER},
        "signs": {names[0]: code for code, names in CHINESE.items()},
        "pointStep": POINT_STEP,
        "made": table_basis(),
        "seats": [say(name) for name in SEAT_NAMES.values()],
        "texts": {name: say(text) for name, text in _SCRIPT_TEXTS.items()},
    }


def _code(text: str) -> Any:
    from markupsafe import Markup

    return Markup("<code>{}</code>").format(text)


@functools.cache
def _packed_hands(_language: str) -> str:
    """All starting hands for the picker, in the language spoken.

    The seats' points, then their P(結), both as whole steps (low bytes, high bytes), and the standard
    error of the mean points; then as JSON what is printed of them, for the script knows no statistics:
    a reach of points each step of the standard error, of the mean over the seats and of one seat, and
    by weight each P(結) that occurs, with the deals it rests on.
    """
    import numpy as np

    from ..analysis.tiengow.request import SEATS
    from ..analysis.tiengow.shipped_hands import (
        POINT_STEP,
        SE_STEP,
        WIN_STEP,
        expected_deals,
        points_reach,
        shipped_hands,
        win_interval,
    )

    frame = shipped_hands()
    points = np.concatenate([np.rint(frame[f"points_{s}"] / POINT_STEP).astype("<i2") for s in SEATS])
    wins = np.concatenate([np.rint(frame[f"win_{s}"] / WIN_STEP).astype("<i2") for s in SEATS])
    errors = np.rint(frame["se"] / SE_STEP).astype(np.uint8)
    content = b"".join(
        column.tobytes()
        for whole in (points, wins)
        for column in whole.view(np.uint8).reshape(-1, 2).T
    ) + np.asarray(errors).tobytes()  # fmt: skip
    weights = frame["weight"].to_numpy()
    told: dict[str, dict[str, str]] = {}
    for weight in np.unique(weights).tolist():
        here = np.tile(weights == weight, len(SEATS))
        steps = np.unique(wins[here]).tolist()
        told[str(weight)] = {
            str(step): rounded_percent(step * WIN_STEP, *win_interval(step * WIN_STEP, weight, seats=1))
            for step in steps
        }
    texts = {
        "reach": [
            [reach_text(points_reach(step * SE_STEP, seats=seats)) for seats in (4, 1)]
            for step in range(int(errors.max()) + 1)
        ],
        "wins": told,
        "deals": {weight: f"{expected_deals(int(weight)):,}" for weight in told},
    }
    content += json.dumps(texts, ensure_ascii=False).encode()
    return base64.b64encode(zlib.compress(content, 9)).decode()


def file_name(name: str) -> str:
    """The name of a table or a figure, which names its file and nothing else.

    Raises
    ------
    ValueError
        If it is none.

    Examples
    --------
    >>> file_name("last-tile")
    'last-tile'
    """
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,80}", name):
        raise ValueError(f"{str(name)[:80]!r} is no name of a table or figure")
    return name


def write_beside(folder: Path, sections: list[dict[str, Any]]) -> list[Path]:
    """Write each table as CSV and each figure as SVG and PNG; returns the files."""
    written = []
    for name in ("tables", "figures"):
        make_folder(folder / name)
    for section in sections:
        for table in section["tables"]:
            path = folder / "tables" / f"{file_name(table['name'])}.csv"
            rows = [
                row if len(row) > 1 else [row[0], *[""] * (len(table["head"]) - 1)]
                for row in table["rows"]
            ]
            with replacing(path) as beside:
                beside.write_text(csv_text(table["head"], rows), encoding="utf-8")
            written.append(path)
        for figure in section["figures"]:
            with style():
                drawn = FIGURES[figure["name"]](figure["data"])
                contents = {"svg": svg_of(drawn).encode(), "png": png_of(drawn)}
            for ending, content in contents.items():
                path = folder / "figures" / f"{file_name(figure['name'])}.{ending}"
                with replacing(path) as beside:
                    beside.write_bytes(content)
                written.append(path)
    return written
