"""House rules compared: the same hands under two rule sets, and every difference paired.

Where the rules differ in the settlement alone, and no policy looks at what differs, the hands are
played once and settled twice.  Else the same deals are played twice, with the same random streams.
"""

from __future__ import annotations

import dataclasses
import math
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.tiengow.foreign import USER
from ...kernels.tiengow.outcome import HONOUR_BITS, SETTLED_BITS
from ...kernels.tiengow.players import FAMILY
from ...kernels.tiengow.search import SEARCH
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
from ..errors import InputError
from ..estimates import CONFIDENCE, normal_quantile
from ..runs import BLOCK, Progress, default_threads, run_blocks
from .playing import Player, prepare
from .presets import nearest_preset
from .records import FINISHES
from .request import SEATS, Run, setting_text
from .rules import RuleSet, switch_list
from .simulate import Tally, simulate

SOURCES = ("stacks", "入", "banker", "finish", "sweep", "擒", "bonuses")
# What a policy of the heuristic family looks at, of the switches that change the settlement alone.
_FAMILY_LOOKS_AT = {"supreme_bonus", "four_bonus", "banker"}


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A quantity under both rule sets.

    Attributes
    ----------
    a, b : float
        Its mean under each.
    difference, low, high : float
        Of b minus a, hand by hand, with the 95 % interval.
    sd : float
        Standard deviation of the difference in one hand.
    """

    a: float
    b: float
    difference: float
    low: float
    high: float
    sd: float


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two rule sets compared.

    Attributes
    ----------
    a, b : RuleSet
    run : Run
        Policies, deal, term, seed and hands; its rules are `a`.
    method : str
        ``settled twice`` or ``replayed``.
    points : dict
        For each seat its points, a `Compared`.
    spread : dict
        For each seat the standard deviation of one hand under a and b.
    probabilities : dict
        Named shares of the hands.
    money : dict
        For each of `SOURCES` the points that change hands in a hand, under a and b.
    largest : tuple of int
        The largest single win of a seat under a and b.
    pairing : float
        By how much pairing narrowed the variance of the banker's difference (1: not at all).
    changed : int
        Hands whose points differ.
    """

    a: RuleSet
    b: RuleSet
    run: Run
    method: str
    points: dict[str, Compared]
    spread: dict[str, tuple[float, float]]
    probabilities: dict[str, Compared]
    money: dict[str, tuple[float, float]]
    largest: tuple[int, int]
    pairing: float
    changed: int

    def command(self) -> str:
        """The command line that gives the same numbers again."""
        sides = [_rules_words(rules) for rules in (self.a, self.b)]
        words = self.run.command().split(" --policy ", 1)[1]
        return f"gupai compare {sides[0]} {sides[1]} --policy {words}"

    def sentence(self) -> str:
        """What the change does, in one sentence."""
        names = changed_switches(self.a, self.b)
        if not names:
            return "The two rule sets are the same, and so is every hand."
        changes = ", ".join(
            f"{name} {setting_text(self.a.to_json()[name])} → {setting_text(self.b.to_json()[name])}"
            for name in names
        )
        share = self.changed / self.run.hands
        rare = f"in {100 * share:.3g} % of hands" if self.changed else "in no hand"
        seat, most = max(self.points.items(), key=lambda item: abs(item[1].difference))
        half = (most.high - most.low) / 2
        if most.low <= 0 <= most.high:
            effect = f"no seat's points change clearly ({seat} {most.difference:+.3g} ± {half:.2g})"
        else:
            verb = "gains" if most.difference > 0 else "loses"
            effect = (
                f"most for {seat}, which {verb} {abs(most.difference):.3g} ± {half:.2g} points a hand"
            )
        return f"{changes}: the points change {rare}; {effect}."

    def to_json(self) -> dict[str, Any]:
        """The JSON object of the interface, with more keys."""

        def row(value: Compared) -> dict[str, float]:
            return {name: getattr(value, name) for name in ("a", "b", "difference", "low", "high")}

        return {
            "a": self.a.to_json(),
            "b": self.b.to_json(),
            "method": self.method,
            "hands": self.run.hands,
            "points": {
                seat: row(value) | {"sd_a": self.spread[seat][0], "sd_b": self.spread[seat][1]}
                for seat, value in self.points.items()
            },
            "probabilities": {name: row(value) for name, value in self.probabilities.items()},
            "money": {name: {"a": a, "b": b} for name, (a, b) in self.money.items()},
            "largest": {"a": self.largest[0], "b": self.largest[1]},
            "variance_reduction": self.pairing if math.isfinite(self.pairing) else None,
            "changed": self.changed,
            "sentence": self.sentence(),
            "command": self.command(),
            "provenance": self.run.provenance(),
        }


