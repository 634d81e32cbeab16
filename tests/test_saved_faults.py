"""Damaged, foreign and forged files of saved runs, full disks, and two players at once."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys

import pytest

from gupai.analysis import (
    InputError,
    Run,
    SavedRun,
    Tables,
    saved_runs,
    simulate,
)
from gupai.analysis.parquet import read_table, write_table
from gupai.reports.cli import main

from saving import (
    RUN,
    Interrupted,
    contents,
    played,
    spoil_all,
    spoil_byte,
    spoil_length,
    spoil_table,
)


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
        {"deal": None}, {"term": -1}, {"identity": 7}, {"game": "mahjong"}, {"words": 2}, {"kept": "hands"},
        {"policies": ["greedy"] * 5}, {"policy_digests": [1, 2, 3, 4]}, {"policy_digests": 7},
    ],
)  # fmt: skip
def test_saved__facts_that_were_forged__are_refused(tmp_path, capsys, changes):
    """Sealed again, as nobody but a forger would."""
    saved = played(tmp_path, RUN, 1_000)
    path = saved.folder / "part-000000.parquet"
    facts, table = read_table(path, "part of a run")
    columns, facts = {name: table[name] for name in ("key", "count")}, facts | changes
    write_table(path, columns, facts, kept=facts["kept"])
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
    assert (
        Tables(other.tally()).counts()
        == Tables(simulate(Run(policies=("greedy",) * 4, hands=9_000, seed=3))).counts()
    )


def test_saved__what_a_killed_one_left__is_cleared_away(tmp_path):
    saved = played(tmp_path, RUN, 1_000)
    (saved.folder / ".part-000000.parquet.4711").write_text("half")
    saved.extend(2_000)
    assert [path.name for path in saved.folder.iterdir()] == ["part-000000.parquet"]


def test_saved__part_of_another_run__is_refused_by_name(tmp_path):
    saved = played(tmp_path, RUN, 2_000)
    other = played(tmp_path, Run(policies=("greedy",) * 4, hands=10, seed=4), 2_000)
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
    provenance = Tables(saved.tally()).to_json()["provenance"]
    assert saved_runs(tmp_path / "a")[0].identity == saved.identity
    text = policy.read_text()
    [line] = [line for line in text.splitlines() if line.startswith("lead_")][:1]
    policy.write_text(text.replace(line, f"{line.split('=')[0]}= 3.25"))
    [shown] = saved_runs(tmp_path / "a")  # it is shown as it was played …
    assert Tables(shown.tally()).to_json() == Tables(saved.tally()).to_json() | {
        "provenance": provenance
    }
    assert "mine.toml was another policy" in shown.shown_only
    with pytest.raises(InputError, match=r"mine\.toml was another policy .*choose another folder"):
        shown.extend(200)  # … and goes on in another folder
    assert played(tmp_path / "a", Run(policies=(f"{policy}",) * 4, hands=100), 50).ranges() == [(0, 50)]


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
