"""The memory as it would be without some cycles: later cycles slept again, people's edits laid over, in their order.

Owns that replay and the merge of an edit with what the replay has come to. A conflict stops it with nothing changed.
What another compressor wrote is not asked for again but taken as it was committed. Refuses to write, and to decide from
where to replay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.changes.own_steps import UNDO
from sleep.cycle import compressor, cycle_plan, topics
from sleep.documents import cycles, fates_page, main_page, paths, tier
from sleep.documents.project import managed_block, page_forms
from sleep.errors import GitStateError
from sleep.memory.view import View
from sleep.records import topic_changes
from sleep.store import history as past
from sleep.store import layout
from sleep.store.git import file_lists, merge
from sleep.store.tree import Overlay, WorkTree

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sleep.changes.own_steps import Claim
    from sleep.documents.cycles import Cycle
    from sleep.memory.place import Place
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment
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

    All other commits are people's, a squash that took our trailers over too. `pending` is what is not committed yet,
    `undone` the cycle that is to be undone.
    """

    commits: Sequence[Commit]
    ours: Mapping[str, Claim]
    again: Mapping[tuple[int, str], Cycle]
    pending: Sequence[Edited]
    undone: tuple[int, str]

    def of(self, key: tuple[int, str]) -> list[Commit]:
        """Return the commits of a cycle's steps."""
        own = {sha for sha, claim in self.ours.items() if claim.is_step_of(key)}
        return [commit for commit in self.commits if commit.sha in own]

    @property
    def others(self) -> list[Commit]:
        """The commits that no step of ours made."""
        return [commit for commit in self.commits if commit.sha not in self.ours]


def is_same(now: str | None, then: str | None) -> bool:
    """Return whether a text on disk is one that git keeps, but for line ends, which git may have made CRLF there."""
    return then in (now, now and now.replace("\r\n", "\n"))


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
        claim = span.ours.get(commit.sha)
        if claim is None:
            _lay_over(base, writes, _own_edits(where.root, commit), keep_journals=keep_journals)
            if _changes_topics(commit):
                writes.update(topics.obeyed(View(Overlay(base, writes)), where.settings.topic_tokens))
        elif claim.key in span.again and claim.key not in slept:
            slept.add(claim.key)
            cycle = span.again[claim.key]
            pick = compressor.committed(where.root, span.of(claim.key))
            steps, _, _ = cycle_plan.plan_all(
                where.settings, Overlay(base, writes), cycle.slept, cycle.number, instance=cycle.instance, pick=pick
            )
            for step in steps:
                writes.update(step.decided.writes)
    _lay_over(base, writes, span.pending, keep_journals=keep_journals)
    slept_on = {cycle.key for cycle in View(Overlay(base, writes)).cycles}
    undone = {span.undone, *(claim.key for claim in span.ours.values() if claim.step == UNDO)} - slept_on
    for path in Overlay(base, writes).list(fates_page.FOLDER):
        if fates_page.key_of(path) in undone:
            writes[path] = None  # a migration wrote it, of a cycle that is undone
    return Overlay(base, writes)


def _changes_topics(commit: Commit) -> bool:
    """Return whether a commit says that it renamed, merged or split topics."""
    return ("Sleep-Step", topic_changes.TOPICS) in commit.trailers


def _own_edits(root: Root, commit: Commit) -> Iterator[Edited]:
    """Yield what a commit changed; of one that changed topics only the page that says which: the files follow it."""
    is_moved = _changes_topics(commit)
    return (edit for edit in edits(root, commit) if not (is_moved and paths.tier_of(edit.path)))


def _lay_over(base: Tree, writes: dict[str, str | None], edits: Iterable[Edited], *, keep_journals: bool) -> None:
    own = [edit for edit in edits if not (keep_journals and edit.path.startswith(paths.JOURNALS))]
    for path, before, after in _followed(base, writes, own):
        writes[path] = _merged(path, Overlay(base, writes).read(path), before, after)


def _followed(base: Tree, writes: dict[str, str | None], edits: list[Edited]) -> list[Edited]:
    """Carry out in another document what a person did to a fragment that stands there now; return what is left.

    Without the cycle a fragment may be in another tier than where the person found it. Its address says which it is.
    """
    tiers = [edit for edit in edits if paths.tier_of(edit.path)]
    names = {edit.path for edit in tiers}
    changed = _changed(tiers)
    if not changed:
        return edits
    view = View(Overlay(base, writes))
    elsewhere: dict[str, dict[Fragment, Fragment | None]] = {}
    for path, fragment in view.placed():
        if path not in names and fragment.identity in changed:
            elsewhere.setdefault(path, {})[fragment] = changed[fragment.identity]
    for path, became in elsewhere.items():
        writes[path] = _rewritten(path, view.read(path) or "", became)
    done = {fragment.identity for became in elsewhere.values() for fragment in became}
    return [_without_fragments(edit, done) if edit.path in names else edit for edit in edits]


