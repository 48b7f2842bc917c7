"""The page: `memory/page.md`, what a reader of the whole memory wrote for the next one, line by line with addresses.

Owns the form: headings, lines, and at the end of a line the addresses of the entries that it is made of. It is a
person's or an agent's text and derived from nothing: sleeps commit it as it is. Refuses to judge it: that is
`wake.page_gate`'s. Pure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents.markdown.lines import BOM
from sleep.records import address as addressing
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.memory.view import View
    from sleep.records.address import Address

PATH = "memory/page.md"
_OLD = 5  # instances that were slept on since, from which a page is old
_MARK = re.compile(r"([<|>])\1{6}(?: |$)|={7}$")  # of a merge: around both sides, and around what was before them
_HEADING = re.compile(r"#{1,6}\s+\S")  # takes `## Rules`, leaves `#24 is open`
# Takes `Port 80 [i2abc.4, i3xyz.1]`, and looks once at a run of spaces, however long.
_ADDRESSES = re.compile(r"(?<! ) *\[(i\d+[a-z]{3}\.\d+(?:, i\d+[a-z]{3}\.\d+)*)\]\s*$")


class PageLine(NamedTuple):
    """A line of the page: its text without addresses, and the addresses; a heading has none."""

    text: str
    addresses: tuple[Address, ...] = ()

    @property
    def is_heading(self) -> bool:
        """True for a line that only heads others."""
        return _HEADING.match(self.text) is not None


def read(text: str) -> list[PageLine]:
    """Return the lines of a page that say something, in order: what an editor or a merge put in for itself is none."""
    lines, part = [], ""  # of a conflict: the sign that its part begins with
    for row in map(str.rstrip, text.removeprefix(BOM).splitlines()):  # whatever ends a line elsewhere, ends it
        if _MARK.match(row):
            part = row[0] if row[0] == "<" or (part and row[0] != ">") else ""
        elif row and part != "|":
            lines.append(_line(row))
    return lines


def _line(row: str) -> PageLine:
    match = None if _HEADING.match(row) else _ADDRESSES.search(row)
    addresses = tuple(addressing.addresses(match[1])) if match else ()
    if not match or len(addresses) != match[1].count(",") + 1:  # a number that is too long is none
        return PageLine(row)
    return PageLine(row[: match.start()], addresses)


def write(lines: Iterable[PageLine]) -> str:
    """Return the text of a page: a blank line around headings, a heading only where a line stands below it."""
    rows: list[str] = []
    waiting = ""
    for line in lines:
        if line.is_heading:
            deeper = waiting and len(_signs(line.text)) > len(_signs(waiting))
            waiting = f"{waiting}\n\n{line.text}" if deeper else line.text
            continue
        if waiting:
            rows += ["", *waiting.split("\n"), ""] if rows else [*waiting.split("\n"), ""]
            waiting = ""
        rows.append(f"{line.text} [{', '.join(map(str, line.addresses))}]" if line.addresses else line.text)
    return "\n".join([*rows, ""]) if rows else ""


def merged(ours: str, base: str, theirs: str) -> str:
    """Return a page with the lines of two that came of one: a line that either side took away is gone.

    A line of theirs stands below its heading, behind our lines there.
    """
    own, old, other = map(read, (ours, base, theirs))
    lines = [line for line in own if line.is_heading or line in other or line not in old]
    heading = PageLine("")
    for line in other:
        heading = line if line.is_heading else heading
        if line.is_heading or line in own or line in old:
            continue
        if heading.text and heading not in lines:
            lines.append(heading)
        lines.insert(_end(lines, heading), line)
    return write(lines)


def _end(lines: Sequence[PageLine], heading: PageLine) -> int:
    """Return where the lines below a heading end; those above any heading stand first."""
    begin = lines.index(heading) + 1 if heading.text else 0
    return next((at for at in range(begin, len(lines)) if lines[at].is_heading), len(lines))


def _signs(title: str) -> str:
    return title[: len(title) - len(title.lstrip("#"))]


def age(view: View) -> str:
    """Return what to say of a page that is old, "" of another: of when its newest line is, and how many came since."""
    lines = read(view.read(PATH) or "")
    newest = max((address.instance.number for line in lines for address in line.addresses), default=0)
    if not newest:
        return ""
    since = sum(cycle.instance.number > newest for cycle in view.cycles)
    return f"as of instance {newest}, and {since} were slept on since" if since >= _OLD else ""


def warning(view: View) -> str:
    """Return what to say of a page that is old to whoever may write it anew, "" of another."""
    old = age(view)
    return f"the page that a wake tells first is {old}" if old else ""
