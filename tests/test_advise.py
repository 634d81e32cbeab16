"""Positions, worlds, advice, and played hands gone through."""

from __future__ import annotations

import csv
import io
import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

from gupai.analysis import (
    InputError,
    RuleSet,
    Run,
    advise,
    codes_of,
    find_policy,
    position_of,
    post_mortem,
    read_position,
    read_record,
    show_hand,
)
from gupai.analysis.tiengow.worlds import every_world
from gupai.kernels.series import ADVICE_LUCK, ADVICE_WORLDS
from gupai.kernels.tiengow.plays import is_combination
from gupai.kernels.tiengow.search import legal_plays, price_plays
from gupai.kernels.tiengow.starting import POINTS, SUMS, WINS
from gupai.kernels.tiengow.state import PLAYED, SIZE, UNSEEN
from gupai.kernels.tiengow.worlds import WORLD, sample_worlds
from gupai.reports.cli import main

import reference
from bridge import mask, tiles

TUNED = ("tuned",) * 4


def turns(record):
    """(plays before, seat, play) of every decision of a record."""
    number = 0
    for trick in record.tricks:
        for place, play in enumerate(trick.plays):
            yield number, (trick.leader + place) % 4, play
            number += 1


def true_world(record, seat: int, plays: int) -> list[int]:
    """The world as it really was: hands, tiles face down, those of them in the open trick."""
    hands, down, now = list(record.hands), [0] * 4, [0] * 4
    number = 0
    for trick in record.tricks:
        now = [0] * 4
        for place, play in enumerate(trick.plays):
            if number == plays:
                return hands + down + now
            player = (trick.leader + place) % 4
            hands[player] &= ~play.tiles
            down[player] |= 0 if play.face_up else play.tiles
            now[player] = 0 if play.face_up else play.tiles
            number += 1
    raise AssertionError


@pytest.mark.parametrize("number", range(5))
def test_price_plays__in_the_true_world_the_play_made_has_the_true_result(number: int) -> None:
    """From every decision on, all playing tuned, the hand ends as it did."""
    rules = RuleSet(sure_single="actual") if number % 2 else RuleSet()
    shown = show_hand(Run(policies=TUNED, rules=rules), number)
    policy = find_policy("tuned")
    for plays, seat, play in turns(shown.record):
        position = position_of(shown.record, seat, plays)
        out, took = np.zeros(SUMS, np.int64), np.zeros((1, 1), np.bool_)
        price_plays(
            np.array(position.state), np.array([true_world(shown.record, seat, plays)]),
            np.uint64(1), ADVICE_LUCK, 0, np.array([play.tiles]), np.array([int(play.face_up)]), np.full(4, policy.kind),
            np.array([policy.row()] * 4), rules.switches(), 1, out, took,
        )  # fmt: skip
        assert out[POINTS] == shown.score.total[seat]
        assert out[WINS] == (shown.score.winner == seat)


def test_legal_plays__are_those_of_the_reference_engine() -> None:
    rules = RuleSet()
    plain = rules.to_json()
    for number in range(12):
        record = show_hand(Run(policies=("random", "greedy", "tuned", "public-b")), number).record
        left, stacks = [set(tiles(hand)) for hand in record.hands], [0] * 4
        plays = 0
        for trick in record.tricks:
            contest, winner = None, trick.leader
            for place, play in enumerate(trick.plays):
                seat = (trick.leader + place) % 4
                found, faces = [0] * 96, [0] * 96
                many = legal_plays(position_of(record, seat, plays).view(), found, faces)
                mine = {(codes_of(found[n]), bool(faces[n])) for n in range(many)}
                assert len(mine) == many
                if place == 0:
                    legal = {
                        (reference.codes(lead), True)
                        for lead in reference.legal_leads(left[seat], plain)
                    }
                    contest = reference.Contest(
                        *reference.combination(tiles(play.tiles), plain, led=True), plain
                    )
                else:
                    size = trick.plays[0].tiles.bit_count()
                    legal = {
                        (reference.codes(subset), up)
                        for subset, up in reference.legal_follows(
                            left[seat], stacks[seat], contest, size, plain
                        )
                    }
                assert mine == {(codes_of(mask_of(code)), up) for code, up in legal}
                if place and play.face_up:
                    contest.beat_with(tiles(play.tiles))
                    winner = seat
                left[seat] -= set(tiles(play.tiles))
                plays += 1
            stacks[winner] += trick.plays[0].tiles.bit_count()


