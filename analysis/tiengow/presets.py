"""Presets, and rule sets made from them: switches changed, TOML files read and written.

Source: the section "Switches" of the rules.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from ..checks import checked, instance, optional, text
from ..errors import InputError, no_such, shown
from ..files import read_toml
from ..phrases import phrase
from .rules import CHANGES, RULES, RuleSet, allowed_values, switch_list

LARGEST_FILE = 20_000  # bytes of a rules file; one with every switch explained takes 5,000


class RulesError(InputError):
    """A rule set, switch or value that does not exist."""


def setting_text(value: Any) -> str:
    """A switch's JSON value as it is written after ``--set SWITCH=``.

    Examples
    --------
    >>> setting_text(["no_red", "one_red"]), setting_text([]), setting_text(True)
    ('no_red,one_red', 'none', 'true')
    """
    if isinstance(value, list):
        return ",".join(value) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


class Preset(NamedTuple):
    """A named rule set with its source."""

    rules: RuleSet
    source: str


PRESETS: dict[str, Preset] = {
    "tiengow-ja": Preset(RuleSet(), phrase("the Japanese rules page; all defaults")),
    "tiengow-ja-wenzun": Preset(
        RuleSet(supreme_civil="on", last_low_civil=True),
        phrase("the Japanese rules page with 文尊: KK counts as supreme"),
    ),
    "tiengow-zh": Preset(
        RuleSet(
            supreme_civil="beaten_by_J",
            last_low_civil=True,
            kam_supreme_civil=True,
            capture_bonus=True,
            kam=4,
        ),
        phrase("the Chinese rules page; what it leaves open stands as in tiengow-ja"),
    ),
}


@checked(rules=RULES)
def nearest_preset(rules: RuleSet) -> tuple[str, dict[str, Any]]:
    """The preset that differs in the fewest switches, and those switches as JSON values.

    Examples
    --------
    >>> nearest_preset(RuleSet(kam=4))
    ('tiengow-ja', {'kam': 4})
    """
    values = rules.to_json()
    differences = {
        name: {s: v for s, v in values.items() if v != preset.rules.to_json()[s]}
        for name, preset in PRESETS.items()
    }
    return min(differences.items(), key=lambda item: len(item[1]))


@checked(rules=RULES)
def rules_toml(rules: RuleSet, *, say: Callable[[object], str] = str) -> str:
    """A rule set as a commented TOML file that `load_rules` reads back.

    Parameters
    ----------
    rules : RuleSet
    say : callable, optional
        Says the comments, which are phrases, in another language.

    Examples
    --------
    >>> print(rules_toml(RuleSet()).splitlines()[0])
    preset = "tiengow-ja"  # what is not named below stands as it is there
    """
    preset, _ = nearest_preset(rules)
    values = rules.to_json()
    below = phrase("what is not named below stands as it is there")
    lines = [f'preset = "{preset}"  # {say(below)}', ""]
    for switch in switch_list():
        name = f"{switch.chinese} " if switch.chinese else ""
        about = phrase(
            "{meaning}. Values: {values}. {changes}",
            meaning=switch.meaning, values=switch.values, changes=CHANGES[switch.changes],
        )  # fmt: skip
        lines.append(f"# {name}{say(about)}")
        lines.append(f"{switch.name} = {json.dumps(values[switch.name])}")
    return "\n".join(lines) + "\n"


SWITCHES = instance(Mapping, "a mapping of switches to values")


@checked(switches=SWITCHES)
def make_rules(
    switches: Mapping[str, Any], *, preset: str = "tiengow-ja", where: str = "rules"
) -> RuleSet:
    """A preset with some switches changed.

    Parameters
    ----------
    switches : mapping
        Switch name to value.
    preset : str
        The rule set to start from.
    where : str
        What to name in an error message.

    Raises
    ------
    RulesError
        Naming every switch or value that is wrong, and what is allowed.

    Examples
    --------
    >>> make_rules({"kam": 4}).kam
    4
    """
    base = find_preset(preset, where=where).rules
    given = dict(switches)
    patterns = given.get("hand_patterns")
    if isinstance(patterns, str):
        names = [name.strip() for name in patterns.split(",")]
        given["hand_patterns"] = () if names == ["none"] else tuple(names)
    elif isinstance(patterns, list):
        given["hand_patterns"] = tuple(patterns)
    try:
        return RuleSet.model_validate(base.model_dump() | given)
    except ValidationError as error:
        problems = list(dict.fromkeys(_explain(problem, given) for problem in error.errors()))
        if len(problems) == 1:
            raise RulesError(f"{where}: {problems[0]}") from None
        raise RulesError(f"{where}: {len(problems)} faults\n  " + "\n  ".join(problems)) from None


def _explain(problem: Any, given: Mapping[str, Any]) -> str:
    name = str(problem["loc"][0]) if problem["loc"] else "a name that is no text"
    if problem["type"] == "extra_forbidden" or name not in RuleSet.model_fields:
        return no_such(name, "switch", RuleSet.model_fields, see="gupai rules")
    value = given.get(name)
    near = (
        difflib.get_close_matches(value, allowed_values(name).split(", "), 1)
        if isinstance(value, str)
        else []
    )
    hint = f" Did you mean {near[0]}?" if near else ""
    return f"{name} = {shown(value)}: no such value.{hint} Allowed: {allowed_values(name)}"


def find_preset(name: str, *, where: str = "rules") -> Preset:
    """The preset of that name.

    Raises
    ------
    RulesError
        If there is none.
    """
    if not isinstance(name, str) or name not in PRESETS:
        named = name if isinstance(name, str) else shown(name)
        file = " A file of rules ends in .toml."
        raise RulesError(f"{where}: " + no_such(named, "rule set", PRESETS) + "." + file)
    return PRESETS[name]


@checked(text=text)
def parse_setting(text: str) -> tuple[str, Any]:
    """Read ``SWITCH=VALUE`` as it is written on the command line.

    Examples
    --------
    >>> parse_setting("kam=4"), parse_setting("two_stacks=false")
    (('kam', 4), ('two_stacks', False))
    """
    name, equals, written = (part.strip() for part in text.partition("="))
    if not equals or not name or not written:
        raise RulesError(f"--set {text}: write SWITCH=VALUE, such as --set kam=4")
    lowered = written.lower()
    if lowered in ("true", "false"):
        return name, lowered == "true"
    if re.fullmatch(r"-?[0-9]{1,18}", written):
        return name, int(written)
    return name, written


@checked(name=text, settings=optional(SWITCHES))
def load_rules(name: str, settings: Mapping[str, Any] | None = None) -> RuleSet:
    """The rule set that ``--rules`` names: a preset or a TOML file, with switches changed.

    Parameters
    ----------
    name : str
        A preset, or the path of a file that ends in ``.toml``.
    settings : mapping, optional
        Switches that stand above it.

    Raises
    ------
    RulesError
        If there is no such rule set, or the file cannot be read, or any value is wrong.

    Examples
    --------
    >>> load_rules("tiengow-zh", {"empty": 4}).kam
    4
    """
    settings = settings or {}
    if not name.lower().endswith(".toml"):
        find_preset(name)
        return make_rules(settings, preset=name, where="--set")
    try:
        switches = read_toml(name, LARGEST_FILE, "rules file")
    except InputError as error:
        raise RulesError(str(error)) from None
    preset = switches.pop("preset", "tiengow-ja")
    rules = make_rules(switches, preset=preset, where=name)
    return make_rules(rules.model_dump() | dict(settings), where="--set")


@checked(rules=RULES)
def rules_words(rules: RuleSet, *, option: str = "") -> list[str]:
    """The nearest preset and what differs from it, SWITCH=VALUE each, with an option before each.

    Examples
    --------
    >>> rules_words(RuleSet(kam=4), option="--set ")
    ['tiengow-ja', '--set kam=4']
    """
    preset, changed = nearest_preset(rules)
    return [preset, *(f"{option}{name}={setting_text(value)}" for name, value in changed.items())]
