"""Runs kept in a folder: the same bytes however they were played, and nothing foreign or damaged."""

from __future__ import annotations

import csv
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gupai.analysis import (
    HAND_SCHEMA,
    Here,
    InputError,
    Keeper,
    Run,
    SavedRun,
    Tables,
    load_rules,
    make_rules,
    merge_runs,
    read_hands,
    saved_runs,
    show_hand,
    simulate,
    simulate_by,
)
from gupai.analysis.parquet import facts_of, write_table
from gupai.analysis.tiengow import saved as saved_module
from gupai.analysis.tiengow.parts import read_counts, seal, write_counts
from gupai.reports.cli import main, make_app

SEATS = ("banker", "right", "across", "left")
RUN = Run(hands=50_000, seed=3)
SMALL = 20_000  # hands a part in most tests


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(saved_module, "PART", SMALL)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


class Interrupted:
    """Plays as this machine does, and is interrupted after so many pieces."""

    def __init__(self, run: Run, pieces: int, size: int) -> None:
        self.here, self.pieces, self.size = Here(run, 1, run.hands), pieces, size

    def play(self, ranges, progress):
        cut = [
            (a, min(a + self.size, end)) for first, end in ranges for a in range(first, end, self.size)
        ]
        for number, piece in enumerate(self.here.play(cut, progress)):
            if number == self.pieces:
                raise KeyboardInterrupt
            yield piece


def played(folder: Path, run: Run, hands: int, **options) -> SavedRun:
    saved = SavedRun(folder, run)
    saved.extend(hands, **options)
    return saved


# ---------------------------------------------------------------- the same bytes
def test_saved__in_one_go__holds_what_simulate_counts(tmp_path, small_parts):
    saved = played(tmp_path, RUN, 50_000)
    assert saved.ranges() == [(0, 50_000)]
    assert Tables(saved.tally()).to_json() == Tables(simulate(RUN)).to_json()
    assert [path.name for path in sorted(saved.folder.iterdir())] == [
        "part-000000.parquet", "part-000001.parquet", "part-000002.parquet",
    ]  # fmt: skip


@pytest.mark.parametrize("steps", [(50_000,), (1, 50_000), (7_000, 20_000, 33_333, 50_000)])
@pytest.mark.parametrize("threads", [1, 2])
def test_saved__however_played__the_same_bytes(tmp_path, small_parts, steps, threads):
    for hands in steps:
        played(tmp_path / "a", RUN, hands, threads=threads)
    played(tmp_path / "b", RUN, 50_000)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_saved__played_again__adds_nothing_and_touches_nothing(tmp_path, small_parts):
    saved = played(tmp_path, RUN, 50_000)
    times = {path: path.stat().st_mtime_ns for path in saved.folder.iterdir()}
    assert SavedRun(tmp_path, RUN).extend(50_000) == 0
    assert SavedRun(tmp_path, RUN).extend(30_000) == 0
    assert {path: path.stat().st_mtime_ns for path in saved.folder.iterdir()} == times


def test_saved__lacking__counts_what_is_missing(tmp_path, small_parts):
    saved = played(tmp_path, RUN, 30_000)
    saved.extend(70_000, first=60_000)
    for first in (0, 20_000, 40_000, 60_000):
        for end in (first + 1, 61_000, 75_000, 99_999):
            gaps = list(saved.missing(first, end))
            assert saved.lacking(first, end) == sum(b - a for a, b in gaps)
    assert list(saved.missing(0, 90_000)) == [(30_000, 40_000), (40_000, 60_000), (70_000, 80_000),
                                              (80_000, 90_000)]  # fmt: skip


