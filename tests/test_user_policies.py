"""Policies that a user writes in Python."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gupai.analysis import InputError, Run, check_policy, find_policy, simulate, tournament
from gupai.analysis.tiengow.duplicate import Duplicates
from gupai.reports.cli import main

SOURCE = '''
"""Policies for the tests."""
from numba import njit

from gupai.kernels.tiengow.plays import Kind, options, tiles_of
from gupai.kernels.tiengow.state import BEATS, CIVIL_LED, HAND, MAY_SHOW, MILITARY_LED, POSITION, TRICK
from gupai.kernels.tiengow.tiles import first_tiles
from gupai.kernels.word import integer, lowest, word


def lowest_first(view):
    """Lead the lowest tile; beat as cheaply as can be."""
    if view[POSITION] == 0:
        return integer(lowest(word(view[HAND])))
    hand = word(view[HAND])
    kind = Kind(word(view[CIVIL_LED]), word(view[MILITARY_LED]))
    place = lowest(options(hand, kind) & word(view[BEATS]))
    if place != 0 and view[MAY_SHOW]:
        return integer(tiles_of(place, hand, kind))
    return -integer(first_tiles(hand, view[CIVIL_LED] + view[MILITARY_LED]))


def whole_hand(view):
    return view[HAND]


def nothing(view):
    return 0


def huge(view):
    return 1 << 40


def writes(view):
    bits = integer(lowest(word(view[HAND])))
    if view[POSITION]:
        bits = integer(first_tiles(word(view[HAND]), view[CIVIL_LED] + view[MILITARY_LED]))
    view[TRICK] = 7
    return bits


def a_text(view):
    return "A"


def two(view, rules):
    return 1


def raises(view):
    if view[POSITION] == 2:
        raise ValueError("boo")
    return integer(first_tiles(word(view[HAND]), max(view[CIVIL_LED] + view[MILITARY_LED], 1)))


def beside(view):
    return view[1000]


def unknown(view):
    return no_such_name(view)


number = 3


@njit
def is_early(seen):
    return seen[15] < 2


def early(view):
    """Beat nothing in the first two tricks."""
    answer = lowest_first_of(view)
    return -answer if view[POSITION] != 0 and answer > 0 and is_early(view) else answer


lowest_first_of = njit(lowest_first)


def late(view):
    bits = lowest_first_of(view)
    return -bits if view[POSITION] != 0 and bits > 0 and view[TRICK] > 5 else bits
'''


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> str:
    """One file for all tests: each policy in it is compiled once."""
    path = tmp_path_factory.mktemp("policies") / "Mine.py"
    path.write_text(SOURCE)
    return str(path)


def test_user_policy__plays_at_full_tables(path: str) -> None:
    name = f"{path}:lowest_first"
    assert check_policy(name, positions=300).fault == ""
    assert find_policy(name).beliefs == "Lead the lowest tile; beat as cheaply as can be."
    run = Run(policies=(name, "tuned", name, "greedy"), hands=2000)
    assert int(simulate(run, threads=2).counts.sum()) == 2000
    assert run.provenance()["policy_digests"][0] == find_policy(name).digest()
    result = tournament([name, "greedy"], deals=200)
    assert {standing.policy for standing in result.ranking} == {name, "greedy"}


def test_user_policy__follows_as_greedy_does(path: str) -> None:
    """The same rule for followers, written by a user: the first trick goes to the same side."""
    name = f"{path}:lowest_first"
    mine, greedy = find_policy(name), find_policy("greedy")
    # Only its leads differ from greedy's.
    lineups = [[0, 1, 1, 1], [0, 0, 0, 0]]
    kept = (
        Duplicates([greedy, mine], lineups, Run(policies=("greedy",) * 4).rules)
        .keep(0, 400)
        .reshape(400, 2, 6)
    )
    one_trick = (kept[:, 0, 0] >> np.uint32(31)) == (kept[:, 1, 0] >> np.uint32(31))
    assert one_trick.all()  # the first trick: greedy leads, all follow alike


@pytest.mark.parametrize(
    "function, complaint",
    [
        ("whole_hand", "not legal"),
        ("nothing", "not legal"),
        ("huge", "not legal"),
        ("writes", "writes to the view"),
        ("raises", "raises ValueError: boo with"),
        ("beside", "raises IndexError: index is out of bounds"),
    ],
)
def test_policy_check__finds_faults(path: str, function: str, complaint: str, capsys) -> None:
    name = f"{path}:{function}"
    assert complaint in check_policy(name, positions=60).fault
    assert main(["policy-check", name, "--positions", "60"]) == 2
    assert complaint in capsys.readouterr().out


@pytest.mark.parametrize(
    "function, complaint",
    [
        ("a_text", "must return tile bits"),
        ("two", "must take one argument"),
        ("unknown", "numba cannot compile it"),
        ("missing", "has no function missing; it has: lowest_first"),
        ("number", "is no function"),
    ],
)
def test_user_policy__that_cannot_be_used(path: str, function: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        find_policy(f"{path}:{function}")


def test_user_policy__files_that_cannot_be_used(tmp_path) -> None:
    (tmp_path / "broken.py").write_text("def f(view:\n")
    with pytest.raises(InputError, match="running the file failed: SyntaxError"):
        find_policy(str(tmp_path / "broken.py:f"))
    with pytest.raises(InputError, match="cannot be read"):
        find_policy(str(tmp_path / "none.py:f"))
    (tmp_path / "leaves.py").write_text("raise SystemExit(0)\n")
    with pytest.raises(InputError, match="SystemExit: 0"):
        find_policy(str(tmp_path / "leaves.py:f"))


def test_user_policy__illegal_play_is_one_sentence(path: str, capsys) -> None:
    words = ["simulate", "--policy", f"{path}:whole_hand", "--hands", "100"]
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert not out and "policy-check FILE.py:NAME tells where" in err and "Traceback" not in err


@pytest.mark.parametrize("function, told", [("early", True), ("late", True), ("lowest_first", False)])
def test_policy_check__tells_who_reads_a_place_that_changed(
    path: str, function: str, told: bool, capsys
) -> None:
    """TRICK counts tricks, not tiles: by name, by number, or in a helper."""
    assert main(["policy-check", f"{path}:{function}", "--positions", "50"]) == 0
    out, err = capsys.readouterr()
    assert "keeps the rules" in out
    assert ("It reads view[TRICK], which now counts the tricks before this one" in err) == told


def test_policy_check__command(path: str, capsys) -> None:
    assert main(["policy-check", f"{path}:lowest_first", "--positions", "50"]) == 0
    assert "keeps the rules of a policy in 150 positions" in capsys.readouterr().out
    assert main(["policy-check", "tuned", "--positions", "50", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["fault"] == ""
