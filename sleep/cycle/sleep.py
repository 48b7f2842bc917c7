"""A sleep: the steps in their order, each one commit, each skipped when it would change nothing.

Owns the order, the commit messages and the report. What a step does is decided in `steps` and `handoff`; whether it
may be done is the gate's; doing it is the store's.
"""

from __future__ import annotations

import functools
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import extractive, gate, segments
from sleep.cycle import compressor, debt_settlement, hand_edits, handoff, journal_to_hot, steps
from sleep.cycle.outcome import STEPS, Decided
from sleep.documents import cycles, edits, paths, register
from sleep.errors import DocumentError, GitStateError, SecretError, UsageError
from sleep.memory import merge_conflicts, place, preview
from sleep.memory.view import View
from sleep.redaction import secret_scan
from sleep.store import files, history, layout, step
from sleep.store.plan import Plan
from sleep.store.tree import Kept, Overlay, WorkTree
from sleep.upkeep import losses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sleep.compressors.delegation import Asking
    from sleep.cycle.compressor import Pick
    from sleep.cycle.debt_settlement import Under
    from sleep.debt.ledger import Settlement
    from sleep.documents.cycles import Cycle
    from sleep.memory.place import Place, Writer
    from sleep.records.address import InstanceId
    from sleep.settings import Settings
    from sleep.store.layout import Root
    from sleep.store.repository import Repository
    from sleep.store.tree import Tree
    from sleep.wake.checks import Finding


class Taken(NamedTuple):
    """A step as taken (or, in a dry run, as it would be): its plan, figures and commit ("" in a dry run)."""

    cycle: int
    decided: Decided
    plan: Plan
    sha: str = ""


class Report(NamedTuple):
    """What a sleep did. `skipped` says, by journal, why nothing was slept; `recovered` what a crash had left.

    `settled` is the debt that it settled, or in a dry run would settle; None where there was none. `notes` are for the
    person who looks on, and stand in no commit: what a compressor that failed had to say. `lost` is what git took out
    of the memory, or what else is wrong with it that came to be since the last sleep that was good.
    """

    taken: tuple[Taken, ...]
    skipped: tuple[tuple[str, str], ...]
    recovered: str = ""
    diff: str = ""
    notes: tuple[str, ...] = ()
    settled: Settlement | None = None
    lost: tuple[Finding, ...] = ()


def run(
    where: Place,
    now: str,
    *,
    instance: int | None = None,
    notice: Callable[[int, int], None] = lambda _done, _all: None,
    by_itself: bool = False,
) -> Report:
    """Sleep on the journals that no cycle has slept on, in order, or on that of one instance.

    Args:
        where: the memory.
        now: ISO 8601, UTC; becomes the end of the journals that are still open.
        instance: an instance's number; None for all.
        notice: called with the journals slept on, and with all of them.
        by_itself: nobody asked for it: nothing is committed that a person left uncommitted.

    Raises:
        GitStateError: by itself, and a page that it would write has changes that nobody committed.
        CompressorError: another compressor is set up, and cannot be used here; nothing was changed.
    """
    asking = compressor.choose(where)
    if asking:
        _ask_ahead(where, now, asking, instance)
    with place.writing(where, "sleep") as writer:
        taken: list[Taken] = []
        tree = WorkTree(where.root)
        view = View(tree)
        merge_conflicts.refuse(view, _chosen(view, instance))
        debt_settlement.journal_unread(where, now, instance)
        was_good = losses.is_noted(where)
        owned = _left_alone(writer, instance) if by_itself else layout.OWNED
        if adopted := adopt(writer, owned):
            taken.append(adopted)
        if noted := note(writer, now):
            taken.append(noted)
        view = View(tree, view)
        lost = losses.since(where, view, adopted.decided.writes if adopted and was_good else None)
        number = _next_cycle(where, view)
        already = _taken_before(where, number)
        skipped = []
        chosen = _chosen(view, instance)
        reasons = {path: _nothing_in(view, path) for path in chosen}
        journals = [path for path in chosen if not reasons[path]]
        only = debt_settlement.bound(view, instance)
        with debt_settlement.under_way(where, view, now, journals=journals, cycle=number, only=only) as under:
            for done, path in enumerate(chosen):
                notice(done, len(chosen))
                if reasons[path]:
                    skipped.append((path, reasons[path]))
                    continue
                # The whole cycle has passed the gate before its first commit: a refusal leaves everything as it was.
                pick = compressor.again(asking or extractive.compress, already, number)
                planned = list(_planned(where.settings, view, path, number, now, frozenset(already), pick, under))
                under.keep(path)
                for one, before in planned:
                    _refuse_changed(tree, before)
                    if sha := step.apply(where.root, one.plan, writer.lock, writer.repository):
                        taken.append(one._replace(sha=sha))
                under.settle(path)
                number, already = number + 1, {}  # only the first can have been begun before
                view = View(tree, view)
        recovered = writer.recovered.step if writer.recovered.outcome not in ("nothing", "found") else ""
        if not lost:
            losses.note(where)
        notes = (*(asking.said if asking else ()), *losses.passed(one.decided for one in taken))
        lost += losses.secrets(view)
        return Report(tuple(taken), tuple(skipped), recovered, notes=notes, settled=under.settled, lost=tuple(lost))


