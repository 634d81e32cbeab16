"""``gupai odds``: the chance of any event."""

from __future__ import annotations

import json
import math
import time
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from ..analysis.errors import InputError
from ..analysis.tiengow.defaults import DEFAULT_POLICY
from .grid import Grid, csv_text
from .language import noted, said, say
from .numbers import chance, few_cases, interval, one_in, parse_hands, parse_share
from .options import Format, Rules, Settings, Whole, four_policies, read_settings
from .progress import announce_compiling, note, progress_line

if TYPE_CHECKING:
    from ..analysis import Odds


def odds_command(
    *event: str,
    given: str | None = None,
    exact: Annotated[bool, Parameter(negative="")] = False,
    precision: str | None = None,
    relative: str | None = None,
    rules: Rules = "tiengow-ja",
    settings: Settings = (),
    policy: str = DEFAULT_POLICY,
    hands: str = "1e6",
    term: Whole = 1,
    seed: Whole = 1,
    threads: Whole | None = None,
    format: Format = "table",
) -> int:
    """Tell the chance of an event: exactly where it can be, by simulation where it must.

    Parameters
    ----------
    event
        A question in the language below, such as 'somebody has 63' or 'I win'.
    given
        A condition in the same language; what it says of the deal is dealt, what it says of the play is
        counted.
    exact
        Refuse to simulate.
    precision
        Play until the interval is this narrow, such as 0.001.
    relative
        Play until the interval is this narrow in parts of the chance, such as 1%.
    rules
        A preset (see `gupai rules`) or a file that ends in .toml.
    settings
        A switch to change, SWITCH=VALUE; may be repeated.
    policy
        One policy for all seats, or four: banker,right,across,left.
    hands
        Hands to play where a simulation is needed and no width is asked for.
    term
        The banker's term 連莊.
    seed
        Same seed, same hands.
    threads
        Threads to play on; all processors by default.
    format
        How to print.
    """
    from ..analysis import Run, load_rules, odds

    if not event:
        raise InputError("write an event, such as: gupai odds 'anyone has 63'")
    run = Run(
        rules=load_rules(rules, read_settings(settings)),
        policies=four_policies(policy),
        hands=parse_hands(hands),
        term=term,
        seed=seed,
    )
    announce_compiling()
    start = time.perf_counter()
    with progress_line("odds") as progress:
        answer = odds(
            " ".join(event),
            given,
            run=run,
            exact=exact,
            precision=None if precision is None else parse_share("--precision", precision),
            relative=None if relative is None else parse_share("--relative", relative),
            threads=threads,
            progress=progress,
        )
    _print(answer, format)
    note(f"{time.perf_counter() - start:.2f} s")
    return int(answer.interrupted)


def _print(answer: Odds, format: Format) -> None:
    if format == "json":
        print(json.dumps(_json(answer), ensure_ascii=False))
    elif format == "csv":
        flat = {name: value for name, value in _json(answer).items() if name != "provenance"}
        print(csv_text(list(flat), [list(flat.values())]), end="")
    else:
        grid = odds_grid(answer)
        print(grid.shown(format))


def _json(answer: Odds) -> dict[str, Any]:
    result: dict[str, Any] = {
        "probability": None if math.isnan(answer.value) else answer.value,
        "low": answer.low,
        "high": answer.high,
        "method": answer.method,
    }
    if answer.fraction is not None:
        result["numerator"] = str(answer.fraction.numerator)
        result["denominator"] = str(answer.fraction.denominator)
    result |= {"hands": answer.hands, "planning": answer.planning, "counted": answer.counted}
    result |= {"event": answer.event, "given": answer.given, "note": answer.note}
    result["command"] = answer.command()
    provenance = answer.run.provenance(**({"given": answer.given} if answer.given else {}))
    if answer.method == "exact":
        provenance = {name: provenance[name] for name in ("version", "rules")}
    return result | {"provenance": provenance}


def odds_grid(answer: Odds) -> Grid:
    from ..analysis import rules_words
    from ..analysis.tiengow.family_presets import tuned_note
    from ..analysis.tiengow.parser import speaks_of_me

    asked = answer.event
    if answer.given is not None:
        asked = say("{event}, given {condition}", event=answer.event, condition=answer.given)
    grid = Grid(["", asked])
    if answer.fraction is not None:
        fraction = answer.fraction
        grid.row(
            say("chance"), [f"{chance(answer.value)} = {fraction.numerator} / {fraction.denominator}"]
        )
        grid.row(say("one in"), [one_in(answer.value)])
        grid.row(say("method"), [say("exact, by counting deals")])
    else:
        if math.isnan(answer.value):
            grid.row(say("chance"), [say("unknown")])
        else:
            seen = {0.0: say("never seen"), 1.0: say("always seen")}
            grid.row(say("chance"), [seen.get(answer.value) or chance(answer.value)])
        grid.row(say("95 % interval"), [interval(answer.low, answer.high)])
        many = one_in(answer.value)
        if answer.value == 0:
            many = say("more than {many}", many=one_in(answer.high))
        if answer.value != 1:
            grid.row(say("one in"), [many])
        grid.row(say("method"), [say("simulation, {hands} hands", hands=f"{answer.hands:,}")])
        if answer.planning:
            grid.row(say("of them to plan the run, not counted"), [f"{answer.planning:,}"])
        if answer.counted != answer.hands - answer.planning:
            grid.row(say("that met the condition"), [f"{answer.counted:,}"])
        run = answer.run
        grid.row(say("policies"), ["/".join(dict.fromkeys(run.policies))])
        grid.row(say("seed"), [str(run.seed)])
    grid.row(say("rules"), [" ".join(rules_words(answer.run.rules))])
    grid.notes.append(f"gupai {answer.run.provenance()['version']}: {answer.command()}")
    if answer.fraction is None and answer.counted:
        grid.notes += few_cases(round(answer.value * answer.counted), answer.counted)
    if answer.fraction is None:
        grid.notes += noted(tuned_note(answer.run.policies, answer.run.rules))
    if any(speaks_of_me(text) for text in (answer.event, answer.given) if text):
        grid.notes.append(
            say("I and me are the banker 莊; write right, across or left for another seat.")
        )
    if answer.note:
        grid.notes.append(say("Note: {note}.", note=said(answer.note)))
    return grid
