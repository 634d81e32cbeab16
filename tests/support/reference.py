"""A slow, readable Tien Gow engine, written from the rules page alone.

It shares nothing with the kernels: tiles are (class, pips, copy) tuples, a play is a tuple of
tiles, rules are a plain dictionary of switches.  Seats are 0 to 3 with the banker at 0.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

CIVIL = "ABCDEFGHIJK"
MILITARY = "987653"
PIPS = {
    "A": ["6-6"], "B": ["1-1"], "C": ["4-4"], "D": ["1-3"], "E": ["5-5"], "F": ["3-3"],
    "G": ["2-2"], "H": ["5-6"], "I": ["4-6"], "J": ["1-6"], "K": ["1-5"],
    "9": ["3-6", "4-5"], "8": ["2-6", "3-5"], "7": ["2-5", "3-4"], "6": ["2-4"],
    "5": ["1-4", "2-3"], "3": ["1-2"],
}  # fmt: skip
TILES = [
    (code, PIPS[code][copy % len(PIPS[code])], copy)
    for code in CIVIL + MILITARY
    for copy in range(1 if code in "63" else 2)
]
FAMILIES = ["A9", "B8", "C7", "D5"]
DISCARD_ORDER = "3K6J5I7H8G9FEDCBA"
KIND_ORDER = [
    "four", "three two-civil", "three two-military", "supreme 63", "supreme KK", "civil pair",
    "military pair", "mixed pair", "civil single", "military single",
]  # fmt: skip
DEFAULTS = {
    "supreme_civil": "off", "last_low_civil": False, "kam_supreme_civil": False,
    "capture_bonus": False, "kam": 2, "kam_fours": False, "excess": "special", "yao": 2,
    "supreme_finish": 2, "four_finish": 4, "seven": 2, "eight": 4, "sure_single": "public",
    "opening_ban": "off", "supreme_bonus": 2, "four_bonus": 4, "bonus_on_last": False,
    "four_bonus_to": "winner", "banker": "streak", "two_stacks": True, "empty": 5,
    "hand_patterns": [], "heaven_red": 6,
}  # fmt: skip


def codes(tiles):
    return "".join(sorted((code for code, _, _ in tiles), key=(CIVIL + MILITARY).index))


# The table of combinations: class codes to (kind, rank), 1 the strongest of its kind.
COMBINATIONS = {}
for _rank, _code in enumerate(CIVIL, 1):
    COMBINATIONS[_code] = ("civil single", _rank)
    COMBINATIONS[_code * 2] = ("civil pair", _rank)
for _rank, _code in enumerate(MILITARY, 1):
    COMBINATIONS[_code] = ("military single", _rank)
for _rank, _code in enumerate("9875", 1):
    COMBINATIONS[_code * 2] = ("military pair", _rank)
for _rank, (_civil, _military) in enumerate(FAMILIES, 1):
    COMBINATIONS[_civil + _military] = ("mixed pair", _rank)
    COMBINATIONS[_civil * 2 + _military] = ("three two-civil", _rank)
    COMBINATIONS[_civil + _military * 2] = ("three two-military", _rank)
    COMBINATIONS[_civil * 2 + _military * 2] = ("four", _rank)
COMBINATIONS["63"] = ("supreme 63", 1)


def combination(tiles, rules, *, led):
    """Kind and rank, or None.  Led KK is supreme where the rules say so."""
    text = codes(tiles)
    if led and text == "KK" and rules["supreme_civil"] != "off":
        return ("supreme KK", 1)
    return COMBINATIONS.get(text)


@dataclass
class Contest:
    """The best play of a trick so far."""

    kind: str
    rank: int
    rules: dict
    taken: bool = False  # a follower has beaten the lead

    def is_beaten_by(self, tiles):
        found = combination(tiles, self.rules, led=False)
        if found is None or self.kind == "supreme 63":
            return False
        if self.kind == "supreme KK":
            return (
                self.rules["supreme_civil"] == "beaten_by_J" and codes(tiles) == "JJ" and not self.taken
            )
        return found[0] == self.kind and found[1] < self.rank

    def beat_with(self, tiles):
        self.taken = True
        if self.kind != "supreme KK":
            self.rank = combination(tiles, self.rules, led=False)[1]


def legal_leads(hand, rules):
    return [
        subset
        for size in range(1, 5)
        for subset in itertools.combinations(hand, size)
        if combination(subset, rules, led=True)
    ]


def may_play_up(hand, stacks, rules):
    return not (rules["two_stacks"] and len(hand) == 1 and stacks == 0)


def legal_follows(hand, stacks, contest, size, rules):
    """All (tiles, face up) that a follower may play."""
    subsets = list(itertools.combinations(hand, size))
    up = may_play_up(hand, stacks, rules)
    beating = [(s, True) for s in subsets if up and contest.is_beaten_by(s)]
    return beating + [(s, False) for s in subsets]


def greedy_lead(hand, rules):
    def order(subset):
        kind, rank = combination(subset, rules, led=True)
        return (-len(subset), rank, KIND_ORDER.index(kind))

    return min(legal_leads(hand, rules), key=order)


def greedy_follow(hand, stacks, contest, size, rules):
    beating = [
        subset
        for subset in itertools.combinations(hand, size)
        if may_play_up(hand, stacks, rules) and contest.is_beaten_by(subset)
    ]
    if beating:
        return max(beating, key=lambda s: combination(s, rules, led=False)[1]), True
    return tuple(sorted(hand, key=lambda tile: DISCARD_ORDER.index(tile[0]))[:size]), False


# ------------------------------------------------------------------------ hand patterns


def red_pips(tile, heaven_red):
    if tile[0] == "A":
        return heaven_red
    return sum(int(pip) for pip in tile[1].split("-") if pip in "14")


def hand_pattern(hand, rules):
    """'seven', 'eight' or None for eight dealt tiles."""
    red = sum(red_pips(tile, rules["heaven_red"]) for tile in hand)
    military = sum(tile[0] in MILITARY for tile in hand)
    text = codes(hand)
    pairs = sum(text.count(code) == 2 for code in CIVIL + "9875")
    shown = {
        "one_red": red == 1, "seven_military": military == 7, "seven_civil": military == 1,
        "no_red": red == 0, "eight_military": military == 8, "eight_civil": military == 0,
        "four_pairs": pairs == 4,
    }  # fmt: skip
    found = {name for name in rules["hand_patterns"] if shown[name]}
    if found & {"no_red", "eight_military", "eight_civil", "four_pairs"}:
        return "eight"
    return "seven" if found else None


# ------------------------------------------------------------------------ a played hand


def greedy_tricks(hands: list, rules: dict, leader: int) -> list:
    """A hand that all seats play as the page describes `greedy`."""
    left, stacks, tricks = [set(hand) for hand in hands], [0] * 4, []
    if any(hand_pattern(hand, rules) for hand in hands):
        return []

    def in_order(hand):  # which of two tiles of a class is played: as the kernels choose
        return sorted(hand, key=lambda tile: (tile[0], tile[2]))

    while left[leader]:
        lead = greedy_lead(in_order(left[leader]), rules)
        contest = Contest(*combination(lead, rules, led=True), rules)
        plays, winner = [(lead, True)], leader
        for turn in range(1, 4):
            seat = (leader + turn) % 4
            tiles, up = greedy_follow(in_order(left[seat]), stacks[seat], contest, len(lead), rules)
            plays.append((tiles, up))
            if up:
                contest.beat_with(tiles)
                winner = seat
        for turn, (tiles, _) in enumerate(plays):
            left[(leader + turn) % 4] -= set(tiles)
        tricks.append((leader, plays))
        stacks[winner] += len(lead)
        leader = winner
    return tricks


@dataclass
class History:
    """What happened in a hand: for each trick leader, plays with faces, winner."""

    hands: list
    tricks: list = field(default_factory=list)
    stacks: list = field(default_factory=lambda: [0, 0, 0, 0])
    pattern: tuple | None = None  # (seat, 'seven' or 'eight')


def replay(hands, tricks, rules, first_leader=0):
    """Check every play of a hand and tell who won what.  `tricks`: (leader, [(tiles, up)] * 4)."""
    history = History(hands)
    for seat in range(4):
        if sweep := hand_pattern(hands[seat], rules):
            history.pattern = (seat, sweep)
            history.stacks[seat] = 8
            assert not tricks
            return history
    left = [set(hand) for hand in hands]
    leader = first_leader
    for named, plays in tricks:
        assert named == leader, "wrong leader"
        lead, up = plays[0]
        assert up and set(lead) <= left[leader], "lead"
        found = combination(lead, rules, led=True)
        assert found, "lead is no combination"
        contest, winner = Contest(*found, rules), leader
        left[leader] -= set(lead)
        for place in range(1, 4):
            seat = (leader + place) % 4
            tiles, up = plays[place]
            assert len(tiles) == len(lead) and set(tiles) <= left[seat], "tiles"
            if up:
                assert may_play_up(left[seat], history.stacks[seat], rules), "two stacks"
                assert contest.is_beaten_by(tiles), "does not beat"
                contest.beat_with(tiles)
                winner = seat
            left[seat] -= set(tiles)
        history.tricks.append((leader, plays, winner))
        history.stacks[winner] += len(lead)
        leader = winner
    assert not any(left), "tiles left"
    return history


# ------------------------------------------------------------------------ settlement


def settle(history, rules, term=1, first_leader=0):
    """Winner, finish, sweep, kam and points, from the section "Settlement"."""
    banker_times = {"streak": term + 1, "double": 2, "off": 1}[rules["banker"]]
    settlement, bonuses = [0] * 4, [0] * 4
    payments = {"supreme": 0, "four": 0}

    def times(a, b):
        return banker_times if 0 in (a, b) else 1

    def pay(book, payer, receiver, points):
        book[payer] -= points
        book[receiver] += points

    def collect(seat, points, name):
        if points:
            payments[name] += 1
        for other in range(4):
            if other != seat:
                pay(bonuses, other, seat, points * times(other, seat))

    if history.pattern:
        winner, sweep = history.pattern
        for loser in range(4):
            if loser != winner:
                debt = rules["empty"] * times(loser, winner) * rules[sweep]
                pay(settlement, loser, winner, debt)
        return _result(winner, history, "plain", sweep, None, settlement, bonuses, payments, 0)

    leader, plays, winner = history.tricks[-1]
    lead = codes(plays[0][0])
    best = codes(plays[(winner - leader) % 4][0])
    kk_supreme = rules["supreme_civil"] != "off"
    led_wins = winner == leader

    finish = "plain"
    if led_wins and (lead == "3" or (lead == "K" and rules["last_low_civil"])):
        finish = "yao"
    if led_wins and (lead == "63" or (lead == "KK" and kk_supreme)):
        finish = "supreme"
    if len(lead) == 4:
        finish = "four"
    finish_times = {
        "plain": 1, "yao": rules["yao"], "supreme": rules["supreme_finish"], "four": rules["four_finish"],
    }[finish]  # fmt: skip

    caught = not led_wins and (
        (lead == "3" and best == "6")
        or (lead == "K" and best == "J" and rules["last_low_civil"])
        or (lead == "KK" and kk_supreme and best == "JJ" and rules["kam_supreme_civil"])
        or (len(lead) == 4 and rules["kam_fours"])
    )
    kam = leader if caught and rules["kam"] > 1 else None
    kam_times = rules["kam"] if kam is not None else 1

    sweep = None
    if history.stacks[winner] == 8:
        sweep = "eight"
        if len(lead) == 1 and rules["two_stacks"] and not _is_sure(history, winner, best, rules):
            sweep = "seven"
        opening = codes(history.tricks[0][1][0][0])
        high = "A" in opening or "9" in opening or opening == "63" or (opening == "KK" and kk_supreme)
        if winner == 0 and first_leader == 0 and high:
            if rules["opening_ban"] == "no_sweep":
                sweep = None
            if rules["opening_ban"] == "no_eight" and sweep == "eight":
                sweep = None
    sweep_times = rules[sweep] if sweep else 1

    for seat in range(4):
        if seat == winner:
            continue
        stacks = history.stacks[seat]
        if stacks >= 5:
            gain = stacks - 4
            if rules["excess"] == "plain":
                gain *= times(seat, winner) * finish_times * kam_times
            elif winner == 0:
                gain *= banker_times
            pay(settlement, winner, seat, gain)
        else:
            debt = rules["empty"] if stacks == 0 else 4 - stacks
            debt *= times(seat, winner) * finish_times * sweep_times * kam_times
            pay(settlement, seat if kam is None else kam, winner, debt)

    for number, (leader, plays, winner_of_trick) in enumerate(history.tricks):
        if number == len(history.tricks) - 1 and not rules["bonus_on_last"]:
            continue
        lead = codes(plays[0][0])
        if lead == "63":
            collect(leader, rules["supreme_bonus"], "supreme")
        if lead == "KK" and kk_supreme:
            taker = winner_of_trick if rules["capture_bonus"] else leader
            collect(taker, rules["supreme_bonus"], "supreme")
        if len(lead) == 4:
            showed = [(leader + place) % 4 for place in range(4) if plays[place][1]]
            collectors = {
                "winner": [winner_of_trick], "everyone": showed, "leader": [leader],
                "winning_leader": [leader] if winner_of_trick == leader else [],
            }[rules["four_bonus_to"]]  # fmt: skip
            for seat in collectors:
                collect(seat, rules["four_bonus"], "four")
    size = len(history.tricks[-1][1][0][0])
    return _result(winner, history, finish, sweep, kam, settlement, bonuses, payments, size)


def _is_sure(history, winner, best, rules):
    """Whether the single tile that won the last trick was sure to, but for the two-stack rule."""
    suit = CIVIL if best in CIVIL else MILITARY
    stronger = [tile for tile in TILES if tile[0] in suit and suit.index(tile[0]) < suit.index(best)]
    if rules["sure_single"] == "actual":
        last = [tiles[0] for tiles, _ in history.tricks[-1][1]]
        return not any(tile in stronger for tile in last)
    known = set(history.hands[winner])
    for _, plays, _ in history.tricks:
        for tiles, up in plays:
            known |= set(tiles) if up else set()
    return all(tile in known for tile in stronger)


def _result(winner, history, finish, sweep, kam, settlement, bonuses, payments, size):
    return {
        "winner": winner, "stacks": history.stacks, "finish": finish, "sweep": sweep, "kam": kam,
        "settlement": settlement, "bonuses": bonuses, "payments": payments, "last_size": size,
    }  # fmt: skip
