"""Quoting: which words of a message are its speaker's own.

Owns telling a quotation from speech by its form: blocks that begin with `>`, whatever stands in a tag
(`<document>`, `<channel>`, ...), the text of a skill, a mail that was pasted, and what follows a line that says whose
words come (`The page says:`), or what shall be done with them (`Summarize the report:`). Code is not speech either, and
is `passages`' to leave out. Refuses to judge what is quoted: that it binds nobody is `statements`' to say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.language.acts import first_words
from sleep.language.acts.forms import form

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCED = re.compile(r"(?ms)^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)")
_TAG = re.compile(r"<([A-Za-z][\w:.-]{0,60})(?:\s[^<>]{0,400})?>")
_ALONE = re.compile(r"[ \t]*(?:\n|\Z)")
_SKILL = re.compile(r"(?m)^[ \t]*Base directory for this skill:.*")
_QUOTED = re.compile(r"\"[^\"\n]{2,600}\"|“[^”\n]{2,600}”|„[^“”\n]{2,600}[“”]|«[^»\n]{2,600}»|「[^」\n]{2,600}」")
_CODE = re.compile(r"`[^`\n]{1,300}`")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")  # of a list
_LETTER = re.compile(r"\S")
_HEADERS = 2  # `From: ...`, `Subject: ...`: two such lines make the head of a mail


def lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a message, and whether each is a quotation; what marks a tag is left out."""
    rest = False  # all that follows is somebody else's
    for part, is_quoted in _parts(text.replace("\r\n", "\n")):
        rows = part.split("\n")
        for number, line in enumerate(rows):
            rest = rest or _opens(rows, number)
            yield line, is_quoted or rest or line.lstrip().startswith(">")
            rest = rest or (form("quotes.reports").search(line) and first_words.leads(line))
            rest = rest or (_is_apart(rows, number) and form("quotes.hands over").search(line))


def _opens(rows: list[str], number: int) -> bool:
    """True for a line from which on a message repeats another's text."""
    line = rows[number]
    if _SKILL.match(line) or form("quotes.forwards").search(line):
        return True
    near = [row for row in rows[number : number + 4] if row.strip()][:_HEADERS]
    return len(near) == _HEADERS and all(map(form("quotes.mail head").search, near))


def _is_apart(rows: list[str], number: int) -> bool:
    """True for a line behind which a paragraph ends, and another begins that is no list."""
    behind = rows[number + 1 :]
    first = next(filter(str.strip, behind), "")
    return bool(first) and not behind[0].strip() and not _ITEM.match(first)


def reports(text: str) -> bool:
    """True for a sentence that tells what a page, a document or a tool says."""
    return form("quotes.reports").search(_CODE.sub("x", text))


def masked(text: str) -> str:
    """Return a text on one line with what is quoted or code in it blanked, every sign in its place."""
    blank = _CODE.sub(lambda match: "`" + "x" * (len(match[0]) - 2) + "`", text)
    return _QUOTED.sub(lambda match: match[0][0] + _LETTER.sub("_", match[0][1:-1]) + match[0][-1], blank)


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the message in parts: outside of tags, and inside of them. A tag that is never closed holds the rest.

    What looks like a tag in code is none, nor is a lone one in the middle of a line.
    """
    at = looked = 0
    code = [(match.start(), match.end()) for match in (*_FENCED.finditer(text), *_CODE.finditer(text))]
    while tag := _TAG.search(text, looked):
        looked = tag.end()
        if any(start <= tag.start() < end for start, end in code):
            continue
        close = text.find(f"</{tag[1]}", tag.end())
        begins = not text[: tag.start()].rpartition("\n")[2].strip()
        if close < 0 and not (begins and _ALONE.match(text, tag.end())):
            continue
        yield text[at : tag.start()], False
        if close < 0:
            yield text[tag.end() :], True
            return
        yield text[tag.end() : close], True
        at = looked = (text.find(">", close) + 1) or len(text)
    yield text[at:], False
