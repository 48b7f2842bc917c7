"""Records: threads, tasks, blockers, decisions, questions, doubts, constraints and dead ends, and how they move.

Owns the registry that is derived from the tiers and from what journals say since. Refuses to
store anything: a record lives in a tier's file, its moves in journals.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.documents import verdicts
from sleep.documents.entries import IMPORTED
from sleep.documents.hand import subject
from sleep.documents.markdown import lines
from sleep.errors import MoveError
from sleep.language.acts import first_words, titles
from sleep.language.acts.forms import form
from sleep.records import address as addressing
from sleep.records import headline, kinds
from sleep.records.fragment import ALSO, QUOTATION, SOURCE, STATUS, TRANSCRIPT, Fragment, flat
from sleep.records.kinds import AT_ODDS, KINDS, event_record
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sleep.documents.entries import Entry
    from sleep.records.address import Address, InstanceId
    from sleep.records.kinds import Move

_NUMBERED = re.compile(rf"\n- \*\*({addressing.NUMBERED})\*\*")
_ALSO = re.compile(rf"\n  - {ALSO}: (.*)")
_ANY_NUMBER = re.compile(addressing.NUMBERED)
_MARKED = re.compile(r"-[0-9]{1,6}\]")
_WITH_ADDRESS = re.compile(rf"{addressing.NUMBERED} \((i[0-9a-z]+\.[0-9]+)\)")
AGENT = "agent"  # who noticed something, where nobody says who said it
REVIEW, REVIEWED = "kept", "reviewed"  # the event, and the field, of a record that was looked at again and holds
_REGISTER = "emotional register"
# What the first entry of a journal asks its instance, and the command that answers.
ASK, ANSWER = "Say in your own words how you start from it", 'sleepwake journal.add --kind tone --text "..."'
_SIGNS = re.compile(r"^[^\w\"'`(\[]+|\*\*|__|[*_ ]+$")  # of bold, and pictures before it
_STAMPED = re.compile(  # of a memory bank: `[2025-08-17 00:44:00] - `, as an item or not
    r"^((?:[-*+][ \t]+)?)\[\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?\][ \t]*(?:[-–—:][ \t]+)?(?=\S)"
)
_RULE = re.compile(
    r"^[ \t]*(?:-[ \t]*){3,}$|^[ \t]*(?:\*[ \t]*){3,}$|^[ \t]*(?:_[ \t]*){3,}$"
)  # a line across the page
_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$")  # of a table
_HEAD = re.compile(
    r"^#{2,6} +(.*[^ #:：\n])[ #:：]*$", re.MULTILINE
)  # in the body of a record that begins at a heading
_BLOCKS = frozenset("|`~")  # what rows of tables and fences of code begin with
_COMMANDS = 2  # lines of code that are told
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\] )?")


class Record(NamedTuple):
    """A record as it is now, where it stands (`memory/hot/threads.md`, or the journal it waits in), and its history."""

    fragment: Fragment
    path: str
    moves: tuple[Entry, ...] = ()


def legal(kind: str, state: str) -> tuple[str, ...]:
    """Return the states that a record of this kind may go to from `state`; none for what is no record."""
    return tuple(move.to for move in KINDS[kind].moves if state in move.origins) if kinds.is_record(kind) else ()


def moved(record: Fragment, to: str, says: str, at: Address) -> Fragment:
    """Return the record in its new state. Raises MoveError that names the legal moves, or what the move must say."""
    state = record.state
    if not record.is_record:
        names = ", ".join(kind.name for kind in kinds.RECORDS)
        raise MoveError(f"{record.handle} is a {record.kind}, which has no states ({names} have)")
    if amended := _amended(record, to, says, at):
        return amended
    if to not in legal(record.kind, state):
        options = legal(record.kind, state)
        allowed = f"from {state} it can go to {' or '.join(options)}" if options else f"{state} is final"
        raise MoveError(f"{record.handle} is {state} and cannot become {to} ({allowed})")
    kind = KINDS[record.kind]
    move = next(move for move in kind.moves if move.to == to)
    if to != kind.born and not move.is_free and not says.strip():
        raise MoveError(f"{record.handle} cannot become {to} without saying the {demand(move)}")
    status = "" if to == kind.born else f"{to} ({flat(says)})" if says.strip() else to
    return record.with_field(STATUS, status)._replace(addresses=_with(record.addresses, at))


def _amended(record: Fragment, to: str, says: str, at: Address) -> Fragment | None:
    """Return a record that binds as somebody reviewed it, or said one of its fields anew; None for a move."""
    name, value = (REVIEWED, f"{at}") if to == REVIEW else (to, says)
    is_known = to == REVIEW or to in KINDS[record.kind].amends
    if not (record.is_open and is_known and value.strip()):
        return None
    return record.with_field(name, value)._replace(addresses=_with(record.addresses, at))


def _with(addresses: tuple[Address, ...], at: Address) -> tuple[Address, ...]:
    return addresses if at in addresses else (*addresses, at)


def demand(move: Move) -> str:
    """Return what a move must say, in words."""
    return move.ask if move.says == "by" else move.says


def from_entry(entry: Entry) -> Fragment:
    """Return the record that an entry creates, or would if it were stated: its words on one line, and its fields.

    A table is left out, and of code all but its first commands: on one line nobody can read them.

    One that states what was noticed at an address has that address too.
    """
    known = KINDS[entry.kind]
    own = (*known.fields, "thread", kinds.COMMIT, AT_ODDS, *((QUOTATION, TRANSCRIPT) if entry.is_asked else ()))
    fields = tuple((key, value) for key, value in entry.fields if key in own)
    fields += ((SOURCE, entry.source or (AGENT if entry.is_asked else "")),)
    verdict = verdicts.of_entry(entry)
    addresses = (entry.address, verdict.address) if verdict else (entry.address,)
    fragment = Fragment(entry.fragment_kind, _with_lead(entry), addresses, entry.number, tuple(filter(_says, fields)))
    status = entry.field(STATUS) if entry.field(STATUS).split(" ", 1)[0] in known.states[1:] else ""
    return fragment.with_field(STATUS, status) if status and not entry.noticed else fragment


def _with_lead(entry: Entry) -> str:
    """Return an entry's words, behind what stands above its list where they say the contrary without.

    That is a lead (`Never:`) or a heading (`Do not`), below which a label in bold stays as it is. Those of a record
    stand behind their subject where only the heading says it, and without a label that says its kind again.
    """
    lead = _SIGNS.sub("", entry.sections[-1]) if entry.sections else ""
    words = on_one_line(entry)
    bare = headline.unlabelled(entry.kind, words)
    is_lead = first_words.leads(lead) and form("signs.verbal lead").search(lead)
    forbidden = f"{lead} {words}" if is_lead and not titles.needs_no_ban(lead, bare) else titles.under(lead, words)
    if forbidden != words:
        return words if first_words.BOLD_LABEL.match(words) else forbidden
    return subject.with_subject(bare, entry.sections) if kinds.is_record(entry.kind) else bare


def _says(field: tuple[str, str]) -> bool:
    return bool(field[1])


def on_one_line(entry: Entry) -> str:
    """Return an entry's title and body on one line, without tables, and of code its first commands."""
    return whole(entry._replace(body=_on_one_line(entry.body)))


