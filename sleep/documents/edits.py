"""`memory/edits.md`: what people changed in the tiers or took out of them, and so what journals no longer say.

Owns the form of the page, what an edit is (`between` two states of the tiers), and what the edits make of a fragment or
a line that a journal gives. A person's edit wins. Refuses to look into history: that is `changes`'.

    - Use flock for the lock [i2bfm.2]
      - kind: decision
      - changed: 2026-11-22 by Ann
      - now: Use fcntl for the lock
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.documents import tier
from sleep.documents.markdown import edit
from sleep.records.fragment import Fragment, flat, render
from sleep.records.kinds import is_record
from sleep.tuples import NamedTuple

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
        for known in self.all:
            if not _is_of(known, now.addresses, now.text, now.kind):
                continue
            gone = known.now is None
            if known.now is not None:
                now = now._replace(text=known.now, fields=known.fields)
        return None if gone else now

    def overruling(self, address: Address, words: str) -> Edit | None:
        """Return the last edit that changed or took out what a journal's line says under an address, or None."""
        last = None
        text = words
        for known in self.all:
            if _is_of(known, (address,), text, ""):
                last, text = known, known.now or text
        return None if last is None or last.now == last.before else last

    @property
    def removed_addresses(self) -> frozenset[Address]:
        """The addresses of all that was ever taken out, put back or not."""
        return frozenset(address for item in self.all if item.is_removal for address in item.addresses)

    def removed(self) -> frozenset[Address]:
        """Return the addresses of the records that people took out."""
        last = {item.addresses[0]: item for item in self.all if is_record(item.kind)}
        return frozenset(address for address, item in last.items() if item.is_removal)


def _is_of(item: Edit, addresses: Sequence[Address], words: str, kind: str) -> bool:
    """True for an edit of what has these addresses and words; a record is known by its address alone."""
    if is_record(item.kind) and (not kind or kind == item.kind):
        return item.addresses[0] in addresses
    return any(address in item.addresses for address in addresses) and is_alike(item.before, words)


def is_alike(text: str, other: str) -> bool:
    """True for two texts of which one holds nearly all words of the other."""
    words, others = ({word.casefold() for word in _WORD.findall(side)} for side in (text, other))
    least = min(len(words), len(others))
    return bool(least) and len(words & others) >= _SHARE * least


@lru_cache(maxsize=8)
def read(text: str | None) -> Edits:
    """Return the edits of the page, in its order; items of another form are passed over."""
    edits = []
    for fragment in tier.parse(text or "").fragments:
        values = dict(fragment.fields)
        by = values.get(_REMOVED) or values.get(_CHANGED)
        if by is None:
            continue
        now = values.get(_NOW, fragment.text) if _CHANGED in values else None
        start = f"{_NOW} "
        fields = tuple((name.removeprefix(start), value) for name, value in fragment.fields if name.startswith(start))
        edits.append(
            Edit(fragment.text, values.get(_KIND, "note"), fragment.addresses, now, fields, by, values.get(_NUMBER, ""))
        )
    return Edits(tuple(edits))


def append(text: str | None, edits: Iterable[Edit]) -> str:
    """Return the page with the edits at its end."""
    text = text or _HEAD
    newline = edit.newline(text)
    lead = "" if text.endswith("\n") else newline
    return text + lead + "".join(render(_fragment(item), newline) for item in edits)


def _fragment(item: Edit) -> Fragment:
    fields = [(_KIND, item.kind), (_NUMBER, item.number), (_REMOVED if item.is_removal else _CHANGED, item.by)]
    if item.now is not None:
        fields += [(_NOW, item.now), *((f"{_NOW} {name}", value) for name, value in item.fields)]
    return Fragment("note", item.before, item.addresses, "", tuple(fields))


def between(before: Sequence[Fragment], after: Sequence[Fragment], by: str, known: Edits) -> list[Edit]:
    """Return the edits that make the fragments of some files of the tiers into others.

    What only moved to another place or kind is no edit. What was taken out before and is back is one.
    """
    there, was = set(map(_content, after)), set(map(_content, before))
    fresh = [fragment for fragment in after if _content(fragment) not in was]
    edits: list[Edit] = []
    for old in before:
        if _content(old) in there:
            continue
        same = [fragment for fragment in fresh if old.identity in fragment.addresses]
        new = next((fragment for fragment in same if is_alike(fragment.text, old.text)), next(iter(same), None))
        if new:
            fresh.remove(new)
        if new and flat(new.text) == flat(old.text) and new.fields == old.fields:
            continue  # only its addresses are others
        edits.append(_edit(old, new, by))
    removed = known.removed_addresses
    return edits + [_edit(fragment, fragment, by) for fragment in fresh if fragment.identity in removed]


def _content(fragment: Fragment) -> tuple[tuple[Address, ...], str, tuple[tuple[str, str], ...]]:
    return fragment.addresses, flat(fragment.text), fragment.fields


def _edit(old: Fragment, new: Fragment | None, by: str) -> Edit:
    fields = new.fields if new else ()
    return Edit(flat(old.text), old.kind, old.addresses, flat(new.text) if new else None, fields, by, old.number)
