"""Taking in: sources become journals with addresses, in one commit, and pages go to their place.

Owns the order (what is known already is told and left, what has changed adds what is new), the numbers of records, and
the moves of decisions whose records were changed. Refuses to write a secret or a home directory.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sleep.documents import journal as journals
from sleep.documents import paths, register
from sleep.documents.journal import Draft
from sleep.journal import writer as journaling
from sleep.journal.imports import adr, conversion, placement, provenance, table_records
from sleep.journal.imports.closings import Closings
from sleep.journal.imports.source import Batch, NewJournal, Report, Source, print_of
from sleep.language import dates
from sleep.memory import place
from sleep.memory.view import View
from sleep.plurals import several
from sleep.records import address as addressing
from sleep.records import kinds
from sleep.records.address import InstanceId
from sleep.records.fragment import flat
from sleep.store import step
from sleep.store.plan import Plan
from sleep.store.tree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sleep.documents.entries import Entry
    from sleep.journal.imports.provenance import ImportRecord
    from sleep.memory.place import Place

_SHOWN = 200  # journals that a commit's body names


def import_sources(
    where: Place,
    now: str,
    gathered: Batch,
    notice: Callable[[int, int], None] = lambda _done, _all: None,
    *,
    dry_run: bool = False,
) -> Report:
    """Import what was gathered, each text as an instance of its own, all in one commit.

    Args:
        where: the memory.
        now: ISO 8601, UTC.
        gathered: the texts, in the order in which they happened.
        notice: called with the journals marked, and with all of them.
        dry_run: only say what would be written.

    Nothing is dropped: a text stands in its journal as it is, with addresses inserted and secrets redacted. What was
    taken in before is not taken in again.
    """
    if dry_run:
        return _decided(View(WorkTree(where.root)), now, gathered, notice)[0]
    with place.writing(where, "journal.import") as writer:
        report, writes = _decided(View(WorkTree(where.root)), now, gathered, notice)
        if writes:
            plan = Plan("import", *_message(report), (("Sleep-Step", "import"),), writes, "journal")
            step.apply(where.root, plan, writer.lock, writer.repository)
        return report


def plain(sources: Sequence[tuple[str, str]]) -> Batch:
    """Return (name, text) of journals written by hand as what was gathered, without a record of the import."""
    return Batch([Source(name, text, date=dates.of(text, name)) for name, text in sources])


def _message(report: Report) -> tuple[str, str]:
    """Return the subject and the body of the commit."""
    done = report.journals
    rows = [
        f"- instance {new.instance.number}: {new.origin or new.source}, {several(sum(new.kinds.values()), 'entry')}"
        for new in done[:_SHOWN]
    ]
    if len(done) > _SHOWN:
        rows.append(f"- and {len(done) - _SHOWN} more")
    rows += [f"- page: {path}" for path in report.pages]
    if not done:
        return f"import {several(len(report.pages), 'page')}", "\n".join(rows)
    first, last = done[0].instance.number, done[-1].instance.number
    single = f"{done[0].source} as instance {first}"
    many = f"{len(done)} journals as instances {first} {'and' if last - first == 1 else 'to'} {last}"
    what = single if len(done) == 1 else many
    return f"import {what}", "\n".join(rows)


def _decided(
    view: View, now: str, gathered: Batch, notice: Callable[[int, int], None]
) -> tuple[Report, dict[str, str | None]]:
    before = provenance.import_records(view)
    new, there = provenance.split(before, gathered.sources)
    by_path: dict[tuple[str, str], list[ImportRecord]] = {}
    for record in before:
        by_path.setdefault((record.path, record.part), []).append(record)
    writer = _Writer(view, now, before, new)
    done: list[NewJournal] = []
    writes: dict[str, str | None] = {}
    known = [(source.path, str(record.instance)) for source, record in there]
    for at, source in enumerate(new):
        notice(at, len(new))
        same = by_path.get((source.path, source.part), ()) if source.path else ()
        earlier = tuple(each for each in same if provenance.is_of(source, each, view.read(each.journal) or ""))
        made = writer.journal(at, source, earlier)
        if made is None:
            known.append((source.path, str(earlier[-1].instance)))
            continue
        imported, text = made
        done.append(imported)
        writes[imported.path] = text
    pages = placement.missing(view.tree, gathered.pages)
    return Report(done, tuple(pages), known, gathered.left), {**writes, **pages}


class _Writer:
    """Makes journals one after the other, and hands out the numbers of instances and records."""

    def __init__(self, view: View, now: str, before: Sequence[ImportRecord], new: Sequence[Source]) -> None:
        self._view = view
        self._now = now
        self._number = journaling.next_number(view)
        self._used = view.used_numbers()
        self._closings = Closings(view)
        self._called = _called(view, before) if any(source.adr for source in new) else {}
        self._ahead: dict[int, str] = {}
        known = {(record.path, record.part) for record in before}
        for at, source in enumerate(new):  # what takes a decision's place may come later than it
            if (
                source.adr
                and source.adr.state != adr.PROPOSED
                and not (source.path and (source.path, source.part) in known)
            ):
                self._ahead[at] = self._next("D")
                self._called |= dict.fromkeys(adr.names(source.part or source.name), self._ahead[at])

    def journal(self, at: int, source: Source, before: Sequence[ImportRecord]) -> tuple[NewJournal, str] | None:
        """Return what a source becomes and its journal's text, None where it says nothing that is new."""
        text, secrets = conversion.clean(source.text)
        if before:
            stored = ((self._view.read(record.journal) or "", record.instance) for record in before)
            text = provenance.new_text(text, [provenance.original_text(*journal) for journal in stored])
        drafts = self._drafts(at, source, before)
        if before and not text and not drafts:
            return None
        instance = InstanceId(self._number, journaling.new_tag())
        self._number += 1
        adds_to = str(before[-1].instance) if before else ""
        fields = self._fields(source, adds_to)
        written, _ = conversion.canonical(text, instance, fields, self._used, source.refused, source.title)
        for letter, highest in register.used_numbers([written]).items():
            self._used[letter] = max(self._used.get(letter, 0), highest)
        written = self._with_entries(written, drafts, instance)
        entries = journals.read(written).entries
        closings = self._closings.of(entries, source.date, source.repository) if source.adr is None else []
        written = self._with_entries(written, closings, instance)
        counts = dict(Counter([*(entry.kind for entry in entries), *(draft.kind for draft in closings)]))
        path = paths.journal(instance.number)
        made = NewJournal(
            source.name, path, instance, counts, len(secrets), source.form, source.date, adds_to, source.path, secrets
        )
        return made, written

    def _with_entries(self, written: str, drafts: Sequence[Draft], instance: InstanceId) -> str:
        """Return a journal's text with entries at its end, those of records numbered."""
        for draft in drafts:
            clean, _ = journaling.redact(draft)  # counted: its words are the text's
            letter = kinds.ENTRIES[clean.kind].letter if clean.kind in kinds.KINDS else ""
            if letter and not clean.number:
                clean = clean._replace(number=self._next(letter))
            written, _ = journals.append(written, clean, instance)
        return written

    def _fields(self, source: Source, adds_to: str) -> dict[str, object]:
        fields: dict[str, object] = {"started": self._now, "ended": self._now, "source": source.name}
        if source.date:
            fields["date"] = source.date
        if source.path:
            origin = {"from": source.form, "path": source.path, "hash": print_of(source.text)}
            line = source.line if source.line > 1 and not adds_to else ""
            more = {"repository": source.repository, "part": source.part, "line": line}
            more |= {"dated": source.dated, "adds_to": adds_to}
            fields[provenance.FIELD] = origin | {name: value for name, value in more.items() if value}
        return fields

    def _drafts(self, at: int, source: Source, before: Sequence[ImportRecord]) -> list[Draft]:
        """Return the entries that say what the whole text is; of a changed one what is said anew, and its moves."""
        if source.adr is None:
            rows = table_records.drafts(source.text, source.path or source.name, source.line, source.refused)
            new = [draft for draft in (*source.drafts, *rows) if not self._stands(draft, before)]
            return [*new, *self._settled(source, before)]
        draft = adr.draft(source.adr, f"{source.path}:{source.adr.line}", self._number_of)
        draft = draft._replace(number=self._ahead.get(at, ""))
        entry = self._entry(before)
        return list(self._again(source.adr, draft, entry)) if entry else [draft]

    def _settled(self, source: Source, before: Sequence[ImportRecord]) -> Iterator[Draft]:
        """Yield the moves of what a row of a table stated, and which the table has now as done or no longer held to."""
        rows = table_records.drafts(source.text, "", settled=True) if before else ()
        settled = {(row.kind, flat(row.title)): row for row in rows}
        for entry in (entry for record in before for entry in self._view.journal(record.journal).entries):
            row = settled.get((entry.kind, flat(entry.title)))
            state = self._view.records.get(entry.address)
            if row and state and state.fragment.state in (move := kinds.KINDS[entry.kind].moves[0]).origins:
                says = "; ".join(value for name, value in row.fields if name == "status")
                yield _event(entry.kind, entry, move.to, reason=f"its row says now: {says}")

    def _again(self, record: adr.Adr, draft: Draft, before: Entry) -> Iterator[Draft]:
        """Yield the decision anew if its words changed, and the move of the one that stood for it."""
        state = self._view.records.get(before.address)
        now = state.fragment.state if state else ""
        is_same = draft.kind == before.kind and _words(draft) == _words(before)
        if not is_same:
            draft = draft._replace(number=self._next("D" if draft.kind == "decision" else "Q"))
            yield draft
        if draft.kind != before.kind:
            if before.kind == "question" and now == "open":
                yield _event("question", before, "answered", reason=f"decided: {draft.number}")
        elif before.kind == "decision" and now == adr.STANDING:
            if not is_same:
                yield _event("decision", before, adr.SUPERSEDED, by=draft.number, reason="its record was changed")
            elif record.state in (adr.REVERSED, adr.SUPERSEDED):
                by = self._number_of(record.successors)
                words = "" if by else adr.reason(record, self._number_of)
                yield _event("decision", before, record.state, by=by, reason=words)

    def _entry(self, before: Sequence[ImportRecord]) -> Entry | None:
        """Return the entry that stood for a decision record, the last of its journals'."""
        for record in reversed(before):
            for entry in reversed(self._view.journal(record.journal).entries):
                if entry.kind in ("decision", "question") and entry.field("source"):
                    return entry
        return None

    def _stands(self, draft: Draft, before: Sequence[ImportRecord]) -> bool:
        clean = journaling.redact(draft)[0]
        entries = (entry for record in before for entry in self._view.journal(record.journal).entries)
        return any(entry.kind == clean.kind and _words(entry) == _words(clean) for entry in entries)

    def _number_of(self, names: Sequence[str]) -> str:
        return next((self._called[name] for name in names if name in self._called), "")

    def _next(self, letter: str) -> str:
        self._used[letter] = self._used.get(letter, 0) + 1
        return addressing.number(letter, self._used[letter])


def _called(view: View, before: Sequence[ImportRecord]) -> dict[str, str]:
    """Return the numbers of the decisions that were taken in before, by what their records are called."""
    numbers: dict[str, str] = {}
    for record in before:
        if record.form == "adr" and (number := provenance.decision_number(view.read(record.journal) or "")):
            numbers |= dict.fromkeys(adr.names(record.part or record.path.rpartition("/")[2]), number)
    return numbers


def _event(kind: str, before: Entry, to: str, *, by: str = "", reason: str = "") -> Draft:
    handle = before.number or str(before.address)
    fields = (("record", handle), ("to", to), ("by", by), ("reason", reason))
    return Draft(kinds.event(kind), f"{handle} {to}", fields=tuple(field for field in fields if field[1]))


def _words(entry: Draft | Entry) -> tuple[str, str, str, str]:
    fields: Mapping[str, str] = dict(entry.fields)
    return flat(entry.title), flat(entry.body), flat(fields.get("why", "")), flat(fields.get("alternatives", ""))
