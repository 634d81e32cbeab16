"""The house-rule map: every switch, each of its usual values, against a preset."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from ..checks import THREADS, checked, optional, texts
from ..errors import InputError, no_such
from ..runs import Progress
from .compare import compare, must_be_replayed
from .comparison import Comparison
from .presets import make_rules
from .request import RULES, RUN, Run
from .rules import HAND_PATTERNS, RuleSet, switch_list
from .simulate import Tally, simulate

# What tables use; other numbers are allowed.
USUAL: dict[str, tuple[Any, ...]] = {
    "supreme_civil": ("off", "on", "beaten_by_J"),
    "last_low_civil": (False, True),
    "kam_supreme_civil": (False, True),
    "capture_bonus": (False, True),
    "kam": (1, 2, 4),
    "kam_fours": (False, True),
    "excess": ("special", "plain"),
    "yao": (1, 2, 4),
    "supreme_finish": (1, 2, 4),
    "four_finish": (1, 2, 4),
    "seven": (1, 2, 4),
    "eight": (1, 2, 4),
    "sure_single": ("public", "actual"),
    "opening_ban": ("off", "no_eight", "no_sweep"),
    "supreme_bonus": (0, 2, 4),
    "four_bonus": (0, 4, 8),
    "bonus_on_last": (False, True),
    "four_bonus_to": ("winner", "everyone", "leader", "winning_leader"),
    "banker": ("streak", "double", "off"),
    "two_stacks": (True, False),
    "empty": (5, 4),
    "hand_patterns": ((), *((name,) for name in HAND_PATTERNS), HAND_PATTERNS),
    "heaven_red": (6, 0),
}


def variants(rules: RuleSet, switch: str) -> list[RuleSet]:
    """The rule set with each usual value of a switch but its own.

    Raises
    ------
    InputError
        If there is no such switch, or it concerns sessions alone.

    Examples
    --------
    >>> [other.kam for other in variants(RuleSet(), "kam")]
    [1, 4]
    """
    names = [info.name for info in switch_list()]
    if switch not in names:
        raise InputError("--switch " + no_such(switch, "switch", names))
    if switch not in USUAL:
        raise InputError(f"--switch {switch}: concerns the first hand of a session, not single hands")
    values = [value for value in USUAL[switch] if value != getattr(rules, switch)]
    return [make_rules(rules.model_dump() | {switch: value}, where="--switch") for value in values]


@checked(rules=RULES, switches=optional(texts), run=optional(RUN), threads=THREADS)
def compare_switches(
    rules: RuleSet,
    switches: list[str] | None = None,
    *,
    run: Run | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> list[Comparison]:
    """Compare a rule set with each usual value of some switches, or of all.

    Parameters
    ----------
    rules : RuleSet
    switches : list of str, optional
        All that concern single hands by default.
    run : Run, optional
        Policies, deal, term, seed and hands.
    threads, progress
        As for `compare`.

    Returns
    -------
    list of Comparison
        Ordered by how far they move the banker's points, then its spread.

    Raises
    ------
    InputError
        As `variants` and `compare` raise.

    Examples
    --------
    >>> found = compare_switches(RuleSet(), ["kam", "empty"], run=Run(hands=500))
    >>> len(found)
    3
    """
    run = dataclasses.replace(run or Run(), rules=rules)
    tally: Tally | None = None
    found = []
    for switch in switches or list(USUAL):
        for other in variants(rules, switch):
            if tally is None and not must_be_replayed(rules, other, run):
                tally = simulate(run, threads=threads, progress=progress)
                if tally.interrupted:
                    raise KeyboardInterrupt
            found.append(compare(rules, other, run=run, tally=tally, threads=threads, progress=progress))
    return sorted(found, key=_weight, reverse=True)


def _weight(comparison: Comparison) -> tuple[float, float]:
    spread = comparison.spread["banker"]
    return abs(comparison.points["banker"].difference), abs(spread[1] - spread[0])
