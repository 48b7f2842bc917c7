"""The lines that an answer shows: rows of the index, each entry once, in its fullest form, with what became of it.

Owns which form of an entry is shown, and reading what an answer says of it: its other forms, its state, the headings
above it, what a record says first, and the record that took its place. Refuses to rank.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.recall.index import database, rows
from sleep.recall.index.index_form import MASK, SHIFT
from sleep.recall.index.record_state import amend, last_state
from sleep.recall.passages import PassageLine, cut_short
from sleep.records import address as addressing
from sleep.records import kinds, topic
from sleep.records.kinds import KINDS
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from sleep.recall.index.database import About
    from sleep.recall.rank import ScoredRow

    _Event = tuple[str, list[addressing.Address], str]

_FIRST = 1.01  # times the score of what a person changed, for what it became
_AT_ONCE = 48  # rows that are read together
_STATEMENT = 120  # characters of what a record says, above a later part of it
_RECORD = re.compile(r"(?m)^record: (\S+).*$")  # which one an event moves
_NAMES = re.compile(rf"\b{addressing.INSTANCE_ID}\.[0-9]{{1,7}}\b|\b{addressing.NUMBERED}\b")


class RowText(NamedTuple):
    """What is read of a row that may be shown."""

    text: str
    addresses: tuple[str, ...]
    kind: str
    state: str
    day: str
    number: str
    line: int
    below: int
    source: str

    @property
    def record(self) -> tuple[str, ...]:
        """What events call it by if it is a record: its number, and the address that it was created at."""
        is_record = self.kind in KINDS and KINDS[self.kind].is_record
        return (*filter(None, (self.number,)), *self.addresses[:1]) if is_record else ()


def read_rows(base: sqlite3.Connection, wanted: Collection[int]) -> dict[int, RowText]:
    """Return rows by number."""
    numbers = ",".join(map(str, wanted))
    fields = "id, text, addresses, kind, state, day, number, line, below, source"
    query = f"SELECT {fields} FROM row WHERE id IN ({numbers})"  # noqa: S608  # numbers
    return {
        number: RowText(text, tuple(addresses.split()), *others)
        for number, text, addresses, *others in base.execute(query)
    }


def read_lines(
    base: sqlite3.Connection, ranked: Sequence[ScoredRow], terms: Sequence[str], *, may_use_journals: bool
) -> Iterator[PassageLine]:
    """Yield the lines of rows, best first, each entry once: in its fullest form if journals may tell.

    Args:
        base: the index.
        ranked: the rows, best first.
        terms: by bit, what a row says it was found for.
        may_use_journals: whether what a tier has of an entry may be shown as the journal has it.
    """
    reader = _Reader(base, ranked, terms, may_use_journals=may_use_journals)
    for at in range(0, len(ranked), _AT_ONCE):
        part = ranked[at : at + _AT_ONCE]
        reader.load([number for _, number, _ in part])
        for score, number, shared in part:
            yield from reader.lines(number, score, shared)


class _Reader:
    """What is read for an answer so far, and which rows it has."""

    def __init__(
        self, base: sqlite3.Connection, ranked: Sequence[ScoredRow], terms: Sequence[str], *, may_use_journals: bool
    ) -> None:
        self._base = base
        self._found = {number: shared for _, number, shared in ranked if shared}
        self._terms = terms
        self._may_use_journals = may_use_journals
        self._documents: dict[int, About] = {}
        self._headings: dict[int, RowText] = {}
        self._seen: set[int] = set()
        self._texts: dict[int, RowText] = {}
        self._forms: dict[str, list[int]] = {}
        self._moves: dict[str, list[_Event]] = {}
        self._records: dict[str, str] = {}

    def load(self, numbers: Sequence[int]) -> None:
        """Read some rows, the other forms of their entries, which are all rows of each, and what stands above them."""
        base = self._base
        texts = read_rows(base, numbers)
        self._forms = _forms(base, {address for text in texts.values() for address in text.addresses})
        texts |= read_rows(base, {number for own in self._forms.values() for number in own} - texts.keys())
        self._texts = texts
        self._moves = _moves(base, {handle for text in texts.values() for handle in text.record})
        self._records = _records(base, texts.values())
        above = texts
        known = self._headings
        while wanted := {number - text.below for number, text in above.items() if text.below} - known.keys():
            above = read_rows(base, wanted)
            known |= above
        self._documents |= database.describe(base, {number >> SHIFT for number in texts} - self._documents.keys())

    def lines(self, number: int, score: float, shared: int) -> Iterator[PassageLine]:
        """Yield the line of a row, after what a person made of it; nothing where its entry was yielded before."""
        if number in self._seen or number not in self._texts:
            return
        why = self._why(shared)
        same = {form for address in self._texts[number].addresses for form in self._forms.get(address, ())}
        for edit in sorted(form for form in same - self._seen if self._tier(form) == rows.EDITS):
            self._seen.add(edit)
            yield self._line(edit, score * _FIRST, why, (), self._texts[edit].state, under=False)
        if number not in self._seen:
            full = self._fullest(number, same)
            if full not in self._seen:
                others = self._others(full, same)
                self._seen |= {full, *(form for form in others if self._tier(form) != rows.JOURNAL)}
                line = self._line(full, score, why, others, self._state(full, others))
                yield from self._statement(full, line)
                yield line
            self._seen.add(number)

    def _statement(self, number: int, part: PassageLine) -> Iterator[PassageLine]:
        """Yield what a long record says, above a later part of it: its beginning, or all where that has more words."""
        first = self._first(number)
        if first in self._seen:
            return
        self._seen.add(first)
        own = self._texts[first]
        why = tuple(dict.fromkeys((*part.why, *self._why(self._found.get(first, 0)))))
        words = own.text if len(why) > len(part.why) else cut_short(own.text.partition("\n")[0], _STATEMENT)
        yield part._replace(place=_place(first), text=words, line=own.line, score=part.score * _FIRST, why=why)

    def _why(self, shared: int) -> tuple[str, ...]:
        return tuple(term for bit, term in enumerate(self._terms) if shared >> bit & 1)

    def _first(self, number: int) -> int:
        """Return the first row of a long record, which says what it is; of any other entry the row itself."""
        texts = self._texts
        while texts[number].record and number - 1 in texts and texts[number - 1].addresses == texts[number].addresses:
            number -= 1
        return number

    def _others(self, full: int, same: Iterable[int]) -> list[int]:
        """Return the forms of an entry that stand in other tiers than the one that is shown."""
        return sorted(form for form in same if self._tier(form) != self._tier(full))

    def _tier(self, number: int) -> str:
        return self._documents[number >> SHIFT].tier

    def _fullest(self, number: int, same: Iterable[int]) -> int:
        """Return the journal's row of an entry that was found in a tier; else the row itself."""
        if not self._may_use_journals or self._tier(number) == rows.JOURNAL:
            return number
        full = [form for form in same if self._tier(form) == rows.JOURNAL]
        return full[0] if len(full) == 1 else number

    def _state(self, full: int, others: Iterable[int]) -> str:
        """Return what became of an entry: what events in journals say, slept over or not, else what a tier says."""
        own = self._texts[full]
        forms = {form: self._texts[form] for form in (full, *others)}
        held = [text for form, text in forms.items() if self._tier(form) in rows.HELD]
        state = _state([text.state for text in forms.values()], [text.state for text in held])
        events = self._events(own)
        if not events:
            return state
        carried = {address for text in held for address in text.addresses}
        return last_state(own.kind, "" if state == rows.ONLY_NOTICED else state, carried, events)

    def _events(self, own: RowText) -> list[tuple[str, str]]:
        """Return the address of each event of a record, in order, and what it made of it."""
        moves = [self._moves[handle] for handle in own.record if handle in self._moves]
        return [(str(at[0]) if at else "", words) for _, at, words in moves[-1]] if moves else []

    def _line(
        self, number: int, score: float, why: tuple[str, ...], others: Iterable[int], state: str, *, under: bool = True
    ) -> PassageLine:
        text = self._texts[number]
        path, tier, _ = self._documents[number >> SHIFT]
        forms = (self._documents[form >> SHIFT] for form in others)
        return PassageLine(
            _place(number),
            self._told(text),
            text.addresses,
            path,
            tier,
            text.kind,
            text.day,
            score,
            why,
            tuple(sorted({f"{form.tier}: {form.path}" for form in forms})),
            state,
            text.line,
            self._under(number, text) if under else (),
            text.source,
        )

    def _told(self, text: RowText) -> str:
        """Return the words of a row: of a record with its fields as they are now, of an event with what it moves."""
        moved = _RECORD.search(text.text) if kinds.event_record(text.kind) else None
        if moved and moved[1] in self._records:
            return f"{text.text[: moved.start()]}record: {self._records[moved[1]]}{text.text[moved.end() :]}"
        return amend(text.kind, text.text, self._events(text))

    def _under(self, number: int, text: RowText) -> tuple[tuple[tuple[int, int], str], ...]:
        """Return the headings above a row that name something of their own, the outermost first."""
        headings: list[tuple[tuple[int, int], str]] = []
        while text.below and (number - text.below) in self._headings:
            number -= text.below
            text = self._headings[number]
            if topic.from_heading(text.text):
                headings.append((_place(number), text.text))
        return tuple(reversed(headings))


