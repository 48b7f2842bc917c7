"""Where the sentences of a text on one line begin and end.

Owns the cut. A sentence ends at `.`, `!`, `?` or `…` where what follows does not go on in small letters, and at the
full stops of Chinese and Japanese; what closes a quotation, brackets or code belongs to it. Refuses abbreviations, the
numbers of lists, and what stands between two backticks.
"""

from __future__ import annotations

import re

_CLOSING = 16  # characters behind a question mark, at most
_SIGN = "[.!?…]"
# Neither behind the number of an item nor behind an abbreviation.
_NO_END = "".join(rf"(?<!{before}{_SIGN})" for before in (r"^\d", r"^\d\d", r"\s\d", r"\s\d\d"))
_NO_END += "".join(rf"(?<!\b{short}{_SIGN})" for short in (r"e\.g", r"i\.e", "etc", "vs", "cf"))
_ASKS = re.compile(r"[?？][\"'”’)\]*_` ]*$")
_PLAIN_END = re.compile(rf"{_SIGN}{_NO_END}[\"')\]*`_”’]*(?=\s+[^\sa-z])")
_END = re.compile(rf"{_PLAIN_END.pattern}|[。！？][」』”’）]*")


def spans(text: str) -> list[tuple[int, int]]:
    """Return the runs (start, end) of the sentences, without the space between them; none for an empty text."""
    found = []
    ends = _PLAIN_END if text.isascii() else _END  # one way to end is found much faster than two
    at = looked = ticks = 0
    last = text.rfind("`")
    for end in (*(one.end() for one in ends.finditer(text)), len(text)):
        ticks += text.count("`", looked, end)
        looked = end
        if ticks % 2 and end <= last:
            continue
        start = at + len(text[at:end]) - len(text[at:end].lstrip())
        if start < end:
            found.append((start, end))
        at = end
    return found


def asks(text: str) -> bool:
    """Return whether a text ends in a question mark, behind which only signs stand that close something."""
    return _ASKS.search(text[-_CLOSING:].rstrip()) is not None


def split(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [text[start:end] for start, end in spans(text)]
