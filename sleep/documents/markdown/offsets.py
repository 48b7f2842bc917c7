"""Ways back from a changed copy of a text to its offsets.

Owns the copy that a parser reads (one kind of line end, empty blank lines, less indentation) and the map to the
original. Refuses to know what is parsed.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

SPACE = " \t\n\f\v"
_BLANK = re.compile(r"^[ \t]+$", re.MULTILINE)
_CRLF = re.compile("\r\n")
_TAB = 4


class Source:
    r"""A copy of a text with `\n` line ends and no spaces in blank lines, and the way back."""

    def __init__(self, text: str) -> None:
        self.points, self.size = [0], len(text)
        if "\r" in text:
            self.points += [m.start() - count + 1 for count, m in enumerate(_CRLF.finditer(text))]
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        text = _BLANK.sub(lambda m: "\f" * len(m[0]), text)
        self.text = text if text.endswith("\n") else text + "\n"

    def at(self, offset: int) -> int:
        """Return where in the original text an offset of the copy is."""
        if len(self.points) > 1:
            offset += bisect_right(self.points, offset) - 1
        return min(offset, self.size)


class Lines:
    """The way back from a text whose lines lost some of their leading whitespace; lines are aligned at their ends."""

    def __init__(self, outer: str, inner: str, *, skipped: int = 0) -> None:
        self.outer, self.inner, self.skipped = ends(outer), ends(inner), skipped

    def at(self, offset: int) -> int:
        """Return where in the outer text an offset of the inner text is."""
        line = bisect_left(self.inner, offset)
        target = min(line + self.skipped, len(self.outer) - 1)
        begin = self.outer[target - 1] + 1 if target else 0
        return max(begin, self.outer[target] - (self.inner[min(line, len(self.inner) - 1)] - offset))

    def after(self, offset: int) -> int:
        """Return the start of the line after the one that ends just before `offset`."""
        line = bisect_left(self.inner, offset - 1)
        return self.outer[min(line + self.skipped, len(self.outer) - 1)] + 1


def strip(src: str, begin: int, end: int) -> tuple[int, int]:
    """Return the span without the whitespace at its ends."""
    piece = src[begin:end]
    inner = piece.lstrip(SPACE)
    first = end - len(inner)
    return first, first + len(inner.rstrip(SPACE))


def ends(text: str) -> list[int]:
    """Return where each line ends, the last one too."""
    out, at = [], text.find("\n")
    while at >= 0:
        out.append(at)
        at = text.find("\n", at + 1)
    out.append(len(text))
    return out


def column(text: str, begin: int = 0) -> int:
    """Return the column after `text` when it begins at the column `begin`; tabs stop at every fourth."""
    for sign in text:
        begin += _TAB - begin % _TAB if sign == "\t" else 1
    return begin


def dedent(line: str, columns: int) -> str:
    """Return the line without up to so many columns of leading whitespace."""
    rest = line.lstrip(" \t")
    return " " * max(0, column(line[: len(line) - len(rest)]) - columns) + rest
