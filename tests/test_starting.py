"""Starting hands: their numbers, what one is worth, and the table of all of them."""

from __future__ import annotations

import itertools
import json
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from gupai.analysis import (
    HandTableRun,
    InputError,
    RuleSet,
    Run,
    codes_of,
    hand_rank,
    make_hand_table,
    odds,
    read_hand,
    read_hand_table,
    shipped_hands,
    starting_hand,
    write_compact,
)
from gupai.analysis.tiengow import hand_table
from gupai.analysis.tiengow.conditions import fixed_hand
from gupai.analysis.tiengow.hand_table import codes_of_hands, weights
from gupai.analysis.tiengow.playing import Player
from gupai.analysis.tiengow.starting import leads_of
from gupai.kernels.tiengow.starting import (
    CAUGHT,
    EMPTY,
    HANDS,
    POINTS,
    SQUARES,
    SUMS,
    SWEEPS,
    WINS,
    add_to_sums,
    seat_outcomes,
    starting_hand_number,
    starting_hands,
)

import reference
from bridge import BIT_OF_TILE, mask, tiles

HAND_BITS = st.sets(st.integers(0, 31), min_size=8, max_size=8).map(
    lambda bits: sum(1 << b for b in bits)
)
SEATS = ("banker", "right", "across", "left")


# ---------------------------------------------------------------- numbers


def test_starting_hands__are_all_classes_once_with_their_weights() -> None:
    hands = starting_hands()
    codes = codes_of_hands(hands)
    assert len(set(codes.tolist())) == hands.size == 330_525
    copies = {code: sum(c == code for c, _, _ in reference.TILES) for code, _, _ in reference.TILES}
    rng = random.Random(5)
    for number in rng.sample(range(hands.size), 500):
        held = codes[number]
        ways = math.prod(math.comb(copies[code], held.count(code)) for code in set(held))
        assert weights()[number] == ways and codes_of(int(hands[number])) == held
        assert starting_hand_number(int(hands[number])) == number
    assert weights().sum() == math.comb(32, 8)


@given(HAND_BITS)
def test_starting_hand_number__same_class_same_number(hand: int) -> None:
    number = starting_hand_number(hand)
    assert codes_of_hands(starting_hands()[number : number + 1])[0] == codes_of(hand)


# ---------------------------------------------------------------- dealing and leading one hand


@pytest.mark.parametrize("seat", range(4))
def test_fixed_hand__the_rest_is_dealt_evenly(seat: int) -> None:
    """24 tiles × 3 seats; false alarm 1 in 1,000 over the four seats."""
    held = read_hand("AA99BK63", RuleSet())
    kept = Player(Run(policies=("greedy",) * 4), given=fixed_hand(held, seat)).keep(0, 20_000)
    assert (kept[:, 2 + seat] == held).all()
    others = [other for other in range(4) if other != seat]
    assert (np.bitwise_or.reduce(kept[:, 2:], axis=1) == 2**32 - 1).all()
    assert (np.bitwise_count(kept[:, 2:]) == 8).all()
    statistic = 0.0
    for bit in range(32):
        if not held >> bit & 1:
            counts = [int((kept[:, 2 + other] >> np.uint32(bit) & 1).sum()) for other in others]
            statistic += sum((count - 20_000 / 3) ** 2 / (20_000 / 3) for count in counts)
    # The 24 tables hang together (eight tiles a seat); their sum spreads no wider than 48 freedoms.
    assert statistic < chi2.isf(0.001 / 4, 48)


def reference_hand(hands, opening, rules):
    """Greedy play by the reference engine after a given opening lead."""
    left, stacks, tricks, leader = [set(hand) for hand in hands], [0] * 4, [], 0
    while any(left):
        lead = opening if not tricks else reference.greedy_lead(left[leader], rules)
        contest = reference.Contest(*reference.combination(lead, rules, led=True), rules)
        plays, winner = [(tuple(lead), True)], leader
        for place in range(1, 4):
            seat = (leader + place) % 4
            play, up = reference.greedy_follow(left[seat], stacks[seat], contest, len(lead), rules)
            if up:
                contest.beat_with(play)
                winner = seat
            plays.append((tuple(play), up))
        for place, (play, _) in enumerate(plays):
            left[(leader + place) % 4] -= set(play)
        tricks.append((leader, plays))
        stacks[winner] += len(lead)
        leader = winner
    return tricks


