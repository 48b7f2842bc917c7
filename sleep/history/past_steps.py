"""The commits that changed a memory, as history holds them: steps of cycles, undos, merges, and people's own.

Owns finding a cycle's commits by their trailers, and the texts of the tiers' files through history. What a step did is
`step_fates`'s. Refuses to write anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.changes import own_steps
from sleep.compression import extractive
from sleep.documents import fates_page, paths, tier
from sleep.store import history, layout
from sleep.store.files import decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.documents.cycles import Cycle
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment
    from sleep.store.history import Change, Commit
    from sleep.store.layout import Root

SEAL, HOT, WARM, COLD, HANDOFF = "seal", "journal to hot", "hot to warm", "warm to cold", "handoff"
UNDO, ADOPT, EDIT, OLDER, MERGE = "undo", "adopt", "edit", "older history", "merge"


class Joined(NamedTuple):
    """A file that a merge of branches gave, and that not all of them had so: the blobs' ids there, and after it."""

    path: str
    sides: tuple[str, ...]
    after: str


class Step(NamedTuple):
    """A commit to the memory and what it did: a step of a cycle, an undo, or a person's (`adopt`, `edit`; cycle 0).

    `older history` is the first commit of a shallow clone, which seems to have made all that there is. `instance` is as
    in the trailer (`i7qxk`), `changes` are those of the tiers' files, `said` those of journals. A `merge` of branches
    has `joined`, of both, and no changes of its own. `record` is what it changed of the page of its cycle's fates.
    """

    step: str
    cycle: int
    instance: str
    compressor: str
    commit: Commit
    changes: tuple[Change, ...]
    said: tuple[Change, ...] = ()
    joined: tuple[Joined, ...] = ()
    record: Change | None = None

    @property
    def tiers(self) -> tuple[str, ...]:
        """The paths of the tiers' files that it changed or joined."""
        joined = (one.path for one in self.joined if paths.tier_of(one.path))
        return (*(one.path for one in self.changes), *joined)


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
        record=next((change for change in changes if claim and fates_page.key_of(change.path) == claim.key), None),
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


def gone(cycle: Cycle) -> str:
    """Return the sentence that says that a cycle was slept and history no longer holds its steps."""
    return (
        f"cycle {cycle.number} slept on {cycle.instance} ({cycle.slept}), but its commits are not in this branch's "
        "history (squashed away, or a shallow clone)"
    )
