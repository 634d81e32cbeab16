"""The pinned policies: `random` is uniform over physical plays, and neither sees hidden tiles."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy import stats

from gupai.analysis import RuleSet, codes_of
from gupai.kernels._jit import kernel
from gupai.kernels.streams import Key, draw
from gupai.kernels.tiengow import plays
from gupai.kernels.tiengow.policies import GREEDY, RANDOM, View, follow, lead
from gupai.kernels.tiengow.table import new_table
from gupai.kernels.tiengow.trick import play_trick
from gupai.kernels.word import integer, word

import reference
from bridge import mask, tiles

JA = RuleSet().switches()


@kernel
def random_moves(hand, size, civil, military, beaters, may_show, rules, out):
    """Many moves from one view, each with another random word."""
    for number in range(out.shape[0]):
        luck = draw(Key(word(number), word(12345)), 1, 0)
        kind = plays.Kind(word(civil), word(military))
        view = View(word(hand), word(size), kind, word(beaters), may_show, luck)
        if civil + military == 0:
            out[number, 0], out[number, 1] = integer(lead(RANDOM, view, rules)), 1
        else:
            move = follow(RANDOM, view)
            out[number, 0], out[number, 1] = integer(move.play), int(move.face_up)


def moves(hand, led=None, may_show=True, n=20_000):
    out = np.zeros((n, 2), np.int64)
    if led is None:
        random_moves(mask(hand), len(hand), 0, 0, 0, True, JA, out)
    else:
        kind = plays.kind_of(mask(led))
        beaters = plays.beaters_of_lead(mask(led), kind, JA)
        random_moves(mask(hand), len(hand), *kind, beaters, may_show, JA, out)
    plays_seen, counts = np.unique(out, axis=0, return_counts=True)
    return {
        (tiles(play), bool(up)): int(count)
        for (play, up), count in zip(plays_seen.tolist(), counts, strict=True)
    }


def hand_of(text: str):
    """Tiles by class code, the first copies first."""
    left = list(reference.TILES)
    chosen = []
    for code in text:
        tile = next(tile for tile in left if tile[0] == code)
        left.remove(tile)
        chosen.append(tile)
    return tuple(chosen)


HANDS = ["AA99BB88", "AA99BK63", "ABCDEFGH", "KKJJ9987", "D55D7C63", "A9", "63", "AA9", "CC773"]
LEADS = ["K", "3", "5", "KK", "55", "D5", "DD5", "D55", "DD55", "6", "C7", "63", "A", "9"]


@pytest.mark.parametrize("text", HANDS)
def test_random_lead__is_uniform(text: str) -> None:
    """Each set of tiles that is a combination is equally likely; false alarm once in 10,000."""
    hand = hand_of(text)
    seen = moves(hand)
    legal = [(frozenset(s), True) for s in reference.legal_leads(hand, reference.DEFAULTS)]
    counts = {(frozenset(play), up): count for (play, up), count in seen.items()}
    assert set(counts) == set(legal)
    assert stats.chisquare([counts[play] for play in legal]).pvalue > 1e-4


@pytest.mark.parametrize(
    ("text", "led_text"), [(hand, led) for hand in HANDS for led in LEADS if len(led) <= len(hand)]
)
def test_random_follow__is_uniform(text: str, led_text: str) -> None:
    """Each set that beats and each set face down is equally likely; once in 100,000."""
    hand, led = hand_of(text), hand_of(led_text)
    seen = moves(hand, led)
    contest = reference.Contest(
        *reference.combination(led, reference.DEFAULTS, led=True), reference.DEFAULTS
    )
    legal = [
        (frozenset(play), up)
        for play, up in reference.legal_follows(hand, 1, contest, len(led), reference.DEFAULTS)
    ]
    counts = {(frozenset(play), up): count for (play, up), count in seen.items()}
    assert set(counts) == set(legal)
    if len(legal) > 1:
        assert stats.chisquare([counts[play] for play in legal]).pvalue > 1e-5


def test_random_follow__keeps_the_two_stack_rule() -> None:
    assert set(moves(hand_of("A"), hand_of("K"), may_show=False, n=1000)) == {(hand_of("A"), False)}


@pytest.mark.parametrize(
    ("text", "supreme_civil", "led"),
    [
        ("AA99BK63", "off", "AA99"),
        ("AA9BBKK6", "off", "AA9"),
        ("A99BB8KK", "off", "A99"),
        ("AA9B88KK", "off", "AA9"),
        ("BB8C77KK", "off", "BB8"),
        ("KKAAEF63", "off", "63"),  # supreme before a civil pair of equal rank
        ("KKAAEFGH", "on", "KK"),
        ("KKAAEFGH", "beaten_by_J", "KK"),
        ("KKAAEFGH", "off", "AA"),
        ("KKEE63AF", "on", "63"),  # 63 before KK
        ("AEFGH986", "off", "A9"),
        ("BB99EFGH", "off", "99"),  # rank 1 before rank 2
        ("EE55FGHI", "off", "55"),  # rank 4 before rank 5
        ("AEGHIJ85", "off", "A"),  # of equal rank civil before military
        ("BEGHIJ95", "off", "9"),
        ("DEGHIJ69", "off", "9"),
        ("DEGHIJ63"[:7] + "K", "off", "D"),
        ("EGHIJ653"[:6] + "KF", "off", "6"),  # 6 is the fourth military tile, E the fifth civil
        ("FGHIJK5", "off", "5"),
        ("FGHIJK3", "off", "F"),
        ("GHIJK3", "off", "3"),
    ],
)
def test_greedy_lead__in_the_order_of_the_interface(text: str, supreme_civil: str, led: str) -> None:
    hand = hand_of(text)
    rules = RuleSet(supreme_civil=supreme_civil)
    view = View(mask(hand), len(hand), plays.Kind(0, 0), 0, True, 0)
    play = lead(GREEDY, view, rules.switches())
    assert codes_of(play) == led
    assert reference.codes(reference.greedy_lead(hand, rules.to_json())) == led


@pytest.mark.parametrize("policy", [RANDOM, GREEDY])
def test_policies__hidden_tiles_do_not_change_a_move(policy: int) -> None:
    """Other tiles in the hands of the seats still to play: the same move of all before them."""
    rng = random.Random(7)
    keys = [Key(rng.getrandbits(32), rng.getrandbits(32)) for _ in range(300)]
    for key in keys:
        deck = list(range(32))
        rng.shuffle(deck)
        hands = [sum(1 << bit for bit in deck[8 * s : 8 * s + 8]) for s in range(4)]
        hidden = deck[8:]
        rng.shuffle(hidden)
        others = [sum(1 << bit for bit in hidden[8 * s : 8 * s + 8]) for s in range(3)]
        first = python_trick(policy, hands, key)
        second = python_trick(policy, [hands[0], *others], key)
        assert first.led == second.led
        # The last follower sees only what was shown: with its hand and the shown plays kept,
        # swapping what lies face down changes nothing.
        swapped = python_trick(policy, [hands[0], hands[2], hands[1], hands[3]], key)
        if not any(m.face_up for t in (first, swapped) for m in (t.second, t.third)):
            assert first.fourth == swapped.fourth


@kernel
def _trick(policy, hands, low, high, rules, out):
    table = new_table(word(hands[0]), word(hands[1]), word(hands[2]), word(hands[3]), word(0))
    trick = play_trick(policy, word(0), table, word(0), Key(word(low), word(high)), rules)
    out[0], out[1], out[2] = integer(trick.led), integer(trick.second.play), integer(trick.third.play)
    out[3] = integer(trick.fourth.play)
    out[4], out[5] = int(trick.second.face_up), int(trick.third.face_up)
    out[6] = int(trick.fourth.face_up)


class Played:
    def __init__(self, out):
        self.led = out[0]
        self.second, self.third, self.fourth = (
            type("M", (), {"play": out[n], "face_up": bool(out[n + 3]),
                           "__eq__": lambda a, b: (a.play, a.face_up) == (b.play, b.face_up)})()
            for n in (1, 2, 3)
        )  # fmt: skip


def python_trick(policy, hands, key):
    out = np.zeros(7, np.int64)
    _trick(policy, np.array(hands, np.int64), key.low, key.high, JA, out)
    return Played(out.tolist())
