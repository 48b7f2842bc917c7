"""Where the documents of a memory stand, relative to its root. Names only."""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.records.kinds import KINDS

MAIN = "main.md"
JOURNALS = "journal/"
MEMORY = "memory/"
SETTINGS = "memory/sleep.yaml"
ARCHITECTURE = ("memory/architecture.md", "architecture.md", "docs/architecture.md")
THREADS = "memory/hot/threads.md"
DECISIONS = "memory/hot/decisions.md"
CONTEXT = "memory/hot/context.md"
HOT = (THREADS, DECISIONS, CONTEXT)
WARM = "memory/warm/"
COLD = "memory/cold/"
FOLDERS = ("memory/hot/", WARM, COLD)
TIER_NAMES = ("hot", "warm", "cold")
TIERS = tuple(f"{MEMORY}{name}" for name in TIER_NAMES)
TITLES = {THREADS: "Threads", DECISIONS: "Decisions", CONTEXT: "Context"}

_PAGES = ("architecture.md", "checklist.md", "cycles.md", "edits.md", "page.md", "proposals.md", "topics.md")
_FOLDERS = ("core", "fates", "knowledge", "state")
_JOURNAL = re.compile(r"journal/instance-([0-9]{1,7})(?:-[a-z]{3})?\.md")


def journal(number: int, tag: str = "") -> str:
    """Return the path of an instance's journal; with a tag where others journal too, or its number was taken."""
    return f"journal/instance-{number}{'-' + tag if tag else ''}.md"


@lru_cache(maxsize=1 << 11)  # each line of a journal asks
def journal_number(path: str) -> int | None:
    """Return the instance number that a journal's path names, or None for another file."""
    match = _JOURNAL.fullmatch(path)
    return int(match[1]) if match else None


def hot_of(kind: str) -> str:
    """Return the hot document that holds fragments of a kind."""
    return f"memory/hot/{KINDS[kind].hot}.md" if kind in KINDS else CONTEXT


def tier_of(path: str) -> str:
    """Return `hot`, `warm` or `cold`, or "" for a path in no tier."""
    part = path.removeprefix(MEMORY).partition("/")[0]
    return part if path.startswith(MEMORY) and part in TIER_NAMES else ""


def is_own(path: str) -> bool:
    """Return whether a path is that of a document of a memory: a journal, or a page that the program reads or writes.

    What else stands below `memory/` is somebody's (`memory/2026-02-13.md`).
    """
    if path in (MAIN, SETTINGS) or tier_of(path) or journal_number(path) is not None:
        return True
    below = path.removeprefix(MEMORY)
    return below != path and (below in _PAGES or below.partition("/")[0] in _FOLDERS)


def topic_of(path: str) -> str:
    """Return the topic of a warm or cold path."""
    return path.rpartition("/")[2].removesuffix(".md")
