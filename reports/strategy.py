"""``gupai policies``, ``gupai tournament`` and ``gupai tune``."""

from __future__ import annotations

import dataclasses
import json
import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ..analysis.errors import InputError
from .grid import Grid, csv_text
from .numbers import mean, parse_hands, percent
from .options import Format, Rules, Settings, Whole, check_threads, policy_name, read_settings
from .progress import announce_compiling, note, progress_line

if TYPE_CHECKING:
    from ..analysis import Step, StudyResult, Tournament

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
            print(policy_toml(policy), end="")
        return 0
    found = [find_policy(each, rule_set) for each in policy_names()]
    if format == "json":
        print(json.dumps({policy.name: policy.beliefs for policy in found}, ensure_ascii=False))
    elif format == "csv":
        print(csv_text(["policy", "beliefs"], [[p.name, p.beliefs] for p in found]), end="")
    elif format == "markdown":
        print("\n".join(f"- **{p.name}**: {p.beliefs}" for p in found))
    else:
        for policy in found:
            print(f"{policy.name}\n    {policy.beliefs}")
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

    check_threads(threads)
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
            print(grid.markdown() if format == "markdown" else grid.text())
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
        print(
            f"{policy}: keeps the rules of a policy in {found.positions:,} positions, "
            f"{found.decisions_per_second:,.0f} decisions a second"
        )
    return 2 if found.fault else 0


def study_command(
    name: str | None = None,
    *,
    rules: Rules = "tiengow-ja",
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
        A preset (see `gupai rules`) or a file that ends in .toml.
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

    check_threads(threads)
    if term is not None and not 1 <= term <= 1000:
        raise InputError(f"--term {term}: must be a whole number from 1 to 1000")
    if not 0 <= seed < 2**64:
        raise InputError(f"--seed {seed}: must be a whole number from 0 to {2**64 - 1}")
    if name is None:
        if format == "json":
            print(json.dumps({s.name: s.question for s in study_list()}, ensure_ascii=False))
        else:
            for study in study_list():
                print(f"{study.name:<14} {study.question}")
        return 0
    announce_compiling()
    result = run_study(
        name.strip(), rules=load_rules(rules, read_settings(settings)),
        deals=parse_hands(deals, name="--deals"), term=term, seed=seed, threads=threads,
    )  # fmt: skip
    if format == "json":
        print(json.dumps(result.to_json(), ensure_ascii=False))
        return 0
    grid = study_grid(result)
    if format == "csv":
        print(
            csv_text(grid.head, [row + [""] * (len(grid.head) - len(row)) for row in grid.rows]), end=""
        )
    else:
        print(grid.markdown() if format == "markdown" else grid.text())
    return 0


def study_grid(result: StudyResult) -> Grid:
    shares = list(dict.fromkeys(share for row in result.rows for share in row.shares))
    grid = Grid([result.question, "points a hand", "difference", *shares])
    for row in result.rows:
        cells = [
            "" if value is None else mean(value.mean, value.low, value.high, signed=True)
            for value in (row.points, row.difference)
        ]
        for share in shares:
            e = row.shares.get(share)
            cells.append("" if e is None else percent(e.value, e.low, e.high))
        grid.row(row.label, cells)
    grid.notes += [
        result.sentence,
        f"{result.deals:,} deals, the same for every way; after ± and in parentheses stand 95 % "
        "intervals.",
        result.command(),
    ]
    return grid


def tournament_grids(result: Tournament) -> list[Grid]:
    ranking = Grid(["", "points a hand", "結", "完封", "擒 caught"])
    for place, standing in enumerate(result.ranking, 1):
        points = standing.points
        shares = [standing.win, standing.sweep, standing.caught]
        ranking.row(
            f"{place}. {standing.policy}",
            [mean(points.mean, points.low, points.high, signed=True),
             *(percent(e.value, e.low, e.high) for e in shares)],
        )  # fmt: skip
    ranking.notes.append("One seat against three of another policy, mean over all others.")

    names = [standing.policy for standing in result.ranking]
    order = [result.policies.index(name) for name in names]
    cross = Grid(["one seat ↓ against three →", *names])
    for i in order:
        cells = [result.table[i][j] for j in order]
        cross.row(
            result.policies[i],
            ["0" if c.sd == 0 and c.mean == 0 else mean(c.mean, c.low, c.high, signed=True)
             for c in cells],
        )  # fmt: skip

    gaps = Grid(["neighbours", "points between", "duplicate deals to tell", "hands at a table"])
    for gap in result.gaps:
        d = gap.difference
        between = mean(d.mean, d.low, d.high)
        gaps.row(
            f"{gap.better} before {gap.worse}",
            [between, _many(gap.duplicate_deals), _many(gap.hands)],
        )
    gaps.notes += [
        "To tell: after so many a 95 % interval excludes zero with chance 0.8, if the points are as "
        "they were here.",
        f"Of the variance of a seat's points in one hand, {100 * result.skill:.1f} % goes with the "
        f"policy it plays (skill) and {100 * result.cards:.0f} % with the cards and the seat (luck); "
        "the rest is how the two go together.",
        f"{result.deals:,} deals, each from four seats: {result.hands:,} hands. After ± and in "
        "parentheses stand 95 % intervals.",
        result.command(),
    ]
    return [ranking, cross, gaps]


def _many(value: float) -> str:
    if not math.isfinite(value) or value > 1e12:
        return "more than 10^12"
    if value < 2:
        return "2"
    step = 10 ** max(math.floor(math.log10(value)) - 1, 0)
    return f"{math.ceil(value / step) * step:,}"


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

    check_threads(threads)
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
    print(out)
    text = out.read_text(encoding="utf-8")
    print(text[text.index("[training]") :], end="")
    return 0
