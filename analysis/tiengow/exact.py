"""Exact chances of questions on the deal, by counting deals with integers.

Tiles that a question treats alike form a *group* (all military tiles, the two tiles of a class, one
tile …).  Groups that a count couples, such as civil and military tiles of a family, form a *unit*.
The units are dealt one after another; a *state* is how many tiles each bin holds so far and how far
each count has come, with the number of ways to come there.  A *bin* is a seat that the question
names, or the other seats together.  Counts stop at the largest number that the question can tell
apart.  No number exceeds that of all deals, 32! / (8!)^4 < 2^63, so 64-bit integers are exact.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ...kernels.tiengow.features import red_pips
from ...kernels.tiengow.tiles import CIVIL_CLASSES, SINGLE_TILES
from ..checks import checked, optional
from ..phrases import phrase
from .notation import Tile, code_of_bit
from .questions import QUESTION, And, Atom, Count, Has, Not, Or, Question, Who, atoms
from .rules import RULES, RuleSet

SEATS: tuple[Who, ...] = ("banker", "right", "across", "left")
TILES = 32
WIDEST = 4_000_000  # states to be looked at in one step
_PARTNER = dict(zip("ABCD", "9875", strict=True)) | dict(zip("9875", "ABCD", strict=True))


class TooWideError(ValueError):
    """A question that would take too many states to count exactly."""


@dataclass(frozen=True)
class Measure:
    """Something to be counted in one seat's hand: a count of a feature, or named tiles held."""

    seat: Who
    feature: str  # of the dealt hand, or "has"
    tiles: tuple[Tile, ...] = ()


def _read(atom: Atom) -> tuple[str, tuple[Tile, ...]]:
    if isinstance(atom, Has):
        return "has", tuple(sorted(atom.tiles, key=str))
    assert isinstance(atom, Count)
    return atom.what, ()


def _seats(who: Who) -> tuple[Who, ...]:
    return SEATS if who in ("anyone", "everyone", "nobody") else (who,)