def mask_of(code: str) -> int:
    """Some tiles of these classes."""
    chosen = []
    for sign in code:
        chosen.append(next(t for t in reference.TILES if t[0] == sign and t not in chosen))
    return mask(chosen)


# ---------------------------------------------------------------- worlds


def positions(rng: random.Random, fewest_unseen: int, most_unseen: int):
    while True:
        record = show_hand(
            Run(policies=("random", "greedy", "tuned", "public-a")), rng.randrange(10**9)
        ).record
        plays, seat, _ = rng.choice(list(turns(record)))
        position = position_of(record, seat, plays)
        if fewest_unseen <= position.view()[UNSEEN].bit_count() <= most_unseen:
            yield position


def test_sample_worlds__agree_with_what_was_seen() -> None:
    rng = random.Random(4)
    source = positions(rng, 1, 24)
    for _ in range(60):
        position = next(source)
        view, me = position.view(), (position.seat - position.banker) % 4
        worlds = np.zeros((50, WORLD), np.int64)
        sample_worlds(
            np.array(position.state), np.uint64(3), ADVICE_WORLDS, 0, position.rules.switches(), worlds
        )
        for world in worlds.tolist():
            hands, down, now = world[:4], world[4:8], world[8:]
            others = [seat for seat in range(4) if seat != me]
            hidden = [hands[seat] for seat in others] + [down[seat] for seat in others]
            assert sum(part.bit_count() for part in hidden) == view[UNSEEN].bit_count()
            assert sum(hidden) == view[UNSEEN]
            for place, seat in enumerate([(me + n) % 4 for n in range(4)]):
                assert hands[seat].bit_count() == view[7 + place]
                dealt = hands[seat] | down[seat] | position.state[31 + seat]
                assert dealt.bit_count() == 8 and now[seat] & ~down[seat] == 0


@pytest.mark.parametrize("number", [2, pytest.param(5, marks=pytest.mark.slow)])
def test_sample_worlds__are_even_over_all_worlds(number: int) -> None:
    """Sampled hands against the list of all; false alarm 1 in 1,000 over all positions."""
    source = positions(random.Random(6), 4, 7)
    for _ in range(number):
        position = next(source)
        whole = every_world(position)
        keys = {tuple(row[:4]): 0 for row in whole.tolist()}
        sizes = [position.view()[7 + place] for place in (1, 2, 3)]
        left, expected = position.view()[UNSEEN].bit_count(), 1
        for size in sizes:
            expected *= math.comb(left, size)
            left -= size
        assert len(keys) == len(whole) == expected
        many = 40 * expected
        worlds = np.zeros((many, WORLD), np.int64)
        sample_worlds(
            np.array(position.state), np.uint64(8), ADVICE_WORLDS, 0, position.rules.switches(), worlds
        )
        for row in worlds.tolist():
            keys[tuple(row[:4])] += 1
        statistic = sum((n - 40) ** 2 / 40 for n in keys.values())
        assert statistic < chi2.isf(0.001 / number, max(expected - 1, 1))


