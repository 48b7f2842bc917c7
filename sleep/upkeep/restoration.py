"""Putting back what git took out of a memory: journals from history, and from journals what the tiers lack.

Owns the commits that do it, each through the gate as a step of a sleep is. What a person took out on purpose
(`removed`) stays out. A commit of this kind belongs to no cycle: an undo keeps it, as it keeps a person's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import gate
from sleep.cycle import handoff, journal_to_hot, step_message
from sleep.cycle import sleep as sleeps
from sleep.documents import cycles, main_page, paths
from sleep.memory import place
from sleep.memory.view import View
from sleep.records import kinds
from sleep.store import files, history, step
from sleep.store.plan import Plan
from sleep.store.tree import Overlay, WorkTree
from sleep.upkeep import missing_records, removal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.memory.place import Place, Writer
    from sleep.records.address import Address
    from sleep.upkeep.missing_records import Gaps, Missing, Scope
    from sleep.upkeep.removal import Gone

STEP = "put back"
_NEVER = removal.Fate("", removal.STEP)  # of what never stood in a tier


class Lost(NamedTuple):
    """What is not where it should be: journals, and what slept journals hold that no tier has.

    `gone` are journals that history holds, `gaps` all that the tiers lack but what a person took out, which is in
    `meant` by address with the commit. `former` counts tasks, blockers and dead ends that steps dropped as prose,
    before they were records.
    """

    gone: tuple[Gone, ...]
    gaps: Gaps
    meant: dict[Address, str]
    former: int = 0


class Done(NamedTuple):
    """A commit that put something back: its subject, and id."""

    subject: str
    sha: str


def look(where: Place, view: View, scope: Scope | None = None) -> Lost:
    """Return what is lost of a memory, by its journals (of all, or within a scope) and by HEAD's history."""
    gaps = missing_records.find(view, where.settings.keep_hot, scope)
    whole = [address for path in gaps.bare for address in _said(view, path)]
    fates = removal.fates(where.root, (*(one.address for one in gaps.missing), *whole))
    noted = view.edits.removed()  # when it was taken out: a squash may have lost the commit
    meant = {one.address: "" for one in gaps.missing if one.address in noted}
    meant |= {address: fate.commit for address, fate in fates.items() if fate.by == removal.HAND}
    bare = tuple(path for path in gaps.bare if not any(one in meant for one in _said(view, path)))
    # Before they were records, tasks and their like were prose, which steps drop as they say in their commits.
    former = {
        one.address
        for one in gaps.missing
        if one.fragment.kind in kinds.WORK
        and fates.get(one.address, _NEVER).by == removal.STEP
        and one.journal not in bare
    }
    left = tuple(one for one in gaps.missing if one.address not in meant and one.address not in former)
    gone = removal.gone(where.root, view)
    lost = {one.instance for one in gone}
    missed = tuple(one for one in gaps.gone if one not in lost)
    return Lost(tuple(gone), gaps._replace(missing=left, bare=bare, gone=missed), meant, len(former))


def _said(view: View, path: str) -> list[Address]:
    return [entry.address for entry in view.journal(path).entries]


def restore(where: Place, now: str) -> list[Done]:
    """Put back all that can be, and return the commits.

    Raises what a step of a sleep raises; the commits before it stand.
    """
    done: list[Done] = []
    with place.writing(where, "doctor") as writer:
        view = View(WorkTree(where.root))
        back = [one for one in look(where, view).gone if not one.commit]
        done += _uncommitted(where, view, back)
        view = View(WorkTree(where.root))
        back = [one for one in back if view.path_of(one.instance) is None]
        if back:
            done += _taken(writer, _journals(view, back))
    slept = {cycle.instance for cycle in View(WorkTree(where.root)).cycles}
    for number in dict.fromkeys(one.instance.number for one in back if one.instance not in slept):
        report = sleeps.run(where, now, instance=number)
        done += [Done(one.plan.subject, one.sha) for one in report.taken]
    with place.writing(where, "doctor") as writer:
        for path in look(where, View(WorkTree(where.root))).gaps.bare:
            done += _taken(writer, _whole(where, View(WorkTree(where.root)), path))
        view = View(WorkTree(where.root))
        left = look(where, view).gaps.missing
        if left:
            done += _taken(writer, _records(where, view, left))
        done += _taken(writer, _handoff(where, View(WorkTree(where.root))))
    return done


