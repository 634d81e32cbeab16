"""``gupai patterns``: hand patterns 例牌, how often they are dealt and what they cost."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ..analysis.phrases import listed, phrase
from ..analysis.tiengow.defaults import DEFAULT_POLICY
from ..analysis.tiengow.records import term_words
from .difference_cells import difference_cell
from .grid import Grid, csv_text
from .language import noted, say
from .numbers import chance, one_in, parse_hands, percent
from .options import Format, Rules, Settings, Whole, four_policies, read_settings
from .progress import announce_compiling, note, progress_line

if TYPE_CHECKING:
    from ..analysis import HandPattern


NAMES = {
    "one_red": phrase("one_red 一點紅"),
    "seven_military": phrase("seven_military 七武"),
    "seven_civil": phrase("seven_civil 七文"),
    "no_red": phrase("no_red 無紅"),
    "eight_military": phrase("eight_military 八武"),
    "eight_civil": phrase("eight_civil 八文"),
    "four_pairs": phrase("four_pairs 四對"),
    "all": phrase("all 例牌"),
}


def patterns_command(
    *names: Annotated[str, Parameter(negative="", show_default=False)],
    rules: Rules = "tiengow-ja",
    settings: Settings = (),
    policy: str = DEFAULT_POLICY,
    hands: str = "200k",
    term: Whole = 1,
    seed: Whole = 1,
    threads: Whole | None = None,
    format: Format = "table",
) -> int:
    """Tell how often hand patterns 例牌 are dealt, exactly, and what each does to the stakes.

    Parameters
    ----------
    names
        Patterns, or all for all of them at once; each and all by default.
    rules
        A preset (see `gupai rules`) or a file that ends in .toml; its own hand patterns are left
        out, for each pattern is compared with none.
    settings
        A switch to change, SWITCH=VALUE; may be repeated.
    policy
        One policy for all seats, or four: banker,right,across,left.
    hands
        Hands to play with and without each pattern.
    term
        The banker's term 連莊.
    seed
        Same seed, same hands.
    threads
        Threads to play on; all processors by default.
    format
        How to print.
    """
    from ..analysis import Run, hand_patterns, load_rules
    from ..analysis.tiengow.hand_patterns import ALL
    from ..analysis.tiengow.rules import HAND_PATTERNS

    run = Run(
        rules=load_rules(rules, read_settings(settings)), policies=four_policies(policy),
        hands=parse_hands(hands), term=term, seed=seed,
    )  # fmt: skip
    announce_compiling()
    start = time.perf_counter()
    with progress_line("patterns") as progress:
        found = hand_patterns(
            [name.lower() for name in names] or (*HAND_PATTERNS, ALL),
            run=run,
            threads=threads,
            progress=progress,
        )
    if format == "json":
        print(json.dumps([pattern.to_json() for pattern in found], ensure_ascii=False))
    elif format == "csv":
        print(_csv(found), end="")
    else:
        grid = patterns_grid(found, names)
        print(grid.shown(format))
    note(f"{time.perf_counter() - start:.2f} s")
    return 0


def _ended(pattern: HandPattern) -> tuple[float, float, float]:
    """The share of hands that patterns ended, from the hands played (their last trick has no size)."""
    from ..analysis import proportion

    shares = pattern.comparison.probabilities
    n = pattern.comparison.run.hands
    played = sum(round(shares[f"last size {size}"].b * n) for size in range(1, 5))
    estimate = proportion(n - played, n)
    return estimate.value, estimate.low, estimate.high


def patterns_grid(found: list[HandPattern], names: tuple[str, ...]) -> Grid:
    from ..analysis.tiengow.family_presets import tuned_note

    grid = Grid(
        [
            "例牌",
            say("as"),
            say("a seat"),
            say("one in"),
            say("anyone"),
            say("one in"),
            say("莊 / other collects"),
            say("莊 points"),
            say("spread of 莊"),
        ]
    )
    for pattern in found:
        seat, table = pattern.seat, pattern.table
        value = pattern.comparison.points["banker"]
        one, other = pattern.comparison.spread["banker"]
        exact = ["", "", percent(*_ended(pattern)), one_in(_ended(pattern)[0])]
        if seat is not None and table is not None:
            exact = [
                chance(float(seat)),
                one_in(float(seat)),
                chance(float(table)),
                one_in(float(table)),
            ]
        collects = f"{pattern.collects[0]} / {pattern.collects[1]}" if pattern.collects else ""
        kind = {"seven": "七支", "eight": "八支"}.get(pattern.sweep, "")
        grid.row(
            say(NAMES[pattern.name]),
            [kind, *exact, collects, difference_cell(value), f"{other - one:+.2f}"],
        )  # fmt: skip
    first = found[0].comparison
    moved = [
        (say(NAMES[pattern.name]), sum(b for _, b in pattern.comparison.money.values()))
        for pattern in found
    ]
    before = sum(a for a, _ in first.money.values())
    grid.notes = [
        say(
            "Chances are exact (for all at once, from the hands played, with a 95 % interval). Points "
            "and spread: what the pattern adds for the banker in a hand, on the same deals (± 95 % "
            "interval)."
        ),
        say(
            "Points that change hands in a hand: {before} without patterns; {with_them}.",
            before=f"{before:.2f}",
            with_them=listed([f"{name} {points:.2f}" for name, points in moved]),
        ),
        say(
            "{hands} hands each, all playing {policies}, {term}, seed {seed}.",
            hands=f"{first.run.hands:,}",
            policies="/".join(dict.fromkeys(first.run.policies)),
            term=term_words(first.run.term),
            seed=first.run.seed,
        ),
        *noted(tuned_note(first.run.policies, first.run.rules, *(one.comparison.b for one in found))),
        " ".join(["gupai patterns", *names, first.run.command().removeprefix("gupai simulate ")]),
    ]
    return grid


def _csv(found: list[HandPattern]) -> str:
    head = ["pattern", "sweep", "seat", "table", "ended", "collects_banker", "collects_other",
            "banker_difference", "low", "high"]  # fmt: skip
    rows: list[list[object]] = []
    for p in found:
        value = p.comparison.points["banker"]
        collects = p.collects or ("", "")
        rows.append([p.name, p.sweep, p.seat or "", p.table or "", _ended(p)[0], *collects,
                     value.difference, value.low, value.high])  # fmt: skip
    return csv_text(head, rows)