def stands_alone(line: PassageLine) -> bool:
    """Return whether a line is a record, a move or a tone that an instance wrote itself: it explains no other."""
    if line.source or not (kinds.is_record(line.kind) or kinds.event_record(line.kind) or line.kind == "tone"):
        return False
    label = line.text.partition(":")[0].casefold()
    return line.tier in rows.HELD or label == line.kind or label in kinds.field_names(line.kind)


def names_in_state(line: PassageLine) -> list[str]:
    """Return what the state of a record that holds no more names: what took its place may be among them."""
    return _NAMES.findall(line.state) if kinds.is_record(line.kind) else []


def _state(states: list[str], held: list[str]) -> str:
    """Return the first state that the forms of an entry have; `held` are those of tiers."""
    if any(state != rows.ONLY_NOTICED for state in held):
        states = [state for state in states if state != rows.ONLY_NOTICED]  # it was confirmed
    return next(filter(None, states), "")


def _place(number: int) -> tuple[int, int]:
    return number >> SHIFT, number & MASK


def _moves(base: sqlite3.Connection, handles: Collection[str]) -> dict[str, list[_Event]]:
    """Return by record its events, in order: day, addresses, and what it made of the record ("" where it binds)."""
    marks = ",".join("?" * len(handles))
    query = f"SELECT record, move.state, day, addresses FROM move JOIN row ON id = row WHERE record IN ({marks})"  # noqa: S608
    events: dict[str, list[_Event]] = {}
    for record, state, day, addresses in base.execute(query, sorted(handles)):
        events.setdefault(record, []).append((day, addressing.addresses(addresses), state))
    return {record: sorted(own) for record, own in events.items()}


def _records(base: sqlite3.Connection, texts: Iterable[RowText]) -> dict[str, str]:
    """Return what the records say that these events move, by the name that the event has for each."""
    named = {match[1] for text in texts if kinds.event_record(text.kind) and (match := _RECORD.search(text.text))}
    forms = _forms(base, named)
    there = read_rows(base, {number for own in forms.values() for number in own})
    words: dict[str, str] = {}
    for handle, own in forms.items():
        if record := next((there[number] for number in sorted(own) if kinds.is_record(there[number].kind)), None):
            says = record.text.partition("\n")[0].removeprefix(f"{record.number} ")
            lead, _, rest = says.partition(": ")
            words[handle] = cut_short(rest if lead.casefold() == record.kind else says, _STATEMENT)
    return words


def _forms(base: sqlite3.Connection, addresses: Collection[str]) -> dict[str, list[int]]:
    """Return by address the rows that have it."""
    forms: dict[str, list[int]] = {}
    marks = ",".join("?" * len(addresses))
    query = f"SELECT address, row FROM place WHERE address IN ({marks})"  # noqa: S608  # question marks
    for address, number in base.execute(query, sorted(addresses)):
        forms.setdefault(address, []).append(number)
    return forms
