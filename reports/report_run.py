"""What a report is asked for, and what its sections have in common."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..analysis.errors import InputError
from ..analysis.tiengow.defaults import DEFAULT_POLICY
from ..kernels.tiengow.policies import POLICIES
from .grid import Grid

if TYPE_CHECKING:
    from ..analysis import Comparison, RuleSet, Run, Tally

SIZES = ("quick", "usual", "full")
Section = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class ReportRun:
    """A request for a report.

    Attributes
    ----------
    rules : RuleSet
    policies : tuple of str
        Policies to compare.
    size : str
        One of `SIZES`.
    seed : int
    """

    rules: RuleSet
    policies: tuple[str, ...]
    size: str = "usual"
    seed: int = 1

    def __post_init__(self) -> None:
        from ..analysis import Run

        if self.size not in SIZES:
            raise InputError(f"size {self.size}: must be one of {', '.join(SIZES)}")
        if not 2 <= len(self.policies) <= 8 or len(set(self.policies)) < len(self.policies):
            raise InputError("--policy: a report compares two to eight different policies")
        for name in self.policies:
            Run(rules=self.rules, policies=(name,) * 4, seed=self.seed)

    @property
    def seated(self) -> str:
        """Who sits in all seats wherever one table is asked for.

        The tuned policy where it is listed; else the first that does not look ahead, which would take
        days.

        Examples
        --------
        >>> from gupai.analysis import RuleSet
        >>> ReportRun(rules=RuleSet(), policies=("random", "tuned")).seated
        'tuned'
        """
        quick = [name for name in self.policies if not looks_ahead(name)]
        return DEFAULT_POLICY if DEFAULT_POLICY in quick or not quick else quick[0]

    def number(self, quick: int, usual: int, full: int) -> int:
        """A number of hands, deals or sessions by size."""
        return (quick, usual, full)[SIZES.index(self.size)]

    def hands_of(self, policy: str) -> int:
        """Hands for one policy: the pinned ones are much faster than those that think."""
        if looks_ahead(policy):
            return self.number(40, 400, 4000)
        if policy in POLICIES:
            return self.number(200_000, 4_000_000, 40_000_000)
        return self.number(20_000, 500_000, 5_000_000)


def looks_ahead(policy: str) -> bool:
    """Whether a policy tries its plays in many deals, and so takes its time."""
    return policy.partition(":")[0] == "rollout"


def table_of(name: str, title: str, grid: Grid) -> dict[str, Any]:
    """A grid as a section keeps it."""
    return {"name": name, "title": title, "head": grid.head, "rows": grid.rows, "notes": grid.notes}


def played(request: Run) -> Tally:
    """A run played to its end: a part of a report is never a part of a run."""
    from ..analysis import simulate

    tally = simulate(request)
    if tally.interrupted:
        raise KeyboardInterrupt
    return tally


@functools.lru_cache(maxsize=1)  # two sections ask for them
def tables_of(run: ReportRun) -> dict[str, Any]:
    """The tables of every policy, all seats playing the same."""
    from ..analysis import Run, Tables

    found = {}
    for policy in run.policies:
        request = Run(rules=run.rules, policies=(policy,) * 4, hands=run.hands_of(policy), seed=run.seed)
        found[policy] = Tables(played(request))
    return found


@functools.lru_cache(maxsize=2)  # two sections ask for them
def table_all_playing(run: ReportRun, policy: str) -> Any:
    """The tables of a policy in all seats."""
    from ..analysis import Run, Tables

    if policy in run.policies:
        return tables_of(run)[policy]
    request = Run(rules=run.rules, policies=(policy,) * 4, hands=run.hands_of(policy), seed=run.seed)
    return Tables(played(request))


@functools.lru_cache(maxsize=2)
def house_rules_of(run: ReportRun, policy: str) -> list[Comparison]:
    """The house-rule map of a policy in all seats."""
    from ..analysis import Run, compare_switches

    hands = run.number(20_000, 300_000, 3_000_000)
    return compare_switches(run.rules, run=Run(policies=(policy,) * 4, hands=hands, seed=run.seed))
