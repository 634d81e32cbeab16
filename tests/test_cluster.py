"""Playing on a cluster: the bytes of one thread, also when a worker is lost on the way."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from gupai.analysis import Cluster, Run, SavedRun, Tables, simulate, simulate_by
from gupai.reports.cli import main

pytest.importorskip("distributed", reason="the extra gupai[cluster] is not installed")
from distributed.comm import CommClosedError

pytestmark = pytest.mark.filterwarnings("ignore")  # its own, at closing

RUN = Run(policies=("greedy",) * 4, hands=800_000, seed=3)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture(scope="module")
def local():
    """Two processes of one cluster, for all tests of this file."""
    with Cluster(RUN, "local:2") as cluster:
        yield cluster


def test_cluster__counts_what_one_thread_counts(local):
    seen = []
    tally = simulate_by(local, RUN, progress=lambda now: seen.append(now.done))
    assert Tables(tally).to_json() == Tables(simulate(RUN, threads=1)).to_json()
    assert seen[-1] == RUN.hands and seen == sorted(seen)


def test_cluster__a_worker_is_killed__nothing_is_lost(local, tmp_path):
    pids = list(local._client.run(os.getpid).values())
    killed = []

    def kill_one(progress):
        if progress.done and not killed:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    SavedRun(tmp_path / "a", RUN).extend(RUN.hands, source=local, progress=kill_one)
    assert killed
    SavedRun(tmp_path / "b", RUN).extend(RUN.hands, threads=1)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_cluster__is_interrupted__what_was_played_is_kept(local, tmp_path):
    def interrupt(progress):
        if progress.done:
            raise KeyboardInterrupt

    saved = SavedRun(tmp_path, RUN)
    with pytest.raises(KeyboardInterrupt):
        saved.extend(RUN.hands, source=local, progress=interrupt)
    [(first, end)] = SavedRun(tmp_path, RUN).ranges()
    assert first == 0 < end < RUN.hands
    saved.extend(RUN.hands, source=local)
    assert Tables(saved.tally()).to_json() == Tables(simulate(RUN)).to_json()


class Lost:
    """A client whose scheduler ends after so many tasks."""

    def __init__(self, tasks: int) -> None:
        self.left = tasks

    def nthreads(self) -> dict[str, int]:
        return {"one": 1}

    def submit(self, task, *given, **_):
        return Task(self, task, given)


class Task:
    """A task of such a client, played here."""

    status = "pending"

    def __init__(self, client: Lost, task, given) -> None:
        self.client, self.task, self.given = client, task, given

    def done(self) -> bool:
        return True

    def result(self, timeout: float | None = None):
        self.client.left -= 1
        if self.client.left < 0:
            raise CancelledError("scheduler-connection-lost")
        return self.task(*self.given)

    def cancel(self) -> None:
        raise CommClosedError("gone")


@pytest.mark.parametrize("out", [[], ["--out", "run"]])
def test_cluster__its_scheduler_ends__one_sentence_and_what_came_is_kept(
    tmp_path, monkeypatch, capsys, out
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("gupai.analysis.tiengow.cluster.connect", lambda *_: Lost(1))
    words = ["simulate", "--policy", "greedy", "--hands", "200k", "--seed", "3", "--cluster", "local:2"]
    assert main([*words, *out]) == 1
    err = capsys.readouterr().err
    assert err.count("--cluster local:2: the scheduler has ended") == 1 and "Traceback" not in err
    if out:
        assert "the same command goes on" in err
        [(first, end)] = SavedRun("run", RUN).ranges()
        assert first == 0 < end < 200_000
        assert main([*words[:-2], *out]) == 0
        SavedRun("whole", RUN).extend(200_000)
        assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_cluster__command_line__a_scheduler_and_a_worker(tmp_path, capsys):
    """The three commands of the documentation."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    folder = Path(sys.executable).parent
    scheduler = [
        f"{folder}/dask",
        "scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--no-dashboard",
    ]
    worker = [f"{folder}/dask", "worker", address, "--nthreads", "1", "--no-dashboard"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    with subprocess.Popen(scheduler, **quiet) as one, subprocess.Popen(worker, **quiet) as two:
        try:
            words = ["simulate", "--policy", "greedy", "--hands", "200k", "--format", "json"]
            assert main([*words, "--cluster", address, "--out", str(tmp_path / "run")]) == 0
            there = capsys.readouterr().out
        finally:
            two.terminate()
            one.terminate()
    assert main(words) == 0
    assert capsys.readouterr().out == there


@pytest.mark.parametrize(
    "words, said",
    [
        ("--cluster nonsense", "--cluster nonsense: write the address of a scheduler"),
        ("--cluster tcp://host:99999", "--cluster tcp://host:99999: write the address of a scheduler"),
        ("--cluster local:0", "--cluster local:0: write local:1 to local:1024"),
        ("--cluster local:2 --threads 2", "--cluster and --threads: choose one"),
        ("--cluster local:2 --keep-hands --out X", "--cluster and --keep-hands: choose one"),
    ],
)
def test_cluster__bad_words__one_sentence(tmp_path, monkeypatch, capsys, words, said):
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "--policy", "greedy", "--hands", "10", *words.split()]) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_cluster__nobody_answers__one_sentence(monkeypatch, capsys):
    monkeypatch.setattr("gupai.analysis.tiengow.cluster._PATIENCE", 1)
    assert main(["simulate", "--hands", "10", "--cluster", "127.0.0.1:1"]) == 2
    assert "no scheduler answers there" in capsys.readouterr().err


def test_cluster__not_installed__says_how(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["simulate", "--hands", "10", "--cluster", "local:2"]) == 2
    assert "pip install 'gupai[cluster]'" in capsys.readouterr().err
