"""Where the sentences of a text on one line begin and end.

Owns the cut. A sentence ends at `.`, `!`, `?` or `…` where what follows does not go on in small letters, and at the
full stops of Chinese and Japanese; what closes a quotation, brackets or code belongs to it. Refuses abbreviations, the
numbers of lists, and what stands between two backticks.
"""

from __future__ import annotations

import re

_CLOSING = 16  # characters behind a question mark, at most
_NO_END = r"(?<!^\d)(?<!^\d\d)(?<!\s\d)(?<!\s\d\d)(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bcf)"
_ASKS = re.compile(r"[?？][\"'”’)\]*_` ]*$")
_END = re.compile(rf"{_NO_END}[.!?…][\"')\]*`_”’]*(?=\s+[^\sa-z])|[。！？][」』”’）]*")


def spans(text: str) -> list[tuple[int, int]]:
    """Return the runs (start, end) of the sentences, without the space between them; none for an empty text."""
    found = []
    at = looked = ticks = 0
    last = text.rfind("`")
    for end in (*(one.end() for one in _END.finditer(text)), len(text)):
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
