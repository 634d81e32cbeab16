"""Runs: what to play, playing it, and the tally of outcome records.

Source: the section "gupai simulate" of the interface.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import Kernel
from ...kernels.tiengow.deal import PATTERNS, taking
from ...kernels.tiengow.features import FEATURE_NUMBERS, FEATURES
from ...kernels.tiengow.given import Given, no_condition
from ...kernels.tiengow.lanes import BLOCK_KERNELS, new_lanes
from ...kernels.tiengow.players import count_kept
from ...kernels.tiengow.policies import POLICIES
from ...kernels.tiengow.trick import EACH_ITS_OWN
from ..errors import InputError, no_such
from ..runs import BLOCK, Progress, default_threads, run_blocks
from .duplicate import Duplicates
from .parser import parse_question
from .policies import Policy, find_policy
from .presets import nearest_preset
from .questions import Question, is_about_the_deal
from .records import LARGEST_TERM
from .rules import RuleSet

SEATS = ("banker", "right", "across", "left")
WINNER_SEAT = 4  # in place of a seat number: whoever won
DEALS = tuple(pattern.name for pattern in PATTERNS)
RESULT_VERSION = 2  # to be raised whenever the same request gives other numbers
LARGEST_SEED = 2**64 - 1
LARGEST_HANDS = 10**15
GROUPS = 64
_FIRST_TABLE = 1 << 14
_NOT_KEPT = np.zeros((0, 6), np.uint32)
_NO_TABLE = (np.zeros(1, np.uint64), np.zeros(1, np.int64), np.zeros((1, 32), np.int64))


@dataclass(frozen=True, kw_only=True)
class Run:
    """A request: everything that affects the numbers, and nothing else.

    Attributes
    ----------
    rules : RuleSet
    policies : tuple of str
        Of banker, right, across and left.
    deal : str
        One of `DEALS`.
    shuffle : str
        ``perfect``.
    term : int
        The banker's term.
    seed : int
        0 to 2**64 - 1.
    hands : int
        Hands to play.
    by : str or None
        A feature of a dealt hand to split by, such as ``military`` (of the banker) or
        ``winner.fours``.
    given : str or None
        A condition on the deal, in the question language; every hand is dealt to meet it.

    Raises
    ------
    InputError
        For a value that is not allowed.

    Examples
    --------
    >>> Run(policies=("greedy",) * 4, hands=1000).deal
    'pairs_of_columns'
    """

    rules: RuleSet = dataclasses.field(default_factory=RuleSet)
    policies: tuple[str, str, str, str] = ("greedy",) * 4
    deal: str = DEALS[0]
    shuffle: str = "perfect"
    term: int = 1
    seed: int = 1
    hands: int = 1_000_000
    by: str | None = None
    given: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.rules, RuleSet):
            raise InputError(f"rules {self.rules!r}: must be a RuleSet, such as load_rules gives")
        if not isinstance(self.policies, tuple) or len(self.policies) != len(SEATS):
            raise InputError(f"policies {self.policies!r}: must be four names: {', '.join(SEATS)}")
        self.players()
        if self.deal not in DEALS:
            raise InputError("--deal " + no_such(self.deal, "deal pattern", DEALS))
        _check_shuffle(self.shuffle)
        _check_range("--term", self.term, 1, LARGEST_TERM)
        _check_range("--seed", self.seed, 0, LARGEST_SEED)
        _check_range("--hands", self.hands, 1, LARGEST_HANDS)
        if self.by is not None:
            split_of(self.by)
        if self.given is not None and not is_about_the_deal(parse_question(self.given)):
            raise InputError(
                f"--given {self.given}: a run deals what a condition on the dealt hands asks for; for "
                "a condition on the play use gupai odds"
            )

    def players(self) -> list[Policy]:
        """The policies of the four seats."""
        return [find_policy(name, self.rules) for name in self.policies]

    def provenance(self) -> dict[str, Any]:
        """What it takes to get the same numbers again."""
        request: dict[str, Any] = {
            "rules": self.rules.to_json(),
            "policies": list(self.policies),
            "deal": self.deal,
            "shuffle": self.shuffle,
            "term": self.term,
            "seed": self.seed,
            "hands": self.hands,
        }
        if self.by is not None:
            request["by"] = self.by
        if self.given is not None:
            request["given"] = self.given
        if not set(self.policies) <= set(POLICIES):  # their weights may change
            request["policy_digests"] = [player.digest() for player in self.players()]
        text = json.dumps([RESULT_VERSION, request], sort_keys=True, separators=(",", ":"))
        fingerprint = hashlib.sha256(text.encode()).hexdigest()[:16]
        return {"version": version("gupai"), **request, "fingerprint": fingerprint}

    def command(self) -> str:
        """The command line that plays this run again.

        Examples
        --------
        >>> Run(rules=RuleSet(kam=4), hands=1000).command()
        'gupai simulate --rules tiengow-ja --set kam=4 --policy greedy --hands 1000 --seed 1'
        """
        preset, changed = nearest_preset(self.rules)
        words = ["gupai simulate", f"--rules {preset}"]
        words += [f"--set {name}={_setting(value)}" for name, value in changed.items()]
        same = len(set(self.policies)) == 1
        words.append(f"--policy {self.policies[0] if same else ','.join(self.policies)}")
        if self.deal != DEALS[0]:
            words.append(f"--deal {self.deal}")
        if self.term != 1:
            words.append(f"--term {self.term}")
        if self.by is not None:
            words.append(f"--by {self.by}")
        if self.given is not None:
            words.append(f"--given {shlex.quote(self.given)}")
        return " ".join([*words, f"--hands {self.hands}", f"--seed {self.seed}"])


def _setting(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(value) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _check_range(name: str, value: int, least: int, largest: int) -> None:
    if type(value) is not int or not least <= value <= largest:
        raise InputError(f"{name} {value}: must be a whole number from {least} to {largest}")


def _check_shuffle(shuffle: str) -> None:
    if shuffle == "perfect":
        return
    if shuffle.startswith("wash:"):
        raise InputError(
            f"--shuffle {shuffle}: single hands are shuffled perfectly, because a washed wall comes "
            "from the hand before; leave --shuffle out or write --shuffle perfect"
        )
    raise InputError("--shuffle " + no_such(shuffle, "shuffle", ["perfect"]))


def split_of(by: str) -> tuple[str, str]:
    """Whose feature, and which: ``military`` is ``("banker", "military")``.

    Examples
    --------
    >>> split_of("winner.military")
    ('winner', 'military')
    """
    who, dot, feature = by.rpartition(".")
    who = who if dot else "banker"
    if feature not in FEATURES:
        raise InputError(f"--by {by}: " + no_such(feature, "feature", FEATURES))
    if who not in (*SEATS, "winner"):
        raise InputError(f"--by {by}: " + no_such(who, "seat", (*SEATS, "winner")))
    return who, feature


@dataclass(frozen=True, kw_only=True)
class Tally:
    """How often each outcome record occurred.

    Attributes
    ----------
    run : Run
        The request, with `hands` as many as were played (as asked for, if none were).
    keys : uint64 array, n
        Distinct records, rising: the settled bits of `result` below, `honours` and the group
        above.
    counts : int64 array, n
        Hands.
    last_tiles : int64 array, 64 × 32
        Hands whose last trick was won with one tile, by group and bit of that tile.
    interrupted : bool
        Whether Ctrl-C ended the run early.
    """

    run: Run
    keys: NDArray[np.uint64]
    counts: NDArray[np.int64]
    last_tiles: NDArray[np.int64]
    interrupted: bool = False


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

    Raises
    ------
    InputError
        If no deal meets the condition, or there are too many ways to meet it.
    """

    def __init__(self, run: Run, given: Question | Given | None = None) -> None:
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
        self._taking, self._rules = taking(DEALS.index(run.deal)), run.rules.switches()
        self._seed = np.uint64(run.seed)
        self._lanes = new_lanes()
        self._kernel: Kernel[..., int] | None = None
        if set(run.policies) <= set(POLICIES):
            numbers = [POLICIES[name] for name in run.policies]
            same = len(set(numbers)) == 1
            self._kernel = BLOCK_KERNELS[numbers[0] if same else EACH_ITS_OWN]
            self._policies = sum(number << 4 * seat for seat, number in enumerate(numbers))
        else:
            players = run.players()
            self._table = Duplicates(
                players, [range(4)], run.rules, seed=run.seed, deal=DEALS.index(run.deal),
                term=run.term, given=self._given,
            )  # fmt: skip

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
        return count_kept(kept, 0, *self._split, self._rules, keys, counts, last_tiles)

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


