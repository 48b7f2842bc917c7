"""The records that a question asks for, as lines of an answer.

Owns which of them answer: of a question about something those that say most of it, else all that bind, the newest
first. What only was noticed comes behind what was stated.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from sleep.documents import main_page
from sleep.language import dates, words
from sleep.recall import lookup, passage_lines, periods
from sleep.recall.index import rows
from sleep.recall.index.index_form import MASK, SHIFT
from sleep.recall.lists.list_request import LAST, session_number
from sleep.recall.postings import Limits
from sleep.records import address as addressing
from sleep.records.kinds import KINDS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from sleep.recall.lists.list_request import ListRequest
    from sleep.recall.lookup import Matches
    from sleep.recall.passages import PassageLine
    from sleep.recall.question import Question
    from sleep.recall.rank import ScoredRow

_NEWEST = 400  # records that are read where a question asks for all
_ABOUT = 12  # that answer a question about something, and
_FITS = 0.6  # of its worth that each of them has, or a heading above it;
_WHOLE = 0.99  # that a tier has of it where the journal has less
_RANKED = 60  # rows
_BELOW = 120  # rows behind a heading that are looked at
_SHOWN = 2  # headings above a passage
_FIRST = 100.0  # their score, above all that words alone find,
LEAST = 99.0  # and the least of the last one
_HANDOFF = "handoff"  # the newest alone says what is next
_SAYS = "main.md says what the project is:"
_SAYS_NOTHING = "main.md says nothing between its title and the next heading, where the purpose stands"
_REST = 9  # the rank of what is no record


class ListLines(NamedTuple):
    """The lines that answer, best first.

    `note` stands above them where a question asks for all records of a kind or of a time, `lack` says then that there
    are none; `lead` stands above those about something, which other lines follow; "" else. `is_all`: of an instance
    nothing else is asked, so that no other line is near; `is_near`: they have a part of what is asked about;
    `is_foreign`: no instance has the number, but a text names such a session, which words find.
    """

    lines: tuple[PassageLine, ...]
    note: str = ""
    lack: str = ""
    lead: str = ""
    is_all: bool = False
    is_near: bool = False
    is_foreign: bool = False


NONE = ListLines(())


def find_lines(base: sqlite3.Connection, asked: Question, request: ListRequest, limits: Limits) -> ListLines:
    """Return the records that a question asks for, best first; where it asks for all and none holds, those that did."""
    if request.is_purpose:
        return _purpose(base, asked, limits)
    own = Limits(limits.tiers, request.kinds, limits.since)
    if request.instance and not _rows_of_session(base, request):
        return _no_session(base, request)
    if request.is_voice:
        return _read_voice(base, asked, request, own._replace(source=rows.PERSON))
    if request.terms:
        return _on_terms(base, asked, request, own)
    if not request.kinds:
        return _happened(base, asked, request, limits)
    return _all(base, asked, request, own)


def _all(base: sqlite3.Connection, asked: Question, request: ListRequest, own: Limits) -> ListLines:
    """Return all records of the kinds that are asked for, the newest first."""
    numbers = _rows_of_session(base, request) if request.instance else _newest(base, own)
    lines = _read(base, [(0.0, row, 0) for row in numbers], (), asked, own)
    lines = _without_copies(_newest_first(lines))
    lines = _with_last_handoff(lines) if request.is_next else lines
    chosen = [line for line in lines if holds(line) != request.is_closed]
    is_of_time = bool(asked.days or own.since)
    label = _label(request, "and", is_of_time=is_of_time)
    number = 0 if request.is_next else len({line.addresses or line.place for line in chosen})
    note = f"{_counted(number, label, is_cut=len(numbers) >= _NEWEST)}, the newest first:"
    if not (chosen or request.is_closed):
        chosen, note = lines, f"There are no {_label(request, 'or', is_of_time=is_of_time)}. The last ones:"
    lack = f"it has no {_label(request, 'or', is_of_time=is_of_time)}"
    return ListLines(_scored(chosen), note, lack, is_all=bool(request.instance))


def _without_copies(lines: Sequence[PassageLine]) -> list[PassageLine]:
    """Return lines without what tiers have of entries that a journal has in several rows."""
    journaled = {address for line in lines if line.tier == rows.JOURNAL for address in line.addresses}
    return [line for line in lines if line.tier not in rows.HELD or journaled.isdisjoint(line.addresses)]


def _with_last_handoff(lines: Sequence[PassageLine]) -> list[PassageLine]:
    """Return lines, the newest first, without the handoffs behind the first."""
    last = next((line for line in lines if line.kind == _HANDOFF), None)
    return [line for line in lines if line.kind != _HANDOFF or (last and line.addresses == last.addresses)]


def _label(request: ListRequest, link: str, *, is_of_time: bool) -> str:
    """Return the records as a person names them, with what they are asked of."""
    label = request.label(link)
    return f"{label} of that time" if is_of_time else label


def _counted(number: int, label: str, *, is_cut: bool) -> str:
    """Return what a list is of, with how many there are where there are several."""
    more = " or more" if is_cut else ""
    return f"{number}{more} {label}" if number > 1 else f"{label[:1].upper()}{label[1:]}"


def _on_terms(base: sqlite3.Connection, asked: Question, request: ListRequest, limits: Limits) -> ListLines:
    """Return the records about something; of an instance those of its own that have a word of it.

    Those that bind come first: one is there even if many that were closed say more of it. Where no kind is asked for,
    what the instance has with most of the words, in its order.
    """
    if request.instance:
        lines = _of_session(base, asked, request, limits)
    else:
        about = asked._replace(terms=request.terms, focus="", asks="")
        lines = _about(base, about, limits)
        if not lines and (near := _about(base, about, limits, is_near=True)):
            lead = f"No {request.label('or')} have all of these words; the nearest:"
            return ListLines(_scored(near[:_ABOUT]), lead=lead, is_near=True)
    if not request.kinds:
        has = f"What {request.session} has on it:" if lines else f"Nothing of {request.session} has these words:"
        return ListLines(_scored(lines[:_ABOUT]), lead=has)
    lines = sorted(lines, key=lambda line: holds(line) == request.is_closed)[:_ABOUT]
    return ListLines(_scored(lines), lead=_lead(lines, request))


def _of_session(base: sqlite3.Connection, asked: Question, request: ListRequest, limits: Limits) -> list[PassageLine]:
    """Return the lines of an instance with a word that is asked for; of no kind in particular, with most of them."""
    numbers = _rows_of_session(base, request)
    wanted = set(request.terms)
    least = 1 if request.kinds else _FITS * len(wanted)
    lines = _read(base, [(0.0, row, 0) for row in numbers], (), asked, limits)
    return [
        line
        for line in lines
        if line.kind != rows.HEADING and len(wanted.intersection(words.terms(line.text))) >= least
    ]


def _lead(lines: Sequence[PassageLine], request: ListRequest) -> str:
    """Return what stands above the records about something: that there are none, or none any more."""
    if request.is_closed or any(map(holds, lines)):
        return ""
    label = request.label("or")
    return f"There are no {label} about this any more:" if lines else f"No {label} have these words:"


def _about(base: sqlite3.Connection, about: Question, limits: Limits, *, is_near: bool = False) -> list[PassageLine]:
    """Return the records that have most of what a question is about, then those that have it in what leads to them.

    `is_near`: of what this memory has of it at all, and what is said for a word counts as the word.
    """
    matches = lookup.find_matches(base, about, limits, _RANKED)
    lines = _read(base, _fitting(matches, _FITS, is_near=is_near), matches.terms, about, limits)
    places = {line.place for line in lines}
    return lines + [line for line in _by_lead(base, about, limits, is_near=is_near) if line.place not in places]


def _by_lead(base: sqlite3.Connection, about: Question, limits: Limits, *, is_near: bool) -> list[PassageLine]:
    """Return the records that a tier leads to by all that is asked about, or one of the two headings above by most.

    A tier has the subject before the record, and an entry of many rows as one: most of the words are often in it.
    """
    wanted = Limits(limits.tiers or (rows.JOURNAL, *rows.TIERS), (rows.HEADING, *limits.kinds))
    matches = lookup.find_matches(base, about, wanted, _RANKED)
    fits = _fitting(matches, _FITS, is_near=is_near)
    texts = passage_lines.read_rows(base, [row for _, row, _ in fits])
    headings = [row for _, row, _ in fits if row in texts and texts[row].kind == rows.HEADING][:_ABOUT]
    whole = [each for each in _fitting(matches, _WHOLE, is_near=is_near) if each[1] not in headings]
    lines = _read(base, whole, matches.terms, about, limits)
    return lines + _below(base, headings, about, limits)


def _below(base: sqlite3.Connection, headings: Sequence[int], about: Question, limits: Limits) -> list[PassageLine]:
    """Return the records of which one of the two headings above is among these."""
    places = {(row >> SHIFT, row & MASK) for row in headings}
    numbers = _rows_below(base, headings, limits)
    # A heading that only names a kind and whose it is (`Questions for Ana`) is not shown above its rows.
    owned = {number for number, row in passage_lines.read_rows(base, numbers).items() if number - row.below in headings}
    return [
        line
        for line in _read(base, [(0.0, number, 0) for number in numbers], (), about, limits)
        if places.intersection(place for place, _ in line.under[-_SHOWN:]) or _number(line) in owned
    ]


def _number(line: PassageLine) -> int:
    document, row = line.place
    return (document << SHIFT) + row


def _rows_below(base: sqlite3.Connection, headings: Sequence[int], limits: Limits) -> list[int]:
    """Return the rows of kinds right behind headings, in the same document."""
    marks = ",".join("?" * len(limits.kinds))
    query = f"SELECT id FROM row WHERE id > ? AND id <= ? AND kind IN ({marks})"  # noqa: S608  # question marks
    ranges = ((row, min(row + _BELOW, row | MASK)) for row in headings)
    return [row for ends in ranges for (row,) in base.execute(query, (*ends, *limits.kinds))]


def _read_voice(base: sqlite3.Connection, asked: Question, request: ListRequest, limits: Limits) -> ListLines:
    """Return what the person of a session said: about something what has most of it, else all, the newest first.

    Where no session was captured nothing is known of its person, and words find what is there.
    """
    numbers = _newest(base, limits)
    own = {*_rows_of_session(base, request)} if request.instance else {*numbers}
    if not own.intersection(numbers):
        return NONE
    if not request.terms:
        lines = _read(base, [(0.0, row, 0) for row in numbers if row in own], (), asked, limits)
        lines = _newest_first(lines)
        where = f" in {request.session}" if request.instance else ""
        return ListLines(_scored(lines), f"What a person said{where}, the newest first:", "a person said nothing then")
    about = asked._replace(terms=request.terms, focus="", asks="")
    lines = [line for line in _about(base, about, limits) if not request.instance or _number(line) in own]
    return ListLines(_scored(lines[:_ABOUT]), lead="" if lines else "No line of a person has all of these words:")


def _happened(base: sqlite3.Connection, asked: Question, request: ListRequest, limits: Limits) -> ListLines:
    """Return what was journaled on the days or in the session that a question asks for: handoffs, then by kind."""
    if request.instance:
        numbers, when = _rows_of_session(base, request), f"in {request.session}"
    else:
        numbers, when = _rows_of_days(base, asked)
    lines = sorted(_read(base, [(0.0, row, 0) for row in numbers], (), asked, limits), key=lambda line: line.place)
    lines.sort(key=_age, reverse=True)
    lines.sort(key=lambda line: (line.kind != _HANDOFF, KINDS[line.kind].session_rank if line.kind in KINDS else _REST))
    lack = f"nothing was journaled {when}"
    return ListLines(_scored(lines), f"What was journaled {when}:", lack, is_all=bool(request.instance))


def _no_session(base: sqlite3.Connection, request: ListRequest) -> ListLines:
    """Return that there is no such instance, or that none has ended, and whether a text names such a session."""
    if request.instance == LAST:
        return ListLines((), lack="no session has ended yet", is_all=not request.terms)
    lack = f"there is no instance {request.instance} here"
    texts = base.execute("SELECT text FROM row WHERE text LIKE ?", (f"%{request.instance}%",))
    is_foreign = any(session_number(text) == request.instance for (text,) in texts)
    return ListLines((), "", lack, f"T{lack[1:]}. What has these words:", is_all=not is_foreign, is_foreign=is_foreign)


def _rows_of_days(base: sqlite3.Connection, asked: Question) -> tuple[list[int], str]:
    """Return the rows of journals of the days that are asked for, the newest day first, and how these days are said."""
    known = (day for (day,) in base.execute("SELECT DISTINCT day FROM row"))
    wanted = sorted(day for day in known if day and periods.fit(day, asked.days) >= 1)
    if not wanted:
        return [], "then"
    ends = [*dict.fromkeys(map(dates.spoken, (wanted[0], wanted[-1])))]
    marks = ",".join("?" * len(wanted))
    query = (
        f"SELECT row.id FROM row JOIN document ON document.id = row.id >> {SHIFT}"  # noqa: S608  # question marks
        f" WHERE row.day IN ({marks}) AND tier = ? AND kind <> ? ORDER BY row.day DESC, row.id LIMIT ?"
    )
    numbers = [row for (row,) in base.execute(query, (*wanted, rows.JOURNAL, rows.HEADING, _NEWEST))]
    return numbers, f"on {ends[0]}" if len(ends) == 1 else f"from {' to '.join(ends)}"


def _purpose(base: sqlite3.Connection, asked: Question, limits: Limits) -> ListLines:
    """Return what `main.md` says of the project between title and next heading; nothing where limits are set."""
    if limits != Limits():
        return NONE
    query = "SELECT row.id, kind FROM row JOIN document ON document.id = row.id >> ? WHERE tier = ? ORDER BY row.id"
    page = base.execute(query, (SHIFT, rows.MAIN)).fetchall()
    below = itertools.dropwhile(lambda row: row[1] != rows.HEADING, page)
    numbers = [row for row, _ in itertools.takewhile(lambda row: row[1] != rows.HEADING, [*below][1:])]
    lines = _read(base, [(0.0, row, 0) for row in numbers], (), asked, limits)
    return ListLines(_scored([line for line in lines if not main_page.is_placeholder(line.text)]), _SAYS, _SAYS_NOTHING)


def _rows_of_session(base: sqlite3.Connection, request: ListRequest) -> list[int]:
    """Return the rows of the last session, or of the instances that have a number: two branches may have given it.

    Those of all instances from one on are the newest ones.
    """
    if request.instance == LAST:
        return _last_session(base)
    query = "SELECT DISTINCT substr(address, 1, instr(address, '.') - 1) FROM place WHERE address GLOB ? ORDER BY 1"
    pattern = "i[0-9]*" if request.is_since else f"i{request.instance}[a-z]*"
    named = [name for (name,) in base.execute(query, (pattern,))]
    if request.is_since:
        at = {name: address[0].number for name in named if (address := addressing.addresses(f"{name}.1"))}
        if int(request.instance) not in at.values():
            return []
        named = sorted((name for name in at if at[name] >= int(request.instance)), key=at.__getitem__, reverse=True)
    return [row for name in named for row in instance_rows(base, name)][: _NEWEST if request.is_since else None]


def _last_session(base: sqlite3.Connection) -> list[int]:
    """Return the rows of the last instance that ended: it handed over, or a tier has what it said."""
    handoffs = ",".join(map(str, _newest(base, Limits(kinds=(_HANDOFF,)))))
    query = (
        "SELECT DISTINCT substr(address, 1, instr(address, '.'))"  # noqa: S608  # numbers
        f" FROM place JOIN document ON document.id = row >> {SHIFT} WHERE row IN ({handoffs}) OR tier = ?"
    )
    instances = [instance for (instance,) in base.execute(query, (rows.HELD[0],))]
    last = max(instances, key=lambda instance: addressing.addresses(f"{instance}1")[:1], default="")
    return instance_rows(base, last.removesuffix(".")) if last else []


def instance_rows(base: sqlite3.Connection, instance: str) -> list[int]:
    """Return the rows of an instance's entries, in order."""
    query = "SELECT address, row FROM place WHERE address BETWEEN ? AND ?"
    entries = base.execute(query, (f"{instance}.", f"{instance}.:")).fetchall()  # a colon stands behind all figures
    return [row for _, row in sorted((addressing.addresses(address)[:1], row) for address, row in entries)]


