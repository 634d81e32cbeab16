"""Examples of every command, as its help prints them, and shell completion."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, get_args

from ..analysis.errors import InputError
from .streams import print_data

EXAMPLES = {
    "odds": (
        ("Somebody is dealt supreme 至尊", "gupai odds 'anyone has 63'"),
        ("The banker wins with a four of heaven", "gupai odds 'banker wins' --given 'banker has AA99'"),
        ("To a thousandth", "gupai odds 'banker wins' --precision 0.001"),
    ),
    "hand": (
        ("A hand in every seat, and each lead", "gupai hand AA99BK63"),
        ("Under other rules", "gupai hand AA99BK63 --rules tiengow-zh --hands 20k"),
        ("The ten best of all 330,525", "gupai hand --best 10"),
    ),
    "advise": (
        (
            "What to lead as banker",
            """gupai advise '{"banker": 0, "hands": ["AC99GJK3", null, null, null], "tricks": []}'""",
        ),
        ("Go through a hand of mine", "gupai advise --record hand.json --seat 2"),
    ),
    "study": (
        ("The questions", "gupai study"),
        ("Lead supreme now, or keep it for 包尊?", "gupai study supreme-now --deals 2000"),
    ),
    "score": (
        ("Settle the hands of a file", "gupai score evening.jsonl"),
        ("Under the rules of another table", "gupai score evening.jsonl --rules tiengow-zh"),
    ),
    "simulate": (
        ("A million hands of each yardstick and of good players", "gupai simulate"),
        ("By what the banker holds", "gupai simulate --policy tuned --by fours --hands 200k"),
        ("Keep the run to go on with it", "gupai simulate --policy greedy --hands 10M --out run"),
        ("Four processes", "gupai simulate --policy tuned --hands 100k --cluster local:4"),
        ("Hand 17 of a run, trick by trick", "gupai simulate --policy greedy --show 17"),
    ),
    "show": (
        ("The tables of a saved run", "gupai show run"),
        ("Its hands settled with 擒 at ×4", "gupai show run --set kam=4"),
    ),
    "merge": (("Two machines' halves of a run", "gupai merge one two --out whole"),),
    "report": (
        ("In seconds", "gupai report --quick --out my-report"),
        ("Under other rules", "gupai report --rules tiengow-zh --policy tuned --policy random"),
    ),
    "hand-table": (("All hands, with few deals", "gupai hand-table hands --hands 1e7 --fewest 0"),),
    "rules": (
        ("Presets and switches", "gupai rules"),
        ("A rule set to edit", "gupai rules tiengow-ja > mine.toml"),
    ),
    "compare": (
        ("Two presets", "gupai compare tiengow-ja tiengow-zh --hands 200k"),
        ("One switch", "gupai compare tiengow-ja --set kam=4"),
        (
            "Good players beside simple ones",
            "gupai compare tiengow-ja --set two_stacks=false --policy tuned --policy greedy",
        ),
        ("Every house rule", "gupai compare tiengow-ja --all-switches --hands 100k"),
    ),
    "session": (
        ("An evening of sixty hands", "gupai session --hands 60 --sessions 5000"),
        ("A better player", "gupai session --policy tuned,greedy,greedy,greedy --sessions 500"),
    ),
    "deals": (("Do the ways of taking tiles matter?", "gupai deals --hands 100k"),),
    "patterns": (("How often 例牌 are dealt", "gupai patterns --hands 100k"),),
    "policies": (
        ("The list", "gupai policies"),
        ("Weights to edit", "gupai policies tuned > mine.toml"),
    ),
    "tournament": (("Who plays best?", "gupai tournament tuned greedy random --deals 500"),),
    "tune": (("Better weights", "gupai tune --out mine.toml --steps 20 --deals 200"),),
    "policy-check": (("Does my policy keep the rules?", "gupai policy-check mine.py:play"),),
    "bench": (
        ("This machine", "gupai bench"),
        ("Beside others", "gupai bench --peers"),
    ),
    "completion": (
        ("For bash, from the next terminal on", "gupai completion bash >> ~/.bashrc"),
        ("For zsh", "gupai completion zsh > ~/.zfunc/_gupai"),
    ),
}  # fmt: skip
"""Command to pairs of what an example is about and its words."""

LANGUAGE = (
    ("left has AA99", "is dealt these; also military(left) >= 5, civil, red"),
    ("fours(left) >= 1", "also threes, pairs, mixed, supreme: combinations dealt"),
    ("banker wins", "結, takes the last trick"),
    ("somebody has no stack", "at the end; also stacks(right) >= 4"),
    ("points(right) > 10", "of the hand, bonuses included"),
    ("finish = yao", "or plain, supreme, four; kam: the leader is caught 擒"),
    ("sweep = seven", "or eight, none; bonus = supreme or four: one is paid"),
    ("last_size >= 2", "tiles of the last trick; last_tile = 3: the one that won"),
    ("kam or not (I win and I have A)", "also compared by != < <="),
    ("WHO", "banker (I, me) right across left winner somebody everyone nobody"),
)
"""The question language: an example, and what it is about."""

Shell = Literal["bash", "zsh", "fish", "powershell"]


def examples_of(command: str) -> str:
    """The examples of a command in Markdown, as its help prints them.

    Examples
    --------
    >>> print(examples_of("merge").replace("  \\n", " / "))
    Examples:
    <BLANKLINE>
    - Two machines' halves of a run /   `gupai merge one two --out whole`
    """
    lines = ["Examples:", ""]
    for about, words in EXAMPLES[command]:
        lines += [f"- {about}  ", f"  `{words}`"]
    return "\n".join(lines)


def language_help() -> str:
    """The question language in ten lines of Markdown, as the help of its command prints them.

    Examples
    --------
    >>> len(language_help().splitlines()) - 2
    10
    """
    lines = [f"- `{example}`: {about}" for example, about in LANGUAGE]
    return "\n".join(["The language of questions (capitals do not matter):", "", *lines])


def documented(place: str) -> Callable[..., int]:
    """A command's function with its docstring, which ``python -OO`` leaves out, read from its source.

    Examples
    --------
    >>> documented("gupai.reports.score:score_command").__doc__.splitlines()[0]
    'Settle hands that were really played.'
    """
    import ast
    import importlib
    import inspect

    module, name = place.split(":")
    function: Callable[..., int] = getattr(importlib.import_module(module), name)
    with suppress(OSError):  # installed without source
        [definition] = ast.parse(inspect.getsource(function)).body
        assert isinstance(definition, ast.FunctionDef)
        function.__doc__ = ast.get_docstring(definition)
    return function


def completion_command(
    shell: Shell | None = None,
    /,
) -> int:
    """Print a script that completes commands and options in a shell.

    Parameters
    ----------
    shell
        bash, zsh, fish or powershell; by default the one that runs.
    """
    from .cli import make_app

    running = os.path.basename(os.environ.get("SHELL", ""))
    named = shell or next((name for name in get_args(Shell) if name == running), None)
    if named is None:
        raise InputError("name the shell: gupai completion bash, zsh, fish or powershell")
    print_data()
    print(make_app().generate_completion(prog_name="gupai", shell=named))
    return 0
