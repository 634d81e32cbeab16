"""House rules compared: the same hands under two rule sets, and every difference paired.

Where the rules differ in the settlement alone, and no policy looks at what differs, the hands are
played once and settled twice.  Else the same deals are played twice, with the same random streams.
"""

from __future__ import annotations

import dataclasses
import math
import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...kernels.tiengow.foreign import USER
from ...kernels.tiengow.outcome import SETTLED_BITS
from ...kernels.tiengow.players import FAMILY
from ...kernels.tiengow.search import SEARCH
from ...kernels.tiengow.settlement import COLUMNS
from ..bounded import bounded_mean
from ..checks import THREADS, checked, optional
from ..digits import percentage_to
from ..errors import InputError
from ..estimates import CONFIDENCE, Mean, joint, proportion
from ..phrases import Phrase, listed, phrase
from ..results import Result
from ..runs import Progress, default_threads, run_blocks
from ..wording import around
from .extremes import Range, possible_changes
from .paired import SOURCES, Sums, money_by_source, quantities, settled
from .playing import Player, block_of, prepare
from .policies import Policy
from .presets import rules_words, setting_text
from .request import RULES, RUN, SEAT_WORDS, SEATS, Run
from .rules import RuleSet, switch_list
from .simulate import Tally, simulate
from .studies import once_in

if TYPE_CHECKING:
    import pandas as pd

