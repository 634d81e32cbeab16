"""Studies: players' questions about good play, each answered on the same deals.

A study plays the same deals once for each way of playing, so that only the play differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.tiengow.given import Given
from ...kernels.tiengow.settlement import (
    BONUSES,
    FINISH,
    FINISH_YAO,
    KAM,
    SETTLEMENT,
    STACKS,
    SWEEP,
    WINNER,
)
from ..checks import SEED, THREADS, checked, optional, text, whole
from ..errors import InputError, no_such
from ..estimates import Mean, Proportion, clustered_proportion, joint
from ..phrases import Phrase, phrase
from ..results import Result, columns
from ..runs import default_threads
from .duplicate import Duplicates, Seats, settle_kept
from .extremes import mean_points
from .family_presets import tuned_for
from .policies import Policy, find_policy
from .presets import find_preset, rules_words
from .request import RULES, TERM
from .rules import RuleSet

if TYPE_CHECKING:
    import pandas as pd

_CHUNK = 500  # deals
MOST_DEALS = 10**7
_COLUMNS = {  # of the shares in a table, by what they are called
    "結": "win", "no stack": "empty", "完封": "sweep", "幺結": "yao", "擒 caught": "caught", "擒": "kam",
    "beaten by JJ": "beaten",
}  # fmt: skip
_WORDS = ("banker", "right", "across", "left")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One way of playing, or one quantity, in a study.

    Attributes
    ----------
    label : str
    points : Mean or None
        Points a hand of the seat that is studied.
    difference : Mean or None
        To the first row, on the same deals.
    shares : dict
        Shares of the deals by name.
    """

    label: str
    points: Mean | None = None
    difference: Mean | None = None
    shares: dict[str, Proportion] = field(default_factory=dict)


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

    def command(self) -> str:
        """The command line that gives the same numbers again."""
        preset, *changed = rules_words(self.rules, option="--set ")
        words = [f"gupai study {self.name} --rules {preset}", *changed]
        words += [f"--term {self.term}"] if self.term != 1 else []
        return " ".join([*words, f"--deals {self.deals}", f"--seed {self.seed}"])

    def to_frame(self) -> pd.DataFrame:
        """A row each way to play: its points, the difference to the first, and shares of the deals."""
        import pandas as pd

        return pd.DataFrame(
            [
                columns(
                    way=row.label, points=row.points, difference=row.difference,
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
            "rows": [
                {
                    "label": row.label,
                    "points": row.points and row.points.to_json(),
                    "difference": row.difference and row.difference.to_json(),
                    "shares": {name: share.to_json() for name, share in row.shares.items()},
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


def kept_deals(
    setting: Setting,
    players: Sequence[Policy],
    lineups: Sequence[Sequence[int]],
    *,
    given: Given | None = None,
) -> NDArray[np.uint32]:
    """The deals of a setting as the kernels keep them, one row a deal and line-up."""

    def play(start: int) -> NDArray[np.uint32]:
        table = Duplicates(
            players, lineups, setting.rules, seed=setting.seed, term=setting.term, given=given
        )
        return table.keep(start, min(_CHUNK, setting.deals - start))

    with ThreadPoolExecutor(setting.threads) as pool:
        return np.concatenate(list(pool.map(play, range(0, setting.deals, _CHUNK))))


def given_of(setting: Setting, condition: str | None) -> Given | None:
    """A condition on the deal for the kernels."""
    from .conditions import deal_condition
    from .parser import parse_question

    if condition is None:
        return None
    return deal_condition(parse_question(condition), setting.rules).given


def seat_points(settled: NDArray[np.int64], seat: int) -> NDArray[np.int64]:
    """Points with bonuses of a seat, deals × line-ups."""
    return settled[:, :, SETTLEMENT + seat] + settled[:, :, BONUSES + seat]


def seat_shares(settled: NDArray[np.int64], seat: int) -> dict[str, NDArray[np.bool_]]:
    """What happened to a seat, each deals × line-ups."""
    won = settled[:, :, WINNER] == seat
    return {
        "結": won,
        phrase("no stack"): settled[:, :, STACKS + seat] == 0,
        "完封": won & (settled[:, :, SWEEP] != 0),
        "幺結": won & (settled[:, :, FINISH] == FINISH_YAO),
        phrase("擒 caught"): settled[:, :, KAM] == seat,
    }


def compare_ways(
    setting: Setting,
    ways: dict[str, Policy],
    seats: Sequence[int],
    *,
    condition: Callable[[str], str] | None = None,
    shares: Sequence[str] = ("結", "no stack"),
    together: bool = False,
    claims: int | None = None,
) -> list[Row]:
    """One seat plays each way, the others the tuned policy, on the same deals.

    The intervals of the differences hold together with 95 %, because the answer picks among them.

    Parameters
    ----------
    ways : dict
        Policies by label; the first is what the others are compared with.
    seats : sequence of int
        The seats studied; a deal's points are the mean over them.
    condition : callable, optional
        What the seat (by name) is dealt.
    shares : sequence of str
        Of `seat_shares`, to be reported.
    together : bool
        All `seats` play the way at once, in place of one at a time.
    claims : int, optional
        How many differences hold together; those found here by default.
    """
    players = [tuned_for(setting.rules), *ways.values()]
    points: list[NDArray[np.int64]] = []
    counts: dict[str, NDArray[np.int64]] = {}
    for seat in seats:
        lineups: list[Seats] = []
        for way in range(1, len(players)):
            row = [way if other == seat or (together and other in seats) else 0 for other in range(4)]
            lineups.append((row[0], row[1], row[2], row[3]))
        given = given_of(setting, condition(_WORDS[seat])) if condition else None
        kept = kept_deals(setting, players, lineups, given=given)
        settled = settle_kept(kept, setting.rules, setting.term)
        settled = settled.reshape(setting.deals, len(ways), -1)
        points.append(seat_points(settled, seat))
        happened = seat_shares(settled, seat)
        for name, found in happened.items():
            if name in shares:
                counts[name] = counts.get(name, 0) + found.astype(np.int64)
    own = np.sum(points, axis=0)
    hands, rules, term = len(seats), setting.rules, setting.term
    each = joint(claims or len(ways) - 1)
    rows = []
    for number, label in enumerate(ways):
        apart = own[:, number] - own[:, 0]
        difference = mean_points(apart, hands, rules, term=term, apart=True, confidence=each)
        rows.append(
            Row(
                label=label,
                points=mean_points(own[:, number], hands, rules, term=term),
                difference=difference if number else None,
                shares={
                    name: clustered_proportion(count[:, number], len(seats))
                    for name, count in counts.items()
                },
            )
        )
    return rows


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
    answer: Callable[[Setting], tuple[list[Row], Phrase]]
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
    rows, sentence = study.answer(setting)
    return StudyResult(
        name=name, number=study.number, question=study.question, rows=tuple(rows), sentence=sentence,
        deals=deals, rules=setting.rules, term=setting.term, seed=seed, sets=study.sets,
    )  # fmt: skip


def with_weights(policy: Policy, name: str, **changes: float) -> Policy:
    """A policy of the family under another name, some weights changed."""
    return replace(policy.with_weights(**changes), name=name)


def tuned(setting: Setting) -> Policy:
    """The tuned policy of the setting's rules."""
    return find_policy("tuned", setting.rules)
