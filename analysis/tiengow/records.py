"""Records of played hands: check, replay, settle, write (``reading.py`` reads them).

Source: the section "Records" of the interface.  Replay calls the same helpers as the kernels, in
plain Python, so that nothing has to be compiled to settle a hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...kernels.tiengow.features import pattern_ending
from ...kernels.tiengow.outcome import Outcome, outcome_of, pattern_outcome
from ...kernels.tiengow.plays import Move, beaters_of_lead, beats, is_combination, kind_of, may_show
from ...kernels.tiengow.settlement import (
    BONUSES,
    COLUMNS,
    FINISH,
    KAM,
    LAST_SIZE,
    SETTLEMENT,
    STACKS,
    SWEEP,
    WINNER,
    settle,
)
from ...kernels.tiengow.switches import Switches
from ...kernels.tiengow.table import Table, Trick, beaters_after, new_table, stacks_of, take_trick
from ..checks import checked, instance
from ..errors import InputError
from ..phrases import Phrase, phrase
from .notation import Tile, codes_of, hand_readings, parse_tiles, pips_of
from .presets import nearest_preset
from .rules import RuleSet

FINISHES = ("plain", "yao", "supreme", "four")
SWEEPS = (None, "seven", "eight")
CHINESE_FINISH = {"yao": "幺結", "supreme": "包尊", "four": "四大包"}
CHINESE_SWEEP = {"seven": "七支", "eight": "八支"}
LARGEST_TERM = 1000


class RecordError(InputError):
    """A record that breaks the rules; `fault` is the kind of fault in a few words."""

    def __init__(self, message: str, fault: str) -> None:
        super().__init__(message)
        self.fault = fault


class Play(NamedTuple):
    """The tiles of one play, as bits, and whether they lie face up."""

    tiles: int
    face_up: bool


class RecordedTrick(NamedTuple):
    """One trick: the leader's seat and four plays in the order of play."""

    leader: int
    plays: tuple[Play, Play, Play, Play]


@dataclass(frozen=True, kw_only=True)
class Record:
    """A hand played to the end under the rules.

    Attributes
    ----------
    rules : RuleSet
    banker : int
        Seat of the banker; seats are 0 to 3, counter-clockwise.
    term : int
        The banker's term, from 1.
    hands : tuple of int
        The tiles dealt to each seat, as bits.
    tricks : tuple of RecordedTrick
    first_leader : int or None
        Who led the first trick, where it was not the banker.
    """

    rules: RuleSet
    banker: int
    term: int
    hands: tuple[int, ...]
    tricks: tuple[RecordedTrick, ...]
    first_leader: int | None = None

    def to_json(self, *, pips: bool = False) -> dict[str, Any]:
        """The record in the form that `read_record` reads, with class codes or with pips."""
        write = pips_of if pips else codes_of
        preset, changed = nearest_preset(self.rules)
        result: dict[str, Any] = {
            "rules": {"preset": preset, **changed},
            "banker": self.banker,
            "term": self.term,
            "hands": [write(hand) for hand in self.hands],
            "tricks": [
                {
                    "leader": trick.leader,
                    "plays": [
                        write(play.tiles) if play.face_up else f"({write(play.tiles)})"
                        for play in trick.plays
                    ],
                }
                for trick in self.tricks
            ],
        }
        if self.first_leader is not None:
            result["first_leader"] = self.first_leader
        return result


@dataclass(frozen=True, kw_only=True)
class Score:
    """A settled hand; lists run over the seats 0 to 3, points sum to zero.

    ``settlement`` and ``bonuses`` are points, ``stacks`` stacks, ``last_size`` tiles; ``kam`` is
    the caught seat.
    """

    winner: int
    stacks: list[int]
    finish: str
    sweep: str | None
    kam: int | None
    settlement: list[int]
    bonuses: list[int]
    total: list[int]
    next_banker: int
    next_term: int
    last_size: int


@checked(record=instance(Record, "a Record, such as read_record gives"))
def score_record(record: Record) -> Score:
    """Replay and settle a record.

    Examples
    --------
    >>> from gupai.analysis import read_record
    >>> hands = ["AABBCCDD", "EEFFGGHH", "IIJJKK99", "88776553"]
    >>> rules = {"preset": "tiengow-ja", "hand_patterns": ["eight_civil"]}
    >>> score_record(read_record({"rules": rules, "banker": 1, "hands": hands, "tricks": []})).sweep
    'eight'
    """
    outcome = replay(record)
    row = [0] * COLUMNS
    settle(outcome.result, outcome.honours, record.rules.switches(), record.term, row)

    def absolute(first: int) -> list[int]:
        return [row[first + (seat - record.banker) % 4] for seat in range(4)]

    winner = (row[WINNER] + record.banker) % 4
    settlement, bonuses = absolute(SETTLEMENT), absolute(BONUSES)
    return Score(
        winner=winner,
        stacks=absolute(STACKS),
        finish=FINISHES[row[FINISH]],
        sweep=SWEEPS[row[SWEEP]],
        kam=None if row[KAM] < 0 else (row[KAM] + record.banker) % 4,
        settlement=settlement,
        bonuses=bonuses,
        total=[points + bonus for points, bonus in zip(settlement, bonuses, strict=True)],
        next_banker=winner,
        next_term=record.term + 1 if winner == record.banker else 1,
        last_size=row[LAST_SIZE],
    )


def replay(record: Record) -> Outcome:
    """The outcome of a record."""
    return play_out(record, record.tricks)[1]


