"""``gupai compare``: what a house rule changes."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ..analysis.digits import figures, percentage, percentage_to
from ..analysis.errors import InputError
from ..analysis.tiengow.defaults import DEFAULT_POLICY
from .difference_cells import changed_cell, difference_cell, money_cell
from .grid import Grid, csv_text
from .language import noted, say
from .numbers import few_hands, parse_hands, percent
from .options import Format, Settings, Whole, four_policies, read_settings, several
from .progress import announce_compiling, note, progress_line
from .quantities import heading_of, quantity_name, source_name
from .words import SEAT_NAMES

_LONGEST_HEAD = 24  # characters

if TYPE_CHECKING:
    from ..analysis import Comparison, RuleSet, Step
    from ..analysis.tiengow.weaker import Weaker


def compare_command(
    a: str = "tiengow-ja",
    b: str | None = None,
    *,
    settings: Settings = (),
    switch: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    all_switches: Annotated[bool, Parameter(negative="")] = False,
    policy: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    adapt: Annotated[bool, Parameter(negative="")] = False,
    adapt_steps: Whole | None = None,
    adapt_deals: Whole | None = None,
    adapt_check: Whole | None = None,
    adapt_dir: Path | None = None,
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
        A preset or a file that ends in .toml; switches may follow, as in 'tiengow-ja;kam=4' (a
        file whose name holds a ; then stands in double quotes: '"a;b.toml";kam=4').
    b
        The other one; by default the first with --set.
    settings
        A switch to change in the second, SWITCH=VALUE; may be repeated.
    switch
        In place of a second rule set: run through the usual values of this switch; may be repeated.
    all_switches
        Run through all switches: the house-rule map, ordered by what each does to the banker.
    policy
        One policy for all seats, or four: banker,right,across,left; tuned by default. May be
        repeated: their answers stand side by side.
    adapt
        Also re-tune the policy under each rule set, and compare adapted play with adapted play.
    adapt_steps
        Steps of each search, 20 by default.
    adapt_deals
        Deals of a step, 200 by default.
    adapt_check
        Deals on which the gain of the re-tuned policies is measured, 4000 by default.
    adapt_dir
        A folder to keep the re-tuned policies in, a.toml and b.toml.
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
    from ..analysis import Adaptation, Run, compare, compare_adapted, compare_switches, make_rules
    from ..analysis.tiengow.weaker import weaker_comparison, weaker_map
    from .beside import print_adapted

    asked = {"steps": adapt_steps, "deals": adapt_deals, "check": adapt_check}
    details = {name: value for name, value in asked.items() if value is not None}
    if not adapt and (details or adapt_dir is not None):
        named = next(iter(details), "dir")
        raise InputError(f"--adapt-{named}: says how to adapt; add --adapt")
    first = _read_rules(a)
    runs = [
        Run(policies=four_policies(one), hands=parse_hands(hands), term=term, seed=seed)
        for one in policy or (DEFAULT_POLICY,)
    ]
    runs = list(dict.fromkeys(runs))
    run = runs[0]
    if len(runs) > 1 and (adapt or switch or all_switches):
        what = "--adapt" if adapt else "--switch" if switch else "--all-switches"
        raise InputError(f"{what}: takes one --policy")
    changed = read_settings(settings)
    if switch or all_switches:
        if b is not None or changed or adapt or (switch and all_switches):
            raise InputError("--switch or --all-switches takes one rule set and nothing to change")
        announce_compiling()
        with progress_line("compare") as progress:
            found = compare_switches(
                first, list(dict.fromkeys(switch)) or None, run=run, threads=threads, progress=progress
            )
            weaker = weaker_map(found, list(dict.fromkeys(switch)), threads=threads, progress=progress)
        _print_map(found, format, switch, weaker)
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
    if adapt:
        how = Adaptation(**details, seed=seed)
        with progress_line("compare") as progress:
            both = compare_adapted(
                first, second, run=run, adaptation=how, folder=adapt_dir, threads=threads,
                tuning=_tell_step, progress=progress,
            )  # fmt: skip
        print_adapted(both, format)
        note(f"{time.perf_counter() - start:.2f} s")
        return 0
    with progress_line("compare") as progress:
        results = [compare(first, second, run=one, threads=threads, progress=progress) for one in runs]
        beside = None
        if len(results) == 1:
            beside = weaker_comparison(results[0], threads=threads, progress=progress)
    _print(results, beside, format)
    note(f"{time.perf_counter() - start:.2f} s")
    return 0


def _print(results: list[Comparison], beside: Weaker | None, format: Format) -> None:
    if format == "json":
        objects = [result.to_json() for result in results]
        if beside is not None:
            objects[0]["weaker"] = beside.to_json()
        print(json.dumps(objects if len(objects) > 1 else objects[0], ensure_ascii=False))
    elif format == "csv":
        names = ["/".join(dict.fromkeys(result.run.policies)) for result in results]
        print(comparisons_csv(results, names if len(results) > 1 else None), end="")
    else:
        from .beside import policies_grid

        grid = policies_grid(results) if len(results) > 1 else comparison_grid(results[0], beside)
        print(grid.shown(format))


def _tell_step(side: str, step: Step) -> None:
    note(f"tuning under {side.upper()}: step {step.number}, {step.centre:+.2f} points a hand")


def _read_rules(text: str) -> RuleSet:
    """A rule set, with switches that may follow it: ``tiengow-ja;kam=4``."""
    from ..analysis import load_rules

    name, *settings = several(text, ";", what="rules")
    return load_rules(name, read_settings(tuple(part for part in settings if part)))


def share(value: float, hands: int) -> str:
    """A share of hands to three figures, or what is known of one that was never or always seen."""
    from ..analysis import proportion

    if value in (0.0, 1.0):
        seen = proportion(round(value * hands), hands)
        return percent(seen.value, seen.low, seen.high)
    return f"{percentage_to(value) if value < 0.1 else percentage(value, 2)} %"


def chance_rows(grid: Grid, rows: dict[str, list[str]]) -> None:
    """Chances under the headings of the probability tables."""
    part = ""
    for name, cells in rows.items():
        if heading_of(name) != part:
            part = heading_of(name)
            grid.heading(part)
        grid.row(f"  {quantity_name(name)}", cells)


def _heads(result: Comparison) -> list[str]:
    """A and B, each with its rule set where that is short."""
    from ..analysis import rules_words

    named = [
        f"{side}: {' '.join(rules_words(rules))}" for side, rules in (("A", result.a), ("B", result.b))
    ]
    return [name if len(name) <= _LONGEST_HEAD else name[0] for name in named]


def sides(result: Comparison) -> str:
    """Which rule set is A, and which is B."""
    from ..analysis import rules_words

    a, b = (" ".join(rules_words(rules)) for rules in (result.a, result.b))
    return say("A: {a}. B: {b}.", a=a, b=b)


def comparison_grid(result: Comparison, weaker: Weaker | None = None) -> Grid:
    from ..analysis.tiengow.family_presets import tuned_note

    grid = Grid(["", *_heads(result), "B - A"])
    grid.heading(say("Points a hand, bonuses included"))
    for seat, value in result.points.items():
        cells = [f"{value.a:+.3f}", f"{value.b:+.3f}", difference_cell(value)]
        grid.row(f"  {say(SEAT_NAMES[seat])}", cells)
    grid.heading(say("Spread: standard deviation of one hand"))
    for seat, (one, other) in result.spread.items():
        grid.row(f"  {say(SEAT_NAMES[seat])}", [f"{one:.2f}", f"{other:.2f}", f"{other - one:+.2f}"])
    grid.row("  " + say("largest win of a seat"), [str(result.largest[0]), str(result.largest[1]),
                                         f"{result.largest[1] - result.largest[0]:+d}"])  # fmt: skip
    grid.heading(say("Chances (differences in percentage points)"))
    hands = result.run.hands
    chance_rows(
        grid,
        {name: [share(value.a, hands), share(value.b, hands), difference_cell(value, 100)]
         for name, value in result.probabilities.items()},
    )  # fmt: skip
    grid.heading(say("Points that change hands in a hand, by source"))
    for name, (one, other) in result.money.items():
        grid.row(f"  {source_name(name)}", [f"{one:.3f}", f"{other:.3f}", money_cell(result, name)])
    sums = [sum(side) for side in zip(*result.money.values(), strict=True)]
    grid.row("  " + say("in all"), [f"{sums[0]:.3f}", f"{sums[1]:.3f}", money_cell(result, "in all")])
    grid.notes += [
        sides(result),
        say(result.sentence()),
        *noted(None if weaker is None else weaker.sentence()),
        _method(result),
        *few_hands(result.run.hands),
        *noted(tuned_note(result.run.policies, result.a, result.b)),
        result.command(),
    ]
    return grid


def _method(result: Comparison) -> str:
    hands = f"{result.run.hands:,}"
    if result.method == "settled twice":
        text = say(
            "{hands} hands, the same hands settled under both (settled twice); after ± stand 95 % "
            "intervals of the paired differences.",
            hands=hands,
        )
    else:
        text = say(
            "{hands} hands, the same deals played under both (replayed); after ± stand 95 % intervals "
            "of the paired differences.",
            hands=hands,
        )
    if not math.isfinite(result.pairing):
        return text
    pairing = say(
        "Pairing makes the variance of the banker's difference {times} times smaller.",
        times=figures(result.pairing),
    )
    return say("{first} {second}", first=text, second=pairing)


def _print_map(
    found: list[Comparison], format: Format, switches: tuple[str, ...], weaker: Weaker | None
) -> None:
    if format == "json":
        print(json.dumps([result.to_json() for result in found], ensure_ascii=False))
    elif format == "csv":
        print(comparisons_csv(found), end="")
    else:
        grid = map_grid(found, switches, weaker)
        print(grid.shown(format))


def map_grid(
    found: list[Comparison], switches: tuple[str, ...] = (), weaker: Weaker | None = None
) -> Grid:
    """The house-rule map: a row a value of a switch."""
    from ..analysis.tiengow.comparison import changed_switches
    from ..analysis.tiengow.family_presets import tuned_note
    from ..analysis.tiengow.presets import setting_text
    from ..analysis.tiengow.records import term_words

    head = [say("switch"), say("value"), say("banker's points"), say("spread")]
    grid = Grid([*head, say("完封 (% points)"), say("hands changed")])
    for result in found:
        [name] = changed_switches(result.a, result.b)
        one, other = result.spread["banker"]
        value = setting_text(result.b.to_json()[name])
        grid.row(
            name,
            [value if len(value) <= 24 else say("{n} patterns", n=value.count(",") + 1),
             difference_cell(result.points["banker"]), f"{other - one:+.2f}",
             difference_cell(result.probabilities["sweep any"], 100),
             changed_cell(result)],
        )  # fmt: skip
    if found:
        first = found[0]
        policies = "/".join(dict.fromkeys(first.run.policies))
        options = first.command().split(" --policy ", 1)[1]
        chosen = " ".join(f"--switch {name}" for name in dict.fromkeys(switches)) or "--all-switches"
        grid.notes += [
            say(
                "Each value against the rule set that was named, the same play on the same hands; "
                "ordered by what it does to the banker's points (95 % intervals of the paired "
                "differences, each by itself: of twenty values without effect about one looks clear)."
            ),
            *noted(None if weaker is None else weaker.sentence()),
            say(
                "{hands} hands, all playing {policies}, {term}, seed {seed}.",
                hands=f"{first.run.hands:,}",
                policies=policies,
                term=term_words(first.run.term),
                seed=first.run.seed,
            ),
            *noted(tuned_note(first.run.policies, first.a, *(result.b for result in found))),
            f"gupai compare {first.sides()[0]} {chosen} --policy {options}",
        ]
    return grid


def comparisons_csv(found: list[Comparison], play: list[str] | None = None) -> str:
    head = ["play"] * (play is not None) + [
        "a",
        "b",
        "method",
        "hands",
        "quantity",
        "under_a",
        "under_b",
        "difference",
        "low",
        "high",
    ]
    rows: list[list[object]] = []
    for number, result in enumerate(found):
        sides = result.command().split(" --policy ")[0].removeprefix("gupai compare ")
        run = [*_two(sides), result.method, result.run.hands]
        run = run if play is None else [play[number], *run]
        values = {
            f"points {seat}": value for seat, value in result.points.items()
        } | result.probabilities
        for name, v in values.items():
            rows.append([*run, name, v.a, v.b, v.difference, v.low, v.high])
        for name, (one, other) in result.money.items():
            change = result.money_changes.get(name)
            ends = ["", ""] if change is None else [change.low, change.high]
            rows.append([*run, f"money {name}", one, other, other - one, *ends])
    return csv_text(head, rows)


def _two(words: str) -> list[str]:
    import shlex

    return shlex.split(words)
