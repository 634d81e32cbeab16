"""The command line: a thin shell over ``gupai.analysis``.

Exit status 0: done; 2: bad input, told in one message; 1: anything else.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import sys
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, CycloptsError, Parameter

from ..analysis.errors import InputError
from .numbers import duration, parse_hands, rate
from .odds import odds_command
from .options import Format, Rules, Settings, four_policies, read_settings
from .progress import announce_compiling, note, progress_line

if TYPE_CHECKING:
    from ..analysis import RuleSet, Run, Tables

_LONG_RUN = 3600  # seconds
_CALIBRATED_FROM = 10**8  # hands; a shorter run cannot last an hour
_CALIBRATION = 1 << 17  # hands

app = App(
    name="gupai",
    help="Odds, strategy and house rules of Tien Gow 天九, by playing millions of hands.",
    version=lambda: version("gupai"),
)

app.command(odds_command, name="odds")


@app.command
def simulate(
    *,
    rules: Rules = "tiengow-ja",
    settings: Settings = (),
    policy: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    deal: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    shuffle: str = "perfect",
    hands: str = "1e6",
    term: int = 1,
    seed: int = 1,
    by: str | None = None,
    given: str | None = None,
    show: Annotated[tuple[int, ...], Parameter(negative="", show_default=False)] = (),
    threads: int | None = None,
    format: Format = "table",
    yes: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Play hands and print the probability tables.

    Alone it plays a million hands of each pinned policy under tiengow-ja.

    Parameters
    ----------
    rules
        A preset (see `gupai rules`) or a file that ends in .toml.
    settings
        A switch to change, SWITCH=VALUE; may be repeated.
    policy
        One policy for all seats, or four: banker,right,across,left; may be repeated; by
        default random and greedy, one after the other.
    deal
        The deal pattern 牌頭, or all; may be repeated; by default pairs_of_columns.
    shuffle
        perfect.
    hands
        Hands to play, such as 250000, 1e6 or 2M.
    term
        The banker's term 連莊.
    seed
        Same seed, same hands.
    by
        Split every table by what was dealt: military, civil, pairs, mixed, threes, fours,
        supreme or red, of the banker or as right.pairs, winner.military …
    given
        A condition on the dealt hands, such as 'banker has AA99'; every hand is dealt to meet it.
    show
        Print this hand of the run (from 0) in place of the tables; may be repeated.
    threads
        Threads to play on; all processors by default.
    format
        How to print.
    yes
        Play even if it will last over an hour.
    """
    from ..analysis import load_rules

    rule_set = load_rules(rules, read_settings(settings))
    runs = _runs(rule_set, policy, deal, parse_hands(hands), shuffle, term, seed, by, given)
    if not rule_set.first_banker_leads:
        note(
            "first_banker_leads concerns the first hand of a session: here the banker leads all the same"
        )
    if show:
        return _show(runs, show, format)
    announce_compiling()
    _refuse_endless(runs, threads, yes)
    tables, seconds, interrupted = _play(runs, threads)
    if not tables:
        note("gupai simulate: interrupted before any hand was played")
        return 1
    _print_tables(tables, format)
    played = sum(table.hands for table in tables)
    note(f"{played:,} hands in {seconds:.2f} s, {rate(played / seconds)}")
    if interrupted:
        note("interrupted: the tables hold the hands played until then")
    return int(interrupted)


def _runs(
    rules: RuleSet,
    policies: tuple[str, ...],
    deals: tuple[str, ...],
    hands: int,
    shuffle: str,
    term: int,
    seed: int,
    by: str | None,
    given: str | None,
) -> list[Run]:
    from ..analysis import DEALS, Run

    chosen: list[str] = []
    for deal in deals or DEALS[:1]:
        chosen += DEALS if deal.lower() == "all" else (deal.lower(),)
    runs = [
        Run(
            rules=rules, policies=four_policies(policy), deal=deal, shuffle=shuffle,
            term=term, seed=seed, hands=hands, by=by, given=given,
        )
        for policy in policies or ("random", "greedy")
        for deal in dict.fromkeys(chosen)
    ]  # fmt: skip
    return list(dict.fromkeys(runs))


