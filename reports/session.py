"""``gupai session``: many hands in a row."""

from __future__ import annotations

import json
import math
import time
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from ..analysis.digits import percentage_to
from ..analysis.phrases import listed, phrase
from ..analysis.tiengow.defaults import DEFAULT_POLICY
from ..analysis.tiengow.request import SEAT_WORDS
from .grid import Grid, csv_text
from .language import noted, say
from .numbers import few_sessions, mean, parse_hands, percent
from .options import Format, Rules, Settings, Whole, four_policies, read_settings
from .progress import announce_compiling, note, progress_line

if TYPE_CHECKING:
    from ..analysis import Lead, SessionResult, SessionRun

_RUIN_ROWS = (16, 64, 200, 500)


def session_command(
    *,
    rules: Rules = "tiengow-ja",
    settings: Settings = (),
    policy: str = DEFAULT_POLICY,
    by_role: Annotated[bool, Parameter(negative="")] = False,
    deal: str = "pairs_of_columns",
    shuffle: str = "perfect",
    hands: str = "64",
    sessions: str = "20000",
    stake: Whole | None = None,
    play_on: Annotated[bool, Parameter(negative="")] = False,
    banker_changes: Whole | None = None,
    first_banker: Literal["0", "1", "2", "3", "dice"] = "0",
    seed: Whole = 1,
    threads: Whole | None = None,
    format: Format = "table",
) -> int:
    """Play many hands in a row, the banker 莊 passing and its multiplier growing.

    Parameters
    ----------
    rules
        A preset (see `gupai rules`) or a file that ends in .toml.
    settings
        A switch to change, SWITCH=VALUE; may be repeated.
    policy
        One policy for all players, or four: of the players in seats 0,1,2,3.
    by_role
        The four policies belong to banker,right,across,left, whoever that is.
    deal
        The way of taking tiles from the wall 牌頭.
    shuffle
        perfect, or wash:S: the tiles of the last hand washed with strength S (0: left in order).
    hands
        Hands of a session, at most.
    sessions
        Sessions to play.
    stake
        Points that each player brings; the session ends when somebody has none left.
    play_on
        Players without points play on, in debt.
    banker_changes
        End a session after so many changes of the banker.
    first_banker
        The seat of the first banker, 0 to 3, or dice: seat 0 rolls and counts.
    seed
        Same seed, same sessions.
    threads
        Threads to play on; all processors by default.
    format
        How to print.
    """
    from ..analysis import SessionRun, load_rules, session

    run = SessionRun(
        rules=load_rules(rules, read_settings(settings)),
        policies=four_policies(policy, "of the players in seats 0,1,2,3"), by_role=by_role,
        deal=deal.lower(), shuffle=shuffle.lower(),
        hands=parse_hands(hands), sessions=parse_hands(sessions, name="--sessions"),
        stake=stake, play_on=play_on, banker_changes=banker_changes,
        first_banker=first_banker if first_banker == "dice" else int(first_banker), seed=seed,
    )  # fmt: skip
    announce_compiling()
    start = time.perf_counter()
    with progress_line("session") as progress:
        result = session(run, threads=threads, progress=progress)
    seconds = time.perf_counter() - start
    if format == "json":
        print(json.dumps(result.to_json(), ensure_ascii=False))
    elif format == "csv":
        print(_csv(result), end="")
    else:
        for grid in session_grids(result):
            print(grid.shown(format))
            print()
    if result.interrupted:
        note(f"interrupted after {result.run.sessions:,} of {run.sessions:,} sessions")
        return 1
    note(f"{seconds:.2f} s")
    return 0


def _names(result: SessionResult) -> list[str]:
    if result.run.by_role:
        return [say("seat {seat}", seat=seat) for seat in range(4)]
    return [
        say("seat {seat}: {policy}", seat=seat, policy=policy)
        for seat, policy in enumerate(result.run.policies)
    ]


