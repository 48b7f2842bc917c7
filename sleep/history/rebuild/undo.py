"""Undo: a memory as it would be without one cycle, in a new commit.

Owns finding the commits of a cycle, what is refused, and the new commit. Compression is deterministic and journals
never change, so the memory without a cycle is made by going back to before it and doing the rest again (`replay`).
Refuses what cannot be told apart from other people's work: a history that begins within the cycle, a squash, an amended
step, a cycle that a merge brought. No journal ever goes, and nothing comes back that somebody took out (`revival`).
"""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from sleep.changes import own_steps
from sleep.cycle import adoption, compressor, debt_settlement
from sleep.cycle.project_pages import page_writes
from sleep.documents import cycles, paths
from sleep.errors import GitStateError, UsageError
from sleep.history.rebuild import replay, revival
from sleep.history.rebuild.replay import Edited, Span
from sleep.memory import place, preview
from sleep.memory.view import View
from sleep.store import history as past
from sleep.store import layout, step
from sleep.store.files import decode
from sleep.store.git import file_lists
from sleep.store.plan import Plan
from sleep.store.tree import CommitTree, Overlay, WorkTree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.changes.own_steps import Claim
    from sleep.debt.ledger import PastSleep
    from sleep.documents.cycles import Cycle
    from sleep.memory.place import Place, Writer
    from sleep.store.history import Commit
    from sleep.store.layout import Root
    from sleep.store.tree import Tree

_UNDO = "Sleep-Undo"
_UNCHANGED = "(nothing was changed)"


class Undone(NamedTuple):
    """What an undo did: the cycle, its instance, the cycles that were slept again without it, the paths, the commit.

    `recorded` are those of the cycles slept again whose text another compressor had written. `debt` is what the cycle
    had settled, and is given back with the `sessions`. `cleaned` are the paths whose former text had a secret, or what
    somebody took out since: it did not come back.
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
    cleaned: tuple[str, ...] = ()


class PastCycle(NamedTuple):
    """A cycle in history: its figures, its commits, and its state.

    It is `slept`, `undone`, or `dropped`: a merge or an edit took its line out of the table, and its journal waits.
    """

    number: int
    instance: str
    slept: str
    before: int
    after: int
    commits: tuple[str, ...]
    state: str


def history(where: Place, limit: int = 20) -> list[PastCycle]:
    """Return the cycles, newest first, from the table and from the steps on the branch.

    Two instances that were slept on under one number, on two branches, are two cycles.
    """
    rows = {cycle.key: cycle for cycle in View(WorkTree(where.root)).cycles}
    commits, undone = _claimed(where.root)
    keys = sorted({*rows, *commits}, key=lambda key: (key[0], rows[key].slept if key in rows else ""), reverse=True)
    shown = {key: commits.get(key, []) for key in keys[:limit]}
    whole = {*file_lists.boundary(where.root), *own_steps.shaped(where.root, list(chain(*shown.values())))}
    listed = []
    for key, named in shown.items():
        own = [commit for commit in named if commit.sha in whole]
        shas = tuple(commit.sha for commit in own)
        if row := rows.get(key):  # the table has when the journal was closed, which may be long before
            slept = _utc(own[-1].when) if own else row.slept
            listed.append(PastCycle(*key, slept, row.before, row.after, shas, "slept"))
        elif own:
            sizes = _sizes(where.root, own[-1].sha, key)
            listed.append(PastCycle(*key, _utc(own[-1].when), *sizes, shas, "undone" if key in undone else "dropped"))
    return listed


def _claimed(root: Root) -> tuple[dict[tuple[int, str], list[Commit]], set[tuple[int, str]]]:
    """Return by cycle the commits on the branch that call themselves its steps, oldest first, and the undone cycles."""
    commits: dict[tuple[int, str], list[Commit]] = {}
    undone = set()
    for commit in _commits(root, "HEAD") if past.head(root) else []:
        claim = own_steps.claim(commit)
        if claim and claim.is_step_of(claim.key):
            commits.setdefault(claim.key, []).insert(0, commit)
        elif claim:
            undone.add(claim.key)
    return commits, undone


def _sizes(root: Root, last: str, key: tuple[int, str]) -> tuple[int, int]:
    """Return a cycle's tokens before and after as its last commit has them, 0 where that has no line of it."""
    was = _as_written(root, last, key)
    return (was.before, was.after) if was else (0, 0)


