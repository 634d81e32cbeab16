"""The command line: a thin shell over ``gupai.analysis``.

A command's module is imported when the command is called, so that help and small commands are quick.
Exit status 0: done; 2: bad input, told in one message; 1: anything else.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ..analysis.errors import InputError
from .language import locale_language, speak
from .progress import note
from .streams import NARROWEST, forget, print_data, reader_has_gone, safe_streams
from .terminal import draw_tiles

if TYPE_CHECKING:
    from cyclopts import App
    from rich.console import Console

ABOUT = "Odds, strategy and house rules of Tien Gow 天九, by playing millions of hands."
GROUPS = {
    "Questions of play": {
        "odds": (
            "odds:odds",
            "Tell the chance of an event: exactly where it can be, by simulation where it must.",
        ),
        "hand": (
            "hand:hand",
            "Tell what a starting hand is worth in each seat and after each lead, and its rank.",
        ),
        "advise": (
            "advise:advise",
            "Price every play open to me, or go through a hand that was played.",
        ),
        "study": (
            "strategy:study",
            "Answer a player's question about good play, under your own rules, or list the questions.",
        ),
        "score": ("score:score", "Settle hands that were really played."),
    },
    "Whole tables": {
        "simulate": ("simulate:simulate", "Play hands and print the probability tables."),
        "show": (
            "saved:show",
            "Print the tables of a saved run again, or settle its hands by other rules.",
        ),
        "merge": (
            "saved:merge",
            "Put the parts of the same runs from several folders together in one.",
        ),
        "report": (
            "report:report",
            "Write the whole strategy report of a rule set: one HTML file that opens without a network.",
        ),
        "hand-table": (
            "hand_table:hand_table",
            "Play all 330,525 starting hands in every seat, and save the table as Parquet.",
        ),
    },
    "House rules": {
        "rules": (
            "rulebook:rules",
            "List presets and switches, or print one rule set as TOML to edit and pass back.",
        ),
        "compare": (
            "compare:compare",
            "Compare two rule sets on the same hands: every chance, every seat's points, paired.",
        ),
        "session": (
            "session:session",
            "Play many hands in a row, the banker 莊 passing and its multiplier growing.",
        ),
        "deals": (
            "deals:deals",
            "Compare the ways of taking tiles from the wall 牌頭 after washes of any strength.",
        ),
        "patterns": (
            "patterns:patterns",
            "Tell how often hand patterns 例牌 are dealt, exactly, and what each does to the stakes.",
        ),
    },
    "Policies": {
        "policies": (
            "strategy:policies",
            "List the policies and what they believe, or print one as TOML to edit and pass back.",
        ),
        "tournament": (
            "strategy:tournament",
            "Let policies play each other: every one against three of every other, from every seat.",
        ),
        "tune": (
            "strategy:tune",
            "Search for better weights of the heuristic family, and write them as a policy file.",
        ),
        "policy-check": (
            "strategy:policy_check",
            "Check that a policy keeps the rules: legal plays, the same again, no hidden knowledge.",
        ),
    },
    "This machine": {
        "bench": (
            "speeds:bench",
            "Measure hands per second here, beside a simple yardstick timed in the same minute.",
        ),
        "completion": (
            "manual:completion",
            "Print a script that completes commands and options in a shell.",
        ),
    },
}
"""By group, each command's function (its module, and its name without ``_command``) and what it does."""

_WAYS = """\
--lang en|ja|zh                 The language of tables and reports; else that of the locale.
--tiles codes|colour|dominoes   How a terminal shows tiles; else codes in the colour of the suit."""
_MORE = f"""\
{_WAYS}
--version                       The version of gupai.

gupai COMMAND --help explains a command. Bad input ends with status 2 and one sentence."""


def make_app() -> App:
    """All commands; their modules are imported when they are called."""
    from cyclopts import App

    from .manual import documented, examples_of, language_help

    ways = "".join(f"`{line}`  \n" for line in _WAYS.splitlines())
    app = App(
        name="gupai",
        help=ABOUT,
        help_format="markdown",
        version=_version,
        suppress_keyboard_interrupt=False,  # main tells the user
    )
    for commands in GROUPS.values():
        for name, (place, about) in commands.items():
            language = f"{language_help()}\n\n" if name == "odds" else ""
            function = f"gupai.reports.{place}_command"
            app.command(
                function if sys.flags.optimize < 2 else documented(function),
                name=name,
                help=about,
                help_epilogue=f"{language}{examples_of(name)}\n\n{ways}",
            )
    return app


def overview() -> str:
    """What ``gupai --help`` prints, made without the libraries that options need.

    Examples
    --------
    >>> overview().splitlines()[0]
    'Usage: gupai COMMAND [OPTIONS]'
    """
    import shutil
    import textwrap

    room = max(NARROWEST, min(100, shutil.get_terminal_size().columns))
    widest = max(len(name) for commands in GROUPS.values() for name in commands)
    lines = ["Usage: gupai COMMAND [OPTIONS]", "", ABOUT]
    for group, commands in GROUPS.items():
        lines += ["", group]
        for name, (_, about) in commands.items():
            margin = " " * (widest + 4)
            folded = textwrap.fill(
                about, room, initial_indent=f"  {name:{widest}}  ", subsequent_indent=margin
            )
            lines.append(folded)
    return "\n".join([*lines, "", _MORE])


def _version() -> str:
    from importlib.metadata import version

    return version("gupai")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    command = f"gupai {words[0]}" if words and not words[0].startswith("-") else "gupai"
    with safe_streams():
        try:
            words = _take_ways(words)
            if words in ([], ["--help"], ["-h"]):
                print(overview())
                status = 0
            else:
                status = _call(words)
            sys.stdout.flush()
        except InputError as error:
            note(f"{command}: {error}")
            return 2
        except OSError as error:
            if reader_has_gone(error):
                status = 0
            else:
                where = f"{error.filename}: " if error.filename else ""
                note(f"{command}: cannot write the output ({where}{error.strerror})")
                status = 1
            forget(sys.stdout)
        except KeyboardInterrupt:
            note(f"{command}: interrupted")
            return 1
    return status


def _call(words: list[str]) -> int:
    """Run a command with its options; returns the exit status."""
    from cyclopts import CycloptsError

    app = make_app()
    try:
        command, bound, _ = app.parse_args(words, exit_on_error=False, print_error=False)
        if not command.__module__.startswith(f"{__package__}."):  # help, or the version
            status = app(words, console=_console(), exit_on_error=False, print_error=False,
                         result_action="return_value")  # fmt: skip
        else:
            if bound.arguments.get("format", "table") != "table":
                print_data()
            status = command(*bound.args, **bound.kwargs)
    except CycloptsError as error:
        raise InputError(" ".join(str(error).split())) from None
    return status if isinstance(status, int) else 0


def _console() -> Console:
    """Where help is printed; a reader who leaves is met as everywhere else."""
    from rich.console import Console

    class Piped(Console):
        def on_broken_pipe(self) -> None:
            raise

    console = Piped()
    console.width = max(console.width, NARROWEST)  # rich never ends in a column or two
    return console


def _take_ways(words: list[str]) -> list[str]:
    """Take ``--lang`` and ``--tiles`` out of a command line, wherever they stand, and heed them."""
    left: list[str] = []
    named: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        if option in ("--lang", "--tiles"):
            named[option] = value if equals else next(rest, "")
        else:
            left.append(word)
    speak(named.get("--lang", locale_language()))
    draw_tiles(named.get("--tiles"))
    return left


if __name__ == "__main__":
    sys.exit(main())
