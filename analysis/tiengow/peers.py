"""Speeds beside those of others: full games and decisions per second, one thread, in one run.

No other program plays Tien Gow fast, so the games of others are the nearest that they have: trick
games of four.  Decisions per second are what can be compared; games differ in length.
"""

from __future__ import annotations

import importlib.util
import random
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from ..checks import ROUNDS, checked
from ..phrases import Phrase, phrase
from .bench import time_beside_yardstick, yardstick
from .request import Run
from .show import show_hand
from .simulate import simulate
from .tables import Tables

REFERENCE = Path(__file__).resolve().parents[2] / "tests" / "support" / "reference.py"
SPIEL_GAMES = ("hearts", "spades")
_SAMPLE = 200  # hands by which decisions are counted
_HANDS = {"random": 1 << 20, "greedy": 1 << 20, "tuned": 1 << 13}
_SLOW_HANDS, _SPIEL_GAMES, _SPIEL_GAMES_IN_PYTHON = 100, 3000, 300
Work = Callable[[], int]  # plays some games, and returns how many


class Speed(NamedTuple):
    """How fast something is on one thread, medians over the rounds.

    Attributes
    ----------
    work : Phrase
        What is timed.
    games_per_second : float
        Full games: dealt, played, scored.
    decisions_per_second : float or None
        None for the yardstick.
    to_yardstick : float
        Games to the yardstick's shuffles, timed before and after.

    Examples
    --------
    >>> Speed(phrase("gupai, all {policy}", policy="greedy"), 8e6, 1.9e8, 0.5).work
    'gupai, all greedy'
    """

    work: Phrase
    games_per_second: float
    decisions_per_second: float | None
    to_yardstick: float


def decisions_of(policy: str) -> float:
    """Plays in a hand, by the first hands of a run: each trick has four.

    Examples
    --------
    >>> 20 < decisions_of("greedy") < 32
    True
    """
    run = Run(policies=(policy,) * 4, hands=_SAMPLE)
    tricks = sum(len(show_hand(run, number).record.tricks) for number in range(_SAMPLE))
    return 4 * tricks / _SAMPLE


def _gupai(policy: str) -> Work:
    def play() -> int:
        run = Run(policies=(policy,) * 4, hands=_HANDS[policy])
        Tables(simulate(run, threads=1)).to_json()
        return run.hands

    return play


def reference_engine() -> ModuleType | None:
    """The plain-Python engine of the tests, where the whole project lies beside the package."""
    if not REFERENCE.is_file():
        return None
    spec = importlib.util.spec_from_file_location("gupai_reference", REFERENCE)
    assert spec is not None and spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def reference_hand(engine: Any, shuffler: random.Random) -> None:
    """Deal, play (all `greedy`) and settle one hand with the plain-Python engine."""
    wall = list(engine.TILES)
    shuffler.shuffle(wall)
    hands = [wall[8 * seat : 8 * seat + 8] for seat in range(4)]
    tricks = engine.greedy_tricks(hands, engine.DEFAULTS, 0)
    engine.settle(engine.replay(hands, tricks, engine.DEFAULTS), engine.DEFAULTS)


def _reference(engine: ModuleType) -> Work:
    shuffler = random.Random(1)

    def play() -> int:
        for _ in range(_SLOW_HANDS):
            reference_hand(engine, shuffler)
        return _SLOW_HANDS

    return play


def _spiel(spiel: Any, name: str) -> dict[Phrase, tuple[Work, float]]:
    """OpenSpiel's uniformly random players, whole games in C++, and move by move from Python."""
    game = spiel.load_game(name)
    bots = [spiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    chooser = random.Random(1)
    moves = 0

    def in_cpp() -> int:
        for number in range(_SPIEL_GAMES):
            spiel.evaluate_bots(game.new_initial_state(), bots, number)
        return _SPIEL_GAMES

    def in_python() -> int:
        nonlocal moves
        for _ in range(_SPIEL_GAMES_IN_PYTHON):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(chooser.choices(actions, chances)[0])
                else:
                    state.apply_action(chooser.choice(state.legal_actions()))
                    moves += 1
        return _SPIEL_GAMES_IN_PYTHON

    games = in_python()  # to count the decisions
    decisions = moves / games
    return {
        phrase("OpenSpiel {game}, random, in C++", game=name): (in_cpp, decisions),
        phrase("OpenSpiel {game}, random, from Python", game=name): (in_python, decisions),
    }


def peer_works() -> tuple[dict[Phrase, tuple[Work, float]], list[str]]:
    """What is timed: work to its call and decisions a game; and what is left out, and why."""
    works = {
        phrase("gupai, all {policy}", policy=policy): (_gupai(policy), decisions_of(policy))
        for policy in _HANDS
    }
    missing = []
    engine = reference_engine()
    if engine is None:
        missing.append("the reference engine: it lies in the tests of a checkout, not in the package")
    else:
        name = phrase("reference engine in Python, all greedy")
        works[name] = (_reference(engine), decisions_of("greedy"))
    try:
        import pyspiel
    except ImportError:
        missing.append("OpenSpiel: install it with pip install 'gupai[bench]'")
    else:
        for game in SPIEL_GAMES:
            works |= _spiel(pyspiel, game)
    return works, missing


@checked(rounds=ROUNDS)
def bench_peers(
    *, rounds: int = 5, progress: Callable[[str], None] | None = None
) -> tuple[list[Speed], list[str]]:
    """Time this program and others, each between two runs of the yardstick, on one thread.

    Parameters
    ----------
    rounds : int
        Times each work is timed; medians are given.
    progress : callable, optional
        Called with the name of each work before it is timed.

    Returns
    -------
    tuple of list of Speed and list of str
        The yardstick and everything timed; then what was left out, and why.

    Examples
    --------
    >>> speeds, missing = bench_peers(rounds=1)  # doctest: +SKIP
    """
    works, missing = peer_works()
    yardstick()
    speeds: list[Speed] = []
    yardsticks: list[float] = []
    for what, (work, decisions) in works.items():
        if progress is not None:
            progress(what)
        timed = time_beside_yardstick(work, rounds)
        yardsticks += timed.yardsticks
        speeds.append(Speed(what, timed.speed, timed.speed * decisions, timed.ratio))
    speeds.insert(
        0, Speed(phrase("yardstick: Fisher–Yates shuffles"), statistics.median(yardsticks), None, 1.0)
    )
    return speeds, missing