@pytest.mark.parametrize("text", ["AA9BK863", "CD57JJKK", "99887755", "EEFFGHI3"])
def test_leads__agree_with_the_reference_engine(text: str) -> None:
    rules = RuleSet()
    plain = rules.to_json()
    held = read_hand(text, rules)
    leads = leads_of(held)
    legal = {
        reference.codes(subset)
        for size in range(1, 5)
        for subset in itertools.combinations(tiles(held), size)
        if reference.combination(subset, plain, led=True)
    }
    assert {codes_of(lead) for lead in leads} == {"".join(sorted(c, key=order)) for c in legal}
    player = Player(Run(policies=("greedy",) * 4), given=fixed_hand(held, 0))
    for lead in leads:
        kept = player.keep(7, 12, lead)
        for row in kept.tolist():
            hands = [tiles(hand) for hand in row[2:]]
            tricks = reference_hand(hands, tiles(lead), plain)
            history = reference.replay(hands, tricks, plain)
            expected = reference.settle(history, plain)
            assert row[0] & 3 == expected["winner"]
            assert row[0] >> 31 == (history.tricks[0][2] == 0)
            sums = np.zeros(SUMS, np.int64)
            seat_outcomes(np.array([row], np.uint32), 0, rules.switches(), 1, sums)
            assert sums[POINTS] == expected["settlement"][0] + expected["bonuses"][0]
            assert sums[WINS] == (expected["winner"] == 0)
            assert sums[EMPTY] == (expected["stacks"][0] == 0)
            assert sums[SWEEPS] == (expected["winner"] == 0 and expected["sweep"] is not None)
            assert sums[CAUGHT] == (expected["kam"] == 0)


def order(code: str) -> int:
    return "ABCDEFGHIJK987653".index(code)


def test_leads__of_the_policy_changes_nothing() -> None:
    held = read_hand("AA9BK863", RuleSet())
    chosen = mask(reference.greedy_lead(set(tiles(held)), RuleSet().to_json()))
    player = Player(Run(policies=("greedy",) * 4), given=fixed_hand(held, 0))
    assert (player.keep(0, 1000, chosen) == player.keep(0, 1000)).all()


def test_starting_hand__seats_agree_with_odds() -> None:
    """Two ways to the same chances; eight comparisons at 4.5 standard errors, 1 in 18,000."""
    worth = starting_hand("AC99GJK3", run=Run(policies=("greedy",) * 4, hands=100_000, seed=3))
    for seat in SEATS:
        condition = f"{seat} has AC99GJK3"
        for event, share in ((f"{seat} wins", "win"), (f"stacks({seat}) = 0", "empty")):
            other = odds(
                event, condition, run=Run(policies=("greedy",) * 4, hands=100_000, seed=4)
            ).value
            value = getattr(worth.seats[seat], share).value
            assert abs(value - other) < 4.5 * math.sqrt(2 * value * (1 - value) / 100_000) + 1e-9
    assert worth.dealt.numerator / worth.dealt.denominator == 32 / 10_518_300
    best = worth.leads[0]
    assert best.behind.mean == 0 and all(lead.behind.mean >= 0 for lead in worth.leads)
    for lead in worth.leads:
        assert lead.behind.mean == pytest.approx(best.points.mean - lead.points.mean)


