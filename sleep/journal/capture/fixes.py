"""Fixes: an error and the change that mended it, as one entry.

Owns which of an agent's sentences tell what the matter was and what was done about it, and the entry that becomes of
them and of the error. A tool's words bear their mark wherever they stand: as the title where nobody said what it was,
else as a field below the agent's words. Refuses to find errors and what was edited since: that is `material`'s.
"""

from __future__ import annotations

import os
import re
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import passages
from sleep.documents.journal import Draft
from sleep.journal.capture import deeds, material
from sleep.language import sentences, terms
from sleep.language.acts import grammar, statements
from sleep.language.acts.likelihood import features
from sleep.redaction import untrusted
from sleep.transcripts.events import Event

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.compression.passages import Passage
    from sleep.journal.capture.inquiry import Finding
    from sleep.journal.capture.material import Fault, Work

    Remark = tuple[Passage, Draft]

KIND = "fix"
_CAUSE = "insight"
_CODE = re.compile(r"`[^`]*`")
_TROUBLE = frozenset({"breaks", "cause"})  # hints at what was wrong
_WRONG = frozenset({"breaks", "denies", "lacks"})  # hints that something is not as it should be,
_STATE = _WRONG | {"states"}  # and that something is told, not asked to be made
_LEARNT = frozenset({_CAUSE, KIND})
_PROSE = frozenset({_CAUSE, "change", "note"})
_NEXT = 3  # how far behind a cause what was done about it stands, in passages (two numbers each)
_FILE, _MEANWHILE = 2, 1  # what naming a mended file, or having been said before it went well, counts beside a word
_LEAST = 2
_TERMS = 3  # terms of a sentence that says anything of an error
_MOST = 600  # characters of what an agent says that the matter was; what is longer stands for itself
_STOPS = ".:;!?…。！？"


def is_told(text: str) -> bool:
    """True for a text that tells what was mended and how."""
    return grammar.has(text, "stated.fixed")


def mends(text: str) -> bool:
    """True for a text that tells what mended something, or what broke it."""
    return grammar.has(text, "stated.mended")


def ended(draft: Draft, change: str) -> Draft:
    """Return what was found and mended later as a fix with the words of what mended it, "" for what stands."""
    return draft._replace(kind=KIND, fields=(("change", change), *draft.fields)) if change else draft


def with_changes(remarks: Sequence[Remark], work: Work) -> list[Remark]:
    """Return what was said, with what tells a cause and the change that was made for it as a fix.

    Something was edited in its turn or the one before; only in one with edits a remedy (`The fix is to ...`) was made.
    """
    messages = work.near - work.contradicted
    return [
        (passage, _mended(passage, draft, remarks, is_remedied=passage.message in work.beside))
        if passage.message in messages and _is_prose(passage) and draft.kind in _PROSE
        else (passage, draft)
        for passage, draft in remarks
    ]


def with_findings(remarks: Sequence[Remark], work: Work) -> list[Remark]:
    """Return what was said, with what an agent found wrong by looking, and mended after a person's reply, as a fix.

    It was told how something is, and not to make something or that it is not there; it looked and edited nothing, and
    said what it saw in a few words; the next that it did was an edit.
    """
    messages = set(work.findings) - work.contradicted
    made: list[Remark] = []
    for passage, draft in remarks:
        own = draft
        if passage.message in messages and _is_prose(passage) and draft.kind in _PROSE:
            messages.remove(passage.message)  # its first words say what it saw
            own = _as_fix(draft, work.findings[passage.message], is_declined=passage.message in work.declined)
        made.append((passage, own))
    return made


def _as_fix(draft: Draft, finding: Finding, *, is_declined: bool) -> Draft:
    """Return a draft as a fix, where what was asked tells how something is, and the draft says more than that it is.

    Of words that a person declined only those stand that say that something is wrong.
    """
    title, request = draft.title, _CODE.sub(" ", finding.request)
    is_state = _is_telling(request) and not _STATE.isdisjoint(features.hints(request))
    is_wish = grammar.has(request, "signs.lacks")  # `our api has no pagination`: what is made then mends nothing
    is_bid = any({"imperative", KIND} & features.hints(words) == {"imperative"} for words in sentences.split(request))
    is_besides = deeds.reports(title) or sentences.asks(title) or statements.proffers(title)
    is_refused = is_declined and _WRONG.isdisjoint(features.hints(_CODE.sub(" ", title)))
    if is_state and _is_telling(title) and not (is_bid or is_wish or is_besides or is_refused):
        return draft._replace(kind=KIND, fields=(("change", material.edits_of(finding.files)), *draft.fields))
    return draft


def _is_prose(passage: Passage) -> bool:
    is_said = passage.role == "agent" and passage.kind == "text"
    return is_said and passage.states in ("", _CAUSE) and not passage.reports


