"""Fragments: one idea on one list item, the unit of memory.

Owns the value and its one written form. Refuses to choose among fragments: that is compression's.

    - **D-014** Use flock for the lock. [i7qxk.2]
      - why: filelock costs 4.9 times a bare start
      - alternatives: filelock; portalocker
"""

from __future__ import annotations

import re
from itertools import accumulate

from sleep.records import address as addressing
from sleep.records.address import Address, InstanceId, Mark
from sleep.records.kinds import KINDS, NOTICED, standing, stated
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

NUMBERED = re.compile(rf"\*\*({addressing.NUMBERED})\*\* ?")
# A text of its own that starts like a number is written with one backslash more.
_ESCAPED = re.compile(rf"\\*\*\*{addressing.NUMBERED}\*\*")
_FIELD = re.compile(r"- ([^\s:][^:]*):(?: +(.*))?$", re.DOTALL)
_OPEN = frozenset(kind.name for kind in KINDS.values() if kind.states and kind.is_open(kind.born))  # as they begin
_RECORDS = frozenset(kind.name for kind in KINDS.values() if kind.is_record)
_SPACE = re.compile(r"[ \t\r\n\f\v\x1c-\x1f\x85\u2028\u2029]+")
STATUS = "status"
SOURCE = "source"  # who said a record: see `entries.Entry`
QUOTATION, TRANSCRIPT = "quotation", "transcript"  # the words that something was noticed in, and where they stand
# What a newer fragment says in another's place, and which that was; the value is an address.
SUPERSEDED_BY, SUPERSEDES = "superseded by", "supersedes"
ALSO = "also"  # the numbers of records that said the same, and are one with it: `D-040, D-052`


class Fragment(NamedTuple):
    """One idea.

    `text` is one line without number and mark. `fields` are (name, value) pairs in order, values one line each. A
    record has a `number` (`D-014`; doubts and constraints have none) and, unless it is in its first state, a `status`
    field such as `paused (waiting for review)`. `when` is the day it was said on (`8 May 2023`), "" where none is
    known; in a tier it heads the fragments of that day.
    """

    kind: str
    text: str
    addresses: tuple[Address, ...]
    number: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    when: str = ""

    def field(self, name: str) -> str:
        """Return the field of that name, or ""."""
        return next((value for key, value in self.fields if key == name), "")

    def with_field(self, name: str, value: str) -> Fragment:
        """Return the fragment with the field set (or, for "", removed)."""
        value = flat(value)
        rest = tuple((key, old) for key, old in self.fields if key != name)
        return self._replace(fields=(*rest, (name, value)) if value else rest)

    @property
    def all_words(self) -> str:
        """The text and the values of the fields, a line each."""
        return "\n".join((self.text, *(value for _, value in self.fields)))

    def with_addresses(self, *others: Fragment) -> Fragment:
        """Return the fragment with the addresses of others added."""
        added = (address for other in others for address in other.addresses)
        return self._replace(addresses=tuple(dict.fromkeys((*self.addresses, *added))))

    @property
    def identity(self) -> Address:
        """The address of the entry that created the fragment."""
        return self.addresses[0]

    @property
    def handle(self) -> str:
        """What a person calls it: the number where there is one, else the address."""
        return self.number or str(self.identity)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers that lead to it: its own, and those of records that are one with it."""
        also = self.field(ALSO).split(", ") if self.fields else ()
        return tuple(filter(None, (self.number, *also)))

    @property
    def state(self) -> str:
        """The record's state; "" for prose."""
        kind = KINDS.get(self.kind)
        if kind is None or not kind.states:
            return ""
        if not self.fields:  # as of most: this is asked of every fragment of a tier
            return kind.born
        word = self.field(STATUS).split(" ", 1)[0]
        return word if word in kind.states else kind.born

    @property
    def reason(self) -> str:
        """What the status says beside the state, without the brackets."""
        return self.field(STATUS).partition(" ")[2].strip().removeprefix("(").removesuffix(")")

    @property
    def is_open(self) -> bool:
        """True for a record that still binds."""
        for name, _ in self.fields:  # without a generator: this is asked of all of a tier, and most have no status
            if name == STATUS:
                kind = KINDS.get(self.kind)
                return kind is not None and bool(kind.states) and kind.is_open(self.state)
        return self.kind in _OPEN

    @property
    def is_record(self) -> bool:
        """True for what has a state, which no ratio touches."""
        return self.kind in _RECORDS

    @property
    def standing(self) -> str:
        """Whether it was `stated` or only `noticed`."""
        return standing(self.kind)

    @property
    def stated_kind(self) -> str:
        """The kind of record that it is, or would be."""
        return stated(self.kind)

    @property
    def is_noticed(self) -> bool:
        """True for what would be a record if somebody had stated it."""
        return standing(self.kind) == NOTICED  # asked of all of a tier, as `is_asked` is

    @property
    def is_asked(self) -> bool:
        """True for what was noticed and says who said it: kept whole for some cycles, while it waits for a word."""
        return bool(self.fields) and self.is_noticed and any(name == SOURCE for name, _ in self.fields)

    @property
    def is_held(self) -> bool:
        """True for a record that stays hot at any age: it binds, and is of no kind that cools."""
        return self.is_open and not KINDS[self.kind].cools

    @property
    def cools(self) -> bool:
        """True for a record that binds and leaves hot memory all the same: a decision that stands."""
        return self.is_open and KINDS[self.kind].cools

    @property
    def is_superseded(self) -> bool:
        """True for prose of which a newer fragment tells what has changed since."""
        return any(name == SUPERSEDED_BY for name, _ in self.fields)

    @property
    def instances(self) -> frozenset[InstanceId]:
        """The instances that the addresses name."""
        return frozenset(address.instance for address in self.addresses)


