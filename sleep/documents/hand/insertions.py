"""Insertions: the marks that are put into a journal, and the numbers of its records.

Owns what becomes of a mark when the whole log is known: what later lines tell anew is a note where it stood first, and
so is what was only noticed and they settle. Refuses to say where a mark goes and of which kind a piece is.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sleep.documents.hand import later_lines
from sleep.documents.markdown.edit import Edit
from sleep.records import address as addressing
from sleep.records.address import Mark
from sleep.records.kinds import KINDS, stated
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.documents.hand.later_lines import Line
    from sleep.records.address import Address

MOST_NOTICED = 2  # records of one log that are noticed, at most


class _Put(NamedTuple):
    """A mark to be put in: where, with which address, the kind that it names, and the kind that gives it a number.

    `rank` is how likely something that was only noticed is what it names.
    """

    at: int
    address: Address
    label: str
    kind: str
    rank: float = 0.0


class Insertions:
    """What is put into one journal; `used` is, by letter, the highest record number in use."""

    def __init__(self, used: Mapping[str, int]) -> None:
        self._used = Counter(used)
        self._texts: list[Edit] = []
        self._puts: list[_Put] = []
        self._lines: list[tuple[Line, int]] = []  # each with the place of its mark

    def text(self, at: int, text: str) -> None:
        """Put in a text."""
        self._texts.append(Edit(at, at, text))

    def line(self, line: Line) -> None:
        """Keep a line of the log, whose mark comes next."""
        self._lines.append((line, len(self._puts)))

    def mark(self, at: int, address: Address, label: str, kind: str, rank: float) -> None:
        """Put in a mark that names a `label`, with a number of its `kind` where that has one."""
        self._puts.append(_Put(at, address, label, kind, rank))

    def fold(self) -> None:
        """Make notes of what later lines tell anew or settle; what was stated once is stated where it is told anew."""
        lines = [line for line, _ in self._lines]
        anew = later_lines.told_anew(lines)
        for index in sorted({*anew, *later_lines.settled(lines)}):
            place = self._lines[index][1]
            put = self._puts[place]
            is_stated = put.kind == stated(put.kind)
            if index in anew and is_stated:
                newer = self._lines[anew[index]][1]
                kind = stated(self._puts[newer].kind)
                self._puts[newer] = self._puts[newer]._replace(label=kind, kind=kind)
            if index in anew or not is_stated:
                self._puts[place] = put._replace(label="", kind="note")

    def bound(self) -> None:
        """Make notes of what was only noticed, but for the likeliest few: of equals the first."""
        asked = [place for place, put in enumerate(self._puts) if put.kind != stated(put.kind)]
        for place in sorted(asked, key=lambda place: -self._puts[place].rank)[MOST_NOTICED:]:
            self._puts[place] = self._puts[place]._replace(label="", kind="note")

    def edits(self) -> list[Edit]:
        """Return all of them as edits, in order."""
        return sorted((*self._texts, *map(self._edit, self._puts)), key=lambda made: made.start)

    def _edit(self, put: _Put) -> Edit:
        return Edit(put.at, put.at, f" {Mark((put.address,), put.label, self._number(put.kind))}")

    def _number(self, kind: str) -> str:
        letter = KINDS[kind].letter if kind in KINDS else ""
        self._used[letter] += 1
        return addressing.number(letter, self._used[letter]) if letter else ""
