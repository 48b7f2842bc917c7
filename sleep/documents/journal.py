"""A journal: one instance's entries, in the order they were written.

Owns the values, reading a journal whose pieces carry marks, and adding an entry to one. Refuses to mark what carries
none: that is `hand.annotation`'s. Bytes that are there are never changed; an entry is appended.

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
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from sleep.documents import entries, front_matter
from sleep.documents.entries import IMPORTED, SOURCE, Entry
from sleep.documents.markdown import edit, lines
from sleep.language import dates, tokens
from sleep.memo import memo
from sleep.records import address as addressing
from sleep.records import kinds
from sleep.records.address import Address, InstanceId, Mark
from sleep.records.fragment import flat
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from sleep.documents.entries import Extent
    from sleep.documents.front_matter import Front
    from sleep.documents.yaml_values import Value

_PROBE = "\n\n## x\n"
_FENCE = re.compile(r"(?m)^[ \t>*+-]*(`{3,}|~{3,})")
# Paragraphs and lists of plain lines, none of which could be, begin or underline anything else.
_PLAIN = re.compile(r"(?:(?:[-*+] )?[^\W\d_][^\r\n]*(?:\n+|\Z))+")
_INLINE_OPENS = ("`", "~", "<")
_CLOSERS = ("-->", "?>", "]]>", ">", "</script>", "</pre>", "</style>", "</textarea>")


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
        return tokens.count(addressing.MARK.sub("", entries.without_ends(self.text[self.body :])))

    @property
    def when(self) -> str:
        """The day it is of, as a heading says it (`8 May 2023`), or ""."""
        return when(self.fields)


def is_import(fields: Mapping[str, object]) -> bool:
    """Return whether a journal's front matter says that it is a document that was taken in."""
    return bool(source_of(fields))


def when(fields: Mapping[str, object]) -> str:
    """Return the day that a journal's front matter gives, as a heading says it, or ""."""
    return dates.spoken(dates.of_fields(fields))


class Line(NamedTuple):
    """A line of a journal that says something: its place among all lines, its words without its mark, and the mark."""

    place: int
    words: str
    mark: Mark | None


def lines_of(text: str) -> tuple[str, list[Line]]:
    """Return the day that a journal is of (`when`), and its lines outside code; any text of any form has some."""
    head = front_matter.peek(text)
    rows = lines.words(text[head.body :])
    fenced = lines.code(rows)
    own = number_in(head.fields)
    speech = []
    for place, words in enumerate(rows):
        if place not in fenced and words.strip():
            bare, mark = addressing.trailing_mark(words, own) or (words, None)
            speech.append(Line(place, bare, mark))
    return when(head.fields), speech


class Draft(NamedTuple):
    """An entry to be written. `fields` in the order given; `number` where the kind has one."""

    kind: str
    title: str
    body: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    number: str = ""

    @property
    def words(self) -> str:
        """Title and body on one line."""
        return flat(f"{self.title} {self.body}")

    @property
    def standing(self) -> str:
        """Whether it is `stated` or only `noticed`."""
        is_noticed = kinds.is_record(self.kind) and dict(self.fields).get(entries.STANDING) == kinds.NOTICED
        return kinds.NOTICED if is_noticed else kinds.STATED


def noticed(
    kind: str, title: str, source: str, *, quotation: str = "", transcript: str = "", time: str = "", why: str = ""
) -> Draft:
    """Return the entry of a record that nobody stated: the program, or an agent, thinks that somebody meant it.

    Args:
        kind: of record.
        title: what it would say.
        source: who said what it was noticed in: `person`, `agent`, `imported: PATH`.
        quotation: the words that it was noticed in, where they are others than the title.
        transcript: where these stand, `SESSION:LINE`.
        time: when they were said, as the client wrote it.
        why: the reason that was given.
    """
    words = "" if flat(quotation) == flat(title) else quotation
    fields = {"why": why, entries.STANDING: kinds.NOTICED, "quotation": words, SOURCE: source, "time": time}
    fields["transcript"] = transcript
    return Draft(kind, title, "", tuple((name, value) for name, value in fields.items() if value))


