"""Undo: a memory as it would be without one cycle, in a new commit.

Owns reading the history of cycles and the rebuild. Compression is deterministic and journals never change, so the
memory without a cycle is made by going back to before it and doing the rest again: later cycles are slept again,
people's edits (adopted or committed by themselves) are laid over by a three-way merge. What another compressor wrote
(a model, an older version) is not asked for again but taken as it was committed, where all that it was made of is still
there. A conflict stops it with nothing changed.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from sleep.cycle import compressor, place, settling
from sleep.cycle import sleep as sleeps
from sleep.cycle.view import View
from sleep.errors import GitStateError, UsageError
from sleep.memory import cycles, paths, records, tier
from sleep.store import history as past
from sleep.store import layout, merge, step
from sleep.store.plan import Plan
from sleep.store.tree import CommitTree, Overlay, WorkTree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.cycle.place import Place, Writer
    from sleep.debt.ledger import Slept
    from sleep.memory.cycles import Cycle
    from sleep.store.history import Commit
    from sleep.store.layout import Root
    from sleep.store.tree import Tree

_UNDO = "Sleep-Undo"
_CYCLE = "Sleep-Cycle"


class Undone(NamedTuple):
    """What an undo did: the cycle, its instance, the cycles that were slept again without it, the paths, the commit.

    `recorded` are those of the cycles slept again whose text another compressor had written. `debt` is what the cycle
    had settled, and is given back with the `sessions`.
    """

    cycle: int
    instance: str
    rebuilt: tuple[int, ...]
    paths: tuple[str, ...]
    sha: str = ""
    diff: str = ""
    recorded: tuple[int, ...] = ()
    debt: int = 0
    sessions: tuple[str, ...] = ()


class Edited(NamedTuple):
    """What a person did to a document: its text before and after, None where there is none."""

    path: str
    before: str | None
    after: str | None


class Past(NamedTuple):
    """A cycle in history: its figures (0 where its line is gone), its commits, `slept` or `undone`."""

    number: int
    instance: str
    slept: str
    before: int
    after: int
    commits: tuple[str, ...]
    state: str


def history(where: Place, limit: int = 20) -> list[Past]:
    """Return the cycles, newest first, from the table and from the trailers of the branch."""
    rows = {cycle.number: cycle for cycle in View(WorkTree(where.root)).cycles}
    commits = _commits(where.root, "HEAD") if past.head(where.root) else []
    numbers = sorted({*rows, *(number for commit in commits if (number := _number(commit, _CYCLE)))}, reverse=True)
    found = []
    for number in numbers[:limit]:
        own = [commit for commit in reversed(commits) if _number(commit, _CYCLE) == number]
        row = rows.get(number)
        instance = (
            str(row.instance) if row else next((v for c in own for n, v in c.trailers if n == "Sleep-Instance"), "")
        )
        when = row.slept if row else (_utc(own[-1].when) if own else "")
        state = "slept" if row else "undone"
        shas = tuple(commit.sha for commit in own)
        found.append(Past(number, instance, when, row.before if row else 0, row.after if row else 0, shas, state))
    return found


def undo(where: Place, number: int | None = None, *, dry_run: bool = False) -> Undone:
    """Undo a cycle (the last one without a number).

    Raises:
        UsageError: no such cycle, or it is undone already.
        GitStateError: a person's later edit and the rebuild disagree; nothing was changed.
    """
    if dry_run:
        done = _decide(where, number)[0]
        return _with_debt(done, settling.to_give_back(where, done.cycle, done.instance))
    with place.writing(where, "sleep.undo") as writer:
        done, writes = _decide(where, number)
        sleeps.adopt(writer)
        with settling.undoing(where, done.cycle, done.instance):
            done = done._replace(sha=_apply(writer, done, writes))
        return _with_debt(done, settling.give_back(where, done.cycle, done.instance))


def _with_debt(done: Undone, back: Slept | None) -> Undone:
    return done._replace(debt=back.debt, sessions=tuple(one.session_id for one in back.sessions)) if back else done


def _apply(writer: Writer, done: Undone, writes: dict[str, str | None]) -> str:
    body = [f"- back to before cycle {done.cycle} of instance {done.instance}"]
    if done.rebuilt:
        body.append(f"- slept again without it: cycles {', '.join(map(str, done.rebuilt))}")
    if done.recorded:
        body.append(
            f"- text that another compressor wrote is kept as committed: cycles {', '.join(map(str, done.recorded))}"
        )
    body.append("- people's own edits and the journals stay")
    trailers = ((_UNDO, str(done.cycle)), ("Sleep-Step", "undo"), ("Sleep-Instance", done.instance))
    plan = Plan("undo", f"undo cycle {done.cycle} of instance {done.instance}", "\n".join(body), trailers, writes)
    return step.apply(writer.root, plan, writer.lock, writer.repository)


def _decide(where: Place, number: int | None) -> tuple[Undone, dict[str, str | None]]:
    rows = View(WorkTree(where.root)).cycles
    if not rows:
        raise UsageError("there is no cycle to undo")
    wanted = number if number is not None else rows[-1].number
    row = next((cycle for cycle in rows if cycle.number == wanted), None)
    if row is None:
        raise UsageError(f"there is no cycle {wanted}, or it is undone already", hint="sleepwake sleep.history")
    pending = _pending(where)
    events = list(reversed(_commits(where.root, "HEAD")))
    start = _start(events, wanted)
    later = events[start:]
    undone = {wanted} | {value for commit in later if (value := _number(commit, _UNDO))}
    parents = events[start].parents
    base: Tree = CommitTree(where.root, parents[0]) if parents else Overlay(WorkTree(where.root), _nothing(where.root))
    again = [
        cycle
        for cycle in rows
        if cycle.number not in undone and any(_number(one, _CYCLE) == cycle.number for one in later)
    ]
    alone = not pending and not any(_is_persons(commit) for commit in later)
    exact = alone and not again and not _later_journals(where, row)
    state = _replay(where, base, later, {cycle.number: cycle for cycle in again}, pending, keep_journals=not exact)
    present = WorkTree(where.root)
    listed = {path for folder in layout.OWNED[1:] for tree in (present, state) for path in tree.list(folder)}
    writes: dict[str, str | None] = {}
    for path in sorted({*listed, paths.MAIN}):
        if layout.is_owned(path) and state.read(path) != present.read(path):
            writes[path] = state.read(path)
    numbers = tuple(cycle.number for cycle in again)
    recorded = compressor.recorded(later, numbers)
    done = Undone(wanted, str(row.instance), numbers, tuple(writes), recorded=recorded)
    return done._replace(diff=sleeps.diff(present, writes)), writes


def _start(events: Sequence[Commit], wanted: int) -> int:
    """Return the index of the first commit from which the memory has to be made again.

    It is the cycle's first step, or that of an earlier cycle whose undoing came after it and so rebuilt it.
    """
    first: dict[int, int] = {}
    for index, commit in enumerate(events):
        if number := _number(commit, _CYCLE):
            first.setdefault(number, index)
    if wanted not in first:
        raise UsageError(
            f"the commits of cycle {wanted} are not in this branch's history (squashed away?)",
            hint="git log --grep 'Sleep-Cycle'",
        )
    start = first[wanted]
    while True:
        rebuilt = [
            first[number]
            for index, commit in enumerate(events)
            if index > start and (number := _number(commit, _UNDO)) and first.get(number, start) < start
        ]
        if not rebuilt:
            return start
        start = min(rebuilt)


def _replay(
    where: Place,
    base: Tree,
    later: Sequence[Commit],
    again: dict[int, Cycle],
    pending: Sequence[Edited],
    *,
    keep_journals: bool,
) -> Overlay:
    """Return the memory made of `base` by people's edits and by the cycles of `again`, in the order of history."""
    writes: dict[str, str | None] = {}
    present = WorkTree(where.root)
    if keep_journals:  # what was said stays said, with the addresses it was given
        writes = {path: present.read(path) for path in present.list("journal")}
    slept: set[int] = set()
    pick = compressor.committed(where.root, later)
    for commit in later:
        number = _number(commit, _CYCLE)
        if number in again and number not in slept:
            slept.add(number)
            cycle = again[number]
            taken, _, _ = sleeps.plan_all(
                where.settings, Overlay(base, writes), cycle.slept, number, instance=cycle.instance.number, pick=pick
            )
            for one in taken:
                writes.update(one.decided.writes)
        elif _is_persons(commit):
            _lay_over(base, writes, _edits(where.root, commit), keep_journals=keep_journals)
    _lay_over(base, writes, pending, keep_journals=keep_journals)
    return Overlay(base, writes)