def test_advise__exact_agrees_with_sampling() -> None:
    """Points of each play at 4.5 standard errors; some 20 comparisons, 1 in 7,000."""
    source = positions(random.Random(9), 6, 9)
    for _ in range(4):
        position = next(source)
        exact = advise(position)
        assert exact.exact and exact.worlds == len(every_world(position))
        rules = np.array(position.state), position.rules.switches()
        worlds = np.zeros((4000, WORLD), np.int64)
        sample_worlds(rules[0], np.uint64(2), ADVICE_WORLDS, 0, rules[1], worlds)
        policy = find_policy("tuned")
        for play in exact.plays:
            assert (
                play.points.low == play.points.high == play.points.mean and play.win.low == play.win.high
            )
            out, took = np.zeros(4000 * SUMS, np.int64), np.zeros((4000, 1), np.bool_)
            price_plays(
                rules[0], worlds, np.uint64(2), ADVICE_LUCK, 0, np.array([play.play]), np.array([int(play.face_up)]),
                np.full(4, policy.kind), np.array([policy.row()] * 4), rules[1], position.term, out, took,
            )  # fmt: skip
            points = out.reshape(4000, SUMS)[:, POINTS]
            assert abs(points.mean() - play.points.mean) <= 4.5 * points.std(ddof=1) / 4000**0.5 + 1e-9


def test_price_plays__the_luck_of_a_world_is_its_own() -> None:
    """One world again and again, played out by lot: no luck comes back, and another seed has other."""
    position = read_position({"banker": 0, "hands": ["AC99GJK3", None, None, None], "tricks": []})
    state, rules, policy = np.array(position.state), position.rules.switches(), find_policy("random")
    found, faces = [0] * 96, [0] * 96
    legal_plays(position.view(), found, faces)
    world = np.zeros((1, WORLD), np.int64)
    sample_worlds(state, np.uint64(1), ADVICE_WORLDS, 0, rules, world)

    def points(seed: int, start: int, many: int) -> np.ndarray:
        out, took = np.zeros(2 * many * SUMS, np.int64), np.zeros((many, 2), np.bool_)
        price_plays(
            state, np.repeat(world, many, axis=0), np.uint64(seed), ADVICE_LUCK, start,
            np.array(found[:2]), np.array(faces[:2]),
            np.full(4, policy.kind), np.array([policy.row()] * 4), rules, 1, out, took,
        )  # fmt: skip
        return out.reshape(many, 2, SUMS)[:, :, POINTS]

    whole = points(1, 0, 1000)
    assert (whole[250:] == points(1, 250, 750)).all()  # whatever the chunks
    for other in (*(whole[at : at + 250] for at in (250, 500, 750)), points(2, 0, 250)):
        assert (whole[:250] != other).any(axis=1).mean() > 0.5
    shifted = [abs(np.corrcoef(whole[:-by, 0], whole[by:, 0])[0, 1]) for by in range(1, 9)]
    assert max(shifted) < 4.5 / 1000**0.5  # nor in the next worlds; false alarm 1 in 18,000


# ---------------------------------------------------------------- advice


def test_advise__best_first_and_paired() -> None:
    position = read_position({"banker": 2, "hands": [None, None, "AC99GJK3", None], "tricks": []})
    advice = advise(position, worlds=600)
    means = [play.points.mean for play in advice.plays]
    assert means == sorted(means, reverse=True) and advice.plays[0].behind.mean == 0
    for play in advice.plays:
        assert play.behind.mean == pytest.approx(means[0] - play.points.mean)
        assert play.behind.se < play.points.se + advice.plays[0].points.se
        assert play.face_up and is_combination(play.play) and play.why
    by_win = advise(position, worlds=600, by="win")
    wins = [play.win.value for play in by_win.plays]
    assert wins == sorted(wins, reverse=True)
    again = advise(position, worlds=600, threads=1)
    assert again == advice
    seen = []
    advise(position, worlds=4500, progress=lambda so_far: seen.append(so_far.worlds))
    assert seen == [2000, 4000]


def test_advise__a_hand_that_cannot_lose() -> None:
    position = read_position({"banker": 0, "hands": ["AA99BK63", None, None, None], "tricks": []})
    best = advise(position, worlds=200, by="win").plays[0]
    assert best.win.value == best.sweep.value == 1
    assert advise(position, worlds=200).plays[0].points.mean >= best.points.mean


