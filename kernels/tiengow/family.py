"""The heuristic family: one way to choose a play, with named weights.

Each legal play is scored by the value of the hand that it leaves, plus what it wins at once times
the chance that it takes the trick.  All weights are in points.  Policies differ in their weights
alone, so a new one needs no compilation.

All sums are of float32 and have no branches, so that ``family_lanes.py`` scores many hands side by
side with the same helpers, bit for bit, in which `family_play.py` scores one.
"""

from __future__ import annotations

from typing import NamedTuple

from .._jit import helper
from ..real import REAL, real
from ..word import count, highest, lowest, word
from .plays import Kind, beaters_of_lead, is_supreme, kind_of, options, place_of, tiles_of
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
from .weights import Weights

# Of 32 bits, as all numbers here: to numba a Python float has 64.
NOTHING, ONE = REAL(0.0), REAL(1.0)
WORST = REAL(-3e38)  # below the score of any play


class Known(NamedTuple):
    """What a seat knows when it is to play, as the family reads it."""

    hand: int
    unseen: int
    sure: int  # tiles of the hand that no unseen tile of their suit beats;
    one: int  # that one beats,
    two: int
    three: int
    four: int
    top_pairs: int  # places of civil pairs that no unseen pair beats
    stackless: int  # other seats without a stack


class Stakes(NamedTuple):
    """What a play face up may win and lose besides tiles, in points."""

    a_tile: float  # a stack won
    first_early: float  # more for a first one, by the stage that the play leaves
    first_middle: float
    first_late: float
    last: float  # the last trick
    bonus: float  # a point of bonus
    honour: float  # a four or supreme, won or not
    cash: float  # a play that nothing beats
    always: float  # any play
    hazard: float  # times the unseen plays that beat it: how many of those may come


class Worth(NamedTuple):
    """What a hand left is worth by itself, and what more where its seat leads next."""

    itself: float
    lead: float


@helper
def stronger_than(tile: int) -> int:
    """The tiles of its suit that beat a single tile."""
    military = from_military_strength(above(military_strength(tile)))
    return above(tile) & CIVIL if (tile & CIVIL) != 0 else military


@helper
def known_of(hand: int, unseen: int, stackless: int) -> Known:
    """What a hand and the unseen tiles say."""
    rest = hand
    sure = one = two = three = four = word(0)
    for _ in range(8):
        tile = lowest(rest)
        rest = rest ^ tile
        stronger = count(stronger_than(tile) & unseen)
        sure |= tile if stronger == 0 else word(0)
        one |= tile if stronger == 1 else word(0)
        two |= tile if stronger == 2 else word(0)
        three |= tile if stronger == 3 else word(0)
        four |= tile if stronger == 4 else word(0)
    strongest_out = highest(twins(unseen) & CIVIL)
    top_pairs = above(strongest_out) if strongest_out != 0 else word(CIVIL)
    return Known(hand, unseen, sure, one, two, three, four, top_pairs & CIVIL, stackless)


@helper
def by_stage(size: int, early: float, middle: float, late: float) -> float:
    """The one of three weights that belongs to so many tiles left."""
    below = middle if size >= 3 else late
    return early if size >= 5 else below


@helper
def suit_value(tiles: int, size: int, known: Known, w: Weights) -> float:
    """What the two strongest tiles of a suit are worth more, or the lack of any.

    Among the military tiles 6 stands below 5 by its bit; that close, it does not matter.
    """
    top = highest(tiles)
    second = highest(tiles ^ top)
    best = by_stage(size, w.top_early_3, w.top_middle_3, w.top_late_3)
    for_two = by_stage(size, w.top_early_2, w.top_middle_2, w.top_late_2)
    for_one = by_stage(size, w.top_early_1, w.top_middle_1, w.top_late_1)
    for_none = by_stage(size, w.top_early_0, w.top_middle_0, w.top_late_0)
    best = for_two if (top & known.two) != 0 else best
    best = for_one if (top & known.one) != 0 else best
    best = for_none if (top & known.sure) != 0 else best
    best = w.void if top == 0 else best
    next_best = w.second_1 if (second & known.one) != 0 else w.second_2
    next_best = w.second_0 if (second & known.sure) != 0 else next_best
    return best + (NOTHING if second == 0 else next_best)


