"""Three languages: no text is missing, none is left in English, and no glyph is an empty box."""

from __future__ import annotations

import ast
import base64
import functools
import io
import json
import re
import shlex
import unicodedata
from collections.abc import Iterable
from pathlib import Path

import pytest
from browser import MISSING, browser

from gupai.analysis import (
    DEALS,
    PRESETS,
    RuleSet,
    Run,
    SessionRun,
    policy_names,
    study_list,
    switch_list,
)
from gupai.analysis.phrases import Phrase, listed, phrase
from gupai.analysis.tiengow.compare import compare
from gupai.analysis.tiengow.request import SEAT_WORDS
from gupai.analysis.tiengow.rules import HAND_PATTERNS
from gupai.analysis.tiengow.session_result import session
from gupai.reports import language, sections
from gupai.reports.cli import main
from gupai.reports.figures import FIGURES, png_of, seats_figure, style, svg_of
from gupai.reports.fonts import font_face, shared_out, signs_of
from gupai.reports.grid import width
from gupai.reports.language import LANGUAGES, catalogue, locale_language, said, say, speaking

ROOT = Path(__file__).parent.parent
OTHERS = [name for name in LANGUAGES if name != "en"]
TREES = {
    path: ast.parse(path.read_text("utf-8"))
    for layer in ("analysis", "reports")
    for path in sorted((ROOT / layer).rglob("*.py"))
    if "examples" not in path.parts
}
TEMPLATE = (ROOT / "reports" / "templates" / "report.html.jinja").read_text("utf-8")
SCRIPT = (ROOT / "reports" / "templates" / "report.js").read_text("utf-8")


def one_a_push(names: Iterable[str]) -> list:
    """Japanese at every push; other languages with what is slow."""
    return [pytest.param(name, marks=() if name == "ja" else pytest.mark.slow) for name in names]


def calls(name: str) -> list[tuple[Path, ast.Call]]:
    return [
        (path, node)
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    ]


@functools.cache
def texts() -> frozenset[str]:
    """Every English text that the program says: literals in the code and in the page's template."""
    found = set(re.findall(r'say\("([^"]*)"', TEMPLATE))
    for _, call in (*calls("say"), *calls("phrase")):
        if isinstance(call.args[0], ast.Constant):
            found.add(call.args[0].value)
    return frozenset(found)


def places(text: str) -> list[str]:
    return sorted(re.findall(r"\{(.*?)\}", text))


# No text is missing


@pytest.mark.parametrize("name", OTHERS)
def test_catalogue__has_every_text_and_no_other(name: str) -> None:
    assert len(texts()) > 450
    assert set(catalogue(name)) == texts()


@pytest.mark.parametrize("name", OTHERS)
def test_catalogue__places_agree_and_nothing_is_empty(name: str) -> None:
    for english, other in catalogue(name).items():
        assert places(other) == places(english), english
        assert all(place.isidentifier() for place in places(english)), english
        assert other.strip(), english


def test_texts__are_literals_or_phrases() -> None:
    """A text said is a literal, a lookup of a phrase, or a call that returns one; no f-string, no sum."""
    assert "say('" not in TEMPLATE
    for name in ("say", "phrase"):
        for path, call in calls(name):
            text = call.args[0]
            where = f"{path}:{text.lineno}"
            assert isinstance(text, (ast.Constant, ast.Subscript, ast.Name, ast.Call)), where
            if isinstance(text, ast.Constant):
                given = {keyword.arg for keyword in call.keywords}
                assert None in given or given == set(places(text.value)) or not given, where
            if isinstance(text, ast.Call):
                assert isinstance(text.func, ast.Attribute) and text.func.attr == "sentence", where


def test_script__has_no_sentences_of_its_own() -> None:
    strings = re.findall(r'"([^"]*)"', re.sub(r"//.*", "", SCRIPT))
    names = {"use strict", "one more", "too many", "no such tile", "#tiles button", "table.sortable"}
    assert not [
        text for text in strings if re.search(r"[A-Za-z]{2,} [A-Za-z]{2,}", text) and text not in names
    ]