def test_post_mortem__knows_only_what_the_seat_knew() -> None:
    """Other hands that fit what the seat saw give the same prices."""
    record = show_hand(Run(policies=("tuned", "greedy", "public-a", "random")), 5).record
    rng = random.Random(1)
    for plays, seat, _ in turns(record):
        position = position_of(record, seat, plays)
        own = record.hands[seat]
        hidden = [bit for bit in range(32) if position.view()[UNSEEN] >> bit & 1]
        shuffled = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))

        def swap(bits: int, names=shuffled) -> int:
            return sum(1 << names.get(bit, bit) for bit in range(32) if bits >> bit & 1)

        hands = tuple(hand if hand == own else swap(hand) for hand in record.hands)
        tricks = tuple(
            trick._replace(plays=tuple(
                play if play.face_up or (trick.leader + place) % 4 == seat
                else play._replace(tiles=swap(play.tiles))
                for place, play in enumerate(trick.plays)
            ))
            for trick in record.tricks
        )  # fmt: skip
        from dataclasses import replace

        other = replace(record, hands=hands, tricks=tricks)
        assert position_of(other, seat, plays) == position


def test_post_mortem__prices_every_decision() -> None:
    record = show_hand(Run(policies=("random",) * 4), 3).record
    for seat in range(4):
        decisions = post_mortem(record, seat, worlds=60)
        assert len(decisions) == len(record.tricks)
        assert all(decision.cost.mean >= 0 for decision in decisions)


def test_read_position__is_the_record_with_nulls() -> None:
    """A record cut off at each decision, with what others put face down written in three ways."""
    record = show_hand(Run(policies=("tuned", "greedy", "random", "public-b")), 8).record
    data = record.to_json()
    for plays, seat, _ in turns(record):
        tricks, left = [], plays
        for trick in data["tricks"]:
            kept = trick["plays"][:left]
            left -= len(kept)
            if kept:
                shown = []
                for place, text in enumerate(kept):
                    other = (trick["leader"] + place) % 4 != seat
                    hidden = [None, "(?)", text][place % 3]
                    shown.append(hidden if other and text.startswith("(") else text)
                tricks.append({"leader": trick["leader"], "plays": shown})
        hands = [hand if number == seat else None for number, hand in enumerate(data["hands"])]
        position = read_position({"banker": 0, "hands": hands, "tricks": tricks})
        expected = position_of(record, seat, plays)
        codes = [codes_of(position.view()[n]) for n in (0, 1, 2, 3, 4, 5, 6, 17, 20)]
        assert codes == [codes_of(expected.view()[n]) for n in (0, 1, 2, 3, 4, 5, 6, 17, 20)]
        assert (
            position.state[SIZE] == expected.state[SIZE]
            and position.state[PLAYED] == expected.state[PLAYED]
        )


HANDS = [None, "AC99GJK3", None, None]


def position_with(*tricks, **more):
    return {"banker": 0, "hands": HANDS, "tricks": list(tricks)} | more


