"""What history says of what is missing: whether a person took it out, and where a journal that is gone stands.

Owns the rule that tells a deletion that a person meant from one that git made. A line is taken out on purpose by a
commit of a person (no step of ours, no merge, no squash, no revert) that leaves the file in a state in which it never
was before; a journal by such a commit that deletes it. A revert, a checkout of an older state and a merge bring back
old states, or lose what came from the other side: they say nothing of what a person wants. Refuses to change anything.
"""

from __future__ import annotations

import re
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from sleep.documents import cycles, paths
from sleep.documents import journal as journals
from sleep.records import address as addressing
from sleep.store import files, history
from sleep.store.files import decode
from sleep.store.git import checkout, patches
from sleep.store.git.loose_objects import blob_name
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.memory.view import View
    from sleep.records.address import Address, InstanceId
    from sleep.store.git.patches import Patch
    from sleep.store.history import Change, Commit
    from sleep.store.layout import Root

PUT_BACK = "Sleep-Put-Back"  # the trailer of a commit that put something back
_UNDO = "Sleep-Undo"
_OURS = ("Sleep-Cycle", _UNDO, PUT_BACK)
_NOT_MEANT = re.compile(r"(?m)^(?:This reverts commit |Squashed commit of the following)|\A(?:Revert|Reapply) \"")
HAND, STEP = "hand", "step"
UNCOMMITTED = "uncommitted"  # in place of a commit
_FOLDER = paths.JOURNALS.rstrip("/")


class Fate(NamedTuple):
    """Where a line of the tiers went: the last commit that touched it, and whether a `HAND` or a `STEP` took it.

    `by` is "" where git did, or where the commit put the line there.
    """

    commit: str
    by: str


class LostJournal(NamedTuple):
    """A journal that history holds and the memory does not: its instance, path then, and text.

    `commit` is that of the person who deleted it, "" where nobody meant to.
    """

    instance: InstanceId
    path: str
    text: str
    commit: str = ""


def fates(root: Root, addresses: Iterable[Address]) -> dict[Address, Fate]:
    """Return by address what the last commit that touched its line in the tiers says of it; none never stood."""
    wanted = list(dict.fromkeys(addresses))
    if not wanted:
        return {}
    edited = _uncommitted_removals(root)
    states = _States(root)
    last: dict[Address, Fate] = {}
    # Newest first: the first that says something of an address is the last.
    touching = patches.touching(root, [str(address) for address in wanted], paths.TIERS)
    for commit in (list(group) for _, group in groupby(touching, attrgetter("sha"))):
        out = set(addressing.addresses("\n".join(patch.out for patch in commit)))
        put = set(addressing.addresses("\n".join(patch.put for patch in commit)))
        for address in wanted:
            if address not in last and address in out | put:
                by = _remover(commit, address, states) if address in out - put else ""
                last[address] = Fate(commit[0].sha, by)
    return last | {address: Fate(UNCOMMITTED, HAND) for address in wanted if address in edited}


def _remover(commit: list[Patch], address: Address, states: _States) -> str:
    """Return who took an address out in a commit: `HAND`, `STEP`, "" where git did."""
    if _is_meant(commit[0]) and _is_new(commit, address, states):
        return "" if states.brings_cycles(commit[0]) else HAND
    return STEP if _is_move(commit[0]) else ""


def _uncommitted_removals(root: Root) -> frozenset[Address]:
    """Return the addresses that a person took out of the tiers by edits that are not committed yet."""
    if checkout.head(root) is None:
        return frozenset()
    removed: set[Address] = set()
    left: set[Address] = set()
    older: frozenset[str] | None = None
    for path, name in history.listing(root, "HEAD", "memory").items():
        content = files.read_bytes(root.absolute(path)) if paths.tier_of(path) else None
        if content is None or not content.strip():
            continue
        left.update(addressing.addresses(decode(content)))
        if blob_name(content, name) != name:
            older = older if older is not None else _States(root).before("")
            if blob_name(content, name) not in older:
                removed.update(addressing.addresses(decode(history.blobs(root, (name,))[name] or b"")))
    return frozenset(removed - left)


def _is_move(patch: Patch) -> bool:
    """Return whether a commit is a step that moves fragments on, which drops prose."""
    steps = [value for name, value in patch.trailers if name == "Sleep-Step"]
    return len(patch.parents) == 1 and steps in (["hot to warm"], ["warm to cold"])


def _is_meant(patch: Patch) -> bool:
    ours = any(name in _OURS for name, _ in patch.trailers)
    return len(patch.parents) == 1 and not ours and not _NOT_MEANT.search(patch.body)


def _is_new(commit: list[Patch], address: Address, states: _States) -> bool:
    """Return whether the files that lost an address are left in a state that they never had before, and are there."""
    left = [patch.after for patch in commit if address in addressing.addresses(patch.out)]
    older = states.before(commit[0].sha)
    return not any(set(name) == {"0"} or name in older for name in left)