def session_grids(result: SessionResult) -> list[Grid]:
    from ..analysis.tiengow.family_presets import tuned_note

    run, tally, players = result.run, result.tally, result.players()
    grid = Grid(["", *_names(result)])
    grid.heading(say("Points at the end of a session of {length}", length=_length(result)))
    grid.row(
        "  " + say("mean"),
        [mean(p.points.mean, p.points.low, p.points.high, signed=True, unit="session") for p in players],
    )
    spread = ["–" if math.isnan(p.points.sd) else f"{p.points.sd:.1f}" for p in players]
    grid.row("  " + say("spread (standard deviation)"), spread)
    for q in players[0].quantiles:
        cells = [_quantile(*p.quantiles[q]) for p in players]
        grid.row("  " + say("{share} % end at or below", share=f"{100 * q:.0f}"), cells)
    firsts = [percent(p.first.value, p.first.low, p.first.high) for p in players]
    grid.row("  " + say("nobody ends above"), firsts)
    swings = [mean(p.swing.mean, p.swing.low, p.swing.high, unit="session") for p in players]
    grid.row("  " + say("swing: from lowest to highest standing"), swings)
    grid.heading(say("Ruin: {points} points lost", points=result.stake))
    for hands in dict.fromkeys([n for n in run.checkpoints() if n in _RUIN_ROWS] + [run.hands]):
        shares = [result.ruin(seat, hands) for seat in range(4)]
        cells = [percent(share.value, share.low, share.high) for share in shares]
        grid.row("  " + say("by hand {n}", n=hands), cells)
    for lead in result.leads():
        grid.notes.append(_lead_in_words(lead, _names(result)))
    if run.by_role:
        roles = [
            phrase("{seat} {policy}", seat=role, policy=name)
            for role, name in zip(SEAT_WORDS.values(), run.policies, strict=True)
        ]
        grid.notes.append(say("Policies by role: {roles}.", roles=listed(roles)))

    head = [say("banker's term 連莊"), say("hands"), say("share of hands"), say("share of points")]
    terms = Grid([*head, say("streaks of this length")])
    by_term, streaks = result.hands_by_term(), result.streaks()
    hands_played, points = sum(by_term.values()), max(int(tally.moved.sum()), 1)
    last = max(by_term)
    for term in range(1, min(last, 9) + 1):
        rest = term == 9 and last > 9
        here = [t for t in by_term if t == term or (rest and t > term)]
        played = sum(by_term[t] for t in here)
        terms.row(
            say("{n} and more", n=term) if rest else str(term),
            [f"{played:,}", _part(played, hands_played),
             _part(sum(int(tally.moved[t]) for t in here), points),
             f"{sum(streaks.get(t, 0) for t in here):,}"],
        )  # fmt: skip
    longest = tally.longest
    middle = listed([f"{100 * q:.0f} %: {longest.quantile(q)}" for q in (0.05, 0.5, 0.95, 0.99)])
    changes = tally.changes.mean()
    changed = mean(changes.mean, changes.low, changes.high, unit="session")
    terms.notes = [
        say(
            "Longest streak of a session, at or below ({shares}); a streak cut off by the end counts as "
            "far as it came.",
            shares=middle,
        ),
        say("Changes of the banker in a session: {changes}.", changes=changed),
        say(result.sentence()),
        _request_in_words(run, hands_played),
        say("In parentheses and after ± stand 95 % intervals; sessions are the independent units."),
        *few_sessions(run.sessions),
        *noted(tuned_note(run.policies, run.rules)),
        run.command(),
    ]
    return [grid, terms]


def _part(some: int, whole: int) -> str:
    """A part of what was played; it is no estimate, and 0 or all of it is said so."""
    if some in (0, whole):
        return say("all") if some else "0"
    return f"{percentage_to(some / whole)} %"


def _request_in_words(run: SessionRun, hands: int) -> str:
    """What was played, clause by clause."""
    clauses = [
        phrase(
            "{sessions} sessions, {hands} hands, shuffle {shuffle}, seed {seed}",
            sessions=f"{run.sessions:,}",
            hands=f"{hands:,}",
            shuffle=run.shuffle,
            seed=run.seed,
        )
    ]
    if run.stake and run.play_on:
        on = phrase("each player brings {n} points and plays in debt if need be", n=run.stake)
        clauses.append(on)
    elif run.stake:
        until = phrase(
            "each player brings {n} points and plays until somebody has none left", n=run.stake
        )
        clauses.append(until)
    if run.banker_changes is not None:
        changes = run.banker_changes
        clauses.append(phrase("a session ends after {n} changes of the banker", n=changes))
    if run.first_banker == "dice":
        clauses.append(phrase("dice choose the first banker"))
    else:
        clauses.append(phrase("seat {seat} is the first banker", seat=run.first_banker))
    told = clauses[0]
    for clause in clauses[1:]:
        told = phrase("{first}; {second}", first=told, second=clause)
    return say("{clauses}.", clauses=told)


