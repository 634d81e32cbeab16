"""Odds: the chance of any event, exact where it can be, simulated where it must.

Source: the section "gupai odds" of the interface.
"""

from __future__ import annotations

import dataclasses
import math
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ..checks import THREADS, YES_OR_NO, checked, number, optional, text, whole
from ..digits import figures
from ..errors import InputError
from ..estimates import Proportion, proportion
from ..phrases import phrase
from ..precision import Plan, Width
from ..results import Result
from ..runs import Progress, default_threads, run_blocks
from .conditions import deal_condition
from .events import PlayedHands
from .exact import ExactChance, TooWideError, exact_chance
from .parser import parse_question
from .playing import Player, block_of
from .questions import And, Question, is_about_the_deal, split_conditions
from .request import LARGEST_HANDS, RUN, Run

if TYPE_CHECKING:
    import pandas as pd

MOST = 10**9  # hands after which a run that asks for a width gives up


@dataclass(frozen=True, kw_only=True)
class Odds(Result):
    """The chance of an event.

    Attributes
    ----------
    event, given : str
        The question; `given` is None without a condition.
    value, low, high : float
        The chance and its 95 % interval; all equal if it is exact.
    method : str
        ``exact`` or ``simulation``.
    fraction : Fraction or None
        The exact chance in lowest terms.
    hands : int
        Hands played (0 if exact).
    planning : int
        Of them, the first ones of a run that asks for a width: they only told how many more to play.
    counted : int
        Of the others, hands that met the condition on the play.
    run : Run
        The run that was played, or whose rules were asked about.
    precision, relative : float or None
        The width of the interval that was asked for.
    note : str
        What the reader should know, or nothing.
    interrupted : bool
        Whether Ctrl-C ended the run early.
    """

    event: str
    given: str | None
    value: float
    low: float
    high: float
    method: str
    fraction: Fraction | None
    hands: int
    counted: int
    run: Run
    precision: float | None = None
    relative: float | None = None
    note: str = ""
    interrupted: bool = False
    planning: int = 0

    def to_frame(self) -> pd.DataFrame:
        """One row: the chance, its interval, and how it was found."""
        import pandas as pd

        row = {
            "event": self.event, "given": self.given, "probability": self.value,
            "probability_low": self.low, "probability_high": self.high, "method": self.method,
            "hands": self.hands, "counted": self.counted,
        }  # fmt: skip
        return pd.DataFrame([row])

    def command(self) -> str:
        """The command line that gives this answer again.

        Examples
        --------
        >>> odds("anyone has 63").command()
        "gupai odds 'anyone has 63' --rules tiengow-ja"
        """
        words = ["gupai odds", shlex.quote(self.event)]
        words += [] if self.given is None else ["--given", shlex.quote(self.given)]
        words += [] if self.precision is None else [f"--precision {self.precision}"]
        words += [] if self.relative is None else [f"--relative {self.relative}"]
        rules, *play = self.run.command().removeprefix("gupai simulate ").split(" --policy ")
        words.append(rules)
        if self.method == "simulation":
            words.append("--policy " + play[0])
        return " ".join(words)


WIDTH = number(0, math.nextafter(1, 0), "above 0 and below 1")


