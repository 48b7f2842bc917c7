"""Line breaks: where a sentence was broken to fit a width, and goes on in the next line.

Owns telling that by the width of a document, however the next line begins. Refuses scripts without spaces, and to tell
what stands in small letters: that goes on anyway. Pure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.language.tokenizer import has_wide

if TYPE_CHECKING:
    from collections.abc import Iterable

_NARROW, _BROAD = 60, 132  # columns between which people, editors and agents break lines
_NO_PROSE = ("#", "|", ">", "`" * 3)
_NO_END = re.compile(r"[\w,/`'\"”’)\]–—-]$")
_GOES_ON = re.compile(r"[^\W\d_]|[(`\"'„“‚\[]")  # neither a figure, which begins a row of a log, nor a sign
_FIRST = re.compile(r"`[^`]*`\S*|\S+")  # no line is broken within code
_LABEL = re.compile(r"\**[^\W\d_][\w /-]{1,30}(?: \([^()]*\))?\**[:：]")


def width(rows: Iterable[str]) -> int:
    """Return the columns that the lines of a document were broken to, 0 where they were not."""
    most = max((len(row.rstrip()) for row in rows if not row.lstrip().startswith(_NO_PROSE)), default=0)
    return most if _NARROW <= most <= _BROAD else 0


def goes_on(line: str, following: str, columns: int) -> bool:
    """Return whether a line had no room for the first word of the following one, which goes on with its sentence."""
    line, following = line.rstrip(), following.strip()
    first = _FIRST.match(following)
    if not (columns and first) or len(line) + 1 + first.end() <= columns:
        return False
    begins = _GOES_ON.match(following) is not None and not _LABEL.match(following)
    return begins and _NO_END.search(line) is not None and not has_wide(line)
