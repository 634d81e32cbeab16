"""Odds: exact values, the exact engine against brute force, dealing under conditions, stopping."""

from __future__ import annotations

import contextlib
import itertools
import json
import shlex
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from scipy import stats

from gupai.analysis import (
    InputError,
    RuleSet,
    Run,
    Tables,
    exact_chance,
    odds,
    parse_question,
    parse_tiles,
    read_record,
    score_record,
    show_hand,
    simulate,
)
from gupai.analysis.tiengow.events import PlayedHands
from gupai.analysis.tiengow.exact import SEATS, TooWideError
from gupai.analysis.tiengow.playing import Player
from gupai.analysis.tiengow.questions import And, Count, Has, Not, Or
from gupai.reports.cli import main
from gupai.reports.manual import LANGUAGE

import reference
from bridge import mask, tiles

JA = RuleSet()
HANDS = 10_518_300
PAIRS = [" or ".join(f"banker has {code * 2}" for code in codes) for codes in ("ABCDEFGHIJK", "9875")]
NOTHING = "pairs(banker) = 0 and mixed(banker) = 0 and supreme(banker) = 0"
EXACT = [
    ("anyone has 63", None, JA, Fraction(7, 31)),
    ("right has JJ or across has JJ or left has JJ", "not banker has J", JA, Fraction(7, 23)),
    ("fours(banker) >= 1", None, JA, Fraction(81_894, HANDS)),
    ("military(banker) = 8", None, JA, Fraction(45, HANDS)),
    (NOTHING, None, JA, Fraction(934_144, HANDS)),
    (PAIRS[0], None, JA, Fraction(5_458_695, HANDS)),
    (PAIRS[1], None, JA, Fraction(2_253_549, HANDS)),
    ("mixed(banker) >= 1", None, JA, Fraction(6_297_318, HANDS)),
    ("threes(banker) >= 1", None, JA, Fraction(1_626_726, HANDS)),
    ("red(banker) = 0", None, JA, Fraction(1_287, HANDS)),
    ("red(banker) = 1", None, JA, Fraction(12_012, HANDS)),
    ("red(banker) = 0", None, RuleSet(heaven_red=0), Fraction(6_435, HANDS)),
    ("red(banker) = 1", None, RuleSet(heaven_red=0), Fraction(45_045, HANDS)),
]


@pytest.mark.parametrize(("event", "condition", "rules", "chance"), EXACT)
def test_odds__exact_values(event: str, condition: str | None, rules: RuleSet, chance: Fraction) -> None:
    answer = odds(event, condition, run=Run(policies=("greedy",) * 4, rules=rules))
    assert (answer.method, answer.fraction, answer.hands) == ("exact", chance, 0)
    assert answer.low == answer.value == answer.high == pytest.approx(float(chance))


@pytest.mark.slow
@pytest.mark.parametrize(("event", "condition", "rules", "chance"), EXACT)
def test_odds__exact_values_by_simulation(event, condition, rules, chance) -> None:
    """Twenty million deals each; false alarm once in 10,000."""
    asked = parse_question(event)
    player = Player(
        Run(policies=("greedy",) * 4, rules=rules),
        given=parse_question(condition) if condition else None,
    )
    n = block = 0
    happened = 0
    for block in range(80):
        played = PlayedHands(player.keep(block << 18, 1 << 18), rules, 1)
        happened += int(played.truth(asked).sum())
        n += 1 << 18
    assert stats.binomtest(happened, n, float(chance)).pvalue > 1e-4


# ----------------------------------------------------------------- the exact engine

# Everything but eight tiles lies fast, so that all 2,520 deals of the rest can be listed.
FIXED = ["AABBCC", "EEFFGG", "HHIIJJ", "KK9988"]
OPEN = "DD77 6 55 3"
GIVEN = " and ".join(f"{seat} has {codes}" for seat, codes in zip(SEATS, FIXED, strict=True))


