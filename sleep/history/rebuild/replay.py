"""The memory as it would be without some cycles: later cycles slept again, people's edits laid over, in their order.

Owns that replay and the merge of an edit with what the replay has come to. A conflict stops it with nothing changed.
What another compressor wrote is not asked for again but taken as it was committed. Refuses to write, and to decide from
where to replay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.changes import own_steps
from sleep.cycle import compressor, cycle_plan, topics
from sleep.documents import cycles, fates_page, main_page, paths, tier
from sleep.errors import GitStateError
from sleep.memory.view import View
from sleep.store import history as past
from sleep.store import layout
from sleep.store.git import merge
from sleep.store.tree import Overlay, WorkTree

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sleep.changes.own_steps import Claim
    from sleep.documents.cycles import Cycle
    from sleep.memory.place import Place
    from sleep.records.address import Address
    from sleep.store.history import Commit
    from sleep.store.layout import Root
    from sleep.store.tree import Tree


class Edited(NamedTuple):
    """What a person did to a document: its text before and after, None where there is none."""

    path: str
    before: str | None
    after: str | None


class Span(NamedTuple):
    """The commits from the first that is undone to the last, oldest first; which are ours; what is slept again.

    All other commits are people's, a squash that took our trailers over too. `pending` is what is not committed yet.
    """

    commits: Sequence[Commit]
    ours: Mapping[str, Claim]
    again: Mapping[tuple[int, str], Cycle]
    pending: Sequence[Edited]

    def of(self, key: tuple[int, str]) -> list[Commit]:
        """Return the commits of a cycle's steps."""
        own = {sha for sha, said in self.ours.items() if said.key == key and said.step != own_steps.UNDO}
        return [one for one in self.commits if one.sha in own]

    @property
    def others(self) -> list[Commit]:
        """The commits that no step of ours made."""
        return [one for one in self.commits if one.sha not in self.ours]


def run(where: Place, base: Tree, span: Span, *, keep_journals: bool) -> Overlay:
    """Return the memory made of `base` by people's edits and by the cycles slept again, in the order of history.

    Raises:
        GitStateError: an edit cannot be laid over what the replay has come to.
    """
    writes: dict[str, str | None] = {}
    present = WorkTree(where.root)
    if keep_journals:  # what was said stays said, with the addresses it was given
        writes = {path: present.read(path) for path in present.list("journal")}
    slept: set[tuple[int, str]] = set()
    for commit in span.commits:
        said = span.ours.get(commit.sha)
        if said is None:
            _lay_over(base, writes, edits(where.root, commit), keep_journals=keep_journals)
        elif said.key in span.again and said.key not in slept:
            slept.add(said.key)
            cycle = span.again[said.key]
            pick = compressor.committed(where.root, span.of(said.key))
            taken, _, _ = cycle_plan.plan_all(
                where.settings, Overlay(base, writes), cycle.slept, cycle.number, instance=cycle.instance, pick=pick
            )
            for one in taken:
                writes.update(one.decided.writes)
    _lay_over(base, writes, span.pending, keep_journals=keep_journals)
    slept_on = {(cycle.number, str(cycle.instance)) for cycle in View(Overlay(base, writes)).cycles}
    for path in Overlay(base, writes).list(fates_page.FOLDER):
        if (key := fates_page.key_of(path)) and key not in slept_on:
            writes[path] = None  # a migration wrote it of the cycle that is undone
    return Overlay(base, writes)


def _lay_over(base: Tree, writes: dict[str, str | None], edits: Iterable[Edited], *, keep_journals: bool) -> None:
    own = [one for one in edits if not (keep_journals and one.path.startswith(paths.JOURNALS))]
    for path, before, after in _followed(base, writes, own):
        writes[path] = _merged(path, Overlay(base, writes).read(path), before, after)