def test_say__refuses_a_text_that_no_catalogue_has() -> None:
    with speaking("ja"), pytest.raises(KeyError):
        say("no such text")


# What a phrase is


def test_phrase__is_its_english_text_and_is_said_part_by_part() -> None:
    told = phrase("{first} {second}", first=phrase("{n} hands", n=5), second="greedy")
    assert (
        told == "5 hands greedy" and json.dumps({told: told}) == '{"5 hands greedy": "5 hands greedy"}'
    )
    assert isinstance(told, Phrase) and listed(["a", "b", "c"]) == "a, b, c"
    with speaking("ja"):
        assert said(told) == say(told) == "5 局greedy" and said("greedy") == "greedy"
        assert said(listed([phrase("hands"), "x"])) == "局数、x"
    assert said(told) == "5 hands greedy"


def test_phrase__braces_of_a_user_are_no_places() -> None:
    told = phrase("Dealt to meet: {condition}", condition="{0} {x}")
    with speaking("zh"):
        assert told == "Dealt to meet: {0} {x}" and said(told) == "按條件發牌：{0} {x}"


def test_sentences__of_the_analysis_are_phrases() -> None:
    assert isinstance(
        compare(RuleSet(), RuleSet(kam=4), run=Run(policies=("greedy",) * 4, hands=200)).sentence(),
        Phrase,
    )
    assert isinstance(session(SessionRun(policies=("greedy",) * 4, sessions=20)).sentence(), Phrase)
    for switch in switch_list():
        assert isinstance(switch.meaning, Phrase) and isinstance(switch.source, Phrase)


# Nothing is left in English