def all_deals():
    left = list(reference.TILES)

    def take(codes):
        chosen = []
        for code in codes.replace(" ", ""):
            tile = next(tile for tile in left if tile[0] == code)
            left.remove(tile)
            chosen.append(tile)
        return chosen

    fixed = [take(codes) for codes in FIXED]
    rest = take(OPEN)
    assert not left
    for a in itertools.combinations(rest, 2):
        rest_a = [t for t in rest if t not in a]
        for b in itertools.combinations(rest_a, 2):
            rest_b = [t for t in rest_a if t not in b]
            for c in itertools.combinations(rest_b, 2):
                d = [t for t in rest_b if t not in c]
                yield [(*have, *more) for have, more in zip(fixed, (a, b, c, d), strict=True)]


DEALS = list(all_deals())


def feature(hand, what: str, rules: RuleSet) -> int:
    """A count on a dealt hand, written from the interface page."""
    text = reference.codes(hand)
    families = [[text.count(code) for code in family] for family in reference.FAMILIES]
    if what in ("civil", "military"):
        return sum((code in reference.CIVIL) == (what == "civil") for code in text)
    if what == "red":
        return sum(reference.red_pips(tile, rules.heaven_red) for tile in hand)
    return {
        "pairs": sum(text.count(code) == 2 for code in set(text)),
        "mixed": sum(c > 0 and m > 0 for c, m in families),
        "threes": sum((c == 2 and m > 0) + (m == 2 and c > 0) for c, m in families),
        "fours": sum(c == m == 2 for c, m in families),
        "supreme": ("6" in text and "3" in text) + (rules.supreme_civil != "off" and "KK" in text),
    }[what]


@cache
def holds_of(atom, hand, rules: RuleSet) -> bool:
    """An atom on one hand."""
    if isinstance(atom, Has):
        text = reference.codes(hand)
        pips = [tile[1] for tile in hand]
        return all(
            text.count(tile.code) >= sum(t.code == tile.code for t in atom.tiles)
            and (tile.pips is None or tile.pips in pips)
            for tile in atom.tiles
        )
    value = feature(hand, atom.what, rules)
    sign = "==" if atom.comparison == "=" else atom.comparison
    return bool(eval(f"{value} {sign} {atom.number}"))


def is_true(question, deal, rules: RuleSet) -> bool:
    """A question on one deal, in plain Python."""
    if isinstance(question, Not):
        return not is_true(question.part, deal, rules)
    if isinstance(question, (And, Or)):
        return (all if isinstance(question, And) else any)(
            is_true(p, deal, rules) for p in question.parts
        )

    def holds(hand) -> bool:
        return holds_of(question, hand, rules)

    hands = dict(zip(SEATS, deal, strict=True))
    if question.who == "nobody":
        return not any(map(holds, deal))
    if question.who == "anyone":
        return any(map(holds, deal))
    return all(map(holds, deal)) if question.who == "everyone" else holds(hands[question.who])


WHO = st.sampled_from([*SEATS, "anyone", "everyone", "nobody"])
HAS = st.builds(
    Has,
    WHO,
    st.sampled_from(["D", "DD", "7", "77", "3-4", "2-5 7", "63", "5", "1-4", "D5", "CC77"]).map(
        parse_tiles
    ),
)
COUNT = st.builds(
    Count, WHO.flatmap(lambda _: st.sampled_from(
        ["civil", "military", "pairs", "mixed", "threes", "fours", "supreme", "red"])),
    WHO, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), st.integers(-1, 9),
)  # fmt: skip
QUESTIONS = st.recursive(
    HAS | COUNT,
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(And, st.tuples(inner, inner))
        | st.builds(Or, st.tuples(inner, inner))
    ),
    max_leaves=4,
)
RULES = [JA, RuleSet(supreme_civil="on", heaven_red=0)]


@settings(max_examples=4)
@given(QUESTIONS, st.sampled_from(RULES))
def test_exact_chance__equals_brute_force(question, rules: RuleSet) -> None:
    """On a reduced set of tiles: the rest of the deal is a condition."""
    check_by_brute_force(question, rules)


@pytest.mark.slow
@settings(max_examples=300)
@given(QUESTIONS, st.sampled_from(RULES))
def test_exact_chance__equals_brute_force_often(question, rules: RuleSet) -> None:
    """The same for many more questions."""
    check_by_brute_force(question, rules)


