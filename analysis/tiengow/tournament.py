"""Tournaments: every policy against every other, from every seat, on the same deals."""

from __future__ import annotations

import itertools
import math
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.tiengow.settlement import BONUSES, KAM, SETTLEMENT, SWEEP, WINNER
from ..checks import SEED, THREADS, checked, optional, texts, whole
from ..errors import InputError
from ..estimates import Mean, Proportion, clustered_proportion, joint, known
from ..results import Result, columns
from ..runs import Progress, default_threads, run_blocks
from .duplicate import Duplicates, against
from .extremes import mean_points
from .policies import Policy, find_policy
from .presets import rules_words
from .request import RULES, TERM
from .rules import RuleSet
from .telling import shares_of_variance, to_tell

if TYPE_CHECKING:
    import pandas as pd

_BLOCK = 256  # deals
MOST_POLICIES = 24


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A policy's place in a tournament.

    Attributes
    ----------
    policy : str
    points : Mean
        Points a hand of one seat against three of another, mean over all others and the seats.  The
        intervals of all policies hold together with 95 %, so that of the best holds too.
    win, sweep, caught : Proportion
        Hands that its seat won (結), won with all stacks (完封), and in which it was caught (擒).
    """

    policy: str
    points: Mean
    win: Proportion
    sweep: Proportion
    caught: Proportion


@dataclass(frozen=True, kw_only=True)
class Gap:
    """What separates two neighbours of a ranking (question 27).

    Attributes
    ----------
    better, worse : str
    difference : Mean
        Points a hand, on the same deals; the intervals of all pairs hold together with 95 %.
    duplicate_deals, hands : float
        Deals of a duplicate match, and hands at an ordinary table, after which a 95 % interval
        around a difference of this size excludes zero with chance 0.8.
    duplicate_range, hands_range : tuple of two floats
        Their 95 % intervals; the upper end is infinite where the two may be equally good, and both
        are nan where there are too few deals, or all went the same for both.
    """

    better: str
    worse: str
    difference: Mean
    duplicate_deals: float
    hands: float
    duplicate_range: tuple[float, float] = (math.nan, math.nan)
    hands_range: tuple[float, float] = (math.nan, math.nan)


@dataclass(frozen=True, kw_only=True)
class Tournament(Result):
    """The result of a tournament.

    Attributes
    ----------
    policies : tuple of str
    table : tuple of tuples of Mean
        Row i, column j: points a hand of one seat playing i against three playing j.
    ranking : tuple of Standing
        The best first.
    gaps : tuple of Gap
        Between neighbours of the ranking.
    skill, cards : float
        Shares of the variance of a seat's points that go with the policy it plays and with the
        cards and the seat; the rest is how the two go together.
    skill_range, cards_range : tuple of two floats
        Their 95 % intervals; nan where there are too few deals.
    deals, hands : int
        Deals, and hands played in all.
    """

    policies: tuple[str, ...]
    rules: RuleSet
    seed: int
    term: int
    deals: int
    hands: int
    table: tuple[tuple[Mean, ...], ...]
    ranking: tuple[Standing, ...]
    gaps: tuple[Gap, ...]
    skill: float
    cards: float
    skill_range: tuple[float, float] = (math.nan, math.nan)
    cards_range: tuple[float, float] = (math.nan, math.nan)

    def command(self) -> str:
        """The command line that gives the same numbers again."""
        preset, *changed = rules_words(self.rules, option="--set ")
        words = ["gupai tournament", *map(shlex.quote, self.policies), f"--rules {preset}", *changed]
        words += [f"--term {self.term}"] if self.term != 1 else []
        return " ".join([*words, f"--deals {self.deals}", f"--seed {self.seed}"])

    def to_frame(self) -> pd.DataFrame:
        """The ranking, a row each policy; further columns hold its points against each other one."""
        import pandas as pd

        names = [re.sub(r"\W", "_", policy) for policy in self.policies]
        if len(set(names)) < len(names):  # two paths that differ in such signs alone
            names = [f"{name}_{number}" for number, name in enumerate(names)]
        rows = []
        for standing in self.ranking:
            row = self.table[self.policies.index(standing.policy)]
            against = {f"points_against_{name}": cell for name, cell in zip(names, row, strict=True)}
            rows.append(columns(**vars(standing), **against))
        return pd.DataFrame(rows)

    def to_json(self) -> dict[str, Any]:
        """The JSON object of the interface, with more keys."""
        return {
            "policies": list(self.policies),
            "hands": self.hands,
            "deals": self.deals,
            "table": [[{"mean": cell.mean, "se": cell.se} for cell in row] for row in self.table],
            "ranking": [standing.policy for standing in self.ranking],
            "standings": [
                {
                    "policy": s.policy,
                    "points": s.points.to_json(),
                    **{name: getattr(s, name).to_json() for name in ("win", "sweep", "caught")},
                }
                for s in self.ranking
            ],
            "gaps": [
                {
                    "better": gap.better,
                    "worse": gap.worse,
                    "difference": gap.difference.mean,
                    "low": known(gap.difference.low),
                    "high": known(gap.difference.high),
                    "duplicate_deals": _finite(gap.duplicate_deals),
                    "hands": _finite(gap.hands),
                    "duplicate_deals_range": [_finite(end) for end in gap.duplicate_range],
                    "hands_range": [_finite(end) for end in gap.hands_range],
                }
                for gap in self.gaps
            ],
            "variance": {
                "skill": self.skill,
                "cards": self.cards,
                "skill_range": [_finite(end) for end in self.skill_range],
                "cards_range": [_finite(end) for end in self.cards_range],
            },
            "command": self.command(),
            "rules": self.rules.to_json(),
        }  # fmt: skip


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


class _Worker:
    """Plays blocks of deals on one thread; keeps the blocks apart, so that sums do not depend on it."""

    def __init__(self, players: Sequence[Policy], pairs: list[tuple[int, int]], **how: Any) -> None:
        self.pairs = pairs
        lineups = [row for i, j in pairs for row in against(i, j)]
        self._seat = np.tile(np.arange(4), len(pairs))
        self._duplicates = Duplicates(players, lineups, **how)
        self.points: dict[int, NDArray[np.int64]] = {}  # by first deal: deals × pairs × seats
        # And deals × policies × (wins, sweeps, caught) over all others and the seats.
        self.counts: dict[int, NDArray[np.int64]] = {}
        self._policies = len(players)

    def play(self, start: int, deals: int) -> None:
        settled = self._duplicates.settled(start, deals)
        line = np.arange(len(self._seat))
        own = settled[:, line, SETTLEMENT + self._seat] + settled[:, line, BONUSES + self._seat]
        self.points[start] = own.reshape(deals, len(self.pairs), 4)
        won = settled[:, :, WINNER] == self._seat
        happened = (won, won & (settled[:, :, SWEEP] != 0), settled[:, :, KAM] == self._seat)
        each = [what.reshape(deals, self._policies, -1).sum(axis=2) for what in happened]
        self.counts[start] = np.stack(each, axis=2)


@checked(
    policies=texts, rules=optional(RULES), deals=whole(2, 10**8), seed=SEED, term=TERM, threads=THREADS
)
def tournament(
    policies: Sequence[str],
    *,
    rules: RuleSet | None = None,
    deals: int = 2000,
    seed: int = 1,
    term: int = 1,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Tournament:
    """Play every policy against three of every other, from each seat, on the same deals.

    Parameters
    ----------
    policies : sequence of str
        Two or more policies by name or file.
    rules : RuleSet, optional
        tiengow-ja by default.
    deals : int
        Deals; each is played once for every seat, policy and opponent.
    seed, term : int
    threads : int, optional
        Threads; all processors by default.  The result does not depend on it.
    progress : callable, optional
        Called several times a second.

    Raises
    ------
    InputError
        For fewer than two policies, one named twice, or one that does not exist.

    Examples
    --------
    >>> tournament(["random", "greedy"], deals=50).ranking[0].policy
    'greedy'
    """
    rules = rules or RuleSet()
    names = tuple(policies)
    if len(names) < 2:
        raise InputError(
            "a tournament takes two policies or more, such as: gupai tournament tuned greedy"
        )
    if len(names) > MOST_POLICIES:
        raise InputError(
            f"{len(names)} policies are too many for one tournament; at most {MOST_POLICIES}"
        )
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{name} is named twice")
    players = [find_policy(name, rules) for name in names]
    pairs = [(i, j) for i in range(len(names)) for j in range(len(names)) if i != j]
    number = min(default_threads() if threads is None else threads, -(-deals // _BLOCK))
    workers = [_Worker(players, pairs, rules=rules, seed=seed, term=term) for _ in range(number)]
    _, interrupted = run_blocks(list(workers), deals, block=_BLOCK, progress=progress)
    if interrupted:
        raise KeyboardInterrupt
    points = _in_order([worker.points for worker in workers])
    counts = _in_order([worker.counts for worker in workers])
    return _result(names, rules, seed, term, pairs, points, counts)


def _in_order(parts: list[dict[int, NDArray[np.int64]]]) -> NDArray[np.int64]:
    """The blocks of all workers, by their first deals."""
    blocks = {start: block for part in parts for start, block in part.items()}
    return np.concatenate([blocks[start] for start in sorted(blocks)])


def _result(
    names: tuple[str, ...],
    rules: RuleSet,
    seed: int,
    term: int,
    pairs: list[tuple[int, int]],
    points: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> Tournament:
    deals, others = len(points), len(names) - 1
    cells = points.sum(axis=2)  # the seats of a deal are one observation
    zero = Mean(n=deals, mean=0.0, se=0.0, sd=0.0, low=0.0, high=0.0)  # of four alike: the sum is 0
    table = [[zero] * len(names) for _ in names]
    digests = [find_policy(name, rules).digest() for name in names]
    for column, (i, j) in enumerate(pairs):
        if digests[i] != digests[j]:  # else four alike under two names
            table[i][j] = mean_points(cells[:, column], 4, rules, term=term)
    # One number a deal and policy: its points against all others.
    own = cells.reshape(deals, len(names), others).sum(axis=2)
    hands = 4 * others  # of each policy in a deal
    # The best is chosen by looking at all, so the intervals of all hold together; so do those of all
    # pairs, for it shows only afterwards which are neighbours.
    all_alike = len(set(digests)) == 1
    of_all = joint(len(names))
    of_pairs = joint(math.comb(len(names), 2))
    standings = [
        Standing(
            policy=name,
            points=zero
            if all_alike
            else mean_points(own[:, i], hands, rules, term=term, confidence=of_all),
            win=clustered_proportion(counts[:, i, 0], hands),
            sweep=clustered_proportion(counts[:, i, 1], hands),
            caught=clustered_proportion(counts[:, i, 2], hands),
        )
        for i, name in enumerate(names)
    ]
    order = np.argsort([-standing.points.mean for standing in standings], kind="stable").tolist()
    # Of two hands of one seat each, on different deals: the variance in each deal.
    apart = 2 * ((points - points.mean()) ** 2).mean(axis=(1, 2))
    gaps = []
    for better, worse in itertools.pairwise(order):
        between = own[:, better] - own[:, worse]
        difference = zero
        if not all_alike:
            difference = mean_points(between, hands, rules, term=term, apart=True, confidence=of_pairs)
        each = between / hands
        duplicate, duplicate_range = to_tell(each, (each - each.mean()) ** 2)
        table_hands, hands_range = to_tell(each, apart)
        gaps.append(
            Gap(
                better=names[better],
                worse=names[worse],
                difference=difference,
                duplicate_deals=duplicate,
                hands=table_hands,
                duplicate_range=duplicate_range,
                hands_range=hands_range,
            )
        )
    (skill, skill_range), (cards, cards_range) = shares_of_variance(
        points.reshape(deals, len(names), others, 4)
    )
    return Tournament(
        policies=names,
        rules=rules,
        seed=seed,
        term=term,
        deals=deals,
        hands=deals * 4 * len(pairs),
        table=tuple(tuple(row) for row in table),
        ranking=tuple(standings[i] for i in order),
        gaps=tuple(gaps),
        skill=skill,
        cards=cards,
        skill_range=skill_range,
        cards_range=cards_range,
    )
