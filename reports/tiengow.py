"""The probability tables of Tien Gow as a reader sees them."""

from __future__ import annotations

from collections.abc import Sequence

from ..analysis.digits import figures
from ..analysis.phrases import phrase
from ..analysis.tiengow.notation import CHINESE
from ..analysis.tiengow.request import split_of
from ..analysis.tiengow.tables import POINT_COLUMNS, Tables, compare_deals
from .grid import Grid, csv_text
from .language import said, say
from .numbers import few_groups, few_hands, mean, percent
from .words import SEAT_NAMES

HEADINGS = {
    "winner": phrase("結: who wins the last trick"),
    "finish": phrase("Finish"),
    "sweep": phrase("Sweep 完封"),
    "kam": phrase("Capture"),
    "last_size": phrase("Tiles in the last trick"),
    "last_tile": phrase("Tile that wins a last trick of one tile"),
}
VALUES = {
    ("finish", "plain"): phrase("plain"),
    ("finish", "yao"): phrase("幺結 won by the led lowest tile"),
    ("finish", "supreme"): phrase("包尊 won by supreme"),
    ("finish", "four"): phrase("四大包 won by a four"),
    ("sweep", "none"): phrase("no sweep"),
    ("sweep", "seven"): "七支",
    ("sweep", "eight"): "八支",
    ("kam", "kam"): phrase("擒 the leader of the last trick is caught"),
}
FEATURES = {
    "military": phrase("military tiles 武"),
    "civil": phrase("civil tiles 文"),
    "pairs": phrase("pairs 對"),
    "mixed": phrase("mixed pairs"),
    "threes": phrase("threes"),
    "fours": phrase("fours 四"),
    "supreme": phrase("supreme 至尊"),
    "red": phrase("red pips"),
}
_SMALLEST_P = 1e-9
BONUS_NAMES = {"supreme": "賀尊", "four": "四大賀"}


def policy_name(tables: Tables) -> str:
    """The policies of a run, one name where all seats have the same."""
    policies = tables.run.policies
    return policies[0] if len(set(policies)) == 1 else "/".join(policies)


def _head(tables: Sequence[Tables]) -> list[str]:
    if tables[-1].group is not None:
        run = tables[0].run
        groups = [say("all") if table.group is None else str(table.group) for table in tables]
        policy = policy_name(tables[0])
        who, feature = split_of(str(run.by))
        split = say(
            "{policy}, {deal}: by {feature} of {seat}",
            policy=policy, deal=run.deal, feature=FEATURES[feature],
            seat=SEAT_NAMES.get(who, phrase("winner 結")),
        )  # fmt: skip
        return [split, *groups]
    several_deals = len({table.run.deal for table in tables}) > 1
    several_policies = len({table.run.policies for table in tables}) > 1
    names = []
    for table in tables:
        parts = [policy_name(table)] if several_policies or not several_deals else []
        names.append(" · ".join(parts + ([table.run.deal] if several_deals else [])))
    return ["", *names]