def _as_written(root: Root, last: str, key: tuple[int, str]) -> Cycle | None:
    """Return a cycle's own line as its last commit has it, None where that has none."""
    return next((cycle for cycle in cycles.read(past.read(root, last, cycles.PATH)) if cycle.key == key), None)


def undo(where: Place, number: int | None = None, *, instance: str = "", dry_run: bool = False) -> Undone:
    """Undo a cycle (the last one without a number).

    Args:
        where: the memory.
        number: the cycle's.
        instance: its instance (`i7qxk`), where two branches gave two cycles the same number.
        dry_run: whether only to tell; what is refused is refused as well.

    Raises:
        UsageError: no such cycle, or it is undone already, or two have the number, or its commits are not here.
        GitStateError: history does not tell the cycle apart, or a person's later edit and the rebuild disagree; nothing
            was changed.
        StorageError: no debt can be given back; nothing was changed.
    """
    if dry_run:
        place.repository(where).preflight()
        done = _decide(where, number, instance)[0]
        return _with_debt(done, debt_settlement.to_give_back(where, done.cycle, done.instance))
    debt_settlement.refuse(where)
    with place.writing(where, "sleep.undo") as writer:
        done, writes = _decide(where, number, instance)
        adoption.adopt(writer)
        with debt_settlement.undoing(where, done.cycle, done.instance):
            done = done._replace(sha=_apply(writer, done, writes))
        return _with_debt(done, debt_settlement.give_back(where, done.cycle, done.instance))


def _with_debt(done: Undone, back: PastSleep | None) -> Undone:
    return (
        done._replace(debt=back.debt, sessions=tuple(session.session_id for session in back.sessions)) if back else done
    )


def _apply(writer: Writer, done: Undone, writes: dict[str, str | None]) -> str:
    body = [f"- back to before cycle {done.cycle} of instance {done.instance}"]
    if done.rebuilt:
        body.append(f"- slept again without it: cycles {', '.join(map(str, done.rebuilt))}")
    if done.recorded:
        body.append(
            f"- text that another compressor wrote is kept as committed: cycles {', '.join(map(str, done.recorded))}"
        )
    if done.cleaned:
        body.append(f"- what was taken out since did not come back: {', '.join(done.cleaned)}")
    body.append("- people's own edits and the journals stay")
    trailers = ((_UNDO, str(done.cycle)), ("Sleep-Step", "undo"), ("Sleep-Instance", done.instance))
    plan = Plan("undo", f"undo cycle {done.cycle} of instance {done.instance}", "\n".join(body), trailers, writes)
    return step.apply(writer.root, plan, writer.lock, writer.repository)


def _decide(where: Place, number: int | None, instance: str) -> tuple[Undone, dict[str, str | None]]:
    rows = View(WorkTree(where.root)).cycles
    row = _wanted(rows, number, instance)
    span, base = _span(where, rows, row)
    alone = not span.pending and not span.others
    exact = alone and not span.again and not _later_journals(where, row)
    state = replay.run(where, base, span, keep_journals=not exact)
    _refuse_return(where.root, span, state, row)
    writes, cleaned = revival.refuse(where, span, _writes(where, state, row))
    writes |= page_writes.refreshed(View(Overlay(WorkTree(where.root), writes)))
    numbers = tuple(cycle.number for cycle in span.again.values())
    recorded = compressor.recorded([commit for key in span.again for commit in span.of(key)], numbers)
    done = Undone(row.number, str(row.instance), numbers, tuple(writes), recorded=recorded, cleaned=cleaned)
    return done._replace(diff=preview.unified(WorkTree(where.root), writes)), writes


def _wanted(rows: Sequence[Cycle], number: int | None, instance: str) -> Cycle:
    """Return the cycle that is meant, by default the last one."""
    if not rows:
        raise UsageError("there is no cycle to undo")
    fitting = [row for row in rows if number in (None, row.number) and instance in ("", str(row.instance))]
    if not fitting:
        spelled = " of ".join(filter(None, (f" {number}" if number is not None else "", instance)))
        raise UsageError(f"there is no cycle{spelled}, or it is undone already", hint="sleepwake sleep.history")
    if number is not None and len(fitting) > 1:
        names = " and ".join(str(row.instance) for row in fitting)
        raise UsageError(
            f"cycle {number} is that of {names} (two branches gave the same number): say which one",
            hint=f"sleepwake sleep.undo --cycle {number} --instance {fitting[-1].instance}",
        )
    return fitting[-1]


