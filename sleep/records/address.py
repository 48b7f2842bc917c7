"""Addresses and marks: how every idea in the memory points back to where it was said.

Owns the address of an entry (`i7qxk.12`: instance 7, whose tag is `qxk`, entry 12) and the mark that carries addresses
in text (`[i7qxk.12]`, in a journal also with kind and number: `[i7qxk.12 question Q-003]`). Refuses to guess: what does
not have the exact form is ordinary text.
"""

from __future__ import annotations

import re

from sleep.records.kinds import LETTERS, NOTICED, names
from sleep.tuples import NamedTuple

NUMBERED = f"[{LETTERS}]-[0-9]{{1,6}}"  # the number of a record
LAST_ORDINAL = 9_999_999
_COUNT = "(?:0|[1-9][0-9]{0,6})"  # no leading zero, no other script's digits: one address has one form
INSTANCE_ID = f"i{_COUNT}[a-z]{{3}}"
_ONE = rf"{INSTANCE_ID}\.{_COUNT}"
_ADDRESS = re.compile(rf"i({_COUNT})([a-z]{{3}})\.({_COUNT})")
_INSTANCE = re.compile(rf"i({_COUNT})([a-z]{{3}})")
# ASCII: an address that touches Chinese words stands apart from them.
_PARTS = re.compile(rf"\b{_ADDRESS.pattern}\b", re.ASCII)
_KIND = f"(?:{NOTICED} )?(?:{'|'.join(names())})"
_MARK_BODY = rf"\[({_ONE}(?: {_ONE})*)(?: ({_KIND}))?(?: ({NUMBERED}))?\]"
MARK = re.compile(_MARK_BODY)
MARK_AT_END = re.compile(_MARK_BODY + r"[ \t]*$")
NUMBER = re.compile(rf"\b([{LETTERS}])-([0-9]{{1,6}})\b", re.ASCII)


class InstanceId(NamedTuple):
    """An instance: its number and its random three-letter tag; `i7qxk` in text."""

    number: int
    tag: str

    def __str__(self) -> str:
        return f"i{self.number}{self.tag}"

    def entry(self, ordinal: int) -> Address:
        """Return the address of this instance's entry with that ordinal (from 1)."""
        return Address(self.number, self.tag, ordinal)


class Address(NamedTuple):
    """An entry: instance number, instance tag, ordinal from 1; `i7qxk.12` in text."""

    number: int
    tag: str
    ordinal: int

    @property
    def instance(self) -> InstanceId:
        """The instance that the entry belongs to."""
        return InstanceId(self.number, self.tag)

    def __str__(self) -> str:
        return f"i{self.number}{self.tag}.{self.ordinal}"


class Mark(NamedTuple):
    """What stands in the brackets: addresses, and in a journal the kind and the number where they were inferred.

    A record that was only noticed is of the kind `noticed decision`, without a number.
    """

    addresses: tuple[Address, ...]
    kind: str = ""
    number: str = ""

    def __str__(self) -> str:
        words = [*map(str, self.addresses)]
        words += [word for word in (self.kind, self.number) if word]
        return f"[{' '.join(words)}]"


def parse(text: str) -> Address | None:
    """Return the address that `text` is, or None."""
    match = _ADDRESS.fullmatch(text)
    return Address(int(match[1]), match[2], int(match[3])) if match else None


def parse_instance(text: str) -> InstanceId | None:
    """Return the instance that `text` (`i7qxk`) names, or None."""
    match = _INSTANCE.fullmatch(text)
    return InstanceId(int(match[1]), match[2]) if match else None


def addresses(text: str) -> list[Address]:
    """Return every address in `text`, in order, repeats included."""
    return [Address(int(number), tag, int(ordinal)) for number, tag, ordinal in _PARTS.findall(text)]


def mark_of(match: re.Match[str]) -> Mark:
    """Return the mark that a match of `MARK` is."""
    return Mark(tuple(addresses(match[1])), match[2] or "", match[3] or "")


def trailing_mark(text: str, own: int | None = None) -> tuple[str, Mark] | None:
    """Split a text that ends in a mark into the text before it (right-stripped) and the mark; None without one.

    In the journal of the instance of a number (`own`) the address of another one refers to what was said there.
    """
    start = text.rfind("[i")
    if start < 0 or not (match := MARK_AT_END.match(text, start)):
        return None
    mark = mark_of(match)
    return None if own not in (None, mark.addresses[0].number) else (text[:start].rstrip(), mark)


def number_of(text: str) -> tuple[str, int] | None:
    """Return the letter and count of `D-014`, or None."""
    match = NUMBER.fullmatch(text.strip().upper())
    return (match[1], int(match[2])) if match else None


def number(letter: str, count: int) -> str:
    """Return a record number as people read it: letter `D` and count 14 give `D-014`."""
    return f"{letter}-{count:03d}"
