"""A journal: one instance's entries, in the order they were written.

Owns the values, reading a journal whose pieces carry marks, and adding an entry to one. Refuses to mark what carries none:
that is `marking`'s. Bytes that are there are never changed; an entry is appended.

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
from typing import TYPE_CHECKING, NamedTuple

from sleep.memory import address as addressing
from sleep.memory import extract
from sleep.memory.address import Address, InstanceId, Mark
from sleep.memory.fragment import flat
from sleep.memory.kinds import EVENT_FIELDS, FIELD_NAMES, KINDS, event_record, is_kind
from sleep.memory.outline import Piece, pieces
from sleep.text import blocks, edit, front

if TYPE_CHECKING:
    from collections.abc import Mapping

_FIELD = re.compile(r"^[ \t]*(?:[-*+] +)?(?:\*\*|__)?([A-Za-z][A-Za-z -]{1,24}?)(?:\*\*|__)? ?:(?:\*\*|__)? *(.*)$")


class Entry(NamedTuple):
    """One entry. `text[start:end]` of the journal is all of it; `sections` are the headings it stands under.

    `title` is its first words without mark and kind, `body` all after them without the fields.
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


class Draft(NamedTuple):
    """An entry to be written. `fields` in the order given; `number` where the kind has one."""

    kind: str
    title: str
    body: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    number: str = ""


def start(instance: InstanceId, fields: Mapping[str, object]) -> str:
    """Return an empty journal; `fields` are started, client, sessions and what else is known."""
    known = {"instance": instance.number, "tag": instance.tag, **fields}
    return f"{front.render(known)}# Journal: instance {instance.number}\n"


def instance_of(text: str) -> InstanceId | None:
    """Return the instance that a journal's front matter names, or None."""
    fields = front.read(text).fields
    return addressing.parse_instance(f"i{fields.get('instance')}{fields.get('tag')}")


def last_ordinal(text: str, instance: InstanceId) -> int:
    """Return the highest ordinal that any mark of this instance's own uses, 0 without one."""
    found = re.findall(rf"\[{instance}\.(\d{{1,7}})\b", text)
    return max(map(int, found), default=0)


def own_mark(text: str, piece: Piece, instance: InstanceId) -> tuple[str, Mark] | None:
    """Return a piece's first words without its mark, and the mark, if it carries one of this journal."""
    split = addressing.trailing_mark(text[piece.text_start : piece.text_end].rstrip())
    return split if split and split[1].addresses[0].instance == instance else None


def read(text: str, instance: InstanceId | None = None) -> Journal:
    """Read a journal.

    An entry reaches from its marked piece to the next marked piece or to the next heading of its level or above, so that
    code, tables and quotes belong to the entry before them. Raises ValueError when the front matter is broken or names
    no instance and none is given.
    """
    head = front.read(text)
    identity = instance or instance_of(text)
    if identity is None:
        message = "front matter without instance and tag"
        raise ValueError(message)
    entries: list[Entry] = []
    sections: list[tuple[int, str]] = []
    begun: tuple[int, Piece, str, Mark] | None = None
    unmarked = 0

    def close(end: int) -> None:
        nonlocal begun
        if begun:
            at, piece, words, mark = begun
            names = tuple(title for _, title in sections)
            entries.append(_entry(text, piece, words, mark, (at, end), names))
            begun = None

    for piece in pieces(text, head.body):
        marked = own_mark(text, piece, identity) if piece.form in ("heading", "text") else None
        if begun and begun[1].form == "heading" and not marked:
            if piece.form != "heading" or piece.level > begun[1].level:
                continue
        elif piece.form == "text" and not marked:
            unmarked += 1
        if piece.form in ("heading", "label"):
            close(piece.start)
            level = piece.level or 7
            while sections and sections[-1][0] >= level:
                sections.pop()
            if not marked:
                sections.append((level, flat(text[piece.text_start : piece.text_end])))
        if marked:
            close(piece.start)
            begun = (piece.start, piece, *marked)
        elif piece.form == "other" and begun is None:
            unmarked += 1
    close(len(text))
    return Journal(identity, text, head.body, head.fields, tuple(entries), unmarked)


