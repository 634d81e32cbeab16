"""What a seat sees: every place of the view against hands that the reference engine follows."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from gupai.analysis import RuleSet, Run, find_policy, load_rules, policy_names, position_of, show_hand
from gupai.kernels.streams import Key
from gupai.kernels.tiengow import state as places
from gupai.kernels.tiengow.players import choose
from gupai.kernels.tiengow.plays import Move
from gupai.kernels.tiengow.state import STATE, VIEW, begin, fill_rules, make_play, make_view
from gupai.kernels.tiengow.worlds import WORLD, draw_world, enter_world
from gupai.kernels.word import word

import reference
from bridge import BIT_OF_TILE, TILE_OF_BIT, mask, python_draw, random_rules, tiles

PRESETS = ("tiengow-ja", "tiengow-ja-wenzun", "tiengow-zh")
NAMES = [name for name in policy_names() if not name.startswith("rollout")]

# The switches in the order of the view, as `gupai.kernels.tiengow.switches` numbers their values.
FLAG = {False: 0, True: 1}
SWITCHES: dict[str, dict[Any, int] | None] = {
    "two_stacks": FLAG,
    "supreme_civil": {"off": 0, "on": 1, "beaten_by_J": 2},
    "hand_patterns": {"one_red": 1, "seven_military": 2, "seven_civil": 4, "no_red": 8,
                      "eight_military": 16, "eight_civil": 32, "four_pairs": 64},
    "heaven_red": None,
    "last_low_civil": FLAG,
    "kam_supreme_civil": FLAG,
    "capture_bonus": FLAG,
    "kam": None,
    "kam_fours": FLAG,
    "excess": {"special": 0, "plain": 1},
    "yao": None,
    "supreme_finish": None,
    "four_finish": None,
    "seven": None,
    "eight": None,
    "sure_single": {"public": 0, "actual": 1},
    "opening_ban": {"off": 0, "no_eight": 1, "no_sweep": 2},
    "supreme_bonus": None,
    "four_bonus": None,
    "bonus_on_last": FLAG,
    "four_bonus_to": {"winner": 0, "everyone": 1, "leader": 2, "winning_leader": 3},
    "banker": {"streak": 0, "double": 1, "off": 2},
    "empty": None,
}  # fmt: skip

# One play of each combination that could follow, with the place that stands for it: the bit of its
# civil class, of its military class where it has no civil tile; 6 alone stands between 5 and 7.
FOLLOWS = [
    (tuple((code, reference.PIPS[code][copy % len(reference.PIPS[code])], copy)
           for code in dict.fromkeys(text) for copy in range(text.count(code))), text)
    for text in reference.COMBINATIONS
    if text != "63"
]  # fmt: skip


def first_bit(code: str) -> int:
    return 1 << BIT_OF_TILE[code, reference.PIPS[code][0], 0]


def place(text: str) -> int:
    return first_bit("I" if text == "6" else text[0])  # a civil class comes first in a text


class Table:
    """A hand in progress as the rules page tells it."""

    def __init__(self, hands: list, leader: int, rules: dict[str, Any], term: int) -> None:
        self.left, self.rules, self.term = [set(hand) for hand in hands], rules, term
        self.shown, self.down = [set() for _ in range(4)], [set() for _ in range(4)]
        self.stacks, self.leader = [0] * 4, leader
        self.opened: tuple = ()
        self.tricks = 0
        self.plays: list[tuple[tuple, bool]] = []
        self.contest: reference.Contest | None = None
        self.winner = leader

    @property
    def seat(self) -> int:
        return (self.leader + len(self.plays)) % 4

    def legal(self) -> list[tuple[tuple, bool]]:
        hand = sorted(self.left[self.seat])
        if not self.plays:
            return [(lead, True) for lead in reference.legal_leads(hand, self.rules)]
        size = len(self.plays[0][0])
        return reference.legal_follows(hand, self.stacks[self.seat], self.contest, size, self.rules)

    def play(self, some: tuple, up: bool) -> None:
        seat = self.seat
        if not self.plays:
            self.contest = reference.Contest(
                *reference.combination(some, self.rules, led=True), self.rules
            )
            self.winner = seat
        elif up:
            self.contest.beat_with(some)
            self.winner = seat
        (self.shown if up else self.down)[seat].update(some)
        self.left[seat] -= set(some)
        self.plays.append((some, up))
        if len(self.plays) == 4:
            lead = self.plays[0][0]
            self.opened = self.opened or lead
            self.stacks[self.winner] += len(lead)
            self.leader, self.plays, self.contest = self.winner, [], None
            self.tricks += 1

    def view(self, key: Key) -> dict[int, int]:
        """Every place of the view; the seat's luck comes from the key."""
        me, rules = self.seat, self.rules
        lead = self.plays[0][0] if self.plays else ()
        best = self.plays[(self.winner - self.leader) % 4][0] if self.plays else ()
        seen = set().union(self.left[me], self.down[me], *self.shown)
        used = sum(self.stacks)
        found = {
            places.HAND: mask(self.left[me]),
            places.MY_DOWN: mask(self.down[me]),
            places.UNSEEN: mask(set(reference.TILES) - seen),
            places.TRICK: self.tricks,
            places.POSITION: len(self.plays),
            places.LED: mask(lead),
            places.CIVIL_LED: sum(tile[0] in reference.CIVIL for tile in lead),
            places.MILITARY_LED: sum(tile[0] in reference.MILITARY for tile in lead),
            places.BEST_PLAY: mask(best),
            places.BEST_SEAT: (self.winner - me) % 4 if self.plays else 0,
            places.MAY_SHOW: int(reference.may_play_up(self.left[me], self.stacks[me], rules)),
            places.SEAT: me,
            places.MULTIPLIER: {"streak": self.term + 1, "double": 2, "off": 1}[rules["banker"]],
            places.LUCK: python_draw(*key, 1 + me, used),
            places.OPENED: mask(self.opened),
            places.TERM: self.term,
        }
        for other in range(4):
            seat = (me + other) % 4
            found[places.SHOWN_BY + other] = mask(self.shown[seat])
            found[places.TILES_OF + other] = len(self.left[seat])
            found[places.STACKS_OF + other] = self.stacks[seat]
        for number, (name, numbers) in enumerate(SWITCHES.items()):
            value = rules[name]
            if name == "hand_patterns":
                value = sum(numbers[pattern] for pattern in value)
            found[places.RULES + number] = value if numbers is None else numbers.get(value, value)
        found[places.BEATS] = sum(
            place(text)
            for some, text in FOLLOWS
            if self.plays and len(some) == len(lead) and self.contest.is_beaten_by(some)
        )
        return found

    def places_of_kind(self) -> int:
        """The places of all plays of the kind led, which alone mean something in `BEATS`."""
        lead = reference.codes(self.plays[0][0]) if self.plays else ""
        kind = reference.COMBINATIONS["99" if lead == "63" else lead][0] if lead else ""
        return sum(place(text) for _, text in FOLLOWS if reference.COMBINATIONS[text][0] == kind)


