"""The dated lines that a sleep adds to pages of tasks and features: what a journal said of them, with its address.

Owns the form of a line, its place in the page's changelog, and telling ours from a person's. Refuses to change any
other line.

    ## Changelog                                    ## Changelog

    - 2026-11-23: Use flock for it [i2bfm.2]        ### 2026-11-23 - Sleep on i2bfm
                                                    - Use flock for it [i2bfm.2]
"""

from __future__ import annotations

import re

from sleep.documents.markdown import edit, lines
from sleep.records import address as addressing
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.documents.markdown.lines import Heading

FOLDERS = ("memory/state/", "memory/core/features/")
_TITLES = frozenset({"changelog", "change log", "log", "history", "work log"})
_OURS = re.compile(r"- (\d{4}-\d{2}-\d{2}): (.*)")
_TITLE = re.compile(r"### (\d{4}-\d{2}-\d{2}) - Sleep on (i[0-9]+[a-z]{3})")
_DAY = re.compile(r"(?:#{3,6}|[-*+])[ \t]+\[?(\d{4}-\d{2}-\d{2})")
_SECTION = 2
_ENTRY, _ITEMS = "### ", ("- ", "* ", "+ ")


class Dated(NamedTuple):
    """A dated line: the day (ISO 8601), what was said, and the address of the entry that says it."""

    day: str
    words: str
    address: str


def added(text: str, dated: Dated) -> str:
    """Return the page with a line in its changelog, which it is given where it has none; once for an instance."""
    if any(_instance(ours.address) == _instance(dated.address) for ours in split(text)[1]):
        return text
    rows = lines.split(text)
    words = [row.words for row in rows]
    section = _section(words)
    at, fresh = _placed(words, section, dated) if section else (len(rows), ["## Changelog", "", _bullet(dated)])
    if section is None and text.strip() and words[-1].strip():
        fresh.insert(0, "")
    newline = edit.newline(text)
    offset = rows[at].start if at < len(rows) else len(text)
    lead = "" if not offset or text[offset - 1] == "\n" or text[:offset] == "\ufeff" else newline
    return f"{text[:offset]}{lead}{''.join(f'{line}{newline}' for line in fresh)}{text[offset:]}"


def split(text: str) -> tuple[str, tuple[Dated, ...]]:
    """Return the page without our lines, and these in their order."""
    rows = lines.split(text)
    fenced = lines.code([row.words for row in rows])
    ours: list[Dated] = []
    gone: list[edit.Edit] = []
    at = 0
    while at < len(rows):
        own = None if at in fenced else _own(rows[at].words, rows[at + 1].words if at + 1 < len(rows) else "")
        count = 1
        if own:
            dated, count = own
            ours.append(dated)
            # The blank line that an entry of its own ends with goes along.
            if count > 1 and at + count < len(rows) and not rows[at + count].words.strip():
                count += 1
            gone.append(edit.Edit(rows[at].start, rows[at + count - 1].end, ""))
        at += count
    return edit.apply(text, gone), tuple(ours)


def join(bare: str, ours: Sequence[Dated]) -> str:
    """Return a page from what `split` returns of pages."""
    for dated in sorted(ours):
        bare = added(bare, dated)
    return bare


def is_same(text: str, other: str) -> bool:
    """Return whether two pages without lines of ours are the same, but for an empty changelog that one may end with."""
    bare, rest = (page.rstrip().removesuffix("## Changelog").rstrip() for page in (text, other))
    return bare == rest


def is_kept(before: str, after: str) -> bool:
    """Return whether a change of the page brought nothing but lines of ours, and a heading for them."""
    old, new = ([row.strip() for row in split(text)[0].split("\n") if row.strip()] for text in (before, after))
    return new in (old, [*old, "## Changelog"])


def _own(row: str, below: str) -> tuple[Dated, int] | None:
    """Return the dated line that begins in a row, and how many rows it has; None for a person's."""
    if match := _OURS.fullmatch(row):
        words, address = _signed(match[2])
        return (Dated(match[1], words, address), 1) if address else None
    match = _TITLE.fullmatch(row.rstrip())
    words, address = _signed(below.removeprefix("- ")) if match and below.startswith("- ") else ("", "")
    return (Dated(match[1], words, address), 2) if match and address and _instance(address) == match[2] else None


def _signed(words: str) -> tuple[str, str]:
    """Return words without the address that ends them, and the address, "" for none."""
    marked = addressing.trailing_mark(words)
    return (marked[0].rstrip(), str(marked[1].addresses[0])) if marked else (words, "")


def _bullet(dated: Dated) -> str:
    return f"- {dated.day}: {dated.words} [{dated.address}]"


def _instance(address: str) -> str:
    return address.partition(".")[0]


def _section(words: Sequence[str]) -> tuple[int, int] | None:
    """Return the rows of the changelog below its heading, as (first, behind the last); None where there is none."""
    heads = lines.headings(words, lines.code(words))
    own = next((at for at, head in enumerate(heads) if _is_log(head)), None)
    if own is None:
        return None
    stop = next((head.first for head in heads[own + 1 :] if head.level <= heads[own].level), len(words))
    return heads[own].last + 1, stop


def _is_log(head: Heading) -> bool:
    return head.level == _SECTION and head.title.rstrip(" :").casefold() in _TITLES


def _placed(words: Sequence[str], section: tuple[int, int], dated: Dated) -> tuple[int, list[str]]:
    """Return before which row a line goes, and the rows that it is written as.

    It goes to the top of the log, below what introduces it, or to the end of one whose last day is its newest.
    """
    fenced = lines.code(words)
    body = [at for at in range(*section) if at not in fenced]  # a line of ours in code would be none
    has_entries = any(words[at].startswith(_ENTRY) for at in body)
    entry = [f"### {dated.day} - Sleep on {_instance(dated.address)}", f"- {dated.words} [{dated.address}]"]
    fresh = entry if has_entries else [_bullet(dated)]
    top = next((at for at in body if words[at].startswith(_ENTRY if has_entries else _ITEMS)), None)
    if top is not None and not _is_oldest_first([words[at] for at in body]):
        return top, [*fresh, ""] if has_entries else fresh
    last = max((at for at in range(*section) if words[at].strip()), default=section[0] - 1)
    gap = has_entries or top is None
    below = bool("".join(words[last + 1 : last + 2]).strip())
    return last + 1, [*[""] * gap, *fresh, *[""] * below]


def _is_oldest_first(rows: Sequence[str]) -> bool:
    """Return whether the last of the days in a log is its newest."""
    days = [match[1] for row in rows if (match := _DAY.match(row))]
    return len(days) > 1 and days[0] < days[-1]