def _lay_over(base: Tree, writes: dict[str, str | None], edits: Iterable[Edited], *, keep_journals: bool) -> None:
    for path, before, after in edits:
        if keep_journals and path.startswith(paths.JOURNALS):
            continue
        writes[path] = _merged(path, Overlay(base, writes).read(path), before, after)


def _merged(path: str, now: str | None, before: str | None, after: str | None) -> str | None:
    if now in (before, after):
        return after
    if now is None or before is None or after is None:
        raise _conflict(path)
    both = merge.three_way(now, before, after)
    if both is None and paths.tier_of(path):
        both = _merged_fragments(now, before, after)
    if both is None:
        raise _conflict(path)
    return both


def _merged_fragments(now: str, before: str, after: str) -> str | None:
    """Return `after` with the fragments made what they are in `now`, None if a person changed one of those that differ.

    Lines merge only where nothing beside them changed; fragments merge one by one.
    """
    old, new, own = (tier.parse(text).fragments for text in (before, now, after))
    gone, fresh = [one for one in old if one not in new], [one for one in new if one not in old]
    if any(one not in own for one in gone):
        return None
    # A record that only changed its state is replaced where it stands.
    states = {one.identity: one for one in fresh if one.kind in records.MOVES}
    replaced = {one: states[one.identity] for one in gone if one.kind in records.MOVES and one.identity in states}
    add = [one for one in fresh if one not in replaced.values()]
    return tier.write(after, drop=[one for one in gone if one not in replaced], replace=replaced, add=add)


