"""``gupai policies``, ``gupai tournament`` and ``gupai tune``."""

from __future__ import annotations

import dataclasses
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ..analysis.errors import InputError
from .contests import study_grid, tournament_grids
from .grid import csv_text
from .language import said, say, speaking
from .numbers import parse_hands
from .options import Format, Rules, Settings, Whole, policy_name, read_settings
from .progress import announce_compiling, note, progress_line
from .streams import print_data

if TYPE_CHECKING:
    from ..analysis import Step, Tournament

Names = Annotated[tuple[str, ...], Parameter(negative="", show_default=False)]


def policies_command(
    name: str | None = None,
    *,
    rules: Rules = "tiengow-ja",
    format: Format = "table",
) -> int:
    """List the policies and what they believe, or print one as TOML to edit and pass back.

    Parameters
    ----------
    name
        A policy of the heuristic family, such as tuned, or a file that ends in .toml.
    rules
        A preset or a file; tuned is another policy under other presets.
    format
        How to print.
    """
    from ..analysis import find_policy, load_rules, policy_names, policy_toml

    rule_set = load_rules(rules)
    if name is not None:
        policy = find_policy(policy_name(name), rule_set)
        if not policy.weights:
            raise InputError(f"{name}: has no weights to print; it believes: {policy.beliefs}")
        if format == "json":
            print(json.dumps({"policy": policy.name, "beliefs": policy.beliefs,
                              "weights": list(policy.weights)}, ensure_ascii=False))  # fmt: skip
        else:
            print_data()
            print(policy_toml(policy), end="")
        return 0
    found = [find_policy(each, rule_set) for each in policy_names()]
    if format == "json":
        print(json.dumps({policy.name: policy.beliefs for policy in found}, ensure_ascii=False))
    elif format == "csv":
        print(csv_text(["policy", "beliefs"], [[p.name, p.beliefs] for p in found]), end="")
    elif format == "markdown":
        print("\n".join(f"- **{p.name}**: {said(p.beliefs)}" for p in found))
    else:
        for policy in found:
            print(f"{policy.name}\n    {said(policy.beliefs)}")
    return 0


def tournament_command(
    *policies: str,
    rules: Rules = "tiengow-ja",
    settings: Settings = (),
    deals: str = "2000",
    term: Whole = 1,
    seed: Whole = 1,
    threads: Whole | None = None,
    format: Format = "table",
) -> int:
    """Let policies play each other: every one against three of every other, from every seat.

    All play the same deals, so that luck cancels.

    Parameters
    ----------
    policies
        Two or more, by name (see `gupai policies`) or file.
    rules
        A preset (see `gupai rules`) or a file that ends in .toml.
    settings
        A switch to change, SWITCH=VALUE; may be repeated.
    deals
        Deals; each is played once for every seat, policy and opponent.
    term
        The banker's term 連莊.
    seed
        Same seed, same deals.
    threads
        Threads to play on; all processors by default.
    format
        How to print.
    """
    from ..analysis import load_rules, tournament

    number = parse_hands(deals, name="--deals")
    announce_compiling()
    start = time.perf_counter()
    with progress_line("tournament, deals") as progress:
        result = tournament(
            [policy_name(policy) for policy in policies],
            rules=load_rules(rules, read_settings(settings)),
            deals=number, term=term, seed=seed, threads=threads, progress=progress,
        )  # fmt: skip
    seconds = time.perf_counter() - start
    if format == "json":
        print(json.dumps(result.to_json(), ensure_ascii=False))
    elif format == "csv":
        print(_csv(result), end="")
    else:
        for grid in tournament_grids(result):
            print(grid.shown(format))
            print()
    note(f"{result.hands:,} hands in {seconds:.2f} s")
    return 0


def policy_check_command(
    policy: str,
    *,
    positions: str = "3000",
    seed: Whole = 1,
    format: Format = "table",
) -> int:
    """Check that a policy keeps the rules: legal plays, the same again, no hidden knowledge.

    Parameters
    ----------
    policy
        Above all one of your own, path/to/file.py:name; also a name or a .toml file.
    positions
        Positions to ask it in, under each of three rule sets.
    seed
        Same seed, same positions.
    format
        How to print.
    """
    from ..analysis import check_policy

    announce_compiling()
    found = check_policy(
        policy_name(policy), positions=parse_hands(positions, name="--positions"), seed=seed
    )
    if format == "json":
        print(json.dumps(dataclasses.asdict(found), ensure_ascii=False))
    elif format == "csv":
        print(
            csv_text(list(dataclasses.asdict(found)), [list(dataclasses.asdict(found).values())]), end=""
        )
    elif found.fault:
        print(f"{policy}: {found.fault}")
    else:
        kept = say(
            "{policy}: keeps the rules of a policy in {positions} positions, {speed} decisions a second",
            policy=policy,
            positions=f"{found.positions:,}",
            speed=f"{found.decisions_per_second:,.0f}",
        )
        print(kept)
    advice = found.note
    if advice and format == "table":
        note(say(advice))
    return 2 if found.fault else 0