def _rules_words(rules: RuleSet) -> str:
    preset, changed = nearest_preset(rules)
    words = [preset, *(f"{name}={setting_text(value)}" for name, value in changed.items())]
    return shlex.quote(";".join(words)) if changed else preset


def changed_switches(a: RuleSet, b: RuleSet) -> list[str]:
    """The switches in which two rule sets differ.

    Examples
    --------
    >>> changed_switches(RuleSet(), RuleSet(kam=4))
    ['kam']
    """
    return [
        switch.name for switch in switch_list() if getattr(a, switch.name) != getattr(b, switch.name)
    ]


def must_be_replayed(a: RuleSet, b: RuleSet, run: Run) -> bool:
    """Whether a difference between two rule sets may change a play of these policies.

    Examples
    --------
    >>> one = RuleSet()
    >>> [must_be_replayed(one, other, Run()) for other in (RuleSet(kam=4), RuleSet(two_stacks=False))]
    [False, True]
    """
    names = set(changed_switches(a, b))
    plays = {switch.name for switch in switch_list() if switch.changes == "play"}
    kinds = {player.kind for player in run.players()}
    if names & plays or (names and kinds & {SEARCH, USER}):
        return True
    return FAMILY in kinds and bool(names & _FAMILY_LOOKS_AT)


class _Sums:
    """Sums over hands of every quantity under both rule sets, and of the differences."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.hands = self.changed = 0
        self.a, self.b, self.aa, self.bb, self.d, self.dd = np.zeros((6, len(names)))
        self.largest = np.zeros(2, np.int64)
        self.money = np.zeros((2, len(SOURCES)))

    def add(
        self,
        a: NDArray[np.int64],
        b: NDArray[np.int64],
        counts: NDArray[np.int64],
        money: tuple[NDArray[np.float64], NDArray[np.float64]],
    ) -> None:
        """Settled rows under both rules, and how many hands each row stands for."""
        values = [np.column_stack(list(quantities(rows).values())).astype(float) for rows in (a, b)]
        weight = counts.astype(float)
        difference = values[1] - values[0]
        self.hands += int(counts.sum())
        self.a += weight @ values[0]
        self.b += weight @ values[1]
        self.aa += weight @ values[0] ** 2
        self.bb += weight @ values[1] ** 2
        self.d += weight @ difference
        self.dd += weight @ difference**2
        points = [
            rows[:, SETTLEMENT : SETTLEMENT + 4] + rows[:, BONUSES : BONUSES + 4] for rows in (a, b)
        ]
        self.changed += int(counts[(points[0] != points[1]).any(axis=1)].sum())
        self.largest = np.maximum(self.largest, [int(p.max(initial=0)) for p in points])
        self.money += np.array([weight @ part for part in money])

    def merge(self, other: _Sums) -> None:
        """Add the sums of other hands."""
        for name in ("hands", "changed", "a", "b", "aa", "bb", "d", "dd", "money"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.largest = np.maximum(self.largest, other.largest)


def points_of(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Points with bonuses of the four seats, one row a settled hand."""
    return rows[:, SETTLEMENT : SETTLEMENT + 4] + rows[:, BONUSES : BONUSES + 4]