def _length(result: SessionResult) -> str:
    played, hands = result.tally.hands.mean(), result.run.hands
    if played.sd == 0 or math.isnan(played.sd):
        return say("{n} hands", n=f"{played.mean:.0f}")
    in_fact = mean(played.mean, played.low, played.high, unit="session")
    return say("at most {most} hands ({played} played)", most=hands, played=in_fact)


def _lead_in_words(lead: Lead, names: list[str]) -> str:
    better, worse = names[lead.better], names[lead.worse]
    parts: dict[str, object] = {
        "better": better,
        "worse": worse,
        "share": percent(lead.at_end.value, lead.at_end.low, lead.at_end.high),
        "gap": mean(lead.gap.mean, lead.gap.low, lead.gap.high, signed=True, unit="session"),
    }
    if not lead.observed and not lead.gap.low > 0:
        return say(
            "{better} stands above {worse} at the end in {share} of the sessions ({gap} points): too "
            "close to say which of the two is better.",
            **parts,
        )
    if lead.hands == math.inf:
        return say(
            "{better} stands above {worse} at the end in {share} of the sessions ({gap} points); when "
            "that shows in 95 % of sessions, longer sessions without an early end tell.",
            **parts,
        )
    high = say("more than can be told") if lead.high == math.inf else _round(lead.high)
    parts |= {"hands": _round(lead.hands), "low": _round(lead.low), "high": high}
    if lead.observed:
        return say(
            "{better} stands above {worse} at the end in {share} of the sessions ({gap} points), and in "
            "95 % of them after {hands} hands ({low} to {high}).",
            **parts,
        )
    return say(
        "{better} stands above {worse} at the end in {share} of the sessions ({gap} points), and in "
        "95 % of them after {hands} hands ({low} to {high}) (carried on from these sessions).",
        **parts,
    )


def _quantile(value: int, low: int | None, high: int | None) -> str:
    parts = {"value": f"{value:+d}", "low": f"{low or 0:+d}", "high": f"{high or 0:+d}"}
    if low is None and high is None:
        return say("{value} (too few sessions)", **parts)
    if low is None:
        return say("{value} (up to {high})", **parts)
    if high is None:
        return say("{value} ({low} and more)", **parts)
    return say("{value} ({low} to {high})", **parts)


def _round(hands: float) -> str:
    if hands < 1000:
        return f"{math.ceil(hands)}"
    step = 10 ** (math.floor(math.log10(hands)) - 2)
    return f"{math.ceil(hands / step) * step:,}"


def _known(value: float) -> float | str:
    return "" if math.isnan(value) else value


def _csv(result: SessionResult) -> str:
    head = ["seat", "policy", "quantity", "value", "low", "high"]
    rows: list[list[object]] = []
    for seat, player in enumerate(result.players()):
        who = [seat, player.policy]
        reach = _known(player.points.low), _known(player.points.high)
        rows.append([*who, "points", player.points.mean, *reach])
        rows.append([*who, "sd", _known(player.points.sd), "", ""])
        for q, values in player.quantiles.items():
            rows.append([*who, f"quantile {q:g}", *("" if v is None else v for v in values)])
        reach = _known(player.swing.low), _known(player.swing.high)
        rows.append([*who, "swing", player.swing.mean, *reach])
        rows.append([*who, "first", player.first.value, player.first.low, player.first.high])
        for hands in result.run.checkpoints():
            ruin = result.ruin(seat, hands)
            rows.append([*who, f"ruin by hand {hands}", ruin.value, ruin.low, ruin.high])
    rows += [["", "", f"streak {length}", count, "", ""] for length, count in result.streaks().items()]
    return csv_text(head, rows)