def test_starting_hand__same_numbers_for_any_threads() -> None:
    run = Run(hands=40_000, policies=("random", "greedy", "random", "greedy"), term=3)
    one, three = (starting_hand("AC99GJK3", run=run, threads=n).to_json() for n in (1, 3))
    assert one == three


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("AA99", "has 4 tiles; a starting hand has eight"),
        ("AAA99BK63", "tile A"),
        ("AA99BKX3", "X"),
        ("", "has 0 tiles"),
    ],
)
def test_read_hand__tells_what_is_wrong(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        read_hand(text, RuleSet())


def test_read_hand__asks_for_pips_only_where_they_count() -> None:
    red = RuleSet(hand_patterns=("no_red",))
    assert read_hand("A9FFGGHH", RuleSet()) and read_hand("A8FFGGHH", red)
    assert read_hand("A99FGGHH", red)  # both nines: nothing is open
    with pytest.raises(InputError, match="write the pips"):
        read_hand("A9FFGGHH", red)
    assert BIT_OF_TILE["9", "3-6", 0] in bits(read_hand("6-6 3-6 FFGGHH", red))


def bits(hand: int) -> list[int]:
    return [bit for bit in range(32) if hand >> bit & 1]


def test_starting_hand__pattern_ends_the_hand() -> None:
    worth = starting_hand(
        "99887755",
        run=Run(policies=("greedy",) * 4, hands=500, rules=RuleSet(hand_patterns=("four_pairs",))),
    )
    assert worth.seats["banker"].win.value == worth.seats["banker"].sweep.value == 1
    assert worth.leads == ()
    elsewhere = starting_hand(
        "AACCEEGG",
        run=Run(
            policies=("greedy",) * 4,
            hands=3000,
            rules=RuleSet(hand_patterns=("eight_military", "no_red")),
        ),
    )
    assert 0 < elsewhere.seats["banker"].win.value < 1


# ---------------------------------------------------------------- the table

# So few that only the hands of weight 1 have to be dealt by themselves, once each.
SMALL = HandTableRun(run=Run(policies=("greedy",) * 4, hands=10_518_300 // 2, seed=8), fewest=1)


@pytest.fixture(scope="module")
def small_table(tmp_path_factory):
    return make_hand_table(SMALL, tmp_path_factory.mktemp("table") / "whole")


def test_hand_table__holds_every_deal(small_table) -> None:
    frame = read_hand_table(small_table)
    assert len(frame) == 330_525 and sorted(frame["rank"]) == list(range(1, 330_526))
    jobs = SMALL.jobs()
    singles = int((weights() == 1).sum())
    assert len(jobs) == 4 * singles and (jobs[:, 1] == 1).all()
    for seat in SEATS:
        assert frame[f"deals_{seat}"].sum() == SMALL.run.hands + singles
        wins = (frame[f"win_{seat}"] * frame[f"deals_{seat}"]).sum()
        assert wins == pytest.approx(round(wins))
    assert frame.attrs["fingerprint"] == SMALL.provenance()["fingerprint"]


def test_hand_table__sums_are_those_of_the_hands() -> None:
    kept = Player(Run(policies=("greedy",) * 4, seed=8)).keep(100, 50)
    sums = np.zeros(330_525 * 4 * SUMS, np.int64)
    add_to_sums(kept, -1, RuleSet().switches(), 1, sums)
    sums = sums.reshape(-1, 4, SUMS)
    total = sums.sum(axis=0)
    assert total[:, HANDS].tolist() == [50] * 4 and total[:, POINTS].sum() == 0
    assert total[:, WINS].tolist() == np.bincount(kept[:, 0] & 3, minlength=4).tolist()
    assert (sums[:, :, SQUARES] >= sums[:, :, POINTS] ** 2 / np.maximum(sums[:, :, HANDS], 1)).all()
    for row in kept.tolist():
        for seat in range(4):
            assert sums[starting_hand_number(row[2 + seat]), seat, HANDS] >= 1


def test_hand_table__interrupted_run_goes_on_to_the_same_bytes(
    small_table, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(hand_table, "_SPAN", 1 << 20)
    monkeypatch.setattr(hand_table, "_JOBS_AT_ONCE", 3000)
    calls = 0

    def progress(step: str, done) -> None:
        if done.done > 1_500_000 or step != "free deals":
            raise KeyboardInterrupt

    folder = tmp_path / "parts"
    table = None
    while table is None:
        table = make_hand_table(SMALL, folder, threads=2, progress=progress if calls < 3 else None)
        calls += 1
    assert calls == 4
    assert table.read_bytes() == small_table.read_bytes()
    changed = table.stat().st_mtime_ns
    assert make_hand_table(SMALL, folder) == table and table.stat().st_mtime_ns == changed


def test_hand_table__refuses_what_is_not_its_own(tmp_path) -> None:
    folder = tmp_path / "table"
    tiny = HandTableRun(run=Run(policies=("greedy",) * 4, hands=1000), fewest=0)
    make_hand_table(tiny, folder)
    other = HandTableRun(run=Run(policies=("greedy",) * 4, hands=2000), fewest=0)
    with pytest.raises(InputError, match="holds another table"):
        make_hand_table(other, folder)
    (folder / "hands.parquet").write_bytes(b"garbage")
    with pytest.raises(InputError, match=r"hands\.parquet: is damaged"):
        make_hand_table(tiny, folder)
    with pytest.raises(InputError, match="is no table of this program"):
        write_compact(folder / "sums.parquet", folder / "hands.parquet")
    with pytest.raises(InputError, match="must be a file that ends"):
        write_compact(folder / "sums.parquet", "/dev/full")
    (folder / "hands.parquet").unlink()
    with pytest.raises(InputError, match="1,000 hands, seed 1, policies greedy"):
        make_hand_table(other, folder)
    (folder / "sums.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(InputError, match=r"sums\.parquet: is damaged"):
        make_hand_table(tiny, folder)
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="is no folder"):
        make_hand_table(tiny, tmp_path / "file")
    with pytest.raises(InputError, match="is empty"):
        make_hand_table(tiny, "")
    with pytest.raises(InputError, match="is no folder that can be written to"):
        make_hand_table(tiny, "/proc/nothing")
    with pytest.raises(InputError, match="neither a condition"):
        HandTableRun(run=Run(policies=("greedy",) * 4, given="banker has A"))
    assert sorted(path.name for path in folder.iterdir()) == ["sums.parquet"]


def test_write_compact__rounds_as_stated(small_table, tmp_path) -> None:
    import pyarrow.parquet as pq

    error = write_compact(small_table, tmp_path / "compact.parquet")
    full = read_hand_table(small_table)
    compact = pq.read_table(tmp_path / "compact.parquet").to_pandas()
    for seat in SEATS:
        off = np.abs(compact[f"points_{seat}"] * 0.02 - full[f"points_{seat}"])
        assert off.max() <= error["rounding_points"] + 1e-9
        off = np.abs(compact[f"win_{seat}"] * 0.001 - full[f"win_{seat}"])
        assert off.max() <= error["rounding_win"] + 1e-9
    assert json.loads(pq.read_schema(tmp_path / "compact.parquet").metadata[b"gupai"])["error"] == error


def test_shipped_hands__agree_with_new_deals() -> None:
    """Twelve hands, four seats: points at 5 standard errors, false alarm 1 in 36,000."""
    frame = shipped_hands()
    assert sorted(frame["rank"]) == list(range(1, 330_526))
    facts = frame.attrs
    run = Run(hands=20_000, seed=77, policies=tuple(facts["policies"]), term=facts["term"])
    for number in np.random.default_rng(1).choice(330_525, 12, replace=False).tolist():
        row = frame.iloc[number]
        worth = starting_hand(row["hand"], run=run)
        for seat in SEATS:
            points = worth.seats[seat].points
            expected = facts["hands"] * row["weight"] / 10_518_300
            deals = max(expected, facts["fewest"])
            se = math.sqrt(points.se**2 + points.sd**2 / deals)
            assert abs(points.mean - row[f"points_{seat}"]) < 5 * se + 0.01


def test_hand_rank__interval_holds_the_rank() -> None:
    frame = shipped_hands()
    for number in (0, 1000, 200_000, 330_524):
        rank, low, high = hand_rank(int(starting_hands()[number]))
        assert 1 <= low <= rank <= high <= 330_525
        assert rank == frame["rank"].iloc[number]
