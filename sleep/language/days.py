"""Days as people write them, read as ISO: `29 December 2023`, `29. Dezember 2023`, `2023年12月29日`, `2023. 12. 29.`.

Owns the months of the languages that there are cues in, and the order of day and month: dots mean the day first in all
countries that write them; of slashes and hyphens one figure above 12 tells it, else the other dates of the same
document. Refuses to guess where nothing tells (`05/08/2023`), and years of two figures. Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.language import lexicon
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DAY_FIRST, MONTH_FIRST = "day first", "month first"
_MOST = 12  # months, and the highest figure that may be one
_THIRTY = (4, 6, 9, 11)
_LOOK = 20_000  # characters of a document whose dates tell the order
_FORMS = (
    r"(?P<y>\d{4})[-/.](?P<m>\d{2})[-/.](?P<d>\d{2})(?!\d)"
    r"|(?P<y7>\d{4})(?:/(?P<m7>\d{1,2})/(?P<d7>\d{1,2})|\.(?P<m8>\d{1,2})\.(?P<d8>\d{1,2})(?!-)"
    r"|\. (?P<m9>\d{1,2})\. (?P<d9>\d{1,2})\.)(?![\d./]?\d)"
    r"|(?P<y4>\d{4}) ?[年년] ?(?P<m4>\d{1,2}) ?[月월] ?(?P<d4>\d{1,2}) ?[日号號일]"
    r"|(?P<d2>\d{1,2})(?:st|nd|rd|th|er|[.ºª°])?,?[ -](?:of |de |del )?(?P<m2>[^\W\d_]{3,12})\.?,?[ -](?:de |del )?"
    r"(?P<y2>\d{4})(?!\d)"
    r"|(?P<d5>\d{1,2})\. ?(?P<m5>\d{1,2})\. ?(?P<y5>\d{4})(?![\d.]\d)(?!\d)"
    r"|(?P<a>\d{1,2})(?P<sign>[-/])(?P<b>\d{1,2})(?P=sign)(?P<y6>\d{4})(?!\d)"
)
# The end and the beginning of `05/08/2023`: a search that begins with a sign passes over text in no time.
_FIGURES = re.compile(r"(?P<sign>[-/])(?P<b>\d{1,2})(?P=sign)\d{4}(?!\d)")
_FIRST_FIGURE = re.compile(r"(?<!\d)(?<!\d\.)\d{1,2}$")
_MONTH_FORM = r"(?P<m3>[^\W\d_]{3,12})\.? (?P<d3>\d{1,2})(?:st|nd|rd|th)?,? (?P<y3>\d{4})(?!\d)"


class Day(NamedTuple):
    """A day that a text names: ISO, and the run of the text that says it."""

    iso: str
    start: int
    end: int


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], Mapping[str, int]]:
    """Return the pattern of all forms, and the months by name; made when first asked."""
    numbers = {name: at for row in lexicon.rows("months") for at, name in enumerate(row.split(), 1)}
    return re.compile(rf"(?<!\d)(?<!\d\.)(?:{_FORMS})|(?<![^\W_]){_MONTH_FORM}", re.IGNORECASE), numbers


def first(text: str, order: str = "") -> str:
    """Return the first day that a text names as ISO, or ""; `order` settles `05/08/2023`."""
    return next((day.iso for day in every(text, order)), "")


def every(text: str, order: str = "") -> Iterator[Day]:
    """Yield the days that a text names, in order; what is no day of the calendar, or may be two, is passed over."""
    pattern, _ = _patterns()
    at = 0
    while match := pattern.search(text, at):
        iso = _iso(match, order)
        if iso:
            yield Day(iso, match.start(), match.end())
        at = match.end() if iso else match.start() + 1


def order_of(*texts: str) -> str:
    """Return the order in which the dates of a document have day and month, "" where they do not tell or disagree."""
    orders = set()
    for text in texts:
        for match in _FIGURES.finditer(text[:_LOOK]):
            lead = _FIRST_FIGURE.search(text, max(0, match.start() - 2), match.start())
            if lead and (order := _order(int(lead[0]), int(match["b"]))):
                orders.add(order)
    return orders.pop() if len(orders) == 1 else ""


def month(name: str) -> int:
    """Return the number of a month by its name or short name in any of the languages, 0 for what is none."""
    return _patterns()[1].get(name.casefold(), 0)


def is_day(year: int, month_: int, day: int) -> bool:
    """Return whether there is such a day; no calendar has a year 0."""
    if year < 1 or not 1 <= month_ <= _MOST:
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= (28 + leap if month_ == 2 else 30 if month_ in _THIRTY else 31)  # noqa: PLR2004


def _order(left: int, right: int) -> str:
    if (left > _MOST) == (right > _MOST):
        return ""
    return DAY_FIRST if left > _MOST else MONTH_FIRST


def _iso(match: re.Match[str], order: str) -> str:
    known = {name[0]: value for name, value in match.groupdict().items() if value and name != "sign"}
    if match["sign"]:
        left, right = int(match["a"]), int(match["b"])
        order = _order(left, right) or order
        if not order and left != right:
            return ""
        known["d"], known["m"] = (match["a"], match["b"]) if order != MONTH_FIRST else (match["b"], match["a"])
    number = int(known["m"]) if known["m"].isdigit() else month(known["m"])
    year, day = int(known["y"]), int(known["d"])
    return f"{year:04}-{number:02}-{day:02}" if is_day(year, number, day) else ""
