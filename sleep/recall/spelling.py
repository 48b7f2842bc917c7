"""Slips of the pen and names that are spelt otherwise: the word of a memory that a word was meant for that it lacks.

Owns which words are as near, and which of those was meant. Refuses to read a word that the memory has as another one.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from sleep.language import words
from sleep.language.stems import stem
from sleep.recall.index.index_form import quote

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection

_ENOUGH = 100  # rows of a word, of which more say nothing more of how common it is
_SOUNDS = 3  # of a name: shorter ones sound as too many words do
_SOUND_APART = 4  # letters that a name of the same sound may differ in
_LOOKED = 20  # rows in which a name may have its capital
_FORGIVEN = 4  # letters of a word in which a slip is forgiven


def correct(base: sqlite3.Connection, word: str, names: Collection[str], first: str = "") -> str:
    """Return the word of the memory that a word that it does not have was meant for, or "".

    A name is read as no word that it only goes on behind (`Codex` as `code`), nor as one that has a capital nowhere;
    the `first` word of a question has one in any case.
    """
    if sounding := _sounding(base, word) if word in names else "":
        return sounding
    alike = _alike(base, word)
    if word in names and alike and word.startswith(alike):
        return ""
    may_differ = word not in names or word == first or words.is_sure_slip(word, alike)
    return alike if may_differ or (alike and _is_name(base, alike)) else ""


def _sounding(base: sqlite3.Connection, name: str) -> str:
    """Return the name of the memory that sounds as one that it does not have, or "".

    A name has a capital somewhere; of several the likest in its letters, then the one that most rows have.
    """
    sound = words.sound(name)
    if not (name.isascii() and name.isalpha()) or len(sound) < _SOUNDS:
        return ""
    same = [word for (word,) in base.execute("SELECT word FROM word WHERE sound = ?", (sound,))]
    near = [
        (-words.apart(name, word, _SOUND_APART), _count(base, stem(word)), word)
        for word in same
        if words.apart(name, word, _SOUND_APART) <= _SOUND_APART and _is_name(base, word)
    ]
    return max(near)[-1] if near else ""


def _is_name(base: sqlite3.Connection, word: str) -> bool:
    """Return whether a word stands with a capital in one of the newest rows that have it."""
    query = (
        "SELECT text, who FROM term JOIN row ON row.id = term.rowid WHERE term MATCH ? ORDER BY term.rowid DESC LIMIT ?"
    )
    return any(
        word.capitalize() in text or word.capitalize() in who
        for text, who in base.execute(query, (quote(stem(word)), _LOOKED))
    )


def _alike(base: sqlite3.Connection, term: str) -> str:
    """Return the word of the memory that a word that it does not have was meant for, or "".

    The likeliest slip of the pen; of equally likely ones the word that most rows have.
    """
    if len(term) <= _FORGIVEN or not (term.isascii() and term.isalpha()):
        return ""
    most = 1 if len(term) < 2 * _FORGIVEN else 2
    near = sorted((unlike, word) for word in _near(base, term) if (unlike := words.unlike(term, word, most))[0] <= most)
    for _, group in itertools.groupby(near, lambda pair: pair[0]):
        having = {word: _count(base, stem(word)) for _, word in group}
        if any(having.values()):
            return max(having, key=lambda word: (having[word], word))
    return ""


def _near(base: sqlite3.Connection, term: str) -> set[str]:
    """Return the words of the memory that share most runs of three letters with one, or are it but for two letters."""
    grams = " OR ".join(f'"{term[at : at + 3]}"' for at in range(len(term) - 2))
    query = "SELECT word FROM spelling WHERE spelling MATCH ? ORDER BY rank LIMIT 40"
    near = {word for (word,) in base.execute(query, (grams,))}
    # In a short word two that are swapped leave no three letters as they were.
    swapped = words.swapped(term)
    marks = ",".join("?" * len(swapped))
    return near.union(word for (word,) in base.execute(f"SELECT word FROM word WHERE word IN ({marks})", swapped))  # noqa: S608


def _count(base: sqlite3.Connection, term: str) -> int:
    """Return how many rows have a term, up to as many as tell anything."""
    query = "SELECT count(*) FROM (SELECT 1 FROM term WHERE term MATCH ? LIMIT ?)"
    return int(base.execute(query, (quote(term), _ENOUGH)).fetchone()[0])
