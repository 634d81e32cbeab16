"""Every kept file is sealed: a changed bit is refused by the name of the file; those of before are read."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from gupai.analysis import (
    HandTableRun,
    InputError,
    Keeper,
    Odds,
    RuleSet,
    Run,
    SavedRun,
    Tables,
    Tally,
    Tuning,
    archive,
    merge_runs,
    odds,
    read_hand_table,
    read_hands,
    saved_runs,
)
from gupai.analysis.kinds import KINDS, OLDER
from gupai.analysis.parquet import write_table
from gupai.analysis.results import Result
from gupai.analysis.sealed import read_json, write_json
from gupai.analysis.tiengow import hand_table, tune
from gupai.analysis.tiengow.parts import read_counts, read_hands_file
from gupai.reports import report
from gupai.reports.cli import main

from saving import RUN, contents

BEFORE = Path(__file__).parent / "data" / "kept-before"  # files that gupai wrote before it sealed them
SEARCH = Tuning(rules=RuleSet(), steps=2, population=4, elite=2, deals=2, check=4)
TABLE = HandTableRun(run=Run(policies=("greedy",) * 4, hands=500), fewest=0)


# ---------------------------------------------------------------- every bit
def part(folder: Path):
    saved = SavedRun(folder, RUN)
    saved.extend(40, threads=1)
    path = saved.folder / "part-000000.parquet"
    return path, lambda: read_counts(path)


def hands(folder: Path):
    saved = SavedRun(folder, RUN)
    saved.extend(40, source=Keeper(RUN, saved.folder, threads=1))
    path = saved.folder / "hands-000000.parquet"
    return path, lambda: read_hands_file(path)


def state(folder: Path):
    path = folder / "mine.toml.state"
    tune._save(path, tune._load(path, SEARCH), SEARCH)
    return path, lambda: tune._load(path, SEARCH)


def sums(folder: Path):
    path = folder / "sums.parquet"
    hand_table._save_state(path, TABLE, hand_table._load_state(path, TABLE))
    return path, lambda: hand_table._load_state(path, TABLE)


def table(folder: Path):
    """The mark of a finished hand table, with a few of its rows."""
    path = folder / "hands.parquet"
    write_table(path, {"hand": ["AABBCCDD"], "rank": [7]}, hand_table._facts(TABLE), kept="hand table")
    return path, lambda: hand_table.make_hand_table(TABLE, folder)


def section(folder: Path):
    path = folder / "points.json"
    report._keep(path, "0123456789abcdef", {"title": "結", "tables": [], "figures": []})
    return path, lambda: report._kept(path, "0123456789abcdef")


def result(folder: Path):
    path = folder / "odds.json"
    odds("banker has AA", "banker has 63").save(path)
    return path, lambda: Odds.load(path)


KEPT = (part, hands, state, sums, table, section, result)


@pytest.mark.parametrize("kind", KEPT)
def test_kept_file__any_bit_changed__is_refused_by_name(tmp_path, kind):
    """Every byte of a small file; of a large one its ends, and bytes drawn at random."""
    path, read = kind(tmp_path)
    read()
    whole, chance = path.read_bytes(), random.Random(5)
    places = range(len(whole))
    if len(whole) > 5000:
        places = {*places[:100], *places[-200:], *chance.sample(places, 300)}
    for place in places:
        spoilt = bytearray(whole)
        spoilt[place] ^= 1 << chance.randrange(8)
        path.write_bytes(spoilt)
        with pytest.raises(InputError, match=path.name):
            read()
            pytest.fail(f"byte {place} of {len(whole)} was changed, and nothing said")
    path.write_bytes(whole)
    read()


@pytest.mark.parametrize("kind", KEPT)
@pytest.mark.parametrize(
    "spoil",
    [
        lambda whole: b"", lambda whole: whole[:-1], lambda whole: whole[:7], lambda whole: whole + b"\n",
        lambda whole: whole[1:], lambda whole: whole + whole, lambda whole: b"{}", lambda whole: b"NaN",
    ],
)  # fmt: skip
def test_kept_file__cut_or_drawn_out__is_refused_by_name(tmp_path, kind, spoil):
    path, read = kind(tmp_path)
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(InputError, match=path.name):
        read()


@pytest.mark.parametrize("kind", KEPT)
def test_kept_file__a_folder_or_a_dangling_link__is_refused_by_name(tmp_path, kind):
    path, read = kind(tmp_path)
    path.unlink()
    path.mkdir()
    with pytest.raises(InputError, match=path.name):
        read()
    path.rmdir()
    path.symlink_to(tmp_path / "nowhere")
    with pytest.raises(InputError, match=path.name):
        read()


def test_kept_file__of_another_kind__is_refused(tmp_path):
    write_json(tmp_path / "a.json", "result", 1)
    with pytest.raises(InputError, match=r"a\.json: holds another thing \(result\), no state"):
        read_json(tmp_path / "a.json", "state")


def test_kept_tables__other_readers_read_them(tmp_path):
    """The seal lies where no reader of Parquet looks."""
    path, _ = hands(tmp_path)
    assert pq.read_table(path).num_rows == len(pd.read_parquet(path)) == 40
    assert pd.read_parquet(path).equals(read_hands(path.parent))


def test_single_hands__under_another_number__are_refused(tmp_path):
    path, _ = hands(tmp_path)
    path.rename(path.with_name("hands-000001.parquet"))
    with pytest.raises(InputError, match=r"hands-000001\.parquet: bears another name"):
        read_hands(path.parent)


@pytest.mark.parametrize("change", [{"step": float("nan")}, {"step": -1}, {"idle": 0.5}, {"step": 3},
                                    {"centre": [float("nan")] * 65}, {"spread": [1.0]}])  # fmt: skip
def test_tune_state__numbers_that_are_none__are_refused(tmp_path, change):
    """Sealed again: neither hangs nor tunes on."""
    path, _ = state(tmp_path)
    content = read_json(path, "state of a search")
    write_json(path, "state of a search", content | change)
    with pytest.raises(InputError, match=r"mine\.toml\.state"):
        tune._load(path, SEARCH)


def test_tune_state__of_other_steps__is_of_another_search(tmp_path):
    path, _ = state(tmp_path)
    other = Tuning(rules=RuleSet(), steps=3, population=4, elite=2, deals=2, check=4)
    with pytest.raises(InputError, match=r"mine\.toml\.state: is the state of another search"):
        tune._load(path, other)


# ---------------------------------------------------------------- files of before
@pytest.mark.parametrize("path", sorted(BEFORE.glob("result-*.json")), ids=lambda path: path.stem)
def test_result__saved_before__is_read_and_saved_sealed(tmp_path, path):
    before = archive.load(path)
    assert isinstance(before, Result)
    before.save(tmp_path / "now.json")
    text = (tmp_path / "now.json").read_text()
    assert not any(place in text for place in OLDER)
    again = type(before).load(tmp_path / "now.json")
    assert json.dumps(archive.encoded(again)) == json.dumps(archive.encoded(before))
    assert again.to_frame().equals(before.to_frame())


@pytest.mark.parametrize("folder", ["run", "own"])
def test_run__saved_before__is_shown_only(tmp_path, folder):
    shutil.copytree(BEFORE / folder, tmp_path / folder)
    [saved] = saved_runs(tmp_path / folder)
    expected = json.loads((BEFORE / "tables.json").read_text())[folder]
    shown = Tables(saved.tally()).to_json()
    assert shown["counts"] == expected["counts"] and shown["points"] == expected["points"]
    assert shown["provenance"].get("policy_digests") == expected["provenance"].get("policy_digests")
    assert "which did not write down by what kernels; it is shown only" in saved.shown_only
    before = contents(tmp_path)
    with pytest.raises(InputError, match="shown only"):
        saved.extend(100)
    with pytest.raises(InputError, match="shown only"):
        Keeper(RUN, saved.folder).catch_up([(0, 60)])
    assert contents(tmp_path) == before
    [merged] = merge_runs([tmp_path / folder], tmp_path / "merged")
    assert Tables(merged.tally()).to_json() == shown and merged.shown_only


def test_single_hands__kept_before__are_read():
    [folder] = (BEFORE / "run").iterdir()
    assert read_hands(folder).to_csv(index=False) == (BEFORE / "hands.csv").read_text()


def test_search__begun_before__is_begun_again(tmp_path):
    """Searches had no deals of their own then: going on would rate candidates on two kinds of deals."""
    path = tmp_path / "mine.toml.state"
    shutil.copy(BEFORE / "tune" / path.name, path)
    with pytest.raises(InputError, match=r"mine\.toml\.state: was begun by an earlier gupai"):
        tune._load(path, SEARCH)


def test_hand_table__begun_before__goes_on(tmp_path):
    shutil.copy(BEFORE / "table" / "sums.parquet", tmp_path)
    path = tmp_path / "sums.parquet"
    old = pq.read_table(path)
    facts = json.loads(old.schema.metadata[b"gupai"])
    facts["fingerprint"] = TABLE.provenance()["fingerprint"]  # whatever else has changed since
    pq.write_table(old.replace_schema_metadata({b"gupai": json.dumps(facts)}), path)
    found = hand_table._load_state(path, TABLE)
    assert found.dealt == 500 and found.sums.reshape(-1, 4, hand_table.SUMS)[:, :, 0].sum() == 2000


def test_report__part_of_before__is_asked_again(tmp_path):
    path = BEFORE / "report" / "parts" / "probabilities.json"
    assert report._kept(path, "another") is None


# ---------------------------------------------------------------- kinds
def test_kinds__each_names_a_class__and_all_of_before_are_known():
    import importlib

    for place in KINDS.values():
        module, _, name = place.partition(":")
        assert isinstance(getattr(importlib.import_module(f"gupai.analysis.{module}"), name), type)
    assert set(OLDER.values()) <= set(KINDS) and len(set(KINDS.values())) == len(KINDS)


def test_kinds__every_result_has_one():
    def below(kind: type) -> set[type]:
        return {kind}.union(*(below(child) for child in kind.__subclasses__())) if kind else set()

    import gupai.analysis

    for name in gupai.analysis.__all__:
        getattr(gupai.analysis, name)
    ours = {k for k in below(Result) - {Result} if k.__module__.startswith("gupai.")}
    assert len(ours) >= 10
    for kind in ours:
        assert archive._name_of(kind) in KINDS


def test_archive__a_field_that_came_later__takes_its_default():
    tally = Tally(run=Run(policies=("greedy",) * 4, hands=1), keys=np.zeros(0, np.uint64), counts=np.zeros(0, np.int64),
                  last_tiles=np.zeros((64, 32), np.int64))  # fmt: skip
    written = archive.encoded(tally)
    del written["$tally"]["interrupted"]
    assert archive.decoded(written).interrupted is False


# ---------------------------------------------------------------- what is read runs no code
def test_own_policy__that_a_kept_file_names__is_not_run(tmp_path, monkeypatch, capsys):
    """The policy leaves a mark when it is run; the file stands where its name says."""
    for name in ("mine.py", "result-own-policy.json", "result-own-session.json"):
        shutil.copy(BEFORE / name, tmp_path)
    shutil.copytree(BEFORE / "own", tmp_path / "own")
    monkeypatch.chdir(tmp_path)
    assert main(["show", "own", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["provenance"]["policies"][0] == "mine.py:lowest_first"
    assert main(["show", "own", "--set", "kam=4"]) == 0
    assert main(["merge", "own", "--out", "merged"]) == 0
    for name in ("policy", "session"):
        loaded = archive.load(Path(f"result-own-{name}.json"))
        loaded.to_frame()
        loaded._repr_html_()
        loaded.save(f"again-{name}.json")
        archive.load(Path(f"again-{name}.json"))
        with pytest.raises(InputError, match="name the policy again with --policy"):
            loaded.run.players()
    assert not Path("was-run").exists()


def test_report__a_table_of_a_part__cannot_leave_its_folder(tmp_path):
    for name in ("../../X", "/tmp/X", "a/b", "..", ""):
        path = tmp_path / "points.json"
        report._keep(path, "1", {"tables": [{"name": name, "head": [], "rows": []}], "figures": []})
        with pytest.raises(InputError, match=r"points\.json: is no part of a report"):
            report._kept(path, "1")


def test_hand_table__read__says_how_it_was_made(tmp_path):
    path, _ = table(tmp_path)
    frame = read_hand_table(path)
    assert frame.attrs["fewest"] == 0 and "kept" not in frame.attrs
