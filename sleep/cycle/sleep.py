"""A sleep: what waits is adopted, then each journal has its cycle, each step of it one commit.

Owns how a sleep runs, is rehearsed and is resumed, and its report. What a cycle does is planned in `cycle_plan`.
"""

from __future__ import annotations

from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

from sleep.changes import hand_edits, losses, missing_pages, own_steps, sealed_journals
from sleep.compression import extractive
from sleep.cycle import adoption, compressor, cycle_plan, debt_settlement
from sleep.cycle.outcome import STEPS
from sleep.debt import timestamps
from sleep.documents import cycles, paths
from sleep.errors import GitStateError
from sleep.memory import foreign_journals, merge_conflicts, place
from sleep.memory.view import View
from sleep.store import history, layout, step
from sleep.store.git import checkout
from sleep.store.tree import FixedTree, Overlay, WorkTree
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sleep.changes.own_steps import Claim
    from sleep.compressors.delegation import Delegation
    from sleep.cycle.cycle_plan import TakenStep
    from sleep.cycle.outcome import Decided
    from sleep.debt.ledger import Settlement
    from sleep.memory.finding import Finding
    from sleep.memory.place import Place, Writer
    from sleep.store.history import Commit
    from sleep.store.layout import Root
    from sleep.store.tree import Tree

_NUMBERS = ("Sleep-Cycle", "Sleep-Undo")
_RECENT = 12  # commits: two cycles
_NUMBERED = 200  # commits that changed the table of cycles: of undos in a row, more than anybody makes


class Report(NamedTuple):
    """What a sleep did. `skipped` says, by journal, why nothing was slept; `recovered` what a crash had left.

    `settled` is the debt that it settled, or in a dry run would settle; None where there was none. `notes` are for the
    person who looks on, and stand in no commit: what a compressor that failed had to say. `findings` are what git took
    out of the memory, or what else is wrong with it that came to be since the last sleep that was good.
    """

    steps: tuple[TakenStep, ...]
    skipped: tuple[tuple[str, str], ...]
    recovered: str = ""
    diff: str = ""
    notes: tuple[str, ...] = ()
    settled: Settlement | None = None
    findings: tuple[Finding, ...] = ()


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
    delegation = compressor.choose(where)
    _ask_ahead(where, now, delegation, instance)
    with place.writing(where, "sleep") as writer:
        left = _of_others(where, now, None if by_itself else instance)
        steps, view, findings = _adopted(writer, now, instance, by_itself=by_itself)
        leave = adoption.unfinished(writer) if by_itself else frozenset()
        (number, already), last = _next_cycle(where, view), len(steps)
        asked = cycle_plan.chosen(view, instance)
        reasons = {path: left.get(path, "") or cycle_plan.nothing_in(view, path) for path in asked}
        journals = [path for path, reason in reasons.items() if not reason]
        only = debt_settlement.bound(view, instance)
        with debt_settlement.under_way(where, view, now, journals=journals, cycle=number, only=only) as under:
            for done, path in enumerate(journals):
                notice(done, len(journals))
                # The whole cycle has passed the gate before its first commit: a refusal leaves everything as it was.
                pick = compressor.again(delegation or extractive.compress, already, number)
                begun = frozenset(already)
                whole = [*cycle_plan.planned(where.settings, view, path, number, now, begun, pick, under, leave)]
                under.keep(path)
                steps[last:], last = [*map(_strip_texts, steps[last:]), *_commits(writer, whole)], len(steps)
                under.settle(path)
                number, already = number + 1, {}  # only the first can have been begun before
                view = View(FixedTree(WorkTree(where.root)), view)
        if losses.is_done(findings):
            losses.note(where)
        notes = (*(delegation.said if delegation else ()), *_notes(where, steps))
        skipped = tuple(filter(itemgetter(1), reasons.items()))
        report = Report(tuple(steps), skipped, writer.recovered.mended, notes=notes, settled=under.settled)
        return report._replace(findings=(*findings, *losses.secrets(view)))


