"""Cutting a journal's entry into fragments, and accounting for every character of it.

Owns the cut: a record is one fragment with all its words; prose is cut at paragraphs, nested items, table rows and
long paragraphs' sentences; code is referred to, not copied. Refuses to choose: that is the compressor's.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from sleep.documents import register
from sleep.documents.entries import split_fields
from sleep.documents.markdown import lines, tables
from sleep.language import anaphora, dates, sentences, terms
from sleep.records import address as addressing
from sleep.records import topic
from sleep.records.fragment import Fragment, flat
from sleep.records.kinds import ENTRIES, KINDS, event_record
from sleep.redaction import secret_scan, untrusted
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.documents.entries import Entry
    from sleep.documents.journal import Journal
    from sleep.records.address import Address

_LONG = 400  # characters of a run of prose that stays whole; a longer one is cut into sentences, so many together
_SHORT = 500  # characters of an entry, up to which it is told as one
_FENCE = re.compile(r"(?m)^[ \t]*(?:```|~~~|\|)")
_LIST = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
# Without its tick `- [x] Turn it off` is an order to whoever reads it.
_TICKED = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[xX]\][ \t]+(?![✅☑✔]|\*\*✅)")
_TICK = "✅"
_DIGITS = re.compile(r"\d+")
_REPEATS = 2  # lines before the last one that differ from it by figures alone: a machine said it again and again
_RULE = re.compile(r"^[\s|:*_=+-]*$")
_COMMENT = re.compile(r"(?<!`)<!--.*?-->", re.DOTALL)  # what no reader of a page sees
_HEAD_BELOW = re.compile(r"\n[ \t]*#{1,6} ")  # a heading inside an entry
# Pictures and bare links: in a line of a tier nobody knows what they show.
_SHOWN = re.compile(r"(?:!\[[^\]]*\]\([^)]*\)|<?https?://\S++|\s)+")
_NUMBER = re.compile(r"^\s*\d{1,5}[.):]?\s+")
_STATUS = "status"
_STATUS_WORDS = 3  # of what stands under such a heading and says no more than a record's state


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
    """Return the pieces of a journal, in order: its entries, which they cover exactly, and headings that name things.

    On one line a secret can show that did not across lines (`password:` and the word below), so fragments are redacted.
    """
    return list(_cut(journal.text, journal.body, journal.when, journal.entries))


@lru_cache(maxsize=1)  # of one journal, a step and the gate ask it in turn
def _cut(text: str, body: int, when: str, entries: tuple[Entry, ...]) -> tuple[Piece, ...]:
    pieces = [_with_tool_mark(piece, entry) for entry in entries for piece in _entry(text, entry)]
    headings = _headings(text, body, entries)
    dated = [_dated(piece, when) for piece in sorted((*headings, *pieces), key=lambda piece: piece.start)]
    if secret_scan.find("\n".join(piece.fragment.all_words for piece in dated if piece.fragment)):
        dated = [piece._replace(fragment=_redacted(piece.fragment)) for piece in dated]
    return tuple(dated)


def refused(journal: Journal) -> frozenset[Address]:
    """Return the addresses of the entries that a tool printed and that read like an instruction to the reader."""
    return frozenset(
        entry.address
        for entry in journal.entries
        if _is_a_tools(entry) and untrusted.is_instruction(journal.text[entry.start : entry.end])
    )


def _without_orders(entry: Entry) -> Entry:
    """Return an entry without the code in it that reads like an instruction: it quotes that, and does not say it."""
    rows = entry.body.split("\n")
    fenced = lines.code(rows)
    gone: set[int] = set()
    for first in sorted(index for index in fenced if index - 1 not in fenced):
        last = next(index for index in range(first, len(rows) + 1) if index not in fenced)
        if untrusted.is_instruction("\n".join(rows[first:last])):
            gone.update(range(first, last))
    return entry._replace(body="\n".join(row for index, row in enumerate(rows) if index not in gone)) if gone else entry


def _is_a_tools(entry: Entry) -> bool:
    return entry.field("source") == untrusted.MARK or untrusted.is_marked(entry.title)


def _with_tool_mark(piece: Piece, entry: Entry) -> Piece:
    """Return a piece with the mark of what a tool printed, which each fragment of such an entry bears."""
    if piece.fragment is None or not _is_a_tools(entry) or untrusted.is_marked(piece.fragment.text):
        return piece
    return piece._replace(fragment=piece.fragment._replace(text=f"{untrusted.MARK}: {piece.fragment.text}"))


def _dated(piece: Piece, when: str) -> Piece:
    """Return a piece with the day that heads it in a tier, which a line of its own (`Date: ...`) need not say again."""
    if piece.fragment is None:
        return piece
    text = piece.fragment.text
    rest = text[dates.line_end(text) :] if when and not KINDS[piece.fragment.kind].is_record else text
    return piece._replace(fragment=piece.fragment._replace(text=rest, when=when) if rest else None)


def _redacted(fragment: Fragment | None) -> Fragment | None:
    if fragment is None:
        return None
    fields = tuple((name, secret_scan.redact(value)[0]) for name, value in fragment.fields)
    return fragment._replace(text=secret_scan.redact(fragment.text)[0], fields=fields)


def _entry(text: str, entry: Entry) -> Iterator[Piece]:
    if register.is_opening(entry) or entry.is_asked:
        yield Piece(entry.start, entry.end, register.from_entry(_without_orders(entry)))
        return
    if event_record(entry.kind) or register.is_tone_check(entry):
        yield Piece(entry.start, entry.end, None)
        return
    if (words := _as_one(text, entry)) is not None:
        whole = Fragment(entry.fragment_kind, words, (entry.address,), entry.number, _fields(entry))
        yield Piece(entry.start, entry.end, whole if words else None)
        return
    fields = _fields(entry) if _has_fields(entry) else ()  # with its first words: a fix is nothing without its change
    columns: tuple[str, ...] = ()
    for start, end, code in _runs(text, entry.start, entry.end):
        words = "" if code else _run_words(text[start:end], entry, text)
        if words.startswith("|"):
            words, columns = _row(words, text[end : entry.end], columns)
        elif words:
            columns = ()
        if not words:
            yield Piece(start, end, None)
            continue
        for first, last, sentence in _sentences(text[start:end], words):
            fragment = Fragment(entry.fragment_kind, sentence, (entry.address,), entry.number, fields)
            fields = ()
            yield Piece(start + first, start + last, fragment)


def _row(words: str, below: str, columns: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return what a row of a table tells, and the names of its columns: "" for the row that gives these."""
    cells = tables.cells(words)
    if tables.is_delimiter(below.partition("\n")[0]):
        columns = tables.columns(cells)
        return ("" if columns else tables.tell(cells)), columns
    return tables.tell(cells, columns), columns


