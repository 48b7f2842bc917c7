"""Lines of files: of a program, a diff, a log of commits, or a listing with numbers, told by their form.

Owns telling one from a line that says something. Refuses to read what a line means.
"""

from __future__ import annotations

import re

_LOOK = 400  # characters of a line that tell
_LINES, _MOST = 12, 0.6  # lines of a result that are looked at, and the part of them that makes a listing
_NUMBERED = re.compile(r"\s{0,8}\d{1,6}(?:→|\t| {4,}|\s?[|│]\s|: {2,}|:\t|-\t|- {2,})")  # `20→ throw`, `12 | let x`
# `a/b.go:12:5:`, `12-`, `b.go:`: where what follows was found.
_PLACE = re.compile(
    r"(?:[\w@~.+/\\-]{0,200}\.\w{1,8}|\d{1,6})[:-]\d{1,6}[:-](?:\d{1,5}[:-])?|\d{1,6}[:-]"
    r"|[\w@~./-]{1,200}\.\w{1,8}:(?=\s*\S)"
)
_HIT = re.compile(r"[\w@~.+/\\-]{0,200}\.\w{1,8}[:-]\d{1,6}[:-]")
_PLACED = re.compile(r"\.\w{1,8}[:-]\d")
_LISTED = re.compile(rf"(?:{_NUMBERED.pattern}|{_HIT.pattern})")
_WORDS = (
    "abstract|assert|async|await|case|catch|class|const|def|defer|elif|else|enum|except|export|extends|fn|"
    "for|from|func|function|if|impl|import|interface|let|match|mod|namespace|package|private|protected|pub|public|"
    "raise|return|self|static|struct|switch|throw|throws|trait|try|type|use|val|var|while|with|yield"
)
_OPENS = re.compile(
    rf"(?:[+-]\s*)?(?:(?:{_WORDS})\b(?=.{{0,200}}(?:[({{=;]|:$)|\s*$)|//|/\*|\*\s|\*/|<!--|#!?\[|@\w+[({{]?$|[)\]}}]"
    r"|(?:-\w,\s+)?--[a-z][\w-]*(?:[ =][A-Z<\[]\S*)?\s{2,}\S"
    r"|[\w.]{1,60}\((?=.{0,300}[)({;,]$)|\w[\w.\[\]]{0,60}\s?(?::=|\+=|=>|=)\s)"
)
_ENDS = re.compile(
    r"(?:[{;]|&&|\|\||=>|\(|\[|\)\)|\}\)?,?|[\"'`\])}],|\w,)\s*$|:=|[!=]==? ?(?:nil|null|None|err)\b|=> ?\{| [!=]== "
)
_FIELDS = re.compile(r"\"\w+\" ?: ?[\"\[{\d].*\"\w+\" ?: ?[\"\[{\dtfn]|\",\"")  # of JSON
_DIFF = re.compile(r"[+-](?![+-]{2} )\s*\S|@@ -\d|diff --git |index [0-9a-f]{7}")
_LOG = re.compile(r"[*|/\\ ]{0,8}[0-9a-f]{7,40} \S")  # a commit and its subject


def is_source(line: str) -> bool:
    """Return whether a line is one of a program, a diff or a file's listing.

    `20→ throw new Error("no")`, `a.py:12: raise KeyError(x)`; not `a.py:12: error: no such name`, `KeyError: 'x'`.
    """
    line = line[:_LOOK]
    if _NUMBERED.match(line) or _DIFF.match(line) or _LOG.match(line) or _FIELDS.search(line):
        return True
    place = _PLACE.match(line)
    bare = line[place.end() :].strip() if place else line.strip()
    return bool(_OPENS.match(bare) or _ENDS.search(bare))


def is_listing(text: str) -> bool:
    """Return whether most of the first lines of a result are lines of files, numbered or found."""
    first = text.find("\n")
    if not (text[:200].lstrip()[:1].isdigit() or _PLACED.search(text, 0, 200)):
        return False
    if not _LISTED.match(text, 0, first if first >= 0 else len(text)) and not _LISTED.match(text, first + 1):
        return False  # told by two lines, as nearly always
    lines = [line for line in text[: _LINES * _LOOK].split("\n", _LINES)[:_LINES] if line.strip()]
    return sum(bool(_NUMBERED.match(line) or _is_hit(line)) for line in lines) >= _MOST * len(lines)


def _is_hit(line: str) -> bool:
    """Return whether a line is one of source text that a search found, behind its place."""
    hit = _HIT.match(line)
    return hit is not None and is_source(line[hit.end() :])
