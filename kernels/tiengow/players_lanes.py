"""Many hands side by side, played by any policies that neither search nor are a user's own."""

from __future__ import annotations

from typing import Any

from .._jit import helper, kernel, routine
from ..streams import DECISIONS, draw
from ..word import integer, word
from .deal import Taking
from .family_lanes import (
    ALL_STACKS,
    CHUNK,
    HAND,
    LANE,
    LED,
    PLACES,
    UNSEEN,
    follow_family,
    lead_family,
)
from .family_lanes import SITUATION as DESK_SITUATION
from .given import Given
from .lane_deals import deal_lanes, deal_lanes_given
from .lane_fields import (
    BEATERS,
    BEST_PLACE,
    DEALT,
    FACES,
    FIRST,
    FIRST_TRICK,
    HONOURS,
    LANES,
    LEADER,
    MAY_BEAT,
    OPEN_SHOWN,
    PLAYS,
    RESULT,
    SHOWN,
    SITUATION,
    SIZE,
    STACKS,
    TRICKS,
    UNSEEN_BY,
    load_key,
)
from .lanes import load_table, set_table, store_table, write_outcomes
from .players import FAMILY, simple_move
from .plays import Move, beaters_of_lead, kind_of, may_show, options
from .policies import View
from .settlement import banker_multiplier
from .switches import Switches
from .table import Trick, beaters_after, stacks_of, take_trick
from .tiles import ALL, from_military_strength
from .weights import Weights


@helper
def look_around(lanes: Any, place: int, rules: Switches) -> None:
    """What the seats at a place of the trick see.

    A situation has the seat (2 bits), the tiles in its hand (4), the tricks before (4), the seat
    of the best play (2) and the number of tiles led (3).
    """
    for lane in range(LANES):
        leader, size = word(lanes[LEADER * LANES + lane]), word(lanes[SIZE * LANES + lane])
        seat = leader + place & 3
        first, second = word(lanes[DEALT * LANES + lane]), word(lanes[(DEALT + 1) * LANES + lane])
        third, fourth = (
            word(lanes[(DEALT + 2) * LANES + lane]),
            word(lanes[(DEALT + 3) * LANES + lane]),
        )
        even, odd = (third if seat == 2 else first), (fourth if seat == 3 else second)
        dealt = odd if (seat & 1) != 0 else even
        shown = word(lanes[SHOWN * LANES + lane]) | word(lanes[OPEN_SHOWN * LANES + lane])
        lanes[UNSEEN_BY * LANES + lane] = word(ALL) & ~(dealt | shown)

        hand = word(lanes[(FIRST + place) * LANES + lane])
        kind = kind_of(word(lanes[PLAYS * LANES + lane]))
        number = kind.civil + kind.military
        places = options(hand, kind) & word(lanes[BEATERS * LANES + lane])
        mine = stacks_of(seat, word(lanes[STACKS * LANES + lane]))
        places = places if may_show(hand, mine, rules) else word(0)
        military = from_military_strength(places)
        single = places if kind.civil != 0 else military
        lanes[MAY_BEAT * LANES + lane] = single if number == 1 else places
        best_seat = leader + word(lanes[BEST_PLACE * LANES + lane]) & 3
        best_seat = best_seat if number != 0 else seat
        situation = seat | size << 2 | word(lanes[TRICKS * LANES + lane]) << 6 | best_seat << 10
        lanes[SITUATION * LANES + lane] = situation | number << 12


