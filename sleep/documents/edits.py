"""`memory/edits.md`: what people changed in the tiers or took out of them, and so what journals no longer say.

Owns the form of the page, what an edit is (`between` two states of the tiers), and what the edits make of a fragment or
a line that a journal gives. A person's edit wins. Refuses to look into history: that is `cycle`'s.

    - Use flock for the lock [i2bfm.2]
      - kind: decision
      - changed: 2026-11-22 by Ann
      - now: Use fcntl for the lock
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sleep.documents import tier
from sleep.documents.markdown import edit
from sleep.records.fragment import Fragment, flat, render
from sleep.records.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.records.address import Address

PATH = "memory/edits.md"
_HEAD = """# Edits by hand

What people changed in the tiers or took out of them, one item an edit, appended by `sleep`. It wins over the journals.

"""
_REMOVED, _CHANGED, _NOW, _KIND, _NUMBER = "removed", "changed", "now", "kind", "number"
_WORD = re.compile(r"[^\W_]+")
_SHARE = 0.8  # of the words of the shorter of two texts, from which on they say the same thing


class Edit(NamedTuple):
    """An edit of a fragment that said `before` (also as its kind and addresses): what it says `now`, None for nothing.

    `fields` are the fields that it has now; `by` says when and who (`2026-11-22 by Ann`).
    """

    before: str
    kind: str
    addresses: tuple[Address, ...]
    now: str | None
    fields: tuple[tuple[str, str], ...] = ()
    by: str = ""
    number: str = ""

    @property
    def is_removal(self) -> bool:
        """True where somebody took it out."""
        return self.now is None


class Edits(NamedTuple):
    """All edits, oldest first."""

    all: tuple[Edit, ...] = ()

    def applied(self, fragment: Fragment) -> Fragment | None:
        """Return what the edits make of a fragment that a journal gives: the same, another, or None."""
        now, gone = fragment, False
        for one in self.all:
            if not _is_of(one, now.addresses, now.text, now.kind):
                continue
            gone = one.now is None
            if one.now is not None:
                now = now._replace(text=one.now, fields=one.fields)
        return None if gone else now

    def overruling(self, address: Address, words: str) -> Edit | None:
        """Return the last edit that changed or took out what a journal's line says under an address, or None."""
        found = None
        said = words
        for one in self.all:
            if _is_of(one, (address,), said, ""):
                found, said = one, one.now or said
        return None if found is None or found.now == found.before else found

    def removed(self) -> frozenset[Address]:
        """Return the addresses of the records that people took out."""
        last = {one.addresses[0]: one for one in self.all if _is_record(one.kind)}
        return frozenset(address for address, one in last.items() if one.is_removal)


def _is_record(kind: str) -> bool:
    return kind in KINDS and KINDS[kind].is_record


def _is_of(one: Edit, addresses: Sequence[Address], words: str, kind: str) -> bool:
    """True for an edit of what has these addresses and words; a record is known by its address alone."""
    if _is_record(one.kind) and (not kind or kind == one.kind):
        return one.addresses[0] in addresses
    return any(address in one.addresses for address in addresses) and is_alike(one.before, words)


def is_alike(one: str, other: str) -> bool:
    """True for two texts of which one holds nearly all words of the other."""
    words, others = ({word.casefold() for word in _WORD.findall(text)} for text in (one, other))
    least = min(len(words), len(others))
    return bool(least) and len(words & others) >= _SHARE * least


@lru_cache(maxsize=8)
def read(text: str | None) -> Edits:
    """Return the edits of the page, in its order; items of another form are passed over."""
    found = []
    for one in tier.parse(text or "").fragments:
        said = dict(one.fields)
        by = said.get(_REMOVED) or said.get(_CHANGED)
        if by is None:
            continue
        now = said.get(_NOW, one.text) if _CHANGED in said else None
        start = f"{_NOW} "
        fields = tuple((name.removeprefix(start), value) for name, value in one.fields if name.startswith(start))
        found.append(Edit(one.text, said.get(_KIND, "note"), one.addresses, now, fields, by, said.get(_NUMBER, "")))
    return Edits(tuple(found))


def append(text: str | None, edits: Iterable[Edit]) -> str:
    """Return the page with the edits at its end."""
    text = text or _HEAD
    newline = edit.newline(text)
    lead = "" if text.endswith("\n") else newline
    return text + lead + "".join(render(_fragment(one), newline) for one in edits)


def _fragment(one: Edit) -> Fragment:
    fields = [(_KIND, one.kind), (_NUMBER, one.number), (_REMOVED if one.is_removal else _CHANGED, one.by)]
    if one.now is not None:
        fields += [(_NOW, one.now), *((f"{_NOW} {name}", value) for name, value in one.fields)]
    return Fragment("note", one.before, one.addresses, "", tuple(fields))


def between(before: Sequence[Fragment], after: Sequence[Fragment], by: str, known: Edits) -> list[Edit]:
    """Return the edits that make the fragments of some files of the tiers into others.

    What only moved to another place or kind is no edit. What was taken out before and is back is one.
    """
    there = {(one.addresses, flat(one.text), one.fields) for one in after}
    was = {(one.addresses, flat(one.text), one.fields) for one in before}
    fresh = [one for one in after if (one.addresses, flat(one.text), one.fields) not in was]
    found: list[Edit] = []
    for old in before:
        if (old.addresses, flat(old.text), old.fields) in there:
            continue
        same = [one for one in fresh if old.identity in one.addresses]
        new = next((one for one in same if is_alike(one.text, old.text)), same[0] if same else None)
        if new:
            fresh.remove(new)
        if new and flat(new.text) == flat(old.text) and new.fields == old.fields:
            continue  # only its addresses are others
        found.append(_edit(old, new, by))
    gone = {address for one in known.all if one.is_removal for address in one.addresses}
    found += [_edit(one, one, by) for one in fresh if one.identity in gone]
    return found


def _edit(old: Fragment, new: Fragment | None, by: str) -> Edit:
    fields = new.fields if new else ()
    return Edit(flat(old.text), old.kind, old.addresses, flat(new.text) if new else None, fields, by, old.number)
