"""Finding: what of this kind stands in a project, and in the home, that an import could take in.

Owns the places where tools keep it. In the project files are read, to tell what they are; in the home they are only
counted: what stands there is read when a person names it. So are transcripts of the project, which are captured.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from sleep import settings as settings_
from sleep.errors import UsageError
from sleep.journal.imports import provenance, reader
from sleep.journal.imports.detection import TREES
from sleep.journal.imports.source import BANK, CLAUDE, CODEX, CONTEXT, DAILY, JOURNAL, TRANSCRIPTS
from sleep.memory.view import View
from sleep.store import layout
from sleep.store.tree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.memory.place import Place

_RECORDS = tuple(
    f"{above}{name}"
    for above in ("", "docs/", "doc/", "docs/architecture/", "doc/architecture/", "architecture/")
    for name in ("adr", "adrs", "ADR", "decisions")
)
_BANKS = (".planning", "memory-bank", ".memory-bank", "memory_bank", "docs/memory-bank", ".kilocode/rules/memory-bank")
_LOGS = ("memory", "logs", "log", "daily", "docs/logs", "notes/daily", "diary", "worklog")
# Which people write for agents, and for themselves.
_SINGLE_PAGES = (
    *("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", ".cursor/rules", ".clinerules"),
    *(".windsurfrules", "TODO.md", "DECISIONS.md"),
)
_HISTORIES = (".specstory/history", ".aider.chat.history.md")
_FOLDERS = (*_RECORDS, *_BANKS, *TREES, *_LOGS)


class Candidate(NamedTuple):
    """A place that could be taken in: its form, its texts, and how many of them are new; None where none was read."""

    path: str
    form: str
    texts: int
    new: int | None


def find(where: Place, start: str = "") -> list[Candidate]:
    """Return the places of a project, and those of the home that are about it, that hold something to take in.

    The project is the work tree that the memory stands in; of a memory that stands elsewhere, that of the folder
    `start`.
    """
    top = _project(where, start)
    before = provenance.import_records(View(WorkTree(where.root)))
    candidates: list[Candidate] = []
    seen: set[str] = set()
    for name in (*_FOLDERS, *_SINGLE_PAGES):
        path = os.path.join(top, *name.split("/"))
        is_there = os.path.isdir(path) or (name in _SINGLE_PAGES and os.path.exists(path))
        # Another case of a name, or another name, may be the same file.
        if not is_there or any(os.path.samefile(path, other) for other in seen):
            continue
        seen.add(path)
        try:
            held = reader.gather([path], where.root)
        except UsageError:  # it is empty but for our block, no text, or too large: an import of it says so
            continue
        if held.sources and _fits(name, held.forms[path]):
            new, _ = provenance.split(before, held.sources)
            candidates.append(Candidate(name, held.forms[path], len(held.sources), len(new)))
    for name in _HISTORIES:
        path = os.path.join(top, *name.split("/"))
        if count := int(os.path.isfile(path)) or _count(path):
            candidates.append(Candidate(name, TRANSCRIPTS, count, None))
    return candidates + list(_at_home((top, where.root.work_tree, where.root.path)))


def _project(where: Place, start: str) -> str:
    own, here = where.root.work_tree, os.path.realpath(start)
    git = layout.find_git(here) if start else None
    return own if git is None or os.path.commonpath((own, here)) == own else git[0]


def _fits(name: str, form: str) -> bool:
    """Return whether a form is what a place of this name is looked at for."""
    if name in _RECORDS:
        return form != JOURNAL
    expected = DAILY if name in _LOGS else BANK if name in _BANKS else CONTEXT
    return name in _SINGLE_PAGES or form == expected


def _at_home(about: Sequence[str]) -> Iterator[Candidate]:
    environ = settings_.environment()
    home = os.path.expanduser("~")
    projects = os.path.join(environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude"), "projects")
    for top in dict.fromkeys(about):
        own = os.path.join(projects, re.sub(r"[^A-Za-z0-9]", "-", top), "memory")
        if count := _count(own):
            yield Candidate(own, CLAUDE, count, None)
    memories = os.path.join(environ.get("CODEX_HOME") or os.path.join(home, ".codex"), "memories")
    if count := _count(memories):
        yield Candidate(memories, CODEX, count, None)


def _count(folder: str) -> int:
    return sum(name.endswith(".md") for _, _, names in os.walk(folder) for name in names)
