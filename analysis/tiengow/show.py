"""One hand of a run, replayed: its wall, dice and plays, as a record and as a transcript."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...kernels.tiengow.blocks import play_and_show
from ...kernels.tiengow.deal import PATTERNS, taking
from ...kernels.tiengow.single import deal_one_hand
from ..checks import checked, whole
from ..phrases import Phrase, listed, phrase
from .duplicate import legal_play
from .notation import chinese_of, codes_of, written
from .playing import Player
from .records import (
    CHINESE_FINISH,
    CHINESE_SWEEP,
    Play,
    Record,
    RecordedTrick,
    Score,
    score_record,
    term_words,
)
from .request import DEALS, LARGEST_HANDS, RUN, SEAT_WORDS, SEATS, Run

_IN_COLUMN = phrase("banker "), phrase("right  "), phrase("across "), phrase("left   ")


@dataclass(frozen=True, kw_only=True)
class ShownHand:
    """A hand of a run: its number, the wall (tile bits, column by column), record and score.

    Under a condition the hands are dealt without a wall.
    """

    run: Run
    number: int
    wall: tuple[int, ...]
    first_taker: int
    from_right: bool
    record: Record
    score: Score

    def transcript(self) -> str:
        """The hand as a player reads it.

        Examples
        --------
        >>> from gupai.analysis import Run, show_hand
        >>> print(show_hand(Run(), 17).transcript().splitlines()[0])
        Hand 17 of seed 1, deal pairs_of_columns 端から2列, shuffle perfect, banker's term 1
        """
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """The lines of the transcript; what is to be said in another language is a phrase."""
        run = self.run
        pattern = PATTERNS[DEALS.index(run.deal)]
        head = phrase(
            "Hand {number} of seed {seed}, deal {deal}, shuffle {shuffle}, banker's {term}",
            number=self.number, seed=run.seed, deal=f"{run.deal} {pattern.chinese}",
            shuffle=run.shuffle, term=term_words(run.term),
        )  # fmt: skip
        lines: list[str] = [head, ""]
        if run.given is not None:
            lines += [phrase("Dealt to meet: {condition}", condition=run.given), ""]
        else:
            lines.append(phrase("Wall, 8 columns from the left, top to bottom:"))
            for layer in range(4):
                layer_tiles = [codes_of(1 << self.wall[4 * column + layer]) for column in range(8)]
                lines.append("    " + " ".join(layer_tiles))
            first = _seat(self.first_taker)
            takes = (
                phrase("By the dice {seat} takes first, counted from the right end.", seat=first)
                if self.from_right
                else phrase("By the dice {seat} takes first.", seat=first)
            )
            lines += [takes, ""]
        for hand, name, policy in zip(self.record.hands, _IN_COLUMN, run.policies, strict=True):
            line = phrase(
                "{seat} {tiles}  {names}  ({policy})",
                seat=name, tiles=written(hand), names=chinese_of(hand), policy=policy,
            )  # fmt: skip
            lines.append(line)
        return [*lines, *self._tricks(), "", self._result()]

    def _tricks(self) -> list[Phrase]:
        lines = []
        stacks = [0] * 4
        for number, trick in enumerate(self.record.tricks, 1):
            shown = []
            best = 0
            for place, play in enumerate(trick.plays):
                tiles = written(play.tiles, out_of_sight=not play.face_up)
                shown.append(phrase("{seat} {tiles}", seat=_seat(trick.leader + place), tiles=tiles))
                best = place if play.face_up else best
            winner = (trick.leader + best) % 4
            size = trick.plays[0].tiles.bit_count()
            stacks[winner] += size
            line = phrase(
                "  {number}. {plays} → {winner} +{size} (stacks {stacks})",
                number=number, plays=listed(shown), winner=_seat(winner), size=size,
                stacks=" ".join(map(str, stacks)),
            )  # fmt: skip
            lines.append(line)
        if not self.record.tricks:
            seat = _seat(self.score.winner)
            lines.append(phrase("  例牌: the hand pattern of {seat} ends the hand.", seat=seat))
        return lines

    def _result(self) -> Phrase:
        score = self.score
        ending = "".join(
            f" · {name}"
            for name in (CHINESE_FINISH.get(score.finish), CHINESE_SWEEP.get(score.sweep or ""))
            if name
        )
        won = phrase("結 {seat}{ending}", seat=_seat(score.winner), ending=ending)
        if score.kam is not None:
            won = phrase("{won} · 擒 of {seat}", won=won, seat=_seat(score.kam))
        points = listed(
            [
                phrase("{seat} {points}", seat=seat, points=signed(total))
                for seat, total in zip(SEAT_WORDS.values(), score.total, strict=True)
            ]
        )
        if not any(score.bonuses):
            return phrase("{won}: {points}", won=won, points=points)
        bonuses = " ".join(map(signed, score.bonuses))
        return phrase(
            "{won}: {points} (of it bonuses: {bonuses})", won=won, points=points, bonuses=bonuses
        )


def _seat(number: int) -> Phrase:
    return SEAT_WORDS[SEATS[number % 4]]


@checked(run=RUN)
def show_hand(run: Run, number: int) -> ShownHand:
    """Deal and play hand `number` of a run again.

    Parameters
    ----------
    run : Run
    number : int
        From 0.

    Raises
    ------
    InputError
        If the number is negative or too large.

    Examples
    --------
    >>> show_hand(Run(), 17).score == score_record(show_hand(Run(), 17).record)
    True
    """
    number = whole(0, LARGEST_HANDS - 1)("--show", number)
    wall, dealt = np.zeros(34, np.int64), np.zeros(4, np.int64)
    plays = np.zeros((8, 10), np.int64)
    seed, switches, player = np.uint64(run.seed), run.rules.switches(), Player(run)
    if run.given is None:
        deal_one_hand(seed, number, taking(DEALS.index(run.deal)), wall, dealt)
    else:
        dealt[:] = player.keep(number, 1)[0, 2:]
    players = run.players()
    kinds = np.array([player.kind for player in players])
    weights = np.array([player.row() for player in players])
    worlds = np.array([player.worlds for player in players])
    with legal_play():
        play_and_show(
            seed, player.series, number, kinds, weights, worlds, switches, run.term, dealt, plays
        )
    tricks = []
    for row in plays.tolist():
        if row[1]:
            first, second, third, fourth = (
                Play(tiles, bool(face_up)) for tiles, face_up in zip(row[2:6], row[6:], strict=True)
            )
            tricks.append(RecordedTrick(row[0], (first, second, third, fourth)))
    record = Record(
        rules=run.rules,
        banker=0,
        term=run.term,
        hands=tuple(dealt.tolist()),
        tricks=tuple(tricks),
    )
    return ShownHand(
        run=run,
        number=number,
        wall=tuple(wall[:32].tolist()),
        first_taker=int(wall[32]),
        from_right=bool(wall[33]),
        record=record,
        score=score_record(record),
    )


def signed(points: int) -> str:
    """Points with their sign, nought without.

    Examples
    --------
    >>> signed(5), signed(-5), signed(0)
    ('+5', '-5', '0')
    """
    return f"{points:+d}" if points else "0"
