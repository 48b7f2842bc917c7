"""Documents of a memory in which a merge left its marks.

Owns which documents are looked at, and the refusal to work on them: both sides of a conflict would be read as if both
held. Refuses to resolve one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.documents import cycles, paths
from sleep.documents.markdown import conflict
from sleep.errors import DocumentError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.memory.view import View

HINT = "resolve the conflict in an editor, then git add and git commit; docs/concurrency.md#branches"
_TIERS = ("memory/hot/", paths.WARM, paths.COLD)


class Conflict(NamedTuple):
    """A conflict that was left: the document, and the line, from 1, at which it begins."""

    path: str
    line: int

    @property
    def where(self) -> str:
        """The place, as messages name it."""
        return f"{self.path}:{self.line}"


def find(view: View, more: Iterable[str]) -> list[Conflict]:
    """Return the conflicts that were left in `main.md`, the tiers, the table of cycles, and `more` documents."""
    tiers = (path for folder in _TIERS for path in view.files(folder))
    names = dict.fromkeys((paths.MAIN, cycles.PATH, *tiers, *more))
    return [
        Conflict(path, line)
        for path in names
        for line in conflict.marks(view.read(path) or "", quoting=path.startswith(paths.JOURNALS))
    ]


def refuse(view: View, journals: Iterable[str]) -> None:
    """Raise DocumentError that names every conflict in what a sleep on these journals reads as memory."""
    found = find(view, journals)
    if found:
        more = "".join(f", {one.where}" for one in found[1:])
        raise DocumentError(
            f"a merge left its marks here (<<<<<<<){f'; also {more[2:]}' if more else ''} (one text without marks)",
            where=found[0].where,
            hint=HINT,
        )