def probability_grid(tables: Sequence[Tables]) -> Grid:
    """All tables of one or more runs side by side."""
    grid = Grid(_head(tables))
    grid.row(say("hands"), [f"{table.hands:,}" for table in tables])
    frames = [table.shares() for table in tables]
    part = ""
    for number, (name, value) in enumerate(frames[0][["table", "value"]].itertuples(index=False)):
        if name.startswith("stacks"):
            continue
        if name != part:
            part = name
            grid.heading(say(HEADINGS[name]))
        label = said(VALUES.get((name, value), SEAT_NAMES.get(value, value)))
        if (name, value) == ("last_size", "0"):
            label = say("none: 例牌 ended the hand")
        if name == "last_tile":
            label = f"{value} {CHINESE[value][0]}"
        rows = [frame.iloc[number] for frame in frames]
        grid.row(f"  {label}", [percent(row.share, row.low, row.high) for row in rows])

    grid.heading(say("Bonuses: hands in which one is paid"))
    payments = [table.payments() for table in tables]
    for number, name in enumerate(BONUS_NAMES):
        rows = [frame.iloc[number] for frame in payments]
        grid.row(f"  {BONUS_NAMES[name]}", [percent(row.share, row.low, row.high) for row in rows])

    grid.heading(say("Points a hand, bonuses included; then the standard deviation of one hand"))
    points = [table.points() for table in tables]
    for number, name in enumerate(SEAT_NAMES.values()):
        rows = [frame.iloc[number] for frame in points]
        cells = [
            mean(row["mean"], row.low, row.high, signed=True) + (f", {row.sd:.1f}" if row.n > 1 else "")
            for row in rows
        ]
        grid.row(f"  {say(name)}", cells)

    grid.heading(say("Stacks 棟 a seat takes"))
    stacks = [frame[frame["table"].str.startswith("stacks")] for frame in frames]
    for number, (name, value) in enumerate(stacks[0][["table", "value"]].itertuples(index=False)):
        seat = say(SEAT_NAMES[name.removeprefix("stacks ")])
        rows = [frame.iloc[number] for frame in stacks]
        grid.row(f"  {seat}: {value}", [percent(row.share, row.low, row.high) for row in rows])
    grid.notes.append(say("Shares are of all hands; in parentheses and after ± stand 95 % intervals."))
    grid.notes += few_hands(
        min(table.hands for table in tables if table.group is None or len(tables) == 1)
    )
    grid.notes += few_groups({table.group: table.hands for table in tables if table.group is not None})
    return grid


def provenance_line(tables: Tables) -> str:
    """How to get the numbers again, in one line."""
    facts = tables.run.provenance()
    return f"gupai {facts['version']}, fingerprint {facts['fingerprint']}: {tables.run.command()}"


def deal_notes(tables: Sequence[Tables]) -> list[str]:
    """One line for each set of policies that was played under several deal patterns."""
    notes = []
    for policies in dict.fromkeys(table.run.policies for table in tables):
        same = [table for table in tables if table.run.policies == policies]
        if len({table.run.deal for table in same}) > 1:
            test = compare_deals(same)
            verdict = phrase(
                "the deal patterns agree (no difference is seen), as after a perfect shuffle"
            )
            if test.freedom < 1:
                verdict = phrase("too few hands to compare the deal patterns")
            elif test.p_value < 0.001:
                verdict = phrase(
                    "the deal patterns differ more than chance would have it once in 1,000 runs"
                )
            p_value = f"p = {figures(test.p_value)}"
            if test.p_value < _SMALLEST_P:
                p_value = say("p below {limit}", limit=figures(_SMALLEST_P))
            notes.append(
                say(
                    "{policy}: {verdict} (winner × banker's stacks: χ² = {statistic}, {freedom} degrees "
                    "of freedom, {p_value})",
                    policy=policy_name(same[0]),
                    verdict=verdict,
                    statistic=f"{test.statistic:.1f}",
                    freedom=test.freedom,
                    p_value=p_value,
                )
            )
    return notes


def tables_csv(tables: Sequence[Tables]) -> str:
    """All tables of all runs in one long CSV; points are one row a seat."""
    head = ["policy", "deal", "by", "group", "table", "value", "count", "n", "estimate"]
    head += ["low", "high", "se", "sd", "fingerprint", "command", "given", "term", "seed"]
    rows: list[list[object]] = []
    for table in tables:
        group = "" if table.group is None else table.group
        run = [policy_name(table), table.run.deal, table.run.by or "", group]
        again = [table.run.provenance()["fingerprint"], table.run.command(), table.run.given or ""]
        again += [table.run.term, table.run.seed]
        rows += [[*run, *row, "", "", *again] for row in table.shares().itertuples(index=False)]
        for bonus, _, with_one, n, share, low, high in table.payments().itertuples(index=False):
            rows.append([*run, "bonus", bonus, with_one, n, share, low, high, "", "", *again])
        for values in table.points().itertuples(index=False):
            point = dict(zip(POINT_COLUMNS, values, strict=True))
            cells = [point[name] for name in ("seat", "n", "mean", "low", "high", "se", "sd")]
            rows.append([*run, "points", cells[0], "", *cells[1:], *again])
    return csv_text(head, rows)
