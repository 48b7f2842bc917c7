"""The fates of a step that wrote none down, of a memory of the first format: what the documents and its commit show.

Refuses to take a step again for its reasons, and to write anything. Nothing here is used where a cycle has a page of
its fates.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.compression import segments
from sleep.compression.contract import DROPPED
from sleep.compression.segments import Span
from sleep.cycle import fate_record
from sleep.cycle.fate_record import REFERENCED, Change
from sleep.history.past_steps import COLD, HOT, WARM, Blobs
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.store.tree import CommitTree, InMemory, Overlay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.changes.comparison import Passage
    from sleep.documents.fates_page import Section
    from sleep.documents.journal import Journal
    from sleep.history.past_steps import Step
    from sleep.records.fragment import Fragment
    from sleep.store.layout import Root

_REASON = re.compile(r"^- dropped \(([^;)]+)", re.MULTILINE)
_NO_REASONS = "its reasons are in no page of fates"  # true once a migration has written the page, too
_NO_WORDS = "its words are not in what the step wrote"


def section(root: Root, step: Step) -> Section | None:
    """Return what a step of a cycle did, None for one that moves no fragments, or has no journal to move from."""
    instance = addressing.parse_instance(step.instance)
    before = View(CommitTree(root, step.commit.parents[0]) if step.commit.parents else InMemory())
    path = (before.path_of(instance) if instance else None) or ""
    is_hot = step.step == HOT
    if step.step not in (HOT, WARM, COLD) or (is_hot and not path):
        return None
    contents = Blobs(root, (change.after for change in step.changes))
    wrote = {change.path: contents.text(change.after) if change.after else None for change in step.changes}
    after = View(Overlay(before.tree, wrote), before) if wrote else before
    change = Change(step.step, step.compressor, before, after, tuple(wrote), journal=path if is_hot else "")
    spans = _observed(change) if is_hot else ()
    return _unexplained(fate_record.section(change, spans), step)._replace(observed=_NO_REASONS)


def _unexplained(section: Section, step: Step) -> Section:
    """Return a section of which nobody knows the reasons, with what the commit says of all that it dropped."""
    reason = _REASON.search(step.commit.body)
    why = f"its commit says of all that it dropped: {reason[1]}" if reason else "nothing says why"
    rows = (row._replace(why=why) if row.fate == DROPPED and (reason or not row.why) else row for row in section.rows)
    return section._replace(rows=tuple(rows))


def _observed(change: Change) -> tuple[Span, ...]:
    passages = [passage for passage in fate_record.between(change) if passage.source == change.journal]
    return observed(change.before.journal(change.journal), passages)


def observed(journal: Journal, passages: Sequence[Passage]) -> tuple[Span, ...]:
    """Return the spans of a journal by what the documents show of its fragments, where no step's own account is."""
    known: dict[Fragment, list[Passage]] = {}
    for passage in passages:
        if passage.before:
            known.setdefault(passage.before, []).append(passage)
    cut = segments.cut(journal)
    spans = segments.frame(journal.text, cut)
    for piece in cut:
        fate, why = DROPPED, _NO_WORDS
        if piece.fragment is None:
            fate, why = REFERENCED, "stays in the journal at its address"
        elif own := known.get(piece.fragment):
            passage = own.pop(0) if len(own) > 1 else own[0]
            fate, why = passage.fate, passage.detail or (_NO_WORDS if passage.fate == DROPPED else "")
        spans.append(Span(piece.start, piece.end, fate, why))
    return tuple(sorted(spans))
