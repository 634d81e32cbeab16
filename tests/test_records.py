"""Records: the known ones settle, the illegal ones are refused, and errors are precise."""

from __future__ import annotations

import dataclasses
import json
import random

import pytest

from gupai.analysis import RecordError, RuleSet, Run, pips_of, read_record, score_record, show_hand

from bridge import random_rules


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_score_record__all_known_records(data) -> None:
    records = lines(data / "tiengow-records.jsonl")
    assert len(records) == 353
    for number, entry in enumerate(records, 1):
        score = dataclasses.asdict(score_record(read_record(entry["record"])))
        assert score == entry["expect"], f"line {number}"


def test_read_record__all_illegal_records(data) -> None:
    records = lines(data / "tiengow-illegal.jsonl")
    assert len(records) == 50
    for number, entry in enumerate(records, 1):
        with pytest.raises(RecordError) as refused:
            read_record(entry["record"])
        assert refused.value.fault == entry["fault"], f"line {number}: {refused.value}"


@pytest.mark.parametrize("pips", [False, True])
def test_records__round_trip(pips: bool) -> None:
    """A hand of a run, written and read back, is the same hand with the same score."""
    rng = random.Random(5)
    for number in range(150):
        rules = random_rules(rng)
        run = Run(rules=rules, policies=("random", "greedy", "random", "greedy"), term=3, seed=8)
        shown = show_hand(run, number)
        text = json.dumps(shown.record.to_json(pips=pips or bool(rules.hand_patterns)))
        again = read_record(text)
        assert score_record(again) == shown.score
        if pips:  # the same, but for which of two identical tiles
            assert [pips_of(hand) for hand in again.hands] == [
                pips_of(hand) for hand in shown.record.hands
            ]


GOOD = {
    "rules": "tiengow-ja",
    "banker": 0,
    "hands": ["BGJJ9885", "ABCDF763", "CDEEHI75", "AFGHIKK9"],
    "tricks": [
        {"leader": 0, "plays": ["B88", "(763)", "(I75)", "(IKK)"]},
        {"leader": 0, "plays": ["JJ", "(DF)", "EE", "(GH)"]},
        {"leader": 2, "plays": ["C", "A", "(5)", "(C)"]},
        {"leader": 3, "plays": ["9", "(G)", "(B)", "(H)"]},
        {"leader": 3, "plays": ["F", "(9)", "(A)", "D"]},
    ],
}


def changed(**entries):
    return json.loads(json.dumps(GOOD | entries))


def with_play(trick, place, text):
    record = changed()
    record["tricks"][trick]["plays"][place] = text
    return record


def test_read_record__accepts_every_notation_and_any_order() -> None:
    plain = score_record(read_record(GOOD))
    hands = [
        "地板高高九八八五",
        "6-6 1-1 4-4 3-1 3-3 5-2 4-2 1-2",
        "人牌 和 梅花 梅牌 斧頭 屏風 雜七 雜五",
        "9kkihgfa",
    ]
    record = changed(hands=hands)
    record["tricks"][0]["plays"] = ["八地八", "（七六三）", "(屏風 雜七 雜五)", "(1-5 5-1 6-4)"]
    assert score_record(read_record(record)) == plain


@pytest.mark.parametrize(
    ("record", "fault", "words"),
    [
        (with_play(2, 1, "A9"), "not held", None),
        (with_play(2, 3, "C"), "does not beat", ["trick 3", "play 4", "seat 1", "C", "A"]),
        (with_play(1, 1, "(D)"), "wrong number of tiles", ["trick 2", "play 2 of seat 1", "1", "2"]),
        (with_play(0, 0, "(B88)"), "lead face down", ["trick 1", "seat 0"]),
        (with_play(0, 0, "B8J"), "lead no combination", ["BJ8"]),
        (with_play(0, 1, "(763"), "no play", ["parenthesis"]),
        (with_play(0, 0, ")B88("), "no play", ["parenthesis"]),
        ('{"banker": 1, "banker": 2}', "entry twice", ["banker"]),
        (changed(hands=["A" * 5000, *GOOD["hands"][1:]]), "unknown tile", ["5000"]),
        (with_play(0, 1, ""), "no play", ["empty"]),
        (with_play(0, 1, 7), "no play", ["7"]),
        (with_play(0, 1, "(76Z)"), "unknown tile", ["'Z'", "trick 1"]),
        (changed(banker=4), "wrong entry", ["banker", "0 to 3"]),
        (changed(banker=True), "wrong entry", ["banker"]),
        (changed(term=0), "wrong entry", ["term"]),
        (changed(first_leader=1), "wrong leader", ["trick 1"]),
        (changed(hands=GOOD["hands"][:3]), "wrong entry", ["list of 4"]),
        (changed(hands=["BGJJ9885", 3, "CDEEHI75", "AFGHIKK9"]), "unknown tile", ["seat 1"]),
        (changed(hands=["BGJJ98855", *GOOD["hands"][1:]]), "tile twice", ["5"]),
        (changed(rules="tiengow-jp"), "rules", ["tiengow-ja"]),
        (changed(rules={"kam": 0}), "rules", ["kam", "0"]),
        (changed(rules=3), "rules", ["3"]),
        (changed(trick=[]), "unknown entry", ['"trick"']),
        ("{", "no JSON", []),
        ("[1]", "no record", []),
        ("[" * 100_000, "no JSON", []),
        (changed(tricks=[]), "trick missing", ["8 tiles"]),
        (changed(rules={"hand_patterns": ["eight_civil"]}, hands=["AABBCCDD", "EEFFGGHH", "IIJJKK99", "88776553"]),
         "trick too many", ["seat 0"]),
    ],
)  # fmt: skip
def test_read_record__says_what_is_wrong(record, fault: str, words: list[str] | None) -> None:
    with pytest.raises(RecordError) as refused:
        read_record(record)
    if words is not None:
        assert refused.value.fault == fault
        assert all(word in str(refused.value) for word in words), str(refused.value)
    assert "\n" not in str(refused.value)


