"""A journal: one instance's entries, in the order they were written.

Owns the values, reading a journal whose pieces carry marks, and adding an entry to one. Refuses to mark what carries
none: that is `marking`'s. Bytes that are there are never changed; an entry is appended.

    ---
    instance: 7
    tag: qxk
    started: 2026-11-21T09:05:36Z
    ---
    # Journal: instance 7

    ## Decision: use flock for the lock [i7qxk.2 D-014]

    - why: filelock costs 4.9 times a bare start
    - alternatives: filelock; portalocker
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, cast

from sleep.documents import containment, extent, paragraphs
from sleep.documents.markdown import edit, lines
from sleep.documents.markdown.outline import Piece, pieces
from sleep.documents.yaml import front_matter
from sleep.language import dates, tokens
from sleep.records import address as addressing
from sleep.records import kinds
from sleep.records.address import Address, InstanceId, Mark
from sleep.records.fragment import flat
from sleep.records.kinds import FIELD_NAMES, field_names, is_kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sleep.documents.yaml.scalar import Value

IMPORTED = "imported: "  # begins the source of what a document said; its path follows
_SOURCE = "source"  # a field of an entry, and of an imported journal
LABEL_LEVEL = 7  # a label is deeper than any heading
_LEVEL = 2  # of the headings of entries
_SIGNS = re.compile(r"(#{1,6}) ")
_OPENING = ("```", "~~~", "<", "\r")  # may reach over a blank line
_BULLET = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_FIELD = re.compile(r"^[ \t]*(?:[-*+] +)?(?:\*\*|__)?([A-Za-z][A-Za-z -]{1,24}?)(?:\*\*|__)? ?:(?:\*\*|__)? *(.*)$")


class Entry(NamedTuple):
    """One entry. `text[start:end]` of the journal is all of it; `sections` are the headings it stands under.

    `title` is its first words without mark and kind, `body` all after them without the fields. `source` says who said
    it: `person`, `agent`, `imported: PATH`, a tool's words, or "" for the instance itself. `noticed` is True for a
    task, blocker or dead end that nobody stated: told by its words alone, by a transcript, or by an imported document.
    """

    address: Address
    kind: str
    title: str
    body: str
    fields: tuple[tuple[str, str], ...]
    number: str
    start: int
    end: int
    sections: tuple[str, ...]
    source: str = ""
    noticed: bool = False

    def field(self, name: str) -> str:
        """Return the field of that name, or ""."""
        return next((value for key, value in self.fields if key == name), "")


class Journal(NamedTuple):
    """A journal as read: the text as it is, where its body starts, its entries, and whether every piece has a mark."""

    instance: InstanceId
    text: str
    body: int
    fields: Mapping[str, object]
    entries: tuple[Entry, ...]
    unmarked: int

    @property
    def sealed(self) -> bool:
        """True once the journal is closed: it has an end and never changes again."""
        return bool(self.fields.get("ended"))

    @property
    def is_import(self) -> bool:
        """True for a document that was taken in: no instance's own words."""
        return is_import(self.fields)

    @property
    def size(self) -> int:
        """The tokens of what was said: the body without marks."""
        return tokens.count(addressing.MARK.sub("", extent.without_ends(self.text[self.body :])))

    @property
    def when(self) -> str:
        """The day it is of, as a heading says it (`8 May 2023`), or ""."""
        return when(self.fields)


def is_import(fields: Mapping[str, object]) -> bool:
    """Return whether a journal's front matter says that it is a document that was taken in."""
    return bool(_imported(fields))


def when(fields: Mapping[str, object]) -> str:
    """Return the day that a journal's front matter gives, as a heading says it, or ""."""
    return dates.spoken(dates.of_fields(fields))


class Draft(NamedTuple):
    """An entry to be written. `fields` in the order given; `number` where the kind has one."""

    kind: str
    title: str
    body: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    number: str = ""


def start(instance: InstanceId, fields: Mapping[str, object]) -> str:
    """Return an empty journal; `fields` are started, client, sessions and what else is known."""
    known = cast("dict[str, Value]", {"instance": instance.number, "tag": instance.tag, **fields})
    return f"{front_matter.render(known)}# Journal: instance {instance.number}\n"


