"""Text in and out, whatever the locale, the streams and the way Python was started."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import struct
import subprocess
import sys
import termios
import tomllib
from pathlib import Path

import pytest

from gupai.analysis import Run, find_policy
from gupai.analysis.lists import apart, joined
from gupai.analysis.texts import decoded
from gupai.reports import cli, streams
from gupai.reports.cli import GROUPS, main
from gupai.reports.options import four_policies

COMMANDS = [name for commands in GROUPS.values() for name in commands]
ENCODINGS = ["cp950", "cp932", "cp1252", "ascii", "utf-16", "koi8-r", "utf-8"]
DATA = {  # what another program reads
    "rules tiengow-zh": tomllib.loads,
    "rules --set kam=4 --lang ja": tomllib.loads,
    "policies tuned": tomllib.loads,
    "policies --format json": json.loads,
    "rules --format json": json.loads,
    "study --format json": json.loads,
    "odds 'anyone has 63' --format json": json.loads,
    "hand --best 3 --format json": json.loads,
    "hand --best 3 --format csv": str.splitlines,
    "hand --best=3 --format=markdown": str.splitlines,
    "rules --lang zh --format markdown": str.splitlines,
    "completion bash": str.splitlines,
}


class Stream(io.TextIOWrapper):
    """A standard output or input of some encoding."""

    def __init__(self, encoding: str, content: bytes = b"") -> None:
        super().__init__(io.BytesIO(content), encoding=encoding, errors="strict")


def output(monkeypatch, encoding: str, words: str, content: bytes = b"") -> bytes:
    import shlex

    monkeypatch.setattr(sys, "stdout", Stream(encoding))
    monkeypatch.setattr(sys, "stdin", Stream(encoding, content))
    assert main(shlex.split(words)) == 0
    sys.stdout.flush()
    return sys.stdout.buffer.getvalue()


@pytest.mark.parametrize("words", DATA)
def test_data__is_the_same_utf_8_in_every_locale(words: str, monkeypatch) -> None:
    [printed] = {output(monkeypatch, encoding, words) for encoding in ENCODINGS}
    assert DATA[words](printed.decode("utf-8"))


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "words", ["rules", "odds 'anyone has 63' --lang ja", "rules --help", "--help", "study"]
)
def test_table__speaks_the_terminals_encoding(words: str, encoding: str, monkeypatch) -> None:
    printed = output(monkeypatch, encoding, words).decode(encoding)
    assert not printed.isascii() or "?" in printed
    knows = encoding in ("cp950", "cp932", "utf-16", "utf-8")
    assert ("結" in printed) == (words in ("rules", "study") and knows)
    assert sys.stdout.encoding == encoding  # as it was found


def test_table__after_data__has_its_own_encoding_again(monkeypatch) -> None:
    monkeypatch.setattr(sys, "stdout", Stream("cp950"))
    assert main(["rules", "--format", "json"]) == 0 and main(["rules"]) == 0
    sys.stdout.flush()
    first, rest = sys.stdout.buffer.getvalue().split(b"\n", 1)
    assert json.loads(first.decode("utf-8")) and "結" in rest.decode("cp950")


def test_data__a_path_that_is_no_text__is_an_escape(monkeypatch, tmp_path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.toml"
    try:
        Path(os.fsdecode(path)).write_text(cli.__doc__ and "kam = 4", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes text alone")
    monkeypatch.setattr(sys, "stdout", Stream("ascii"))
    streams.print_data()
    print(json.dumps(os.fsdecode(path), ensure_ascii=False))
    sys.stdout.flush()
    assert os.fsencode(json.loads(sys.stdout.buffer.getvalue().decode("utf-8"))) == path


@pytest.fixture
def record(data) -> str:
    line = (data / "tiengow-records.jsonl").read_text(encoding="utf-8").splitlines()[0]
    return json.dumps(json.loads(line)["record"] | {"hands": json.loads(line)["record"]["hands"]})


READ_AS = ["utf-8", "utf-8-sig", "utf-16"]


@pytest.mark.parametrize("written", [*READ_AS, "utf-16-be with its mark"])
@pytest.mark.parametrize("locale", ["ascii", "cp950", "utf-16"])
def test_input__is_read_by_its_bytes(written, locale, record, monkeypatch, tmp_path) -> None:
    mark, _, _ = written.partition(" ")
    content = ("\ufeff" * (mark != written) + record).encode(mark)
    expected = output(monkeypatch, "utf-8", "score - --format json", record.encode())
    assert output(monkeypatch, locale, "score - --format json", content) == expected
    path = tmp_path / "r.json"
    path.write_bytes(content)
    assert output(monkeypatch, locale, f"score {path} --format json") == expected


@pytest.mark.parametrize("written", READ_AS)
def test_files__of_rules_and_policies__are_read_by_their_bytes(written, tmp_path, capsys) -> None:
    assert main(["rules", "tiengow-zh"]) == main(["policies", "tuned"]) == 0
    rules, policy = capsys.readouterr().out.split("beliefs =")
    (tmp_path / "z.toml").write_bytes(rules.encode(written))
    (tmp_path / "p.toml").write_bytes(f"beliefs ={policy}".encode(written))
    assert main(["rules", str(tmp_path / "z.toml")]) == 0
    assert capsys.readouterr().out == rules
    assert find_policy(str(tmp_path / "p.toml")).weights == find_policy("tuned").weights


@pytest.mark.parametrize(
    "content",
    [b"\xff", b"\xff\xfe\x00", "天".encode("cp950"), "x".encode("utf-32"), b"\xfe\xff\xd8\x00"],
)
@pytest.mark.parametrize("words", ["score -", "advise -", "advise --seat 0 --record=-"])
def test_input__no_text__is_one_sentence(content, words, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "stdin", Stream("ascii", content))
    assert main(words.split()) == 2
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1 and "-: is no UTF-8 text" in err
    with pytest.raises(ValueError, match=r"a\.toml: is no UTF-8"):
        decoded(content, "a.toml")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("words", ["score {}", "advise {}", "advise --record {} --seat 0", "rules {}",
                                   "simulate --rules {}", "simulate --policy {}", "simulate --policy {}:play",
                                   "compare tiengow-ja {}", "policies {}", "tournament greedy {}"])  # fmt: skip
@pytest.mark.parametrize(
    "kind, told", [("pipe", "a named pipe"), ("folder", "a folder"), ("device", "a device")]
)
def test_file__that_is_none__is_not_waited_for(words, kind, told, tmp_path, capsys) -> None:
    """A named pipe that nobody writes to would be waited for without end."""
    path = tmp_path / f"mine.{'py' if ':play' in words else 'toml'}"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    assert main(words.format(path).split()) == 2
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1 and f"cannot be read (it is {told})" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_streams__that_fail(record, tmp_path) -> None:
    """A shell starts the program with streams that are full, closed, or left by their reader."""
    (tmp_path / "r.json").write_text(record, encoding="utf-8")
    program = f"'{sys.executable}' -m gupai"
    cases = {  # after the program: what it ends with, and whether the output is whole
        "rules --format json 2>/dev/full >out": (0, True),
        "rules --format json 2>&- >out": (0, True),
        "score nothing.json r.json --format json 2>/dev/full >out": (2, True),
        "score nothing.json 2>&-": (2, False),
        "rules >/dev/full 2>err": (1, False),
        "rules >&- 2>err": (1, False),
        "rules --help >/dev/full 2>/dev/full": (1, False),
        "rules >&- 2>&- <&-": (1, False),
        "score /dev/stdin --format json <r.json >out": (0, True),
        "score /dev/fd/0 --format json <r.json >out": (0, True),
        "score - <&-": (2, False),
    }
    for words, (status, whole) in cases.items():
        for name in ("out", "err"):
            (tmp_path / name).write_bytes(b"")
        done = subprocess.run(
            ["bash", "-c", f"{program} {words}"], cwd=tmp_path, capture_output=True, timeout=120
        )
        assert done.returncode == status, words
        if whole:
            assert json.loads((tmp_path / "out").read_text(encoding="utf-8")), words
        if words.endswith("2>err"):
            assert (tmp_path / "err").read_text(encoding="utf-8").count("cannot write the output") == 1
    for words in ("rules", "rules --help", "--help", "completion zsh", "hand --best 20 --format csv"):
        shell = f"set -o pipefail; {program} {words} | true"
        done = subprocess.run(["bash", "-c", shell], capture_output=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, b""), words


@pytest.mark.parametrize("columns", ["9" * 5000, "0", "-5", "19", "x", "²", "", "1e3", "080"])
def test_columns__that_are_none__change_nothing(columns, monkeypatch, capsys) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert main(["rules"]) == main(["rules", "--help"]) == main(["--help"]) == 0
    printed = capsys.readouterr().out
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("LINES", columns)
    assert main(["rules"]) == main(["rules", "--help"]) == main(["--help"]) == 0
    assert capsys.readouterr().out == printed or columns == "080"


@pytest.mark.skipif(os.name != "posix", reason="opens a terminal as Unix does")
def test_terminal__of_one_column__is_written_to(monkeypatch) -> None:
    """Help never ended in a terminal too narrow for a Chinese sign."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 1, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    command = [sys.executable, "-m", "gupai", "rules", "--help"]
    with subprocess.Popen(
        command, stdout=follower, stderr=follower, stdin=follower, env=environment
    ) as process:
        os.close(follower)
        printed = b""
        while True:
            try:
                piece = os.read(leader, 1 << 16)
            except OSError:
                break
            if not piece:
                break
            printed += piece
        assert process.wait(timeout=60) == 0 and b"Usage" in printed
    os.close(leader)


