"""What a study may say of a way to play: what holds against every opponent, and no more."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..estimates import Mean, joint, normal_quantile
from ..phrases import Phrase, listed, phrase
from ..wording import around
from .studies import MOST_DEALS, Claim, Row
from .study_words import once_in

LEAST_APART = 0.01  # of the hands: ways that differ less in what they claim are not told apart
AS_TUNED = phrase("as tuned")
_POWER = 0.6  # the quantile of 0.8 is that of a two-sided interval of 0.6


def claim_of(rows: Sequence[Row], *, claims: int) -> tuple[Claim, Phrase]:
    """What holds for one way to play, and how it is said.

    Parameters
    ----------
    rows : sequence of Row
        Of this way, one each opponent; their differences hold together with others.
    claims : int
        How many differences hold together in the study.

    Examples
    --------
    >>> from gupai.analysis import mean_of_floats
    >>> def row(against, *values):
    ...     apart = mean_of_floats(list(values) * 100)
    ...     return Row(label="bold", against=against, difference=apart)
    >>> claim_of([row("tuned", 1.0, 2.0), row("greedy", 2.0, 3.0)], claims=2)[1]
    'gains points against all (+1.500 ± 0.070 against tuned, +2.500 ± 0.070 against greedy)'
    >>> claim_of([row("tuned", 1.0, 2.0), row("greedy", -3.0, -2.0)], claims=2)[0].verdict
    'depends'
    """
    way, thing = rows[0].label, rows[0].thing
    found = [(row.against, row.difference) for row in rows if row.difference is not None]
    told = listed(
        [
            phrase("{by} against {policy}", by=around(d.mean, d.low, d.high, signed=True), policy=name)
            for name, d in found
        ]
    )
    for row in rows:
        if row.claimed is not None and hardly_apart(row.claimed, more=row.more):
            return Claim(way=way, verdict="alike", thing=thing), _alike(row, told)
    if all(d.mean == d.sd == 0 for _, d in found):
        same = phrase(
            "is what the tuned policy does already ({n} deals went the same)", n=f"{found[0][1].n:,}"
        )
        return Claim(way=way, verdict="same", thing=thing), same
    if all(d.low > 0 for _, d in found):
        return Claim(way=way, verdict="gains", thing=thing), phrase(
            "gains points against all ({told})", told=told
        )
    if all(d.high < 0 for _, d in found):
        return Claim(way=way, verdict="costs", thing=thing), phrase(
            "costs points against all ({told})", told=told
        )
    most, least = max(found, key=lambda each: each[1].low), min(found, key=lambda each: each[1].high)
    low, high = most[1].low - least[1].high, most[1].high - least[1].low
    if low > 0:
        apart = most[1].mean - least[1].mean
        words = phrase(
            "depends on them: {told}; {most} and {least} are {apart} points apart",
            told=told, most=most[0], least=least[0], apart=around(apart, low, high),
        )  # fmt: skip
        return Claim(way=way, verdict="depends", thing=thing, apart=(apart, low, high)), words
    needed = deals_to_tell([d for _, d in found], claims)
    return Claim(way=way, verdict="open", thing=thing, deals=needed), _open(found[0][1].n, told, needed)


def claims_of(rows: Sequence[Row]) -> tuple[tuple[Claim, ...], dict[str, Phrase]]:
    """The claims on all ways but those that others are compared with, and how they are said.

    Examples
    --------
    >>> claims_of([Row(label="as tuned", against="greedy")])
    ((), {})
    """
    of_way: dict[str, list[Row]] = {}
    for row in rows:
        if row.difference is not None:
            of_way.setdefault(row.label, []).append(row)
    claims = sum(map(len, of_way.values()))
    made = {way: claim_of(same, claims=claims) for way, same in of_way.items()}
    return tuple(claim for claim, _ in made.values()), {way: words for way, (_, words) in made.items()}


def hardly_apart(claimed: Mean, *, more: bool = True) -> bool:
    """Whether a way does what it claims, more often or less, hardly otherwise than the first one.

    Examples
    --------
    >>> from gupai.analysis import mean_of_floats
    >>> hardly_apart(mean_of_floats([0.0] * 999 + [1.0])), hardly_apart(mean_of_floats([0.0, 1.0] * 99))
    (True, False)
    >>> hardly_apart(mean_of_floats([0.0, 1.0] * 99), more=False)
    True
    """
    sure = claimed.low > 0 if more else claimed.high < 0
    return not (sure and abs(claimed.mean) >= LEAST_APART)


def deals_to_tell(differences: Sequence[Mean], claims: int) -> int | None:
    """After how many deals a claim can be made with chance 0.8, if the truth is what was measured.

    Either every difference is then told from 0, or two of them from each other.  None where more
    deals would be needed than can be played.

    Examples
    --------
    >>> from gupai.analysis import mean_of_floats
    >>> deals_to_tell([mean_of_floats([-1.0, 1.5] * 200)], 1)
    200
    """
    reach = normal_quantile(joint(claims)) + normal_quantile(_POWER)
    from_zero = max(_deals(reach, d.sd, abs(d.mean)) for d in differences)
    most, least = max(differences, key=lambda d: d.mean), min(differences, key=lambda d: d.mean)
    needed = min(from_zero, _deals(reach, most.sd + least.sd, most.mean - least.mean))
    if not needed <= MOST_DEALS:
        return None
    step: int = 10 ** max(math.floor(math.log10(max(needed, 1))) - 1, 0)
    return math.ceil(needed / step) * step


def _deals(reach: float, sd: float, apart: float) -> float:
    return (reach * sd / apart) ** 2 if apart > 0 else math.inf


def _alike(row: Row, told: Phrase) -> Phrase:
    share = row.shares[row.thing]
    assert row.claimed is not None
    before = share.count - round(row.claimed.mean * share.n)
    return phrase(
        "cannot be judged against all, for play hardly differs in it against {policy} ({thing}: "
        "{share}, as tuned {first}): {told}",
        policy=row.against, thing=row.thing, share=once_in(share.count, share.n),
        first=once_in(before, share.n), told=told,
    )  # fmt: skip


def _open(deals: int, told: Phrase, needed: int | None) -> Phrase:
    if needed is None:
        return phrase(
            "makes no difference that {n} deals can tell ({told}), nor would {most} deals",
            n=f"{deals:,}", told=told, most=f"{MOST_DEALS:,}",
        )  # fmt: skip
    return phrase(
        "cannot be judged from {n} deals ({told}); about {needed} would do",
        n=f"{deals:,}", told=told, needed=f"{max(needed, deals + 1):,}",
    )  # fmt: skip
