"""Documents of a memory in which a merge left its marks.

Owns which documents are looked at, and the refusal to work on them: both sides of a conflict would be read as if both
held. Refuses to resolve one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents import cycles, fates_page, front_matter, journal, paths
from sleep.documents.markdown import conflict_marks
from sleep.documents.project import managed_block
from sleep.errors import DocumentError, StorageError
from sleep.records import topic_changes
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.memory.view import View

_MORE = "sleepwake help concurrency#branches"
_ASK = f"resolve the conflict in an editor, then git add and git commit; {_MORE}"
_FIX = "in the merge `sleepwake doctor --fix` resolves it"
# Of a tier one side will do: `doctor --fix` makes it whole from the journals of both.
_EITHER = (
    f"{_FIX}; else keep one side in an editor, git add, git commit, and it brings back what the other said; {_MORE}"
)
_BOTH = f"`sleepwake doctor --fix` keeps both journals, one under a name with its tag; {_MORE}"
_ROWS = f"{_FIX}; else take the marks out and keep the rows of both, git add, git commit; {_MORE}"
_PARTS = f"{_FIX} where your own words are not at odds; else an editor, then git add and git commit; {_MORE}"
_TAG = re.compile(r"(?m)^tag: [a-z]{3}$")
_HINTS = {
    cycles.PATH: _ROWS,
    topic_changes.PATH: _ROWS,
    f"{paths.MEMORY}page.md": _ROWS,
    **dict.fromkeys((paths.MAIN, managed_block.PATH, managed_block.PROPOSALS), _PARTS),
}
_TIERS = ("memory/hot/", paths.WARM, paths.COLD)


class Conflict(NamedTuple):
    """A conflict that was left: the document, and the line, from 1, at which it begins.

    `is_two` is set for a file in which two branches each wrote a journal of their own.
    """

    path: str
    line: int
    is_two: bool = False

    @property
    def where(self) -> str:
        """The place, as messages name it."""
        return f"{self.path}:{self.line}"

    @property
    def hint(self) -> str:
        """What to do about it."""
        if self.is_two:
            return _BOTH
        return _EITHER if self.path.startswith(_TIERS) else _HINTS.get(self.path, _ASK)


def find(view: View, more: Iterable[str]) -> list[Conflict]:
    """Return the conflicts that were left in `main.md`, in the pages below `memory/`, and in `more` documents.

    Pages of fates are named by their cycle and instance, so that no two branches write one: they are not looked at.
    """
    pages = (path for path in view.files(paths.MEMORY) if not path.startswith(fates_page.FOLDER))
    names = dict.fromkeys((paths.MAIN, cycles.PATH, *pages, *more))
    texts = ((path, _text(view, path)) for path in names)
    return [
        Conflict(path, line, _is_of_two(path, text))
        for path, text in texts
        for line in conflict_marks.starts(text, quoting=not _is_made(path))
        if not _is_import(path, text)
    ]


def apart(view: View) -> dict[str, str]:
    """Return by path the texts of journals that stand in one file with the marks of a merge, as each was written."""
    texts: dict[str, str] = {}
    for conflict in find(view, view.journals):
        if not conflict.is_two or conflict.path in texts:
            continue
        number = paths.journal_number(conflict.path)
        both = conflict_marks.sides(view.read(conflict.path) or "")
        own, other = (journal.identity_in(front_matter.peek(text).fields) for text in both)
        if own and other and own != other and own.number == other.number == number:
            path = paths.journal(*other)
            texts |= {conflict.path: both[0], path: both[1]} if view.read(path) in (None, both[1]) else {}
    return texts


def _is_of_two(path: str, text: str) -> bool:
    """Return whether two branches each wrote a journal of their own at a path."""
    return paths.journal_number(path) is not None and len(_TAG.findall(text)) > 1


def _is_import(path: str, text: str) -> bool:
    """Return whether a text is that of one document that was taken in: nothing is added to it, so marks are its own."""
    if paths.journal_number(path) is None or _is_of_two(path, text):
        return False
    try:
        return journal.is_import(front_matter.read(text).fields)
    except ValueError:  # marks may stand in the front matter itself
        return False


def _text(view: View, path: str) -> str:
    """Return a document's text, "" for a page of a person's that is no file (a link, a pipe): no step works on it."""
    try:
        return view.read(path) or ""
    except StorageError:
        if _is_made(path) or path.startswith(paths.JOURNALS):
            raise
        return ""


def _is_made(path: str) -> bool:
    """Return whether a document is written from journals: no other one quotes marks in code."""
    return path in (paths.MAIN, cycles.PATH) or path.startswith(_TIERS)


def refuse(view: View, journals: Iterable[str]) -> None:
    """Raise DocumentError that names every conflict in what a sleep on these journals reads as memory."""
    conflicts = find(view, journals)
    if conflicts:
        more = "".join(f", {other.where}" for other in conflicts[1:])
        raise DocumentError(
            f"a merge left its marks here (<<<<<<<){f'; also {more[2:]}' if more else ''} (one text without marks)",
            where=conflicts[0].where,
            hint=conflicts[0].hint,
        )
