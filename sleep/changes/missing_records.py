"""What is missing: records of slept journals that no tier has, and moves of records that were not made.

Owns the comparison of journals with tiers. A tier must have a record while it binds, in the state of its last move, and
something of each instance that was slept on lately. Refuses to know why something is missing, which history says
(`removal`), and to change anything. Only the journals that name something missing are parsed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.compression import segments
from sleep.documents import register
from sleep.errors import DocumentError, MoveError
from sleep.memory import late_moves
from sleep.records import address as addressing
from sleep.records.fragment import STATUS
from sleep.records.kinds import KINDS, RECORDS, event_record, is_record
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sleep.documents.entries import Entry
    from sleep.memory.view import View
    from sleep.records.address import Address, InstanceId
    from sleep.records.fragment import Fragment

RECORD, MOVE = "record", "move"
_SAYING = ("answer", "by")  # what is told with a move and is more than how it came to be
_KINDS = "|".join(re.escape(kind.name) for kind in RECORDS)
_LABEL = re.compile(rf"[\s#>*_+-]*(?:\[[ xX]\] )?[*_]*(?:open )?(?:{_KINDS})s?\b", re.IGNORECASE)


class Missing(NamedTuple):
    """What a journal says and no tier has: a record, or the last move of one that stands.

    `address` is that of the entry, `journal` its path, and `fragment` the record as it should stand.
    """

    what: str
    address: Address
    journal: str
    fragment: Fragment


class Refused(NamedTuple):
    """A move that was journaled and cannot be made: its entry's address, the journal, and why not."""

    address: Address
    journal: str
    why: str


class Gaps(NamedTuple):
    """All that is missing.

    `bare` are the paths of slept journals of which no tier has anything though one should; `without_journal` are the
    instances that were slept on and whose journal is gone.
    """

    missing: tuple[Missing, ...] = ()
    refused: tuple[Refused, ...] = ()
    bare: tuple[str, ...] = ()
    without_journal: tuple[InstanceId, ...] = ()


class _SleptJournal(NamedTuple):
    """A journal that was slept on: its path and instance, and the tokens that it left in hot memory then."""

    path: str
    instance: InstanceId
    after: int


class Scope(NamedTuple):
    """Where to look: of all journals for the addresses that stood in tiers lately, and all that some journals say."""

    stood: frozenset[str]
    journals: frozenset[str]


def find(view: View, recent: int, scope: Scope | None = None) -> Gaps:
    """Return what slept journals say and the tiers lack.

    Args:
        view: the memory.
        recent: of how many of the last instances prose stays in hot memory; of an older one it may all be gone.
        scope: where to look; None looks everywhere.
    """
    slept, gone = _slept_journals(view)
    placed = view.placed()
    standing = {address: fragment for _, fragment in placed if fragment.is_record for address in fragment.addresses}
    names = {str(address) for address in standing}
    suspects = {journal.path: named for journal in slept if (named := _suspects_in(view, journal, names, scope))}
    every = frozenset[str]().union(*suspects.values())
    replay = _replay(view, slept if suspects else [], suspects, standing)
    missing, refused = list(replay.missing(every)), list(replay.refused(every))
    journals = {gap.journal for gap in missing if gap.what == RECORD}
    absent = _journals_without_trace(slept, placed)
    lately = _recent_instances(view, recent)
    bare = [
        journal.path
        for journal in absent
        if journal.path in journals
        or (journal.instance in lately and journal.after > 0 and not _is_judged(view, journal.instance))
    ]
    return Gaps(tuple(missing), tuple(refused), tuple(bare), gone)


def _is_judged(view: View, instance: InstanceId) -> bool:
    """Return whether somebody judged what an instance noticed: what was rejected of it stands nowhere."""
    return any(address.instance == instance for address in view.verdicts(view.journals))


def _journals_without_trace(
    slept: Sequence[_SleptJournal], placed: Iterable[tuple[str, Fragment]]
) -> list[_SleptJournal]:
    """Return the journals of which no tier has anything."""
    there = {instance for _, fragment in placed for instance in fragment.instances}
    return [journal for journal in slept if journal.instance not in there]


def _recent_instances(view: View, recent: int) -> set[InstanceId]:
    """Return the last so many instances that lived; imports did not."""
    cycles = view.cycles[-recent:] if recent else ()
    return {cycle.instance for cycle in cycles if not view.is_import(cycle.instance)}


