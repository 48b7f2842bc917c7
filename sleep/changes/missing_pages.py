"""Pages that no journal gives back: the main page with a person's own words, the table of cycles, the pages of fates.

Owns finding in history what they said when one is gone, and the refusal to sleep without them: a sleep without the
table would sleep on everything again. Refuses to write anything: that is `upkeep.restoration`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.changes import own_steps
from sleep.documents import cycles, fates_page, paths
from sleep.errors import DocumentError
from sleep.records import address as addressing
from sleep.store import history
from sleep.store.git import checkout
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.memory.view import View
    from sleep.store.history import Commit
    from sleep.store.layout import Root


class MissingPage(NamedTuple):
    """A page that is gone, or is not what the program wrote: its path, its last text, and the commit of that."""

    path: str
    text: str
    commit: str


def find(root: Root, view: View) -> list[MissingPage]:
    """Return the pages that are gone and that history holds: the main page, the table of cycles, pages of fates."""
    return _pages(root, view, [*_gone(view), *(fates_page.path(cycle.number, cycle.instance) for cycle in view.cycles)])


def refuse(root: Root, view: View) -> None:
    """Raise DocumentError where the main page or the table of cycles is gone, and history holds it."""
    for page in _pages(root, view, _gone(view)):
        raise DocumentError(
            f"is gone, and a sleep needs it (git has it: {page.commit[:7]})",
            where=page.path,
            hint="sleepwake doctor --fix gives it back",
        )


def _gone(view: View) -> list[str]:
    """Return which of the main page and the table are gone; without tiers too, somebody begins again from journals."""
    gone = [paths.MAIN] if view.read(paths.MAIN) is None else []
    if not view.cycles and any(addressing.addresses(view.read(path) or "") for path in _tiers(view)):
        gone.append(cycles.PATH)
    return gone


def _tiers(view: View) -> list[str]:
    return [path for folder in paths.FOLDERS for path in view.files(folder)]


def _pages(root: Root, view: View, wanted: Sequence[str]) -> list[MissingPage]:
    if not wanted or checkout.head(root) is None:
        return []
    last: dict[str, tuple[str, str]] = {}
    for commit, changed in history.walk(root, _watched(wanted), whole=True):  # newest first
        for change in changed:
            if change.path in wanted and change.path not in last and change.after and _is_whole(change.path, commit):
                last[change.path] = commit.sha, change.after
    texts = history.texts(root, {path: name for path, (_, name) in last.items()})
    return [
        MissingPage(path, texts[path], last[path][0])
        for path in wanted
        if path in last and (path == paths.MAIN or _is_less(view.read(path), texts[path], path))
    ]


def _watched(wanted: Sequence[str]) -> list[str]:
    """Return what to ask git for: the folder of fates in the place of each of its pages."""
    return list(dict.fromkeys(fates_page.FOLDER if path.startswith(fates_page.FOLDER) else path for path in wanted))


def _is_whole(path: str, commit: Commit) -> bool:
    """Return whether a commit left a page as it should be: what is written from journals, only a step of ours does."""
    return path == paths.MAIN or own_steps.trailers(commit).get("Sleep-Step", "adopt") != "adopt"


def _is_less(now: str | None, text: str, path: str) -> bool:
    """Return whether a page that is written from journals is not as it was left."""
    if path == cycles.PATH:
        return bool(cycles.read(text))
    return (now or "").splitlines() != text.splitlines()
