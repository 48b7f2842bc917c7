"""What may be told before it is known what holds, and how each thing is told.

Owns whether somebody here wrote something down, whether it holds no more, and what stands beside it. Refuses to gather
it: that is `candidates`'; and to choose: that is `selection`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents import entries
from sleep.documents.hand import subject
from sleep.records.fragment import SOURCE
from sleep.tuples import NamedTuple
from sleep.wake.journal_lines import line_fragments
from sleep.wake.outdated import expiry

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sleep.records.fragment import Fragment
    from sleep.wake.quality import Quality


class Stock(NamedTuple):
    """What may be told, before it is known what holds: records, other fragments, lines of journals, by index.

    `records` and `fragments` are how many there are of each; `year` is that of the newest day; `stating` are the
    indexes of lines that state a record, from the first line on.
    """

    records: int
    fragments: int
    instances: int
    year: int
    stating: Collection[int]
    outdated: expiry.Outdated
    write: Callable[[Fragment], str]

    def is_own(self, index: int, fragment: Fragment) -> bool:
        """Return whether it is a record that somebody here wrote down."""
        return index < self.records and not is_imported(fragment)

    def is_stated(self, index: int) -> bool:
        """Return whether it is a record, or the line that states one."""
        return index < self.records or index - self.fragments in self.stating

    def says_something(self, index: int, item: expiry.Item) -> bool:
        """Return whether it is no heading that only says what kind of thing stands below it, or when: `Key fixes`."""
        return item.line.form != "heading" or self.is_stated(index) or bool(subject.of_heading(item.line.text))

    def is_outdated(self, index: int, item: expiry.Item) -> bool:
        """Return whether it holds no more; what somebody here wrote down is told with what came since."""
        return not self.is_own(index, item.fragment) and index in self.outdated.since

    def is_old(self, index: int, item: expiry.Item, own: Quality) -> bool:
        """Return whether it tells what was so long ago, or was next then, and nobody here put it on record."""
        is_old = expiry.is_old(own, item, self.instances, is_stated=self.is_stated(index))
        return (is_old or index in self.outdated.plans) and not self.is_own(index, item.fragment)

    def retell(self, index: int, item: expiry.Item, text: str, *, is_old: bool = False) -> tuple[Fragment, str]:
        """Return what is told of something, and how it is written; `text` is how it would be as it stands."""
        is_own = self.is_own(index, item.fragment)
        record = self.outdated.retell(index, item.fragment, says_since=is_own)
        if is_old:
            record = line_fragments.of_its_time(record, self.year)
        elif self.is_stated(index) and not is_own:
            record = line_fragments.dated(record, item.kind, self.instances - 1 - item.line.instance, self.year)
        if record is item.fragment:
            return record, text
        if index < self.fragments:
            return record, self.write(record)
        is_cited = text == line_fragments.cited(item.fragment)
        return record, (line_fragments.cited if is_cited else line_fragments.item)(record)


def is_imported(fragment: Fragment) -> bool:
    """Return whether a document said it, and nobody here."""
    return entries.is_imported(fragment.field(SOURCE))