def instance_of(text: str) -> InstanceId | None:
    """Return the instance that a journal's front matter names, or None."""
    fields = front_matter.read(text).fields
    return addressing.parse_instance(f"i{fields.get('instance')}{fields.get('tag')}")


def last_ordinal(text: str, instance: InstanceId) -> int:
    """Return the highest ordinal that any address of this instance uses, 0 without one."""
    return max(_ordinals(text, instance), default=0)


def free_ordinals(text: str, instance: InstanceId) -> Iterator[int]:
    """Yield ordinals that no address in the text uses: above the highest; when that is the last of all, the gaps."""
    used = _ordinals(text, instance)
    highest = max(used, default=0)
    yield from range(highest + 1, addressing.LAST_ORDINAL + 1)
    yield from (ordinal for ordinal in range(1, highest) if ordinal not in used)


def _ordinals(text: str, instance: InstanceId) -> set[int]:
    return set(map(int, re.findall(rf"\b{instance}\.([0-9]{{1,7}})\b", text, re.ASCII)))


def own_mark(text: str, piece: Piece, instance: InstanceId) -> tuple[str, Mark] | None:
    """Return a piece's first words without its mark, and the mark, if it ends in one address of this journal."""
    if piece.form not in {"heading", "text"}:
        return None
    split = addressing.trailing_mark(text[piece.text_start : piece.text_end].rstrip())
    return split if split and [one.instance for one in split[1].addresses] == [instance] else None


class Marked(NamedTuple):
    """A piece, its first words without its own mark, and that mark; both empty where it has none.

    `end` is where an entry ends that says so itself, for the program wrote it; 0 for what was written by hand.
    """

    piece: Piece
    words: str = ""
    mark: Mark | None = None
    end: int = 0


def marked(text: str, body: int, instance: InstanceId) -> list[Marked]:
    """Return the pieces of a journal from `body` on, each with its own mark.

    An address belongs to one piece: that of the entry which the program wrote, else the first heading, or piece whose
    mark says kind or number, that ends in it, else the first piece that does. All others only refer to it. Raises
    ValueError when the front matter is broken.
    """
    found: list[Marked] = []
    at = body
    is_ended = extent.is_ended(front_matter.read(text).fields)
    for one in extent.find(text, body, instance) if is_ended else ():
        found += _by_hand(text, at, one.start, instance, is_apart=True)
        stop = text.find("\n", one.start) + 1 or len(text)
        words = one.start + len(text[one.start : stop].rstrip())
        piece = Piece("heading", one.start, stop, one.start + _LEVEL + 1, words, _LEVEL)
        found.append(_marked(text, piece, instance)._replace(end=one.end))
        at = one.stop
    found += _by_hand(text, at, len(text), instance, is_apart=is_ended)
    owners: dict[Address, int] = {
        one.mark.addresses[0]: index for index, one in enumerate(found) if one.end and one.mark
    }
    for sure in (True, False):
        for index, (piece, _, mark, _) in enumerate(found):
            if mark and (not sure or piece.form == "heading" or mark.kind or mark.number):
                owners.setdefault(mark.addresses[0], index)
    own = set(owners.values())
    return [one if index in own else Marked(one.piece) for index, one in enumerate(found)]


def _by_hand(text: str, start: int, stop: int, instance: InstanceId, *, is_apart: bool) -> list[Marked]:
    """Return the pieces of a run that no entry of the program's takes in."""
    if not text[start:stop].strip():
        return []
    whole = text if stop == len(text) else text[:stop]
    found = paragraphs.split(text, pieces(whole, start)) if is_apart else pieces(whole, start)
    return [_marked(text, piece, instance) for piece in found]


def _marked(text: str, piece: Piece, instance: InstanceId) -> Marked:
    words, mark = own_mark(text, piece, instance) or ("", None)
    return Marked(piece, words, mark)


def holds(entry: Piece, piece: Piece) -> bool:
    """True if a piece without a mark belongs to the open entry: what began at a heading holds its section."""
    return entry.form == "heading" and (piece.form != "heading" or piece.level > entry.level)


