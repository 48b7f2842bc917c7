"""What a step of the past did with what it took in hand, looked up in what it wrote down.

Owns finding the section of a page of fates that a commit wrote, and the words that its addresses stand for, in the
documents before and after that commit. Refuses to reckon: a memory of the first format has `document_fates` for that.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from sleep.changes import comparison
from sleep.changes.comparison import Passage
from sleep.compression import segments
from sleep.compression.contract import DROPPED, MERGED, SHORTENED, WHOLE
from sleep.cycle import fate_record
from sleep.documents import fates_page, paths, tier
from sleep.documents import journal as journals
from sleep.documents.fates_page import JOURNAL
from sleep.history import document_fates, past_steps
from sleep.history.past_steps import Blobs, Step
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.records.fragment import Fragment
from sleep.store import history
from sleep.store.history import Commit
from sleep.store.tree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sleep.compression.segments import Span
    from sleep.documents.cycles import Cycle
    from sleep.documents.fates_page import Row, Section
    from sleep.documents.journal import Journal
    from sleep.records.address import Address
    from sleep.store.layout import Root

    Documents = dict[str, Sequence[Fragment]]

_AMENDED = "its commit does not hold what the step wrote down: somebody amended it"


class Past:
    """What history holds of a memory, and what stands on disk now, read once for one question or for many."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self.now = View(WorkTree(root))
        self.steps = past_steps.read(root)
        names = []
        for step in self.steps:
            for change in (*step.changes, *filter(None, (step.record,))):
                names += [change.before, change.after]
            for joined in step.joined:
                names += [*joined.sides, joined.after]
        self.blobs = Blobs(root, names)
        self._fates: dict[str, tuple[StepFates, ...]] = {}

    def fates(self, step: Step) -> tuple[StepFates, ...]:
        """Return what the step of a commit wrote down of fates; also of one before it that committed nothing itself."""
        if step.commit.sha not in self._fates:
            self._fates[step.commit.sha] = tuple(self._sections(step))
        return self._fates[step.commit.sha]

    def _sections(self, step: Step) -> Iterator[StepFates]:
        if not step.cycle or step.step in (past_steps.UNDO, past_steps.OLDER):
            return
        if step.record:
            before, after = (fates_page.read(self.blobs.text(name)) for name in (step.record.before, step.record.after))
            for section in after.sections:
                if before.of(section.step) is None:
                    yield StepFates(self, step._replace(step=section.step, compressor=section.compressor), section)
            return
        step = past_steps.skipped(self.steps, step) or step
        if step.step in (past_steps.HOT, past_steps.WARM, past_steps.COLD):
            recorded = self.page(*step.key).of(step.step) or document_fates.section(self.root, step)
            if recorded:
                yield StepFates(self, step, recorded)

    def page(self, number: int, instance: object) -> fates_page.Page:
        """Return the page of a cycle's fates as it stands now."""
        return fates_page.read(self.now.read(fates_page.path(number, str(instance))))

    def documents(self, step: Step, read: Callable[[str], Sequence[Fragment]]) -> tuple[Documents, Documents]:
        """Return the fragments of the tiers' files that a commit changed, before and after it.

        What a merge gave counts as before where any of the branches had it. `read` returns those of a blob by its id.
        """
        before = {change.path: read(change.before) for change in step.changes}
        after = {change.path: read(change.after) for change in step.changes}
        for joined in step.joined:
            if paths.tier_of(joined.path):
                sides, result = [read(name) for name in joined.sides], read(joined.after)
                union = dict.fromkeys(fragment for side in sides for fragment in side)
                before[joined.path] = result if result in sides else list(union)
                after[joined.path] = result
        return before, after

    def without_commits(self, row: Cycle) -> tuple[StepFates, ...]:
        """Return what the page of a cycle says of steps that history does not hold (squashed away, a shallow clone)."""
        held = {fates.step.step for step in self.steps if step.key == row.key for fates in self.fates(step)}
        commit = Commit("", (), "", row.slept, "", "", ())
        return tuple(
            StepFates(self, Step(section.step, *row.key, section.compressor, commit, ()), section)
            for section in self.page(*row.key).sections
            if section.step not in held
        )


