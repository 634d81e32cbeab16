"""The sections of a strategy report: each asks its questions and returns plain numbers and words."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

from ..analysis.tiengow.request import SEAT_WORDS
from .figure_data import ranking_data, seats_data, session_data, walls_data
from .grid import Grid
from .language import say
from .numbers import one_in, percent, points_between
from .report_run import (
    ReportRun,
    Section,
    house_rules_of,
    played,
    table_all_playing,
    table_of,
    tables_of,
)
from .weaker_play import weaker_play
from .words import SEAT_NAMES

_SEATS = tuple(SEAT_NAMES)
SETS_OF_EIGHT = 10_518_300  # C(32, 8)


def probabilities(run: ReportRun) -> Section:
    """The probability tables of every policy, and the seats."""
    from .tiengow import probability_grid

    tables = tables_of(run)
    grid = probability_grid(list(tables.values()))
    first = table_all_playing(run, run.seated)
    stacks = []
    for seat in _SEATS:
        counts = first.counts()["stacks"][seat]
        stacks.append([100 * count / first.hands for count in counts])
    names = [say(seat) for seat in SEAT_WORDS.values()]
    return {
        "title": say("The probability tables"),
        "lead": say(
            "All four seats play the same policy, one column a policy: who wins the last trick 結, how "
            "it is won, sweeps 完封, 擒, the last trick and its tile, bonuses, stacks and points."
        ),
        "tables": [table_of("probabilities", say("Chances and points"), grid)],
        "figures": [
            {"name": "seats", "data": seats_data(list(tables.values())),
             "caption": say("Dots are estimates, bars their 95 % intervals.")},
            {"name": "stacks", "data": {"seats": names, "stacks": stacks},
             "caption": say("All seats play {policy}.", policy=run.seated)},
        ],
        "commands": [table.run.command() for table in tables.values()],
    }  # fmt: skip


def last_trick(run: ReportRun) -> Section:
    """What the last trick is won with: how many tiles it has, and which single tile takes it."""
    from ..analysis.tiengow.notation import CHINESE

    tables = tables_of(run)
    sizes, tiles = Grid([say("tiles"), *tables]), Grid([say("tile"), *tables])
    frames = [table.shares() for table in tables.values()]
    seated = table_all_playing(run, run.seated).shares()
    bars = []
    for number, (name, value) in enumerate(frames[0][["table", "value"]].itertuples(index=False)):
        if name not in ("last_size", "last_tile"):
            continue
        rows = [frame.iloc[number] for frame in frames]
        cells = [percent(row.share, row.low, row.high) for row in rows]
        if name == "last_size":
            sizes.row(value if value != "0" else say("none: 例牌 ended the hand"), cells)
        else:
            label = f"{value} {CHINESE[value][0]}"
            tiles.row(label, cells)
            shown = seated.iloc[number]
            bars.append([label, *(100 * shown[part] for part in ("share", "low", "high"))])
    drawn = {row[0]: row[0].split()[0] for row in tiles.rows}
    return {
        "title": say("The last trick"),
        "lead": say(
            "How many tiles the last trick has, and which tile wins a last trick of one tile; all four "
            "seats play the same policy. Shares are of all hands."
        ),
        "tables": [
            table_of("last-size", say("Tiles in the last trick"), sizes),
            table_of("last-tile", say("Tile that wins a last trick of one tile"), tiles)
            | {"drawn": drawn},
        ],
        "figures": [
            {"name": "last-trick", "data": {"rows": bars, "unit": say("% of hands")},
             "caption": say("All seats play {policy}.", policy=run.seated)},
        ],
        "commands": [table.run.command() for table in tables.values()],
    }  # fmt: skip


def spread(run: ReportRun) -> Section:
    """The distribution of a hand's points, and how an estimate settles."""
    import numpy as np

    from ..analysis import Run, Tables, proportion
    from ..analysis.tiengow.tables import outcomes

    policy = run.seated
    total = run.hands_of(policy)
    request = Run(rules=run.rules, policies=(policy,) * 4, hands=total, seed=run.seed)
    tally = played(request)
    frame = outcomes(tally)
    points, grid = {}, Grid([say("points of a hand"), *map(say, SEAT_NAMES.values())])
    edges = [-math.inf, -60, -30, -20, -10, -5, -2, 0, 1, 3, 6, 11, 21, 31, 61, math.inf]
    columns = []
    for seat, name in SEAT_WORDS.items():
        values = (frame[f"settlement_{seat}"] + frame[f"bonuses_{seat}"]).to_numpy()
        weights = frame["hands"].to_numpy()
        step = 4
        low, high = int(values.min()) // step * step, int(values.max()) // step * step + step
        bins = np.arange(low, high + 1, step)
        counts, _ = np.histogram(values, bins, weights=weights)
        points[say(name)] = [bins.tolist(), (100 * counts / total).tolist()]
        columns.append(np.histogram(values, edges, weights=weights)[0])
    for number in range(len(edges) - 1):
        here = [int(column[number]) for column in columns]
        if any(here):
            estimates = [proportion(count, total) for count in here]
            label = points_between(edges[number], edges[number + 1])
            grid.row(label, [percent(e.value, e.low, e.high) for e in estimates])
    rows = []
    hands = 100
    while hands < total:
        rows.append(hands)
        hands *= 4
    settling = []
    shorter = [played(dataclasses.replace(request, hands=hands)) for hands in rows]
    for part in [*shorter, tally]:
        hands = part.run.hands
        estimate = proportion(Tables(part).counts()["winner"]["banker"], hands)
        settling.append([hands, 100 * estimate.value, 100 * estimate.low, 100 * estimate.high])
    return {
        "title": say("Points of one hand"),
        "lead": say(
            "How far the points of one hand reach ({policy} in all seats, {hands} hands), and how an "
            "estimate settles as hands are added: hand k is the same hand in any longer run.",
            policy=policy, hands=f"{total:,}",
        ),
        "tables": [table_of("points", say("Share of hands by points"), grid)],
        "figures": [
            {"name": "points", "data": {"points": points},
             "caption": say("Steps of four points; the scale grows by powers of ten. Beyond each end "
                            "lie at most 1 in 10,000 hands of a seat.")},
            {"name": "convergence", "data": {"rows": settling},
             "caption": say("The band is the 95 % interval of the hands played so far.")},
        ],
        "commands": [request.command()],
    }  # fmt: skip


