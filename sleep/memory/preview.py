"""What writes change of a memory, as a person reads it: a unified diff. Refuses to write anything."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.store.tree import Tree


def unified(before: Tree, writes: Mapping[str, str | None]) -> str:
    """Return a unified diff of what the writes change."""
    lines: list[str] = []
    for path, text in sorted(writes.items()):
        old = (before.read(path) or "").splitlines(keepends=True)
        new = (text or "").splitlines(keepends=True)
        source = f"a/{path}" if old else "/dev/null"
        target = f"b/{path}" if text is not None else "/dev/null"
        changed = difflib.unified_diff(old, new, source, target)
        lines += [line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in changed]
    return "".join(lines)
