"""The rows of a document: what the index keeps, and what an answer is made of.

Owns cutting journals and tiers into rows (a turn, an item, a paragraph, an entry with its fields), each with the
address of the entry it belongs to, and what the form of a row tells. Refuses to judge: that is `ranking`.
Journals are read by lines, because a thousand of them are: any Markdown has rows, with addresses or without.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.memory import address as addressing
from sleep.memory import dates, lines, paths, tier
from sleep.memory.fragment import STATUS, SUPERSEDED_BY
from sleep.memory.kinds import is_kind
from sleep.recall import words
from sleep.text import front

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.memory.fragment import Fragment

JOURNAL = "journal"
TIERS = ("hot", "warm", "cold")
ASKS, SAYS_WHEN = 1, 2  # flags of a row
WHO, TIER, KIND = "who:", "tier:", "kind:"  # what a row is, as terms that no text has
_ROOM = 600  # characters up to which pieces of one entry are one row
_LONGEST = 1_200  # characters of a row; a longer piece is cut at the end of a sentence
_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_TAG = re.compile(r"\[([^\]\s]{1,16})\][ \t]*")
_LABEL = re.compile(r"(?:\[[^\]\s]{1,16}\][ \t]*)?(?:\*\*|__)([^*_:\n]{1,40}?)(?::(?:\*\*|__)|(?:\*\*|__):)")
_LABEL_WORDS = 3
# Where an entry is from: it says nothing itself.
_WHENCE = re.compile(
    r"\**Date\**:.*|- (?:source: (?:person|agent|tool \(untrusted\))|time: \d{4}-\d\d-\d\dT\S+|transcript: \S+)$"
)
_SENTENCE = re.compile(r"(?<=[.!?。！？])[\"'”’)\]]*\s+|\n|(?<=[。！？])")
_ASKS = re.compile(r"[?？][\"'”’)\]*_`\s]*$")
_WHEN = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|ago|last|next|weeks?|weekend|months?|years?|days?|morning|(?:mon|tues|wednes|"
    r"thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|summer|"
    r"winter|spring|autumn|recently|since|later|birthday|anniversary)\b|\d{4}-\d\d-\d\d|昨天|今天|明天|上周|下周",
    re.IGNORECASE,
)
_ISO = re.compile(r"\d{4}-\d\d-\d\d")


class Row(NamedTuple):
    """One row: its text as it stands (marks and list markers left out), and where it belongs.

    `addresses` are those of its entry, none in a journal without; `day` is ISO, "" where unknown; `who` is the
    label that a turn begins with; `state` is what a tier says of a record that no longer binds.
    """

    text: str
    addresses: tuple[str, ...] = ()
    kind: str = ""
    day: str = ""
    who: str = ""
    state: str = ""

    @property
    def flags(self) -> int:
        """What the form of the text tells: `ASKS`, `SAYS_WHEN`."""
        return (ASKS if _ASKS.search(self.text) else 0) | (SAYS_WHEN if _WHEN.search(self.text) else 0)


def tier_of(path: str) -> str:
    """Return the tier of a document: `journal`, `hot`, `warm` or `cold`; "" for what recall does not read."""
    if not path.endswith(".md"):
        return ""
    return JOURNAL if path.startswith(paths.JOURNALS) else paths.tier_of(path)


def read(path: str, text: str) -> list[Row]:
    """Return the rows of a document, in order."""
    return list(_tier(text) if paths.tier_of(path) else _journal(path, text))


def day_of(path: str, text: str) -> str:
    """Return the ISO day that a journal is of, "" for a tier or where nothing tells."""
    if paths.tier_of(path):
        return ""
    try:
        known = front.read(text).fields
    except ValueError:
        known = {}
    told = _ISO.match(str(known.get("date") or known.get("started") or ""))
    return told[0] if told else dates.of(text, path.rpartition("/")[2])


def terms(row: Row) -> list[str]:
    """Return the terms that a row is found by; those of its text first, once each, then what it is."""
    label = _LABEL.match(row.text) if row.who else None
    tag = _TAG.match(row.text)
    said = row.text[label.end() if label else tag.end() if tag else 0 :]
    found = dict.fromkeys(words.terms(said))
    if tag:
        found[words.folded(tag[1])] = None
    return list(found)


def marks(row: Row, tier_name: str) -> list[str]:
    """Return the terms for what a row is: who says it, its tier, its kind."""
    who = [WHO + word for word in words.folded(row.who).split()]
    return [*who, TIER + tier_name, KIND + row.kind.replace(" ", "-")]


def _tier(text: str) -> Iterator[Row]:
    for one in tier.parse(text).fragments:
        yield Row(_told(one), tuple(map(str, one.addresses)), one.kind, _iso(one.when), "", _state(one))


def _told(one: Fragment) -> str:
    fields = [f"{name}: {value}" for name, value in one.fields if name != STATUS]
    return "\n  ".join([f"{one.number} {one.text}".strip(), *fields])


def _state(one: Fragment) -> str:
    if by := one.field(SUPERSEDED_BY):
        return f"superseded by {by}"
    return "" if one.is_open or not one.state else one.field(STATUS)


def _iso(when: str) -> str:
    year, month, day = dates.order(when)
    return f"{year:04}-{month:02}-{day:02}" if year else ""


class _Piece(NamedTuple):
    text: str
    mark: addressing.Mark | None
    level: int  # of a heading, else 0


def _journal(path: str, text: str) -> Iterator[Row]:
    try:
        body = text[front.read(text).body :]
    except ValueError:
        body = text
    day = day_of(path, text)
    address: tuple[str, ...] = ()
    kind, level, held = "", 0, ""
    for piece in _pieces(body):
        mark = piece.mark
        if piece.level and not mark and level and piece.level > level:
            mark = None  # a heading inside of an entry
        elif mark or piece.level:
            yield from _cut(held, address, kind, day)
            held = ""
            address = tuple(map(str, mark.addresses)) if mark else ()
            level = piece.level if mark else 0
            kind = _kind(piece, mark) if mark else ""
            if piece.level and not mark:
                continue
        elif not address or len(held) + len(piece.text) > _ROOM:
            yield from _cut(held, address, kind, day)
            held = ""
        held = f"{held}\n{piece.text}" if held else piece.text
        if mark and not piece.level:  # an item or paragraph is all of its entry, but for what has no mark behind it
            level = 0
    yield from _cut(held, address, kind, day)


def _kind(piece: _Piece, mark: addressing.Mark) -> str:
    label = piece.text.partition(":")[0].strip().casefold()
    return mark.kind or (label if is_kind(label) else "note")


def _pieces(body: str) -> Iterator[_Piece]:
    """Yield headings, outermost items with what is nested in them, paragraphs, and blocks of code."""
    rows = [row.words for row in lines.split(body)]
    fenced = lines.code(rows)
    heads = {head.first: head for head in lines.headings(rows, fenced)}
    under = {head.last for head in heads.values()} - heads.keys()
    held: list[str] = []
    was_code = False
    for at, row in enumerate(rows):
        is_code = at in fenced
        if at in heads:
            yield from _closed(held)
            held = []
            split = addressing.trailing_mark(heads[at].title)
            yield _Piece(split[0] if split else heads[at].title, split[1] if split else None, heads[at].level)
        elif at in under or _WHENCE.match(row):
            continue
        elif is_code:
            if not was_code:
                yield from _closed(held)
                held = []
            held.append(row)
        elif not row.strip() or was_code or (_BULLET.match(row) and not row.startswith((" ", "\t"))):
            yield from _closed(held)
            held = [row] if row.strip() else []
        else:
            held.append(row)
        was_code = is_code
    yield from _closed(held)


def _closed(held: list[str]) -> Iterator[_Piece]:
    if not held:
        return
    mark = None
    clean = []
    for at, row in enumerate(held):
        split = addressing.trailing_mark(row) if mark is None and row.endswith("]") else None
        mark = split[1] if split else mark
        words_ = split[0] if split else row.rstrip()
        clean.append(_BULLET.sub("", words_, count=1) if not at else words_)
    if text := "\n".join(clean).strip():
        yield _Piece(text, mark, 0)


def _cut(text: str, address: tuple[str, ...], kind: str, day: str) -> Iterator[Row]:
    if not text.strip():
        return
    label = _LABEL.match(text)
    who = label[1].strip() if label and len(label[1].split()) <= _LABEL_WORDS else ""
    while len(text) > _LONGEST:
        ends = [found.end() for found in _SENTENCE.finditer(text, _ROOM, _LONGEST)]
        end = ends[-1] if ends else text.rfind(" ", _ROOM, _LONGEST) + 1 or _LONGEST
        yield Row(text[:end].strip(), address, kind, day, who)
        text = text[end:]
    if text.strip():
        yield Row(text.strip(), address, kind, day, who)
