"""Putting back what git took out of a memory: pages and journals from history, and from journals what the tiers lack.

Owns the commits that do it, each through the gate as a step of a sleep is. What a person took out on purpose
(`changes.removal`) stays out. A commit of this kind belongs to no cycle: an undo keeps it, as it keeps a person's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.changes import losses, missing_pages, missing_records, removal
from sleep.compression import gate
from sleep.cycle import cycle_plan, handoff, journal_to_hot, step_message
from sleep.cycle import sleep as sleeps
from sleep.documents import cycles, main_page, paths, verdicts
from sleep.journal import activity
from sleep.memory import merge_conflicts, noticed, place
from sleep.memory.view import View
from sleep.store import files, history, step
from sleep.store.plan import Plan
from sleep.store.tree import Overlay, WorkTree
from sleep.wake import checks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.changes.missing_records import Missing
    from sleep.changes.removal import LostJournal
    from sleep.memory.place import Place, Writer
    from sleep.records.fragment import Fragment
    from sleep.store.layout import Root

STEP = "put back"


class Done(NamedTuple):
    """A commit that put something back: its subject, and id."""

    subject: str
    sha: str


def restore(where: Place, now: str) -> list[Done]:
    """Put back all that can be, and return the commits.

    Raises what a step of a sleep raises; the commits before it stand.
    """
    done: list[Done] = []
    with place.writing(where, "doctor") as writer:
        done += _restore_pages(writer, View(WorkTree(where.root)))
        view = View(WorkTree(where.root))
        back = [journal for journal in losses.look(where, view).journals if not journal.commit]
        deleted = [(journal.path, journal.text) for journal in back if view.read(journal.path) is None]
        done += _write_uncommitted(where.root, deleted, "was deleted and not committed")
        view = View(WorkTree(where.root))
        back = [journal for journal in back if view.path_of(journal.instance) is None]
        if back:
            done += _apply(writer, _restore_journals(view, back))
    slept = {cycle.instance for cycle in View(WorkTree(where.root)).cycles}
    for number in dict.fromkeys(journal.instance.number for journal in back if journal.instance not in slept):
        report = sleeps.run(where, now, instance=number)
        done += [Done(step.plan.subject, step.sha) for step in report.steps]
    with place.writing(where, "doctor") as writer:
        for path in losses.look(where, View(WorkTree(where.root))).gaps.bare:
            done += _apply(writer, _restore_instance(where, View(WorkTree(where.root)), path))
        view = View(WorkTree(where.root))
        left = losses.look(where, view).gaps.missing
        if left:
            done += _apply(writer, _restore_records(where, view, left))
        done += _apply(writer, _take_out_rejected(where, View(WorkTree(where.root))))
        done += _apply(writer, _restore_handoff(where, View(WorkTree(where.root))))
    return done


def part_journals(where: Place) -> list[Done]:
    """Commit as two files what a merge was committed with in one, with its marks; none where no such journal is."""
    texts = merge_conflicts.apart(View(WorkTree(where.root)))
    if not texts:
        return []
    with place.writing(where, "doctor") as writer:
        numbers = ", ".join(map(str, sorted({paths.journal_number(path) or 0 for path in texts})))
        writes: dict[str, str | None] = {**texts}
        return _apply(
            writer, _plan(f"keep both journals of instance {numbers}", [f"- {path}" for path in texts], writes)
        )


def _restore_pages(writer: Writer, view: View) -> list[Done]:
    """Write the pages that no journal gives back as history has them, and commit those that HEAD has otherwise."""
    missing = missing_pages.find(writer.root, view)
    done = _write_uncommitted(writer.root, [(page.path, page.text) for page in missing], "was not committed as it was")
    writes: dict[str, str | None] = {page.path: page.text for page in missing if view.tree.read(page.path) != page.text}
    what = next(iter(writes)) if len(writes) == 1 else f"{len(writes)} pages"
    return [*done, *_apply(writer, _plan(f"put back {what} from history", [], writes) if writes else None)]


def _write_uncommitted(root: Root, documents: Sequence[tuple[str, str]], what: str) -> list[Done]:
    """Write those documents, (path, text), that HEAD has as they are to be; that takes no commit."""
    committed = history.read_many(root, "HEAD", (path for path, _ in documents)) if documents else {}
    same = [(path, text) for path, text in documents if committed.get(path) == text]
    for path, text in same:
        files.write(root.absolute(path), text)
    return [Done(f"put back {path}, which {what}", "") for path, _ in same]


def _apply(writer: Writer, plan: Plan | None) -> list[Done]:
    if plan is None:
        return []
    sha = step.apply(writer.root, plan, writer.lock, writer.repository)
    return [Done(plan.subject, sha)] if sha else []


def _restore_journals(view: View, back: Sequence[LostJournal]) -> Plan:
    """Return the step that brings journals back; one whose name another has by now gets its tag into the name."""
    writes: dict[str, str | None] = {}
    for journal in back:
        is_taken = view.read(journal.path) is not None or journal.path in writes
        path = paths.journal(journal.instance.number, journal.instance.tag) if is_taken else journal.path
        writes[path] = journal.text
    what = "a journal" if len(writes) == 1 else f"{len(writes)} journals"
    lines = [f"- {path}: {journal.instance}" for path, journal in zip(writes, back, strict=True)]
    return _plan(f"put back {what} from history", lines, writes)


def _restore_instance(where: Place, view: View, path: str) -> Plan | None:
    """Return the step that brings an instance back of which nothing stands: as when it was slept on."""
    decided = journal_to_hot.journal_to_hot(view, where.settings, path)
    writes = _differing(view, decided.writes)
    cycle_plan.check(view, decided._replace(writes=writes), path, where.settings)
    number = view.journal(path).instance.number
    subject = decided.subject.replace("journal to hot", "put back", 1)
    return _plan(subject, [f"- {line}" for line in decided.lines], writes, [str(number)]) if writes else None


def _restore_records(where: Place, view: View, left: Sequence[Missing]) -> Plan | None:
    """Return the step that brings records back, and makes moves that are missing."""
    fragments = [missing.fragment for missing in left]
    fresh = [missing.fragment for missing in left if missing.what == missing_records.RECORD]
    moved = {missing.fragment.identity: missing.fragment for missing in left if missing.what == missing_records.MOVE}
    changes = {(path, old): moved[old.identity] for path, old in view.placed() if old.identity in moved}
    writes = _differing(view, journal_to_hot.put_back(view, where.settings, fresh, changes))
    trees = (view.tree, Overlay(view.tree, writes))
    before, after = ({name: tree.read(name) or "" for name in {*writes, *paths.HOT}} for tree in trees)
    gate.check(
        before,
        after,
        sources=_journal_texts(view, fragments),
        entering=fresh,
        topic_limit=where.settings.topic_tokens,
        known=place.secrets(),
    )
    if not writes:
        return None
    lines = [f"- {missing.fragment.handle} [{missing.address}]" for missing in left]
    numbers = list(map(str, sorted({missing.address.number for missing in left})))
    whose = f"{'instances' if len(numbers) > 1 else 'instance'} {', '.join(numbers)}"
    return _plan(f"put back {step_message.counted(fragments)} of {whose}", lines, writes, numbers)


def _take_out_rejected(where: Place, view: View) -> Plan | None:
    """Return the step that takes out what was noticed and rejected, and what a merge made binding again."""
    bound = noticed.bound(view)
    judged = view.verdicts(view.journals) if bound else {}
    rejected = {address for address, verdict in judged.items() if verdict.to == verdicts.REJECTED}
    leaving = [(path, fragment) for path, fragment in bound if fragment.identity in rejected]
    if not leaving:
        return None
    lines = [f"- {each.kind} [{each.identity}], rejected in {judged[each.identity].by}" for _, each in leaving]
    what = f"take out what was rejected, {step_message.counted([each for _, each in leaving])}"
    return _plan(what, lines, _differing(view, journal_to_hot.without(view, where.settings, leaving)))


def _journal_texts(view: View, fragments: Iterable[Fragment]) -> list[str]:
    """Return the journals that the fragments came from."""
    instances = dict.fromkeys(address.instance for fragment in fragments for address in fragment.addresses)
    names = dict.fromkeys(filter(None, map(view.path_of, instances)))
    return [text for path in names if (text := view.read(path))]


def _differing(view: View, writes: Mapping[str, str | None]) -> dict[str, str | None]:
    return {name: text for name, text in writes.items() if text != view.read(name)}


def _restore_handoff(where: Place, view: View) -> Plan | None:
    """Return the step that makes the handoff that of the last instance again, and the current state that of both sides.

    A merge leaves the state as one side has it.
    """
    giver = activity.giver(view)
    text = view.read(paths.MAIN) or ""
    is_handoff = bool(giver) and str(giver) not in main_page.handoff(text).get("updated", "")
    path = view.path_of(giver) if giver and (is_handoff or checks.is_miscounted(view)) else None
    if path is None or not view.journal(path).sealed:
        return None
    table = (view.read(cycles.PATH) or "").rstrip("\r\n").rpartition("\n")[0] + "\n"
    before = View(Overlay(view.tree, {cycles.PATH: table}), view)  # the handoff counts its own cycle along
    text = handoff.decide(before, where.settings, path, view.cycles[-1]).writes[paths.MAIN] or text
    what = f"put back the handoff of {giver}" if is_handoff else "put together the current state after a merge"
    return _plan(what, [], {paths.MAIN: text})


def _plan(subject: str, lines: Sequence[str], writes: dict[str, str | None], instances: Sequence[str] = ()) -> Plan:
    trailers = (("Sleep-Step", STEP), (removal.PUT_BACK, " ".join(instances) or "documents"))
    return Plan(STEP, subject, "\n".join(lines), trailers, writes)
