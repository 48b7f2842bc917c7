"""Edits by span: what is replaced, and nothing else.

Owns the application of edits to a text. Refuses edits that are out of order, overlap or leave the text: two edits that
disagree about the same place are a mistake of the caller, never resolved here.
"""

from __future__ import annotations

from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Edit(NamedTuple):
    """Replace `[start, end)` of the original text, in str offsets, by `text`; an insertion has `start == end`."""

    start: int
    end: int
    text: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Return `text` with every edit made; all offsets are into the original.

    Raises:
        ValueError: an edit starts before the one before it ended, ends before it starts, or leaves the text.
    """
    parts: list[str] = []
    done = 0
    for edit in edits:
        if not done <= edit.start <= edit.end <= len(text):
            raise ValueError(f"edit {edit.start}:{edit.end} after {done} in {len(text)} characters (sorted, apart)")
        parts.append(text[done : edit.start])
        parts.append(edit.text)
        done = edit.end
    parts.append(text[done:])
    return "".join(parts)


def newline(text: str) -> str:
    r"""Return what the text ends its lines with: its first line decides, and a text of one line gets `\n`."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"