def _ask_ahead(where: Place, now: str, asking: Asking, instance: int | None) -> None:
    """Have everything answered before the lock is taken: journaling does not wait for a model."""
    if step.interrupted(where.root):
        with place.writing(where, "sleep"):
            pass  # what a crash left is finished first
    place.repository(where).preflight()
    base = WorkTree(where.root)
    number = _next_cycle(where, View(base))
    pick = compressor.again(asking, _taken_before(where, number), number)
    plan_all(where.settings, base, now, number, instance=instance, pick=pick)
    asking.settle()


def rehearse(
    where: Place,
    now: str,
    *,
    instance: int | None = None,
    ask: bool = False,
    laid: Mapping[str, str | None] = MappingProxyType({}),
    notice: Callable[[int, int], None] = lambda _done, _all: None,
) -> Report:
    """Return what `run` would do, with a unified diff, and change nothing; `notice` is called as there.

    Another compressor than the extractive one is asked only with `ask`, for that may cost; a note says so. `laid` are
    documents that would be written before it begins: the journals that sessions are captured into.
    """
    base = Overlay(WorkTree(where.root), laid)
    merge_conflicts.refuse(View(base), _chosen(View(base), instance))
    laid = {**laid, **debt_settlement.unread(where, View(base), now, instance)}
    noted = hand_edits.note(where.root, View(Overlay(WorkTree(where.root), laid)), now)
    base = Overlay(WorkTree(where.root), {**laid, **(noted.writes if noted else {})})
    view = View(base)
    opened = place.repository(where)
    opened.preflight()
    adopted = _adoption(where.root, opened, laid)
    asking = compressor.choose(where) if ask else None
    number = _next_cycle(where, view)
    pick = compressor.again(asking or extractive.compress, _taken_before(where, number), number)
    taken, skipped, writes = plan_all(where.settings, base, now, number, instance=instance, pick=pick, notice=notice)
    notes = tuple(asking.said) if asking else compressor.unasked(where.settings)
    settled = debt_settlement.standing(where, now, debt_settlement.bound(View(base), instance))
    every = (*([adopted] if adopted else []), *([_noting(noted)] if noted else []), *taken)
    changes = preview.unified(WorkTree(where.root), {**laid, **(noted.writes if noted else {}), **writes})
    lost = (*losses.since(where, view), *losses.secrets(view))
    notes += tuple(losses.passed(one.decided for one in every))
    return Report(every, skipped, diff=changes, notes=notes, settled=settled, lost=lost)


