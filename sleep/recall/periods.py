"""The days that a question speaks of: `on 7 July, 2023`, `im März`, `3月`, `last week`, `since Monday`, `3 days ago`.

Owns reading them as spans of ISO days. `today` is passed in; without one only what a calendar tells is read.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache

from sleep.language import dates, days, lexicon, tokenizer, words
from sleep.language.acts.forms import form
from sleep.tuples import NamedTuple

_MONTHS = tuple(map(str.lower, dates.MONTHS))
_YEAR = re.compile(
    r"\b(?:in|of|during|since|year|im jahr|seit|von|en|desde|depuis|nel|em) (?P<y>(?:19|20)\d\d)\b"
    r"|(?P<y2>(?:19|20)\d\d)年",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"(?:(?P<y>(?:19|20)\d\d) ?年 ?)?(?<!\d)(?P<m>\d{1,2}) ?月(?: ?(?P<d>\d{1,2}) ?[日号號])?")
# Where a slipped month can be told: beside a year, and of the longer names behind `in`.
_SLIPPED = re.compile(r"(?P<lead>\b[Ii]n )?\b(?P<name>[A-Z][a-z]{3,9})\b(?P<year>,?(?: of)? (?:19|20)\d\d\b)?")
_LONG, _LONGER = 5, 7  # letters of a month's name that is told beside a year, and without one: Augusta is a town
_SMALL = 5  # letters of a month's name that is told in small letters, where a language writes it so
_AGO = re.compile(
    r"\b(\d{1,3}|an?|one|two|three|four|five|six|few|couple of) (day|week|month|year)s? ago\b", re.IGNORECASE
)
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "few": 3, "couple of": 2}
_NEAR = 30  # characters beside a `since`, in which the day stands
_WEEK = 7
_LEAP = 2000  # stands for any year, where none is said
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


class Span(NamedTuple):
    """Days as ISO strings, both included; a `--MM-DD` has no year. `exact` where a single day was meant."""

    first: str
    last: str
    exact: bool


def find_spans(question: str, today: str = "") -> tuple[Span, ...]:
    """Return the days that a question names, in order; where it asks for all since a day, those from it to today."""
    question = dates.in_iso(question)
    spans = _find(question, today)
    if not (today and spans and _asks_since(question, today)):
        return spans
    return tuple(_until(span, date.fromisoformat(today[:10])) for span in spans)


def _asks_since(question: str, today: str) -> bool:
    """Return whether a day stands beside a `since`: behind it, and before it where words have no spaces (`3月から`).

    In other languages the same letters are a small word: `da` in Portuguese and German, `с` with what else it stands.
    """
    for match in form("periods.since").written().finditer(question):
        behind, before = question[match.end() :][:_NEAR], question[: match.start()][-_NEAR:]
        if _find(behind, today) or (tokenizer.has_wide(match[0]) and _find(before, today)):
            return True
    return False


def _find(question: str, today: str) -> tuple[Span, ...]:
    day, month = _forms()
    spans = [span for match in day.finditer(question) if (span := _day(match))]
    if not spans:
        rest = day.sub(" ", question)  # the February of 31 February is no month that is asked for
        spans = [_month(match) for match in month.finditer(rest) if _is_month(match)]
        spans += filter(None, map(_chinese, _CHINESE.finditer(question)))
    if not spans:
        years = (year["y"] or year["y2"] for year in _YEAR.finditer(question))
        spans = [Span(f"{year}-01-01", f"{year}-12-31", exact=False) for year in years]
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


@lru_cache(maxsize=1)
def _forms() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what finds a day, and what finds a month, by the months of all languages."""
    whole = {name for written in lexicon.by_language("months").values() for name in written[:12]}  # `12 mars`
    short = {name for language in ("en", "de") for row in lexicon.rows("months", language) for name in row.split()}
    alone = {name for row in lexicon.rows("months") for name in row.split() if len(name) >= _SMALL} | short
    names, dated = ("|".join(sorted(known, key=len, reverse=True)) for known in (alone, alone | whole))
    day = re.compile(
        rf"(?P<y>\d{{4}})-(?P<m>\d\d)-(?P<d>\d\d)"
        rf"|(?P<d2>\d{{1,2}})(?:st|nd|rd|th|er|[.º])?(?: of| de| di)? (?P<m2>{dated})\b\.?,?(?: (?P<y2>\d{{4}}))?"
        rf"|\b(?P<m3>{dated})\.? (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b,?(?: (?P<y3>\d{{4}}))?",
        re.IGNORECASE,
    )
    return day, re.compile(rf"\b(?P<m>{names})\b\.?,?(?: of| de| del)?(?: (?P<y>\d{{4}}))?", re.IGNORECASE)