def test_help__is_whole_without_docstrings() -> None:
    """``python -OO`` leaves out the docstrings that help is made of."""
    program = (
        "import sys\nfrom gupai.reports.cli import main\n"
        "for name in sys.argv[1:]:\n    main([name, '--help'])\n"
    )
    environment = os.environ | {"COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    plain, stripped = (
        subprocess.run([sys.executable, *options, "-c", program, *COMMANDS], capture_output=True, env=environment,
                       check=True, timeout=300).stdout
        for options in ([], ["-OO"])
    )  # fmt: skip
    assert plain == stripped and "The deal pattern" in plain.decode("utf-8")


# Names with a comma


def test_lists__names_come_back() -> None:
    for names in (["a"], ["a,b.toml", "c"], ['"', 'a"b', ",", ""], ["天九,x.toml", "it's"]):
        for sign in (",", ";"):
            assert apart(joined(names, sign), sign) == names


def test_policy__a_file_with_a_comma__can_be_named(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["policies", "tuned"]) == 0
    Path("a,b.toml").write_text(capsys.readouterr().out, encoding="utf-8")
    assert four_policies("a,b.toml") == four_policies('"a,b.toml"') == ("a,b.toml",) * 4
    assert four_policies('greedy,"a,b.toml",Random,greedy') == ("greedy", "a,b.toml", "random", "greedy")
    run = Run(policies=("a,b.toml", "greedy", "greedy", "greedy"), hands=10)
    assert """--policy '"a,b.toml",greedy,greedy,greedy'""" in run.command()
    for text in ("a,c.toml", '"a,b', "a\nb", '"a"b'):
        assert main(["simulate", "--policy", text]) == 2
        assert "double quote" in capsys.readouterr().err


def test_compare__a_file_with_a_semicolon__can_be_named(tmp_path, monkeypatch) -> None:
    from gupai.reports.compare import _read_rules

    monkeypatch.chdir(tmp_path)
    Path("r;s.toml").write_text('preset = "tiengow-zh"', encoding="utf-8")
    assert _read_rules("r;s.toml") == _read_rules("tiengow-zh")
    assert _read_rules('"r;s.toml";kam=3') == _read_rules("tiengow-zh;kam=3")
