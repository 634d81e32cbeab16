"""What a run is known by: kernels, policies and their helpers; and where it may be kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gupai.analysis import InputError, Keeper, Run, SavedRun, find_policy, merge_runs, odds, saved_runs
from gupai.analysis.files import _machine
from gupai.analysis.kernel_hash import kernel_hash
from gupai.analysis.parquet import read_table, write_table
from gupai.analysis.tiengow.cluster import play_range
from gupai.analysis.tiengow.parts import base_facts
from gupai.kernels._jit import SOURCES
from gupai.reports.cli import main

from saving import RUN, contents, played

POLICY = """
from helpers import choose


def mine(view):
    return choose(view)
"""
HELPERS = """
import numba

from more.deep import NUMBER


@numba.njit
def choose(view):
    return view[0] + NUMBER
"""


# ---------------------------------------------------------------- kernels
def test_kernel_hash__tells_code_from_comments(tmp_path):
    def hashed(name: str, **changes: str) -> str:
        folder = tmp_path / name
        shutil.copytree(SOURCES, folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "another").mkdir()
        for file, text in changes.items():
            path = folder / file.replace("__", "/").replace("_py", ".py")
            path.write_text((path.read_text() if path.exists() else "") + text)
        return kernel_hash("tiengow", folder)

    plain = hashed("plain")
    assert plain == kernel_hash("tiengow")
    assert hashed("comment", tiengow__deal_py="\n\n# a remark\n") == plain
    assert hashed("other game", another__deal_py="X = 1\n") == plain
    assert hashed("code", tiengow__deal_py="\n_NEW = 1\n") != plain
    assert hashed("shared", counting_py="\n_NEW = 1\n") != plain
    text = (SOURCES / "tiengow" / "deal.py").read_text()
    begin = text.index('"""')
    changed = tmp_path / "docstring"
    shutil.copytree(SOURCES, changed, ignore=shutil.ignore_patterns("__pycache__"))
    (changed / "tiengow" / "deal.py").write_text(text[:begin] + '"""Other words. ' + text[begin + 3 :])
    assert kernel_hash("tiengow", changed) == plain


def with_other_kernels(path: Path) -> None:
    """A part as another gupai would have written it."""
    kept = "part of a run" if path.name.startswith("part") else "single hands of a run"
    facts, table = read_table(path, kept)
    columns = {name: table[name] for name in table.column_names}
    write_table(path, columns, facts | {"kernels": "0" * 16}, kept=kept)


def test_saved__by_other_kernels__is_shown_and_merged_but_does_not_go_on(tmp_path, capsys):
    saved = played(tmp_path / "a", RUN, 100)
    with_other_kernels(saved.folder / "part-000000.parquet")
    before = contents(tmp_path)
    words = ["simulate", "--policy", "greedy", "--seed", "3", "--out", str(tmp_path / "a")]
    for more in (
        ["--hands", "200"],
        ["--hands", "200", "--keep-hands"],
        ["--hands", "90", "--keep-hands"],
    ):
        assert main([*words, *more]) == 2
        out, err = capsys.readouterr()
        assert not out and "was played by other kernels (0000000000000000" in err
    assert contents(tmp_path) == before
    assert main(["show", str(tmp_path / "a")]) == 0
    assert "shown only" in capsys.readouterr().err
    [merged] = merge_runs([tmp_path / "a"], tmp_path / "b")
    assert merged.ranges() == [(0, 100)]
    assert contents(tmp_path / "b") == contents(tmp_path / "a")


def test_merge__parts_of_unlike_kernels__are_refused(tmp_path):
    saved, other = played(tmp_path / "a", RUN, 100), played(tmp_path / "b", RUN, 200)
    with_other_kernels(other.folder / "part-000000.parquet")
    with pytest.raises(InputError, match="was played by other kernels than"):
        merge_runs([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    shutil.copy(other.folder / "part-000000.parquet", saved.folder / "part-000001.parquet")
    with pytest.raises(InputError, match=r"part-000001\.parquet"):
        SavedRun(tmp_path / "a", RUN)


def test_keep_hands__by_other_kernels__are_not_added_to(tmp_path):
    saved = SavedRun(tmp_path, RUN)
    saved.extend(100, source=Keeper(RUN, saved.folder, threads=1))
    with_other_kernels(saved.folder / "hands-000000.parquet")
    with pytest.raises(InputError, match=r"hands-000000\.parquet: was played by other kernels"):
        saved.extend(200, source=Keeper(RUN, saved.folder, threads=1))


@pytest.mark.parametrize("change", [{"kernels": "0" * 16}, {"kernels": None}, {"identity": "0" * 16}])
def test_worker__with_other_kernels__refuses_to_play(change):
    facts = base_facts(RUN)
    assert int(play_range(facts, 10, 30).counts.sum()) == 20
    with pytest.raises(InputError, match=r"this worker: would play otherwise"):
        play_range(facts | change, 10, 30)


def test_fingerprint__knows_nothing_of_kernels():
    assert "kernels" not in RUN.provenance()


# ---------------------------------------------------------------- policies
@pytest.fixture
def own(tmp_path) -> str:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "__init__.py").write_text("")
    (tmp_path / "more" / "deep.py").write_text("NUMBER = 1\n")
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "mine.py").write_text(POLICY)
    return f"{tmp_path / 'mine.py'}:mine"


