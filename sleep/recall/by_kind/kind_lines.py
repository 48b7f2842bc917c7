"""The records that a question asks for by their kind, as lines of an answer.

Owns which of them answer: of a question about something those that say most of it, else all that bind, the newest
first. What only was noticed comes behind what was stated.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sleep.recall import lookup, passage_lines, periods
from sleep.recall.index import rows
from sleep.recall.postings import Limits
from sleep.records import address as addressing
from sleep.records.kinds import KINDS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

    from sleep.recall.by_kind.kind_request import KindRequest
    from sleep.recall.lookup import Matches
    from sleep.recall.passages import PassageLine
    from sleep.recall.question import Question
    from sleep.recall.rank import ScoredRow

_NEWEST = 400  # records that are read where a question asks for all
_ABOUT = 12  # that answer a question about something, and
_FITS = 0.6  # of its worth that each of them has
_RANKED = 60  # rows
_FIRST = 100.0  # their score, above all that words alone find
_HANDOFF = "handoff"  # the newest alone says what is next


class KindLines(NamedTuple):
    """The lines that answer, best first.

    `note` stands above them where a question asks for all records of a kind, `lack` says then that there are none; ""
    else.
    """

    lines: tuple[PassageLine, ...]
    note: str = ""
    lack: str = ""


NONE = KindLines(())


def find_lines(base: sqlite3.Connection, asked: Question, request: KindRequest, limits: Limits) -> KindLines:
    """Return the records that a question asks for, best first; where it asks for all and none holds, those that did."""
    own = Limits(limits.tiers, request.kinds, limits.since)
    if request.terms:
        about = asked._replace(terms=request.terms, focus="", asks="")
        matches = lookup.find_matches(base, about, own, _RANKED)
        lines = _read(base, [*_fitting(matches)], matches.terms, asked, own)
        return KindLines(_scored(sorted(lines, key=lambda line: not binds(line))))
    lines = _read(base, [(0.0, row, 0) for row in _newest(base, own)], (), asked, own)
    lines.sort(key=_age, reverse=True)
    last = next((line for line in lines if line.kind == _HANDOFF), None)
    lines = [line for line in lines if line.kind != _HANDOFF or line is last]
    chosen = [line for line in lines if binds(line) != request.is_closed]
    note = f"{request.label[0].upper()}{request.label[1:]}, the newest first:"
    if not (chosen or request.is_closed):
        chosen, note = lines, f"There are no {request.label}. The last ones:"
    return KindLines(_scored(chosen), note, f"it has no {request.label}")


def _read(
    base: sqlite3.Connection, ranked: Sequence[ScoredRow], terms: Sequence[str], asked: Question, limits: Limits
) -> list[PassageLine]:
    """Return the lines of rows that are of the kinds and of the days that are asked for."""
    may_use_journals = not limits.tiers or rows.JOURNAL in limits.tiers
    lines = passage_lines.read_lines(base, ranked, terms, may_use_journals=may_use_journals)
    return [
        line
        for line in lines
        if line.kind in limits.kinds and not (asked.days and periods.fit(line.day, asked.days) < 1)
    ]


def _scored(lines: Sequence[PassageLine]) -> tuple[PassageLine, ...]:
    """Return lines with scores in their order, what only was noticed behind the others."""
    ordered = sorted(lines, key=lambda line: line.state == rows.ONLY_NOTICED)
    return tuple(line._replace(score=_FIRST - place / len(ordered)) for place, line in enumerate(ordered))


def _age(line: PassageLine) -> tuple[str, int]:
    """Return what orders lines by their day, and those of one day by their instance."""
    at = addressing.addresses(" ".join(line.addresses))
    return line.day, max((address.number for address in at), default=0)


def binds(line: PassageLine) -> bool:
    """Return whether a record holds still, or is open: paused threads are."""
    known = KINDS[line.kind]
    state = line.state.split(" ", 1)[0]
    return state not in known.states or state in (known.states[0], *known.open_states)


def _fitting(matches: Matches) -> Iterator[tuple[float, int, int]]:
    """Yield the best rows that have most of what a question is about, in its very words."""
    pairs = zip(matches.terms, matches.groups, matches.shares, strict=True)
    shares = [share if term == group else 0.0 for term, group, share in pairs]
    fits = (row for row in matches.rows if sum(share for bit, share in enumerate(shares) if row[2] >> bit & 1) >= _FITS)
    yield from islice(fits, _ABOUT)


def _newest(base: sqlite3.Connection, limits: Limits) -> list[int]:
    """Return the rows of kinds, the newest first."""
    query = (
        "SELECT row.id FROM term JOIN row ON row.id = term.rowid WHERE term MATCH ?"
        " ORDER BY row.day DESC, row.id DESC LIMIT ?"
    )
    return [row for (row,) in base.execute(query, (limits.clause.removeprefix(" AND "), _NEWEST))]