def whole(entry: Entry) -> str:
    """Return an entry's title and body on one line; the items of a list are set apart by semicolons."""
    words: list[str] = []
    for line in _lines(entry):
        if not _RULE.match(line) and (bare := flat(_ITEM.sub("", line, count=1))):
            is_apart = _ITEM.match(line) or (len(words) == 1 and _is_explained(entry))
            apart = words and is_apart and not words[-1].endswith((":", ";", "："))
            if apart and words[-1].endswith(".") and not words[-1].endswith(".."):
                words[-1] = words[-1][:-1]
            words += ["; " if apart else " ", bare] if words else [bare]
    return "".join(words)


def with_change(entry: Entry, words: str) -> str:
    """Return what an entry says, of a fix with what was changed: its title alone tells the fault as if it stood."""
    change = flat(entry.field("change"))
    return f"{words.rstrip('.')}; change: {change}" if words and change and change not in words else words


def _lines(entry: Entry) -> Iterator[str]:
    """Yield an entry's title and the lines of its body, those of an import without what only frames its first words."""
    body = _HEAD.sub(_item, entry.body).split("\n")
    if not entry.source.startswith(IMPORTED):
        yield from (entry.title, *body)
        return
    is_name = bool(entry.body) and form("signs.next name").fullmatch(entry.title)
    rows = list(filter(None, ("" if is_name else entry.title, *body)))
    yield from (_STAMPED.sub(r"\1", row) if not place else row for place, row in enumerate(rows))