def plan_all(
    settings: Settings,
    tree: Tree,
    now: str,
    number: int,
    *,
    instance: int | InstanceId | None = None,
    pick: Pick = compressor.plain,
    earlier: View | None = None,
    notice: Callable[[int, int], None] = lambda _done, _all: None,
) -> tuple[tuple[Taken, ...], tuple[tuple[str, str], ...], dict[str, str | None]]:
    """Return the steps, what is skipped and all that they write, for a memory that need not be on disk.

    `earlier` is a view of the memory as it was before: what it parsed is not parsed again. `notice` is called as in
    `run`.
    """
    taken: list[Taken] = []
    skipped = []
    writes: dict[str, str | None] = {}
    view = View(Overlay(tree, writes), earlier)
    chosen = _chosen(view, instance)
    for done, path in enumerate(chosen):
        notice(done, len(chosen))
        if reason := _nothing_in(view, path):
            skipped.append((path, reason))
            continue
        for one, _ in _planned(settings, view, path, number, now, pick=pick):
            taken.append(one)
            writes.update(one.decided.writes)
        number += 1
        view = View(Overlay(tree, writes), view)
    return tuple(taken), tuple(skipped), writes


def _planned(
    settings: Settings,
    view: View,
    path: str,
    number: int,
    now: str,
    already: frozenset[str] = frozenset(),
    pick: Pick = compressor.plain,
    under: Under | None = None,
) -> Iterator[tuple[Taken, dict[str, str | None]]]:
    """Yield a cycle's steps as they would be, each through the gate, with the texts that it takes the place of."""
    tree = Kept(view.tree)
    writes: dict[str, str | None] = {}
    done: list[Decided] = []
    passed: tuple[str, ...] = ()
    for decide in _steps(settings, path, number, now, already, pick):
        view = View(Overlay(tree, writes), view)
        decided = decide(view, tuple(done))
        changed = {name: text for name, text in decided.writes.items() if text != view.read(name)}
        decided = decided._replace(writes=changed)
        check(view, decided, path, settings)  # also of a step that writes nothing: it may be one that loses everything
        if not changed:
            passed += decided.passed  # a move that cannot be made is told, also where it was all that a step had to do
            continue
        if decided.step == "handoff":
            decided = decided._replace(passed=passed, lines=(*decided.lines, *passed))
        plan = _plan(view, decided, path, number, under)
        yield Taken(number, decided, plan), {name: view.read(name) for name in changed}
        done.append(decided)
        writes.update(changed)


def _refuse_changed(tree: Tree, before: Mapping[str, str | None]) -> None:
    """Raise GitStateError if a document is no longer what the plan was made from."""
    for name, text in before.items():
        if tree.read(name) != text:
            raise GitStateError("changed while its step was planned", where=name, hint="run the same command again")


def _left_alone(writer: Writer, instance: int | None) -> tuple[str, ...]:
    """Return what a sleep by itself adopts: the journals that it sleeps on, and nothing of a person's.

    Raises GitStateError where a page that it would write has changes that nobody committed: writing would commit them.
    """
    view = View(WorkTree(writer.root))
    for change in writer.repository.pending(layout.OWNED):
        if change.path in (paths.MAIN, cycles.PATH) or paths.tier_of(change.path):
            raise GitStateError(
                "has changes that nobody committed, and a sleep by itself leaves them alone",
                where=change.path,
                hint="sleepwake sleep",
            )
    return tuple(_chosen(view, instance))


def adopt(writer: Writer, owned: Sequence[str] = layout.OWNED) -> Taken | None:
    """Commit what a person or an agent changed in owned files, as it is.

    Raises:
        GitStateError: an owned file is partly staged or in conflict: it cannot be committed without losing the split.
        SecretError: a secret stands in it; the line is named.
    """
    adopted = _adoption(writer.root, writer.repository, {}, owned) if owned else None
    if adopted is None:
        return None
    sha = step.adopt(writer.root, adopted.plan, owned, writer.lock, writer.repository)
    return adopted._replace(sha=sha) if sha else None