@pytest.mark.parametrize(
    "data, complaint",
    [
        ("[", "is no JSON"),
        (position_with(hands=["AA", None, None, None]), "has 2 tiles in place of 8"),
        (position_with(hands=[None] * 4), "0 of them are given"),
        (position_with(hands=["AC99GJK3", "BBDDEEFF", None, None]), "2 of them are given"),
        (position_with(bankr=1), "no such entry"),
        ({"banker": 0, "hands": HANDS}, "'tricks' is missing"),
        (position_with(banker=4), "banker: 4"),
        (position_with(), "it is seat 0's turn, not seat 1's"),
        (position_with({"leader": 1, "plays": ["A"]}), "seat 1 leads, but it is seat 0's turn"),
        (position_with({"leader": 0, "plays": ["AB"]}), "AB is no combination"),
        (position_with({"leader": 0, "plays": ["AA"]}), "every tile A has been seen"),
        (position_with({"leader": 0, "plays": ["(B)"]}), "leads face down"),
        (position_with({"leader": 0, "plays": ["B", "A", "C"]}), "does not beat"),
        (position_with({"leader": 0, "plays": ["B", "B"]}), "tile B is not in the hand"),
        (position_with({"leader": 0, "plays": ["BB", "A"]}), "plays 1 tiles in place of 2"),
        (
            position_with({"leader": 0, "plays": ["B"]}, {"leader": 0, "plays": ["B"]}),
            "only the last trick",
        ),
        (position_with({"leader": 0, "plays": ["B", "A", None, None, None]}), "has 5 plays"),
        (position_with({"leader": 0, "plays": [3]}), "is no play"),
        (position_with({"lead": 0, "plays": []}), "must be an object with leader and plays"),
        (
            position_with({"leader": 0, "plays": ["B", "A", None, None]}, rules="tiengow-jp"),
            "tiengow-ja",
        ),
    ],
)
def test_read_position__tells_what_is_wrong(data, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        read_position(data)


# ---------------------------------------------------------------- the command


def run(capsys, *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture
def files(tmp_path):
    position = tmp_path / "position.json"
    position.write_text(json.dumps(position_with({"leader": 0, "plays": ["B"]})))
    record = tmp_path / "hand.json"
    record.write_text(json.dumps(show_hand(Run(policies=("greedy",) * 4), 17).record.to_json()))
    return str(position), str(record)


def test_advise__json_form(capsys, files) -> None:
    status, out, _ = run(capsys, "advise", files[0], "--worlds", "300", "--format", "json")
    result = json.loads(out)
    assert status == 0 and result["worlds"] == 300 and result["exact"] is False
    assert result["recommended"] == result["plays"][0]["play"]
    for play in result["plays"]:
        assert play["face"] in ("up", "down") and set(play["points"]) == {"mean", "se"}
        assert play["win"]["low"] <= play["win"]["value"] <= play["win"]["high"]


def test_advise__table_and_record(capsys, files) -> None:
    status, out, _ = run(capsys, "advise", files[0], "--worlds", "300", "--set", "kam=4", "--by", "win")
    assert status == 0
    for text in ("behind the best", "Play ", "300 deals, drawn from those that agree", "kam=4", "墊"):
        assert text in out
    rows = list(
        csv.DictReader(
            io.StringIO(run(capsys, "advise", files[0], "--worlds", "50", "--format", "csv")[1])
        )
    )
    assert rows and rows[0]["behind"] == "0.0"
    status, out, _ = run(capsys, "advise", "--record", files[1], "--seat", "2", "--worlds", "100")
    assert status == 0 and "points lost" in out and "points were lost against the best plays" in out
    decisions = json.loads(
        run(capsys, "advise", "--record", files[1], "--seat", "2", "--worlds", "50", "--format", "json")[
            1
        ]
    )
    record = read_record(Path(files[1]).read_text())
    assert len(decisions) == len(record.tricks) and {"trick", "played", "best", "cost"} <= set(
        decisions[0]
    )


def test_advise__bad_input(capsys, files, tmp_path) -> None:
    (tmp_path / "empty.json").write_text(" ")
    (tmp_path / "two.jsonl").write_text(2 * (Path(files[1]).read_text() + "\n"))
    (tmp_path / "odd.json").write_bytes(b"\xff\xfe\x00")
    for words, complaint in (
        ((), "name a position"),
        ((files[0], "--record", files[1]), "name a position"),
        (("none.json",), "cannot be read"),
        ((str(tmp_path / "empty.json"),), "holds no record"),
        ((str(tmp_path / "odd.json"),), "no UTF-8"),
        ((str(tmp_path),), "cannot be read"),
        (("--record", files[1]), "needs --seat"),
        (("--record", files[1], "--seat", "7"), "--seat 7"),
        ((files[0], "--worlds", "1"), "--worlds 1"),
        ((files[0], "--policy", "rollout"), "looks ahead itself"),
        ((files[0], "--by", "luck"), "--by luck"),
        ((files[0], "--threads", "0"), "--threads 0"),
        ((files[1],), "4 of them are given"),
        ((files[0], "--seed", "-1"), "--seed -1"),
        ((files[0], "--seat", "9"), "--seat 9"),
        (("--sead",), "--sead"),
        ((str(tmp_path / "two.jsonl"),), "holds 2 records"),
    ):
        status, out, err = run(capsys, "advise", *words)
        assert status == 2 and not out and complaint in err and "Traceback" not in err, words
