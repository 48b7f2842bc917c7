"""Resolving what a merge left of the documents that a sleep writes, for a person who merges two branches with memory.

Owns which conflicts need nobody's judgement: two journals of one number are both kept, of a tier one side will do
because `doctor --fix` restores the other's records from the journals, rows of `cycles.md` and `topics.md` and lines of
`page.md` are kept of both, and of another page only what people wrote has to be merged. Refuses to commit, and to
choose between two texts of people.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep.documents import cycles, fates_page, front_matter, main_page, paths
from sleep.documents.markdown import conflict_marks
from sleep.documents.project import managed_block
from sleep.records import address, topic_changes
from sleep.store import files, history, layout
from sleep.store.git import content_filters, file_lists, merge
from sleep.tuples import NamedTuple
from sleep.wake import page

if TYPE_CHECKING:
    from collections.abc import Callable

    from sleep.store.layout import Root

_BASE, _OURS, _THEIRS = "1", "2", "3"
_SECTIONS = (main_page.HANDOFF, main_page.STATE, main_page.MAP)


class Sides(NamedTuple):
    """What a document says at the common ancestor, here, and on the other branch; "" where it is not there."""

    base: str
    ours: str
    theirs: str


def resolve(root: Root) -> tuple[str, ...]:
    """Resolve the conflicts that need nobody's judgement, stage what became of them, and return the documents' paths.

    A document from which a person has taken the marks already, or to which they added words, is left alone.

    Raises:
        GitStateError: git cannot stage them.
        StorageError: the disk refuses.
    """
    resolved: dict[str, dict[str, str]] = {}
    for path, stages in _unmerged(root).items():
        if written := _written(root, path, stages):
            resolved[path] = written
    for written in resolved.values():
        for path, text in written.items():
            files.write(root.absolute(path), text, within=root.path)
    if resolved:
        every = [path for written in resolved.values() for path in written]
        history.ask(root, "add", "--", *history.specs(root, every))
    return tuple(resolved)


def _unmerged(root: Root) -> dict[str, dict[str, str]]:
    """Return by path the blobs' ids by stage of the memory's documents that git could not merge."""
    _, out, _ = history.ask(root, "ls-files", "--unmerged", "-z", "--", *history.specs(root, ()))
    unmerged: dict[str, dict[str, str]] = {}
    for row in out.split(b"\0")[:-1]:
        fields, _, name = row.partition(b"\t")
        _, blob, stage = fields.decode().split()
        path = root.from_tree(os.fsdecode(name))
        if layout.is_owned(path):
            unmerged.setdefault(path, {})[stage] = blob
    content_filters.note(root, ((path, blob) for path, stages in unmerged.items() for blob in stages.values()))
    return unmerged


def _written(root: Root, path: str, stages: dict[str, str]) -> dict[str, str]:
    """Return by path the texts that resolve a conflict; none where a person has to, or has."""
    there = files.read(root.absolute(path), within=root.path)
    if there is None:
        return {}
    if _is_kept(path) and len(stages) < len(Sides._fields) and _BASE in stages:
        return {path: there}  # one side took the page away or never had it, and git left the other's
    is_marked = bool(conflict_marks.starts(there))
    if not is_marked and not _has_filter(root, path):
        return {}
    blobs = history.texts(root, stages)
    sides = Sides(*(blobs.get(stage, "") for stage in (_BASE, _OURS, _THEIRS)))
    # Of what a filter makes binary git leaves ours, without a mark.
    if not (_is_of(there, sides) if is_marked else there == sides.ours):
        return {}
    if paths.journal_number(path) is not None:
        return _journals(path, sides)
    text = _text(path, sides)
    return {} if text is None else {path: text}


def _has_filter(root: Root, path: str) -> bool:
    """Return whether git stores a file in another form, which it may take for binary. LFS for pictures is none."""
    return content_filters.may_be(root) and file_lists.attributes(root, path, "filter")[0] not in file_lists.NO_NAMES


def _is_kept(path: str) -> bool:
    """Return whether a document stays where one side has it: a tier, a journal, or a page of fates."""
    is_journal = paths.journal_number(path) is not None
    return is_journal or bool(paths.tier_of(path)) or path.startswith(fates_page.FOLDER)


def _is_of(text: str, sides: Sides) -> bool:
    """Return whether each line of a text is a mark of a conflict or stands in one of its sides."""
    known = {line for side in sides for line in side.splitlines()}
    return all(line in known or line.startswith(conflict_marks.MARKS) for line in text.splitlines())


def _journals(path: str, sides: Sides) -> dict[str, str]:
    """Return both journals of one number, theirs with its tag in the name; none for two versions of one journal.

    In a rebase a later step on theirs meets ours, too: then theirs stands under its name already, as it was before.
    """
    base, own, other = (address.parse_instance(_instance(path, text)) for text in sides)
    if own is None or other is None or own == other or base not in (None, own, other):
        return {}
    return {path: sides.ours, paths.journal(*other): sides.theirs}


def _instance(path: str, text: str) -> str:
    return f"i{paths.journal_number(path)}{front_matter.peek(text).fields.get('tag', '')}"


def _text(path: str, sides: Sides) -> str | None:
    """Return what becomes of a document, None where people's words are at odds, or it is none of ours."""
    if paths.tier_of(path):
        return sides.ours
    resolution = _RESOLUTIONS.get(path)
    return resolution(sides) if resolution else None


def _main(sides: Sides) -> str | None:
    """Return the main page with our sections as they are here, which the last cycle's handoff writes again."""
    base, theirs = sides.base, sides.theirs
    for title in _SECTIONS:
        content = main_page.section(sides.ours, title)
        base, theirs = (main_page.with_section(text, title, content) for text in (base, theirs))
    return merge.three_way(sides.ours, base, theirs)


def _block(sides: Sides) -> str | None:
    return managed_block.of_both(*sides, merge.three_way)


_RESOLUTIONS: dict[str, Callable[[Sides], str | None]] = {
    paths.MAIN: _main,
    cycles.PATH: lambda sides: cycles.of_both(*sides),
    topic_changes.PATH: lambda sides: cycles.merged(sides.ours, sides.base, sides.theirs),
    managed_block.PATH: _block,
    managed_block.PROPOSALS: _block,
    page.PATH: lambda sides: page.merged(sides.ours, sides.base, sides.theirs),
}
