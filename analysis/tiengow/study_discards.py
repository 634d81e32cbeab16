"""The study of what to give away."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...kernels.series import STUDY_LUCK, STUDY_POSITIONS, STUDY_WORLDS
from ...kernels.tiengow.blocks import draw_positions
from ...kernels.tiengow.deal import taking
from ...kernels.tiengow.players import FAMILY
from ...kernels.tiengow.search import price_plays
from ...kernels.tiengow.starting import POINTS, SUMS
from ...kernels.tiengow.state import (
    CIVIL_LED,
    HAND,
    MILITARY_LED,
    POSITION,
    SEAT,
    STATE,
    TRICK,
)
from ...kernels.tiengow.worlds import WORLD, sample_worlds
from ..estimates import joint, mean_of_floats
from ..phrases import phrase
from .discards import DISCARDS, discard_kind
from .notation import codes_of
from .policies import Policy
from .position import Position
from .studies import Answer, Row, Setting
from .study_claims import claim_of
from .study_pool import pool_of
from .study_ways import tuned

_WORLDS = 40


def discards(setting: Setting) -> Answer:
    """Positions of the first three tricks in which one tile is given away, every tile priced.

    They are of hands that the tuned policy plays, which also plays on in the seat that asks.
    """
    policy, pool = tuned(setting), pool_of(setting.rules)
    wanted = max(setting.deals // 20, 2)
    switches = setting.rules.switches()
    states, others = np.zeros((2, 12 * wanted, STATE), np.int64)
    kinds, weights = np.array([FAMILY]), policy.row()[None, :]
    way = taking(0, STUDY_POSITIONS)
    draw_positions(np.uint64(setting.seed), kinds, weights, way, switches, setting.term, states, others)
    losses: list[list[list[float]]] = [[[] for _ in DISCARDS] for _ in pool]
    used = 0
    for number, state in enumerate(states):
        position = Position(
            rules=setting.rules, term=setting.term, banker=0, seat=0, state=tuple(state.tolist())
        )
        view = position.view()
        if view[POSITION] == 0 or view[TRICK] > 2 or view[CIVIL_LED] + view[MILITARY_LED] != 1:
            continue
        if used == wanted:
            break
        used += 1
        held = [1 << bit for bit in range(32) if view[HAND] >> bit & 1]
        plays = list({codes_of(tile): tile for tile in reversed(held)}.values())  # one of each class
        tried = np.zeros((_WORLDS, WORLD), np.int64)
        sample_worlds(state, np.uint64(setting.seed), STUDY_WORLDS, _WORLDS * number, switches, tried)
        for opponent, found in zip(pool, losses, strict=True):
            four = [policy if seat == view[SEAT] else opponent for seat in range(4)]
            points = _priced(setting, state, tried, number, plays, four)
            # Against the mean of the others: against the best, noise would make every tile look bad.
            # A position is one observation of each kind, however many tiles of it are held.
            of_kind: dict[int, list[float]] = {}
            for place, tile in enumerate(plays):
                rest = np.delete(points, place)
                if rest.size:
                    of_kind.setdefault(discard_kind(tile, view), []).append(points[place] - rest.mean())
            for kind, each in of_kind.items():
                found[kind].append(float(np.mean(each)))
    told = [number for number in range(len(DISCARDS)) if len(losses[0][number]) > 1]
    claims = len(told) * len(pool)
    rows = [
        Row(label=phrase("gives away {kind}", kind=DISCARDS[number]), against=opponent.name,
            difference=mean_of_floats(found[number], confidence=joint(claims)))
        for opponent, found in zip(pool, losses, strict=True) for number in told
    ]  # fmt: skip
    if not rows or any(row.difference is None or math.isnan(row.difference.low) for row in rows):
        return Answer(rows, phrase("Too few positions: try more deals."))
    by_label = {row.label: [each for each in rows if each.label == row.label] for row in rows}
    means = {
        label: float(np.mean([row.difference.mean for row in same if row.difference is not None]))
        for label, same in by_label.items()
    }
    made = {label: claim_of(same, claims=claims) for label, same in by_label.items()}
    order = sorted(means, key=lambda label: -means[label])
    rows.sort(key=lambda row: ([p.name for p in pool].index(row.against), order.index(row.label)))
    names: dict[str, str] = {phrase("gives away {kind}", kind=kind): kind for kind in DISCARDS}
    best, worst = order[0], order[-1]
    return Answer(rows, phrase(
        "Of {n} single-tile discards in the first three tricks the best seen to give away is {best}: "
        "beside the other tiles it {most}. The worst seen is {worst}: it {least}.",
        n=f"{used:,}", best=names[best], most=made[best][1], worst=names[worst], least=made[worst][1],
    ), tuple(made[label][0] for label in order))  # fmt: skip


def _priced(
    setting: Setting,
    state: NDArray[np.int64],
    worlds: NDArray[np.int64],
    number: int,
    plays: list[int],
    four: list[Policy],
) -> NDArray[np.float64]:
    """Mean points of each play in a position, where four policies play on."""
    out = np.zeros(_WORLDS * len(plays) * SUMS, np.int64)
    price_plays(
        state, worlds, np.uint64(setting.seed), STUDY_LUCK, _WORLDS * number, np.array(plays),
        np.zeros(len(plays), np.int64), np.array([policy.kind for policy in four], np.int64),
        np.array([policy.row() for policy in four]), setting.rules.switches(), setting.term, out,
        np.zeros((_WORLDS, len(plays)), np.bool_),
    )  # fmt: skip
    found: NDArray[np.float64] = out.reshape(_WORLDS, len(plays), SUMS)[:, :, POINTS].mean(axis=0)
    return found
