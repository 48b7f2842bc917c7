"""The reason that stands beside a record: a part of its own with a name that says so, right behind it.

Owns which lines, pieces and headings behind a record are its parts (`**Rationale:** ...` on the next line, an item
`Why: ...`, `## Rationale` below `## Decision`), which of them is the reason, and which lists are one decision field by
field (`Team: ...`, `Context: ...`, `Decision: ...`). Refuses to take what stands behind another record, and to read a
reason out of a sentence: that is `language.acts.reasons`'.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from sleep.language.acts import first_words, speech, titles
from sleep.language.acts.forms import form
from sleep.language.acts.grammar import has
from sleep.records import classification
from sleep.records.fragment import flat
from sleep.records.kinds import KINDS, is_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.documents.entries import Entry
    from sleep.documents.hand.hand_reader import MarkedPiece
    from sleep.documents.hand.outline import Piece

_WHY = "why"
_LEADS = (":", "：")  # behind bold (`**Decision needed:**`) the list is another record's
_MOST = 300  # characters of a reason that is a list
_LEAST_FIELDS = 3  # items of a list that is one decision
_NESTED = re.compile(r"^#{2,6} +(.*[^ \t#:\n])[ \t#:]*$", re.MULTILINE)
_ALONE = re.compile(r"(?:\*\*|__)([^*_\n:：]{2,40})(?:\*\*|__)[ \t]*(?:\n|$)")
_NAME = rf"{first_words.BOLD_LABEL.pattern}[ \t]*"  # of a part
_ITEMS = r"\n(?:[ \t]*\n)?(?:[ \t]*(?:[-*+]|\d+[.)]) .*\n?)+"
_LABELLED = re.compile(f"^{_NAME}{_ITEMS}", re.MULTILINE)  # alone in its line, with the list below it
_BOLD = re.compile(rf"[ \t]*(?:[-*+] +)?{_NAME}")


def with_parts(text: str, entry: Entry, walked: Sequence[MarkedPiece], at: int) -> Entry:
    """Return the entry of the piece at a place with the reason that stands beside it, and without its other parts.

    As it is where it is no record that has a reason, has one, or is one that the program wrote.
    """
    if walked[at].end or not is_record(entry.kind):
        return entry
    has_reason = _WHY in KINDS[entry.kind].fields
    entry = _with_rows(entry, walked[at].words, has_reason=has_reason)
    if entry.title.endswith(_LEADS) and walked[at].piece.form != "heading" and not entry.body:
        entry = entry._replace(body="\n".join(f"- {row}" for row in _rows(text, walked, at + 1, in_list=True)))
    if entry.field(_WHY) or not has_reason:
        return entry
    reason, body = _beside(text, entry.body, walked, at)
    return entry._replace(body=body, fields=((_WHY, reason), *entry.fields)) if reason else entry


def _beside(text: str, body: str, walked: Sequence[MarkedPiece], at: int) -> tuple[str, str]:
    """Return the reason that stands behind a record or in its section, "" for none, and its body without that."""
    if is_why(open_part(walked[at].words)):
        if walked[at].piece.in_list and body:
            return _joined([first_words.bare(row.strip()) for row in body.split("\n") if row.strip()]), ""
        return _joined(_rows(text, walked, at + 1, in_list=True)), body
    if walked[at].piece.form == "heading":
        reason, rest = _nested(body)
        if reason:
            return reason, rest
    reason = _reason(text, walked, at)
    return reason, _without_list(body) if reason else body


def without_parts(words: str) -> str:
    """Return the words of a piece without the lines that are its parts: `Use flock.` above `**Why:** It is there.`."""
    first, *rows = words.split("\n")
    start = next((place for place, row in enumerate(rows) if _part(row)), len(rows))
    return words if _BOLD.match(first) else "\n".join([first, *rows[:start]])


def open_part(words: str) -> str:
    """Return the last of several lines where it is the name of a part and its words follow: `**Why:**`; else ""."""
    *rows, last = words.split("\n")
    label = _BOLD.fullmatch(last) if rows else None
    return last if label and (is_why(label[1]) or _explains(label[1])) else ""


def lead(text: str, piece: Piece, words: str) -> str:
    """Return the name of a part in which a piece ends, or that it is, where the list right behind it has the part.

    A list nested in an item is the item's own.
    """
    has_own = piece.in_list and text[piece.text_end : piece.end].strip() != ""
    named = words if piece.introduces and is_part(words) and "\n" not in words else open_part(words)
    return "" if has_own else named


def is_part(words: str) -> bool:
    """True for words below a bold name alone that is a part of a record, and not the choice: `**Context**`."""
    name = _ALONE.match(words) or _BOLD.fullmatch(words)
    return name is not None and titles.explains(name[1])


def _with_rows(entry: Entry, words: str, *, has_reason: bool) -> Entry:
    """Return an entry of several lines without those that are its parts: the reason is a field, others are its body."""
    first, *rows = words.split("\n")
    starts = [place for place, row in enumerate(rows) if _part(row)]
    if not starts or (_part(first) and not is_record(classification.label_kind(first))):
        return entry
    title = flat(" ".join([first, *rows[: starts[0]]]))
    parts = [(name, flat(says)) for name, says in _named_parts(rows[starts[0] :]) if says.strip()]
    reasons = [says for name, says in parts if has_reason and is_why(name)]
    others = [f"- {name}: {says}" for name, says in parts if says not in reasons]
    fields = ((_WHY, reasons[0]), *entry.fields) if reasons and not entry.field(_WHY) else entry.fields
    return entry._replace(title=title, body="\n".join(filter(None, (*others, entry.body))), fields=fields)


def _named_parts(rows: Sequence[str]) -> list[tuple[str, str]]:
    """Return the names and words of parts, of rows of which the first begins with a name."""
    parts: list[tuple[str, str]] = []
    for row in rows:
        if label := _BOLD.match(row):
            parts.append((label[1], row[label.end() :]))
        else:
            parts[-1] = (parts[-1][0], f"{parts[-1][1]} {row}")
    return parts


def _part(row: str) -> bool:
    """True for a line that begins with the bold name of a part of a record, and not of another record."""
    label = _BOLD.match(row)
    return label is not None and (is_why(label[1]) or _explains(label[1]))


def is_why(name: str) -> bool:
    """True for the name of a reason: `**Why:**`."""
    return form("labels.why", "columns.why").fullmatch(name.strip("*_ :："))


def _explains(name: str) -> bool:
    bare = name.strip("*_ :：")
    return speech.is_part(f"**{bare}:** ") or titles.explains(bare) or form("labels.status").fullmatch(bare)


def _nested(body: str) -> tuple[str, str]:
    """Return the reason that stands under a heading of its own in the body of an entry, and the body without it."""
    for head in _NESTED.finditer(body):
        if is_why(head[1]):
            behind = _NESTED.search(body, head.end())
            stop = behind.start() if behind else len(body)
            rows = [first_words.bare(row.strip()) for row in body[head.end() : stop].split("\n") if row.strip()]
            return _joined(rows), f"{body[: head.start()].rstrip()}\n\n{body[stop:]}".strip("\n")
    return "", body


def _without_list(body: str) -> str:
    """Return the body of an entry without the list below a label of its reason: `**Why:**` and its items."""
    for label in _LABELLED.finditer(body):
        if is_why(label[1]):
            return f"{body[: label.start()].rstrip()}\n\n{body[label.end() :].lstrip()}".strip("\n")
    return body


def _reason(text: str, walked: Sequence[MarkedPiece], at: int) -> str:
    """Return the reason in the pieces behind a record, "" where something else stands before it."""
    own = walked[at].piece
    is_inside = own.form == "heading"  # what stands below a heading is the record's until the next one
    # Items of a part, or of its own list.
    skips = own.form == "text" and walked[at].first_words(text).strip().endswith(_LEADS)
    for place in range(at + 1, len(walked)):
        item = walked[place]
        words = item.first_words(text).strip()
        name = _part_name(item, words)
        if is_why(name):
            return _read_reason(text, walked, place, own)
        if item.piece.form == "heading":
            break
        is_skipped = skips and item.piece.in_list and item.piece.form == "text"
        if item.piece.form != "other" and not (is_inside or is_skipped or _explains(name)):
            break
        skips = skips or item.piece.form == "label"
    return ""


def _part_name(item: MarkedPiece, words: str) -> str:
    """Return what may name a part: the label that a text begins with, else all words of a heading or label."""
    if item.piece.form != "text" or (item.piece.introduces and is_part(words)):
        return words
    label = first_words.label_of(words)
    return label[1] if label else ""


def _read_reason(text: str, walked: Sequence[MarkedPiece], place: int, own: Piece) -> str:
    """Return the reason that stands behind its name: in the same piece, in a list, or below a heading beside `own`."""
    item = walked[place]
    match item.piece.form:
        case "heading":
            is_sibling = own.form == "heading" and item.piece.level >= own.level
            return _joined(_rows(text, walked, place + 1)) if is_sibling else ""
        case "label":
            return _joined(_rows(text, walked, place + 1, in_list=True))
        case "text" if item.piece.introduces:
            return _joined(_rows(text, walked, place + 1, in_list=True))
    return flat(first_words.behind_label(first_words.bare(item.first_words(text).strip())))


def _rows(text: str, walked: Sequence[MarkedPiece], place: int, *, in_list: bool = False) -> Iterator[str]:
    """Yield the texts from a place on, up to the next heading or label, or up to the end of the list."""
    for item in walked[place:]:
        is_behind = in_list and (not item.piece.in_list or lead(text, item.piece, item.first_words(text).strip()) != "")
        if item.piece.form in ("heading", "label") or is_behind:
            return
        if item.piece.form == "text":
            yield first_words.bare(flat(item.first_words(text)))


def _joined(rows: Iterator[str] | Sequence[str]) -> str:
    """Return rows on one line, set apart by semicolons, as many as have room; the first is whole."""
    joined = ""
    for row in rows:
        if joined and len(joined) + len(row) > _MOST:
            break
        joined = f"{joined}; {row}" if joined else row
    return joined.replace("**", "")


def field_items(text: str, walked: Iterable[MarkedPiece]) -> frozenset[int]:
    """Return where the items begin that only say something of the one decision of their list."""
    own: set[int] = set()
    pieces = (marked.piece for marked in walked)
    for is_item, group in groupby(pieces, key=lambda piece: piece.form == "text" and piece.in_list):
        if is_item:
            own |= _of_list([(piece.start, piece.words(text).strip()) for piece in group])
    return frozenset(own)


def _of_list(items: list[tuple[int, str]]) -> set[int]:
    if len(items) < _LEAST_FIELDS or not all(first_words.label_of(words) for _, words in items):
        return set()
    kinds = [classification.label_kind(words) for _, words in items]
    is_one = kinds.count("decision") == 1 and any(_is_field(words) for _, words in items)
    return {start for (start, _), kind in zip(items, kinds, strict=True) if not is_record(kind)} if is_one else set()


def _is_field(words: str) -> bool:
    """True for an item whose label is that of a reason, a context or a day."""
    label = first_words.label_of(words)
    is_field = label is not None and titles.explains(label[1])
    return is_field or has(words, "signs.stamp")
