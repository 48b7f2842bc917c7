"""What a step writes down of its fates: a section of the cycle's page, and the account of the journal that it gives.

Owns turning a decided step into rows and runs, and reading the account of every character off them. Refuses words: a
reason that quotes somebody is left out.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sleep.changes import comparison
from sleep.compression import segments
from sleep.compression.contract import MERGED, WHOLE
from sleep.compression.segments import Span
from sleep.documents import fates_page, paths
from sleep.documents.fates_page import BETWEEN, JOURNAL, Row, Run, Section
from sleep.language import tokenizer, tokens
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.store.tree import Overlay
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sleep.changes.comparison import Passage
    from sleep.compression.contract import Fate
    from sleep.cycle.outcome import Decided
    from sleep.documents.journal import Journal
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment

REFERENCED, FRAME = "referenced", "frame"


class Change(NamedTuple):
    """What a step made of the memory: its name, who compressed, the memory before and after, and the tiers' files.

    `fates` are the step's own, none where they are not known. `journal` is the path of the journal that it took in
    hand, "" for a step from tier to tier.
    """

    step: str
    compressor: str
    before: View
    after: View
    changed: tuple[str, ...]
    fates: Sequence[Fate] = ()
    journal: str = ""


def of_step(view: View, decided: Decided, path: str) -> Section | None:
    """Return what a decided step writes down, None where it took nothing in hand.

    Args:
        view: the memory before it.
        decided: the step.
        path: the journal of its cycle.
    """
    if decided.step not in fates_page.STEPS:
        return None
    after = View(Overlay(view.tree, decided.writes), view)
    changed = tuple(name for name in decided.writes if paths.tier_of(name))
    own = path if decided.step == "journal to hot" else ""
    change = Change(decided.step, decided.compressor, view, after, changed, decided.fates, own)
    record = section(change, decided.spans)
    return record if record.rows or record.runs else None


def section(change: Change, spans: Sequence[Span] = ()) -> Section:
    """Return what a step did; `spans` are its account of the journal."""
    passages = between(change)
    rows = list(_rows(change, passages))
    if not change.journal:
        return Section(change.step, change.compressor, tuple(rows))
    journal = change.before.journal(change.journal)
    own = _by_entry(journal, spans)
    rows += _references(own)
    section = Section(change.step, change.compressor, tuple(rows), (), len(journal.text))
    derived = _by_entry(journal, account(journal, section))
    explicit = [run for of, runs in own.items() if runs != derived.get(of) for run in runs]
    return section._replace(runs=tuple(explicit))


def between(change: Change) -> list[Passage]:
    """Return what became of the fragments that a step took in hand, and of those in the files that it changed."""
    names = dict.fromkeys((*change.changed, *(_standing(change) if change.journal else ())))
    before, after = ({name: view.tier(name).fragments for name in names} for view in (change.before, change.after))
    if change.journal:
        before[change.journal] = fragments(change.before.journal(change.journal))
    return comparison.between(before, after, change.fates)


def _standing(change: Change) -> Iterator[str]:
    """Yield the files in which a journal's words may stand: hot memory's, and those with a line that a person wrote."""
    yield from paths.HOT
    entered = {entry.address for entry in change.before.journal(change.journal).entries if entry.field("stands in")}
    if entered:
        yield from (path for path, fragment in change.after.placed() if fragment.identity in entered)


def fragments(journal: Journal) -> tuple[Fragment, ...]:
    """Return the fragments that a journal is cut into."""
    return tuple(piece.fragment for piece in segments.cut(journal) if piece.fragment)


def account(journal: Journal, section: Section) -> tuple[Span, ...]:
    """Return what became of every character of a journal, as a section of it tells."""
    spans = [Span(run.start, run.end, run.fate, run.why) for run in section.runs]
    recorded = {run.of for run in section.runs}
    rows: dict[Address, list[Row]] = {}
    for row in section.rows:
        if row.source == JOURNAL:
            rows.setdefault(row.identity, []).append(row)
    for entry in journal.entries:
        own = {(row.fate, "" if row.fate == WHOLE else row.why) for row in rows.get(entry.address, ())}
        if str(entry.address) not in recorded and len(own) == 1:
            spans.append(Span(entry.start, entry.end, *own.pop()))
    return tuple(sorted([*spans, *segments.frame(journal.text, spans)]))


def sizes(view: View) -> tuple[int, ...]:
    """Return the tokens of hot, warm and cold memory."""
    return tuple(sum(tokens.count(view.read(name) or "") for name in view.files(f"{tier}/")) for tier in paths.TIERS)


def _rows(change: Change, passages: Iterable[Passage]) -> Iterator[Row]:
    counts: dict[tuple[str, Address], int] = {}
    numbers: dict[tuple[str, bool], Mapping[Fragment, int]] = {}
    for passage in passages:
        fragment = passage.before or passage.after
        if fragment is None:
            continue
        more = passage.after.addresses if passage.after and passage.fate != MERGED else ()
        own = tuple(dict.fromkeys((fragment.identity, *fragment.addresses, *more)))
        source = JOURNAL if passage.source and passage.source == change.journal else passage.source
        place = (source or passage.target, fragment.identity)
        counts[place] = counts.get(place, 0) + 1
        piece = _piece(change, passage, fragment, numbers) or counts[place]
        yield Row(passage.fate, fragment.kind, own, source, passage.target, _why(change, passage), piece)


def _piece(
    change: Change, passage: Passage, fragment: Fragment, numbers: dict[tuple[str, bool], Mapping[Fragment, int]]
) -> int:
    """Return which of the fragments of its identity one is, from 1, in the file that it came from; 0 if unknown.

    `numbers` are those of the files that were asked about, as they were before or as they are after.
    """
    if passage.source == change.journal and change.journal:
        return 0
    path, is_before = (passage.source, True) if passage.source else (passage.target, False)
    if (path, is_before) not in numbers:
        view = change.before if is_before else change.after
        numbers[path, is_before] = _numbered(view.tier(path).fragments)
    return numbers[path, is_before].get(fragment, 0)


def _numbered(fragments: Iterable[Fragment]) -> Mapping[Fragment, int]:
    """Return which of the fragments of its identity each is, from 1; of equal ones the first tells."""
    counts: Counter[Address] = Counter()
    numbers: dict[Fragment, int] = {}
    for fragment in fragments:
        counts[fragment.identity] += 1
        numbers.setdefault(fragment, counts[fragment.identity])
    return numbers


def _why(change: Change, passage: Passage) -> str:
    """Return the reason without a person's words; of what says what stands there already also where that is."""
    if passage.fate != MERGED or passage.after or not passage.before:
        return comparison.without_words(passage)
    if addressing.addresses(passage.detail):
        return passage.detail
    words = tokenizer.words(passage.before.text)
    folder = f"{paths.MEMORY}{change.step.rpartition(' ')[2]}/"
    same = (
        f"{passage.detail}: [{other.identity}] in {path}"
        for path, other in change.after.placed(folder)
        if tokenizer.words(other.text) == words
    )
    return next(same, passage.detail)


