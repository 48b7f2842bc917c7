"""Coherence: whether the next instance can trust what it reads.

Owns the checks (identity, continuity, task awareness, decisions, addresses, record states, sizes) and the evaluation
of the revisit conditions that a program can judge. Refuses to change anything.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from typing import TYPE_CHECKING

from sleep.changes import losses, sealed_journals
from sleep.compression import extractive
from sleep.documents import journal as journals
from sleep.documents import main_page, paths, register, verdicts
from sleep.errors import DocumentError, MoveError
from sleep.journal import activity
from sleep.language import tokens
from sleep.memory import noticed as noticed_records
from sleep.memory.by_project import project_names
from sleep.memory.finding import Finding
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.records.kinds import KINDS, is_record, noticed
from sleep.records.relations import oppositions
from sleep.review import agenda, tensions
from sleep.store.tree import WorkTree
from sleep.wake import assembly, page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sleep.memory.by_project.project_names import Projects
    from sleep.memory.place import Place
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment
    from sleep.settings import Settings

_FIX = "sleepwake doctor --fix"
_SLEPT = re.compile(r"- instances slept: ([0-9]{1,9})\b")  # the current state begins with it
_PASSED = "the next sleep passes it over, and nothing is lost; journal the move that is right if it was to do something"
_MANY = 10  # cycles, from which a page is offered


def check(view: View, settings: Settings, now: str) -> list[Finding]:
    """Return every finding, failures first. `now` is ISO 8601."""
    findings = [finding for look in _CHECKS.values() for finding in look(view, settings, now)]
    return sorted(findings, key=lambda finding: finding.rank)


def examine(where: Place, now: str) -> list[Finding]:
    """Return the findings of `check`, and journals that somebody changed after they were slept on."""
    view = View(WorkTree(where.root))
    findings = [*check(view, where.settings, now), *sealed_journals.findings(where.root, view)]
    return sorted(findings, key=lambda finding: finding.rank)


def _identity(view: View) -> Iterator[Finding]:
    text = view.read(paths.MAIN)
    if text is None:
        yield Finding(
            "identity", "fail", "there is no main.md (it says what this project is)", paths.MAIN, "sleepwake init"
        )
    elif not main_page.purpose(text) or main_page.is_placeholder(main_page.purpose(text)):
        yield Finding("identity", "warn", "the purpose is not said yet", paths.MAIN, "write it under the title")
    slept = {cycle.instance.number for cycle in view.cycles}
    unslept = dict.fromkeys(
        (*view.unslept, *(path for path in view.journals if paths.journal_number(path) not in slept))
    )
    for path in unslept:
        try:
            current = view.journal(path).instance
        except DocumentError as error:
            yield Finding("identity", "fail", error.what, error.where, error.hint)
            continue
        if paths.journal_number(path) != current.number and not view.original_of(path):
            name = paths.journal(current.number, current.tag)
            yield Finding("identity", "fail", f"the file says instance {current.number}", path, f"mv {path} {name}")
    numbers = Counter(map(paths.journal_number, view.journals))
    for path in view.journals:
        is_alone = numbers[paths.journal_number(path)] == 1 and path not in unslept
        if not is_alone and (original := view.original_of(path)):
            what = f"is a copy of {original}: both say that they are {view.instance_of(path)}"
            yield Finding("identity", "fail", what, path, f"keep the one that says more: `rm {path}`")


def _continuity(view: View) -> Iterator[Finding]:
    if not view.cycles:
        yield Finding("continuity", "note", "nothing was slept on yet", "", "sleepwake sleep")
        return
    last = view.cycles[-1]
    path = view.path_of(last.instance)
    if path is None:
        what = f"the journal of the last cycle, {last.instance}, is missing"
        names = f"{paths.journal(last.instance.number)} {paths.journal(*last.instance)}"
        fix = f"`{_FIX}`, or where a commit deleted it: git log --diff-filter=D -- {names}"
        yield Finding("continuity", "fail", what, paths.JOURNALS, fix)
    elif not view.journal(path).sealed:
        yield Finding("continuity", "fail", "was slept on but is not sealed", path, f"git log -p -- {path}")
    yield from _handed_over(view)
    if what := page.warning(view):
        yield Finding("continuity", "warn", what, page.PATH, "`sleepwake wake.page` says how to write it anew")
    elif len(view.cycles) >= _MANY and not view.read(page.PATH):
        what = "nobody who read the journals has written what the next one must know; a wake would tell it first"
        yield Finding("continuity", "note", what, page.PATH, "`sleepwake wake.page` says how")
    for path in view.unslept:
        if _waits(view, path):
            yield Finding("continuity", "warn", "is closed and not slept on", path, "sleepwake sleep")


def _handed_over(view: View) -> Iterator[Finding]:
    handoff = main_page.handoff(view.read(paths.MAIN) or "")
    # Neither a document that was taken in nor an instance that did nothing hands anything over.
    lived = activity.giver(view)
    if lived and not handoff:
        yield Finding("continuity", "fail", "main.md has no handoff", paths.MAIN, _FIX)
    elif lived and str(lived) not in handoff.get("updated", ""):
        yield Finding("continuity", "fail", f"the handoff is not that of {lived}", paths.MAIN, _FIX)
    elif is_miscounted(view):
        yield Finding("continuity", "warn", "the current state is that of one side of a merge", paths.MAIN, _FIX)


def is_miscounted(view: View) -> bool:
    """Return whether the current state counts fewer instances than were slept on, as a merge leaves it."""
    counted = _SLEPT.match(main_page.section(view.read(paths.MAIN) or "", main_page.STATE))
    return counted is not None and int(counted[1]) < len(view.cycles)


def _waits(view: View, path: str) -> bool:
    """Return whether a journal is closed and holds something to sleep on."""
    try:
        return view.journal(path).sealed and view.holds_something(path)
    except DocumentError:
        return False


def _tasks(view: View) -> Iterator[Finding]:
    active = [
        fragment
        for fragment in view.tier(paths.THREADS).fragments
        if fragment.kind == "thread" and fragment.state == "active"
    ]
    handoff = main_page.handoff(view.read(paths.MAIN) or "")
    if view.cycles and active and not handoff.get("next_priority"):
        yield Finding(
            "task awareness", "warn", f"{len(active)} threads are active and the handoff names no next priority"
        )


def _decisions(view: View) -> Iterator[Finding]:
    yield from _unconfirmed(view)
    standing = [
        (path, fragment)
        for path, fragment in view.placed()
        if fragment.kind == "decision" and fragment.state == "standing"
    ]
    projects = project_names.current(view)
    texts: dict[tuple[str, str], Fragment] = {}
    for path, fragment in standing:
        same = texts.setdefault((projects.of(fragment.identity), extractive.normal(fragment.text)), fragment)
        if same.identity != fragment.identity:
            fix = f"sleepwake decision.supersede {same.handle} --by {fragment.handle}"
            yield Finding("decision consistency", "warn", f"{fragment.handle} repeats {same.handle}", path, fix)
    yield from _contradictions([fragment for _, fragment in standing], projects)
    known = {fragment.number for _, fragment in view.placed() if fragment.number}
    for path, fragment in view.placed():
        if fragment.kind == "decision" and fragment.state == "superseded":
            by = addressing.NUMBER.search(fragment.reason)
            if by and by[0] not in known:
                yield Finding(
                    "decision consistency",
                    "fail",
                    f"{fragment.handle} is superseded by {by[0]}, which is nowhere",
                    path,
                )


def _unconfirmed(view: View) -> Iterator[Finding]:
    """Report records that bind and that nobody confirmed: a merge by hand put their lines below another heading."""
    for path, fragment in noticed_records.bound(view):
        what = f"{fragment.kind} {fragment.identity} binds here, and"
        if verdict := view.verdicts(view.journals).get(fragment.identity):
            what = f"{what} was {verdict.to} in {verdict.by}"
            fix = losses.FIX if verdict.to == verdicts.REJECTED else "take its line out"
        else:
            heading = KINDS[noticed(fragment.kind)].plural
            what, fix = f"{what} was only noticed", f"put its line below `## {heading}`, or take it out"
        yield Finding("decision consistency", "fail", what, path, fix)


def _numbers(view: View) -> Iterator[Finding]:
    """Report numbers that name several records, as after a merge of branches: their addresses are exact."""
    identities_of: dict[str, dict[Address, None]] = {}
    for record in view.records.values():
        if parsed := addressing.number_of(record.fragment.number):
            identities_of.setdefault(addressing.number(*parsed), {})[record.fragment.identity] = None
    for number, identities in sorted(identities_of.items()):
        if len(identities) > 1:
            names = " and ".join(map(str, identities))
            fix = f"use the address in place of {number}: {' or '.join(map(str, identities))}"
            yield Finding("record numbers", "note", f"{number} names {len(identities)} records, {names}", "", fix)


def _contradictions(standing: list[Fragment], projects: Projects) -> Iterator[Finding]:
    """Report pairs that share most of their words while only one of them says no."""
    for older, newer, how in tensions.tensions(standing, projects=projects):
        if how == oppositions.CONTRARY:
            yield Finding(
                "decision consistency",
                "fail",
                f"{newer.handle} seems to contradict {older.handle}",
                "",
                f"sleepwake decision.supersede {older.handle} --by {newer.handle}",
            )


def _addresses(view: View) -> Iterator[Finding]:
    last: dict[str, int | None] = {}
    placed = [(path, address) for path, fragment in view.placed() for address in fragment.addresses]
    placed += [(page.PATH, each) for line in page.read(view.read(page.PATH) or "") for each in line.addresses]
    for path, address in placed:
        name = str(address.instance)
        if name not in last:
            at = view.path_of(address.instance)
            last[name] = journals.last_ordinal(view.read(at) or "", address.instance) if at else None
        highest = last[name]
        if highest is None or not 0 < address.ordinal <= highest:
            yield Finding(
                "addresses", "fail", f"{address} leads nowhere", path, f"`git log -S {address}` finds its origin"
            )
    for path in (*paths.HOT, *view.files(paths.WARM), *view.files(paths.COLD)):
        for begun in view.tier(path).unaddressed:
            line = (view.read(path) or "").count("\n", 0, begun) + 1
            yield Finding("addresses", "note", "a line without an address, left as it is", f"{path}:{line}")


def _states(view: View) -> Iterator[Finding]:
    now = register.registry(view.placed(), [])
    for path, entry in view.waiting:
        if register.is_opening(entry):
            now.setdefault(entry.address, register.Record(register.from_entry(entry), path))
        elif register.is_move(entry):
            record = register.find(now.values(), entry.field("record"), entry.address.instance)
            if record is None:
                what = f"{entry.address} moves {entry.field('record')}, which is nowhere"
                yield Finding("record states", "fail", what, path, _PASSED)
                continue
            try:
                after = register.moved(record.fragment, entry.field("to"), register.says(entry), entry.address)
            except MoveError as error:
                yield Finding("record states", "fail", f"{entry.address}: {error.what}", path, _PASSED)
                continue
            now[after.identity] = record._replace(fragment=after)


def _sizes(view: View, settings: Settings) -> Iterator[Finding]:
    size = tokens.count(view.read(paths.MAIN) or "")
    if size > settings.wake_main:
        yield Finding("sizes", "warn", f"{size} tokens, over {settings.wake_main}: wake leaves some out", paths.MAIN)
    yield from _hot_size(view, settings)
    for path in (*view.files(paths.WARM), *view.files(paths.COLD)):
        size = tokens.count(view.read(path) or "")
        if size > settings.topic_tokens and len(view.tier(path).fragments) > 1:
            yield Finding(
                "sizes", "warn", f"{size} tokens, over {settings.topic_tokens}", path, "the next sleep splits it"
            )


def _hot_size(view: View, settings: Settings) -> Iterator[Finding]:
    """Report hot memory of which a wake has to leave something out, with the kind of record that takes most of it."""
    size = sum(tokens.count(view.read(path) or "") for path in paths.HOT)
    if size <= settings.wake_hot:
        return
    phase = next((part for part in assembly.assemble(view, settings).phases if part.name == "hot"), None)
    if phase is None or not phase.left_out:  # a wake of several projects has a phase for each
        return
    sizes: Counter[str] = Counter()
    for path in paths.HOT:
        for fragment in view.tier(path).fragments:
            sizes[fragment.stated_kind] += extractive.cost(fragment)
    ((kind, _),) = sizes.most_common(1)
    count = sum(each.stated_kind == kind for path in paths.HOT for each in view.tier(path).fragments)
    command = f"sleepwake {KINDS[kind].command}.list" if is_record(kind) else "sleepwake memory.stats"
    what = f"hot memory has {size} tokens (wake.hot is {settings.wake_hot}), and a wake leaves {phase.left_out} out"
    fix = f"`{command}`: close what no longer holds ({count} of them are of kind {kind})"
    yield Finding("sizes", "warn", what, "memory/hot", fix)


def _revisit(view: View, now: str) -> Iterator[Finding]:
    for item in agenda.dues(view, now):
        yield Finding("revisit", "warn", agenda.phrase(item), item.path, "sleepwake review")


def _tone(view: View) -> Iterator[Finding]:
    """Report journals that do not say how their instance starts from the last one's tone: open ones, and the last."""
    last = next(view.lived, None)
    slept = (view.path_of(last) if last else None) or ""
    for path in filter(None, (*view.unslept, slept)):
        with contextlib.suppress(DocumentError):  # `_identity` reports it
            journal = view.journal(path)
            if journal.unmarked or not (view.holds_something(path) and register.asks_tone(journal.entries)):
                continue
            is_over = journal.sealed
            what = f"the last tone was not acknowledged{'' if is_over else ' yet'}"
            fix = "" if is_over else register.ANSWER
            yield Finding("tone", "note" if is_over else "warn", what, path, fix)


_CHECKS: dict[str, Callable[[View, Settings, str], Iterator[Finding]]] = {
    "identity": lambda view, *_: _identity(view),
    "continuity": lambda view, *_: _continuity(view),
    "task awareness": lambda view, *_: _tasks(view),
    "decision consistency": lambda view, *_: _decisions(view),
    "record numbers": lambda view, *_: _numbers(view),
    "addresses": lambda view, *_: _addresses(view),
    "record states": lambda view, *_: _states(view),
    "sizes": lambda view, settings, _: _sizes(view, settings),
    "revisit": lambda view, _, now: _revisit(view, now),
    "tone": lambda view, *_: _tone(view),
}
CHECKS = tuple(_CHECKS)
EXAMINED = (*CHECKS, sealed_journals.CHECK)
