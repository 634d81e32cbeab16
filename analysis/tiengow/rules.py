"""Rule sets: every switch with its values, meaning and source, and the three presets.

Source: the section "Switches" of the rules.
"""

from __future__ import annotations

import functools
import json
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from ...kernels.tiengow import switches as numbers
from ...kernels.tiengow.switches import Switches
from ..checks import instance
from ..phrases import Phrase, phrase

LARGEST = 1000  # of any multiplier or bonus


class Changes(StrEnum):
    """What a switch changes."""

    PLAY = "play"
    SETTLEMENT = "settlement"
    SESSION = "session"


CHANGES = {
    Changes.PLAY: phrase("Changes play."),
    Changes.SETTLEMENT: phrase("Changes settlement."),
    Changes.SESSION: phrase("Changes session."),
}


class SwitchInfo(NamedTuple):
    """A switch as it is explained to a player."""

    name: str
    chinese: str
    values: str
    default: Any
    meaning: str
    changes: Changes
    source: str


HandPattern = Literal[
    "one_red", "seven_military", "seven_civil", "no_red", "eight_military", "eight_civil", "four_pairs"
]  # fmt: skip
HAND_PATTERNS: tuple[HandPattern, ...] = (
    "one_red", "seven_military", "seven_civil", "no_red", "eight_military", "eight_civil", "four_pairs",
)  # fmt: skip


def _in_order(patterns: tuple[HandPattern, ...]) -> tuple[HandPattern, ...]:
    return tuple(name for name in HAND_PATTERNS if name in patterns)


def _switch(default: Any, chinese: str, changes: Changes, source: str, meaning: str) -> Any:
    about: dict[str, Any] = {"chinese": chinese, "changes": changes.value, "source": source}
    return Field(default, description=meaning, json_schema_extra=about)


_Multiplier = Annotated[int, Field(ge=1, le=LARGEST)]
_Points = Annotated[int, Field(ge=0, le=LARGEST)]
_PLAY, _SETTLEMENT, _SESSION = Changes.PLAY, Changes.SETTLEMENT, Changes.SESSION


