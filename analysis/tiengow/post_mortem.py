"""A played hand gone through: what each decision of a seat cost it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..checks import checked, instance, whole
from ..estimates import Mean
from .advise import FEWEST, HOW, Advice, PricedPlay, advise
from .notation import codes_of
from .position import position_of
from .records import Record


@dataclass(frozen=True, kw_only=True)
class Decision:
    """A play of a record, priced.

    Attributes
    ----------
    trick : int
        From 1.
    played : PricedPlay
    advice : Advice
    """

    trick: int
    played: PricedPlay
    advice: Advice

    @property
    def cost(self) -> Mean:
        """Points by which the best play was better."""
        return self.played.behind


@checked(record=instance(Record, "a Record, such as read_record gives"), seat=whole(0, 3), **HOW)
def post_mortem(
    record: Record,
    seat: int,
    *,
    worlds: int = FEWEST,
    policy: str = "tuned",
    by: str = "points",
    seed: int = 1,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Decision]:
    """Price every decision of a seat in a played hand, by what it knew at the time.

    Parameters
    ----------
    record : Record
    seat : int
        The absolute seat.
    worlds, policy, by, seed, threads
        As for `advise`.
    progress : callable, optional
        Called with the number of decisions priced and their whole number.

    Raises
    ------
    InputError
        If there is no such seat, or as for `advise`.

    Examples
    --------
    >>> from gupai.analysis import Run, show_hand
    >>> record = show_hand(Run(), 17).record
    >>> len(post_mortem(record, 0, worlds=10)) > 0
    True
    """
    turns = []
    number = 0
    for trick, played in enumerate(record.tricks, 1):
        for place, play in enumerate(played.plays):
            if (played.leader + place) % 4 == seat:
                turns.append((number, trick, play))
            number += 1
    decisions = []
    for done, (plays, trick, play) in enumerate(turns):
        if progress is not None:
            progress(done, len(turns))
        advice = advise(
            position_of(record, seat, plays), worlds=worlds, policy=policy, by=by, seed=seed,
            threads=threads,
        )  # fmt: skip
        codes = codes_of(play.tiles)
        played_as = next(
            priced
            for priced in advice.plays
            if codes_of(priced.play) == codes and priced.face_up == play.face_up
        )
        decisions.append(Decision(trick=trick, played=played_as, advice=advice))
    return decisions
