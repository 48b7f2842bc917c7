"""Marks of a merge conflict that was left in a document.

Owns telling them from text that quotes such marks in code. Refuses to resolve anything: which side holds is a person's
to say.
"""

from __future__ import annotations

from sleep.documents.markdown import lines

_OURS, _MIDDLE, _THEIRS = "<<<<<<< ", "=======", ">>>>>>> "


def marks(text: str, *, quoting: bool = False) -> tuple[int, ...]:
    """Return the lines, from 1, at which conflicts begin.

    Args:
        text: the document.
        quoting: whether it may quote such marks, as a journal may: those in code are left out then.
    """
    if _OURS not in text or _THEIRS not in text:
        return ()
    words = [line.words for line in lines.split(text)]
    code = lines.code(words) if quoting else frozenset()
    starts: list[int] = []
    begun = 0
    is_past_middle = False
    for number, line in enumerate(words, 1):
        if number - 1 in code:
            continue
        if line.startswith(_OURS):
            begun, is_past_middle = number, False
        elif begun and line == _MIDDLE:
            is_past_middle = True
        elif is_past_middle and line.startswith(_THEIRS):
            starts.append(begun)
            begun, is_past_middle = 0, False
    return tuple(starts)
