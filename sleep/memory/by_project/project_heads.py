"""The head of a memory, which `status` and the dashboard begin with: purpose, state and what is next, by project."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sleep.documents.project import brief_parts
from sleep.memory import late_moves
from sleep.memory.by_project import project_names
from sleep.memory.by_project.project_tree import ProjectTree
from sleep.memory.view import View

if TYPE_CHECKING:
    from collections.abc import Mapping


def read(view: View, base: str, start: str) -> dict[str, tuple[str, ...]]:
    """Return purpose, state and next, of several projects those of the one that `start` is in, and the others' next.

    Where it is in none, these are a line of each.
    """
    whole = _head(view)
    if not (projects := project_names.current(view)).names:
        return whole
    heads = {name: _head(View(ProjectTree(view, projects, name))) for name in projects.names}
    if own := heads.pop(project_names.of_folder(start, base).casefold(), None):
        return {**own, "purpose": whole["purpose"], "others": _first_lines(heads, brief_parts.NEXT)}
    return whole | {part: _first_lines(heads, part) for part in (brief_parts.STATE, brief_parts.NEXT)}


def _first_lines(heads: Mapping[str, Mapping[str, tuple[str, ...]]], part: str) -> tuple[str, ...]:
    return tuple(f"{name}: {head[part][0] if head[part] else '-'}" for name, head in heads.items())


def _head(view: View) -> dict[str, tuple[str, ...]]:
    held = [record.fragment for record in view.records.values() if record.fragment.is_open]
    return brief_parts.head(brief_parts.gather(partial(late_moves.read, view), view.journals, held))
