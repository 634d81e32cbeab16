"""Populations that are known in whole, to draw from: a long run stands for the truth."""

from __future__ import annotations

from functools import cache

import numpy as np

from gupai.analysis import Run, SessionRun, Tables, find_policy, load_rules, simulate
from gupai.analysis.tiengow.session import SessionPlayer
from gupai.analysis.tiengow.tournament import _Worker
from gupai.kernels.tiengow.booking import CHANGES, HIGH, LOW, TOTAL

SEATS = ("banker", "right", "across", "left")


@cache
def points(rules: str, policies: tuple[str, ...], seat: str, term: int = 1, fours: int | None = None):
    """Values and chances of a seat's points in a hand."""
    run = Run(
        rules=load_rules(rules), policies=policies, term=term, hands=200_000, seed=5,
        by=None if fours is None else "fours",
    )  # fmt: skip
    tables = Tables(simulate(run))
    found = tables if fours is None else tables.split()[fours]
    table = found._table
    values = (table[f"settlement_{seat}"] + table[f"bonuses_{seat}"]).to_numpy()
    distinct, place = np.unique(values, return_inverse=True)
    hands = np.bincount(place.ravel(), weights=table["hands"].to_numpy())
    return distinct, hands / hands.sum()


@cache
def sessions(policies: tuple[str, ...], hands: int, number: int) -> dict[str, np.ndarray]:
    """What each of many sessions came to."""
    player = SessionPlayer(SessionRun(policies=policies, hands=hands, sessions=number, seed=9))
    kept = []
    keep = player.tally.add

    def add(rows, standings):
        kept.append(rows.copy())
        keep(rows, standings)

    player.tally.add = add
    player.play(0, number)
    rows = np.concatenate(kept, axis=1)
    return {
        "points": rows[TOTAL], "swing": rows[HIGH] - rows[LOW], "changes": rows[CHANGES],
        "gap": rows[TOTAL] - rows[TOTAL + 1], "lowest": rows[LOW],
    }  # fmt: skip


@cache
def contest(policies: tuple[str, ...], deals: int) -> tuple[np.ndarray, np.ndarray]:
    """A tournament's points (deals × policies × others × seats) and counts, deal by deal."""
    rules = load_rules("tiengow-ja")
    pairs = [(i, j) for i in range(len(policies)) for j in range(len(policies)) if i != j]
    players = [find_policy(name, rules) for name in policies]
    worker = _Worker(players, pairs, rules=rules, seed=11, term=1)
    for start in range(0, deals, 256):
        worker.play(start, min(256, deals - start))
    found = np.concatenate([worker.points[start] for start in sorted(worker.points)])
    counts = np.concatenate([worker.counts[start] for start in sorted(worker.counts)])
    return found.reshape(deals, len(policies), -1, 4), counts
