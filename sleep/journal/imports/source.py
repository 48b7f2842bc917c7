"""The values of an import: what is taken in, what is left out, and what became of it.

Owns the names of the forms and the hash by which a text is known again. Refuses to read anything.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.documents.journal import Draft
    from sleep.journal.imports.adr import Adr
    from sleep.records.address import InstanceId

ADR, BANK, CLAUDE, CODEX, CONTEXT, DAILY, JOURNAL = (
    *("adr", "memory-bank", "claude", "codex", "context", "daily"),
    "journal",
)
# What `--from` takes, and what each is.
FORMS: Mapping[str, str] = {
    ADR: "decision records (madr, log4brains, Nygard's)",
    BANK: "a memory bank (Cline, Roo, Kilo) or pages of a plan",
    CLAUDE: "Claude Code's own memory",
    CODEX: "Codex memories",
    CONTEXT: "a context tree (_agent_context/, _dream_context/)",
    DAILY: "daily logs",
    JOURNAL: "journals written by hand",
}
TRANSCRIPTS = "transcripts"  # which `journal.capture` takes
_DIGITS = 32  # of a hash: 128 bits


class Source(NamedTuple):
    """A text that becomes one journal.

    `name` is its file's name, `path` how the file is known on every machine ("" leaves no record of the import), `part`
    the day of which it is a part of that file, `line` where it begins there. `date` is its day (ISO, "" for unknown)
    and `dated` what told it where that is weak: `git` or `file time`. `drafts` are entries that say what the whole text
    is, `adr` the decision that it records; `refused` are the kinds that its pieces are not given. `title` is that of a
    file of which this is one day. `repository` is the name of the file's, where that is not the memory's own.
    """

    name: str
    text: str
    form: str = ""
    path: str = ""
    part: str = ""
    line: int = 1
    date: str = ""
    dated: str = ""
    drafts: tuple[Draft, ...] = ()
    adr: Adr | None = None
    refused: frozenset[str] = frozenset()
    title: str = ""
    repository: str = ""


class Omission(NamedTuple):
    """A file that is not taken in, and why."""

    path: str
    why: str


class Batch(NamedTuple):
    """What was found: the texts in order, what is left out, pages for `memory/` by path, and the form of each place."""

    sources: Sequence[Source]
    left: Sequence[Omission] = ()
    pages: Mapping[str, str] = {}
    forms: Mapping[str, str] = {}


class NewJournal(NamedTuple):
    """A journal taken in: whence, what it became, its entries by kind, and how many secrets were taken out.

    `source` is the file's name, `origin` its path as the record of the import has it, "" without one. `adds_to` is the
    instance that holds what the file said before, where it has changed since. `secrets` are line and kind of each.
    """

    source: str
    path: str
    instance: InstanceId
    kinds: Mapping[str, int]
    redacted: int
    form: str = ""
    date: str = ""
    adds_to: str = ""
    origin: str = ""
    secrets: Sequence[tuple[int, str]] = ()


class Report(NamedTuple):
    """What an import did: the journals, the pages laid, what was there already (file and instance), what is left."""

    journals: Sequence[NewJournal]
    pages: Sequence[str] = ()
    there: Sequence[tuple[str, str]] = ()
    left: Sequence[Omission] = ()


def print_of(text: str) -> str:
    """Return the hash by which a text is known again, whatever its newlines and its byte order mark."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n")
    return hashlib.sha256(plain.encode("utf-8", "surrogateescape")).hexdigest()[:_DIGITS]