def _pending(where: Place) -> list[Edited]:
    """Return what is not committed yet of owned files."""
    changes = [one.path for one in place.repository(where).pending(layout.OWNED) if layout.is_owned(one.path)]
    before = past.read_many(where.root, "HEAD", changes) if changes and past.head(where.root) else {}
    present = WorkTree(where.root)
    return [Edited(path, before.get(path), present.read(path)) for path in changes]


def _conflict(path: str) -> GitStateError:
    return GitStateError(
        "an edit made by hand after that cycle cannot be kept without it (nothing was changed)",
        where=path,
        hint="undo the edit first, or edit the file as it should be",
    )


def _edits(root: Root, commit: Commit) -> Iterator[Edited]:
    """Yield what a person's commit changed in owned files."""
    parent = commit.parents[0] if commit.parents else None
    changed = past.diff_paths(root, parent, commit.sha) if parent else past.list_tree(root, commit.sha)
    owned = [path for path in changed if layout.is_owned(path)]
    before = past.read_many(root, parent, owned) if parent else {}
    after = past.read_many(root, commit.sha, owned)
    for path in owned:
        yield Edited(path, before.get(path), after.get(path))


def _later_journals(where: Place, row: Cycle) -> bool:
    """True if a journal was opened after the cycle: it may name numbers that the cycle's journal was given."""
    view = View(WorkTree(where.root))
    return any((paths.journal_number(path) or 0) > row.instance.number for path in view.unslept)


def _is_persons(commit: Commit) -> bool:
    """True for a commit that no cycle and no undo made: a person's, an adoption, an import."""
    return not _number(commit, _CYCLE) and not _number(commit, _UNDO)


def _number(commit: Commit, trailer: str) -> int:
    return next((int(value) for name, value in commit.trailers if name == trailer and value.isdigit()), 0)


def _utc(when: str) -> str:
    """Return an ISO 8601 time as the table of cycles writes it."""
    return datetime.fromisoformat(when).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _commits(root: Root, rev_range: str) -> list[Commit]:
    return list(past.commits(root, rev_range, paths=(*layout.OWNED, cycles.PATH)))


def _nothing(root: Root) -> dict[str, str | None]:
    present = WorkTree(root)
    return dict.fromkeys((*present.list("journal"), *present.list("memory"), paths.MAIN))
