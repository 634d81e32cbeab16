"""Files that no one should have: refused by name, in one message, in bounded time and memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gupai.reports.cli import main

WHOLE = 100_000_000  # bytes


def hollow(path: Path, begins: bytes) -> None:
    """A file of 100 MB that takes no room."""
    with path.open("wb") as file:
        file.write(begins)
        file.truncate(WHOLE + 100)


RULES = {
    "as large as a film": None,
    "deep": b"kam = " + b"[" * 9_000 + b"]" * 9_000,
    "deep tables": b"[" + b".".join([b"a"] * 9_000) + b"]",
    "UTF-16 without a mark": "kam = 4\n".encode("utf-16-be"),
    "UTF-32": "kam = 4\n".encode("utf-32"),
    "half of UTF-16": "kam = 4\n".encode("utf-16")[:-1],
    "Latin-1": "# \xe9\nkam = 4\n".encode("latin-1"),
    "a zero byte": b"kam = 4\x00\n",
    "not a number": b"kam = nan\n",
    "infinity": b"kam = inf\n",
    "a number of 4,000 digits": b"kam = " + b"9" * 4_000,
    "a number of 9,000 digits": b"kam = " + b"9" * 9_000,
    "a date": b"kam = 1979-05-27\n",
    "twice": b"kam = 4\nkam = 5\n",
    "nothing it knows": b"\xff" * 50,
}
RECORDS = {
    "as large as a film": None,
    "deep": b"[" * 90_000,
    "UTF-16 without a mark": '{"banker": 0}'.encode("utf-16-le"),
    "half of UTF-16": '{"banker": 0}'.encode("utf-16")[:-1],
    "not a number": b'{"rules": {"kam": NaN}, "banker": 0, "term": 1, "hands": [], "tricks": []}',
    "infinity": b'{"rules": {}, "banker": 0, "term": 1e400, "hands": [], "tricks": []}',
    "a number of 90,000 digits": b'{"rules": {}, "banker": ' + b"9" * 90_000 + b"}",
    "a zero byte": b'{"banker": 0}\x00',
}


def refused(words: list[str], capsys: pytest.CaptureFixture[str], name: str | None = None) -> str:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert not out and "Traceback" not in err
    assert name is None or name in err
    assert len(err) < 2_000, "one message, however long the value"
    return err


@pytest.mark.parametrize("fault", RULES)
@pytest.mark.parametrize("words", [["rules"], ["simulate", "--rules"], ["simulate", "--policy"]])
def test_toml__faulty__is_refused_by_name(tmp_path, capsys, fault, words):
    path = tmp_path / "mine.toml"
    content = RULES[fault]
    hollow(path, b"kam = 4\n#") if content is None else path.write_bytes(content)
    refused([*words, str(path)], capsys, "mine.toml")


@pytest.mark.parametrize("fault", RECORDS)
@pytest.mark.parametrize("words", [["score"], ["advise", "--seat", "0", "--record"]])
def test_record__faulty__is_refused(tmp_path, capsys, fault, words):
    path = tmp_path / "hand.jsonl"
    content = RECORDS[fault]
    hollow(path, b'{"a": "') if content is None else path.write_bytes(content)
    refused([*words, str(path)], capsys)


@pytest.mark.parametrize("fault", [fault for fault in RECORDS if RECORDS[fault] is not None])
def test_position__faulty__is_refused(capsys, fault):
    refused(["advise", RECORDS[fault].decode("utf-8", "replace").replace("\x00", "")], capsys)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("words", [["rules"], ["simulate", "--policy"]])
def test_pipe__in_place_of_a_file__is_not_waited_for(tmp_path, words):
    path = tmp_path / "mine.toml"
    os.mkfifo(path)
    command = [sys.executable, "-m", "gupai.reports.cli", *words, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "hand-table {out} --hands 1000 --fewest 0",
        "simulate --policy random --hands 2M --out {out}",
        "tune --out {out}/mine.toml --steps 1 --deals 2",
        "report --quick --out {out} --policy random --policy greedy",
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="limits the size of files with ulimit")
def test_full_disk__says_so_and_leaves_nothing_half_written(tmp_path, words):
    (tmp_path / "out").mkdir()
    shell = f"ulimit -f 1; exec {sys.executable} -m gupai.reports.cli {words.format(out='out')}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode in (1, 2), done.stderr
    assert "Traceback" not in done.stderr and "File too large" in done.stderr
    left = [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size > 0]
    assert not left, left


@pytest.mark.parametrize(
    "words",
    [
        "hand-table {out} --hands 1000 --fewest 0",
        "simulate --policy random --hands 1000 --out {out}",
        "tune --out {out}/mine.toml --steps 1 --deals 2",
        "report --quick --out {out} --policy random --policy greedy",
        "compare tiengow-ja --set kam=4 --adapt --adapt-dir {out} --hands 100 --policy tuned",
    ],
)
def test_folder__that_is_a_file__is_one_sentence(tmp_path, capsys, words):
    out = tmp_path / "out"
    out.write_text("mine")
    assert main(words.format(out=out).split()) in (1, 2)
    shown = capsys.readouterr()
    assert "out" in shown.err and "Traceback" not in shown.err
    assert out.read_text() == "mine" and list(tmp_path.iterdir()) == [out]