def _day(match: re.Match[str]) -> Span | None:
    known = {name[0]: value for name, value in match.groupdict().items() if value}
    month = int(known["m"]) if known["m"].isdigit() else days.month(known["m"])
    return _one_day(known.get("y"), month, int(known["d"]))


def _one_day(year: str | None, month: int, day: int) -> Span | None:
    whole = f"{year or '-'}-{month:02}-{day:02}"
    is_day = days.is_day(int(year or _LEAP), month, day)  # 31 February is no day that is asked for
    return Span(whole, whole, exact=True) if is_day else None


def _chinese(match: re.Match[str]) -> Span | None:
    """Return the day of `3月5日`, the month of `2026年3月`; None for figures that are none."""
    month = int(match["m"])
    if match["d"]:
        return _one_day(match["y"], month, int(match["d"]))
    return _whole_month(match["y"], month) if 1 <= month <= 12 else None  # noqa: PLR2004


def _is_month(match: re.Match[str]) -> bool:
    """True unless the word is more likely a verb or a name: `may`, `march` in lower case, `May` as the first word."""
    name = match["m"]
    if name[:1].isupper():
        return match.start() > 0 or bool(match["y"])
    return len(name) >= _SMALL and name not in _MONTHS


def _month(match: re.Match[str]) -> Span:
    return _whole_month(match["y"], days.month(match["m"]))


def _whole_month(year: str | None, month: int) -> Span:
    lead = f"{year or '-'}-{month:02}"
    return Span(f"{lead}-01", f"{lead}-31", exact=False)


def _relative(question: str, today: date) -> list[Span]:
    spans = []
    for count, unit in _AGO.findall(question):
        days = (int(count) if count.isdigit() else _COUNTS[count.lower()]) * _DAYS[unit.lower()]
        slack = _DAYS[unit.lower()] // 2
        spans.append(
            _between(today - timedelta(days + slack), today - timedelta(max(0, days - slack)), exact=not slack)
        )
    named, known = _named("periods")
    for match in named.finditer(question):
        first, last = map(int, known[match[0].casefold()].split())
        spans.append(_between(today - timedelta(first), today - timedelta(last), exact=first == last))
    weekdays, known = _named("weekdays")
    for match in weekdays.finditer(question):
        back = (today.weekday() - int(known[match[0].casefold()])) % _WEEK or _WEEK
        spans.append(_between(today - timedelta(back), today - timedelta(back), exact=True))
    return spans


def without_named(text: str) -> str:
    """Return a text without the names of days and periods: `yesterday`, `Monday`, `last week`."""
    for section in ("periods", "weekdays"):
        text = _named(section)[0].sub(" ", text)
    return text


def _until(span: Span, today: date) -> Span:
    """Return the days from the first of a span to today; of one without a year those from the last such day on."""
    first = span.first
    if first[:1] == "-":
        first = max(f"{year}{first[1:]}" for year in (today.year, today.year - 1) if f"{year}{first[1:]}" <= str(today))
    return Span(first, str(today), exact=False)


@lru_cache(maxsize=2)
def _named(section: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return what finds the phrases of a section (`yesterday`, `monday`), and the figures that stand before each."""
    known: dict[str, str] = {}
    for row in lexicon.rows(section):
        figures, _, phrases = row.partition(": ")
        known.update((phrase.strip(), figures) for phrase in phrases.split(","))
    longest = sorted(known, key=len, reverse=True)
    forms = (phrase if tokenizer.has_wide(phrase) else rf"\b{phrase}\b" for phrase in longest)
    return re.compile("|".join(forms), re.IGNORECASE), known


def _between(first: date, last: date, *, exact: bool) -> Span:
    return Span(first.isoformat(), last.isoformat(), exact)
