"""``gupai rules``: presets and switches, listed and explained."""

from __future__ import annotations

import json
import re
import shutil

from ..analysis.errors import InputError
from ..analysis.phrases import phrase
from ..analysis.tiengow.presets import PRESETS, Preset, load_rules, rules_toml
from ..analysis.tiengow.rules import CHANGES, Changes, RuleSet, SwitchInfo, switch_list
from .grid import Grid, width
from .language import said, say, spoken
from .options import Format, Settings, read_settings
from .streams import print_data

_HINTS = {
    phrase("Print a rule set to edit:"): "gupai rules tiengow-ja > mine.toml",
    phrase("Use it, or change one switch:"): "gupai simulate --rules mine.toml --set kam=4",
}
# Japanese and Chinese break anywhere, but not after an opening sign nor before a closing one.
_CLOSING = "、。，；：）」・～"
_PIECE = rf"[（「]*(?:[!-~]+|[^!-~ ])[{_CLOSING}]* ?"
_CHANGED = {
    Changes.PLAY: phrase("play"),
    Changes.SETTLEMENT: phrase("settlement"),
    Changes.SESSION: phrase("session"),
}


def rules_command(
    name: str | None = None,
    *,
    settings: Settings = (),
    format: Format = "table",
) -> int:
    """List presets and switches, or print one rule set as TOML to edit and pass back.

    Parameters
    ----------
    name
        A preset or a file that ends in .toml.
    settings
        A switch to change, SWITCH=VALUE; may be repeated.
    format
        How to print; json prints the values of all switches.
    """
    if name is not None or settings:
        rule_set = load_rules("tiengow-ja" if name is None else name, read_settings(settings))
        if format in ("csv", "markdown"):
            raise InputError(f"--format {format}: a rule set is printed as TOML (table) or json")
        if format == "json":
            print(json.dumps(rule_set.to_json(), ensure_ascii=False))
        else:
            print_data()
            print(rules_toml(rule_set, say=said), end="")
        return 0
    if format == "csv":
        raise InputError("--format csv: rules are printed as table, markdown or json")
    if format == "json":
        print(json.dumps({name: preset.rules.to_json() for name, preset in PRESETS.items()}))
        return 0
    print(rulebook_markdown() if format == "markdown" else rulebook_text(), end="")
    return 0


def rulebook_text() -> str:
    """The presets, then the switches, for a terminal."""
    room = min(100, shutil.get_terminal_size((100, 24)).columns)
    lines = [say("Rule sets"), ""]
    for name, preset in PRESETS.items():
        about = say("{source}.", source=preset.source)
        if sets := _sets(preset):
            about = say("{first} {second}", first=about, second=sets)
        lines += [f"  {name}", *_folded(about, room)]
    lines += ["", say("Switches (default first)"), ""]
    for switch in switch_list():
        lines.append(f"  {_title(switch)} = {said(switch.values)}")
        about = say(
            "{meaning}. {changes} Source: {source}.",
            meaning=switch.meaning,
            changes=CHANGES[switch.changes],
            source=switch.source,
        )
        lines += _folded(about, room)
    widest = max(width(say(hint)) for hint in _HINTS) + 2
    lines.append("")
    for hint, command in _HINTS.items():
        lines.append(say(hint) + " " * (widest - width(say(hint))) + command)
    return "\n".join([*lines, ""])


def rulebook_markdown() -> str:
    """The same as two Markdown tables."""
    presets = Grid([say("rule set"), say("differs from tiengow-ja in"), say("source")])
    for name, preset in PRESETS.items():
        presets.row(name, [_sets(preset) or "–", said(preset.source)])
    head = [say("switch"), say("values (default first)"), say("changes"), say("source")]
    switches = Grid([*head, say("meaning")])
    for switch in switch_list():
        words = switch.values, _CHANGED[switch.changes], switch.source, switch.meaning
        switches.row(_title(switch), [said(text) for text in words])
    return f"{presets.markdown()}\n\n{switches.markdown()}\n"


def _title(switch: SwitchInfo) -> str:
    return f"{switch.name} {switch.chinese}".strip()


def _differences(preset: Preset) -> str:
    changed = [
        f"{name}={json.dumps(value).strip(chr(34))}"
        for name, value in preset.rules
        if value != getattr(RuleSet(), name)
    ]
    return ", ".join(changed)


def _sets(preset: Preset) -> str:
    changed = _differences(preset)
    return say("Sets {switches}.", switches=changed) if changed else ""


def _folded(text: str, room: int) -> list[str]:
    indent = "      "
    lines = [indent]
    for word in re.findall(r"[^ ]+ ?" if spoken() == "en" else _PIECE, text):
        joined = f"{lines[-1]}{word}"
        if lines[-1] != indent and width(joined.rstrip()) >= room:
            lines.append(f"{indent}{word}")
        else:
            lines[-1] = joined
    return [line.rstrip() for line in lines]
