"""The life of an entry: what each commit did to its words, from the journal to where they stand now.

Owns telling it: of a step what it wrote down, of a person's commit what its documents show. Refuses to write anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.changes import comparison
from sleep.changes.comparison import Passage
from sleep.compression.contract import DROPPED, MERGED, SHORTENED, WHOLE
from sleep.cycle.fate_record import REFERENCED
from sleep.documents import paths, register
from sleep.documents.fates_page import JOURNAL
from sleep.errors import UsageError
from sleep.history import account, past_steps
from sleep.records.fragment import SUPERSEDED_BY, Fragment, flat
from sleep.store import history

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sleep.documents.fates_page import Row
    from sleep.documents.tier import Item
    from sleep.history.past_steps import Step
    from sleep.history.step_fates import Past, StepFates
    from sleep.memory.view import View
    from sleep.records.address import Address

    Fragments = dict[str, Sequence[Fragment]]

SEALED, EDITED, REMOVED, ADDED, UNKNOWN = "sealed", "edited", "removed", "added", "unknown"
_BY_HAND = {DROPPED: REMOVED, comparison.ARRIVED: ADDED, SHORTENED: EDITED}
_GONE = (DROPPED, MERGED, REMOVED, UNKNOWN)


class Happening(NamedTuple):
    """One thing that happened to an entry's words.

    `step` is a step's name, `adopt` or `edit` for a person's commit, `undo`, `merge`, `older history` or `not
    committed`; `cycle` is 0 outside one. `source` and `target` are paths (with the line in the journal), `before` and
    `after` the words. `observed` is "" where the reason is the step's own, else why only what the documents show is
    told.
    """

    step: str
    cycle: int
    commit: str
    when: str
    fate: str
    detail: str = ""
    source: str = ""
    target: str = ""
    before: str = ""
    after: str = ""
    observed: str = ""
    author: str = ""


class Stands(NamedTuple):
    """A place where the words stand now; `state` says that they bind no longer (`reversed (too slow)`), or is ""."""

    path: str
    line: int
    text: str
    state: str = ""


class Life(NamedTuple):
    """The life of an entry: what it says and where, what happened to it, where it stands, and that in a sentence.

    `notes` say what history does not hold.
    """

    address: str
    kind: str
    number: str
    path: str
    line: int
    says: str
    happened: tuple[Happening, ...]
    stands: tuple[Stands, ...]
    verdict: str
    notes: tuple[str, ...]


def tell(past: Past, address: Address, notice: Callable[[int, int], None] = lambda _done, _all: None) -> Life:
    """Return the life of an entry in what history holds; `notice` is called with the commits done, and with all.

    Raises UsageError when neither a journal nor a tier has the address.
    """
    now = past.now
    path = now.path_of(address.instance) or ""
    entry = now.entry(address)
    items = list(_items(now, address))
    if entry is None and not items:
        hint = f"sleepwake journal.show {address.instance.number}" if path else "sleepwake status"
        raise UsageError(f"nothing has the address {address}", hint=hint)
    reader = _Reader(past, address, path)
    happened = [*reader.all(notice), *reader.since(items)]
    stands = tuple(
        Stands(name, line_at(now.tier(name).text, item.start), item.fragment.text, _bound(item.fragment))
        for name, item in items
    )
    text = (now.read(path) if path else "") or ""
    notes = [*_unslept(now, address, happened)]
    notes += [f"{path} was edited after it was slept on"] if _is_edited(now, address, reader.sealed, text) else []
    line = line_at(text, entry.start) if entry else 0
    verdict = _verdict(f"{path}:{line}", happened, stands)
    words = register.whole(entry) if entry else items[0][1].fragment.text
    what = entry or items[0][1].fragment
    return Life(str(address), what.kind, what.number, path, line, words, tuple(happened), stands, verdict, tuple(notes))


def _is_edited(view: View, address: Address, sealed: str, text: str) -> bool:
    """Return whether a journal is not as it was slept on; one whose cycle was undone may be written to again."""
    return bool(text and sealed) and text != sealed and any(row.instance == address.instance for row in view.cycles)


def _items(view: View, address: Address) -> Iterator[tuple[str, Item]]:
    """Yield what carries an address in the tiers, each with its path."""
    for folder in paths.TIERS:
        for path in view.files(f"{folder}/"):
            yield from ((path, item) for item in view.naming_items(path, address))


def observations(happened: Sequence[Happening]) -> Iterator[str]:
    """Yield a sentence for each reason why of some steps only what the documents show is told."""
    for why in dict.fromkeys(event.observed for event in happened if event.observed):
        steps = dict.fromkeys(f"{event.step} ({event.commit[:7]})" for event in happened if event.observed == why)
        yield f"only what the documents show is told of {', '.join(steps)}: {why}"


def line_at(text: str, at: int) -> int:
    """Return the line, from 1, that a place of a text is in."""
    return text.count("\n", 0, at) + 1


def _bound(fragment: Fragment) -> str:
    """Return what has become of words that no longer bind, "" for those that do."""
    if fragment.is_superseded:
        return f"{SUPERSEDED_BY} {fragment.field(SUPERSEDED_BY)}"
    if not fragment.state or fragment.is_open:
        return ""
    return f"{fragment.state} ({fragment.reason})" if fragment.reason else fragment.state


def _verdict(place: str, happened: Sequence[Happening], stands: Sequence[Stands]) -> str:
    if stands:
        return f"stands in {', '.join(f'{place.path}:{place.line}' for place in stands)}"
    end = next((event for event in reversed(happened) if event.fate in _GONE), None)
    why = ""
    if end:
        cycle = f" of cycle {end.cycle}" if end.cycle else ""
        why = f": {end.fate} in {end.step}{cycle}{f' ({end.detail})' if end.detail else ''}"
    return f"only the journal has it ({place}){why}"


def _unslept(view: View, address: Address, happened: Sequence[Happening]) -> Iterator[str]:
    """Yield what has to be said of an entry whose journal no commit of a cycle tells of."""
    row = next((row for row in view.cycles if row.instance == address.instance), None)
    if row is None:
        yield past_steps.UNSLEPT
    elif not any(event.commit and event.step == past_steps.HOT and event.cycle == row.number for event in happened):
        yield past_steps.gone(row)


class _Reader:
    """Reads what each commit did to the fragments that carry one address."""

    def __init__(self, past: Past, address: Address, journal: str) -> None:
        self._past = past
        self._address = address
        self._journal = journal
        self._left: Fragments = {}  # by path, as the last commit left them
        self.sealed = ""  # the journal as it was slept on

    def all(self, notice: Callable[[int, int], None]) -> list[Happening]:
        """Return what all commits did, oldest first."""
        steps = self._past.steps
        happened: list[Happening] = []
        for done, step in enumerate(steps):
            notice(done, len(steps))
            before, after = self._past.documents(step, self._fragments)
            happened += self._of(step, before, after)
            self._left |= after
        notice(len(steps), len(steps))
        row = next((row for row in self._past.now.cycles if row.instance == self._address.instance), None)
        recorded = self._past.without_commits(row) if row else ()
        return [*(event for fates in recorded for event in self._looked_up(fates)), *happened]

    def _of(self, step: Step, before: Fragments, after: Fragments) -> list[Happening]:
        is_own = step.instance == str(self._address.instance)
        if is_own and step.step == past_steps.SEAL:
            return [
                Happening(
                    *(step.step, step.cycle, step.commit.sha, step.commit.when, SEALED),
                    "the journal was closed",
                    self._journal,
                    author=step.commit.author,
                )
            ]
        if before == after and not (is_own and step.step in (past_steps.HOT, past_steps.HANDOFF)):
            return []
        if recorded := self._past.fates(step):
            return [event for fates in recorded for event in self._looked_up(fates)]
        return [_happening(step, passage) for passage in comparison.between(before, after)]

    def _fragments(self, name: str) -> Sequence[Fragment]:
        """Return the fragments of a blob that carry the address."""
        return self._past.blobs.naming(name, self._address)

    def _looked_up(self, fates: StepFates) -> list[Happening]:
        """Return what a step wrote down of the entry: of its own journal with each run that was no fragment."""
        rows = fates.naming(self._address)
        is_own = fates.step.step == past_steps.HOT and fates.step.instance == str(self._address.instance)
        path, journal = fates.journal if is_own else ("", None)
        if journal is None:
            return [_happening(fates.step, passage, fates.section.observed) for passage in fates.passages(rows)]
        self.sealed = journal.text
        own = [row for row in rows if row.identity == self._address and row.source == JOURNAL]
        passages = self._placed(fates, own, path) if own else fates.passages(rows)
        for run in account.runs(journal, fates.account()):
            if run.address == str(self._address) and (not own or run.fate == REFERENCED):
                words = Fragment("", flat(self.sealed[run.start : run.end]), (self._address,))
                passages.append(Passage(run.fate, words, None, f"{path}:{run.line}", "", run.detail))
        return [_happening(fates.step, passage, fates.section.observed) for passage in passages]

    def _placed(self, fates: StepFates, rows: Sequence[Row], path: str) -> list[Passage]:
        """Return the ways of the entry's own fragments, each from its line in the journal."""
        starts = [start for start, fragment in fates.pieces if fragment.identity == self._address]
        places = [f"{path}:{line_at(self.sealed, start)}" for start in starts]
        return [
            passage._replace(source=places[row.piece - 1]) if row.piece <= len(places) else passage
            for row, passage in zip(rows, fates.passages(rows), strict=True)
        ]

    def since(self, items: Sequence[tuple[str, Item]]) -> Iterator[Happening]:
        """Yield what is otherwise now than the last commit that changed it left it: not committed, or by a merge."""
        left = {path: fragments for path, fragments in self._left.items() if fragments}
        standing: dict[str, list[Fragment]] = {}
        for path, item in items:
            standing.setdefault(path, []).append(item.fragment)
        if left == standing:
            return
        now = self._past.now
        names = sorted({*left, *standing})
        committed = history.read_many(self._past.root, "HEAD", names) if self._past.steps else {}
        is_committed = all(committed.get(path) == now.read(path) for path in names)
        step = past_steps.MERGE if is_committed else past_steps.UNCOMMITTED
        for passage in comparison.between(left, standing):
            fate = EDITED if passage.fate == WHOLE else _BY_HAND.get(passage.fate, passage.fate)
            before, after = (fragment.text if fragment else "" for fragment in (passage.before, passage.after))
            places = (passage.source, passage.target)
            yield Happening(step, 0, "", "", fate, passage.detail, *places, before, after)


def _happening(step: Step, passage: Passage, observed: str = "") -> Happening:
    """Return a passage as what happened; a person's commit edits, adds and removes, and gives no reason but itself."""
    fate, details = passage.fate, [passage.detail]
    before, after = passage.before, passage.after
    if step.step in (past_steps.ADOPT, past_steps.EDIT, past_steps.OLDER, past_steps.MERGE):
        fate = EDITED if passage.source == passage.target and fate == WHOLE else _BY_HAND.get(fate, fate)
        is_older = step.step == past_steps.OLDER
        details.append("what was before is not in this clone" if is_older else f"by {step.commit.author}")
    elif step.step == past_steps.UNDO:
        details.append(f"cycle {step.cycle} was undone")
    elif before and after and fate != MERGED:
        more = [str(address) for address in after.addresses if address not in before.addresses]
        details += [f"with {' '.join(more)}"] if more else []
    return Happening(
        *(step.step, step.cycle, step.commit.sha, step.commit.when, fate, "; ".join(filter(None, details))),
        passage.source,
        passage.target,
        before.text if before else "",
        after.text if after else "",
        observed,
        step.commit.author,
    )