def _of_others(where: Place, now: str, instance: int | None = None) -> dict[str, str]:
    """Return by path why journals that are open in another person's clone are left to that person.

    Whoever names an instance takes such a journal, but for one beside which a journal of that number waits here.
    """
    view = View(WorkTree(where.root))
    others = foreign_journals.of_others(where.root, view, timestamps.seconds(now) or 0.0)
    if instance is not None and others.keys() >= {*cycle_plan.chosen(view, instance)}:
        return {}
    return {path: foreign.reason for path, foreign in others.items()}


def _adopted(
    writer: Writer, now: str, instance: int | None, *, by_itself: bool
) -> tuple[list[TakenStep], View, tuple[Finding, ...]]:
    """Return the steps that adopt what people left, the memory after them, and what is lost of it."""
    tree, where = WorkTree(writer.root), writer.place
    view = View(FixedTree(tree))
    merge_conflicts.refuse(view, cycle_plan.chosen(view, instance))
    missing_pages.refuse(writer.root, view)
    was_good = losses.is_noted(where)
    with debt_settlement.unread_journaled(writer, view, now, instance) as is_changed:
        adopted = adoption.adopt(writer, adoption.own_journals(writer, instance) if by_itself else layout.OWNED)
    if is_changed:
        view = View(FixedTree(tree), view)
    own = adopted.decided.writes if adopted and was_good else None
    # The last sleep has noted all that stood there at its end.
    is_known = was_good and not (own and any(path.startswith(paths.TIERS) for path in own))
    noted = None if is_known else adoption.note(writer, view, now)
    if noted:
        view = View(FixedTree(tree), view)
    findings = losses.since(where, view, own)
    return [action for action in (adopted, noted) if action], view, tuple(findings)


def _commits(writer: Writer, planned: Iterable[tuple[TakenStep, Mapping[str, str | None]]]) -> Iterator[TakenStep]:
    """Take the steps of a cycle, and yield each that there was something to commit of, with its commit."""
    tree = WorkTree(writer.root)
    for action, before in planned:
        _refuse_changed(tree, before)
        if sha := step.apply(writer.root, action.plan, writer.lock, writer.repository):
            yield action._replace(sha=sha)


def _strip_texts(action: TakenStep) -> TakenStep:
    """Return a step without the texts that it wrote, and with their names: those of many cycles take much room."""
    names: dict[str, str | None] = dict.fromkeys(action.decided.writes)
    decided = action.decided._replace(writes=names, spans=(), fates=())
    return action._replace(decided=decided, plan=action.plan._replace(writes=names))


def _ask_ahead(where: Place, now: str, delegation: Delegation | None, instance: int | None) -> None:
    """Have everything answered before the lock is taken: journaling does not wait for a model.

    StorageError where no debt could be settled: a sleep is all or nothing.
    """
    debt_settlement.refuse(where)
    if delegation is None:
        return
    if step.interrupted(where.root):
        with place.writing(where, "sleep"):
            pass  # what a crash left is finished first
    place.repository(where).preflight()
    base = WorkTree(where.root)
    number, already = _next_cycle(where, View(base))
    pick = compressor.again(delegation, already, number)
    left = _of_others(where, now, instance)
    cycle_plan.plan_all(where.settings, base, now, number, instance=instance, pick=pick, left=left)
    delegation.settle()


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
    before = View(Overlay(WorkTree(where.root), laid))
    merge_conflicts.refuse(before, cycle_plan.chosen(before, instance))
    missing_pages.refuse(where.root, before)
    laid = {**laid, **debt_settlement.unread(where, before, now, instance)}
    noted = hand_edits.note(where.root, View(Overlay(WorkTree(where.root), laid)), now)
    base = Overlay(WorkTree(where.root), {**laid, **(noted.writes if noted else {})})
    view = View(base)
    opened = place.repository(where)
    opened.preflight()
    adopted = adoption.adoption(where.root, opened.pending(layout.OWNED), laid)
    delegation = compressor.choose(where) if ask else None
    number, already = _next_cycle(where, view)
    pick = compressor.again(delegation or extractive.compress, already, number)
    left = _of_others(where, now, instance)
    steps, skipped, writes = cycle_plan.plan_all(
        where.settings, base, now, number, instance=instance, pick=pick, notice=notice, left=left
    )
    notes = tuple(delegation.said) if delegation else compressor.unasked(where.settings)
    settled = debt_settlement.standing(where, now, debt_settlement.bound(view, instance))
    every = (*([adopted] if adopted else []), *([adoption.noting(noted)] if noted else []), *steps)
    from sleep.memory import preview  # late: only a rehearsal shows what it would do  # noqa: PLC0415

    changes = preview.unified(WorkTree(where.root), {**laid, **(noted.writes if noted else {}), **writes})
    edited = sealed_journals.findings(where.root, view, adopted.decided.writes if adopted else ())
    findings = (*losses.since(where, view), *edited, *losses.secrets(view))
    notes += tuple(_moves_not_made(action.decided for action in every))
    return Report(every, skipped, diff=changes, notes=notes, settled=settled, findings=findings)


