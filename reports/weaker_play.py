"""The section of a report that says how its headline answers differ under simple players."""

from __future__ import annotations

from ..analysis.tiengow.defaults import WEAKER_POLICY
from .grid import Grid
from .language import say
from .numbers import mean, percent
from .report_run import ReportRun, Section, house_rules_of, table_all_playing, table_of
from .tiengow import HEADINGS
from .words import SEAT_NAMES


def weaker_play(run: ReportRun) -> Section:
    """The headline answers of those who sit in the report, and those of simple players."""
    from ..analysis.tiengow.weaker import map_values, turned

    names = list(dict.fromkeys((run.seated, WEAKER_POLICY)))
    tables = [table_all_playing(run, name) for name in names]
    grid = Grid(["", *names])
    grid.heading(say("Points a hand, bonuses included"))
    points = [table.points().set_index("seat") for table in tables]
    for seat, name in SEAT_NAMES.items():
        rows = [frame.loc[seat] for frame in points]
        grid.row(
            f"  {say(name)}",
            [mean(row["mean"], row["low"], row["high"], signed=True) for row in rows],
        )
    shares = [table.shares() for table in tables]
    shares = [frame[frame["table"] == "winner"].set_index("value") for frame in shares]
    grid.heading(say(HEADINGS["winner"]))
    for seat, name in SEAT_NAMES.items():
        rows = [frame.loc[seat] for frame in shares]
        grid.row(f"  {say(name)}", [percent(row["share"], row["low"], row["high"]) for row in rows])
    maps = [map_values(house_rules_of(run, name)) for name in names]
    grid.heading(say("House rules whose effect on the banker turns"))
    for value in turned(maps[0], maps[-1]):
        told = [each[value] for each in maps]
        grid.row(f"  {value}", [mean(one.value, one.low, one.high, signed=True) for one in told])
    return {
        "title": say("Under weaker play"),
        "lead": say(
            "Wherever one table is asked for, this report seats {policy}. Simple players ({weaker}) "
            "earn and lose otherwise; of the house rules stand here those whose effect on the banker's "
            "points has another sign among them, or at least double or at most half the size, beyond "
            "the intervals of both.",
            policy=run.seated,
            weaker=WEAKER_POLICY,
        ),
        "tables": [table_of("weaker-play", say("Good players and simple ones"), grid)],
        "figures": [],
        "commands": [table.run.command() for table in tables],
    }
