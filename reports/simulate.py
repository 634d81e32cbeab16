"""``gupai simulate``: hands played, and their probability tables."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from ..analysis.errors import InputError
from ..analysis.tiengow.defaults import DEFAULT_POLICY, YARDSTICKS
from .language import noted, said
from .numbers import duration, parse_hands, rate
from .options import Folder, Format, Rules, Settings, Whole, four_policies, read_settings
from .progress import announce_compiling, note, progress_line

if TYPE_CHECKING:
    from ..analysis import RuleSet, Run, Tables

_LONG_RUN = 3600  # seconds
_CALIBRATED_FROM = 10**8  # hands; a shorter run cannot last an hour
_CALIBRATION = 1 << 17  # hands


def simulate_command(
    *,
    rules: Rules = "tiengow-ja",
    settings: Settings = (),
    policy: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    deal: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    shuffle: str = "perfect",
    hands: str = "1e6",
    term: Whole = 1,
    seed: Whole = 1,
    by: str | None = None,
    given: str | None = None,
    show: Annotated[tuple[Whole, ...], Parameter(negative="", show_default=False)] = (),
    threads: Whole | None = None,
    out: Folder | None = None,
    first: str | None = None,
    keep_hands: Annotated[bool, Parameter(negative="")] = False,
    cluster: str | None = None,
    format: Format = "table",
    yes: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Play hands and print the probability tables.

    Alone it plays a million hands of each yardstick and of good players (tuned) under tiengow-ja.

    Parameters
    ----------
    rules
        A preset (see `gupai rules`) or a file that ends in .toml.
    settings
        A switch to change, SWITCH=VALUE; may be repeated.
    policy
        One policy for all seats, or four: banker,right,across,left; may be repeated; by
        default the yardsticks random and greedy, and tuned. Among four, a file whose name holds a
        comma stands in double quotes.
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
    out
        A folder to keep the run in: played again it adds nothing, with more --hands it goes on,
        interrupted it is taken up where it stopped; `gupai show` prints its tables again.
    first
        With --out: the first hand to play, a multiple of 100M, so that several machines can share
        a run; `gupai merge` puts their folders together.
    keep_hands
        With --out: also write the outcome of every single hand, for pandas or DuckDB.
    cluster
        Play on the workers of a dask scheduler, such as tcp://10.0.0.1:8786, or local:N for N
        processes on this machine; the result is the same.
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
        if out is not None or cluster is not None:
            raise InputError(f"--show and {'--cluster' if out is None else '--out'}: choose one")
        return _show(runs, show, format)
    if out is None and (keep_hands or first is not None):
        raise InputError(f"{'--keep-hands' if keep_hands else '--first'}: needs --out DIR")
    if cluster is not None and (keep_hands or threads is not None):
        raise InputError(f"--cluster and {'--keep-hands' if keep_hands else '--threads'}: choose one")
    announce_compiling()
    if cluster is None:
        _refuse_endless(runs, threads, yes)
    if out is not None:
        beginning = 0 if first in (None, "0") else parse_hands(str(first), "--first")
        return _play_and_save(runs, out, beginning, threads, keep_hands, cluster, format)
    tables, seconds, interrupted = _play(runs, threads, cluster)
    if not tables:
        note("gupai simulate: interrupted before any hand was played")
        return 1
    print_tables(tables, format)
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
        for policy in policies or (*YARDSTICKS, DEFAULT_POLICY)
        for deal in dict.fromkeys(chosen)
    ]  # fmt: skip
    return list(dict.fromkeys(runs))


def _refuse_endless(runs: list[Run], threads: int | None, yes: bool) -> None:
    """Refuse a run that is expected to last over an hour, unless the user said yes."""
    from ..analysis import prepare
    from ..analysis import simulate as play

    total = sum(run.hands for run in runs)
    if yes or total < _CALIBRATED_FROM:
        return
    trial = dataclasses.replace(runs[0], hands=_CALIBRATION)
    prepare(trial)
    start = time.perf_counter()
    if play(trial, threads=threads).interrupted:
        raise KeyboardInterrupt
    expected = total / _CALIBRATION * (time.perf_counter() - start)
    if expected > _LONG_RUN:
        raise InputError(
            f"--hands {runs[0].hands:,}: the run would last about {duration(expected)} here; "
            "play fewer hands, or add --yes"
        )


def _play(runs: list[Run], threads: int | None, cluster: str | None) -> tuple[list[Tables], float, bool]:
    from ..analysis import Cluster, Tables, prepare, simulate_by
    from ..analysis import simulate as play
    from ..analysis.tiengow.cluster import ClusterLostError

    tables: list[Tables] = []
    seconds = 0.0
    try:
        for number, run in enumerate(runs, 1):
            if cluster is None:
                prepare(run)
            start = time.perf_counter()
            with contextlib.ExitStack() as opened:
                progress = opened.enter_context(progress_line(_what(run, number, len(runs))))
                if cluster is None:
                    tally = play(run, threads=threads, progress=progress)
                else:
                    source = opened.enter_context(Cluster(run, cluster))
                    tally = simulate_by(source, run, progress=progress)
            seconds += time.perf_counter() - start
            if tally.counts.size:
                tables.append(Tables(tally))
            if tally.interrupted:
                return tables, seconds, True
    except KeyboardInterrupt:  # between two runs
        return tables, seconds, True
    except ClusterLostError as error:
        note(f"gupai simulate: {error}; the same command plays again")
        return tables, seconds, True
    return tables, seconds, False


def print_tables(tables: list[Tables], format: Format) -> None:
    """Print the tables of runs, side by side where they are not split."""
    from ..analysis.tiengow.family_presets import tuned_note
    from .tiengow import deal_notes, probability_grid, provenance_line, tables_csv

    if format == "json":
        objects = [table.to_json() for table in tables]
        print(json.dumps(objects if len(objects) > 1 else objects[0], ensure_ascii=False))
        return
    if format == "csv":
        split = [list(table.split().values()) if table.run.by is not None else [] for table in tables]
        rows = [row for table, parts in zip(tables, split, strict=True) for row in (table, *parts)]
        print(tables_csv(rows), end="")
        return
    groups = side_by_side(tables)
    for group in groups:
        grid = probability_grid(group)
        if len(groups) > 1 and group[0].run.by is None:
            grid.head[0] = told_apart(group[0].run)
        grid.notes += deal_notes(group)
        grid.notes += dict.fromkeys(
            note for table in group for note in noted(tuned_note(table.run.policies, table.run.rules))
        )
        grid.notes += dict.fromkeys(provenance_line(table) for table in group)
        print(grid.shown(format))
        print()


def side_by_side(tables: list[Tables]) -> list[list[Tables]]:
    """Tables that stand in one grid: of runs that differ in policies and deal pattern alone."""
    groups: dict[Any, list[Tables]] = {}
    for table in tables:
        run = table.run
        if run.by is not None:
            groups[run] = [table, *table.split().values()]
        else:
            groups.setdefault((run.rules, run.given, run.term, run.seed), []).append(table)
    return list(groups.values())


def told_apart(run: Run) -> str:
    """What else a run is by than its policies and deal pattern, as on the command line."""
    from ..analysis import rules_words

    preset, *changed = rules_words(run.rules, option="--set ")
    words = [preset, *changed, f"--term {run.term}", f"--seed {run.seed}"]
    return " ".join(words + ([f"--given {shlex.quote(run.given)}"] if run.given else []))


def _what(run: Run, number: int, of: int) -> str:
    return f"{'/'.join(dict.fromkeys(run.policies))}, {run.deal} ({number} of {of})"


def _play_and_save(
    runs: list[Run],
    out: Path,
    first: int,
    threads: int | None,
    keep_hands: bool,
    cluster: str | None,
    format: Format,
) -> int:
    """Play what a folder lacks of some runs, and print the tables of all it holds of them."""
    from ..analysis import Cluster, Keeper, SavedRun, Source, Tables
    from ..analysis.tiengow.cluster import ClusterLostError

    saved = [SavedRun(out, run) for run in runs]
    added = 0
    interrupted = lost = False
    try:
        for number, (run, kept) in enumerate(zip(runs, saved, strict=True), 1):
            with contextlib.ExitStack() as opened:
                progress = opened.enter_context(progress_line(_what(run, number, len(runs))))
                source: Source | None = None
                if keep_hands:
                    kept.check_playable()
                    source = keeper = Keeper(run, kept.folder, threads)
                    keeper.catch_up(kept.ranges())
                elif cluster is not None and kept.lacking(first, run.hands):
                    source = opened.enter_context(Cluster(run, cluster))
                added += kept.extend(
                    run.hands, first=first, source=source, threads=threads, progress=progress
                )
    except KeyboardInterrupt:
        interrupted = True
    except ClusterLostError as error:
        lost = True
        note(f"gupai simulate: {error}; what was played is kept, the same command goes on")
    from_first = [[(0, end)] == kept.ranges() for kept in saved for _, end in kept.ranges()[:1]]
    if all(from_first) and len(from_first) == len(saved):
        print_tables([Tables(kept.tally()) for kept in saved], format)
    for kept in saved:
        held = ", ".join(f"{start:,} to {end - 1:,}" for start, end in kept.ranges())
        note(f"{kept.folder}: holds {f'the hands {held}' if held else 'no hands'}")
    if interrupted:
        note("interrupted: the same command goes on from there")
    elif not added and not lost:
        note("nothing to add: all these hands were played before")
    return int(interrupted or lost)


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
                print("\n".join(map(said, shown.lines())))
                print()
            print(json.dumps(shown.record.to_json(pips=bool(run.rules.hand_patterns))))
            if format != "json":
                print()
    return 0