def _mended(passage: Passage, draft: Draft, remarks: Iterable[Remark], *, is_remedied: bool) -> Draft:
    """Return a draft that tells a cause as a fix, where it or what follows it says what was done; else as it is."""
    own = sentences.split(_words(draft))
    at = next((number for number, sentence in enumerate(own) if grammar.has(sentence, "stated.trouble")), -1)
    if at < 0 and not passage.states:  # `Root cause: ...` states it without its label
        return draft
    rest = [*own[at + 1 :], *_behind(passage, remarks)]
    change = _change(rest, is_made=at >= 0, is_remedied=is_remedied)
    if not change:
        return draft
    at = max(0, at)
    body = " ".join(words for words in (*_without_nods(own[:at]), *own[at + 1 :]) if words != change)
    return draft._replace(kind=KIND, title=own[at], body=body, fields=(("change", change), *draft.fields))


def _change(spoken: Sequence[str], *, is_made: bool, is_remedied: bool) -> str:
    """Return the sentence that says what was done about a cause, "" for none."""
    made = (words for words in spoken if is_made and deeds.reports(words) == deeds.TELLS)
    remedies = (words for words in spoken if is_remedied and _is_remedy(words))
    return next(made, "") or next(remedies, "")


def _without_nods(spoken: Iterable[str]) -> list[str]:
    return [words for words in spoken if not deeds.says_nothing(words)]


def _behind(passage: Passage, remarks: Iterable[Remark]) -> list[str]:
    """Return the sentences that its message says right behind a passage, and that state nothing."""
    behind = [
        draft
        for other, draft in remarks
        if other.message == passage.message and 0 < other.order - passage.order <= _NEXT and not other.states
    ]
    return [words for draft in behind for words in sentences.split(_words(draft))]


def _words(draft: Draft) -> str:
    return f"{draft.title} {draft.body}".rstrip()


def _is_remedy(sentence: str) -> bool:
    return grammar.has(sentence, "stated.remedy") and not sentences.asks(sentence)


def joined(remarks: Sequence[Remark]) -> list[Remark]:
    """Return what was said with the fixes of a message as one, and with what the message says before that it was.

    What tells anew what mended something begins another fix.
    """
    by_order = {passage.order: (passage, draft) for passage, draft in remarks}
    begun = -1  # the first passage of the last fix
    before: list[int] = []  # the causes right before
    for order in sorted(by_order):
        passage, draft = by_order[order]
        if before and by_order[before[-1]][0].message != passage.message:
            before = []
        if passage.role != "agent" or draft.kind not in _LEARNT:
            before = []
        elif "change" in dict(draft.fields):  # it has what mended it
            begun, before = -1, []
        elif draft.kind != KIND:
            before.append(order)
        elif begun >= 0 and _goes_on(by_order[begun][0], passage):
            by_order[begun] = _both(by_order[begun], by_order.pop(order))
        else:
            by_order[order] = _caused([by_order.pop(cause) for cause in _near(by_order, before)], by_order[order])
            begun, before = order, []
    return [by_order[passage.order] for passage, _ in remarks if passage.order in by_order]


def _goes_on(first: Passage, passage: Passage) -> bool:
    return first.message == passage.message and not (mends(first.text) and mends(passage.text))


def _both(first: Remark, second: Remark) -> Remark:
    """Return two parts of a fix as one."""
    (passage, draft), (more, other) = first, second
    parts = [draft.body, f"{other.title} {other.body}".rstrip()]
    apart = " " if draft.body[-1:] in _STOPS else " · "
    return passage._replace(text=f"{passage.text} {more.text}"), draft._replace(body=apart.join(filter(None, parts)))


def _near(remarks: Mapping[int, Remark], causes: Sequence[int]) -> Sequence[int]:
    """Return as many of the last causes as are not too long."""
    first, left = len(causes), _MOST
    while first and (left := left - len(remarks[causes[first - 1]][0].text)) >= 0:
        first -= 1
    return causes[first:]


def _caused(causes: Sequence[Remark], fix: Remark) -> Remark:
    """Return a fix with what was learnt before it as its error."""
    passage, draft = fix
    if not causes:
        return fix
    words = " ".join(f"{cause.title} {cause.body}".rstrip() for _, cause in causes)
    text = " ".join([*(cause.text for cause, _ in causes), passage.text])
    return passage._replace(text=text), draft._replace(fields=(("error", words), *draft.fields))


def pair(remarks: Sequence[Remark], faults: Iterable[Fault]) -> dict[int, Fault]:
    """Return by the index of what an agent said the mended error that it explains; each stands for one other.

    It says what was the matter, or what was done about it, and shares words with the error or names a file that was
    edited until it went well.
    """
    open_ = [index for index, (passage, draft) in enumerate(remarks) if _explains(passage, draft)]
    pairs: dict[int, Fault] = {}
    for fault in faults:
        left = [index for index in open_ if index not in pairs] if fault.mended else []
        best = max(left, key=lambda index: _likeness(remarks[index][0], fault), default=-1)
        if best >= 0 and _likeness(remarks[best][0], fault) >= _LEAST:
            pairs[best] = fault
    return pairs