def _span(where: Place, rows: Sequence[Cycle], row: Cycle) -> tuple[Span, Tree]:
    """Return what has to be made again, and the memory before it; errors as in `undo`."""
    root, key = where.root, row.key
    history = list(reversed(_commits(root, "HEAD"))) if past.head(root) else []
    claims = {commit.sha: claim for commit in history if (claim := own_steps.claim(commit))}
    first = history[_start(root, history, claims, row)]
    if not first.parents:
        raise _cut(root, first, row)
    commits = _line(root, first, row)
    ours = own_steps.steps(root, commits)
    own = _of_cycle(commits, claims, key)
    for commit in (commits[0], *own):
        if commit.sha not in ours:
            raise _not_ours(commit, row)
    _refuse_incomplete(root, row, _of_cycle(own, ours, key), ours)
    standing = {claim.key for claim in ours.values() if claim.is_step_of(claim.key)}
    again = {cycle.key: cycle for cycle in rows if cycle != row and cycle.key in standing}
    left = replay.without_reverts(root, commits, ours)
    return Span(left, ours, again, _pending(where), key), CommitTree(root, first.parents[0])


def _of_cycle(commits: Iterable[Commit], claims: Mapping[str, Claim], key: tuple[int, str]) -> list[Commit]:
    """Return the commits that claim to be steps of a cycle."""
    return [commit for commit in commits if commit.sha in claims and claims[commit.sha].is_step_of(key)]


def _start(root: Root, events: Sequence[Commit], claims: Mapping[str, Claim], row: Cycle) -> int:
    """Return the index of the first commit from which the memory has to be made again.

    It is the cycle's first step, or that of an earlier cycle whose undoing came after it and so rebuilt it.
    """
    first: dict[tuple[int, str], int] = {}
    undoings = []
    for index, commit in enumerate(events):
        claim = claims.get(commit.sha)
        if claim and claim.step == own_steps.UNDO:
            undoings.append((index, claim.key))
        elif claim:
            first.setdefault(claim.key, index)
    start = first.get(row.key, -1)
    if start < 0:
        raise _absent(root, row)
    while True:
        rebuilt = [first[key] for index, key in undoings if index > start and first.get(key, start) < start]
        if not rebuilt:
            return start
        start = min(rebuilt)


def _line(root: Root, first: Commit, row: Cycle) -> list[Commit]:
    """Return the commits from the first to the last, oldest first; a merge stands for all that it brought.

    Raises GitStateError where the first is on a branch that was merged into this one.
    """
    since = f"^{first.parents[0]} HEAD"
    commits = list(reversed(_commits(root, since)))
    if merges := [commit for commit in commits if len(commit.parents) > 1]:
        commits = list(reversed(past.commits(root, since, paths=layout.OWNED, first_parent=True)))
        if not commits or commits[0].sha != first.sha:
            raise GitStateError(
                f"cycle {row.number} of {row.instance} came with {_named(merges[0])}, a merge, and what was slept on "
                f"two branches at once cannot be slept again in one line {_UNCHANGED}",
                hint="undo it on its own branch and merge that again, "
                f"or take the whole merge back: git revert -m 1 {merges[0].sha[:7]}",
            )
    return commits


def _refuse_incomplete(root: Root, row: Cycle, own: Sequence[Commit], claims: Mapping[str, Claim]) -> None:
    """Raise UsageError unless every step is here that the cycle's own line names as it was first written."""
    was = _as_written(root, own[-1].sha, row.key)
    wrote = (was.steps if was else ()) or (own_steps.HANDOFF,)
    missing = [name for name in wrote if name not in {claims[commit.sha].step for commit in own}]
    if missing:
        raise UsageError(
            f"cycle {row.number} of {row.instance} is not whole in this branch's history: its {', '.join(missing)} "
            f"is no commit of its own (squashed away?) {_UNCHANGED}",
            hint="git log --oneline",
        )


def _refuse_return(root: Root, span: Span, state: Tree, row: Cycle) -> None:
    """Raise GitStateError where somebody's edit gives the cycle back after it was undone: it would stay."""
    if row.key not in {cycle.key for cycle in View(state).cycles}:
        return
    edits = [(f"git revert {commit.sha[:7]}", _named(commit), replay.edits(root, commit)) for commit in span.others]
    edits.append((f"git checkout HEAD -- {cycles.PATH}", "an edit that is not committed", iter(span.pending)))
    way, name = next(
        (way, name)
        for way, name, own in reversed(edits)
        for edit in own
        if edit.path == cycles.PATH and row.key in {cycle.key for cycle in cycles.read(edit.after or "")}
    )
    raise GitStateError(
        f"{name} brought cycle {row.number} of {row.instance} back after it was undone {_UNCHANGED}", hint=way
    )


