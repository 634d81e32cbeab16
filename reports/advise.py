"""``gupai advise``: what to play in a position, and a played hand gone through."""

from __future__ import annotations

import json
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from ..analysis.errors import InputError
from .grid import Grid, csv_text
from .language import said, say
from .numbers import mean, parse_hands, percent
from .options import Format, Settings, Whole, read_settings
from .progress import announce_compiling, note
from .streams import read_words, tell

if TYPE_CHECKING:
    from ..analysis import Advice, Decision, PricedPlay

_LARGEST_FILE = 1_000_000  # bytes


def advise_command(
    position: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    *,
    record: Path | None = None,
    seat: Whole | None = None,
    rules: str | None = None,
    settings: Settings = (),
    policy: str = "tuned",
    by: str = "points",
    worlds: str = "2000",
    seed: Whole = 1,
    threads: Whole | None = None,
    format: Format = "table",
) -> int:
    """Price every play open to me, or go through a hand that was played.

    Every play is played out in the same deals, all of which agree with what my seat has seen.

    Parameters
    ----------
    position
        A file with a record, or the record itself: null for the hands that I cannot see, and the
        tricks so far; - is standard input.
    record
        In place of a position: a played hand; each decision of --seat is priced against the best.
    seat
        The seat, 0 to 3, whose decisions of the record are priced, or whose position it is where
        all hands are given.
    rules
        Rules in place of the file's own.
    settings
        A switch to change in the rules, SWITCH=VALUE; may be repeated.
    policy
        How all seats play on.
    by
        points or win: what the best play has most of.
    worlds
        Deals to try; where fewer than 20,000 agree with what was seen, all are tried.
    seed
        Same seed, same deals.
    threads
        Threads to play on; all processors by default.
    format
        How to print.
    """
    from ..analysis import advise, load_rules, post_mortem, read_position, read_record

    if (position is None) == (record is None):
        raise InputError(
            "name a position, such as: gupai advise mine.json, or a hand: --record FILE --seat N"
        )
    if position is not None and position.startswith("-") and position != "-":
        raise InputError(f"{position}: no such option. See: gupai advise --help")
    number = parse_hands(worlds, name="--worlds")
    switches = read_settings(settings)
    override = load_rules(rules, {}) if rules is not None else None
    how: dict[str, Any] = {
        "worlds": number,
        "policy": policy,
        "by": by,
        "seed": seed,
        "threads": threads,
    }
    options = [f"--worlds {number}", f"--policy {shlex.quote(policy)}", f"--by {by}", f"--seed {seed}"]
    named = [f"--rules {shlex.quote(rules)}"] if rules is not None else []
    named += [f"--set {shlex.quote(text)}" for text in settings]
    named += [f"--seat {seat}"] if seat is not None else []
    again = " ".join([*named, *options])
    start = time.perf_counter()
    if record is not None:
        if seat is None:
            raise InputError("--record needs --seat, the seat (0 to 3) whose decisions are priced")
        text = _read(str(record))
        again = f"gupai advise --record {shlex.quote(str(record))} {again}"
        played = read_record(text, rules=override, switches=switches)
        announce_compiling()
        decisions = post_mortem(
            played,
            seat,
            progress=lambda n, of: _status(f"decision {n + 1} of {of}"),
            **how,
        )
        _status("")
        _print_decisions(decisions, format, again)
    else:
        assert position is not None
        text = _read(position)
        again = f"gupai advise {shlex.quote(text.strip() if position == '-' else position)} {again}"
        place = read_position(text, rules=override, switches=switches, seat=seat)
        announce_compiling()
        advice = advise(place, progress=_refining, **how)
        _status("")
        _print_advice(advice, format, again)
    note(f"{time.perf_counter() - start:.2f} s")
    return 0


def _read(name: str) -> str:
    """The one record of a file, or a record written in place of one."""
    if name.lstrip()[:1] == "{":
        return name
    text = read_words(name, _LARGEST_FILE, "record")
    if not text.strip():
        raise InputError(f"{name}: holds no record")
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and all(line.lstrip()[:1] == "{" and line.rstrip()[-1:] == "}" for line in lines):
        raise InputError(f"{name}: holds {len(lines)} records; give one")
    return text


def _status(text: str) -> None:
    """A line on a terminal that the next one replaces."""
    if sys.stderr is not None and sys.stderr.isatty():
        tell(f"\r\x1b[2K{text}")


def _refining(advice: Advice) -> None:
    best = advice.plays[0]
    _status(
        f"{advice.worlds:,} deals: {best.codes} {best.points.mean:+.2f} ± "
        f"{(best.points.high - best.points.low) / 2:.2f} points, refining"
    )


def _verdict(play: PricedPlay, number: int) -> str:
    if number == 0:
        return say("best")
    behind = play.behind
    if behind.mean == 0 and (behind.n == 1 or behind.sd == 0):
        if behind.low == behind.high:  # all there are
            return say("the same in every deal")
        return say("the same in every deal tried")
    text = (
        f"{behind.mean:.2f}"
        if behind.low == behind.high
        else mean(behind.mean, behind.low, behind.high, unit="deal")
    )
    return text if behind.low > 0 else say("{by} (no clear difference)", by=text)


