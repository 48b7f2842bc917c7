"""What a program printed: lines of a log, traces, data and usage, which record nothing however they are worded.

Owns telling them by their form alone: a stamp with seconds, a level, a frame of a trace, an object of JSON, a row of
`key=value`, a prompt or an option of a command line. Refuses to read what they say. A person's own notes have a time
too (`14:30 decided to wait`), so hours and minutes alone tell nothing. Pure.
"""

from __future__ import annotations

import re

_LOOK = 400  # characters that tell it
_FORMS = tuple(
    re.compile(pattern)
    for pattern in (
        r"[\[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d",  # 2026-03-13T16:29:52Z worker: must retry
        r"[\[(]?\d\d:\d\d:\d\d(?:[.,]\d+)?\b(?!\.)",  # 16:29:52.120 INFO
        r"[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d ",  # Mar 13 16:29:52 host cron[12]:
        r"(?:[Ss]ystem: )?\[[^\]]{0,12}\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\]]{0,24}\]",  # System: [2026-03-13 16:29:52 GMT]
        r"\[?(?:DEBUG|INFO|TRACE|FATAL|NOTICE)\]?(?=[:\s|])|\[(?:ERROR|WARN|WARNING|CRITICAL)\]",
        r"(?:ERROR|WARN(?:ING)?) +(?:in|at|\[|[\w.]+:\d)",
        r"Traceback \(most recent|File \"[^\"]+\", line \d|at [\w.$<>]+ ?\([^)]*:\d+\)|npm (?:ERR!|WARN)",
        r"[\w.]*[a-z](?:Error|Exception): ",  # ValueError: must be positive
        r"(?:[\w.-]+=(?:\"[^\"]*\"|\S+)[ ,;]+){2,}",  # level=info msg="must not" code=3
        r"[{\[] ?[\"'][\w .-]+[\"'] ?[:,].*[}\]],?$",  # {"level": "info", "msg": "never"}
        r"[Uu]sage: +\S|(?:-\w,? )?--[a-z][\w-]*(?:[ =][A-Z<\[]\S*)?  +\S",  # --force  never ask
        r"[$%#>] (?:[a-z][\w./-]*) +-{1,2}\w|\$ [a-z]",  # $ git push --force
        r"(?:PASS(?:ED)?|FAIL(?:ED)?|ok|not ok) +(?:\d+ |[\w/]+(?:[/.:]+[\w\[\]-]+)+)",  # FAILED tests/x.py::test_y
    )
)
_LIST = re.compile(r"^(?:[-*+>|] +)+")
_QUEUED = re.compile(r"\[?Queued (?:messages?|prompts?|announcements?) (?:while|when|from)\b|Queued #\d+\W*$")


def is_output(text: str) -> bool:
    """Return whether every line of a text, its list signs taken off, has the form of something printed."""
    rows = [_LIST.sub("", row.strip()).strip("`*") for row in text[:_LOOK].split("\n") if row.strip()]
    return bool(rows) and all(any(form.match(row) for form in _FORMS) for row in rows[:3])


def is_wrapper(text: str) -> bool:
    """Return whether a text is what a client puts around messages that waited in its queue."""
    return _QUEUED.match(text) is not None
