"""What a program printed: lines of a log, traces, data and usage, which record nothing however they are worded.

Owns telling them by their form alone: a stamp with seconds, a level, a frame of a trace, an object of JSON, a row of
`key=value`, a prompt or an option of a command line. Refuses to read what they say. A person's own notes have a time
too (`14:30 decided to wait`), so hours and minutes alone tell nothing. Pure.
"""

from __future__ import annotations

import re

from sleep.language.output import pastes

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
_PROMPTS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\s*➜ ",  # ➜  app git:(main) ✗ ls
        r"\s*(?:\([\w.-]+\) )?(?:[\w.-]+@[\w.-]+[: ][^$#%]{0,80})?[$#%❯] +[a-z./~]",  # (venv) ana@box:~/app$ ls
        r"\s*[\w.-]+@[\w.-]+:[^$#%]{0,80}[$#%]\s*$",  # leaves `$ 5` and `mail ana@box.org`
        r"\s*PS [A-Z]:\\[^>]{0,80}>",  # PS C:\app> ls
    )
)
_PRINTED = tuple(
    re.compile(pattern)
    for pattern in (
        r"\s*>? *\d+ +\|(?: |$)|\s*\|? *\^+\s*$",  # `> 119 |   expect(x)` and what points at it; leaves `| a | b |`
        r"\s*at .{0,120}:\d+:\d+",  # at tests/a.test.ts:119:36
        r"\s*(?:FAIL|PASS) +\S+[/.]\w|\s*Ran all test|\s*={3,} .* ={3,}$",  # FAIL tests/a.test.ts
        r"\s*(?:Test Suites|Tests|Snapshots|Time): +\S",  # Tests:  3 failed, 487 passed
        r"\s*(?:Expected|Received): |\s*expect\(.{0,80}\)\.",  # Expected: true
    )
)
_FAILS = re.compile(r"\b(?:[\w.]*Error|error|fatal|[Ee]xception|denied|not found|cannot|failed)\b(?!.*\d+ passed)")
_LIST = re.compile(r"^(?:[-*+>|] +)+")
_QUEUED = re.compile(r"\[?Queued (?:messages?|prompts?|announcements?) (?:while|when|from)\b|Queued #\d+\W*$")


def is_output(text: str) -> bool:
    """Return whether every line of a text, its list signs taken off, has the form of something printed."""
    rows = [_LIST.sub("", row.strip()).strip("`*") for row in text[:_LOOK].split("\n") if row.strip()]
    return bool(rows) and all(any(form.match(row) for form in _FORMS) for row in rows[:3])


def without_pastes(text: str) -> str:
    """Return a text without what was pasted: of a terminal prompts with what stands below them, and runs of lines.

    What says that something failed stays. A text that is nothing else is returned as it is.
    """
    pasted = pastes.lines_of(pastes.of_programs(text))
    left, is_below = [], False
    for at, row in enumerate(text.split("\n")):
        is_prompt = any(form.match(row) for form in _PROMPTS)
        is_below = is_prompt or (is_below and bool(row.strip()))
        is_printed = is_below or at in pasted or any(form.match(row) for form in _PRINTED)
        if not is_prompt and (_FAILS.search(row) or not is_printed):
            left.append(row)
    words = "\n".join(left)
    return words if words.strip() else text


def is_wrapper(text: str) -> bool:
    """Return whether a text is what a client puts around messages that waited in its queue."""
    return _QUEUED.match(text) is not None