def read(text: str, instance: InstanceId | None = None) -> Journal:
    """Read a journal.

    An entry that says where it ends (`extent`) ends there. Any other reaches from its marked piece to the next marked
    piece or to the next heading of its level or above, so that code, tables and quotes belong to the entry before them.
    Raises ValueError when the front matter is broken or
    names no instance and none is given.
    """
    head = front_matter.read(text)
    identity = instance or instance_of(text)
    if identity is None:
        message = "front matter without instance and tag"
        raise ValueError(message)
    begun: list[tuple[Marked, tuple[str, ...]]] = []
    ends: list[int] = []
    sections: list[tuple[int, str]] = []
    unmarked = 0
    for one in marked(text, head.body, identity):
        piece = one.piece
        is_open = len(ends) < len(begun)
        if is_open and not one.mark and holds(begun[-1][0].piece, piece):
            continue
        heads = piece.form in {"heading", "label"}
        if is_open and (heads or one.mark):
            ends.append(piece.start)
        if one.end:
            sections = [above for above in sections if above[0] < _LEVEL]
            begun.append((one, tuple(title for _, title in sections)))
            ends.append(one.end)
            continue
        if heads:
            level = piece.level or LABEL_LEVEL
            sections = [above for above in sections if above[0] < level]
        if one.mark:
            begun.append((one, tuple(title for _, title in sections)))
        elif piece.form == "text" or not (heads or is_open):
            unmarked += 1
        if heads:
            sections.append((level, flat(one.words if one.mark else text[piece.text_start : piece.text_end])))
    ends += [len(text)] * (len(begun) - len(ends))
    imported = _imported(head.fields)
    entries = tuple(_entry(text, one, end, above, imported) for (one, above), end in zip(begun, ends, strict=True))
    return Journal(identity, text, head.body, head.fields, entries, unmarked)


def fields_of(text: str, address: Address) -> tuple[tuple[str, str], ...] | None:
    """Return the fields of an entry, read from its section alone; None where only the whole journal can tell.

    So it is for an entry that a heading begins, behind a blank line: there all that is not left open ends (code, HTML),
    and an address that stands in one mark belongs to no other piece. Raises ValueError as `read` does.
    """
    start = text.rfind("\n", 0, max(0, text.find(f"[{address}"))) + 1
    head = _SIGNS.match(text, start)
    top = front_matter.read(text)
    body = top.body
    if not head or start < body or not text.endswith("\n\n", 0, start):
        return None
    stop = re.compile(rf"\n\n(?=#{{1,{len(head[1])}}} )").search(text, start)
    end = stop.end() if stop else len(text)
    if extent.is_ended(top.fields):
        end = next((one.end for one in extent.find(text[:end], start, address.instance)[:1]), end)
    marks = {found[1].partition(" ")[0] for found in addressing.MARK.finditer(text, start, end)}
    own = (one for one in marks if one.startswith(f"{address.instance}."))
    is_left_open = any(sign in text[body:end] for sign in _OPENING)
    if is_left_open or any(text.count(f"[{one}]") + text.count(f"[{one} ") > 1 for one in own):
        return None
    entries = read(text[start:end], address.instance).entries
    return entries[0].fields if entries and entries[0].address == address else None


def _entry(text: str, one: Marked, end: int, sections: tuple[str, ...], imported: str) -> Entry:
    piece, mark = one.piece, one.mark or Mark(())
    title, kind = flat(one.words), mark.kind
    is_named = not kind or kinds.named(title.partition(":")[0]) == kind
    rest = text[piece.end if piece.form == "heading" else piece.text_end : end]
    if piece.form == "heading":
        label, colon, tail = title.partition(": ")
        if colon and is_kind(label.casefold()):
            kind, title = label.casefold(), tail
        elif is_kind(title.casefold()):
            kind, title = title.casefold(), ""
    fields, body = split_fields(rest, kind or "note")
    said = dict(reversed(fields))
    source = said.get(_SOURCE, "") or imported
    if imported and not source.startswith(IMPORTED):
        source = f"{IMPORTED}{source}"
    is_stated = is_named or kinds.named(sections[-1] if sections else "") == kind
    is_noticed = kinds.noticed(kind) != kind and not (is_stated and not source and "transcript" not in said)
    entry = Entry(mark.addresses[0], kind or "note", title, body, fields, mark.number, piece.start, end, sections)
    return entry._replace(source=source, noticed=is_noticed)


