"""What a cycle writes into the project's own pages, decided: an entry, a block, and dated lines.

Owns the words. Only pages that are there are written; soul and user never. Every word quotes a record or an entry of
the cycle, redacted. Refuses a page that cannot be read or is somebody's unfinished work: it is left, and named.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from sleep.cycle import step_message
from sleep.cycle.project_pages import named_pages
from sleep.documents import front_matter, register
from sleep.documents.project import change_list, dated_lines, managed_block, page_forms
from sleep.documents.project.dated_lines import Dated
from sleep.documents.project.managed_block import Row
from sleep.journal import activity
from sleep.language import tokens
from sleep.memory import place
from sleep.plurals import several
from sleep.records import address as addressing
from sleep.records.fragment import SOURCE, flat
from sleep.records.kinds import ENTRIES, RECORDS
from sleep.redaction import secret_scan
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sleep.documents.cycles import Cycle
    from sleep.documents.entries import Entry
    from sleep.documents.journal import Journal
    from sleep.memory.view import View
    from sleep.records.fragment import Fragment

_BLOCK_TOKENS = 1_500  # of the lines in the block; what has no room is counted
_ROW_TOKENS, _LINE_TOKENS, _SUMMARY_TOKENS = 80, 60, 60
_FRAME_TOKENS = 4  # of what leads to a reason
_END = re.compile(r";(?= )|[。；]|(?<=[^.\W]{2})\.(?= [A-Z\d])")  # of a statement: takes `on disk. It`, leaves `e.g. A`
_COMMANDS = "`sleepwake constraint.list`, `sleepwake decision.list`"
_KINDS = ("constraint", "decision")  # rules first
_SUMMARY = ("change", "fix", "insight", "note")  # what an entry of the changelog tells where no handoff sums up
_UNREADABLE = "cannot be read"
_PERSONS = ("memory/core/0.soul.md", "memory/core/1.user.md")  # pages that are proposed to, and never written
_PROPOSED = 12  # rules
_NAMES = 6  # of records that a commit tells
_NUMBER = re.compile(rf"- ({addressing.NUMBERED}) ")


class PageWrites(NamedTuple):
    """The pages as they become, by path, and what the commit says of pages: those written, and those left."""

    writes: dict[str, str | None]
    lines: tuple[str, ...]


def decide(view: View, journal: Journal, cycle: Cycle, leave: Collection[str]) -> PageWrites:
    """Return what a cycle adds to pages.

    Args:
        view: the memory with its tiers as the cycle leaves them.
        journal: the cycle's.
        cycle: its line.
        leave: pages that have changes which nobody committed, and are not to be written.
    """
    writes: dict[str, str | None] = {}
    notes = []
    for path, text in _pages(view):
        try:
            front_matter.read(text)
            after = _after(view, path, text, journal, cycle)
        except ValueError:
            notes.append(f"left {path} alone: it {_UNREADABLE}")
            continue
        if after == text:
            continue
        if path in leave:
            notes.append(f"left {path} alone: it has changes that nobody committed")
            continue
        writes[path] = after
    notes[:0] = _report(view, writes)
    before = view.read(managed_block.PROPOSALS)
    proposed = _proposals(view, before)
    if proposed != before and managed_block.PROPOSALS not in leave:
        writes[managed_block.PROPOSALS] = proposed
        notes.append(f"what soul and user could say is proposed in {managed_block.PROPOSALS}")
    return PageWrites(writes, tuple(notes))


def _report(view: View, writes: Mapping[str, str | None]) -> Iterator[str]:
    """Yield what the commit says of pages that are written: of the page of memory which records came and went."""
    others = [path for path in writes if path != managed_block.PATH]
    if others:
        yield f"added to {', '.join(others)}"
    if managed_block.PATH in writes:
        texts = (view.read(managed_block.PATH), writes[managed_block.PATH])
        yield f"{managed_block.PATH}: {_differences(*(_by_name(text or '') for text in texts))}"


def _differences(old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """Return what came into the block, went out of it, or stands in other words, by name."""
    groups = (
        ("new", [name for name in new if name not in old]),
        ("changed", [name for name, line in new.items() if old.get(name, line) != line]),
        ("taken out", [name for name in old if name not in new]),
    )
    words = "; ".join(f"{step_message.listed(names, _NAMES)} {what}" for what, names in groups if names)
    return words or "its block is written anew"


def _by_name(text: str) -> dict[str, str]:
    """Return the lines of the block by what a person calls their record: its number, else its address."""
    marks = ((line, addressing.MARK.search(line)) for line in managed_block.rows(text))
    rows = ((line, _NUMBER.match(line), addressing.mark_of(mark)) for line, mark in marks if mark)
    return {number[1] if number else str(mark.addresses[0]): line for line, number, mark in rows}


def _proposals(view: View, before: str | None) -> str | None:
    """Return the page of proposals: rules of a person's that neither soul nor user says; None where there are none.

    Soul and user are never written: who they are about writes them. A line that is taken out does not come back.
    """
    pages = [view.read(path) for path in _PERSONS]
    text = flat(" ".join(filter(None, pages))).casefold()
    records = [fragment for _, fragment in view.placed_records if fragment.kind == "constraint"]
    rules = [record for record in records if record.is_open and record.field(SOURCE) == "person"]
    new = [record for record in sorted(rules, key=_order) if flat(record.text).casefold() not in text]
    known = place.secrets()
    rows = [Row(str(record.identity), _row(record, known, _ROW_TOKENS)) for record in new[:_PROPOSED]]
    if all(page is None for page in pages) or (before is None and not rows):
        return before
    others = _rows(records, known)
    return managed_block.proposals(managed_block.written(before or managed_block.INTRODUCTION, rows, others))


def _pages(view: View) -> Iterator[tuple[str, str]]:
    """Yield the pages that are there and have a form, with their texts."""
    folders = (path for folder in dated_lines.FOLDERS for path in view.files(folder))
    for path in (managed_block.PATH, change_list.PATH, *folders):
        text = view.read(path) if page_forms.of(path) else None
        if text is not None:
            yield path, text


def _after(view: View, path: str, text: str, journal: Journal, cycle: Cycle) -> str:
    """Return a page as it becomes; ValueError for one that cannot be read."""
    if path == managed_block.PATH:
        return _with_block(view, text)
    if journal.is_import or not activity.did_something(journal):
        return text
    if path == change_list.PATH:
        return change_list.added(text, _entry(journal, cycle))
    stem = path.rpartition("/")[2].removesuffix(".md")
    entry = named_pages.find_entry(stem, text, journal.entries)
    if entry is None:
        return text
    return dated_lines.added(text, Dated(cycle.slept[:10], _line(entry), str(entry.address)))


def refreshed(view: View) -> dict[str, str | None]:
    """Return the page of memory where its block tells other records than those that hold; none where there is none."""
    text = view.read(managed_block.PATH) or ""
    after = _with_block(view, text) if managed_block.OPEN in text else text
    return {} if after == text else {managed_block.PATH: after}


def _with_block(view: View, text: str) -> str:
    """Return the page of memory with its block: the rules, then the decisions, a person's first, then the newest.

    They are told whole if all of them have room so.
    """
    records = [fragment for _, fragment in view.placed_records if fragment.kind in _KINDS]
    holding = sorted((record for record in records if record.is_open), key=_order)
    known = place.secrets()
    rows = _fitting(holding, known, 0)
    if len(rows) < len(holding):
        rows = _fitting(holding, known, _ROW_TOKENS)
    # Seldom, and it takes the words of every record.
    others = _rows(records, known) if managed_block.has_lines_to_tell(text) else []
    return managed_block.written(text, rows, others, managed_block.more(len(holding) - len(rows), _COMMANDS))


def _fitting(records: Iterable[Fragment], known: Sequence[str], most: int) -> list[Row]:
    """Return the rows of the first records that have room in the block; `most` as in `_row`."""
    rows = []
    left = _BLOCK_TOKENS
    for record in records:
        row = Row(str(record.identity), _row(record, known, most))
        left -= tokens.count(row.line)
        if left < 0:
            break
        rows.append(row)
    return rows


def _rows(records: Iterable[Fragment], known: Sequence[str]) -> list[str]:
    """Return every line that a sleep may have written of records: whole, short, and as earlier versions cut it."""
    return [
        line
        for record in records
        for line in (_row(record, known, 0), _row(record, known, _ROW_TOKENS), _former_row(record, known))
    ]


def _order(record: Fragment) -> tuple[int, bool, int, int]:
    at = record.identity
    return _KINDS.index(record.kind), record.field(SOURCE) != "person", -at.number, -at.ordinal


def _row(record: Fragment, known: Sequence[str], most: int) -> str:
    """Return the line of a record: whole, or of `most` tokens if that is not 0, its reason then in whole statements."""
    is_persons = record.field(SOURCE) == "person"
    number = f"{record.number}{' (person)' if is_persons else ''} " if record.number else ""
    says = (number or f"Rule{' of a person' if is_persons else ''}: ") + record.text
    why = record.field("why")
    if most:
        why = _statements(why, most - tokens.count(says) - _FRAME_TOKENS)
    return f"- {_clean(f'{says} (why: {why})' if why else says, most, known)} [{record.identity}]"


def _statements(reason: str, most: int) -> str:
    """Return the first statements of a reason that have so many tokens, "" where not even the first one does."""
    ends = [*(match.start() for match in _END.finditer(reason)), len(reason)]
    return next((reason[:end] for end in reversed(ends) if tokens.count(reason[:end]) <= most), "")


def _former_row(record: Fragment, known: Sequence[str]) -> str:
    who = " of a person" if record.field(SOURCE) == "person" else ""
    head = f"{record.number} " if record.number else f"Rule{who}: " if record.kind == "constraint" else ""
    why = f" (why: {record.field('why')})" if record.field("why") else ""
    return f"- {_clean(f'{head}{record.text}{why}', _ROW_TOKENS, known)} [{record.identity}]"


def _entry(journal: Journal, cycle: Cycle) -> dict[str, Any]:
    """Return the cycle's entry in the list of changes: what the session came to, and which records it opened."""
    says = [_summary(journal.entries), _opened(journal.entries)]
    return {
        "date": cycle.slept[:10],
        "type": "sleep",
        "scope": "memory",
        "description": "; ".join(filter(None, says)) or f"slept on instance {cycle.instance.number}",
        "cycle": cycle.number,
        "instance": str(cycle.instance),
    }