def ranking(run: ReportRun) -> Section:
    """Every policy against every other on the same deals."""
    from ..analysis import tournament
    from .contests import tournament_grids

    slow = any(name.startswith("rollout") for name in run.policies)
    deals = run.number(20, 200, 1000) if slow else run.number(100, 1500, 10_000)
    result = tournament(list(run.policies), rules=run.rules, deals=deals, seed=run.seed)
    grids = tournament_grids(result)
    titles = (
        say("Ranking"), say("One seat against three"), say("How many hands tell neighbours apart"),
    )  # fmt: skip
    return {
        "title": say("Policies ranked"),
        "lead": say(
            "One seat plays a policy, three play another, from each seat in turn and on the same deals, "
            "so that luck cancels."
        ),
        "tables": [
            table_of(f"ranking-{number}", title, grid)
            for number, (title, grid) in enumerate(zip(titles, grids, strict=False), 1)
        ],
        "figures": [{"name": "ranking", "data": ranking_data(result),
                     "caption": say("Blue-violet: the one seat gains; orange: it loses.")}],
        "commands": [result.command()],
    }  # fmt: skip


def house_rules(run: ReportRun) -> Section:
    """The house-rule map."""
    from ..analysis.tiengow.comparison import changed_switches
    from ..analysis.tiengow.presets import setting_text
    from .compare import map_grid

    found = house_rules_of(run, run.seated)
    rows = []
    for result in found:
        value = result.points["banker"]
        if value.sd > 0:
            [name] = changed_switches(result.a, result.b)
            text = setting_text(result.b.to_json()[name])
            text = text if len(text) <= 18 else say("{n} patterns", n=text.count(",") + 1)
            rows.append([f"{name} = {text}", value.difference, value.low, value.high])
    grid = map_grid(found)
    return {
        "title": say("House rules"),
        "lead": say(
            "Every switch, each usual value, against this rule set: the same hands with the same play "
            "({policy}), each difference paired.",
            policy=run.seated,
        ),
        "tables": [table_of("house-rules", say("What each value changes"), grid)],
        "figures": [{"name": "rules", "data": {"rows": rows},
                     "caption": say(
                         "Grey where the interval holds zero; the 24 that move most. Each interval by "
                         "itself: of twenty changes without effect about one is not grey.")}],
        "commands": [grid.notes[-1]],
    }  # fmt: skip