def study_command(
    name: str | None = None,
    *,
    rules: Annotated[str | None, Parameter(name="--rules")] = None,
    settings: Settings = (),
    deals: str = "10k",
    term: Whole | None = None,
    seed: Whole = 1,
    threads: Whole | None = None,
    format: Format = "table",
) -> int:
    """Answer a player's question about good play, under your own rules, or list the questions.

    Parameters
    ----------
    name
        The study.
    rules
        A preset (see `gupai rules`) or a file that ends in .toml; by default the one that the
        question is about: tiengow-ja, of civil-supreme tiengow-zh, for it asks about 文尊.
    settings
        A switch to change, SWITCH=VALUE; may be repeated.
    deals
        Deals that every way of playing is tried on.
    term
        The banker's term 連莊; by default that of the question.
    seed
        Same seed, same deals.
    threads
        Threads to play on; all processors by default.
    format
        How to print.
    """
    from ..analysis import load_rules, run_study, study_list

    if name is None:
        if format == "json":
            print(json.dumps({s.name: s.question for s in study_list()}, ensure_ascii=False))
        else:
            for study in study_list():
                print(f"{study.name:<14} {said(study.question)}")
        return 0
    announce_compiling()
    name, changed = name.strip(), read_settings(settings)
    asked_about = next((study.preset for study in study_list() if study.name == name), "tiengow-ja")
    result = run_study(
        name, rules=load_rules(rules or asked_about, changed),
        deals=parse_hands(deals, name="--deals"), term=term, seed=seed, threads=threads,
    )  # fmt: skip
    if format == "json":
        print(json.dumps(result.to_json(), ensure_ascii=False))
        return 0
    if format == "csv":
        with speaking("en"):
            grid = study_grid(result)
        print(csv_text(grid.head, [row for row in grid.rows if len(row) > 1]), end="")
    else:
        grid = study_grid(result)
        print(grid.shown(format))
    return 0


def _csv(result: Tournament) -> str:
    rows: list[list[object]] = []
    for name, row in zip(result.policies, result.table, strict=True):
        for other, cell in zip(result.policies, row, strict=True):
            rows.append([name, other, cell.mean, cell.low, cell.high, cell.se, result.command()])
    return csv_text(["policy", "against", "points", "low", "high", "se", "command"], rows)


def tune_command(
    *,
    out: Path,
    start: str = "tuned",
    pool: Names = ("greedy", "public-a", "tuned", "self"),
    frozen: Names = (),
    rules: Rules = "tiengow-ja",
    settings: Settings = (),
    steps: Whole = 60,
    population: Whole = 48,
    elite: Whole = 12,
    deals: Whole = 400,
    spread: float = 0.4,
    check: Whole = 4000,
    seed: Whole = 1,
    threads: Whole | None = None,
) -> int:
    """Search for better weights of the heuristic family, and write them as a policy file.

    An interrupted search goes on where it stopped when the same command is given again.

    Parameters
    ----------
    out
        The policy file to write; it ends in .toml, and --policy takes it anywhere.
    start
        The policy to start from.
    pool
        Opponents; may be repeated; self is the search as it stands.
    frozen
        A weight to leave alone; may be repeated.
    rules
        A preset (see `gupai rules`) or a file that ends in .toml.
    settings
        A switch to change, SWITCH=VALUE; may be repeated.
    steps
        At most so many steps; fewer if two comparisons in a row show no gain.
    population
        Candidates a step.
    elite
        How many of the best move the centre.
    deals
        Deals a step.
    spread
        Spread of the first candidates in parts of each weight.
    check
        Deals of a comparison and of the last measurement.
    seed
        Same seed, same search.
    threads
        Threads to play on; all processors by default.
    """
    from ..analysis import Tuning, load_rules, tune

    request = Tuning(
        rules=load_rules(rules, read_settings(settings)), start=start, pool=tuple(pool), steps=steps,
        population=population, elite=elite, deals=deals, spread=spread, check=check,
        frozen=tuple(frozen), seed=seed,
    )  # fmt: skip
    announce_compiling()

    def progress(step: Step) -> None:
        note(
            f"step {step.number} of at most {steps}: centre {step.centre:+.2f}, elite "
            f"{step.elite:+.2f} points a hand against the pool"
        )

    if tune(request, out, threads=threads, progress=progress) is None:
        note("interrupted: give the same command again to go on")
        return 1
    print_data()
    print(out)
    text = out.read_text(encoding="utf-8")
    print(text[text.index("[training]") :], end="")
    return 0
