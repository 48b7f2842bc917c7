"""The one way a task speaks: what its arguments mean, and what it prints.

Refuses to decide anything about the subject.
"""

from __future__ import annotations

from sleep.tasks.arguments import content, decimal, here, now, number, prose, target, wanted
from sleep.tasks.output import LINE, OWN_PICTURE, PATIENCE, clip, draw, facts, grid, progress, say, table
from sleep.tasks.task import task

__all__ = [
    "LINE",
    "OWN_PICTURE",
    "PATIENCE",
    "clip",
    "content",
    "decimal",
    "draw",
    "facts",
    "grid",
    "here",
    "now",
    "number",
    "progress",
    "prose",
    "say",
    "table",
    "target",
    "task",
    "wanted",
]