def check_by_brute_force(question, rules: RuleSet) -> None:
    expected = sum(is_true(question, deal, rules) for deal in DEALS)
    try:
        chance = exact_chance(question, rules, parse_question(GIVEN))
    except TooWideError:
        reject()
    assert chance.fraction == Fraction(expected, len(DEALS))


SMALL = st.recursive(
    st.builds(Has, st.sampled_from(SEATS), st.sampled_from(["A", "AA", "A9", "63", "4-5", "BB88"]).map(parse_tiles))
    | st.builds(Count, st.sampled_from(["civil", "pairs", "fours", "red"]), st.sampled_from(SEATS),
                st.sampled_from(["=", ">=", "<"]), st.integers(0, 8)),
    lambda inner: st.builds(Not, inner) | st.builds(And, st.tuples(inner, inner)),
    max_leaves=2,
)  # fmt: skip


@settings(max_examples=60)
@given(SMALL, SMALL)
def test_exact_chance__laws(a, b) -> None:
    """P(A) + P(not A) = 1, and inclusion–exclusion."""

    def p(question):
        return exact_chance(question, JA).fraction

    assert p(a) + p(Not(a)) == 1
    assert p(Or((a, b))) == p(a) + p(b) - p(And((a, b)))


@settings(max_examples=60)
@given(
    st.sampled_from(["AA99", "63", "4-5", "K"]),
    st.sampled_from(["pairs", "civil", "red", "fours"]),
    st.integers(0, 6),
)
def test_exact_chance__seats_are_alike(text: str, what: str, number: int) -> None:
    found = {
        exact_chance(And((Has(a, parse_tiles(text)), Count(what, b, ">=", number))), JA).fraction
        for a, b in itertools.permutations(SEATS, 2)
    }
    assert len(found) == 1


# ----------------------------------------------------------------- dealing under a condition

CONDITIONS = [
    "banker has AA99 and right has BB88 and not left has 63",
    "fours(banker) >= 1",
    "military(banker) = 0",
    "red(across) = 1",
    "anyone has 63",
    "left has 4-5 and right has 3-6",
    "civil(banker) >= 7 and civil(right) >= 7",
    "banker has A and right has A and across has K and left has 63",
    "not banker has J",
    "pairs(left) >= 3 and not left has KK",
]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_given__every_deal_meets_it_and_is_a_deal(condition: str) -> None:
    question = parse_question(condition)
    kept = Player(Run(policies=("greedy",) * 4, hands=2000, seed=3), given=question).keep(0, 2000)
    assert PlayedHands(kept, JA, 1).truth(question).all()
    for dealt in kept[:300, 2:].tolist():
        assert [hand.bit_count() for hand in dealt] == [8] * 4
        assert dealt[0] | dealt[1] | dealt[2] | dealt[3] == 2**32 - 1
        assert is_true(question, [tiles(hand) for hand in dealt], JA)


EVENTS = ["banker has A", "right has KK", "pairs(left) >= 2", "civil(across) >= 6", "red(banker) > 15",
          "left has 4-5", "across has 2-3", "mixed(right) = 0", "anyone has 63", "banker has 3"]  # fmt: skip


@pytest.mark.parametrize("condition", CONDITIONS)
def test_given__deals_as_the_exact_chances_say(condition: str) -> None:
    """Ten events under each condition against their exact chances; once in 10,000 for each condition."""
    n = 60_000
    question = parse_question(condition)
    played = PlayedHands(Player(Run(policies=("greedy",) * 4, seed=5), given=question).keep(0, n), JA, 1)
    for event in EVENTS:
        asked = parse_question(event)
        chance = exact_chance(asked, JA, question).fraction
        happened = int(played.truth(asked).sum())
        if chance in (0, 1):
            assert happened == n * chance
        else:
            assert stats.binomtest(happened, n, float(chance)).pvalue > 1e-5, event


