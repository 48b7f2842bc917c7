"""Drafts: the entries that a digest becomes in a journal.

Owns the kind, the title and the fields of each, which of them says what was done and lists the files, and where in the
session each was said. Refuses to choose what is told: that is `session_digest`'s.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import digest as choosing
from sleep.compression import redundancy
from sleep.documents.journal import Draft, noticed
from sleep.journal.capture import deeds, fixes, prose_kinds
from sleep.journal.capture.session_digest import ending
from sleep.language import anaphora, sentences, terms
from sleep.redaction import untrusted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.compression.digest import Placed
    from sleep.compression.passages import Passage
    from sleep.journal.capture.material import Fault
    from sleep.journal.capture.session_digest import Digest

_BARE = 2  # terms of a sentence that heads nothing by itself
FILES = "Files"  # heads an entry that says no more than what was edited
_PROSE = frozenset({"note", "change"})
_OF_PROSE = frozenset({"source", "time", "transcript", "files"})  # the fields that it may have
_END = 1 << 60  # behind all that was said
_NUMBERED = re.compile(r"^\d{1,2}[.)] (?=\W*[^\W\d_]{2})")  # takes `2. ` of `2. **Lock**`, leaves `3. 5 %`
_CONTINUES = ("·", "→", "…", "(", "—", "–")  # what begins no sentence
_LEADS = " :："
_GAPS = "·… "  # what parts words from others that are not told with them
_CHOICES = ("decision", "constraint")
_WORD = re.compile(r"[^\W\d_]{2}|[^\W\d_a-zA-Z]")


class Dated(NamedTuple):
    """An entry, and where in the session it was said: the line of the transcript, the message, the place within it."""

    place: tuple[int, int, int]
    draft: Draft


def drafts(digest: Digest, session: str = "") -> list[Draft]:
    """Return the entries that a digest becomes in a journal, in the order of the session."""
    return in_order(dated(digest, session))


def in_order(entries: Iterable[Dated]) -> list[Draft]:
    """Return entries as they follow one another in the session, neighbours of one message as one."""
    made: list[Dated] = []
    for place, draft in sorted(entries, key=lambda entry: entry.place):
        if made and _is_more(made[-1], Dated(place, draft)):
            more = f"{draft.title} {draft.body}".strip().removeprefix("· ")
            body = "\n\n".join(filter(None, (made[-1].draft.body, more)))
            fields = (*made[-1].draft.fields, *(field for field in draft.fields if field[0] == "files"))
            made[-1] = made[-1]._replace(draft=made[-1].draft._replace(body=body, fields=fields))
        else:
            made.append(Dated(place, draft))
    return [entry.draft for entry in made]


def _is_more(entry: Dated, other: Dated) -> bool:
    """True for prose of the same kind out of the same message: its sentences were parted to be chosen among."""
    is_same = (entry.place[:2], entry.draft.kind) == (other.place[:2], other.draft.kind)
    return is_same and _is_prose(entry.draft) and _is_prose(other.draft)


def _is_prose(draft: Draft) -> bool:
    return draft.kind in _PROSE and {name for name, _ in draft.fields} <= _OF_PROSE


def dated(digest: Digest, session: str = "") -> list[Dated]:
    """Return the entries that a digest becomes in a journal, each with who said it, and where in which session.

    The most important come first, as in the digest.
    """
    remarks = [remark for row in deeds.led(digest.placed, digest.reported) for remark in _remarks(row, digest, session)]
    remarks = fixes.with_findings(fixes.without(remarks, digest.causes.values()), digest.work)
    remarks = fixes.joined(fixes.with_changes(remarks, digest.work))
    entries = [draft for _, draft in remarks]
    pairs = fixes.pair(remarks, (fault for fault in digest.faults if fault.text not in digest.causes))
    for index, fault in pairs.items():
        where = _where(session, fault.line, max(fault.until, remarks[index][0].line))
        entries[index] = fixes.explained(entries[index], fault, where)
    _add_files(digest, remarks, entries, session)
    places = [*(_place(passage) for passage, _ in remarks), (digest.edited.line, _END, 0)]  # the last is the files'
    made = list(map(Dated, places, entries))
    for passage in digest.noticed:
        if not any(passage.text in text for text in digest.ended):
            at = "".join(value for _, value in _where(session, passage.line))
            known = {"transcript": at, "time": passage.at, "why": passage.why}
            words = _record(passage.text, passage.notices)
            made.append(Dated(_place(passage, _END), noticed(passage.notices, words, passage.role, **known)))
    texts = {fault.text for fault in pairs.values()}
    return made + [_error(fault, digest, session) for fault in digest.faults if fault.text not in texts]


def _place(passage: Passage, order: int | None = None) -> tuple[int, int, int]:
    """Return where a passage stands; `order` is its place within the message, where it is another than its own."""
    return (passage.line, passage.message, passage.order if order is None else order)


def _add_files(digest: Digest, remarks: Sequence[fixes.Remark], entries: list[Draft], session: str) -> None:
    """Add the files to the entry that says what was done, or an entry of them alone."""
    changed = _changed(digest, remarks, entries)
    edited = zip(digest.files.changed, digest.files.edits, strict=True)
    if listed := "; ".join(f"{path} ({times})" if times > 1 else path for path, times in edited):
        if changed is None:
            reports = _last_report(digest, remarks, entries)
            for index in reports:
                entries[index] = entries[index]._replace(kind="change")
            changed = next(iter(reports), None)
        if changed is None:
            where = _where(session, digest.begun, digest.edited.line)
            entries.append(Draft("change", FILES, "", (*where, ("files", listed))))
        else:
            entries[changed] = entries[changed]._replace(fields=(*entries[changed].fields, ("files", listed)))


def _remarks(row: Placed, digest: Digest, session: str) -> Iterator[fixes.Remark]:
    """Yield a passage with the entry that it becomes, none for what does not hold at the end of the session."""
    end = digest.ended.get(row.passage.text)
    if end is None or row.passage.reports:
        yield row.passage, _draft(row, digest, session)
    elif end.rest:
        row = row._replace(passage=row.passage._replace(text=end.rest))
        yield row.passage, fixes.ended(_draft(row, digest, session), end.change)


def _changed(digest: Digest, remarks: Sequence[fixes.Remark], entries: Sequence[Draft]) -> int | None:
    """Return the index of the entry that says what was done, None for none; a fix says it too."""
    spoken = [passage for passage, _ in remarks]
    if digest.reported is None:
        work = digest.work.after
        changes = (index for index, entry in enumerate(entries) if entry.kind == "change")
        return next((index for index in changes if not work or spoken[index].message in work), None)
    message = digest.reported.message
    own = (index for index, passage in enumerate(spoken) if passage.reports)  # a fix may have taken it in
    beside = (
        index for index, passage in enumerate(spoken) if passage.message == message and entries[index].kind == "fix"
    )
    return next(own, next(beside, None))


def _last_report(digest: Digest, remarks: Sequence[fixes.Remark], entries: Sequence[Draft]) -> list[int]:
    """Return the indexes of the notes of the last message that may tell, behind edits, in any words, what was done."""
    notes = {
        index: passage
        for index, (passage, _) in enumerate(remarks)
        if passage.closing and passage.message in digest.work.after and entries[index].kind == "note"
    }
    messages = (passage.message for passage in notes.values() if prose_kinds.may_report(passage.text))
    last = max(messages, default=-1)
    return [index for index, passage in notes.items() if passage.message == last]


def _error(fault: Fault, digest: Digest, session: str) -> Dated:
    """Return the entry of an error: a fix where an edit mended it."""
    cause = digest.causes.get(fault.text, fixes.Cause())
    source = "agent" if cause.words else untrusted.MARK
    fields = (("source", source), ("time", fault.at), *_where(session, fault.line, fault.until))
    known = tuple(field for field in fields if field[1])
    # The mark stands in the words too: fields of a note do not go with it into the tiers.
    draft = Draft("note", f"{untrusted.MARK}: {ending(fault)}", "", known)
    if fault.mended:
        heading = _headed(" ".join(cause.words), "note") if cause.words else ("", "")
        draft = fixes.caused(heading, fault, cause.remedy, known)
    return Dated((max(fault.line, fault.until), _END, 0), draft)


def _where(session: str, line: int, until: int = 0) -> tuple[tuple[str, str], ...]:
    """Return the address in the transcript as a field, of the first and the last line where it is more than one.

    None for an unnamed session.
    """
    if not session:
        return ()
    last = f"-{until}" if until > line else ""
    return (("transcript", f"{session}:{line}{last}" if line else session),)


def _draft(placed: Placed, digest: Digest, session: str) -> Draft:
    passage = placed.passage
    at_work = passage.message in digest.work.after
    kind = passage.states or prose_kinds.kind(passage, placed.section, at_work=at_work)
    if kind == "question" and redundancy.asks_how_to_go_on(passage.text):
        kind = "note"  # it only asks leave to go on: a record of it would stand open for ever
    words = passage.text if passage.states and passage.role == "person" else choosing.with_path(passage)
    title, body = (_record(words, kind), "") if passage.states else _headed(words, kind)
    own = (("why", passage.why), ("quotation", passage.reply), ("source", passage.role), ("time", passage.at))
    fields = (*own, *_where(session, passage.line, passage.until))
    return Draft(kind, title, body, tuple(field for field in fields if field[1]))


def _record(words: str, kind: str) -> str:
    """Return the words of a record, of a choice or a rule without the colon that leads to what is not told with it."""
    return f"{words.rstrip(_LEADS)}." if kind in _CHOICES and words.endswith((":", "：")) else words


def _headed(words: str, kind: str) -> tuple[str, str]:
    """Return the title and the body of prose: its first sentence with what is nothing without it, and the rest.

    A statement's words are all its title. A sentence of a word or two heads no note alone.
    """
    title, *rest = sentences.split(words)
    while rest and not _WORD.search(title):  # the number of an item is no heading
        title = f"{title} {rest.pop(0)}"
    while rest and kind == "change" and deeds.says_nothing(title):
        title = rest.pop(0)
    while rest and kind == "note" and len(terms.light(title)) <= _BARE:  # `Hmm, wait.`
        title = f"{title} {rest.pop(0)}"
    while rest and _goes_on(rest[0]):
        title = f"{title} {rest.pop(0)}"
    return _NUMBERED.sub("", title.lstrip(_GAPS) or title), " ".join(rest)


def _goes_on(sentence: str) -> bool:
    """True for what is nothing without the sentence before it: an item, a result, a path, and what leans on it."""
    return sentence.startswith(_CONTINUES) or anaphora.leans(sentence)
