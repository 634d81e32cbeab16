"""Presets and switches, listed and explained."""

from __future__ import annotations

import json

from ..analysis.tiengow.rules import PRESETS, RuleSet, switch_list
from .grid import Grid


def rules_grids() -> list[Grid]:
    """The presets, then the switches."""
    presets = Grid(["rule set", "differs from tiengow-ja in", "source"], left=True)
    for name, preset in PRESETS.items():
        changed = [
            f"{switch}={_written(value)}"
            for switch, value in preset.rules
            if value != getattr(RuleSet(), switch)
        ]
        presets.row(name, [" ".join(changed) or "–", preset.source])
    switches = Grid(["switch", "", "values (default first)", "changes", "source", "meaning"], left=True)
    for switch in switch_list():
        switches.row(
            switch.name,
            [switch.chinese, switch.values, switch.changes.value, switch.source, switch.meaning],
        )
    switches.notes += [
        "Print a rule set to edit:       gupai rules tiengow-ja > mine.toml",
        "Use it, or change one switch:   gupai simulate --rules mine.toml --set kam=4",
        "Switches that change settlement alone can be applied to hands already played.",
    ]
    return [presets, switches]


def _written(value: object) -> str:
    return json.dumps(value).strip('"')