def _as_one(text: str, entry: Entry) -> str | None:
    """Return the words of an entry that is told as one, None for one that is cut.

    What was noticed waits for a word in its own words: no row of a table behind them is one.
    """
    has_block = _FENCE.search(text, entry.start, entry.end)
    if entry.noticed and has_block:
        return register.on_one_line(_without_orders(entry)) or None
    if entry.end - entry.start > _SHORT or has_block or _HEAD_BELOW.search(text, entry.start, entry.end):
        return None
    if _without_repeats(own := text[entry.start : entry.end]) != own:
        return None
    words = _without_debris(_seen(register.whole(entry)), entry, text)
    return f"{_TICK} {words}" if words and _TICKED.match(text, entry.start, entry.end) else words


def _seen(words: str) -> str:
    """Return words without the comments that a page does not show."""
    return flat(_COMMENT.sub(" ", words)) if "<!--" in words else words


def _without_debris(words: str, entry: Entry, text: str) -> str:
    """Return words that tell something by themselves in a tier, "" for a picture, a bare link and a status.

    What was written with a command is told whatever it is.
    """
    if entry.kind != "note" or entry.noticed or text.startswith("#", entry.start):
        return words
    is_state = entry.sections and entry.sections[-1].casefold() == _STATUS and len(words.split()) <= _STATUS_WORDS
    return "" if is_state or _SHOWN.fullmatch(words) else words


