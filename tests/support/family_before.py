"""The heuristic family as it was before it played in lanes: double precision, branches, arrays.

Kept to show that a policy without the weights that came later plays as it did, but for ties.
"""

from __future__ import annotations

from typing import Any

from gupai.kernels.tiengow.plays import (
    Kind,
    beaters_of_lead,
    beats,
    is_combination,
    is_supreme,
    kind_of,
    options,
    place_of,
)
from gupai.kernels.tiengow.policies import deposit
from gupai.kernels.tiengow.state import (
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
from gupai.kernels.tiengow.switches import Switches
from gupai.kernels.tiengow.tiles import (
    CIVIL,
    FAMILIES,
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
from gupai.kernels.word import count, highest, integer, lowest, position, word

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


TIE = 1e-4  # points: two values that differ less may be taken either way


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


def best_plays(view, weights, room, rules):
    """The value of each legal play, by its tiles and whether they lie face up.

    Of discards there is one, the tiles chosen one after another, and what ties with it.
    """
    found = {}
    hand = word(view[HAND])
    kind = Kind(word(view[CIVIL_LED]), word(view[MILITARY_LED]))
    number = view[CIVIL_LED] + view[MILITARY_LED]
    kept = value_of(hand ^ best_discard(view, number, weights, room), 0.0, view, weights, room)
    for pattern in range(1, 1 << count(hand)):
        play = deposit(pattern, hand)
        if count(play) > 4:
            continue
        if view[POSITION] == 0:
            if is_combination(play):
                found[play, True] = score_of(play, view, weights, room, rules)
        elif count(play) == number:
            worth = value_of(hand ^ play, 0.0, view, weights, room)
            if worth < kept + TIE:
                found[play, False] = worth
            if view[MAY_SHOW] != 0 and beats(play, kind, word(view[BEATS])):
                found[play, True] = score_of(play, view, weights, room, rules)
    return found
