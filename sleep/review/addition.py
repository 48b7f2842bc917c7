"""Adding to the checklist: an item of a person's, or the words of a record that they name.

Owns what an item must say before it is kept, and writing it under the lock. Refuses the form: that is `checklist`'s.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep.documents import register
from sleep.errors import UsageError
from sleep.journal import named_record
from sleep.memory import place
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.review import checklist
from sleep.store import files
from sleep.store.tree import WorkTree

if TYPE_CHECKING:
    from sleep.memory.place import Place
    from sleep.review.checklist import Item

_HANDLE = 2  # words of a reference: `D-014 (i7qxk.12)`


def keep(where: Place, item: Item) -> Item:
    """Add an item to a memory's checklist, and return it as it was written: without secrets, a record in its words.

    Raises UsageError for one that says nothing, is there already, names no record or has no such weight, or is a
    question that nothing is said to answer.
    """
    if not 1 <= item.weight <= checklist.MOST:
        raise UsageError(f"a weight is 1 to {checklist.MOST}, not {item.weight}")
    view = View(WorkTree(where.root))
    item = item._replace(text=place.clean(_words(view, item.text.strip())))
    if not item.text:
        raise UsageError("review.keep needs something to keep (would be right: words, an address or a record's number)")
    if item.section == checklist.QUESTION and item.has_answer and not item.ways:
        raise UsageError("what answers the question? (--told-by WORDS, or --no-answer)")
    with place.jotting(where, "review.keep"):
        text = View(WorkTree(where.root)).read(checklist.PATH) or ""
        if any((known.section, known.text) == (item.section, item.text) for known in checklist.read(text)):
            raise UsageError(f"that is on the checklist already: {item.text}", where=checklist.PATH)
        path = where.root.absolute(checklist.PATH)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files.write(path, checklist.add(text, item))
    return item


def _words(view: View, text: str) -> str:
    """Return the words of the record that a text names, else the text."""
    words = text.split()
    named = register.named(view.records.values(), text) if len(words) <= _HANDLE else []
    if words and not named and addressing.number_of(words[0]) and len(words) <= _HANDLE:
        near = named_record.near(view.records.values(), words[0])
        what = f"no record is called {words[0]}{near} (words are kept as they are)"
        raise UsageError(what, hint="sleepwake decision.list")
    return named[0].fragment.text if named else text
