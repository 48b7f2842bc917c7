"""The life of an entry: what each commit did to its words, from the journal to where they stand now.

Owns telling it: of a step what it wrote down, of a person's commit what its documents show. Refuses to write anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.changes import comparison
from sleep.compression.contract import DROPPED, KEPT, MERGED, SHORTENED
from sleep.cycle.fate_record import REFERENCED
from sleep.documents import paths, register
from sleep.documents.fates_page import JOURNAL
from sleep.errors import UsageError
from sleep.history import account, past_steps
from sleep.history.step_fates import Past
from sleep.records.fragment import SUPERSEDED_BY, flat
from sleep.store import history

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sleep.changes.comparison import Passage
    from sleep.documents.entries import Entry
    from sleep.documents.journal import Journal
    from sleep.history.past_steps import Joined, Step
    from sleep.history.step_fates import StepFates
    from sleep.memory.place import Place
    from sleep.memory.view import View
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment

SEALED, EDITED, REMOVED, ADDED, UNKNOWN = "sealed", "edited", "removed", "added", "unknown"
UNCOMMITTED = "not committed"
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


class _Said(NamedTuple):
    """An entry in its journal; None where there is none."""

    path: str
    journal: Journal | None
    entry: Entry | None


def tell(
    where: Place,
    address: Address,
    notice: Callable[[int, int], None] = lambda _done, _all: None,
    past: Past | None = None,
) -> Life:
    """Return the life of an entry.

    Args:
        where: the memory.
        address: the entry.
        notice: called with the commits done, and with all.
        past: what history holds, for one who asks for many; None reads it.

    Raises UsageError when neither a journal nor a tier has the address.
    """
    past = past or Past(where.root)
    now = past.now
    said = _said(now, address)
    standing = {path: _naming(now.tier(path).fragments, address) for path in _naming_files(now, address)}
    fragment = next((one for fragments in standing.values() for one in fragments), None)
    if said.entry is None and fragment is None:
        hint = f"sleepwake journal.show {address.instance.number}" if said.journal else "sleepwake status"
        raise UsageError(f"nothing has the address {address}", hint=hint)
    told = _Teller(past, address, said.path)
    happened = told.all(notice)
    happened += told.since(now, standing)
    stands = tuple(
        Stands(path, line_at(now.tier(path).text, item.start), item.fragment.text, _bound(item.fragment))
        for path in standing
        for item in now.tier(path).items
        if address in item.fragment.addresses
    )
    notes = [*_unslept(now, address, happened)]
    if said.journal and told.sealed and told.sealed != said.journal.text:
        notes.append(f"{said.path} was edited after it was slept on")
    line = line_at(said.journal.text, said.entry.start) if said.journal and said.entry else 0
    verdict = _verdict(f"{said.path}:{line}", happened, stands)
    life = Life(str(address), "", "", said.path, line, "", tuple(happened), stands, verdict, tuple(notes))
    if said.entry:
        return life._replace(kind=said.entry.kind, number=said.entry.number, says=register.whole(said.entry))
    return life._replace(kind=fragment.kind, number=fragment.number, says=fragment.text) if fragment else life


def _said(view: View, address: Address) -> _Said:
    path = view.path_of(address.instance)
    if path is None:
        return _Said("", None, None)
    journal = view.journal(path)
    return _Said(path, journal, next((one for one in journal.entries if one.address == address), None))


def _naming_files(view: View, address: Address) -> Iterator[str]:
    for folder in paths.TIERS:
        yield from (path for path in view.files(f"{folder}/") if str(address) in (view.read(path) or ""))


def _naming(fragments: Sequence[Fragment], address: Address) -> list[Fragment]:
    return [one for one in fragments if address in one.addresses]


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


def _verdict(said: str, happened: Sequence[Happening], stands: Sequence[Stands]) -> str:
    if stands:
        return f"stands in {', '.join(f'{one.path}:{one.line}' for one in stands)}"
    lost = next((one for one in reversed(happened) if one.fate in _GONE), None)
    why = ""
    if lost:
        cycle = f" of cycle {lost.cycle}" if lost.cycle else ""
        why = f": {lost.fate} in {lost.step}{cycle}{f' ({lost.detail})' if lost.detail else ''}"
    return f"only the journal has it ({said}){why}"


def _unslept(view: View, address: Address, happened: Sequence[Happening]) -> Iterator[str]:
    """Yield what has to be said of an entry whose journal no commit of a cycle tells of."""
    row = next((one for one in view.cycles if one.instance == address.instance), None)
    if row is None:
        yield "no cycle has slept on it (sleepwake sleep --dry-run shows what would become of it)"
    elif not any(one.commit and one.step == past_steps.HOT and one.cycle == row.number for one in happened):
        yield past_steps.gone(row)


class _Teller:
    """Tells what each commit did to the fragments that carry one address."""

    def __init__(self, past: Past, address: Address, journal: str) -> None:
        self._past = past
        self._address = address
        self._journal = journal
        self._steps = past.steps
        self._left: dict[str, list[Fragment]] = {}  # by path, as the last commit left them
        self.sealed = ""  # the journal as it was slept on

    def all(self, notice: Callable[[int, int], None]) -> list[Happening]:
        """Return what all commits did, oldest first."""
        happened: list[Happening] = []
        for done, step in enumerate(self._steps):
            notice(done, len(self._steps))
            happened += self._merged(step) if step.joined else self._of(step)
            self._left |= {one.path: self._fragments(one.after) for one in step.changes}
            self._left |= {one.path: self._fragments(one.after) for one in self._tiers(step)}
        notice(len(self._steps), len(self._steps))
        row = next((one for one in self._past.now.cycles if one.instance == self._address.instance), None)
        recorded = self._past.without_commits(row) if row else ()
        return [*(told for one in recorded for told in self._looked_up(one)), *happened]

    def _of(self, step: Step) -> list[Happening]:
        if step.instance == str(self._address.instance) and step.step == past_steps.SEAL:
            told = _happening(step, SEALED, "the journal was closed and never changes again")
            return [told._replace(source=self._journal)]
        before, after = (
            {one.path: found for one in step.changes if (found := self._fragments(one[at]))} for at in (1, 2)
        )
        arrives = step.instance == str(self._address.instance) and step.step in (past_steps.HOT, past_steps.HANDOFF)
        if before == after and not arrives:
            return []
        if recorded := self._past.fates(step):
            return [told for one in recorded for told in self._looked_up(one)]
        return [_plain(step, one) for one in comparison.between(before, after)]

    def _tiers(self, step: Step) -> list[Joined]:
        return [one for one in step.joined if paths.tier_of(one.path)]

    def _merged(self, step: Step) -> list[Happening]:
        """Return what a merge of branches did: nothing, where its words are those that one of them had."""
        before: dict[str, list[Fragment]] = {}
        after: dict[str, list[Fragment]] = {}
        for one in self._tiers(step):
            sides, ended = [self._fragments(name) for name in one.sides], self._fragments(one.after)
            if ended not in sides:
                before[one.path] = list(dict.fromkeys(each for side in sides for each in side))
                after[one.path] = ended
        return [_plain(step, one) for one in comparison.between(before, after)]

    def _fragments(self, name: str) -> list[Fragment]:
        """Return the fragments of a blob that carry the address."""
        return self._past.blobs.naming(name, self._address)

    def _looked_up(self, found: StepFates) -> list[Happening]:
        """Return what a step wrote down of the entry: of its own journal with each run that was no fragment."""
        rows = [row for row in found.naming(self._address) if row.kind]
        if found.step.step != past_steps.HOT or found.step.instance != str(self._address.instance):
            return [self._told(found, one) for one in found.passages(rows)]
        path, journal = found.journal
        if journal is None:
            return [self._told(found, one) for one in found.passages(rows)]
        self.sealed = journal.text
        own = [row for row in rows if row.identity == self._address and row.source == JOURNAL]
        told = []
        for row, one in zip(own or rows, found.passages(own or rows), strict=False):
            happening = self._told(found, one)
            starts = [start for start, fragment in found.pieces if fragment.identity == self._address]
            if own and row.piece <= len(starts):
                happening = happening._replace(source=f"{path}:{line_at(self.sealed, starts[row.piece - 1])}")
            told.append(happening)
        for run in account.runs(journal, found.account()):
            if run.address == str(self._address) and (not own or run.fate == REFERENCED):
                words = flat(self.sealed[run.start : run.end])
                happening = _happening(found.step, run.fate, run.detail)
                observed = found.section.observed
                told.append(happening._replace(source=f"{path}:{run.line}", before=words, observed=observed))
        return told

    def _told(self, found: StepFates, one: Passage) -> Happening:
        return _plain(found.step, one)._replace(observed=found.section.observed)

    def since(self, now: View, standing: dict[str, list[Fragment]]) -> list[Happening]:
        """Return what is otherwise now than the last commit that changed it left it: not committed, or by a merge."""
        left = {path: found for path, found in self._left.items() if found}
        if left == standing:
            return []
        names = sorted({*left, *standing})
        committed = history.read_many(self._past.root, "HEAD", names) if self._steps else {}
        step = past_steps.MERGE if all(committed.get(path) == now.read(path) for path in names) else UNCOMMITTED
        found = []
        for one in comparison.between(left, standing):
            fate = EDITED if one.fate == KEPT else _BY_HAND.get(one.fate, one.fate)
            words = (each.text if each else "" for each in (one.before, one.after))
            found.append(Happening(step, 0, "", "", fate, one.detail, one.source, one.target, *words))
        return found


def _plain(step: Step, one: Passage) -> Happening:
    """Return a passage as what happened; a person's commit edits, adds and removes, and gives no reason but itself."""
    fate, details = one.fate, [one.detail]
    if step.step in (past_steps.ADOPT, past_steps.EDIT, past_steps.OLDER, past_steps.MERGE):
        still = one.source == one.target and fate == KEPT
        fate = EDITED if still else _BY_HAND.get(fate, fate)
        details.append(
            "what was before is not in this clone" if step.step == past_steps.OLDER else f"by {step.commit.author}"
        )
    elif step.step == past_steps.UNDO:
        details.append(f"cycle {step.cycle} was undone")
    elif one.before and one.after:
        more = [str(each) for each in one.after.addresses if each not in one.before.addresses]
        details += [f"with {' '.join(more)}"] if more and fate != MERGED else []
    told = _happening(step, fate, "; ".join(filter(None, details)))
    return told._replace(
        source=one.source,
        target=one.target,
        before=one.before.text if one.before else "",
        after=one.after.text if one.after else "",
    )


def _happening(step: Step, fate: str, detail: str) -> Happening:
    return Happening(step.step, step.cycle, step.commit.sha, step.commit.when, fate, detail, author=step.commit.author)
