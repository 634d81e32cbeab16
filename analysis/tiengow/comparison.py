"""What a comparison of two rule sets found, and how it is said."""

from __future__ import annotations

import dataclasses
import math
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..digits import percentage_to
from ..estimates import Mean, proportion
from ..phrases import Phrase, listed, phrase
from ..results import Result
from ..wording import around
from .presets import rules_words, setting_text
from .request import SEAT_WORDS, Run
from .rules import RuleSet, switch_list
from .study_words import once_in

if TYPE_CHECKING:
    import pandas as pd

SETTLED_TWICE, REPLAYED = "settled twice", "replayed"
CAUGHT, WON = "caught leader", "winner"
_EACH_TIME = {  # whether it is a gain
    (CAUGHT, True): phrase(
        "Each time, {rare}, the leader who is caught (擒) loses less by {points} points."
    ),
    (CAUGHT, False): phrase(
        "Each time, {rare}, the leader who is caught (擒) loses another {points} points."
    ),
    (WON, True): phrase("Each time, {rare}, the winner of such a hand wins another {points} points."),
    (WON, False): phrase("Each time, {rare}, the winner of such a hand wins less by {points} points."),
}
_SEEN = {
    (CAUGHT, True): phrase(
        "In the {n} hands seen the leader who is caught (擒) lost less by {least} to {most} points: "
        "too few hands to say more."
    ),
    (CAUGHT, False): phrase(
        "In the {n} hands seen the leader who is caught (擒) lost another {least} to {most} points: "
        "too few hands to say more."
    ),
    (WON, True): phrase(
        "In the {n} hands seen the winner won another {least} to {most} points: too few hands to "
        "say more."
    ),
    (WON, False): phrase(
        "In the {n} hands seen the winner won less by {least} to {most} points: too few hands to "
        "say more."
    ),
}


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A quantity under both rule sets.

    Attributes
    ----------
    a, b : float
        Its mean under each.
    difference, low, high : float
        Of b minus a, hand by hand, with the 95 % interval; both ends are 0 where no hand can differ.
    sd : float
        Standard deviation of the difference in one hand; 0 where none was seen to differ.
    """

    a: float
    b: float
    difference: float
    low: float
    high: float
    sd: float


@dataclass(frozen=True, kw_only=True)
class Comparison(Result):
    """Two rule sets compared.

    Attributes
    ----------
    a, b : RuleSet
    run : Run
        Policies, deal, term, seed and hands; its rules are `a`.
    method : str
        ``settled twice`` or ``replayed``.
    points : dict
        For each seat its points, a `Compared`.
    spread : dict
        For each seat the standard deviation of one hand under a and b.
    probabilities : dict
        Named shares of the hands.
    money : dict
        For each of `SOURCES` the points that change hands in a hand, under a and b.
    largest : tuple of int
        The largest single win of a seat under a and b.
    pairing : float
        By how much pairing narrowed the variance of the banker's difference (1: not at all).
    changed : int
        Hands whose points differ.
    event : tuple of str and Mean, or None
        Where the points differ, whose: ``caught leader`` or ``winner``, and by how much; None where
        it is neither's in nearly all of these hands, or now a gain and now a loss.
    together : dict
        For each seat the interval of its difference, all four of which hold together with 95 %: for
        claims about the seat that differs most.
    event_range : tuple of int, or None
        The least and the most that the event was seen to bring.
    money_changes : dict
        For each of `SOURCES`, and ``in all``, the difference in a hand with its interval.
    """

    a: RuleSet
    b: RuleSet
    run: Run
    method: str
    points: dict[str, Compared]
    spread: dict[str, tuple[float, float]]
    probabilities: dict[str, Compared]
    money: dict[str, tuple[float, float]]
    largest: tuple[int, int]
    pairing: float
    changed: int
    event: tuple[str, Mean] | None
    together: dict[str, tuple[float, float]] = dataclasses.field(default_factory=dict)
    event_range: tuple[int, int] | None = None
    money_changes: dict[str, Mean] = dataclasses.field(default_factory=dict)

    def command(self) -> str:
        """The command line that gives the same numbers again."""
        sides = self.sides()
        words = self.run.command().split(" --policy ", 1)[1]
        return f"gupai compare {sides[0]} {sides[1]} --policy {words}"

    def _money_change(self, source: str) -> dict[str, float]:
        change = self.money_changes.get(source)
        return {} if change is None else {"low": change.low, "high": change.high}

    def sides(self) -> tuple[str, str]:
        """The two rule sets as they are written on a command line."""
        return _rules_words(self.a), _rules_words(self.b)

    def sentence(self) -> Phrase:
        """What the change does, in one sentence."""
        names = changed_switches(self.a, self.b)
        if not names:
            return phrase("The two rule sets are the same, and so is every hand.")
        changes = listed(
            [
                f"{name} {setting_text(self.a.to_json()[name])} → {setting_text(self.b.to_json()[name])}"
                for name in names
            ]
        )
        hands = f"{self.run.hands:,}"
        if self.changed == 0:
            if all(value.low == value.high for value in self.points.values()):
                return phrase("{changes}: the points of a hand cannot differ.", changes=changes)
            return phrase(
                "{changes}: the points change in none of {hands} hands (in under {limit} % of all).",
                changes=changes, hands=hands, limit=percentage_to(proportion(0, self.run.hands).high),
            )  # fmt: skip
        told = phrase(
            "{changes}: the points change in {share} % of hands; {effect}.",
            changes=changes, share=percentage_to(self.changed / self.run.hands), effect=self._effect(),
        )  # fmt: skip
        event = self._event_in_words()
        return told if event is None else phrase("{first} {second}", first=told, second=event)

    def _effect(self) -> Phrase:
        """On whose points the change tells, by intervals that hold for all four seats together."""
        seats = {
            seat: (value.difference, *self.together.get(seat, (value.low, value.high)))
            for seat, value in self.points.items()
        }
        clear = {seat: found for seat, found in seats.items() if not found[1] <= 0 <= found[2]}
        seat, (most, low, high) = max((clear or seats).items(), key=lambda item: abs(item[1][0]))
        word = SEAT_WORDS[seat]
        if not clear:
            by = around(most, low, high, signed=True)
            return phrase("no seat's points change clearly ({seat} {by})", seat=word, by=by)
        if most > 0:
            by = around(most, low, high)
            return phrase("most seen for {seat}, which gains {by} points a hand", seat=word, by=by)
        by = around(-most, -high, -low)
        return phrase("most seen for {seat}, which loses {by} points a hand", seat=word, by=by)

    def _event_in_words(self) -> Phrase | None:
        """What one such hand costs or brings, in one sentence."""
        if self.event is None:
            return None
        who, by = self.event
        gain = by.mean > 0
        if by.low <= 0 <= by.high:  # what was seen does not even say whether it is a gain
            if self.event_range is None:
                return None
            least, most = sorted(map(abs, self.event_range))
            return phrase(_SEEN[who, gain], n=f"{by.n:,}", least=least, most=most)
        points = around(by.mean, by.low, by.high) if gain else around(-by.mean, -by.high, -by.low)
        return phrase(_EACH_TIME[who, gain], rare=once_in(by.n, self.run.hands), points=points)

    def to_frame(self) -> pd.DataFrame:
        """A row each chance and seat: its value under both rule sets, and the paired difference."""
        import pandas as pd

        rows = [{"quantity": name, **vars(value)} for name, value in self.probabilities.items()]
        rows += [{"quantity": f"points {seat}", **vars(value)} for seat, value in self.points.items()]
        beside = {name: f"difference_{name}" for name in ("low", "high", "sd")}
        return pd.DataFrame(rows).rename(columns=beside)

    def to_json(self) -> dict[str, Any]:
        """The JSON object of the interface, with more keys."""

        def row(value: Compared) -> dict[str, float]:
            return {name: getattr(value, name) for name in ("a", "b", "difference", "low", "high")}

        return {
            "a": self.a.to_json(),
            "b": self.b.to_json(),
            "method": self.method,
            "hands": self.run.hands,
            "points": {
                seat: row(value)
                | {"sd_a": self.spread[seat][0], "sd_b": self.spread[seat][1]}
                | {"together": dict(zip(("low", "high"), self.together.get(seat, ()), strict=False))}
                for seat, value in self.points.items()
            },
            "probabilities": {name: row(value) for name, value in self.probabilities.items()},
            "money": {
                name: {"a": a, "b": b} | self._money_change(name) for name, (a, b) in self.money.items()
            },
            "largest": {"a": self.largest[0], "b": self.largest[1]},
            "variance_reduction": self.pairing if math.isfinite(self.pairing) else None,
            "changed": self.changed,
            "event": self.event
            and {"seat": self.event[0], "hands": self.event[1].n} | self.event[1].to_json(),
            "sentence": self.sentence(),
            "command": self.command(),
            "provenance": self.run.provenance(),
        }


def _rules_words(rules: RuleSet) -> str:
    return shlex.quote(";".join(rules_words(rules)))


def changed_switches(a: RuleSet, b: RuleSet) -> list[str]:
    """The switches in which two rule sets differ.

    Examples
    --------
    >>> changed_switches(RuleSet(), RuleSet(kam=4))
    ['kam']
    """
    return [
        switch.name for switch in switch_list() if getattr(a, switch.name) != getattr(b, switch.name)
    ]
