"""The language of tables and reports: English, Japanese 日本語 or Chinese 中文.

Texts are written in English where they are made, ``say("{n} hands", n=5)``; the catalogues in
``languages/`` hold what stands in their place in another language.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from ..analysis.errors import InputError
from ..analysis.phrases import Phrase
from .terminal import drawn

LANGUAGES = ("en", "ja", "zh")
_spoken: ContextVar[str] = ContextVar("language", default="en")


def speak(language: str) -> None:
    """Speak a language from now on.

    Raises
    ------
    InputError
        If it is none of `LANGUAGES`.
    """
    if language not in LANGUAGES:
        raise InputError(f"--lang {language}: must be one of {', '.join(LANGUAGES)}")
    _spoken.set(language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language for a while.

    Examples
    --------
    >>> with speaking("ja"):
    ...     say("hands")
    '局数'
    """
    before = spoken()
    speak(language)
    try:
        yield
    finally:
        speak(before)


def spoken() -> str:
    """The language spoken now."""
    return _spoken.get()


def locale_language() -> str:
    """The language that the environment asks for, English if it is another one.

    Examples
    --------
    >>> locale_language() in LANGUAGES
    True
    """
    wanted = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return wanted[:2].lower() if wanted[:2].lower() in LANGUAGES else "en"


@cache
def catalogue(language: str) -> dict[str, str]:
    """What stands in place of each English text."""
    import tomllib
    from importlib.resources import files

    text = files(__package__).joinpath("languages", f"{language}.toml").read_text("utf-8")
    return {english: other for part in tomllib.loads(text).values() for english, other in part.items()}


def say(text: str, /, **parts: object) -> str:
    """A text in the language spoken, its places ``{name}`` filled.

    Parameters
    ----------
    text : str
        An English text of the catalogues, or a phrase.
    parts
        What stands in its places; phrases among them are said too.

    Examples
    --------
    >>> say("{n} hands", n=5)
    '5 hands'
    """
    if isinstance(text, Phrase):
        parts = text.parts | parts
        text = text.template
    if spoken() != "en":
        text = catalogue(spoken())[text]
    return text.format(**{name: said(part) for name, part in parts.items()}) if parts else text


def said(text: object, /) -> str:
    """A phrase in the language spoken; what is no phrase, such as a user's own words, as it stands.

    Examples
    --------
    >>> from gupai.analysis.phrases import phrase
    >>> with speaking("ja"):
    ...     said(phrase("hands")), said("mine.toml")
    ('局数', 'mine.toml')
    """
    return say(text) if isinstance(text, Phrase) else drawn(text) if isinstance(text, str) else str(text)
