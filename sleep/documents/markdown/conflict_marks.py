"""Marks that git leaves in a text where both sides of a merge changed the same lines.

Owns telling such marks from text that quotes them in code. Refuses to resolve a conflict.
"""

from __future__ import annotations

from sleep.documents.markdown import lines

OURS, MIDDLE, THEIRS = "<<<<<<< ", "=======", ">>>>>>> "
MARKS = (OURS, "|||||||", MIDDLE, THEIRS)  # with what `merge.conflictStyle=diff3` puts before the common ancestor


def starts(text: str, *, quoting: bool = False) -> tuple[int, ...]:
    """Return the lines, from 1, at which conflicts begin; those in code are left out of what may be `quoting` them."""
    if OURS not in text or THEIRS not in text:
        return ()
    words = [row.words for row in lines.split(text)]
    code = lines.code(words) if quoting else frozenset()
    begins: list[int] = []
    begun = 0
    is_past_middle = False
    for number, line in enumerate(words, 1):
        if number - 1 in code:
            continue
        if line.startswith(OURS):
            begun, is_past_middle = number, False
        elif begun and line == MIDDLE:
            is_past_middle = True
        elif is_past_middle and line.startswith(THEIRS):
            begins.append(begun)
            begun, is_past_middle = 0, False
    return tuple(begins)
