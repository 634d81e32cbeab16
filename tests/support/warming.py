"""Compiles the kernels before all tests are run: with a cold cache each worker would compile them.

Two processes go through one list of commands, one from each end, until they meet.  Kernels share
helpers, which a process compiles once; so the loops over lanes stand at one end, and those that seat
any policy at the other.  A kernel that is not reached here is compiled by the first test that needs it.
"""

from __future__ import annotations

import contextlib
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

POSITION = """'{"banker": 0, "hands": ["AC99GJK3", null, null, null], "tricks": []}'"""
COMMANDS = (
    "simulate --policy random --hands 10",
    "simulate --policy greedy --hands 10",
    "simulate --policy random,greedy,greedy,greedy --hands 10",
    "hand AC99GJK3 --hands 20",
    "session --hands 8 --sessions 20 --policy random",
    "session --hands 8 --sessions 20 --policy greedy",
    "session --hands 8 --sessions 20 --policy random,greedy,greedy,greedy",
    "session --hands 8 --sessions 20 --shuffle wash:1",
    "hand-table table --hands 1000 --fewest 0",
    "session --hands 8 --sessions 20 --policy tuned",
    "policy-check greedy --positions 20",
    "simulate --policy greedy --show 1",
    f"advise {POSITION} --worlds 10",
    "simulate --policy rollout:4,tuned,tuned,tuned --hands 2",
    "simulate --policy tuned --hands 10",
)


def warm_up() -> bool:
    """Run every command once; returns whether all went well."""
    with tempfile.TemporaryDirectory() as folder:
        processes = [
            subprocess.Popen(
                [sys.executable, __file__, end],
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for end in ("first", "last")
        ]
        statuses = [process.wait() for process in processes]
    return not any(statuses)


def run_from(end: str) -> bool:
    """Run the commands from one end of the list that the other process has not taken."""
    from gupai.reports.cli import main

    failed = False
    for number in range(len(COMMANDS)) if end == "first" else reversed(range(len(COMMANDS))):
        with contextlib.suppress(FileExistsError):
            Path(f"taken-{number}").touch(exist_ok=False)
            failed |= main(shlex.split(COMMANDS[number])) != 0
    return failed


if __name__ == "__main__":
    sys.exit(run_from(sys.argv[1]))
