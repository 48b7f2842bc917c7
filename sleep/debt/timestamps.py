"""Moments: seconds since 1970 as the ISO 8601 that the ledger has, and back.

Owns this one form, `2026-02-24T18:30:00.000Z`, and reading its likes. Pure: the time comes in. The calendar is here
because `datetime` costs a hook 3 ms.
"""

from __future__ import annotations

import re
import time

# Compiled when it is first asked for: most hooks need not.
_ISO = r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?)?"
DAY = 86_400.0


def iso(now: float) -> str:
    """Return seconds since 1970 as UTC with milliseconds."""
    millis = round(now * 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(millis // 1000))}.{millis % 1000:03d}Z"


def date(now: float) -> str:
    """Return the day, in UTC, as `2026-02-24`."""
    return iso(now)[:10]


def seconds(text: object) -> float | None:
    """Return an ISO 8601 time as seconds since 1970, a day as its first moment; None for what is neither.

    A time without a zone is UTC.
    """
    parts = re.fullmatch(_ISO, text.strip(), re.IGNORECASE) if isinstance(text, str) else None
    if not parts:
        return None
    year, month, day, hour, minute, second = (int(parts[index] or 0) for index in range(1, 7))
    if not (1 <= month <= 12 and 1 <= day <= 31 and hour < 25 and minute < 60 and second < 61):  # noqa: PLR2004
        return None
    zone = (parts[8] or "Z").upper().replace(":", "")
    offset = 0 if zone == "Z" else int(zone[0] + "1") * (int(zone[1:3]) * 60 + int(zone[3:5]))
    fraction = float(f"0.{parts[7]}") if parts[7] else 0.0
    return _days(year, month, day) * DAY + hour * 3600 + (minute - offset) * 60 + second + fraction


def _days(year: int, month: int, day: int) -> int:
    """Return the days since 1970-01-01; the formula is Howard Hinnant's days_from_civil."""
    year -= month <= 2  # noqa: PLR2004
    era, month = year // 400, (month + 9) % 12
    of_era = year - era * 400
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + (153 * month + 2) // 5 + day - 719_469
