"""What came of records that are closed: the answer, the outcome or the reason, as a line of the journal that says it.

Owns how that is told: `Which port is it? (answered: 4711)`. Left out is what a document said, and a record whose place
another one took: that one is told. Owns too which records were moved, also those that cold memory dropped. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents import entries, paths
from sleep.records import address as addressing
from sleep.records.fragment import SOURCE
from sleep.records.kinds import KINDS, event_record
from sleep.wake import quality
from sleep.wake.journal_lines import line_text
from sleep.wake.journal_lines.excerpt import Excerpt
from sleep.wake.quality import SourceLine

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.records.address import Address
    from sleep.records.fragment import Fragment


def lines(fragments: Iterable[Fragment], journals: Sequence[tuple[str, Excerpt]]) -> list[tuple[str, Excerpt]]:
    """Return a line for each record that was closed with words, with the path of the journal that closed it."""
    days = {line.address.instance: (path, line.when) for path, line in journals if line.address}
    of_number = {paths.journal_number(path): (path, line.when) for path, line in journals}
    excerpts = []
    for record in filter(_says_why, fragments):
        last = record.addresses[-1]
        path, when = days.get(last.instance) or of_number.get(last.number, ("", ""))
        if path:
            text = f"{line_text.cut(line_text.plain(record.text))} ({record.state}: {line_text.cut(record.reason)})"
            line = SourceLine(text, 0, place=quality.NO_OPENING, form="item")
            excerpts.append((path, Excerpt(text, line, last, when)))
    return excerpts


def moved(journals: Iterable[tuple[str, Excerpt]]) -> set[Address]:
    """Return the addresses of records that events in journals move: one that no tier has any more is over."""
    events = (line.line.text for _, line in journals if event_record(line.kind))
    return {address for text in events for address in addressing.addresses(text)}


def _says_why(record: Fragment) -> bool:
    if not record.is_record or record.is_open or not record.reason or entries.is_imported(record.field(SOURCE)):
        return False
    return any(move.to == record.state and move.says != "by" for move in KINDS[record.kind].moves)
