"""``gupai rules``: presets and switches, listed and explained."""

from __future__ import annotations

import json
import shutil

from ..analysis.errors import InputError
from ..analysis.tiengow.presets import PRESETS, Preset, load_rules, rules_toml
from ..analysis.tiengow.rules import RuleSet, SwitchInfo, switch_list
from .grid import Grid, width
from .options import Format, Settings, read_settings

_HINTS = """\
Print a rule set to edit:      gupai rules tiengow-ja > mine.toml
Use it, or change one switch:  gupai simulate --rules mine.toml --set kam=4
"""


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
            print(rules_toml(rule_set), end="")
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
    lines = ["Rule sets", ""]
    for name, preset in PRESETS.items():
        lines += [f"  {name}", *_folded(f"{preset.source}.{_differences(preset)}", room)]
    lines += ["", "Switches (default first)", ""]
    for switch in switch_list():
        lines.append(f"  {_title(switch)} = {switch.values}")
        about = f"{switch.meaning}. Changes {switch.changes.value}. Source: {switch.source}."
        lines += _folded(about, room)
    return "\n".join([*lines, "", _HINTS])


def rulebook_markdown() -> str:
    """The same as two Markdown tables."""
    presets = Grid(["rule set", "differs from tiengow-ja in", "source"])
    for name, preset in PRESETS.items():
        presets.row(name, [_differences(preset).strip() or "–", preset.source])
    switches = Grid(["switch", "values (default first)", "changes", "source", "meaning"])
    for switch in switch_list():
        cells = [switch.values, switch.changes.value, switch.source, switch.meaning]
        switches.row(_title(switch), cells)
    return f"{presets.markdown()}\n\n{switches.markdown()}\n"


def _title(switch: SwitchInfo) -> str:
    return f"{switch.name} {switch.chinese}".strip()


def _differences(preset: Preset) -> str:
    changed = [
        f"{name}={json.dumps(value).strip(chr(34))}"
        for name, value in preset.rules
        if value != getattr(RuleSet(), name)
    ]
    return f" Sets {', '.join(changed)}." if changed else ""


def _folded(text: str, room: int) -> list[str]:
    indent = "      "
    lines = [indent]
    for word in text.split(" "):
        joined = f"{lines[-1]}{word} "
        if lines[-1] != indent and width(joined) > room:
            lines.append(f"{indent}{word} ")
        else:
            lines[-1] = joined
    return [line.rstrip() for line in lines]
