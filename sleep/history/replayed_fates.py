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
    from sleep.store.tree import Tree

_EXTRACTIVE = extractive.NAME.partition("/")[0] + "/"
_SAID = re.compile(r"^- dropped \(([^;)]+)", re.MULTILINE)
_NOT_SAID = "its words are not in what the step wrote"


def section(root: Root, step: Step) -> Section | None:
    """Return what a step of a cycle did, None for one that moves no fragments, or has no journal to move from."""
    if step.step not in (HOT, WARM, COLD):
        return None
    parents = step.commit.parents
    base: Tree = CommitTree(root, parents[0]) if parents else InMemory()
    contents = Blobs(root, (change.after for change in step.changes))
    wrote = {change.path: contents.text(change.after) if change.after else None for change in step.changes}
    before = View(base)
    after = View(Overlay(base, wrote), before) if wrote else before
    instance = addressing.parse_instance(step.instance)
    path = (before.path_of(instance) if instance else None) or ""
    if step.step == HOT and not path:
        return None
    decided, why = _again(step, before, wrote)
    fates = decided.fates if decided else ()
    own = path if step.step == HOT else ""
    change = Change(step.step, step.compressor, before, after, tuple(wrote), fates, own)
    spans = decided.spans if decided else _observed(before, own, change) if own else ()
    found = fate_record.section(change, spans)
    return found if decided else _unexplained(found, step)._replace(observed=why)


def _unexplained(found: Section, step: Step) -> Section:
    """Return a section of which nobody knows the reasons, with what the commit says of all that it dropped."""
    said = _SAID.search(step.commit.body)
    why = f"its commit says of all that it dropped: {said[1]}" if said else "nothing says why"
    return found._replace(
        rows=tuple(
            row._replace(why=why) if row.fate == DROPPED and (said or not row.why) else row for row in found.rows
        )
    )


def _again(step: Step, before: View, wrote: Mapping[str, str | None]) -> tuple[Decided | None, str]:
    """Return what taking the step again decides, if it writes the same, else None and why not."""
    if not step.compressor.startswith(_EXTRACTIVE):
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


def _observed(before: View, path: str, change: Change) -> tuple[Span, ...]:
    """Return the spans of a journal by what the documents show of its fragments."""
    passages = [one for one in fate_record.between(change) if one.source == path]
    return observed(before.journal(path), passages)


def observed(journal: Journal, passages: Sequence[Passage]) -> tuple[Span, ...]:
    """Return the spans of a journal by what the documents show of its fragments, where no step's own account is."""
    known: dict[Fragment, list[Passage]] = {}
    for one in passages:
        if one.before:
            known.setdefault(one.before, []).append(one)
    cut = segments.cut(journal)
    spans = segments.frame(journal.text, cut)
    for piece in cut:
        if piece.fragment is None:
            spans.append(Span(piece.start, piece.end, REFERENCED, "stays in the journal at its address"))
        elif found := known.get(piece.fragment):
            passage = found.pop(0) if len(found) > 1 else found[0]
            spans.append(Span(piece.start, piece.end, passage.fate, passage.detail or _unsaid(passage)))
        else:
            spans.append(Span(piece.start, piece.end, DROPPED, _NOT_SAID))
    return tuple(sorted(spans))


def _unsaid(passage: Passage) -> str:
    return _NOT_SAID if passage.fate == DROPPED else ""
