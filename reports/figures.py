"""The figures of a report (matplotlib), each drawn from the plain numbers of its section.

Colours are told apart by people with any colour vision (Okabe & Ito, 2008); names stand beside
lines and bars in place of legends.
"""

from __future__ import annotations

import functools
import io
import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from ..analysis.phrases import phrase
from .fonts import paths
from .language import say, spoken

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Data = dict[str, Any]
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
RAREST = 0.01  # % of hands left out at each end of a distribution
_CLIP = re.compile(r"\bp[0-9a-f]{10}\b")


def style(*, dark: bool = False) -> AbstractContextManager[None]:
    """Settings of one figure; nothing is set globally."""
    import matplotlib as mpl

    ink, paper = ("#e6e6e6", "#16181c") if dark else ("#1b1b1b", "#ffffff")
    names = ("text", "axes.label", "xtick", "ytick", "axes.edge")
    inks = {f"{n}.color" if n in ("text", "xtick", "ytick") else f"{n}color": ink for n in names}
    settings: Any = inks | {
            "figure.facecolor": paper, "axes.facecolor": paper, "savefig.facecolor": paper,
            "axes.titlecolor": ink, "grid.color": "#888888", "svg.fonttype": "path",
            "svg.hashsalt": "gupai", "font.size": 10,
    }  # fmt: skip
    return mpl.rc_context(settings | _letters())


def lettering() -> AbstractContextManager[None]:
    """The fonts of the language spoken, for a figure that has else the user's own style."""
    import matplotlib as mpl

    return mpl.rc_context(_letters())


def _letters() -> Any:
    return {"font.family": ["DejaVu Sans", *_registered(spoken())]}


@functools.cache
def _registered(language: str) -> list[str]:
    """The families of a language's fonts, made known to matplotlib."""
    from matplotlib.font_manager import FontProperties, fontManager

    for path in paths(language):
        fontManager.addfont(path)
    return [FontProperties(fname=path).get_name() for path in paths(language)]