def is_older(root: Root, path: str, text: str, sha: str = "") -> bool:
    """Return whether a tier's file was left by a commit (or, without one, is now) in a state that it had before."""
    there = checkout.head(root) or ""
    return blob_name(files.encode(text), there) in _States(root, path).before(sha)


class _States:
    """The states that the tiers' files had through history, read when they are asked for."""

    def __init__(self, root: Root, path: str = "") -> None:
        self._root = root
        self._paths = (path,) if path else paths.TIERS
        self._walked: list[tuple[str, frozenset[str]]] = []
        self._bringing: dict[str, bool] = {}

    def before(self, sha: str) -> frozenset[str]:
        """Return the blobs' ids that the tiers' files had before a commit, ever where it is not one of history."""
        if not self._walked:
            walked = history.walk(self._root, self._paths, whole=True)
            self._walked = [
                (commit.sha, frozenset(name for row in rows for name in row[1:])) for commit, rows in walked
            ]
        at = next((index for index, (name, _) in enumerate(self._walked) if name == sha), -1)
        return frozenset().union(*(names for _, names in self._walked[at + 1 :]))

    def brings_cycles(self, commit: Patch) -> bool:
        """Return whether a commit of no step adds rows to the table of cycles, as a squash of a branch does."""
        if commit.sha not in self._bringing:
            before, after = (self._cycles(rev) for rev in (commit.parents[0], commit.sha))
            self._bringing[commit.sha] = not after <= before
        return self._bringing[commit.sha]

    def _cycles(self, rev: str) -> set[tuple[int, InstanceId]]:
        return {(row.number, row.instance) for row in cycles.read(history.read(self._root, rev, cycles.PATH))}


def lost_journals(root: Root, view: View) -> list[LostJournal]:
    """Return the journals that HEAD's history holds and the memory does not, oldest first.

    With them those that any branch holds and of which something stands in a tier: a squash that took one side of a
    conflict leaves the words of a journal without it.
    """
    missing = _journals_of(root, view, "HEAD")
    absent = {instance for _, fragment in view.placed() for instance in fragment.instances}
    absent -= {journal.instance for journal in missing}
    if any(view.path_of(instance) is None for instance in absent):
        missing += [journal for journal in _journals_of(root, view, "--all") if journal.instance in absent]
    return sorted(missing, key=lambda journal: (journal.instance.number, journal.path))


def _journals_of(root: Root, view: View, rev: str) -> list[LostJournal]:
    """Return the journals that a history holds and the memory does not."""
    rows = _journal_changes(root, rev)
    contents = history.blobs(root, (change.after for own in rows.values() for _, change in own if change.after))
    texts = {name: decode(content) for name, content in contents.items() if content is not None}
    by_instance: dict[InstanceId, LostJournal] = {}
    versions = [(path, texts.get(change.after, "")) for path in sorted(rows) for _, change in rows[path]]
    for path, text in versions:
        instance = instance_of(text)
        if instance is None or view.path_of(instance) is not None:
            continue
        known = by_instance.get(instance)
        if _is_unsealed(rows[path], instance, texts):
            continue
        if known is None or (_is_sealed(text) and not _is_sealed(known.text)):
            by_instance[instance] = LostJournal(instance, path, text, _deleting_commit(rows[path], instance, texts))
    return list(by_instance.values())


def _journal_changes(root: Root, rev: str) -> dict[str, list[tuple[Commit, Change]]]:
    """Return by path what commits did to journals, newest first."""
    rows: dict[str, list[tuple[Commit, Change]]] = {}
    for commit, changed in history.walk(root, (_FOLDER,), whole=True, rev=rev):
        for change in changed:
            if paths.journal_number(change.path) is not None:
                rows.setdefault(change.path, []).append((commit, change))
    return rows


def _deleting_commit(rows: Sequence[tuple[Commit, Change]], instance: InstanceId, texts: Mapping[str, str]) -> str:
    """Return the commit in which a person deleted a journal, "" where nobody did."""
    for commit, change in rows:
        if not change.after and instance_of(texts.get(change.before, "")) == instance:
            ours = any(name in _OURS for name, _ in commit.trailers)
            meant = not ours and not _NOT_MEANT.search(f"{commit.subject}\n\n{commit.body}")
            return commit.sha if meant else ""
    return ""


def _is_unsealed(rows: Sequence[tuple[Commit, Change]], instance: InstanceId, texts: Mapping[str, str]) -> bool:
    """Return whether an undo took a journal's identity back: a person wrote it, and its seal had named it."""
    for commit, change in rows:
        if instance_of(texts.get(change.before, "")) == instance:
            return bool(change.after) and any(name == _UNDO for name, _ in commit.trailers)
    return False


def instance_of(text: str) -> InstanceId | None:
    """Return the instance of a journal by its text, None where that is none."""
    try:
        return journals.instance_of(text[: max(text.find("\n---", 4) + 5, 0)])  # a body may be long
    except ValueError:
        return None


def _is_sealed(text: str) -> bool:
    return "\nended:" in text[: text.find("\n---", 4) + 1]