def _slept_journals(view: View) -> tuple[list[_SleptJournal], tuple[InstanceId, ...]]:
    """Return the journals that were slept on, in the order of the cycles, and the instances that have none."""
    slept: dict[InstanceId, _SleptJournal] = {}
    gone: dict[InstanceId, None] = {}
    for cycle in view.cycles:
        path = view.path_of(cycle.instance)
        if path is None:
            gone[cycle.instance] = None
        else:
            slept[cycle.instance] = _SleptJournal(path, cycle.instance, cycle.after)
    return list(slept.values()), tuple(gone)


def _suspects_in(view: View, journal: _SleptJournal, names: set[str], scope: Scope | None) -> frozenset[str]:
    """Return the suspects of a journal that the scope asks for."""
    asked = None if scope is None or journal.path in scope.journals else scope.stood
    if asked is None:
        return _suspects(view.read(journal.path) or "", journal, names)
    return asked & _suspects(view.read(journal.path) or "", journal, names) if asked else asked


def _suspects(text: str, slept: _SleptJournal, names: set[str]) -> frozenset[str]:
    """Return the addresses of what may be a record or a move in a journal and stands in no register; parses nothing."""
    addresses = set()
    for mark in addressing.MARK.finditer(text):
        address, kind, number = mark.groups()
        if address in names or not address.startswith(f"{slept.instance}."):
            continue
        if kind:
            if is_record(kind) or event_record(kind):
                addresses.add(address)
        elif number or _LABEL.match(text, text.rfind("\n", 0, mark.start()) + 1):
            addresses.add(address)
    return frozenset(addresses)


def _replay(
    view: View, slept: list[_SleptJournal], suspects: Mapping[str, frozenset[str]], standing: Mapping[Address, Fragment]
) -> _Replay:
    """Return the replay of the journals that name a suspect, or what a suspect moves, in the order of the cycles."""
    names: set[str] = set()
    read = {path: _entries(view, path) for path in suspects}
    for path, addresses in suspects.items():
        for entry in read[path]:
            if str(entry.address) in addresses:
                names.update(_names_of(entry))
    replay = _Replay(standing)
    for journal in slept:
        if journal.path in suspects or not names.isdisjoint(_handles(view.read(journal.path) or "")):
            for entry in read.get(journal.path) or _entries(view, journal.path):
                replay.take(journal.path, entry)
    replay.end(lambda handle: late_moves.is_open_elsewhere(view, handle))
    return replay


def _handles(text: str) -> Iterator[str]:
    """Yield every address and record number that a text names."""
    yield from map(str, addressing.addresses(text))
    yield from (addressing.number(letter, int(count)) for letter, count in addressing.NUMBER.findall(text))


def _names_of(entry: Entry) -> Iterator[str]:
    if register.is_opening(entry):
        yield str(entry.address)
        if number := _number(entry.number):
            yield number
    elif register.is_move(entry) and (handle := register.exact(entry.field("record"))):
        yield _number(handle) or handle


def _entries(view: View, path: str) -> Sequence[Entry]:
    """Return what a journal says of records, without what a tool printed and nobody takes for true."""
    try:
        current = view.journal(path)
    except DocumentError:  # `coherence` reports it
        return ()
    refused = segments.refused(current)
    wanted = (entry for entry in current.entries if register.is_opening(entry) or register.is_move(entry))
    return [entry for entry in wanted if entry.address not in refused]


