"""Dates as journals say them and as memory shows them.

Owns finding the day that a hand-written journal is of, and the heading that dates fragments in a tier: `8 May 2023`,
which reads one way in every country. Refuses dates that do not (`05/08/23`).
"""

from __future__ import annotations

import re

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_SHORT = [name[:3] for name in _MONTHS]
_THIRTY = (4, 6, 9, 11)
_STARTS = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS)
_ISO = r"(?P<y>\d{4})[-/.](?P<m>\d{2})[-/.](?P<d>\d{2})(?!\d)"
_DAY_FIRST = rf"(?P<d2>\d{{1,2}})(?:st|nd|rd|th)? (?P<m2>{_MONTH})\.?,? (?P<y2>\d{{4}})(?!\d)"
_MONTH_FIRST = rf"(?P<m3>{_MONTH})\.? (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y3>\d{{4}})(?!\d)"
_DATE = re.compile(rf"(?<!\d)(?:{_ISO}|{_DAY_FIRST}|{_MONTH_FIRST})", re.IGNORECASE)
# A line that says nothing but when: `Date: 1:56 pm on 8 May, 2023`.
_LINE = re.compile(
    rf"\**Date\**:\**[ \t]*(?:[\d:]+ ?(?:[ap]m)? on )?(?:{_DATE.pattern})(?:T[\d:.]+Z?)?[ \t]*", re.IGNORECASE
)
_HEADING = re.compile(rf"\d{{1,2}} (?:{'|'.join(_MONTHS)}) \d{{4}}")
_HEAD = 2_000  # characters of a journal that may say its day
_TOP = re.compile(r"(?m)^(?:#{1,3} .*|\**Date\**:.*)$", re.IGNORECASE)


def of(text: str, name: str = "") -> str:
    """Return the day that a journal is of, in ISO form, or "": told by its file's name, its title or a `Date:` line."""
    places = [name.replace("_", "-"), *(found[0] for found in _TOP.finditer(text[:_HEAD]))]
    return next((day for place in places if (day := _first(place))), "")


def line_end(text: str) -> int:
    """Return where a `Date:` line ends that the text starts with, 0 without one."""
    found = _LINE.match(text)
    return found.end() if found else 0


def spoken(moment: str) -> str:
    """Return an ISO date or time as a heading says it (`8 May 2023`), "" for what is neither."""
    found = _STARTS.match(moment)
    if not found or not _is_day(*map(int, found.groups())):
        return ""
    return f"{int(found[3])} {_MONTHS[int(found[2]) - 1]} {found[1]}"


def is_heading(title: str) -> bool:
    """True for a heading that dates what stands under it."""
    return _HEADING.fullmatch(title) is not None


def order(when: str) -> tuple[int, int, int]:
    """Return a heading's day for sorting, (year, month, day); what is undated comes first."""
    if not is_heading(when):
        return (0, 0, 0)
    day, month, year = when.split(" ")
    return (int(year), _MONTHS.index(month) + 1, int(day))


def _first(text: str) -> str:
    """Return the first date in a text in ISO form, or ""."""
    found = _DATE.search(text)
    if not found:
        return ""
    known = {name[0]: value for name, value in found.groupdict().items() if value}
    month = int(known["m"]) if known["m"].isdigit() else _SHORT.index(known["m"][:3].title()) + 1
    year, day = int(known["y"]), int(known["d"])
    return f"{year:04}-{month:02}-{day:02}" if _is_day(year, month, day) else ""


def _is_day(year: int, month: int, day: int) -> bool:
    if not 1 <= month <= len(_MONTHS):
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= (28 + leap if month == 2 else 30 if month in _THIRTY else 31)  # noqa: PLR2004
