"""Playing the blocks of a run on one thread, with the kernel that fits its policies."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import Kernel
from ...kernels.tiengow.blocks import count_kept
from ...kernels.tiengow.deal import taking
from ...kernels.tiengow.features import FEATURE_NUMBERS, WINNER_SEAT
from ...kernels.tiengow.given import Given, no_condition
from ...kernels.tiengow.lanes import BLOCK_KERNELS, new_lanes
from ...kernels.tiengow.policies import POLICIES
from ...kernels.tiengow.trick import EACH_ITS_OWN
from ..checks import checked
from ..errors import InputError
from ..runs import BLOCK
from .duplicate import Duplicates
from .parser import parse_question
from .policies import Policy
from .questions import Question
from .request import DEALS, RUN, SEATS, Run, split_of
from .rules import RuleSet

_FAMILY_BLOCK, _THINKING_BLOCK = 1 << 13, 1 << 3  # hands
_NOT_KEPT = np.zeros((0, 6), np.uint32)
_NO_TABLE = (np.zeros(1, np.uint64), np.zeros(1, np.int64), np.zeros((1, 32), np.int64))


@functools.lru_cache(maxsize=4)
def _given(condition: Question, rules: RuleSet) -> Given:
    """A condition for the kernels."""
    from .conditions import deal_condition
    from .exact import TooWideError

    try:
        return deal_condition(condition, rules).given
    except TooWideError as error:
        raise InputError(f"--given: {error}; name fewer tiles or seats") from None


class Player:
    """Plays blocks of a run on one thread, as the kernel that fits its policies.

    Parameters
    ----------
    run : Run
    given : Question or Given, optional
        A condition on the deal, in place of the run's own.
    players : sequence of Policy, optional
        In place of the run's own, which may differ from one rule set to another.

    Raises
    ------
    InputError
        If no deal meets the condition, or there are too many ways to meet it.
    """

    def __init__(
        self,
        run: Run,
        given: Question | Given | None = None,
        players: Sequence[Policy] | None = None,
    ) -> None:
        if given is None and run.given is not None:
            given = parse_question(run.given)
        if given is None:
            given = no_condition()
        who, feature = split_of(run.by) if run.by else ("banker", None)
        self._given = given if isinstance(given, Given) else _given(given, run.rules)
        self._split = (
            FEATURE_NUMBERS[feature] if feature else 0,
            WINNER_SEAT if who == "winner" else SEATS.index(who),
        )
        self._taking = taking(DEALS.index(run.deal), self._given.series)
        self._rules = run.rules.switches()
        self._seed = np.uint64(run.seed)
        self._lanes = new_lanes()
        self._kernel: Kernel[..., int] | None = None
        seated = run.players() if players is None else players
        if all(player.name in POLICIES for player in seated):
            numbers = [POLICIES[player.name] for player in seated]
            same = len(set(numbers)) == 1
            self._kernel = BLOCK_KERNELS[numbers[0] if same else EACH_ITS_OWN]
            self._policies = sum(number << 4 * seat for seat, number in enumerate(numbers))
        else:
            self._table = Duplicates(
                seated, [range(4)], run.rules, seed=run.seed,
                deal=DEALS.index(run.deal), term=run.term, given=self._given,
            )  # fmt: skip

    @property
    def series(self) -> int:
        """The series of the random keys."""
        return self._taking.series

    def _play(self, start: int, hands: int, opening: int, *into: Any) -> int:
        assert self._kernel is not None
        return self._kernel(
            self._lanes, self._seed, start, hands, self._policies, self._taking, self._rules,
            self._given, *self._split, opening, *into,
        )  # fmt: skip

    def count(self, start: int, hands: int, keys: Any, counts: Any, last_tiles: Any) -> int:
        """Count outcome records in a table until it is half full; returns the hands played."""
        if self._kernel is not None:
            return self._play(start, hands, 0, keys, counts, last_tiles, _NOT_KEPT)
        kept = self._table.keep(start, min(hands, keys.size // 4))
        return self.count_kept(kept, 0, keys, counts, last_tiles)

    def count_kept(
        self, kept: NDArray[np.uint32], row: int, keys: Any, counts: Any, last_tiles: Any
    ) -> int:
        """Count records of kept hands from `row` on until the table is half full; returns how many."""
        return count_kept(kept, row, *self._split, self._rules, keys, counts, last_tiles)

    def keep(self, start: int, hands: int, opening: int = 0) -> NDArray[np.uint32]:
        """Play hands and keep result, honours and the four dealt hands of each.

        The banker leads `opening` (tile bits) to the first trick, or by its policy if that is 0;
        bit 31 of a result says whether it took that trick.
        """
        if self._kernel is None:
            return self._table.keep(start, hands, opening)
        kept = np.zeros((hands, 6), np.uint32)
        self._play(start, hands, opening, *_NO_TABLE, kept)
        return kept


def block_of(players: Iterable[Policy]) -> int:
    """Hands a block: a second or so of play at most, that Ctrl-C need not wait for more.

    Examples
    --------
    >>> block_of(Run(policies=("greedy",) * 4).players()), block_of(Run().players())
    (65536, 8192)
    """
    blocks = [
        BLOCK if player.name in POLICIES else (_THINKING_BLOCK if player.worlds else _FAMILY_BLOCK)
        for player in players
    ]
    return min(blocks)


@checked(run=RUN)
def prepare(run: Run) -> None:
    """Load, or compile, what a run needs, in this thread.

    Examples
    --------
    >>> prepare(Run(hands=10))
    """
    Player(run).keep(0, 1)
