"""Ways to play, tried against every opponent of the pool on the same deals."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...kernels.series import RUN_HANDS
from ...kernels.tiengow.blocks import play_and_show
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
from ..bounded import bounded_mean
from ..estimates import Mean, clustered_proportion, joint
from ..phrases import phrase
from .duplicate import Duplicates, Seats, settle_kept
from .extremes import mean_points
from .policies import Policy, find_policy
from .studies import Row, Setting
from .study_pool import pool_of

_CHUNK = 500  # deals
_SHOWN = 500  # deals that are played again to see all their plays
_WORDS = ("banker", "right", "across", "left")


def kept_deals(
    setting: Setting,
    players: Sequence[Policy],
    lineups: Sequence[Sequence[int]],
    *,
    given: Given | None = None,
    opening: int = 0,
) -> NDArray[np.uint32]:
    """The deals of a setting as the kernels keep them, one row a deal and line-up."""

    def play(start: int) -> NDArray[np.uint32]:
        table = Duplicates(
            players, lineups, setting.rules, seed=setting.seed, term=setting.term, given=given
        )
        return table.keep(start, min(_CHUNK, setting.deals - start), opening)

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


@dataclass(frozen=True, kw_only=True)
class Tried:
    """What a seat's ways came to against one opponent: for whoever measures what they did.

    Attributes
    ----------
    setting : Setting
    players : list of Policy
        The opponent, then the ways.
    lineups : list of four numbers
        One each way.
    kept : array, deals × ways × 6
        As the kernels keep them.
    settled : array, deals × ways × columns
    seat : int
    """

    setting: Setting
    players: list[Policy]
    lineups: list[Seats]
    kept: NDArray[np.uint32]
    settled: NDArray[np.int64]
    seat: int

    @functools.cached_property
    def plays(self) -> NDArray[np.int64]:
        """The plays of the first deals: deals × ways × tricks × 10, see ``play_and_show``."""
        setting, players = self.setting, self.players
        kinds = np.array([player.kind for player in players], np.int64)
        weights = np.array([player.row() for player in players])
        worlds = np.array([player.worlds for player in players], np.int64)
        four = [(kinds[who], weights[who], worlds[who]) for who in np.array(self.lineups)]
        dealt = self.kept[:_SHOWN, :, 2:].astype(np.int64)
        found = np.zeros((*dealt.shape[:2], 8, 10), np.int64)
        seed, switches = np.uint64(setting.seed), setting.rules.switches()
        for deal in range(len(dealt)):  # the luck of those who draw lots is that of plain hands
            for way, who in enumerate(four):
                tiles, plays = dealt[deal, way], found[deal, way]
                play_and_show(seed, RUN_HANDS, deal, *who, switches, setting.term, tiles, plays)
        return found


def compare_ways(
    setting: Setting,
    ways: Mapping[str, Policy],
    seats: Sequence[int],
    *,
    condition: Callable[[str], str] | None = None,
    shares: Sequence[str] = ("結", "no stack"),
    measures: Mapping[str, Callable[[Tried], NDArray[np.bool_]]] | None = None,
    things: Mapping[str, tuple[str, bool]] | None = None,
    together: bool = False,
    claims: int | None = None,
    pool: Sequence[Policy] | None = None,
) -> list[Row]:
    """One seat plays each way, the others what an opponent of the pool does, on the same deals.

    The intervals of the differences hold together with 95 %, over the ways and the opponents: the
    answer picks among both.

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
    measures : dict, optional
        More shares, by name: whether it happened, deals × ways, of all deals or of the first of them.
    things : dict, optional
        For a way the share, or measure, that it claims to change, and whether it claims to raise it.
    together : bool
        All `seats` play the way at once, in place of one at a time.
    claims : int, optional
        How many differences hold together; those found here by default.
    pool : sequence of Policy, optional
        The opponents; those of the studies by default.

    Returns
    -------
    list of Row
        For each opponent the ways in turn.
    """
    opponents = pool_of(setting.rules) if pool is None else pool
    each = joint(claims or (len(ways) - 1) * len(opponents))
    given = {seat: given_of(setting, condition(_WORDS[seat])) if condition else None for seat in seats}
    rows = []
    for opponent in opponents:
        players = [opponent, *ways.values()]
        points: list[NDArray[np.int64]] = []
        counts: dict[str, NDArray[np.int64]] = {}
        for seat in seats:
            lineups: list[Seats] = []
            for way in range(1, len(players)):
                row = [way if o == seat or (together and o in seats) else 0 for o in range(4)]
                lineups.append((row[0], row[1], row[2], row[3]))
            kept = kept_deals(setting, players, lineups, given=given[seat])
            settled = settle_kept(kept, setting.rules, setting.term)
            settled = settled.reshape(setting.deals, len(ways), -1)
            points.append(seat_points(settled, seat))
            tried = Tried(setting=setting, players=players, lineups=lineups, settled=settled,
                          kept=kept.reshape(setting.deals, len(ways), -1), seat=seat)  # fmt: skip
            happened = {n: s for n, s in seat_shares(settled, seat).items() if n in shares}
            happened |= {name: measure(tried) for name, measure in (measures or {}).items()}
            for name, found in happened.items():
                counts[name] = counts.get(name, 0) + found.astype(np.int64)
        own = np.sum(points, axis=0)
        rows += [
            replace(row, against=opponent.name)
            for row in _rows(setting, list(ways), own, counts, len(seats), things or {}, each)
        ]
    return rows


def _rows(
    setting: Setting,
    labels: list[str],
    own: NDArray[np.int64],
    counts: dict[str, NDArray[np.int64]],
    hands: int,
    things: Mapping[str, tuple[str, bool]],
    each: float,
) -> list[Row]:
    rows = []
    rules, term = setting.rules, setting.term
    for number, label in enumerate(labels):
        apart = own[:, number] - own[:, 0]
        difference = mean_points(apart, hands, rules, term=term, apart=True, confidence=each)
        thing, more = things.get(label, ("", True)) if number else ("", True)
        rows.append(
            Row(
                label=label,
                points=mean_points(own[:, number], hands, rules, term=term),
                difference=difference if number else None,
                shares={
                    name: clustered_proportion(count[:, number], hands) for name, count in counts.items()
                },
                thing=thing,
                more=more,
                claimed=shares_apart(counts[thing][:, number] - counts[thing][:, 0], hands, each)
                if thing
                else None,
            )
        )
    return rows


def shares_apart(counts: NDArray[np.int64], hands: int, confidence: float) -> Mean:
    """The difference of two shares on the same deals, from each deal's difference of counts.

    Examples
    --------
    >>> shares_apart(np.array([1, 0, 2, 1]), 4, 0.95).mean
    0.25
    """
    values, times = np.unique(counts, return_counts=True)
    found = bounded_mean(values, times, least=-hands, most=hands, confidence=confidence)
    of_one = {name: getattr(found, name) / hands for name in ("mean", "se", "sd", "low", "high")}
    return Mean(n=found.n, **of_one)


def with_weights(policy: Policy, name: str, **changes: float) -> Policy:
    """A policy of the family under another name, some weights changed."""
    return replace(policy.with_weights(**changes), name=name)


def tuned(setting: Setting) -> Policy:
    """The tuned policy of the setting's rules."""
    return find_policy("tuned", setting.rules)
