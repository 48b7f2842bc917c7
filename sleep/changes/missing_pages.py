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
    from sleep.store.layout import Root


class MissingPage(NamedTuple):
    """A page that is gone, or is not what the program wrote: its path, its last text, and the commit of that."""

    path: str
    text: str
    commit: str


class _Version(NamedTuple):
    """A text that a page had: the commit that has it, the blob's id, and whether a step of ours wrote it."""

    commit: str
    blob: str
    is_ours: bool


def find(root: Root, view: View) -> list[MissingPage]:
    """Return the pages that are gone and that history holds: the main page, the table of cycles, pages of fates."""
    gone = _find_in_history(root, view, _lost_pages(view))
    table = next((page.text for page in gone if page.path == cycles.PATH), "")
    every = view.cycles or cycles.read(table)
    return [*gone, *_find_in_history(root, view, [fates_page.path(cycle.number, cycle.instance) for cycle in every])]


def refuse(root: Root, view: View) -> None:
    """Raise DocumentError where the main page or the table of cycles is gone, and history holds it."""
    for page in _find_in_history(root, view, _lost_pages(view)):
        raise DocumentError(
            f"is gone, and a sleep needs it (git has it: {page.commit[:7]})",
            where=page.path,
            hint="sleepwake doctor --fix gives it back",
        )


def _lost_pages(view: View) -> list[str]:
    """Return which of the main page and the table are gone; without tiers too, somebody begins again from journals."""
    gone = [paths.MAIN] if view.read(paths.MAIN) is None else []
    tiers = (view.read(path) or "" for folder in paths.FOLDERS for path in view.files(folder))
    if not view.cycles and any(map(addressing.addresses, tiers)):
        gone.append(cycles.PATH)
    return gone


def _find_in_history(root: Root, view: View, wanted: Sequence[str]) -> list[MissingPage]:
    head = checkout.head(root) if wanted else None
    if head is None:
        return []
    versions = _versions(root, head, wanted)
    whole = {path: version for path, every in versions.items() if (version := _last_whole(root, path, every))}
    texts = history.texts(root, {path: version.blob for path, version in whole.items()})
    return [
        MissingPage(path, text, whole[path].commit)
        for path, text in texts.items()
        if _is_less(view.read(path), text, path)
    ]


def _versions(root: Root, head: str, wanted: Sequence[str]) -> dict[str, list[_Version]]:
    """Return by path the versions of pages, newest first.

    What a merge made of a page is in no commit's own changes: it is in HEAD, or is what a later commit took out.
    """
    versions: dict[str, list[_Version]] = {path: [] for path in wanted}
    shared = [path for path in wanted if not path.startswith(fates_page.FOLDER)]  # no two branches write one of fates
    for path, blob in history.blob_ids(root, head, shared).items():
        versions[path].append(_Version(head, blob, is_ours=False))
    places = shared if len(shared) == len(wanted) else [*shared, fates_page.FOLDER]
    for commit, changed in history.walk(root, places, whole=True):
        is_ours = own_steps.trailers(commit).get("Sleep-Step", "adopt") != "adopt"
        for change in changed:
            version = _Version(commit.sha, change.after, is_ours)
            earlier = _Version(next(iter(commit.parents), ""), change.before, is_ours=False)
            versions.get(change.path, []).extend(each for each in (version, earlier) if each.blob)
    return versions


def _last_whole(root: Root, path: str, versions: Sequence[_Version]) -> _Version | None:
    """Return the newest of a page's versions in which nobody had emptied it, None where there is none.

    That is one that a step of ours wrote, and of the table also one with rows. Where no step is told any more (after a
    squash), a page of fates is as it was first written, and filled by the versions after that.
    """
    if path == paths.MAIN:
        return next(iter(versions), None)
    if path == cycles.PATH:
        return next((version for version in versions if version.is_ours or _has_rows(root, version)), None)
    ours = (version for version in versions if version.is_ours)
    return next(ours, None) or _filled(root, versions)


def _filled(root: Root, versions: Sequence[_Version]) -> _Version | None:
    """Return the first version of a page of fates, or the last that only fills what those before it left empty."""
    if not versions:
        return None
    texts = history.texts(root, {version.blob: version.blob for version in versions})
    filled = versions[-1]
    for later in reversed(versions[:-1]):
        before, after = (fates_page.read(texts[version.blob]) for version in (filled, later))
        is_kept = all(after.of(section.step) == section for section in before.sections)
        if is_kept and before.sizes in ((), after.sizes):
            filled = later
    return filled


def _has_rows(root: Root, version: _Version) -> bool:
    return bool(cycles.read(history.texts(root, {cycles.PATH: version.blob})[cycles.PATH]))


def _is_less(now: str | None, text: str, path: str) -> bool:
    """Return whether a page does not say what it said; a table without rows said nothing."""
    if path == cycles.PATH:
        return bool(cycles.read(text))
    return (now or "").splitlines() != text.splitlines()