class StepFates:
    """What one step did, and the words of it as far as history holds them.

    Args:
        past: the memory's history.
        step: the step; without a commit there are no words.
        section: what it wrote down.
    """

    def __init__(self, past: Past, step: Step, section: Section) -> None:
        self._past = past
        self.step = step
        self.section = section
        self._changed = {change.path: change for change in step.changes}

    @cached_property
    def journal(self) -> tuple[str, Journal | None]:
        """The path of the journal that was slept on, and it as it was then; as it is now where history lacks it."""
        instance = addressing.parse_instance(self.step.instance)
        if instance is None:
            return "", None
        names = (paths.journal(instance.number), paths.journal(*instance))
        sha = self.step.commit.sha
        texts = history.read_many(self._past.root, sha, names) if sha else {}
        for name in names:
            text = texts.get(name)
            if text is not None and f"instance: {instance.number}" in text:
                read = journals.read(text)
                if read.instance == instance:
                    return name, read
        name = self._past.now.path_of(instance) or ""
        return name, self._past.now.journal(name) if name else None

    def naming(self, address: Address) -> list[Row]:
        """Return the rows of the fragments that carry an address, without those of entries that are no fragment."""
        return [row for row in self.section.rows if row.kind and address in row.addresses]

    def passages(self, rows: Sequence[Row] | None = None) -> list[Passage]:
        """Return the ways of the fragments of rows (all of them without), with their words where history has them."""
        return [self._passage(row) for row in (self.section.rows if rows is None else rows) if row.kind]

    def _passage(self, row: Row) -> Passage:
        path = self.journal[0] if row.source == JOURNAL else row.source
        before = self._before(row) if row.source else None
        if row.source and not self.step.commit.sha:
            before = Fragment(row.kind, "", (row.identity,))  # its words are gone with the commit
        after = self._after(row, before) if row.target else None
        if row.target and after is None and row.fate in (WHOLE, SHORTENED) and self.step.commit.sha:
            return Passage(DROPPED, before, None, path, "", _AMENDED)
        passage = Passage(row.fate, before, after, path, row.target, row.why)
        return passage._replace(detail=comparison.with_words(passage))

    def _before(self, row: Row) -> Fragment | None:
        if row.source == JOURNAL:
            fragments = [fragment for _, fragment in self.pieces]
        else:
            fragments = self._fragments(row.source, row.identity, is_after=False)
        own = [fragment for fragment in fragments if fragment.identity == row.identity]
        return own[row.piece - 1] if row.piece <= len(own) else None

    def _after(self, row: Row, before: Fragment | None) -> Fragment | None:
        fragments = self._fragments(row.target, row.identity, is_after=True)
        if row.fate == MERGED:
            into = addressing.parse(row.why)
            return next((item for item in fragments if item.identity == into), next(iter(fragments), None))
        own = [item for item in fragments if item.identity == row.identity] or fragments
        if before is None:
            return own[min(row.piece, len(own)) - 1] if own else None
        same = [item for item in own if item.text == before.text] if row.fate == WHOLE else []
        within = [item for item in own if comparison.within(item.text, before.text)]
        return next(iter((*same, *within, *own)), None)

    def _fragments(self, path: str, address: Address, *, is_after: bool) -> list[Fragment]:
        """Return the fragments of a tier's file with an address, before or after the step."""
        change = self._changed.get(path)
        if change:
            return self._past.blobs.naming(change.after if is_after else change.before, address)
        sha = self.step.commit.sha
        if not sha:
            return []
        text = history.read_many(self._past.root, sha, (path,)).get(path)
        return [item for item in tier.parse(text or "").fragments if address in item.addresses]

    @cached_property
    def pieces(self) -> list[tuple[int, Fragment]]:
        """The fragments of the journal, each with where it begins in it."""
        journal = self.journal[1]
        cut = segments.cut(journal) if journal else ()
        return [(piece.start, piece.fragment) for piece in cut if piece.fragment]

    def account(self) -> tuple[Span, ...]:
        """Return what became of every character of the journal."""
        journal = self.journal[1]
        return fate_record.account(journal, self.section) if journal else ()
