"""The same deals played again and again with other players in the seats.

In duplicate play luck cancels: what differs between two line-ups of one deal is the play alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.series import RUN_HANDS
from ...kernels.tiengow.blocks import keep_block, keep_block_thinking
from ...kernels.tiengow.deal import taking
from ...kernels.tiengow.family_lanes import new_desk
from ...kernels.tiengow.foreign import ILLEGAL, USER
from ...kernels.tiengow.given import Given, no_condition
from ...kernels.tiengow.lane_fields import new_lanes
from ...kernels.tiengow.outcome import SETTLED_BITS
from ...kernels.tiengow.players_lanes import keep_lanes
from ...kernels.tiengow.search import SEARCH
from ...kernels.tiengow.settlement import BONUSES, COLUMNS, SETTLEMENT, settle_all
from ...kernels.tiengow.weights import weights_in
from ..errors import InputError
from .policies import Policy
from .rules import RuleSet

Seats = tuple[int, int, int, int]


@contextmanager
def legal_play() -> Iterator[None]:
    """Tell in one sentence that a user's policy broke the rules."""
    try:
        yield
    except ValueError as error:
        if str(error) != ILLEGAL:
            raise
        raise InputError(f"--policy: {ILLEGAL}; gupai policy-check FILE.py:NAME tells where") from None


class Duplicates:
    """Plays deals with several line-ups of players, on one thread.

    Parameters
    ----------
    players : sequence of Policy
    lineups : sequence of four numbers
        Which player sits in which seat; every deal is played with each line-up.
    rules : RuleSet
    seed : int
    deal : int
        Number of the deal pattern.
    term : int
        The banker's term.
    given : Given, optional
        A condition on the deal, which has a series of its own.
    series : int, optional
        Series of patterns of the random keys, where no condition is given.
    in_lanes : bool, optional
        Play many hands side by side where the policies allow; the outcomes are the same.

    Raises
    ------
    ValueError
        If a line-up names a player that there is not.
    """

    def __init__(
        self,
        players: Sequence[Policy],
        lineups: Sequence[Sequence[int]],
        rules: RuleSet,
        *,
        seed: int = 1,
        deal: int = 0,
        term: int = 1,
        given: Given | None = None,
        series: int = RUN_HANDS,
        in_lanes: bool = True,
    ) -> None:
        self.lineups = np.array(lineups, np.int64).reshape(-1, 4)
        if not ((self.lineups >= 0) & (self.lineups < len(players))).all():
            raise ValueError(f"a line-up names a player that is not among the {len(players)}")
        self._kinds = np.array([player.kind for player in players], np.int64)
        self._weights = np.array([player.row() for player in players])
        thinking = any(player.kind == SEARCH for player in players)
        self._in_lanes = in_lanes and not any(player.kind in (SEARCH, USER) for player in players)
        self._lane_weights = [weights_in(row) for row in self._weights] if self._in_lanes else []
        self._desk = new_desk()
        self._kernel = keep_block_thinking if thinking else keep_block
        self._worlds = np.array([player.worlds for player in players], np.int64)
        self._rule_set, self._rules, self._term = rules, rules.switches(), term
        self._seed = np.uint64(seed)
        self._taking = taking(deal, series if given is None else given.series)
        self._given = no_condition() if given is None else given
        self._lanes = new_lanes()

    def keep(self, start: int, deals: int, opening: int = 0) -> NDArray[np.uint32]:
        """Result, honours and dealt hands, one row a deal and line-up."""
        kept = np.zeros((deals * len(self.lineups), 6), np.uint32)
        play: Any = keep_lanes
        if self._in_lanes:
            for row, lineup in enumerate(self.lineups):
                seated = list(dict.fromkeys(lineup.tolist()))  # each player once
                seats = sum(seated.index(player) << 4 * seat for seat, player in enumerate(lineup))
                seated += [seated[0]] * (4 - len(seated))
                kinds, weights = self._kinds[seated], [self._lane_weights[n] for n in seated]
                play(
                    self._lanes, *self._desk, self._seed, start, deals, seats, kinds, *weights,
                    self._taking, self._rules, self._term, self._given, opening, kept, row,
                    len(self.lineups),
                )  # fmt: skip
            return kept
        with legal_play():
            self._kernel(
                self._lanes, self._seed, start, deals, self.lineups, self._kinds, self._weights,
                self._worlds, self._taking, self._rules, self._term, self._given, opening, kept,
            )  # fmt: skip
        return kept

    def settled(self, start: int, deals: int) -> NDArray[np.int64]:
        """The settled outcomes, deals × line-ups × `COLUMNS`."""
        settled = settle_kept(self.keep(start, deals), self._rule_set, self._term)
        return settled.reshape(deals, len(self.lineups), COLUMNS)

    def points(self, start: int, deals: int) -> NDArray[np.int64]:
        """Points with bonuses, deals × line-ups × seats."""
        settled = self.settled(start, deals)
        return settled[:, :, SETTLEMENT : SETTLEMENT + 4] + settled[:, :, BONUSES : BONUSES + 4]


def settle_kept(kept: NDArray[np.uint32], rules: RuleSet, term: int) -> NDArray[np.int64]:
    """Kept hands (result and honours first) settled, one row of `COLUMNS` each."""
    out = np.zeros((len(kept), COLUMNS), np.int64)
    results, honours = kept[:, 0] & np.uint32(SETTLED_BITS), np.ascontiguousarray(kept[:, 1])
    settle_all(results, honours, rules.switches(), term, out)
    return out


def against(player: int, other: int) -> list[Seats]:
    """One player against three of another, from each seat in turn.

    Examples
    --------
    >>> against(0, 1)[2]
    (1, 1, 0, 1)
    """
    rows = []
    for seat in range(4):
        row = [other] * 4
        row[seat] = player
        rows.append((row[0], row[1], row[2], row[3]))
    return rows
