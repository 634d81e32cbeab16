"""House rules compared with the play adapted to them: policies re-tuned under each rule set."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...kernels.series import ADAPTING_GAIN, ADAPTING_PRICE
from ...kernels.tiengow.players import FAMILY
from ..checks import SEED, THREADS, checked, instance, optional, path, settle, whole
from ..errors import InputError
from ..estimates import Mean
from ..phrases import Phrase, phrase
from ..results import Result
from ..runs import Progress
from ..wording import around
from .compare import compare
from .comparison import Comparison
from .extremes import mean_points
from .policies import Policy, find_policy
from .request import RULES, RUN, Run
from .rules import RuleSet
from .tune import SELF, Step, Tuning, points_against, tune

if TYPE_CHECKING:
    import pandas as pd

_ADAPTED = {  # whether a clear gain was found under A, and under B
    (True, True): phrase(
        "The banker's points change by {same} a hand with the same play and by {adapted} with adapted "
        "play."
    ),
    (False, True): phrase(
        "The banker's points change by {same} a hand with the same play and by {adapted} with adapted "
        "play (no clear gain was found under A: there the play stays)."
    ),
    (True, False): phrase(
        "The banker's points change by {same} a hand with the same play and by {adapted} with adapted "
        "play (no clear gain was found under B: there the play stays)."
    ),
    (False, False): phrase(
        "The banker's points change by {same} a hand with the same play and by {adapted} with adapted "
        "play (no clear gain was found under A and B: there the play stays)."
    ),
}


@dataclass(frozen=True, kw_only=True)
class Adaptation:
    """How far policies are re-tuned under each rule set.

    Attributes
    ----------
    steps : int
        Steps of the search, at most.
    deals : int
        Deals a step.
    check : int
        Deals on which it is asked whether a policy gains, and as many on which its gain is measured.
    seed : int
    """

    steps: int = 20
    deals: int = 200
    check: int = 4000
    seed: int = 1

    def __post_init__(self) -> None:
        bounds = {"steps": whole(1, 10_000), "deals": whole(1, 10**6), "check": whole(2, 10**7)}
        settle(self, "adapt_", **bounds)
        settle(self, seed=SEED)

    def request(self, rules: RuleSet, start: str) -> Tuning:
        """The search under one rule set: against the start, and against itself."""
        return Tuning(
            rules=rules, start=start, pool=(start, SELF), steps=self.steps, deals=self.deals,
            check=self.check, population=32, elite=8, seed=self.seed,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class AdaptedComparison(Result):
    """Two rule sets compared, with the same play and with adapted play.

    Attributes
    ----------
    same, adapted : Comparison
        All seats as the start under both; all seats as the re-tuned policy of each rule set.
    gains : tuple of Mean
        Points a hand that the re-tuned policy of each rule set makes against three of the start,
        under those rules, on deals that neither the search nor the choice to adopt it used.
    changed : tuple of bool
        Whether it was adopted: it gained clearly (its interval above 0) on deals of their own; else
        the start is kept.
    policies : tuple of Policy
        What is played under each in `adapted`.
    adaptation : Adaptation
    """

    same: Comparison
    adapted: Comparison
    gains: tuple[Mean, Mean]
    changed: tuple[bool, bool]
    policies: tuple[Policy, Policy]
    adaptation: Adaptation

    def command(self) -> str:
        """The command line that gives the same numbers again."""
        how = self.adaptation
        words = [self.same.command(), "--adapt", f"--adapt-steps {how.steps}"]
        words += [f"--adapt-deals {how.deals}", f"--adapt-check {how.check}"]
        return " ".join(words)

    def sentence(self) -> Phrase:
        """Both answers in one sentence."""
        same, adapted = (side.points["banker"] for side in (self.same, self.adapted))
        one, other = (around(v.difference, v.low, v.high, signed=True) for v in (same, adapted))
        return phrase(_ADAPTED[self.changed], same=one, adapted=other)

    def to_frame(self) -> pd.DataFrame:
        """The tables of both comparisons, told apart by the column ``play``."""
        import pandas as pd

        parts = {"same": self.same, "adapted": self.adapted}
        frames = [part.to_frame().assign(play=name) for name, part in parts.items()]
        return pd.concat(frames, ignore_index=True)

    def to_json(self) -> dict[str, Any]:
        """The comparison with the same play, and under `adapted` the other one."""
        return self.same.to_json() | {
            "command": self.command(),
            "adapted": self.adapted.to_json()
            | {
                "gains": [gain.to_json() for gain in self.gains],
                "changed": list(self.changed),
                "digests": [policy.digest() for policy in self.policies],
                "sentence": self.sentence(),
                "command": self.command(),
            },
        }


@checked(
    a=RULES, b=RULES, run=optional(RUN), adaptation=optional(instance(Adaptation, "an Adaptation")),
    folder=optional(path), threads=THREADS,
)  # fmt: skip
def compare_adapted(
    a: RuleSet,
    b: RuleSet,
    *,
    run: Run | None = None,
    adaptation: Adaptation | None = None,
    folder: str | Path | None = None,
    threads: int | None = None,
    tuning: Callable[[str, Step], None] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> AdaptedComparison:
    """What changes from one rule set to another when players adapt to it.

    The policy is re-tuned under each rule set, with the same effort; what gains nothing clear there
    is not adopted.

    Parameters
    ----------
    a, b : RuleSet
    run : Run, optional
        One policy of the heuristic family for all seats (`tuned` by default), term, seed and hands.
    adaptation : Adaptation, optional
    folder : path, optional
        Where the policies found are written, ``a.toml`` and ``b.toml``; an interrupted search there
        goes on.  By default they are not kept.
    threads : int, optional
        Threads; all processors by default.  The result does not depend on it.
    tuning : callable, optional
        Called after each step of a search with the side and the step.
    progress : callable, optional
        Called several times a second.

    Raises
    ------
    InputError
        If the seats do not share one policy of the heuristic family.

    Examples
    --------
    >>> quick = Adaptation(steps=1, deals=2, check=20)
    >>> run = Run(policies=("tuned",) * 4, hands=200)
    >>> compare_adapted(RuleSet(), RuleSet(kam=4), run=run, adaptation=quick).same.method
    'settled twice'
    """
    run = replace(run or Run(policies=("tuned",) * 4), rules=a)
    how = adaptation or Adaptation(seed=run.seed)
    if len(set(run.policies)) != 1 or run.players()[0].kind != FAMILY:
        raise InputError(
            f"--policy {','.join(dict.fromkeys(run.policies))}: --adapt takes one policy of the "
            "heuristic family for all seats, such as tuned"
        )
    if run.hands < 2 or run.by is not None:
        raise InputError("a comparison takes two hands or more, and no split")
    start = run.policies[0]
    policies, gains, changed = [], [], []
    with ExitStack() as stack:
        place = Path(
            folder if folder is not None else stack.enter_context(tempfile.TemporaryDirectory())
        )
        if not os.path.isdir(place):
            raise InputError(f"--adapt-dir {place}: is no folder; make it first")
        for side, rules in (("a", a), ("b", b)):

            def tell(step: Step, side: str = side) -> None:
                if tuning is not None:
                    tuning(side, step)

            before = find_policy(start, a)  # the start under both is that of the first rule set
            found = tune(
                how.request(rules, start), place / f"{side}.toml", threads=threads, progress=tell
            )
            if found is None:
                raise KeyboardInterrupt

            def gain_on(
                series: int, found: Policy = found, before: Policy = before, rules: RuleSet = rules
            ) -> Mean:
                points = points_against(
                    found, [before], rules, series=series, deals=how.check, seed=how.seed
                )
                return mean_points(points[:, 0], 4, rules)

            adopted = gain_on(ADAPTING_GAIN).low > 0
            policies.append(found if adopted else before)
            # Priced on deals that had no say in the choice: those that had flatter it.
            gains.append(gain_on(ADAPTING_PRICE))
            changed.append(adopted)
    same = compare(a, b, run=run, threads=threads, progress=progress)
    adapted = same
    if any(changed):
        players = [policies[0]] * 4, [policies[1]] * 4
        adapted = compare(a, b, run=run, players=players, threads=threads, progress=progress)
    return AdaptedComparison(
        same=same,
        adapted=adapted,
        gains=(gains[0], gains[1]),
        changed=(changed[0], changed[1]),
        policies=(policies[0], policies[1]),
        adaptation=how,
    )