def _rewritten(path: str, text: str, became: Mapping[Fragment, Fragment | None]) -> str | None:
    """Return a tier's document with what became of its fragments, another one or none; None where nothing is left."""
    swap = {fragment: fresh for fragment, fresh in became.items() if fresh}
    text = tier.write(text, drop={*became} - {*swap}, replace=swap)
    return topics.emptied(text) if path not in paths.HOT else text


def _changed(edits: Sequence[Edited]) -> dict[Address, Fragment | None]:
    """Return what became of the fragments that edits of tiers' documents changed, None for those they took out."""
    old, new = (
        {fragment.identity: fragment for text in texts for fragment in tier.parse(text or "").fragments}
        for texts in ([edit.before for edit in edits], [edit.after for edit in edits])
    )
    return {name: new.get(name) for name, fragment in old.items() if new.get(name) != fragment}


def _without_fragments(edit: Edited, gone: Collection[Address]) -> Edited:
    """Return an edit of a tier's document as if these fragments had not been in it."""
    return Edited(edit.path, _without(edit.before, gone), _without(edit.after, gone))


def _without(text: str | None, gone: Collection[Address]) -> str | None:
    if not text:
        return text
    fragments = [fragment for fragment in tier.parse(text).fragments if fragment.identity in gone]
    return topics.emptied(tier.write(text, drop=fragments))


def _merged(path: str, now: str | None, before: str | None, after: str | None) -> str | None:
    if before == after:  # what was done was done elsewhere
        return now
    if path.startswith(fates_page.FOLDER):  # what the cycle wrote when it was slept again holds
        return after if now is None else now
    if now in (before, after):
        return after
    if path == managed_block.PROPOSALS:
        return managed_block.merged_proposals(now, before, after, merge.three_way)
    both = None
    if path == topic_changes.PATH:
        both = cycles.merged(now or "", before or "", after or "")
    elif now is not None and before is not None and after is not None:
        both = _merged_texts(path, now, before, after)
    if both is None:
        raise GitStateError(
            "an edit made by hand after that cycle cannot be kept without it (nothing was changed)",
            where=path,
            hint="undo the edit first, or edit the file as it should be",
        )
    return both


def _merged_texts(path: str, now: str, before: str, after: str) -> str | None:
    """Return what both sides made of a document's lines, rows or fragments; None where they are at odds."""
    both = merge.three_way(now, before, after)
    if both is None and (form := page_forms.of(path)):
        return form.merged(now, before, after, merge.three_way)
    if both is None and (merge_rest := _MERGES.get(path) or (_merged_fragments if paths.tier_of(path) else None)):
        return merge_rest(now, before, after)
    return both


def _merged_main(now: str, before: str, after: str) -> str | None:
    """Return the page as it is now where only our own sections differ, which are derived."""
    return now if main_page.unmanaged(before) == main_page.unmanaged(after) else None


def _merged_fragments(now: str, before: str, after: str) -> str | None:
    """Return `after` with the fragments made what they are in `now`, None if a person changed one of those that differ.

    Lines merge only where nothing beside them changed; fragments merge one by one.
    """
    old, new, own = (tier.parse(text).fragments for text in (before, now, after))
    gone = [fragment for fragment in old if fragment not in new]
    fresh = [fragment for fragment in new if fragment not in old]
    if not {*gone} <= {*own}:
        return None
    # A record that only changed its state is replaced where it stands.
    states = {fragment.identity: fragment for fragment in fresh if fragment.is_record}
    replaced = {old: states[old.identity] for old in gone if old.is_record and old.identity in states}
    add = [fragment for fragment in fresh if fragment not in replaced.values()]
    return tier.write(after, drop={*gone} - {*replaced}, replace=replaced, add=add)


# What merges a document that three-way merging does not; tiers merge by their fragments.
_MERGES = {cycles.PATH: cycles.merged, paths.MAIN: _merged_main}


def without_reverts(root: Root, commits: Sequence[Commit], ours: Mapping[str, Claim]) -> list[Commit]:
    """Return the commits without those that only take an undo back, as `git revert` does: both together do nothing."""
    undone: list[list[Edited]] = []
    left = []
    for commit in commits:
        claim = ours.get(commit.sha)
        if claim is None and undone and (own := list(edits(root, commit))) in undone:
            undone.remove(own)
            continue
        if claim and claim.step == UNDO:
            undone.append([Edited(path, after, before) for path, before, after in edits(root, commit)])
        left.append(commit)
    return left


def edits(root: Root, commit: Commit) -> Iterator[Edited]:
    """Yield what a commit changed in owned files; of a merge, what it brought to the branch it was made on."""
    rows = [row for row in file_lists.differences(root, commit.parents[0], commit.sha) if layout.is_owned(row.path)]
    before, after = (past.texts(root, {row.path: row[side] for row in rows if row[side]}) for side in (1, 2))
    for path, *_ in rows:
        yield Edited(path, before.get(path), after.get(path))
