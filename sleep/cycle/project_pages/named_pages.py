"""Which pages of tasks and features a journal names, and the entry that says most of each.

Owns when a name is a name: a stem with a sign in it (`t-active`), an id or a title of several words is one wherever it
stands; a stem that is a plain word (`auth`) only as a path, in code, or beside the word task or feature. Pure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents import front_matter, register
from sleep.records.kinds import ENTRIES
from sleep.redaction import untrusted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.documents.entries import Entry

_SIGNED = re.compile(r"[^\W_].*[-_.0-9].*")  # takes `t-active`, leaves `auth`
_SEPARATORS = re.compile(r"[-_ ]+")
_LABELS = ("task", "feature")


def find_entry(stem: str, text: str, entries: Sequence[Entry]) -> Entry | None:
    """Return the entry that says most of a page, None where none names it.

    Args:
        stem: the page's file name without its suffix.
        text: the page.
        entries: those of a journal.
    """
    named = re.compile("|".join(_patterns(stem, text)), re.IGNORECASE)
    fitting = [entry for entry in entries if is_said(entry) and (_is_field(entry, stem) or named.search(_words(entry)))]
    return min(fitting, key=_rank, default=None)


def _patterns(stem: str, text: str) -> Iterator[str]:
    """Yield the forms in which a page is named, as regular expressions."""
    word = _loose(stem)
    if _SIGNED.fullmatch(stem):
        yield rf"(?<![\w-]){word}(?![\w-])"
    else:
        labels = "|".join(_LABELS)
        yield rf"\b(?:{labels})s?[ /]`?{word}(?![\w-])"
        yield rf"(?<![\w-]){word}`? (?:{labels})\b"
        yield rf"`{word}`|(?<![\w-]){word}\.md\b|\bstate/{word}(?![\w-])"
    try:
        fields = front_matter.read(text).fields
    except ValueError:
        return
    for name in ("id", "name", "title"):
        value = str(fields.get(name) or "").strip()
        if _SEPARATORS.search(value) and value.casefold() != stem.casefold():
            yield rf"(?<![\w-]){_loose(value)}(?![\w-])"


def _loose(name: str) -> str:
    return "[-_ ]".join(map(re.escape, filter(None, _SEPARATORS.split(name)))) or re.escape(name)


def is_said(entry: Entry) -> bool:
    """True for an entry that somebody stated: no move, no tone check, nothing that only a tool said."""
    if entry.kind not in ENTRIES or register.is_tone_check(entry):
        return False
    return not entry.is_asked and entry.source != untrusted.MARK


def _is_field(entry: Entry, stem: str) -> bool:
    return stem.casefold() in (entry.field("topic").casefold(), entry.field("task").casefold())


def _words(entry: Entry) -> str:
    values = (value for name, value in entry.fields if name not in ("files", "transcript", "time", "source"))
    return "\n".join((entry.title, entry.body, *values))


def _rank(entry: Entry) -> tuple[bool, int]:
    """Return what says most of a task or a feature first: what was done, then what binds, then all else."""
    kind = ENTRIES[entry.kind]
    return (False, -kind.priority) if kind.is_finding else (True, kind.priority)
