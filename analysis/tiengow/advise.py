"""Advice: every play open to a seat, played out in deals that agree with what it has seen."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.series import ADVICE_LUCK, ADVICE_WORLDS
from ...kernels.tiengow.players import PUBLIC_B
from ...kernels.tiengow.policies import RANDOM
from ...kernels.tiengow.search import MOST_PLAYS, SEARCH, legal_plays, price_plays
from ...kernels.tiengow.starting import CATCHES, CAUGHT, EMPTY, POINTS, SUMS, SWEEPS, WINS
from ...kernels.tiengow.worlds import WORLD, sample_worlds
from ..checks import SEED, THREADS, checked, instance, one_of, text, whole
from ..errors import InputError
from ..estimates import Mean, Proportion, joint, known, proportion
from ..results import Result, columns
from ..runs import default_threads
from .duplicate import legal_play
from .extremes import mean_points
from .notation import codes_of
from .policies import find_policy
from .position import Position
from .reasons import reason
from .worlds import every_world

if TYPE_CHECKING:
    import pandas as pd

FEWEST = 2000  # worlds before the first answer
_CHUNK = 250
MOST_WORLDS = 10**7


@dataclass(frozen=True, kw_only=True)
class PricedPlay:
    """A play and what came of it in the worlds tried.

    Attributes
    ----------
    play : int
        Tile bits.
    face_up : bool
    win, takes, empty, sweep, caught, catches : Proportion
        Worlds in which the seat then wins the hand (結), takes this trick, ends without a stack,
        wins all stacks (完封), is caught (擒), catches another.
    points : Mean
        Points of the seat.
    behind : Mean
        By how many points the same worlds go better after the best play; the intervals of all plays
        hold together with 95 %.
    why : str
        What speaks for the play or against it, in words.
    """

    play: int
    face_up: bool
    win: Proportion
    takes: Proportion
    empty: Proportion
    sweep: Proportion
    caught: Proportion
    catches: Proportion
    points: Mean
    behind: Mean
    why: str

    @property
    def codes(self) -> str:
        """The tiles as class codes, in parentheses if they lie face down."""
        return codes_of(self.play) if self.face_up else f"({codes_of(self.play)})"


@dataclass(frozen=True, kw_only=True)
class Advice(Result):
    """What to play in a position.

    Attributes
    ----------
    position : Position
    plays : tuple of PricedPlay
        The best first.
    worlds : int
        Worlds tried; all that there are if `exact`.
    exact : bool
    policy : str
        How all seats play on.
    seed : int
    by : str
        What plays are ordered by, ``points`` or ``win``.
    """

    position: Position
    plays: tuple[PricedPlay, ...]
    worlds: int
    exact: bool
    policy: str
    seed: int
    by: str

    @property
    def clear(self) -> bool:
        """Whether the best play is better than all others by more than chance."""
        return all(play.behind.low > 0 for play in self.plays[1:])

    def to_frame(self) -> pd.DataFrame:
        """A row each play, the best first."""
        import pandas as pd

        return pd.DataFrame([columns(**vars(play) | {"play": play.codes}) for play in self.plays])

    def to_json(self) -> dict[str, Any]:
        """The JSON object of the interface, with more keys."""
        plays = []
        for play in self.plays:
            shares = ("win", "takes", "empty", "sweep", "caught", "catches")
            plays.append(
                {
                    "play": codes_of(play.play),
                    "face": "up" if play.face_up else "down",
                    **{name: getattr(play, name).to_json() for name in shares},
                    "points": {"mean": play.points.mean, "se": known(play.points.se)},
                    "behind": {
                        "mean": play.behind.mean,
                        "low": known(play.behind.low),
                        "high": known(play.behind.high),
                    },
                    "why": play.why,
                }
            )  # fmt: skip
        return {
            "worlds": self.worlds,
            "exact": self.exact,
            "recommended": codes_of(self.plays[0].play),
            "face": plays[0]["face"],
            "clear": self.clear,
            "plays": plays,
            "seat": self.position.seat,
            "policy": self.policy,
            "seed": self.seed,
            "rules": self.position.rules.to_json(),
        }


HOW = {  # checks of what `advise` and `post_mortem` share
    "worlds": whole(2, MOST_WORLDS), "policy": text, "by": one_of(("points", "win"), "order"),
    "seed": SEED, "threads": THREADS,
}  # fmt: skip


@checked(position=instance(Position, "a Position, such as read_position gives"), **HOW)
def advise(
    position: Position,
    *,
    worlds: int = FEWEST,
    policy: str = "tuned",
    by: str = "points",
    seed: int = 1,
    threads: int | None = None,
    progress: Callable[[Advice], None] | None = None,
) -> Advice:
    """Price every play open to the seat.

    Every play is played out in the same worlds: deals of the unseen tiles that agree with all that
    the seat has seen.  Where there are fewer than 20,000 of them, all are played out, and the
    answer is exact for the policy.

    Parameters
    ----------
    position : Position
    worlds : int
        Worlds to try, at least 2.
    policy : str
        How all seats play on.
    by : str
        ``points`` or ``win``: what the best play has most of.
    seed : int
    threads : int, optional
        Threads; all processors by default.  The result does not depend on it.
    progress : callable, optional
        Called with the `Advice` so far after 2,000 worlds, 4,000, 8,000 and so on.

    Raises
    ------
    InputError
        For a policy that does not exist or itself looks ahead, and for other values not allowed.

    Examples
    --------
    >>> from gupai.analysis import read_position
    >>> hands = ["AA99BK63", None, None, None]
    >>> position = read_position({"banker": 0, "hands": hands, "tricks": []})
    >>> advise(position, worlds=50, by="win").plays[0].win.value
    1.0
    """
    player = find_policy(policy, position.rules)
    if player.kind == SEARCH:
        raise InputError(f"--policy {policy}: looks ahead itself; name one that does not, such as tuned")
    pricer = _Pricer(position, policy, by, seed)
    whole = None if player.kind in (RANDOM, PUBLIC_B) else every_world(position)
    with ThreadPoolExecutor(threads or default_threads()) as pool:
        if whole is not None:
            pricer.add(pool, [(at, whole[at : at + _CHUNK]) for at in range(0, len(whole), _CHUNK)])
            return pricer.advice(exact=True)
        look = FEWEST
        while pricer.tried < worlds:
            until = min(look, worlds)
            starts = range(pricer.tried, until, _CHUNK)
            pricer.add(pool, [(at, pricer.sample(at, min(_CHUNK, until - at))) for at in starts])
            look *= 2
            if progress is not None and pricer.tried < worlds:
                progress(pricer.advice(exact=False))
    return pricer.advice(exact=False)


class _Pricer:
    """Plays every legal play out in world after world."""

    def __init__(self, position: Position, policy: str, by: str, seed: int) -> None:
        self._position, self._policy, self._by, self._seed = position, policy, by, seed
        self._view = position.view()
        plays, faces = [0] * MOST_PLAYS, [0] * MOST_PLAYS
        found = legal_plays(self._view, plays, faces)
        self.plays, self.faces = np.array(plays[:found]), np.array(faces[:found])
        self._state = np.array(position.state, np.int64)
        self._rules = position.rules.switches()
        player = find_policy(policy, position.rules)
        self._kinds, self._weights = np.full(4, player.kind), np.array([player.row()] * 4)
        self._outcomes: list[NDArray[np.int64]] = []
        self._took: list[NDArray[np.bool_]] = []
        self.tried = 0

    def sample(self, start: int, worlds: int) -> NDArray[np.int64]:
        found = np.zeros((worlds, WORLD), np.int64)
        sample_worlds(self._state, np.uint64(self._seed), ADVICE_WORLDS, start, self._rules, found)
        return found

    def add(self, pool: ThreadPoolExecutor, chunks: list[tuple[int, NDArray[np.int64]]]) -> None:
        """Play out worlds, each chunk with the number of its first."""
        for outcomes, took in pool.map(self._price, chunks):
            self._outcomes.append(outcomes)
            self._took.append(took)
            self.tried += len(took)

    def _price(
        self, chunk: tuple[int, NDArray[np.int64]]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        start, worlds = chunk
        out = np.zeros(len(worlds) * self.plays.size * SUMS, np.int64)
        took = np.zeros((len(worlds), self.plays.size), np.bool_)
        with legal_play():
            price_plays(
            self._state, worlds, np.uint64(self._seed), ADVICE_LUCK, start, self.plays, self.faces,
            self._kinds, self._weights, self._rules, self._position.term, out, took,
        )  # fmt: skip
        return out.reshape(len(worlds), self.plays.size, SUMS), took

    def advice(self, *, exact: bool) -> Advice:
        outcomes, took = np.concatenate(self._outcomes), np.concatenate(self._took)
        n = len(outcomes)
        points = outcomes[:, :, POINTS]
        first, second = points.mean(axis=0), outcomes[:, :, WINS].mean(axis=0)
        if self._by == "win":
            first, second = second, first
        # Of equals: the greater chance to win, the face-up play, fewer tiles.
        tiles = [int(play).bit_count() for play in self.plays]
        order = np.lexsort((np.array(tiles), -self.faces, -second.round(9), -first.round(9))).tolist()
        best = order[0]

        def share(column: int, number: int) -> Proportion:
            return _share(int(outcomes[:, number, column].sum()), n, exact)

        priced = []
        for number in order:
            play = PricedPlay(
                play=int(self.plays[number]),
                face_up=bool(self.faces[number]),
                win=share(WINS, number),
                takes=_share(int(took[:, number].sum()), n, exact),
                empty=share(EMPTY, number),
                sweep=share(SWEEPS, number),
                caught=share(CAUGHT, number),
                catches=share(CATCHES, number),
                points=self._mean(points[:, number], exact),
                behind=self._mean(
                    points[:, best] - points[:, number],
                    exact or number == best,
                    apart=True,
                    confidence=joint(self.plays.size - 1),
                ),
                why="",
            )
            priced.append(replace(play, why=reason(play, self._view, self._position)))
        return Advice(
            position=self._position,
            plays=tuple(priced),
            worlds=n,
            exact=exact,
            policy=self._policy,
            seed=self._seed,
            by=self._by,
        )

    def _mean(self, points: NDArray[np.int64], exact: bool, **how: Any) -> Mean:
        rules, term = self._position.rules, self._position.term
        found = mean_points(points, 1, rules, term=term, **how)
        return replace(found, se=0.0, low=found.mean, high=found.mean) if exact else found


def _share(count: int, n: int, exact: bool) -> Proportion:
    found = proportion(count, n)
    return replace(found, low=found.value, high=found.value) if exact else found
