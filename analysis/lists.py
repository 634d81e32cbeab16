"""Several names in one word of a command line, with a sign between them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from .errors import InputError


def joined(names: Iterable[str], sign: str = ",") -> str:
    """Names as one word; one that holds the sign stands in double quotes.

    Examples
    --------
    >>> joined(["tuned", "my, own.toml"])
    'tuned,"my, own.toml"'
    """
    out = io.StringIO()
    csv.writer(out, delimiter=sign, lineterminator="").writerow(names)
    return out.getvalue()


def apart(word: str, sign: str = ",", *, what: str = "names") -> list[str]:
    """The names of one word, as `joined` puts them together; blanks around each are left out.

    Raises
    ------
    InputError
        If double quotes are opened and not closed.

    Examples
    --------
    >>> apart('tuned, "my, own.toml"')
    ['tuned', 'my, own.toml']
    """
    rows = csv.reader([word], delimiter=sign, skipinitialspace=True, strict=True)
    try:
        [names] = rows
    except (ValueError, csv.Error):
        raise InputError(
            f"{what} {word}: has a double quote too many, or a line end; a name that holds a {sign} "
            "stands in double quotes, which are doubled inside it"
        ) from None
    return [name.strip() for name in names] or [""]