def _imported(fields: Mapping[str, object]) -> str:
    """Return the document that a journal was taken in from, as a source says it, "" for an instance's own."""
    told = fields.get("imported")
    path = str((told.get("path") if isinstance(told, dict) else "") or fields.get(_SOURCE) or "")
    return f"{IMPORTED}{path}" if path else ""


def split_fields(text: str, kind: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """Split `why: ...` lines, plain, in bullets or bold, from a text; return the fields and the text without them.

    Only the fields that the kind knows are taken, so that prose with a colon stays prose. Deeper lines right below a
    field go on with it, list items set apart by semicolons; a field without a value stays in the text.
    """
    if ":" not in text:
        return (), text.replace("\r\n", "\n").strip("\n")
    wanted = field_names(kind)
    rows = text.replace("\r\n", "\n").split("\n")
    fenced = lines.code(rows)
    fields: list[tuple[str, str]] = []
    rest: list[str] = []
    at = 0
    while at < len(rows):
        found = _FIELD.match(rows[at]) if at not in fenced else None
        name = FIELD_NAMES.get(found[1].strip().casefold(), "") if found else ""
        if found and name in wanted:
            below = _below(rows, at, fenced)
            if value := _joined(found[2], rows[at + 1 : below]):
                fields.append((name, value))
                at = below
                continue
        rest.append(rows[at])
        at += 1
    return tuple(fields), "\n".join(rest).strip("\n")


def _below(rows: Sequence[str], at: int, fenced: frozenset[int]) -> int:
    """Return the index behind the lines that are right below a line and deeper in."""
    own = len(rows[at]) - len(rows[at].lstrip())
    below = at + 1
    while below < len(rows) and below not in fenced:
        bare = rows[below].lstrip()
        if not bare or len(rows[below]) - len(bare) <= own:
            break
        below += 1
    return below


def _joined(value: str, deeper: Sequence[str]) -> str:
    words = [value]
    for row in deeper:
        bare = _BULLET.sub("", row, count=1)
        words.append(f"; {bare}" if bare != row and "".join(words).strip() else f" {bare}")
    return flat("".join(words))


def append(text: str, draft: Draft, instance: InstanceId) -> tuple[str, Address]:
    """Return the journal with the entry at its end, and the entry's address.

    Nothing written in an entry can end it or begin another: headings in the body go two levels down, marks of this
    journal become words in round brackets, and a body that leaves something open (a fence, a comment) is fenced as a
    whole. What the text before leaves open is closed first. Title and fields become one line each. Raises ValueError
    when the front matter is broken.
    """
    address = instance.entry(next(free_ordinals(text, instance)))
    newline = edit.newline(text)
    label = draft.kind.capitalize()
    title = _cited(flat(draft.title), instance)
    rows = [f"## {label}{': ' if title else ''}{title} {Mark((address,), '', draft.number)}", ""]
    rows += [f"- {name}: {words}" for name, value in draft.fields if (words := _cited(flat(value), instance))]
    body = draft.body.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()
    end = extent.end_line(address)
    if body:
        body = _cited(body, instance).replace(end, f"(end of {address})")
        rows += [*([""] if rows[-1] else []), containment.contained("\n".join(rows), body)]
    says_more = bool(body) or not all(extent.is_field(name, draft.kind) for name, _ in draft.fields)
    if says_more and extent.is_ended(front_matter.read(text).fields):
        rows += ["", end]
    written = "\n".join(rows).rstrip("\n").replace("\n", newline)
    lead = newline if text.endswith("\n") or not text else newline * 2
    return f"{text}{containment.closing(text, newline)}{lead}{written}{newline}", address


def _cited(text: str, instance: InstanceId) -> str:
    """Return the text with the marks of this instance's own as words: `(i7qxk.2)`."""
    own = f"[{instance}."
    return addressing.MARK.sub(lambda mark: f"({mark[0][1:-1]})" if mark[0].startswith(own) else mark[0], text)