def _fields(entry: Entry) -> tuple[tuple[str, str], ...]:
    """Return the fields of an entry that its kind has, but for a tool's words that read like an instruction."""
    known = ENTRIES[entry.kind].fields if entry.kind in ENTRIES else ()
    return tuple(
        (name, value)
        for name, value in entry.fields
        if name in known and not (untrusted.is_marked(value) and untrusted.is_instruction(value))
    )


def _has_fields(entry: Entry) -> bool:
    """True for an entry whose fields are no words of its own; `Status: blocked` in a note by hand is."""
    return entry.kind in ENTRIES and (entry.kind != "note" or bool(entry.field("source")))


def _is_fields(run: str, entry: Entry) -> bool:
    """True for a run that is nothing but fields of an entry."""
    fields, rest = split_fields(run, entry.kind) if _has_fields(entry) else ((), "")
    return bool(fields) and not rest


def _run_words(run: str, entry: Entry, text: str) -> str:
    """Return what a run of an entry tells, "" for fields and for a heading that names nothing."""
    is_silent = _is_fields(run, entry) or _is_bare_heading(run, entry)
    return "" if is_silent else _without_debris(_words(run, entry), entry, text)


def _is_bare_heading(run: str, entry: Entry) -> bool:
    """True for a heading inside an entry that names nothing of its own; an entry's own title is none."""
    title = _COMMENT.sub("", addressing.MARK.sub("", run)).strip()
    if not title.startswith("#") or "\n" in title:
        return False
    title = title.lstrip("#").strip()
    return not title.casefold().startswith(entry.kind) and not _names(title)


def _runs(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, is code) of paragraphs, items and rows; blank lines belong to the run before them."""
    begun, code, fence, blank = start, False, "", False
    at = start
    while at < end:
        stop = text.find("\n", at, end) + 1 or end
        line = text[at:stop]
        stripped = line.strip()
        opens = not fence and stripped.startswith(("```", "~~~"))
        begins = opens or code or blank or _begins(line)
        if stripped and not fence and begins and at > begun:
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


def _begins(line: str) -> bool:
    """True for an item, a row of a table, a heading and a quotation."""
    return bool(_LIST.match(line)) or line.strip().startswith(("|", "#", ">"))


def _words(run: str, entry: Entry) -> str:
    """Return a run's words on one line, without list marker, heading signs, mark and the entry's own label."""
    if _RULE.match(run):
        return ""
    words = flat(_seen(_LIST.sub("", _with_tick(run), count=1)).lstrip().lstrip("#>").lstrip())
    split = addressing.trailing_mark(words)
    if split and split[1].addresses[0] == entry.address:
        words = split[0]
        label = f"{entry.kind.capitalize()}:"
        if entry.kind != "note" or words.startswith("Note"):
            words = words.removeprefix(label).removeprefix(entry.kind.capitalize()) if run.startswith("#") else words
    elif str(entry.address) in words:
        words = flat(re.sub(rf" ?\[{re.escape(str(entry.address))}[^\]]*\]", "", words))
    return words.strip()


def _with_tick(run: str) -> str:
    """Return a run, as long as it is, with a tick in the place of a ticked box, and of a machine's lines the last."""
    run = _without_repeats(run)
    box = _TICKED.match(run)
    return f"{_TICK} ".rjust(box.end()) + run[box.end() :] if box else run