def sessions(run: ReportRun) -> Section:
    """Sessions of 200 hands: swings, ruin, streaks."""
    from ..analysis import SessionRun, session
    from .session import session_grids

    number = run.number(2000, 20_000, 200_000)
    request = SessionRun(
        rules=run.rules, policies=(run.seated,) * 4, hands=200, sessions=number, seed=run.seed
    )
    result = session(request)
    if result.interrupted:
        raise KeyboardInterrupt
    first, second = session_grids(result)
    return {
        "title": say("Sessions"),
        "lead": say(
            "Two hundred hands in a row, the banker passing and its multiplier growing, four equal "
            "players ({policy}): how far points swing, who is ruined, how long streaks 連莊 last.",
            policy=run.seated,
        ),
        "tables": [table_of("sessions", say("Points and ruin"), first),
                   table_of("streaks", say("Streaks and terms"), second)],
        "figures": [{"name": "session",
                     "data": session_data(result),
                     "caption": say("The points of the first banker (seat 0): half of the sessions end "
                                    "in the darkest band, nine in ten within the next.")}],
        "commands": [request.command()],
    }  # fmt: skip


def walls(run: ReportRun) -> Section:
    """Patterns and washes."""
    from ..analysis import compare_walls
    from .deals import walls_grid

    shuffles = ("wash:0.5", "wash:1", "wash:2", "wash:4", "wash:8")
    hands = run.number(20_000, 200_000, 2_000_000)
    result = compare_walls(
        shuffles=shuffles, rules=run.rules, policies=(run.seated,) * 4, hands=hands, seed=run.seed
    )
    return {
        "title": say("Ways of taking tiles 牌頭"),
        "lead": say(
            "After a perfect shuffle all ways deal alike. After a bad wash the stacks of the last hand "
            "stay near one another: columns then deal pairs and fours, layers keep them apart."
        ),
        "tables": [table_of("walls", say("Ways and washes"), walls_grid(result))],
        "figures": [{"name": "walls", "data": walls_data(result),
                     "caption": say("Pairs dealt to a seat; the line is the exact value.")}],
        "commands": [result.command()],
    }  # fmt: skip


def patterns(run: ReportRun) -> Section:
    """Hand patterns, exactly."""
    from ..analysis import Run, hand_patterns
    from .patterns import patterns_grid

    hands = run.number(20_000, 300_000, 3_000_000)
    request = Run(rules=run.rules, policies=(run.seated,) * 4, hands=hands, seed=run.seed)
    found = hand_patterns(run=request)
    grid = patterns_grid(found, ())
    return {
        "title": say("Hand patterns 例牌"),
        "lead": say(
            "How often each pattern is dealt to a seat and at a table, exactly, and what counting it "
            "does to the stakes."
        ),
        "tables": [table_of("patterns", say("Patterns"), grid)],
        "figures": [],
        "commands": [grid.notes[-1]],
    }


def starting_hands(run: ReportRun) -> Section:
    """The best, worst and swingiest starting hands, from the table that is shipped."""
    from ..analysis import shipped_hands
    from .hand import CHOSEN, shipped_worth, table_basis

    frame = shipped_hands()
    tables = []
    for name, title, rows in (
        ("best", say("The best"), frame.nsmallest(10, "rank")),
        ("worst", say("The worst"), frame.nlargest(10, "rank")),
        ("swingiest", say("The swingiest"), frame.nlargest(10, "sd")),
    ):
        head = [say("hand"), say("rank"), say("points a hand"), say("spread"), "結"]
        grid = Grid([*head, say("dealt once in")])
        for row in rows.to_dict("records"):
            rare = one_in(row["weight"] / SETS_OF_EIGHT)
            grid.row(
                row["hand"],
                [f"{row['rank']:,}", *shipped_worth({str(k): v for k, v in row.items()}), rare],
            )
        grid.notes.append(say(CHOSEN))
        tables.append(
            table_of(f"hands-{name}", title, grid) | {"drawn": {row[0]: row[0] for row in grid.rows}}
        )
    return {
        "title": say("Starting hands"),
        "lead": say(
            "All 330,525 starting hands, ranked by mean points over the four seats under {rules} with "
            "all playing {policy}. Pick eight tiles to see what a hand is worth.",
            **table_basis(),
        ),
        "tables": tables,
        "figures": [],
        "commands": ["gupai hand --best 10", "gupai hand --worst 10", "gupai hand --swingiest 10"],
        "picker": True,
    }


SECTIONS: dict[str, Callable[[ReportRun], Section]] = {
    "probabilities": probabilities,
    "last-trick": last_trick,
    "points": spread,
    "weaker-play": weaker_play,
    "ranking": ranking,
    "house-rules": house_rules,
    "sessions": sessions,
    "starting-hands": starting_hands,
    "walls": walls,
    "patterns": patterns,
}
