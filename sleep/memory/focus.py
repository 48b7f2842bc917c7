"""What a memory has been speaking of lately, and so what whoever comes next is likely to look for.

Owns reading it from a view: the last instances in their journals, those before in what is left of them in the tiers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.documents import entries, front_matter, journal, paths
from sleep.documents.markdown import lines
from sleep.language import salience
from sleep.records import address as addressing
from sleep.records.kinds import KINDS, noticed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.memory.view import View
    from sleep.records.address import Address, InstanceId, Mark
    from sleep.records.fragment import Fragment


_MARKER = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)")
# Where an entry is from: it says nothing itself.
_WHENCE = re.compile(
    r"- (?:source: (?:person|agent|tool \(untrusted\))|time: \d{4}-\d\d-\d\dT\S+|transcript: \S+|stands in: \S+)$"
)
_READ = 3  # journals: to read more of them costs time, and the tiers tell nearly as well


def lately(view: View, instance: InstanceId) -> dict[str, float]:
    """Return what names and pairs of names are worth after an instance: what a step of its sleep goes by."""
    journals = [path for path in view.journals if (paths.journal_number(path) or 0) <= instance.number]
    return heard(view, journals[-_READ:], view.placed("memory/hot/", paths.WARM))


def heard(view: View, journals: Iterable[str], placed: Iterable[tuple[str, Fragment]]) -> dict[str, float]:
    """Return what each name and pair of names is worth; see `salience.heard`.

    Args:
        view: the memory.
        journals: the paths of the journals that are read themselves.
        placed: fragments of the tiers, which tell of the other instances.
    """
    said = {
        number: [line.text for line in spoken(view, path)]
        for path in journals
        if (number := paths.journal_number(path))
    }
    read = frozenset(said)
    for _, one in placed:
        for number in sorted({address.number for address in one.addresses} - read):
            said.setdefault(number, []).append(one.text)
    return salience.heard([said[number] for number in sorted(said, reverse=True)])


class Spoken(NamedTuple):
    """A line of a journal: its words without list marker and mark, the address of its entry, and the journal's day.

    There is no address in a record's entry: its register tells what it says.
    """

    text: str
    address: Address | None
    when: str


def spoken(view: View, path: str) -> Sequence[Spoken]:
    """Return the lines of a journal that say something, code left out."""
    return view.of(path, _spoken)


def _spoken(text: str) -> Sequence[Spoken]:
    try:
        head = front_matter.read(text)
        start, when = head.body, journal.when(head.fields)
    except ValueError:
        start, when = 0, ""
    rows = [row.words for row in lines.split(text[start:])]
    fenced = lines.code(rows)
    found: list[Spoken] = []
    heads: list[Spoken] = []
    address: Address | None = None
    for index, row in enumerate(rows):
        if index in fenced or not row.strip() or _WHENCE.match(row) or entries.is_end(row):
            continue
        mark = addressing.trailing_mark(row)
        if mark:
            row = mark[0]  # noqa: PLW2901  # what the mark is taken from
            address = None if _is_record(mark[1]) else mark[1].addresses[0]
            found += [one._replace(address=address) for one in heads]
            heads = []
        elif row.startswith("#"):
            address = None
        if words := _MARKER.sub("", row, count=1).strip():
            # A heading without a mark has the address of what stands first under it.
            (heads if row.startswith("#") and not mark else found).append(Spoken(words, address, when))
    return [*found, *heads]


def _is_record(mark: Mark) -> bool:
    kind = KINDS.get(noticed(mark.kind))
    return bool(mark.number) or bool(kind and kind.is_record)
