"""The language of tables and reports: English, Japanese 日本語 or Chinese 中文.

Texts are written in English where they are made, ``say("{n} hands", n=5)``; the catalogues in
``languages/`` hold what stands in their place in another language.
"""

from __future__ import annotations

import os
import re
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

    As everywhere: LC_ALL goes before LC_MESSAGES and LANG, and the list of LANGUAGE before them all,
    but where the locale is C.

    Examples
    --------
    >>> locale_language() in LANGUAGES
    True
    """
    locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "C")
    if _language_of(locale) in ("c", "posix"):  # no language at all, whatever LANGUAGE says
        return "en"
    wanted = filter(None, os.environ.get("LANGUAGE", "").split(":"))
    return next((code for code in map(_language_of, [*wanted, locale]) if code in LANGUAGES), "en")


def _language_of(locale: str) -> str:
    """The language of a locale's name, which may go on with a land, an encoding and a variant.

    Examples
    --------
    >>> [_language_of(name) for name in ("ja_JP.eucJP", "zh-Hant-TW", "jam_JM", "C.UTF-8")]
    ['ja', 'zh', 'jam', 'c']
    """
    return re.split("[-_.@]", locale, maxsplit=1)[0].lower()


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


def noted(text: str | None, /) -> list[str]:
    """A note under a table, or none.

    Examples
    --------
    >>> noted(None)
    []
    """
    return [] if text is None else [say(text)]


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
