"""What one starting hand is worth: in each seat, and by the combination that the banker leads."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.tiengow.features import pattern_ending, red_pips
from ...kernels.tiengow.plays import is_combination
from ...kernels.tiengow.starting import (
    CATCHES,
    CAUGHT,
    EMPTY,
    HANDS,
    POINTS,
    SQUARES,
    STARTING_HANDS,
    SUMS,
    SWEEPS,
    WINS,
    seat_outcomes,
    starting_hand_number,
)
from ...kernels.word import word
from ..bounded import bounded_mean
from ..checks import THREADS, checked, optional
from ..errors import InputError
from ..estimates import SKEWNESS_TELLS, Mean, Proportion, joint, mean_from_sums, proportion
from ..results import Result, columns
from ..runs import Progress, default_threads, run_blocks
from .conditions import fixed_hand
from .extremes import points_range
from .hand_table import ALL_HANDS, weights
from .notation import codes_of, hand_readings, parse_tiles, pips_of
from .playing import Player, block_of, prepare
from .request import RUN, SEATS, Run
from .rules import RULES, RuleSet
from .shipped_hands import eight_tiles, hand_rank

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_HANDS = 100_000
_BLOCK = 1 << 14  # hands: small, because every lead is played on the same ones


@dataclass(frozen=True, kw_only=True)
class SeatWorth:
    """What a hand is worth in one seat.

    Attributes
    ----------
    win, sweep, empty, caught, catches : Proportion
        Of the deals: it wins (結), with all eight stacks (完封), ends without a stack, is caught
        (擒) and pays for all, catches another.
    points : Mean
        Of a hand, bonuses included.
    """

    win: Proportion
    sweep: Proportion
    empty: Proportion
    caught: Proportion
    catches: Proportion
    points: Mean


@dataclass(frozen=True, kw_only=True)
class LeadWorth:
    """What a lead (tile bits) of the banker is worth.

    Attributes
    ----------
    takes : Proportion
        Deals in which it takes the trick.
    win : Proportion
        Deals in which the banker then wins (結).
    points : Mean
        Points of the banker.
    behind : Mean
        By how many points the same deals go better after the best lead; the intervals of all leads
        hold together with 95 %.
    """

    lead: int
    takes: Proportion
    win: Proportion
    points: Mean
    behind: Mean


@dataclass(frozen=True, kw_only=True)
class HandWorth(Result):
    """What a starting hand is worth.

    Attributes
    ----------
    tiles : int
        The hand as tile bits.
    run : Run
        Rules, policies, term, seed, and the hands played for each seat and each lead.
    seats : dict
        A `SeatWorth` for each seat.
    leads : tuple of LeadWorth
        The best first; none where a hand pattern (例牌) ends the hand before the first lead.
    dealt : Fraction
        The chance of these eight tiles, by class.
    rank, rank_low, rank_high : int
        Among all 330,525 hands in the shipped table, with a 95 % interval.
    """

    tiles: int
    run: Run
    seats: dict[str, SeatWorth]
    leads: tuple[LeadWorth, ...]
    dealt: Fraction
    rank: int
    rank_low: int
    rank_high: int

    def command(self) -> str:
        """The command line that gives the same numbers again."""
        words = self.run.command().removeprefix("gupai simulate ")
        # With hand patterns it may matter which of two tiles of a class is held: their pips tell.
        tiles = pips_of(self.tiles) if self.run.rules.hand_patterns else codes_of(self.tiles)
        return f"gupai hand {shlex.quote(tiles)} {words}"

    def provenance(self) -> dict[str, Any]:
        """What it takes to get the same numbers again."""
        return self.run.provenance(hand=codes_of(self.tiles))

    def to_frame(self) -> pd.DataFrame:
        """A row each seat, then a row each lead of the banker."""
        import pandas as pd

        rows = [columns(seat=seat, **vars(worth)) for seat, worth in self.seats.items()]
        leads = [
            columns(seat="banker", **vars(lead) | {"lead": codes_of(lead.lead)}) for lead in self.leads
        ]
        return pd.DataFrame([*rows, *leads])

    def to_json(self) -> dict[str, Any]:
        """The JSON object of the interface, with more keys."""
        return {
            "hand": codes_of(self.tiles),
            "dealt": {
                "numerator": str(self.dealt.numerator),
                "denominator": str(self.dealt.denominator),
            },
            "seats": {
                seat: {
                    "points": worth.points.to_json()
                    | {"sd": None if worth.points.n == 1 else worth.points.sd},
                    **{name: getattr(worth, name).to_json() for name in _COLUMNS},
                }
                for seat, worth in self.seats.items()
            },
            "leads": [
                {
                    "lead": codes_of(lead.lead),
                    "takes": lead.takes.to_json(),
                    "win": lead.win.to_json(),
                    "points": lead.points.to_json(),
                    "behind": lead.behind.to_json(),
                }
                for lead in self.leads
            ],
            "rank": self.rank,
            "rank_low": self.rank_low,
            "rank_high": self.rank_high,
            "of": STARTING_HANDS,
            "command": self.command(),
            "provenance": self.provenance(),
        }


_COLUMNS = {"win": WINS, "sweep": SWEEPS, "empty": EMPTY, "caught": CAUGHT, "catches": CATCHES}


@checked(rules=RULES)
def read_hand(text: str, rules: RuleSet) -> int:
    """Read a starting hand; returns its tile bits.

    Raises
    ------
    InputError
        If it is no hand of eight tiles, or leaves open pips that the rules' hand patterns count.

    Examples
    --------
    >>> codes_of(read_hand("天天九九 63 BK", RuleSet()))
    'AABK9963'
    """
    tiles = parse_tiles(text)
    if len(tiles) != 8:
        have = f"has {len(tiles)} tile{'s' * (len(tiles) != 1)}"
        what = f"the hand {text.strip()}" if text.strip() else "the hand"
        raise InputError(f"{what} {have}; a starting hand has eight, such as AA99BK63")
    readings = [reading[0] for reading in hand_readings([tiles])]
    counts_red = {"one_red", "no_red"} & set(rules.hand_patterns)
    switches = rules.switches()
    if counts_red and len({int(red_pips(reading, switches)) for reading in readings}) > 1:
        told = " or ".join(f"'{pips_of(reading)}'" for reading in readings[:2])
        raise InputError(
            f"the hand {text.strip()}: hand_patterns counts red pips here, so write the pips of each "
            f"open 9, 7 and 5: {told}"
        )
    return readings[0]


def leads_of(hand: int) -> list[int]:
    """Every combination of a hand, one for those that are alike by class.

    Examples
    --------
    >>> from gupai.analysis import RuleSet
    >>> [codes_of(lead) for lead in leads_of(read_hand("AA9BK863", RuleSet()))]
    ['3', 'K', '6', '8', '9', 'B', 'A', '63', 'B8', 'A9', 'AA', 'AA9']
    """
    bits = [1 << bit for bit in range(32) if hand >> bit & 1]
    found: dict[str, int] = {}
    for size in range(1, 5):
        for chosen in itertools.combinations(bits, size):
            play = sum(chosen)
            if is_combination(play):
                found.setdefault(codes_of(play), play)
    return list(found.values())


class _SeatWorker:
    """Plays a hand in one seat on one thread."""

    def __init__(self, run: Run, tiles: int, seat: int) -> None:
        self._player = Player(run, given=fixed_hand(tiles, seat))
        self._seat, self._term, self._rules = seat, run.term, run.rules.switches()
        self.sums = np.zeros(SUMS, np.int64)
        self.skewed = run.hands < SKEWNESS_TELLS
        self.cubes = 0  # of the points, where their skewness tells

    def play(self, start: int, hands: int) -> None:
        out = self.outcomes(start, hands)[0]
        self.sums += out.sum(axis=0)
        if self.skewed:
            self.cubes += int((out[:, POINTS].astype(object) ** 3).sum())

    def outcomes(
        self, start: int, hands: int, opening: int = 0
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """How each hand went for the seat, and whether the banker took the first trick."""
        kept = self._player.keep(start, hands, opening)
        out = np.zeros(hands * SUMS, np.int64)
        seat_outcomes(kept, self._seat, self._rules, self._term, out)
        return out.reshape(hands, SUMS), kept[:, 0] >> np.uint32(31) == 1


class _LeadWorker(_SeatWorker):
    """Plays every lead of the banker on the same deals."""

    def __init__(self, run: Run, tiles: int, leads: list[int]) -> None:
        super().__init__(run, tiles, 0)
        self._leads = leads
        self.hands = 0
        self.taken, self.won, self.points = np.zeros((3, len(leads)), np.int64)
        self.products = np.zeros((len(leads), len(leads)))  # whole numbers below 2^53

    def play(self, start: int, hands: int) -> None:
        points = np.zeros((hands, len(self._leads)))
        for number, lead in enumerate(self._leads):
            out, took = self.outcomes(start, hands, lead)
            self.taken[number] += took.sum()
            self.won[number] += out[:, WINS].sum()
            self.points[number] += out[:, POINTS].sum()
            points[:, number] = out[:, POINTS]
        self.hands, self.products = self.hands + hands, self.products + points.T @ points


@checked(run=optional(RUN), threads=THREADS)
def starting_hand(
    hand: str | int,
    *,
    run: Run | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> HandWorth:
    """What a starting hand is worth in each seat, and after each lead as banker.

    Parameters
    ----------
    hand : str or int
        Eight tiles in any notation, or as tile bits.
    run : Run, optional
        Rules, policies, term, seed, hands for each seat and each lead; by default 100,000 of `tuned`.
    threads : int, optional
        Threads; all processors by default.  The result does not depend on it.
    progress : callable, optional
        Called several times a second.

    Raises
    ------
    InputError
        If the hand cannot be read, or the run has a condition or a split.

    Examples
    --------
    >>> worth = starting_hand("AA99BK63", run=Run(hands=1000))
    >>> worth.dealt, sorted(worth.seats)
    (Fraction(1, 2629575), ['across', 'banker', 'left', 'right'])
    """
    run = run or Run(hands=DEFAULT_HANDS)
    if run.given is not None or run.by is not None:
        raise InputError("a starting hand takes neither a condition nor a split: it is one itself")
    tiles = read_hand(hand, run.rules) if isinstance(hand, str) else eight_tiles("hand", hand)
    number = default_threads() if threads is None else threads
    block = min(_BLOCK, block_of(run.players()))
    number = min(number, -(-run.hands // block))
    prepare(run)

    def play(workers: list[Any], part: int) -> None:
        report = _part_of(progress, part, len(SEATS) + 1)
        _, interrupted = run_blocks(workers, run.hands, block=block, progress=report)
        if interrupted:
            raise KeyboardInterrupt

    seats: dict[str, SeatWorth] = {}
    for seat, name in enumerate(SEATS):
        workers = [_SeatWorker(run, tiles, seat) for _ in range(number)]
        play(workers, seat)
        cubes = sum(worker.cubes for worker in workers) if workers[0].skewed else None
        seats[name] = _seat_worth(np.sum([worker.sums for worker in workers], axis=0), cubes)
    ended = pattern_ending(word(tiles), run.rules.switches()) != 0
    leads = [] if ended else leads_of(tiles)
    lead_workers = [_LeadWorker(run, tiles, leads) for _ in range(number)]
    if leads:
        play(lead_workers, len(SEATS))
    rank, low, high = hand_rank(tiles)
    return HandWorth(
        tiles=tiles,
        run=run,
        seats=seats,
        leads=_lead_worths(leads, lead_workers, run) if leads else (),
        dealt=Fraction(int(weights()[starting_hand_number(tiles)]), ALL_HANDS),
        rank=rank,
        rank_low=low,
        rank_high=high,
    )


def _part_of(
    progress: Callable[[Progress], None] | None, part: int, parts: int
) -> Callable[[Progress], None] | None:
    if not progress:
        return None
    return lambda step: progress(
        step._replace(done=part * step.hands + step.done, hands=parts * step.hands)
    )


def _seat_worth(sums: NDArray[np.int64], cubes: int | None) -> SeatWorth:
    n = int(sums[HANDS])
    shares = {name: proportion(int(sums[column]), n) for name, column in _COLUMNS.items()}
    points = mean_from_sums(n, int(sums[POINTS]), int(sums[SQUARES]), cubes)
    return SeatWorth(points=points, **shares)


def _lead_worths(leads: list[int], workers: list[_LeadWorker], run: Run) -> tuple[LeadWorth, ...]:
    n = sum(worker.hands for worker in workers)
    taken, won, points = (
        sum(getattr(worker, name) for worker in workers) for name in ("taken", "won", "points")
    )
    products = sum(worker.products for worker in workers)
    assert isinstance(products, np.ndarray)
    best = int(np.argmax(points))
    each, possible = joint(len(leads) - 1), points_range(run.rules, term=run.term)
    widest = possible.most - possible.least
    found = []
    for number in np.argsort(-points, kind="stable").tolist():
        squares = products[best, best] + products[number, number] - 2 * products[best, number]
        found.append(
            LeadWorth(
                lead=leads[number],
                takes=proportion(int(taken[number]), n),
                win=proportion(int(won[number]), n),
                points=mean_from_sums(n, int(points[number]), int(products[number, number])),
                behind=_behind(n, int(points[best] - points[number]), int(squares), each, widest),
            )
        )
    return tuple(found)


def _behind(n: int, apart: int, squares: int, confidence: float, widest: int) -> Mean:
    if squares == 0:  # it never differed, and may still do so
        return bounded_mean([0], [n], least=-widest, most=widest, confidence=confidence)
    return mean_from_sums(n, apart, squares, confidence=confidence)
