"""gupai.analysis: what a question about a tile game means, and its answer.

The public calls stand here by name; each is loaded when it is first used, so that importing
this package costs nothing.

Examples
--------
>>> from gupai.analysis import read_record, score_record, simulate, Run
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

_HOMES = {
    "errors": ("InputError",),
    "estimates": ("ChiSquare", "Mean", "Proportion", "homogeneity", "mean_of", "proportion"),
    "runs": ("Progress",),
    "tiengow.bench": ("bench",),
    "tiengow.notation": ("TileError", "chinese_of", "codes_of", "parse_tiles", "pips_of"),
    "tiengow.records": ("Record", "RecordError", "Score", "read_record", "score_record"),
    "tiengow.rules": (
        "PRESETS", "RuleSet", "RulesError", "load_rules", "make_rules", "parse_setting", "switch_list",
    ),
    "tiengow.simulate": ("DEALS", "SEATS", "Run", "Tally", "simulate"),
    "tiengow.show": ("ShownHand", "show_hand"),
    "tiengow.tables": ("Tables", "compare_deals", "outcomes"),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME_OF)  # noqa: PLE0605

if TYPE_CHECKING:
    from .errors import InputError
    from .estimates import ChiSquare, Mean, Proportion, homogeneity, mean_of, proportion
    from .runs import Progress
    from .tiengow.bench import bench
    from .tiengow.notation import TileError, chinese_of, codes_of, parse_tiles, pips_of
    from .tiengow.records import Record, RecordError, Score, read_record, score_record
    from .tiengow.rules import (
        PRESETS,
        RuleSet,
        RulesError,
        load_rules,
        make_rules,
        parse_setting,
        switch_list,
    )
    from .tiengow.show import ShownHand, show_hand
    from .tiengow.simulate import DEALS, SEATS, Run, Tally, simulate
    from .tiengow.tables import Tables, compare_deals, outcomes


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOME_OF[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
