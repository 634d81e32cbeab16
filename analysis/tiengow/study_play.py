"""Studies of the course of a hand: tricks, leads, the last one, and what skill is made of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...kernels.tiengow.weights import WEIGHT_NAMES
from ..phrases import phrase
from .policies import Policy, find_policy
from .studies import Answer, Setting
from .study_claims import AS_TUNED, claims_of
from .study_measures import (
    BANKER_AHEAD,
    BEATS_BANKER,
    BEATS_NON_BANKER,
    COMBINATION_LED,
    FIRST_TRICK,
    OTHERWISE,
    Measured,
    banker_ahead,
    beats_banker,
    beats_non_banker,
    combination_led,
    first_trick,
    goes_otherwise,
)
from .study_pool import pool_of
from .study_ways import compare_ways, tuned, with_weights
from .study_words import once_in

_ALL, _OTHERS = (0, 1, 2, 3), (1, 2, 3)
_ALWAYS = 1e5  # points: outweighs everything else


def safe_tricks(setting: Setting) -> Answer:
    """The banker cashes what nothing beats, or holds it back."""
    own = tuned(setting)
    safe, last = phrase("safe tricks first"), phrase("for the last trick")
    ways: dict[str, Policy] = {
        AS_TUNED: own,
        safe: with_weights(own, "safe", banker_cash=4.0),
        last: with_weights(own, "last", banker_cash=-4.0),
    }
    rows = compare_ways(
        setting, ways, (0,), shares=("結", "no stack", "完封"), measures={FIRST_TRICK: first_trick},
        things={safe: (FIRST_TRICK, True), last: (FIRST_TRICK, False)},
    )  # fmt: skip
    claims, told = claims_of(rows)
    return Answer(rows, phrase(
        "As banker, taking the safe tricks first {safe}. Holding them back for 結 {late}.",
        safe=told[safe], late=told[last],
    ), claims)  # fmt: skip


def spare(setting: Setting) -> Answer:
    """Non-bankers beat the banker or let it be, and spare each other, one alone or all three."""
    own = tuned(setting)
    i_spare, i_block = phrase("I spare a winning non-banker"), phrase("I beat the banker where I can")
    i_let = phrase("I let the banker's plays stand")
    all_spare = phrase("all three spare each other")
    all_block = phrase("all three do so, and beat the banker where they can")
    spares = with_weights(own, "spares", spare_non_banker=_ALWAYS)
    alone: dict[str, Policy] = {
        AS_TUNED: own,
        i_spare: spares,
        i_block: with_weights(own, "blocks", deny_banker=_ALWAYS),
        i_let: with_weights(own, "lets", deny_banker=-_ALWAYS),
    }
    joined: dict[str, Policy] = {
        AS_TUNED: own,
        all_spare: spares,
        all_block: with_weights(own, "both", deny_banker=_ALWAYS, spare_non_banker=_ALWAYS),
    }
    claims = 5 * len(pool_of(setting.rules))
    measures: dict[str, Measured] = {BEATS_BANKER: beats_banker, BEATS_NON_BANKER: beats_non_banker,
                BANKER_AHEAD: banker_ahead}  # fmt: skip
    rows = compare_ways(
        setting, alone, _OTHERS, measures=measures, claims=claims,
        things={i_spare: (BEATS_NON_BANKER, False), i_block: (BEATS_BANKER, True),
                i_let: (BEATS_BANKER, False)},
    )  # fmt: skip
    together = compare_ways(
        setting, joined, _OTHERS, measures=measures, claims=claims, together=True,
        things={all_spare: (BEATS_NON_BANKER, False), all_block: (BANKER_AHEAD, False)},
    )  # fmt: skip
    tuned_three = phrase("all three as tuned")
    rows += [replace(row, label=tuned_three) if row.label == AS_TUNED else row for row in together]
    found, told = claims_of(rows)
    return Answer(rows, phrase(
        "Not beating another non-banker in the first three tricks {spare} for me alone. Beating the "
        "banker wherever I can {block}. Letting its plays stand {let}. Where all three keep to the "
        "first, it {spares} for each. Where they also beat the banker, it {blocks} for each, in both "
        "against a banker of that kind.",
        spare=told[i_spare], block=told[i_block], let=told[i_let], spares=told[all_spare],
        blocks=told[all_block],
    ), found)  # fmt: skip


def low_finish(setting: Setting) -> Answer:
    """The 1-2 kept for the last lead, or never."""
    own = tuned(setting)
    tries, shuns = phrase("keeps 1-2 to lead it last"), phrase("never keeps it")
    ways: dict[str, Policy] = {
        AS_TUNED: own,
        tries: with_weights(own, "tries", three_last=1000.0),
        shuns: with_weights(own, "shuns", three_last=-1000.0),
    }
    rows = compare_ways(
        setting, ways, _ALL, condition=lambda seat: f"{seat} has 3", shares=("結", "幺結", "擒 caught"),
        things={tries: ("幺結", True), shuns: ("幺結", False)},
    )  # fmt: skip
    claims, told = claims_of(rows)
    last = [row.shares for row in rows if row.label == tries]
    finishes, caught = (
        (sum(each[name].count for each in last), sum(each[name].n for each in last))
        for name in ("幺結", "擒 caught")
    )
    return Answer(rows, phrase(
        "Keeping 1-2 for the last lead {tries}. Never keeping it {shuns}. Kept, over all opponents, it "
        "ends in 幺結 {finishes} and in 擒 {caught} with a 1-2.",
        tries=told[tries], shuns=told[shuns], finishes=once_in(*finishes), caught=once_in(*caught),
    ), claims)  # fmt: skip


def whole_or_broken(setting: Setting) -> Answer:
    """Combinations led whole, or tile by tile."""
    own = tuned(setting)
    whole, single = phrase("leads combinations whole"), phrase("leads single tiles")
    ways: dict[str, Policy] = {
        AS_TUNED: own,
        whole: with_weights(own, "whole", per_tile=3.0),
        single: with_weights(own, "single", per_tile=-3.0),
    }
    rows = compare_ways(
        setting, ways, _ALL, measures={COMBINATION_LED: combination_led},
        things={whole: (COMBINATION_LED, True), single: (COMBINATION_LED, False)},
    )  # fmt: skip
    claims, told = claims_of(rows)
    return Answer(rows, phrase(
        "Leading pairs and threes whole wherever they stand {whole}. Breaking them {broken}.",
        whole=told[whole], broken=told[single],
    ), claims)  # fmt: skip


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


def strength(setting: Setting) -> Answer:
    """The tuned policy without a part of what it knows, and plainer ones."""
    own = tuned(setting)
    named = dict(zip(WEIGHT_NAMES, own.weights, strict=True))
    ways: dict[str, Policy] = {AS_TUNED: own}
    parts = {what: phrase("without: {what}", what=what) for what in _KNOWS}
    for what, starts in _KNOWS.items():
        gone = [name for name in WEIGHT_NAMES if name.startswith(starts)]
        if "sure_pair" in gone:
            gone = [name for name in starts if name in named]
        flat = float(np.mean([named[name] for name in gone])) if starts[0] == "single_" else 0.0
        ways[parts[what]] = with_weights(own, what, **dict.fromkeys(gone, flat))
    ways["greedy"] = find_policy("greedy")
    ways["random"] = find_policy("random")
    rows = compare_ways(
        setting, ways, _ALL, measures={OTHERWISE: goes_otherwise},
        things={way: (OTHERWISE, True) for way in ways if way != AS_TUNED},
    )  # fmt: skip
    claims, told = claims_of(rows)
    lost = {
        what: sum(r.difference.mean for r in rows if r.label == label and r.difference is not None)
        for what, label in parts.items()
    }
    one, other, *_ = sorted(lost, key=lost.__getitem__)
    return Answer(rows, phrase(
        "To play at random in place of as tuned {random}. Of what the tuned policy knows, two parts are "
        "seen to bring most: to play without knowing {one} {first}, without knowing {other} {second}.",
        random=told["random"], one=one, other=other, first=told[parts[one]], second=told[parts[other]],
    ), claims)  # fmt: skip
