"""Records that an imported document lists in a table: a row is a choice, an open question, a task, a rule.

Owns which tables list records (by the heading or label above, or by a column that is named for a choice or a question),
which column states them, and what the others say of them: the reason, the alternatives, whether it is done or answered.
A row becomes an entry at the end of its journal that names its line, for a mark inside a cell would break the table.
Refuses tables in quotes, code and talks, and rows that are done, answered or empty. Pure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents.hand import heading_entries, page_titles
from sleep.documents.journal import Draft
from sleep.documents.markdown import blocks, tables
from sleep.language import lexicon
from sleep.language.acts import no_records, speech, states, titles
from sleep.language.acts.forms import form
from sleep.language.acts.grammar import has
from sleep.records import classification
from sleep.records.fragment import flat
from sleep.records.kinds import BINDING, FIELD_NAMES, KINDS, LISTED, OPEN
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sleep.documents.markdown.blocks import Block

_NAMED = frozenset({"decision", "question"})  # kinds whose name above a column says enough, whatever the heading
_ENDED = ("superseded", "reversed")  # states in which nothing holds, of a row or of all below a heading
_ASIDE = frozenset({"why", "status", "alternatives", "reason"})  # columns that say something of a statement
_CHOICE = "choice"  # the name of a column of what was chosen: `Area | Choice`
_OUTCOME = "reason"  # the field that `Answer` and `Outcome` are read as
_SUBJECT = 60  # characters of a cell that can say what the statement behind it is about
_ASKED = 20  # characters behind the word that asks for a reason, in the name of a column
_WORDS = 3  # of a cell that states something, in the mean of its column
_NO_WORD = re.compile(r"[\W\d_]*(?:[A-Za-z]{1,4}-?\d+)?[\W\d_]*")  # takes `3`, `—`, `D-7`, `2026-03-01`
_BLANK = re.compile(r"\[[^]]*\]|\{[^}]*\}|<[^>]*>")  # a cell of a template: `[Decision needed]`
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_TICK = re.compile("[✅☑✔✓]")
_DECORATION = "*_` "


class _Section(NamedTuple):
    """A heading or label above a table: its level, its words, and the kind of what stands below it."""

    level: int
    title: str
    kind: str


class _Columns(NamedTuple):
    """Which column states the records, what stands before it as their subject, and what the others say by field.

    Who is still to be named (`people`: `TBD`) and what is still to come of a choice (`outcome`) say nothing against it.
    """

    statement: int
    subject: int | None
    fields: tuple[tuple[str, int], ...]
    status: tuple[int, ...]
    outcome: tuple[int, ...]
    people: tuple[int, ...]


def drafts(
    text: str, path: str, line: int = 1, refused: frozenset[str] = frozenset(), *, settled: bool = False
) -> tuple[Draft, ...]:
    """Return the entries that the tables of a document state.

    Args:
        text: the document.
        path: how it is known, for `source: PATH:LINE`.
        line: the line of `path` at which `text` begins.
        refused: kinds that its rows are not given.
        settled: return instead what is done, answered or no longer held to, with the words of its status.
    """
    if "|" not in text or speech.is_dialogue(text):
        return ()
    return tuple(draft for draft in _read(text, path, line, settled=settled) if draft.kind not in refused)


def _read(text: str, path: str, line: int, *, settled: bool) -> Iterator[Draft]:
    sections: list[_Section] = []
    parsed = blocks.parse(text)
    for index, block in enumerate(parsed):
        if block.kind == "heading":
            sections = [above for above in sections if above.level < block.level]
            sections.append(_section(text, block))
        elif block.kind == "table":
            before = parsed[index - 1] if index else None
            lead = _lead(text, before) if before and before.kind == "paragraph" else None
            table = tables.parse(text[block.start : block.end])
            first = line + text.count("\n", 0, block.start) + 2
            for place, draft in _of_table(table, [*sections, lead] if lead else sections, settled=settled):
                yield draft._replace(fields=(*draft.fields, ("source", f"{path}:{first + place}")))


def _section(text: str, block: Block) -> _Section:
    title = block.words(text).strip()
    if block.level == 1:
        kind, name = page_titles.listed(title)
        return _Section(1, name or title, kind)
    # That of one entry, to which the table belongs, lists nothing.
    kind = "" if heading_entries.named(title) else classification.heading_kind(title)
    return _Section(block.level, title, kind if kind in LISTED and classification.states(kind, title) else "")


def _lead(text: str, paragraph: Block) -> _Section | None:
    """Return what a short paragraph right before a table says that it lists, None where it says nothing of the kind."""
    words = paragraph.words(text).strip().strip(_DECORATION).rstrip(":：").strip(_DECORATION)
    kind = classification.heading_kind(words) if "\n" not in words else ""
    return _Section(paragraph.level, words, kind) if kind in LISTED and classification.states(kind, words) else None


def _of_table(table: tables.Table, sections: Sequence[_Section], *, settled: bool) -> Iterator[tuple[int, Draft]]:
    """Yield the records of a table, each with the number of its row."""
    kind = _kind(table, sections)
    if not kind:
        return
    columns = _columns(kind, table)
    for place, row in enumerate(table.rows):
        cells = [_plain(cell) for cell in row] + [""] * (len(table.head) - len(row))
        words = _words(cells, columns)
        if words and _is_settled(kind, cells, columns) is settled and _states(kind, cells, columns, words):
            outcomes = (("status", at) for at in (*columns.status, *columns.outcome))
            own = ((name, cells[at]) for name, at in (outcomes if settled else columns.fields))
            yield place, Draft(kind, words, fields=tuple(field for field in own if _says(field[1])))


def _kind(table: tables.Table, sections: Sequence[_Section]) -> str:
    """Return the kind of what a table lists, "" for nothing that is a record and holds."""
    above = [each.title for each in sections]
    kind = sections[-1].kind if sections else ""
    if not kind:
        kind = next((name for cell in table.head if (name := _named(_plain(cell))) in _NAMED), "")
    if kind != "dead end" and any(_is_in(title, _ENDED) for title in above):
        return ""
    if kind in OPEN and any(map(no_records.is_done, above)):
        return ""
    return "question" if kind == "decision" and any(map(titles.is_unmade, above)) else kind


def _columns(kind: str, table: tables.Table) -> _Columns:
    labels = [_label(cell) for cell in table.head]
    # A choice that is still to be made is a question, and beside `Decision | Chosen` the first says what it is about.
    chosen = [_CHOICE] if kind == "decision" else []
    names = [name for name in (*chosen, kind, "decision") if name in labels]
    statement = labels.index(names[0]) if names else _statement(table, labels)
    others = {at: label for at, label in enumerate(labels) if at != statement}
    known = KINDS[kind].fields
    return _Columns(
        statement,
        None if labels[statement] == "question" else _subject(table, labels[:statement]),
        tuple((others[at], at) for at in _places(others, known)),
        _places(others, ("status",)),
        _places(others, (_OUTCOME, "decision", _CHOICE)),
        tuple(at for at in others if _is_of_people(table.head[at])),
    )


def _places(labels: Mapping[int, str], names: Sequence[str]) -> tuple[int, ...]:
    """Return which columns have one of these labels."""
    return tuple(at for at, label in labels.items() if label in names)


def _is_of_people(head: str) -> bool:
    """True for the name of a column of people: `Owner`."""
    return not lexicon.all_words("people").isdisjoint(_plain(head).casefold().split())


def _subject(table: tables.Table, labels: Sequence[str]) -> int | None:
    """Return the last column before the statement that says what it is about, None where there is none."""
    places = [at for at, label in enumerate(labels) if label not in _ASIDE and not _is_counted(table, at)]
    return places[-1] if places else None


def _statement(table: tables.Table, labels: Sequence[str]) -> int:
    """Return the first column of sentences, else the first that does not only count or date its rows."""
    places = [at for at, label in enumerate(labels) if label not in _ASIDE and not _is_counted(table, at)]
    for at in places:
        column = [_plain(row[at]) for row in table.rows if at < len(row)]
        if sum(len(cell.split()) for cell in column) >= _WORDS * len(column):
            return at
    return places[0] if places else 0


def _is_counted(table: tables.Table, at: int) -> bool:
    """True for a column of numbers, days, ids or nothing."""
    return all(_NO_WORD.fullmatch(_plain(row[at])) for row in table.rows if at < len(row))


def _label(cell: str) -> str:
    """Return what the name of a column says its cells are: a kind, a field of a record, `status`, or ""."""
    words = _plain(cell).casefold()
    if form("labels.why", "columns.why").fullmatch(words) or _asks_why(words):
        return "why"
    if form("labels.status", "columns.status").fullmatch(words):
        return "status"
    if form(f"columns.{_CHOICE}").fullmatch(words):
        return _CHOICE
    named = _named(words) or FIELD_NAMES.get(words, "")
    return named or ("alternatives" if form("columns.alternatives").fullmatch(words) else _labelled(words))


def _named(words: str) -> str:
    """Return the kind whose name the head of a column is, "" for none."""
    return "decision" if form("columns.decision").fullmatch(words) else heading_entries.named(words)


def _labelled(words: str) -> str:
    return classification.label_kind(f"{words}: .")


def _asks_why(words: str) -> bool:
    """True for the name of a column of reasons: `Why it failed`."""
    first, _, rest = words.partition(" ")
    return bool(rest) and len(rest) <= _ASKED and bool(form("labels.why").fullmatch(first))


def _is_settled(kind: str, cells: Sequence[str], columns: _Columns) -> bool:
    """True for a row that is done, answered, only proposed or no longer held to."""
    status = [cells[at] for at in columns.status if _says(cells[at]) or _TICK.search(cells[at])]
    if kind == "decision":
        others = (cell for at, cell in enumerate(cells) if at not in (*columns.outcome, *columns.people))
        return any(map(_is_open, others)) or any(_is_in(cell, (*_ENDED, "proposed")) for cell in status)
    if status:
        return any(map(_is_done, status))
    return kind in OPEN and any(_says(cells[at]) and not _is_open(cells[at]) for at in columns.outcome)


def _is_in(words: str, names: Sequence[str]) -> bool:
    """True for words that name one of these states of a decision record."""
    return any(form(f"adr.{name}").search(words) for name in names)


def _is_open(cell: str) -> bool:
    """True for a cell that says `TBD`, or that nothing was chosen yet."""
    return no_records.is_undecided(cell) or _labelled(cell) == "question"


def _is_done(status: str) -> bool:
    """True for a status that says, or ticks off, that nothing is left to do."""
    if form("part.closed").fullmatch(status.strip(_DECORATION + ".✅☑✔✓")):
        return True
    ended = states.of(status)
    is_ended = states.OPEN not in ended and bool(ended & {states.DONE, states.GONE, states.WORKS})
    return is_ended or _TICK.search(status) is not None


def _says(cell: str) -> bool:
    """True for a cell that has words, and does not only say that there is nothing."""
    return not (_is_blank(cell) or has(cell, "signs.nothing"))


def _is_blank(cell: str) -> bool:
    return (_NO_WORD.fullmatch(cell) or _BLANK.fullmatch(cell)) is not None


def _words(cells: Sequence[str], columns: _Columns) -> str:
    """Return what a row states, behind what it is about where that is a cell of its own; "" for nothing."""
    words = cells[columns.statement]
    if _is_blank(words):
        return ""
    about = cells[columns.subject] if columns.subject is not None else ""
    if about and _says(about) and len(about) <= _SUBJECT:
        return f"{about}: {words}"
    return words


def _states(kind: str, cells: Sequence[str], columns: _Columns, words: str) -> bool:
    """True for a row that is of the kind of its table by its own words too; a bare name needs its reason."""
    cell = cells[columns.statement]
    if no_records.is_undecided(cell) or (kind not in BINDING and has(cell, "signs.nothing")):
        return False
    if kind in OPEN:
        return classification.text_kind(cell, kind) == kind
    is_explained = any(name == "why" and _says(cells[at]) for name, at in columns.fields)
    return (is_explained or classification.is_told(words)) and not no_records.stands(cell)


def _plain(cell: str) -> str:
    return flat(_BREAK.sub(" ", cell)).replace("**", "").strip("*_ ")
