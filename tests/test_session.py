"""Sessions against a plain-Python session of the reference engine, and closed forms."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import random
import shlex

import numpy as np
import pytest
from plain_session import dealt, plain_session
from scipy import stats

from gupai.analysis import DEALS, InputError, RuleSet, SessionRun, play_sessions, session
from gupai.analysis.tiengow.session import SessionPlayer, wash_strength
from gupai.kernels._jit import kernel
from gupai.kernels.tiengow.booking import (
    BANKER,
    BROKE,
    CHANGES,
    HANDS,
    HIGH,
    LONGEST,
    LOW,
    OVER,
    POINTS,
    SESSION,
    TOTAL,
    Terms,
    book_hands,
    new_sessions,
)
from gupai.kernels.tiengow.lane_fields import LANES, RESULT, new_lanes
from gupai.kernels.tiengow.session import play_sessions_singly
from gupai.reports.cli import main

import reference
from bridge import random_rules


def kernel_rows(run: SessionRun) -> tuple[np.ndarray, SessionPlayer]:
    """The rows of all sessions of a run, in order."""
    kept = []
    player = SessionPlayer(run)
    add = player.tally.add
    player.tally.add = lambda rows, standings: (kept.append(rows.copy()), add(rows, standings))
    player.play(0, run.sessions)
    return np.concatenate(kept, axis=1).T, player


def check(run: SessionRun) -> None:
    rows, player = kernel_rows(run)
    streaks = np.zeros_like(player.tally.streaks)
    moved = np.zeros_like(player.tally.moved)
    for number in range(run.sessions):
        plain, row = plain_session(run, number), rows[number].tolist()
        assert row[TOTAL : TOTAL + 4] == plain["total"], (number, run)
        assert row[HIGH : HIGH + 4] == plain["high"] and row[LOW : LOW + 4] == plain["low"]
        assert row[BROKE : BROKE + 4] == plain["broke"]
        assert [row[HANDS], row[CHANGES], row[LONGEST]] == [
            plain["hands"], plain["changes"], plain["longest"],
        ]  # fmt: skip
        for kind, length in plain["streaks"]:
            streaks[kind, length] += 1
        for term, points in plain["moved"].items():
            moved[term] += points
    assert (streaks == player.tally.streaks).all() and (moved == player.tally.moved).all()


@pytest.mark.parametrize("number", range(8))
def test_session__is_the_plain_session(number: int) -> None:
    rng = random.Random(number)
    rules = random_rules(rng).model_copy(update={"first_banker_leads": rng.random() < 0.5})
    run = SessionRun(
        policies=("greedy",) * 4, rules=rules, hands=rng.choice([1, 5, 12]), sessions=12, seed=number,
        deal=rng.choice(DEALS), stake=rng.choice([None, 20, 60]),
        banker_changes=rng.choice([None, 3]), first_banker=rng.choice([0, 2, 3, "dice"]),
    )  # fmt: skip
    check(run)


@pytest.mark.parametrize("strength", ["0", "0.25", "1", "3"])
def test_session__washed_as_the_plain_session(strength: str) -> None:
    for deal in ("pairs_of_columns", "top_layers", "flying_wings"):
        run = SessionRun(
            policies=("greedy",) * 4, deal=deal, shuffle=f"wash:{strength}", hands=6, sessions=6, seed=3
        )
        check(run)
    patterns = RuleSet(hand_patterns=("seven_civil", "seven_military"))
    check(
        SessionRun(
            policies=("greedy",) * 4,
            rules=patterns,
            shuffle=f"wash:{strength}",
            hands=6,
            sessions=8,
            seed=4,
        )
    )


@pytest.mark.parametrize(
    "policies", [("greedy",) * 4, ("random",) * 4, ("greedy", "random", "random", "greedy")]
)
@pytest.mark.parametrize("shuffle", ["perfect", "wash:1"])
def test_session__both_loops_agree(policies: tuple[str, ...], shuffle: str) -> None:
    """Side by side and one after another, the same bits."""
    for by_role in (False, True):
        rules = RuleSet(hand_patterns=("four_pairs",), first_banker_leads=False)
        run = SessionRun(
            rules=rules, policies=policies, shuffle=shuffle, by_role=by_role, hands=7, sessions=150
        )
        rows, lanes = kernel_rows(run)
        single = SessionPlayer(run)
        single._kernel = play_sessions_singly
        single.play(0, run.sessions)
        for name in ("streaks", "moved", "leads", "broke", "first"):
            assert (getattr(lanes.tally, name) == getattr(single.tally, name)).all(), name
        for one, other in zip(lanes.tally.final, single.tally.final, strict=True):
            assert (one.values == other.values).all() and (one.counts == other.counts).all()
        assert (rows[:, TOTAL : TOTAL + 4].sum(axis=1) == 0).all()


def test_session__roles_and_seats() -> None:
    """A policy of the banker's role plays whenever that seat is banker."""
    fixed = session(SessionRun(policies=("tuned", "random", "random", "random"), hands=16, sessions=150))
    role = session(
        SessionRun(
            policies=("tuned", "random", "random", "random"), by_role=True, hands=16, sessions=150
        )
    )
    best = [player.points for player in fixed.players()]
    assert best[0].low > max(points.high for points in best[1:])
    streak = [sum(n * c for n, c in r.streaks().items()) for r in (fixed, role)]
    assert streak == [16 * 150] * 2
    assert role.streaks()[1] < fixed.streaks()[1]  # a tuned banker stays more often