@checked(
    event=text, given=optional(text), run=optional(RUN), exact=YES_OR_NO, precision=optional(WIDTH),
    relative=optional(WIDTH), most=whole(1, LARGEST_HANDS), threads=THREADS,
)  # fmt: skip
def odds(
    event: str,
    given: str | None = None,
    *,
    run: Run | None = None,
    exact: bool = False,
    precision: float | None = None,
    relative: float | None = None,
    most: int = MOST,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Odds:
    """The chance of an event.

    Parameters
    ----------
    event : str
        In the question language.
    given : str, optional
        A condition.  What it says about the deal is dealt, what it says about the play is counted.
    run : Run, optional
        Rules, policies, seed and hands of a simulation; by default a million hands of `tuned`.
    exact : bool
        Refuse to simulate.
    precision, relative : float, optional
        Play until the interval is at most that wide, absolutely or in parts of the chance.  How
        many hands that takes is told by the first of them, which are not counted; the interval
        holds for the run as a whole (see `Plan`).
    most : int
        Hands after which such a run gives up.
    threads : int, optional
        Threads; all processors by default.
    progress : callable, optional
        Called several times a second.

    Returns
    -------
    Odds

    Raises
    ------
    InputError
        If a question cannot be read, no deal meets the condition, or `exact` cannot be had.

    Examples
    --------
    >>> odds("anyone has 63").fraction
    Fraction(7, 31)
    """
    run = run or Run()
    asked = parse_question(event)
    condition = None if given is None else parse_question(given)
    on_deal, on_play = (None, None) if condition is None else split_conditions(condition)
    note: str = ""
    if is_about_the_deal(asked) and on_play is None:
        try:
            chance = exact_chance(asked, run.rules, on_deal)
        except TooWideError as error:
            note = phrase("simulated, because counting it would take {what}", what=error.args[0])
        else:
            return _exact_answer(event, given, chance, run)
    if exact:
        raise InputError(
            note or "--exact: the question asks about the play, which only a simulation can tell"
        )
    if on_deal is not None:
        try:
            deal_condition(on_deal, run.rules)
        except TooWideError:
            note = phrase(
                "the condition on the deal was counted, because there are too many ways to meet it"
            )
            on_play = on_deal if on_play is None else And((on_deal, on_play))
            on_deal = None
    if precision is None and relative is None:
        (met, happened), hands, interrupted = _play(
            run, asked, on_deal, on_play, run.hands, threads, progress
        )
        share = proportion(happened, met) if met else None
        return _simulated(event, given, run, share, hands, note, interrupted=interrupted)
    width = Width(absolute=precision, relative=relative)
    return _until_narrow(
        event, given, run, asked, on_deal, on_play, note, width, most, threads, progress
    )


def _exact_answer(event: str, given: str | None, chance: ExactChance, run: Run) -> Odds:
    if chance.possible == 0:
        raise InputError(f"--given {given}: no deal meets the condition")
    value = chance.favourable / chance.possible
    return Odds(
        event=event, given=given, value=value, low=value, high=value, method="exact",
        fraction=chance.fraction, hands=0, counted=0, run=run,
    )  # fmt: skip


class _Counter:
    """Plays blocks and counts hands that meet the condition on the play, and those with the event."""

    def __init__(self, run: Run, on_deal: Question | None, event: Question, on_play: Question | None):
        self._player = Player(run, given=on_deal)
        self._run, self._event, self._on_play = run, event, on_play
        self.met = self.happened = 0

    def play(self, start: int, hands: int) -> None:
        played = PlayedHands(self._player.keep(start, hands), self._run.rules, self._run.term)
        happened = played.truth(self._event)
        if self._on_play is None:
            self.met += hands
        else:
            met = played.truth(self._on_play)
            self.met += int(met.sum())
            happened = happened & met
        self.happened += int(happened.sum())


_Counts = tuple[int, int]  # hands that met the condition, and those of them with the event


def _play(
    run: Run,
    event: Question,
    on_deal: Question | None,
    on_play: Question | None,
    hands: int,
    threads: int | None,
    progress: Callable[[Progress], None] | None,
    first: int = 0,
) -> tuple[_Counts, int, bool]:
    number = default_threads() if threads is None else threads
    block = block_of(run.players())
    number = min(number, -(-(hands - first) // block))
    workers = [_Counter(run, on_deal, event, on_play) for _ in range(number)]
    done, interrupted = run_blocks(list(workers), hands, first=first, block=block, progress=progress)
    met, happened = sum(w.met for w in workers), sum(w.happened for w in workers)
    return (met, happened), done, interrupted


def _simulated(
    event: str,
    given: str | None,
    run: Run,
    share: Proportion | None,
    hands: int,
    note: str,
    *,
    planning: int = 0,
    interrupted: bool = False,
) -> Odds:
    value, low, high, counted = math.nan, 0.0, 1.0, 0
    if share is None:
        note = phrase("no hand played met the condition: play more hands")
    else:
        value, low, high, counted = share.value, share.low, share.high, share.n
        if 0 < share.count < 20 and not note:
            note = phrase("rests on {n} hands only", n=share.count)
    return Odds(
        event=event, given=given, value=value, low=low, high=high, method="simulation", fraction=None,
        hands=hands, counted=counted, run=dataclasses.replace(run, hands=max(hands, 1)), note=note,
        planning=planning, interrupted=interrupted,
    )  # fmt: skip


def _until_narrow(
    event: str,
    given: str | None,
    run: Run,
    asked: Question,
    on_deal: Question | None,
    on_play: Question | None,
    note: str,
    width: Width,
    most: int,
    threads: int | None,
    progress: Callable[[Progress], None] | None,
) -> Odds:
    """Play the parts of a plan, whose numbers of hands no thread changes."""
    plan = Plan(width, most=most)
    interrupted = False
    while not interrupted and (hands := plan.following()) is not None:
        before = plan.hands
        (met, happened), done, interrupted = _play(
            run, asked, on_deal, on_play, before + hands, threads, progress, before
        )
        plan.add(done - before, met=met, happened=happened)
    if interrupted:
        plan.stop()
    answer = _simulated(
        event, given, run, plan.share, plan.hands, note, planning=plan.before, interrupted=interrupted
    )
    answer = dataclasses.replace(answer, precision=width.absolute, relative=width.relative)
    if interrupted or (plan.share is not None and width.reached(plan.share)):
        return answer
    gave_up = phrase(
        "gave up at {hands} hands: the interval is still {width} wide",
        hands=f"{plan.hands:,}", width=figures(answer.high - answer.low, 2),
    )  # fmt: skip
    return dataclasses.replace(answer, note=gave_up)
