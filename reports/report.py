"""``gupai report``: the whole strategy report, one file."""

from __future__ import annotations

import hashlib
import json
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from ..analysis.errors import InputError
from ..analysis.phrases import phrase
from ..analysis.tiengow.defaults import DEFAULT_POLICY, YARDSTICKS
from .language import noted, say, spoken
from .options import Rules, Settings, Whole, policy_name, read_settings
from .progress import announce_compiling, note

if TYPE_CHECKING:
    from .report_run import ReportRun

REPORT_VERSION = 5  # to be raised whenever a section says something else for the same request
_SECTION, _OLDER = "section of a report", frozenset(("identity", "section"))
_SIZES = {"quick": phrase("quick"), "usual": phrase("usual"), "full": phrase("full")}
_FOLDERS = {".": "report.html", "parts": "*.json", "tables": "*.csv", "figures": "*.*g"}  # svg, png
_POLICIES = (DEFAULT_POLICY, *YARDSTICKS[::-1])


def report_command(
    *,
    out: Annotated[Path, Parameter(name="--out")] = Path("gupai-report"),
    rules: Rules = "tiengow-ja",
    settings: Settings = (),
    policy: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    quick: Annotated[bool, Parameter(negative="")] = False,
    full: Annotated[bool, Parameter(negative="")] = False,
    seed: Whole = 1,
) -> int:
    """Write the whole strategy report of a rule set: one HTML file that opens without a network.

    Beside report.html stand all tables as CSV and all figures as SVG and PNG.  Sections that are
    finished are kept in the folder; the same command given again goes on from there.

    Parameters
    ----------
    out
        The folder to write to.
    rules
        A preset (see `gupai rules`) or a file that ends in .toml.
    settings
        A switch to change, SWITCH=VALUE; may be repeated.
    policy
        A policy to compare; may be repeated; tuned, greedy and random by default. Wherever one
        table is asked for, tuned sits in all seats; where it is not listed, the first.
    quick
        Fewer hands: seconds once the kernels are compiled.
    full
        More hands: ten minutes or so (a policy that looks ahead takes longer).
    seed
        Same seed, same report.
    """
    from ..analysis import load_rules
    from ..analysis.files import clear_leftovers, make_folder
    from .page import render, write_beside
    from .report_run import ReportRun
    from .sections import SECTIONS

    if quick and full:
        raise InputError("--quick and --full: choose one")
    rule_set = load_rules(rules, read_settings(settings))
    size = "quick" if quick else ("full" if full else "usual")
    run = ReportRun(
        rules=rule_set, policies=tuple(policy_name(name) for name in policy) or _POLICIES, size=size,
        seed=seed,
    )  # fmt: skip
    for folder, like in _FOLDERS.items():
        make_folder(out / folder)
        clear_leftovers(out / folder, like)
    announce_compiling()
    started = time.perf_counter()
    sections = []
    for number, (name, ask) in enumerate(SECTIONS.items(), 1):
        path, wanted = out / "parts" / f"{name}.json", identity(run, name)
        section = _kept(path, wanted)
        if section is None:
            note(f"{number} of {len(SECTIONS)}: {name} …")
            section = ask(run) | {"name": name}
            _keep(path, wanted, section)
        sections.append(section)
    page = render(sections, title=_title(run), subtitle=_subtitle(run), provenance=_provenance(run))
    _write(out / "report.html", page)
    write_beside(out, sections)
    size = f"{len(page) / 1e6:.1f}"
    file = out / "report.html"
    print(say("{file}: {n} sections, {size} MB", file=file, n=len(sections), size=size))
    note(f"{time.perf_counter() - started:.1f} s")
    return 0


def identity(run: ReportRun, name: str) -> str:
    """A hash of everything that a section depends on."""
    from importlib.metadata import version

    from ..analysis import find_policy
    from ..kernels._jit import source_hash

    request = {
        "report": REPORT_VERSION,
        "version": version("gupai"),
        "kernels": source_hash(),
        "rules": run.rules.to_json(),
        "policies": [[policy, find_policy(policy, run.rules).digest()] for policy in run.policies],
        "size": run.size,
        "seed": run.seed,
        "section": name,
        "language": spoken(),
    }
    return hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()[:16]


def _kept(path: Path, wanted: str) -> dict[str, Any] | None:
    """A finished section of this very request, or None."""
    import os

    from ..analysis.sealed import read_json
    from .page import file_name

    if not os.path.lexists(path):
        return None
    kept = read_json(path, _SECTION, cure="delete it", older=_OLDER)
    try:
        if kept["identity"] != wanted:
            return None
        section: dict[str, Any] = kept["section"]
        for each in (*section["tables"], *section["figures"]):
            file_name(each["name"])
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: is no part of a report ({error}); delete it") from None
    return section


def _keep(path: Path, wanted: str, section: dict[str, Any]) -> None:
    from ..analysis.sealed import write_json

    write_json(path, _SECTION, {"identity": wanted, "section": section})


def _write(path: Path, text: str) -> None:
    from ..analysis.files import replacing

    with replacing(path) as beside:
        beside.write_text(text, encoding="utf-8")


def _title(run: ReportRun) -> str:
    from ..analysis import rules_words

    preset, *changed = rules_words(run.rules)
    return say("Tien Gow 天九 under {rules}", rules="; ".join([preset, *changed]))


def _subtitle(run: ReportRun) -> str:
    from ..analysis.tiengow.family_presets import tuned_note

    asked = say(
        "Odds, strategy and house rules from played hands; policies {policies}; seed {seed}; size "
        "{size}.",
        policies=", ".join(run.policies), seed=run.seed, size=_SIZES[run.size],
    )  # fmt: skip
    return " ".join([asked, *noted(tuned_note(run.policies, run.rules))])


def _provenance(run: ReportRun) -> dict[str, str]:
    from importlib.metadata import version

    from ..analysis import rules_words

    preset, *changed = rules_words(run.rules, option="--set ")
    words = [
        "gupai report",
        f"--rules {preset}",
        *changed,
        *(f"--policy {shlex.quote(p)}" for p in run.policies),
    ]
    words += [f"--{run.size}"] if run.size != "usual" else []
    words += [f"--lang {spoken()}"]
    return {
        "version": version("gupai"),
        "rules": json.dumps(run.rules.to_json(), ensure_ascii=False),
        "policies": ", ".join(run.policies),
        "seed": str(run.seed),
        "fingerprint": identity(run, "report"),
        "command": " ".join([*words, f"--seed {run.seed}"]),
    }
