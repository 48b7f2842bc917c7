"""The plan of a cycle: its steps in their order, each decided on what the one before it would leave, through the gate.

Owns the order and the commit messages. What a step does is decided in `steps`, `journal_to_hot` and `handoff`. Refuses
to write anything.
"""

from __future__ import annotations

import functools
from types import MappingProxyType
from typing import TYPE_CHECKING

from sleep.compression import extractive, gate, segments
from sleep.cycle import compressor, debt_settlement, fate_record, handoff, journal_to_hot, steps
from sleep.documents import cycles, edits, fates_page, paths
from sleep.errors import DocumentError, SecretError, UsageError
from sleep.memory import late_moves, place
from sleep.memory.view import View
from sleep.redaction import secret_scan
from sleep.store.plan import Plan
from sleep.store.tree import FixedTree, Overlay
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from sleep.cycle.compressor import Pick
    from sleep.cycle.debt_settlement import Under
    from sleep.cycle.outcome import Decided
    from sleep.documents.cycles import Cycle
    from sleep.documents.journal import Journal
    from sleep.records.address import InstanceId
    from sleep.records.fragment import Fragment
    from sleep.settings import Settings
    from sleep.store.tree import Tree

_RECORDED = 2  # the format from which on a cycle writes down its fates


class TakenStep(NamedTuple):
    """A step as taken (or, in a dry run, as it would be): its plan, figures and commit ("" in a dry run)."""

    cycle: int
    decided: Decided
    plan: Plan
    sha: str = ""


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
    left: Mapping[str, str] = MappingProxyType({}),
) -> tuple[tuple[TakenStep, ...], tuple[tuple[str, str], ...], dict[str, str | None]]:
    """Return the steps, what is skipped and all that they write, for a memory that need not be on disk.

    `earlier` is a view of the memory as it was before: what it parsed is not parsed again. `notice` is called as in
    `run`. `left` says by path why journals are not slept on.
    """
    actions: list[TakenStep] = []
    skipped = []
    writes: dict[str, str | None] = {}
    view = View(FixedTree(Overlay(tree, writes)), earlier)
    journals = chosen(view, instance)
    for done, path in enumerate(journals):
        notice(done, len(journals))
        if reason := left.get(path) or nothing_in(view, path):
            skipped.append((path, reason))
            continue
        for action, _ in planned(settings, view, path, number, now, pick=pick):
            actions.append(action)
            writes.update(action.decided.writes)
        number += 1
        view = View(FixedTree(Overlay(tree, writes)), view)
    return tuple(actions), tuple(skipped), writes


def planned(
    settings: Settings,
    view: View,
    path: str,
    number: int,
    now: str,
    already: frozenset[str] = frozenset(),
    pick: Pick = compressor.plain,
    under: Under | None = None,
    leave: Collection[str] = (),
) -> Iterator[tuple[TakenStep, dict[str, str | None]]]:
    """Yield a cycle's steps as they would be, each through the gate, with the texts that it takes the place of.

    The view is of a tree that stays as it was first read. `leave` are pages of the project that are not written.
    """
    tree = view.tree
    writes: dict[str, str | None] = {}
    done: list[Decided] = []
    passed: tuple[str, ...] = ()
    record = _Record(view, number, view.instance_of(path)) if settings.format >= _RECORDED else None
    for decide in _steps(settings, path, number, now, already, pick, leave):
        view = View(Overlay(tree, writes), view)
        decided = decide(view, tuple(done))
        changed = {name: text for name, text in decided.writes.items() if text != view.read(name)}
        decided = decided._replace(writes=changed)
        try:
            check(view, decided, path, settings)  # also of a step that writes nothing: it may lose everything
        except SecretError:
            masked = _masked(view, decided)
            decided = decided._replace(writes=masked.writes, lines=(*decided.lines, *masked.lines))
            changed = masked.writes
            check(View(Overlay(view.tree, masked.before), view), decided, path, settings)
        if record:
            record.add(view, decided, path)
        if not changed:
            passed += decided.passed  # a move that cannot be made is told, also where it was all that a step had to do
            continue
        if decided.step == "handoff":
            decided = decided._replace(passed=passed, lines=(*decided.lines, *passed))
        if record:
            changed = changed | record.writes()
            decided = decided._replace(writes=changed)
        plan = _plan(view, decided, path, number, under)
        yield TakenStep(number, decided, plan), {name: view.read(name) for name in changed}
        done.append(decided)
        writes.update(changed)


class _Masked(NamedTuple):
    """A step's writes without secrets, the tier documents before it without them, and sentences that say so."""

    writes: dict[str, str | None]
    before: dict[str, str | None]
    lines: tuple[str, ...]


def _masked(view: View, decided: Decided) -> _Masked:
    """Take out of a step what the tiers held already when no rule knew it as a secret: it would go on with them.

    What a step brings from elsewhere stays, and is refused.
    """
    known = place.secrets()
    before = {name: view.read(name) or "" for folder in paths.TIERS for name in view.files(folder)}
    held = frozenset(value for text in before.values() for value in _secrets(text, known))
    writes = {
        name: secret_scan.redact(text, known)[0] if text and held.issuperset(_secrets(text, known)) else text
        for name, text in decided.writes.items()
    }
    clean = {name: secret_scan.redact(text, known)[0] for name, text in before.items()}
    changed = {name: text for name, text in clean.items() if text != before[name]}
    lines = tuple(f"a secret that {name} held is taken out" for name in changed if name in writes)
    return _Masked(writes, dict(changed), lines)


def _secrets(text: str, known: Sequence[str]) -> list[str]:
    return [text[secret.start : secret.end] for secret in secret_scan.find(text, known)]