def play_out(record: Record, tricks: Sequence[Any]) -> tuple[list[RecordedTrick], Outcome]:
    """Play the tricks from the dealt hands, checking each play; `record.tricks` is not read."""
    rules = record.rules.switches()
    dealt = tuple(record.hands[(record.banker + place) % 4] for place in range(4))
    for place in range(4):
        ending = pattern_ending(dealt[place], rules)
        if ending:
            seat = (record.banker + place) % 4
            if tricks:
                raise RecordError(
                    f"trick 1: the hand of seat {seat} is a hand pattern, which ends the hand "
                    "before the first lead",
                    "trick too many",
                )
            return [], pattern_outcome(place, ending)

    leader = record.banker if record.first_leader is None else record.first_leader
    start = (leader - record.banker) % 4
    first, second, third, fourth = (dealt[(start + place) % 4] for place in range(4))
    table = new_table(first, second, third, fourth, start)
    played: list[RecordedTrick] = []
    named = _named_by_pips(tricks)
    for number, (named_leader, plays) in enumerate(tricks, 1):
        leader = (table.leader + record.banker) % 4
        if table.size == 0:
            raise RecordError(
                f"trick {number}: all tiles were played with trick {number - 1}", "trick too many"
            )
        if named_leader != leader:
            raise RecordError(
                f"trick {number}: seat {named_leader} leads, but it is seat {leader}'s lead",
                "wrong leader",
            )
        trick, found = _check_trick(table, plays, f"trick {number}", leader, rules, named)
        played.append(RecordedTrick(leader, found))
        table = take_trick(table, trick, rules)
    if table.size:
        raise RecordError(
            f"after trick {len(tricks)} every seat still holds {table.size} tiles: a trick is missing",
            "trick missing",
        )
    banker_led = record.first_leader in (None, record.banker)
    return played, outcome_of(table, dealt[table.leader], banker_led, rules)


def _check_trick(
    table: Table, plays: Sequence[Any], where: str, leader: int, rules: Switches, named: list[int]
) -> tuple[Trick, tuple[Play, Play, Play, Play]]:
    hands = (table.first, table.second, table.third, table.fourth)
    places = [f"{where}, play {place + 1} of seat {(leader + place) % 4}" for place in range(4)]
    if not plays[0][1]:
        raise RecordError(f"{places[0]}: a lead cannot lie face down", "lead face down")
    written = next(hand_readings([_tiles(plays[0][0])]))[0]
    if not is_combination(written):
        raise RecordError(
            f"{places[0]}: {codes_of(written)} is no combination, so it cannot be led",
            "lead no combination",
        )
    led = _held(plays[0][0], hands[0], places[0], named[leader])
    kind = kind_of(led)
    size = led.bit_count()
    beaters = beaters_of_lead(led, kind, rules)
    moves: list[Move] = []
    best = led
    for place in range(1, 4):
        tiles = _held(plays[place][0], hands[place], places[place], named[(leader + place) % 4])
        face_up = plays[place][1]
        if tiles.bit_count() != size:
            raise RecordError(
                f"{places[place]}: plays {tiles.bit_count()} where the lead asks for {size} (tiles)",
                "wrong number of tiles",
            )
        if face_up and not beats(tiles, kind, beaters):
            raise RecordError(
                f"{places[place]}: {codes_of(tiles)} lies face up but does not beat {codes_of(best)}",
                "does not beat",
            )
        seat = table.leader + place & 3
        if face_up and not may_show(hands[place], stacks_of(seat, table.stacks), rules):
            raise RecordError(
                f"{places[place]}: {codes_of(tiles)} lies face up, but a seat without a stack "
                "plays its last tile face down (two-stack rule)",
                "two stacks",
            )
        moves.append(Move(tiles, face_up))
        beaters = beaters_after(moves[-1], led, kind, beaters, rules)
        best = tiles if face_up else best
    found = (Play(led, True), *(Play(move.play, move.face_up) for move in moves))
    return Trick(led, *moves), found  # type: ignore[return-value]


def _named_by_pips(tricks: Sequence[Any]) -> list[int]:
    """For each seat the tiles that its plays name by their pips."""
    named = [0] * 4
    for leader, plays in tricks:
        for place, (tiles, _) in enumerate(plays):
            for tile in _tiles(tiles):
                if len(tile.bits()) == 1:
                    named[(leader + place) % 4] |= 1 << tile.bits()[0]
    return named


def _held(tiles: int | tuple[Tile, ...], hand: int, where: str, named: int) -> int:
    """The bits of a play, found in the hand.

    Where the pips are open it is the lowest that is held, but rather not one that the seat
    names by its pips in another play.
    """
    bits = 0
    for tile in sorted(_tiles(tiles), key=Tile.is_open):
        free = [bit for bit in tile.bits() if (hand & ~bits) >> bit & 1]
        if not free:
            raise RecordError(
                f"{where}: plays {tile}, but the hand left is {codes_of(hand & ~bits) or 'empty'}",
                "not held",
            )
        bits |= 1 << min(free, key=lambda bit: (named >> bit & 1, bit))
    return bits


def _tiles(tiles: int | tuple[Tile, ...]) -> tuple[Tile, ...]:
    return parse_tiles(pips_of(tiles)) if isinstance(tiles, int) else tiles


def term_words(term: int) -> Phrase:
    """A banker's term in words; the first is no streak 連莊.

    Examples
    --------
    >>> term_words(1), term_words(3)
    ('term 1', 'term 3')
    """
    return phrase("term 1") if term == 1 else phrase("term {n}", n=term)