@helper
def worth_of(left: int, known: Known, w: Weights) -> Worth:
    """What a hand is worth that a play leaves."""
    size = count(left)
    sure = left & known.sure
    five = left & ~(known.sure | known.one | known.two | known.three | known.four)
    total = real(count(sure)) * by_stage(size, w.single_early_0, w.single_middle_0, w.single_late_0)
    total += real(count(left & known.one)) * by_stage(
        size, w.single_early_1, w.single_middle_1, w.single_late_1
    )
    total += real(count(left & known.two)) * by_stage(
        size, w.single_early_2, w.single_middle_2, w.single_late_2
    )
    total += real(count(left & known.three)) * by_stage(
        size, w.single_early_3, w.single_middle_3, w.single_late_3
    )
    total += real(count(left & known.four)) * by_stage(
        size, w.single_early_4, w.single_middle_4, w.single_late_4
    )
    total += real(count(five)) * by_stage(size, w.single_early_5, w.single_middle_5, w.single_late_5)
    total += suit_value(left & CIVIL, size, known, w)
    total += suit_value(left & MILITARY, size, known, w)

    both, beside = twins(left), partners(left)
    family, two_military = held(left) & held(beside) & FAMILIES, twins(beside)
    fours = real(count(family & both & two_military))
    total += w.pair * real(count(both)) + w.sure_pair * real(count(both & known.top_pairs))
    total += w.mixed * real(count(family))
    total += w.three * real(count(family & both) + count(family & two_military))
    a_four = w.four + w.four_stackless * real(known.stackless)
    a_four += by_stage(size, NOTHING, w.four_middle, NOTHING)
    total += a_four * fours
    total += w.supreme if (left & SUPREME) == SUPREME else NOTHING
    yao = by_stage(size, w.yao_early, w.yao_middle, w.yao_late)
    total += yao if (left & SUPREME) == THREE else NOTHING
    covered = real(count(sure)) / real(size if size != 0 else word(1))
    total += by_stage(size, w.cover_early, w.cover_middle, w.cover_late) * covered

    lead = by_stage(size, w.lead_early, w.lead_middle, w.lead_late)
    lead += w.run if sure == left else NOTHING
    lead += w.three_last if left == THREE else NOTHING
    return Worth(NOTHING if left == 0 else total, NOTHING if left == 0 else lead)


@helper
def stakes_of(
    seat: int,
    position: int,
    trick: int,
    unseen: int,
    tiles_of_later: int,
    mine: int,
    leader_stacks: int,
    gone: int,
    best_seat: int,
    multiplier: int,
    w: Weights,
) -> Stakes:
    """What the table says of a play face up.

    Parameters
    ----------
    seat, position, trick : int
        Mine; 0 the banker; 0 leads.
    unseen : int
        How many tiles are unseen.
    tiles_of_later : int
        Tiles in the hands of the seats still to play that may show.
    mine, leader_stacks, gone : int
        My stacks, the most that another seat has, and all stacks won so far.
    best_seat : int
        The seat whose play is the best so far; mine if I lead.
    multiplier : int
        The banker's.
    w : Weights
    """
    is_banker, leads = seat == 0, position == 0
    later = real(word(3) - position)
    more = real(multiplier - 1)
    more = more if is_banker else more / real(word(3))
    a_tile = w.stack + w.stakes_stack * more
    a_tile += w.sweep if (mine == gone) & (gone != 0) else NOTHING
    stops = w.break_sweep * real(leader_stacks) if leader_stacks == gone else NOTHING
    first = mine == 0
    times = word(3) * multiplier if is_banker else word(2) + multiplier
    cash = w.cash + (w.banker_cash if is_banker else NOTHING)
    spare = w.spare_non_banker if trick < 3 else w.spare_late
    beating = w.deny_banker + w.stakes_deny * more if best_seat == 0 else NOTHING - spare
    beating = w.banker_beats if is_banker else beating
    hazard = ONE + w.risk_trick * real(trick) + w.risk_seats * (later - ONE)
    hazard = hazard if hazard > NOTHING else NOTHING
    return Stakes(
        a_tile,
        w.first_stack_early + stops if first else NOTHING,
        w.first_stack_middle + stops if first else NOTHING,
        w.first_stack_late + stops if first else NOTHING,
        w.last_trick + w.stakes_last * more,
        w.bonus * real(times),
        w.honour + w.honour_trick * real(trick),
        cash if trick < 4 else NOTHING,
        (NOTHING if leads else beating) + w.show_seats * later,
        hazard * real(tiles_of_later) / real(unseen if unseen != 0 else word(1)),
    )