def _refuse_endless(runs: list[Run], threads: int | None, yes: bool) -> None:
    """Refuse a run that is expected to last over an hour, unless the user said yes."""
    from ..analysis import simulate as play

    total = sum(run.hands for run in runs)
    if yes or total < _CALIBRATED_FROM:
        return
    trial = dataclasses.replace(runs[0], hands=_CALIBRATION)
    play(trial, threads=threads)  # compiles
    start = time.perf_counter()
    play(trial, threads=threads)
    expected = total / _CALIBRATION * (time.perf_counter() - start)
    if expected > _LONG_RUN:
        raise InputError(
            f"--hands {runs[0].hands:.4g}: the run would last about {duration(expected)} here; "
            "play fewer hands, or add --yes"
        )


def _play(runs: list[Run], threads: int | None) -> tuple[list[Tables], float, bool]:
    from ..analysis import Tables
    from ..analysis import simulate as play

    tables: list[Tables] = []
    seconds = 0.0
    for number, run in enumerate(runs, 1):
        play(dataclasses.replace(run, hands=1), threads=1)  # loads or compiles the kernel
        what = f"{'/'.join(dict.fromkeys(run.policies))}, {run.deal} ({number} of {len(runs)})"
        start = time.perf_counter()
        with progress_line(what) as progress:
            tally = play(run, threads=threads, progress=progress)
        seconds += time.perf_counter() - start
        if tally.counts.size:
            tables.append(Tables(tally))
        if tally.interrupted:
            return tables, seconds, True
    return tables, seconds, False


def _print_tables(tables: list[Tables], format: Format) -> None:
    from .tiengow import deal_notes, probability_grid, provenance_line, tables_csv

    if format == "json":
        objects = [table.to_json() for table in tables]
        print(json.dumps(objects if len(objects) > 1 else objects[0], ensure_ascii=False))
        return
    split = [
        [table, *table.split().values()] if table.run.by is not None else [table] for table in tables
    ]
    if format == "csv":
        print(tables_csv([table for group in split for table in group]), end="")
        return
    side_by_side = split if tables[0].run.by is not None else [tables]
    for group in side_by_side:
        grid = probability_grid(group)
        grid.notes += deal_notes(group)
        grid.notes += dict.fromkeys(provenance_line(table) for table in group)
        print(grid.markdown() if format == "markdown" else grid.text(_room()))
        print()


