"""Blame: for each line of a document who said it: an entry of an instance, or a commit and its author.

Owns joining the marks of a tier or a journal with `git blame`. Refuses to guess: a line that belongs to no entry is
told by its commit alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.debt import timestamps
from sleep.documents import paths
from sleep.errors import DocumentError, UsageError
from sleep.history import line as lines
from sleep.language import dates
from sleep.memory.view import View
from sleep.store import history
from sleep.store.history import Blamed
from sleep.store.tree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.memory.place import Place
    from sleep.records.address import Address

_NOBODY = Blamed("", "", "")
_CONFIDENCE = "confidence"


class Row(NamedTuple):
    """A line and who said it.

    `addresses` are those of the fragment or entry that the line belongs to (none: nobody's), `instance` is the first
    one's, `number` a record's, `said` the day (ISO 8601, "" where it is not known), `age` that in days, `confidence`
    what the entry says of itself. `commit`, `author` and `when` are git's of the line as it is, "" where it is not
    committed.
    """

    line: int
    text: str
    addresses: tuple[str, ...]
    instance: int | None
    number: str
    said: str
    age: int | None
    confidence: str
    commit: str
    author: str
    when: str


class _Said(NamedTuple):
    """What is known of a fragment or an entry that stands in a document."""

    start: int
    end: int
    addresses: tuple[Address, ...]
    number: str
    confidence: str


def read(where: Place, file: str, now: str, folder: str = "") -> tuple[str, tuple[Row, ...]]:
    """Return the path of a document, relative to the root, and who said each of its lines.

    Args:
        where: the memory.
        file: its path, relative to the root or to `folder`.
        now: ISO 8601, UTC: ages are counted up to it.
        folder: the folder that the command runs in.

    Raises:
        UsageError: it is no document of this memory.
        DocumentError: a journal whose front matter cannot be read.
    """
    view = View(WorkTree(where.root))
    path = lines.known(where.root, file, folder or where.root.path)
    text = view.read(path) if path else None
    if text is None:
        raise UsageError(f"{file} is no document of this memory", hint="sleepwake memory.stats")
    blamed = history.blame(where.root, path)
    said = sorted(_said(view, path))
    days: dict[Address, str] = {}
    rows: list[Row] = []
    start = 0
    for number, words in enumerate(_lines(text), 1):
        while said and said[0].end <= start:
            del said[0]
        one = said[0] if said and said[0].start <= start and words.strip() else None
        by = blamed[number - 1] if number <= len(blamed) else _NOBODY
        rows.append(_row(view, number, words.rstrip("\r"), one, by, days, now))
        start += len(words) + 1
    return path, tuple(rows)


def _lines(text: str) -> list[str]:
    rows = text.split("\n")
    return rows[:-1] if rows[-1] == "" else rows


def _said(view: View, path: str) -> Iterator[_Said]:
    """Yield the fragments of a tier or the entries of a journal; of any other document the lines that end in a mark."""
    if paths.tier_of(path):
        for item in view.tier(path).items:
            fragment = item.fragment
            confidence = fragment.field(_CONFIDENCE) or _field(view, fragment.identity)
            yield _Said(item.start, item.end, fragment.addresses, fragment.number, confidence)
    elif paths.journal_number(path) is not None:
        for entry in view.journal(path).entries:
            yield _Said(entry.start, entry.end, (entry.address,), entry.number, entry.field(_CONFIDENCE))
    else:
        for one in lines.parts(view, path):
            yield _Said(one.start, one.end, one.addresses, "", _field(view, one.addresses[0]))


def _field(view: View, address: Address) -> str:
    """Return the confidence that the entry itself tells: cold memory may have left it out."""
    path = view.path_of(address.instance)
    if not path or _CONFIDENCE not in (view.read(path) or "").casefold():
        return ""
    try:
        entries = view.journal(path).entries
    except DocumentError:
        return ""
    return next((one.field(_CONFIDENCE) for one in entries if one.address == address), "")


def _row(view: View, number: int, words: str, one: _Said | None, by: Blamed, days: dict[Address, str], now: str) -> Row:
    said, age = "", None
    if one:
        first = one.addresses[0]
        if first not in days:
            days[first] = _day(view, first)
        said, age = days[first], _age(days[first], now)
    elif by.when:
        age = _age(by.when, now)
    return Row(
        number,
        words,
        tuple(map(str, one.addresses)) if one else (),
        one.addresses[0].number if one else None,
        one.number if one else "",
        said,
        age,
        one.confidence if one else "",
        by.sha,
        by.author,
        by.when,
    )


def _day(view: View, address: Address) -> str:
    """Return the day that an entry was said on, in ISO form, "" where its journal does not tell."""
    path = view.path_of(address.instance)
    if path is None:
        return ""
    try:
        journal = view.journal(path)
    except DocumentError:
        return ""
    entry = next((one for one in journal.entries if one.address == address), None)
    day = ((entry.field("time") if entry else "") or dates.of_fields(journal.fields))[:10]
    return "" if timestamps.seconds(day) is None else day


def _age(moment: str, now: str) -> int | None:
    """Return the whole days from a day or a time to now, None where it is neither."""
    began, ended = timestamps.seconds(moment), timestamps.seconds(now)
    return None if began is None or ended is None else max(0, int((ended - began) // timestamps.DAY))
