"""Where an entry that the program wrote ends, so that what a person writes behind it is nobody's but theirs.

Owns the form of such an entry, read by lines: a heading with an own mark that says no kind, its fields right below,
and, where it says more than that, its body up to a line that names its address again. Refuses journals of the first
form, whose entries reach to the next mark or heading, and whatever stands in code or a comment.

    ## Insight: A killed git leaves a lock behind [i2bfm.4]

    - thread: T-001

    It is `index.lock`, and git says so.

    <!-- end of i2bfm.4 -->
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.documents.markdown import blocks, lines
from sleep.records import address as addressing
from sleep.records.kinds import FIELD_NAMES, field_names, is_kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.documents.markdown.lines import Line
    from sleep.records.address import Address, InstanceId

FIELD = "form"
FORM = 2  # the form of journals whose entries say where they end
_HEADING = re.compile(r"## ([A-Z][a-z]+(?: [a-z]+){0,2})(?:: .*)? \[([^\[\]]+)\]")
_FIELD = re.compile(r"- ([a-z][a-z -]{1,24}): \S")
_END = re.compile(r"<!-- end of i[0-9]+[a-z]{3}\.[0-9]+ -->[ \t\r]*$")
_ENDS = re.compile(rf"(?m)(?:\r?\n)+{_END.pattern}")
_HIDES = ("```", "~~~", "<")  # what may take a heading in


class Extent(NamedTuple):
    """An entry as the program wrote it: it is `text[start:end]`; `stop` is behind the line that ends it."""

    start: int
    end: int
    stop: int
    address: Address


def is_ended(fields: Mapping[str, object]) -> bool:
    """True for the front matter of a journal whose entries say where they end."""
    return fields.get(FIELD) == FORM


def end_line(address: Address) -> str:
    """Return the line that ends an entry which has a body."""
    return f"<!-- end of {address} -->"


def without_ends(text: str) -> str:
    """Return the text without the lines that end entries."""
    return _ENDS.sub("", text) if "<!-- end of " in text else text


def is_end(line: str) -> bool:
    """True for a line that ends an entry."""
    return line.startswith("<!-- end of ") and bool(_END.match(line))


def is_field(name: str, kind: str) -> bool:
    """True for the name of a field that an entry of this kind has, as the program writes it."""
    return FIELD_NAMES.get(name) in field_names(kind) and bool(_FIELD.match(f"- {name}: x"))


def find(text: str, body: int, instance: InstanceId) -> list[Extent]:
    """Return where the entries are that the program wrote into a journal whose body starts at `body`, in order."""
    if f"[{instance}." not in text:
        return []
    rows = [row._replace(start=row.start + body, end=row.end + body) for row in lines.split(text[body:])]
    found: list[Extent] = []
    known: set[Address] = set()
    at, run = 0, body
    while at < len(rows):
        head = _head(rows[at].words, instance)
        if head is None or head[1] in known or _is_hidden(text, run, rows[at]):
            at += 1
            continue
        one = _extent(text, rows, at, *head)
        known.add(one.address)
        found.append(one)
        run = one.stop
        while at < len(rows) and rows[at].start < one.stop:
            at += 1
    return found


def _head(words: str, instance: InstanceId) -> tuple[str, Address] | None:
    """Return the kind and the address of an entry's heading, None for any other line."""
    head = _HEADING.fullmatch(words.rstrip()) if words.startswith("## ") else None
    if head is None or not is_kind(head[1].casefold()):
        return None
    mark = addressing.trailing_mark(words)
    if mark is None or mark[1].kind or [one.instance for one in mark[1].addresses] != [instance]:
        return None
    return head[1].casefold(), mark[1].addresses[0]


def _is_hidden(text: str, run: int, row: Line) -> bool:
    """True for a heading that stands in code or a comment which a person began above it."""
    if not any(sign in text[run : row.start] for sign in _HIDES):
        return False
    parsed = blocks.parse(text[: row.end], run)
    return not any(one.kind == "heading" and one.start == row.start for one in parsed)


def _extent(text: str, rows: Sequence[Line], at: int, kind: str, address: Address) -> Extent:
    sign = end_line(address)
    end = text.find(f"\n{sign}", rows[at].start) + 1
    if end:
        line = next(one for one in rows[at:] if one.start == end)
        if line.words.rstrip() == sign:
            return Extent(rows[at].start, end, _blank(text, line.end), address)
    last = at
    first = at + 1 + (at + 1 < len(rows) and not rows[at + 1].words.strip())
    for index in range(first, len(rows)):
        field = _FIELD.match(rows[index].words)
        if field is None or not is_field(field[1], kind):
            break
        last = index
    stop = _blank(text, rows[last].end)
    return Extent(rows[at].start, stop, stop, address)


def _blank(text: str, at: int) -> int:
    """Return where the blank lines behind an offset end."""
    found = re.compile(r"(?:[ \t]*\r?\n)*").match(text, at)
    return found.end() if found else at