def _entry(
    text: str, piece: Piece, words: str, mark: Mark, span: tuple[int, int], sections: tuple[str, ...]
) -> Entry:
    rest = text[piece.text_end : span[1]]
    title, kind = flat(words), mark.kind
    if piece.form == "heading":
        label, colon, tail = title.partition(": ")
        if colon and is_kind(label.casefold()):
            kind, title = label.casefold(), tail
        elif is_kind(title.casefold()):
            kind, title = title.casefold(), ""
    fields, body = split_fields(rest, kind or "note")
    return Entry(mark.addresses[0], kind or "note", title, body, fields, mark.number, *span, sections)


def split_fields(text: str, kind: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """Split `why: ...` lines, plain, in bullets or bold, from a text; return the fields and the text without them.

    Only the fields that the kind knows are taken, so that prose with a colon stays prose.
    """
    wanted = set(EVENT_FIELDS) if event_record(kind) else {*(KINDS[kind].fields if kind in KINDS else ())}
    wanted |= {"thread", "topic", "time", "source", "boilerplate", "status"}
    fields: list[tuple[str, str]] = []
    rest: list[str] = []
    fence = ""
    for line in text.split("\n"):
        stripped = line.strip()
        if fence:
            fence = "" if stripped.startswith(fence) else fence
        elif stripped.startswith(("```", "~~~")):
            fence = stripped[:3]
        elif (found := _FIELD.match(line)) and (name := FIELD_NAMES.get(found[1].strip().casefold())) in wanted:
            fields.append((name or "", flat(found[2])))
            continue
        rest.append(line)
    return tuple((name, value) for name, value in fields if value), "\n".join(rest).strip("\n")


def append(text: str, draft: Draft, instance: InstanceId) -> tuple[str, Address]:
    """Return the journal with the entry at its end, and the entry's address.

    Headings in the body go two levels down and an open fence is closed, so that nothing written in an entry can end it.
    """
    address = instance.entry(last_ordinal(text, instance) + 1)
    label = "Thread event" if draft.kind == "thread event" else draft.kind.capitalize()
    title = f"{label}: {flat(draft.title)}" if draft.title.strip() else label
    newline = edit.newline(text)
    lines = ["", f"## {title} {Mark((address,), '', draft.number)}", ""]
    lines += [f"- {name}: {flat(value)}" for name, value in draft.fields if value.strip()]
    if body := _contained(draft.body):
        lines += [*([""] if lines[-1] else []), body]
    while not lines[-1]:
        lines.pop()
    lead = "" if not text or text.endswith("\n") else newline
    return text + lead + newline.join("\n".join(lines).split("\n")) + newline, address


def _contained(body: str) -> str:
    body = body.replace("\r\n", "\n").strip("\n").rstrip()
    if not body:
        return ""
    deeper = [
        edit.Edit(one.start, one.end, f"{'#' * min(6, one.level + 2)} {flat(body[one.text_start : one.text_end])}\n")
        for one in blocks.parse(body)
        if one.kind == "heading"
    ]
    body = edit.apply(body, deeper).rstrip("\n")
    probe = blocks.parse(body + "\n\n## x\n")
    shallow = [one for one in probe[:-1] if one.kind == "heading" and one.level <= 2]  # noqa: PLR2004
    if probe and probe[-1].kind == "heading" and probe[-1].level == 2 and not shallow:  # noqa: PLR2004
        return body
    longest = max((len(run) for run in re.findall(r"`+", body)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{body}\n{fence}"


def kind_of_heading(title: str) -> str:
    """Return the kind that a heading with its own title names (`Decision: use flock`), or ""."""
    label = flat(title).partition(":")[0].strip().casefold()
    return label if is_kind(label) else extract.label_kind(title) if ":" in title else ""
