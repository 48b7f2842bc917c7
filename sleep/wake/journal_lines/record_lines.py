"""Which line of a journal states a record, and how it is told there.

A record of a document is told by lines of its journal, which are shorter than its register. Of the lines of its entry
one states it; the others (its reasons, what came of it) are lines like any other. Owns finding that line, and what the
record says before it: its subject, or that it is forbidden.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.documents.hand import subject
from sleep.documents.project import brief_parts
from sleep.language import days, terms, tokenizer
from sleep.language.acts import kind_names, states
from sleep.language.acts.grammar import has
from sleep.records import kinds
from sleep.wake import quality
from sleep.wake.journal_lines import line_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sleep.records.address import Address, InstanceId
    from sleep.records.fragment import Fragment
    from sleep.wake.journal_lines.excerpt import Excerpt
    from sleep.wake.quality import SourceLine

_DETAIL = re.compile(r"; ")  # between what an entry says and the items below it
_ENDS = (":", "：", "—", "–", "-")  # of a subject or a label
_MOST = 60  # characters of what is told before a line
_ASKED = 80  # characters of what a session was asked
_SAME = 0.8  # of the terms of a line, of which a record has them, so that the line says it again
_PATH = re.compile(r" \([^\s()]+\)$")  # of the file that a passage names


def is_statement(line: str, record: str) -> bool:
    """Return whether a line says what a record says first, with or without a label, and not a detail of it."""
    stated = _words(_DETAIL.split(record, maxsplit=1)[0])
    for own in filter(None, map(_words, (line, line.partition(": ")[2]))):
        if stated and (own in stated or own.startswith(f"{stated} ")):
            return True
    return False


def kinds_of(lines: Sequence[Excerpt], records: Iterable[Fragment]) -> tuple[list[str], dict[int, Fragment]]:
    """Return for each line the kind of its entry, and by index the records that lines state.

    The kind is "" for none, for a record that does not hold or is paused, and for what is not the record's statement;
    of a line that is of no other kind it is `state` where its heading or label says that it tells how things stand.
    """
    held = {address: fragment for fragment in records for address in fragment.addresses}
    stating = _stating(lines, held)
    names = []
    for index, line in enumerate(lines):
        record = stating.get(index)
        is_entry = line.address is not None and line.address not in held and not kinds.is_record(line.kind)
        kind = record.kind if record and not set_aside(record) else line.kind if is_entry else ""
        names.append(kind or (brief_parts.STATE if _tells_state(line.line) else ""))
    return names, stating


def set_aside(record: Fragment) -> str:
    """Return the state of a record that is open and not gone on with, `paused`; "" for any other."""
    return record.state if record.state != kinds.KINDS[record.kind].born else ""


def _tells_state(line: SourceLine) -> bool:
    """Return whether a line stands below a heading of state (`Current status`), or begins with such a label."""
    label, colon, _ = line.text.partition(": ")
    return line.form != "heading" and (is_of_state(line.heading) or (bool(colon) and is_of_state(label)))


@lru_cache(1 << 10)
def is_of_state(heading: str) -> bool:
    """Return whether a heading or a label says that how things stand follows."""
    return len(heading) <= _MOST and has(kind_names.trimmed(heading), "headings.state")


def _stating(lines: Sequence[Excerpt], held: Mapping[Address, Fragment]) -> dict[int, Fragment]:
    """Return by index the record that a line states: of an entry none of whose lines does, all of them do.

    What is open is stated by no line that says what was done, and no record by a row of the table behind its words.
    """
    entries: dict[Address, list[int]] = {}
    for index, line in enumerate(lines):
        if line.address in held and line.address is not None:
            entries.setdefault(line.address, []).append(index)
    stating: dict[int, Fragment] = {}
    for address, own in entries.items():
        record = held[address]
        without_rows = [at for at in own if lines[at].line.form != "row"] or own
        may_state = [at for at in without_rows if not (record.kind in kinds.OPEN and _tells_done(lines[at].line))]
        best = [index for index in may_state if is_statement(lines[index].line.text, record.text)]
        stating |= dict.fromkeys(best or may_state, record)
    return stating


def _tells_done(line: SourceLine) -> bool:
    names = states.of(line.text)
    says_done = states.DONE in names and states.OPEN not in names
    return says_done or line.mark == states.DONE or states.of(line.text.partition(":")[0]) == {states.DONE}


def titles(lines: Iterable[tuple[str, Excerpt]]) -> dict[str, str]:
    """Return by path the title of a journal's page, or what its session was asked first, "" for none."""
    first: dict[str, str] = {}
    for path, line in lines:
        words = line.line.text
        first.setdefault(path, words if line.line.form == "heading" else "")
        if not first[path] and line.line.mark == line_text.PROMPT and terms.is_request(words):
            first[path] = words
    return first


def of_title(line: SourceLine) -> str:
    """Return what such a line says beside the day: a prompt its beginning, the title of a page its subject or ""."""
    if line.mark == line_text.PROMPT:
        return line_text.cut(line.text, _ASKED)
    title = line.text
    day = next(days.every(title), None)
    return subject.of_heading(title[day.end :].lstrip(" -–—:,|") if day and day.start == 0 else title)


def _wordings(line: str) -> Iterator[str]:
    """Yield a line as it stands, without a label that tells nothing, and without any."""
    yield from filter(None, (line, line_text.unlabelled(line), line.partition(": ")[2]))


def lead(line: str, record: str, title: str = "") -> tuple[str, bool]:
    """Return what a record says before the words of a line, and whether it says that in place of the line's label.

    It is `Search: ` of `Search: none for now`, "" for nothing. Left out is what says no subject: a day, the title of
    the whole document, and what is longer.
    """
    record = line_text.unsigned(line_text.plain(record))
    for words in _wordings(line):
        before, there, _ = record.partition(words)
        if before and there:
            is_lead = before.rstrip().endswith(_ENDS)  # else it is the line above, which is told
            is_lead = is_lead and _is_subject(before, line, title)
            return (before, words == line.partition(": ")[2]) if is_lead else ("", False)
    return "", False


def _is_subject(before: str, line: str, title: str) -> bool:
    own = _words(before)
    is_new = own not in _words(line) and own not in _words(title)
    return is_new and len(before) <= _MOST and ";" not in before and not days.first(before)


def _words(text: str) -> str:
    """Return the words of a text in small letters, a blank between them."""
    return " ".join(tokenizer.tokenize(text.lower()))


def waiting(records: Iterable[Fragment]) -> dict[InstanceId, list[frozenset[str]]]:
    """Return the terms of the records that wait for a word, by instance."""
    own: dict[InstanceId, list[frozenset[str]]] = {}
    for record in records:
        if record.is_asked:
            own.setdefault(record.identity.instance, []).append(quality.terms(line_text.plain(record.text)))
    return own


def repeats(line: Excerpt, noticed: Mapping[InstanceId, Sequence[frozenset[str]]]) -> bool:
    """Return whether a line of a session says hardly more than a record that was noticed in it."""
    known = noticed.get(line.address.instance, ()) if line.address else ()
    own = quality.terms(_PATH.sub("", line.line.text)) if known else frozenset()
    return bool(own) and any(len(own & other) >= _SAME * len(own) for other in known)
