"""Holdings: what a memory holds already, read once, for one capture or for many in a row.

Owns what a transcript is compared with: the pages that agents are shown, what entries tell of by the moment, entries
that an instance wrote itself, and which journals are of a session. What is written meanwhile has to be told
(`written`); what others write is found out by whoever holds the lock, and looks again.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression.redundancy import KnownMoments, Recalled
from sleep.documents import front_matter, paths, register
from sleep.documents.verdicts import CONFIRMED
from sleep.errors import DocumentError
from sleep.journal import writer
from sleep.records.known_texts import KnownTexts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sleep.documents.entries import Entry
    from sleep.documents.journal import Draft
    from sleep.documents.yaml_values import Value
    from sleep.memory.view import View

DIGESTED = "digested"  # the field of a journal's front matter that says up to where: `[SESSION:LINE]`
AGENTS = "agents"  # the field that says until when edits of its sub-agents were taken: `[SESSION TIME]`
_PAGES = ("memory/hot/", "memory/core/", paths.WARM, paths.COLD)
_READ = 1_000_000  # characters of them that are compared with a transcript
_HEAD = 2_000  # characters in which front matter stands
_CLOSED = re.compile(rf"(?m)^(?:ended|{writer.BY}):")
_ENTRY = re.compile(r"(?m)^## [A-Z][a-z ]+: (.*) \[i[^\]]+\]\n\n(?:- (?!time: ).*\n)*- time: (\S+)$")


class Stretch(NamedTuple):
    """A session's journals, oldest first, and up to which line they have digested it; `open` is the one to write to.

    `agents` is when the last edit of its sub-agents was that they tell of, as the client wrote it, "" for none.
    """

    journals: tuple[str, ...]
    digested: int
    open: str
    agents: str = ""


class Holdings:
    """What the memory holds as a view shows it."""

    def __init__(self, view: View) -> None:
        self._view = view

    @cached_property
    def recalled(self) -> Recalled:
        """What the memory shows to agents: main page, tiers and core, at most so much of it."""
        return Recalled(_shown(self._view))

    @cached_property
    def moments(self) -> KnownMoments:
        """What all entries that were taken from transcripts tell of."""
        return KnownMoments(_moments(self._view.read(path) or "" for path in self._view.journals))

    @cached_property
    def sessions(self) -> dict[str, list[str]]:
        """The journals that no cycle has slept on, by the sessions that they name."""
        journals: dict[str, list[str]] = {}
        for path in self._view.unslept:
            for session in self._view.sessions_in(path):
                journals.setdefault(session, []).append(path)
        return journals

    def written(self, session: str, path: str, drafts: Sequence[Draft]) -> None:
        """Take in what a capture has written."""
        if path not in (known := self.sessions.setdefault(session, [])):
            known.append(path)
        self.moments.add((dict(draft.fields).get("time", ""), draft.title) for draft in drafts)


def stretch(view: View, session: str, near: Sequence[str] | None = None) -> Stretch:
    """Return what the journals say of a session; `near` are those to be asked of what no cycle has slept on."""
    slept = {view.path_of(cycle.instance) for cycle in view.cycles if session in cycle.sessions}
    if near is None:
        near = [path for path in view.unslept if session in (view.read(path) or "")]
    named = [path for path in filter(None, {*slept, *near}) if session in view.sessions_in(path)]
    named.sort(key=lambda path: paths.journal_number(path) or 0)
    digested = next(filter(None, (_mark(view, path, session) for path in reversed(named))), 0)
    is_open = (path for path in reversed(named) if path not in slept and not fields(view, path).get("ended"))
    agents = max((_last_edit(view, path, session) for path in named), default="")
    return Stretch(tuple(named), digested, next(is_open, ""), agents)


def rejected(view: View) -> KnownTexts:
    """Return what somebody said is no record, or none in these words, in any journal."""
    known = view.verdicts(view.journals).values()
    return KnownTexts(verdict.quotation for verdict in known if verdict.to != CONFIRMED and verdict.quotation)


def statements(view: View, journals: Sequence[str], kind: str = "") -> KnownTexts:
    """Return what these journals say, and those that are open and were not opened by a digest: they may be theirs.

    Of entries of one kind where one is named.
    """
    others = [path for path in view.unslept if not _CLOSED.search((view.read(path) or "")[:_HEAD])]
    there = [entry for path in dict.fromkeys((*journals, *others)) for entry in _entries(view, path)]
    return KnownTexts(f"{register.whole(entry)} {entry.field('why')}" for entry in there if kind in ("", entry.kind))


def fields(view: View, path: str) -> Mapping[str, Value]:
    """Return a journal's front matter, empty where it cannot be read."""
    return front_matter.peek(view.read(path) or "").fields


def as_texts(value: object) -> list[str]:
    """Return a list as texts, none for what is no list."""
    return [str(item) for item in value] if isinstance(value, list) else []


def _mark(view: View, path: str, session: str) -> int:
    """Return the line up to which a journal has digested a session: its mark, else the last that an entry is from."""
    lines = [line for mark in as_texts(fields(view, path).get(DIGESTED)) if (line := _line(mark, session))]
    if not lines:
        entries = rf"(?m)^- transcript: {re.escape(session)}:(?:[0-9]{{1,15}}-)?([0-9]{{1,15}})\s*$"
        lines = [int(line) for line in re.findall(entries, view.read(path) or "")]
    return max(lines, default=0)


def _last_edit(view: View, path: str, session: str) -> str:
    """Return when the last edit of a session's sub-agents was that a journal tells of, "" for none."""
    pairs = (mark.partition(" ") for mark in as_texts(fields(view, path).get(AGENTS)))
    return max((at for name, _, at in pairs if name == session), default="")


def _line(mark: str, session: str) -> int:
    name, _, line = mark.rpartition(":")
    return int(line) if name == session and line.isascii() and line.isdigit() else 0


def _shown(view: View) -> Iterator[str]:
    left = _READ
    for path in (paths.MAIN, *(path for folder in _PAGES for path in view.files(folder))):
        text = view.read(path) or ""
        yield text
        if (left := left - len(text)) <= 0:
            break


def _moments(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield when what entries tell of was said, and their first words."""
    for text in texts:
        if "\n- transcript: " in text:
            yield from ((match[2], match[1]) for match in _ENTRY.finditer(text))


def _entries(view: View, path: str) -> Sequence[Entry]:
    try:
        return view.journal(path).entries
    except DocumentError:
        return ()  # `status` and `wake.check` report it
