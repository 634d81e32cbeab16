"""A hand in progress, play by play, and what each seat may know of it.

The state is an array of integers: the `Table` between tricks in the order of its members, the
plays of the trick that lies open, and what each seat was dealt, has shown and has put face down.
Seats are relative to the banker.  `make_view` is the one place where knowledge is handed out:
every policy of this loop gets the view that it builds and nothing else.
"""

from __future__ import annotations

from typing import Any

from .._jit import helper, routine
from ..streams import DECISIONS, Key, draw
from ..word import count, integer, word
from .outcome import Outcome, outcome_of
from .plays import Move, beaters_of_lead, is_supreme, kind_of, may_show, place_of
from .settlement import banker_multiplier
from .switches import SWITCHES, Switches
from .table import Table, Trick, stacks_of, take_trick
from .tiles import ALL, above

# The state: the table,
FIRST, SECOND, THIRD, FOURTH, SIZE, LEADER, STACKS, SHOWN, OPENING, FOURS, SUPREMES = range(11)
LAST_LED, LAST_BEST, LAST_TILES, LAST_LEADER = range(11, 15)
# the open trick in the order of play (tiles, face up), how many have played, the best play's
# tiles, its place in that order, and the places that beat it,
PLAYS, FACES, PLAYED, BEST, BEST_PLACE, BEATERS = 15, 19, 23, 24, 25, 26
# and by seat: the tiles dealt, shown face up, and put face down.
DEALT, UP, DOWN = 27, 31, 35
FIRST_WINNER = 39  # who took the first trick; -1 before its end
FIRST_LEADER = 40
TRICKS = 41  # tricks that have ended
STATE = 42

# The view of a seat.  "Mine" is 0, then the seats in the order of play from me.
HAND = 0  # my tiles
MY_DOWN = 1  # what I have put face down
SHOWN_BY = 2  # + seat: tiles shown face up (mine too)
UNSEEN = 6  # tiles that I have not seen: in the others' hands, or face down before them
TILES_OF = 7  # + seat: tiles in its hand
STACKS_OF = 11  # + seat
TRICK = 15  # tricks before this one, however many tiles each took
POSITION = 16  # 0: I lead
LED = 17  # tiles led
CIVIL_LED, MILITARY_LED = 18, 19  # how many of them are civil, military
BEST_PLAY = 20  # tiles of the best play
BEST_SEAT = 21  # whose it is
BEATS = 22  # places that beat it, see ``plays.py``
MAY_SHOW = 23  # whether the two-stack rule lets me play face up
SEAT = 24  # mine, 0 the banker
MULTIPLIER = 25  # the banker's
LUCK = 26  # 32 random bits of my own
OPENED = 27  # the lead of the first trick, 0 before that has ended
TERM = 28  # the banker's
RULES = 29  # + number of the switch, in the order of `Switches`
VIEW = RULES + SWITCHES


@helper
def load_table(state: Any) -> Table:
    """The table in a state."""
    return Table(
        word(state[FIRST]),
        word(state[SECOND]),
        word(state[THIRD]),
        word(state[FOURTH]),
        word(state[SIZE]),
        word(state[LEADER]),
        word(state[STACKS]),
        word(state[SHOWN]),
        word(state[OPENING]),
        word(state[FOURS]),
        word(state[SUPREMES]),
        word(state[LAST_LED]),
        word(state[LAST_BEST]),
        word(state[LAST_TILES]),
        word(state[LAST_LEADER]),
    )


@helper
def store_table(state: Any, table: Table) -> None:
    """Write a table back."""
    state[FIRST], state[SECOND] = integer(table.first), integer(table.second)
    state[THIRD], state[FOURTH] = integer(table.third), integer(table.fourth)
    state[SIZE], state[LEADER] = integer(table.size), integer(table.leader)
    state[STACKS], state[SHOWN] = integer(table.stacks), integer(table.shown)
    state[OPENING], state[FOURS] = integer(table.opening), integer(table.fours)
    state[SUPREMES], state[LAST_LED] = integer(table.supremes), integer(table.last_led)
    state[LAST_BEST], state[LAST_TILES] = integer(table.last_best), integer(table.last_tiles)
    state[LAST_LEADER] = integer(table.last_leader)