class Counting:
    """The groups, units and measures of some questions under a rule set."""

    def __init__(self, questions: Iterable[Question], rules: RuleSet) -> None:
        self.rules = rules
        found = [atom for question in questions for atom in atoms(question)]
        self.measures: dict[Measure, int] = {}  # with the largest count to be told apart
        for atom in found:
            assert isinstance(atom, (Has, Count))
            feature, tiles = _read(atom)
            for seat in _seats(atom.who):
                measure = Measure(seat, feature, tiles)
                most = self.target(measure) if isinstance(atom, Has) else max(0, atom.number + 1)
                self.measures[measure] = max(self.measures.get(measure, 0), most)
        named = [seat for seat in SEATS if any(m.seat == seat for m in self.measures)]
        self.bins: list[tuple[Who, ...]] = [(seat,) for seat in named]
        if len(named) < 4:
            self.bins.append(tuple(seat for seat in SEATS if seat not in named))
        self.capacities = [8 * len(seats) for seats in self.bins]
        self.units, self.bulk = self._split()
        self.alike = self._alike(found)

    def _alike(self, found: Sequence[Atom]) -> NDArray[np.intp]:
        """Which columns of a state belong to seats that no atom names: they may change places.

        Row i has, for one quantity (tiles held, then each measure), its column for each such seat;
        measures stand behind the bins.
        """
        said = {atom.who for atom in found if isinstance(atom, (Has, Count))}
        seats = [seat for seat in SEATS if seat not in said]
        if len(self.bins) < len(SEATS) or len(seats) < 2:
            return np.zeros((0, 0), np.intp)
        columns = {measure: len(self.bins) + n for n, measure in enumerate(self.measures)}
        kinds = dict.fromkeys((m.feature, m.tiles) for m in self.measures if m.seat == seats[0])
        rows = [[columns[Measure(seat, *kind)] for seat in seats] for kind in kinds]
        return np.array([[SEATS.index(seat) for seat in seats], *rows], np.intp)

    def merge_alike(self, states: NDArray[np.int64], scales: NDArray[np.int64]) -> None:
        """Put the seats that no atom names in one order, so that states that differ in it are one."""
        if self.alike.size == 0:
            return
        keys = np.zeros((len(states), self.alike.shape[1]), np.int64)
        for row in self.alike:
            keys = keys * scales[row[0]] + states[:, row]
        order = np.argsort(keys, axis=1)
        for row in self.alike:
            states[:, row] = np.take_along_axis(states[:, row], order, axis=1)

    def _split(self) -> tuple[list[list[tuple[int, ...]]], int]:
        """The units, each a list of groups (bits), and how many tiles no measure looks at."""
        specs = list(dict.fromkeys((m.feature, m.tiles) for m in self.measures))
        groups: dict[tuple[object, ...], list[int]] = {}
        for bit in range(TILES):
            groups.setdefault(tuple(self._label(spec, bit) for spec in specs), []).append(bit)
        nothing = tuple(None for _ in specs)
        bulk = len(groups.pop(nothing, []))
        # Groups with tiles of one class, or of partner classes where a count couples them.
        coupled = {"mixed", "threes", "fours"} & {feature for feature, _ in specs}
        units: dict[str, list[tuple[int, ...]]] = {}
        for bits in groups.values():
            classes = {code_of_bit(bit) for bit in bits}
            name = min(classes) if len(classes) == 1 else "+".join(sorted(classes))
            if len(classes) == 1 and coupled and name in _PARTNER:
                name = min(name, _PARTNER[name])
            if "supreme" in {feature for feature, _ in specs} and name in ("6", "3"):
                name = "63"
            units.setdefault(name, []).append(tuple(bits))
        return list(units.values()), bulk

    def _label(self, spec: tuple[str, tuple[Tile, ...]], bit: int) -> object:
        """How a measure sees a tile: None if not at all; tiles with equal labels are alike."""
        feature, tiles = spec
        code = code_of_bit(bit)
        if feature == "has":
            same = [tile for tile in tiles if tile.code == code]
            told = any(_is_told(tile) for tile in same)
            return (code, bit if told else 0) if same else None
        if feature == "civil":
            return "civil" if code in CIVIL_CLASSES else None
        if feature == "military":
            return None if code in CIVIL_CLASSES else "military"
        if feature == "pairs":
            return None if code in SINGLE_TILES else code
        if feature == "supreme":
            return code if code in SINGLE_TILES or (code == "K" and self._kk_is_supreme()) else None
        if feature == "red":
            return red_pips(1 << bit, self.rules.switches()) or None
        return code if code in _PARTNER else None

    def _kk_is_supreme(self) -> bool:
        return self.rules.supreme_civil != "off"

    def gain(self, measure: Measure, held: dict[int, int]) -> int:
        """What a unit adds to a measure where one seat holds `held` tiles of each class or bit.

        `held` maps a bit to 1 for each tile held; tiles that are alike are the lowest ones.
        """
        codes: dict[str, int] = {}
        for bit in held:
            codes[code_of_bit(bit)] = codes.get(code_of_bit(bit), 0) + 1
        feature = measure.feature
        if feature == "has":
            return self._named_held(measure.tiles, held, codes)
        if feature in ("civil", "military"):
            return sum(n for code, n in codes.items() if (code in CIVIL_CLASSES) == (feature == "civil"))
        if feature == "red":
            return sum(red_pips(1 << bit, self.rules.switches()) for bit in held)
        if feature == "pairs":
            return sum(n == 2 for code, n in codes.items())
        if feature == "supreme":
            kk = self._kk_is_supreme() and codes.get("K", 0) == 2
            return (codes.get("6", 0) and codes.get("3", 0)) + kk
        total = 0
        for civil in "ABCD":
            c, m = codes.get(civil, 0), codes.get(_PARTNER[civil], 0)
            if feature == "mixed":
                total += c > 0 and m > 0
            elif feature == "threes":
                total += (c == 2 and m > 0) + (m == 2 and c > 0)
            else:
                total += c == 2 and m == 2
        return total

    def gains(self, unit: list[tuple[int, ...]], numbers: Sequence[tuple[int, ...]]) -> list[int]:
        """What dealing a unit adds to each measure; `numbers` has, for each group, tiles a bin."""
        gains = []
        for measure, most in self.measures.items():
            number = self.bins.index((measure.seat,))
            held = {
                bit: 1
                for group, to_bins in zip(unit, numbers, strict=True)
                for bit in group[: to_bins[number]]
            }
            gains.append(min(int(self.gain(measure, held)), most))
        return gains

    def ways_of_the_rest(self, used: NDArray[np.int64]) -> NDArray[np.int64]:
        """In how many ways the tiles that no measure looks at fill the bins, and the bins the seats."""
        inside = math.prod(
            math.factorial(8 * len(seats)) // math.factorial(8) ** len(seats) for seats in self.bins
        )
        left = np.array(self.capacities) - used
        fits = (left >= 0).all(axis=1) & (left.sum(axis=1) == self.bulk)
        result = np.zeros(len(used), np.int64)
        rows, place = np.unique(left[fits], axis=0, return_inverse=True)
        ways = [
            math.factorial(self.bulk) // math.prod(map(math.factorial, row)) * inside
            for row in rows.tolist()
        ]
        result[fits] = np.array(ways, np.int64)[place.ravel()] if ways else 0
        return result

    @staticmethod
    def _named_held(tiles: tuple[Tile, ...], held: dict[int, int], codes: dict[str, int]) -> int:
        """How many of the classes among the named tiles this unit satisfies."""
        satisfied = 0
        for code in {tile.code for tile in tiles}:
            told = [tile.bits()[0] for tile in tiles if tile.code == code and _is_told(tile)]
            wanted = sum(tile.code == code for tile in tiles)
            satisfied += codes.get(code, 0) >= wanted and all(bit in held for bit in told)
        return satisfied

    def target(self, measure: Measure) -> int:
        """For ``has``: the number of classes to be satisfied."""
        return len({tile.code for tile in measure.tiles})


