"""The days that a question speaks of: `on 7 July, 2023`, `in March`, `last week`, `3 days ago`.

Owns reading them as spans of ISO days. `today` is passed in; without one only what a calendar tells is read.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import NamedTuple

from sleep.language import dates, words

_MONTHS = tuple(map(str.lower, dates.MONTHS))
_NAME = "|".join(f"{name[:3]}(?:{name[3:]})?" if name != "may" else "may" for name in _MONTHS) + "|sept"
_DAY = re.compile(
    rf"(?P<y>\d{{4}})-(?P<m>\d\d)-(?P<d>\d\d)"
    rf"|(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m2>{_NAME})\b\.?,?(?: (?P<y2>\d{{4}}))?"
    rf"|\b(?P<m3>{_NAME})\.? (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b,?(?: (?P<y3>\d{{4}}))?",
    re.IGNORECASE,
)
_MONTH = re.compile(rf"\b(?P<m>{_NAME})\b\.?,?(?: of)?(?: (?P<y>\d{{4}}))?", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:in|of|during|since|year) (?P<y>(?:19|20)\d\d)\b", re.IGNORECASE)
# Where a slipped month can be told: beside a year, and of the longer names behind `in`.
_SLIPPED = re.compile(r"(?P<lead>\b[Ii]n )?\b(?P<name>[A-Z][a-z]{3,9})\b(?P<year>,?(?: of)? (?:19|20)\d\d\b)?")
_LONG, _LONGER = 5, 7  # letters of a month's name that is told beside a year, and without one: Augusta is a town
_AGO = re.compile(
    r"\b(\d{1,3}|an?|one|two|three|four|five|six|few|couple of) (day|week|month|year)s? ago\b", re.IGNORECASE
)
_LAST = re.compile(r"\b(last|this|past) (week|month|year|weekend)\b|\b(yesterday|today)\b", re.IGNORECASE)
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "few": 3, "couple of": 2}
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365, "weekend": 7}


class Span(NamedTuple):
    """Days as ISO strings, both included; a `--MM-DD` has no year. `exact` where a single day was meant."""

    first: str
    last: str
    exact: bool


def find_spans(question: str, today: str = "") -> tuple[Span, ...]:
    """Return the days that a question names, in order."""
    question = dates.in_iso(question)
    spans = [day for match in _DAY.finditer(question) if (day := _day(match))]
    if not spans:
        spans = [_month(match) for match in _MONTH.finditer(question) if _is_month(question, match)]
    if not spans:
        spans = [Span(f"{year['y']}-01-01", f"{year['y']}-12-31", exact=False) for year in _YEAR.finditer(question)]
    if today:
        spans += _relative(question, date.fromisoformat(today[:10]))
    return tuple(spans)


def correct_months(question: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return a question with the months that have one slip of the pen written right, and which were read as which."""
    read: list[tuple[str, str]] = []

    def right(match: re.Match[str]) -> str:
        least = _LONG if match["year"] else _LONGER if match["lead"] else 99
        typed = match["name"].lower()
        months = (month for month in _MONTHS if len(month) >= least and words.apart(typed, month, 1) == 1)
        if typed in _MONTHS or not (month := next(months, "")):
            return match[0]
        read.append((typed, month))
        return f"{match['lead'] or ''}{month.title()}{match['year'] or ''}"

    return _SLIPPED.sub(right, question), tuple(read)


def fit(day: str, asked: tuple[Span, ...]) -> float:
    """Return how well a day fits what was asked: 2 for the very day, 1 within a span, 0.5 within ten days after it."""
    best = 0.0
    for span in asked:
        own = day if span.first[:1] != "-" else f"--{day[5:]}"
        if span.first <= own <= span.last:
            best = max(best, 2.0 if span.exact else 1.0)
        elif span.exact and len(day) == len("2023-05-08"):
            year = day[:4] if span.first[:1] == "-" else span.first[:4]
            best = max(best, 0.5 if _apart(day, f"{year}-{span.first[-5:]}") <= 10 else 0.0)  # noqa: PLR2004
    return best


def _apart(day: str, other: str) -> int:
    try:
        return abs((date.fromisoformat(day) - date.fromisoformat(other)).days)
    except ValueError:
        return 10_000


def _number(name: str) -> int:
    return next(at for at, month in enumerate(_MONTHS, 1) if month.startswith(name[:3].lower()))


def _day(match: re.Match[str]) -> Span | None:
    known = {name[0]: value for name, value in match.groupdict().items() if value}
    month = int(known["m"]) if known["m"].isdigit() else _number(known["m"])
    day = f"{month:02}-{int(known['d']):02}"
    whole = f"{known['y']}-{day}" if "y" in known else f"--{day}"
    return Span(whole, whole, exact=True) if 1 <= int(known["d"]) <= 31 and 1 <= month <= 12 else None  # noqa: PLR2004


def _is_month(question: str, match: re.Match[str]) -> bool:
    """True unless the word is more likely a verb: `may`, `march` in lower case."""
    return match["m"][:1].isupper() and (match.start() > 0 or bool(match["y"])) and bool(question)


def _month(match: re.Match[str]) -> Span:
    month = f"{_number(match['m']):02}"
    lead = f"{match['y']}-{month}" if match["y"] else f"--{month}"
    return Span(f"{lead}-01", f"{lead}-31", exact=False)


def _relative(question: str, today: date) -> list[Span]:
    spans = []
    for count, unit in _AGO.findall(question):
        days = (int(count) if count.isdigit() else _COUNTS[count.lower()]) * _DAYS[unit.lower()]
        slack = _DAYS[unit.lower()] // 2
        spans.append(
            _between(today - timedelta(days + slack), today - timedelta(max(0, days - slack)), exact=not slack)
        )
    for which, unit, day in _LAST.findall(question):
        if day:
            that_day = today - timedelta(day.lower() == "yesterday")
            spans.append(_between(that_day, that_day, exact=True))
        else:
            length = _DAYS[unit.lower()]
            ago = 0 if which.lower() == "this" else length
            spans.append(_between(today - timedelta(length + ago), today, exact=False))
    return spans


def _between(first: date, last: date, *, exact: bool) -> Span:
    return Span(first.isoformat(), last.isoformat(), exact)
