"""Projects: journals in the order they were written, a day or an instance each.

Owns reading them from a folder of journals, in the layout of the shared harness (a folder a project, `manifest.json`
with dates) or any other (`*.md` by name), and from a memory of ours. Refuses to measure.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from sleep.errors import DocumentError, UsageError
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.store import files
from sleep.store.tree import WorkTree

if TYPE_CHECKING:
    from sleep.memory.place import Place
    from sleep.settings import Settings

MANIFEST = "manifest.json"
_NO_LOGS = ("ADR", "seed project journal/memory", "agentcontext brain")  # kinds of the manifest that are no daily logs


class Day(NamedTuple):
    """One journal: the words that are measured, and the document that is slept on, with its path if it is ours."""

    text: str
    journal: str
    path: str = ""


class Project(NamedTuple):
    """Journals of one project, oldest first, and the settings of its memory if it has one."""

    name: str
    days: tuple[Day, ...]
    settings: Settings | None = None


def of_memory(where: Place) -> Project:
    """Return the journals of a memory, as they stand; one that is still open is left out."""
    view = View(WorkTree(where.root))
    days = []
    for path in view.journals:
        journal = view.journal(path)
        if journal.sealed and journal.entries:
            words = addressing.MARK.sub("", journal.text[journal.body :])
            days.append(Day(words, journal.text, path))
    return Project(os.path.basename(where.root.path), tuple(days), where.settings)


def find(root: str) -> list[Project]:
    """Return the projects in a folder; raises UsageError when there is no journal, DocumentError for a bad manifest."""
    manifest = files.read(os.path.join(root, MANIFEST))
    days = _by_date(root, manifest) if manifest else _by_name(root)
    if not days:
        raise UsageError("there is no journal here (FOLDER/PROJECT/*.md would be right)", where=root)
    return days


def _by_name(root: str) -> list[Project]:
    grouped: dict[str, list[str]] = defaultdict(list)
    for path in files.list_files(root):
        if path.endswith(".md"):
            grouped[path.partition("/")[0] if "/" in path else os.path.basename(os.path.abspath(root))].append(path)
    days = {name: [_read(root, path) for path in paths] for name, paths in sorted(grouped.items())}
    return [Project(name, tuple(Day(text, text) for text in texts)) for name, texts in days.items()]


def _by_date(root: str, manifest: str) -> list[Project]:
    """Return the projects of a manifest: what was written on one date is one journal."""
    grouped: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    try:
        for entry in json.loads(manifest):
            if entry["kind"] not in _NO_LOGS:
                path = entry["file"].removeprefix("dev/").removeprefix("heldout/")
                grouped[entry["project"]][entry["date"]].append(_read(root, path))
    except (ValueError, KeyError, TypeError) as error:
        raise DocumentError(
            f"{error} (a list of objects with file, project, date and kind would be right)",
            where=os.path.join(root, MANIFEST),
        ) from None
    return [
        Project(name, tuple(_day(number, date, by[date]) for number, date in enumerate(sorted(by), 1)))
        for name, by in grouped.items()
    ]


def _day(number: int, date: str, texts: list[str]) -> Day:
    return Day("\n".join(texts), f"# Journal: Instance {number}\n\nDate: {date}\n\n" + "\n\n".join(texts))


def _read(root: str, path: str) -> str:
    content = files.read_bytes(os.path.join(root, *path.split("/")))
    return "" if content is None else content.decode("utf-8", "replace")
