"""The report: one file without network, its parts, its figures, its tiles, and its hand picker."""

from __future__ import annotations

import base64
import csv
import json
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from browser import MISSING, browser

from gupai.analysis import RuleSet, shipped_hands
from gupai.analysis.tiengow.notation import BIT_ORDER, pips_of
from gupai.analysis.tiengow.shipped_hands import points_reach, win_interval
from gupai.kernels._jit import cache_folder
from gupai.kernels.tiengow.tiles import FIRST_BIT
from gupai.reports import report as report_module
from gupai.reports.cli import main
from gupai.reports.figures import FIGURES, style, svg_of
from gupai.reports.fonts import font_face, shared_out, signs_of
from gupai.reports.numbers import rounded_percent
from gupai.reports.page import _packed_hands, render
from gupai.reports.report_run import ReportRun, tables_of
from gupai.reports.sections import SECTIONS
from gupai.reports.tile_art import _pip_marks, tile_svg

import reference
from bridge import TILE_OF_BIT

WORDS = ["report", "--quick", "--policy", "greedy", "--policy", "random"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    whole = tmp_path_factory.mktemp("report")
    place = whole / "out"
    import matplotlib.font_manager  # noqa: F401  (keeps a list of fonts in the home folder)

    kernels = cache_folder()
    with pytest.MonkeyPatch.context() as patch:
        if kernels is not None:  # they may be kept in the home folder, too
            patch.setenv("GUPAI_CACHE_DIR", str(kernels.parents[2]))
        patch.chdir(whole)
        patch.setenv("HOME", str(whole / "home"))
        assert main([*WORDS, "--out", "out"]) == 0
    assert [path.name for path in whole.iterdir()] == ["out"], "nothing is written elsewhere"
    return place


@pytest.fixture(scope="module")
def sections(folder: Path) -> dict:
    parts = {path.stem: path for path in (folder / "parts").iterdir()}
    assert set(parts) == set(SECTIONS)
    return {name: json.loads(parts[name].read_text("utf-8"))["content"]["section"] for name in SECTIONS}


class Links(HTMLParser):
    """Every address that a page would load or lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag, attributes) -> None:
        names = ("src", "href", "srcset", "action", "data")
        self.found += [value or "" for name, value in attributes if name in names]


def test_report__needs_no_network(folder: Path) -> None:
    page = (folder / "report.html").read_text("utf-8")
    links = Links()
    links.feed(page)
    assert links.found and all(link.startswith(("#", "data:")) for link in links.found)
    style_rules = re.findall(r"url\((.{0,20})", page)
    assert all(rule.startswith("data:") for rule in style_rules)
    assert "@import" not in page
    for section in ("The probability tables", "House rules", "Starting hands", "Method"):
        assert section in page
    ids = set(re.findall(r'id="([^"]+)"', page))
    assert all(link[1:] in ids for link in links.found if link.startswith("#"))


def test_report__tables_and_figures_stand_beside_it(folder: Path, sections: dict) -> None:
    for section in sections.values():
        for table in section["tables"]:
            text = (folder / "tables" / f"{table['name']}.csv").read_text("utf-8")
            rows = list(csv.reader(text.splitlines()))
            assert rows[0] == table["head"] and len(rows) == len(table["rows"]) + 1
            assert {len(row) for row in rows} == {len(table["head"])}
        for figure in section["figures"]:
            assert (folder / "figures" / f"{figure['name']}.png").read_bytes().startswith(b"\x89PNG")
            assert "<svg" in (folder / "figures" / f"{figure['name']}.svg").read_text("utf-8")
    used = {figure["name"] for section in sections.values() for figure in section["figures"]}
    assert used == set(FIGURES)


def test_report__finished_parts_are_not_asked_again(folder: Path, monkeypatch) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def refuse(_run):
        raise AssertionError("was asked again")

    monkeypatch.setattr("gupai.reports.sections.SECTIONS", dict.fromkeys(SECTIONS, refuse), raising=True)
    assert main([*WORDS, "--out", str(folder)]) == 0
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert before == after  # byte for byte


def test_report__an_interrupted_section_is_not_kept(tmp_path: Path, monkeypatch, capsys) -> None:
    """Ctrl-C in the middle of a section: a run that came to part of its hands is not written."""
    from gupai.analysis.tiengow import simulate as module

    tables_of.cache_clear()  # of a report that was made before
    play = module.run_blocks
    monkeypatch.setattr(module, "run_blocks", lambda *a, **k: (play(*a, **k)[0], True))
    assert main([*WORDS, "--out", str(tmp_path)]) == 1
    assert "interrupted" in capsys.readouterr().err
    assert list((tmp_path / "parts").iterdir()) == [] and not (tmp_path / "report.html").exists()


def test_report__another_request_is_another_part() -> None:
    run = ReportRun(rules=RuleSet(), policies=("greedy", "random"))
    others = [
        replace(run, seed=2), replace(run, size="quick"), replace(run, rules=RuleSet(kam=4)),
        replace(run, policies=("greedy", "tuned")),
    ]  # fmt: skip
    names = {report_module.identity(each, "points") for each in (run, *others)}
    assert len(names | {report_module.identity(run, "walls")}) == 6


def test_report__a_damaged_part_is_refused_by_name(tmp_path: Path, capsys) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "probabilities.json").write_text("{", encoding="utf-8")
    assert main([*WORDS, "--out", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "probabilities.json: is damaged" in error and "Traceback" not in error
    assert not (tmp_path / "report.html").exists()


def test_report__bad_input(tmp_path: Path, capsys) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    for words, complaint in (
        (["--quick", "--full"], "choose one"), (["--policy", "greedy"], "two to eight"),
        (["--policy", "greedy", "--policy", "gredy"], "Did you mean greedy"),
        (["--out", str(file)], "is no folder"), (["--rules", "tiengow-jp"], "Did you mean"),
        (["--seed", "-1"], "--seed -1"),
    ):  # fmt: skip
        out = [] if "--out" in words else ["--out", str(tmp_path / "never")]
        assert main(["report", *words, *out]) == 2
        captured = capsys.readouterr()
        assert complaint in captured.err and "Traceback" not in captured.err and not captured.out
    assert not (tmp_path / "never").exists()


def test_render__escapes_what_the_request_says() -> None:
    evil = '<script>alert("x")</script>&'
    grid = {
        "name": "t",
        "title": evil,
        "head": ["", evil],
        "rows": [[evil], [evil, evil]],
        "notes": [evil],
    }
    section = {
        "name": "s", "title": evil, "lead": evil, "tables": [grid], "figures": [], "commands": [evil],
    }  # fmt: skip
    page = render([section], title=evil, subtitle=evil, provenance={"version": evil, evil: evil})
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page


@pytest.mark.parametrize("dark", [False, True])
def test_figures__clip_no_text_and_miss_no_glyph(sections: dict, dark: bool) -> None:
    """Every text of every figure lies within it; a missing glyph is a warning, so an error here."""
    for section in sections.values():
        for entry in section["figures"]:
            with style(dark=dark):
                figure = FIGURES[entry["name"]](entry["data"])
                figure.draw_without_rendering()
                drawn, size = figure.get_tightbbox(), figure.get_size_inches()
                where = entry["name"], drawn, size
                assert drawn.x0 >= -0.01 and drawn.y0 >= -0.01, where
                assert drawn.x1 <= size[0] + 0.01 and drawn.y1 <= size[1] + 0.01, where
                one, again = (svg_of(FIGURES[entry["name"]](entry["data"])) for _ in range(2))
                assert one == again


def test_fonts__carry_every_wide_sign_and_refuse_others(folder: Path) -> None:
    page = (folder / "report.html").read_text("utf-8")
    signs = signs_of(page)
    assert {"結", "莊", "擒", "棟", "完", "封"} <= set(signs)
    assert font_face(signs) == font_face(signs)
    with pytest.raises(ValueError, match="no glyph"):
        shared_out("\U0002fa1d\U0003134a", "en")


def test_tile_svg__pips_and_their_colours() -> None:
    """As many pips as the tile has, red as the rules count them (half of 6-6: 6 of 12)."""
    for bit in BIT_ORDER:
        marks = _pip_marks(pips_of(1 << bit))
        tile = TILE_OF_BIT[bit]
        assert len(marks) == sum(int(n) for n in tile[1].split("-"))
        assert sum(red for *_, red in marks) == reference.red_pips(tile, 6)
        assert len({(x, y) for x, y, *_ in marks}) == len(marks)
        assert tile_svg(1 << bit).count("<circle") == len(marks)
    white = tile_svg(1 << FIRST_BIT["E"], white=True)
    assert 'fill="#ffffff"' in white and "#e03131" not in white


def test_picker__every_hand_has_its_own_interval() -> None:
    """Of the rarest, swingiest hand as wide as it is: +66.23 ± 0.94 there by `gupai hand`."""
    content = zlib.decompress(base64.b64decode(_packed_hands("en")))
    frame = shipped_hands()
    count = len(frame)
    texts = json.loads(content[17 * count :])
    place = int(frame.index[frame["hand"] == "ADD96553"][0])
    mean, seat = map(float, texts["reach"][content[16 * count + place]])
    row = frame.loc[place]
    assert row["points_left"] - seat < 66.23 - 0.94 and row["points_left"] + seat > 66.23 + 0.94
    assert 1.37 < mean < 1.42 and seat < 4.1 * mean
    assert len({reach for reach, _ in texts["reach"]}) > 80
    told = [text for wins in texts["wins"].values() for text in wins.values()]
    assert len(told) > 5000 and not [text for text in told if re.match(r"(0|100)(\.0*)? %", text)]
    assert re.fullmatch(r"under 0\.1\d %", texts["wins"]["16"]["0"])  # of EGHIJJKK, true 0.08 %


@pytest.mark.browser
@pytest.mark.skipif(MISSING is not None, reason=str(MISSING))
def test_picker__by_clicking_and_typing(folder: Path, tmp_path: Path) -> None:
    hands = shipped_hands().set_index("hand")
    with browser(tmp_path) as page:
        page.open((folder / "report.html").as_uri())
        assert page.run("return document.getElementById('worth').hidden")
        for code in ("A", "C", "9", "G", "J", "K", "6", "3"):
            page.click(f'#tiles button[title^="{code} "]')
        text = page.wait_for("document.getElementById('rank').textContent")
        row = hands.loc["ACGJK963"]
        assert f"Rank {int(row['rank']):,} of 330,525" in text
        assert f"({int(row['weight'])} of 10,518,300 sets" in text
        cells = page.run(
            "return [...document.querySelectorAll('#worth tbody tr')].map("
            "row => [...row.cells].map(cell => cell.textContent))"
        )
        for seat, (name, win, points) in zip(("banker", "right", "across", "left"), cells, strict=True):
            assert name.startswith(seat)
            middle, half = map(float, points.split(" ± "))
            assert middle == pytest.approx(row[f"points_{seat}"], abs=0.006)
            assert half == pytest.approx(points_reach(row["se"], seats=1), abs=0.02)
            low, high = win_interval(row[f"win_{seat}"], int(row["weight"]), seats=1)
            assert win == rounded_percent(row[f"win_{seat}"], low, high)
        for typed in ("aabbcc99", "天天九九地伶六三", "KKJJII33"):
            page.click("#clear")
            page.type("#typed", typed)
            told = page.wait_for("document.getElementById('told').textContent")
            if typed == "KKJJII33":
                assert "no such tile is left" in told
                assert page.run("return document.getElementById('worth').hidden")
            else:
                wanted = {"aabbcc99": "AABBCC99", "天天九九地伶六三": "AABK9963"}[typed]
                wanted_rank = f"Rank {int(hands.loc[wanted, 'rank']):,} of"
                page.wait_for(
                    f"document.getElementById('rank').textContent.startsWith({json.dumps(wanted_rank)})"
                )
        ranks = []
        for _ in range(2):  # sorted by a click on a head, then the other way round
            page.click('table[data-name="hands-best"] th:nth-child(2)')
            ranks.append(page.run(
                "return [...document.querySelectorAll('table[data-name=\"hands-best\"] tbody td:nth-child(2)')]"
                ".map(cell => Number(cell.textContent.replaceAll(',', '')))"
            ))  # fmt: skip
        assert ranks[0] == sorted(ranks[0], reverse=True) and ranks[1] == sorted(ranks[1])


@pytest.mark.browser
@pytest.mark.skipif(MISSING is not None, reason=str(MISSING))
def test_page__shows_no_empty_boxes(folder: Path, tmp_path: Path) -> None:
    """Every wide sign is drawn from the page's own font: it is loaded, and it alone has them."""
    with browser(tmp_path) as page:
        page.open((folder / "report.html").as_uri())
        page.wait_for("document.fonts.status === 'loaded'")
        signs = signs_of((folder / "report.html").read_text("utf-8"))
        loaded = page.run(
            "return document.fonts.check('16px \"gupai signs\"', " + json.dumps(signs) + ")"
            " && [...document.fonts].every(font => font.status === 'loaded')"
        )
        assert loaded


def test_report__seats_the_tuned_policy_where_it_is_listed() -> None:
    def seated(*names: str) -> str:
        return ReportRun(rules=RuleSet(), policies=names).seated

    assert seated("random", "tuned") == seated("rollout:9", "tuned") == "tuned"
    assert seated("greedy", "random") == "greedy" and seated("rollout", "random") == "random"
    assert seated("rollout", "rollout:9") == "tuned"  # which those that look ahead play by


def test_report__says_in_one_place_how_simple_players_differ(sections: dict) -> None:
    [table] = sections["weaker-play"]["tables"]
    assert table["head"] == ["", "greedy"]  # they sit in this report
    assert sections["weaker-play"]["commands"][0].startswith("gupai simulate")
