"""``gupai deals``: ways of taking tiles from the wall 牌頭, and washes, compared."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ..analysis.digits import figures, percentage
from ..analysis.phrases import listed
from ..analysis.tiengow.defaults import DEFAULT_POLICY
from .grid import Grid, csv_text
from .language import noted, say
from .numbers import parse_hands
from .options import Format, Rules, Settings, Whole, four_policies, read_settings
from .progress import announce_compiling, note, progress_line
from .words import SEAT_NAMES

if TYPE_CHECKING:
    from ..analysis import Progress, Walls

_DIGITS = {"fours": 3, "pairs": 4, "supreme": 3, "sweeps": 3, "banker's points": 3}
_PERCENT = ("fours", "supreme", "sweeps")


def deals_command(
    *,
    deal: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    shuffle: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    rules: Rules = "tiengow-ja",
    settings: Settings = (),
    policy: str = DEFAULT_POLICY,
    hands: str = "100k",
    session_hands: Whole = 64,
    seed: Whole = 1,
    threads: Whole | None = None,
    format: Format = "table",
) -> int:
    """Compare the ways of taking tiles from the wall 牌頭 after washes of any strength.

    Parameters
    ----------
    deal
        A pattern; may be repeated; all ten by default.
    shuffle
        wash:S, S from 0 (order kept) up; may be repeated; several by default.
    rules
        A preset (see `gupai rules`) or a file that ends in .toml.
    settings
        A switch to change, SWITCH=VALUE; may be repeated.
    policy
        One policy for all players, or four: of the players in seats 0,1,2,3.
    hands
        Hands to look at under each pattern and wash.
    session_hands
        Hands of a session; its first hand is shuffled perfectly and not looked at.
    seed
        Same seed, same hands.
    threads
        Threads to play on; all processors by default.
    format
        How to print.
    """
    from ..analysis import DEALS, compare_walls, load_rules
    from ..analysis.tiengow.walls import STRENGTHS

    rule_set = load_rules(rules, read_settings(settings))
    announce_compiling()
    start = time.perf_counter()
    with progress_line("deals") as show:
        result = compare_walls(
            DEALS if deal in ((), ("all",)) else [name.lower() for name in deal],
            [text.lower() for text in shuffle] or STRENGTHS, rules=rule_set,
            policies=four_policies(policy, "of the players in seats 0,1,2,3"),
            hands=parse_hands(hands), session_hands=session_hands, seed=seed, threads=threads,
            progress=_shown_by(show),
        )  # fmt: skip
    seconds = time.perf_counter() - start
    if format == "json":
        print(json.dumps(result.to_json(), ensure_ascii=False))
    elif format == "csv":
        print(_csv(result), end="")
    else:
        grid = walls_grid(result)
        print(grid.shown(format))
    note(f"{seconds:.2f} s")
    return 0


def _shown_by(show: Callable[[Progress], None]) -> Callable[[str, Progress], None]:
    return lambda _what, state: show(state)


def walls_grid(result: Walls) -> Grid:
    from ..analysis import dice_chances
    from ..analysis.tiengow.family_presets import tuned_note

    names = ("fours", "pairs", "supreme", "sweeps", "banker's points")
    head = ["", say("四 fours"), say("對 pairs"), say("至尊 supreme"), say("完封 sweeps")]
    grid = Grid([*head, say("莊 points"), say("tiles held again")])
    exact = result.looks[result.deals[0], "perfect"]
    cells = [_number(n, exact[n].exact) for n in names[:3]]
    grid.row(say("perfect shuffle, exact"), [*cells, "", "", "0.0000"])
    for deal in result.deals:
        grid.heading(deal)
        for shuffle in result.shuffles:
            looks = result.looks[deal, shuffle]
            row = [
                _number(n, looks[n].value.mean) + (" *" if looks[n].told_apart else "  ")
                if n in looks
                else ""
                for n in names
            ]
            mark = " *" if looks["same tiles"].told_apart else "  "
            grid.row(f"  {shuffle}", [*row, f"{result.correlation(deal, shuffle)[0]:+.4f}{mark}"])
    enough = {deal: result.enough(deal) or say("none of these") for deal in result.deals}
    widest = max(
        (look.value.high - look.value.low) / 2 / abs(look.value.mean)
        for looks in result.looks.values()
        for name, look in looks.items()
        if name == "pairs"
    )
    grid.notes = [
        say(
            "Fours, pairs and supreme dealt to a seat in a hand; sweeps and the banker's points in a "
            "hand; tiles held again: correlation between holding a tile and having held it in the last "
            "hand."
        ),
        say(
            "* can be told from a perfect shuffle: {tests} tests that together raise a false alarm in "
            "at most 5 % of comparisons.",
            tests=result.tests,
        ),
        say("Too few hands for 95 % intervals.")
        if math.isnan(widest)
        else say(
            "95 % intervals of the pairs reach ± {reach} %; all intervals stand in the other formats.",
            reach=figures(100 * widest, 2),
        ),
        say(
            "Good enough from: {washes}.",
            washes=listed([f"{deal}: {wash}" for deal, wash in enough.items()]),
        ),
        say(result.sentence()),
        say(
            "Dice: the seat across rolls and counts from itself as 1, so the first to take is {seats}. "
            "After a perfect shuffle that gives nobody an edge.",
            seats=listed(
                [
                    f"{say(SEAT_NAMES[seat])} {36 * chance}/36 ({percentage(float(chance))} %)"
                    for seat, chance in dice_chances().items()
                ]
            ),
        ),
        say(
            "{hands} hands under each pattern and wash, all playing {policies}, seed {seed}.",
            hands=f"{result.hands:,}",
            policies="/".join(dict.fromkeys(result.policies)),
            seed=result.seed,
        ),
        *noted(tuned_note(result.policies, result.rules)),
        result.command(),
    ]
    return grid


def _number(name: str, value: float | None) -> str:
    if value is None:
        return ""
    digits = _DIGITS[name]
    return f"{percentage(value, digits)} %" if name in _PERCENT else f"{value:.{digits}f}"


def _csv(result: Walls) -> str:
    head = ["deal", "shuffle", "quantity", "hands", "mean", "low", "high", "exact", "p", "told_apart"]
    rows: list[list[object]] = []
    for (deal, shuffle), looks in result.looks.items():
        for name, look in looks.items():
            v = look.value
            exact = "" if look.exact is None else look.exact
            rows.append([deal, shuffle, name, result.hands, v.mean, v.low, v.high, exact,
                         look.p_value, look.told_apart])  # fmt: skip
        rows.append([deal, shuffle, "correlation", result.hands, *result.correlation(deal, shuffle),
                     0.0, looks["same tiles"].p_value, looks["same tiles"].told_apart])  # fmt: skip
    return csv_text(head, rows)