def runs(journal: Journal, spans: Iterable[Span]) -> list[Run]:
    """Return the spans of a journal as runs, in order, neighbours of one entry and one fate as one."""
    entries = journal.entries
    number = 0
    result: list[Run] = []
    for span in sorted(spans):
        if span.end == span.start:
            continue
        while number < len(entries) and entries[number].end <= span.start:
            number += 1
        inside = number < len(entries) and entries[number].start <= span.start
        run = Run(str(entries[number].address) if inside else BETWEEN, *span)
        last = result[-1] if result else None
        if last and (last.of, last.fate, last.why, last.end) == (run.of, run.fate, run.why, run.start):
            result[-1] = last._replace(end=run.end)
        else:
            result.append(run)
    return result


def _by_entry(journal: Journal, spans: Iterable[Span]) -> dict[str, list[Run]]:
    """Return the runs that are more than the journal's frame, by what they are of."""
    by_entry: dict[str, list[Run]] = {}
    for run in runs(journal, spans):
        if run.fate != FRAME:
            by_entry.setdefault(run.of, []).append(run)
    return by_entry


def _references(by_entry: Mapping[str, Sequence[Run]]) -> Iterator[Row]:
    """Yield a row for each entry of which the journal alone keeps all: code, and the moves of records."""
    for of, own in by_entry.items():
        address = addressing.parse(of)
        if address and len(own) == 1 and own[0].fate == REFERENCED:
            yield Row(REFERENCED, "", (address,), JOURNAL, "", own[0].why)


def page_with(text: str | None, number: int, instance: object, change: fates_page.Page) -> str:
    """Return the page of a cycle with what is new in `change`; what it says already stays."""
    known = fates_page.read(text)
    fresh = tuple(section for section in change.sections if known.of(section.step) is None)
    return fates_page.render(
        number, str(instance), fates_page.Page((*known.sections, *fresh), change.sizes or known.sizes)
    )
