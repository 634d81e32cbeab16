"""Hand patterns (例牌): how often they are dealt, exactly, and what they cost.

Source: the switch `hand_patterns` of the rules.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...kernels.tiengow.settlement import banker_multiplier
from ..checks import THREADS, checked, optional, texts
from ..errors import InputError, no_such
from ..runs import Progress
from .compare import compare
from .comparison import Comparison
from .exact import exact_chance
from .parser import parse_question
from .presets import make_rules
from .request import RUN, Run
from .rules import HAND_PATTERNS, RuleSet
from .simulate import simulate

# In the question language, of one seat; what each settles as; and its name.
_QUESTIONS = {
    "one_red": ("red({who}) = 1", "seven", "一點紅"),
    "seven_military": ("military({who}) = 7", "seven", "七武"),
    "seven_civil": ("civil({who}) = 7", "seven", "七文"),
    "no_red": ("red({who}) = 0", "eight", "無紅"),
    "eight_military": ("military({who}) = 8", "eight", "八武"),
    "eight_civil": ("civil({who}) = 8", "eight", "八文"),
    "four_pairs": ("pairs({who}) = 4", "eight", "四對"),
}
ALL = "all"
DEFAULT_HANDS = 200_000  # with and without each pattern


@dataclass(frozen=True, kw_only=True)
class HandPattern:
    """A pattern of the dealt hand.

    Attributes
    ----------
    name, chinese : str
        ``all`` for all patterns at once.
    sweep : str
        ``seven`` or ``eight``: what it settles as.
    seat, table : Fraction or None
        The exact chance that a seat, and that anyone at the table, is dealt it; None for all
        patterns at once, see `comparison`.
    collects : tuple of int
        Points that it brings to the banker and to another seat; None for all at once.
    comparison : Comparison
        The rule set without patterns (a) and with this one (b), on the same deals.
    """

    name: str
    chinese: str
    sweep: str
    seat: Fraction | None
    table: Fraction | None
    collects: tuple[int, int] | None
    comparison: Comparison

    def to_json(self) -> dict[str, Any]:
        """The pattern as a JSON object."""

        def exact(chance: Fraction | None) -> dict[str, Any] | None:
            if chance is None:
                return None
            numerator, denominator = str(chance.numerator), str(chance.denominator)
            return {"value": float(chance), "numerator": numerator, "denominator": denominator}

        return {
            "pattern": self.name,
            "sweep": self.sweep,
            "seat": exact(self.seat),
            "table": exact(self.table),
            "collects": self.collects and {"banker": self.collects[0], "other": self.collects[1]},
            "comparison": self.comparison.to_json(),
        }


@checked(names=texts, run=optional(RUN), threads=THREADS)
def hand_patterns(
    names: Sequence[str] = (*HAND_PATTERNS, ALL),
    *,
    run: Run | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> list[HandPattern]:
    """How often hand patterns are dealt, exactly, and what each does to the stakes.

    Parameters
    ----------
    names : sequence of str
        Patterns; ``all`` for all of them at once.
    run : Run, optional
        Rules (those without any pattern are the yardstick), policies, term, seed and hands;
        200,000 of `tuned` by default.
    threads, progress
        As for `compare`.

    Raises
    ------
    InputError
        If there is no such pattern, and as `compare` raises.

    Examples
    --------
    >>> found = hand_patterns(["no_red"], run=Run(hands=500))
    >>> found[0].seat, found[0].table
    (Fraction(11, 89900), Fraction(11, 22475))
    """
    run = run or Run(hands=DEFAULT_HANDS)
    names = list(dict.fromkeys(names))
    for name in names:
        if name not in (*HAND_PATTERNS, ALL):
            raise InputError(no_such(name, "hand pattern", (*HAND_PATTERNS, ALL)))
    plain = run.rules.model_copy(update={"hand_patterns": ()})
    base = dataclasses.replace(run, rules=plain)
    if run.hands < 2:
        raise InputError(f"--hands {run.hands}: a comparison takes two hands or more")
    tally = simulate(base, threads=threads, progress=progress)
    if tally.interrupted:
        raise KeyboardInterrupt
    found = []
    for name in names:
        chosen = HAND_PATTERNS if name == ALL else (name,)
        rules = make_rules(plain.model_dump() | {"hand_patterns": chosen}, where="hand_patterns")
        question, sweep, chinese = _QUESTIONS.get(name, ("", "seven, eight", "例牌"))
        times = rules.eight if sweep == "eight" else rules.seven
        banker = banker_multiplier(rules.switches(), run.term)
        debt = rules.empty * times
        found.append(
            HandPattern(
                name=name,
                chinese=chinese,
                sweep=sweep,
                seat=_exact(question, "banker", rules),
                table=_exact(question, "anyone", rules),
                collects=(3 * debt * banker, debt * (2 + banker)) if question else None,
                comparison=compare(
                    plain, rules, run=base, tally=tally, threads=threads, progress=progress
                ),
            )
        )
    return found


def _exact(question: str, who: str, rules: RuleSet) -> Fraction | None:
    if not question:
        return None
    return exact_chance(parse_question(question.format(who=who)), rules).fraction
