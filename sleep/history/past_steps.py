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
from sleep.store.git import file_lists

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.documents.cycles import Cycle
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment
    from sleep.store.history import Change, Commit
    from sleep.store.layout import Root

SEAL, HOT, WARM, COLD, HANDOFF = "seal", "journal to hot", "hot to warm", "warm to cold", "handoff"
UNDO, ADOPT, EDIT, OLDER, MERGE = "undo", "adopt", "edit", "older history", "merge"
UNCOMMITTED = "not committed"  # in place of a step, and of a commit
UNSLEPT = "no cycle has slept on it (sleepwake sleep --dry-run shows what would become of it)"


class Joined(NamedTuple):
    """A file that a merge of branches gave, and that not all of them had so: the blobs' ids there, and after it."""

    path: str
    sides: tuple[str, ...]
    after: str


class Step(NamedTuple):
    """A commit to the memory and what it did: a step of a cycle, an undo, or a person's (`adopt`, `edit`; cycle 0).

    `older history` is the first commit of a shallow clone, which seems to have made all that there is. `instance` is as
    in the trailer (`i7qxk`), `changes` are those of the tiers' files, `journals` those of journals. A `merge` of
    branches has `joined`, of both, and no changes of its own. `record` is what it changed of the page of its cycle's
    fates.
    """

    step: str
    cycle: int
    instance: str
    compressor: str
    commit: Commit
    changes: tuple[Change, ...]
    journals: tuple[Change, ...] = ()
    joined: tuple[Joined, ...] = ()
    record: Change | None = None

    @property
    def tiers(self) -> tuple[str, ...]:
        """The paths of the tiers' files that it changed or joined."""
        joined = (item.path for item in self.joined if paths.tier_of(item.path))
        return (*(change.path for change in self.changes), *joined)

    @property
    def key(self) -> tuple[int, str]:
        """The cycle and its instance: two branches may have given two cycles one number."""
        return self.cycle, self.instance


def read(root: Root) -> list[Step]:
    """Return the commits that changed the memory, oldest first; none in a repository without commits."""
    walked = history.walk(root, layout.OWNED)
    boundary = file_lists.boundary(root)
    sides = file_lists.sides(root, [commit.sha for commit, _ in walked if len(commit.parents) > 1], layout.OWNED)
    steps = [_step(commit, changed, is_first=commit.sha in boundary) for commit, changed in reversed(walked)]
    return [
        step._replace(step=MERGE, joined=_joined(sides[step.commit.sha])) if step.commit.sha in sides else step
        for step in steps
    ]


def _joined(sides: Sequence[tuple[Change, ...]]) -> tuple[Joined, ...]:
    """Return what a merge of branches gave, by what it changed of each of them: the files that differ from one's."""
    after = {change.path: change.after for changes in sides for change in changes if _is_text(change.path)}
    before = [{change.path: change.before for change in changes} for changes in sides]
    return tuple(
        Joined(path, tuple(own.get(path, after[path]) for own in before), after[path]) for path in sorted(after)
    )


def _is_text(path: str) -> bool:
    return path.endswith(".md") and (bool(paths.tier_of(path)) or paths.journal_number(path) is not None)


def _step(commit: Commit, changes: tuple[Change, ...], *, is_first: bool) -> Step:
    trailers = own_steps.trailers(commit)
    claim = own_steps.claim(commit)
    cycle = claim.cycle if claim and own_steps.fits(claim, (change.path for change in changes)) else 0
    texts = [change for change in changes if _is_text(change.path)]
    pages = {fates_page.key_of(change.path): change for change in changes}
    return Step(
        OLDER if is_first else _name(trailers.get("Sleep-Step", ""), cycle),
        cycle,
        trailers.get("Sleep-Instance", ""),
        trailers.get("Sleep-Compressor", ""),
        commit,
        tuple(change for change in texts if paths.tier_of(change.path)),
        tuple(change for change in texts if not paths.tier_of(change.path)),
        record=pages.get(claim.key) if claim else None,
    )


def _name(step: str, cycle: int) -> str:
    """Return what a commit is, which says that it is a step: of no cycle it is a person's, adopted or not."""
    return step if step and (cycle or step == ADOPT) else EDIT


def skipped(steps: Sequence[Step], handoff: Step) -> Step | None:
    """Return the journal to hot of a handoff's cycle where it changed nothing and so has no commit; else None.

    It judged the journal all the same: what it decided is found in the memory before the handoff.
    """
    own = [step.step for step in steps if step.key == handoff.key]
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
            self._naming[key] = [fragment for fragment in fragments if address in fragment.addresses]
        return self._naming[key]


def gone(cycle: Cycle) -> str:
    """Return the sentence that says that a cycle was slept and history no longer holds its steps."""
    return (
        f"cycle {cycle.number} slept on {cycle.instance} ({cycle.slept}), but its commits are not in this branch's "
        "history (squashed away, or a shallow clone)"
    )
