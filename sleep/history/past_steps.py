"""The steps that were taken, as history holds them, and one of them taken again.

Owns finding a cycle's commits by their trailers, and the proof that taking a step again on the memory before it gives
what its commit holds, byte for byte. Without that proof nothing is claimed: `why` says what stands against it. Refuses
to ask a model, and to write anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.changes import own_steps
from sleep.compression import extractive
from sleep.cycle import fates, journal_to_hot, steps
from sleep.documents import paths, tier
from sleep.documents import yaml_reader as yaml
from sleep.errors import DocumentError, SleepError
from sleep.history import account
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.settings import Settings, resolve
from sleep.store import history, layout
from sleep.store.files import decode
from sleep.store.tree import CommitTree, InMemory, Overlay, WorkTree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.compression.segments import Span
    from sleep.cycle.fates import Passage
    from sleep.cycle.outcome import Decided
    from sleep.documents.cycles import Cycle
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment
    from sleep.store.history import Change, Commit
    from sleep.store.layout import Root
    from sleep.store.tree import Tree

SEAL, HOT, WARM, COLD, HANDOFF = "seal", "journal to hot", "hot to warm", "warm to cold", "handoff"
UNDO, ADOPT, EDIT, OLDER, MERGE = "undo", "adopt", "edit", "older history", "merge"
_EXTRACTIVE = extractive.NAME.partition("/")[0] + "/"


class Joined(NamedTuple):
    """A file that a merge of branches gave, and that not all of them had so: the blobs' ids there, and after it."""

    path: str
    sides: tuple[str, ...]
    after: str


class Step(NamedTuple):
    """A commit to the memory and what it did: a step of a cycle, an undo, or a person's (`adopt`, `edit`; cycle 0).

    `older history` is the first commit of a shallow clone, which seems to have made all that there is. `instance` is as
    in the trailer (`i7qxk`), `changes` are those of the tiers' files, `said` those of journals. A `merge` of branches
    has `joined`, of both, and no changes of its own.
    """

    step: str
    cycle: int
    instance: str
    compressor: str
    commit: Commit
    changes: tuple[Change, ...]
    said: tuple[Change, ...] = ()
    joined: tuple[Joined, ...] = ()

    @property
    def tiers(self) -> tuple[str, ...]:
        """The paths of the tiers' files that it changed or joined."""
        joined = (one.path for one in self.joined if paths.tier_of(one.path))
        return (*(one.path for one in self.changes), *joined)


class Retaken(NamedTuple):
    """A step and what it worked on: the memory before and after it, and what taking it again decided.

    `decided` is None where that does not give what the commit holds; `why` then says so in a sentence, else it is "".
    """

    step: Step
    before: View
    after: View
    decided: Decided | None
    why: str = ""

    def documents(self, *more: str) -> tuple[dict[str, tuple[Fragment, ...]], dict[str, tuple[Fragment, ...]]]:
        """Return the fragments of the tiers' files that the step changed, and of `more`, before and after it."""
        names = dict.fromkeys((*(one.path for one in self.step.changes), *more))
        before, after = ({path: view.tier(path).fragments for path in names} for view in (self.before, self.after))
        return before, after


def read(root: Root) -> list[Step]:
    """Return the commits that changed the memory, oldest first; none in a repository without commits."""
    walked = history.walk(root, layout.OWNED)
    shallow = any(not commit.parents for commit, _ in walked) and history.is_shallow(root)
    joined = _joined(root, [commit for commit, _ in walked if len(commit.parents) > 1])
    steps = [_step(commit, changed, shallow=shallow) for commit, changed in reversed(walked)]
    return [
        one._replace(step=MERGE, joined=joined[one.commit.sha]) if one.commit.sha in joined else one for one in steps
    ]


def _joined(root: Root, merges: Sequence[Commit]) -> dict[str, tuple[Joined, ...]]:
    """Return by commit id what merges of branches gave: the files that differ from those of one of them at least."""
    revs = [rev for one in merges for rev in (one.sha, *one.parents)]
    there: dict[str, dict[str, str]] = {rev: {} for rev in revs}
    for folder in (paths.MEMORY, paths.JOURNALS) if revs else ():
        for rev, names in history.listings(root, revs, folder.rstrip("/")).items():
            there[rev] |= {path: name for path, name in names.items() if _is_told(path)}
    found = {}
    for one in merges:
        trees = [there[rev] for rev in (*one.parents, one.sha)]
        rows = ((path, [tree.get(path, "") for tree in trees]) for path in sorted({*trees[-1]}.union(*trees)))
        found[one.sha] = tuple(Joined(path, tuple(names[:-1]), names[-1]) for path, names in rows if len({*names}) > 1)
    return found


def _is_told(path: str) -> bool:
    return path.endswith(".md") and (bool(paths.tier_of(path)) or paths.journal_number(path) is not None)


def _step(commit: Commit, changes: tuple[Change, ...], *, shallow: bool) -> Step:
    said: dict[str, list[str]] = {}
    for name, value in commit.trailers:
        said.setdefault(name, []).append(value)
    # A squash merge may carry the trailers of one step or of many; it is none of them.
    one = {name: values[0] if len(values) == 1 else "" for name, values in said.items()}
    claim = own_steps.claim(commit)
    cycle = str(claim.cycle) if claim and own_steps.fits(claim, (change.path for change in changes)) else ""
    step = one.get("Sleep-Step", "") or EDIT
    if shallow and not commit.parents:
        step = OLDER
    elif not cycle and step != ADOPT:
        step = EDIT
    return Step(
        step,
        int(cycle) if cycle.isdigit() else 0,
        one.get("Sleep-Instance", ""),
        one.get("Sleep-Compressor", ""),
        commit,
        tuple(change for change in changes if paths.tier_of(change.path) and change.path.endswith(".md")),
        tuple(change for change in changes if paths.journal_number(change.path) is not None),
    )