@contextmanager
def _every_glyph() -> Iterator[None]:
    """A sign that no font has is an error: it would be drawn as an empty box."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="Glyph .* missing from")
        try:
            yield
        except UserWarning as missing:
            raise ValueError(f"a figure cannot be drawn: {missing}") from None


def svg_of(figure: Figure) -> str:
    """A figure as SVG text, from the <svg> tag on: no dates, and the same text at any time.

    matplotlib names clip paths by where they lie in memory; here they are numbered.
    """
    out = io.StringIO()
    with _every_glyph():
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    names = {name: f"clip{number}" for number, name in enumerate(dict.fromkeys(_CLIP.findall(text)))}
    text = _CLIP.sub(lambda found: names[found[0]], text)
    return text[text.index("<svg") :]


def png_of(figure: Figure) -> bytes:
    """A figure as a PNG picture."""
    out = io.BytesIO()
    with _every_glyph():
        figure.savefig(out, format="png", dpi=150, metadata={"Software": None})
    return out.getvalue()


def _figure(width: float = 9.0, height: float = 3.6) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _plain(axes: Axes, *, grid: str = "y") -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=grid, alpha=0.3)  # type: ignore[arg-type]
    axes.set_axisbelow(True)


def _ink() -> str:
    import matplotlib as mpl

    return str(mpl.rcParams["text.color"])


def seats_figure(data: Data) -> Figure:
    """Who wins the last trick and what each seat earns: a point and its interval a policy."""
    figure = _figure()
    for axes, key, title, unit in zip(
        figure.subplots(1, 2),
        ("wins", "points"),
        (say("Who wins the last trick"), say("What a seat earns")),
        (say("% of hands"), say("points a hand")),
        strict=True,
    ):
        ends = []
        for number, (policy, rows) in enumerate(data[key].items()):
            colour = COLOURS[number % len(COLOURS)]
            places = [seat + 0.09 * (number - (len(data[key]) - 1) / 2) for seat in range(len(rows))]
            middle = [row[0] for row in rows]
            reach = [[row[0] - row[1] for row in rows], [row[2] - row[0] for row in rows]]
            axes.errorbar(places, middle, yerr=reach, fmt="o-", ms=4, lw=1, capsize=3, color=colour)
            ends.append((middle[-1], policy, colour))
        _beside(axes, places[-1] + 0.12, ends)
        axes.set_title(title)
        axes.set_ylabel(unit)
        axes.set_xticks(range(len(data["seats"])), data["seats"])
        axes.set_xlim(-0.4, len(data["seats"]) - 0.1)
        _plain(axes)
    figure.axes[1].axhline(0, color=_ink(), lw=0.8)
    return figure


def _beside(axes: Axes, x: float, ends: Sequence[tuple[float, str, str]]) -> None:
    """Names at the right end of lines, pushed apart where they would overlap."""
    low, high = axes.get_ylim()
    least = (high - low) * 0.075
    placed = -math.inf
    for y, name, colour in sorted(ends):
        placed = max(y, placed + least)
        axes.annotate(name, (x, placed), color=colour, va="center", annotation_clip=False)
    axes.set_ylim(low, max(high, placed + least))


def stacks_figure(data: Data) -> Figure:
    """How many stacks each seat ends with."""
    figure = _figure(9.0, 3.2)
    panels = figure.subplots(1, 4, sharey=True)
    for number, (axes, seat) in enumerate(zip(panels, data["seats"], strict=True)):
        shares = data["stacks"][number]
        axes.bar(range(9), shares, color=COLOURS[number])
        axes.set_title(seat)
        axes.set_xticks(range(9))
        _plain(axes)
    panels[0].set_ylabel(say("% of hands"))
    figure.supxlabel(say("stacks at the end"))
    return figure


def points_figure(data: Data) -> Figure:
    """How often a seat wins or loses so many points in a hand, on a scale of powers of ten."""
    figure = _figure(9.0, 3.6)
    panels = figure.subplots(1, len(data["points"]), sharey=True, sharex=True)
    for number, (axes, (seat, (edges, shares))) in enumerate(
        zip(panels, data["points"].items(), strict=True)
    ):
        shown = [share if share > 0 else math.nan for share in shares]
        axes.bar(edges[:-1], shown, width=edges[1] - edges[0], align="edge", color=COLOURS[number])
        axes.set_title(seat)
        axes.axvline(0, color=_ink(), lw=0.8)
        _plain(axes)
    panels[0].set_xlim(_reach(data["points"].values()))
    panels[0].set_yscale("log")
    panels[0].set_ylabel(say("% of hands (powers of ten)"))
    figure.supxlabel(say("points of a hand"))
    return figure


def _reach(seats: Iterable[tuple[list[int], list[float]]]) -> tuple[int, int]:
    """From where to where the points reach, but for the rarest hands: 1 in 10,000 at each end."""
    ends = []
    for edges, shares in seats:
        for order in (range(len(shares)), range(len(shares) - 1, -1, -1)):
            beyond = 0.0
            for place in order:
                beyond += shares[place]
                if beyond > RAREST:
                    ends += [edges[place], edges[place + 1]]
                    break
    return min(ends), max(ends)


def ranking_figure(data: Data) -> Figure:
    """One seat of a policy against three of another: points a hand in every cell."""
    names, table = data["policies"], data["table"]
    figure = _figure(2.8 + 1.1 * len(names), 1.6 + 0.55 * len(names))
    axes = figure.subplots()
    most = max(abs(value) for row in table for value in row) or 1.0
    axes.imshow(table, cmap="PuOr", vmin=-most, vmax=most, aspect="auto")
    for i, row in enumerate(table):
        for j, value in enumerate(row):
            ink = "#ffffff" if abs(value) > 0.6 * most else "#1b1b1b"
            axes.text(j, i, f"{value:+.2f}", ha="center", va="center", color=ink)
    axes.set_xticks(range(len(names)), names)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel(say("three seats play"))
    axes.set_ylabel(say("one seat plays"))
    axes.set_title(say("Points a hand of the one seat"))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


def rules_figure(data: Data) -> Figure:
    """What each house rule does to the banker's points, with its interval."""
    rows = data["rows"][:24][::-1]
    figure = _figure(9.0, 0.8 + 0.26 * len(rows))
    axes = figure.subplots()
    for place, (_name, value, low, high) in enumerate(rows):
        clear = low > 0 or high < 0
        colour = COLOURS[0] if value > 0 else COLOURS[1]
        axes.plot([low, high], [place, place], color=colour if clear else "#888888", lw=2)
        axes.plot([value], [place], "o", ms=4, color=colour if clear else "#888888")
    axes.set_yticks(range(len(rows)), [row[0] for row in rows])
    axes.axvline(0, color=_ink(), lw=0.8)
    axes.set_xscale("symlog", linthresh=0.01)
    axes.set_xlabel(
        say("banker's points a hand against the rule set (grows by powers of ten from 0.01 on)")
    )
    axes.set_ylim(-0.7, len(rows) - 0.3)
    _plain(axes, grid="x")
    return figure


def intervals_figure(data: Data) -> Figure:
    """Estimates one below the other, each with its interval."""
    rows = data["rows"][::-1]
    figure = _figure(9.0, 1.0 + 0.32 * len(rows))
    axes = figure.subplots()
    for place, (_name, value, low, high) in enumerate(rows):
        if math.isfinite(low) and math.isfinite(high):
            axes.plot([low, high], [place, place], color=COLOURS[0], lw=2)
        axes.plot([value], [place], "o", ms=5, color=COLOURS[0])
    axes.set_yticks(range(len(rows)), [row[0] for row in rows])
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_xlabel(data["unit"])
    low, high = axes.get_xlim()
    if low < 0 < high:
        axes.axvline(0, color=_ink(), lw=0.8)
    _plain(axes, grid="x")
    return figure


