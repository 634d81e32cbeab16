"""A hash of the kernels' code: what they do, whatever their comments say."""

from __future__ import annotations

import ast
import functools
import hashlib
from pathlib import Path
from typing import Any

from ..kernels._jit import SOURCES


@functools.cache
def kernel_hash(game: str, sources: Path = SOURCES) -> str:
    """Sixteen hex digits for the shared kernels and those of a game.

    Comments, docstrings and layout do not count, nor does the Python that reads the sources.

    Parameters
    ----------
    game : str
        The name of the folder of its kernels.
    sources : path, optional
        The folder of all kernels.

    Examples
    --------
    >>> len(kernel_hash("tiengow")), kernel_hash("tiengow") == kernel_hash("none")
    (16, False)
    """
    digest = hashlib.sha256()
    for folder in (sources, sources / game):
        for path in sorted(folder.glob("*.py")):
            tree = ast.parse(path.read_bytes())
            code = "\n".join(_told(tree))
            digest.update(f"{path.relative_to(sources).as_posix()}\n{code}\n".encode())
    return digest.hexdigest()[:16]


def _told(node: Any) -> list[str]:
    """A syntax tree in lines, docstrings left out, and what only some versions of Python tell."""
    if isinstance(node, list):
        return ["[", *(line for item in node for line in _told(item)), "]"]
    if not isinstance(node, ast.AST):
        return [f"{type(node).__name__} {node!r}"]
    lines = [f"({type(node).__name__}"]
    for name, value in ast.iter_fields(node):
        if name == "body" and isinstance(
            node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        ):
            value = value[1:] if ast.get_docstring(node, clean=False) is not None else value
        if value not in (None, []) and name not in ("ctx", "kind", "type_comment"):
            lines += [name, *_told(value)]
    return [*lines, ")"]
