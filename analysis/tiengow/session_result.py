"""What sessions came to: points, swings, ruin, streaks, and who leads when."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from ..checks import THREADS, checked, instance, optional
from ..digits import percentage_to
from ..estimates import (
    CONFIDENCE,
    FEWEST,
    Mean,
    Proportion,
    mean_from_sums,
    normal_quantile,
    proportion,
)
from ..histogram import Histogram
from ..phrases import Phrase, phrase
from ..results import Result, columns
from ..runs import Progress
from .session import NOMINAL_STAKE, SessionRun, SessionTally, play_sessions

if TYPE_CHECKING:
    import pandas as pd

_SPREAD_UNKNOWN = (2 + 3) / 4
FEWEST_HANDS = 16  # shorter sessions say too little of longer ones: the terms have not grown
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


@dataclass(frozen=True, kw_only=True)
class PlayerResult:
    """How a player fared over many sessions.

    Attributes
    ----------
    policy : str
    points : Mean
        Points at the end of a session.
    quantiles : dict
        Share of the sessions: points that it does not exceed, with the interval of these; an end is
        None where there are too few sessions to bound it.
    swing : Mean
        Points between its highest and its lowest standing.
    first : Proportion
        Sessions in which nobody ended above it.
    ruin : Proportion
        Sessions in which it lost its stake.
    """

    policy: str
    points: Mean
    quantiles: dict[float, tuple[int, int | None, int | None]]
    swing: Mean
    first: Proportion
    ruin: Proportion


@dataclass(frozen=True, kw_only=True)
class Lead:
    """When one player stands above another.

    Attributes
    ----------
    better, worse : int
        Players; the first has the higher mean.
    at_end : Proportion
        Sessions in which it stood above the other at the end.
    gap : Mean
        Points between the two at the end of a session.
    hands : float
        Hands after which it stands above the other in 95 % of the sessions; infinite if that
        cannot be told.
    low, high : float
        The interval of that number.
    observed : bool
        Whether it was reached in the sessions played; else it is carried on with the root of the
        number of hands.
    """

    better: int
    worse: int
    at_end: Proportion
    gap: Mean
    hands: float
    low: float
    high: float
    observed: bool


@dataclass(frozen=True, kw_only=True)
class SessionResult(Result):
    """Many sessions.

    Attributes
    ----------
    run : SessionRun
        The request, with as many sessions as were played.
    tally : SessionTally
    interrupted : bool
    """

    run: SessionRun
    tally: SessionTally
    interrupted: bool = False

    @property
    def stake(self) -> int:
        """The points that are lost in ruin."""
        return NOMINAL_STAKE if self.run.stake is None else self.run.stake

    def players(self) -> list[PlayerResult]:
        """Each player's points, swings and ruin."""
        n = self.run.sessions
        return [
            PlayerResult(
                policy=self.run.policies[seat],
                points=final.mean(),
                quantiles={q: (final.quantile(q), *final.quantile_interval(q)) for q in QUANTILES},
                swing=self.tally.swing[seat].mean(),
                first=proportion(int(self.tally.first[seat]), n),
                ruin=self.ruin(seat, self.run.hands),
            )
            for seat, final in enumerate(self.tally.final)
        ]

    def ruin(self, seat: int, hands: int) -> Proportion:
        """The share of sessions in which a player had lost its stake after so many hands."""
        return proportion(int(self.tally.broke[seat, 1 : hands + 1].sum()), self.run.sessions)

    def standing(self, checkpoint: int, seat: int) -> Histogram:
        """The points of a player after the hands of a checkpoint, by number."""
        return self.tally.standings[checkpoint][seat]

    def streaks(self) -> dict[int, int]:
        """How many bankers stayed for so many hands, those cut off by the end among them."""
        counts = self.tally.streaks.sum(axis=0)
        return {int(length): int(counts[length]) for length in np.flatnonzero(counts)}

    def hands_by_term(self) -> dict[int, int]:
        """How many hands were played in each term of a banker."""
        reached = np.cumsum(self.tally.streaks.sum(axis=0)[::-1])[::-1]
        return {term: int(reached[term]) for term in range(1, reached.size) if reached[term]}

    def leads(self) -> list[Lead]:
        """For each two players of different policies, when the better one shows."""
        if not self.tally.leads.size:
            return []
        means = [histogram.mean().mean for histogram in self.tally.final]
        order = sorted(range(4), key=lambda seat: -means[seat])
        found = []
        for place, better in enumerate(order):
            for worse in order[place + 1 :]:
                if self.run.policies[better] != self.run.policies[worse]:
                    found.append(self._lead(better, worse))
        return found

    def _lead(self, better: int, worse: int) -> Lead:
        n, hands = self.run.sessions, self.run.hands
        above = self.tally.leads[:, better, worse]
        at_end = proportion(int(above[-1]), n)
        enough = above >= CONFIDENCE * n
        if enough[-1]:
            below = np.flatnonzero(~enough)
            first = int(below[-1]) + 2 if below.size else 1
            shares = [proportion(int(count), n) for count in above]
            low = next(k + 1 for k, share in enumerate(shares) if share.high >= CONFIDENCE)
            high = next((k + 1 for k, share in enumerate(shares) if share.low >= CONFIDENCE), math.inf)
            difference = self.tally.differences[better, worse]
            gap = mean_from_sums(n, int(difference[0]), int(difference[1]), fewest=FEWEST)
            return Lead(better=better, worse=worse, at_end=at_end, gap=gap, hands=first,
                        low=min(low, first), high=max(high, first), observed=True)  # fmt: skip
        difference = self.tally.differences[better, worse]
        gap = mean_from_sums(n, int(difference[0]), int(difference[1]), fewest=FEWEST)
        hands_to = [math.inf] * 3
        if gap.low > 0 and self.can_be_carried_on:
            # A sum of n hands leads by d·n with a spread of s·√n: d·n = z·s·√n.
            z = NormalDist().inv_cdf(CONFIDENCE)
            effect = gap.mean / gap.sd
            # The spread is not known either: that of its logarithm is √((2 + excess) / 4n), and the
            # excess kurtosis of the points between two players after 16 hands is at most 3.
            reach = normal_quantile() * math.sqrt((1 + _SPREAD_UNKNOWN * effect**2) / n)
            hands_to = [
                hands * (z / by) ** 2 if by > 0 else math.inf
                for by in (effect, effect + reach, effect - reach)
            ]
        return Lead(better=better, worse=worse, at_end=at_end, gap=gap, hands=hands_to[0],
                    low=hands_to[1], high=hands_to[2], observed=False)  # fmt: skip

    @property
    def can_be_carried_on(self) -> bool:
        """Whether longer sessions of this kind can be told from these."""
        run = self.run
        ends_early = run.banker_changes is not None or (run.stake is not None and not run.play_on)
        return not ends_early and run.hands >= FEWEST_HANDS

    def sentence(self) -> Phrase:
        """What the growing multiplier does to a session, in one sentence."""
        by_term, moved = self.hands_by_term(), self.tally.moved
        hands, points = sum(by_term.values()), int(moved.sum())
        late_hands = sum(count for term, count in by_term.items() if term >= 3)
        late = int(moved[3:].sum())
        longest = self.tally.longest
        if late_hands == 0:
            return phrase(
                "No hand was in a banker's third term or later; the longest streak 連莊 of a session "
                "has {median} hands (median), and at most {most} in 19 sessions of 20.",
                median=longest.quantile(0.5), most=longest.quantile(0.95),
            )  # fmt: skip
        return phrase(
            "Hands in a banker's third term or later are {hands} % of all and move {points} % of the "
            "points; the longest streak 連莊 of a session has {median} hands (median), and at most "
            "{most} in 19 sessions of 20.",
            hands=percentage_to(late_hands / hands), points=percentage_to(late / max(points, 1)),
            median=longest.quantile(0.5), most=longest.quantile(0.95),
        )  # fmt: skip

    def to_frame(self) -> pd.DataFrame:
        """A row each player: points, swings and ruin, each with its interval."""
        import pandas as pd

        rows = []
        for seat, player in enumerate(self.players()):
            quantiles = {
                f"quantile_{100 * q:g}{end}": value
                for q, values in player.quantiles.items()
                for end, value in zip(("", "_low", "_high"), values, strict=True)
            }  # per cent of the sessions end at or below
            rows.append(
                columns(seat=seat, policy=player.policy, points=player.points)
                | quantiles
                | columns(swing=player.swing, first=player.first, ruin=player.ruin)
            )
        return pd.DataFrame(rows)

    def to_json(self) -> dict[str, Any]:
        """The JSON object of the interface, with more keys."""
        by_term = self.hands_by_term()
        checkpoints = self.run.checkpoints()
        return {
            "hands": self.run.hands,
            "sessions": self.run.sessions,
            "players": [
                {
                    "policy": player.policy,
                    "mean": player.points.mean,
                    "se": None if math.isnan(player.points.se) else player.points.se,
                    "sd": None if math.isnan(player.points.sd) else player.points.sd,
                    "quantiles": {f"{q:g}": value for q, (value, _, _) in player.quantiles.items()},
                    "quantile_intervals": {
                        f"{q:g}": [low, high] for q, (_, low, high) in player.quantiles.items()
                    },
                    "swing": player.swing.to_json(),
                    "first": player.first.to_json(),
                    "ruin": player.ruin.to_json(),
                    "ruin_by_hand": {
                        str(hands): self.ruin(seat, hands).to_json() for hands in checkpoints
                    },
                }
                for seat, player in enumerate(self.players())
            ],
            "streaks": {str(length): count for length, count in self.streaks().items()},
            "streaks_cut_off": {
                str(length): int(self.tally.streaks[1, length])
                for length in np.flatnonzero(self.tally.streaks[1])
            },
            "longest_streak": {
                "mean": self.tally.longest.mean().mean,
                "quantiles": {f"{q:g}": self.tally.longest.quantile(q) for q in QUANTILES},
            },
            "terms": {
                str(term): {"hands": count, "points_moved": int(self.tally.moved[term])}
                for term, count in by_term.items()
            },
            "hands_played": self.tally.hands.mean().to_json(),
            "banker_changes": self.tally.changes.mean().to_json(),
            "stake": self.stake,
            "leads": [
                {
                    "better": lead.better,
                    "worse": lead.worse,
                    "points_between": lead.gap.to_json(),
                    "ahead_at_end": lead.at_end.to_json(),
                    "hands_to_lead_95": _finite(lead.hands),
                    "low": _finite(lead.low),
                    "high": _finite(lead.high),
                    "observed": lead.observed,
                }
                for lead in self.leads()
            ],
            "sentence": self.sentence(),
            "command": self.run.command(),
            "provenance": self.run.provenance(),
        }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


@checked(run=optional(instance(SessionRun, "a SessionRun")), threads=THREADS)
def session(
    run: SessionRun | None = None,
    *,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> SessionResult:
    """Play sessions: points at their end, swings, ruin, streaks, and who leads when.

    Parameters
    ----------
    run : SessionRun, optional
        20,000 sessions of 64 hands of `tuned` by default.
    threads : int, optional
        Threads; all processors by default.  The result does not depend on it.
    progress : callable, optional
        Called several times a second.

    Returns
    -------
    SessionResult
        Of the sessions played: all of them, or after Ctrl-C the first ones.

    Raises
    ------
    InputError
        If `threads` is not from 1 to 1024.

    Examples
    --------
    >>> result = session(SessionRun(hands=16, sessions=500))
    >>> sum(length * count for length, count in result.streaks().items())
    8000
    """
    tally, played, interrupted = play_sessions(run or SessionRun(), threads=threads, progress=progress)
    return SessionResult(run=played, tally=tally, interrupted=interrupted)
