"""The fates of a step that wrote none down, of a memory of the first format: taking the step again tells them.

Owns the proof that taking a step again on the memory before it gives what its commit holds, byte for byte. Without that
proof only what the documents show is told, and why. Refuses to ask a model, and to write anything. Nothing here is used
where a cycle has a page of its fates.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.compression import extractive, segments
from sleep.compression.contract import DROPPED
from sleep.compression.segments import Span
from sleep.cycle import fate_record, journal_to_hot, steps
from sleep.cycle.fate_record import REFERENCED, Change
from sleep.documents import paths
from sleep.documents import yaml_reader as yaml
from sleep.errors import DocumentError, SleepError
from sleep.history.past_steps import COLD, HOT, WARM, Blobs
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.settings import Settings, resolve
from sleep.store.tree import CommitTree, InMemory, Overlay

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.changes.comparison import Passage
    from sleep.cycle.outcome import Decided
    from sleep.documents.fates_page import Section
    from sleep.documents.journal import Journal
    from sleep.history.past_steps import Step
    from sleep.records.fragment import Fragment
    from sleep.store.layout import Root

_REASON = re.compile(r"^- dropped \(([^;)]+)", re.MULTILINE)
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
    decided, why = _again(step, before, wrote)
    if decided:
        return fate_record.section(change._replace(fates=decided.fates), decided.spans)
    spans = _observed(change) if is_hot else ()
    return _unexplained(fate_record.section(change, spans), step)._replace(observed=why)


def _unexplained(section: Section, step: Step) -> Section:
    """Return a section of which nobody knows the reasons, with what the commit says of all that it dropped."""
    reason = _REASON.search(step.commit.body)
    why = f"its commit says of all that it dropped: {reason[1]}" if reason else "nothing says why"
    rows = (row._replace(why=why) if row.fate == DROPPED and (reason or not row.why) else row for row in section.rows)
    return section._replace(rows=tuple(rows))


def _again(step: Step, before: View, wrote: Mapping[str, str | None]) -> tuple[Decided | None, str]:
    """Return what taking the step again decides, if it writes the same, else None and why not."""
    if not step.compressor.startswith(extractive.FAMILY):
        return None, f"it was written by {step.compressor or 'an unknown compressor'}, which is not asked again"
    instance = addressing.parse_instance(step.instance)
    path = before.path_of(instance) if instance else None
    if instance is None or path is None:
        return None, f"the memory before it has no journal of {step.instance or 'an instance'}"
    try:
        for settings in _settings(before):
            if step.step == HOT:
                decided = journal_to_hot.journal_to_hot(before, settings, path)
            elif step.step == WARM:
                decided = steps.hot_to_warm(before, settings, instance)
            else:
                decided = steps.warm_to_cold(before, settings, instance)
            writes = {name: text for name, text in decided.writes.items() if text != before.read(name)}
            if writes == wrote:
                return decided, ""
    except SleepError as error:
        return None, f"it cannot be taken again: {str(error).partition(chr(10))[0]}"
    if step.compressor != extractive.NAME:
        return None, f"it was written by {step.compressor}, and this program is {extractive.NAME}"
    return None, "taking it again gives something else (another version of the program, or the commit was edited)"


def _settings(view: View) -> tuple[Settings, ...]:
    """Return the settings that a step may have had: those of `sleep.yaml` then, and these with the environment's."""
    try:
        fields = yaml.load(view.read(paths.SETTINGS) or "")
    except ValueError as error:
        raise DocumentError(str(error), where=paths.SETTINGS) from None
    return tuple(dict.fromkeys((resolve(fields, environ={}), resolve(fields))))


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