def start(instance: InstanceId, fields: Mapping[str, object]) -> str:
    """Return an empty journal; `fields` are started, client, sessions and what else is known."""
    known = cast("dict[str, Value]", {"instance": instance.number, "tag": instance.tag, **fields})
    return f"{front_matter.render(known)}{title_of(instance)}\n"


def instance_of(text: str) -> InstanceId | None:
    """Return the instance that a journal's front matter names, or None."""
    return identity_in(front_matter.read(text).fields)


def identity_in(fields: Mapping[str, object]) -> InstanceId | None:
    """Return the instance that front matter names, or None."""
    return addressing.parse_instance(f"i{fields.get('instance')}{fields.get('tag')}")


def number_in(fields: Mapping[str, object]) -> int | None:
    """Return the number of the instance that front matter names, whose marks alone count in its journal, or None.

    The tag is not asked for: with marks of a merge a journal has the entries of two.
    """
    number = str(fields.get("instance"))
    return int(number) if number.isdecimal() else None


def title_of(instance: InstanceId) -> str:
    """Return the first line of an instance's journal."""
    return f"# Journal: instance {instance.number}"


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


def read(text: str, instance: InstanceId | None = None) -> Journal:
    """Read a journal.

    One that only the program wrote into is read by lines; else an entry that says where it ends ends there, and any
    other reaches from its marked piece to the next marked piece or to the next heading of its level or above, so that
    code, tables and quotes belong to the entry before them. Raises ValueError when the front matter is broken or names
    no instance and none is given.
    """
    head = front_matter.read(text)
    identity = instance or identity_in(head.fields)
    if identity is None:
        message = "front matter without instance and tag"
        raise ValueError(message)
    return _parsed(text, identity)


@lru_cache(maxsize=1 << 5)  # the steps of a sleep and its gate read the same journals; of a thousand, each in turn
def _parsed(text: str, identity: InstanceId) -> Journal:
    head = front_matter.read(text)
    source, is_marked = source_of(head.fields), head.fields.get(entries.STANDING) == entries.MARKED
    own = _canonical(text, head, identity)
    if own is None:
        by_hand, unmarked = _by_hand(f"{identity.number} {identity.tag}\n{text}")
        return Journal(identity, text, head.body, head.fields, by_hand, unmarked)
    title = title_of(identity)
    sections = (title[2:],) if text.startswith(title, len(text) - len(text[head.body :].lstrip("\r\n"))) else ()
    own_entries = [
        entries.entry(
            text,
            extent.mark,
            extent.words,
            (extent.start, extent.body, extent.end),
            sections,
            source,
            is_marked=is_marked,
        )
        for extent in own
    ]
    return Journal(identity, text, head.body, head.fields, tuple(own_entries), 0)


def _as_entries(plain: tuple[list[tuple[Any, ...]], int]) -> tuple[tuple[Entry, ...], int]:
    return tuple(Entry(Address(*address), *rest) for address, *rest in plain[0]), plain[1]


def _strip(read: tuple[tuple[Entry, ...], int]) -> tuple[list[tuple[object, ...]], int]:
    return [(tuple(address), *rest) for address, *rest in read[0]], read[1]


@memo(1 << 4, _as_entries, _strip)
def _by_hand(named: str) -> tuple[tuple[Entry, ...], int]:
    """Return the entries of a journal that people wrote in, number and tag of its instance on a line above it."""
    from sleep.documents.hand import hand_reader  # late: it loads a parser of Markdown  # noqa: PLC0415

    name, _, text = named.partition("\n")
    number, _, tag = name.partition(" ")
    head, identity = front_matter.read(text), InstanceId(int(number), tag)
    source, is_marked = source_of(head.fields), head.fields.get(entries.STANDING) == entries.MARKED
    own, unmarked = hand_reader.read(text, head, identity, source, is_marked=is_marked)
    return tuple(own), unmarked


