"""The table between two tricks, and how a trick changes it.

Everything is in the order of play: `first` is the hand of the leader.
Source: "The hand", points 2 to 4, of the rules.
"""

from __future__ import annotations

from typing import NamedTuple

from .._jit import helper
from ..word import word
from .plays import Kind, Move, is_supreme, kind_of, place_of
from .switches import Switches
from .tiles import SUPREME, above


class Table(NamedTuple):
    """The table between two tricks, hands in the order of play."""

    first: int
    second: int
    third: int
    fourth: int
    size: int  # tiles in each hand
    leader: int  # seat
    stacks: int  # four bits a seat
    shown: int  # tiles played face up
    opening: int  # the hand's first lead
    fours: int  # nine bits for each trick of fours, the latest lowest: see `four_event`
    supremes: int  # who led supreme: see `supreme_event`
    last_led: int  # of the last trick: the tiles led,
    last_best: int  # the tiles that won,
    last_tiles: int  # all tiles,
    last_leader: int  # and the leader


class Trick(NamedTuple):
    """Four plays in the order of play."""

    led: int
    second: Move
    third: Move
    fourth: Move


@helper
def new_table(first: int, second: int, third: int, fourth: int, leader: int) -> Table:
    """The table before the first trick, hands in the order of play from the leader."""
    no = word(0)
    return Table(first, second, third, fourth, word(8), leader, no, no, no, no, no, no, no, no, no)


@helper
def stacks_of(seat: int, stacks: int) -> int:
    """How many stacks a seat holds."""
    return stacks >> (seat << 2) & 15


@helper
def beaters_after(move: Move, led: int, kind: Kind, beaters: int, rules: Switches) -> int:
    """What beats the best play after a follower's move; nothing beats JJ that took supreme KK."""
    beaten = word(0) if is_supreme(led, rules) else above(place_of(move.play, kind))
    return beaten if move.face_up else beaters


@helper
def take_trick(table: Table, trick: Trick, rules: Switches) -> Table:
    """The table after a trick: its winner has the stacks and leads the next one.

    A trick played with empty hands changes nothing.
    """
    led, second, third, fourth = trick.led, trick.second, trick.third, trick.fourth
    # The hands that remain, and again with each follower in the lead.
    one, two = table.first ^ led, table.second ^ second.play
    three, four = table.third ^ third.play, table.fourth ^ fourth.play
    ahead = word(0)
    best = led
    in_order = (one, two, three, four)
    if second.face_up:
        ahead, best, in_order = word(1), second.play, (two, three, four, one)
    if third.face_up:
        ahead, best, in_order = word(2), third.play, (three, four, one, two)
    if fourth.face_up:
        ahead, best, in_order = word(3), fourth.play, (four, one, two, three)

    kind = kind_of(led)
    size = kind.civil + kind.military
    winner = table.leader + ahead & 3
    shown = led | (second.play if second.face_up else word(0))
    shown |= third.play if third.face_up else word(0)
    shown |= fourth.play if fourth.face_up else word(0)

    fours = table.fours
    if size == 4:
        fours = (fours << 9) | four_event(table.leader, winner, trick)
    return Table(
        in_order[0],
        in_order[1],
        in_order[2],
        in_order[3],
        table.size - size,
        winner,
        table.stacks + (size << (winner << 2)),
        table.shown | shown,
        led if table.size == 8 else table.opening,
        fours,
        table.supremes | supreme_event(led, table.leader, winner, rules),
        led if size != 0 else table.last_led,
        best if size != 0 else table.last_best,
        led | second.play | third.play | fourth.play if size != 0 else table.last_tiles,
        table.leader if size != 0 else table.last_leader,
    )


@helper
def four_event(leader: int, winner: int, trick: Trick) -> int:
    """A trick of fours: 1, leader (2 bits), winner (2 bits), seats that showed a four (4 bits)."""
    showed = word(1) << leader
    showed |= word(trick.second.face_up) << (leader + 1 & 3)
    showed |= word(trick.third.face_up) << (leader + 2 & 3)
    showed |= word(trick.fourth.face_up) << (leader + 3 & 3)
    return 1 | leader << 1 | winner << 3 | showed << 5


@helper
def supreme_event(led: int, leader: int, winner: int, rules: Switches) -> int:
    """A supreme lead: 1 and the leader of 63 (3 bits), then 1, leader and winner of KK (5 bits)."""
    if led == SUPREME:
        return 1 | leader << 1
    civil = 1 | leader << 1 | winner << 3
    return civil << 3 if is_supreme(led, rules) else word(0)