class RuleSet(BaseModel):
    """The rules of one table: the value of every switch.

    Frozen and strict: an unknown switch or a value of the wrong type is an error.

    Examples
    --------
    >>> RuleSet(kam=4).kam
    4
    >>> [name for name, value in RuleSet(kam=4) if value != getattr(RuleSet(), name)]
    ['kam']
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    supreme_civil: Literal["off", "on", "beaten_by_J"] = _switch(
        "off", "文尊", _PLAY, phrase("ja, zh"),
        phrase("KK led counts as supreme: nothing beats it (on), or JJ alone does (beaten_by_J)"),
    )  # fmt: skip
    last_low_civil: bool = _switch(
        False, "", _SETTLEMENT, phrase("zh"),
        phrase(
            "winning the last trick with a led K counts as 幺結; a J that takes a led K there "
            "is a 擒"
        ),
    )  # fmt: skip
    kam_supreme_civil: bool = _switch(
        False, "", _SETTLEMENT, phrase("zh"),
        phrase("JJ that takes a led KK on the last trick is a 擒 (with supreme_civil beaten_by_J)"),
    )  # fmt: skip
    capture_bonus: bool = _switch(
        False,
        "擒尊",
        _SETTLEMENT,
        phrase("zh"),
        phrase("JJ over a led KK collects the 賀尊 in place of the leader"),
    )
    kam: _Multiplier = _switch(
        2, "擒", _SETTLEMENT, phrase("ja; 4 in zh"), phrase("what a 擒 multiplies by; 1: there is no 擒")
    )
    kam_fours: bool = _switch(
        False, "", _SETTLEMENT, phrase("other tables"),
        phrase("a four led to the last trick and taken by a stronger four is a 擒"),
    )  # fmt: skip
    excess: Literal["special", "plain"] = _switch(
        "special", "入", _SETTLEMENT, phrase("ja"),
        phrase("plain: 入一 and 入二 carry banker, finish and kam multipliers for everyone"),
    )  # fmt: skip
    yao: _Multiplier = _switch(
        2, "幺結", _SETTLEMENT, phrase("ja"), phrase("finish multiplier of a led 3 that wins")
    )
    supreme_finish: _Multiplier = _switch(
        2, "包尊", _SETTLEMENT, phrase("ja"), phrase("finish multiplier of a supreme that wins")
    )
    four_finish: _Multiplier = _switch(
        4, "四大包", _SETTLEMENT, phrase("ja"), phrase("finish multiplier of a four that wins")
    )
    seven: _Multiplier = _switch(
        2, "七支", _SETTLEMENT, phrase("ja"),
        phrase("multiplier of a sweep won with a single tile that was not sure to win"),
    )  # fmt: skip
    eight: _Multiplier = _switch(
        4, "八支", _SETTLEMENT, phrase("ja"), phrase("multiplier of any other sweep")
    )
    sure_single: Literal["public", "actual"] = _switch(
        "public", "", _SETTLEMENT, phrase("decision"),
        phrase(
            "a single is sure by what has been shown (public), or by the others' real last "
            "tiles (actual)"
        ),
    )  # fmt: skip
    opening_ban: Literal["off", "no_eight", "no_sweep"] = _switch(
        "off", "", _SETTLEMENT, phrase("other tables"),
        phrase(
            "a banker that opens with an A, a 9 or supreme makes no 八支 (no_eight), or no "
            "sweep at all"
        ),
    )  # fmt: skip
    supreme_bonus: _Points = _switch(
        2, "賀尊", _SETTLEMENT, phrase("ja"), phrase("paid by each of the others for a supreme led")
    )
    four_bonus: _Points = _switch(
        4, "四大賀", _SETTLEMENT, phrase("ja"), phrase("paid by each of the others for a trick of fours")
    )
    bonus_on_last: bool = _switch(
        False, "", _SETTLEMENT, phrase("other tables"), phrase("bonuses are paid on the last trick too")
    )
    four_bonus_to: Literal["winner", "everyone", "leader", "winning_leader"] = _switch(
        "winner", "", _SETTLEMENT, phrase("other tables"),
        phrase("who collects 四大賀: the trick's winner, each seat that showed a four, the leader, "
        "or the leader if it won"),
    )  # fmt: skip
    banker: Literal["streak", "double", "off"] = _switch(
        "streak",
        "莊",
        _SETTLEMENT,
        phrase("ja"),
        phrase("banker multiplier: term + 1, always 2, or always 1"),
    )
    two_stacks: bool = _switch(
        True, "", _PLAY, phrase("ja"),
        phrase(
            "a seat without a stack plays its last tile face down; without the rule every "
            "sweep is an 八支"
        ),
    )  # fmt: skip
    empty: _Points = _switch(
        5, "空棟", _SETTLEMENT, phrase("ja"), phrase("what a seat without a stack pays")
    )
    first_banker_leads: bool = _switch(
        True, "頭牌", _SESSION, phrase("ja; zh leaves it open"),
        phrase("false: in a session's first hand the seat before the banker leads"),
    )  # fmt: skip
    hand_patterns: Annotated[tuple[HandPattern, ...], Field(strict=False), AfterValidator(_in_order)] = (
        _switch(
            (), "例牌", _PLAY, phrase("other tables"),
            phrase(
                "dealt hands that end the hand before the first lead, as a 七支 (one_red, "
                "seven_military, seven_civil) or an 八支 (no_red, eight_military, eight_civil, "
                "four_pairs)"
            ),
        )
    )  # fmt: skip
    heaven_red: Literal[6, 0] = _switch(
        6,
        "",
        _PLAY,
        phrase("decision"),
        phrase("red pips counted on each 6-6, for the patterns of red pips"),
    )

    @field_validator("heaven_red", mode="before")
    @classmethod
    def _whole_number(cls, value: object) -> object:
        if type(value) is not int:  # False and 0.0 equal 0
            raise ValueError("no whole number")
        return value

    def switches(self) -> Switches:
        """The rule set as the kernels read it.

        Examples
        --------
        >>> RuleSet(supreme_civil="on").switches().supreme_civil
        1
        """
        values = {name: _number(name, getattr(self, name)) for name in Switches._fields}
        return Switches(**values)

    def archived(self) -> dict[str, Any]:
        """What is saved of it."""
        return dict(self)

    @classmethod
    def unarchived(cls, **switches: Any) -> RuleSet:
        """The rules that were saved."""
        return cls(**switches)

    def to_json(self) -> dict[str, Any]:
        """Every switch as plain JSON values."""
        return {name: _plain(value) for name, value in self}


RULES = instance(RuleSet, "a RuleSet, such as load_rules gives")
_NUMBERS: dict[str, dict[Any, int]] = {
    "supreme_civil": {
        "off": numbers.SUPREME_OFF,
        "on": numbers.SUPREME_ON,
        "beaten_by_J": numbers.SUPREME_BEATEN_BY_J,
    },
    "excess": {"special": numbers.EXCESS_SPECIAL, "plain": numbers.EXCESS_PLAIN},
    "sure_single": {"public": numbers.SURE_PUBLIC, "actual": numbers.SURE_ACTUAL},
    "opening_ban": {
        "off": numbers.BAN_OFF,
        "no_eight": numbers.BAN_EIGHT,
        "no_sweep": numbers.BAN_SWEEP,
    },
    "four_bonus_to": {
        "winner": numbers.TO_WINNER,
        "everyone": numbers.TO_EVERYONE,
        "leader": numbers.TO_LEADER,
        "winning_leader": numbers.TO_WINNING_LEADER,
    },
    "banker": {
        "streak": numbers.BANKER_STREAK,
        "double": numbers.BANKER_DOUBLE,
        "off": numbers.BANKER_OFF,
    },
}
_PATTERN_BITS: dict[str, int] = {
    "one_red": numbers.ONE_RED,
    "seven_military": numbers.SEVEN_MILITARY,
    "seven_civil": numbers.SEVEN_CIVIL,
    "no_red": numbers.NO_RED,
    "eight_military": numbers.EIGHT_MILITARY,
    "eight_civil": numbers.EIGHT_CIVIL,
    "four_pairs": numbers.FOUR_PAIRS,
}


def _number(name: str, value: Any) -> int:
    if name == "hand_patterns":
        return sum(_PATTERN_BITS[pattern] for pattern in value)
    return _NUMBERS[name][value] if name in _NUMBERS else int(value)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


@functools.cache
def switch_list() -> tuple[SwitchInfo, ...]:
    """All switches, explained.

    Examples
    --------
    >>> [switch.chinese for switch in switch_list() if switch.name == "kam"]
    ['擒']
    """
    return tuple(_info(name) for name in RuleSet.model_fields)


def _info(name: str) -> SwitchInfo:
    field = RuleSet.model_fields[name]
    about: Any = field.json_schema_extra
    return SwitchInfo(
        name,
        about["chinese"],
        allowed_values(name),
        field.default,
        field.description or "",
        Changes(about["changes"]),
        about["source"],
    )


@functools.cache
def _schema() -> dict[str, Any]:
    properties: dict[str, Any] = RuleSet.model_json_schema()["properties"]
    return properties


def allowed_values(name: str) -> str | Phrase:
    """The values that a switch takes, as a phrase, the default first."""
    schema = _schema()[name]
    if name == "hand_patterns":
        return phrase("none, or any of {names}", names=", ".join(HAND_PATTERNS))
    if "enum" in schema:
        return ", ".join(json.dumps(value).strip('"') for value in schema["enum"])
    if schema["type"] == "boolean":
        return "true, false" if schema["default"] else "false, true"
    least, usual = schema["minimum"], schema["default"]
    return phrase(
        "{usual}, or any whole number from {least} to {most}", usual=usual, least=least, most=LARGEST
    )
