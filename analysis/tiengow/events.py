"""Questions answered on hands that were played: one truth value a hand."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...kernels.tiengow.features import red_pips
from ...kernels.tiengow.outcome import SETTLED_BITS
from ...kernels.tiengow.settlement import (
    BONUSES,
    COLUMNS,
    FINISH,
    FOUR_BONUSES,
    KAM,
    LAST_SIZE,
    SETTLEMENT,
    STACKS,
    SUPREME_BONUSES,
    SWEEP,
    WINNER,
    settle_all,
)
from ...kernels.tiengow.tiles import CIVIL, FAMILIES, MILITARY, SUPREME, K, held, partners, twins
from .exact import SEATS, compare, over_seats
from .notation import Tile, code_of_bit
from .questions import (
    NAMED,
    And,
    AtEnd,
    Count,
    Has,
    Kam,
    LastSize,
    LastTile,
    Named,
    Not,
    Or,
    Question,
    Who,
    Wins,
)
from .rules import RuleSet

Truth = NDArray[np.bool_]
Hands = NDArray[np.uint32]


class PlayedHands:
    """Hands as a kernel kept them, settled when a question asks for it.

    Parameters
    ----------
    kept : uint32 array, n × 6
        Result, honours and the dealt hands of banker, right, across and left.
    rules : RuleSet
        To settle under.
    term : int
        The banker's term.
    """

    def __init__(self, kept: Hands, rules: RuleSet, term: int) -> None:
        self._kept, self._rules, self._term = kept, rules, term

    def __len__(self) -> int:
        return len(self._kept)

    @cached_property
    def _settled(self) -> NDArray[np.int64]:
        """One row of `COLUMNS` a hand."""
        result = self._kept[:, 0] & np.uint32(SETTLED_BITS)
        keys = result.astype(np.uint64) | self._kept[:, 1].astype(np.uint64) << np.uint64(32)
        distinct, place = np.unique(keys, return_inverse=True)
        rows = np.zeros((distinct.size, COLUMNS), np.int64)
        low = (distinct & np.uint64(2**32 - 1)).astype(np.uint32)
        high = (distinct >> np.uint64(32)).astype(np.uint32)
        settle_all(low, high, self._rules.switches(), self._term, rows)
        return rows[place.ravel()]

    def _column(self, column: int) -> NDArray[np.int64]:
        return self._settled[:, column]

    def _winner(self) -> NDArray[np.intp]:
        return (self._kept[:, 0] & 3).astype(np.intp)

    def _dealt(self, who: Who) -> Hands:
        if who == "winner":
            return self._kept[np.arange(len(self)), 2 + self._winner()]
        return self._kept[:, 2 + SEATS.index(who)]

    def _count(self, who: Who, what: str) -> NDArray[np.int64]:
        return count_of(self._dealt(who), what, self._rules)

    def truth(self, question: Question) -> Truth:
        """For each hand whether a question is true of it.

        Examples
        --------
        >>> from gupai.analysis import RuleSet, parse_question
        >>> hands = PlayedHands(np.zeros((0, 6), np.uint32), RuleSet(), 1)
        >>> hands.truth(parse_question("kam or banker has AA")).tolist()
        []
        """
        match question:
            case Not(part):
                return ~self.truth(part)
            case And(parts):
                return np.logical_and.reduce([self.truth(part) for part in parts])  # type: ignore[no-any-return]
            case Or(parts):
                return np.logical_or.reduce([self.truth(part) for part in parts])  # type: ignore[no-any-return]
            case Has(who, tiles):
                return self._each(who, lambda seat: holds(self._dealt(seat), tiles))
            case Count(what, who, sign, number):
                return self._each(
                    who,
                    lambda seat: compare(count_of(self._dealt(seat), what, self._rules), sign, number),
                )
            case Wins(who):
                return self._each(who, self._wins)
            case AtEnd(what, who, sign, number):
                return self._each(who, lambda seat: compare(self._at_end(what, seat), sign, number))
            case Named("bonus", equal, name):
                paid = self._column(SUPREME_BONUSES if name == "supreme" else FOUR_BONUSES) > 0
                return paid == equal  # type: ignore[no-any-return]
            case Named(what, equal, name):
                column = self._column(FINISH if what == "finish" else SWEEP)
                return (column == NAMED[what].index(name)) == equal  # type: ignore[no-any-return]
            case Kam():
                return self._column(KAM) >= 0
            case LastSize(sign, number):
                return compare(self._column(LAST_SIZE), sign, number)
            case LastTile(equal, code):
                bits = [bit for bit in range(32) if code_of_bit(bit) == code]
                single = self._column(LAST_SIZE) == 1
                return (single & np.isin(self._kept[:, 0] >> 26 & 31, bits)) == equal  # type: ignore[no-any-return]
        raise AssertionError(question)

    def _each(self, who: Who, ask: object) -> Truth:
        assert callable(ask)
        if who in ("anyone", "everyone", "nobody"):
            return over_seats(who, [ask(seat) for seat in SEATS])
        return ask(who)  # type: ignore[no-any-return]

    def _wins(self, seat: Who) -> Truth:
        if seat == "winner":
            return np.ones(len(self), bool)
        return self._column(WINNER) == SEATS.index(seat)  # type: ignore[no-any-return]

    def _at_end(self, what: str, seat: Who) -> NDArray[np.int64]:
        number = self._winner() if seat == "winner" else np.full(len(self), SEATS.index(seat))
        hand = np.arange(len(self))
        if what == "stacks":
            return self._settled[hand, STACKS + number]  # type: ignore[no-any-return]
        return self._settled[hand, SETTLEMENT + number] + self._settled[hand, BONUSES + number]  # type: ignore[no-any-return]


def holds(hands: Hands, tiles: tuple[Tile, ...]) -> Truth:
    """Which hands hold at least these tiles.

    Examples
    --------
    >>> from gupai.analysis import parse_tiles
    >>> holds(np.array([0b1001, 0b1000], np.uint32), parse_tiles("63")).tolist()
    [True, False]
    """
    result = np.ones(len(hands), bool)
    for code in {tile.code for tile in tiles}:
        same = [tile for tile in tiles if tile.code == code]
        told = [tile.bits()[0] for tile in same if not tile.is_open() and len(tile.bits()) == 1]
        first = same[0].code
        mask = np.uint32(sum(1 << bit for bit in range(32) if code_of_bit(bit) == first))
        result &= np.bitwise_count(hands & mask) >= len(same)
        for bit in told:
            result &= (hands >> np.uint32(bit) & 1) == 1
    return result


def count_of(hands: Hands, what: str, rules: RuleSet) -> NDArray[np.int64]:
    """A feature of dealt hands, one of `DEAL_COUNTS`.

    Examples
    --------
    >>> count_of(np.array([0xC00C0000], np.uint32), "fours", RuleSet()).tolist()  # AA99
    [1]
    """
    if what in ("military", "civil"):
        found = np.bitwise_count(hands & np.uint32(MILITARY if what == "military" else CIVIL))
        return found.astype(np.int64)  # type: ignore[no-any-return]
    if what == "red":
        return _red(hands, rules)
    if what == "supreme":
        kk = ((hands & np.uint32(K)) == K) & (rules.supreme_civil != "off")
        return ((hands & np.uint32(SUPREME)) == SUPREME).astype(np.int64) + kk  # type: ignore[no-any-return]
    beside = partners(hands)  # type: ignore[arg-type]
    both, military = twins(hands), twins(beside)  # type: ignore[arg-type]
    mixed = held(hands) & held(beside) & FAMILIES  # type: ignore[arg-type]
    if what == "pairs":
        return np.bitwise_count(both).astype(np.int64)  # type: ignore[no-any-return]
    if what == "mixed":
        return np.bitwise_count(mixed).astype(np.int64)  # type: ignore[no-any-return]
    if what == "fours":
        return np.bitwise_count(mixed & both & military).astype(np.int64)  # type: ignore[no-any-return]
    threes = np.bitwise_count(mixed & both) + np.bitwise_count(mixed & military)
    return threes.astype(np.int64)  # type: ignore[no-any-return]


def _red(hands: Hands, rules: RuleSet) -> NDArray[np.int64]:
    total = np.zeros(len(hands), np.int64)
    for bit in range(32):
        if pips := red_pips(1 << bit, rules.switches()):
            total += pips * (hands >> np.uint32(bit) & 1).astype(np.int64)
    return total
