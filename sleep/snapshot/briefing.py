"""The sections that only a sub-agent is told: what the project is, and what lies where.

Owns their words, and how many lines of a list a briefing has. Refuses the words of soul, user and memory: of the soul
only the fields above the page are used, and only where nobody said in `main.md` what the project is for.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep.memory import paths
from sleep.snapshot import fields, outline, pages, prose, reading
from sleep.snapshot.parts import Item, Part

if TYPE_CHECKING:
    from sleep.store.context import Context

# So many lines of each list before the others are only named: a briefing is some 25 lines beside pinned pages.
TASKS, KNOWLEDGE, CORE = 5, 10, 5
_PURPOSE = 600
_TOLD = frozenset({"name", "title", "description", "summary"})
_SAYS = """\
What this project has learned is written down here. A page that fits the question answers it sooner than a search
through the code, and holds what the code does not say: decisions, their reasons, research."""
_PLACES = (
    ("core", "who the agent is (0), the user (1), memory (2), and more by number"),
    ("core/features", "what the product does, a page a feature"),
    ("knowledge", "research, a page a topic"),
    ("state", "tasks, a page each, with their log"),
    ("hot", "threads, decisions and context of the last instances"),
)


def project(context: Context) -> Part | None:
    """Return what the project is for: the purpose in `main.md`, else what the fields of the soul say."""
    name, says = "", _purpose(context)
    if not says:
        soul = reading.single(context, os.path.join(context.folder, "core", pages.CORE[0][1])) or reading.Text()
        told = fields.read(soul.text, _TOLD)
        name = prose.flat(fields.one(told.get("name")) or fields.one(told.get("title")))
        says = prose.flat(fields.one(told.get("description")) or fields.one(told.get("summary")))
    line = ": ".join(filter(None, (f"**{name}**" if name else "", prose.cut(says, _PURPOSE))))
    if not line:
        return None
    return Part("Project", "## Project", [Item(line, "Project")], count=prose.cut(line, pages.WHY), where=paths.MAIN)


def _purpose(context: Context) -> str:
    """Return what stands between the title of `main.md` and its first section."""
    if os.path.basename(context.folder) != paths.MEMORY.rstrip("/"):
        return ""
    main = reading.single(context, os.path.join(context.base, paths.MAIN)) or reading.Text()
    words = outline.opening(outline.without_comments(main.text[fields.span(main.text)[2] :]))
    return "" if outline.is_empty(words) else prose.flat(prose.printable(words))


def directory(context: Context) -> Part:
    """Return what lies where, and that it answers sooner than a search."""
    where = pages.shown(context)
    there = [
        f"- `{where}/{name}/`: {says}" for name, says in _PLACES if os.path.isdir(os.path.join(context.folder, name))
    ]
    text = "\n".join([_SAYS, "", *there])
    head = "## Context Directory"
    return Part("Context Directory", head, [Item(text, where)], count=f"`{where}/`", where=f"{where}/")
