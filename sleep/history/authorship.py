"""Who wrote an entry into its journal: the commit that first held its words, and the one that gave it its address.

Owns following one journal back through history, also where its file had another name. Refuses similarity: a version of
the journal holds the entry when it holds its address, and before it had one, when it holds its first line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.documents import journal as journals
from sleep.documents import paths
from sleep.history import past_steps
from sleep.records import address as addressing
from sleep.store import history
from sleep.store.files import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.documents.entries import Entry
    from sleep.history.past_steps import Step
    from sleep.history.step_fates import Past
    from sleep.records.address import Address


class Written(NamedTuple):
    """Where and by whom an entry was written.

    `path` and `line` are those of the commit that first held its words; `step` is that commit's (`adopt`, `edit`: a
    person's or agent's words as they were), `cycle` 0 outside one. `marked` is the commit that gave the address, where
    that is a later one, else "". Where the entry says something else now, `then` are the words of that commit, and
    `changed`, `changed_when` and `changed_by` those of the commit that made them what they are (`UNCOMMITTED` of
    `past_steps`, "" and "" for an edit that no commit holds); else these are "".
    """

    path: str
    line: int
    commit: str
    when: str
    author: str
    step: str
    cycle: int
    marked: str = ""
    then: str = ""
    changed: str = ""
    changed_when: str = ""
    changed_by: str = ""


class _Version(NamedTuple):
    """A journal as a commit left it, and the blobs that it was before."""

    step: Step
    path: str
    before: tuple[str, ...]
    after: str


def find(past: Past, address: Address) -> Written | None:
    """Return who wrote an entry, None where no commit of this branch holds it."""
    versions = list(_versions(past, address.number))
    names = dict.fromkeys(name for version in versions for name in (*version.before, version.after) if name)
    texts = {name: decode(content or b"") for name, content in history.blobs(past.root, names).items()}
    for index, version in enumerate(versions):
        line = _line(texts.get(version.after, ""), address)
        if line:
            first = _unmarked(versions[: index + 1], texts, line)
            at = _rows(texts[first.after]).index(line if first is version else addressing.MARK.sub("", line).rstrip())
            commit, marked = first.step.commit, "" if first is version else version.step.commit.sha
            step = first.step
            written = Written(first.path, at + 1, commit.sha, commit.when, commit.author, step.step, step.cycle, marked)
            return _edited(past, address, written, versions[index:], texts)
    return None


def _edited(past: Past, address: Address, written: Written, versions: list[_Version], texts: dict[str, str]) -> Written:
    """Return who wrote an entry with who changed its words since, by the versions from the first with its address."""
    entry = past.now.entry(address)
    if entry is None:
        return written
    now, then = entry.words, _words_in(texts[versions[0].after], address)
    if then in (None, now):
        return written
    by = None
    for version in reversed(versions):
        if _words_in(texts.get(version.after, ""), address) not in (now, None):
            break
        by = version.step.commit
    if by is None:
        return written._replace(then=then or "", changed=past_steps.UNCOMMITTED)
    return written._replace(then=then or "", changed=by.sha, changed_when=by.when, changed_by=by.author)


def _words_in(text: str, address: Address) -> str | None:
    """Return the words of an entry in a version of its journal, None where that does not have it."""
    entry = _entry(text, address)
    return entry.words if entry else None


def _entry(text: str, address: Address) -> Entry | None:
    """Return an entry of a version of its journal, None where that does not have it or cannot be read."""
    try:
        entries = journals.read(text).entries if f"[{address}" in text else ()
    except ValueError:
        return None
    return next((entry for entry in entries if entry.address == address), None)


def _versions(past: Past, number: int) -> Iterator[_Version]:
    """Yield what each commit made of the journals of a number, oldest first."""
    for step in past.steps:
        for journal in step.journals:
            if journal.after and paths.journal_number(journal.path) == number:
                yield _Version(step, journal.path, _before(step, journal), journal.after)
        for joined in step.joined:
            if joined.after and paths.journal_number(joined.path) == number and joined.after not in joined.sides:
                yield _Version(step, joined.path, joined.sides, joined.after)


def _before(step: Step, change: history.Change) -> tuple[str, ...]:
    """Return the blobs that a journal was before a commit; for a file that came, those of the files that went."""
    return (
        (change.before,) if change.before else tuple(journal.before for journal in step.journals if not journal.after)
    )


def _line(text: str, address: Address) -> str:
    """Return the line of a journal that an entry begins with, "" where the journal does not have it."""
    entry = _entry(text, address)
    mark = entry and text.find(f"[{address}", entry.start)
    return _rows(text)[text.count("\n", 0, mark)] if mark else ""


def _unmarked(versions: list[_Version], texts: dict[str, str], line: str) -> _Version:
    """Return the version that first had the words of a line, of which the last one was the first to have the mark."""
    words = addressing.MARK.sub("", line).rstrip()
    first = versions[-1]
    for version in reversed(versions[:-1]):
        if words and version.after in first.before and words in _rows(texts[version.after]):
            first = version
    return first


def _rows(text: str) -> list[str]:
    return [row.rstrip() for row in text.split("\n")]
