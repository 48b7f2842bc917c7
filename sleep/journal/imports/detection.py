"""Detecting: what the files of a folder are, told by where they lie, by their names, and by what they say.

Owns the order of trust: a place that only one tool has, names that only one tool gives, then what most of the files
say. What is nothing of all this is a journal written by hand. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.journal.imports import adr, daily, notes
from sleep.journal.imports.source import ADR, BANK, CLAUDE, CODEX, CONTEXT, DAILY, JOURNAL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_BANK = frozenset(
    f"{name}.md"
    for name in (
        *("projectbrief", "productcontext", "activecontext", "systempatterns", "techcontext", "progress"),
        *("decisionlog", "brief", "context", "product", "tech", "architecture", "tasks"),
        *("project", "state", "roadmap"),
    )
)
_BANK_PLACES = (".planning", "memory-bank", "memory_bank", "memorybank", ".memory-bank")
TREES = ("_agent_context", "_dream_context")
_CORE = ("core/0.soul.md", "core/1.user.md", "core/2.memory.md", "core/CHANGELOG.json")
_ENOUGH = 2  # names of a memory bank in a folder that is not called so


def form_of(place: str, texts: Mapping[str, str]) -> str:
    """Return the form of the files below a place.

    Args:
        place: the folder, or the file itself, as an absolute path with `/`.
        texts: the files by path below the folder; of a file alone its name.
    """
    name = place.rstrip("/").rpartition("/")[2]
    files = {path.rpartition("/")[2].casefold() for path in texts}
    if is_tree(place, texts.__contains__):
        return CONTEXT
    if "/.codex/memories" in place or files & {"raw_memories.md", "memory_summary.md"}:
        return CODEX
    if "/.claude/projects/" in place or ("memory.md" in files and any(map(notes.is_typed, texts.values()))):
        return CLAUDE
    if (name in _BANK_PLACES and files & _BANK) or len(files & _BANK) > _ENOUGH:
        return BANK
    return _by_words(texts)


def is_tree(place: str, has: Callable[[str], bool]) -> bool:
    """Return whether a folder is a context tree; `has` tells of a path below it whether there is such a file."""
    return place.rstrip("/").rpartition("/")[2] in TREES or any(map(has, _CORE))


def _by_words(texts: Mapping[str, str]) -> str:
    """Return what at least half of the files are: decision records, logs of a day, else journals."""
    if 2 * sum(adr.read(text, path.rpartition("/")[2]) is not None for path, text in texts.items()) >= len(texts) > 0:
        return ADR
    order = daily.order_of(texts)
    dated = sum(bool(daily.day_of(path, order)) or len(daily.split(text)) > 1 for path, text in texts.items())
    return DAILY if 2 * dated >= len(texts) > 0 else JOURNAL
