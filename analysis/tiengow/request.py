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
from ..checks import SEED, instance, one_of, optional, settle, text, told, whole
from ..errors import InputError, no_such
from ..lists import joined
from ..phrases import phrase
from .defaults import DEFAULT_POLICIES
from .family_presets import tuned_under
from .parser import parse_question
from .policies import Policy, find_policy, is_a_file, kept_policies, seated
from .presets import rules_words
from .questions import is_about_the_deal
from .records import LARGEST_TERM
from .rules import RULES as RULES
from .rules import RuleSet

SEATS = ("banker", "right", "across", "left")
SEAT_WORDS = {
    "banker": phrase("banker"), "right": phrase("right"), "across": phrase("across"),
    "left": phrase("left"),
}  # fmt: skip
DEALS = tuple(pattern.name for pattern in PATTERNS)
RESULT_VERSION = 2  # to be raised whenever the same request gives other numbers
DEALT_VERSION = 1  # and this one where only requests with a condition on the deal do
LARGEST_HANDS = 10**15
TERM = whole(1, LARGEST_TERM)
DEAL = one_of(DEALS, "deal pattern")


@dataclass(frozen=True, kw_only=True)
class Run:
    """A request: everything that affects the numbers, and nothing else.

    Attributes
    ----------
    rules : RuleSet
    policies : tuple of str
        Of banker, right, across and left; ``tuned``, good play, by default.
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
    policies: tuple[str, str, str, str] = DEFAULT_POLICIES
    deal: str = DEALS[0]
    shuffle: str = "perfect"
    term: int = 1
    seed: int = 1
    hands: int = 1_000_000
    by: str | None = None
    given: str | None = None

    def __post_init__(self) -> None:
        check_table(self.rules, self.policies, self.deal)
        settle(
            self, shuffle=text, term=TERM, seed=SEED, hands=whole(1, LARGEST_HANDS), by=optional(text),
            given=optional(text),
        )  # fmt: skip
        _check_shuffle(self.shuffle)
        if self.by is not None:
            split_of(self.by)
        if self.given is not None and not is_about_the_deal(parse_question(self.given)):
            raise InputError(
                f"--given {self.given}: a run deals what a condition on the dealt hands asks for; for "
                "a condition on the play use gupai odds"
            )

    def players(self) -> list[Policy]:
        """The policies of the four seats."""
        return seated(self.policies, self.rules)

    def provenance(self, **dealt: str) -> dict[str, Any]:
        """What it takes to get the same numbers again.

        Parameters
        ----------
        **dealt : str
            A condition on the deal that is none of the run: ``given`` of a question, or ``hand``.
        """
        return provenance_of(self._request() | dealt, self.policies, self.rules)

    def identity(self) -> str:
        """The fingerprint of all that its hands depend on: not how many, nor the name of a file.

        Examples
        --------
        >>> Run(hands=10).identity() == Run(hands=20).identity()
        True
        """
        named = ["a file" if is_a_file(name) else str(name) for name in self.policies]
        request = self._request() | {"hands": 1, "policies": named}
        return str(provenance_of(request, self.policies, self.rules)["fingerprint"])

    def archived(self) -> dict[str, Any]:
        """What is saved of it: of a policy that may change also the digest."""
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return fields | {"policies": list(map(str, self.policies)), "digests": digests_of(self)}

    @classmethod
    def unarchived(cls, policies: Sequence[str], digests: Any = None, **fields: Any) -> Run:
        """A run that was saved; no code of a policy is run for it."""
        return cls(policies=kept_policies(policies, digests), **fields)  # type: ignore[arg-type]

    def _request(self) -> dict[str, Any]:
        request: dict[str, Any] = {
            "rules": self.rules.to_json(),
            "policies": list(map(str, self.policies)),
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
        return request

    def command(self) -> str:
        """The command line that plays this run again.

        Examples
        --------
        >>> Run(rules=RuleSet(kam=4), hands=1000).command()
        'gupai simulate --rules tiengow-ja --set kam=4 --policy tuned --hands 1000 --seed 1'
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


RUN = instance(Run, "a Run")


def digests_of(run: Any) -> list[str] | None:
    """The digests of a run's policies; None where all are pinned."""
    if set(run.policies) <= set(POLICIES):
        return None
    return [find_policy(name, run.rules).digest() for name in run.policies]


def provenance_of(request: dict[str, Any], policies: Sequence[str], rules: RuleSet) -> dict[str, Any]:
    """A request with the version and a fingerprint of everything that its numbers depend on."""
    under = tuned_under(policies, rules)
    beside = {} if under is None else {"tuned_under": under}  # the digests say the same, and more
    if not set(policies) <= set(POLICIES):  # their weights may change
        digests = [find_policy(name, rules).digest() for name in policies]
        request = request | {"policy_digests": digests}
    versions = [DEALT_VERSION] if {"given", "hand"} & set(request) else []
    text = json.dumps([RESULT_VERSION, request, *versions], sort_keys=True, separators=(",", ":"))
    fingerprint = hashlib.sha256(text.encode()).hexdigest()[:16]
    return {"version": version("gupai"), **request, **beside, "fingerprint": fingerprint}


def rules_and_policies(rules: RuleSet, policies: Sequence[str]) -> list[str]:
    """The options of a command line that name a rule set and the policies of four seats."""
    preset, *changed = rules_words(rules, option="--set ")
    same = len(set(policies)) == 1
    named = shlex.quote(joined(policies[:1] if same else policies))
    return [f"--rules {preset}", *changed, f"--policy {named}"]


def check_table(rules: RuleSet, policies: tuple[str, ...], deal: str) -> None:
    """Refuse what is no rule set, no four policies, or no way of dealing."""
    RULES("rules", rules)
    if not isinstance(policies, tuple) or len(policies) != len(SEATS):
        raise InputError(f"policies {told(policies)}: must be four names: {', '.join(SEATS)}")
    for name in policies:
        find_policy(name, rules)
    DEAL("deal", deal)


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
