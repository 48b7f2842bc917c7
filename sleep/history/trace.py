"""Trace: from a line of the memory back to who said it and forward to what became of it.

Owns joining what is stored: the address of a line, the entry it names, the commit that wrote that, the place in the
transcript, and the entry's life. Refuses similarity, and to write anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.errors import UsageError
from sleep.history import authorship, entry_life, explain, filtered_blame, past_steps, transcript_span
from sleep.history import line as lines
from sleep.journal.imports import provenance
from sleep.records import address as addressing
from sleep.records.address import Address
from sleep.records.fragment import flat
from sleep.store import history

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sleep.history.authorship import Written
    from sleep.history.entry_life import Happening, Stands
    from sleep.history.line import Line
    from sleep.history.step_fates import Past
    from sleep.history.transcript_span import Span
    from sleep.memory.view import View

_CHARACTERS = 200  # characters of what was named, in an error and its hint


class Other(NamedTuple):
    """Another entry that the same fragment came from: its address, where it is, and its first words."""

    address: str
    path: str
    line: int
    says: str


class Trace(NamedTuple):
    """All that is stored of an entry.

    `path` and `line` are its place in the journal now ("" and 0 where that is gone), `written` who wrote it (None: not
    committed), `span` where in a transcript (None: its journal names no session), `origin` the file and line that an
    import took it from ("" for none). `happened`, `stands`, `verdict` and `notes` are its life's. `also` are the
    entries that became one fragment with it. `source` is whose word it is (`person`), "" for its instance's own.
    """

    address: str
    kind: str
    number: str
    day: str
    instance: int
    says: str
    path: str
    line: int
    written: Written | None
    span: Span | None
    origin: str
    happened: tuple[Happening, ...]
    stands: tuple[Stands, ...]
    also: tuple[Other, ...]
    verdict: str
    notes: tuple[str, ...]
    source: str


class Plain(NamedTuple):
    """A line without an address, and the commit that wrote it as it is ("" where it is not committed)."""

    path: str
    line: int
    says: str
    commit: str
    when: str
    author: str
    step: str
    cycle: int


class Several(NamedTuple):
    """The lines that say a text, where they are of more than one entry."""

    text: str
    lines: tuple[Line, ...]


def trace(
    past: Past,
    what: str,
    *,
    folder: str = "",
    transcripts: Sequence[str] = (),
    notice: Callable[[int, int], None] = lambda _done, _all: None,
) -> Trace | Plain | Several:
    """Trace what a person names: an address, a record's number, a mark, a place (`memory/warm/auth.md:12`), or words.

    Args:
        past: the memory, and what its history holds.
        what: what is named.
        folder: where paths are relative to, beside the memory's root.
        transcripts: files and folders to look for transcripts in.
        notice: called with the commits read, and with all.

    Raises:
        UsageError: nothing is named so, or nothing says so.
    """
    word = what.strip()
    address = _named(past.now, word)
    if address is None:
        place = lines.at(past.root, past.now, word, folder)
        choice = [place] if place else lines.find(past.now, word)
        address = _common(choice)
        marked = addressing.trailing_mark(word)
        if address is None and not choice and marked:  # a line of another time or clone: its address is followed
            address = marked[1].addresses[0]
        if address is None:
            return _unaddressed(past, word, choice)
    return of(past, address, transcripts, notice)


def _named(view: View, word: str) -> Address | None:
    """Return the entry that an address, a mark or a record's number names, None for anything else."""
    if mark := addressing.MARK.fullmatch(word):
        return addressing.mark_of(mark).addresses[0]
    if addressing.parse(word) or addressing.number_of(word):
        address = explain.find(view, word)
        return address if isinstance(address, Address) else None
    if addressing.parse_instance(word) or (word.isascii() and word.isdigit()):
        raise UsageError(
            f"{_short(word)} is a whole instance (would be right: the address of an entry, as in i7qxk.12)",
            hint=f"sleepwake memory.explain {_short(word)}",
        )
    if not word:
        raise UsageError(
            "there is nothing to trace (would be right: i7qxk.12, D-014, memory/warm/auth.md:12, or words)"
        )
    return None


def _short(text: str) -> str:
    return text if len(text) <= _CHARACTERS else f"{text[:_CHARACTERS]}…"


def _common(choice: Sequence[Line]) -> Address | None:
    """Return the entry that all lines with an address have in common, None where they have none."""
    marked = [line.addresses for line in choice if line.addresses]
    first = marked[0] if marked else ()
    return next((address for address in first if all(address in addresses for addresses in marked)), None)


def _unaddressed(past: Past, text: str, choice: Sequence[Line]) -> Plain | Several:
    if not choice:
        short = _short(text)
        asked = flat(short).replace('"', "'")
        raise UsageError(f"no line of the memory says: {short}", hint=f'sleepwake recall "{asked}"')
    if len(choice) > 1:
        return Several(text, tuple(choice))
    (line,) = choice
    blamed = filtered_blame.blame(past.root, line.path)
    by = blamed[line.line - 1] if line.line <= len(blamed) else history.Blamed()
    step = next((step for step in past.steps if step.commit.sha == by.sha), None)
    name, cycle = (step.step, step.cycle) if step else (past_steps.EDIT if by.sha else past_steps.UNCOMMITTED, 0)
    return Plain(line.path, line.line, line.text, by.sha, by.when, by.author, name, cycle)


def of(
    past: Past,
    address: Address,
    transcripts: Sequence[str] = (),
    notice: Callable[[int, int], None] = lambda _done, _all: None,
) -> Trace:
    """Trace an entry in what history holds; arguments as in `trace`. UsageError when nothing has the address."""
    life = entry_life.tell(past, address, notice)
    entry = past.now.entry(address)
    journal = past.now.journal(life.path) if life.path else None
    return Trace(
        life.address,
        life.kind,
        life.number,
        journal.when if journal else "",
        address.number,
        life.says,
        life.path if life.line else "",
        life.line,
        authorship.find(past, address),
        transcript_span.find(past.root, journal, entry, transcripts) if journal and entry else None,
        provenance.origin(journal, entry) if journal and entry and provenance.FIELD in journal.fields else "",
        life.happened,
        life.stands,
        tuple(_others(past, address, life.stands)),
        life.verdict,
        life.notes,
        entry.source if entry else "",
    )


def _others(past: Past, address: Address, stands: Sequence[Stands]) -> Iterator[Other]:
    """Yield the other entries of the fragments that an entry stands in."""
    items = [item for place in stands for item in past.now.naming_items(place.path, address)]
    for other in dict.fromkeys(address for item in items for address in item.fragment.addresses):
        if other != address:
            entry, path = past.now.entry(other), past.now.path_of(other.instance) or ""
            line = entry_life.line_at(past.now.read(path) or "", entry.start) if entry else 0
            yield Other(str(other), path, line, (entry.title or flat(entry.body)) if entry else "")
