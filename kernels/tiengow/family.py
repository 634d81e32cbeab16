"""The heuristic family: one way to choose a play, with named weights.

Each legal play is scored by the value of the hand that it leaves, plus what it wins at once times
the chance that it takes the trick.  All weights are in points.  Policies differ in their weights
alone, so a new one needs no compilation.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .._jit import helper, routine
from ..word import count, highest, integer, lowest, position, word
from .plays import Kind, Move, beaters_of_lead, is_supreme, kind_of, options, place_of, tiles_of
from .state import (
    BEATS,
    BEST_SEAT,
    CIVIL_LED,
    HAND,
    LED,
    MAY_SHOW,
    MILITARY_LED,
    MULTIPLIER,
    POSITION,
    SEAT,
    STACKS_OF,
    TILES_OF,
    TRICK,
    UNSEEN,
)
from .switches import Switches
from .tiles import (
    CIVIL,
    FAMILIES,
    FIRST,
    MILITARY,
    SUPREME,
    THREE,
    above,
    from_military_strength,
    held,
    military_strength,
    partners,
    twins,
)

STAGES = ("early", "middle", "late")  # five tiles or more left after the play, three or four, fewer
_STRONGER, _TOPS, _SECONDS = 6, 4, 3

# Where each weight stands.
SINGLE = 0  # 6 · stage + stronger tiles of its suit unseen, at most 5: a tile kept
TOP = SINGLE + 3 * _STRONGER  # 4 · stage + the same, at most 3: the strongest tile of a suit
SECOND = TOP + 3 * _TOPS  # the same, at most 2: the second strongest
PAIR, SURE_PAIR, MIXED, THREE_KEPT, FOUR, SUPREME_KEPT = range(SECOND + 3, SECOND + 9)
COVER = SUPREME_KEPT + 1  # + stage: share of the tiles kept that nothing unseen beats
RUN = COVER + 3  # all of them, and the lead
LEAD = RUN + 1  # + stage: the next lead
STACK = LEAD + 3  # a stack
FIRST_STACK = STACK + 1  # + stage: the first stack
BONUS = FIRST_STACK + 3  # a point of bonus
LAST = BONUS + 1  # the last trick
RISK = LAST + 1  # + kind (single, pair, mixed pair, three): how surely who can beat does
DENY, SPARE, BANKER_BEATS, THREE_LAST, PER_TILE, HONOUR, VOID = range(RISK + 4, RISK + 11)
CASH, BANKER_CASH = VOID + 1, VOID + 2  # a play that nothing beats, in the first four tricks
WEIGHTS = BANKER_CASH + 1

WEIGHT_NAMES = (
    *(f"single_{stage}_{n}" for stage in STAGES for n in range(_STRONGER)),
    *(f"top_{stage}_{n}" for stage in STAGES for n in range(_TOPS)),
    *(f"second_{n}" for n in range(_SECONDS)),
    "pair", "sure_pair", "mixed", "three", "four", "supreme",
    *(f"cover_{stage}" for stage in STAGES),
    "run",
    *(f"lead_{stage}" for stage in STAGES),
    "stack",
    *(f"first_stack_{stage}" for stage in STAGES),
    "bonus", "last_trick",
    "risk_single", "risk_pair", "risk_mixed", "risk_three",
    "deny_banker", "spare_non_banker", "banker_beats", "three_last", "per_tile", "honour", "void",
    "cash", "banker_cash",
)  # fmt: skip


class Scored(NamedTuple):
    """The best play so far and its score."""

    play: int
    face_up: bool
    score: float


@helper
def stronger_than(tile: int) -> int:
    """The tiles of its suit that beat a single tile."""
    if (tile & CIVIL) != 0:
        return above(tile) & CIVIL
    return from_military_strength(above(military_strength(tile)))


# Room that one decision works in (float64, all whole numbers but the totals): for each tile of my
# hand (by bit) how many unseen tiles beat it, at most 5; the tiles that none beats; and what the
# tiles of my hand are worth by themselves in each stage.
SURE, TOTALS = 32, 33
ROOM = 36


@helper
def look_at_hand(view: Any, weights: Any, room: Any) -> None:
    """Fill the room with what I know of my tiles."""
    rest, unseen = word(view[HAND]), word(view[UNSEEN])
    sure = word(0)
    early = middle = late = 0.0
    for _ in range(8):
        if rest == 0:
            break
        tile = lowest(rest)
        rest = rest ^ tile
        stronger = min(integer(count(stronger_than(tile) & unseen)), _STRONGER - 1)
        room[integer(position(tile))] = stronger
        sure |= tile if stronger == 0 else word(0)
        early += weights[SINGLE + stronger]
        middle += weights[SINGLE + _STRONGER + stronger]
        late += weights[SINGLE + 2 * _STRONGER + stronger]
    room[SURE] = integer(sure)
    room[TOTALS], room[TOTALS + 1], room[TOTALS + 2] = early, middle, late


@helper
def value_of(left: int, lead: float, view: Any, weights: Any, room: Any) -> float:
    """What a hand is worth that a play leaves, where the lead comes next with this chance."""
    size = integer(count(left))
    if size == 0:
        return 0.0
    stage = 0 if size >= 5 else (1 if size >= 3 else 2)
    total: float = room[TOTALS + stage]
    gone = word(view[HAND]) ^ left
    for _ in range(8):
        if gone == 0:
            break
        tile = lowest(gone)
        gone = gone ^ tile
        total -= weights[SINGLE + _STRONGER * stage + int(room[integer(position(tile))])]
    sure = integer(count(word(int(room[SURE])) & left))
    for suit in range(2):
        tiles = left & CIVIL if suit == 0 else left & MILITARY
        if tiles == 0:
            total += weights[VOID]
            continue
        # Among the military tiles 6 stands below 5 by its bit; that close, it does not matter.
        top = highest(tiles)
        stronger = int(room[integer(position(top))])
        total += weights[TOP + _TOPS * stage + min(stronger, _TOPS - 1)]
        below = tiles ^ top
        if below != 0:
            stronger = int(room[integer(position(highest(below)))])
            total += weights[SECOND + min(stronger, _SECONDS - 1)]
    both, beside = twins(left), partners(left)
    unseen_pairs = twins(word(view[UNSEEN]))
    total += weights[PAIR] * integer(count(both))
    strongest_out = highest(unseen_pairs & CIVIL)
    sure_pairs = both & CIVIL & (above(strongest_out) if strongest_out != 0 else word(CIVIL))
    total += weights[SURE_PAIR] * integer(count(sure_pairs))
    family = held(left) & held(beside) & FAMILIES
    two_military = twins(beside)
    total += weights[MIXED] * integer(count(family))
    total += weights[THREE_KEPT] * integer(count(family & both) + count(family & two_military))
    total += weights[FOUR] * integer(count(family & both & two_military))
    if (left & SUPREME) == SUPREME:
        total += weights[SUPREME_KEPT]
    total += weights[COVER + stage] * sure / size
    total += lead * weights[LEAD + stage]
    if sure == size:
        total += lead * weights[RUN]
    if left == THREE:
        total += lead * weights[THREE_LAST]
    return total


@helper
def chance_to_take(play: int, kind: Kind, beaters: int, view: Any, weights: Any) -> float:
    """The chance that nobody who plays after me beats a play of mine."""
    can_beat = options(word(view[UNSEEN]), kind) & beaters
    if can_beat == 0:
        return 1.0
    unseen = integer(count(word(view[UNSEEN])))
    size = integer(kind.civil + kind.military)
    tiles = 0
    for place in range(1, 4 - view[POSITION]):
        if view[TILES_OF + place] > 1 or view[STACKS_OF + place] > 0:
            tiles += view[TILES_OF + place]
    number = 0 if size == 1 else (3 if size >= 3 else (2 if integer(kind.civil) == 1 else 1))
    expected = integer(count(can_beat)) * tiles / max(unseen, 1)
    chance: float = 1.0 / (1.0 + abs(weights[RISK + number]) * expected)
    return chance


@helper
def score_of(play: int, view: Any, weights: Any, room: Any, rules: Switches) -> float:
    """The score of a play that lies face up."""
    left = word(view[HAND]) ^ play
    kind = kind_of(play)
    size = integer(kind.civil + kind.military)
    leads = view[POSITION] == 0
    honour = (leads and is_supreme(play, rules)) or size == 4
    if leads:
        beaters = beaters_of_lead(play, kind, rules)
    else:
        beaters = word(0) if is_supreme(word(view[LED]), rules) else above(place_of(play, kind))
    chance = chance_to_take(play, kind, beaters, view, weights)
    won = weights[STACK] * size
    remaining = integer(count(left))
    if view[STACKS_OF] == 0:
        stage = 0 if remaining >= 5 else (1 if remaining >= 3 else 2)
        won += weights[FIRST_STACK + stage]
    score: float = 0.0
    if remaining == 0:
        won += weights[LAST]
    elif honour:
        points = rules.four_bonus if size == 4 else rules.supreme_bonus
        times = 3 * view[MULTIPLIER] if view[SEAT] == 0 else 2 + view[MULTIPLIER]
        won += weights[BONUS] * points * times
        score += weights[HONOUR]
    if chance == 1.0 and view[TRICK] < 4:
        score += weights[CASH] + (weights[BANKER_CASH] if view[SEAT] == 0 else 0.0)
    if leads:
        score += weights[PER_TILE] * (size - 1)
    else:
        if view[SEAT] == 0:
            score += weights[BANKER_BEATS]
        elif view[BEST_SEAT] + view[SEAT] & 3 == 0:
            score += weights[DENY]
        elif view[TRICK] < 3:
            score -= weights[SPARE]
    total: float = score + chance * won + value_of(left, chance, view, weights, room)
    return total


@helper
def better(best: Scored, play: int, view: Any, weights: Any, room: Any, rules: Switches) -> Scored:
    """The better of the best play so far and another that lies face up."""
    score = score_of(play, view, weights, room, rules)
    return Scored(play, True, score) if score > best.score else best


@helper
def best_lead(view: Any, weights: Any, room: Any, rules: Switches) -> Scored:
    """The lead with the best score, one of each class considered."""
    hand = word(view[HAND])
    best = Scored(word(0), True, -1e300)
    single_places = hand & ~(twins(hand) << 1)
    for number in range(5):
        # singles, pairs, then what the families hold: mixed pairs, threes of two kinds, fours
        beside = partners(hand)
        family = held(hand) & held(beside) & FAMILIES
        places = single_places
        if number == 1:
            places = twins(hand) | word((hand & SUPREME) == SUPREME)
        elif number == 2:
            places = family
        elif number == 3:
            places = family & twins(hand) | (family & twins(beside)) >> 1
        elif number == 4:
            places = family & twins(hand) & twins(beside)
        for _ in range(8):
            if places == 0:
                break
            place = lowest(places)
            places = places ^ place
            play = place
            if number == 1:
                play = word(SUPREME) if place == 1 else place * 3
            elif number >= 2:
                two_military = number == 4 or (number == 3 and (place & FIRST) == 0)
                two_civil = number == 4 or (number == 3 and (place & FIRST) != 0)
                at = place if (place & FIRST) != 0 else place << 1
                kind = Kind(word(2 if two_civil else 1), word(2 if two_military else 1))
                play = tiles_of(at, hand, kind)
            best = better(best, play, view, weights, room, rules)
    return best


@helper
def best_discard(view: Any, number: int, weights: Any, room: Any) -> int:
    """The tiles whose loss costs the hand least, chosen one after another."""
    left, chosen = word(view[HAND]), word(0)
    for _ in range(number):
        best, best_score = word(0), -1e300
        rest = left & ~(twins(left) << 1)
        for _tile in range(8):
            if rest == 0:
                break
            tile = lowest(rest)
            rest = rest ^ tile
            score = value_of(left ^ tile, 0.0, view, weights, room)
            if score > best_score:
                best, best_score = tile, score
        left, chosen = left ^ best, chosen | best
    return chosen


@routine
def family_move(view: Any, weights: Any, room: Any, rules: Switches) -> Move:
    """The play of the heuristic family."""
    look_at_hand(view, weights, room)
    hand = word(view[HAND])
    number = view[CIVIL_LED] + view[MILITARY_LED]
    if view[TILES_OF] == number and view[MAY_SHOW] == 0:
        return Move(hand, False)
    if view[POSITION] == 0:
        return Move(best_lead(view, weights, room, rules).play, True)
    kind = Kind(word(view[CIVIL_LED]), word(view[MILITARY_LED]))
    discard = best_discard(view, number, weights, room)
    best = Scored(discard, False, value_of(hand ^ discard, 0.0, view, weights, room))
    if view[MAY_SHOW] != 0:
        places = options(hand, kind) & word(view[BEATS])
        for _ in range(8):
            if places == 0:
                break
            place = lowest(places)
            places = places ^ place
            if number > 1 or (place & (twins(hand) << 1)) == 0:  # of two like tiles the first
                best = better(best, tiles_of(place, hand, kind), view, weights, room, rules)
    return Move(best.play, best.face_up)


assert len(WEIGHT_NAMES) == WEIGHTS
