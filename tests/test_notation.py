"""Tiles as codes, pips and Chinese names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gupai.analysis import TileError, chinese_of, codes_of, parse_tiles, pips_of
from gupai.analysis.tiengow.notation import CHINESE, CHINESE_PIPS, CLASS_PIPS, hand_readings

import reference
from bridge import mask, tiles

HANDS = st.sets(st.sampled_from(reference.TILES), max_size=32)


@given(HANDS)
def test_pips__round_trip(hand) -> None:
    written = pips_of(mask(hand))
    assert next(hand_readings([parse_tiles(written)]))[0].bit_count() == len(hand)
    assert pips_of(next(hand_readings([parse_tiles(written)]))[0]) == written


@given(HANDS)
def test_codes_and_chinese__round_trip_by_class(hand) -> None:
    codes = codes_of(mask(hand))
    assert codes == reference.codes(hand)
    assert "".join(tile.code for tile in parse_tiles(codes.lower())) == codes
    assert "".join(tile.code for tile in parse_tiles(chinese_of(mask(hand)))) == codes


@pytest.mark.parametrize(("code", "names"), CHINESE.items())
def test_parse_tiles__every_chinese_name(code: str, names: tuple[str, ...]) -> None:
    for name in names:
        assert parse_tiles(f"{name} {'A' if code != 'A' else 'B'}")[0].code == code


@pytest.mark.parametrize(
    ("name", "code"),
    {
        "鵝": "D", "和": "D", "梅花": "E", "梅": "E", "長衫": "F", "長三": "F", "板凳": "G", "櫈": "G",
        "斧頭": "H", "紅頭十": "I", "屏風": "I", "高脚七": "J", "高腳七": "J", "伶冧六": "K", "零霖六": "K",
        "雜九": "9",
    }.items(),
)  # fmt: skip
def test_parse_tiles__the_usual_synonyms(name: str, code: str) -> None:
    assert parse_tiles(f"天 {name}")[1].code == code


def test_parse_tiles__an_unbroken_string_is_one_sign_a_tile() -> None:
    """長 is F and 三 is 3, so 長三 alone is two tiles; among others it is a name."""
    assert [tile.code for tile in parse_tiles("長三")] == ["F", "3"]
    assert [tile.code for tile in parse_tiles("長三 天")] == ["F", "A"]
    assert [tile.code for tile in parse_tiles("天天九九")] == list("AA99")
    assert [tile.code for tile in parse_tiles("高脚七")] == ["J"]


@pytest.mark.parametrize(("name", "pips"), CHINESE_PIPS.items())
def test_parse_tiles__names_that_tell_the_pips(name: str, pips: str) -> None:
    assert parse_tiles(f"{name} 天")[0].pips == pips
    assert len(parse_tiles(name)) == (2 if name[0] in "紅红" else 1)


@pytest.mark.parametrize("text", ["6-6 6-6 3-6", "6−6,6–6、6-3", "６-６　６-６ ３-６"])
def test_parse_tiles__pips_with_any_dash_and_blank(text: str) -> None:
    assert [str(tile) for tile in parse_tiles(text)] == ["A", "A", "3-6"]


@pytest.mark.parametrize(
    ("text", "offender"),
    [
        ("AAA", "A"), ("63 6", "6"), ("999", "9"), ("3-6 6-3", "3-6"), ("9 9 4-5", "9"),
        ("ABZ", "'Z'"), ("7-7", "'7-7'"), ("1", "'1'"), ("板登", "登"), ("天天天", "A"), ("6--6", "6--6"),
        ("🀰", "🀰"), ("ı", "ı"),
    ],
)  # fmt: skip
def test_parse_tiles__names_the_offending_tile(text: str, offender: str) -> None:
    with pytest.raises(TileError) as refused:
        parse_tiles(text)
    assert offender in str(refused.value)


def test_hand_readings__all_ways_to_tell_two_tiles_apart() -> None:
    hands = [parse_tiles("98"), parse_tiles("97"), parse_tiles("8"), parse_tiles("7")]
    assert len(list(hand_readings(hands))) == 8
    assert len(list(hand_readings([parse_tiles("99"), parse_tiles("88")]))) == 1
    with pytest.raises(TileError):
        list(hand_readings([parse_tiles("99"), parse_tiles("9")]))


def test_class_pips__are_those_of_the_rules_page() -> None:
    assert {code: list(pips) for code, pips in CLASS_PIPS.items()} == reference.PIPS
    assert all(len(tiles(1 << bit)) == 1 for bit in range(32))
