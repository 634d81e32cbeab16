"""Tournaments and tuning, as calls and as commands."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import tomllib

import numpy as np
import pytest

from gupai.analysis import InputError, RuleSet, Tuning, find_policy, tournament, tune
from gupai.analysis.tiengow.duplicate import Duplicates
from gupai.analysis.tiengow.telling import to_tell
from gupai.reports.cli import main

TINY = Tuning(
    rules=RuleSet(), pool=("greedy", "self"), steps=4, population=6, elite=3, deals=8, check=40, seed=5
)


def run(capsys, *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


# ---------------------------------------------------------------- tournaments


def test_tournament__counts_what_was_played() -> None:
    """Every cell again, from the line-ups one by one."""
    names = ["greedy", "random", "tuned"]
    result = tournament(names, deals=60, seed=9)
    assert result.hands == 60 * 4 * 6 and sorted(s.policy for s in result.ranking) == sorted(names)
    players = [find_policy(name) for name in names]
    for i, player in enumerate(players):
        assert result.table[i][i].mean == result.table[i][i].se == 0
        for j, other in enumerate(players):
            if i != j:
                per_deal = np.zeros(60)
                for seat in range(4):
                    lineup = [1] * 4
                    lineup[seat] = 0
                    points = Duplicates([player, other], [lineup], RuleSet(), seed=9).points(0, 60)
                    per_deal += points[:, 0, seat] / 4
                cell = result.table[i][j]
                assert cell.mean == pytest.approx(per_deal.mean())
                assert cell.se == pytest.approx(per_deal.std(ddof=1) / np.sqrt(60))
    means = [standing.points.mean for standing in result.ranking]
    assert means == sorted(means, reverse=True)
    for gap, (better, worse) in zip(result.gaps, itertools.pairwise(means), strict=True):
        assert gap.difference.mean == pytest.approx(better - worse)
    assert 0 <= result.skill <= 1 and 0 <= result.cards <= 1


def test_tournament__same_numbers_for_any_threads() -> None:
    one, three = (tournament(["tuned", "public-b"], deals=700, threads=n).to_json() for n in (1, 3))
    assert one == three


def test_tournament__knows_the_strong_from_the_weak() -> None:
    """Differences of 3 points and more; 400 deals give a standard error below 0.4."""
    ranking = tournament(["random", "public-b", "tuned", "greedy"], deals=400).ranking
    assert [standing.policy for standing in ranking] == ["tuned", "greedy", "public-b", "random"]


def test_tournament__json_form_and_command(capsys) -> None:
    words = ("tournament", "tuned", "greedy", "--deals", "300", "--set", "kam=4")
    status, out, _ = run(capsys, *words, "--format", "json")
    result = json.loads(out)
    assert status == 0 and result["policies"] == ["tuned", "greedy"] and result["hands"] == 300 * 8
    assert len(result["table"]) == 2 and set(result["table"][0][1]) == {"mean", "se"}
    assert sorted(result["ranking"]) == ["greedy", "tuned"]
    again = result["command"].split()[1:]
    assert json.loads(run(capsys, *again, "--format", "json")[1]) == result
    text = run(capsys, *words)[1]
    for part in ("1. ", "one seat ↓ against three →", "hands at a table", "skill", "gupai tournament"):
        assert part in text
    rows = list(csv.DictReader(io.StringIO(run(capsys, *words, "--format", "csv")[1])))
    assert len(rows) == 4


@pytest.mark.parametrize(
    "words, complaint",
    [
        ((), "takes two policies or more"),
        (("tuned",), "takes two policies or more"),
        (("tuned", "tuned"), "named twice"),
        (("tuned", "greeedy"), "Did you mean greedy"),
        (("tuned", "greedy", "--deals", "1"), "--deals 1"),
        (("tuned", "greedy", "--deals", "x"), "--deals x"),
        (("tuned", "greedy", "--threads", "0"), "--threads 0"),
        (("tuned", "none.toml"), "cannot be read"),
        (("tuned", "greedy", "--seed", "-1"), "--seed -1"),
    ],
)
def test_tournament__bad_input(capsys, words: tuple[str, ...], complaint: str) -> None:
    status, out, err = run(capsys, "tournament", *words)
    assert status == 2 and not out and complaint in err and "Traceback" not in err


# ---------------------------------------------------------------- tuning


def test_tune__interrupted_search_goes_on_to_the_same_policy(tmp_path) -> None:
    whole = tune(TINY, tmp_path / "whole.toml", threads=1)
    steps = []

    def stop(step) -> None:
        steps.append(step.number)
        if step.number == 2:
            raise KeyboardInterrupt

    part = tmp_path / "part.toml"
    assert tune(TINY, part, progress=stop) is None and not part.exists()
    assert (
        tune(TINY, part, threads=2, progress=lambda step: steps.append(step.number)).weights
        == whole.weights
    )
    assert steps == [1, 2, 3, 4]
    assert part.read_text() == (tmp_path / "whole.toml").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["part.toml", "whole.toml"]
    record = tomllib.loads(part.read_text())["training"]
    assert record["steps"] == 4 and record["pool"] == ["greedy", "self"]
    mean, low, high = record["points"]["against three greedy"]
    assert low < mean < high


def test_tune__frozen_weights_stay(tmp_path) -> None:
    from dataclasses import replace

    from gupai.kernels.tiengow.weights import WEIGHT_NAMES

    frozen = tuple(name for name in WEIGHT_NAMES if name != "pair")
    found = tune(replace(TINY, frozen=frozen), tmp_path / "x.toml")
    before = dict(zip(WEIGHT_NAMES, find_policy("tuned").weights, strict=True))
    after = dict(zip(WEIGHT_NAMES, found.weights, strict=True))
    changed = {name for name in before if abs(before[name] - after[name]) > 1e-3}
    assert changed == {"pair"}


def test_tune__finds_what_was_spoilt(tmp_path) -> None:
    """From a policy that shuns the last trick, thirty small steps gain points, beyond 4 errors."""
    from gupai.analysis import policy_toml

    spoilt = find_policy("tuned").with_weights(last_trick=-20.0, stack=-5.0, run=0.0)
    (tmp_path / "spoilt.toml").write_text(policy_toml(spoilt), encoding="utf-8")
    request = Tuning(
        rules=RuleSet(), start=str(tmp_path / "spoilt.toml"), pool=("greedy",), steps=12, population=16,
        elite=4, deals=40, check=400, spread=0.6,
    )  # fmt: skip
    found = tune(request, tmp_path / "found.toml")
    from gupai.analysis.tiengow.tune import points_against

    greedy = [find_policy("greedy")]
    how = {"rules": RuleSet(), "start": 10**6, "deals": 400, "seed": 3}
    gain = points_against(found, greedy, **how)[:, 0] - points_against(spoilt, greedy, **how)[:, 0]
    assert gain.mean() > 4 * gain.std(ddof=1) / np.sqrt(gain.size)


def test_tune__refuses_another_search_and_bad_requests(tmp_path) -> None:
    (tmp_path / "x.toml.state").write_text('{"identity": {}, "step": 1}')
    with pytest.raises(InputError, match="is damaged"):
        tune(TINY, tmp_path / "x.toml")
    with pytest.raises(InputError, match="must end in"):
        tune(TINY, tmp_path / "x.txt")
    with pytest.raises(InputError, match="cannot be written there"):
        tune(TINY, tmp_path / "nowhere" / "x.toml")
    for bad, complaint in (
        ({"population": 2}, "--population 2"),
        ({"elite": 40}, "--elite 40"),
        ({"start": "greedy"}, "no policy of the heuristic family"),
        ({"pool": ()}, "names no opponent"),
        ({"pool": ("nobody",)}, "no such policy"),
        ({"frozen": ("piar",)}, "Did you mean pair"),
        ({"spread": float("nan")}, "--spread"),
    ):
        with pytest.raises(InputError, match=complaint):
            Tuning(rules=RuleSet(), **bad)


def test_tune__command(capsys, tmp_path) -> None:
    path = str(tmp_path / "mine.toml")
    words = ("--steps", "1", "--population", "4", "--elite", "2", "--deals", "4", "--check", "20")
    status, out, err = run(capsys, "tune", "--out", path, *words, "--pool", "greedy")
    assert status == 0 and out.startswith(path) and "[training]" in out and "step 1" in err
    status, out, _ = run(
        capsys, "simulate", "--policy", f"{path},greedy,greedy,greedy", "--hands", "200"
    )
    assert status == 0 and "banker 莊" in out
    status, _, err = run(capsys, "tune", "--out", str(tmp_path / "x.txt"))
    assert status == 2 and "must end in .toml" in err


def test_policies__command(capsys) -> None:
    status, out, _ = run(capsys, "policies")
    assert status == 0
    for name in ("random", "greedy", "public-a", "public-b", "tuned", "cautious", "bold", "block-banker",
                 "safe-banker", "control", "honour-late"):  # fmt: skip
        assert f"{name}\n    " in out
    listed = json.loads(run(capsys, "policies", "--format", "json")[1])
    assert all(beliefs.count(".") >= 2 for beliefs in listed.values())  # two plain sentences
    assert "last_trick = " in run(capsys, "policies", "bold")[1]
    status, _, err = run(capsys, "policies", "greedy")
    assert status == 2 and "has no weights" in err


def test_tournament__tells_no_more_of_the_gaps_than_is_known(capsys) -> None:
    """Too few deals: no interval; enough: a range, without end where the two may be equally good."""
    few = tournament(["random", "greedy"], deals=60)
    assert math.isnan(few.gaps[0].hands_range[0]) and math.isnan(few.skill_range[0])
    found = tournament(["random", "greedy"], deals=200)
    (gap,) = found.gaps
    assert gap.duplicate_range[0] < gap.duplicate_deals < gap.duplicate_range[1]
    assert gap.hands_range[0] < gap.hands < gap.hands_range[1] < math.inf
    assert found.skill_range[0] < found.skill < found.skill_range[1]
    assert found.cards_range[0] <= found.cards <= found.cards_range[1]
    close = np.tile([1.0, -1.0, 0.1, 0.0], 100)
    number, (low, high) = to_tell(close, close**2)
    assert low < number and high == math.inf
    assert to_tell(np.zeros(400), np.zeros(400))[0] == math.inf


def test_tournament__of_two_copies_speaks_of_deals_not_hands(tmp_path, capsys) -> None:
    """Only the mean of each deal is the same: the seats of a deal win and lose as ever."""
    assert main(["policies", "cautious"]) == 0
    text = capsys.readouterr().out
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text(text.replace("cautious", name), encoding="utf-8")
    files = [str(tmp_path / f"{name}.toml") for name in ("one", "two")]
    assert main(["tournament", *files, "--deals", "130"]) == 0
    out = capsys.readouterr().out
    assert "(the mean of every deal)" in out and "in every hand" not in out and "nan" not in out
    neighbours = next(line for line in out.splitlines() if " before " in line)
    assert neighbours.split()[-2:] == ["unknown", "unknown"]
