"""Studies: players' questions about good play, each answered on the same deals.

A study plays the same deals once for each way of playing and each opponent of a pool, so that only the
play differs, and claims of a way what holds against all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..checks import SEED, THREADS, checked, optional, text, whole
from ..errors import InputError, no_such
from ..estimates import Mean, Proportion, known
from ..phrases import Phrase
from ..results import Result, columns
from ..runs import default_threads
from .presets import find_preset, rules_words
from .request import RULES, TERM
from .rules import RuleSet

if TYPE_CHECKING:
    import pandas as pd

MOST_DEALS = 10**7
_COLUMNS = {  # of the shares in a table, by what they are called
    "結": "win", "no stack": "empty", "完封": "sweep", "幺結": "yao", "擒 caught": "caught", "擒": "kam",
    "beaten by JJ": "beaten", "four led before the last trick": "four_led",
    "63 led before the last trick": "supreme_led", "banker takes the first trick": "first_trick",
    "beats the banker in the first three tricks": "beats_banker",
    "beats another non-banker in the first three tricks": "beats_non_banker",
    "banker takes two of the first three tricks": "banker_ahead",
    "leads two tiles or more at once": "combination_led", "hand goes otherwise": "otherwise",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Row:
    """One way of playing against one opponent, or one quantity, in a study.

    Attributes
    ----------
    label : str
    points : Mean or None
        Points a hand of the seat that is studied.
    difference : Mean or None
        To the first row, on the same deals.
    shares : dict
        Shares of the deals by name.
    against : str
        The policy of the others, or nothing in studies that were kept before there was one.
    thing : str
        The share that this way claims to change, or nothing.
    claimed : Mean or None
        By how much it changes it, beside the first row.
    more : bool
        It claims to raise that share, not to lower it.
    """

    label: str
    points: Mean | None = None
    difference: Mean | None = None
    shares: dict[str, Proportion] = field(default_factory=dict)
    against: str = ""
    thing: str = ""
    claimed: Mean | None = None
    more: bool = True


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What a study says of one way to play.

    Attributes
    ----------
    way : str
        The label of its rows.
    verdict : str
        ``gains`` or ``costs``: points, against every opponent.  ``depends``: on the opponent.
        ``same``: it is what the tuned policy does.  ``alike``: it does what it claims to hardly more or
        less often than the tuned policy, so that nothing follows.  ``open``: intervals are too wide.
    thing : str
        The share that it claims to change, or nothing.
    apart : tuple of three floats or None
        Where it depends: points between the opponents furthest apart, and their interval.
    deals : int or None
        Where it is open: how many deals would do; None for more than can be played.
    """

    way: str
    verdict: str
    thing: str = ""
    apart: tuple[float, float, float] | None = None
    deals: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The claim as a JSON object."""
        of_apart = self.apart and dict(
            zip(("points", "low", "high"), map(known, self.apart), strict=True)
        )
        return {"way": self.way, "verdict": self.verdict, "thing": self.thing, "apart": of_apart,
                "deals": self.deals}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class StudyResult(Result):
    """The answer to a player's question.

    Attributes
    ----------
    name, question : str
    number : int
        Of the question in the list of questions that players ask.
    rows : tuple of Row
    sentence : str
        The answer in one sentence.
    deals : int
    rules : RuleSet
        All that was played and settled under them, but for what `sets` says.
    term, seed : int
    sets : str
        A switch that the question itself sets, in words, or nothing.
    claims : tuple of Claim
        What the sentence says of each way.
    """

    name: str
    number: int
    question: str
    rows: tuple[Row, ...]
    sentence: str
    deals: int
    rules: RuleSet
    term: int
    seed: int
    sets: str = ""
    claims: tuple[Claim, ...] = ()

    def command(self) -> str:
        """The command line that gives the same numbers again."""
        preset, *changed = rules_words(self.rules, option="--set ")
        words = [f"gupai study {self.name} --rules {preset}", *changed]
        words += [f"--term {self.term}"] if self.term != 1 else []
        return " ".join([*words, f"--deals {self.deals}", f"--seed {self.seed}"])

    def to_frame(self) -> pd.DataFrame:
        """A row each way to play and opponent: points, the difference to the first way, and shares."""
        import pandas as pd

        return pd.DataFrame(
            [
                columns(
                    way=row.label, against=row.against, points=row.points,
                    difference=row.difference, thing=row.thing, claimed=row.claimed,
                    **{_COLUMNS[name]: share for name, share in row.shares.items()},
                )
                for row in self.rows
            ]
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """The result as a JSON object."""
        return {
            "study": self.name,
            "number": self.number,
            "question": self.question,
            "answer": self.sentence,
            "claims": [claim.to_json() for claim in self.claims],
            "rows": [
                {
                    "label": row.label,
                    "against": row.against,
                    "points": row.points and row.points.to_json(),
                    "difference": row.difference and row.difference.to_json(),
                    "shares": {name: share.to_json() for name, share in row.shares.items()},
                    "thing": row.thing,
                    "claimed": row.claimed and row.claimed.to_json(),
                }
                for row in self.rows
            ],
            "deals": self.deals,
            "command": self.command(),
            "rules": self.rules.to_json(),
            "sets": self.sets,
        }


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What a study is asked for: rules, term, deals, seed, threads."""

    rules: RuleSet
    term: int
    deals: int
    seed: int
    threads: int


