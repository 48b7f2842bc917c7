"""Cutting a journal's entry into fragments, and accounting for every character of it.

Owns the cut: a record is one fragment with all its words; prose is cut at paragraphs, nested items, table rows and
long paragraphs' sentences; code is referred to, not copied. Refuses to choose: that is the compressor's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.memory import address as addressing
from sleep.memory import extract, records
from sleep.memory.fragment import Fragment, flat
from sleep.memory.kinds import KINDS, event_record
from sleep.text import redaction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.memory.journal import Entry, Journal

_LONG = 400
_SHORT = 500
_FENCE = re.compile(r"(?m)^[ \t]*(?:```|~~~|\|)")
_ABBREVIATED = r"(?<!\b\d\.)(?<!\b\d\d\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)(?<!\bcf\.)"
_SENTENCE = re.compile(rf"(?<=[.!?]){_ABBREVIATED}[\"')\]*`]*\s+(?=\S)|(?<=[。！？])")
_LIST = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_RULE = re.compile(r"^[\s|:*_=+-]*$")


class Span(NamedTuple):
    """A run of the journal and what became of it.

    `fate` is `kept`, `merged`, `dropped`, `referenced` (code, still in the journal at the address) or `frame`
    (headings, front matter, blank lines). `detail` says why, or into what.
    """

    start: int
    end: int
    fate: str
    detail: str = ""


class Piece(NamedTuple):
    """A run of the journal that may become a fragment; `fragment` is None for what is only referred to."""

    start: int
    end: int
    fragment: Fragment | None


def cut(journal: Journal) -> list[Piece]:
    """Return the pieces of a journal's entries, in order; they cover every entry exactly.

    On one line a secret can show that did not across lines (`password:` and the word below), so fragments are redacted.
    """
    found = [piece for entry in journal.entries for piece in _entry(journal.text, entry)]
    if redaction.find("\n".join(piece.fragment.text for piece in found if piece.fragment)):
        found = [piece._replace(fragment=_redacted(piece.fragment)) for piece in found]
    return found


def _redacted(fragment: Fragment | None) -> Fragment | None:
    if fragment is None:
        return None
    fields = tuple((name, redaction.redact(value)[0]) for name, value in fragment.fields)
    return fragment._replace(text=redaction.redact(fragment.text)[0], fields=fields)


def _entry(text: str, entry: Entry) -> Iterator[Piece]:
    if records.is_opening(entry):
        yield Piece(entry.start, entry.end, records.from_entry(entry))
        return
    if event_record(entry.kind) or records.is_tone_check(entry):
        yield Piece(entry.start, entry.end, None)
        return
    if entry.end - entry.start <= _SHORT and not _FENCE.search(text, entry.start, entry.end):
        words = records.whole(entry)
        known = KINDS[entry.kind].fields
        said = tuple((name, value) for name, value in entry.fields if name in known)
        whole = Fragment(entry.kind, words, (entry.address,), entry.number, said)
        yield Piece(entry.start, entry.end, whole if words else None)
        return
    for start, end, code in _runs(text, entry.start, entry.end):
        words = "" if code else _words(text[start:end], entry)
        if not words:
            yield Piece(start, end, None)
            continue
        for first, last, sentence in _sentences(text[start:end], words):
            fragment = Fragment(entry.kind, sentence, (entry.address,), entry.number)
            yield Piece(start + first, start + last, fragment)


def _runs(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, is code) of paragraphs, items and rows; blank lines belong to the run before them."""
    begun, code, fence, blank = start, False, "", False
    at = start
    while at < end:
        stop = text.find("\n", at, end) + 1 or end
        line = text[at:stop]
        stripped = line.strip()
        opens = not fence and stripped.startswith(("```", "~~~"))
        breaks = bool(
            stripped
            and not fence
            and (opens or code or blank or _LIST.match(line) or stripped.startswith(("|", "#", ">")))
        )
        if breaks and at > begun:
            yield begun, at, code
            begun, code = at, False
        if opens:
            fence, code = stripped[:3], True
        elif fence and stripped.startswith(fence):
            fence = ""
        blank = not stripped
        at = stop
    if end > begun:
        yield begun, end, code


def _words(run: str, entry: Entry) -> str:
    """Return a run's words on one line, without list marker, heading signs, mark and the entry's own label."""
    if _RULE.match(run):
        return ""
    words = flat(_LIST.sub("", run, count=1).lstrip().lstrip("#>").lstrip())
    split = addressing.trailing_mark(words)
    if split and split[1].addresses[0] == entry.address:
        words = split[0]
        label = f"{entry.kind.capitalize()}:"
        if entry.kind != "note" or words.startswith("Note"):
            words = words.removeprefix(label).removeprefix(entry.kind.capitalize()) if run.startswith("#") else words
    elif str(entry.address) in words:
        words = flat(re.sub(rf" ?\[{re.escape(str(entry.address))}[^\]]*\]", "", words))
    return words.strip()


def _sentences(run: str, words: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, words) of a run: whole when short, else groups of whole sentences below the limit."""
    if len(words) <= _LONG:
        yield 0, len(run), words
        return
    parts = [part for part in _SENTENCE.split(words) if part]
    groups: list[str] = []
    for part in parts:
        if groups and len(groups[-1]) + len(part) < _LONG:
            groups[-1] += " " + part
        else:
            groups.append(part)
    at = 0
    for index, group in enumerate(groups):
        # The cut in the run is where this share of its words ends; exact to the word, for the account only.
        stop = len(run) if index == len(groups) - 1 else min(len(run), at + len(group) + 1)
        yield at, stop, group
        at = stop


_REASON = re.compile(r"\b(?:because|so that|since|due to|to avoid|in order to|as it)\b|因为|由于", re.IGNORECASE)
_CLAUSE = re.compile(r"(?<=[\w)`\"'])[;.!?](?:\s|$)|[;。]")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text on one line; at least one."""
    return [part for part in _SENTENCE.split(text) if part] or [text]


def statement(text: str) -> str:
    """Return what a decision decides, shortly: its first sentence, the one that chooses, one that says why."""
    parts = sentences(text)
    chosen = parts[:1]
    if not extract.chooses(parts[0]):
        chosen += [part for part in parts[1:] if extract.chooses(part)][:1]
    if not any(map(gives_reason, chosen)):
        chosen += [part for part in parts[1:] if gives_reason(part) and part not in chosen][:1]
    return " ".join(part for part in parts if part in chosen)


def gives_reason(sentence: str) -> bool:
    """True if a sentence says why."""
    return bool(_REASON.search(sentence))


def clause(text: str) -> str:
    """Return the first clause of a text."""
    found = _CLAUSE.search(text)
    return text[: found.start()].strip() if found else text


def frame(journal: Journal) -> list[Span]:
    """Return the runs between entries: front matter, headings and blank lines."""
    spans = []
    at = 0
    for entry in journal.entries:
        if entry.start > at:
            spans.append(Span(at, entry.start, "frame"))
        at = entry.end
    if len(journal.text) > at:
        spans.append(Span(at, len(journal.text), "frame"))
    return spans