def note(writer: Writer, now: str) -> Taken | None:
    """Commit what the memory makes of lines that people added to its tiers, changed in them or took out."""
    decided = hand_edits.note(writer.root, View(WorkTree(writer.root)), now)
    if decided is None:
        return None
    noted = _noting(decided)
    sha = step.apply(writer.root, noted.plan, writer.lock, writer.repository)
    return noted._replace(sha=sha) if sha else None


def _noting(decided: Decided) -> Taken:
    body = "\n".join(f"- {line}" for line in decided.lines)
    return Taken(0, decided, Plan(decided.step, decided.subject, body, (("Sleep-Step", "adopt"),), decided.writes))


def _adoption(
    root: Root, repository: Repository, laid: Mapping[str, str | None], owned: Sequence[str] = layout.OWNED
) -> Taken | None:
    """Return the step that adopts what is pending or `laid`, not yet taken, or None; errors as in `adopt`."""
    pending = (change.path for change in repository.pending(owned) if layout.is_owned(change.path))
    names = list(dict.fromkeys((*pending, *laid)))
    if not names:
        return None
    known = place.secrets()
    for path in names:
        text = laid.get(path) or files.read(root.absolute(path), within=root.path) or ""
        if found := secret_scan.find(text, known):
            line = text.count("\n", 0, found[0].start) + 1
            raise SecretError(
                f"a secret ({found[0].kind}) stands here (it would be committed)",
                where=f"{path}:{line}",
                hint=f"sleepwake memory.redact {path}",
            )
    files_ = "file" if len(names) == 1 else "files"
    plan = Plan(
        "adopt",
        f"adopt {names[0] if len(names) == 1 else f'{len(names)} edited {files_}'}",
        "\n".join(f"- {name}" for name in names),
        (("Sleep-Step", "adopt"),),
        {},
    )
    return Taken(0, Decided("adopt", plan.subject, tuple(names), dict.fromkeys(names)), plan)


def check(view: View, decided: Decided, path: str, settings: Settings) -> None:
    """Put a step's outcome through the gate; raises GateError or SecretError."""
    tiers = {name for name in decided.writes if paths.tier_of(name)}
    before = {name: view.read(name) or "" for name in decided.writes}
    if decided.step in ("hot to warm", "warm to cold"):
        # What leaves one document must arrive in another: the step's own documents are all there are.
        before |= {name: view.read(name) or "" for name in tiers}
    after = {name: text or "" for name, text in decided.writes.items()}
    current = view.journal(path)
    entering = []
    if decided.step == "journal to hot":
        refused = segments.refused(current)
        there = {at for _, one in view.said_by((current.instance,), paths.MEMORY) for at in one.addresses}
        said = [one.fragment for one in segments.cut(current) if one.fragment]
        apart = journal_to_hot.apart(view, current)
        said = [now for one in said if one.identity not in refused | apart and (now := view.edits.applied(one))]
        entering = [one for one in said if one.kind in register.MOVES and one.identity not in there]
        for name in paths.HOT:  # registers that the step leaves alone still hold what they held
            before.setdefault(name, view.read(name) or "")
            after.setdefault(name, before[name])
    journals = [
        current.text,
        view.read(edits.PATH),
        *(view.read(later) for later in view.slept_before(current.instance)),
    ]
    if decided.step == "seal":
        journals += decided.writes.values()
    gate.check(
        before,
        after,
        sources=[text for text in journals if text],
        entering=entering,
        spans=decided.spans,
        source=current.text if decided.step == "journal to hot" else "",
        topic_limit=settings.topic_tokens,
        known=place.secrets(),
        own_words=not compressor.is_extractive(decided.compressor),
    )