def _read(
    base: sqlite3.Connection, ranked: Sequence[ScoredRow], terms: Sequence[str], asked: Question, limits: Limits
) -> list[PassageLine]:
    """Return the lines of rows that are of the kinds and of the days that are asked for."""
    may_use_journals = not limits.tiers or rows.JOURNAL in limits.tiers
    lines = passage_lines.read_lines(base, ranked, terms, may_use_journals=may_use_journals)
    return [
        line
        for line in lines
        if (not limits.kinds or line.kind in limits.kinds)
        and (not limits.source or line.source == limits.source)
        and (not asked.days or periods.fit(line.day, asked.days) >= 1)
        and line.day >= limits.since
    ]


def _scored(lines: Sequence[PassageLine]) -> tuple[PassageLine, ...]:
    """Return lines with scores in their order, what only was noticed behind the others."""
    ordered = sorted(lines, key=lambda line: line.state == rows.ONLY_NOTICED)
    return tuple(line._replace(score=_FIRST - place / len(ordered)) for place, line in enumerate(ordered))


def _age(line: PassageLine) -> tuple[str, int]:
    """Return what orders lines by their day, and those of one day by their instance."""
    at = addressing.addresses(" ".join(line.addresses))
    return line.day, max((address.number for address in at), default=0)


def _newest_first(lines: Sequence[PassageLine]) -> list[PassageLine]:
    """Return lines, the newest entry first, and of an entry the rows in order."""
    in_order = sorted(lines, key=lambda line: line.place)
    return sorted(in_order, key=lambda line: (_age(line), addressing.addresses(" ".join(line.addresses))), reverse=True)