class _Record:
    """The page of a cycle's fates as its steps add to it; what a step that commits nothing did goes with the next."""

    def __init__(self, view: View, number: int, instance: InstanceId | None) -> None:
        self._number = number
        self._name(view, instance)

    def _name(self, view: View, instance: InstanceId | None) -> None:
        self._path = fates_page.path(self._number, str(instance))
        self._instance = instance
        self._text = self._written = view.read(self._path)

    def add(self, view: View, decided: Decided, path: str) -> None:
        """Take down what a step did, unless that was done before a crash."""
        if decided.step == "seal":
            if self._instance is None:  # a journal that a person wrote is given its identity by the seal
                self._name(view, View(Overlay(view.tree, decided.writes), view).instance_of(path))
            page = fates_page.Page()
        elif decided.step == "handoff":
            page = fates_page.Page(sizes=fate_record.sizes(view))
        elif section := fate_record.of_step(view, decided, path):
            page = fates_page.Page((section,))
        else:
            return
        self._text = fate_record.page_with(self._text, self._number, self._instance, page)

    def writes(self) -> dict[str, str | None]:
        """Return the page where it is not yet as it should be."""
        if self._text == self._written:
            return {}
        self._written = self._text
        return {self._path: self._text}


def check(view: View, decided: Decided, path: str, settings: Settings) -> None:
    """Put a step's outcome through the gate; raises GateError or SecretError."""
    before = {name: view.read(name) or "" for name in decided.writes}
    after = {name: text or "" for name, text in decided.writes.items()}
    current = view.journal(path)
    entering = []
    if decided.step == "journal to hot":
        entering = _entering(view, current)
        for name in paths.HOT:  # registers that the step leaves alone still hold what they held
            before.setdefault(name, view.read(name) or "")
            after.setdefault(name, before[name])
    journals = [
        current.text,
        view.read(edits.PATH),
        *(view.read(later) for later in late_moves.slept_before(view, current.instance)),
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
        own_words=not decided.compressor.startswith(extractive.FAMILY),
    )


def _entering(view: View, current: Journal) -> list[Fragment]:
    """Return the records of a journal that no tier has yet."""
    left_out = segments.refused(current) | journal_to_hot.apart(view, current)
    there = {at for _, fragment in view.said_by((current.instance,), paths.MEMORY) for at in fragment.addresses}
    fragments = (piece.fragment for piece in segments.cut(current))
    edited = (view.edits.applied(fragment) for fragment in fragments if fragment and fragment.identity not in left_out)
    return [fragment for fragment in edited if fragment and fragment.is_record and fragment.identity not in there]


def _steps(
    settings: Settings,
    path: str,
    number: int,
    now: str,
    already: frozenset[str],
    pick: Pick,
    leave: Collection[str],
) -> Iterator[Callable[[View, tuple[Decided, ...]], Decided]]:
    by = functools.partial(pick, number)
    yield lambda view, _: steps.seal(view, path, now)
    yield lambda view, _: steps.hot_to_warm(view, settings, view.journal(path).instance, by("hot to warm", view))
    yield lambda view, _: steps.warm_to_cold(view, settings, view.journal(path).instance, by("warm to cold", view))
    yield lambda view, _: journal_to_hot.journal_to_hot(view, settings, path, by("journal to hot", view))
    yield lambda view, done: handoff.decide(
        view, settings, path, _cycle(view, path, number, now, already.union(decided.step for decided in done)), leave
    )


def _cycle(view: View, path: str, number: int, now: str, names: frozenset[str]) -> Cycle:
    """Return the cycle's line; figures come from the documents, so that a resumed sleep writes the same ones."""
    current = view.journal(path)
    before = current.size
    hot = view.said_by((current.instance,), "memory/hot/")
    here = [fragment for _, fragment in hot if fragment.identity.instance == current.instance]
    done_steps = tuple(name for name in ("seal", "hot to warm", "warm to cold", "journal to hot") if name in names)
    slept = str(current.fields.get("ended") or now)
    after = sum(map(extractive.cost, here))
    sessions = view.sessions_in(path)
    return cycles.Cycle(number, current.instance, slept, sessions, before, after, (*done_steps, "handoff"))


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
        sessions = [("Sleep-Session", session) for session in view.sessions_in(path)]
        lines += debt_settlement.lines(under, path)
        trailers += dict.fromkeys((*debt_settlement.trailers(under, path), *sessions))
    if decided.before:
        lines.append(f"tokens: {decided.before} before, {decided.after} after")
    if decided.short and decided.before:
        lines.append(f"ratio: {decided.short}")
    body = "\n".join(f"- {line}" for line in lines)
    return Plan(decided.step, decided.subject, body, tuple(trailers), decided.writes)


def chosen(view: View, instance: int | InstanceId | None) -> tuple[str, ...]:
    """Return the journals to sleep on: all that wait, or an instance's; UsageError where nobody has that number."""
    if instance is None:
        return view.unslept
    if not isinstance(instance, int):  # its number alone may be another's too
        return tuple(path for path in view.unslept if view.instance_of(path) == instance)
    own = tuple(path for path in view.unslept if paths.journal_number(path) == instance)
    if not own and not any(paths.journal_number(path) == instance for path in view.journals):
        raise UsageError(f"there is no instance {instance}", hint="sleepwake status")
    return own


def nothing_in(view: View, path: str) -> str:
    """Return why a journal is not slept on, or ""."""
    if original := view.original_of(path):
        return f"is a copy of {original}, and both are {view.instance_of(path)}: remove the copy"
    try:
        return "" if view.holds_something(path) else "holds nothing yet"
    except DocumentError as error:
        return f"cannot be read: {error.where.removeprefix(path)}: {error.what}".replace(": :", ": line ")