def _cut(root: Root, commit: Commit, row: Cycle) -> GitStateError:
    """Return the refusal of a cycle whose beginning history does not have."""
    cycle = f"cycle {row.number} of {row.instance}"
    if commit.sha in file_lists.boundary(root):
        return GitStateError(
            f"this clone is shallow: what was before {cycle} is not in it, it begins with {_named(commit)} "
            f"{_UNCHANGED}",
            hint="git fetch --unshallow, then the same command again",
        )
    return GitStateError(
        f"history begins with {_named(commit)}, which holds {cycle}: there is nothing before it to go back to "
        f"{_UNCHANGED}",
        hint="edit the files as they should be; the next sleep adopts that",
    )


def _absent(root: Root, row: Cycle) -> UsageError | GitStateError:
    """Return the refusal of a cycle of which there is a line in the table, but no commit."""
    tables = [
        (commit, change.after) for commit, rows in past.walk(root, (cycles.PATH,)) for change in rows if change.after
    ]
    contents = past.blobs(root, (name for _, name in tables))
    brought = [commit for commit, name in tables if row in cycles.read(decode(contents[name] or b""))]
    commit = brought[-1] if brought else None
    if commit and not commit.parents:
        return _cut(root, commit, row)
    by = f": {_named(commit)} brought it whole" if commit else ""
    way = f"; git revert {commit.sha[:7]} takes back all that it did, journals too" if commit else ""
    return UsageError(
        f"the commits of cycle {row.number} of {row.instance} are not in this branch's history (squashed away?){by}",
        hint=f"git log --all --grep 'Sleep-Cycle: {row.number}' finds them on other branches{way}",
    )


def _not_ours(commit: Commit, row: Cycle) -> GitStateError:
    return GitStateError(
        f"{_named(commit)} calls itself a step of a cycle, and is none of ours (a squash, a step that was amended, or "
        f"one of a newer sleepwake): undoing cycle {row.number} of {row.instance} would take other work along "
        f"{_UNCHANGED}",
        hint=f"if a newer sleepwake slept here, undo it with that one; git show --stat {commit.sha[:7]} shows it, "
        f"git revert {commit.sha[:7]} takes back all that it did, journals too",
    )


def _named(commit: Commit) -> str:
    return f"commit {commit.sha[:7]} ({commit.subject})"


def _writes(where: Place, state: Overlay, row: Cycle) -> dict[str, str | None]:
    """Return what makes the memory on disk the state; of journals only what opens the cycle's own again."""
    present = WorkTree(where.root)
    listed = {path for folder in layout.OWNED[1:] for tree in (present, state) for path in tree.list(folder)}
    own = View(present).path_of(row.instance)
    writes: dict[str, str | None] = {}
    for path in sorted({*listed, paths.MAIN}):
        now, then = present.read(path), state.read(path)
        if not layout.is_owned(path) or replay.is_same(now, then):
            continue
        if path.startswith(paths.JOURNALS) and (
            path != own or now is None or then is None or own_steps.bare(now) != own_steps.bare(then)
        ):
            continue
        writes[path] = then
    return writes


def _pending(where: Place) -> list[Edited]:
    """Return what is not committed yet of owned files."""
    changes = [change.path for change in place.repository(where).pending(layout.OWNED) if layout.is_owned(change.path)]
    before = past.read_many(where.root, "HEAD", changes) if changes and past.head(where.root) else {}
    present = WorkTree(where.root)
    edits = (Edited(path, before.get(path), present.read(path)) for path in changes)
    return [edit for edit in edits if not replay.is_same(edit.after, edit.before)]


def _later_journals(where: Place, row: Cycle) -> bool:
    """True if another journal waits that is no older: it may name numbers that the cycle's journal was given."""
    view = View(WorkTree(where.root))
    return any((paths.journal_number(path) or 0) >= row.instance.number for path in view.unslept)


def _utc(when: str) -> str:
    """Return an ISO 8601 time as the table of cycles writes it."""
    return datetime.fromisoformat(when).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _commits(root: Root, rev_range: str) -> list[Commit]:
    return past.commits(root, rev_range, paths=layout.OWNED)
