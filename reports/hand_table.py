"""``gupai hand-table``: what all starting hands are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..analysis.runs import Progress
from ..analysis.tiengow.defaults import DEFAULT_POLICY
from .language import noted
from .numbers import parse_hands
from .options import Rules, Settings, Whole, four_policies, read_settings
from .progress import announce_compiling, note, progress_line


def hand_table_command(
    folder: str,
    *,
    rules: Rules = "tiengow-ja",
    settings: Settings = (),
    policy: str = DEFAULT_POLICY,
    hands: str = "1e9",
    fewest: Whole = 1000,
    term: Whole = 1,
    seed: Whole = 1,
    threads: Whole | None = None,
    compact: Path | None = None,
) -> int:
    """Play all 330,525 starting hands in every seat, and save the table as Parquet.

    An interrupted run goes on where it stopped when the same command is given again.

    Parameters
    ----------
    folder
        Receives hands.parquet, and the sums as the run goes.
    rules
        A preset (see `gupai rules`) or a file that ends in .toml.
    settings
        A switch to change, SWITCH=VALUE; may be repeated.
    policy
        One policy for all seats, or four: banker,right,across,left.
    hands
        Deals; each informs four starting hands.
    fewest
        Deals to expect of each hand in each seat; rare hands are dealt by themselves.
    term
        The banker's term 連莊.
    seed
        Same seed, same hands.
    threads
        Threads to play on; all processors by default.
    compact
        Write the compact form of the table to this file as well.
    """
    from ..analysis import HandTableRun, Run, load_rules, make_hand_table, write_compact
    from ..analysis.tiengow.family_presets import tuned_note
    from ..analysis.tiengow.shipped_hands import check_compact

    run: Run = Run(
        rules=load_rules(rules, read_settings(settings)), policies=four_policies(policy),
        hands=parse_hands(hands), term=term, seed=seed,
    )  # fmt: skip
    request = HandTableRun(run=run, fewest=fewest)
    if compact is not None:
        check_compact(compact)
    announce_compiling()
    with progress_line("hand-table") as line:

        def progress(_step: str, done: Progress) -> None:
            line(done)

        table = make_hand_table(request, folder, threads=threads, progress=progress)
    if table is None:
        note("interrupted: give the same command again to go on")
        return 1
    for told in noted(tuned_note(run.policies, run.rules)):
        note(told)
    print(table)
    if compact is not None:
        error: dict[str, Any] = write_compact(table, compact)
        print(f"{compact}: " + ", ".join(f"{name} {value:g}" for name, value in error.items()))
    return 0
