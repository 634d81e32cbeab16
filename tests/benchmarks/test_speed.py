"""Speeds, next to the yardstick.  Run: pytest tests/benchmarks --benchmark-only -n 0"""

from __future__ import annotations

import pytest

from gupai.analysis.tiengow.bench import works, yardstick


@pytest.mark.parametrize("name", [*works(), ("yardstick", 1)], ids=lambda name: f"{name[0]}, {name[1]}")
def test_speed(benchmark, name: tuple[str, int]) -> None:
    work = works().get(name, yardstick)
    work()  # compiles
    hands = benchmark.pedantic(work, rounds=5)
    benchmark.extra_info["hands"] = hands
    benchmark.extra_info["hands_per_second"] = hands / benchmark.stats.stats.median
