"""The form of the index, for those that make it and those that only read it.

Owns its name, its version, how its rows are numbered, how SQLite is asked for a term or a file, and what a term is
worth. A hook loads this.
"""

from __future__ import annotations

import math

from sleep.language import words

NAME = "recall.sqlite"  # in the folder of what belongs to a worktree alone
VERSION = 606 + words.VERSION  # another one is made anew
SHIFT = 20  # a row's number is its document's, shifted by so much, plus its place there
MASK = (1 << SHIFT) - 1  # of that place


def quote(term: str) -> str:
    """Return a term as FTS5 takes it."""
    return '"' + term.replace('"', "") + '"'


def uri(path: str, mode: str) -> str:
    """Return a path and how it is to be opened as a URI that SQLite takes."""
    place = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{place}?{mode}"


def idf(rows: int, having: float) -> float:
    """Return what a term is worth that so many of the rows have."""
    return math.log(1 + (rows - having + 0.5) / (having + 0.5)) if having < rows else math.log(1 + 0.5 / (rows + 0.5))
