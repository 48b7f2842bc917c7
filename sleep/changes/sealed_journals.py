"""Journals that are not what they were when they were slept on: a journal never changes after that, but a person can.

Owns finding the text that a journal was slept on with, in the commits, and the sentence that says how to have it back.
What `memory.redact` took out of it is no change. Refuses to change anything.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.changes import own_steps
from sleep.documents import cycles, front_matter, paths, register
from sleep.documents import journal as journals
from sleep.errors import DocumentError
from sleep.memory.finding import Finding
from sleep.records import address as addressing
from sleep.store import files, history
from sleep.store.files import decode
from sleep.store.git import checkout
from sleep.store.git.loose_objects import blob_name
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from sleep.documents.entries import Entry
    from sleep.memory.view import View
    from sleep.records.address import InstanceId
    from sleep.store.history import Change, Commit
    from sleep.store.layout import Root

CHECK = "sealed journals"
_REST = "`sleepwake recall` finds the rest"
_LATER = f"`sleepwake doctor --fix` puts what binds of it into the tiers; {_REST}"
_REDACTED = re.compile(r"\[REDACTED:[a-z0-9-]{1,40}\]")  # `[REDACTED:github-token]`, not `[REDACTED]`


class _Version(NamedTuple):
    """A text that a journal had: the commit, and the blob's id."""

    commit: str
    name: str


def findings(root: Root, view: View, only: Collection[str] | None = None) -> Iterator[Finding]:
    """Yield a finding for each journal that was slept on and says something else now; of all, or only of some paths."""
    own = _slept_instances(view, view.journals if only is None else [path for path in view.journals if path in only])
    there = checkout.head(root) if own else None
    if there is None:
        return
    asked = (*own, cycles.PATH) if only is not None else (paths.JOURNALS.rstrip("/"), cycles.PATH)
    for path, versions in _sealed_versions(history.walk(root, asked, whole=True), own):
        now = view.read(path) or ""
        if blob_name(files.encode(now), there) == versions[-1].name:
            continue
        sealed = _first_closed(root, versions, own[path])
        if sealed and not _says_the_same(sealed[1], now):
            sha = sealed[0][:7]
            if more := _added(sealed[1], now):
                yield _addition(view, path, more, sha)
                continue
            what = f"was changed after it was slept on (as it was sealed, it is in {sha})"
            yield Finding(CHECK, "warn", what, path, f"git checkout {sha} -- {path}")


def _addition(view: View, path: str, added: Collection[str], sha: str) -> Finding:
    """Return the finding on entries that were added, by their addresses; a note once all that binds is in the tiers."""
    try:
        binding = [entry for entry in view.journal(path).entries if str(entry.address) in added and _binds(entry)]
    except DocumentError as error:  # it was slept on, and its front matter was broken since
        return Finding(CHECK, "fail", error.what, error.where, error.hint)
    texts = [view.read(page) or "" for page in view.files(paths.MEMORY) if paths.tier_of(page)] if binding else []
    what = f"{'an entry was' if len(added) == 1 else f'{len(added)} entries were'} added after it was slept on ({sha})"
    if all(any(str(entry.address) in text for text in texts) for entry in binding):
        return Finding(CHECK, "note", f"{what}; what binds of it stands in the tiers", path, _REST)
    return Finding(CHECK, "warn", what, path, _LATER)


def _binds(entry: Entry) -> bool:
    return register.is_opening(entry) or register.is_move(entry)


def _slept_instances(view: View, names: Iterable[str]) -> dict[str, InstanceId]:
    """Return by path the instances of those of the journals that were slept on."""
    slept = {cycle.instance for cycle in view.cycles}
    instances = {path: view.instance_of(path) for path in names}
    return {path: instance for path, instance in instances.items() if instance and instance in slept}


def _sealed_versions(
    walked: Sequence[tuple[Commit, tuple[Change, ...]]], own: dict[str, InstanceId]
) -> Iterator[tuple[str, list[_Version]]]:
    """Yield by path the versions that may be the one slept on: that before the cycle ended, else all, oldest first."""
    versions: dict[str, list[_Version]] = {}
    ended: dict[str, _Version] = {}
    path_of = {str(instance): path for path, instance in own.items()}
    for commit, changed in reversed(walked):
        for change in changed:
            if change.after and change.path in own:
                versions.setdefault(change.path, []).append(_Version(commit.sha, change.after))
        claim = own_steps.claim(commit)
        path = path_of.get(claim.instance, "") if claim and claim.step == own_steps.HANDOFF else ""
        if path in versions:
            ended[path] = versions[path][-1]
    for path, every in versions.items():
        yield path, [ended[path]] if path in ended else every


def _first_closed(root: Root, versions: Sequence[_Version], instance: InstanceId) -> tuple[str, str] | None:
    """Return the commit and the text of the first of a journal's versions that is closed, None where none is."""
    contents = history.blobs(root, (version.name for version in versions))
    for version in versions:
        text = decode(contents[version.name] or b"")
        try:
            journal = journals.read(text)
        except ValueError:
            continue
        if journal.sealed and journal.instance == instance:
            return version.commit, text
    return None


def _says_the_same(sealed: str, now: str) -> bool:
    """Return whether a text is the sealed one, but for how lines end and for secrets that were taken out."""
    before, after = ("\n".join(text.splitlines()).rstrip() for text in (sealed, now))
    if before == after:
        return True
    parts = _REDACTED.split(after)
    return len(parts) > 1 and _in_order(parts, before)


def _added(sealed: str, now: str) -> frozenset[str]:
    """Return the addresses behind the whole text of a sealed journal, none where anything else was changed."""
    before, after = ("\n".join(text.splitlines()) for text in (sealed, now))
    before, after = (text[front_matter.span(text)[2] :].rstrip() for text in (before, after))
    if not before or not after.startswith(f"{before}\n"):
        return frozenset()
    return frozenset(mark[1] for mark in addressing.MARK.finditer(after[len(before) :]))


def _in_order(parts: Sequence[str], text: str) -> bool:
    """Return whether a text is these parts with something between each two, on one line or more."""
    if not text.startswith(parts[0]) or not text.endswith(parts[-1]):
        return False
    at, end = len(parts[0]), len(text) - len(parts[-1])
    for part in parts[1:-1]:
        place = text.find(part, at, end)
        if place < 0:
            return False
        at = place + len(part)
    return at <= end
