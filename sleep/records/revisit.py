"""When a decision asks to be looked at again: the condition of a date, and what stands in `main.md` of what is due.

Owns the form of these lines, which a sleep writes and the start of a session reads. Refuses to judge what takes a whole
memory to know: that is `review.tensions`'s. Pure, and light enough for a hook.
"""

from __future__ import annotations

import re

from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CONDITION = "revisit when"  # the field
DUE, AT_ODDS = "is due", "may contradict"
WAITS = "- waits for a word: "  # the line in `main.md` above them
_DATE = r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)"
_LINE = rf"  - (\S+) (?:{DUE}|{AT_ODDS} (\S+)).*"  # takes `  - D-004 may contradict D-002 (one says no) [i4xyz.2]`


class Waiting(NamedTuple):
    """A line on what waits for a word: the words, and the records that it is about by number or address."""

    words: str
    handles: tuple[str, ...]


def has_come(condition: str, today: str) -> bool:
    """Return whether a condition names a day (ISO 8601), and it has come."""
    day = re.search(_DATE, condition) if today else None
    return bool(day) and today[:10] >= day[1]  # type: ignore[index]  # there is one


def lines(phrases: Sequence[tuple[str, str]]) -> list[str]:
    """Return the lines of `main.md` for phrases with the addresses of their records; none for none."""
    rows = [f"  - {phrase} [{address}]" for phrase, address in phrases]
    return [f"{WAITS}{len(rows)} (`sleepwake review`)", *rows] if rows else []


def read(page: str) -> Iterator[Waiting]:
    """Yield what waits as `lines` wrote it into a page."""
    _, _, rest = page.partition(f"\n{WAITS}")
    for row in rest.split("\n")[1:]:
        match = re.fullmatch(_LINE, row)
        if match is None:
            return
        yield Waiting(row.removeprefix("  - "), tuple(filter(None, (match[1], match[2]))))