def test_digest__of_a_policy__covers_its_helpers(tmp_path, own):
    seen, answers = [find_policy(own).digest()], [find_policy(own).digest()]
    assert seen == answers
    for name, text in (("helpers.py", HELPERS + "# more\n"), ("more/deep.py", "NUMBER = 2\n"),
                       ("more/__init__.py", "X = 1\n"), ("mine.py", POLICY + "# more\n")):  # fmt: skip
        (tmp_path / name).write_text(text)
        seen.append(find_policy(own).digest())
    assert len(set(seen)) == len(seen)
    (tmp_path / "beside.py").write_text("NUMBER = 3\n")  # that it does not import
    assert find_policy(own).digest() == seen[-1]
    assert not {"helpers", "more", "more.deep"} & set(sys.modules)
    assert str(tmp_path) not in sys.path


def test_digest__of_a_policy__covers_what_it_reads_and_runs(tmp_path):
    (tmp_path / "weights.txt").write_text("1")
    (tmp_path / "code.txt").write_text("MORE = 1")
    (tmp_path / "mine.py").write_text(
        "import importlib\nfrom pathlib import Path\n"
        "HERE = Path(__file__).parent\nNUMBER = int((HERE / 'weights.txt').read_text())\n"
        "exec((HERE / 'code.txt').read_text())\nlater = importlib.import_module('later')\n"
        "def mine(view):\n    return view[0] + NUMBER + MORE\n"
    )
    (tmp_path / "later.py").write_text("")
    name, seen = f"{tmp_path / 'mine.py'}:mine", []
    for path, text in (
        ("mine.txt", ""),
        ("weights.txt", "2"),
        ("code.txt", "MORE = 2"),
        ("later.py", "X = 1"),
    ):
        (tmp_path / path).write_text(text)
        seen.append(find_policy(name).digest())
    assert len(set(seen)) == len(seen)


def test_digest__of_helpers_of_one_name__is_of_the_ones_beside(tmp_path):
    for folder, number in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "helpers.py").write_text(f"NUMBER = {number}\n")
        (tmp_path / folder / "mine.py").write_text(
            "from helpers import NUMBER\ndef mine(view):\n    return NUMBER\n"
        )
    names = [f"{tmp_path / folder / 'mine.py'}:mine" for folder in ("a", "b")]
    assert find_policy(names[0]).digest() != find_policy(names[1]).digest()


def test_digest__moved_with_its_helpers__is_the_same(tmp_path, own):
    before = find_policy(own).digest()
    shutil.copytree(tmp_path, tmp_path.with_name("moved"))
    try:
        assert find_policy(f"{tmp_path.with_name('moved') / 'mine.py'}:mine").digest() == before
    finally:
        shutil.rmtree(tmp_path.with_name("moved"))


def test_policy__that_imports_code_without_a_file__is_refused(tmp_path):
    (tmp_path / "mine.py").write_text(
        "import sys, types\nsys.modules['made_up'] = types.ModuleType('made_up')\n"
        "def mine(view):\n    return 1\n"
    )
    with pytest.raises(InputError, match=r"stands in no file, .*; put that code into a file beside"):
        find_policy(f"{tmp_path / 'mine.py'}:mine")
    del sys.modules["made_up"]


def test_policy__under_other_spellings__is_one_run(tmp_path, monkeypatch, capsys):
    assert main(["policies", "tuned"]) == 0
    (tmp_path / "x.toml").write_text(capsys.readouterr().out)
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)
    spellings = ["x.toml", "./x.toml", str(tmp_path / "x.toml"), "below/../x.toml"]
    for number, name in enumerate(spellings, 1):
        words = ["simulate", "--policy", name, "--hands", f"{number}0", "--out", "run"]
        assert main(words) == 0
    assert len(os.listdir("run")) == 1 and saved_runs("run")[0].ranges() == [(0, 40)]
    runs = [Run(policies=(name,) * 4) for name in spellings]
    assert len({run.identity() for run in runs}) == 1
    assert Run(policies=("tuned",) * 4).identity() != runs[0].identity()


