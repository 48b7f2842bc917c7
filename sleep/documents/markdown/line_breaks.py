"""Line breaks: where a sentence was broken to fit a width, and goes on in the next line.

Owns telling that by the width of a document, however the next line begins. Refuses scripts without spaces, and to tell
what stands in small letters: that goes on anyway. Pure.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING

from sleep.language.tokenizer import has_wide

if TYPE_CHECKING:
    from collections.abc import Iterable

_NARROW, _BROAD = 60, 132  # columns between which people, editors and agents break lines
_NEAR = 8  # columns; a line that was broken ends so near to where they all do, or within the eight before
_LINES, _MORE = 3, 2  # lines that end there, and times as many as go on behind it, at the least
_NO_PROSE = ("#", "|", ">", "`" * 3)
_NO_END = re.compile(r"[\w,/`'\"”’)\]–—-]$")
_GOES_ON = re.compile(r"(?!\d\d?:\d\d|\d{4}-\d\d)[\w(`\"'„“‚\[/@$~]")  # no row of a log, which begins with a time
_FIRST = re.compile(r"`[^`]*`\S*|\S+")  # no line is broken within code
_LABEL = re.compile(r"\**[^\W\d_][\w /-]{1,30}(?: \([^()]*\))?\**[:：]")


def width(rows: Iterable[str]) -> int:
    """Return the columns that the lines of a document were broken to, 0 where they were not.

    They are where most lines end, and few go on behind them: a table, an address or a list is as long as it is.
    """
    lengths = sorted(len(row.rstrip()) for row in rows if not row.lstrip().startswith(_NO_PROSE))
    ends = Counter(length // _NEAR for length in lengths if _NARROW <= length <= _BROAD)
    if not ends:
        return 0
    most = max(ends, key=lambda end: (ends[end] + ends[end - 1], end))
    columns = max(length for length in lengths if length // _NEAR <= most)
    longer = len(lengths) - bisect_right(lengths, columns)
    return columns if ends[most] + ends[most - 1] >= max(_LINES, _MORE * longer) else 0


def goes_on(line: str, following: str, columns: int) -> bool:
    """Return whether a line had no room for the first word of the following one, which goes on with its sentence."""
    line, following = line.rstrip(), following.strip()
    first = _FIRST.match(following)
    if not (columns and first) or len(line) + 1 + first.end() <= columns:
        return False
    begins = _GOES_ON.match(following) is not None and not _LABEL.match(following)
    return begins and _NO_END.search(line) is not None and not has_wide(line)
