"""Which names a memory has used lately, and so what the next reader is likely to look for.

Owns reading them from a view: the last instances' from their journals, earlier ones' from what the tiers have of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents import entries, journal, paths
from sleep.language import salience
from sleep.language.salience import Spoken
from sleep.memo import memo

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.language.salience import Worths
    from sleep.memory.view import View
    from sleep.records.address import Address, InstanceId
    from sleep.records.fragment import Fragment


_MARKER = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)")
# Where an entry is from: it says nothing itself.
_WHENCE = re.compile(
    r"- (?:source: (?:person|agent|tool \(untrusted\))|time: \d{4}-\d\d-\d\dT\S+|transcript: \S+|stands in: \S+)$"
)
_READ = 3  # journals: to read more of them costs time, and the tiers tell nearly as well


def recent_weights(view: View, instance: InstanceId) -> Worths:
    """Return what names and pairs of names are worth after an instance: what a step of its sleep goes by."""
    journals = [path for path in view.journals if (paths.journal_number(path) or 0) <= instance.number]
    lines = _lines(view, journals[-_READ:], view.placed("memory/hot/", paths.WARM))
    return salience.weigh(lines, spoken=view.shared(Spoken))


def wake_weights(view: View, placed: Iterable[tuple[str, Fragment]]) -> Worths:
    """Return what names and pairs of names are worth to whoever wakes, by all journals and fragments of the tiers."""
    return salience.weigh(_lines(view, view.journals, placed), salience.Returns)


def _lines(view: View, journals: Iterable[str], placed: Iterable[tuple[str, Fragment]]) -> Mapping[int, Sequence[str]]:
    """Return the lines of each instance by its number: of its journal, where that is read, else of its fragments."""
    lines: dict[int, list[str]] = {}
    for path in journals:
        if number := paths.journal_number(path):  # which two may have
            lines.setdefault(number, []).extend(lines_of(view.read(path) or ""))
    read = frozenset(lines)
    for _, fragment in placed:
        for number in _numbers(fragment.addresses):
            if number not in read:
                lines.setdefault(number, []).append(fragment.text)
    return lines


def _numbers(addresses: Sequence[Address]) -> Iterable[int]:
    """Return the numbers of the instances that said something, mostly one."""
    return (addresses[0].number,) if len(addresses) == 1 else {address.number for address in addresses}


@memo(1 << 4, tuple)  # a wake asks it of all journals
def lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a journal that say something, without list markers and marks."""
    _, rows = journal.lines_of(text)
    words_of = (row.words for row in rows if row.mark or not (_WHENCE.match(row.words) or entries.is_end(row.words)))
    return tuple(words for row in words_of if (words := _MARKER.sub("", row, count=1).strip()))
