"""Speeds beside those of others: what is timed is whole games, and what is missing is told."""

from __future__ import annotations

import json
import random
import sys

import pytest

from gupai.analysis.tiengow import peers
from gupai.reports.cli import main

import reference


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(peers, "_HANDS", dict.fromkeys(peers._HANDS, 100))
    monkeypatch.setattr(peers, "_SLOW_HANDS", 2)
    monkeypatch.setattr(peers, "_SPIEL_GAMES", 2)
    monkeypatch.setattr(peers, "_SPIEL_GAMES_IN_PYTHON", 2)


def test_bench_peers__lists_the_reference_engine(short, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    assert main(["bench", "--peers", "--rounds", "1", "--format", "json"]) == 0
    out, err = capsys.readouterr()
    rows = {row["work"]: row for row in json.loads(out)}
    assert "left out: OpenSpiel: install it with pip install 'gupai[bench]'" in err
    ours, slow = rows["gupai, all greedy"], rows["reference engine in Python, all greedy"]
    assert ours["decisions_per_second"] / ours["games_per_second"] == pytest.approx(
        slow["decisions_per_second"] / slow["games_per_second"]
    )
    assert rows["yardstick: Fisher–Yates shuffles"]["decisions_per_second"] is None


def test_bench_peers__beside_open_spiel(short, capsys):
    pytest.importorskip("pyspiel", reason="the extra gupai[bench] is not installed")
    assert main(["bench", "--peers", "--rounds", "1"]) == 0
    out = capsys.readouterr().out
    assert "OpenSpiel hearts, random, in C++" in out and "decisions/s" in out


def test_bench_peers__outside_of_a_checkout__says_what_is_missing(monkeypatch, tmp_path):
    monkeypatch.setattr(peers, "REFERENCE", tmp_path / "reference.py")
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    works, missing = peers.peer_works()
    assert not any("reference" in name for name in works)
    assert [text.split(":")[0] for text in missing] == ["the reference engine", "OpenSpiel"]


def test_reference_hand__is_a_whole_hand(monkeypatch):
    """Eight stacks are taken and nothing is won or lost in sum."""
    settled = []
    settle = reference.settle
    monkeypatch.setattr(reference, "settle", lambda *words: settled.append(settle(*words)))
    shuffler = random.Random(5)
    for _ in range(20):
        peers.reference_hand(reference, shuffler)
    assert len(settled) == 20
    for result in settled:
        assert sum(result["settlement"]) == 0 and sum(result["stacks"]) == 8


def test_decisions__of_greedy__count_its_plays():
    assert 20 < peers.decisions_of("greedy") < 32
