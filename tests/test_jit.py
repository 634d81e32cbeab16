"""The kernel cache: never stale, shared between processes, not needed; and vector code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gupai.kernels._jit as jit

SOURCES = Path(jit.__file__).parent


def run_python(code: str, *, cache: Path, path: Path | None = None, **environment: str) -> str:
    """Run Python code in a fresh process; `path` holds another copy of the package."""
    variables = os.environ | {"GUPAI_CACHE_DIR": str(cache)} | environment
    if path is not None:
        variables["PYTHONPATH"] = str(path)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_cache__sees_an_edit_in_a_callee(tmp_path: Path) -> None:
    """A copy of the kernels, one helper changed between two processes with one cache folder."""
    package = tmp_path / "copy" / "mygupai"
    shutil.copytree(SOURCES, package / "kernels", ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__init__.py").touch()
    (package / "kernels" / "callee.py").write_text(
        "from ._jit import helper\n@helper\ndef answer(x):\n    return x + 1\n"
    )
    (package / "kernels" / "caller.py").write_text(
        "from ._jit import kernel\nfrom .callee import answer\n@kernel\ndef ask(x):\n    return answer(x)\n"
    )
    code = "from mygupai.kernels.caller import ask; print(ask(1), ask.compiled().stats.cache_path)"
    before, first = run_python(code, cache=tmp_path / "cache", path=package.parent).split()
    callee = package / "kernels" / "callee.py"
    callee.write_text(callee.read_text().replace("x + 1", "x + 100"))
    after, second = run_python(code, cache=tmp_path / "cache", path=package.parent).split()
    assert (before, after) == ("2", "101") and first != second


SMALL = (
    "from gupai.kernels.yardstick import fisher_yates as f; import numpy as np; f(5, np.uint64(1)); "
    "s = f.compiled().stats; print(sum(s.cache_hits.values()), sum(s.cache_misses.values()))"
)


def test_cache__a_second_process_hits_it(tmp_path: Path) -> None:
    assert run_python(SMALL, cache=tmp_path) == "0 1"
    assert run_python(SMALL, cache=tmp_path) == "1 0"


def test_cache__is_not_needed(tmp_path: Path) -> None:
    """A folder that cannot be written, as in a read-only install without a home."""
    blocked = tmp_path / "file"
    blocked.touch()
    assert run_python(SMALL, cache=blocked) == run_python(SMALL, cache=blocked) == "0 1"


def test_cache__a_damaged_file_is_compiled_again(tmp_path: Path) -> None:
    assert run_python(SMALL, cache=tmp_path) == "0 1"
    for content in (b"", b"nonsense"):
        damaged = list(tmp_path.rglob("*.nb?"))
        assert damaged
        for path in damaged:
            path.write_bytes(content)
        assert run_python(SMALL, cache=tmp_path) == "0 1"  # deletes it and writes it again
        assert run_python(SMALL, cache=tmp_path) == "1 0"


TOYS = """
import contextlib, sys, time
from gupai.kernels._jit import kernel, on_compile
@kernel
def one(x):
    return x + 1
@kernel
def fails(x):
    if x > 0:
        raise ValueError("no")
    return x
def read_and_made(toy):
    stats = toy.compiled().stats
    return sum(stats.cache_hits.values()), sum(stats.cache_misses.values())
