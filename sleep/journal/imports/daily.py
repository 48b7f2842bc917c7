"""Daily logs: the day of a file, and the days of one file that holds many.

Owns what a path says of its day (`2026-03-01.md`, `logs/2026/03/01.md`) and where a day begins in a long log. Cuts only
between lines, so that the parts together are the file. Pure.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from sleep.documents.markdown import blocks
from sleep.language import days
from sleep.language.tokenizer import has_wide

if TYPE_CHECKING:
    from collections.abc import Iterable

_PATH_DAY = re.compile(r"(?<!\d)(\d{4})([-/_.]?)(\d\d)\2(\d\d)(?!\d)")
_END = re.compile(r"\.[a-z]{2,8}$")
_BESIDE = re.compile(r"\s*[–—:：(（|].*")  # what a heading may say beside a day: `13. März – Import`
_HALF = 6  # months of a year
_EARLY = 32  # a heading says its day in its first characters


class Day(NamedTuple):
    """A part of a log: its day as ISO ("" for what stands above the first), the line it begins in, and its text."""

    date: str
    line: int
    text: str


def day_of(path: str, order: str = "") -> str:
    """Return the day that a path says, as ISO, or ""; the last that it says counts; `order` as in `days.every`."""
    written = [f"{match[1]}-{match[3]}-{match[4]}" for match in _PATH_DAY.finditer(path)]
    iso = next(filter(None, map(days.first, reversed(written))), "")
    return iso or next((day.iso for day in reversed(list(days.every(_named(path), order)))), "")


def order_of(paths: Iterable[str]) -> str:
    """Return the order of day and month in the names of files that lie together, "" where they do not tell."""
    return days.order_of(*map(_named, paths))


def _named(path: str) -> str:
    return _END.sub("", path.rpartition("/")[2]).replace("_", "-")


def split(text: str) -> list[Day]:
    """Return the days of a log in the order of the file; all of it as one part where it has not two days or more.

    A title above the first day, without words of its own, belongs to the earliest day: that one stays as it is when
    the log grows, at whichever end it does.
    """
    cuts = _cuts(text)
    if len(cuts) < 2:  # noqa: PLR2004
        return [Day("", 1, text)]
    ends = [at for at, _ in cuts[1:]] + [len(text)]
    parts = [Day(iso, text.count("\n", 0, at) + 1, text[at:end]) for (at, iso), end in zip(cuts, ends, strict=True)]
    above = text[: cuts[0][0]]
    if not above.strip():
        return [parts[0]._replace(line=1, text=above + parts[0].text), *parts[1:]]
    if all(block.kind == "heading" for block in blocks.parse(above)):
        first = min(range(len(parts)), key=lambda at: parts[at].date)
        line = parts[first].line - above.count("\n")
        parts[first] = Day(parts[first].date, line, above + parts[first].text)
        return parts
    return [Day("", 1, above), *parts]


def title_of(text: str) -> str:
    """Return the title of a log, "" where it does not begin with one: its days are told below it."""
    first = next(iter(blocks.parse(text)), None)
    is_title = first is not None and first.kind == "heading" and first.level == 1
    return first.words(text) if first and is_title else ""


def _cuts(text: str) -> list[tuple[int, str]]:
    """Return where the days of a log begin, and which they are: at the uppermost headings that say a day.

    A day without a year there (`## 13. März`, `## 3月13日`) has that of the day before.
    """
    order = days.order_of(text)
    heads = [(head, head.words(text).replace("*", "")[:_EARLY]) for head in blocks.headings(text)]
    level = min((head.level for head, words in heads if days.first(words, order)), default=0)
    starts, last = [(0, "")], ""
    for head, words in heads:
        if head.level == level and (iso := days.first(words, order) or (last and _in_year_of(last, words))):
            starts.append((head.start, iso))
            last = iso
    return [(start, iso) for (_, before), (start, iso) in pairwise(starts) if iso != before]


def _in_year_of(before: str, words: str) -> str:
    """Return the day without a year that a heading says as ISO, in the year in which it is nearest to a day; or ""."""
    year, words = before[:4], _BESIDE.sub("", words)
    iso = days.first(f"{year}年{words}" if has_wide(words) else f"{words} {year}")
    months = int(iso[5:7]) - int(before[5:7]) if iso else 0
    return days.first(f"{int(year) + (months < -_HALF) - (months > _HALF)}{iso[4:]}") if months else iso