def _explains(passage: Passage, draft: Draft) -> bool:
    """True for what was mended, and for what was learnt where it speaks of what was wrong."""
    if passage.role != "agent" or passage.states not in ("", *_LEARNT):
        return False
    if draft.kind == KIND or statements.tells_cause(passage.text) or mends(passage.text):
        return True
    return draft.kind == _CAUSE and not _TROUBLE.isdisjoint(features.hints(_CODE.sub(" ", passage.text)))


def _likeness(passage: Passage, fault: Fault) -> int:
    """Return how much what was said and an error have in common; nothing where it was said before."""
    if passage.line < fault.line:
        return 0
    shared = len(terms.terms(passage.text) & terms.terms(fault.text))
    named = any(os.path.basename(path) in passage.text for path in fault.mended)
    return shared + _FILE * named + _MEANWHILE * (fault.line <= passage.line <= fault.until)


class Cause(NamedTuple):
    """What an agent said that an error came from, by sentences, and what it did about it, "" for nothing."""

    words: tuple[str, ...] = ()
    remedy: str = ""


def causes(faults: Iterable[Fault], denials: frozenset[str]) -> dict[str, Cause]:
    """Return what an agent said about mended errors before it mended them, by the text of the error that is most like.

    None where it said no more than what it looks at. `denials` are messages that a person contradicts or declines.
    """
    own = [(fault, cause) for fault in faults if fault.mended and (cause := _cause(fault, denials))]
    own.sort(key=lambda pair: -len(terms.terms(" ".join(pair[1].words)) & terms.terms(pair[0].text)))
    first = {cause: fault.text for fault, cause in reversed(own)}
    return {text: cause for cause, text in first.items()}


def _cause(fault: Fault, denials: frozenset[str]) -> Cause | None:
    """Return what is said of an error in the last message of its turn that says anything of it.

    The remedy ends the message right before the first edit, which says all where a person contradicted the others.
    """
    last = "" if fault.remedy in denials else fault.remedy
    remarks = fault.remarks if denials.isdisjoint(fault.remarks) else (last,)
    remedy = _remedy(last)
    for message in reversed(remarks):
        own = [words for words in _sentences(message) if words != remedy and not deeds.says_nothing(words)]
        if any(map(_is_telling, own)):
            lengths = accumulate(len(words) + 1 for words in own)
            return Cause(tuple(words for words, length in zip(own, lengths, strict=True) if length <= _MOST), remedy)
    return Cause((), remedy) if remedy and last in remarks else None


def _remedy(message: str) -> str:
    """Return the last sentence of a message if it says what the agent does about it, else ""."""
    last = next(iter(_sentences(message)[-1:]), "")
    return last if grammar.has(last, "stated.promises", "stated.remedy") and _is_telling(last) else ""


def _sentences(message: str) -> list[str]:
    """Return the sentences of a message of the agent's without nods, questions and offers, its next move last."""
    spoken = [words for run in passages.cut([Event("agent", "text", message)]) for words in sentences.split(run.text)]
    return [words for words in spoken if not (sentences.asks(words) or statements.proffers(words))]


def _is_telling(sentence: str) -> bool:
    return len(terms.terms(sentence)) >= _TERMS


def without(remarks: Iterable[Remark], causes: Iterable[Cause]) -> list[Remark]:
    """Return what was said without the prose of an agent's that tells what causes tell."""
    causal = {words for cause in causes for words in (*cause.words, cause.remedy)}
    return [
        (passage, draft)
        for passage, draft in remarks
        if not (causal and _is_prose(passage) and causal.issuperset(sentences.split(passage.text)))
    ]


def explained(draft: Draft, fault: Fault, where: Sequence[tuple[str, str]]) -> Draft:
    """Return the entry of an error that an agent's words explain; `where` both are told.

    What the agent says that the matter was is why it happened: the error is the tool's.
    """
    own = [(("why" if name == "error" else name), value) for name, value in draft.fields]
    rest = tuple(field for field in own if field[0] not in ("transcript", "files"))
    error = f"{untrusted.MARK}: {fault.text}"
    change = dict(rest).get("change") or fault.change
    rest = tuple(field for field in rest if field[0] != "change")
    return draft._replace(kind=KIND, fields=(("error", error), ("change", change), *rest, *where))


def caused(heading: tuple[str, str], fault: Fault, remedy: str, fields: Sequence[tuple[str, str]]) -> Draft:
    """Return the entry of an error that was mended, and that an agent said the cause of, or nobody (no title)."""
    is_named = any(os.path.basename(path) in remedy for path in fault.mended)
    change = remedy if is_named else f"{remedy} ({fault.change})" if remedy else fault.change
    error = f"{untrusted.MARK}: {fault.text}"
    own = (("error", error),) if heading[0] else ()
    return Draft(KIND, heading[0] or error, heading[1], (*own, ("change", change), *fields))
