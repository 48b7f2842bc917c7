"""Whether an instance did something, and so hands something over; told by its journal alone.

Refuses to judge what it did.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from sleep.documents import entries, paths, register
from sleep.documents.register import is_opening
from sleep.language import tokens
from sleep.records.kinds import ENTRIES, event_record
from sleep.redaction import untrusted

if TYPE_CHECKING:
    from sleep.documents.entries import Entry
    from sleep.documents.journal import Journal
    from sleep.memory.view import View
    from sleep.records.address import InstanceId

_COURTESY = 5  # tokens that nobody's outcome or next step has fewer of, where a transcript is all that tells
_WORK = 60  # tokens of a transcript's findings that make a session one that did something
_FINDINGS = frozenset(kind.name for kind in ENTRIES.values() if kind.is_finding)


def giver(view: View) -> InstanceId | None:
    """Return the last instance that left a handoff: that did something, and has a journal; None where none did.

    What goes on with the session of the one that left it leaves it anew, however little it says.
    """
    idle: list[Journal] = []  # since then, the last first
    for path in filter(None, map(view.path_of, view.lived)):
        journal = view.journal(path)
        if did_something(journal):
            last = journal.instance
            for later in reversed(idle):
                part = part_before(view, later)
                last = later.instance if part and part.instance == last else last
            return last
        idle.append(journal)
    return None


def part_before(view: View, journal: Journal) -> Journal | None:
    """Return the journal of the earlier part of a session that was journaled twice, None for none."""
    number, sessions = journal.fields.get("continues"), journal.fields.get("sessions")
    if not isinstance(number, int) or number >= journal.instance.number or not isinstance(sessions, list):
        return None
    # Where several people journal, its name has a tag.
    tagged = (path for path in view.journals if paths.journal_number(path) == number)
    both = itertools.chain((paths.journal(number),), tagged)
    path = next((path for path in both if not {*map(str, sessions)}.isdisjoint(view.sessions_in(path))), "")
    return view.journal(path) if path else None


def did_something(journal: Journal) -> bool:
    """True for an instance that left more than courtesies: words of its own, a record, an edit, or findings.

    Its tone alone is nothing done; nor is what a transcript tells of greetings and of an agent that asks to go on.
    """
    spoken = 0
    for entry in journal.entries:
        if entry.kind == "tone" or entry.field("stands in"):  # a line that a person wrote into a tier
            continue
        if not _is_told(entry) or is_opening(entry) or event_record(entry.kind) or entry.field("files"):
            return True
        words = register.whole(entry)
        is_all = ":" not in entry.field("transcript")  # the last message of a session that nobody could read
        if is_all and not is_courtesy(entry, words):
            return True
        spoken += tokens.count(words) if entry.kind in _FINDINGS else 0
    return bool(journal.unmarked) or spoken >= _WORK


def is_courtesy(entry: Entry, words: str) -> bool:
    """True for what was only said to keep a conversation going: `ok next.`, `And now?`, `Want me to go on?`."""
    if not _is_told(entry):
        return False
    from sleep.compression import redundancy  # late: 5 ms, and only where a transcript told of it  # noqa: PLC0415

    return tokens.count(words) < _COURTESY or redundancy.is_small_talk(words) or redundancy.is_offer(words)


def _is_told(entry: Entry) -> bool:
    """True for an entry that was made of a transcript and not written by the instance."""
    if entry.source == untrusted.MARK:
        return True
    return entry.source in entries.SPEAKERS and not entries.is_journaled(dict(entry.fields))
