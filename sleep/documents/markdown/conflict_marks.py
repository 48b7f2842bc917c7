"""Marks that git leaves in a text where both sides of a merge changed the same lines.

Owns telling such marks from text that quotes them in code, and both sides of a text. Refuses to choose one.
"""

from __future__ import annotations

from sleep.documents.markdown import lines

OURS, MIDDLE, THEIRS = "<<<<<<< ", "=======", ">>>>>>> "
_BASE = "|||||||"  # what `merge.conflictStyle=diff3` puts before the common ancestor
MARKS = (OURS, _BASE, MIDDLE, THEIRS)


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


def sides(text: str) -> tuple[str, str]:
    """Return what each side of a merge said, of a text with git's marks in it; what is no conflict both said."""
    both: tuple[list[str], list[str]] = [], []
    place: tuple[int, ...] = (0, 1)  # the sides that a line belongs to
    for line in lines.split(text):
        row, words = text[line.start : line.end], line.words
        if words.startswith(OURS) and place == (0, 1):
            place = (0,)
        elif words.startswith(_BASE) and place == (0,):
            place = ()
        elif words == MIDDLE and place in ((0,), ()):
            place = (1,)
        elif words.startswith(THEIRS) and place == (1,):
            place = (0, 1)
        else:
            for side in place:
                both[side].append(row)
    return "".join(both[0]), "".join(both[1])