def _followed(base: Tree, writes: dict[str, str | None], edits: list[Edited]) -> list[Edited]:
    """Carry out in another document what a person did to a fragment that stands there now; return what is left.

    Without the cycle a fragment may be in another tier than where the person found it. Its address says which it is.
    """
    tiers = [one for one in edits if paths.tier_of(one.path)]
    old, new = ({each.identity: each for one in tiers for each in tier.parse(one[at] or "").fragments} for at in (1, 2))
    changed = {name: new.get(name) for name, one in old.items() if new.get(name) != one}
    if not changed:
        return edits
    names = {one.path for one in tiers}
    view = View(Overlay(base, writes))
    elsewhere = {one.identity for path, one in view.placed() if path not in names and one.identity in changed}
    for path in {path for path, one in view.placed() if path not in names and one.identity in elsewhere}:
        there = [one for one in view.tier(path).fragments if one.identity in elsewhere]
        swap = {one: fresh for one in there if (fresh := changed[one.identity])}
        text = tier.write(view.read(path) or "", drop=[one for one in there if one not in swap], replace=swap)
        writes[path] = topics.emptied(text) if path not in paths.HOT else text
    return [_without(one, elsewhere) if one.path in names else one for one in edits]


def _without(edit: Edited, gone: Collection[Address]) -> Edited:
    """Return an edit of a tier's document as if these fragments had not been in it."""
    before, after = (
        text
        and topics.emptied(tier.write(text, drop=[one for one in tier.parse(text).fragments if one.identity in gone]))
        for text in edit[1:]
    )
    return Edited(edit.path, before, after)


def _merged(path: str, now: str | None, before: str | None, after: str | None) -> str | None:
    if before == after:  # what was done was done elsewhere
        return now
    if path.startswith(fates_page.FOLDER):  # what the cycle wrote when it was slept again holds
        return after if now is None else now
    if now in (before, after):
        return after
    if now is None or before is None or after is None:
        raise _conflict(path)
    both = merge.three_way(now, before, after)
    if both is None and paths.tier_of(path):
        both = _merged_fragments(now, before, after)
    elif both is None and path == cycles.PATH:
        both = _merged_rows(now, before, after)
    elif both is None and path == paths.MAIN and main_page.unmanaged(before) == main_page.unmanaged(after):
        both = now  # only our own sections differ, which are derived
    if both is None:
        raise _conflict(path)
    return both


def _merged_rows(now: str, before: str, after: str) -> str:
    """Return the table of cycles with the lines that went gone, and those that came at its end: a line is a cycle."""
    rows = [text.splitlines(keepends=True) for text in (now, before, after)]
    left = [line for line in rows[0] if line in rows[2] or line not in rows[1]]
    return "".join((*left, *(line for line in rows[2] if line not in rows[1] and line not in left)))


def _merged_fragments(now: str, before: str, after: str) -> str | None:
    """Return `after` with the fragments made what they are in `now`, None if a person changed one of those that differ.

    Lines merge only where nothing beside them changed; fragments merge one by one.
    """
    old, new, own = (tier.parse(text).fragments for text in (before, now, after))
    gone, fresh = [one for one in old if one not in new], [one for one in new if one not in old]
    if any(one not in own for one in gone):
        return None
    # A record that only changed its state is replaced where it stands.
    states = {one.identity: one for one in fresh if one.is_record}
    replaced = {one: states[one.identity] for one in gone if one.is_record and one.identity in states}
    add = [one for one in fresh if one not in replaced.values()]
    return tier.write(after, drop=[one for one in gone if one not in replaced], replace=replaced, add=add)


def _conflict(path: str) -> GitStateError:
    return GitStateError(
        "an edit made by hand after that cycle cannot be kept without it (nothing was changed)",
        where=path,
        hint="undo the edit first, or edit the file as it should be",
    )


def edits(root: Root, commit: Commit) -> Iterator[Edited]:
    """Yield what a commit changed in owned files; of a merge, what it brought to the branch it was made on."""
    parent = commit.parents[0]
    owned = [path for path in past.diff_paths(root, parent, commit.sha) if layout.is_owned(path)]
    before = past.read_many(root, parent, owned)
    after = past.read_many(root, commit.sha, owned)
    for path in owned:
        yield Edited(path, before.get(path), after.get(path))