def _uncommitted(where: Place, view: View, back: Sequence[Gone]) -> list[Done]:
    """Write the journals whose deletion is not committed; that takes no commit."""
    committed = history.read_many(where.root, "HEAD", [one.path for one in back]) if back else {}
    done = []
    for one in back:
        if view.read(one.path) is None and committed.get(one.path) == one.text:
            files.write(where.root.absolute(one.path), one.text)
            done.append(Done(f"put back {one.path}, which was deleted and not committed", ""))
    return done


def _taken(writer: Writer, plan: Plan | None) -> list[Done]:
    if plan is None:
        return []
    sha = step.apply(writer.root, plan, writer.lock, writer.repository)
    return [Done(plan.subject, sha)] if sha else []


def _journals(view: View, back: Sequence[Gone]) -> Plan:
    """Return the step that brings journals back; one whose name another has by now gets its tag into the name."""
    writes: dict[str, str | None] = {}
    for one in back:
        taken = view.read(one.path) is not None or one.path in writes
        path = paths.journal(one.instance.number, one.instance.tag) if taken else one.path
        writes[path] = one.text
    what = "a journal" if len(writes) == 1 else f"{len(writes)} journals"
    lines = [f"- {path}: {one.instance}" for path, one in zip(writes, back, strict=True)]
    return _plan(f"put back {what} from history", lines, writes)


def _whole(where: Place, view: View, path: str) -> Plan | None:
    """Return the step that brings an instance back of which nothing stands: as when it was slept on."""
    decided = journal_to_hot.journal_to_hot(view, where.settings, path)
    writes = {name: text for name, text in decided.writes.items() if text != view.read(name)}
    sleeps.check(view, decided._replace(writes=writes), path, where.settings)
    number = view.journal(path).instance.number
    subject = decided.subject.replace("journal to hot", "put back", 1)
    return _plan(subject, [f"- {line}" for line in decided.lines], writes, [str(number)]) if writes else None


def _records(where: Place, view: View, left: Sequence[Missing]) -> Plan | None:
    """Return the step that brings records back, and makes moves that are missing."""
    fresh = [one.fragment for one in left if one.what == missing_records.RECORD]
    moved = {one.fragment.identity: one.fragment for one in left if one.what == missing_records.MOVE}
    changes = {(path, old): moved[old.identity] for path, old in view.placed() if old.identity in moved}
    writes = journal_to_hot.put_back(view, where.settings, fresh, changes)
    writes = {name: text for name, text in writes.items() if text != view.read(name)}
    names = {*writes, *paths.HOT}
    before = {name: view.read(name) or "" for name in names}
    after = before | {name: text or "" for name, text in writes.items()}
    journals = dict.fromkeys(view.path_of(at.instance) for one in left for at in one.fragment.addresses)
    gate.check(
        before,
        after,
        sources=[text for path in journals if path and (text := view.read(path))],
        entering=fresh,
        topic_limit=where.settings.topic_tokens,
        known=place.secrets(),
    )
    lines = [f"- {one.fragment.handle} [{one.address}]" for one in left]
    kinds = step_message.counted([one.fragment for one in left])
    numbers = sorted({one.address.number for one in left})
    what = f"put back {kinds} of instance{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
    return _plan(what, lines, writes, list(map(str, numbers))) if writes else None


def _handoff(where: Place, view: View) -> Plan | None:
    """Return the step that makes the handoff that of the last cycle's instance again."""
    giver = handoff.giver(view)
    said = main_page.handoff(view.read(paths.MAIN) or "").get("updated", "")
    path = view.path_of(giver) if giver and str(giver) not in said else None
    if path is None or not view.journal(path).sealed:
        return None
    table = (view.read(cycles.PATH) or "").rstrip("\r\n").rpartition("\n")[0] + "\n"
    before = View(Overlay(view.tree, {cycles.PATH: table}), view)  # the handoff counts its own cycle along
    text = handoff.decide(before, where.settings, path, view.cycles[-1]).writes[paths.MAIN]
    return _plan(f"put back the handoff of {giver}", [], {paths.MAIN: text})


def _plan(subject: str, lines: Sequence[str], writes: dict[str, str | None], said: Sequence[str] = ()) -> Plan:
    trailers = (("Sleep-Step", STEP), (removal.PUT_BACK, " ".join(said) or "documents"))
    return Plan(STEP, subject, "\n".join(lines), trailers, writes)