def holds(line: PassageLine) -> bool:
    """Return whether a record holds still, or is open: paused threads are, and what is no record is not over."""
    known = KINDS.get(line.kind)
    if known is None:
        return True
    state = line.state.split(" ", 1)[0]
    return state not in known.states or state in (known.states[0], *known.open_states)


def _fitting(matches: Matches, least: float, *, is_near: bool) -> list[ScoredRow]:
    """Return the best rows that have a share of what a question is about, in its very words.

    `is_near`: a share of what is here of it, and a word that is said for one of these counts as that.
    """
    worth: list[tuple[str, float]] = []
    for term, group, share in zip(matches.terms, matches.groups, matches.shares, strict=True):
        worth.append((group, share if term == group or is_near else 0.0))
    of_all = dict.fromkeys(group for group, _ in worth)
    known = sum(max(share for group, share in worth if group == each) for each in of_all) if is_near else 1.0

    def share_of(bits: int) -> float:
        own: dict[str, float] = {}
        for bit, (group, share) in enumerate(worth):
            if bits >> bit & 1:
                own[group] = max(own.get(group, 0.0), share)
        return sum(own.values())

    return [row for row in matches.rows if known and share_of(row[2]) >= least * known]


def _newest(base: sqlite3.Connection, limits: Limits) -> list[int]:
    """Return the rows of kinds, the newest first."""
    query = (
        "SELECT row.id FROM term JOIN row ON row.id = term.rowid WHERE term MATCH ?"
        " ORDER BY row.day DESC, row.id DESC LIMIT ?"
    )
    return [row for (row,) in base.execute(query, (limits.clause.removeprefix(" AND "), _NEWEST))]
