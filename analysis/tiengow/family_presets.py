"""The named policies of the heuristic family: the tuned one, and six with a belief of their own.

The six differ from the tuned policy in the few weights that their belief is about.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import NamedTuple

from ...kernels.tiengow.weights import WEIGHT_NAMES
from ..phrases import Phrase, phrase
from .policies import Policy, read_policy
from .presets import nearest_preset
from .rules import RuleSet

_TUNED = phrase(
    "A tile is worth the tricks that it may still take, and the last trick is worth most of all. The "
    "weights were found by trying, against a pool of opponents, and not by thinking."
)


@functools.cache
def _tuned(preset: str) -> Policy:
    text = files(__package__).joinpath(f"{preset}.tuned.toml").read_text(encoding="utf-8")
    found = read_policy(tomllib.loads(text), "tuned")
    return Policy("tuned", found.kind, _TUNED, found.weights)


def tuned_for(rules: RuleSet) -> Policy:
    """The policy tuned under the preset that is nearest to the rules.

    Examples
    --------
    >>> tuned_for(RuleSet()).name
    'tuned'
    """
    return _tuned(nearest_preset(rules)[0])


class Change(NamedTuple):
    """What a preset changes in the tuned weights: factors, then values set."""

    beliefs: str
    times: dict[str, float]
    to: dict[str, float]


_STAGES = ("early", "middle", "late")
_FIRST_STACK = [f"first_stack_{stage}" for stage in _STAGES]
_LEAD = [f"lead_{stage}" for stage in _STAGES]
CHANGES = {
    "cautious": Change(
        phrase(
            "The worst is to end without a stack, so take the first one early and cheaply. "
            "The last trick is welcome but not worth a risk."
        ),
        {**dict.fromkeys(_FIRST_STACK, 3.0), "stack": 1.5, "last_trick": 0.6, "run": 0.6},
        {},
    ),
    "bold": Change(
        phrase(
            "Only the last trick pays, so every strong tile is kept for it. "
            "A hand without a stack is a price worth paying now and then."
        ),
        {**dict.fromkeys(_FIRST_STACK, 0.4), "stack": 0.3, "last_trick": 1.6, "run": 1.6},
        {},
    ),
    "block-banker": Change(
        phrase(
            "Never let the banker have the last trick: beat it wherever it leads a trick or wins one. "
            "Do not beat another non-banker in the first three tricks, for it fights the banker too."
        ),
        {},
        {"deny_banker": 4.0, "spare_non_banker": 1e5},
    ),
    "safe-banker": Change(
        phrase(
            "As banker every stack counts double, so cash the tricks that cannot be lost at once. "
            "What comes after is left to the cards."
        ),
        {},
        {"banker_cash": 4.0},
    ),
    "control": Change(
        phrase(
            "Count what is out and keep the entries, for whoever has the lead decides what "
            "is fought for. "
            "Win the last trick with the lowest tile that is sure by then."
        ),
        {**dict.fromkeys(_LEAD, 2.0), "run": 1.5,
         **{f"top_{stage}_{n}": 1.5 for stage in _STAGES for n in range(2)}},
        {"cash": -0.5},
    ),
    "honour-late": Change(
        phrase(
            "Keep supreme and fours for the last trick, where they multiply all that is paid. "
            "They are led early only when nothing else is left."
        ),
        {},
        {"honour": -1000.0, "supreme": 30.0, "four": 30.0},
    ),
}  # fmt: skip


def _changed(name: str, rules: RuleSet) -> Policy:
    change = CHANGES[name]
    tuned = tuned_for(rules)
    weights = dict(zip(WEIGHT_NAMES, tuned.weights, strict=True))
    weights |= {weight: weights[weight] * factor for weight, factor in change.times.items()}
    weights |= change.to
    return Policy(name, tuned.kind, change.beliefs, tuple(weights[weight] for weight in WEIGHT_NAMES))


PRESETS: dict[str, Callable[[RuleSet], Policy]] = {
    name: functools.partial(_changed, name) for name in CHANGES
}


def _of_the_preset(policies: Sequence[str]) -> list[str]:
    """Those that play with the weights tuned under a rule preset, each once."""
    own = ("tuned", *PRESETS)
    return [name for name in dict.fromkeys(policies) if name in own or name.split(":")[0] == "rollout"]


def tuned_under(policies: Sequence[str], rules: RuleSet) -> str | None:
    """The preset for which policies were tuned that play under rules of no preset; else None.

    Examples
    --------
    >>> tuned_under(("tuned",) * 4, RuleSet(kam=4)), tuned_under(("tuned",) * 4, RuleSet())
    ('tiengow-ja', None)
    """
    preset, changed = nearest_preset(rules)
    return preset if changed and _of_the_preset(policies) else None


def tuned_note(policies: Sequence[str], rules: RuleSet, *others: RuleSet) -> Phrase | None:
    """Says for which preset the policies were tuned, where that does not go without saying.

    Parameters
    ----------
    policies : sequence of str
    rules : RuleSet
        The rules for which they were looked up.
    *others : RuleSet
        Rules that the same policies also play under.

    Examples
    --------
    >>> tuned_note(["tuned"], RuleSet(kam=4))
    'No preset has these rules: tuned plays with the weights of tiengow-ja, the nearest one.'
    """
    preset, changed = nearest_preset(rules)
    names = "/".join(_of_the_preset(policies))
    if not names or (not changed and all(other == rules for other in others)):
        return None
    if not others:
        return phrase(
            "No preset has these rules: {policies} plays with the weights of {preset}, the nearest one.",
            policies=names, preset=preset,
        )  # fmt: skip
    return phrase(
        "Under all rules compared {policies} plays with the weights of {preset}, the preset nearest to "
        "the first.",
        policies=names, preset=preset,
    )  # fmt: skip
