"""Why a play is good or bad, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...kernels.tiengow.family import stronger_than
from ...kernels.tiengow.plays import beaters_of_lead, is_supreme, kind_of, options, place_of
from ...kernels.tiengow.state import HAND, LED, POSITION, STACKS_OF, TILES_OF, TRICK, UNSEEN
from ...kernels.tiengow.tiles import above, twins
from ...kernels.word import word
from ..digits import percentage
from ..phrases import Phrase, listed, phrase
from .position import Position

if TYPE_CHECKING:
    from .advise import PricedPlay


def reason(play: PricedPlay, view: list[int], position: Position) -> Phrase:
    """What speaks for a play or against it, in words."""
    said = []
    left, unseen = view[HAND] ^ play.play, view[UNSEEN]
    if play.face_up:
        rules = position.rules.switches()
        kind = kind_of(play.play)
        if view[POSITION] == 0:
            beaters = beaters_of_lead(play.play, kind, rules)
        else:
            beaters = word(0) if is_supreme(view[LED], rules) else above(place_of(play.play, kind))
        later = range(1, 4 - view[POSITION])
        may_show = any(view[TILES_OF + seat] > 1 or view[STACKS_OF + seat] > 0 for seat in later)
        if not may_show or options(unseen, kind) & beaters == 0:
            said.append(phrase("no hand can beat it"))
        else:
            said.append(phrase("takes the trick in {share}", share=_percent(play.takes.value)))
    else:
        said.append(phrase("gives the trick up"))
    if left:
        tiles = [1 << bit for bit in range(32) if left >> bit & 1]
        kept = sum((stronger_than(tile) & unseen) == 0 for tile in tiles)
        said.append(
            phrase("leaves {kept} of {n} tiles that nothing unseen beats", kept=kept, n=len(tiles))
        )
        pairs = twins(left).bit_count()
        broken = twins(view[HAND]).bit_count() - pairs - twins(play.play).bit_count()
        if broken > 0:
            said.append(phrase("breaks a pair") if broken == 1 else phrase("breaks {n} pairs", n=broken))
    if view[STACKS_OF] == 0 and view[TRICK] > 0 and play.empty.value >= 0.05:
        share = percentage(play.empty.value, 0)
        said.append(phrase("no stack at the end in {share} %", share=share))
    if play.caught.value >= 0.01:
        said.append(phrase("擒 in {share} %", share=percentage(play.caught.value, 0)))
    return listed(said)


def _percent(share: float) -> Phrase:
    """A share of deals, roughly.

    Examples
    --------
    >>> _percent(0.431), _percent(0.001), _percent(0.999)
    ('43 % of deals', 'hardly any deal', 'nearly every deal')
    """
    if share < 0.005:
        return phrase("hardly any deal")
    if share > 0.995:
        return phrase("nearly every deal")
    return phrase("{share} % of deals", share=percentage(share, 0))