@pytest.mark.parametrize("pieces", [0, 1, 5, 9])
def test_saved__interrupted__goes_on_to_the_same_bytes(tmp_path, small_parts, pieces):
    saved = SavedRun(tmp_path / "a", RUN)
    with pytest.raises(KeyboardInterrupt):
        saved.extend(50_000, source=Interrupted(RUN, pieces, 3_000))
    assert SavedRun(tmp_path / "a", RUN).ranges() == saved.ranges()
    assert SavedRun(tmp_path / "a", RUN).extend(50_000) == 50_000 - sum(b - a for a, b in saved.ranges())
    played(tmp_path / "b", RUN, 50_000)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_saved__killed__goes_on_to_the_same_bytes(tmp_path):
    script = (
        "from gupai.analysis import Run, SavedRun\n"
        "from gupai.analysis.tiengow import saved, sources\n"
        "saved._BETWEEN_SAVINGS = sources._PIECE = 0.05\n"
        "saved.PART = 2_000_000\n"
        f"SavedRun({str(tmp_path / 'a')!r}, Run(hands=1000, seed=3)).extend(10**11)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script])
    try:
        deadline = time.monotonic() + 120
        while len(list(tmp_path.rglob("part-*"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(saved_module, "PART", 2_000_000)
        held = SavedRun(tmp_path / "a", RUN).ranges()
        assert held[0][0] == 0 and len(held) == 1
        end = held[0][1] + 100_000
        played(tmp_path / "a", RUN, end)
        played(tmp_path / "b", RUN, end)
    whole = {name: text for name, text in contents(tmp_path / "a").items() if "/part" in name}
    assert whole == contents(tmp_path / "b")


@pytest.mark.parametrize("policy", ["tuned", "public-a"])
def test_saved__policies_that_think__as_simulate(tmp_path, policy):
    run = Run(policies=(policy, "greedy", "random", policy), hands=3_000, by="military")
    saved = played(tmp_path, run, 1_000)
    saved.extend(3_000)
    assert Tables(saved.tally()).to_json() == Tables(simulate(run)).to_json()


def test_simulate_by__interrupted__keeps_the_first_hands():
    tally = simulate_by(Interrupted(RUN, 2, 4_000), RUN)
    assert tally.interrupted and tally.run.hands == 8_000
    assert Tables(tally).to_json() == Tables(simulate(Run(hands=8_000, seed=3))).to_json()


# ---------------------------------------------------------------- shared by several machines
def test_merge__two_machines__the_bytes_of_one(tmp_path, small_parts):
    played(tmp_path / "a", RUN, 30_000)
    played(tmp_path / "b", RUN, 50_000, first=20_000)
    assert SavedRun(tmp_path / "b", RUN).ranges() == [(20_000, 50_000)]
    with pytest.raises(InputError, match=r"holds the hands 20,000 to 49,999.*play the missing ones"):
        SavedRun(tmp_path / "b", RUN).tally()
    [merged] = merge_runs([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    assert merged.ranges() == [(0, 50_000)]
    played(tmp_path / "d", RUN, 50_000)
    assert contents(tmp_path / "c") == contents(tmp_path / "d")
    merge_runs([tmp_path / "b", tmp_path / "a"], tmp_path / "b")  # into one of them
    assert contents(tmp_path / "b") == contents(tmp_path / "d")


@pytest.mark.parametrize(
    "other, word",
    [
        (Run(hands=50_000, seed=4), r"seed \(3 and 4\)"),
        (Run(hands=50_000, seed=3, term=2), r"term \(1 and 2\)"),
        (Run(hands=50_000, seed=3, rules=make_rules({"kam": 4})), "rules"),
        (Run(hands=50_000, seed=3, deal="ends_in"), "deal"),
        (Run(hands=50_000, seed=3, policies=("random",) * 4), "policies"),
        (Run(hands=50_000, seed=3, by="fours"), "by"),
        (Run(hands=50_000, seed=3, given="banker has AA"), "given"),
    ],
)
def test_merge__another_run__is_refused(tmp_path, other, word):
    played(tmp_path / "a", RUN, 1_000)
    played(tmp_path / "b", other, 1_000)
    with pytest.raises(InputError, match=f"they differ in .*{word}"):
        merge_runs([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    assert not (tmp_path / "c").exists()


def test_merge__parts_that_disagree__are_refused(tmp_path):
    saved = played(tmp_path / "a", RUN, 1_000)
    path = saved.folder / "part-000000.parquet"
    facts, before = read_counts(path)
    counts = before.counts.copy()
    counts[counts.argmax()] -= 1
    counts[counts.argmin()] += 1
    write_counts(
        tmp_path / "b" / path.relative_to(tmp_path / "a"), before._replace(counts=counts), facts
    )
    with pytest.raises(InputError, match="disagrees with"):
        merge_runs([tmp_path / "a", tmp_path / "b"], tmp_path / "c")


# ---------------------------------------------------------------- damaged and foreign files
def spoil_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 4] ^= 0x40
    path.write_bytes(content)


def spoil_length(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def spoil_all(path: Path) -> None:
    path.write_text("no Parquet")


def spoil_table(path: Path) -> None:
    pq.write_table(pa.table({"key": [1], "count": [2]}), path)


@pytest.mark.parametrize("spoil", [spoil_byte, spoil_length, spoil_all, spoil_table])
def test_saved__damaged_part__is_refused_by_name(tmp_path, capsys, spoil):
    saved = played(tmp_path, RUN, 2_000)
    path = saved.folder / "part-000000.parquet"
    spoil(path)
    before = contents(tmp_path)
    for words in (["show", str(tmp_path)], ["simulate", "--out", str(tmp_path), "--hands", "3k", "--policy",
                                            "greedy", "--seed", "3"]):  # fmt: skip
        assert main(words) == 2
        out, err = capsys.readouterr()
        assert "part-000000.parquet: " in err and not out
    assert contents(tmp_path) == before


def test_saved__any_bit_changed__is_refused_or_changes_nothing(tmp_path):
    saved = played(tmp_path, RUN, 2_000)
    path = saved.folder / "part-000000.parquet"
    whole, true = path.read_bytes(), Tables(saved.tally()).to_json()
    chance, told = random.Random(7), []
    for _ in range(300):
        content = bytearray(whole)
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(content)
        try:
            told.append(Tables(saved_runs(tmp_path)[0].tally()).to_json() == true)
        except InputError as error:
            told.append("part-000000.parquet" in str(error))
    assert all(told)


@pytest.mark.parametrize(
    "changes",
    [
        {"last_tiles": 5}, {"last_tiles": [[0, 99, 1]]}, {"last_tiles": [[0, 0, "x"]]}, {"part": None},
        {"part": 0.5}, {"held": "x"}, {"policies": [1, 2, 3, 4]}, {"policies": 3}, {"rules": 3}, {"seed": "x"},
        {"deal": None}, {"term": -1}, {"identity": 7},
    ],
)  # fmt: skip
def test_saved__facts_that_were_forged__are_refused(tmp_path, capsys, changes):
    """Sealed again, as nobody but a forger would."""
    saved = played(tmp_path, RUN, 1_000)
    path = saved.folder / "part-000000.parquet"
    facts, counts = facts_of(path), read_counts(path)[1]
    facts = {name: fact for name, fact in (facts | changes).items() if name != "seal"}
    columns = {"key": counts.keys, "count": counts.counts}
    write_table(path, columns, facts | {"seal": seal(facts, *columns.values())})
    assert main(["show", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert not out and "part-000000.parquet" in err and "Traceback" not in err


def test_saved__two_at_once__one_is_sent_away(tmp_path):
    saved = SavedRun(tmp_path, RUN)

    class Slow(Interrupted):
        def play(self, ranges, progress):
            with pytest.raises(InputError, match="another gupai is playing into it"):
                SavedRun(tmp_path, RUN).extend(10_000)
            yield from super().play(ranges, progress)

    saved.extend(5_000, source=Slow(RUN, 100, 2_000))
    other = SavedRun(tmp_path, RUN)  # knows of 5,000
    saved.extend(8_000)
    assert other.extend(9_000) == 1_000 and other.ranges() == [(0, 9_000)]
    assert Tables(other.tally()).counts() == Tables(simulate(Run(hands=9_000, seed=3))).counts()


def test_saved__what_a_killed_one_left__is_cleared_away(tmp_path):
    saved = played(tmp_path, RUN, 1_000)
    (saved.folder / ".part-000000.parquet.4711").write_text("half")
    saved.extend(2_000)
    assert [path.name for path in saved.folder.iterdir()] == ["part-000000.parquet"]


def test_saved__part_of_another_run__is_refused_by_name(tmp_path):
    saved = played(tmp_path, RUN, 2_000)
    other = played(tmp_path, Run(hands=10, seed=4), 2_000)
    shutil.copy(other.folder / "part-000000.parquet", saved.folder / "part-000000.parquet")
    with pytest.raises(InputError, match=r"part-000000\.parquet: belongs to another run"):
        SavedRun(tmp_path, RUN)
    with pytest.raises(InputError, match=r"part-000000\.parquet: belongs to another run"):
        saved_runs(tmp_path)


def test_saved__part_under_another_number__is_refused(tmp_path):
    saved = played(tmp_path, RUN, 2_000)
    shutil.copy(saved.folder / "part-000000.parquet", saved.folder / "part-000001.parquet")
    with pytest.raises(InputError, match=r"part-000001\.parquet: bears another name"):
        SavedRun(tmp_path, RUN)


def test_saved__policy_with_other_weights__is_refused(tmp_path):
    policy = tmp_path / "mine.toml"
    subprocess.run(
        f"{sys.executable} -m gupai.reports.cli policies tuned > {policy}", shell=True, check=True
    )
    saved = played(tmp_path / "a", Run(policies=(f"{policy}",) * 4, hands=100), 100)
    assert saved_runs(tmp_path / "a")[0].identity == saved.identity
    text = policy.read_text()
    [line] = [line for line in text.splitlines() if line.startswith("lead_")][:1]
    policy.write_text(text.replace(line, f"{line.split('=')[0]}= 3.25"))
    with pytest.raises(InputError, match=r"mine\.toml was another policy"):
        saved_runs(tmp_path / "a")


def test_saved__no_room_on_the_disk__says_so_and_keeps_what_was_there(tmp_path):
    played(tmp_path, Run(hands=10, policies=("random",) * 4), 1_000)
    before = contents(tmp_path)
    command = (
        f"ulimit -f 4; exec {sys.executable} -m gupai.reports.cli simulate --policy random "
        f"--hands 2M --out {tmp_path}"
    )
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == 1
    assert "part-000000.parquet" in done.stderr and "cannot write" in done.stderr
    assert "Traceback" not in done.stderr
    assert contents(tmp_path) == before


# ---------------------------------------------------------------- the command line
def test_show__prints_the_tables_of_simulate(tmp_path, capsys):
    words = ["simulate", "--hands", "2000", "--policy", "greedy", "--policy", "random"]
    assert main(words) == 0
    plain = capsys.readouterr().out
    assert main([*words, "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out == plain
    for format in ("json", "csv", "markdown", "table"):
        assert main(["show", str(tmp_path), "--format", format]) == 0
        again = capsys.readouterr().out
    assert sorted(again.split("\n")[-4:]) == sorted(plain.split("\n")[-4:])  # both commands


def test_show__other_settlement__as_simulate(tmp_path, capsys):
    assert main(["simulate", "--hands", "2000", "--policy", "greedy", "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    assert main(["show", str(tmp_path), "--set", "kam=4"]) == 0
    shown = capsys.readouterr().out
    assert main(["simulate", "--hands", "2000", "--policy", "greedy", "--set", "kam=4"]) == 0
    assert capsys.readouterr().out == shown
    assert main(["show", str(tmp_path), "--set", "supreme_civil=on"]) == 2
    assert "changes play" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, said",
    [
        ("simulate --keep-hands --hands 10", "--keep-hands: needs --out DIR"),
        ("simulate --first 100M --hands 10", "--first: needs --out DIR"),
        (
            "simulate --first 5 --hands 10 --out X",
            "--first 5: must be where a part of 100,000,000 hands",
        ),
        ("simulate --first 100M --hands 10 --out X", "--first 100000000: must be"),
        ("show nowhere", "nowhere: holds no saved run"),
        ("merge nowhere --out X", "nowhere: holds no saved run"),
        ("merge --out X", "merge"),
    ],
)
def test_saved__bad_words__one_sentence(tmp_path, capsys, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    assert main(words.split()) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_show__runs_of_several_kinds__are_told_apart(tmp_path, capsys):
    words = ["simulate", "--policy", "greedy", "--hands", "1000", "--out", str(tmp_path)]
    for more in (
        [],
        ["--given", "banker has 63"],
        ["--seed", "2"],
        ["--by", "fours"],
        ["--deal", "ends_in"],
    ):
        assert main([*words, *more]) == 0
    capsys.readouterr()
    assert main(["show", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    heads = [
        line
        for line, below in zip(out.splitlines(), out.splitlines()[1:], strict=False)
        if "──" in below
    ]
    assert len(heads) == 4
    assert any("--given 'banker has 63'" in head for head in heads)
    assert any("--seed 2" in head for head in heads)
    assert any("by fours" in head for head in heads)
    assert any("pairs_of_columns" in head and "ends_in" in head for head in heads)
    assert main(["show", str(tmp_path), "--format", "csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert {(row["given"], row["seed"]) for row in rows} == {
        ("", "1"),
        ("banker has 63", "1"),
        ("", "2"),
    }


def test_show__one_run_that_cannot_be_used__does_not_hide_the_others(tmp_path, capsys):
    played(tmp_path, RUN, 2_000)
    bad = played(tmp_path, Run(hands=10, seed=4), 2_000)
    spoil_all(bad.folder / "part-000000.parquet")
    assert main(["show", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert "hands" in out and "2,000" in out
    assert f"{bad.folder.name}/part-000000.parquet: is damaged" in err


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "--hands", "10", "--out", ""],
        ["show", ""],
        ["merge", "x", "--out", ""],
        ["simulate", "--hands", "10", "--out", "a-file"],
        ["simulate", "--hands", "10", "--show", "3", "--out", "x"],
    ],
)
def test_saved__no_folder__is_refused(tmp_path, capsys, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a-file").write_text("mine")
    assert main(words) == 2
    assert capsys.readouterr().err and [path.name for path in tmp_path.iterdir()] == ["a-file"]


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
    other = Run(hands=10, seed=4)
    another = SavedRun(tmp_path, other)
    os.makedirs(another.folder)
    shutil.copy(saved.folder / "hands-000000.parquet", another.folder)
    with pytest.raises(InputError, match=r"hands-000000\.parquet: belongs to another run"):
        another.extend(1_000, source=Keeper(other, another.folder))


# ---------------------------------------------------------------- the documentation
def test_documentation__tells_the_schema_as_it_is():
    text = (Path(__file__).parent.parent / "reports" / "long-runs.md").read_text()
    for column, meaning in HAND_SCHEMA.items():
        stem, _, seat = column.rpartition("_")
        if seat in SEATS:
            assert f"| `{stem}_SEAT` | {meaning.split(' of ')[0].split(' dealt')[0]}" in text
        else:
            assert f"| `{column}` | {meaning} |" in text


def test_documentation__its_commands_are_commands():
    text = (Path(__file__).parent.parent / "reports" / "long-runs.md").read_text()
    lines = [line for line in text.splitlines() if line.startswith("gupai ")]
    assert len(lines) >= 9
    for line in lines:
        make_app().parse_args(shlex.split(line)[1:], exit_on_error=False, print_error=False)