def test_read_record__asks_for_pips_where_they_matter() -> None:
    """Two seats with one red pip and a 9 each: who holds 3-6 (no red pip) has the pattern."""
    hands = ["EEFFGGJ9", "5-6 5-6 2-6 3-5 2-5 2-3 J 9", "AABBCCDD", "IIKK7653"]
    record = {"banker": 2, "hands": hands, "tricks": []}
    record["rules"] = {"preset": "tiengow-ja", "hand_patterns": ["one_red"]}
    with pytest.raises(RecordError, match="pips") as refused:
        read_record(record)
    assert refused.value.fault == "pips needed" and "class 9" in str(refused.value)
    for seat, nines in enumerate((("3-6", "4-5"), ("4-5", "3-6"))):
        told = [hand.replace("9", f" {nine}") for hand, nine in zip(hands, nines, strict=False)]
        score = score_record(read_record(record | {"hands": [*told, *hands[2:]]}))
        assert (score.winner, score.sweep) == (seat, "seven")
    # Where both nines lie in one hand nothing is open.
    record["hands"] = ["EEFFGG99", "HH88JJ75", "AABBCCDD", "IIKK7653"]
    record["rules"] = {"preset": "tiengow-ja", "hand_patterns": ["four_pairs", "one_red"]}
    assert score_record(read_record(record)).winner == 2  # AABBCCDD; the banker's own claim is first


OPEN = {
    "banker": 0,
    "hands": ["3-6 4-5 7 7 6 A B C", "8 8 5 5 D D E E", "3 F F G G H H A", "B C I I J J K K"],
    "tricks": [
        {"leader": 0, "plays": ["A", "(D)", "(H)", "(K)"]},
        {"leader": 0, "plays": ["B", "(D)", "(H)", "(K)"]},
        {"leader": 0, "plays": ["9", "(E)", "(G)", "(J)"]},
        {"leader": 0, "plays": ["3-6", "(E)", "(G)", "(J)"]},
        {"leader": 0, "plays": ["7 7", "(8 8)", "(F F)", "(I I)"]},
        {"leader": 0, "plays": ["C", "(5)", "A", "(B)"]},
        {"leader": 2, "plays": ["3", "(C)", "6", "(5)"]},
    ],
}


@pytest.mark.parametrize("later", ["3-6", "4-5", "9"])
def test_read_record__an_open_tile_is_the_one_not_named_later(later: str) -> None:
    record = json.loads(json.dumps(OPEN))
    record["tricks"][3]["plays"][0] = later
    assert score_record(read_record(record)) == score_record(read_record(OPEN))


def test_read_record__pips_that_change_nothing_are_not_asked_for() -> None:
    record = {
        "rules": {"hand_patterns": ["no_red"]},
        "banker": 0,
        "hands": ["9 A B C 7 7 6 A", "9 8 8 5 D D E E", "3 F F G G H H 5", "B C I I J J K K"],
        "tricks": [
            {"leader": 0, "plays": ["A", "(D)", "(H)", "(K)"]},
            {"leader": 0, "plays": ["A", "(D)", "(H)", "(K)"]},
            {"leader": 0, "plays": ["B", "(E)", "(G)", "(J)"]},
            {"leader": 0, "plays": ["C", "(E)", "(G)", "(J)"]},
            {"leader": 0, "plays": ["7 7", "(8 8)", "(F F)", "(I I)"]},
            {"leader": 0, "plays": ["6", "(5)", "(5)", "(B)"]},
            {"leader": 0, "plays": ["9", "(9)", "(3)", "(C)"]},
        ],
    }
    assert score_record(read_record(record)).winner == 0
    record["rules"] = "tiengow-ja"
    record["tricks"][5]["plays"][1] = "(2-3)"
    assert score_record(read_record(record)).winner == 0


def test_read_record__finds_the_pips_that_the_plays_tell() -> None:
    record = changed()
    record["tricks"][3]["plays"][0] = "4-5"
    record["tricks"][4]["plays"][1] = "(3-6)"
    assert read_record(record).hands[3] >> 19 & 1  # seat 3 was dealt 4-5
    record["tricks"][4]["plays"][1] = "(4-5)"
    with pytest.raises(RecordError, match="hand left"):
        read_record(record)


def test_record__to_json_names_the_nearest_rules() -> None:
    record = read_record(changed(rules={"preset": "tiengow-zh", "kam": 3}))
    assert record.to_json()["rules"] == {"preset": "tiengow-zh", "kam": 3}
    assert record.rules == RuleSet(**record.rules.model_dump())
