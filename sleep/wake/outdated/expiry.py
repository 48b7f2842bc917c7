"""Outdated: what of a memory holds no more, told by what was said later, by a day that is past, or by its age.

Owns which lines and fragments are compared, where each was said, and what is written beside a record that stays. What
a later line has taken the place of is told by `successors`, `versions`; what has another name now, by `renames`.
Refuses to end what is meant to last (a rule, a choice, what was learnt) because a state changed, and to hide what
somebody here put on record: that is told with what came since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.language import dates
from sleep.records import kinds
from sleep.tuples import NamedTuple
from sleep.wake.journal_lines import excerpt, line_text
from sleep.wake.outdated import handoffs, renames, successors

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from sleep.memory.view import View
    from sleep.records.address import Address, InstanceId
    from sleep.records.fragment import Fragment
    from sleep.wake.journal_lines.excerpt import Excerpt
    from sleep.wake.quality import Quality, SourceLine

SINCE = "since then"
_OLD = 0.25  # of the instances, the newest: what an older line says of its own time holds no more,
_RECENT = 2  # unless so few are newer


class Item(NamedTuple):
    """What may be shown: its fragment, its kind ("" for none), and the line that it is judged by."""

    fragment: Fragment
    kind: str
    line: SourceLine


class Outdated(NamedTuple):
    """By index: what was said since of what holds no more, "" where only its day is past; and names that are old now.

    `names` has what the thing is called now by each old name, `plans` what an older log said was next.
    """

    since: Mapping[int, str]
    names: Mapping[int, Mapping[str, str]]
    plans: Collection[int]

    def retell(self, index: int, fragment: Fragment, *, says_since: bool) -> Fragment:
        """Return what is told of something: with the present names in it, a record also with what was said since."""
        since = self.since.get(index, "") if says_since else ""
        text = renames.tell(fragment.text, self.names[index]) if index in self.names else fragment.text
        named = fragment._replace(text=text) if text != fragment.text else fragment
        return named.with_field(SINCE, line_text.cut(line_text.plain(since))) if since else named


def find(
    view: View, items: Sequence[Item], journals: Iterable[tuple[str, Excerpt]], rarity: Mapping[str, float]
) -> Outdated:
    """Return what holds no more, and what speaks of something under an old name."""
    spoken = {line.address: line.line for _, line in journals if line.address}
    placed = [_placed(each, spoken) for each in items]
    lasting = frozenset(index for index, each in enumerate(items) if each.kind in kinds.LASTING)
    days = _days(view)
    links = successors.find(placed, rarity, days, lasting)
    today = max((dates.order(each.fragment.when) for each in items), default=(0, 0, 0))
    over = {
        index: ""
        for index, each in enumerate(items)
        if successors.is_over(each.fragment.text, each.fragment.when, today)
    }
    journaled = {  # a line that a person put into a tier is nobody's handoff
        index: each for index, each in enumerate(items) if not spoken.keys().isdisjoint(each.fragment.addresses)
    }
    over |= dict.fromkeys(handoffs.replaced(journaled), "")
    since = over | {index: items[newer].fragment.text for index, newer in links.items()}
    numbers = {view.instance_of(path): age for age, path in enumerate(view.journals)}
    ages = [_ages(each, numbers) for each in items]
    return Outdated(since, renames.find(placed), handoffs.older_plans(placed, ages, days))


def _ages(each: Item, numbers: Mapping[InstanceId | None, int]) -> set[int]:
    """Return the instances, by age, that say something: of a record that was said again several."""
    own = (numbers.get(address.instance) for address in each.fragment.addresses)
    return {age for age in own if age is not None} or {each.line.instance}


def _placed(each: Item, spoken: Mapping[Address, SourceLine]) -> SourceLine:
    """Return the line that something is judged by, of a fragment where it was said, below the heading there."""
    lines = (spoken[address] for address in each.fragment.addresses if address in spoken)
    line = next(lines, None)
    if each.line.heading or line is None:
        return each.line
    return line._replace(text=each.line.text, instance=each.line.instance, kind=each.line.kind)


def _days(view: View) -> dict[int, str]:
    """Return the day of each instance that a document was taken in as, by age: of these no more is known."""
    days = {
        age: excerpt.day(view.read(path) or "")
        for age, path in enumerate(view.journals)
        if (instance := view.instance_of(path)) and view.is_import(instance)
    }
    return {age: day for age, day in days.items() if day}


def is_old(own: Quality, item: Item, instances: int, *, is_stated: bool) -> bool:
    """Return whether something tells only what was so when it was said, and that long ago.

    A rule, a choice and a dead end that somebody stated end by no word of time.
    """
    newer = instances - 1 - item.line.instance
    is_lasting = is_stated and item.kind in kinds.LASTING
    return own.is_volatile and not is_lasting and newer > max(_RECENT, instances * _OLD)
