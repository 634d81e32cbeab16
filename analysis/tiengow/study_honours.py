"""Studies of what pays at once: 擒, fours, supreme and 文尊."""

from __future__ import annotations

import numpy as np

from ...kernels.tiengow.settlement import KAM, SETTLEMENT
from ...kernels.tiengow.tiles import K
from ..bounded import bounded_mean
from ..digits import percentage
from ..errors import InputError
from ..estimates import Proportion, joint, proportion
from ..phrases import Phrase, listed, phrase
from ..wording import around
from .duplicate import settle_kept
from .exact import exact_chance
from .extremes import mean_points, possible_changes
from .parser import parse_question
from .policies import Policy, find_policy
from .records import term_words
from .studies import Answer, Row, Setting
from .study_claims import AS_TUNED, claim_of, claims_of
from .study_measures import FOUR_LED, OTHERWISE, SUPREME_LED, Measured, four_led, supreme_led
from .study_pool import pool_of
from .study_ways import (
    compare_ways,
    given_of,
    kept_deals,
    seat_points,
    shares_apart,
    tuned,
    with_weights,
)
from .study_words import once_in


def kam(setting: Setting) -> Answer:
    """The same hands settled without 擒, at ×2 and at ×4, at tables of four alike.

    One of them plays at random, so that it happens.
    """
    values = 2, 4
    without = setting.rules.model_copy(update={"kam": 1})
    tables = [find_policy("random"), *pool_of(setting.rules)]
    rows, rates = [], []
    costs: dict[int, list[Phrase]] = {value: [] for value in values}
    for policy in tables:
        kept = kept_deals(setting, [policy], [(0, 0, 0, 0)])
        plain, *with_kam = (
            settle_kept(kept, setting.rules.model_copy(update={"kam": value}), setting.term)
            for value in (1, *values)
        )
        for value, settled in zip(values, with_kam, strict=True):
            caught = np.flatnonzero(settled[:, KAM] >= 0)
            events = int(caught.size)
            seat = settled[caught, KAM]
            paid = settled[caught, SETTLEMENT + seat] - plain[caught, SETTLEMENT + seat]
            rules = setting.rules.model_copy(update={"kam": value})
            allowed = possible_changes(without, rules, term=setting.term).caught
            cost = (
                bounded_mean(*np.unique(paid, return_counts=True), least=allowed.least,
                             most=allowed.most, confidence=joint(len(values) * len(tables)))
                if events else None
            )  # fmt: skip
            rows.append(
                Row(label=phrase("擒 at ×{value}: of the caught leader", value=value), difference=cost,
                    shares={"擒": proportion(events, setting.deals)}, against=policy.name)
            )  # fmt: skip
            if cost is not None:
                by = around(cost.mean, cost.low, cost.high, signed=True)
                costs[value].append(phrase("{by} against {policy}", by=by, policy=policy.name))
        rates.append(phrase("{rare} of {policy}", rare=once_in(events, setting.deals),
                            policy=policy.name))  # fmt: skip
    if not costs[2]:
        return Answer(rows, phrase("No 擒 occurred: try more deals."))
    return Answer(rows, phrase(
        "擒 happens among four alike {rates}; beside no 擒 at all it brings the leader of the low tile "
        "each time at ×2 {two} and at ×4 {four} points.",
        rates=listed(rates), two=listed(costs[2]), four=listed(costs[4]),
    ))  # fmt: skip


def _honour(setting: Setting, condition: str, name: Phrase, measured: Measured, thing: Phrase) -> Answer:
    own = tuned(setting)
    early, late = phrase("led at once"), phrase("kept for the last trick")
    ways: dict[str, Policy] = {
        AS_TUNED: own,
        early: with_weights(own, "early", honour=60.0),
        late: with_weights(own, "late", honour=-1000.0, supreme=30.0, four=30.0),
    }
    rows = compare_ways(
        setting, ways, (0, 1, 2, 3), condition=lambda seat: condition.format(seat=seat),
        shares=("結", "完封"), measures={thing: measured},
        things={early: (thing, True), late: (thing, False)},
    )  # fmt: skip
    claims, told = claims_of(rows)
    return Answer(rows, phrase(
        "With {name} in hand, leading it at once {early}. Keeping it for the last trick {late}.",
        name=name, early=told[early], late=told[late],
    ), claims)  # fmt: skip


def cash_four(setting: Setting) -> Answer:
    """A four led at once, or kept for the last trick."""
    return _honour(setting, "fours({seat}) >= 1", phrase("a four"), four_led, FOUR_LED)


def supreme_now(setting: Setting) -> Answer:
    """63 led at once, or kept for the last trick."""
    return _honour(setting, "{seat} has 63", phrase("supreme"), supreme_led, SUPREME_LED)


def civil_supreme(setting: Setting) -> Answer:
    """The banker holds KK and leads it first, where only JJ beats it, or nothing."""
    rules = setting.rules
    if rules.supreme_civil == "off":
        raise InputError(
            "civil-supreme: under these rules there is no 文尊 (supreme_civil is off); ask with --set "
            "supreme_civil=beaten_by_J (or =on, where nothing beats it), or --rules tiengow-zh"
        )
    condition = "banker has KK"
    chance = exact_chance(
        parse_question("right has JJ or across has JJ or left has JJ"), rules, parse_question(condition)
    )
    given, first = given_of(setting, condition), phrase("KK led first")
    pool, beatable = pool_of(rules), rules.supreme_civil != "on"
    rows: list[Row] = []
    beaten = []
    for policy in pool:
        led, free = (
            kept_deals(setting, [tuned(setting), policy], [(0, 1, 1, 1)], given=given, opening=tiles)
            for tiles in (int(K), 0)
        )
        share = proportion(int(setting.deals - (led[:, 0] >> np.uint32(31)).sum()), setting.deals)
        beaten.append(phrase("{share} % against {policy}", share=percentage(share.value),
                             policy=policy.name))  # fmt: skip
        own = [seat_points(settle_kept(k, rules, setting.term)[:, None], 0)[:, 0] for k in (free, led)]
        points = [mean_points(each, 1, rules, term=setting.term) for each in own]
        confidence = joint(len(pool))
        gain = mean_points(own[1] - own[0], 1, rules, term=setting.term, apart=True,
                           confidence=confidence)  # fmt: skip
        changed = (led[:, :2] != free[:, :2]).any(axis=1).astype(np.int64)
        shares: dict[str, Proportion] = {OTHERWISE: proportion(int(changed.sum()), setting.deals)}
        shares |= {phrase("beaten by JJ"): share} if beatable else {}
        rows.append(Row(label=AS_TUNED, points=points[0], against=policy.name))
        rows.append(
            Row(label=first, points=points[1], difference=gain, against=policy.name, thing=OTHERWISE,
                shares=shares,
                claimed=shares_apart(changed, 1, confidence))
        )  # fmt: skip
    claim, words = claim_of([row for row in rows if row.label == first], claims=len(pool))
    if not beatable:
        return Answer(rows, phrase(
            "Nothing beats a led 文尊 under these rules; leading it first in the banker's {term} "
            "{gain}.",
            gain=words, term=term_words(setting.term),
        ), (claim,))  # fmt: skip
    return Answer(rows, phrase(
        "Somebody holds both 1-6 in {held} % of deals ({fraction}), and 文尊 led first was beaten in "
        "{beaten}; leading it first in the banker's {term} {gain}.",
        held=percentage(float(chance.fraction)), fraction=chance.fraction, beaten=listed(beaten),
        gain=words, term=term_words(setting.term),
    ), (claim,))  # fmt: skip