def _item(heading: re.Match[str]) -> str:
    """Return a heading as an item, which leads to what stands below it, if anything does."""
    return f"- {heading[1]}{':' if heading.string[heading.end() :].strip() else ''}"


def _on_one_line(body: str) -> str:
    """Return a body without tables, and in the place of code its first commands between backticks."""
    rows = body.split("\n")
    if not any(row.lstrip()[:1] in _BLOCKS for row in rows):
        return body
    fenced, left, block = lines.code(rows), list[str](), list[str]()
    for index, row in enumerate([*rows, ""]):
        if index in fenced:
            block.append(row.strip())
            continue
        if block:
            left.append(_commands(block[1:-1]))
            block = []
        if not _ROW.match(row):
            left.append(row)
    return "\n".join(left)


def _commands(code: Sequence[str]) -> str:
    """Return the first lines of code that are no remark, each between backticks."""
    own = [row for row in code if row and not row.startswith("#")]
    return ", ".join(f"`{row}`" for row in own[:_COMMANDS] if "`" not in row) + " ..." * (len(own) > _COMMANDS)


def _is_explained(entry: Entry) -> bool:
    """True for a heading of an imported page that is a choice or a task: what stands below explains it."""
    return entry.kind in ("decision", "task") and entry.source.startswith(IMPORTED) and entry.title[-1:].isalnum()


def is_opening(entry: Entry) -> bool:
    """True for an entry that creates a record."""
    return kinds.is_record(entry.kind) and not entry.noticed


def is_move(entry: Entry) -> bool:
    """True for an entry that moves a record to another state."""
    return event_record(entry.kind) is not None and not verdicts.is_rejection(entry)


def registry(placed: Iterable[tuple[str, Fragment]], entries: Sequence[tuple[str, Entry]]) -> dict[Address, Record]:
    """Return every record by identity: those that stand in tiers, then what journals not yet slept on add and move.

    `placed` are (path, fragment) of the tiers, `entries` (path, entry) in the order they were written. A move that is
    not legal (written by hand, or on two branches) is passed over: the gate and `wake.check` report it.
    """
    records: dict[Address, Record] = {}
    for path, fragment in placed:
        if fragment.is_record:
            records[fragment.identity] = Record(fragment, path)
    by_handle: dict[str, list[Record]] = {}
    for record in records.values() if entries else ():
        for handle in handles(record.fragment):
            by_handle.setdefault(handle, []).append(record)
    records |= outcome(entries, lambda handle: by_handle.get(handle, ()))
    return {identity: _at_odds(record, records) for identity, record in records.items()}


def outcome(entries: Iterable[tuple[str, Entry]], standing: Callable[[str], Iterable[Record]]) -> dict[Address, Record]:
    """Return the records that entries add, and those that they move, as they are then.

    `entries` are as in `registry`; `standing` returns the records of the tiers that have one of `handles`.
    """
    records: dict[Address, Record] = {}
    for path, entry in entries:
        if is_opening(entry):
            if not [*standing(str(entry.address))]:
                records.setdefault(entry.address, Record(from_entry(entry), path))
        elif is_move(entry):
            handle = _handle(entry.field("record"))
            there = {record.fragment.identity: record for record in standing(handle)} if handle else {}
            known = {at: records.get(at, record) for at, record in there.items()} | records
            record = find(known.values(), handle, entry.address.instance)
            if record:
                try:
                    after = moved(record.fragment, entry.field("to"), says(entry), entry.address)
                except MoveError:
                    continue
                records[after.identity] = Record(after, record.path, (*record.moves, entry))
    return records


def handles(record: Fragment) -> Iterator[str]:
    """Yield what names a record: its address, and its numbers in their one form."""
    yield str(record.identity)
    yield from map(_handle, record.numbers)


