"""Sentences that can be said in another language later.

The analysis speaks English.  A phrase is its English text, and remembers what it was made from, so
that a report can say it in another language.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import Formatter


class Phrase(str):
    """An English text with its template and what stands in the template's places.

    Attributes
    ----------
    template : str
    parts : dict
        By name; a part may be a phrase itself.
    """

    template: str
    parts: dict[str, object]

    @classmethod
    def unarchived(cls, *, template: str, parts: dict[str, object]) -> Phrase:
        """A phrase from its saved fields; places may only be named, as ``phrase`` makes them."""
        for _, name, *rest in Formatter().parse(template) if parts else ():
            if name is not None and (name not in parts or any(rest[:1]) or rest[1]):
                raise ValueError(f"no place {name}")
        return phrase(template, **parts)


def phrase(template: str, /, **parts: object) -> Phrase:
    """A phrase from a template and what stands in its places.

    Examples
    --------
    >>> made = phrase("{n} hands", n="1,000")
    >>> made, made.template
    ('1,000 hands', '{n} hands')
    """
    made = Phrase(template.format(**parts) if parts else template)
    made.template, made.parts = template, parts
    return made


def listed(phrases: Sequence[str]) -> Phrase:
    """Phrases one after the other, with commas.

    Examples
    --------
    >>> listed([phrase("no stack"), phrase("breaks a pair")])
    'no stack, breaks a pair'
    """
    if len(phrases) == 1:
        return phrase("{only}", only=phrases[0])
    return phrase("{first}, {rest}", first=phrases[0], rest=listed(phrases[1:]))
