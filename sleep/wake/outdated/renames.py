"""Renames: what something is called now that an older line calls by the name it had then.

Owns reading that something was renamed (section `renames` of the data files) and saying its present name behind the old
one. A line under an old name is as true as before: its reader only has to know what to look for. Refuses words that any
line may have: a name is in code or in quotation marks, of several words with capitals, or of a form that no word has
(`agent-wal`, `userId`); and what a tool printed, for a name is repeated in lines of others. Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import dropwhile
from typing import TYPE_CHECKING

from sleep.language import lexicon
from sleep.memo import memo
from sleep.redaction import untrusted
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.wake.quality import SourceLine

_MARKS = {"`": "`", '"': '"', "“": "”", "「": "」", "‘": "’"}
_MARKED = "|".join(rf"{begin}[^{begin}{end}\n]{{2,60}}{end}" for begin, end in _MARKS.items())
_WORD = r"--?\w[\w.-]*\w|\w[\w./@-]*\w(?:\(\))?"  # takes `--force`, `src/a.py`, `userId()`
_NAME = rf"(?:{_MARKED}|(?<![\w./@-])(?:{_WORD})(?: [A-Z][\w.-]*){{0,3}})"
_SIGNS = re.compile(r"\w[-_./@]\w|[a-z][A-Z]|[A-Za-z]\d|^--?\w|\(\)$")  # what no word of a sentence has
_MOST = 4  # words of a name


class Rename(NamedTuple):
    """That something got another name, with the instance (by age) that says it and where it stands there.

    `shown` is the new name as it was written: with its marks where it is code.
    """

    old: str
    new: str
    shown: str
    instance: int
    place: int


def find(lines: Sequence[SourceLine]) -> dict[int, dict[str, str]]:
    """Return by index of a line with an old name these names, each with what the thing is called now."""
    by_line = _renames(lines)
    renames = sorted((each for own in by_line.values() for each in own), key=lambda each: (each.instance, each.place))
    old = re.compile(_mention(*sorted({rename.old for rename in renames}, key=len, reverse=True)))
    names: dict[int, dict[str, str]] = {}
    for index, line in enumerate(lines) if renames else ():
        own = {rename.new for rename in by_line.get(index, ())}
        for match in old.finditer(line.text):
            shown = _present(match[0], line, renames)
            if shown and not any(name in line.text for name in (shown.strip("`"), *own)):
                names.setdefault(index, {})[match[0]] = shown
    return names


def tell(text: str, present: Mapping[str, str]) -> str:
    """Return a text that says behind the first mention of an old name what it is called now."""
    for name, shown in present.items():
        match = re.search(_mention(name), text)
        if match:
            at = _behind(text, match.end())
            text = f"{text[:at]} (now {shown}){text[at:]}"
    return text


def _behind(text: str, at: int) -> int:
    """Return where a note may stand: behind the code or the closing mark in which a name ends."""
    if text[:at].count("`") % 2 and "`" in text[at:]:
        return text.index("`", at) + 1
    return at + (text[at : at + 1] in (*_MARKS.values(),))


def _present(name: str, line: SourceLine, renames: Sequence[Rename]) -> str:
    """Return what a thing is called after all that a line could not know, "" where that is its name again."""
    now, shown = name, ""
    for rename in renames:
        if rename.old == now and (rename.instance, rename.place) > (line.instance, line.place):
            now, shown = rename.new, rename.shown
    return shown if now != name else ""


def _renames(lines: Sequence[SourceLine]) -> dict[int, list[Rename]]:
    signs = tuple(lexicon.all_words("renames.words"))
    return {
        index: [Rename(old, new, shown, line.instance, line.place) for old, new, shown in _read(line.text)]
        for index, line in enumerate(lines)
        if any(sign in line.text for sign in signs) and untrusted.MARK not in line.text
    }


@memo(1 << 9, tuple, None)
def _read(text: str) -> tuple[tuple[str, str, str], ...]:
    """Return the old and the new name, and that as it was written, of each rename that a text reports."""
    pairs = ((_name(match["old"]), match["new"]) for form in _forms() for match in form.finditer(text))
    known = [(old, _name(new, is_new=True), new) for old, new in pairs]
    return tuple(
        (old, new, f"`{new}`" if written[0] == "`" else new)
        for old, new, written in known
        if old and new and old != new and ("/" in new) <= ("/" in old)  # a folder is not a new name of what lies there
    )


def _name(written: str, *, is_new: bool = False) -> str:
    """Return what is a name, without its marks, "" for words that may be none; a new one may be one with a capital."""
    if written[0] in _MARKS:
        name = written[1:-1].strip()
        is_name = written[0] == "`" or is_new or " " in name or name[:1].isupper() or bool(_SIGNS.search(name))
        return name if is_name and len(name.split()) <= _MOST else ""
    stop = lexicon.all_words("stop")
    words = list(dropwhile(lambda word: word.casefold() in stop, written.split()))
    name = next(filter(_SIGNS.search, words), " ".join(words))  # of `Added newName` the second
    is_name = " " in name or bool(_SIGNS.search(name)) or (is_new and name[:1].isupper())
    return name if is_name and not name[0].isdigit() else ""


def _mention(*names: str) -> str:
    return rf"(?<![\w./@-])(?:{'|'.join(map(re.escape, names))})(?![\w/@-]|\.\w)"


@lru_cache(maxsize=1)
def _forms() -> tuple[re.Pattern[str], ...]:
    rows = lexicon.rows("renames")
    return tuple(
        re.compile(row.replace("OLD", f"(?P<old>{_NAME})").replace("NEW", f"(?P<new>{_NAME})")) for row in rows
    )
