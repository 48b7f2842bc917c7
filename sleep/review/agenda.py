"""What waits for a word: records that were only noticed, changes of mind, contradictions, decisions that are due.

Owns the list and its order, and the list of what has long stood open, which is asked for by itself. Refuses to settle
anything: that is `judgement`'s.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sleep.documents import paths
from sleep.documents.register import Record
from sleep.language import dates, tokens
from sleep.memory import noticed
from sleep.memory.by_project import project_names
from sleep.plurals import several
from sleep.records import revisit
from sleep.records.kinds import BINDING
from sleep.records.relations import oppositions
from sleep.review import stale as stale_records
from sleep.review import tensions
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.memory.by_project.project_names import Projects
    from sleep.memory.groups import Keys
    from sleep.memory.view import View
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment
    from sleep.review.tensions import Tension

CHANGE, CONTRADICTION, DUE, NOTICED, STALE = "change of mind", "contradiction", "due", "noticed", "stale"
SORTS = (CHANGE, CONTRADICTION, DUE, NOTICED)
_SILENT = "nothing has come back to it since"


class Item(NamedTuple):
    """One thing that waits: the record it is about, where it stands, what it is at odds with, and why it is asked."""

    sort: str
    fragment: Fragment
    path: str
    against: tuple[Fragment, ...] = ()
    why: str = ""


def items(view: View, most: int, now: str) -> list[Item]:
    """Return what waits, what contradicts first; of what was noticed at most so many."""
    asked = noticed.waiting(view, most)
    pairs = _tensions(view, asked)
    places = {record.fragment.identity: record.path for record in (*_open(view, _binds), *asked)}
    listed = [_item(pair, places[pair.newer.identity]) for pair in pairs]
    listed += dues(view, now)
    at_odds = {item.fragment.identity for item in listed}
    listed += [
        Item(NOTICED, record.fragment, record.path) for record in asked if record.fragment.identity not in at_odds
    ]
    return sorted(listed, key=lambda item: SORTS.index(item.sort))


def stale(view: View, days: int, now: str, before: str = "") -> list[Item]:
    """Return what has long stood open: nothing came back to it for so many days, and none since `before` (ISO)."""
    return [
        Item(STALE, each.record.fragment, each.record.path, (), f"{_SILENT} {dates.spoken(each.since)}")
        for each in stale_records.find(view, days, now)
        if not before or each.since < before
    ]


def stale_sentence(listed: Sequence[Item]) -> str:
    """Return how many have long stood open, by kind: `3 stale: 2 tasks, 1 question`; "" for none."""
    counts = Counter(item.fragment.kind for item in listed)
    kinds = ", ".join(several(number, kind) for kind, number in counts.most_common())
    return f"{len(listed)} {STALE}: {kinds}" if kinds else ""


def count(listed: Sequence[Item]) -> tuple[tuple[str, int], ...]:
    """Return how many wait, by sort; what nothing waits of is left out."""
    counts = ((sort, sum(item.sort == sort for item in listed)) for sort in SORTS)
    return tuple(pair for pair in counts if pair[1])


def sentence(listed: Sequence[Item]) -> str:
    """Return how many wait: `4 wait for review: 1 contradiction, 3 noticed`; "" for none."""
    names = [f"{number} {plural(sort, number)}" for sort, number in count(listed)]
    return f"{len(listed)} {'waits' if len(listed) == 1 else 'wait'} for review: {', '.join(names)}" if names else ""


def pressing(listed: Sequence[Item]) -> list[str]:
    """Return in a phrase each what contradicts and what is due: `D-004 contradicts D-002`."""
    return [phrase(item) for item in listed if item.sort in (CONTRADICTION, DUE)]


def stated(view: View, now: str, number: int, projects: Projects = tensions.NOWHERE) -> list[Item]:
    """Return what waits of stated records alone, once an instance has slept: what contradicts, and what is due.

    What journals behind its own say is not looked at: a sleep on many tells after each what a sleep on it alone would.
    """
    changed = view.moved_until(number)
    binding = {record.fragment.identity: record for record in _open(view, _binds, changed)}
    stating = [record.fragment for record in binding.values()]
    pairs = tensions.tensions(stating, view.shared(tensions.Compared), projects)
    return [*(_item(pair, binding[pair.newer.identity].path) for pair in pairs), *dues(view, now, changed)]


def phrase(item: Item) -> str:
    """Return what is asked of a record in a phrase."""
    if item.sort == DUE:
        return f"{item.fragment.handle} {revisit.DUE}: {item.why}"
    others = ", ".join(side.handle for side in item.against)
    return f"{item.fragment.handle} {revisit.AT_ODDS} {others} ({item.why})"


def plural(sort: str, number: int) -> str:
    """Return the name of what so many of a sort are called: `2 contradictions`."""
    plurals = {CHANGE: "changes of mind", CONTRADICTION: "contradictions"}
    return plurals.get(sort, sort) if number > 1 else sort


def _tensions(view: View, asked: Sequence[Record]) -> list[Tension]:
    """Return what is at odds among records that bind, and what was noticed since that says otherwise."""
    binding = [record.fragment for record in _open(view, _binds)]
    since = [record.fragment for record in asked if record.fragment.stated_kind in BINDING]
    pairs = tensions.tensions([*binding, *since], projects=project_names.current(view))
    return [pair for pair in pairs if not pair.older.is_noticed]


def _binds(record: Fragment) -> tuple[bool, ...]:
    """Return whether a record of a kind that binds is open; nothing of another."""
    return (record.is_open,) if record.kind in BINDING else ()


def _is_conditional(record: Fragment) -> tuple[bool, ...]:
    """Return whether a record with a condition to look at it again is open; nothing of another."""
    return (record.is_open,) if record.is_record and record.field(revisit.CONDITION) else ()


def _open(view: View, keys: Keys, changed: Mapping[Address, Record] | None = None) -> list[Record]:
    """Return the open records of which a function tells whether they are, as journals not slept on leave them.

    `changed` are the records that these add and move; all of them if it is None.
    """
    records: dict[Address, Record] = {}
    closed: set[Address] = set()
    for folder in paths.FOLDERS:
        groups = view.by(folder, keys)
        records |= {fragment.identity: Record(fragment, path) for path, fragment in groups.of(True)}
        closed |= {fragment.identity for _, fragment in groups.of(False)}
    changed = view.moved if changed is None else changed
    if not closed.isdisjoint(records):  # one stands twice: the last place tells
        records = changed = view.records
    others = [record for at, record in records.items() if at not in changed]
    return [*others, *(record for record in changed.values() if keys(record.fragment) == (True,))]


def _item(pair: Tension, path: str) -> Item:
    sort = CHANGE if pair.newer.is_noticed or pair.how == oppositions.REVERSAL else CONTRADICTION
    return Item(sort, pair.newer, path, (pair.older,), pair.how)


def dues(view: View, now: str, changed: Mapping[Address, Record] | None = None) -> list[Item]:
    """Return the decisions that are due to be looked at again; `changed` as in `_open`."""
    records = {record.fragment: record.path for record in _open(view, _is_conditional, changed)}
    slept = [cycle.instance.number for cycle in view.cycles]
    return [
        Item(DUE, due.fragment, records[due.fragment], (), f"revisit when {due.condition} ({due.why})")
        for due in tensions.due(tuple(records), lambda: _size(view), slept, now)
    ]


def _size(view: View) -> int:
    return sum(tokens.count(view.read(path) or "") for path in view.files(paths.MEMORY))