def _is_told(tile: Tile) -> bool:
    """Whether a tile names one of two unlike tiles by its pips."""
    return not tile.is_open() and Tile(tile.code, None).is_open()


def distributions(size: int, bins: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """All ways to put `size` like tiles into bins, at most eight each, and how many each stands for."""
    if bins == 1:
        yield (size,), 1
        return
    for first in range(size + 1):
        for rest, ways in distributions(size - first, bins - 1):
            yield (first, *rest), math.comb(size, first) * ways


@dataclass
class _Step:
    """The ways to deal one unit, merged: packed tiles and gains, and numbers of ways."""

    used: NDArray[np.int64]  # n × bins
    gains: NDArray[np.int64]  # n × measures
    ways: NDArray[np.int64]


def _unit_step(counting: Counting, unit: list[tuple[int, ...]]) -> _Step:
    bins = len(counting.bins)
    merged: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    for choice in itertools.product(*(list(distributions(len(group), bins)) for group in unit)):
        used = tuple(sum(numbers[b] for numbers, _ in choice) for b in range(bins))
        if any(u > c for u, c in zip(used, counting.capacities, strict=True)):
            continue
        gains = counting.gains(unit, [numbers for numbers, _ in choice])
        ways = math.prod(ways for _, ways in choice)
        key = (used, tuple(gains))
        merged[key] = merged.get(key, 0) + ways
    return _Step(
        np.array([used for used, _ in merged], np.int64).reshape(len(merged), bins),
        np.array([gains for _, gains in merged], np.int64).reshape(len(merged), -1),
        np.array(list(merged.values()), np.int64),
    )


@dataclass(frozen=True)
class DealCounts:
    """All that some questions can tell of a deal: for each state its number of deals.

    Attributes
    ----------
    values : dict
        For each measure one number a state.
    deals : int64 array
        Deals of each state; they sum to 32! / (8!)^4.
    """

    counting: Counting
    values: dict[Measure, NDArray[np.int64]]
    deals: NDArray[np.int64]

    def truth(self, question: Question) -> NDArray[np.bool_]:
        """In which states a question is true."""
        if isinstance(question, Not):
            return ~self.truth(question.part)
        if isinstance(question, (And, Or)):
            combine = np.logical_and if isinstance(question, And) else np.logical_or
            return combine.reduce([self.truth(part) for part in question.parts])  # type: ignore[no-any-return]
        assert isinstance(question, (Has, Count))
        feature, tiles = _read(question)
        each = []
        for seat in _seats(question.who):
            measure = Measure(seat, feature, tiles)
            value = self.values[measure]
            if isinstance(question, Has):
                each.append(value >= self.counting.target(measure))
            else:
                each.append(compare(value, question.comparison, question.number))
        return over_seats(question.who, each)


def compare(value: NDArray[np.int64], comparison: str, number: int) -> NDArray[np.bool_]:
    """Numbers compared as a question says."""
    operations = {
        "=": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater,
        ">=": np.greater_equal,
    }  # fmt: skip
    return operations[comparison](value, number)


def over_seats(who: Who, each: Sequence[NDArray[np.bool_]]) -> NDArray[np.bool_]:
    """What holds for one seat or of all four, as the word for who says."""
    if who == "everyone":
        return np.logical_and.reduce(each)  # type: ignore[no-any-return]
    anyone = np.logical_or.reduce(each)
    return ~anyone if who == "nobody" else anyone  # type: ignore[no-any-return]


def count_deals(questions: Sequence[Question], rules: RuleSet) -> DealCounts:
    """Count the deals of every state that the questions can tell apart.

    Raises
    ------
    TooWideError
        If that takes too many states.
    """
    counting = Counting(questions, rules)
    bins, measures = len(counting.bins), len(counting.measures)
    used = np.zeros((1, bins), np.int64)
    gains = np.zeros((1, measures), np.int64)
    ways = np.ones(1, np.int64)
    most = np.array(list(counting.measures.values()), np.int64)
    capacities = np.array(counting.capacities, np.int64)
    scales = np.concatenate([capacities + 1, np.minimum(most, 63) + 1])
    if float(np.prod(scales.astype(float))) > 2.0**62:
        raise TooWideError(phrase("too many counts at once"))
    for unit in sorted(counting.units, key=len, reverse=True):
        step = _unit_step(counting, unit)
        if ways.size * step.ways.size > WIDEST:
            raise TooWideError(phrase("too many states"))
        now = (used[:, None, :] + step.used[None, :, :]).reshape(-1, bins)
        fits = (now <= capacities).all(axis=1)
        counted = np.minimum((gains[:, None, :] + step.gains[None, :, :]).reshape(-1, measures), most)
        number = (ways[:, None] * step.ways[None, :]).ravel()
        states = np.concatenate([now[fits], counted[fits]], axis=1)
        counting.merge_alike(states, scales)
        packed = np.ravel_multi_index(tuple(states.T), tuple(int(s) for s in scales))
        _, first, place = np.unique(packed, return_index=True, return_inverse=True)
        ways = np.zeros(first.size, np.int64)
        np.add.at(ways, place, number[fits])
        used, gains = states[first, :bins], states[first, bins:]
    deals = ways * counting.ways_of_the_rest(used)
    values = {measure: gains[:, n] for n, measure in enumerate(counting.measures)}
    return DealCounts(counting, values, deals)


@dataclass(frozen=True)
class ExactChance:
    """An exact chance: deals in which it holds, of those that meet the condition."""

    favourable: int
    possible: int

    @property
    def fraction(self) -> Fraction:
        """The chance in lowest terms."""
        return Fraction(self.favourable, self.possible)


@checked(event=QUESTION, rules=RULES, given=optional(QUESTION))
def exact_chance(event: Question, rules: RuleSet, given: Question | None = None) -> ExactChance:
    """The exact chance of an event on the deal, given a condition on the deal.

    Parameters
    ----------
    event, given : Question
        Both on the dealt hands alone.
    rules : RuleSet
        What counts as supreme, and the red pips of 6-6.

    Raises
    ------
    TooWideError
        If counting takes too many states.

    Examples
    --------
    >>> from gupai.analysis import RuleSet, parse_question
    >>> exact_chance(parse_question("anyone has 63"), RuleSet()).fraction
    Fraction(7, 31)
    """
    counts = count_deals([event] if given is None else [event, given], rules)
    possible = np.ones(counts.deals.size, bool) if given is None else counts.truth(given)
    favourable = counts.truth(event) & possible
    return ExactChance(int(counts.deals[favourable].sum()), int(counts.deals[possible].sum()))