def _summary(entries: Sequence[Entry]) -> str:
    handoffs = (entry.field("session summary") for entry in reversed(entries) if entry.kind == "handoff")
    summary = next(filter(None, handoffs), "")
    own = (entry for kind in _SUMMARY for entry in entries if entry.kind == kind and named_pages.is_said(entry))
    first = next(own, None)
    return _clean(summary or (register.whole(first) if first else ""), _SUMMARY_TOKENS)


def _opened(entries: Sequence[Entry]) -> str:
    """Return how many records of each kind a journal opened: `2 decisions (D-001, D-002), 1 question (Q-001)`."""
    opened = [entry for entry in entries if register.is_opening(entry) and not entry.is_asked]
    counts = Counter(entry.kind for entry in opened)
    phrases = []
    for kind in (kind for kind in RECORDS if counts[kind.name]):
        numbers = ", ".join(entry.number for entry in opened if entry.kind == kind.name and entry.number)
        phrases.append(f"{several(counts[kind.name], kind.name)}{f' ({numbers})' if numbers else ''}")
    return ", ".join(phrases)


def _line(entry: Entry) -> str:
    kind = ENTRIES[entry.kind]
    head = "" if entry.kind in ("note", "change") else f"{kind.label}: "
    number = f"{entry.number} " if entry.number else ""
    return _clean(f"{head}{number}{register.whole(entry)}", _LINE_TOKENS)


def _clean(words: str, most: int, known: Sequence[str] | None = None) -> str:
    """Return words on one line, redacted, of so many tokens at the most (0: whole), that open no comment.

    `known` are the secrets of the environment, where the caller has them.
    """
    redacted = secret_scan.redact(flat(words), place.secrets() if known is None else known)[0]
    return (tokens.clip(redacted, most) if most else redacted).replace("<!--", "&lt;!--")