@helper
def list_lanes(
    lanes: Any, desk: Any, place: int, seats: int, player: int, fewest: int, most: int
) -> int:
    """Put the lanes on the desk where a player is to play and so many tiles are led; how many.

    The last lane is there again until a chunk is full.
    """
    found = 0
    for lane in range(LANES):
        situation = integer(word(lanes[SITUATION * LANES + lane]))
        hand = lanes[(FIRST + place) * LANES + lane]
        here = (seats >> ((situation & 3) << 2) & 15) == player and hand != 0
        if here and fewest <= situation >> 12 <= most:
            chunk = desk[found // CHUNK]
            column = found % CHUNK
            chunk[LANE * CHUNK + column] = lane
            chunk[HAND * CHUNK + column] = hand
            chunk[UNSEEN * CHUNK + column] = lanes[UNSEEN_BY * LANES + lane]
            chunk[ALL_STACKS * CHUNK + column] = lanes[STACKS * LANES + lane]
            chunk[DESK_SITUATION * CHUNK + column] = situation
            chunk[LED * CHUNK + column] = lanes[PLAYS * LANES + lane]
            chunk[PLACES * CHUNK + column] = lanes[MAY_BEAT * LANES + lane]
            found += 1
    while found % CHUNK != 0:
        chunk, column = desk[found // CHUNK], found % CHUNK
        for field in (LANE, HAND, UNSEEN, ALL_STACKS, DESK_SITUATION, LED, PLACES):
            chunk[field * CHUNK + column] = chunk[field * CHUNK + column - 1]
        found += 1
    return found


@helper
def simple_view(lanes: Any, lane: int, place: int, rules: Switches) -> View:
    """What the pinned and the public policies know."""
    seat = word(lanes[LEADER * LANES + lane]) + place & 3
    hand, size = word(lanes[(FIRST + place) * LANES + lane]), word(lanes[SIZE * LANES + lane])
    kind = kind_of(word(lanes[PLAYS * LANES + lane]) if place != 0 else word(0))
    shows = may_show(hand, stacks_of(seat, word(lanes[STACKS * LANES + lane])), rules)
    luck = draw(load_key(lanes, lane), DECISIONS + seat, 8 - size)
    beaters = word(lanes[BEATERS * LANES + lane]) if place != 0 else word(0)
    return View(hand, size, kind, beaters, shows, luck)


@routine
def play_simply(lanes: Any, desk: Any, columns: int, place: int, kind: int, rules: Switches) -> None:
    """Play in all lanes that the desk lists, as a policy of this kind that has no weights."""
    for column in range(columns):
        lane = integer(word(desk[column // CHUNK, LANE * CHUNK + column % CHUNK]))
        move = simple_move(kind, simple_view(lanes, lane, place, rules), rules)
        lanes[(PLAYS + place) * LANES + lane] = move.play
        lanes[(FACES + place) * LANES + lane] = word(move.face_up)


@helper
def look_at_plays(lanes: Any, place: int, rules: Switches) -> None:
    """What is open on the table after the play at a place."""
    for lane in range(LANES):
        led = word(lanes[PLAYS * LANES + lane])
        kind = kind_of(led)
        if place == 0:
            lanes[BEATERS * LANES + lane] = beaters_of_lead(led, kind, rules)
            lanes[BEST_PLACE * LANES + lane] = 0
            lanes[OPEN_SHOWN * LANES + lane] = led
        else:
            play = word(lanes[(PLAYS + place) * LANES + lane])
            up = lanes[(FACES + place) * LANES + lane] != 0
            before = word(lanes[BEATERS * LANES + lane])
            beaters = beaters_after(Move(play, True), led, kind, before, rules)
            best = word(lanes[BEST_PLACE * LANES + lane])
            lanes[BEATERS * LANES + lane] = beaters if up else before
            lanes[BEST_PLACE * LANES + lane] = word(place) if up else best
            lanes[OPEN_SHOWN * LANES + lane] |= play if up else word(0)


@helper
def end_tricks(lanes: Any, rules: Switches) -> None:
    """Give the tricks to their winners and clear the table for the next ones."""
    for lane in range(LANES):
        led = word(lanes[PLAYS * LANES + lane])
        trick = Trick(
            led,
            Move(word(lanes[(PLAYS + 1) * LANES + lane]), lanes[(FACES + 1) * LANES + lane] != 0),
            Move(word(lanes[(PLAYS + 2) * LANES + lane]), lanes[(FACES + 2) * LANES + lane] != 0),
            Move(word(lanes[(PLAYS + 3) * LANES + lane]), lanes[(FACES + 3) * LANES + lane] != 0),
        )
        after = take_trick(load_table(lanes, lane), trick, rules)
        store_table(lanes, lane, after)
        took = word((led != 0) & (after.leader == 0)) << 31
        before = word(lanes[FIRST_TRICK * LANES + lane])
        lanes[FIRST_TRICK * LANES + lane] = took if lanes[TRICKS * LANES + lane] == 0 else before
        lanes[TRICKS * LANES + lane] += word(led != 0)
    for field in range(PLAYS, TRICKS):
        for lane in range(LANES):
            lanes[field * LANES + lane] = 0


@routine
def play_place(
    lanes: Any, desk: Any, reals: Any, place: int, seats: int, player: int, kind: int, w: Weights,
    multiplier: int, rules: Switches,
) -> None:  # fmt: skip
    """Have one player play wherever it sits at this place of the trick."""
    if kind != FAMILY:
        columns = list_lanes(lanes, desk, place, seats, player, 0, 4)
        play_simply(lanes, desk, columns, place, kind, rules)
    elif place == 0:
        columns = list_lanes(lanes, desk, place, seats, player, 0, 4)
        lead_family(lanes, desk, reals, columns, multiplier, w, rules)
    else:
        for is_single in (True, False):
            fewest, most = (1, 1) if is_single else (2, 4)
            columns = list_lanes(lanes, desk, place, seats, player, fewest, most)
            follow_family(
                lanes, desk, reals, columns, place, is_single, multiplier, w, rules
            )  # fmt: skip


@routine
def play_lanes_out(
    lanes: Any, desk: Any, reals: Any, opening: int, seats: int, kinds: Any,
    first: Weights, second: Weights, third: Weights, fourth: Weights, multiplier: int, rules: Switches,
) -> None:  # fmt: skip
    """Play all lanes from their first trick to their end.

    Parameters
    ----------
    opening : int
        What the leaders lead to that trick; 0: what their policies lead.
    seats : int
        The number of the player in each seat, four bits a seat.
    kinds : int array, 4
        Of the players.
    first, second, third, fourth : Weights
        Of the players.
    """
    for _ in range(8):
        left = word(0)
        for lane in range(LANES):
            left |= word(lanes[SIZE * LANES + lane])
        if left == 0:
            break
        for place in range(4):
            if place == 0 and opening != 0:
                for lane in range(LANES):
                    lanes[PLAYS * LANES + lane] = word(opening) & lanes[FIRST * LANES + lane]
                    lanes[FACES * LANES + lane] = 1
            else:
                look_around(lanes, place, rules)
                for player in range(4):
                    if player == 0:
                        w = first
                    elif player == 1:
                        w = second
                    elif player == 2:
                        w = third
                    else:
                        w = fourth
                    sits = False
                    for seat in range(4):
                        sits = sits or (seats >> (seat << 2) & 15) == player
                    if sits:
                        play_place(
                            lanes, desk, reals, place, seats, player, kinds[player], w, multiplier, rules
                        )
            look_at_plays(lanes, place, rules)
        end_tricks(lanes, rules)
        opening = 0


@kernel
def keep_lanes(
    lanes: Any,
    desk: Any,
    reals: Any,
    seed: Any,
    start: int,
    hands: int,
    seats: int,
    kinds: Any,
    first: Weights,
    second: Weights,
    third: Weights,
    fourth: Weights,
    taking: Taking,
    rules: Switches,
    term: int,
    given: Given,
    opening: int,
    kept: Any,
    row: int,
    rows: int,
) -> None:
    """Play hands with one line-up, many side by side.

    Parameters
    ----------
    lanes : uint32 array of `new_lanes`
    desk, reals : arrays of `new_desk`
    start, hands : int
        Hands `start` to ``start + hands - 1`` of the seed, the same as in any other loop.
    seats, kinds, first, second, third, fourth : int, int64 array, Weights
        See `play_lanes_out`.
    term : int
        The banker's.
    opening : int
        What the banker leads to the first trick; 0: what its policy leads.
    kept : uint32 array, n × 6
        Receives what `blocks.keep_block` keeps of hand i in row ``row + rows * i``.
    """
    done, multiplier = 0, banker_multiplier(rules, term)
    while done < hands:
        if given.keep.size != 0:
            deal_lanes_given(lanes, seed, taking.series, start + done, given)
        else:
            deal_lanes(lanes, seed, start + done, 1, taking)
        set_table(lanes, 0, rules)
        for field in range(PLAYS, TRICKS + 1):
            for lane in range(LANES):
                lanes[field * LANES + lane] = 0
        play_lanes_out(
            lanes, desk, reals, opening, seats, kinds, first, second, third, fourth, multiplier, rules
        )
        write_outcomes(lanes, True, rules)
        for lane in range(min(LANES, hands - done)):
            at = row + rows * (done + lane)
            for field in range(6):
                place = (RESULT, HONOURS, DEALT, DEALT + 1, DEALT + 2, DEALT + 3)[field]
                kept[at, field] = lanes[place * LANES + lane]
            kept[at, 0] |= lanes[FIRST_TRICK * LANES + lane]
        done += LANES
