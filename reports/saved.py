"""``gupai show`` and ``gupai merge``: runs that were saved by ``gupai simulate --out``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from ..analysis.errors import InputError
from ..analysis.phrases import listed, phrase
from .language import say
from .options import Folder, Format, Settings, read_settings
from .progress import note

if TYPE_CHECKING:
    from ..analysis import RuleSet, Run


def show_command(
    folder: Folder,
    *,
    settings: Settings = (),
    format: Format = "table",
) -> int:
    """Print the tables of a saved run again, or settle its hands by other rules.

    Parameters
    ----------
    folder
        As given to `gupai simulate --out`.
    settings
        A switch to change, SWITCH=VALUE; may be repeated; those that change play are refused.
    format
        How to print.
    """
    from ..analysis import Tables, saved_runs
    from .simulate import print_tables

    switches = read_settings(settings)
    tables = []
    problems: list[InputError] = []
    for saved in saved_runs(folder, problems):
        rules = _changed(saved.run, switches) if switches else None
        tables.append(Tables(saved.tally(), rules=rules))
        if saved.shown_only:
            note(saved.shown_only)
    print_tables(tables, format)
    for problem in problems:
        note(f"gupai show: {problem}")
    return 2 if problems else 0


def _changed(run: Run, switches: dict[str, Any]) -> RuleSet:
    """The rules of a run with switches changed, where the same policies play under them."""
    from ..analysis import find_policy, make_rules
    from ..analysis.tiengow.policies import is_a_file

    rules = make_rules(run.rules.to_json() | switches, where="--set")
    for name in run.policies:  # a file's own policy is the same under all rules
        if is_a_file(name):
            continue
        here, there = (find_policy(str(name), either).digest() for either in (run.rules, rules))
        if here != there:
            raise InputError(
                f"--set: {name} plays otherwise under these rules, so that its hands must be played "
                "again with gupai simulate"
            )
    return rules


def merge_command(
    folders: Annotated[tuple[Folder, ...], Parameter(negative="", json_list=False)],
    *,
    out: Folder,
) -> int:
    """Put the parts of the same runs from several folders together in one.

    Parameters
    ----------
    folders
        Folders as given to `gupai simulate --out`.
    out
        The folder to write to; it may be one of them.
    """
    from ..analysis import merge_runs

    if not folders:
        raise InputError("name the folders to put together")
    for saved in merge_runs(folders, out):
        held = [
            phrase("{low} to {high}", low=f"{first:,}", high=f"{end - 1:,}")
            for first, end in saved.ranges()
        ]
        policies = "/".join(dict.fromkeys(saved.run.policies))
        merged = say(
            "{folder}: {policies}, hands {ranges}",
            folder=saved.folder,
            policies=policies,
            ranges=listed(held),
        )
        print(merged)
    return 0