class _Replay:
    """Records as journals made them, one entry after another."""

    def __init__(self, standing: Mapping[Address, Fragment]) -> None:
        self._standing = standing
        self._now: dict[Address, Fragment] = {}
        self._into: dict[Address, Address] = {}  # what says the same as an open record is folded into it
        self._saying: dict[object, Address] = {}
        self._paths: dict[Address, str] = {}
        self._numbers: dict[str, list[Address]] = {}
        self._last: dict[tuple[Address, str], Entry] = {}  # of moves, and of what says a field anew
        self._illegal: dict[Address, tuple[Address | None, str]] = {}
        self._waiting: list[tuple[str, Entry]] = []

    def take(self, path: str, entry: Entry) -> None:
        """Open or move a record as an entry says."""
        self._paths[entry.address] = path
        if register.is_opening(entry):
            self._open(register.from_entry(entry))
        elif not self._move(entry):
            self._waiting.append((path, entry))

    def end(self, waits: Callable[[str], bool]) -> None:
        """Make the moves of records that a journal opened which was slept on later; `waits`: one that was not yet."""
        for _, entry in self._waiting:
            handle = entry.field("record")
            if not self._move(entry) and not waits(handle):
                several = len(self._numbers.get(_number(handle), ()))
                why = f"{handle} names {several} records (an address is exact)" if several > 1 else ""
                self._illegal[entry.address] = None, why or f"it moves {handle or 'a record'}, which is nowhere"

    def missing(self, suspects: frozenset[str]) -> Iterator[Missing]:
        """Yield the suspects that should stand and do not."""
        for address, fragment in self._now.items():
            if str(address) in suspects and fragment.is_open and address not in self._standing:
                yield Missing(RECORD, address, self._paths[address], fragment)
        for (address, _), entry in self._last.items():
            record = self._standing.get(address)
            if record is None or str(entry.address) not in suspects or record.state == entry.field("to"):
                continue
            try:
                after = register.moved(record, entry.field("to"), register.says(entry), entry.address)
            except MoveError as error:
                self._illegal[entry.address] = None, error.what
            else:
                yield Missing(MOVE, entry.address, self._paths[entry.address], after)

    def refused(self, suspects: frozenset[str]) -> Iterator[Refused]:
        """Yield the moves that could not be made, and that no later one has settled; after `missing`."""
        for address, (_, why) in self._illegal.items():
            if str(address) in suspects:
                yield Refused(address, self._paths[address], why)

    def _open(self, fragment: Fragment) -> None:
        own = fragment.identity
        if not fragment.number and fragment.kind != "decision":
            words = (fragment.kind, fragment.text, fragment.fields)
            at = self._saying.get(words)
            if at and self._now[at].is_open:
                self._into[own] = at
                return
            self._saying[words] = own
        self._now[own] = fragment
        if fragment.number:
            self._numbers.setdefault(_number(fragment.number), []).append(own)

    def _move(self, entry: Entry) -> bool:
        """Make a move; returns False if it cannot be told of which record."""
        at = self._moved_by(entry)
        if at is None:
            return False
        record = self._now.get(at) or self._standing[at]
        to = entry.field("to")
        try:
            self._now[at] = register.moved(record, to, register.says(entry), entry.address)
        except MoveError as error:
            if why := error.what if record.state != to else _contradiction(record, entry):
                self._illegal[entry.address] = at, why
            return True
        self._last[at, to if to in KINDS[record.kind].amends else ""] = entry
        self._paths.setdefault(at, self._paths[entry.address])
        # Whoever made a legal move knew what the record was then.
        self._illegal = {move: (of, why) for move, (of, why) in self._illegal.items() if of != at}
        return True

    def _moved_by(self, entry: Entry) -> Address | None:
        """Return the identity of the record that an entry moves."""
        if carried := self._standing.get(entry.address):
            return carried.identity
        exact = addressing.parse(register.exact(entry.field("record")))
        if exact:
            exact = self._into.get(exact, exact)
            return exact if exact in self._now or exact in self._standing else None
        number = _number(entry.field("record"))
        records = self._numbers.get(number, [])
        if len(records) > 1:
            records = [address for address in records if address.instance == entry.address.instance]
        if not records and number:
            called = (
                record for record in self._standing.values() if record.number and _number(record.number) == number
            )
            records = list({record.identity for record in called})
        return records[0] if len(records) == 1 else None


def _contradiction(record: Fragment, entry: Entry) -> str:
    """Return what an entry says of the state that a record has already, where that is another: an answer, a successor.

    How it came to be done or given up may be told twice, and nothing contradicts.
    """
    move = next((move for move in KINDS[record.kind].moves if move.to == record.state), None)
    status, says = record.field(STATUS), register.says(entry)
    if move is None or move.says not in _SAYING or not says or says in status:
        return ""
    return f"{record.handle} is {status}, and here {record.state}: {says}"


def _number(handle: str) -> str:
    """Return a record's number in its one form, "" for what is none."""
    parsed = addressing.number_of(handle)
    return addressing.number(*parsed) if parsed else ""
