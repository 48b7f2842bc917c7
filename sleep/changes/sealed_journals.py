"""Journals that are not what they were when they were slept on: a journal never changes after that, but a person can.

Owns finding the text that a journal was slept on with, in the commits, and the sentence that says how to have it back.
What `memory.redact` took out of it is no change. Refuses to change anything.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.changes import own_steps
from sleep.documents import cycles, paths
from sleep.documents import journal as journals
from sleep.memory.finding import Finding
from sleep.store import files, history
from sleep.store.exchange import blob_name
from sleep.store.files import decode
from sleep.store.git import checkout
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from sleep.memory.view import View
    from sleep.records.address import InstanceId
    from sleep.store.history import Change, Commit
    from sleep.store.layout import Root

CHECK = "sealed journals"
_REDACTED = re.compile(r"\[REDACTED:[a-z0-9-]{1,40}\]")  # `[REDACTED:github-token]`, not `[REDACTED]`


class _Version(NamedTuple):
    """A text that a journal had: the commit, and the blob's id."""

    commit: str
    name: str


def findings(root: Root, view: View, only: Collection[str] | None = None) -> Iterator[Finding]:
    """Yield a finding for each journal that was slept on and says something else now; of all, or only of some paths."""
    slept = {cycle.instance for cycle in view.cycles}
    own = {path: instance for path in view.journals if (instance := view.instance_of(path)) in slept and instance}
    if only is not None:
        own = {path: instance for path, instance in own.items() if path in only}
    there = checkout.head(root) if own else None
    if there is None:
        return
    sealed = dict(_sealed(history.walk(root, (*own, cycles.PATH), whole=True), own))
    asked = {
        path: version
        for path, version in sealed.items()
        if blob_name(files.encode(view.read(path) or ""), there) != version[-1].name
    }
    contents = history.blobs(root, (version.name for versions in asked.values() for version in versions))
    for path, versions in asked.items():
        texts = [decode(contents[version.name] or b"") for version in versions]
        index = _index(texts, own[path])
        if index is None or _says_the_same(texts[index], view.read(path) or ""):
            continue
        sha = versions[index].commit[:7]
        what = f"was changed after it was slept on (as it was sealed, it is in {sha})"
        yield Finding(CHECK, "warn", what, path, f"git checkout {sha} -- {path}")


def _sealed(
    walked: Sequence[tuple[Commit, tuple[Change, ...]]], own: dict[str, InstanceId]
) -> Iterator[tuple[str, list[_Version]]]:
    """Yield by path the versions that may be the one slept on: that before the cycle ended, else all, oldest first."""
    versions: dict[str, list[_Version]] = {}
    ended: dict[str, _Version] = {}
    paths_of = {str(instance): path for path, instance in own.items()}
    for commit, changed in reversed(walked):
        for change in changed:
            if change.after and paths.journal_number(change.path) is not None:
                versions.setdefault(change.path, []).append(_Version(commit.sha, change.after))
        claim = own_steps.claim(commit)
        path = paths_of.get(claim.instance, "") if claim and claim.step == own_steps.HANDOFF else ""
        if path in versions:
            ended[path] = versions[path][-1]
    for path, every in versions.items():
        yield path, [ended[path]] if path in ended else every


def _index(texts: Sequence[str], instance: InstanceId) -> int | None:
    """Return the first of a journal's versions that is closed, None where none is."""
    for index, text in enumerate(texts):
        try:
            journal = journals.read(text)
        except ValueError:
            continue
        if journal.sealed and journal.instance == instance:
            return index
    return None


def _says_the_same(sealed: str, now: str) -> bool:
    """Return whether a text is the sealed one, but for how lines end and for secrets that were taken out."""
    before, after = ("\n".join(text.splitlines()).rstrip() for text in (sealed, now))
    if before == after:
        return True
    parts = _REDACTED.split(after)
    return len(parts) > 1 and _in_order(parts, before)


def _in_order(parts: Sequence[str], text: str) -> bool:
    """Return whether a text is these parts with something between each two, on one line or more."""
    if not text.startswith(parts[0]) or not text.endswith(parts[-1]):
        return False
    at, end = len(parts[0]), len(text) - len(parts[-1])
    for part in parts[1:-1]:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return at <= end
