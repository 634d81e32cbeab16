"""Where an answer turns round under simple players: the same question, answered by `greedy`.

An answer of good players is not told as if it held for everybody: where simple players change its
sign, at least double it or at least halve it, beyond the intervals of both, that is said beside it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..phrases import Phrase, listed, phrase
from ..runs import Progress
from ..wording import around
from .compare import compare
from .comparison import Comparison, changed_switches
from .defaults import DEFAULT_POLICY, WEAKER_POLICY
from .house_rules import compare_switches
from .notation import codes_of
from .presets import setting_text
from .request import SEAT_WORDS, Run
from .starting import HandWorth, starting_hand


class Told(NamedTuple):
    """An estimate with its interval."""

    value: float
    low: float
    high: float

    def sizes(self) -> tuple[float, float]:
        """The least and the largest size, sign apart, that the interval allows."""
        ends = abs(self.low), abs(self.high)
        return (0.0 if self.low <= 0 <= self.high else min(ends)), max(ends)

    def to_json(self) -> dict[str, float | None]:
        """By name; null where there were too few hands for an interval."""
        return {name: None if math.isnan(end) else end for name, end in self._asdict().items()}

    def words(self) -> Phrase:
        """Signed, with its interval."""
        if self.low == self.high:
            return phrase("{value}", value=f"{self.value:+g}" if self.value else "0")
        return around(self.value, self.low, self.high, signed=True)


def turns(good: Told, simple: Told) -> bool:
    """Whether two answers differ in sign, or by a factor of two or more, beyond both intervals.

    Examples
    --------
    >>> turns(Told(0.05, -0.05, 0.15), Told(-1.61, -1.63, -1.59))
    True
    >>> turns(Told(1.0, 0.8, 1.2), Told(1.9, 1.8, 2.0)), turns(Told(0.1, -1, 1.2), Told(0.2, -1, 1.4))
    (False, False)
    """
    if (good.low > 0 > simple.high) or (good.high < 0 < simple.low):
        return True
    (least, most), (least_simple, most_simple) = good.sizes(), simple.sizes()
    return (least_simple > 0 and least_simple >= 2 * most) or (least > 0 and least >= 2 * most_simple)


def weaker_run(run: Run) -> Run | None:
    """The same request for simple players; None unless good players sit in all four seats.

    Examples
    --------
    >>> weaker_run(Run(hands=10)).policies[0], weaker_run(Run(policies=("random",) * 4))
    ('greedy', None)
    """
    if set(run.policies) != {DEFAULT_POLICY}:
        return None
    return dataclasses.replace(run, policies=(WEAKER_POLICY,) * 4)


_Progress = Callable[[Progress], None] | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Weaker:
    """What simple players answer, and where that is another answer.

    Attributes
    ----------
    points : dict
        By name of a seat, or of a house rule, the points of the simple players' answer.
    turned : tuple of str
        The names of those that turn.
    lead : int
        Their best lead as tile bits, where it is clearly another one; else 0.
    command : str
        The command line that gives this answer.
    """

    points: dict[str, Told]
    turned: tuple[str, ...]
    command: str
    lead: int = 0

    def sentence(self) -> Phrase | None:
        """What turns, in one sentence; None where nothing does."""
        parts = [
            phrase("{what} {points}", what=SEAT_WORDS.get(name, name), points=self.points[name].words())
            for name in self.turned
        ]
        if self.lead:
            parts.append(phrase("best lead {lead}", lead=codes_of(self.lead)))
        if not parts:
            return None
        return phrase(
            "Under weaker play ({policy}): {answers}.", policy=WEAKER_POLICY, answers=listed(parts)
        )

    def to_json(self) -> dict[str, Any]:
        """The answer as a JSON object."""
        lead = {"lead": codes_of(self.lead)} if self.lead else {}
        return {
            "policy": WEAKER_POLICY,
            "points": {name: told.to_json() for name, told in self.points.items()},
            "turned": list(self.turned),
            **lead,
            "sentence": self.sentence(),
            "command": self.command,
        }


def turned(good: dict[str, Told], simple: dict[str, Told]) -> tuple[str, ...]:
    """The names of the answers that turn.

    Examples
    --------
    >>> turned({"banker": Told(1, 0.9, 1.1)}, {"banker": Told(-1, -1.1, -0.9)})
    ('banker',)
    """
    return tuple(name for name, told in good.items() if turns(told, simple[name]))


def _differences(result: Comparison, *, jointly: bool = False) -> dict[str, Told]:
    ends = result.together if jointly else {}
    return {
        seat: Told(value.difference, *ends.get(seat, (value.low, value.high)))
        for seat, value in result.points.items()
    }


def weaker_comparison(
    good: Comparison, *, threads: int | None = None, progress: _Progress = None
) -> Weaker | None:
    """A comparison of rules as simple players answer it; None where others than good players played.

    Examples
    --------
    >>> from gupai.analysis import RuleSet
    >>> found = compare(RuleSet(), RuleSet(two_stacks=False), run=Run(hands=300))
    >>> sorted(weaker_comparison(found).points)
    ['across', 'banker', 'left', 'right']
    """
    run = weaker_run(good.run)
    if run is None:
        return None
    simple = compare(good.a, good.b, run=run, threads=threads, progress=progress)
    changed = turned(_differences(good, jointly=True), _differences(simple, jointly=True))
    points = _differences(simple)
    return Weaker(points=points, turned=changed, command=simple.command())


def weaker_map(
    good: Sequence[Comparison], switches: list[str] | None = None, *, threads: int | None = None,
    progress: _Progress = None,
) -> Weaker | None:  # fmt: skip
    """What simple players answer to a map of house rules, for the banker's points.

    Parameters
    ----------
    good : sequence of Comparison
        As `compare_switches` found them.
    switches : list of str, optional
        The switches that were asked about.
    threads, progress
        As for `compare`.

    Examples
    --------
    >>> from gupai.analysis import RuleSet
    >>> good = compare_switches(RuleSet(), ["two_stacks"], run=Run(hands=300))
    >>> list(weaker_map(good, ["two_stacks"]).points)
    ['two_stacks=false']
    """
    run = weaker_run(good[0].run) if good else None
    if run is None:
        return None
    rules = good[0].a
    found = compare_switches(rules, switches or None, run=run, threads=threads, progress=progress)
    mine, simple = map_values(good), map_values(found)
    words = run.command().split(" --policy ", 1)[1]
    chosen = " ".join(f"--switch {name}" for name in switches or ()) or "--all-switches"
    command = f"gupai compare {good[0].sides()[0]} {chosen} --policy {words}"
    return Weaker(points=simple, turned=turned(mine, simple), command=command)


def map_values(found: Sequence[Comparison]) -> dict[str, Told]:
    """The banker's difference in each comparison of a map, by what it changes.

    Examples
    --------
    >>> from gupai.analysis import RuleSet
    >>> list(map_values(compare_switches(RuleSet(), ["two_stacks"], run=Run(hands=300))))
    ['two_stacks=false']
    """
    values = {}
    for result in found:
        [name] = changed_switches(result.a, result.b)
        value = setting_text(result.b.to_json()[name])
        values[f"{name}={value}"] = _differences(result)["banker"]
    return values


def _worth(result: HandWorth) -> dict[str, Told]:
    each = {seat: worth.points for seat, worth in result.seats.items()}
    return {seat: Told(points.mean, points.low, points.high) for seat, points in each.items()}


def weaker_hand(
    good: HandWorth, *, threads: int | None = None, progress: _Progress = None
) -> Weaker | None:
    """A starting hand as simple players play it; None where others than good players played.

    Examples
    --------
    >>> found = weaker_hand(starting_hand("AC99GJK3", run=Run(hands=300)))
    >>> found.command
    'gupai hand ACGJK993 --rules tiengow-ja --policy greedy --hands 300 --seed 1'
    """
    run = weaker_run(good.run)
    if run is None:
        return None
    simple = starting_hand(good.tiles, run=run, threads=threads, progress=progress)
    points = _worth(simple)
    lead = 0
    if good.leads and simple.leads and good.leads[0].lead != simple.leads[0].lead:
        behind = [
            next(one.behind.low for one in leads if one.lead == best)
            for leads, best in (
                (good.leads, simple.leads[0].lead), (simple.leads, good.leads[0].lead),
            )
        ]  # fmt: skip
        if all(low > 0 for low in behind):
            lead = simple.leads[0].lead
    return Weaker(
        points=points, turned=turned(_worth(good), points), command=simple.command(), lead=lead
    )