def _canonical(text: str, head: Front, instance: InstanceId) -> list[Extent] | None:
    """Return the entries of a journal of form 2 in which nothing stands beside them but its title; None for another."""
    if not entries.has_end_lines(head.fields):
        return None
    extents = entries.find(text, head.body, instance, lambda *_: False)
    starts, stops = (
        [*(extent.start for extent in extents), len(text)],
        [head.body, *(extent.stop for extent in extents)],
    )
    first, *others = (text[stop:start] for stop, start in zip(stops, starts, strict=True))
    if first.strip("\r\n").rstrip() not in ("", title_of(instance)) or any(map(str.strip, others)):
        return None
    return extents


def source_of(fields: Mapping[str, object]) -> str:
    """Return the document that a journal was taken in from, as a source says it, "" for an instance's own."""
    origin = fields.get("imported")
    known: Mapping[str, object] = origin if isinstance(origin, dict) else {}
    path = str(known.get("path") or fields.get(SOURCE) or "")
    repository = str(known.get("repository") or "")
    return f"{IMPORTED}{repository}{'/' * bool(repository)}{path}" if path else ""


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
    end = entries.end_line(address)
    if body:
        body = _cited(body, instance).replace(end, f"(end of {address})")
        rows += [*([""] if rows[-1] else []), _contained("\n".join(rows), body)]
    says_more = bool(body) or not all(entries.is_field(name, draft.kind) for name, _ in draft.fields)
    top = front_matter.read(text)
    if says_more and entries.has_end_lines(top.fields):
        rows += ["", end]
    written = "\n".join(rows).rstrip("\n").replace("\n", newline)
    lead = newline if text.endswith("\n") or not text else newline * 2
    written = f"{lead}{written}{newline}"
    closing = "" if _canonical(text, top, instance) is not None else _closing(text, newline, written, address)
    return f"{text}{closing}{written}", address


def _cited(text: str, instance: InstanceId) -> str:
    """Return the text with the marks of this instance's own as words: `(i7qxk.2)`."""
    own = f"[{instance}."
    return addressing.MARK.sub(lambda mark: f"({mark[0][1:-1]})" if mark[0].startswith(own) else mark[0], text)


def _contained(head: str, body: str) -> str:
    """Return the body of an entry in a form that ends before what is written after it."""
    if _PLAIN.fullmatch(body) and not any(sign in head for sign in _INLINE_OPENS):
        return body.rstrip("\n")
    from sleep.documents.markdown import blocks  # late: it loads a parser of Markdown  # noqa: PLC0415

    deeper = [
        edit.Edit(block.start, block.end, f"{'#' * min(6, block.level + 2)} {flat(block.words(body))}\n")
        for block in blocks.parse(body)
        if block.kind == "heading"
    ]
    inside = edit.apply(body, deeper).rstrip("\n")
    levels = [block.level for block in blocks.headings(f"{head}\n{inside}{_PROBE}")]
    if _ends(f"{head}\n{inside}") and all(level > entries.LEVEL for level in levels[1:-1]):
        return inside
    longest = max((len(run) for run in re.findall(r"`+", body)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{body}\n{fence}"


def _ends(text: str) -> bool:
    """Return whether a heading written behind the text would be one."""
    from sleep.documents.markdown import blocks  # noqa: PLC0415  # late: as above

    last = blocks.parse(text + _PROBE)[-1]
    return last.kind == "heading" and last.level == entries.LEVEL


def _closing(text: str, newline: str, written: str, address: Address) -> str:
    """Return the line that closes the fence, comment or tag that a hand-written text leaves open; "" when none is.

    Closed is what lets the entry that is `written` behind it be read back.
    """
    if not any(sign in text for sign in ("```", "~~~", "<")):
        return ""
    lead = "" if text.endswith("\n") else newline
    closings = (f"{lead}{sign}{newline}" for sign in (*dict.fromkeys(_FENCE.findall(text)), *_CLOSERS))
    for closing in ("", *closings):
        if any(entry.address == address for entry in read(f"{text}{closing}{written}", address.instance).entries):
            return closing
    return ""
