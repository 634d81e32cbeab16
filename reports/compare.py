"""``gupai compare``: what a house rule changes."""

from __future__ import annotations

import json
import math
import time
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ..analysis.errors import InputError
from .grid import Grid, csv_text
from .numbers import mean, parse_hands
from .options import Format, Settings, Whole, check_threads, four_policies, read_settings
from .progress import announce_compiling, note, progress_line
from .words import SEAT_NAMES

if TYPE_CHECKING:
    from ..analysis import Compared, Comparison, RuleSet


def compare_command(
    a: str = "tiengow-ja",
    b: str | None = None,
    *,
    settings: Settings = (),
    switch: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    all_switches: Annotated[bool, Parameter(negative="")] = False,
    policy: str = "greedy",
    hands: str = "1e6",
    term: Whole = 1,
    seed: Whole = 1,
    threads: Whole | None = None,
    format: Format = "table",
) -> int:
    """Compare two rule sets on the same hands: every chance, every seat's points, paired.

    Parameters
    ----------
    a
        A preset or a file that ends in .toml; switches may follow, as in 'tiengow-ja;kam=4'.
    b
        The other one; by default the first with --set.
    settings
        A switch to change in the second, SWITCH=VALUE; may be repeated.
    switch
        In place of a second rule set: run through the usual values of this switch; may be repeated.
    all_switches
        Run through all switches: the house-rule map, ordered by what each does to the banker.
    policy
        One policy for all seats, or four: banker,right,across,left.
    hands
        Hands to play.
    term
        The banker's term 連莊.
    seed
        Same seed, same hands.
    threads
        Threads to play on; all processors by default.
    format
        How to print.
    """
    from ..analysis import Run, compare, compare_switches, make_rules

    check_threads(threads)
    first = _read_rules(a)
    run = Run(policies=four_policies(policy), hands=parse_hands(hands), term=term, seed=seed)
    changed = read_settings(settings)
    if switch or all_switches:
        if b is not None or changed or (switch and all_switches):
            raise InputError("--switch or --all-switches takes one rule set and nothing to change")
        announce_compiling()
        with progress_line("compare") as progress:
            found = compare_switches(
                first, list(switch) or None, run=run, threads=threads, progress=progress
            )
        _print_map(found, format)
        return 0
    second = first if b is None else _read_rules(b)
    if changed:
        second = make_rules(second.model_dump() | changed, where="--set")
    if b is None and not changed:
        raise InputError(
            "name a second rule set, or what changes: gupai compare tiengow-ja --set kam=4, "
            "gupai compare tiengow-ja --switch kam, or --all-switches"
        )
    announce_compiling()
    start = time.perf_counter()
    with progress_line("compare") as progress:
        result = compare(first, second, run=run, threads=threads, progress=progress)
    if format == "json":
        print(json.dumps(result.to_json(), ensure_ascii=False))
    elif format == "csv":
        print(_csv([result]), end="")
    else:
        grid = _grid(result)
        print(grid.markdown() if format == "markdown" else grid.text())
    note(f"{time.perf_counter() - start:.2f} s")
    return 0


def _read_rules(text: str) -> RuleSet:
    """A rule set, with switches that may follow it: ``tiengow-ja;kam=4``."""
    from ..analysis import load_rules

    name, *settings = [part.strip() for part in text.split(";")]
    return load_rules(name, read_settings(tuple(settings)))


def _percent(value: float) -> str:
    return f"{100 * value:.3g} %" if value < 0.1 else f"{100 * value:.2f} %"


def _difference(value: Compared, times: float = 1.0) -> str:
    if value.difference == value.sd == 0:
        return "0"
    return mean(times * value.difference, times * value.low, times * value.high, signed=True)


