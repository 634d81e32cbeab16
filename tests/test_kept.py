"""Single hands kept as Parquet: the same bytes however played, and what the tables are made of."""

from __future__ import annotations

import os
import shutil

import pytest

from gupai.analysis import (
    HAND_SCHEMA,
    InputError,
    Keeper,
    Run,
    SavedRun,
    Tables,
    load_rules,
    merge_runs,
    read_hands,
    saved_runs,
    show_hand,
    simulate,
)
from gupai.analysis.tiengow import saved as saved_module
from gupai.reports.cli import main

from saving import RUN, SMALL, contents, spoil_all, spoil_length


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(saved_module, "PART", SMALL)


# ---------------------------------------------------------------- single hands
def test_keep_hands__however_played__the_same_bytes_and_counts(tmp_path):
    run = Run(hands=1, policies=("tuned",) * 4, by="fours", seed=5)
    saved = SavedRun(tmp_path / "a", run)
    for hands in (3_000, 20_000, 21_500):
        saved.extend(hands, source=Keeper(run, saved.folder, threads=2))
    other = SavedRun(tmp_path / "b", run)
    other.extend(15_000)  # counted, not kept
    keeper = Keeper(run, other.folder, threads=1)
    keeper.catch_up(other.ranges())
    other.extend(21_500, source=keeper)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    whole = simulate(Run(hands=21_500, policies=("tuned",) * 4, by="fours", seed=5))
    assert Tables(saved.tally()).to_json() == Tables(whole).to_json()
    assert len(read_hands(saved.folder)) == 21_500


def test_keep_hands__add_up_to_the_tables(tmp_path, capsys):
    rules = ["--rules", "tiengow-zh", "--set", "hand_patterns=no_red,four_pairs"]
    words = ["simulate", *rules, "--policy", "random", "--hands", "30k"]
    assert main([*words, "--out", str(tmp_path), "--keep-hands", "--format", "csv"]) == 0
    capsys.readouterr()
    [saved] = saved_runs(tmp_path)
    frame, tables = read_hands(saved.folder), Tables(saved.tally())
    counts = tables.counts()
    assert list(frame.columns) == list(HAND_SCHEMA)
    assert frame["hand"].tolist() == list(range(30_000))
    for name, column in (("winner", "winner"), ("finish", "finish"), ("sweep", "sweep")):
        assert frame[column].value_counts().to_dict() == {k: n for k, n in counts[name].items() if n}
    assert frame["caught"].notna().sum() == counts["kam"]
    assert (frame["last_size"] == 0).sum() > 0
    sizes = frame["last_size"].value_counts()
    assert {str(n): int(sizes.get(n, 0)) for n in range(1, 5)} == counts["last_size"]
    tiles = frame["last_tile"].value_counts()
    assert {code: int(tiles.get(code, 0)) for code in counts["last_tile"]} == counts["last_tile"]
    assert int(frame["supreme_bonuses"].sum()) == counts["bonus"]["supreme"]
    means = tables.point_means()
    for seat in ("banker", "right", "across", "left"):
        points = frame[f"settlement_{seat}"] + frame[f"bonuses_{seat}"]
        assert points.mean() == pytest.approx(means[seat].mean, rel=1e-12)
        assert (
            frame[f"stacks_{seat}"].value_counts().reindex(range(9), fill_value=0).tolist()
            == (counts["stacks"][seat])
        )
    total = sum(frame[f"settlement_{seat}"] for seat in ("banker", "right", "across", "left"))
    assert (total == 0).all()


def test_keep_hands__each_hand__as_the_record_of_that_hand(tmp_path):
    run = Run(rules=load_rules("tiengow-zh"), policies=("random",) * 4, hands=60, seed=8)
    saved = SavedRun(tmp_path, run)
    saved.extend(60, source=Keeper(run, saved.folder))
    for row in read_hands(saved.folder).to_dict("records"):
        shown = show_hand(run, row["hand"])
        record = shown.record.to_json()
        seats = ("banker", "right", "across", "left")
        assert [row[f"tiles_{seat}"] for seat in seats] == record["hands"]
        assert seats.index(row["winner"]) == shown.score.winner
        assert [row[f"stacks_{seat}"] for seat in seats] == list(shown.score.stacks)
        points = [row[f"settlement_{seat}"] + row[f"bonuses_{seat}"] for seat in seats]
        assert points == [
            a + b for a, b in zip(shown.score.settlement, shown.score.bonuses, strict=True)
        ]


def test_keep_hands__merged__are_those_of_one_run(tmp_path, small_parts):
    for folder, first, hands in (("a", 0, 20_000), ("b", 20_000, 50_000), ("c", 0, 50_000)):
        saved = SavedRun(tmp_path / folder, RUN)
        saved.extend(hands, first=first, source=Keeper(RUN, saved.folder))
    merge_runs([tmp_path / "a", tmp_path / "b"], tmp_path / "d")
    assert contents(tmp_path / "d") == contents(tmp_path / "c")


@pytest.mark.parametrize("spoil", [spoil_length, spoil_all])
def test_keep_hands__damaged_file__is_refused_by_name(tmp_path, spoil):
    saved = SavedRun(tmp_path / "a", RUN)
    saved.extend(1_000, source=Keeper(RUN, saved.folder))
    spoil(saved.folder / "hands-000000.parquet")
    with pytest.raises(InputError, match=r"hands-000000\.parquet: is damaged"):
        saved.extend(2_000, source=Keeper(RUN, saved.folder))
    with pytest.raises(InputError, match=r"hands-000000\.parquet: is damaged"):
        merge_runs([tmp_path / "a"], tmp_path / "b")


def test_keep_hands__file_of_another_run__is_refused(tmp_path):
    saved = SavedRun(tmp_path, RUN)
    saved.extend(1_000, source=Keeper(RUN, saved.folder))
    other = Run(policies=("greedy",) * 4, hands=10, seed=4)
    another = SavedRun(tmp_path, other)
    os.makedirs(another.folder)
    shutil.copy(saved.folder / "hands-000000.parquet", another.folder)
    with pytest.raises(InputError, match=r"hands-000000\.parquet: belongs to another run"):
        another.extend(1_000, source=Keeper(other, another.folder))
