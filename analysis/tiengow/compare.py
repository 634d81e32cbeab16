"""House rules compared: the same hands under two rule sets, and every difference paired.

Where the rules differ in the settlement alone, and no policy looks at what differs, the hands are
played once and settled twice.  Else the same deals are played twice, with the same random streams.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...kernels.tiengow.foreign import USER
from ...kernels.tiengow.outcome import SETTLED_BITS
from ...kernels.tiengow.players import FAMILY
from ...kernels.tiengow.search import SEARCH
from ...kernels.tiengow.settlement import COLUMNS
from ..bounded import bounded_mean
from ..checks import THREADS, checked, optional
from ..errors import InputError
from ..estimates import CONFIDENCE, Mean, joint
from ..runs import Progress, default_threads, run_blocks
from .comparison import (
    CAUGHT,
    REPLAYED,
    SETTLED_TWICE,
    WON,
    Compared,
    Comparison,
    changed_switches,
)
from .extremes import Range, possible_changes
from .paired import SOURCES, Sums, money_by_source, quantities, settled
from .playing import Player, block_of, prepare
from .policies import Policy
from .request import RULES, RUN, SEATS, Run
from .rules import RuleSet, switch_list
from .simulate import Tally, simulate

if TYPE_CHECKING:
    pass

# What a policy of the heuristic family looks at, of the switches that change the settlement alone.
_FAMILY_LOOKS_AT = {"supreme_bonus", "four_bonus", "banker"}
_NEARLY_ALL = 0.99
Sides = tuple[Sequence[Policy], Sequence[Policy]]


def must_be_replayed(a: RuleSet, b: RuleSet, run: Run) -> bool:
    """Whether a difference between two rule sets may change a play of these policies.

    Examples
    --------
    >>> one, run = RuleSet(), Run(policies=("greedy",) * 4)
    >>> [must_be_replayed(one, other, run) for other in (RuleSet(kam=4), RuleSet(two_stacks=False))]
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
        Policies, deal, term, seed and hands; a million of `tuned` by default.  Its rules are not
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
