"""Sessions: many hands in a row, with fixed players, a passing banker and growing terms.

Source: point 5 of "The hand", "Washing" and "Dice, wall, deal patterns" of the rules.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import Kernel
from ...kernels.tiengow.booking import (
    BROKE,
    CHANGES,
    DICE_BANKER,
    HAND_BITS,
    HANDS,
    HIGH,
    LONGEST,
    LOOKED,
    LOOKS,
    LOW,
    SESSION,
    TOTAL,
    Terms,
    new_sessions,
)
from ...kernels.tiengow.deal import taking_in_sessions
from ...kernels.tiengow.lane_fields import FIELDS, LANES
from ...kernels.tiengow.policies import POLICIES
from ...kernels.tiengow.search import SEARCH
from ...kernels.tiengow.session import (
    SESSION_KERNELS,
    play_sessions_singly,
    play_sessions_thinking,
    play_sessions_washed,
)
from ...kernels.tiengow.trick import EACH_ITS_OWN
from ...kernels.tiengow.washing import LARGEST_STRENGTH, PERFECT, new_order, new_plays, wash_factor
from ..checks import SEED, THREADS, YES_OR_NO, checked, either, instance, optional, settle, text, whole
from ..errors import InputError, no_such
from ..histogram import Histogram
from ..runs import Progress, default_threads, run_blocks
from .defaults import DEFAULT_POLICIES
from .duplicate import legal_play
from .policies import Policy, kept_policies, seated
from .request import (
    DEALS,
    SEATS,
    check_table,
    digests_of,
    provenance_of,
    rules_and_policies,
)
from .rules import RuleSet

LARGEST_HANDS = 10_000
LARGEST_SESSIONS = 10**9
NOMINAL_STAKE = 100
DICE = "dice"
_BLOCK = 8192  # sessions at most
_CHECKPOINTS = (1, 2, 4, 8, 16, 32, 64, 100, 128, 200, 256, 500, 512, 1000, 2000, 5000, 10_000)


def wash_strength(shuffle: str) -> float | None:
    """The strength of ``wash:S``; None for ``perfect``.

    Raises
    ------
    InputError
        If it is neither.

    Examples
    --------
    >>> wash_strength("wash:0.5"), wash_strength("perfect")
    (0.5, None)
    """
    if shuffle == "perfect":
        return None
    name, colon, written = shuffle.partition(":")
    if name != "wash" or not colon:
        raise InputError("--shuffle " + no_such(shuffle, "shuffle", ["perfect", "wash:1"]))
    try:
        strength = float(written)
    except ValueError:
        strength = math.nan
    if not 0 <= strength <= LARGEST_STRENGTH:
        raise InputError(
            f"--shuffle {shuffle[:40]}: the strength must be a number from 0 (the order is kept) to "
            f"{LARGEST_STRENGTH:,} (nearly perfect), such as wash:1"
        )
    return strength


@dataclass(frozen=True, kw_only=True)
class SessionRun:
    """A request for sessions: everything that affects the numbers, and nothing else.

    Attributes
    ----------
    rules : RuleSet
    policies : tuple of str
        Of the four players, who sit in seats 0 to 3 all through a session.
    by_role : bool
        The policies belong to banker, right, across and left in place of the players.
    deal : str
        One of `DEALS`.
    shuffle : str
        ``perfect`` or ``wash:S``.
    hands : int
        Hands of a session, at most.
    sessions : int
        How many are played.
    stake : int or None
        Points that each player brings; a session ends when one of them has none left.  None: there
        is no such end, and ruin is told for a stake of 100.
    play_on : bool
        Players who are broke play on, in debt.
    banker_changes : int or None
        A session ends after so many changes of the banker.
    first_banker : int or str
        The seat of the first banker, or ``dice``: seat 0 rolls two dice and counts.
    seed : int
        0 to 2**64 - 1.

    Raises
    ------
    InputError
        For a value that is not allowed.

    Examples
    --------
    >>> SessionRun(hands=16, sessions=100).command()
    'gupai session --rules tiengow-ja --policy tuned --hands 16 --sessions 100 --seed 1'
    """

    rules: RuleSet = dataclasses.field(default_factory=RuleSet)
    policies: tuple[str, str, str, str] = DEFAULT_POLICIES
    by_role: bool = False
    deal: str = DEALS[0]
    shuffle: str = "perfect"
    hands: int = 64
    sessions: int = 20_000
    stake: int | None = None
    play_on: bool = False
    banker_changes: int | None = None
    first_banker: int | str = 0
    seed: int = 1

    def __post_init__(self) -> None:
        check_table(self.rules, self.policies, self.deal)
        settle(
            self, by_role=YES_OR_NO, shuffle=text, hands=whole(1, LARGEST_HANDS),
            sessions=whole(1, LARGEST_SESSIONS), stake=optional(whole(1, 10**9)), play_on=YES_OR_NO,
            banker_changes=optional(whole(1, LARGEST_HANDS)), seed=SEED,
            first_banker=either(DICE, whole(0, 3), "a seat from 0 to 3, or dice"),
        )  # fmt: skip
        wash_strength(self.shuffle)
        if self.stake is None and self.play_on:
            raise InputError("--play-on: says what happens when a stake is lost; add --stake POINTS")

    def players(self) -> list[Policy]:
        """The policies."""
        return seated(self.policies, self.rules)

    def archived(self) -> dict[str, Any]:
        """What is saved of it: of a policy that may change also the digest."""
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return fields | {"policies": list(map(str, self.policies)), "digests": digests_of(self)}

    @classmethod
    def unarchived(cls, policies: Sequence[str], digests: Any = None, **fields: Any) -> SessionRun:
        """Sessions that were saved; no code of a policy is run for it."""
        return cls(policies=kept_policies(policies, digests), **fields)  # type: ignore[arg-type]

    def provenance(self) -> dict[str, Any]:
        """What it takes to get the same numbers again."""
        request = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)} | {
            "rules": self.rules.to_json(),
            "policies": list(map(str, self.policies)),
        }
        return provenance_of(request, self.policies, self.rules)

    def command(self) -> str:
        """The command line that plays these sessions again."""
        words = ["gupai session", *rules_and_policies(self.rules, self.policies)]
        words += ["--by-role"] if self.by_role else []
        words += [f"--deal {self.deal}"] if self.deal != DEALS[0] else []
        words += [f"--shuffle {self.shuffle}"] if self.shuffle != "perfect" else []
        words += [f"--stake {self.stake}"] if self.stake is not None else []
        words += ["--play-on"] if self.play_on else []
        words += [f"--banker-changes {self.banker_changes}"] if self.banker_changes else []
        words += [f"--first-banker {self.first_banker}"] if self.first_banker != 0 else []
        ends = [f"--hands {self.hands}", f"--sessions {self.sessions}", f"--seed {self.seed}"]
        return " ".join([*words, *ends])

    def checkpoints(self) -> tuple[int, ...]:
        """Hands after which the standings are kept; the last hand is one of them."""
        return (*(n for n in _CHECKPOINTS if n < self.hands), self.hands)

    def terms(self, *, looks: bool = False) -> Terms:
        """The same for the kernels."""
        strength = wash_strength(self.shuffle)
        return Terms(
            hands=self.hands,
            first_banker=DICE_BANKER if self.first_banker == DICE else int(self.first_banker),
            first_leader=0 if self.rules.first_banker_leads else 3,
            by_role=int(self.by_role),
            stake=NOMINAL_STAKE if self.stake is None else self.stake,
            stop_when_broke=int(self.stake is not None and not self.play_on),
            changes=self.banker_changes or 0,
            wash=PERFECT if strength is None else wash_factor(strength),
            looks=int(looks),
        )


class SessionTally:
    """What came of sessions: whole numbers that add up over threads and blocks.

    Attributes
    ----------
    final, swing, first : list of Histogram, list of Histogram, int64 array
        For each player the points at the end, the distance between its highest and its lowest
        standing, and the sessions in which nobody ended above it.
    standings : list of list of Histogram
        For each checkpoint and player, the points.
    hands, changes, longest : Histogram
        Hands and changes of the banker in a session, its longest streak.
    broke : int64 array, 4 × (hands + 1)
        Sessions in which a player had lost its stake after that many hands.
    streaks : int64 array, 2 × (hands + 1)
        Bankers who stayed for so many hands: passed on, and cut off by the end.
    moved : int64 array, hands + 1
        Points that changed hands in hands of each term.
    leads : int64 array, hands × 4 × 4
        Sessions in which a player stood above another after each hand.
    differences : object array, 4 × 4 × 2
        Of the points of one player over another at the end: sum, and sum of squares.
    looks, squares : list of int
        Sums of `LOOKS` over sessions, and of their squares.
    """

    plain_data = True  # may be saved as it is

    def __init__(self, run: SessionRun, *, leads: bool) -> None:
        checkpoints = run.checkpoints()
        self.swing = [Histogram() for _ in SEATS]
        self.first = np.zeros(4, np.int64)
        self.standings = [[Histogram() for _ in SEATS] for _ in checkpoints]
        self.final = self.standings[-1]
        self.hands, self.changes, self.longest = Histogram(), Histogram(), Histogram()
        self.broke = np.zeros((4, run.hands + 1), np.int64)
        self.streaks = np.zeros((2, run.hands + 1), np.int64)
        self.moved = np.zeros(run.hands + 1, np.int64)
        self.leads = np.zeros((run.hands if leads else 0, 4, 4), np.int64)
        self.differences = np.zeros((4, 4, 2), object)
        self.looks = [0] * len(LOOKS)
        self.squares = [0] * len(LOOKS)

    def add(self, rows: NDArray[np.int64], standings: NDArray[np.int64]) -> None:
        """Add sessions as the kernel leaves them: fields × sessions, checkpoints × 4 × sessions."""
        totals = rows[TOTAL : TOTAL + 4]
        self.first += (totals == totals.max(axis=0)).sum(axis=1)
        if self.leads.size:
            for one in range(4):
                apart = (totals[one] - totals).astype(object if np.abs(totals).max() > 10**6 else int)
                self.differences[one, :, 0] += apart.sum(axis=1)
                self.differences[one, :, 1] += (apart * apart).sum(axis=1)
        for seat in range(4):
            self.swing[seat].add(rows[HIGH + seat] - rows[LOW + seat])
            self.broke[seat] += np.bincount(rows[BROKE + seat], minlength=self.broke.shape[1])
            for number, at in enumerate(self.standings):
                at[seat].add(standings[number, seat])
        self.hands.add(rows[HANDS])
        self.changes.add(rows[CHANGES])
        self.longest.add(rows[LONGEST])
        for number in range(len(LOOKS)):
            values = rows[LOOKED + number]
            self.looks[number] += int(values.sum())
            self.squares[number] += int((values * values).sum())

    def merge(self, other: SessionTally) -> None:
        """Add the sessions of another tally of the same request."""
        for name in ("first", "broke", "streaks", "moved", "leads", "differences"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        pairs = list(zip(self.swing, other.swing, strict=True))
        for one, another in zip(self.standings, other.standings, strict=True):
            pairs += zip(one, another, strict=True)
        pairs += [(self.hands, other.hands), (self.changes, other.changes)]
        for mine, added in [*pairs, (self.longest, other.longest)]:
            mine.merge(added)
        for name in ("looks", "squares"):
            sums = zip(getattr(self, name), getattr(other, name), strict=True)
            setattr(self, name, [one + another for one, another in sums])


class SessionPlayer:
    """Plays blocks of sessions on one thread and keeps their tally."""

    def __init__(self, run: SessionRun, *, looks: bool = False) -> None:
        self.run = run
        self.tally = SessionTally(run, leads=len(set(run.policies)) > 1 and not run.by_role)
        players = run.players()
        self._terms = run.terms(looks=looks)
        self._players = (
            np.array([player.kind for player in players], np.int64),
            np.array([player.row() for player in players]),
            np.array([player.worlds for player in players], np.int64),
        )
        self._policies = 0
        self._kernel: Kernel[..., None] = play_sessions_singly
        if set(run.policies) <= set(POLICIES):
            numbers = [POLICIES[name] for name in run.policies]
            self._policies = sum(number << 4 * seat for seat, number in enumerate(numbers))
            one = numbers[0] if len(set(numbers)) == 1 else EACH_ITS_OWN
            washed = self._terms.wash != PERFECT
            self._kernel = play_sessions_washed if washed else SESSION_KERNELS[one]
        elif any(player.kind == SEARCH for player in players):
            self._kernel = play_sessions_thinking
        self._room = (
            np.zeros((FIELDS + 1) * LANES, np.uint32), new_sessions(), new_plays(), new_order(),
        )  # fmt: skip

    def play(self, start: int, hands: int) -> None:
        """Play `hands` sessions from number `start` on."""
        run, tally = self.run, self.tally
        checkpoints = np.array(run.checkpoints(), np.int64)
        rows = np.zeros((SESSION, hands), np.int64)
        standings = np.zeros((checkpoints.size, 4, hands), np.int64)
        with legal_play():
            self._kernel(
                *self._room, np.uint64(run.seed), start, hands, self._players, self._policies,
                taking_in_sessions(DEALS.index(run.deal)), run.rules.switches(), self._terms,
                checkpoints, rows, standings, tally.streaks, tally.moved, tally.leads,
            )  # fmt: skip
        tally.add(rows, standings)


@checked(run=instance(SessionRun, "a SessionRun"), looks=YES_OR_NO, threads=THREADS)
def play_sessions(
    run: SessionRun,
    *,
    looks: bool = False,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[SessionTally, SessionRun, bool]:
    """Play sessions and tally them.

    Parameters
    ----------
    run : SessionRun
    looks : bool
        Add up what the dealt hands hold, see `LOOKS`.
    threads : int, optional
        Threads; all processors by default.  The result does not depend on it.
    progress : callable, optional
        Called several times a second, in hands.

    Returns
    -------
    tuple
        The tally, the request with as many sessions as were played, and whether Ctrl-C ended it.

    Examples
    --------
    >>> tally, _, _ = play_sessions(SessionRun(hands=4, sessions=50))
    >>> tally.final[0].n
    50
    """
    number = default_threads() if threads is None else threads
    block = min(_BLOCK, max(LANES, -(-run.sessions // (4 * number * LANES)) * LANES))
    block = max(LANES, min(block, -(-(1 << 20) // (run.hands * LANES)) * LANES))
    workers = [SessionPlayer(run, looks=looks) for _ in range(min(number, -(-run.sessions // block)))]

    def in_hands(state: Progress) -> None:
        if progress is not None:
            progress(Progress(state.done * run.hands, run.sessions * run.hands, state.seconds))

    done, interrupted = run_blocks(list(workers), run.sessions, block=block, progress=in_hands)
    if done == 0:
        raise KeyboardInterrupt
    tally = workers[0].tally
    for worker in workers[1:]:
        tally.merge(worker.tally)
    return tally, dataclasses.replace(run, sessions=done), interrupted


assert LARGEST_HANDS < 1 << HAND_BITS
