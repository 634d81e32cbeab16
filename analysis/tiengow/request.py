"""A run: everything that affects its numbers, and nothing else.

Source: the section "gupai simulate" of the interface.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from ...kernels.tiengow.deal import PATTERNS
from ...kernels.tiengow.features import FEATURES
from ...kernels.tiengow.policies import POLICIES
from ..errors import InputError, no_such
from ..phrases import Phrase, phrase
from .parser import parse_question
from .policies import Policy, find_policy
from .presets import rules_words
from .questions import is_about_the_deal
from .records import LARGEST_TERM
from .rules import RuleSet

SEATS = ("banker", "right", "across", "left")
SEAT_WORDS = {
    "banker": phrase("banker"), "right": phrase("right"), "across": phrase("across"),
    "left": phrase("left"),
}  # fmt: skip
WINNER_SEAT = 4  # in place of a seat number: whoever won
DEALS = tuple(pattern.name for pattern in PATTERNS)
RESULT_VERSION = 2  # to be raised whenever the same request gives other numbers
LARGEST_SEED = 2**64 - 1
LARGEST_HANDS = 10**15


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
        check_table(self.rules, self.policies, self.deal)
        _check_shuffle(self.shuffle)
        check_range("--term", self.term, 1, LARGEST_TERM)
        check_range("--seed", self.seed, 0, LARGEST_SEED)
        check_range("--hands", self.hands, 1, LARGEST_HANDS)
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
        return provenance_of(request, self.policies, self.rules)

    def command(self) -> str:
        """The command line that plays this run again.

        Examples
        --------
        >>> Run(rules=RuleSet(kam=4), hands=1000).command()
        'gupai simulate --rules tiengow-ja --set kam=4 --policy greedy --hands 1000 --seed 1'
        """
        words = ["gupai simulate", *rules_and_policies(self.rules, self.policies)]
        if self.deal != DEALS[0]:
            words.append(f"--deal {self.deal}")
        if self.term != 1:
            words.append(f"--term {self.term}")
        if self.by is not None:
            words.append(f"--by {self.by}")
        if self.given is not None:
            words.append(f"--given {shlex.quote(self.given)}")
        return " ".join([*words, f"--hands {self.hands}", f"--seed {self.seed}"])


def provenance_of(request: dict[str, Any], policies: Sequence[str], rules: RuleSet) -> dict[str, Any]:
    """A request with the version and a fingerprint of everything that its numbers depend on."""
    if not set(policies) <= set(POLICIES):  # their weights may change
        digests = [find_policy(name, rules).digest() for name in policies]
        request = request | {"policy_digests": digests}
    text = json.dumps([RESULT_VERSION, request], sort_keys=True, separators=(",", ":"))
    fingerprint = hashlib.sha256(text.encode()).hexdigest()[:16]
    return {"version": version("gupai"), **request, "fingerprint": fingerprint}


def rules_and_policies(rules: RuleSet, policies: Sequence[str]) -> list[str]:
    """The options of a command line that name a rule set and the policies of four seats."""
    preset, *changed = rules_words(rules, option="--set ")
    same = len(set(policies)) == 1
    named = shlex.quote(policies[0] if same else ",".join(policies))
    return [f"--rules {preset}", *changed, f"--policy {named}"]


def check_table(rules: RuleSet, policies: tuple[str, ...], deal: str) -> None:
    """Refuse what is no rule set, no four policies, or no way of dealing."""
    if not isinstance(rules, RuleSet):
        raise InputError(f"rules {rules!r}: must be a RuleSet, such as load_rules gives")
    if not isinstance(policies, tuple) or len(policies) != len(SEATS):
        raise InputError(f"policies {policies!r}: must be four names: {', '.join(SEATS)}")
    for name in policies:
        find_policy(name, rules)
    if deal not in DEALS:
        raise InputError("--deal " + no_such(deal, "deal pattern", DEALS))


def term_words(term: int) -> Phrase:
    """A banker's term in words; the first is no streak 連莊.

    Examples
    --------
    >>> term_words(1), term_words(3)
    ('term 1', 'term 3')
    """
    return phrase("term 1") if term == 1 else phrase("term {n}", n=term)


def check_range(name: str, value: int, least: int, largest: int) -> None:
    if type(value) is not int or not least <= value <= largest:
        raise InputError(f"{name} {value}: must be a whole number from {least} to {largest}")


def _check_shuffle(shuffle: str) -> None:
    if shuffle == "perfect":
        return
    if shuffle.startswith("wash:"):
        raise InputError(
            f"--shuffle {shuffle}: single hands are shuffled perfectly, because a washed wall comes "
            "from the hand before; leave --shuffle out here, or play gupai session --shuffle " + shuffle
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