@helper
def score_of(
    left: int, size: int, beaters: int, risk: float, bonus: float, stakes: Stakes, worth: Worth
) -> float:
    """The score of a play face up.

    Parameters
    ----------
    left : int
        The tiles that it leaves.
    size : int
        How many it plays.
    beaters : int
        How many unseen plays beat it.
    risk : float
        The weight for its kind.
    bonus : float
        What it earns as a four or supreme if it wins, in points.
    stakes : Stakes
    worth : Worth
        Of the tiles left.
    """
    expected = real(beaters) * stakes.hazard
    chance = ONE / (ONE + abs(risk) * expected)
    remaining = count(left)
    first = by_stage(remaining, stakes.first_early, stakes.first_middle, stakes.first_late)
    won = stakes.a_tile * real(size) + first
    won += stakes.last if left == 0 else bonus
    flat = stakes.always + (stakes.cash if chance == ONE else NOTHING)
    score: float = flat + chance * won + (worth.itself + chance * worth.lead)
    return score


@helper
def score_single(tile: int, known: Known, stakes: Stakes, worth: Worth, w: Weights) -> float:
    """The score of one tile that lies face up."""
    beaters = count(stronger_than(tile) & known.unseen)
    return score_of(known.hand ^ tile, word(1), beaters, w.risk_single, NOTHING, stakes, worth)


@helper
def score_combination(
    play: int, led: int, known: Known, stakes: Stakes, worth: Worth, w: Weights, rules: Switches
) -> float:
    """The score of two to four tiles that lie face up; `led` is 0 where they lead."""
    leads = led == 0
    kind = kind_of(play)
    size = kind.civil + kind.military
    follows = word(0) if is_supreme(led, rules) else above(place_of(play, kind))
    beaters = beaters_of_lead(play, kind, rules) if leads else follows
    beaters = count(options(known.unseen, kind) & beaters)
    is_honour = (leads & is_supreme(play, rules)) | (size == 4)
    points = word(rules.four_bonus if size == 4 else rules.supreme_bonus)
    bonus = stakes.bonus * real(points) if is_honour else NOTHING
    mixed = w.risk_mixed if kind.civil == 1 else w.risk_pair
    risk = w.risk_three if size >= 3 else mixed
    score = score_of(known.hand ^ play, size, beaters, risk, bonus, stakes, worth)
    honour = stakes.honour + w.honour_stackless * real(known.stackless)
    score += honour if is_honour & (known.hand != play) else NOTHING
    return score + (w.per_tile * real(size - 1) if leads else NOTHING)


@helper
def combinations_led(number: int, hand: int) -> int:
    """Places of what may be led besides one tile: 1 pairs, 2 mixed pairs, 3 threes, 4 fours.

    Bit 0 of the pairs stands for 63; of a three the first bit of a place has two civil tiles.
    """
    both, beside = twins(hand), partners(hand)
    two_military = twins(beside)
    family = held(hand) & held(beside) & FAMILIES
    pairs = both | word((hand & SUPREME) == SUPREME)
    threes = family & both | (family & two_military) << 1
    fours = family & both & two_military
    return pairs if number == 1 else (family if number == 2 else (threes if number == 3 else fours))


@helper
def combination_at(number: int, place: int, hand: int) -> int:
    """The tiles of such a place."""
    if number == 1:
        return word(SUPREME) if place == 1 else place * 3
    first = (place & FIRST) != 0
    civil = word(2 if (number == 4) | ((number == 3) & first) else 1)
    military = word(2 if (number == 4) | ((number == 3) & (not first)) else 1)
    return tiles_of(place if first else place >> 1, hand, Kind(civil, military))


@helper
def each_class(hand: int) -> int:
    """One tile of each class of a hand, the lowest."""
    return hand & ~(twins(hand) << 1)