def _without_repeats(run: str) -> str:
    """Return a run with blanks in the place of lines that the next one says again but for its figures."""
    if run.count("\n") < _REPEATS or not _DIGITS.search(run):
        return run
    rows = run.splitlines(keepends=True)
    left: list[str] = []
    for _, group in groupby(rows, lambda row: _DIGITS.sub("#", addressing.MARK.sub("", row).strip())):
        same = list(group)
        is_repeat = len(same) > _REPEATS and same[0].strip()
        left += [" " * (len(row) - 1) + "\n" for row in same[:-1]] if is_repeat else same[:-1]
        left.append(same[-1])
    return "".join(left)


def _sentences(run: str, words: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, words) of a run: whole when short, else groups of whole sentences below the limit."""
    if len(words) <= _LONG:
        yield 0, len(run), words
        return
    groups: list[tuple[int, int]] = []
    for start, end in sentences.spans(words):
        if groups and (end - groups[-1][0] < _LONG or anaphora.leans(words[start:end])):  # no group begins with half
            groups[-1] = (groups[-1][0], end)
        else:
            groups.append((start, end))
    stops = [*located(run, words, [start for start, _ in groups[1:]]), len(run)]
    at = 0
    for (start, end), stop in zip(groups, stops, strict=True):
        yield at, stop, words[start:end]
        at = stop


def located(run: str, words: str, offsets: Sequence[int]) -> list[int]:
    """Return where in a run of the journal the characters stand that its words have at these offsets, in order.

    The words are the run's own, in their order, without markers and marks and with other white space; where a secret
    was taken out of them, what follows it is placed by its share of the length.
    """
    run = _with_tick(addressing.MARK.sub(lambda mark: " " * len(mark[0]), run))
    places: list[int] = []
    here = there = 0
    for offset in offsets:
        for letter in words[there:offset]:
            at = here if letter.isspace() else run.find(letter, here) + 1
            here = at or max(here, min(len(run), offset * len(run) // max(1, len(words))))
        there = offset
        follows = run.find(words[offset], here) if offset < len(words) else here
        places.append(max(places[-1] if places else 0, follows if follows >= 0 else here))
    return places


def frame(text: str, runs: Iterable[Piece | Entry | Span]) -> list[Span]:
    """Return the runs of a journal that nothing said covers: front matter, other headings, and blank lines."""
    spans = []
    at = 0
    for start, end in sorted((run.start, run.end) for run in runs):
        if start > at:
            spans.append(Span(at, start, "frame"))
        at = max(at, end)
    if len(text) > at:
        spans.append(Span(at, len(text), "frame"))
    return spans


def _headings(text: str, body: int, entries: Iterable[Entry]) -> Iterator[Piece]:
    """Yield the headings between entries that name something: said in so few words, they tell what the rest is of.

    Each has the address of the entry right under it, and its kind where that is prose.
    """
    at = body
    titles = {_title(entry.title) for entry in entries if register.is_opening(entry)}
    for entry in entries:
        run = text[at : entry.start]
        if "#" in run:
            rows = lines.split(run)
            heads = lines.headings([row.words for row in rows], frozenset())
            named = [head for head in heads if head.first == head.last and _names(head.title)]
            named = [head for head in named if _title(head.title) not in titles]  # `26. Drop it` of a record `Drop it:`
            kind = entry.kind
            kind = kind if kind in KINDS and not KINDS[kind].is_record else "note"
            for head in named[-1:]:
                row = rows[head.first]
                yield Piece(at + row.start, at + row.end, Fragment(kind, flat(head.title), (entry.address,), when=""))
        at = entry.end


def _title(title: str) -> str:
    """Return a title as titles are compared: without its number, its colon and its case."""
    return _NUMBER.sub("", title).rstrip(": ").casefold()


def _names(title: str) -> bool:
    """True for a heading that names something of its own, not only a kind of thing or a day."""
    if not topic.from_heading(title):
        return False
    named = terms.find(title)
    return bool(named.names or named.capitals)
