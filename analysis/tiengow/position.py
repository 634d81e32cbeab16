"""Positions: a hand as one seat sees it in the middle of play.

Source: the sections "Records" and "The others" of the interface.  A position is a record with
null for the hands that the seat cannot see; the last trick may be open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...kernels.keys import no_key
from ...kernels.tiengow.features import pattern_ending
from ...kernels.tiengow.plays import Kind, Move, beats, is_combination
from ...kernels.tiengow.state import (
    BEATS,
    CIVIL_LED,
    LEADER,
    MILITARY_LED,
    PLAYED,
    PLAYS,
    SIZE,
    STACKS,
    STATE,
    VIEW,
    begin,
    fill_rules,
    make_play,
    make_view,
    to_play,
)
from ...kernels.word import word
from ..checks import checked, instance, optional
from ..checks import whole as whole_number
from ..errors import InputError, shown
from .notation import Tile, codes_of, hand_readings
from .presets import SWITCHES, make_rules
from .reading import (
    check_full,
    items,
    parse_json,
    read_hand_of_seat,
    read_play,
    read_rules_of_record,
    whole,
)
from .records import LARGEST_TERM, Record, RecordError
from .rules import RULES, RuleSet

_FIELDS = ("rules", "banker", "term", "hands", "tricks", "first_leader")
_NO_KEY = no_key()


@dataclass(frozen=True, kw_only=True)
class Position:
    """A hand in progress, as the seat whose turn it is sees it.

    Attributes
    ----------
    rules : RuleSet
    term : int
        The banker's term.
    banker, seat : int
        Absolute seats: the banker, and the seat to play.
    state : tuple of int
        The state of ``kernels/tiengow/state.py`` (seats relative to the banker); what lies in the
        places of tiles that the seat has not seen means nothing.
    """

    rules: RuleSet
    term: int
    banker: int
    seat: int
    state: tuple[int, ...]

    def view(self) -> list[int]:
        """What the seat knows, as the policies see it."""
        view = [0] * VIEW
        fill_rules(view, self.rules.switches(), self.term)
        make_view(list(self.state), _NO_KEY, self.rules.switches(), view)
        return view


@checked(rules=optional(RULES), switches=optional(SWITCHES), seat=optional(whole_number(0, 3)))
def read_position(
    data: Mapping[str, Any] | str,
    *,
    rules: RuleSet | None = None,
    switches: Mapping[str, Any] | None = None,
    seat: int | None = None,
) -> Position:
    """Read and check a position.

    Parameters
    ----------
    data : mapping or str
        A record's JSON object, or its text, with null for the hands that are not seen and the
        tricks so far.  What others put face down may be written ``null``, ``(?)`` or with tiles,
        which are not looked at.
    rules : RuleSet, optional
        In place of the position's own.
    switches : mapping, optional
        Switches to change in the rules.
    seat : int, optional
        Whose position it is, where several hands are given; their tiles are not looked at.

    Raises
    ------
    RecordError
        Naming seat, trick, play and reason.

    Examples
    --------
    >>> hands = [None, "AA99BK63", None, None]
    >>> position = read_position({"banker": 1, "hands": hands, "tricks": []})
    >>> position.seat, position.view()[0].bit_count()
    (1, 8)
    """
    data = parse_json(data)
    for name in data:
        if name not in _FIELDS:
            raise RecordError(
                f"{shown(name)}: no such entry. A position has {', '.join(_FIELDS)}", "unknown entry"
            )
    for name in ("hands", "tricks", "banker"):
        if name not in data:
            raise RecordError(f"{name!r} is missing", "entry missing")
    if rules is None:
        rules = read_rules_of_record(data.get("rules", "tiengow-ja"))
    if switches:
        rules = make_rules(rules.model_dump() | dict(switches), where="--set")
    banker = whole(data["banker"], "banker", 0, 3)
    term = whole(data.get("term", 1), "term", 1, LARGEST_TERM)
    first = whole(data.get("first_leader", banker), "first_leader", 0, 3)
    hands = items(data["hands"], "hands", 4)
    given = [number for number, hand in enumerate(hands) if hand is not None]
    if seat is None:
        if len(given) != 1:
            raise RecordError(
                f"hands: {len(given)} of them are given; write your own, and null for the others",
                "wrong entry",
            )
        seat = given[0]
    elif seat not in given:
        raise RecordError(f"hands: that of seat {seat} is not given", "wrong entry")
    own = read_hand_of_seat(hands[seat], seat)
    check_full([own if number == seat else () for number in range(4)], only=seat)
    mine = next(hand_readings([own]))[0]
    if pattern_ending(word(mine), rules.switches()) != 0:
        raise RecordError(
            f"hands: {codes_of(mine)} shows a hand pattern (例牌) of these rules, which ends the hand "
            "before the first lead",
            "over",
        )
    builder = _Builder(rules, banker, term, seat, mine, first)
    tricks = items(data["tricks"], "tricks", None)
    for number, trick in enumerate(tricks, 1):
        where = f"trick {number}"
        if not isinstance(trick, dict) or set(trick) != {"leader", "plays"}:
            raise RecordError(f"{where}: must be an object with leader and plays", "wrong entry")
        leader = whole(trick["leader"], f"{where}, leader", 0, 3)
        plays = items(trick["plays"], f"{where}, plays", None)
        if len(plays) > 4 or (len(plays) < 4 and number < len(tricks)):
            raise RecordError(
                f"{where}: has {len(plays)} plays; only the last trick may be open", "wrong entry"
            )
        builder.lead_by(leader, where)
        for place, text in enumerate(plays):
            player = (leader + place) % 4
            at = f"{where}, play {place + 1} of seat {player}"
            if player == seat and (text is None or "?" in str(text)):
                raise RecordError(f"{at}: write your own tiles, in parentheses if face down", "no play")
            hidden = player != seat and _is_hidden(text)
            tiles, up = ((), False) if hidden else read_play(text, at)
            builder.play(player, tiles, up, at)
    return builder.finish()


@checked(
    record=instance(Record, "a Record, such as read_record gives"),
    seat=whole_number(0, 3), plays=whole_number(0, 31),
)  # fmt: skip
def position_of(record: Record, seat: int, plays: int) -> Position:
    """What a seat saw in a played hand after so many plays, when it was its turn.

    Raises
    ------
    InputError
        If there is no such seat, or there are not so many plays.

    Examples
    --------
    >>> from gupai.analysis import Run, show_hand
    >>> record = show_hand(Run(), 17).record
    >>> position_of(record, 0, 0).seat
    0
    """
    leader = record.banker if record.first_leader is None else record.first_leader
    builder = _Builder(record.rules, record.banker, record.term, seat, record.hands[seat], leader)
    number = 0
    for trick in record.tricks:
        for place, play in enumerate(trick.plays):
            if number == plays:
                return builder.finish()
            builder.enter((trick.leader + place) % 4, play.tiles, play.face_up)
            number += 1
    raise InputError(f"the record has {number} plays, so none number {plays}")


def _is_hidden(text: Any) -> bool:
    """Whether a play of another seat lies face down."""
    return text is None or (isinstance(text, str) and text.strip()[:1] in ("(", "（"))


class _Builder:
    """Plays a position up to where it stands."""

    def __init__(
        self, rules: RuleSet, banker: int, term: int, seat: int, mine: int, first_leader: int
    ) -> None:
        self.rules, self.banker, self.term, self.seat = rules, banker, term, seat
        self._switches = rules.switches()
        self._me = (seat - banker) % 4
        self._mine = mine  # tiles that I hold
        self._seen = mine
        self._state = [0] * STATE
        dealt = [0] * 4
        dealt[self._me] = mine
        begin(self._state, dealt, (first_leader - banker) % 4)

    def lead_by(self, leader: int, where: str) -> None:
        """Check who leads a trick."""
        if self._state[SIZE] == 0:
            raise RecordError(f"{where}: the hand was over before it", "trick after the end")
        expected = (self._state[LEADER] + self.banker) % 4
        if leader != expected:
            raise RecordError(
                f"{where}: seat {leader} leads, but it is seat {expected}'s turn", "wrong leader"
            )

    def play(self, player: int, tiles: tuple[Tile, ...], up: bool, where: str) -> None:
        """Check a play that was read, and enter it."""
        state = self._state
        if state[PLAYED] == 0 and not up:
            raise RecordError(f"{where}: leads face down", "lead face down")
        number = int(state[PLAYS]).bit_count() if state[PLAYED] else 0
        if not tiles:  # of another seat, face down
            self.enter(player, 0, False)
            return
        bits = self._own(tiles, where) if player == self.seat else self._others(tiles, where)
        if state[PLAYED] == 0:
            if not is_combination(bits):
                raise RecordError(f"{where}: {codes_of(bits)} is no combination", "no combination")
            if bits.bit_count() > state[SIZE]:
                raise RecordError(f"{where}: seat {player} has only {state[SIZE]} tiles", "wrong tiles")
        elif bits.bit_count() != number:
            raise RecordError(
                f"{where}: plays {bits.bit_count()} tiles in place of {number}", "wrong number"
            )
        elif up:
            view = [0] * VIEW
            make_view(state, _NO_KEY, self._switches, view)
            kind = Kind(view[CIVIL_LED], view[MILITARY_LED])
            if not beats(bits, kind, view[BEATS]):
                raise RecordError(
                    f"{where}: {codes_of(bits)} does not beat the best play", "does not beat"
                )
            stacks = state[STACKS] >> 4 * ((player - self.banker) % 4) & 15
            if self.rules.two_stacks and state[SIZE] == 1 and stacks == 0:
                raise RecordError(
                    f"{where}: without a stack the last tile stays face down", "two stacks"
                )
        self.enter(player, bits, up)

    def enter(self, player: int, bits: int, up: bool) -> None:
        """Enter a play that is legal; the tiles of what others put face down are dropped."""
        known = bits if up or player == self.seat else 0
        self._seen |= known
        if player == self.seat:
            self._mine &= ~known
        make_play(self._state, Move(word(known), up), self._switches)

    def _own(self, tiles: tuple[Tile, ...], where: str) -> int:
        bits = 0
        for tile in tiles:
            free = [bit for bit in tile.bits() if self._mine & ~bits & 1 << bit]
            if not free:
                raise RecordError(f"{where}: the tile {tile} is not in the hand", "wrong tiles")
            bits |= 1 << free[0]
        return bits

    def _others(self, tiles: tuple[Tile, ...], where: str) -> int:
        bits = 0
        for tile in tiles:
            free = [bit for bit in tile.bits() if not (self._seen | bits) & 1 << bit]
            if not free:
                raise RecordError(f"{where}: every tile {tile} has been seen elsewhere", "tile twice")
            bits |= 1 << free[0]
        return bits

    def finish(self) -> Position:
        """The position, which must be this seat's to play."""
        if self._state[SIZE] == 0:
            raise RecordError("tricks: the hand is over, so there is nothing to advise", "over")
        turn = (to_play(self._state) + self.banker) % 4
        if turn != self.seat:
            raise RecordError(
                f"tricks: it is seat {turn}'s turn, not seat {self.seat}'s; write the plays until yours",
                "wrong turn",
            )
        return Position(
            rules=self.rules,
            term=self.term,
            banker=self.banker,
            seat=self.seat,
            state=tuple(self._state),
        )