def _points(play: PricedPlay) -> str:
    p = play.points
    return f"{p.mean:+.3f}" if p.low == p.high else mean(p.mean, p.low, p.high, signed=True, unit="deal")


def advice_grid(advice: Advice) -> Grid:
    from ..analysis.tiengow.notation import written

    grid = Grid(
        [
            say("play"),
            "結",
            say("points"),
            say("behind the best"),
            say("no stack"),
            "完封",
            say("擒 caught"),
        ]
    )
    for number, play in enumerate(advice.plays):
        shares = [
            percent(e.value, e.low, e.high) for e in (play.win, play.empty, play.sweep, play.caught)
        ]
        name = written(play.play, names=True, after="" if play.face_up else " 墊")
        grid.row(name, [shares[0], _points(play), _verdict(play, number), *shares[1:]])
    return grid


def _print_advice(advice: Advice, format: Format, again: str) -> None:
    if format == "json":
        print(json.dumps(advice.to_json() | {"command": again}, ensure_ascii=False))
        return
    if format == "csv":
        print(_csv([(0, play, advice) for play in advice.plays], again), end="")
        return
    grid = advice_grid(advice)
    best = advice.plays[0]
    rivals = [play.codes for play in advice.plays[1:] if not play.behind.low > 0]
    verdict = say("Play {play}: {why}.", play=best.codes, why=said(best.why))
    if rivals:
        shown = ", ".join(rivals[:4]) + (" …" if len(rivals) > 4 else "")
        no_clear = say("No clear difference to {plays}; more --worlds tell.", plays=shown)
        verdict = say("{first} {second}", first=verdict, second=no_clear)
    parts = _parts(advice)
    grid.notes += [
        verdict,
        *(f"  {play.codes}: {said(play.why)}" for play in advice.plays[1:4]),
        say(
            "{deals} deals, all that agree with what seat {seat} has seen; all play on as {policy}; "
            "seed {seed}; rules {rules}.",
            **parts,
        )
        if advice.exact
        else say(
            "{deals} deals, drawn from those that agree with what seat {seat} has seen; all play on as "
            "{policy}; seed {seed}; rules {rules}. In parentheses and after ± stand 95 % intervals.",
            **parts,
        ),
        again,
    ]
    print(grid.shown(format))


def _parts(advice: Advice) -> dict[str, object]:
    """What the sentences under a table name."""
    from ..analysis import rules_words

    return {
        "deals": f"{advice.worlds:,}",
        "seat": advice.position.seat,
        "policy": advice.policy,
        "seed": advice.seed,
        "rules": " ".join(rules_words(advice.position.rules)),
    }


def _print_decisions(decisions: list[Decision], format: Format, again: str) -> None:
    from ..analysis.tiengow.notation import written

    if format == "json":
        rows = [
            {
                "trick": d.trick,
                "played": d.played.codes,
                "best": d.advice.plays[0].codes,
                "cost": {name: value for name, value in d.cost.to_json().items() if name != "se"},
                "advice": d.advice.to_json(),
            }
            for d in decisions
        ]
        print(json.dumps(rows, ensure_ascii=False))
        return
    if format == "csv":
        print(
            _csv([(d.trick, play, d.advice) for d in decisions for play in d.advice.plays], again),
            end="",
        )
        return
    grid = Grid([say("trick"), say("played"), say("best"), say("points lost"), say("why the best")])
    for d in decisions:
        best = d.advice.plays[0]
        forced = len(d.advice.plays) == 1
        lost = say("nothing") if d.played is best else _verdict(d.played, 1)
        lost = say("no choice") if forced else lost
        grid.row(str(d.trick), [written(d.played.play), written(best.play), lost, said(best.why)])
    if decisions:
        lost_in_all = sum(d.cost.mean for d in decisions)
        grid.notes += [
            say(
                "In all {points} points were lost against the best plays, by what the seat knew.",
                points=f"{lost_in_all:.1f}",
            ),
            say(
                "Deals that agree with what seat {seat} had seen, {deals} or all there were; all play "
                "on as {policy}; seed {seed}; rules {rules}.",
                **_parts(decisions[0].advice),
            ),
            again,
        ]
    print(grid.shown(format))


_SHARES = ("win", "takes", "empty", "sweep", "caught", "catches")


def _csv(rows: list[tuple[int, PricedPlay, Advice]], again: str) -> str:
    from ..analysis import codes_of

    head = ["trick", "play", "face", "points", "points_se", "behind", "behind_low", "behind_high"]
    head += [f"{name}{end}" for name in _SHARES for end in ("", "_low", "_high")]
    head += ["worlds", "exact", "why", "command"]
    lines: list[list[object]] = []
    for trick, p, advice in rows:
        line: list[object] = [trick or "", codes_of(p.play), "up" if p.face_up else "down"]
        line += [p.points.mean, p.points.se, p.behind.mean, p.behind.low, p.behind.high]
        for name in _SHARES:
            line += getattr(p, name).to_json().values()
        lines.append([*line, advice.worlds, advice.exact, p.why, again])
    return csv_text(head, lines)