PLAYED = '{"rules": {"preset": "tiengow-ja"}, "banker": 0, "term": 1, "hands": ["BGJJ9885", "ABCDF763", "CDEEHI75", "AFGHIKK9"], "tricks": [{"leader": 0, "plays": ["B88", "(763)", "(I75)", "(IKK)"]}, {"leader": 0, "plays": ["JJ", "(DF)", "EE", "(GH)"]}, {"leader": 2, "plays": ["C", "A", "(5)", "(C)"]}, {"leader": 3, "plays": ["9", "(G)", "(B)", "(H)"]}, {"leader": 3, "plays": ["F", "(9)", "(A)", "D"]}]}'  # fmt: skip
POSITION = '{"banker": 0, "hands": ["AC99GJK3", null, null, null], "tricks": []}'
COMMANDS = [
    "simulate --hands 300",
    "simulate --hands 1 --policy greedy",
    "simulate --hands 300 --policy greedy --by fours",
    "simulate --hands 300 --policy greedy --deal all --format markdown",
    "simulate --hands 2 --policy greedy --deal all",
    "simulate --hands 300 --set hand_patterns=no_red,seven_civil --policy greedy",
    "simulate --policy greedy --show 17",
    "simulate --policy random --show 3 --given 'banker has AA99'",
    "simulate --policy greedy --set hand_patterns=seven_civil,eight_civil --show 0 --show 1 --show 2 --show 3",
    "simulate --policy random --hands 999 " + " ".join(f"--show {n}" for n in range(0, 999, 16)),
    "odds 'anyone has 63'",
    "odds 'banker wins' --given 'banker has AA99' --hands 300",
    "odds kam --hands 10",
    "odds kam --hands 3000 --policy random",
    "odds 'banker wins' --given 'kam' --hands 10",
    "odds 'banker wins' --given 'kam' --hands 3000 --policy random",
    "hand AC99GJK3 --hands 50",
    "hand AC99GJK3 --hands 50 --rules tiengow-zh",
    "hand ABCDEFGH --hands 50 --set hand_patterns=eight_civil",
    "hand --best 3",
    "hand --worst 3 --format markdown",
    "hand --swingiest 3",
    f"advise '{POSITION}' --worlds 30",
    f"advise --record '{PLAYED}' --seat 2 --worlds 30",
    "compare tiengow-ja --set kam=4 --hands 3000 --policy random",
    "compare tiengow-ja --set kam=4 --hands 3000",
    "compare tiengow-ja tiengow-zh --hands 500",
    "compare tiengow-ja tiengow-ja --hands 500",
    "compare tiengow-ja --set four_finish=5 --hands 20",
    "compare --all-switches tiengow-ja --hands 300",
    "compare tiengow-ja --set two_stacks=false --hands 5000",
    "compare tiengow-ja --set kam=4 --hands 300 --policy tuned --policy greedy",
    "hand AC99GJK3 --hands 4000",
    "hand AC99GJK3 --hands 100 --policy tuned --policy greedy --set empty=4",
    "compare tiengow-ja --set banker=off --adapt --adapt-steps 1 --adapt-deals 2 --adapt-check 20 --hands 200",
    "session --sessions 50 --hands 20",
    "session --sessions 1 --hands 20",
    "session --sessions 100 --hands 70 --policy greedy,random,random,random",
    "session --sessions 40 --hands 20 --policy greedy,tuned,tuned,random --stake 30 --play-on --first-banker 2",
    "session --sessions 20 --hands 20 --stake 30 --banker-changes 4 --first-banker dice --by-role",
    "deals --deal top_layers --shuffle wash:0 --hands 600 --session-hands 8",
    "deals --deal top_layers --shuffle wash:32 --hands 600 --session-hands 8",
    "deals --deal top_layers --shuffle perfect --hands 600 --session-hands 8",
    "patterns --hands 300",
    "patterns no_red all --hands 300 --format markdown",
    "policies",
    "policies --format markdown",
    "policy-check greedy --positions 20",
    "study",
    *(f"study {name} --deals 100" for name in (
        "cash-four", "supreme-now", "civil-supreme", "safe-tricks", "spare", "low-finish", "whole", "strength",
    )),
    "study kam --deals 600",
    "study kam --deals 5",
    "study discard --deals 600",
    "study discard --deals 2",
    "tournament tuned greedy random --deals 30",
    "rules",
    "rules --format markdown",
    "rules tiengow-zh",
]  # fmt: skip
LINED_UP = [
    command
    for command in COMMANDS
    if command.split()[0] in ("odds", "hand", "compare", "session", "patterns", "study", "tournament")
    and "markdown" not in command
    and command != "study"
    and "ABCDEFGH" not in command  # a head without rows
]
# Names that are the same in every language: they are typed on the command line.
SWITCH_WORDS = {
    word
    for switch in switch_list()
    for word in re.findall(r"[A-Za-z_]+", f"{switch.name} {switch.values}")
}
NAMES = {
    "gupai", "fingerprint", *policy_names(), *PRESETS, *(study.name for study in study_list()), *DEALS,
    *HAND_PATTERNS, "all", "fours", "wash", "perfect", "preset", "none", "true", "false",
    *SWITCH_WORDS - {"any", "whole", "number", "from"},
}  # fmt: skip
TILES = re.compile(r"[A-K3-9]+")


class Marked:
    """A catalogue in which every piece of every text stands in brackets."""

    def __getitem__(self, text: str) -> str:
        assert text in texts(), text
        pieces = re.split(r"(\{\w+\})", text)
        return "".join(p if p.startswith("{") or not p else f"⟦{p}⟧" for p in pieces)


@pytest.fixture
def marked(monkeypatch):
    found = Marked()
    monkeypatch.setattr(language, "catalogue", lambda _name: found)


def left_in_english(text: str) -> list[str]:
    """The words outside brackets, but for names and lines that are a command or a record."""
    lines = [line for line in text.splitlines() if "gupai " not in re.sub(r"⟦.*?⟧", "", line)]
    lines = [line for line in lines if not line.startswith('{"')]
    bare = re.sub(r"⟦.*?⟧", " ", "\n".join(lines), flags=re.DOTALL)
    assert "⟦" not in bare and "⟧" not in bare
    bare = re.sub(r"`[^`]*`|--\w+|\{\w+\}|\brollout:\w+", " ", bare)
    words = re.findall(r"[A-Za-z][A-Za-z_-]{2,}", bare)
    return [word for word in words if word not in NAMES and not TILES.fullmatch(word)]