def test_given__equals_throwing_deals_away() -> None:
    """Tile by seat frequencies under a condition, dealt directly and by rejection; once in 1,000."""
    question = parse_question("fours(banker) >= 1 or banker has KK63")
    free = Player(Run(policies=("greedy",) * 4, seed=8)).keep(0, 1_500_000)
    kept = free[PlayedHands(free, JA, 1).truth(question)]
    direct = Player(Run(policies=("greedy",) * 4, seed=9), given=question).keep(0, 100_000)
    p_values = []
    for seat in range(4):
        for bit in range(32):
            a, b = kept[:, 2 + seat] >> bit & 1, direct[:, 2 + seat] >> bit & 1
            table = [[a.sum(), len(a) - a.sum()], [b.sum(), len(b) - b.sum()]]
            p_values.append(stats.chi2_contingency(table).pvalue if 0 < a.sum() < len(a) else 1.0)
    assert min(p_values) > 0.001 / 128


def test_given__same_bits_for_threads_and_show() -> None:
    run = Run(policies=("greedy",) * 4, given="banker has AA99 and right has 63", hands=30_000, seed=4)
    one, five = simulate(run, threads=1), simulate(run, threads=5, block=1000)
    assert np.array_equal(one.keys, five.keys) and np.array_equal(one.counts, five.counts)
    shown = show_hand(run, 17)
    assert int(Player(run).keep(17, 1)[0, 2]) == mask(tiles(shown.record.hands[0]))
    assert score_record(read_record(json.dumps(shown.record.to_json()))) == shown.score
    before, after = (
        Tables(simulate(Run(policies=("greedy",) * 4, given=run.given, hands=hands, seed=4))).counts()
        for hands in (17, 18)
    )
    winner = SEATS[shown.score.winner]
    assert after["winner"][winner] == before["winner"][winner] + 1


@pytest.mark.parametrize(
    "condition", ["banker has AA and right has A", "military(banker) > 8", "nobody has 3", "kam"]
)
def test_given__what_cannot_be_dealt_is_refused(condition: str) -> None:
    with pytest.raises(InputError):
        simulate(Run(policies=("greedy",) * 4, given=condition, hands=100))


# ----------------------------------------------------------------- questions on the play


def test_truth__agrees_with_settled_hands() -> None:
    """Every atom on the play against hands replayed and settled one by one."""
    run = Run(policies=("random",) * 4, seed=12, hands=1)
    n = 400
    played = PlayedHands(Player(run).keep(0, n), JA, 1)
    scores = [show_hand(Run(policies=("random",) * 4, seed=12), k) for k in range(n)]
    shown = [(s.score, s.record.tricks[-1]) for s in scores]
    expected = {
        "right wins": [s.winner == 1 for s, _ in shown],
        "anyone wins and winner wins": [True] * n,
        "stacks(banker) = 0": [s.stacks[0] == 0 for s, _ in shown],
        "stacks(winner) >= 4": [s.stacks[s.winner] >= 4 for s, _ in shown],
        "stacks(anyone) > 5": [max(s.stacks) > 5 for s, _ in shown],
        "points(left) < -4": [s.total[3] < -4 for s, _ in shown],
        "points(everyone) <= 10": [max(s.total) <= 10 for s, _ in shown],
        "finish = yao": [s.finish == "yao" for s, _ in shown],
        "finish != plain": [s.finish != "plain" for s, _ in shown],
        "sweep = seven": [s.sweep == "seven" for s, _ in shown],
        "sweep != none": [s.sweep is not None for s, _ in shown],
        "kam": [s.kam is not None for s, _ in shown],
        "last_size >= 2": [s.last_size >= 2 for s, _ in shown],
        "bonus = supreme or bonus = four": [any(s.bonuses) for s, _ in shown],
    }
    for code in "AK3":
        expected[f"last_tile = {code}"] = [
            s.last_size == 1 and reference.codes(tiles(t.plays[(s.winner - t.leader) % 4].tiles)) == code
            for s, t in shown
        ]
    for text, truth in expected.items():
        assert played.truth(parse_question(text)).tolist() == truth, text


def test_odds__agree_with_the_tables_of_the_same_run() -> None:
    run = Run(policies=("random",) * 4, hands=50_000, seed=6)
    counts = Tables(simulate(run)).counts()
    assert odds("banker wins", run=run).value * 50_000 == pytest.approx(counts["winner"]["banker"])
    assert odds("sweep = seven", run=run).value * 50_000 == pytest.approx(counts["sweep"]["seven"])
    assert odds("kam", run=run).value * 50_000 == pytest.approx(counts["kam"])


