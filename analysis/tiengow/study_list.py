"""The studies by name, and how each is done."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...kernels.series import STUDY_LUCK, STUDY_POSITIONS, STUDY_WORLDS
from ...kernels.tiengow.blocks import draw_positions
from ...kernels.tiengow.deal import taking
from ...kernels.tiengow.players import FAMILY
from ...kernels.tiengow.search import price_plays
from ...kernels.tiengow.settlement import KAM, SETTLEMENT
from ...kernels.tiengow.starting import POINTS, SUMS
from ...kernels.tiengow.state import (
    CIVIL_LED,
    HAND,
    MILITARY_LED,
    POSITION,
    STATE,
    TRICK,
)
from ...kernels.tiengow.tiles import K
from ...kernels.tiengow.weights import WEIGHT_NAMES
from ...kernels.tiengow.worlds import WORLD, sample_worlds
from ..bounded import bounded_mean
from ..digits import percentage
from ..errors import InputError
from ..estimates import joint, mean_of_floats, proportion
from ..phrases import Phrase, phrase
from ..wording import around
from .discards import DISCARDS, discard_kind
from .duplicate import Duplicates, settle_kept
from .exact import exact_chance
from .extremes import mean_points, possible_changes
from .notation import codes_of
from .parser import parse_question
from .policies import Policy, find_policy
from .position import Position
from .records import term_words
from .studies import (
    Row,
    Setting,
    Study,
    compare_ways,
    given_of,
    kept_deals,
    seat_points,
    tuned,
    with_weights,
)
from .study_words import gain_in_words, once_in

_AS_TUNED = phrase("as tuned")
_BANKER, _ALL, _OTHERS = (0,), (0, 1, 2, 3), (1, 2, 3)


def _kam(setting: Setting) -> tuple[list[Row], Phrase]:
    """The same hands settled without 擒, at ×2 and at ×4; all play at random, so that it happens."""
    kept = kept_deals(setting, [find_policy("random")], [(0, 0, 0, 0)])
    plain, *with_kam = (
        settle_kept(kept, setting.rules.model_copy(update={"kam": value}), setting.term)
        for value in (1, 2, 4)
    )
    without = setting.rules.model_copy(update={"kam": 1})
    rows, costs = [], []
    events = 0
    for value, settled in zip((2, 4), with_kam, strict=True):
        caught = np.flatnonzero(settled[:, KAM] >= 0)
        events = caught.size
        seat = settled[caught, KAM]
        paid = settled[caught, SETTLEMENT + seat] - plain[caught, SETTLEMENT + seat]
        rules = setting.rules.model_copy(update={"kam": value})
        allowed = possible_changes(without, rules, term=setting.term).caught
        cost = (
            bounded_mean(*np.unique(paid, return_counts=True), least=allowed.least, most=allowed.most,
                         confidence=joint(2)) if events else None
        )  # fmt: skip
        costs.append(cost)
        share = proportion(events, setting.deals)
        rows.append(Row(label=phrase("擒 at ×{value}: of the caught leader", value=value),
                        difference=cost, shares={"擒": share}))  # fmt: skip
    if not events or costs[0] is None or costs[1] is None:
        return rows, phrase("No 擒 occurred: try more deals.")
    told = [around(-c.mean, -c.high, -c.low) for c in costs if c is not None]
    return rows, phrase(
        "Among players without a plan 擒 happens {rare}; it costs the leader of the low tile {two} "
        "points each time at ×2 and {four} at ×4, beside no 擒 at all.",
        rare=once_in(events, setting.deals), two=told[0], four=told[1],
    )  # fmt: skip


def _honour(setting: Setting, condition: str, name: Phrase) -> tuple[list[Row], Phrase]:
    own = tuned(setting)
    ways: dict[str, Policy] = {
        _AS_TUNED: own,
        phrase("led at once"): with_weights(own, "early", honour=60.0),
        phrase("kept for the last trick"): with_weights(
            own, "late", honour=-1000.0, supreme=30.0, four=30.0
        ),
    }
    rows = compare_ways(setting, ways, _ALL, condition=lambda seat: condition.format(seat=seat),
                        shares=("結", "完封"))  # fmt: skip
    early, late = (row.difference for row in rows[1:])
    assert early is not None and late is not None
    return rows, phrase(
        "With {name} in hand, leading it at once {early}, and keeping it for the last trick {late}, "
        "each against tuned play.",
        name=name, early=gain_in_words(early), late=gain_in_words(late),
    )  # fmt: skip


def _cash_four(setting: Setting) -> tuple[list[Row], Phrase]:
    return _honour(setting, "fours({seat}) >= 1", phrase("a four"))


def _supreme_now(setting: Setting) -> tuple[list[Row], Phrase]:
    return _honour(setting, "{seat} has 63", phrase("supreme"))


def _civil_supreme(setting: Setting) -> tuple[list[Row], Phrase]:
    """The banker holds KK and leads it first, where only JJ beats it, or nothing."""
    rules = setting.rules
    if rules.supreme_civil == "off":
        raise InputError(
            "civil-supreme: under these rules there is no 文尊 (supreme_civil is off); ask with --set "
            "supreme_civil=beaten_by_J (or =on, where nothing beats it), or --rules tiengow-zh"
        )
    condition = "banker has KK"
    caught = exact_chance(
        parse_question("right has JJ or across has JJ or left has JJ"), rules, parse_question(condition)
    )
    table = Duplicates(
        [find_policy("tuned", rules)], [(0, 0, 0, 0)], rules, seed=setting.seed, term=setting.term,
        given=given_of(setting, condition),
    )  # fmt: skip
    kept = table.keep(0, setting.deals, int(K))
    lost = int(setting.deals - (kept[:, 0] >> np.uint32(31)).sum())
    share = proportion(lost, setting.deals)
    led, free = (
        seat_points(settle_kept(hands, rules, setting.term)[:, None], 0)[:, 0]
        for hands in (kept, table.keep(0, setting.deals))
    )
    gain = mean_points(led - free, 1, rules, term=setting.term, apart=True)
    points = [mean_points(each, 1, rules, term=setting.term) for each in (free, led)]
    rows = [
        Row(label=_AS_TUNED, points=points[0]),
        Row(label=phrase("KK led first"), points=points[1], difference=gain,
            shares={phrase("beaten by JJ"): share}),
    ]  # fmt: skip
    if rules.supreme_civil == "on":
        return [rows[0], replace(rows[1], shares={})], phrase(
            "Nothing beats a led 文尊 under these rules; leading it first {gain} in the banker's "
            "{term}.",
            gain=gain_in_words(gain), term=term_words(setting.term),
        )  # fmt: skip
    fraction = caught.fraction
    return rows, phrase(
        "Somebody holds both 1-6 in {held} % of deals ({fraction}), and 文尊 led first was beaten in "
        "{beaten} %; leading it first {gain} in the banker's {term}.",
        held=percentage(float(fraction)), fraction=fraction, beaten=percentage(share.value),
        gain=gain_in_words(gain), term=term_words(setting.term),
    )  # fmt: skip


def _safe_tricks(setting: Setting) -> tuple[list[Row], Phrase]:
    own = tuned(setting)
    ways: dict[str, Policy] = {
        _AS_TUNED: own,
        phrase("safe tricks first"): with_weights(own, "safe", banker_cash=4.0),
        phrase("for the last trick"): with_weights(own, "last", banker_cash=-4.0),
    }
    rows = compare_ways(setting, ways, _BANKER, shares=("結", "no stack", "完封"))
    safe, late = (row.difference for row in rows[1:])
    assert safe is not None and late is not None
    return rows, phrase(
        "As banker, taking the safe tricks first {safe}, and holding them back for 結 {late}, each "
        "against tuned play.",
        safe=gain_in_words(safe), late=gain_in_words(late),
    )  # fmt: skip


def _spare(setting: Setting) -> tuple[list[Row], Phrase]:
    own = tuned(setting)
    spares = with_weights(own, "spares", spare_non_banker=1e5)
    ways: dict[str, Policy] = {_AS_TUNED: own, phrase("I spare a winning non-banker"): spares}
    rows = compare_ways(setting, ways, _OTHERS, claims=2)
    alone = rows[1].difference
    three = {_AS_TUNED: own, "all": spares}
    all_three = compare_ways(setting, three, _OTHERS, together=True, claims=2)
    joint = all_three[1].difference
    assert alone is not None and joint is not None
    rows.append(Row(label=phrase("all three spare each other"), points=all_three[1].points,
                    difference=joint, shares=all_three[1].shares))  # fmt: skip
    return rows, phrase(
        "Not beating another non-banker in the first three tricks {alone} for me alone, and {joint} for "
        "each where all three keep to it.",
        alone=gain_in_words(alone), joint=gain_in_words(joint),
    )  # fmt: skip


def _low_finish(setting: Setting) -> tuple[list[Row], Phrase]:
    own = tuned(setting)
    ways: dict[str, Policy] = {
        _AS_TUNED: own,
        phrase("keeps 1-2 to lead it last"): with_weights(own, "tries", three_last=15.0),
        phrase("never keeps it"): with_weights(own, "shuns", three_last=-15.0),
    }
    rows = compare_ways(setting, ways, _ALL, condition=lambda seat: f"{seat} has 3",
                        shares=("結", "幺結", "擒 caught"))  # fmt: skip
    tries = rows[1].difference
    assert tries is not None
    finishes, caught = rows[1].shares["幺結"], rows[1].shares["擒 caught"]
    return rows, phrase(
        "Keeping 1-2 for the last lead {gain}: it ends in 幺結 {finishes} and in 擒 "
        "{caught} with a 1-2.",
        gain=gain_in_words(tries), finishes=once_in(finishes.count, finishes.n),
        caught=once_in(caught.count, caught.n),
    )  # fmt: skip


def _whole_or_broken(setting: Setting) -> tuple[list[Row], Phrase]:
    own = tuned(setting)
    ways: dict[str, Policy] = {
        _AS_TUNED: own,
        phrase("leads combinations whole"): with_weights(own, "whole", per_tile=3.0),
        phrase("leads single tiles"): with_weights(own, "single", per_tile=-3.0),
    }
    rows = compare_ways(setting, ways, _ALL)
    whole, broken = (row.difference for row in rows[1:])
    assert whole is not None and broken is not None
    return rows, phrase(
        "Leading pairs and threes whole wherever they stand {whole}, and breaking them {broken}, each "
        "against tuned play.",
        whole=gain_in_words(whole), broken=gain_in_words(broken),
    )  # fmt: skip


def _discards(setting: Setting) -> tuple[list[Row], Phrase]:
    """Positions of the first three tricks in which one tile is given away, every tile priced."""
    worlds = 40
    policy = tuned(setting)
    wanted = max(setting.deals // 20, 2)
    switches = setting.rules.switches()
    states, others = np.zeros((2, 12 * wanted, STATE), np.int64)
    kinds, weights = np.array([FAMILY]), policy.row()[None, :]
    seed, way = np.uint64(setting.seed), taking(0, STUDY_POSITIONS)
    draw_positions(seed, kinds, weights, way, switches, setting.term, states, others)
    losses: list[list[float]] = [[] for _ in DISCARDS]
    four = np.full(4, FAMILY), np.array([policy.row()] * 4)
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
        tried = np.zeros((worlds, WORLD), np.int64)
        sample_worlds(state, seed, STUDY_WORLDS, worlds * number, switches, tried)
        out = np.zeros(worlds * len(plays) * SUMS, np.int64)
        price_plays(
            state, tried, seed, STUDY_LUCK, worlds * number, np.array(plays),
            np.zeros(len(plays), np.int64), *four, switches, setting.term, out,
            np.zeros((worlds, len(plays)), np.bool_),
        )  # fmt: skip
        points = out.reshape(worlds, len(plays), SUMS)[:, :, POINTS].mean(axis=0)
        # Against the mean of the others: against the best, noise would make every tile look bad.
        # A position is one observation of each kind, however many tiles of it are held.
        of_kind: dict[int, list[float]] = {}
        for place, tile in enumerate(plays):
            rest = np.delete(points, place)
            if rest.size:
                of_kind.setdefault(discard_kind(tile, view), []).append(points[place] - rest.mean())
        for kind, each in of_kind.items():
            losses[kind].append(float(np.mean(each)))
    priced = [(kind, each) for kind, each in zip(DISCARDS, losses, strict=True) if len(each) > 1]
    found = [(kind, mean_of_floats(each, confidence=joint(len(priced)))) for kind, each in priced]
    found.sort(key=lambda pair: -pair[1].mean)
    rows = [Row(label=phrase("gives away {kind}", kind=kind), difference=d) for kind, d in found]
    if not rows or any(math.isnan(d.low) for _, d in found):
        return rows, phrase("Too few positions: try more deals.")
    (best, most), (worst, least) = found[0], found[-1]
    return rows, phrase(
        "Of {n} single-tile discards in the first three tricks the best seen to give away is {best} "
        "({most} points beside the other tiles), the worst {worst} ({least}).",
        n=f"{used:,}", best=best, most=around(most.mean, most.low, most.high, signed=True),
        worst=worst, least=around(least.mean, least.low, least.high, signed=True),
    )  # fmt: skip


# What the tuned policy knows, and the weights that hold it.
_KNOWS = {
    phrase("which tiles may still be beaten"): ("single_", "top_", "second_"),
    phrase("that combinations are worth keeping"): (
        "pair", "sure_pair", "mixed", "three", "four", "supreme",
    ),
    phrase("that a play may be beaten"): ("risk_",),
    phrase("that a first stack is urgent"): ("first_stack_",),
    phrase("that the last trick decides"): ("last_trick", "run"),
    phrase("what the lead is worth"): ("lead_",),
}  # fmt: skip


def _strength(setting: Setting) -> tuple[list[Row], Phrase]:
    own = tuned(setting)
    named = dict(zip(WEIGHT_NAMES, own.weights, strict=True))
    ways: dict[str, Policy] = {_AS_TUNED: own}
    for what, starts in _KNOWS.items():
        gone = [name for name in WEIGHT_NAMES if name.startswith(starts)]
        if "sure_pair" in gone:
            gone = [name for name in starts if name in named]
        flat = float(np.mean([named[name] for name in gone])) if starts[0] == "single_" else 0.0
        changes = dict.fromkeys(gone, flat if starts[0] == "single_" else 0.0)
        ways[phrase("without: {what}", what=what)] = with_weights(own, what, **changes)
    ways["greedy"] = find_policy("greedy")
    ways["random"] = find_policy("random")
    rows = compare_ways(setting, ways, _ALL)
    parts = list(zip(_KNOWS, rows[1 : 1 + len(_KNOWS)], strict=True))
    parts.sort(key=lambda part: part[1].difference.mean if part[1].difference else 0.0)
    (one, first), (other, second) = ((what, row.difference) for what, row in parts[:2])
    last = rows[-1].difference
    assert first is not None and second is not None and last is not None
    told = [rows[0], *(row for _, row in parts), *rows[-2:]]
    if not (first.high < 0 and second.high < 0 and last.high < 0):
        return told, phrase(
            "What makes most of the skill cannot be told from {n} deals: try more.",
            n=f"{setting.deals:,}",
        )
    return told, phrase(
        "A random player earns {last} points a hand less than the tuned one at its table; most of the "
        "skill is knowing {one} ({first} points a hand) and {other} ({second}).",
        last=around(-last.mean, -last.high, -last.low), one=one, other=other,
        first=around(-first.mean, -first.high, -first.low),
        second=around(-second.mean, -second.high, -second.low),
    )  # fmt: skip


STUDIES = {
    study.name: study
    for study in (
        Study(
            "kam", 6, phrase("擒 at ×4 or ×2: what does it change for the one who leads 1-2?"), _kam,
            sets=phrase("kam is set to 1, 2 and 4 in turn"),
        ),
        Study(
            "cash-four", 7,
            phrase("Should I cash a four early for the bonus or keep it for 四大包?"), _cash_four,
        ),
        Study("supreme-now", 8, phrase("Lead supreme now or keep it for 包尊?"), _supreme_now),
        Study(
            "civil-supreme", 9,
            phrase("Lead 文尊 first as banker in its third term: how often is it caught by the 1-6 "
                   "pair?"),
            _civil_supreme, term=3, preset="tiengow-zh",
        ),
        Study(
            "safe-tricks", 10, phrase("As banker: take the safe tricks early or play for 結?"),
            _safe_tricks,
        ),
        Study(
            "spare", 11,
            phrase(
                "Is 'do not beat another non-banker in the first three tricks' right? What does it cost "
                "me?"
            ),
            _spare,
        ),
        Study(
            "low-finish", 15, phrase("Is 幺結 worth trying, and how great is the risk of 擒?"),
            _low_finish,
        ),
        Study("whole", 23, phrase("Lead pairs and threes whole, or break them?"), _whole_or_broken),
        Study("discard", 24, phrase("What should I discard first?"), _discards),
        Study(
            "strength", 30,
            phrase("How much better than a random player is a good one, and what makes it so?"),
            _strength,
        ),
    )
}  # fmt: skip


def study_list() -> list[Study]:
    """All studies.

    Examples
    --------
    >>> [study.number for study in study_list()]
    [6, 7, 8, 9, 10, 11, 15, 23, 24, 30]
    """
    return list(STUDIES.values())
