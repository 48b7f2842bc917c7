"""The words of each language: lists, tables and rows of patterns, in one data file a language.

Owns the form of those files (`data/en.txt`: a section begins with `@ NAME:`, a short one stands on that line) and reads
each when it is first asked for. Refuses to say what a section means: who asks for it knows, and docs/language.md lists
them. Raises KeyError for a section that no language asked for has. Hooks load it.
"""

from __future__ import annotations

from functools import lru_cache

SPACED = ("de", "fr", "es", "it", "pt", "nl", "ru")  # besides English, those with spaces between words
LANGUAGES = ("en", *SPACED, "zh", "ja", "ko")
_FOLDER = f"{__file__.removesuffix('lexicon.py')}data"
_SECTION = "\n@ "


def read(name: str) -> str:
    """Return the text of a data file that is of no one language."""
    with open(f"{_FOLDER}/{name}", encoding="utf-8") as file:
        return file.read()


@lru_cache(maxsize=len(LANGUAGES))
def _sections(language: str) -> dict[str, str]:
    """Return the text of each section of a language by name."""
    with open(f"{_FOLDER}/{language}.txt", encoding="utf-8") as file:
        parts = file.read().split(_SECTION)[1:]
    return {name: body.lstrip(" ").strip("\n") for name, _, body in (part.partition(":") for part in parts)}


@lru_cache(maxsize=1 << 7)
def words(section: str, language: str = "en") -> frozenset[str]:
    """Return the words of a section of one language."""
    return frozenset(_sections(language)[section].split())


@lru_cache(maxsize=1 << 5)
def all_words(*sections: str) -> frozenset[str]:
    """Return the words of sections of all languages together."""
    return frozenset(word for name in sections for _, body in _bodies(name, LANGUAGES) for word in body.split())


@lru_cache(maxsize=1 << 5)
def by_language(section: str) -> dict[str, tuple[str, ...]]:
    """Return the words of a section, in their order, by each language that has it."""
    return {language: tuple(body.split()) for language, body in _bodies(section, LANGUAGES)}


def names(prefix: str, *languages: str) -> tuple[str, ...]:
    """Return the names of the sections of these languages that begin with a prefix, each once."""
    return tuple(dict.fromkeys(name for known in languages for name in _sections(known) if name.startswith(prefix)))


def rows(section: str, *languages: str) -> tuple[str, ...]:
    """Return the lines of a section of these languages, of all if none is named."""
    return tuple(row for _, body in _bodies(section, languages or LANGUAGES) for row in body.split("\n"))


def phrases(section: str, *languages: str) -> tuple[str, ...]:
    """Return what stands between the commas of a section of these languages, of all if none is named."""
    bodies = (body for _, body in _bodies(section, languages or LANGUAGES))
    return tuple(phrase for body in bodies for part in body.split(",") if (phrase := " ".join(part.split())))


def table(section: str, language: str = "en") -> dict[str, str]:
    """Return the lines `value: word word ...` of a section as the value of each word."""
    pairs = (row.partition(": ") for row in _sections(language)[section].split("\n"))
    return {word: value for value, _, listed in pairs for word in listed.split()}


def _bodies(section: str, languages: tuple[str, ...]) -> list[tuple[str, str]]:
    known = [(language, body) for language in languages if (body := _sections(language).get(section)) is not None]
    if not known:
        raise KeyError(section)
    return known