def test_odds__condition_on_the_play_is_a_ratio_among_hands_played() -> None:
    run = Run(policies=("random",) * 4, hands=50_000, seed=6)
    both, condition = odds("kam and right wins", run=run), odds("kam", run=run)
    ratio = odds("right wins", "kam", run=run)
    assert ratio.counted == round(condition.value * 50_000) and ratio.hands == 50_000
    assert ratio.value == pytest.approx(both.value / condition.value)


def test_odds__precision_is_reached_and_threads_do_not_matter() -> None:
    run = Run(policies=("greedy",) * 4, seed=3)
    one = odds("banker wins", run=run, precision=0.003, threads=1)
    two = odds("banker wins", run=run, precision=0.003, threads=2)
    assert one == two and one.high - one.low <= 0.003 and one.note == ""
    relative = odds("sweep != none", run=run, relative=0.05)
    assert relative.high - relative.low <= 0.05 * relative.value
    capped = odds("banker wins", run=run, precision=1e-5, most=200_000)
    assert capped.hands == 200_000 and "gave up" in capped.note


def test_odds__exact_refuses_what_must_be_played() -> None:
    with pytest.raises(InputError, match="--exact"):
        odds("kam", exact=True)
    with pytest.raises(InputError, match="no deal"):
        odds("banker has A", "banker has KK and right has K")