@lru_cache(maxsize=1 << 12)  # each record of a page is asked for its own
def _handle(name: str) -> str:
    """Return a number in its one form, of a reference its address, else the name itself."""
    wanted = exact(name)
    parsed = addressing.number_of(wanted)
    return addressing.number(*parsed) if parsed else wanted


def _at_odds(record: Record, records: Mapping[Address, Record]) -> Record:
    """Return a record that says what it is at odds with only while both hold."""
    if not (named := record.fragment.field(AT_ODDS)):
        return record
    addresses = addressing.addresses(named)
    is_settled = any(at in records and not records[at].fragment.is_open for at in addresses)
    return record._replace(fragment=record.fragment.with_field(AT_ODDS, "")) if is_settled else record


def says(entry: Entry) -> str:
    """Return what an event says beside the new state: `by D-020` for a supersession, else its reason."""
    by = entry.field("by")
    reason = entry.field("reason")
    return "; ".join(word for word in (f"by {by}" if by else "", reason) if word)


def reference(fragment: Fragment) -> str:
    """Return how an event names a record: `T-001 (i7qxk.2)`; two branches may give one number, never one address."""
    return f"{fragment.number} ({fragment.identity})" if fragment.number else str(fragment.identity)


def exact(handle: str) -> str:
    """Return the address of a reference, as in `reference`, else the handle itself."""
    return _WITH_ADDRESS.sub(r"\1", handle.strip())


def named(records: Iterable[Record], handle: str) -> list[Record]:
    """Return every record that a number (`D-014`), an address or a reference (`D-014 (i7qxk.12)`) names.

    After a merge of branches a number may name several; an address names one.
    """
    wanted = _handle(handle)
    at = addressing.parse(wanted)
    return [
        record
        for record in records
        if record.fragment.identity == at or wanted in map(_handle, record.fragment.numbers)
    ]


def find(records: Iterable[Record], handle: str, said_by: InstanceId | None = None) -> Record | None:
    """Return the record that a handle names, as in `named`; None for none, and where it cannot be told which.

    Of several with one number it is that of the instance which says so, if it has one of its own.
    """
    matches = named(records, handle)
    if len(matches) > 1 and said_by:
        matches = [record for record in matches if record.fragment.identity.instance == said_by]
    return matches[0] if len(matches) == 1 else None


def used_numbers(texts: Iterable[str]) -> dict[str, int]:
    """Return, by letter, the highest record number that stands as a number (bold in a tier, in a mark in a journal)."""
    highest: dict[str, int] = {}
    for text in texts:
        has_marks = _MARKED.search(text)  # a tier's file has none, but thousands of marks without a number
        marks = (mark[3] for mark in addressing.MARK.finditer(text) if mark[3]) if has_marks else ()
        also = (number for line in _ALSO.findall(text) for number in _ANY_NUMBER.findall(line))
        for number in (*_NUMBERED.findall(f"\n{text}"), *also, *marks):
            letter, _, count = number.partition("-")
            highest[letter] = max(highest.get(letter, 0), int(count))
    return highest


class Tone(NamedTuple):
    """How an instance felt about its work: its words, and the entry that says so."""

    words: str
    address: Address


def closing_tone(entries: Sequence[Entry]) -> Tone | None:
    """Return the last tone of an instance, None for none: a tone entry, or a handoff's emotional register."""
    for entry in reversed(entries):
        words = tone_of(entry)
        if words:
            return Tone(words, entry.address)
    return None


def tone_of(entry: Entry) -> str:
    """Return the tone that an entry tells in its instance's own words, "" for none."""
    if entry.kind == "tone" and not is_tone_check(entry):
        return whole(entry)
    return flat(entry.field(_REGISTER)) if entry.kind == "handoff" else ""


def is_tone_check(entry: Entry) -> bool:
    """True for the entry that `wake` opens a journal with."""
    return entry.kind == "tone" and entry.title.startswith("tone check")


def asks_tone(entries: Sequence[Entry]) -> bool:
    """True for a journal whose first entry asks how its instance starts, while no other entry tells a tone."""
    is_asked = bool(entries) and is_tone_check(entries[0]) and ASK in entries[0].body
    return is_asked and closing_tone(entries) is None