def _grid(result: Comparison) -> Grid:
    grid = Grid(["", "A", "B", "B - A"])
    grid.heading("Points a hand, bonuses included")
    for seat, value in result.points.items():
        cells = [f"{value.a:+.3f}", f"{value.b:+.3f}", _difference(value)]
        grid.row(f"  {SEAT_NAMES[seat]}", cells)
    grid.heading("Spread: standard deviation of one hand")
    for seat, (one, other) in result.spread.items():
        grid.row(f"  {SEAT_NAMES[seat]}", [f"{one:.2f}", f"{other:.2f}", f"{other - one:+.2f}"])
    grid.row("  largest win of a seat", [str(result.largest[0]), str(result.largest[1]),
                                         f"{result.largest[1] - result.largest[0]:+d}"])  # fmt: skip
    grid.heading("Chances (differences in percentage points)")
    for name, value in result.probabilities.items():
        grid.row(f"  {name}", [_percent(value.a), _percent(value.b), _difference(value, 100)])
    grid.heading("Points that change hands in a hand, by source")
    for name, (one, other) in result.money.items():
        grid.row(f"  {name}", [f"{one:.3f}", f"{other:.3f}", f"{other - one:+.3f}"])
    sums = [sum(side) for side in zip(*result.money.values(), strict=True)]
    grid.row("  in all", [f"{sums[0]:.3f}", f"{sums[1]:.3f}", f"{sums[1] - sums[0]:+.3f}"])
    grid.notes += [result.sentence(), _method(result), result.command()]
    return grid


def _method(result: Comparison) -> str:
    how = (
        "the same hands settled under both"
        if result.method == "settled twice"
        else ("the same deals played under both")
    )
    text = f"{result.run.hands:,} hands, {how} ({result.method}); after ± stand 95 % intervals of the "
    text += "paired differences."
    if math.isfinite(result.pairing):
        text += f" Pairing makes the variance of the banker's difference {result.pairing:,.3g} times "
        text += "smaller."
    return text


def _print_map(found: list[Comparison], format: Format) -> None:
    from ..analysis.tiengow.compare import changed_switches
    from ..analysis.tiengow.presets import setting_text

    if format == "json":
        print(json.dumps([result.to_json() for result in found], ensure_ascii=False))
        return
    if format == "csv":
        print(_csv(found), end="")
        return
    grid = Grid(["switch", "value", "banker's points", "spread", "完封 (% points)", "hands changed"])
    for result in found:
        [name] = changed_switches(result.a, result.b)
        one, other = result.spread["banker"]
        swept = [result.probabilities[f"sweep {kind}"] for kind in ("seven", "eight")]
        difference = 100 * sum(value.difference for value in swept)
        value = setting_text(result.b.to_json()[name])
        grid.row(
            name,
            [value if len(value) <= 24 else f"{value.count(',') + 1} patterns",
             _difference(result.points["banker"]), f"{other - one:+.2f}",
             f"{difference:+.3g}" if difference else "0",
             f"{100 * result.changed / result.run.hands:.3g} %"],
        )  # fmt: skip
    if found:
        first = found[0]
        policies = "/".join(dict.fromkeys(first.run.policies))
        grid.notes += [
            "Each value against the rule set that was named, the same play on the same hands; ordered "
            "by what it does to the banker's points (± 95 % interval of the paired difference).",
            f"{first.run.hands:,} hands, all playing {policies}, term {first.run.term}, seed "
            f"{first.run.seed}.",
        ]
    print(grid.markdown() if format == "markdown" else grid.text())


def _csv(found: list[Comparison]) -> str:
    head = ["a", "b", "method", "hands", "quantity", "under_a", "under_b", "difference", "low", "high"]
    rows: list[list[object]] = []
    for result in found:
        sides = result.command().split(" --policy ")[0].removeprefix("gupai compare ")
        run = [*_two(sides), result.method, result.run.hands]
        values = {
            f"points {seat}": value for seat, value in result.points.items()
        } | result.probabilities
        for name, v in values.items():
            rows.append([*run, name, v.a, v.b, v.difference, v.low, v.high])
        for name, (one, other) in result.money.items():
            rows.append([*run, f"money {name}", one, other, other - one, "", ""])
    return csv_text(head, rows)


def _two(words: str) -> list[str]:
    import shlex

    return shlex.split(words)
