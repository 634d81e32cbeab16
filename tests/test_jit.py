"""The kernel cache: never stale, shared between processes, not needed; and vector code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
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
        assert run_python(SMALL, cache=tmp_path) == "0 1"  # without the cache, which it clears
        assert run_python(SMALL, cache=tmp_path) == "0 1"  # fills it again
        assert run_python(SMALL, cache=tmp_path) == "1 0"


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