def prepare(run: Run) -> None:
    """Load, or compile, what a run needs, in this thread.

    Examples
    --------
    >>> prepare(Run(hands=10))
    """
    Player(run).keep(0, 1)


class _TallyWorker:
    """Plays blocks of a run on one thread and counts what came of them."""

    def __init__(self, run: Run) -> None:
        self._player = Player(run)
        self.last_tiles = np.zeros((GROUPS, 32), np.int64)
        self.parts: list[tuple[NDArray[np.uint64], NDArray[np.int64]]] = []
        self._new_table(_FIRST_TABLE)

    def _new_table(self, size: int) -> None:
        self._keys = np.zeros(size, np.uint64)
        self._counts = np.zeros(size, np.int64)

    def play(self, start: int, hands: int) -> None:
        end = start + hands
        while start < end:
            start += self._player.count(start, end - start, self._keys, self._counts, self.last_tiles)
            if start < end:  # the table is half full
                self.flush(2 * self._keys.size)

    def flush(self, size: int) -> None:
        """Put the counted records aside and start a table of another size."""
        used = self._keys != 0
        self.parts.append((self._keys[used], self._counts[used]))
        self._new_table(size)


def simulate(
    run: Run,
    *,
    threads: int | None = None,
    block: int = BLOCK,
    progress: Callable[[Progress], None] | None = None,
) -> Tally:
    """Play a run and count its outcome records.

    Parameters
    ----------
    run : Run
    threads : int, optional
        Threads; all processors by default.  The result does not depend on it.
    block : int
        Hands a block; the result does not depend on it.
    progress : callable, optional
        Called several times a second with a `Progress`.

    Returns
    -------
    Tally
        Of the hands played: all of them, or after Ctrl-C the first ones.

    Raises
    ------
    InputError
        If `threads` is below 1.

    Examples
    --------
    >>> tally = simulate(Run(policies=("random",) * 4, hands=500))
    >>> int(tally.counts.sum())
    500
    """
    number = default_threads() if threads is None else threads
    _check_range("--threads", number, 1, 1024)
    number = min(number, -(-run.hands // block))
    workers = [_TallyWorker(run) for _ in range(number)]
    done, interrupted = run_blocks(list(workers), run.hands, block=block, progress=progress)
    for worker in workers:
        worker.flush(_FIRST_TABLE)
    parts = [part for worker in workers for part in worker.parts]
    keys, place = np.unique(np.concatenate([keys for keys, _ in parts]), return_inverse=True)
    counts = np.zeros(keys.size, np.int64)
    np.add.at(counts, place, np.concatenate([counts for _, counts in parts]))
    return Tally(
        run=dataclasses.replace(run, hands=done) if 0 < done < run.hands else run,
        keys=keys,
        counts=counts,
        last_tiles=np.sum([worker.last_tiles for worker in workers], axis=0, dtype=np.int64),
        interrupted=interrupted,
    )
