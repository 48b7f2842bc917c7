"""The documents that recall reads: which they are, and what tells on a disk that one has changed.

Owns the folders and pages, and listing their files with sizes and times. Refuses to read one. A hook loads this.
"""

from __future__ import annotations

import os

from sleep.store import files
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDERS = ("journal", "memory/hot", "memory/warm", "memory/cold", "memory/core", "memory/knowledge", "memory/state")
PAGES = ("main.md", "memory/architecture.md", "memory/edits.md")  # documents that stand by themselves


class File(NamedTuple):
    """A document on disk: its path below the root, its size, and when it last changed (nanoseconds)."""

    path: str
    size: int
    changed: int


def listed(root: str) -> list[File]:
    """Return the documents on disk, in the order of their paths within each folder."""
    real = os.path.realpath(root)
    places = ((folder, os.path.join(root, *folder.split("/"))) for folder in FOLDERS)
    below = [file for folder, place in places if files.is_below(place, real) for file in _below(place, folder)]
    pages = ((page, os.path.join(root, *page.split("/"))) for page in PAGES)
    return below + [file for page, place in pages if (file := _file(page, place))]


def is_document(path: str) -> bool:
    """Return whether recall reads a file of such a path in its folders: Markdown, not hidden, its name a text."""
    if not path.endswith(".md") or path.rpartition("/")[2].startswith("."):
        return False
    return path.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in path)


def _below(place: str, lead: str) -> Iterator[File]:
    try:
        entries = sorted(os.scandir(place), key=lambda item: item.name)
    except OSError:
        return
    for entry in entries:
        path = f"{lead}/{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            yield from _below(entry.path, path)
        elif is_document(path) and (file := _file(path, entry.path)):
            yield file


def _file(path: str, place: str) -> File | None:
    try:
        there = os.stat(place)
    except OSError:
        return None
    return File(path, there.st_size, there.st_mtime_ns)
