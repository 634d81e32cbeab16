"""``gupai hand``: what a starting hand is worth."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from ..analysis.errors import InputError
from ..analysis.phrases import phrase
from ..analysis.tiengow.defaults import DEFAULT_POLICY
from .grid import Grid, csv_text
from .language import noted, say
from .numbers import chance, few_hands, mean, one_in, parse_hands, percent, rounded_percent
from .options import Format, Settings, Whole, four_policies, read_settings
from .progress import announce_compiling, note, progress_line
from .words import SEAT_NAMES

if TYPE_CHECKING:
    import pandas as pd

    from ..analysis import HandWorth
    from ..analysis.tiengow.weaker import Weaker

Some = Annotated[Whole | None, Parameter(show_default=False)]

_SHARE_NAMES = {
    "win": phrase("結 wins the last trick"),
    "sweep": phrase("完封 takes all eight stacks"),
    "empty": phrase("ends without a stack"),
    "caught": phrase("擒 is caught and pays for all"),
    "catches": phrase("擒 catches another"),
}
CHOSEN = phrase(
    "Chosen among all hands by these estimates: the best look a little better here than they are, the "
    "worst a little worse."
)
_LISTS = {
    "best": phrase(
        "The best of all 330,525 starting hands; ranks are by mean points over the four seats under "
        "{rules}, all playing {policy}."
    ),
    "worst": phrase(
        "The worst of all 330,525 starting hands; ranks are by mean points over the four seats under "
        "{rules}, all playing {policy}."
    ),
    "swingiest": phrase(
        "The swingiest of all 330,525 starting hands; ranks are by mean points over the four seats "
        "under {rules}, all playing {policy}."
    ),
}


def hand_command(
    *tiles: str,
    best: Some = None,
    worst: Some = None,
    swingiest: Some = None,
    rules: Annotated[tuple[str, ...], Parameter(name="--rules", negative="", show_default=False)] = (),
    settings: Settings = (),
    policy: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    hands: str = "100k",
    term: Whole = 1,
    seed: Whole = 1,
    threads: Whole | None = None,
    format: Format = "table",
) -> int:
    """Tell what a starting hand is worth in each seat and after each lead, and its rank.

    Parameters
    ----------
    tiles
        Eight tiles, such as AA99BK63, '6-6 6-6 3-6 …' or 天天九九地伶六三.
    best
        In place of a hand: list the so many best of all 330,525.
    worst
        List the worst.
    swingiest
        List those whose points vary most from deal to deal.
    rules
        A preset (see `gupai rules`) or a file that ends in .toml; may be repeated.
    settings
        A switch to change, SWITCH=VALUE; may be repeated.
    policy
        One policy for all seats, or four: banker,right,across,left; may be repeated; tuned by
        default.
    hands
        Hands to play for each seat and each lead.
    term
        The banker's term 連莊.
    seed
        Same seed, same hands.
    threads
        Threads to play on; all processors by default.
    format
        How to print.
    """
    from ..analysis import Run, load_rules, starting_hand
    from ..analysis.tiengow.weaker import weaker_hand

    lists = {"best": best, "worst": worst, "swingiest": swingiest}
    asked = {name: number for name, number in lists.items() if number is not None}
    if len(asked) + bool(tiles) != 1:
        raise InputError(
            "write one hand, such as: gupai hand AA99BK63, or one list, such as: gupai hand --best 20"
        )
    if asked:
        name, number = asked.popitem()
        if not 1 <= number <= 1000:
            raise InputError(f"--{name} {number}: must be a whole number from 1 to 1000")
        if rules or settings or policy or (hands, term, seed, threads) != ("100k", 1, 1, None):
            raise InputError(
                f"--{name} lists the table that is shipped and takes only --format with it; gupai "
                "hand-table plays such a table under your own rules"
            )
        _print_list(name, number, format)
        return 0
    changed = read_settings(settings)
    runs = [
        Run(
            rules=load_rules(name, changed), policies=four_policies(one), hands=parse_hands(hands),
            term=term, seed=seed,
        )
        for name in rules or ("tiengow-ja",)
        for one in policy or (DEFAULT_POLICY,)
    ]  # fmt: skip
    announce_compiling()
    start = time.perf_counter()
    worths = []
    for run in dict.fromkeys(runs):
        with progress_line("hand") as progress:
            worths.append(starting_hand(" ".join(tiles), run=run, threads=threads, progress=progress))
    policies = {worth.run.policies for worth in worths}
    beside = [weaker_hand(worth, threads=threads) if len(policies) == 1 else None for worth in worths]
    _print(worths, beside, format)
    note(f"{time.perf_counter() - start:.2f} s")
    return 0


def _print(worths: list[HandWorth], beside: list[Weaker | None], format: Format) -> None:
    if format == "json":
        objects = [
            worth.to_json() | ({} if weaker is None else {"weaker": weaker.to_json()})
            for worth, weaker in zip(worths, beside, strict=True)
        ]
        print(json.dumps(objects if len(objects) > 1 else objects[0], ensure_ascii=False))
    elif format == "csv":
        print(_csv(worths), end="")
    else:
        from .hands_beside import beside_grid, side_by_side

        grids = [
            grid
            for worth, weaker in zip(worths, beside, strict=True)
            for grid in hand_grids(worth, weaker)
        ]
        grids += [beside_grid(group) for group in side_by_side(worths)]
        for grid in grids:
            print(grid.shown(format))
            print()


def hand_grids(worth: HandWorth, weaker: Weaker | None = None) -> list[Grid]:
    from ..analysis.tiengow.family_presets import tuned_note
    from ..analysis.tiengow.notation import written

    seats = worth.seats.values()
    grid = Grid([written(worth.tiles, names=True), *(say(SEAT_NAMES[seat]) for seat in worth.seats)])
    points = [seat.points for seat in seats]
    grid.row(say("points a hand"), [mean(p.mean, p.low, p.high, signed=True) for p in points])
    grid.row(say("their standard deviation"), [f"{p.sd:.1f}" for p in points])
    for share, title in _SHARE_NAMES.items():
        each = [getattr(seat, share) for seat in seats]
        grid.row(say(title), [percent(e.value, e.low, e.high) for e in each])
    leads = Grid(
        [
            say("lead of the banker"),
            say("takes the trick"),
            say("then 結"),
            say("points"),
            say("behind the best"),
        ]
    )
    for number, lead in enumerate(worth.leads):
        behind = mean(lead.behind.mean, lead.behind.low, lead.behind.high)
        if lead.behind.low <= 0:
            behind = say("{by} (no clear difference)", by=behind)
        if number == 0 or lead.behind.mean == lead.behind.sd == 0:
            behind = say("the same in every hand seen") if number else say("best")
        cells = [percent(e.value, e.low, e.high) for e in (lead.takes, lead.win)]
        cells.append(mean(lead.points.mean, lead.points.low, lead.points.high, signed=True))
        leads.row(written(lead.lead, names=True), [*cells, behind])
    if not worth.leads:
        leads = Grid([say("A hand pattern 例牌 ends the hand before the first lead.")])
    fraction = worth.dealt
    leads.notes += [
        say(
            "Dealt with chance {chance} = {fraction}, once in {many} hands.",
            chance=chance(float(fraction)),
            fraction=f"{fraction.numerator} / {fraction.denominator}",
            many=one_in(float(fraction)),
        ),
        _rank_line(worth),
        *noted(None if weaker is None else weaker.sentence()),
        say(
            "Each seat and each lead: {hands} hands; leads are compared on the same deals.",
            hands=f"{worth.run.hands:,}",
        ),
        say("In parentheses and after ± stand 95 % intervals."),
        *few_hands(worth.run.hands),
        *noted(tuned_note(worth.run.policies, worth.run.rules)),
        f"gupai {worth.run.provenance()['version']}: {worth.command()}",
    ]
    return [grid, leads]


def _rank_line(worth: HandWorth) -> str:
    from ..analysis import shipped_hands
    from ..analysis.tiengow.request import digests_of

    parts = {"rank": f"{worth.rank:,}", "of": f"{len(shipped_hands()):,}"} | table_basis()
    made = shipped_hands().attrs
    asked = (
        worth.run.rules.to_json(), list(worth.run.policies), digests_of(worth.run), worth.run.term
    )  # fmt: skip
    if asked != (made["rules"], made["policies"], made.get("policy_digests"), made["term"]):
        return say(
            "Rank, not under what was asked for here but by mean points over the four seats under "
            "{rules}, all playing {policy}: {rank} of {of}.",
            **parts,
        )
    return say(
        "Rank {rank} of {of} starting hands (95 % interval {low} to {high}), by mean points over the "
        "four seats under {rules}, all playing {policy}.",
        low=f"{worth.rank_low:,}",
        high=f"{worth.rank_high:,}",
        **parts,
    )


def table_basis() -> dict[str, str]:
    """How the shipped table was made."""
    from ..analysis import RuleSet, nearest_preset, shipped_hands

    facts = shipped_hands().attrs
    preset, _ = nearest_preset(RuleSet.model_validate(facts["rules"], strict=False))
    return {"rules": preset, "policy": "/".join(dict.fromkeys(facts["policies"]))}


def _csv(worths: list[HandWorth]) -> str:
    from ..analysis import codes_of

    rows: list[list[object]] = []
    for worth in worths:
        run = [codes_of(worth.tiles), worth.provenance()["fingerprint"], worth.command()]
        for seat, values in worth.seats.items():
            p = values.points
            rows.append([*run, "seat", seat, "points", p.mean, p.low, p.high, p.se])
            for name in _SHARE_NAMES:
                e = getattr(values, name)
                rows.append([*run, "seat", seat, name, e.value, e.low, e.high, ""])
        for lead in worth.leads:
            code = codes_of(lead.lead)
            for name in ("takes", "win"):
                e = getattr(lead, name)
                rows.append([*run, "lead", code, name, e.value, e.low, e.high, ""])
            for name in ("points", "behind"):
                p = getattr(lead, name)
                rows.append([*run, "lead", code, name, p.mean, p.low, p.high, p.se])
        rows.append([*run, "hand", "", "dealt", float(worth.dealt), "", "", ""])
        rows.append([*run, "hand", "", "rank", worth.rank, worth.rank_low, worth.rank_high, ""])
    head = ["hand", "fingerprint", "command", "of", "name", "quantity", "estimate", "low", "high", "se"]
    return csv_text(head, rows)


def _listed(name: str, number: int) -> pd.DataFrame:
    from ..analysis import shipped_hands

    frame = shipped_hands()
    column, rising = {"best": ("rank", True), "worst": ("rank", False), "swingiest": ("sd", False)}[name]
    return frame.sort_values([column, "rank"], ascending=[rising, True], kind="stable").head(number)


def shipped_worth(row: Mapping[Any, Any]) -> list[str]:
    """Points with their own interval, spread and P(結) of a hand of the shipped table."""
    from ..analysis.tiengow.shipped_hands import points_reach, win_interval

    reach = points_reach(row["se"])
    points = mean(row["points"], row["points"] - reach, row["points"] + reach, signed=True)
    low, high = win_interval(row["win"], row["weight"])
    return [points, f"{row['sd']:.1f}", rounded_percent(row["win"], low, high)]


def _print_list(name: str, number: int, format: Format) -> None:
    from ..analysis import RuleSet, read_hand, shipped_hands
    from ..analysis.tiengow.notation import written
    from ..analysis.tiengow.request import SEAT_WORDS
    from ..analysis.tiengow.shipped_hands import points_reach

    frame = _listed(name, number)
    rows: list[dict[str, Any]] = json.loads(frame.to_json(orient="records"))
    if format == "json":
        facts = {key: shipped_hands().attrs[key] for key in ("rules", "policies", "hands", "fewest")}
        print(json.dumps({"list": name, "of": 330_525, "hands": rows, "made": facts}))
        return
    if format == "csv":
        print(frame.to_csv(index=False), end="")
        return
    seats = [say("{seat} points", seat=seat) for seat in SEAT_WORDS.values()]
    head = [say("hand"), say("rank"), say("points"), say("sd"), "結", *seats, say("dealt once in")]
    grid = Grid(head)
    for row in rows:
        cells = [f"{row['rank']:,}", *shipped_worth(row)]
        reach = points_reach(row["se"], seats=1)
        for seat in SEAT_NAMES:
            points = row[f"points_{seat}"]
            cells.append(mean(points, points - reach, points + reach, signed=True))
        cells.append(f"{10_518_300 / row['weight']:,.0f}")
        grid.row(written(read_hand(row["hand"], RuleSet()), names=True), cells)
    made: dict[Any, Any] = shipped_hands().attrs
    grid.notes += [
        say(_LISTS[name], **table_basis()),
        say(
            "From the table that is shipped: {deals} deals (seed {seed}) and at least about {fewest} of "
            "each hand in each seat. In parentheses and after ± stand 95 % intervals of that hand "
            "alone, rounding included; those of a single seat's points are at most so wide.",
            deals=f"{made['hands']:,}",
            seed=made["seed"],
            fewest=f"{made['fewest']:,}",
        ),
        say(CHOSEN),
        f"gupai hand --{name} {number}",
    ]
    print(grid.shown(format))