def quantities(rows: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    """What is compared, one number a settled hand: points of each seat, then what happened."""
    found: dict[str, NDArray[Any]] = {
        f"points {seat}": points for seat, points in zip(SEATS, points_of(rows).T, strict=True)
    }
    found |= {f"winner {seat}": rows[:, WINNER] == n for n, seat in enumerate(SEATS)}
    found |= {f"finish {name}": rows[:, FINISH] == n for n, name in enumerate(FINISHES)}
    found |= {"sweep seven": rows[:, SWEEP] == 1, "sweep eight": rows[:, SWEEP] == 2}
    found |= {"kam": rows[:, KAM] >= 0}
    found |= {"bonus supreme": rows[:, SUPREME_BONUSES] > 0, "bonus four": rows[:, FOUR_BONUSES] > 0}
    found |= {f"no stack {seat}": rows[:, STACKS + n] == 0 for n, seat in enumerate(SEATS)}
    found |= {f"last size {n}": rows[:, LAST_SIZE] == n for n in range(1, 5)}
    return {name: values.astype(np.int64) for name, values in found.items()}


def _settled(keys: NDArray[np.uint64], rules: RuleSet, term: int) -> NDArray[np.int64]:
    low = (keys & np.uint64(2**32 - 1)).astype(np.uint32) & np.uint32(SETTLED_BITS)
    high = (keys >> np.uint64(32)).astype(np.uint32) & np.uint32(2**HONOUR_BITS - 1)
    rows = np.zeros((keys.size, COLUMNS), np.int64)
    settle_all(low, high, rules.switches(), term, rows)
    return rows


def money_by_source(keys: NDArray[np.uint64], rules: RuleSet, term: int) -> NDArray[np.float64]:
    """Points that change hands in each record by `SOURCES`, which add up to all of them.

    The settlement is built up: stacks alone, then the banker's multiplier, the finish, the sweep,
    擒 and the bonuses; each source is what it adds.  What seats with five stacks and more collect
    (入), without multipliers, is told apart from the stacks.

    Examples
    --------
    >>> from gupai.analysis import simulate
    >>> tally = simulate(Run(hands=500))
    >>> parts = money_by_source(tally.keys, RuleSet(), 1)
    >>> parts.shape[1] == len(SOURCES)
    True
    """
    bare = {
        "banker": "off", "yao": 1, "supreme_finish": 1, "four_finish": 1, "seven": 1, "eight": 1,
        "kam": 1, "supreme_bonus": 0, "four_bonus": 0,
    }  # fmt: skip
    steps: list[Sequence[str]] = [
        (), ("banker",), ("yao", "supreme_finish", "four_finish"), ("seven", "eight"), ("kam",),
        ("supreme_bonus", "four_bonus"),
    ]  # fmt: skip
    moved = []
    for step in steps:
        for name in step:
            bare.pop(name)
        rows = _settled(keys, rules.model_copy(update=bare), term)
        points = points_of(rows)
        moved.append(np.abs(points).sum(axis=1) / 2)
        if not step:
            seats = np.arange(4)
            stacks = rows[:, STACKS : STACKS + 4]
            loses = seats != rows[:, WINNER, None]
            excess = (np.maximum(stacks - 4, 0) * loses).sum(axis=1)
    # The winner collects from some and pays others: what is paid as 入 is a part of its own.
    added = np.diff(np.column_stack(moved), axis=1)
    stacks_alone = moved[0] - excess
    return np.column_stack([stacks_alone, excess, added])


class _Replayer:
    """Plays the same hands under both rule sets on one thread."""

    def __init__(self, a: Run, b: Run) -> None:
        self._runs = a, b
        # The same play under both: the tuned policy is that of the first rule set.
        self._players = Player(a), Player(b, players=a.players())
        self.sums = _Sums(list(quantities(np.zeros((1, COLUMNS), np.int64))))

    def play(self, start: int, hands: int) -> None:
        rows, money = [], []
        for run, player in zip(self._runs, self._players, strict=True):
            kept = player.keep(start, hands)
            keys = kept[:, 0].astype(np.uint64) & np.uint64(SETTLED_BITS)
            keys |= kept[:, 1].astype(np.uint64) << np.uint64(32)
            distinct, place = np.unique(keys, return_inverse=True)
            place = place.ravel()
            rows.append(_settled(distinct, run.rules, run.term)[place])
            money.append(money_by_source(distinct, run.rules, run.term)[place])
        self.sums.add(rows[0], rows[1], np.ones(hands, np.int64), (money[0], money[1]))


def compare(
    a: RuleSet,
    b: RuleSet,
    *,
    run: Run | None = None,
    tally: Tally | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Comparison:
    """What changes from one rule set to another, with the same play.

    Parameters
    ----------
    a, b : RuleSet
    run : Run, optional
        Policies, deal, term, seed and hands; a million of `greedy` by default.  Its rules are not
        looked at.
    tally : Tally, optional
        The run's own hands, already played under `a`, to be settled again where that is enough.
    threads : int, optional
        Threads; all processors by default.  The result does not depend on it.
    progress : callable, optional
        Called several times a second.

    Raises
    ------
    InputError
        As `Run` raises, and for fewer than two hands or a split.

    Examples
    --------
    >>> result = compare(RuleSet(), RuleSet(kam=4), run=Run(policies=("random",) * 4, hands=2000))
    >>> result.method, result.probabilities["kam"].difference
    ('settled twice', 0.0)
    """
    first = dataclasses.replace(run or Run(), rules=a)
    if first.hands < 2 or first.by is not None:
        raise InputError("a comparison takes two hands or more, and no split")
    second = dataclasses.replace(first, rules=b)
    sums = _Sums(list(quantities(np.zeros((1, COLUMNS), np.int64))))
    if must_be_replayed(a, b, first):
        method = "replayed"
        prepare(first)
        number = default_threads() if threads is None else threads
        number = min(number, -(-first.hands // BLOCK))
        workers = [_Replayer(first, second) for _ in range(number)]
        _, interrupted = run_blocks(list(workers), first.hands, progress=progress)
        if interrupted:
            raise KeyboardInterrupt
        for worker in workers:
            sums.merge(worker.sums)
    else:
        method = "settled twice"
        if tally is None or tally.run != first:
            tally = simulate(first, threads=threads, progress=progress)
        if tally.interrupted:
            raise KeyboardInterrupt
        rows = [_settled(tally.keys, rules, first.term) for rules in (a, b)]
        money = [money_by_source(tally.keys, rules, first.term) for rules in (a, b)]
        sums.add(rows[0], rows[1], tally.counts, (money[0], money[1]))
    return _comparison(a, b, first, method, sums)


def _comparison(a: RuleSet, b: RuleSet, run: Run, method: str, sums: _Sums) -> Comparison:
    n = sums.hands
    found: dict[str, Compared] = {}
    variances: dict[str, tuple[float, float, float]] = {}
    for number, name in enumerate(sums.names):
        means = sums.a[number] / n, sums.b[number] / n
        difference = sums.d[number] / n
        spread = [
            max((squares[number] - n * mean * mean) / max(n - 1, 1), 0.0)
            for squares, mean in (
                (sums.aa, means[0]), (sums.bb, means[1]), (sums.dd, difference),
            )
        ]  # fmt: skip
        reach = normal_quantile(CONFIDENCE) * math.sqrt(spread[2] / n)
        found[name] = Compared(
            a=float(means[0]),
            b=float(means[1]),
            difference=float(difference),
            low=float(difference - reach),
            high=float(difference + reach),
            sd=math.sqrt(spread[2]),
        )
        variances[name] = spread[0], spread[1], spread[2]
    one, other, paired = variances["points banker"]
    return Comparison(
        a=a,
        b=b,
        run=run,
        method=method,
        points={seat: found[f"points {seat}"] for seat in SEATS},
        spread={
            seat: (math.sqrt(variances[f"points {seat}"][0]), math.sqrt(variances[f"points {seat}"][1]))
            for seat in SEATS
        },
        probabilities={name: value for name, value in found.items() if not name.startswith("points ")},
        money={
            name: (float(sums.money[0, n_] / n), float(sums.money[1, n_] / n))
            for n_, name in enumerate(SOURCES)
        },
        largest=(int(sums.largest[0]), int(sums.largest[1])),
        pairing=(one + other) / paired if paired > 0 else math.inf,
        changed=sums.changed,
    )
