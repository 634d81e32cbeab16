"""Against whom the studies play: what is claimed of a way must hold against all of them."""

from __future__ import annotations

from .policies import Policy, find_policy, policy_names
from .rules import RuleSet

POOL = ("tuned", "greedy", "public-a", "exploiter")
"""Opponents by name; one that is not listed among the policies is left out.

``exploiter`` is the name that a best response to the tuned policy is looked for under.
"""


def pool_of(rules: RuleSet) -> list[Policy]:
    """The opponents of a study.

    Examples
    --------
    >>> [policy.name for policy in pool_of(RuleSet())][:3]
    ['tuned', 'greedy', 'public-a']
    """
    listed = policy_names()
    return [find_policy(name, rules) for name in POOL if name in listed]