"""


def test_cache__an_error_of_a_kernel_touches_no_file(tmp_path: Path) -> None:
    """Raised by the first call of one that was read, of one that was not, and by types."""
    cache, toys = tmp_path / "cache", tmp_path / "toys.py"
    toys.write_text(TOYS)
    code = "from toys import *; one(1); print(*read_and_made(one))"
    assert run_python(code, cache=cache, path=tmp_path) == "0 1"
    wrong = (
        "from toys import *\nimport gupai.kernels._kernel_cache as cache\n"
        "for toy, value in ((fails, 1), (one, 'a')):\n"
        "    try: toy(value)\n"
        "    except Exception as error: print(type(error).__name__)\n"
        "cache._LONGEST_WAIT = 0\n"
        "print(cache.FileLock(one.compiled()._cache._lock._path).acquire(), *read_and_made(fails))"
    )
    locks = sys.platform != "win32"  # a compilation that failed holds none
    assert run_python(wrong, cache=cache, path=tmp_path).split() == [
        "ValueError", "TypingError", str(locks), "0", "1",
    ]  # fmt: skip
    files = sorted(path.name for path in cache.rglob("*.nb?"))
    assert run_python(wrong, cache=cache, path=tmp_path).split()[-2:] == ["1", "0"]
    assert sorted(path.name for path in cache.rglob("*.nb?")) == files and len(files) == 4
    assert run_python(code, cache=cache, path=tmp_path) == "1 0"
    for path in cache.rglob("toys.fails*.nb?"):
        path.write_bytes(b"nonsense")
    assert run_python(wrong, cache=cache, path=tmp_path).split()[-2:] == ["0", "1"]
    assert run_python(code, cache=cache, path=tmp_path) == "1 0"  # its neighbour was damaged


@pytest.mark.skipif(sys.platform == "win32", reason="no locks between processes there")
def test_cache__processes_that_start_together_compile_once(tmp_path: Path) -> None:
    """One is killed while it compiles; of two that wait for it one compiles, and the other reads."""
    (tmp_path / "toys.py").write_text(TOYS)
    code = (
        "from toys import *; seconds = float(sys.argv[1])\n"
        "on_compile(lambda name: (print('compiles', name, flush=True), time.sleep(seconds)))\n"
        "print('starts', flush=True); one(1); print(*read_and_made(one))"
    )
    variables = os.environ | {"GUPAI_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(tmp_path)}

    def start(seconds: float) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", code, str(seconds)]
        return subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, text=True)

    first = start(600)
    assert first.stdout is not None and first.stdout.readline() == "starts\n"
    assert first.stdout.readline() == "compiles one\n"
    others = [start(0.5), start(0.5)]
    for other in others:
        assert other.stdout is not None and other.stdout.readline() == "starts\n"
    time.sleep(1.5)
    assert [other.poll() for other in others] == [None, None]  # they wait
    first.kill()
    first.communicate()
    told = sorted(other.communicate(timeout=120)[0] for other in others)
    assert told == ["1 0\n", "compiles one\n0 1\n"]
    assert [other.returncode for other in others] == [0, 0]


def test_cache__restores_the_setting_of_the_user(tmp_path: Path) -> None:
    code = (
        "import numba; before = numba.config.CACHE_DIR; "
        + SMALL
        + "; print(numba.config.CACHE_DIR == before)"
    )
    assert run_python(code, cache=tmp_path).endswith("True")


def test_score__needs_neither_numba_nor_pandas(data: Path, tmp_path: Path) -> None:
    """Settling a record runs the helpers as plain Python."""
    code = (
        "import sys; from gupai.analysis import read_record, score_record; import json; "
        f"line = open({str(data / 'tiengow-records.jsonl')!r}, encoding='utf-8').readline(); "
        "print(score_record(read_record(json.loads(line)['record'])).winner, "
        "[name for name in ('numba', 'pandas', 'matplotlib') if name in sys.modules])"
    )
    assert run_python(code, cache=tmp_path) == "0 []"


def test_command_line__loads_nothing_heavy_before_it_is_needed(tmp_path: Path) -> None:
    """``gupai --help`` and ``gupai score`` feel instant."""
    code = (
        "import sys, gupai.reports.cli; print([name for name in "
        "('numba', 'pandas', 'matplotlib', 'scipy', 'pyarrow', 'numpy') if name in sys.modules])"
    )
    assert run_python(code, cache=tmp_path) == "[]"


@pytest.mark.slow  # compiles both loops without a cache
@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_lanes__are_vector_code(policy: str, tmp_path: Path) -> None:
    """The loop of tricks works on vector registers: a lost vectorisation shows here."""
    import llvmlite.binding

    if not llvmlite.binding.get_host_cpu_features().get("avx2"):
        pytest.skip("this processor has no AVX2")
    code = (
        "from gupai.analysis import Run, simulate; "
        "from gupai.kernels.tiengow.lanes import BLOCK_KERNELS; "
        "from gupai.kernels.tiengow.policies import POLICIES; "
        f"simulate(Run(policies=({policy!r},) * 4, hands=10)); "
        f"k = BLOCK_KERNELS[POLICIES[{policy!r}]].compiled(); "
        "asm = ''.join(k.inspect_asm().values()); print(asm.count('ymm') + asm.count('zmm'))"
    )
    blocked = tmp_path / "file"  # code from the cache cannot be inspected
    blocked.touch()
    assert int(run_python(code, cache=blocked)) > 1000


def test_on_compile__is_told_before_a_compilation_only(tmp_path: Path) -> None:
    code = "from gupai.kernels._jit import on_compile; on_compile(print); " + SMALL
    assert run_python(code, cache=tmp_path).splitlines() == ["fisher_yates", "0 1"]
    assert run_python(code, cache=tmp_path).splitlines() == ["1 0"]