def asked(command: str, name: str, capsys) -> str:
    assert main([*shlex.split(command), "--lang", name]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_command__leaves_nothing_in_english(command: str, marked, capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "9999")
    out = asked(command, "ja", capsys)
    # The questions that are asked stand in the table's head.
    for question in re.findall(r"'([^'{]*)'|(?<=odds )(kam)", command):
        for part in filter(None, question):
            out = out.replace(part, " ")
    assert "⟦" in out and left_in_english(out) == []


def test_score__leaves_nothing_in_english(tmp_path: Path, marked, capsys) -> None:
    (tmp_path / "hands").write_text(f"{PLAYED}\n{PLAYED}\n", encoding="utf-8")
    out = asked(f"score {tmp_path / 'hands'}", "zh", capsys).replace(str(tmp_path / "hands"), "")
    assert "⟦" in out and left_in_english(out) == []


def test_speeds__leave_nothing_in_english(marked, capsys) -> None:
    import pandas as pd

    from gupai.analysis.tiengow.bench import COLUMNS, YARDSTICK, works
    from gupai.analysis.tiengow.peers import Speed
    from gupai.reports.speeds import print_peers, print_speeds

    rows = [(work, threads, 1e6, 1.0) for work, threads in [(YARDSTICK, 1), *works(2)]]
    with speaking("ja"):
        print_speeds(pd.DataFrame(rows, columns=list(COLUMNS)), "table")
        names = (phrase("gupai, all {policy}", policy="greedy"),
                 phrase("reference engine in Python, all greedy"), phrase(YARDSTICK),
                 phrase("OpenSpiel {game}, random, in C++", game="hearts"),
                 phrase("OpenSpiel {game}, random, from Python", game="hearts"))  # fmt: skip
        print_peers([Speed(name, 1e6, 1e6, 1.0) for name in names], [], "table")
    out = capsys.readouterr().out
    assert len(out.splitlines()) > len(rows)
    assert set(left_in_english(out)) == {"hearts"}


def test_saved_runs__leave_nothing_in_english(tmp_path: Path, marked, capsys) -> None:
    run = f"simulate --policy greedy --hands 500 --out {tmp_path / 'run'}"
    for command in (
        run,
        f"show {tmp_path / 'run'}",
        f"merge {tmp_path / 'run'} --out {tmp_path / 'all'}",
    ):
        out = asked(command, "ja", capsys).replace(str(tmp_path), "")
        out = re.sub(r"run-[0-9a-f]+", "run", out)
        assert "⟦" in out and set(left_in_english(out)) <= {"run", "all"}, command


def test_notebook__shows_results_in_the_language_spoken(marked) -> None:
    from gupai.analysis import odds

    for result in (compare(RuleSet(), RuleSet(kam=4), run=Run(policies=("greedy",) * 4, hands=200)), odds("anyone has 63"),
                   session(SessionRun(policies=("greedy",) * 4, sessions=20))):  # fmt: skip
        with speaking("zh"):
            shown = re.sub(r"<[^>]*>", " ", result._repr_html_()).replace("anyone has 63", "")
            drawn = result.plot()
        lines = [line for line in shown.splitlines() if "gupai" not in line]
        assert left_in_english("\n".join(lines).replace("&#x27;", "")) == []
        assert "⟦" in drawn.axes[0].get_xlabel() + drawn.axes[0].get_ylabel()


@pytest.mark.parametrize("command", LINED_UP)
@pytest.mark.parametrize("name", one_a_push(OTHERS))
def test_command__tables_line_up(command: str, name: str, capsys, monkeypatch) -> None:
    """No row reaches beyond the rule under the head, and some row reaches to its end."""
    monkeypatch.setenv("COLUMNS", "9999")
    tables = re.split(r"\n(?=[^\n]*\n─)", "\n" + asked(command, name, capsys))[1:]
    assert tables
    for table in tables:
        head, rule, rest = table.split("\n", 2)
        body = re.split(r"\n\n(?! )(?![^\n]*\n  )", rest)[0]  # a part of a table has indented rows
        rows = [head, *body.splitlines()]
        assert max(map(width, rows)) == width(rule), table


# JSON and CSV are for machines

MACHINE = [
    "simulate --hands 300 --format json", "simulate --hands 300 --format csv",
    "compare tiengow-ja tiengow-zh --hands 300 --format json", "compare tiengow-ja --set kam=4 --hands 300 --format csv",
    "compare --switch kam --hands 300 --format csv", "session --sessions 20 --hands 16 --format json",
    "session --sessions 20 --hands 16 --format csv", "odds kam --hands 10 --format json", "odds kam --hands 10 --format csv",
    "deals --deal top_layers --hands 600 --session-hands 8 --shuffle wash:0 --format json",
    "patterns no_red --hands 300 --format json", "policies --format json", "policies --format csv", "study --format json",
    "study cash-four --deals 20 --format json", "study cash-four --deals 20 --format csv", "rules --format json",
    "tournament greedy random --deals 20 --format json", "hand AC99GJK3 --hands 50 --format csv", "hand --best 2 --format json",
    f"advise '{POSITION}' --worlds 30 --format json", f"advise '{POSITION}' --worlds 30 --format csv",
]  # fmt: skip


@pytest.mark.parametrize("command", MACHINE)
@pytest.mark.parametrize("name", one_a_push(OTHERS))
def test_machine_formats__are_the_same_bytes_in_every_language(command: str, name: str, capsys) -> None:
    assert asked(command, name, capsys) == asked(command, "en", capsys)


def test_rules__printed_in_any_language_are_read_back(tmp_path: Path, capsys) -> None:
    for name in LANGUAGES:
        (tmp_path / "rules.toml").write_text(asked("rules tiengow-zh", name, capsys), encoding="utf-8")
        again = asked(f"rules {tmp_path / 'rules.toml'} --format json", name, capsys)
        assert again == asked("rules tiengow-zh --format json", "en", capsys)


# No tofu


@pytest.mark.parametrize("name", LANGUAGES)
def test_fonts__have_every_sign_of_the_catalogue(name: str) -> None:
    everything = "".join(texts() if name == "en" else catalogue(name).values())
    found = shared_out(signs_of(everything), name)
    assert sum(map(len, found.values())) == len(signs_of(everything))
    if name == "ja":  # Japanese shapes, and only what they lack from the other font
        first, *_ = found
        assert "JP" in first and {"親", "数", "荘", "対"} <= set(found[first])


DATA = {
    "seats": {"seats": ["Q", "R", "S", "T"],
              "wins": {"greedy": [[20.0, 19.0, 21.0]] * 4}, "points": {"greedy": [[1.0, 0.9, 1.1]] * 4}},
    "stacks": {"seats": ["Q", "R", "S", "T"], "stacks": [[10.0] * 9] * 4},
    "points": {"points": {seat: [[-4, 0, 4], [60.0, 40.0]] for seat in "QRST"}},
    "ranking": {"policies": ["greedy", "random"], "table": [[0.0, 1.0], [-1.0, 0.0]]},
    "rules": {"rows": [["kam = 4", 0.1, 0.05, 0.15], ["yao = 4", -0.1, -0.2, 0.1]]},
    "session": {"hands": [0, 8], "stake": 100,
                "bands": {q: [0, 9] for q in ("0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99")}},
    "last-trick": {"rows": [["Q", 1.0, 0.5, 1.5], ["R", -1.0, -1.5, 0.5]], "unit": "S"},
    "convergence": {"rows": [[100, 20.0, 15.0, 25.0], [400, 21.0, 19.0, 23.0]]},
    "walls": {"pairs": {"top_layers": [0.8, 0.85]}, "exact": 0.85, "shuffles": ["wash:1", "perfect"]},
}  # fmt: skip


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("name", one_a_push(LANGUAGES))
def test_figure__has_every_glyph(figure: str, name: str) -> None:
    with speaking(name), style():
        data = json.dumps(DATA[figure])
        for sign, seat in zip("QRST", SEAT_WORDS.values(), strict=True):
            data = data.replace(f'"{sign}"', json.dumps(say(seat)))
        drawn = FIGURES[figure](json.loads(data))
        assert "<svg" in svg_of(drawn) and png_of(drawn).startswith(b"\x89PNG")
        labels = [text.get_text() for text in drawn.findobj(lambda part: hasattr(part, "get_text"))]
    if name != "en":
        assert any(unicodedata.east_asian_width(sign) == "W" for label in labels for sign in label)


def test_figure__with_a_sign_that_no_font_has_is_an_error() -> None:
    data = DATA["seats"] | {"seats": ["\U0002fa1d"] * 4}
    for name in LANGUAGES:
        with speaking(name), style():
            drawn = seats_figure(data)
            for draw in (svg_of, png_of):
                with pytest.raises(ValueError, match="Glyph"):
                    draw(drawn)


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    """A Japanese report of two sections, one with a picker."""
    folder = tmp_path_factory.mktemp("report-ja")
    with pytest.MonkeyPatch.context() as patch:
        few = {name: sections.SECTIONS[name] for name in ("patterns", "starting-hands", "sessions")}
        patch.setattr(sections, "SECTIONS", few)
        words = ["report", "--quick", "--policy", "greedy", "--policy", "random", "--out", str(folder)]
        assert main([*words, "--lang", "ja"]) == 0
    return folder / "report.html"


def test_report__in_japanese(page: Path) -> None:
    text = page.read_text("utf-8")
    assert '<html lang="ja">' in text and "--lang ja --seed 1" in text.replace("</td>", "")
    assert "目次" in text and "The best" not in text and "points a hand" not in text
    tables = [path.read_text("utf-8") for path in (page.parent / "tables").iterdir()]
    assert any("1局あたりの得点" in table for table in tables)
    with speaking("zh"):
        assert (
            json.loads((page.parent / "parts" / "patterns.json").read_text("utf-8"))["content"][
                "section"
            ]["title"]
            == "例牌"
        )
        from gupai.reports.report import identity

        run = sections.ReportRun(rules=RuleSet(), policies=("greedy", "random"), size="quick")
        names = set()
        for name in LANGUAGES:
            with speaking(name):
                names.add(identity(run, "patterns"))
        assert len(names) == 3


@pytest.mark.slow
def test_report__leaves_nothing_in_english(tmp_path: Path, marked, monkeypatch) -> None:
    monkeypatch.setattr(sections.ReportRun, "number", lambda _run, quick, *_: min(quick, 4000))
    monkeypatch.setattr(sections.ReportRun, "hands_of", lambda _run, _policy: 1000)
    words = ["report", "--quick", "--policy", "greedy", "--policy", "random", "--out", str(tmp_path)]
    assert main([*words, "--lang", "ja"]) == 0
    text = (tmp_path / "report.html").read_text("utf-8")
    text = re.sub(
        r"<style>.*?</style>|<script>.*?</script>|<svg.*?</svg>|<pre>.*?</pre>",
        " ",
        text,
        flags=re.DOTALL,
    )
    text = re.sub(
        r'<script type="application/octet-stream".*?</script>|(?:src|srcset)="data:[^"]*"',
        " ",
        text,
        flags=re.DOTALL,
    )
    facts = json.loads(re.search(r'id="facts">(.*?)</script>', text, re.DOTALL)[1])
    assert all(seat.startswith("⟦") for seat in facts["seats"])
    assert all(left_in_english(told) == [] for told in facts["texts"].values())
    text = re.sub(
        r"<script.*?</script>|<code>.*?</code>|<td>gupai report.*?</td>", " ", text, flags=re.DOTALL
    )
    shown = " ".join(re.findall(r'(?:alt|aria-label)="([^"]*)"', text)) + re.sub(r"<[^>]*>", " ", text)
    shown = re.sub(r"\{&#34;supreme_civil.*?\}", " ", shown)  # the rules in the method box
    shown = shown.replace("quot", "")
    assert left_in_english(shown) == []


@pytest.mark.browser
@pytest.mark.skipif(MISSING is not None, reason=str(MISSING))
def test_page__draws_japanese_from_its_own_fonts(page: Path, tmp_path: Path) -> None:
    """Every wide sign that is shown stands in a font that the page carries; the picker is Japanese."""
    from fontTools.ttLib import TTFont

    carried: set[str] = set()
    for data in re.findall(r"data:font/woff;base64,([^)]*)\)", page.read_text("utf-8")):
        carried |= set(map(chr, TTFont(io.BytesIO(base64.b64decode(data))).getBestCmap()))
    with browser(tmp_path) as shown:
        shown.open(page.as_uri())
        assert "あと 8 枚" in shown.run("return document.getElementById('told').textContent")
        for code in ("A", "C", "9", "G", "J", "K", "6"):
            shown.click(f'#tiles button[title^="{code} "]')
        assert shown.run("return document.getElementById('told').textContent") == "あと 1 枚。"
        shown.click('#tiles button[title^="3 "]')
        assert "330,525 通り中" in shown.wait_for("document.getElementById('rank').textContent")
        seats = shown.run(
            "return [...document.querySelectorAll('#worth th')].map(cell => cell.textContent)"
        )
        assert "対面" in seats
        text = shown.run("return document.body.innerText")
        shown.wait_for("[...document.fonts].every(font => font.status === 'loaded')")
        for words, own in shown.drawn():
            assert own >= sum(map(words.count, set(signs_of(words)))), f"boxes in: {words}"
    signs = set(signs_of(text))
    assert len(signs) > 200 and signs <= carried


def test_font_face__takes_each_sign_from_one_font() -> None:
    rules = font_face("親の数 櫈冚", "ja").split("\n")
    ranges = [set(re.search(r"unicode-range: (.*?);", rule)[1].split(", ")) for rule in rules]
    assert len(ranges) == 2 and not ranges[0] & ranges[1]
    assert font_face("plain", "ja") == ""


# Which language


@pytest.mark.parametrize(
    "settings, wanted",
    [
        ({"LANG": "ja_JP.UTF-8"}, "ja"), ({"LANG": "zh_HK.UTF-8"}, "zh"), ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"}, "en"), ({"LANG": "C", "LC_ALL": "zh_TW"}, "zh"),
        ({"LANG": "de_DE", "LC_MESSAGES": "ja_JP"}, "ja"), ({"LANG": "ja_JP", "LC_ALL": ""}, "ja"), ({}, "en"),
        ({"LC_ALL": "jam_JM"}, "en"), ({"LC_ALL": "zha_CN.UTF-8"}, "en"), ({"LC_ALL": "ja_JP.eucJP"}, "ja"),
        ({"LC_ALL": "zh-Hant-TW"}, "zh"), ({"LC_ALL": "ZH@x"}, "zh"), ({"LC_ALL": "ja"}, "ja"),
        ({"LANG": "en_GB", "LANGUAGE": "fr:ja:en"}, "ja"), ({"LANG": "ja_JP", "LANGUAGE": "en_GB:ja"}, "en"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "ja"}, "en"), ({"LC_ALL": "POSIX", "LANGUAGE": "zh"}, "en"),
    ],
)  # fmt: skip
def test_locale__chooses_the_language(settings: dict, wanted: str, monkeypatch, capsys) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert locale_language() == wanted
    assert main(["odds", "anyone has 63"]) == 0
    assert {"en": "method", "ja": "ルール", "zh": "機會率"}[wanted] in capsys.readouterr().out
    assert main(["odds", "anyone has 63", "--lang", "en"]) == 0
    assert "method" in capsys.readouterr().out
    assert main(["--lang=en", "policies"]) == 0  # and none is left behind for what runs next


@pytest.mark.parametrize("words", [["--lang", "xx"], ["--lang=fr"], ["--lang"]])
def test_lang__refuses_what_it_does_not_speak(words: list[str], capsys) -> None:
    assert main(["odds", "anyone has 63", *words]) == 2
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1 and "must be one of en, ja, zh" in err
