"""Every policy: what it sees, what it may play, and that all loops agree."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gupai.analysis import DEALS, InputError, RuleSet, Run, Tables, find_policy, policy_names, simulate
from gupai.analysis.tiengow.duplicate import Duplicates, against
from gupai.analysis.tiengow.family_presets import CHANGES
from gupai.analysis.tiengow.playing import Player
from gupai.analysis.tiengow.tune import policy_toml
from gupai.kernels.streams import Key
from gupai.kernels.tiengow.blocks import decide, play_and_show
from gupai.kernels.tiengow.deal import taking
from gupai.kernels.tiengow.players import choose
from gupai.kernels.tiengow.policies import GREEDY, RANDOM
from gupai.kernels.tiengow.settlement import COLUMNS, settle
from gupai.kernels.tiengow.single import deal_one_hand
from gupai.kernels.tiengow.state import (
    BEST_SEAT,
    DOWN,
    FIRST,
    HAND,
    LEADER,
    PLAYED,
    POSITION,
    SEAT,
    SIZE,
    STATE,
    TRICK,
    VIEW,
    begin,
    fill_rules,
    finished,
    make_play,
    make_view,
)
from gupai.kernels.tiengow.weights import WEIGHT_NAMES, WEIGHTS
from gupai.kernels.word import word

import reference
from bridge import mask, random_rules, tiles

ALL = policy_names()
PINNED = {"random": RANDOM, "greedy": GREEDY}


def test_pinned_policies__all_loops_agree() -> None:
    """The loop for any policy plays the pinned ones bit for bit as the lanes do."""
    rng = random.Random(7)
    for _ in range(12):
        rules = random_rules(rng)
        policies = tuple(rng.choice(["random", "greedy"]) for _ in range(4))
        given = rng.choice([None, "banker has AA", "military(left) >= 4"])
        run = Run(
            policies=policies,
            rules=rules,
            deal=rng.choice(DEALS),
            seed=rng.randrange(2**64),
            given=given,
        )
        start = rng.randrange(10**12)
        player = Player(run)
        table = Duplicates(
            run.players(),
            [range(4)],
            rules,
            seed=run.seed,
            deal=DEALS.index(run.deal),
            given=player._given,
        )
        assert (table.keep(start, 300) == player.keep(start, 300)).all()


def plays_of(policies, rules, number, seed=3, term=1):
    wall, dealt, plays = np.zeros(34, np.int64), np.zeros(4, np.int64), np.zeros((8, 10), np.int64)
    deal_one_hand(np.uint64(seed), number, taking(0), wall, dealt)
    found = [find_policy(name, rules) for name in policies]
    play_and_show(
        np.uint64(seed), 0, number, np.array([p.kind for p in found]), np.array([p.row() for p in found]),
        np.array([p.worlds for p in found]), rules.switches(), term, dealt, plays,
    )  # fmt: skip
    tricks = [
        (int(row[0]), [(tiles(row[2 + place]), bool(row[6 + place])) for place in range(4)])
        for row in plays
        if row[1]
    ]
    return [tiles(hand) for hand in dealt], tricks


@pytest.mark.parametrize("name", ALL)
def test_policy__is_legal_and_scored_as_the_reference_does(name: str) -> None:
    rng = random.Random(name)
    for number in range(60):
        rules = random_rules(rng) if number % 2 else RuleSet()
        others = [rng.choice(ALL[:-1]) for _ in range(3)]
        policies = [name, *others]
        rng.shuffle(policies)
        term = rng.randint(1, 4)
        hands, tricks = plays_of(policies, rules, number, term=term)
        plain = rules.to_json()
        history = reference.replay(hands, tricks, plain)
        expected = reference.settle(history, plain, term)
        run = Run(policies=tuple(policies), rules=rules, seed=3, term=term)
        kept = Player(run).keep(number, 1)[0]
        row = [0] * COLUMNS
        settle(int(kept[0]) & 0x3FFFFFF, int(kept[1]), rules.switches(), term, row)
        assert [tiles(hand) for hand in kept[2:]] == hands
        assert (row[0], row[11:15], row[15:19]) == (
            expected["winner"], expected["settlement"], expected["bonuses"],
        )  # fmt: skip


def test_state__any_first_leader_is_settled_as_the_reference_does() -> None:
    rng = random.Random(21)
    for _ in range(150):
        rules = random_rules(rng).model_copy(update={"hand_patterns": ()})
        policies = [find_policy(rng.choice(["greedy", "public-a", "tuned"]), rules) for _ in range(4)]
        order = list(range(32))
        rng.shuffle(order)
        dealt = [sum(1 << bit for bit in order[8 * seat : 8 * seat + 8]) for seat in range(4)]
        first, term = rng.randrange(4), rng.randint(1, 3)
        state, view = [0] * STATE, [0] * VIEW
        fill_rules(view, rules.switches(), term)
        begin(state, dealt, first)
        tricks = []
        while state[SIZE]:
            make_view(state, Key(word(0), word(0)), rules.switches(), view)
            policy = policies[view[SEAT]]
            move = choose(policy.kind, view, policy.row(), rules.switches())
            if view[POSITION] == 0:
                tricks.append((view[SEAT], []))
            tricks[-1][1].append((tiles(move.play), view[POSITION] == 0 or bool(move.face_up)))
            make_play(state, move, rules.switches())
        plain = rules.to_json()
        history = reference.replay([tiles(hand) for hand in dealt], tricks, plain, first)
        expected = reference.settle(history, plain, term, first)
        outcome = finished(state, rules.switches())
        row = [0] * COLUMNS
        settle(int(outcome.result) & 0x3FFFFFF, int(outcome.honours), rules.switches(), term, row)
        assert (row[11:15], row[15:19]) == (expected["settlement"], expected["bonuses"])


def positions(rng: random.Random, rules, how_many: int):
    """States in the middle of hands played by mixed policies, with the seed of their luck."""
    names = [rng.choice(ALL[:-1]) for _ in range(4)]
    found = [find_policy(name, rules) for name in names]
    while how_many:
        order = list(range(32))
        rng.shuffle(order)
        dealt = [sum(1 << bit for bit in order[8 * seat : 8 * seat + 8]) for seat in range(4)]
        state, view = [0] * STATE, [0] * VIEW
        fill_rules(view, rules.switches(), 1)
        key = Key(rng.getrandbits(32), rng.getrandbits(32))
        begin(state, dealt, 0)
        for _ in range(rng.randrange(1, 24)):
            make_view(state, key, rules.switches(), view)
            policy = found[view[SEAT]]
            move = choose(policy.kind, view, policy.row(), rules.switches())
            make_play(state, move, rules.switches())
            if state[SIZE] == 0:
                break
        else:
            how_many -= 1
            yield state, key


def shuffled(state, rng: random.Random):
    """The same position with all tiles that the seat to play has not seen dealt anew."""
    state = list(state)
    seat = state[LEADER] + state[PLAYED] & 3
    places = [FIRST + place for place in range(4) if state[LEADER] + place & 3 != seat]
    places += [DOWN + other for other in range(4) if other != seat]
    hidden = [bit for place in places for bit in range(32) if state[place] >> bit & 1]
    rng.shuffle(hidden)
    for place in places:
        number = state[place].bit_count()
        state[place] = sum(1 << bit for bit in hidden[:number])
        hidden = hidden[number:]
    return state


@pytest.mark.parametrize("rules", [RuleSet(), RuleSet(supreme_civil="beaten_by_J", two_stacks=False)])
def test_policies__hidden_tiles_never_change_a_move(rules: RuleSet) -> None:
    rng = random.Random(11)
    switches = rules.switches()
    policies = [find_policy(name, rules) for name in [*ALL[:-1], "rollout:10"]]
    fixed = (
        np.array([policy.kind for policy in policies]), np.array([policy.row() for policy in policies]),
        np.array([policy.worlds for policy in policies]), np.uint64(5), switches, 1,
    )  # fmt: skip
    states = [state for state, _ in positions(rng, rules, 150)]
    results = []
    for time in range(5):
        dealt = [shuffled(state, rng) if time else state for state in states]
        for state, other in zip(states, dealt, strict=True):
            views = []
            for candidate in (state, other):
                view = [0] * VIEW
                make_view(candidate, Key(word(1), word(2)), switches, view)
                views.append(view)
            assert views[0] == views[1]
        moves = np.zeros((len(states), len(policies), 2), np.int64)
        decide(np.array(dealt), *fixed, moves)
        results.append(moves)
        assert time == 0 or sum(a != b for a, b in zip(states, dealt, strict=True)) > 100
    assert all((result == results[0]).all() for result in results)
    # The same position by plain Python, for those that need neither luck nor search.
    for number, state in enumerate(states[:30]):
        for column, policy in enumerate(policies):
            if policy.name in ("random", "public-b", "rollout:10"):
                continue
            view = [0] * VIEW
            fill_rules(view, switches, 1)
            make_view(state, Key(word(1), word(2)), switches, view)
            move = choose(policy.kind, view, policy.row(), switches)
            assert int(move.play) == results[0][number, column, 0], policy.name


def test_family__plain_python_and_kernel_agree() -> None:
    """The chooser as Python plays the hands that the kernel plays."""
    rules = RuleSet()
    policy = find_policy("tuned")
    for number in range(6):
        hands, tricks = plays_of(["tuned"] * 4, rules, number)
        state, view = [0] * STATE, [0] * VIEW
        fill_rules(view, rules.switches(), 1)
        begin(state, [mask(hand) for hand in hands], 0)
        for _leader, plays in tricks:
            for play, up in plays:
                make_view(state, Key(word(0), word(0)), rules.switches(), view)
                move = choose(policy.kind, view, policy.row(), rules.switches())
                assert (tiles(move.play), bool(move.face_up)) == (play, up)
                make_play(state, move, rules.switches())


def test_block_banker__spares_a_non_banker_in_the_first_three_tricks() -> None:
    rng = random.Random(2)
    rules = RuleSet()
    policy = find_policy("block-banker")
    spared = 0
    for state, key in positions(rng, rules, 300):
        view = [0] * VIEW
        fill_rules(view, rules.switches(), 1)
        make_view(state, key, rules.switches(), view)
        other_wins = view[POSITION] > 0 and view[SEAT] + view[BEST_SEAT] & 3 != 0
        if view[SEAT] != 0 and other_wins and view[TRICK] < 3:
            spared += 1
            assert not choose(policy.kind, view, policy.row(), rules.switches()).face_up
    assert spared > 10


def test_honour_late__keeps_supreme() -> None:
    """A banker with 63 does not lead it before it must."""
    name = "honour-late"
    run = Run(policies=(name,) * 4, given="banker has 63")
    table = Duplicates(run.players(), [range(4)], run.rules, given=Player(run)._given)
    policy = find_policy(name)
    for row in table.keep(0, 40).tolist():
        state, view = [0] * STATE, [0] * VIEW
        fill_rules(view, run.rules.switches(), 1)
        begin(state, row[2:], 0)
        make_view(state, Key(word(0), word(0)), run.rules.switches(), view)
        assert view[HAND] == row[2]
        led = reference.codes(tiles(choose(policy.kind, view, policy.row(), run.rules.switches()).play))
        assert led != "63" and len(led) < 4


def test_public_policies__play_as_described() -> None:
    rules = RuleSet()
    for number in range(200):
        hands, tricks = plays_of(["public-a", "public-b", "public-a", "public-b"], rules, number)
        left = [set(hand) for hand in hands]
        for leader, plays in tricks:
            lead = plays[0][0]
            hand = left[leader]
            counts = {code: [t[0] for t in hand].count(code) for code, _, _ in hand}
            if leader % 2 == 0:
                fours = [
                    f for f in ("AA99", "BB88", "CC77", "DD55") if all(counts.get(c) == 2 for c in f)
                ]
                if {"6", "3"} <= set(counts):
                    assert reference.codes(lead) == "63"
                else:
                    assert len(lead) == (4 if fours else 1)
            else:
                pairs = [code for code, n in counts.items() if n == 2]
                assert len(lead) == (2 if pairs else 1)
            contest = reference.Contest(
                *reference.combination(lead, rules.to_json(), led=True), rules.to_json()
            )
            for place, (play, up) in enumerate(plays):
                seat = (leader + place) % 4
                if place and seat % 2 == 0 and not up and len(left[seat]) > len(lead):
                    legal = reference.legal_follows(left[seat], 1, contest, len(lead), rules.to_json())
                    assert not any(face_up for _, face_up in legal), "public-a always beats"
                if place and up:
                    contest.beat_with(play)
                left[seat] -= set(play)


def test_simulate__takes_any_policy_whatever_the_threads() -> None:
    run = Run(policies=("tuned", "public-a", "bold", "random"), hands=3000, by="fours")
    results = [
        Tables(simulate(run, threads=n, block=block)).to_json() for n, block in ((1, 700), (3, 64))
    ]
    assert results[0] == results[1]
    assert results[0]["provenance"]["policy_digests"]


def test_duplicates__four_alike_sum_to_zero() -> None:
    policy = find_policy("tuned")
    points = Duplicates([policy, policy], against(0, 1), RuleSet()).points(0, 200)
    own = points[:, np.arange(4), np.arange(4)]
    assert (own.sum(axis=1) == 0).all() and points.any()


# ---------------------------------------------------------------- policy files


def test_policy_file__round_trip(tmp_path) -> None:
    tuned = find_policy("tuned")
    path = tmp_path / "mine.toml"
    path.write_text(policy_toml(tuned), encoding="utf-8")
    again = find_policy(str(path))
    assert again.weights == tuned.weights and again.digest() == tuned.digest()
    assert len(tuned.weights) == WEIGHTS
    bolder = tuned.with_weights(last_trick=99.0)
    assert bolder.digest() != tuned.digest()


def test_policy_file__missing_weights_are_nothing(tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[weights]\npair = 1.0")
    weights = dict(zip(WEIGHT_NAMES, find_policy(str(path)).weights, strict=True))
    assert weights.pop("pair") == 1.0 and not any(weights.values())


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("weights = 3", "has no table"),
        ("[weights]\npiar = 1.0", "Did you mean pair"),
        ("[weights]\npair = 'x'", "must be a number"),
        ("[weights]\npair = nan", "must be a number"),
        ("[weights]\npair = 1e99", "must be a number"),
        ("[weights]\npair = 1" + "0" * 400, "must be a number"),
        ("[weight]", "Did you mean weights"),
        ("beliefs = 3", "must be a text"),
        ("][", "is no TOML"),
    ],
)
def test_policy_file__bad(tmp_path, text: str, complaint: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=complaint):
        find_policy(str(path))


def test_rollout__names() -> None:
    assert find_policy("rollout").worlds == 100
    assert find_policy("rollout:7").worlds == 7 and find_policy("rollout:7:win").worlds == -7
    for bad in ("rollout:", "rollout:1", "rollout:x", "rollout:7:lose", "rollout:9999999"):
        with pytest.raises(InputError, match="write rollout:WORLDS"):
            find_policy(bad)


def test_rollout__plays_better_than_what_it_looks_ahead_with() -> None:
    """Against three tuned over 150 deals, beyond 2.6 standard errors of what the seats gain."""
    from gupai.analysis.tiengow.tune import points_against

    how = {"rules": RuleSet(), "start": 0, "deals": 150, "seed": 12}
    gain = points_against(find_policy("rollout:40"), [find_policy("tuned")], **how)[:, 0]
    assert gain.mean() > 2.6 * gain.std(ddof=1) / np.sqrt(gain.size)


def test_policy__unknown_or_unreadable(tmp_path) -> None:
    with pytest.raises(InputError, match="Did you mean block-banker"):
        find_policy("blok-banker")
    with pytest.raises(InputError, match="cannot be read"):
        find_policy(str(tmp_path / "none.toml"))
    (tmp_path / "big.toml").write_text("#" * 60_000)
    with pytest.raises(InputError, match="larger than 50,000 bytes, so no policy file"):
        find_policy(str(tmp_path / "big.toml"))


def _reverted(name: str) -> list:
    """A preset, and for each of its stated beliefs the preset without the weights that carry it."""
    rules = RuleSet()
    preset, tuned = find_policy(name, rules), find_policy("tuned", rules)
    if name == "tuned":  # its belief: the last trick is worth most
        return [preset, preset.with_weights(last_trick=0.0, run=0.0)]
    change = CHANGES[name]
    named = dict(zip(WEIGHT_NAMES, tuned.weights, strict=True))
    return [preset, preset.with_weights(**{w: named[w] for w in (*change.times, *change.to)})]


@pytest.mark.parametrize("name", ["tuned", *CHANGES])
def test_presets__beliefs_change_plays(name: str) -> None:
    """Without the weights that carry what it says it believes, a preset plays otherwise."""
    rng, rules = random.Random(4), RuleSet()
    policies = _reverted(name)
    states = np.array([state for state, _ in positions(rng, rules, 600)])
    moves = np.zeros((len(states), 2, 2), np.int64)
    decide(
        states, np.array([p.kind for p in policies]), np.array([p.row() for p in policies]),
        np.zeros(2, np.int64), np.uint64(5), rules.switches(), 1, moves,
    )  # fmt: skip
    assert (moves[:, 0] != moves[:, 1]).any()
