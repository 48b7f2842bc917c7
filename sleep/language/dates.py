"""Dates as journals say them and as memory shows them.

Owns finding the day that a hand-written journal is of, and the heading that dates fragments in a tier: `8 May 2023`,
which reads one way in every country. How a day is read is `days`'.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.language import days, lexicon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_STARTS = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
# A line that says nothing but when: `Date: 1:56 pm on 8 May, 2023`.
_DATES = r"\**(?:Date|Datum|Fecha|Data|Дата|日期|日付|날짜)\**[:：]"
_LABEL = re.compile(rf"{_DATES}\**[ \t]*(?:[\d:]+ ?(?:[ap]m)? on )?", re.IGNORECASE)
_REST = re.compile(r"(?:T[\d:.]+Z?)?[ \t]*")
_HEADING = re.compile(rf"\d{{1,2}} (?:{'|'.join(MONTHS)}) \d{{4}}")
_HEAD = 2_000  # characters of a journal that may say its day
_LINE = 40  # characters of a date
_NEAR = 12  # characters between such a name and its day: `last updated: on the evening of`
_TOP = re.compile(rf"(?m)^(?:#{{1,3}} .*|{_DATES}.*)$|^(?=.*\d{{4}}).{{6,48}}$", re.IGNORECASE)
_ASIDE = re.compile(
    r"[\W_]*(?:[^\W\d_]{2,12}(?:,|曜日|요일))?[\W_]*"
)  # what a line may say beside its date: `Friday, `


def of(text: str, name: str = "", order: str = "") -> str:
    """Return the day that a journal is of, in ISO form, or "": told by its file's name, its title or a `Date:` line.

    `order` is that of day and month (`days.order_of`) where the text itself does not tell it.
    """
    named = name.replace("_", "-")
    order = days.order_of(named, text) or order
    if iso := days.first(named, order):
        return iso
    rows = [row[0] for row in _TOP.finditer(text[:_HEAD])]
    title = next((iso for row in rows if row.startswith("# ") and (iso := _of_row(row, order))), "")
    of_page = title or written(text[:_HEAD], order)
    return of_page or next((iso for row in rows if (iso := _of_row(row, order))), "")


def written(text: str, order: str = "") -> str:
    """Return the last day on which a page says it was written or changed (`Stand: 12. September 2026`), or ""."""
    days_of_lines = (next(days.every(line[1], order), None) for line in _written_lines().finditer(text))
    return max((day.iso for day in days_of_lines if day and day.start <= _NEAR), default="")


@lru_cache(maxsize=1)
def _written_lines() -> re.Pattern[str]:
    """Return what finds the names of such lines, at the beginning of a line or in bold, and what they say."""
    name = rf"(?:{'|'.join(lexicon.rows('date.written'))})\**[ \t]*[:：]\**[ \t]*"
    return re.compile(rf"(?:^[>*_+\- \t]{{0,8}}|\*\*){name}(\S.{{4,40}})", re.IGNORECASE | re.MULTILINE)


def _of_row(row: str, order: str) -> str:
    """Return the day that a heading, a `Date:` line or a line that says nothing else tells, or ""."""
    day = next(days.every(row, order), None)
    if day is None:
        return ""
    is_head = row.startswith("#") or _LABEL.match(row)
    return day.iso if is_head or _ASIDE.fullmatch(row[: day.start] + row[day.end :]) else ""


def of_fields(fields: Mapping[str, object]) -> str:
    """Return the ISO day that a journal's front matter gives, or "".

    An instance is of the day on which it began. A document that was taken in (its `source` says which) is not of the
    day of its import: where it says no day of its own it has none.
    """
    if date := fields.get("date"):
        return days.first(str(date))
    return "" if fields.get("source") else days.first(str(fields.get("started") or ""))


def line_end(text: str) -> int:
    """Return where a `Date:` line ends that the text starts with, 0 without one."""
    label = _LABEL.match(text)
    if not label:
        return 0
    day = next(days.every(text[label.end() : label.end() + _LINE]), None)
    if day is None or day.start:
        return 0
    rest = _REST.match(text, label.end() + day.end)
    return rest.end() if rest else 0


def in_iso(text: str) -> str:
    """Return a text with the days that it names in ISO form."""
    for day in reversed(list(days.every(text))):
        text = text[: day.start] + day.iso + text[day.end :]
    return text


def spoken(moment: str) -> str:
    """Return an ISO date or time as a heading says it (`8 May 2023`), "" for what is neither."""
    match = _STARTS.match(moment)
    if not match or not days.is_day(*map(int, match.groups())):
        return ""
    return f"{int(match[3])} {MONTHS[int(match[2]) - 1]} {match[1]}"


@lru_cache(maxsize=1 << 10)  # days are few, and what stands under them is much
def is_heading(title: str) -> bool:
    """True for a heading that dates what stands under it."""
    return _HEADING.fullmatch(title) is not None


@lru_cache(maxsize=1 << 10)
def order(when: str) -> tuple[int, int, int]:
    """Return a heading's day for sorting, (year, month, day); what is undated comes first."""
    if not is_heading(when):
        return (0, 0, 0)
    number, month, year = when.split(" ")
    return (int(year), MONTHS.index(month) + 1, int(number))
