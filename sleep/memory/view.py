"""A view of a memory for one step: documents read once, by path, from whatever tree it stands on.

Owns reading and parsing what steps ask for (tiers, journals, cycles, records). Refuses to change anything.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from sleep.documents import cycles, edits, front_matter, journal, paths, register, tier, verdicts
from sleep.documents.hand import identity
from sleep.documents.register import Record
from sleep.errors import DocumentError
from sleep.memory import late_moves
from sleep.memory.tiers import Tiers
from sleep.records import address as addressing
from sleep.records import topic_changes
from sleep.records.fragment import ALSO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sleep.documents.cycles import Cycle
    from sleep.documents.edits import Edits
    from sleep.documents.entries import Entry
    from sleep.documents.journal import Journal
    from sleep.documents.tier import Document, Item
    from sleep.documents.verdicts import Verdict
    from sleep.memory.groups import Groups, Keys
    from sleep.records.address import Address, InstanceId
    from sleep.records.fragment import Fragment
    from sleep.records.topic_changes import Changes
    from sleep.store.tree import Tree

T = TypeVar("T")


class View:
    """What a step sees. Everything is read at most once.

    Args:
        tree: where the documents stand.
        earlier: the view of an earlier step: what it parsed is not parsed again where the text, read anew, is the same.
    """

    def __init__(self, tree: Tree, earlier: View | None = None) -> None:
        self.tree = tree
        self._texts: dict[str, str | None] = {}
        self._listed: dict[str, tuple[str, ...]] = {}
        self._named: dict[frozenset[str], list[tuple[str, Fragment]]] = {}
        # By path how a journal begins, and whose it is by that.
        self._heads: dict[str, tuple[str, InstanceId | None]] = earlier._heads if earlier else {}  # noqa: SLF001  # one of us
        self._imports: dict[InstanceId, bool] = earlier._imports if earlier else {}  # noqa: SLF001
        # What a journal judges is the same in every step of a sleep, which holds the lock.
        self._verdicts: dict[str, tuple[Verdict, ...]] = earlier._verdicts if earlier else {}  # noqa: SLF001
        self._tiers: dict[str, Document] = earlier._tiers if earlier else {}  # noqa: SLF001
        self._shared: dict[Callable[[], Any], Any] = earlier._shared if earlier else {}  # noqa: SLF001

    def read(self, path: str) -> str | None:
        """Return a document's text, or None where there is none."""
        if path not in self._texts:
            self._texts[path] = self.tree.read(path)
        return self._texts[path]

    def shared(self, make: Callable[[], T]) -> T:
        """Return what `make` makes, once for this view and the later ones: what one step finds out for the next."""
        if make not in self._shared:
            self._shared[make] = make()
        return self._shared[make]  # type: ignore[no-any-return]

    def tier(self, path: str) -> Document:
        """Return a tier's document; an empty one where there is none.

        The last one of each path is kept for later views: of a long memory the pages of many cycles would take more
        room than all else.
        """
        text = self.read(path) or ""
        known = self._tiers.get(path)
        if known is None or known.text != text:
            known = self._tiers[path] = tier.parse(text)
        return known

    def files(self, prefix: str) -> tuple[str, ...]:
        """Return the Markdown files below a folder, in the order of their paths."""
        if prefix not in self._listed:
            self._listed[prefix] = tuple(path for path in self.tree.list(prefix) if path.endswith(".md"))
        return self._listed[prefix]

    @cached_property
    def cycles(self) -> tuple[Cycle, ...]:
        """The cycles slept so far."""
        return cycles.read(self.read(cycles.PATH))

    @cached_property
    def edits(self) -> Edits:
        """What people changed in the tiers or took out, as sleeps have noted it (`hand_edits` knows the rest)."""
        return edits.read(self.read(edits.PATH))

    @property
    def topic_changes(self) -> Changes:
        """What became of topics: renamed, merged and split by people, folded by sleeps."""
        return topic_changes.read(self.read(topic_changes.PATH))

    @cached_property
    def _numbered(self) -> tuple[tuple[int, str], ...]:
        return _by_number(self.files(paths.JOURNALS))

    @cached_property
    def journals(self) -> tuple[str, ...]:
        """The paths of all journals, by number."""
        return tuple(path for _, path in self._numbered)

    @cached_property
    def unslept(self) -> tuple[str, ...]:
        """The paths of the journals that no cycle has slept on, in order."""
        slept = {cycle.instance for cycle in self.cycles}
        numbers = {instance.number for instance in slept}
        shared = Counter(number for number, _ in self._numbered)
        waiting = []
        for number, path in self._numbered:
            # Only where a merge brought two instances of one number has the text to be read.
            known = number in numbers and (shared[number] == 1 or self.instance_of(path) in slept)
            if number not in numbers and (instance := self.instance_of(path)) in slept:
                known = instance is not None and self.path_of(instance) is None  # its file has another number
            if not known:
                waiting.append(path)
        return tuple(waiting)

    def journal(self, path: str) -> Journal:
        """Return a journal as read, also one that names no instance: it is that of its file's name (`identity`).

        Raises DocumentError when its front matter cannot be read.
        """
        text = self.read(path) or ""
        try:
            return journal.read(text, identity.instance(text, paths.journal_number(path) or 0))
        except ValueError as error:
            line = getattr(error, "line", 1)
            raise DocumentError(
                f"front matter: {getattr(error, 'what', error)}",
                where=f"{path}:{line}",
                hint="mend the line; the text below it is read as it is",
            ) from None

    def entry(self, address: Address) -> Entry | None:
        """Return an entry of a journal, None where no journal has it; errors as in `journal`."""
        path = self.path_of(address.instance)
        entries = self.journal(path).entries if path else ()
        return next((entry for entry in entries if entry.address == address), None)

    def holds_something(self, path: str) -> bool:
        """Return whether a journal says more than the tone check it was opened with; errors as in `journal`.

        A copy of another journal says nothing.
        """
        if self.original_of(path):
            return False
        current = self.journal(path)
        return bool(current.unmarked) or any(not register.is_tone_check(entry) for entry in current.entries)

    def original_of(self, path: str) -> str:
        """Return the journal that has this one's instance by its name, "" where that is this one, or none."""
        instance = self.instance_of(path)
        own = self.path_of(instance) if instance else None
        if instance and own is None:  # all of its files have another number
            own = next((other for other in self.unslept if self.instance_of(other) == instance), None)
        return own if own and own != path else ""

    def sessions_in(self, path: str) -> tuple[str, ...]:
        """Return the sessions that a journal's front matter names, none where it cannot be read."""
        named = front_matter.peek(self.read(path) or "").fields.get("sessions")
        return tuple(map(str, named)) if isinstance(named, list) else ()

    def path_of(self, instance: InstanceId) -> str | None:
        """Return the path of an instance's journal, or None."""
        for path in (paths.journal(instance.number), paths.journal(instance.number, instance.tag)):
            if self.instance_of(path) == instance:
                return path
        return None

    def instance_of(self, path: str) -> InstanceId | None:
        """Return the instance that a journal's front matter names, None where there is none or it cannot be read."""
        text = self.read(path)
        if text is None:
            return None
        known = self._heads.get(path)  # the front matter is not read again while the text begins with the same
        if known is None or not text.startswith(known[0]):
            front = front_matter.peek(text)
            known = text[: front.body], journal.identity_in(front.fields)
            if known[0].endswith("\n"):  # else what follows may belong to it
                self._heads[path] = known
        return known[1]

    def is_import(self, instance: InstanceId) -> bool:
        """Return whether an instance is a document that was taken in; it is never the last one that lived."""
        if instance not in self._imports:
            path = self.path_of(instance)
            self._imports[instance] = journal.is_import(
                front_matter.peek((self.read(path) if path else None) or "").fields
            )
        return self._imports[instance]

    @property
    def lived(self) -> Iterator[InstanceId]:
        """The instances that were slept on, the last first, without documents that were taken in."""
        return (cycle.instance for cycle in reversed(self.cycles) if not self.is_import(cycle.instance))

    def naming_items(self, path: str, address: Address) -> list[Item]:
        """Return the items of a tier's file that carry an address; a file that does not name it is not even parsed."""
        if str(address) not in (self.read(path) or ""):
            return []
        return [item for item in self.tier(path).items if address in item.fragment.addresses]

    def placed(self, *prefixes: str) -> list[tuple[str, Fragment]]:
        """Return every fragment of the tiers under these folders (all three without one), with its path."""
        folders = prefixes or paths.FOLDERS
        return [
            (path, fragment)
            for folder in folders
            for path in self.files(folder)
            for fragment in self.tier(path).fragments
        ]

    def by(self, folder: str, keys: Keys) -> Groups:
        """Return the fragments of a tier by what a function of each says, kept for the views of later steps.

        The function has to be the same one each time, and to ask the fragment alone; of cold memory, of records alone.
        """
        return self.shared(Tiers).groups(self, folder, keys)

    @property
    def placed_records(self) -> list[tuple[str, Fragment]]:
        """Every record of the tiers, with its path; pages of cold memory without one are not even parsed."""
        return [
            (path, fragment)
            for folder in paths.FOLDERS
            for path in self.pages_with_records(folder)
            for fragment in self.tier(path).fragments
            if fragment.is_record
        ]

    def pages_with_records(self, folder: str) -> list[str]:
        """Return the pages of a tier that may have a record, of hot and warm memory all; none is parsed for that."""
        may_hold = tier.may_hold_records
        return [path for path in self.files(folder) if folder != paths.COLD or may_hold(self.read(path) or "")]

    def said_by(self, instances: Iterable[InstanceId], folder: str) -> list[tuple[str, Fragment]]:
        """Return what these instances said of what stands below a folder; other files are not even parsed."""
        wanted = frozenset(instances)
        if not wanted:
            return []
        # Without a look at what stands before: that would cost more than the few files that it keeps from being read.
        named = re.compile("i(?:" + "|".join(sorted(str(instance)[1:] for instance in wanted)) + r")\.")
        files = [path for path in self.files(folder) if paths.tier_of(path) and named.search(self.read(path) or "")]
        return [
            (path, fragment) for path in files for fragment in self.tier(path).fragments if fragment.instances & wanted
        ]

    def naming(self, handles: Iterable[str]) -> list[tuple[str, Fragment]]:
        """Return every fragment of the tiers' files that name one of these records; of a long memory that is a few."""
        names = frozenset(register.exact(handle) for handle in handles if handle.strip())
        if names not in self._named:
            self._named[names] = self._naming(names) if names else []
        return self._named[names]

    def _naming(self, names: frozenset[str]) -> list[tuple[str, Fragment]]:
        is_named = _finder(names)
        files = (path for folder in paths.FOLDERS for path in self.files(folder) if is_named(self.read(path) or ""))
        return [(path, fragment) for path in files for fragment in self.tier(path).fragments]

    @cached_property
    def waiting(self) -> list[tuple[str, Entry]]:
        """The entries of journals not slept on that can be read, in order, each with its path."""
        return self._entries(self.unslept)

    @cached_property
    def unsettled(self) -> list[tuple[str, Entry]]:
        """The entries that no tier has yet: those that wait, and what journals slept on say of records among them."""
        return late_moves.with_waiting(self)

    def _entries(self, journals: Iterable[str]) -> list[tuple[str, Entry]]:
        entries: list[tuple[str, Entry]] = []
        for path in journals:
            with contextlib.suppress(DocumentError):  # `status` and `wake.check` report it
                entries += [(path, entry) for entry in self.journal(path).entries]
        return entries

    def verdicts(self, journals: Iterable[str]) -> dict[Address, Verdict]:
        """Return what these journals say of records that had only been noticed, the last word by address."""
        known = self._verdicts
        for path in journals:
            if path not in known:
                known[path] = verdicts.read(self.read(path) or "")
        return {verdict.address: verdict for path in journals for verdict in known[path]}

    @cached_property
    def records(self) -> dict[Address, Record]:
        """Every record by identity, as the tiers and the journals not slept on give it."""
        return register.registry(self.placed_records, self.unsettled)

    @cached_property
    def moved(self) -> dict[Address, Record]:
        """The records that the journals not slept on add, and those that they move, as they are then."""
        return register.outcome(self.unsettled, self.named) if self.waiting else {}

    def moved_until(self, number: int) -> dict[Address, Record]:
        """Return the same of journals up to a number: those that wait behind it are not even parsed."""
        waiting = self._entries(path for path in self.unslept if (paths.journal_number(path) or 0) <= number)
        return register.outcome(waiting, self.named) if waiting else {}

    def named(self, handle: str) -> list[Record]:
        """Return the records of the tiers that have one of `register.handles`, one of each address."""
        places = (place for folder in paths.FOLDERS for place in self.by(folder, _handles).of(handle))
        return [*{fragment.identity: Record(fragment, path) for path, fragment in places}.values()]

    def used_numbers(self) -> dict[str, int]:
        """Return the highest record numbers in use, by letter."""
        texts = [self.read(path) or "" for folder in paths.FOLDERS for path in self.files(folder)]
        return register.used_numbers([*texts, *(self.read(path) or "" for path in self.unslept)])


def _finder(names: Iterable[str]) -> Callable[[str], bool]:
    """Return what tells whether a tier's text names one of these records, by number or by address."""
    known = [addressing.number_of(name) or name for name in names]
    words = [name for name in known if isinstance(name, str)]
    numbers = "|".join(f"{name[0]}-0*{name[1]}" for name in known if not isinstance(name, str))
    # Each pattern begins with signs of its own: one with several beginnings takes 25 times as long.
    signs = [re.compile(rf"{lead}(?:{numbers})\b") for lead in (r"\*\*", rf"  - {ALSO}: .*") if numbers]
    return lambda text: any(word in text for word in words) or any(sign.search(text) for sign in signs)


def _handles(fragment: Fragment) -> Iterator[str]:
    return register.handles(fragment) if fragment.is_record else iter(())


@lru_cache(maxsize=2)  # the steps of a cycle list the same journals, however many there are
def _by_number(files: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """Return those of the files that are journals, with their numbers, in order."""
    return tuple(sorted((number, path) for path in files if (number := paths.journal_number(path)) is not None))