@helper
def begin(state: Any, dealt: Any, leader: int) -> None:
    """The state before the first trick; `dealt` are the hands by seat."""
    for field in range(STATE):
        state[field] = 0
    for place in range(4):
        state[FIRST + place] = dealt[leader + place & 3]
        state[DEALT + place] = dealt[place]
    state[SIZE], state[LEADER], state[FIRST_LEADER], state[FIRST_WINNER] = 8, leader, leader, -1


@helper
def to_play(state: Any) -> int:
    """The seat whose turn it is."""
    seat: int = state[LEADER] + state[PLAYED] & 3
    return seat


@routine
def fill_rules(view: Any, rules: Switches, term: int) -> None:
    """The part of a view that is the same all through a run."""
    view[MULTIPLIER], view[TERM] = banker_multiplier(rules, term), term
    number = RULES
    for value in rules:
        view[number] = value
        number += 1


@routine
def make_view(state: Any, key: Key, rules: Switches, view: Any) -> None:
    """What the seat whose turn it is may know; `fill_rules` has filled in the rules."""
    position = state[PLAYED]
    seat = to_play(state)
    hand = state[FIRST + position]
    seen = hand
    for place in range(4):
        other = seat + place & 3
        view[SHOWN_BY + place] = state[UP + other]
        seen |= state[UP + other]
        played = 1 if (other - state[LEADER] & 3) < position else 0
        view[TILES_OF + place] = state[SIZE] - played * count_of(state[PLAYS])
        view[STACKS_OF + place] = integer(stacks_of(word(other), word(state[STACKS])))
    view[HAND], view[MY_DOWN] = hand, state[DOWN + seat]
    view[UNSEEN] = ALL & ~(seen | state[DOWN + seat])
    view[TRICK] = state[TRICKS]
    view[POSITION], view[SEAT] = position, seat
    view[LED] = state[PLAYS] if position > 0 else 0
    kind = kind_of(word(view[LED]))
    view[CIVIL_LED], view[MILITARY_LED] = integer(kind.civil), integer(kind.military)
    view[BEST_PLAY] = state[BEST] if position > 0 else 0
    view[BEST_SEAT] = state[LEADER] + state[BEST_PLACE] - seat & 3 if position > 0 else 0
    view[BEATS] = state[BEATERS] if position > 0 else 0
    view[MAY_SHOW] = int(may_show(word(hand), word(view[STACKS_OF]), rules))
    view[LUCK] = integer(draw(key, DECISIONS + seat, 8 - state[SIZE]))
    view[OPENED] = state[OPENING]


@helper
def count_of(tiles: int) -> int:
    """How many tiles these are."""
    return integer(count(word(tiles)))


@routine
def make_play(state: Any, move: Move, rules: Switches) -> None:
    """Let the seat whose turn it is play, and end the trick after the fourth play."""
    place = state[PLAYED]
    seat = to_play(state)
    play = integer(move.play)
    up = place == 0 or move.face_up
    state[PLAYS + place], state[FACES + place] = play, int(up)
    if up:
        state[BEST], state[BEST_PLACE], state[UP + seat] = play, place, state[UP + seat] | play
    else:
        state[DOWN + seat] |= play
    led = word(state[PLAYS])
    kind = kind_of(led)
    if place == 0:
        state[BEATERS] = integer(beaters_of_lead(led, kind, rules))
    elif up:  # nothing beats JJ that took supreme KK
        beaten = word(0) if is_supreme(led, rules) else above(place_of(move.play, kind))
        state[BEATERS] = integer(beaten)
    state[PLAYED] = place + 1
    if place == 3:
        trick = Trick(
            led,
            Move(word(state[PLAYS + 1]), state[FACES + 1] != 0),
            Move(word(state[PLAYS + 2]), state[FACES + 2] != 0),
            Move(word(state[PLAYS + 3]), state[FACES + 3] != 0),
        )
        store_table(state, take_trick(load_table(state), trick, rules))
        state[PLAYED] = 0
        state[TRICKS] += 1
        if state[FIRST_WINNER] < 0:
            state[FIRST_WINNER] = state[LEADER]


@routine
def finished(state: Any, rules: Switches) -> Outcome:
    """The outcome record of a hand that has been played to the end."""
    table = load_table(state)
    banker_led = state[FIRST_LEADER] == 0
    return outcome_of(table, word(state[DEALT + integer(table.leader)]), banker_led, rules)
