"""Versions: which line states a version of something that a later line speaks of in a newer one.

Owns reading a version with the name of what it is of. A line states one if it says so (`version: v2.1`, `in production:
app 2.1.0`); others tell what was done in a version, and that stays true. Pure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.language import lexicon
from sleep.memo import memo
from sleep.wake import quality

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.wake.quality import SourceLine

    Version = tuple[int, ...]

_NUMBER = r"(?:v(?=\d+\.\d)|(?=\d+\.\d+\.\d)|(?<=@))(\d{1,4}(?:\.\d{1,4}){1,3})(?![\d.]\d)"
_NAMED = re.compile(rf"([A-Za-z][\w-]{{2,}}|[\u2e81-\uff00]{{2,12}})(?:@| ?[(（]?){_NUMBER}")  # `app v2.1`, `app@2.1`
_BARE = re.compile(rf"(?<![\w.]){_NUMBER}")
_POINT = re.compile(r"\d\.\d")
_MOST = 80  # characters of a line that states a version


def find(lines: Sequence[SourceLine]) -> dict[int, int]:
    """Return by index of a line that states a version the index of the line with the newest one of the same thing."""
    named = [
        (index, name, version)
        for index, line in enumerate(lines)
        if _POINT.search(line.text)
        for name, version in _named(line.text)
    ]
    names: dict[tuple[int, Version], set[str]] = {}
    for index, name, version in named:
        names.setdefault((lines[index].instance, version), set()).add(name)
    links: dict[int, int] = {}
    for index, line in enumerate(lines) if named else ():  # of what nobody names no other version is known
        for version in _stated(line.text):
            own = names.get((line.instance, version), set())
            newer = [
                (other, later)
                for later, name, other in named
                if lines[later].instance > line.instance
                and other > version
                and any(_is_same(name, each) for each in own)
            ]
            if newer:
                links[index] = max(newer)[1]
    return links


@memo(1 << 9, tuple, None)
def _named(text: str) -> tuple[tuple[str, Version], ...]:
    """Return names with the version that stands behind them."""
    others = lexicon.all_words("volatile", "state.version", "stop")
    named = ((match[1].casefold(), _parse(match[2])) for match in _NAMED.finditer(text))
    return tuple((name, version) for name, version in named if name not in others)


def _stated(text: str) -> list[Version]:
    """Return the version that a text says is the one that there is, in a list; nothing for a text that tells more."""
    versions = [_parse(match[1]) for match in _BARE.finditer(text)] if len(text) <= _MOST and "." in text else []
    if len(versions) != 1 or quality.binds(text):
        return []
    says = not quality.tokens(text).isdisjoint(lexicon.all_words("state.version"))
    return versions if says or any(word in text for word in lexicon.by_language("state.version")["zh"]) else []


def _parse(text: str) -> Version:
    return tuple(int(part) for part in text.split("."))


def _is_same(name: str, other: str) -> bool:
    """Return whether two names are of one thing: in a script without spaces more may stand behind (`系统`)."""
    return name == other or (not name.isascii() and (name.startswith(other) or other.startswith(name)))