def _steps(
    settings: Settings, path: str, number: int, now: str, already: frozenset[str], pick: Pick
) -> Iterator[Callable[[View, tuple[Decided, ...]], Decided]]:
    by = functools.partial(pick, number)
    yield lambda view, _: steps.seal(view, path, now)
    yield lambda view, _: steps.hot_to_warm(view, settings, view.journal(path).instance, by("hot to warm", view))
    yield lambda view, _: steps.warm_to_cold(view, settings, view.journal(path).instance, by("warm to cold", view))
    yield lambda view, _: journal_to_hot.journal_to_hot(view, settings, path, by("journal to hot", view))
    yield lambda view, done: handoff.decide(
        view, settings, path, _cycle(view, path, number, now, already.union(one.step for one in done))
    )


def _cycle(view: View, path: str, number: int, now: str, names: frozenset[str]) -> Cycle:
    """Return the cycle's line; figures come from the documents, so that a resumed sleep writes the same ones."""
    current = view.journal(path)
    before = current.size
    here = [one for _, one in view.placed("memory/hot/") if one.identity.instance == current.instance]
    taken = tuple(name for name in ("seal", "hot to warm", "warm to cold", "journal to hot") if name in names)
    slept = str(current.fields.get("ended") or now)
    after = sum(map(extractive.cost, here))
    sessions = view.sessions_in(path)
    return cycles.Cycle(number, current.instance, slept, sessions, before, after, (*taken, "handoff"))


def _plan(view: View, decided: Decided, path: str, number: int, under: Under | None = None) -> Plan:
    current = view.journal(path)
    trailers = [
        ("Sleep-Cycle", str(number)),
        ("Sleep-Step", decided.step),
        ("Sleep-Instance", str(current.instance)),
        ("Sleep-Compressor", decided.compressor),
    ]
    lines = [*decided.lines]
    if decided.step == "handoff":
        sessions = [("Sleep-Session", one) for one in view.sessions_in(path)]
        lines += debt_settlement.lines(under, path)
        trailers += dict.fromkeys((*debt_settlement.trailers(under, path), *sessions))
    if decided.before:
        lines.append(f"tokens: {decided.before} before, {decided.after} after")
    if decided.short and decided.before:
        lines.append(f"ratio: {decided.short}")
    body = "\n".join(f"- {line}" for line in lines)
    return Plan(decided.step, decided.subject, body, tuple(trailers), decided.writes)


def _chosen(view: View, instance: int | InstanceId | None) -> tuple[str, ...]:
    if instance is None:
        return view.unslept
    if not isinstance(instance, int):  # its number alone may be another's too
        return tuple(path for path in view.unslept if view.instance_of(path) == instance)
    found = tuple(path for path in view.unslept if paths.journal_number(path) == instance)
    if not found and not any(paths.journal_number(path) == instance for path in view.journals):
        raise UsageError(f"there is no instance {instance}", hint="sleepwake status")
    return found


def _nothing_in(view: View, path: str) -> str:
    """Return why a journal is not slept on, or ""."""
    try:
        return "" if view.holds_something(path) else "holds nothing yet"
    except DocumentError as error:
        return f"cannot be read: {error.where.removeprefix(path)}: {error.what}".replace(": :", ": line ")


def _taken_before(where: Place, number: int) -> dict[str, str]:
    """Return the steps of a cycle that were committed before a crash cut it off, and who compressed."""
    if not history.head(where.root):
        return {}
    recent = [dict(commit.trailers) for commit in history.commits(where.root, limit=len(STEPS))]
    own = [one for one in recent if one.get("Sleep-Cycle") == str(number)]
    return {one.get("Sleep-Step", ""): one.get("Sleep-Compressor", extractive.NAME) for one in own}


def _next_cycle(where: Place, view: View) -> int:
    """Return the next cycle's number: above all in the table and in history, so that none is used again."""
    numbers = [cycle.number for cycle in view.cycles]
    if history.head(where.root):
        for commit in history.commits(where.root, paths=(cycles.PATH,), limit=200):
            named = (value for name, value in commit.trailers if name in ("Sleep-Cycle", "Sleep-Undo"))
            numbers += [int(value) for value in named if value.isdigit()]
    return max(numbers, default=0) + 1