def flat(text: str) -> str:
    """Return the text on one line: runs of white space, newlines included, become one space."""
    if text.isprintable() and "  " not in text:  # as nearly all are: half of reading a tier was this
        return text.strip()
    return _SPACE.sub(" ", text).strip()


def render(fragment: Fragment, newline: str = "\n") -> str:
    """Return the list item, with its final newline; a field without a value is left out."""
    text = flat(fragment.text)
    if fragment.number:
        text = f"**{fragment.number}** {text}"
    elif _ESCAPED.match(text):
        text = f"\\{text}"
    lines = [f"- {text} {Mark(fragment.addresses)}"]
    lines += [f"  - {name}: {words}" for name, value in fragment.fields if (words := flat(value))]
    return newline.join(lines) + newline


def parse_item(lines: Sequence[str], kind: str) -> Fragment | None:
    """Return the fragment that the lines of one list item are, or None if it carries no address.

    `lines[0]` starts with the marker; deeper lines are fields (`- name: value`) or go on with the text or the field
    before them, behind the mark too, so that what a person adds to an item stays with it.
    """
    head = [lines[0][2:]]
    fields: list[tuple[str, str]] = []
    for line in lines[1:]:
        words = line.strip()
        if match := _FIELD.match(words):
            fields.append((match[1].strip(), match[2] or ""))
        elif fields:
            fields[-1] = (fields[-1][0], f"{fields[-1][1]} {words}")
        else:
            head.append(words)
    split = _at_line_end([flat(line) for line in head])
    if split is None:
        return None
    text, mark = split
    number = ""
    if match := NUMBERED.match(text):
        number, text = match[1], text[match.end() :]
    elif _ESCAPED.match(text):
        text = text[1:]
    values = ((name, flat(value)) for name, value in fields)
    return Fragment(kind, text, mark.addresses, number, tuple(field for field in values if field[1]))


def _at_line_end(lines: list[str]) -> tuple[str, Mark] | None:
    """Return the text without the last mark that ends a line, and that mark."""
    if len(lines) == 1:  # as nearly all are
        start = lines[0].rfind("[i")
        last = addressing.MARK.match(lines[0], start) if start >= 0 else None
        at_end = last is not None and last.end() == len(lines[0])
        return (lines[0][:start].strip(), addressing.mark_of(last)) if last and at_end else None
    text = " ".join(lines)
    ends = set(accumulate(len(line) + 1 for line in lines))
    last_marks = [mark for mark in addressing.MARK.finditer(text) if mark.end() + 1 in ends]
    if not last_marks:
        return None
    return flat(f"{text[: last_marks[-1].start()]} {text[last_marks[-1].end() :]}"), addressing.mark_of(last_marks[-1])
