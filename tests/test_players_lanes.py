"""Policies with weights, many hands side by side: against the plain loop, and against before."""

from __future__ import annotations

import family_before as before
import numpy as np
import pytest

from gupai.analysis import RuleSet, load_rules
from gupai.analysis.tiengow.duplicate import Duplicates
from gupai.analysis.tiengow.policies import find_policy, policy_names
from gupai.kernels.keys import no_key
from gupai.kernels.tiengow.family_play import family_move
from gupai.kernels.tiengow.state import (
    CIVIL_LED,
    MILITARY_LED,
    SIZE,
    STATE,
    VIEW,
    begin,
    fill_rules,
    make_play,
    make_view,
)
from gupai.kernels.tiengow.weights import WEIGHT_NAMES, WEIGHTS

RULES = {
    "ja": RuleSet(),
    "wenzun": load_rules("tiengow-ja-wenzun"),
    "zh": load_rules("tiengow-zh"),
    "no two stacks": RuleSet(two_stacks=False, supreme_civil="beaten_by_J"),
    "patterns": RuleSet(hand_patterns=("one_red", "no_red", "seven_civil", "four_pairs")),
}


def players(rules, generator):
    """All that neither search nor are a user's, and three with weights drawn by lot."""
    found = [find_policy(name, rules) for name in policy_names() if name != "rollout"]
    for _ in range(3):
        drawn = dict(zip(WEIGHT_NAMES, generator.normal(0, 3, WEIGHTS).tolist(), strict=True))
        found.append(find_policy("tuned", rules).with_weights(**drawn))
    return found


@pytest.mark.parametrize("name", RULES)
def test_lanes__as_one_by_one(name: str) -> None:
    rules, generator = RULES[name], np.random.default_rng(13)
    seated = players(rules, generator)
    lineups = generator.integers(0, len(seated), (30, 4)).tolist()
    lineups += [[number] * 4 for number in range(len(seated))]
    lanes, plain = (
        Duplicates(seated, lineups, rules, seed=5, term=2, in_lanes=in_lanes)
        for in_lanes in (True, False)
    )
    np.testing.assert_array_equal(lanes.keep(7, 150), plain.keep(7, 150))


def test_lanes__opening() -> None:
    """The banker leads what it is told, where its hand has it."""
    tuned = find_policy("tuned")
    lanes, plain = (
        Duplicates([tuned], [[0] * 4], RuleSet(), in_lanes=in_lanes) for in_lanes in (True, False)
    )
    for number in range(20):
        hand = int(plain.keep(number, 1)[0, 2])
        opening = hand & -hand
        np.testing.assert_array_equal(lanes.keep(number, 1, opening), plain.keep(number, 1, opening))


def test_lineups__of_players_that_there_are() -> None:
    for lineup in ([0, 0, 1, 0], [0, -1, 0, 0]):
        with pytest.raises(ValueError, match="names a player that is not among the 1"):
            Duplicates([find_policy("tuned")], [lineup], RuleSet())


@pytest.mark.parametrize("preset", ["tiengow-ja", "tiengow-ja-wenzun", "tiengow-zh"])
def test_family__as_before(preset: str) -> None:
    """Without the weights that came later a play differs from before only in a tie of values."""
    rules, generator = load_rules(preset), np.random.default_rng(3)
    switches, tuned = rules.switches(), find_policy("tuned", rules)
    row = [*tuned.weights[: before.WEIGHTS], *[0.0] * (WEIGHTS - before.WEIGHTS)]
    seen = led = 0
    for _ in range(25):
        tiles = generator.permutation(32)
        dealt = [sum(1 << int(t) for t in tiles[8 * seat : 8 * seat + 8]) for seat in range(4)]
        state, view, room = [0] * STATE, [0] * VIEW, [0.0] * before.ROOM
        begin(state, dealt, 0)
        fill_rules(view, switches, 1)
        while state[SIZE] != 0:
            make_view(state, no_key(), switches, view)
            move = family_move(view, row, switches)
            before.look_at_hand(view, row, room)
            number = view[CIVIL_LED] + view[MILITARY_LED]
            options = before.best_plays(view, row, room, switches)
            chosen = (int(move.play), bool(move.face_up))
            assert chosen in options, (chosen, options)
            assert options[chosen] > max(options.values()) - before.TIE
            seen += 1
            led += number == 0
            make_play(state, move, switches)
    assert seen > 500 and led > 100
