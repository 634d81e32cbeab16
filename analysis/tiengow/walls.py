"""Ways of taking tiles from the wall (牌頭) and washes, compared: when do they matter?

Under a perfect shuffle every pattern deals the same; that is a theorem.  After a bad wash the
stacks of the last hand stay near one another, and the patterns differ.

Source: "Dice, wall, deal patterns" and "Washing" of the rules.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import TYPE_CHECKING, Any

from ...kernels.tiengow.booking import LOOKS
from ..checks import SEED, THREADS, checked, optional, texts, whole
from ..errors import InputError
from ..estimates import FEWEST, Mean, known, mean_from_sums
from ..phrases import Phrase, phrase
from ..results import Result, columns
from ..runs import Progress
from .defaults import DEFAULT_POLICIES
from .request import DEAL, DEALS, RULES, SEATS, provenance_of, rules_and_policies
from .rules import RuleSet
from .session import SessionRun, SessionTally, play_sessions, wash_strength

if TYPE_CHECKING:
    import pandas as pd

STRENGTHS = ("wash:0", "wash:0.5", "wash:1", "wash:2", "wash:4", "wash:8", "wash:16", "wash:32")
PERFECT = "perfect"
FALSE_ALARM = 0.05  # of a whole comparison
LARGEST_HANDS = 10**10
_FEWEST_HANDS = 10_000  # of fewer, too few rare events are seen for an interval
FEWEST_SESSIONS = 60  # of fewer, rare quantities are too far from a normal law
_OF_SEATS = ("fours", "pairs", "supreme", "same tiles")  # counted over all four seats of a hand


@checked(roller=whole(0, 3))
def dice_chances(roller: int = 2) -> dict[str, Fraction]:
    """The exact chance of each seat to be the one that two dice point to.

    Parameters
    ----------
    roller : int
        The seat, relative to the banker, that rolls and counts from itself as 1: 2 for the first
        taker of a deal; 0 if the seats stand for those before a first hand, seat 0 rolling.

    Examples
    --------
    >>> dice_chances()["banker"]
    Fraction(5, 18)
    """
    found = dict.fromkeys(SEATS, Fraction(0))
    for one, other in product(range(1, 7), repeat=2):
        found[SEATS[(roller + one + other - 1) % 4]] += Fraction(1, 36)
    return found


def exact_values(rules: RuleSet) -> dict[str, Fraction]:
    """What a perfect shuffle deals to a seat: fours, pairs, supreme, tiles held again.

    Examples
    --------
    >>> exact_values(RuleSet())["supreme"]
    Fraction(7, 124)
    """
    both = Fraction(8 * 7, 32 * 31)  # two given tiles in one hand
    supreme = both if rules.supreme_civil == "off" else 2 * both
    four = Fraction(comb(28, 4), comb(32, 8))  # four given tiles
    return {"fours": 4 * four, "pairs": 15 * both, "supreme": supreme, "same tiles": Fraction(2)}


@dataclass(frozen=True, kw_only=True)
class Look:
    """A quantity under one pattern and wash.

    Attributes
    ----------
    value : Mean
        A hand (sweeps, points) or a seat's hand (the others); the sessions are the units.
    exact : float or None
        Under a perfect shuffle; None: compared with the perfect shuffles of the same comparison.
    p_value : float
        Chance of so great a distance under a perfect shuffle (Student's t over the sessions).
    told_apart : bool
        Whether it can be told from a perfect shuffle, all tests of the comparison allowed for.
    """

    value: Mean
    exact: float | None
    p_value: float
    told_apart: bool


@dataclass(frozen=True, kw_only=True)
class Walls(Result):
    """Patterns and washes compared.

    Attributes
    ----------
    deals, shuffles : tuple of str
    looks : dict
        For each pattern and shuffle each quantity of `LOOKS` but the hands.
    hands : int
        Hands looked at under each.
    tests : int
        Tests that the false-alarm rate is shared by.
    """

    rules: RuleSet
    policies: tuple[str, str, str, str]
    deals: tuple[str, ...]
    shuffles: tuple[str, ...]
    looks: dict[tuple[str, str], dict[str, Look]]
    hands: int
    session_hands: int
    seed: int
    tests: int

    def correlation(self, deal: str, shuffle: str) -> tuple[float, float, float]:
        """Between holding a tile and having held it in the last hand, with its interval."""
        value = self.looks[deal, shuffle]["same tiles"].value
        one, low, high = ((x / 8 - 0.25) / 0.75 for x in (value.mean, value.low, value.high))
        return one, low, high

    def told_apart(self, deal: str, shuffle: str) -> list[str]:
        """The quantities by which a pattern and wash can be told from a perfect shuffle."""
        return [name for name, look in self.looks[deal, shuffle].items() if look.told_apart]

    def enough(self, deal: str | None = None) -> str | None:
        """The weakest wash from which on nothing can be told apart; None if there is none.

        Parameters
        ----------
        deal : str, optional
            For one pattern; for all by default.
        """
        washes = sorted((s for s in self.shuffles if s != PERFECT), key=_strength, reverse=True)
        found = None
        for shuffle in washes:
            if any(self.told_apart(d, shuffle) for d in ((deal,) if deal else self.deals)):
                break
            found = shuffle
        return found

    def command(self) -> str:
        """The command line that gives the same numbers again."""
        words = ["gupai deals", *rules_and_policies(self.rules, self.policies)]
        words += [f"--deal {deal}" for deal in self.deals] if self.deals != DEALS else []
        words += [f"--shuffle {s}" for s in self.shuffles] if self.shuffles != _ALL else []
        words += [f"--hands {self.hands}", f"--session-hands {self.session_hands}"]
        return " ".join([*words, f"--seed {self.seed}"])

    def sentence(self) -> Phrase:
        """The answer in a sentence."""
        if PERFECT in self.shuffles and any(self.told_apart(deal, PERFECT) for deal in self.deals):
            return phrase(
                "A perfect shuffle was told apart from a perfect shuffle: a false alarm, which happens "
                "in at most {share} % of comparisons; try another seed.",
                share=f"{100 * FALSE_ALARM:.0f}",
            )
        washes = [shuffle for shuffle in self.shuffles if shuffle != PERFECT]
        if not washes:
            return phrase("Under the perfect shuffle no pattern can be told from another.")
        enough, hands = self.enough(), f"{self.hands:,}"
        if enough is None:
            return phrase(
                "Even the strongest wash here ({wash}) can be told from a perfect shuffle in {hands} "
                "hands.",
                wash=max(washes, key=_strength), hands=hands,
            )  # fmt: skip
        return phrase(
            "From {wash} on, no pattern can be told from a perfect shuffle in {hands} hands a pattern.",
            wash=enough, hands=hands,
        )  # fmt: skip

    def to_frame(self) -> pd.DataFrame:
        """A row each pattern, wash and quantity, with its exact value after a perfect shuffle."""
        import pandas as pd

        rows = [
            columns(deal=deal, shuffle=shuffle, quantity=name, estimate=look.value, exact=look.exact)
            | {"p_value": look.p_value, "told_apart": look.told_apart}
            for (deal, shuffle), looks in self.looks.items()
            for name, look in looks.items()
        ]
        return pd.DataFrame(rows)

    def to_json(self) -> dict[str, Any]:
        """The result as a JSON object."""
        request = {
            "rules": self.rules.to_json(),
            "policies": list(self.policies),
            "deals": list(self.deals),
            "shuffles": list(self.shuffles),
            "hands": self.hands,
            "session_hands": self.session_hands,
            "seed": self.seed,
        }
        return {
            "hands": self.hands,
            "false_alarm": FALSE_ALARM,
            "tests": self.tests,
            "enough": self.enough(),
            "enough_by_deal": {deal: self.enough(deal) for deal in self.deals},
            "dice": {seat: str(chance) for seat, chance in dice_chances().items()},
            "cells": [
                {
                    "deal": deal,
                    "shuffle": shuffle,
                    "correlation": {
                        name: known(number)
                        for name, number in zip(
                            ("value", "low", "high"), self.correlation(deal, shuffle), strict=True
                        )
                    },
                    "quantities": {
                        name: look.value.to_json()
                        | {"exact": look.exact, "p": look.p_value, "told_apart": look.told_apart}
                        for name, look in looks.items()
                    },
                }
                for (deal, shuffle), looks in self.looks.items()
            ],
            "sentence": self.sentence(),
            "command": self.command(),
            "provenance": provenance_of(request, self.policies, self.rules),
        }


_ALL = (*STRENGTHS, PERFECT)


def _strength(shuffle: str) -> float:
    strength = wash_strength(shuffle)
    return math.inf if strength is None else strength


@checked(
    deals=texts, shuffles=texts, rules=optional(RULES), hands=whole(2, LARGEST_HANDS),
    session_hands=whole(2, 1000), seed=SEED, threads=THREADS,
)  # fmt: skip
def compare_walls(
    deals: Sequence[str] = DEALS,
    shuffles: Sequence[str] = _ALL,
    *,
    rules: RuleSet | None = None,
    policies: tuple[str, str, str, str] = DEFAULT_POLICIES,
    hands: int = 100_000,
    session_hands: int = 64,
    seed: int = 1,
    threads: int | None = None,
    progress: Callable[[str, Progress], None] | None = None,
) -> Walls:
    """Compare patterns and washes with the perfect shuffle.

    Parameters
    ----------
    deals, shuffles : sequence of str
        Patterns, and ``wash:S`` or ``perfect``; the perfect shuffle is always played too.
    rules : RuleSet, optional
        tiengow-ja by default.
    policies : tuple of str
        Of the four players.
    hands : int
        Hands to look at under each pattern and shuffle; rounded up to whole sessions, of which the
        first hand, always shuffled perfectly, is not looked at.
    session_hands : int
        Hands of a session, at least 2.
    seed : int
    threads : int, optional
        Threads; all processors by default.  The result does not depend on it.
    progress : callable, optional
        Called with what is played and how far it is.

    Raises
    ------
    InputError
        For values that are not allowed.

    Examples
    --------
    >>> seats = ("greedy",) * 4
    >>> walls = compare_walls(["top_layers"], ["wash:0"], policies=seats, hands=5000)
    >>> walls.told_apart("top_layers", "wash:0")[:2]
    ['fours', 'pairs']
    """
    for deal in deals:
        DEAL("deal", deal)
    chosen = tuple(dict.fromkeys(deals)), tuple(dict.fromkeys([*shuffles, PERFECT]))
    sessions = -(-hands // (session_hands - 1))
    if sessions < FEWEST_SESSIONS:
        enough = FEWEST_SESSIONS * (session_hands - 1)
        raise InputError(
            f"--hands {hands}: too few to judge by; sessions are the independent units, and of "
            f"{session_hands} hands each it takes {FEWEST_SESSIONS}: {enough:,} hands, or a smaller "
            "--session-hands"
        )
    rules = rules or RuleSet()
    runs = {
        (deal, shuffle): SessionRun(
            rules=rules, policies=policies, deal=deal, shuffle=shuffle, hands=session_hands,
            sessions=sessions, seed=seed,
        )
        for deal in chosen[0]
        for shuffle in chosen[1]
    }  # fmt: skip
    tallies: dict[tuple[str, str], SessionTally] = {}
    for (deal, shuffle), run in runs.items():

        def tell(state: Progress, what: str = f"{deal}, {shuffle}") -> None:
            if progress is not None:
                progress(what, state)

        tally, _, interrupted = play_sessions(run, looks=True, threads=threads, progress=tell)
        if interrupted:
            raise KeyboardInterrupt
        tallies[deal, shuffle] = tally
    tests = len(runs) * (len(LOOKS) - 1)
    return Walls(
        rules=rules,
        policies=policies,
        deals=chosen[0],
        shuffles=chosen[1],
        looks=_looks(tallies, rules, sessions, session_hands - 1, tests),
        hands=sessions * (session_hands - 1),
        session_hands=session_hands,
        seed=seed,
        tests=tests,
    )


def _looks(
    tallies: dict[tuple[str, str], SessionTally], rules: RuleSet, sessions: int, hands: int, tests: int
) -> dict[tuple[str, str], dict[str, Look]]:
    exact = exact_values(rules)
    enough = max(FEWEST, -(-_FEWEST_HANDS // hands))
    found: dict[tuple[str, str], dict[str, Look]] = {cell: {} for cell in tallies}
    for number, name in enumerate(LOOKS[1:], 1):
        times = (4 if name in _OF_SEATS else 1) * hands
        means = {
            cell: _scaled(
                mean_from_sums(sessions, t.looks[number], t.squares[number], fewest=enough), times
            )
            for cell, t in tallies.items()
        }
        perfect = [cell for cell in tallies if cell[1] == PERFECT]
        for cell, value in means.items():
            if name in exact:
                distance, se = value.mean - float(exact[name]), value.se
            else:  # the mean of the other perfect shuffles
                others = [means[other] for other in perfect if other != cell]
                if not others:
                    continue
                distance = value.mean - sum(m.mean for m in others) / len(others)
                se = math.hypot(value.se, math.sqrt(sum(m.se**2 for m in others)) / len(others))
            p_value = _two_sided(distance / se, sessions - 1) if se > 0 else 1.0
            found[cell][name] = Look(
                value=value,
                exact=float(exact[name]) if name in exact else None,
                p_value=p_value,
                told_apart=p_value < FALSE_ALARM / tests,
            )
    return found


def _two_sided(distance: float, freedom: int) -> float:
    """Chance of so many standard errors or more, either way (Student's t)."""
    from scipy.special import stdtr

    return float(2 * stdtr(freedom, -abs(distance)))


def _scaled(value: Mean, times: int) -> Mean:
    """The mean of a sum over `times` hands as a mean of one."""
    return Mean(
        n=value.n, mean=value.mean / times, se=value.se / times, sd=value.sd / times,
        low=value.low / times, high=value.high / times,
    )  # fmt: skip