def skipped(taken: Sequence[Step], handoff: Step) -> Step | None:
    """Return the journal to hot of a handoff's cycle where it changed nothing and so has no commit; else None.

    It judged the journal all the same: what it decided is found by taking it again on the memory before the handoff.
    """
    own = [one.step for one in taken if (one.cycle, one.instance) == (handoff.cycle, handoff.instance)]
    if handoff.step != HANDOFF or handoff.changes or HOT in own or OLDER in own:
        return None
    return handoff._replace(step=HOT, compressor=handoff.compressor or extractive.NAME)


class Blobs:
    """The texts of the tiers' files through history, read at once; their fragments are parsed when asked for."""

    def __init__(self, root: Root, names: Iterable[str]) -> None:
        self._contents = history.blobs(root, filter(None, names))
        self._naming: dict[tuple[str, Address], list[Fragment]] = {}

    def text(self, name: str) -> str:
        """Return a text by its blob's id, "" for one that is not there."""
        return decode(self._contents.get(name) or b"")

    def fragments(self, name: str) -> tuple[Fragment, ...]:
        """Return the fragments of a tier's file by its blob's id, none for "" and for one that is not there."""
        return tier.parse(self.text(name)).fragments

    def naming(self, name: str, address: Address) -> list[Fragment]:
        """Return the fragments of a tier's file that carry an address, by the file's blob's id."""
        key = (name, address)
        if key not in self._naming:
            there = str(address).encode() in (self._contents.get(name) or b"")
            fragments = tier.parse(self.text(name)).fragments if there else ()
            self._naming[key] = [one for one in fragments if address in one.addresses]
        return self._naming[key]


class Past:
    """What history holds of a memory, and what stands on disk now, read once for one question or for many."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self.now = View(WorkTree(root))
        self.steps = read(root)
        changed = (name for step in self.steps for one in step.changes for name in one[1:])
        merged = (name for step in self.steps for one in step.joined for name in (*one.sides, one.after))
        self.blobs = Blobs(root, (*changed, *merged))
        self._again: dict[tuple[str, str], Retaken] = {}

    def again(self, step: Step) -> Retaken:
        """Take a step again, once; see `retake`."""
        key = (step.commit.sha, step.step)
        if key not in self._again:
            self._again[key] = retake(self.root, step)
        return self._again[key]


def retake(root: Root, step: Step) -> Retaken:
    """Take a step of a cycle again on the memory as it was before; see `Retaken`."""
    parents = step.commit.parents
    base: Tree = CommitTree(root, parents[0]) if parents else InMemory()
    contents = Blobs(root, (change.after for change in step.changes))
    wrote = {change.path: contents.text(change.after) if change.after else None for change in step.changes}
    before = View(base)
    after = View(Overlay(base, wrote), before) if wrote else before
    decided, why = _again(step, before, wrote)
    return Retaken(step, before, after, decided, why)


def _again(step: Step, before: View, wrote: Mapping[str, str | None]) -> tuple[Decided | None, str]:
    """Return what taking the step again decides, if it writes the same, else None and why not."""
    if not step.compressor.startswith(_EXTRACTIVE):
        return None, f"it was written by {step.compressor or 'an unknown compressor'}, which is not asked again"
    instance = addressing.parse_instance(step.instance)
    path = before.path_of(instance) if instance else None
    if instance is None or path is None:
        return None, f"the memory before it has no journal of {step.instance or 'an instance'}"
    try:
        for settings in _settings(before):
            if step.step == HOT:
                decided = journal_to_hot.journal_to_hot(before, settings, path)
            elif step.step == WARM:
                decided = steps.hot_to_warm(before, settings, instance)
            else:
                decided = steps.warm_to_cold(before, settings, instance)
            writes = {name: text for name, text in decided.writes.items() if text != before.read(name)}
            if writes == wrote:
                return decided, ""
    except SleepError as error:
        return None, f"it cannot be taken again: {str(error).partition(chr(10))[0]}"
    if step.compressor != extractive.NAME:
        return None, f"it was written by {step.compressor}, and this program is {extractive.NAME}"
    return None, "taking it again gives something else (another version of the program, or the commit was edited)"


def _settings(view: View) -> tuple[Settings, ...]:
    """Return the settings that a step may have had: those of `sleep.yaml` then, and these with the environment's."""
    try:
        fields = yaml.load(view.read(paths.SETTINGS) or "")
    except ValueError as error:
        raise DocumentError(str(error), where=paths.SETTINGS) from None
    return tuple(dict.fromkeys((resolve(fields, environ={}), resolve(fields))))


def arrivals(again: Retaken, path: str) -> tuple[list[Passage], tuple[Span, ...]]:
    """Return what a journal to hot did with the fragments of the journal, and its account of every character."""
    journal = again.before.journal(path)
    before, after = again.documents(*paths.HOT)
    before[path] = account.fragments(journal)
    found = fates.between(before, after, again.decided.fates if again.decided else ())
    own = [one for one in found if one.source == path]
    return found, again.decided.spans if again.decided else account.observed(journal, own)


def gone(cycle: Cycle) -> str:
    """Return the sentence that says that a cycle was slept and history no longer holds its steps."""
    return (
        f"cycle {cycle.number} slept on {cycle.instance} ({cycle.slept}), but its commits are not in this branch's "
        "history (squashed away, or a shallow clone)"
    )
