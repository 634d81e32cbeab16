"""Sessions of `greedy` players in plain Python: own dealing, own washing, the reference's settlement."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from gupai.analysis import DEALS, SessionRun

import reference
from bridge import EITHER_END, TILE_OF_BIT, places_taken, python_word

DICE, WALL = 0, 8
CODE_ORDER = sorted(
    reference.TILES, key=lambda tile: ((reference.CIVIL + reference.MILITARY).index(tile[0]), tile[2])
)


def dealt(run: SessionRun, hand: int, lying: list | None) -> list:
    """The hands of banker, right, across and left, from a shuffled or a washed wall."""
    series = 32 + DEALS.index(run.deal)

    def luck(purpose: int, number: int) -> int:
        return python_word(run.seed, series, hand, purpose, number)

    wall = [None] * 32
    if lying is None:
        layered = run.deal in ("top_layers", "bottom_layers")
        free = list(range(32))
        for bit in range(31, -1, -1):
            place = free.pop(luck(WALL, bit) * (bit + 1) >> 32)
            wall[4 * (place & 7) + (place >> 3) if layered else place] = TILE_OF_BIT[bit]
    else:
        strength = Fraction(run.shuffle.removeprefix("wash:"))
        keys = [i + 32 * strength * Fraction(luck(WALL, i), 2**32) for i in range(32)]
        wall = [lying[i] for i in sorted(range(32), key=lambda i: keys[i])]
    total = 2 + (luck(DICE, 0) * 6 >> 32) + (luck(DICE, 1) * 6 >> 32)
    right = run.deal in EITHER_END and luck(DICE, 2) & 1 == 1
    hands = [[], [], [], []]
    for taker in range(4):
        seat = (2 + total - 1 + taker) % 4
        hands[seat] = [wall[place] for place in places_taken(run.deal, taker, right)]
    return hands


def lying_tiles(history: reference.History, banker: int) -> list:
    """The tiles in the order in which a hand left them, absolute seats."""
    lying = []
    for seat in range(4):
        relative = (seat - banker) % 4
        if history.pattern:
            lying += sorted(history.hands[relative], key=CODE_ORDER.index)
        for _leader, plays, winner in history.tricks:
            if winner == relative:
                for tiles, _up in plays:
                    lying += sorted(tiles, key=CODE_ORDER.index)
    return lying


def plain_session(run: SessionRun, number: int) -> dict:
    """One session of `greedy` players, hand by hand."""
    rules = run.rules.to_json()
    banker, term, total, lying = run.first_banker, 1, [0] * 4, None
    if banker == "dice":
        rolls = [python_word(run.seed, 32 + DEALS.index(run.deal), number << 20, 0, n) for n in (4, 5)]
        banker = (1 + sum(roll * 6 >> 32 for roll in rolls)) % 4
    high, low, broke = [0] * 4, [0] * 4, [0] * 4
    streaks, changes, longest, moved = [], 0, 0, {}
    for hand in range(run.hands):
        hands = dealt(run, (number << 20) + hand, lying)
        leader = 3 if hand == 0 and not run.rules.first_banker_leads else 0
        tricks = reference.greedy_tricks(hands, rules, leader)
        history = reference.replay(hands, tricks, rules, leader)
        found = reference.settle(history, rules, term, leader)
        points = np.add(found["settlement"], found["bonuses"]).tolist()
        moved[term] = moved.get(term, 0) + sum(max(p, 0) for p in points)
        for place in range(4):
            seat = (banker + place) % 4
            total[seat] += points[place]
            high[seat], low[seat] = max(high[seat], total[seat]), min(low[seat], total[seat])
            if total[seat] <= -(run.stake or 100) and not broke[seat]:
                broke[seat] = hand + 1
        if run.shuffle != "perfect":
            lying = lying_tiles(history, banker)
        longest = max(longest, term)
        passed = found["winner"] != 0
        if passed:
            streaks.append((0, term))
            banker, term, changes = (banker + found["winner"]) % 4, 1, changes + 1
        else:
            term += 1
        over = hand + 1 == run.hands or (any(broke) and run.stake and not run.play_on)
        if over or changes == run.banker_changes:
            if not passed:
                streaks.append((1, term - 1))
            break
    return {
        "total": total, "high": high, "low": low, "broke": broke, "hands": hand + 1,
        "changes": changes, "longest": longest, "streaks": streaks, "moved": moved,
    }  # fmt: skip