def _room() -> int | None:
    """Columns of the terminal, None where the output goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _show(runs: list[Run], numbers: tuple[int, ...], format: Format) -> int:
    from ..analysis import show_hand

    if format not in ("table", "json"):
        raise InputError(f"--format {format}: --show prints a transcript (table) or a record (json)")
    for run in runs:
        for number in numbers:
            if not 0 <= number < run.hands:
                raise InputError(f"--show {number}: the run has the hands 0 to {run.hands - 1}")
    announce_compiling()
    for run in runs:
        for number in numbers:
            shown = show_hand(run, number)
            if format != "json":
                print(shown.transcript())
                print()
            print(json.dumps(shown.record.to_json(pips=bool(run.rules.hand_patterns))))
            if format != "json":
                print()
    return 0


@app.command
def score(
    *records: Annotated[str, Parameter(allow_leading_hyphen=True)],
    format: Format = "table",
) -> int:
    """Settle hands that were really played.

    Parameters
    ----------
    records
        Files of records, one JSON object or one a line; - is standard input.
    rules
        Settle under these rules in place of the records' own.
    settings
        A switch to change in the rules, SWITCH=VALUE; may be repeated.
    format
        How to print; json is one object a record.
    """
    from ..analysis import RecordError, load_rules, read_record, score_record

    if not records:
        raise InputError("name a file of records, or - for standard input")
    for name in records:
        if name.startswith("-") and name != "-":
            raise InputError(f"{name}: no such option. See: gupai score --help")
    switches = read_settings(settings)
    override = load_rules(rules, switches) if rules is not None else None
    scores: list[tuple[str, Any]] = []
    faults = 0
    for name in records:
        for where, text in _record_texts(name):
            try:
                settled = score_record(read_record(text, rules=override, switches=switches))
            except RecordError as error:
                faults += 1
                note(f"{where}: {error}")
                continue
            if format == "json":
                print(json.dumps(dataclasses.asdict(settled)))
            scores.append((where, settled))
    if format != "json" and scores:
        from .scores import scores_csv, scores_grid

        if format == "csv":
            print(scores_csv(scores), end="")
        else:
            grid = scores_grid(scores)
            print(grid.markdown() if format == "markdown" else grid.text())
    if faults:
        note(f"{faults} of {faults + len(scores)} records refused")
    return 2 if faults else 0


def _record_texts(name: str) -> Iterator[tuple[str, str]]:
    """Each record of a file with the place where it stands."""
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{name}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(f"{name}: is no UTF-8 text") from None
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise InputError(f"{name}: holds no record")
    if len(lines) > 1 and not _is_json(lines[0][1]) and lines[0][1].strip() in ("{", "["):
        yield f"{name}, line {lines[0][0]}", text  # one record over many lines
        return
    if len(lines) > 1 and _is_json(text):
        yield f"{name}, line {lines[0][0]}", text
        return
    for number, line in lines:
        yield f"{name}, line {number}", line


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


@app.command(name="rules")
def rules_command(
    name: str | None = None,
    *,
    settings: Settings = (),
    format: Format = "table",
) -> int:
    """List presets and switches, or print one rule set as TOML to edit and pass back.

    Parameters
    ----------
    name
        A preset or a file that ends in .toml.
    settings
        A switch to change, SWITCH=VALUE; may be repeated.
    format
        How to print; json prints the values of all switches.
    """
    from ..analysis import PRESETS, load_rules, rules_toml
    from .rulebook import rulebook_markdown, rulebook_text

    if name is not None or settings:
        name = name or "tiengow-ja"
        rule_set = load_rules(name, read_settings(settings))
        if format in ("csv", "markdown"):
            raise InputError(f"--format {format}: a rule set is printed as TOML (table) or json")
        if format == "json":
            print(json.dumps(rule_set.to_json(), ensure_ascii=False))
        else:
            print(rules_toml(rule_set), end="")
        return 0
    if format == "csv":
        raise InputError("--format csv: rules are printed as table, markdown or json")
    if format == "json":
        print(json.dumps({name: preset.rules.to_json() for name, preset in PRESETS.items()}))
        return 0
    print(rulebook_markdown() if format == "markdown" else rulebook_text(), end="")
    return 0


@app.command(name="bench")
def bench_command(
    *,
    threads: int | None = None,
    rounds: int = 5,
    format: Format = "table",
) -> int:
    """Measure hands per second here, beside a simple yardstick timed in the same minute.

    Parameters
    ----------
    threads
        The larger number of threads; all processors by default.
    rounds
        Times each work is timed; medians are given.
    format
        How to print.
    """
    from ..analysis import bench
    from .speeds import print_speeds

    for name, value in (("--threads", threads), ("--rounds", rounds)):
        if value is not None and not 1 <= value <= 1000:
            raise InputError(f"{name} {value}: must be a whole number from 1 to 1000")
    announce_compiling()
    print_speeds(bench(threads=threads, rounds=rounds, progress=lambda name: note(f"{name} …")), format)
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    command = f"gupai {words[0]}" if words and not words[0].startswith("-") else "gupai"
    try:
        status = app(words, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        note(f"{command}: {' '.join(str(error).split())}")
        return 2
    except InputError as error:
        note(f"{command}: {error}")
        return 2
    except BrokenPipeError:  # the reader of a pipe has gone
        sys.stderr.close()
        return 1
    except KeyboardInterrupt:
        note(f"{command}: interrupted")
        return 1
    return status if isinstance(status, int) else 0


if __name__ == "__main__":
    sys.exit(main())
