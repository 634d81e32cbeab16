"""Policies by name or from a file: the pinned ones, the public ones, and the heuristic family."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.tiengow.players import FAMILY, PUBLIC_A, PUBLIC_B
from ...kernels.tiengow.policies import GREEDY, POLICIES, RANDOM
from ...kernels.tiengow.search import SEARCH
from ...kernels.tiengow.weights import WEIGHT_NAMES, WEIGHTS
from ..checks import optional, text
from ..errors import InputError, no_such
from ..files import read_toml
from ..phrases import phrase
from .rules import RULES, RuleSet

LARGEST_FILE = 50_000  # bytes
LARGEST_WEIGHT = 1e6
_AHEAD_VERSION = 2  # to be raised whenever a policy that looks ahead plays otherwise
KEPT = -1  # the kind of a policy of which only name and digest are known
WORLDS = 100  # in which a policy that looks ahead tries a play, unless told otherwise


@dataclass(frozen=True)
class Policy:
    """A way to play.

    Attributes
    ----------
    name : str
        As on the command line; for a file its path.
    kind : int
        The kernel's number for it.
    beliefs : str
        What it believes, in plain sentences.
    weights : tuple of float
        Of the heuristic family, in points; empty for other kinds.
    worlds : int
        In how many worlds a policy that looks ahead tries a play; a negative number: that it goes
        by 結, not by points.
    source : str
        A digest of a user's own file, whose weights then hold the address of its code.
    """

    name: str
    kind: int
    beliefs: str
    weights: tuple[float, ...] = ()
    worlds: int = 0
    source: str = ""

    def row(self) -> NDArray[np.float64]:
        """The weights as the kernels read them."""
        return np.array((*self.weights, *(0.0,) * (WEIGHTS - len(self.weights))))

    def digest(self) -> str:
        """What its play depends on, in sixteen hex digits."""
        if self.source:
            return self.source
        version = [_AHEAD_VERSION] if self.kind == SEARCH else []
        text = json.dumps([self.kind, self.weights, self.worlds, *version])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def with_weights(self, **changes: float) -> Policy:
        """The same with some weights changed."""
        values = dict(zip(WEIGHT_NAMES, self.weights, strict=True)) | changes
        return Policy(self.name, self.kind, self.beliefs, tuple(values[name] for name in WEIGHT_NAMES))


class KeptPolicy(str):
    """The name of a policy as something that was kept tells of it: with its digest, not its code.

    Attributes
    ----------
    digest : str
    """

    digest: str


def kept_policies(names: Sequence[str], digests: Sequence[str] | None) -> tuple[str, ...]:
    """The policies that a kept file names, with the digests it tells.

    Where it tells none, as it did before, those out of a file still are names and nothing else.

    Examples
    --------
    >>> kept_policies(["greedy", "mine.py:lowest"], None)[1].digest
    'unknown'
    """
    found: list[str] = []
    for name, digest in zip(names, digests or ["unknown"] * len(names), strict=True):
        if type(name) is not str or type(digest) is not str:
            raise TypeError(f"{name!r} and {digest!r} are no policy and its digest")
        if name not in POLICIES and (digests or is_a_file(name)):
            kept = KeptPolicy(name)
            kept.digest = digest
            found.append(kept)
        else:
            found.append(name)
    return tuple(found)


def seated(names: Sequence[str], rules: RuleSet) -> list[Policy]:
    """The policies that play under some names.

    Raises
    ------
    InputError
        For a name out of a kept file: what stood behind it may have changed, and code is run only
        where the user names it.

    Examples
    --------
    >>> [policy.name for policy in seated(["greedy", "tuned"], RuleSet())]
    ['greedy', 'tuned']
    """
    players = [find_policy(name, rules) for name in names]
    for number, player in enumerate(players):
        if player.kind == KEPT and player.name.endswith(".toml"):  # data, which may be the same still
            with contextlib.suppress(InputError):
                now = find_policy(player.name, rules)
                players[number] = now if now.digest() == player.source else player
        if players[number].kind == KEPT:
            why = (
                "a kept file tells its name and digest only, and its code is run only where --policy "
                "names it"
                if is_user_policy(player.name)
                else "it was another policy then (its file or its weights have changed since)"
            )
            raise InputError(
                f"--policy {player.name}: cannot be played from what was kept: {why}; name the policy "
                "again with --policy"
            )
    return players


_FIXED = {
    "random": Policy(
        "random", RANDOM,
        phrase(
            "Every legal play is as good as any other. It is the yardstick for having no plan at all."
        ),
    ),
    "greedy": Policy(
        "greedy", GREEDY,
        phrase(
            "Lead the largest and strongest combination, and beat with the weakest play that does. "
            "It is the yardstick for simple, sound play without memory."
        ),
    ),
    "public-a": Policy(
        "public-a", PUBLIC_A,
        phrase(
            "Lead supreme or a four at once, else the cheapest single tile, and beat as "
            "cheaply as can be. "
            "Keep 63, fours and pairs when discarding."
        ),
    ),
    "public-b": Policy(
        "public-b", PUBLIC_B,
        phrase(
            "Lead the weakest pair, else the lowest tile, and duck three times in ten. "
            "Discards do not matter."
        ),
    ),
}  # fmt: skip


def family_policy(name: str, beliefs: str, weights: Mapping[str, float]) -> Policy:
    """A policy of the heuristic family from named weights; one that is missing is 0.

    Raises
    ------
    InputError
        For a weight that does not exist or is no number.

    Examples
    --------
    >>> mine = family_policy("mine", "", {"last_trick": 20})
    >>> sum(mine.weights)
    20.0
    """
    for weight, value in weights.items():
        if weight not in WEIGHT_NAMES:
            raise InputError(f"{name}: " + no_such(weight, "weight", WEIGHT_NAMES, see="gupai policies"))
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not -LARGEST_WEIGHT <= value <= LARGEST_WEIGHT:
            raise InputError(
                f"{name}: {weight} = {str(value)[:40]}: must be a number from -{LARGEST_WEIGHT:g} to "
                f"{LARGEST_WEIGHT:g} (points)"
            )
    chosen = tuple(float(weights.get(weight, 0.0)) for weight in WEIGHT_NAMES)
    return Policy(name, FAMILY, beliefs, chosen)


def read_policy(data: Mapping[str, Any], name: str) -> Policy:
    """A policy from the content of a TOML file.

    Raises
    ------
    InputError
        If it is none.

    Examples
    --------
    >>> read_policy({"beliefs": 1}, "mine.toml")
    Traceback (most recent call last):
    ...
    gupai.analysis.errors.InputError: mine.toml: beliefs = 1: must be a text
    """
    known = ("beliefs", "weights", "training", "policy")
    for key in data:
        if key not in known:
            raise InputError(f"{name}: " + no_such(key, "entry", known))
    beliefs = data.get("beliefs", "")
    if not isinstance(beliefs, str):
        raise InputError(f"{name}: beliefs = {beliefs!r}: must be a text")
    weights = data.get("weights")
    if not isinstance(weights, dict):
        raise InputError(f"{name}: has no table [weights]; see gupai policies tuned")
    return family_policy(name, beliefs, weights)


@functools.lru_cache(maxsize=64)
def _from_file(path: str, _changed: int) -> Policy:
    try:
        data = read_toml(path, LARGEST_FILE, "policy file")
    except InputError as error:
        raise InputError(f"--policy {error}") from None
    return read_policy(data, path)


def is_user_policy(name: str) -> bool:
    """Whether a name says file.py:function.

    Examples
    --------
    >>> is_user_policy("mine.py:lowest"), is_user_policy("tuned")
    (True, False)
    """
    return name.rpartition(":")[0].endswith(".py")


def is_a_file(name: str) -> bool:
    """Whether a name says a file, of weights or of code.

    Examples
    --------
    >>> is_a_file("mine.toml"), is_a_file("mine.py:lowest"), is_a_file("tuned")
    (True, True, False)
    """
    return name.endswith(".toml") or is_user_policy(name)


def find_policy(name: str, rules: RuleSet | None = None) -> Policy:
    """A policy by its name, or from a file that ends in .toml.

    Parameters
    ----------
    name : str
    rules : RuleSet, optional
        ``tuned`` is the one tuned for the nearest preset; tiengow-ja by default.

    Raises
    ------
    InputError
        If there is no such policy.

    Examples
    --------
    >>> find_policy("greedy").beliefs.split(",")[0]
    'Lead the largest and strongest combination'
    """
    if isinstance(name, KeptPolicy):
        if not is_a_file(name):
            now = find_policy(str(name), rules)
            if now.digest() == name.digest:
                return now
        return Policy(str(name), KEPT, phrase("Of it, name and digest were kept."), source=name.digest)
    text("policy", name)
    optional(RULES)("rules", rules)
    if name.endswith(".toml"):
        try:
            changed = Path(name).stat().st_mtime_ns
        except (OSError, ValueError):
            changed = 0
        return _from_file(name, changed)
    if is_user_policy(name):
        from .user_policies import user_policy

        return user_policy(name)
    if name in _FIXED:
        return _FIXED[name]
    if name == "rollout" or name.startswith("rollout:"):
        return _rollout(name, rules or RuleSet())
    from .family_presets import PRESETS, tuned_for

    if name == "tuned":
        return tuned_for(rules or RuleSet())
    if name in PRESETS:
        return PRESETS[name](rules or RuleSet())
    raise InputError("--policy " + no_such(name, "policy", policy_names()))


def _rollout(name: str, rules: RuleSet) -> Policy:
    """``rollout``, ``rollout:WORLDS`` or ``rollout:WORLDS:win``: the tuned policy that looks ahead."""
    from .family_presets import tuned_for

    written = re.fullmatch(r"rollout(?::([0-9]{1,6}))?(:win)?", name)
    worlds = int(written[1] or WORLDS) if written else 0
    if written is None or worlds < 2:
        raise InputError(
            f"--policy {name}: write rollout:WORLDS with 2 worlds or more, such as rollout:50, and "
            "rollout:50:win to go by 結 in place of points"
        )
    beliefs = phrase(
        "What a play is worth shows when it is played out: try the likely plays in many deals that "
        "agree with all that has been seen. Leave the tuned policy's play only for one that is "
        "clearly better."
    )
    return Policy(name, SEARCH, beliefs, tuned_for(rules).weights, -worlds if written[2] else worlds)


def policy_names() -> list[str]:
    """All policies that have a name.

    Examples
    --------
    >>> policy_names()[:2]
    ['random', 'greedy']
    """
    from .family_presets import PRESETS

    return [*_FIXED, "tuned", *PRESETS, "rollout"]