def moves(table: Table, view: list[int], policy, rules: RuleSet, rng: random.Random):
    """What a policy plays, or where none is given any legal play, large leads more often."""
    if policy is None:
        legal = table.legal()
        if not table.plays:
            most = max(len(lead) for lead, _ in legal)
            legal = [(lead, up) for lead, up in legal if len(lead) == most or rng.random() < 0.2]
        shows = [(some, up) for some, up in legal if up]
        return rng.choice(shows if shows and rng.random() < 0.6 else legal)
    move = choose(policy.kind, view, policy.row(), rules.switches())
    return tiles(move.play), not table.plays or bool(move.face_up)


def walk(rules: RuleSet, rng: random.Random, hands: int):
    """All positions of some hands: the table of the reference, the state, the view, the key."""
    plain, switches = rules.to_json(), rules.switches()
    for _ in range(hands):
        order = rng.sample(range(32), 32)
        if rng.random() < 0.5:  # one seat has a four and KK or 63, which are rare
            together = rng.choice(["AA99", "BB88", "CC77", "DD55"]) + rng.choice(["KK", "63"])
            order.sort(key=lambda bit: TILE_OF_BIT[bit][0] not in together)
        dealt = [sum(1 << bit for bit in order[8 * seat : 8 * seat + 8]) for seat in range(4)]
        rng.shuffle(dealt)
        first, term = rng.randrange(4), rng.randint(1, 4)
        found = [find_policy(rng.choice(NAMES), rules) for _ in range(4)]
        found = [None if rng.random() < 0.5 else policy for policy in found]
        table = Table([tiles(hand) for hand in dealt], first, plain, term)
        state, view = [0] * STATE, [-1] * VIEW
        key = Key(rng.getrandbits(32), rng.getrandbits(32))
        fill_rules(view, switches, term)
        begin(state, dealt, first)
        while any(table.left):
            make_view(state, key, switches, view)
            yield table, state, view, key
            some, up = moves(table, view, found[table.seat], rules, rng)
            make_play(state, Move(word(mask(some)), up), switches)
            table.play(some, up)
            assert (state[places.SIZE] == 0) == (not any(table.left))


def check(table: Table, view: list[int], key: Key) -> set[int]:
    """Compare every place; returns those compared."""
    expected = table.view(key)
    got = dict(enumerate(map(int, view)))
    got[places.BEATS] &= table.places_of_kind()
    assert got == expected
    return set(expected)


@pytest.mark.parametrize("name", [*PRESETS, "any"])
def test_view__every_place_is_what_the_reference_tells(name: str) -> None:
    rng = random.Random(f"view of {name}")
    tested: set[int] = set()
    leads: Counter[int] = Counter()
    for _ in range(50):
        rules = random_rules(rng) if name == "any" else load_rules(name)
        for table, _, view, key in walk(rules, rng, 4):
            tested |= check(table, view, key)
            leads[len(table.plays[0][0]) if table.plays else 0] += 1
    assert tested == set(range(VIEW))
    assert min(leads[size] for size in range(5)) > 10, leads


def test_view__is_the_same_in_every_world_that_a_seat_may_imagine() -> None:
    """A state entered from a sampled world shows what the state itself shows, the trick too."""
    rng = random.Random(5)
    world = np.zeros(WORLD, np.int64)
    for table, state, view, key in walk(RuleSet(), rng, 12):
        there, seen = np.zeros(STATE, np.int64), list(view)
        draw_world(state, key, world)
        enter_world(np.array(state), world, there)
        make_view([int(value) for value in there], key, RuleSet().switches(), seen)
        check(table, seen, key)


def test_view__of_a_position_read_from_a_record_counts_tricks() -> None:
    rng = random.Random(9)
    longer = 0
    for number in range(6):
        policies = tuple(rng.choice(["greedy", "tuned", "public-a"]) for _ in range(4))
        record = show_hand(Run(policies=policies), number).record
        for trick, played in enumerate(record.tricks):
            seat = played.leader
            view = position_of(record, seat, 4 * trick).view()
            assert view[places.TRICK] == trick
            longer += view[places.TILES_OF] != 8 - trick
    assert longer > 5