def session_figure(data: Data) -> Figure:
    """How a player's points fan out over a session."""
    figure = _figure(9.0, 3.8)
    axes = figure.subplots()
    hands, bands = data["hands"], data["bands"]
    for (low, high), alpha in (
        (("0.01", "0.99"), 0.15),
        (("0.05", "0.95"), 0.25),
        (("0.25", "0.75"), 0.4),
    ):
        axes.fill_between(hands, bands[low], bands[high], color=COLOURS[0], alpha=alpha, lw=0)
    axes.plot(hands, bands["0.5"], color=COLOURS[0], lw=1.5)
    for share, name in (
        ("0.99", say("{share} % above", share=1)), ("0.95", say("{share} % above", share=5)),
        ("0.75", say("{share} % above", share=25)), ("0.5", say("half")),
        ("0.25", say("{share} % below", share=25)), ("0.05", say("{share} % below", share=5)),
        ("0.01", say("{share} % below", share=1)),
    ):  # fmt: skip
        axes.annotate(name, (hands[-1], bands[share][-1]), xytext=(5, 0), textcoords="offset points",
                      va="center", annotation_clip=False)  # fmt: skip
    axes.axhline(-data["stake"], color=COLOURS[1], lw=1, ls="--")
    lost = say("{points} lost", points=data["stake"])
    axes.annotate(lost, (hands[0], -data["stake"]), xytext=(0, -11), textcoords="offset points",
                  color=COLOURS[1])  # fmt: skip
    axes.set_xlim(0, hands[-1])
    axes.set_xlabel(say("hands played"))
    axes.set_ylabel(say("points"))
    _plain(axes)
    return figure


def convergence_figure(data: Data) -> Figure:
    """How the banker's share of last tricks settles as hands are added."""
    figure = _figure(9.0, 3.2)
    axes = figure.subplots()
    rows = data["rows"]
    hands = [row[0] for row in rows]
    axes.fill_between(
        hands, [row[2] for row in rows], [row[3] for row in rows], alpha=0.3, color=COLOURS[0], lw=0
    )
    axes.plot(hands, [row[1] for row in rows], "o-", ms=3, lw=1, color=COLOURS[0])
    axes.axhline(rows[-1][1], color=_ink(), lw=0.6, ls=":")
    axes.set_xscale("log")
    axes.set_xlabel(say("hands played"))
    axes.set_ylabel(say("banker wins, % of hands"))
    _plain(axes)
    return figure


def walls_figure(data: Data) -> Figure:
    """Pairs dealt to a seat after washes of each strength, a line a pattern."""
    figure = _figure(9.0, 4.2)
    axes = figure.subplots()
    ends = []
    for number, (deal, values) in enumerate(data["pairs"].items()):
        colour = COLOURS[number % len(COLOURS)]
        dash = ("-", "--", ":")[number // len(COLOURS) % 3]
        axes.plot(range(len(values)), values, dash, marker="o", ms=3, lw=1.2, color=colour)
        ends.append((values[0], deal, colour))
    low, high = axes.get_ylim()
    least, placed = (high - low) * 0.055, -math.inf
    for y, name, colour in sorted(ends):
        placed = max(y, placed + least)
        axes.annotate(name, (0, placed), xytext=(-6, 0), textcoords="offset points", ha="right",
                      va="center", color=colour, annotation_clip=False)  # fmt: skip
    axes.axhline(data["exact"], color=_ink(), lw=0.8)
    axes.annotate(say("perfect shuffle"), (len(data["shuffles"]) - 1, data["exact"]), xytext=(0, -12),
                  textcoords="offset points", ha="right")  # fmt: skip
    axes.set_xticks(range(len(data["shuffles"])), data["shuffles"])
    axes.set_ylim(low, max(high, placed + least))
    axes.set_ylabel(say("pairs dealt to a seat, a hand"))
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.yaxis.tick_right()
    axes.yaxis.set_label_position("right")
    axes.grid(axis="y", alpha=0.3)
    return figure


FIGURES: dict[str, Callable[[Data], Figure]] = {
    "seats": seats_figure,
    "stacks": stacks_figure,
    "points": points_figure,
    "ranking": ranking_figure,
    "rules": rules_figure,
    "last-trick": intervals_figure,
    "session": session_figure,
    "convergence": convergence_figure,
    "walls": walls_figure,
}
NAMES = {
    "seats": phrase("seats"),
    "stacks": phrase("stacks"),
    "points": phrase("points"),
    "ranking": phrase("ranking"),
    "rules": phrase("rules"),
    "session": phrase("session"),
    "convergence": phrase("convergence"),
    "last-trick": phrase("last trick"),
    "walls": phrase("walls"),
}