# ----------------------------------------------------------------- the language and the command


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("banker hass AA", 7, "did you mean has?"),
        ("banker has", 10, "tiles"),
        ("banker has AAA", 11, "3 times"),
        ("banker has ZZ", 11, "'Z'"),
        ("finis = yao", 0, "did you mean finish?"),
        ("finish = yoa", 9, "did you mean yao?"),
        ("(kam", 4, ")"),
        ("kam kam", 4, "and"),
        ("", 0, "banker"),
        ("civil(bankr) > 3", 6, "did you mean banker?"),
        ("sweep > 1", 6, "="),
        ("last_tile = AA", 12, "one tile"),
        ("civil(banker) > x", 16, "whole number"),
        ("banker has 天天 annd kam", 19, ""),
    ],
)
def test_parse_question__points_at_the_spot(text: str, column: int, words: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_question(text)
    _, line, caret = str(refused.value).split("\n")
    assert line == f"  {text}" and words in caret
    if words:
        assert caret.index("^") == column + 2


@pytest.mark.parametrize(
    "text", ["(" * 3000 + "kam" + ")" * 3000, "not " * 450 + "kam", "civil(banker) > " + "9" * 400]
)
def test_parse_question__odd_texts_end_well(text: str) -> None:
    with contextlib.suppress(InputError):
        parse_question(text)


@pytest.mark.parametrize(
    "text, plain",
    [
        ("somebody has 63", "anyone has 63"), ("Someone wins", "anyone wins"),
        ("anybody has AA or everybody has J", "anyone has AA or everyone has J"),
        ("I have AA99", "banker has AA99"), ("i win and not ME has I", "banker wins and not banker has I"),
        ("points(me) > 10", "points(banker) > 10"), ("pairs(I) = 2", "pairs(banker) = 2"),
        ("left has no stack", "stacks(left) = 0"), ("no stack left", "stacks(left) = 0"),
        ("no_stack(winner)", "stacks(winner) = 0"), ("nobody has no  stacks", "stacks(nobody) = 0"),
        ("not no stack (I) and kam", "not stacks(banker) = 0 and kam"),
    ],
)  # fmt: skip
def test_parse__players_own_words(text: str, plain: str) -> None:
    assert parse_question(text) == parse_question(plain)


def test_parse__every_example_of_the_help(capsys) -> None:
    for example, about in LANGUAGE[:-1]:
        parse_question(example)
        assert len(example) + len(about) <= 72  # one line each
    for word in LANGUAGE[-1][1].replace("(", "").replace(")", "").replace(",", "").split():
        parse_question(f"{word} wins")
    assert main(["odds", "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(" ".join((example, "")).strip() in shown for example, _ in LANGUAGE)


def test_parse__no_stack_of_nobody_named__asks_whose(capsys) -> None:
    assert main(["odds", "no stack"]) == 2
    assert "Here may stand: (, banker" in capsys.readouterr().err


def test_odds__of_me__says_who_that_is(capsys) -> None:
    assert main(["odds", "I have AA", "--lang", "en"]) == 0
    assert "I and me are the banker" in capsys.readouterr().out
    assert main(["odds", "banker has I", "--lang", "en"]) == 0
    assert "I and me" not in capsys.readouterr().out


@given(st.text(max_size=40))
def test_parse_question__any_text_is_a_question_or_an_input_error(text: str) -> None:
    with contextlib.suppress(InputError):
        parse_question(text)


def test_parse_question__case_and_notation_do_not_matter() -> None:
    assert parse_question("BANKER HAS aa99 AND NOT KAM") == parse_question(
        "banker has 天天 九九 and not kam"
    )
    assert parse_question("banker has 6-6 3-6 or kam") == parse_question("(banker has 6-6 3-6) or (kam)")


def run_cli(capsys, *words: str):
    status = main(["odds", *words])
    out, err = capsys.readouterr()
    return status, out, err


def test_cli__json_form(capsys) -> None:
    status, out, _ = run_cli(capsys, "anyone has 63", "--format", "json")
    result = json.loads(out)
    assert status == 0 and (result["numerator"], result["denominator"]) == ("7", "31")
    assert result["method"] == "exact" and result["hands"] == 0
    status, out, _ = run_cli(capsys, "kam", "--policy", "random", "--hands", "100k", "--format", "json")
    result = json.loads(out)
    assert status == 0 and result["method"] == "simulation" and result["hands"] == 100_000
    assert "numerator" not in result and result["low"] <= result["probability"] <= result["high"]


@pytest.mark.parametrize(
    "words",
    [
        ["anyone has 63", "--set", "heaven_red=0"],
        ["kam or finish = yao", "--policy", "random", "--hands", "30k", "--seed", "3", "--term", "2"],
        ["banker wins", "--given", "banker has AA99", "--precision", "0.01", "--rules", "tiengow-zh"],
    ],
)
def test_cli__the_command_under_the_table_gives_the_same(capsys, words: list[str]) -> None:
    out = run_cli(capsys, *words)[1]
    line = next(line for line in out.splitlines() if line.startswith("gupai 0"))
    again = shlex.split(line.split(": ", 1)[1])
    assert again[:2] == ["gupai", "odds"]
    repeated = run_cli(capsys, *again[2:])[1]
    assert repeated.splitlines()[:6] == out.splitlines()[:6]


def test_cli__what_was_never_seen_is_not_never(capsys) -> None:
    out = run_cli(capsys, "last_size = 4 and kam", "--hands", "10k")[1]
    assert "never seen" in out and "more than" in out


def test_cli__text_names_chance_method_and_rules(capsys) -> None:
    out = run_cli(capsys, "military(banker) = 8")[1]
    assert "0.000428 %" in out and "1 / 233740" in out and "exact" in out and "tiengow-ja" in out
    out = run_cli(capsys, "banker", "wins", "--given", "fours(banker) >= 1", "--hands", "20k")[1]
    assert "95 % interval" in out and "20,000 hands" in out and "tuned" in out


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["banker hass AA"], "did you mean has?"),
        (["kam", "--exact"], "--exact"),
        (["kam", "--precision", "2"], "--precision 2"),
        (["kam", "--relative", "x%"], "--relative x%"),
        (["kam", "--hands", "0"], "--hands 0"),
        (["kam", "--threads", "0"], "--threads 0"),
        (["kam", "--given", "nobody has A"], "no deal"),
        ([], "write an event"),
    ],
)
def test_cli__bad_input(capsys, words: list[str], part: str) -> None:
    status, out, err = run_cli(capsys, *words)
    assert (status, out) == (2, "") and part in err and "Traceback" not in err


def test_reduced_set__is_what_it_should_be() -> None:
    assert len(DEALS) == 2520