def test_runs_of_one_policy_under_two_spellings__merge(tmp_path, monkeypatch, capsys):
    assert main(["policies", "tuned"]) == 0
    (tmp_path / "x.toml").write_text(capsys.readouterr().out)
    monkeypatch.chdir(tmp_path)
    played(tmp_path / "a", Run(policies=("x.toml",) * 4), 20)
    played(tmp_path / "b", Run(policies=("./x.toml",) * 4), 30)
    [merged] = merge_runs(["a", "b"], "c")
    assert merged.ranges() == [(0, 30)]


# ---------------------------------------------------------------- folders
@pytest.mark.parametrize(
    "name", ["jan:run", "s3://run", "file:run", "骨 牌", "a%20b", "*", "[ab]", "-run", "a\nb"]
)
def test_folder__of_any_name__holds_a_run(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    words = ["simulate", "--policy", "greedy", "--hands", "50", "--keep-hands", f"--out={name}"]
    assert main(words) == 0 and main(words) == 0
    assert main(["show", "--", name]) == 0
    assert main(["merge", f"--out={name}2", "--", name]) == 0
    assert "Traceback" not in capsys.readouterr().err
    assert (
        len(list(Path(name).rglob("*.parquet"))) == 2 == len(list(Path(f"{name}2").rglob("*.parquet")))
    )


TUNE = "tune --steps 1 --population 4 --elite 2 --deals 2 --check 4 --out mine.toml"
COMMANDS = [
    "simulate --policy greedy --hands 50 --out {}",
    "show {}",
    "merge {} --out good",
    "merge good --out {}",
    "report --quick --out {}",
    "hand-table {} --hands 1000 --fewest 0",
    "tune --steps 1 --deals 2 --out {}/mine.toml",
    "compare tiengow-ja --set kam=4 --adapt --adapt-dir {} --hands 100 --policy tuned",
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", ["a file", "a link to nothing", "below a file", "too long"])
def test_folder__that_is_none__is_bad_input(tmp_path, monkeypatch, capsys, command, kind):
    monkeypatch.chdir(tmp_path)
    played(tmp_path / "good", RUN, 20)
    Path("file").write_text("mine")
    Path("link").symlink_to("nowhere")
    name = {
        "a file": "file",
        "a link to nothing": "link",
        "below a file": "file/x",
        "too long": "x" * 300,
    }[kind]
    before = contents(tmp_path)
    assert main(command.format(name).split()) == 2
    out, err = capsys.readouterr()
    assert not out and "Traceback" not in err and len(err.splitlines()) == 1
    assert contents(tmp_path) == before and Path("link").is_symlink()


def test_run_folder__that_is_a_file__is_bad_input(tmp_path, capsys):
    (tmp_path / f"run-{RUN.identity()}").write_text("mine")
    words = ["simulate", "--policy", "greedy", "--seed", "3", "--hands", "50", "--out", str(tmp_path)]
    assert main(words) == 2
    assert "Traceback" not in capsys.readouterr().err


# ---------------------------------------------------------------- leftovers
def dead() -> int:
    """The number of a process that has ended."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def test_leftovers__of_killed_runs__are_cleared(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    process = dead()
    saved = played(tmp_path / "run", RUN, 20)
    left = [saved.folder / f".part-000000.parquet.{process}", Path(f".mine.toml.{process}"),
            saved.folder / f".hands-000003.parquet.{_machine()}-{process}", Path(f".mine.toml.state.{process}"),
            Path(f".a.json.{process}")]  # fmt: skip
    mine = [Path(f".b.json.{process}"), Path(".mine.toml.bak"), Path(f".a.json.{os.getppid()}")]
    for path in (*left, *mine):
        path.write_text("half")
    saved.extend(30)
    assert main(TUNE.split()) == 0
    odds("banker has AA", "banker has 63").save("a.json")
    assert not [path for path in left if path.exists()]
    assert all(path.exists() for path in mine), "files of another name, or of one who lives"


def test_leftovers__of_a_killed_report_or_merge__are_cleared(tmp_path):
    process, saved = dead(), played(tmp_path / "run", RUN, 20)
    target = tmp_path / "out" / saved.folder.name
    target.mkdir(parents=True)
    (target / f".part-000007.parquet.{process}").write_text("half")
    merge_runs([tmp_path / "run"], tmp_path / "out")
    assert [path.name for path in target.iterdir()] == ["part-000000.parquet"]
