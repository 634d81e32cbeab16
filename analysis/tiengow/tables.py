"""Probability tables: tallies settled under a rule set, as pandas tables.

Every table has declared columns; a share or a mean never stands without its interval.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ...kernels.tiengow.outcome import HONOUR_BITS, SETTLED_BITS
from ...kernels.tiengow.settlement import (
    BONUSES,
    COLUMNS,
    FINISH,
    FOUR_BONUSES,
    KAM,
    LAST_SIZE,
    SETTLEMENT,
    STACKS,
    SUPREME_BONUSES,
    SWEEP,
    WINNER,
    settle_all,
)
from ...kernels.tiengow.tiles import CLASSES
from ..errors import InputError
from ..estimates import ChiSquare, Mean, homogeneity, mean_of, proportion
from ..results import Result
from .notation import code_of_bit
from .records import FINISHES
from .request import SEATS, Run
from .rules import RuleSet, switch_list
from .simulate import GROUPS, Tally

SWEEP_NAMES = ("none", "seven", "eight")
OUTCOME_COLUMNS = (
    "group", "hands", "winner", "last_size", "finish", "sweep", "kam", "supreme_bonuses", "four_bonuses",
    *(f"stacks_{seat}" for seat in SEATS),
    *(f"settlement_{seat}" for seat in SEATS),
    *(f"bonuses_{seat}" for seat in SEATS),
)  # fmt: skip
SHARE_COLUMNS = ("table", "value", "count", "n", "share", "low", "high")
PAYMENT_COLUMNS = ("bonus", "payments", "count", "n", "share", "low", "high")
FRAME_COLUMNS = (
    "table", "value", "count", "n", "estimate", "estimate_low", "estimate_high", "estimate_se",
    "estimate_sd",
)  # fmt: skip
POINT_COLUMNS = ("seat", "n", "mean", "low", "high", "se", "sd")


def outcomes(tally: Tally, *, rules: RuleSet | None = None, term: int | None = None) -> pd.DataFrame:
    """Settle every distinct outcome record of a tally.

    Parameters
    ----------
    tally : Tally
    rules : RuleSet, optional
        To settle under other rules than those played; they must agree in the switches that
        change play.
    term : int, optional
        The banker's term, that of the run by default.

    Returns
    -------
    pandas.DataFrame
        One row a record, columns `OUTCOME_COLUMNS`: the group of ``--by``, hands, who won (seat
        number, 0 the banker), size of the last trick (tiles), finish, sweep and kam (numbers;
        kam is the caught seat or -1), bonus payments, and stacks and points of each seat.

    Raises
    ------
    InputError
        If the rules differ from those played in a switch that changes play.

    Examples
    --------
    >>> from gupai.analysis import Run, simulate
    >>> table = outcomes(simulate(Run(hands=500)))
    >>> int(table["hands"].sum())
    500
    """
    played = tally.run.rules
    rules = rules or played
    for switch in switch_list():
        name = switch.name
        if switch.changes == "play" and getattr(rules, name) != getattr(played, name):
            raise InputError(f"{name} changes play: these hands must be played again under such rules")
    mask = np.uint64(2**32 - 1)
    results = (tally.keys & mask).astype(np.uint32) & np.uint32(SETTLED_BITS)
    upper = (tally.keys >> np.uint64(32)).astype(np.uint32)
    settled = np.zeros((tally.keys.size, COLUMNS), np.int64)
    settle_all(
        results,
        upper & np.uint32(2**HONOUR_BITS - 1),
        rules.switches(),
        tally.run.term if term is None else term,
        settled,
    )
    groups = (upper >> np.uint32(HONOUR_BITS)).astype(np.int64)
    order = [WINNER, LAST_SIZE, FINISH, SWEEP, KAM, SUPREME_BONUSES, FOUR_BONUSES]
    order += range(STACKS, STACKS + 4)
    order += range(SETTLEMENT, SETTLEMENT + 4)
    order += range(BONUSES, BONUSES + 4)
    data = np.column_stack([groups, tally.counts, settled[:, order]])
    return pd.DataFrame(data, columns=list(OUTCOME_COLUMNS))


class Tables(Result):
    """The probability tables of one run, or of one group of its hands.

    Parameters
    ----------
    tally : Tally
    rules : RuleSet, optional
        To settle under other rules than those played, see `outcomes`.

    Examples
    --------
    >>> from gupai.analysis import Run, simulate
    >>> tables = Tables(simulate(Run(hands=500)))
    >>> list(tables.points().columns)
    ['seat', 'n', 'mean', 'low', 'high', 'se', 'sd']
    >>> sum(tables.counts()["winner"].values())
    500
    """

    def __init__(self, tally: Tally, *, rules: RuleSet | None = None) -> None:
        self.run: Run = tally.run if rules is None else replace(tally.run, rules=rules)
        self.group: int | None = None  # of ``--by``; None: all hands
        self._tally = tally
        self._table = outcomes(tally, rules=rules)
        self._last_tiles = tally.last_tiles.sum(axis=0)
        self.hands = int(self._table["hands"].sum())

    def _of_group(self, group: int) -> Tables:
        part = copy(self)
        part.group = group
        part._table = self._table[self._table["group"] == group]
        part._last_tiles = self._tally.last_tiles[group]
        part.hands = int(part._table["hands"].sum())
        return part

    def split(self) -> dict[int, Tables]:
        """The tables of each value of the feature that the run is split by.

        Examples
        --------
        >>> from gupai.analysis import Run, simulate
        >>> split = Tables(simulate(Run(hands=500, by="fours"))).split()
        >>> sum(tables.hands for tables in split.values())
        500
        """
        groups = sorted(int(group) for group in self._table["group"].unique())
        return {group: self._of_group(group) for group in groups}

    def _counted(self, column: str, names: dict[int, str]) -> dict[str, int]:
        sums = self._table.groupby(column)["hands"].sum()
        return {name: int(sums.get(number, 0)) for number, name in names.items()}

    def counts(self) -> dict[str, Any]:
        """The counts of the interface's JSON: hands, and payments for ``bonus``."""
        hands = self._table["hands"]
        tiles = dict.fromkeys(CLASSES, 0)
        for bit, count in enumerate(self._last_tiles):
            tiles[code_of_bit(bit)] += int(count)
        return {
            "hands": self.hands,
            "winner": self._counted("winner", dict(enumerate(SEATS))),
            "last_size": self._counted("last_size", {n: str(n) for n in range(1, 5)}),
            "last_tile": tiles,
            "finish": self._counted("finish", dict(enumerate(FINISHES))),
            "sweep": self._counted("sweep", dict(enumerate(SWEEP_NAMES))),
            "kam": int(hands[self._table["kam"] >= 0].sum()),
            "bonus": {
                name: int((self._table[f"{name}_bonuses"] * hands).sum()) for name in ("supreme", "four")
            },
            "stacks": {
                seat: list(self._counted(f"stacks_{seat}", {n: str(n) for n in range(9)}).values())
                for seat in SEATS
            },
        }

    def point_means(self) -> dict[str, Mean]:
        """Points a hand of each seat, bonuses included."""
        counts = self._table["hands"].tolist()
        return {
            seat: mean_of(
                (self._table[f"settlement_{seat}"] + self._table[f"bonuses_{seat}"]).tolist(), counts
            )
            for seat in SEATS
        }

    def shares(self) -> pd.DataFrame:
        """Every probability with its interval, columns `SHARE_COLUMNS`."""
        counts = self.counts()
        rows: list[tuple[str, str, int]] = []
        for table in ("winner", "finish", "sweep"):
            rows += [(table, value, count) for value, count in counts[table].items()]
        rows.append(("kam", "kam", counts["kam"]))
        if self.run.rules.hand_patterns:
            rows.append(("last_size", "0", self.hands - sum(counts["last_size"].values())))
        for table in ("last_size", "last_tile"):
            rows += [(table, value, count) for value, count in counts[table].items()]
        for seat, stacks in counts["stacks"].items():
            rows += [(f"stacks {seat}", str(n), count) for n, count in enumerate(stacks)]
        estimates = [proportion(count, self.hands) for _, _, count in rows]
        return pd.DataFrame(
            [
                (table, value, count, self.hands, e.value, e.low, e.high)
                for (table, value, count), e in zip(rows, estimates, strict=True)
            ],
            columns=list(SHARE_COLUMNS),
        )

    def payments(self) -> pd.DataFrame:
        """賀尊 and 四大賀: payments, and the share of hands with one, columns `PAYMENT_COLUMNS`."""
        hands = self._table["hands"]
        rows = []
        for name in ("supreme", "four"):
            paid = self._table[f"{name}_bonuses"]
            with_one = int(hands[paid > 0].sum())
            e = proportion(with_one, self.hands)
            rows.append((name, int((paid * hands).sum()), with_one, self.hands, e.value, e.low, e.high))
        return pd.DataFrame(rows, columns=list(PAYMENT_COLUMNS))

    def points(self) -> pd.DataFrame:
        """Points a hand of each seat, columns `POINT_COLUMNS`; the spread is `sd`."""
        rows = [(seat, e.n, e.mean, e.low, e.high, e.se, e.sd) for seat, e in self.point_means().items()]
        return pd.DataFrame(rows, columns=list(POINT_COLUMNS))

    def to_frame(self) -> pd.DataFrame:
        """All tables in one, a row each chance, bonus and seat: columns `FRAME_COLUMNS`.

        Points are in the rows of table ``points``, their standard error and deviation beside them.

        Examples
        --------
        >>> from gupai.analysis import Run, simulate
        >>> frame = Tables(simulate(Run(hands=500))).to_frame()
        >>> frame[frame["table"] == "points"]["value"].tolist()
        ['banker', 'right', 'across', 'left']
        """
        shares = self.shares().rename(columns={"share": "estimate"})
        payments = self.payments().rename(columns={"bonus": "value", "share": "estimate"})
        points = self.points().rename(columns={"seat": "value", "mean": "estimate"})
        parts = [shares, payments.assign(table="bonus"), points.assign(table="points")]
        beside = {name: f"estimate_{name}" for name in ("low", "high", "se", "sd")}
        return pd.concat(parts, ignore_index=True).rename(columns=beside)[list(FRAME_COLUMNS)]

    def archived(self) -> dict[str, Any]:
        """What `save` writes; of a group, the whole run."""
        return {"tally": self._tally, "rules": self.run.rules, "group": self.group}

    @classmethod
    def unarchived(cls, tally: Tally, rules: RuleSet, group: int | None) -> Tables:
        """What `load` makes."""
        whole = cls(tally, rules=rules)
        return whole if group is None else whole._of_group(group)

    def _json_tables(self) -> dict[str, Any]:
        points = {
            seat: {
                "mean": e.mean,
                "se": None if np.isnan(e.se) else e.se,
                "sd": None if np.isnan(e.sd) else e.sd,
            }
            for seat, e in self.point_means().items()
        }
        return {"counts": self.counts(), "points": points}

    def to_json(self) -> dict[str, Any]:
        """The JSON object of the interface; a run that is split adds one entry a group."""
        result = {"provenance": self.run.provenance(), **self._json_tables()}
        if self.run.by is not None:
            groups = self.split().items()
            result["groups"] = {str(group): tables._json_tables() for group, tables in groups}
        return result

    def _cells(self) -> dict[tuple[int, int], int]:
        """Hands by winner and stacks of the banker, to compare runs by."""
        sums = self._table.groupby(["winner", "stacks_banker"])["hands"].sum()
        return {(winner, stacks): int(sums.get((winner, stacks), 0))
                for winner in range(4) for stacks in range(9)}  # fmt: skip


def compare_deals(tables: list[Tables]) -> ChiSquare:
    """Whether runs that differ in the deal pattern alone agree, by winner and banker's stacks.

    Examples
    --------
    >>> from gupai.analysis import Run, simulate
    >>> runs = [Run(hands=2000, deal=deal) for deal in ("top_layers", "ends_in")]
    >>> compare_deals([Tables(simulate(run)) for run in runs]).p_value > 1e-6
    True
    """
    return homogeneity([list(table._cells().values()) for table in tables])


assert GROUPS <= 1 << 32 - HONOUR_BITS