def test_session__term_grows_over_a_hand_made_session() -> None:
    """Win, win, lose: multipliers 2, 3, 4, then 2 for the next banker."""

    class Hand:
        def __init__(self, winner: int, stacks: list[int]) -> None:
            self.pattern, self.stacks = None, stacks
            self.hands = [list(reference.TILES[8 * seat : 8 * seat + 8]) for seat in range(4)]
            tiles = [(("E", "5-5", 0),), (("G", "2-2", 0),), (("G", "2-2", 1),), (("H", "5-6", 0),)]
            plays = [(tile, place == 0) for place, tile in enumerate(tiles)]
            self.tricks = [(winner, plays, winner)]

    rules = RuleSet().to_json()
    terms, banker, total, multipliers = 1, 0, [0] * 4, []
    for winner, stacks in ((0, [5, 1, 1, 1]), (0, [5, 1, 1, 1]), (1, [1, 5, 1, 1]), (0, [5, 1, 1, 1])):
        found = reference.settle(Hand(winner, stacks), rules, terms)
        multipliers.append(-found["settlement"][2 if winner == 0 else 0] // 3)
        for place in range(4):
            total[(banker + place) % 4] += found["settlement"][place]
        banker, terms = ((banker + winner) % 4, 1) if winner else (banker, terms + 1)
    assert multipliers == [2, 3, 4, 2] and banker == 1
    # 3 × (2 + 3) from each, then 3 × 4 to the right and 3 from the others, then 3 × 2.
    assert total == [18 + 27 - 12 - 6, -6 - 9 + 18 + 18, -6 - 9 - 3 - 6, -6 - 9 - 3 - 6]


@kernel
def book(lanes, sessions, hands, terms, points, streaks, moved):
    """Book hands of a toy game: row h of `points` for each lane, the banker always wins."""
    going = LANES
    for number in range(hands):
        for lane in range(LANES):
            for seat in range(4):
                sessions[(POINTS + seat) * LANES + lane] = points[number, lane, seat]
        going = book_hands(lanes, sessions, number, terms, streaks, moved)
    return going


def test_booking__ruin_against_the_closed_form() -> None:
    """A fair coin for one point, stake 3: ruin by hand n is that of the reflection principle.

    P(lowest of n steps ≤ -a) = P(S ≤ -a) + P(S < -a); binomial test, false alarm once in 10,000.
    """
    stake, hands, batches = 3, 21, 60
    rng = np.random.default_rng(5)
    ruined = 0
    for _ in range(batches):
        lanes, sessions = new_lanes(), new_sessions()
        terms = Terms(hands + 1, 0, 0, 0, stake, 0, 0, -1, 0)
        points = np.zeros((hands, LANES, 4), np.int64)
        points[:, :, 0] = rng.choice([-1, 1], (hands, LANES))
        points[:, :, 1] = -points[:, :, 0]
        for lane in range(LANES):
            lanes[RESULT * LANES + lane] = 0  # the banker, seat 0, stays
        book(lanes, sessions, hands, terms, points, np.zeros((2, 40), np.int64), np.zeros(40, np.int64))
        by_field = sessions.reshape(SESSION, LANES)
        assert (by_field[BANKER] == 0).all() and (by_field[OVER] == 0).all()
        paths = np.cumsum(points[:, :, 0], axis=0)
        assert (by_field[LOW] == np.minimum(paths.min(axis=0), 0)).all()
        first = np.where((paths <= -stake).any(axis=0), (paths <= -stake).argmax(axis=0) + 1, 0)
        assert (by_field[BROKE] == first).all()
        ruined += int((by_field[BROKE] > 0).sum())
    tail = stats.binom(hands, 0.5)
    at_most = tail.cdf((hands - stake) // 2)  # S ≤ -3
    below = tail.cdf((hands - stake) // 2 - (1 if (hands - stake) % 2 == 0 else 0))
    exact = at_most + below
    assert stats.binomtest(ruined, batches * LANES, exact).pvalue > 1e-4


def test_booking__stops_and_stays_stopped() -> None:
    """Once broke with a stake that ends the session, later hands change nothing."""
    lanes, sessions = new_lanes(), new_sessions()
    terms = Terms(50, 0, 0, 0, 2, 1, 0, -1, 0)
    points = np.zeros((5, LANES, 4), np.int64)
    points[:, :, 0], points[:, :, 3] = -1, 1
    going = book(lanes, sessions, 5, terms, points, np.zeros((2, 60), np.int64), np.zeros(60, np.int64))
    by_field = sessions.reshape(SESSION, LANES)
    assert going == 0 and (by_field[TOTAL] == -2).all() and (by_field[HANDS] == 2).all()


def test_wash__without_strength_keeps_the_order() -> None:
    """S = 0: each seat's tiles are again those that lay where it takes them."""
    run = SessionRun(
        policies=("greedy",) * 4, shuffle="wash:0", deal="single_columns", hands=3, sessions=4
    )
    check(run)
    hands = dealt(run, 1, list(reference.TILES))
    columns = [{reference.TILES[4 * c + layer] for layer in range(4)} for c in range(8)]
    for hand in hands:
        assert sum(column <= set(hand) for column in columns) == 2


def test_wash__strong_enough_is_uniform() -> None:
    """Pairs at the table and tiles held again, by session; false alarm once in 1,000.

    Both tiles of a class in one hand: 15 classes × 4 seats × (8 · 7) / (32 · 31).
    """
    pairs, same = 15 * 4 * 56 / (32 * 31), 4 * 8 * 8 / 32
    for shuffle in ("perfect", "wash:10000"):
        run = SessionRun(policies=("greedy",) * 4, shuffle=shuffle, hands=32, sessions=2000, seed=9)
        tally, _, _ = play_sessions(run, looks=True)
        assert tally.looks[0] == 31 * run.sessions
        for place, exact in ((2, pairs), (6, same)):
            total, squares, n = tally.looks[place], tally.squares[place], run.sessions
            se = np.sqrt((squares / n - (total / n) ** 2) / n) / 31
            assert abs(total / n / 31 - exact) / se < 3.5
    weak, _, _ = play_sessions(
        SessionRun(policies=("greedy",) * 4, shuffle="wash:0.5", hands=32, sessions=500), looks=True
    )
    assert weak.looks[2] / weak.looks[0] > pairs + 0.5


def test_session__same_numbers_for_any_threads() -> None:
    run = SessionRun(policies=("random", "greedy", "random", "greedy"), hands=20, sessions=5000)
    one, three = (session(run, threads=threads).to_json() for threads in (1, 3))
    assert one == three


def test_session__a_longer_run_begins_with_the_shorter() -> None:
    run = SessionRun(policies=("greedy",) * 4, hands=10, sessions=130)
    rows, _ = kernel_rows(run)
    more, _ = kernel_rows(dataclasses.replace(run, sessions=300))
    assert (more[:130] == rows).all()


def test_session__first_hands_do_not_depend_on_later_ones() -> None:
    short = session(SessionRun(policies=("greedy",) * 4, hands=8, sessions=200))
    long = session(SessionRun(policies=("greedy",) * 4, hands=32, sessions=200))
    place = long.run.checkpoints().index(8)
    for seat in range(4):
        assert (long.standing(place, seat).values == short.tally.final[seat].values).all()
        assert long.ruin(seat, 8) == short.ruin(seat, 8)


def test_session__quantiles_and_leads() -> None:
    result = session(SessionRun(policies=("greedy", "random", "random", "random"), sessions=1500))
    for seat, player in enumerate(result.players()):
        values = np.repeat(result.tally.final[seat].values, result.tally.final[seat].counts)
        assert player.points.mean == pytest.approx(values.mean())
        assert player.points.sd == pytest.approx(values.std(ddof=1))
        for q, (value, low, high) in player.quantiles.items():
            assert value == np.quantile(values, q, method="inverted_cdf")
            assert low is None or low <= value
            assert high is None or value <= high
    leads = result.leads()
    assert [lead.better for lead in leads] == [0, 0, 0] and all(lead.observed for lead in leads)
    for lead in leads:  # means of the difference are differences of the means
        finals = [result.tally.final[seat].mean().mean for seat in (lead.better, lead.worse)]
        assert lead.gap.mean == pytest.approx(finals[0] - finals[1])
        assert lead.gap.low < lead.gap.mean < lead.gap.high
    shares = result.tally.leads[:, 0, 1] / 1500
    first = int(leads[[x.worse for x in leads].index(1)].hands)
    assert (shares[first - 1 :] >= 0.95).all() and (first == 1 or shares[first - 2] < 0.95)
    same = session(SessionRun(policies=("greedy",) * 4, sessions=200))
    assert same.leads() == []


@pytest.mark.slow
def test_session__with_a_policy_that_looks_ahead() -> None:
    policies = ("rollout:4", "greedy", "greedy", "greedy")
    run = SessionRun(policies=policies, hands=12, sessions=60)
    one, other = (session(run, threads=threads).to_json() for threads in (1, 2))
    assert one == other and one["players"][0]["mean"] > 0
    assert sum(player["mean"] for player in one["players"]) == pytest.approx(0)


def test_session__leads_are_carried_on_only_where_that_can_be() -> None:
    policies = ("greedy", "tuned", "greedy", "greedy")
    run = SessionRun(policies=policies, hands=16, sessions=300)
    carried = [lead for lead in session(run).leads() if not lead.observed]
    assert carried and all(16 < lead.low <= lead.hands <= lead.high for lead in carried)
    for changed in ({"hands": 4}, {"stake": 30}, {"banker_changes": 3}):
        found = session(dataclasses.replace(run, **changed)).leads()
        assert all(lead.observed or lead.hands == np.inf for lead in found)
    # Played out, the number that was carried on is about right.
    longer = session(dataclasses.replace(run, hands=100, sessions=300)).leads()
    for lead in carried:
        played = next(x for x in longer if (x.better, x.worse) == (lead.better, lead.worse))
        assert played.observed and lead.hands / 2 < played.hands < 2 * lead.hands


def test_session__extreme_quantiles_of_few_sessions_have_open_ends(capsys) -> None:
    result = session(SessionRun(policies=("greedy",) * 4, sessions=40))
    value, low, high = result.players()[0].quantiles[0.01]
    assert low is None and high is not None and value <= high
    assert "(up to " in run_command(capsys, "--sessions", "40")[1]
    text = run_command(capsys, "--sessions", "1")[1]
    assert (
        "too few sessions" in text and "too few sessions for an interval" in text and "nan" not in text
    )


@pytest.mark.parametrize("text", ["wash", "wash:", "wash:x", "wash:-1", "wash:nan", "wash:1e9", "wsh:1"])
def test_wash_strength__refuses(text: str) -> None:
    with pytest.raises(InputError, match="--shuffle"):
        wash_strength(text)


def run_command(capsys, *words: str) -> tuple[int, str, str]:
    status = main(["session", *words])
    out, err = capsys.readouterr()
    return status, out, err


def test_session__json_form_and_command(capsys) -> None:
    words = shlex.split(
        "--hands 20 --sessions 300 --policy random,greedy,greedy,greedy --stake 50 --play-on "
        "--first-banker 2 --banker-changes 9 --shuffle wash:1.5 --set kam=4 --format json"
    )
    status, out, _ = run_command(capsys, *words)
    result = json.loads(out)
    assert status == 0 and result["hands"] == 20 and result["sessions"] == 300
    assert len(result["players"]) == 4
    for player in result["players"]:
        assert {"mean", "se", "sd", "quantiles", "ruin"} <= set(player) and "0.05" in player["quantiles"]
        assert {"value", "low", "high"} <= set(player["ruin"])
    assert sum(player["mean"] for player in result["players"]) == pytest.approx(0)
    assert set(result["streaks"]) and all(int(length) >= 1 for length in result["streaks"])
    again = shlex.split(result["command"])[2:]
    assert json.loads(run_command(capsys, *again, "--format", "json")[1]) == result


def test_session__tables(capsys) -> None:
    status, out, _ = run_command(capsys, "--hands", "16", "--sessions", "200", "--policy",
                                 "greedy,random,random,random")  # fmt: skip
    assert status == 0
    for text in ("Ruin: 100 points lost", "連莊", "stands above", "gupai session --rules tiengow-ja"):
        assert text in out
    assert "| " in run_command(capsys, "--sessions", "50", "--format", "markdown")[1]
    rows = list(
        csv.DictReader(io.StringIO(run_command(capsys, "--sessions", "50", "--format", "csv")[1]))
    )
    assert {row["seat"] for row in rows} == {"0", "1", "2", "3", ""}


def test_session__single_session(capsys) -> None:
    status, out, _ = run_command(capsys, "--sessions", "1", "--hands", "1")
    assert status == 0 and "nan" not in out
    assert "NaN" not in run_command(capsys, "--sessions", "1", "--format", "json")[1]


@pytest.mark.parametrize(
    "words, complaint",
    [
        (("--hands", "0"), "--hands 0"),
        (("--hands", "20000"), "from 1 to 10000"),
        (("--sessions", "x"), "--sessions x"),
        (("--stake", "0"), "--stake 0"),
        (("--play-on",), "add --stake"),
        (("--banker-changes", "0"), "--banker-changes 0"),
        (("--first-banker", "4"), "4"),
        (("--shuffle", "wash:-1"), "the strength must be"),
        (("--shuffle", "washed"), "no such shuffle"),
        (("--deal", "top_layer"), "Did you mean top_layers"),
        (("--policy", "gredy"), "Did you mean greedy"),
        (("--policy", "greedy,random"), "of the players in seats 0,1,2,3"),
        (("--threads", "0"), "--threads 0"),
        (("--seed", "-1"), "--seed -1"),
    ],
)
def test_session__bad_input(capsys, words: tuple[str, ...], complaint: str) -> None:
    status, out, err = run_command(capsys, *words)
    assert status == 2 and not out and complaint in err and "Traceback" not in err