def _refuse_changed(tree: Tree, before: Mapping[str, str | None]) -> None:
    """Raise GitStateError if a document is no longer what the plan was made from."""
    for name, text in before.items():
        if tree.read(name) != text:
            raise GitStateError("changed while its step was planned", where=name, hint="run the same command again")


def _next_cycle(where: Place, view: View) -> tuple[int, dict[str, str]]:
    """Return the next cycle's number, and by whom the steps of it were compressed that a crash has left committed.

    The number is above all in the table and in history, so that none is used again. Where the last commits are steps of
    cycles in their order, the last cycle has the highest.
    """
    root = where.root
    recent = history.commits(root, paths=layout.OWNED, limit=_RECENT) if checkout.head(root) else []
    claims = [own_steps.claim(commit) for commit in recent]
    ends = _ends(root, recent, claims)
    number = max((*ends, *(cycle.number for cycle in view.cycles)), default=0) + 1
    begun = [claim for claim in claims[: len(STEPS)] if claim and claim.cycle == number]
    steps = {claim.step: claim.compressor or extractive.NAME for claim in begun}
    steps.pop(own_steps.UNDO, None)
    return number, steps


def _ends(root: Root, recent: Sequence[Commit], claims: Sequence[Claim | None]) -> list[int]:
    """Return numbers of cycles that ended or were undone, the highest among them."""
    ends = [claim.cycle for claim in claims if claim and claim.step == own_steps.HANDOFF]
    in_order = len(ends) > 1 and ends == sorted(set(ends), reverse=True)
    if in_order and all(map(_is_plain, recent, claims)):
        return ends
    for commit in history.commits(root, paths=(cycles.PATH,), limit=_NUMBERED) if recent else ():
        named = (value for name, value in commit.trailers if name in _NUMBERS)
        ends += [int(value) for value in named if value.isdigit()]
    return ends


def _is_plain(commit: Commit, claim: Claim | None) -> bool:
    """Return whether a commit is no merge and no undo, nor what a squash makes of several steps."""
    is_numbered = any(name in _NUMBERS for name, _ in commit.trailers)
    return len(commit.parents) <= 1 and (claim.step != own_steps.UNDO if claim else not is_numbered)


def _notes(where: Place, steps: Sequence[TakenStep]) -> list[str]:
    """Return what has to be said of the steps that were taken: moves that could not be made, commits on no branch."""
    notes = _moves_not_made(action.decided for action in steps)
    if steps and checkout.branch(where.root) is None:
        notes.append("HEAD is detached: these commits are on no branch; git switch -c NAME keeps them")
    return notes


def _moves_not_made(decided: Iterable[Decided]) -> list[str]:
    """Return what has to be said of moves that were journaled and could not be made."""
    hint = "journal the move that is right; sleepwake help recovery#moves"
    return [f"{outcome.step} {words} -> {hint}" for outcome in decided for words in outcome.passed]