# What a policy of the heuristic family looks at, of the switches that change the settlement alone.
_FAMILY_LOOKS_AT = {"supreme_bonus", "four_bonus", "banker"}
SETTLED_TWICE, REPLAYED = "settled twice", "replayed"
CAUGHT, WON = "caught leader", "winner"
_EACH_TIME = {  # whether it is a gain
    (CAUGHT, True): phrase(
        "Each time, {rare}, the leader who is caught (擒) loses less by {points} points."
    ),
    (CAUGHT, False): phrase(
        "Each time, {rare}, the leader who is caught (擒) loses another {points} points."
    ),
    (WON, True): phrase("Each time, {rare}, the winner of such a hand wins another {points} points."),
    (WON, False): phrase("Each time, {rare}, the winner of such a hand wins less by {points} points."),
}
_SEEN = {
    (CAUGHT, True): phrase(
        "In the {n} hands seen the leader who is caught (擒) lost less by {least} to {most} points: "
        "too few hands to say more."
    ),
    (CAUGHT, False): phrase(
        "In the {n} hands seen the leader who is caught (擒) lost another {least} to {most} points: "
        "too few hands to say more."
    ),
    (WON, True): phrase(
        "In the {n} hands seen the winner won another {least} to {most} points: too few hands to "
        "say more."
    ),
    (WON, False): phrase(
        "In the {n} hands seen the winner won less by {least} to {most} points: too few hands to "
        "say more."
    ),
}
_NEARLY_ALL = 0.99
Sides = tuple[Sequence[Policy], Sequence[Policy]]


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A quantity under both rule sets.

    Attributes
    ----------
    a, b : float
        Its mean under each.
    difference, low, high : float
        Of b minus a, hand by hand, with the 95 % interval; both ends are 0 where no hand can differ.
    sd : float
        Standard deviation of the difference in one hand; 0 where none was seen to differ.
    """

    a: float
    b: float
    difference: float
    low: float
    high: float
    sd: float


@dataclass(frozen=True, kw_only=True)
class Comparison(Result):
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
    event : tuple of str and Mean, or None
        Where the points differ, whose: ``caught leader`` or ``winner``, and by how much; None where
        it is neither's in nearly all of these hands, or now a gain and now a loss.
    together : dict
        For each seat the interval of its difference, all four of which hold together with 95 %: for
        claims about the seat that differs most.
    event_range : tuple of int, or None
        The least and the most that the event was seen to bring.
    money_changes : dict
        For each of `SOURCES`, and ``in all``, the difference in a hand with its interval.
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
    event: tuple[str, Mean] | None
    together: dict[str, tuple[float, float]] = dataclasses.field(default_factory=dict)
    event_range: tuple[int, int] | None = None
    money_changes: dict[str, Mean] = dataclasses.field(default_factory=dict)

    def command(self) -> str:
        """The command line that gives the same numbers again."""
        sides = self.sides()
        words = self.run.command().split(" --policy ", 1)[1]
        return f"gupai compare {sides[0]} {sides[1]} --policy {words}"

    def _money_change(self, source: str) -> dict[str, float]:
        change = self.money_changes.get(source)
        return {} if change is None else {"low": change.low, "high": change.high}

    def sides(self) -> tuple[str, str]:
        """The two rule sets as they are written on a command line."""
        return _rules_words(self.a), _rules_words(self.b)

    def sentence(self) -> Phrase:
        """What the change does, in one sentence."""
        names = changed_switches(self.a, self.b)
        if not names:
            return phrase("The two rule sets are the same, and so is every hand.")
        changes = listed(
            [
                f"{name} {setting_text(self.a.to_json()[name])} → {setting_text(self.b.to_json()[name])}"
                for name in names
            ]
        )
        hands = f"{self.run.hands:,}"
        if self.changed == 0:
            if all(value.low == value.high for value in self.points.values()):
                return phrase("{changes}: the points of a hand cannot differ.", changes=changes)
            return phrase(
                "{changes}: the points change in none of {hands} hands (in under {limit} % of all).",
                changes=changes, hands=hands, limit=percentage_to(proportion(0, self.run.hands).high),
            )  # fmt: skip
        told = phrase(
            "{changes}: the points change in {share} % of hands; {effect}.",
            changes=changes, share=percentage_to(self.changed / self.run.hands), effect=self._effect(),
        )  # fmt: skip
        event = self._event_in_words()
        return told if event is None else phrase("{first} {second}", first=told, second=event)

    def _effect(self) -> Phrase:
        """On whose points the change tells, by intervals that hold for all four seats together."""
        seats = {
            seat: (value.difference, *self.together.get(seat, (value.low, value.high)))
            for seat, value in self.points.items()
        }
        clear = {seat: found for seat, found in seats.items() if not found[1] <= 0 <= found[2]}
        seat, (most, low, high) = max((clear or seats).items(), key=lambda item: abs(item[1][0]))
        word = SEAT_WORDS[seat]
        if not clear:
            by = around(most, low, high, signed=True)
            return phrase("no seat's points change clearly ({seat} {by})", seat=word, by=by)
        if most > 0:
            by = around(most, low, high)
            return phrase("most seen for {seat}, which gains {by} points a hand", seat=word, by=by)
        by = around(-most, -high, -low)
        return phrase("most seen for {seat}, which loses {by} points a hand", seat=word, by=by)

    def _event_in_words(self) -> Phrase | None:
        """What one such hand costs or brings, in one sentence."""
        if self.event is None:
            return None
        who, by = self.event
        gain = by.mean > 0
        if by.low <= 0 <= by.high:  # what was seen does not even say whether it is a gain
            if self.event_range is None:
                return None
            least, most = sorted(map(abs, self.event_range))
            return phrase(_SEEN[who, gain], n=f"{by.n:,}", least=least, most=most)
        points = around(by.mean, by.low, by.high) if gain else around(-by.mean, -by.high, -by.low)
        return phrase(_EACH_TIME[who, gain], rare=once_in(by.n, self.run.hands), points=points)

    def to_frame(self) -> pd.DataFrame:
        """A row each chance and seat: its value under both rule sets, and the paired difference."""
        import pandas as pd

        rows = [{"quantity": name, **vars(value)} for name, value in self.probabilities.items()]
        rows += [{"quantity": f"points {seat}", **vars(value)} for seat, value in self.points.items()]
        beside = {name: f"difference_{name}" for name in ("low", "high", "sd")}
        return pd.DataFrame(rows).rename(columns=beside)

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
                seat: row(value)
                | {"sd_a": self.spread[seat][0], "sd_b": self.spread[seat][1]}
                | {"together": dict(zip(("low", "high"), self.together.get(seat, ()), strict=False))}
                for seat, value in self.points.items()
            },
            "probabilities": {name: row(value) for name, value in self.probabilities.items()},
            "money": {
                name: {"a": a, "b": b} | self._money_change(name) for name, (a, b) in self.money.items()
            },
            "largest": {"a": self.largest[0], "b": self.largest[1]},
            "variance_reduction": self.pairing if math.isfinite(self.pairing) else None,
            "changed": self.changed,
            "event": self.event
            and {"seat": self.event[0], "hands": self.event[1].n} | self.event[1].to_json(),
            "sentence": self.sentence(),
            "command": self.command(),
            "provenance": self.run.provenance(),
        }


def _rules_words(rules: RuleSet) -> str:
    return shlex.quote(";".join(rules_words(rules)))


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
    names = set(changed_switches(a, b)) - {"first_banker_leads"}  # of sessions alone
    kinds = {player.kind for player in run.players()}
    if USER not in kinds and not {"one_red", "no_red"} & {*a.hand_patterns, *b.hand_patterns}:
        names -= {"heaven_red"}  # nothing counts red pips
    plays = {switch.name for switch in switch_list() if switch.changes == "play"}
    if names & plays or (names and kinds & {SEARCH, USER}):
        return True
    return FAMILY in kinds and bool(names & _FAMILY_LOOKS_AT)


class _Replayer:
    """Plays the same hands under both rule sets on one thread."""

    def __init__(self, a: Run, b: Run, players: Sides) -> None:
        self._runs = a, b
        self._players = Player(a, players=players[0]), Player(b, players=players[1])
        self.sums = Sums(list(quantities(np.zeros((1, COLUMNS), np.int64))))

    def play(self, start: int, hands: int) -> None:
        rows, money = [], []
        for run, player in zip(self._runs, self._players, strict=True):
            kept = player.keep(start, hands)
            keys = kept[:, 0].astype(np.uint64) & np.uint64(SETTLED_BITS)
            keys |= kept[:, 1].astype(np.uint64) << np.uint64(32)
            distinct, place = np.unique(keys, return_inverse=True)
            place = place.ravel()
            rows.append(settled(distinct, run.rules, run.term)[place])
            money.append(money_by_source(distinct, run.rules, run.term)[place])
        self.sums.add(rows[0], rows[1], np.ones(hands, np.int64), (money[0], money[1]))


@checked(
    a=RULES, b=RULES, run=optional(RUN), threads=THREADS,
)  # fmt: skip
def compare(
    a: RuleSet,
    b: RuleSet,
    *,
    run: Run | None = None,
    tally: Tally | None = None,
    players: Sides | None = None,
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
    players : tuple of two sequences of Policy, optional
        Who plays under `a` and under `b`, in place of the run's policies under both; such hands are
        always replayed.
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
    sums = Sums(list(quantities(np.zeros((1, COLUMNS), np.int64))))
    if players is not None or must_be_replayed(a, b, first):
        method = REPLAYED
        prepare(first)
        number = default_threads() if threads is None else threads
        # The same play under both: the tuned policy is that of the first rule set.
        sides = players or (first.players(), first.players())
        block = min(map(block_of, sides))
        number = min(number, -(-first.hands // block))
        workers = [_Replayer(first, second, sides) for _ in range(number)]
        _, interrupted = run_blocks(list(workers), first.hands, block=block, progress=progress)
        if interrupted:
            raise KeyboardInterrupt
        for worker in workers:
            sums.merge(worker.sums)
    else:
        method = SETTLED_TWICE
        if tally is None or tally.run != first:
            tally = simulate(first, threads=threads, progress=progress)
        if tally.interrupted:
            raise KeyboardInterrupt
        rows = [settled(tally.keys, rules, first.term) for rules in (a, b)]
        money = [money_by_source(tally.keys, rules, first.term) for rules in (a, b)]
        sums.add(rows[0], rows[1], tally.counts, (money[0], money[1]))
    return _comparison(a, b, first, method, sums)


def _comparison(a: RuleSet, b: RuleSet, run: Run, method: str, sums: Sums) -> Comparison:
    n = sums.hands
    possible = possible_changes(a, b, term=run.term, replayed=method == REPLAYED)
    found: dict[str, Compared] = {}
    variances: dict[str, tuple[float, float, float]] = {}
    together: dict[str, tuple[float, float]] = {}
    for number, name in enumerate(sums.names):
        spread = [  # from whole numbers, with one division
            (n * squares[number] - total[number] ** 2) / (n * (n - 1))
            for total, squares in ((sums.a, sums.aa), (sums.b, sums.bb), (sums.d, sums.dd))
        ]
        moved = sums.moved_by(number)
        difference = _mean(moved, n, possible.quantities[name])
        found[name] = Compared(
            a=float(sums.a[number] / n),
            b=float(sums.b[number] / n),
            difference=difference.mean,
            low=difference.low,
            high=difference.high,
            sd=math.sqrt(spread[2]),
        )
        variances[name] = spread[0], spread[1], spread[2]
        if name.startswith("points "):
            wide = _mean(moved, n, possible.quantities[name], confidence=joint(len(SEATS)))
            together[name.removeprefix("points ")] = wide.low, wide.high
    one, other, paired = variances["points banker"]
    event = None
    if method == SETTLED_TWICE:
        event = _event(sums, dict(zip((CAUGHT, WON), (possible.caught, possible.winner), strict=True)))
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
        event=event and event[:2],
        together=together,
        event_range=event and event[2],
        money_changes={
            name: _mean(moved, n, allowed)
            for (name, allowed), moved in zip(possible.money.items(), sums.money_moved, strict=True)
        },
    )


def _mean(moved: Counter[int], hands: int, allowed: Range, *, confidence: float = CONFIDENCE) -> Mean:
    """The mean of a difference that was seen so often to have each value, and else 0."""
    values = moved | Counter({0: hands - moved.total()})
    return bounded_mean(
        values.keys(), values.values(), least=allowed.least, most=allowed.most, confidence=confidence
    )


def _event(sums: Sums, allowed: dict[str, Range]) -> tuple[str, Mean, tuple[int, int]] | None:
    for (who, bounds), moved in zip(allowed.items(), sums.events, strict=True):
        hands, total = moved.total(), sum(by * count for by, count in moved.items())
        sizes = sum(abs(by) * count for by, count in moved.items())
        # In nearly all of these hands, and always in the same direction.
        if hands > 0 and hands >= _NEARLY_ALL * sums.changed and abs(total) >= _NEARLY_ALL * sizes:
            return who, _mean(moved, hands, bounds), (min(moved), max(moved))
    return None