@dataclass(frozen=True)
class Answer:
    """Rows, the claims that stand on them, and the sentence that says them.

    Attributes
    ----------
    rows : list of Row
    sentence : Phrase
    claims : tuple of Claim
    """

    rows: list[Row]
    sentence: Phrase
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Study:
    """A question and the function that answers it.

    Attributes
    ----------
    name : str
    number : int
        Of the question in the list of questions that players ask.
    question : str
    answer : callable
    term : int
        The banker's term that the question is about.
    preset : str
        The rules that it is about, where none are named.
    sets : str
        A switch that the question itself sets, in words, or nothing.
    """

    name: str
    number: int
    question: str
    answer: Callable[[Setting], Answer]
    term: int = 1
    preset: str = "tiengow-ja"
    sets: str = ""


@checked(
    name=text, rules=optional(RULES), deals=whole(2, MOST_DEALS), term=optional(TERM), seed=SEED,
    threads=THREADS,
)  # fmt: skip
def run_study(
    name: str,
    *,
    rules: RuleSet | None = None,
    deals: int = 10_000,
    term: int | None = None,
    seed: int = 1,
    threads: int | None = None,
) -> StudyResult:
    """Answer one of the players' questions.

    Parameters
    ----------
    name : str
        One of `study_list`.
    rules : RuleSet, optional
        By default those that the question is about: tiengow-ja, of civil-supreme tiengow-zh.
    deals : int
        Deals that every way of playing is tried on.
    term : int, optional
        The banker's term; by default that of the question.
    seed : int
    threads : int, optional
        Threads; all processors by default.  The result does not depend on it.

    Raises
    ------
    InputError
        If there is no such study, or the rules do not know what it asks about.

    Examples
    --------
    >>> run_study("two-stacks-safe-tricks", deals=50)
    Traceback (most recent call last):
    ...
    gupai.analysis.errors.InputError: two-stacks-safe-tricks: no such study
    >>> run_study("safe-tricks", deals=50).number
    10
    """
    from .study_list import STUDIES

    if name not in STUDIES:
        raise InputError(no_such(name, "study", STUDIES))
    study = STUDIES[name]
    setting = Setting(
        rules=rules or find_preset(study.preset).rules, term=study.term if term is None else term,
        deals=deals, seed=seed, threads=threads or default_threads(),
    )  # fmt: skip
    found = study.answer(setting)
    return StudyResult(
        name=name, number=study.number, question=study.question, rows=tuple(found.rows),
        sentence=found.sentence, deals=deals, rules=setting.rules, term=setting.term, seed=seed,
        sets=study.sets, claims=found.claims,
    )  # fmt: skip
