"""The handoff: what the next instance is told first.

Owns deriving the fields from an instance's own words, else from its records (marked as derived), and the state and
map of the main page. Refuses to invent: every field quotes an entry, a record or a count.
"""

from __future__ import annotations

from collections import Counter
from heapq import nsmallest
from operator import attrgetter
from typing import TYPE_CHECKING

from sleep.cycle import topics
from sleep.cycle.outcome import Decided
from sleep.cycle.project_pages import page_writes
from sleep.documents import cycles, main_page, paths, register
from sleep.documents.project import managed_block, own_handoff
from sleep.journal import activity, session_summary
from sleep.journal.session_summary import clipped
from sleep.language import tokens
from sleep.memory import late_moves
from sleep.memory.by_project import project_names, project_tree
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.records import revisit
from sleep.records.fragment import SOURCE, flat
from sleep.records.kinds import RECORDS
from sleep.review import agenda
from sleep.store.tree import Overlay

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sleep.documents.cycles import Cycle
    from sleep.documents.entries import Entry
    from sleep.documents.journal import Journal
    from sleep.memory.by_project.project_names import Projects
    from sleep.records.fragment import Fragment
    from sleep.settings import Settings

_LINE_TOKENS = 40
_MOST = 5
_DERIVED = " (derived)"
_IDENTITY = attrgetter("identity")
_LASTS = ("next_priority", "for_my_successor")  # what one instance says to those after it


def decide(view: View, settings: Settings, path: str, cycle: Cycle, leave: Collection[str] = ()) -> Decided:
    """Write the handoff, the current state and the map into the main page, and the cycle's line into `cycles.md`.

    What the cycle adds to the project's own pages goes with it, but for the pages to `leave`.
    """
    journal, projects = view.journal(path), project_names.near(view, view.read(path) or "")
    text = view.read(paths.MAIN) or main_page.new("Memory")
    if not journal.is_import:  # a document hands nothing over: what the last instance said stays
        before = main_page.handoff(text)
        fields = derive(view, journal, projects)
        fields |= _held(view, _of_project(before, projects, journal), fields, journal)
        if before and not (activity.did_something(journal) or _goes_on(view, before, journal)):
            tone = {"emotional_register": fields["emotional_register"]} if "emotional_register" in fields else {}
            fields = {**before, **tone}  # what the last one left that did something still holds
        body = "\n".join(f"- {name}: {fields[name]}" for name in main_page.FIELDS if fields.get(name))
        text = main_page.with_section(text, main_page.HANDOFF, body)
    table = cycles.append(view.read(cycles.PATH), cycle)
    slept = View(Overlay(view.tree, {cycles.PATH: table}), view)
    text = main_page.with_section(
        text, main_page.STATE, "\n".join([*_state(view, cycle, projects), *_waits(slept, cycle, projects)])
    )
    text = main_page.with_section(text, main_page.MAP, memory_map(view))
    writes: dict[str, str | None] = {paths.MAIN: text, cycles.PATH: table}
    size = tokens.count(text)
    over = f"main.md is {size} tokens, over {settings.wake_main}" if size > settings.wake_main else ""
    pages = page_writes.decide(view, journal, cycle, leave) if settings.sleep_pages else page_writes.PageWrites({}, ())
    lines = (*_news(view.read(paths.MAIN) or "", text), *filter(None, (over,)), *pages.lines)
    return Decided("handoff", f"handoff of instance {cycle.instance.number}", lines, writes | pages.writes, short=over)


def _news(before: str, after: str) -> tuple[str, ...]:
    """Return the line that says what of the main page is written anew, of the handoff which fields."""
    old, new = main_page.handoff(before), main_page.handoff(after)
    fields = [name for name in main_page.FIELDS[1:] if old.get(name) != new.get(name)]
    parts = [f"handoff ({', '.join(fields)})"] if fields else []
    titles = (main_page.STATE, main_page.MAP)
    parts += [title.lower() for title in titles if main_page.section(before, title) != main_page.section(after, title)]
    return (f"{paths.MAIN} says anew: {', '.join(parts)}",) if parts else ()


def derive(view: View, journal: Journal, projects: Projects) -> dict[str, str]:
    """Return the fields of the handoff; what no entry says is derived from the records and marked so.

    Of several projects these are records of the instance's own.
    """
    entries = journal.entries
    name = projects.instances.get(journal.instance, "")
    where = f" in {name}" if name else ""
    rows = {"updated": f"{flat(str(journal.fields.get('ended', '')))}{where} by instance {journal.instance}"}
    rows |= own_handoff.fields(entries)
    hands_over = any(entry.kind == own_handoff.KIND and register.whole(entry) for entry in entries)
    before = late_moves.slept_before(view, journal.instance)
    later = [entry for path in before for entry in view.journal(path).entries]
    entries = _unmoved(journal.entries, later)
    own = View(project_tree.of_instance(view, projects, journal.instance), view)
    derived = {
        "session_summary": session_summary.of(_unmoved(_of_session(view, journal), later), hands_over=hands_over),
        "next_priority": _open(own, "task", journal) or _thread(own) or session_summary.first(entries, ("task",)),
        "open_risk": _open(own, "blocker", journal) or session_summary.first(entries, ("blocker", "doubt")),
        "emotional_register": _tone(entries),
    }
    for name, value in derived.items():
        if value and name not in rows:
            rows[name] = value + _DERIVED
    return rows


def _of_project(before: dict[str, str], projects: Projects, journal: Journal) -> dict[str, str]:
    """Return the handoff that was there; nothing where that is of another project than a journal."""
    last = addressing.parse_instance(before.get("updated", "").rpartition(" ")[2])
    of = projects.instances.get
    return before if last is None or of(last) == of(journal.instance) else {}


def _goes_on(view: View, before: Mapping[str, str], journal: Journal) -> bool:
    """Return whether a journal goes on with the session that left this handoff."""
    part = activity.part_before(view, journal)
    return part is not None and before.get("updated", "").endswith(f"by instance {part.instance}")


def _of_session(view: View, journal: Journal) -> Sequence[Entry]:
    """Return the entries of a journal, and of those before it in which the same session was journaled.

    What an instance wrote itself sums it up alone.
    """
    entries = journal.entries
    part: Journal | None = journal
    while part and all(entry.field("transcript") for entry in part.entries):
        if part := activity.part_before(view, part):
            entries = (*part.entries, *entries)
    return entries


def _held(view: View, before: Mapping[str, str], fields: Mapping[str, str], journal: Journal) -> dict[str, str]:
    """Return what an earlier instance said in its own words to the next one, while no later one did.

    It is said until it leaves hot memory. What this instance left to do itself comes before it.
    """
    hot = {str(at) for path in paths.HOT for fragment in view.tier(path).fragments for at in fragment.addresses}
    held = {}
    for name in _LASTS:
        words, now = before.get(name, ""), fields.get(name, "")
        is_weak = not now or (now.endswith(_DERIVED) and _said_in(now).partition(".")[0] != str(journal.instance))
        if is_weak and not words.endswith(_DERIVED) and _said_in(words) in hot:
            held[name] = words
    return held


def _said_in(words: str) -> str:
    """Return the address that a field's words end with, "" for none."""
    return words.removesuffix(_DERIVED).rpartition(" [")[2].removesuffix("]")


def _unmoved(entries: Sequence[Entry], later: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the entries without those whose record they or `later` ones moved on: it was closed, most likely."""
    moves = (entry for entry in (*entries, *later) if register.is_move(entry))
    moved = {at for entry in moves for at in addressing.addresses(entry.field("record"))}
    return tuple(entry for entry in entries if entry.address not in moved)


def _open(view: View, kind: str, journal: Journal) -> str:
    """Return the first open record of a kind that this instance left, else that the newest other one did."""
    records = [
        fragment
        for path in paths.HOT
        for fragment in view.tier(path).fragments
        if fragment.kind == kind and fragment.is_open
    ]
    if not records:
        return ""
    instances = {fragment.identity.instance for fragment in records}
    giver = journal.instance if journal.instance in instances else max(records, key=_IDENTITY).identity.instance
    first = min((fragment for fragment in records if fragment.identity.instance == giver), key=_IDENTITY)
    return f"{clipped(first.text)} [{first.identity}]"


def _tone(entries: Sequence[Entry]) -> str:
    closing = register.closing_tone(entries)
    return f"{clipped(closing.words)} [{closing.address}]" if closing else ""


def _thread(view: View) -> str:
    active = [
        fragment
        for fragment in view.tier(paths.THREADS).fragments
        if fragment.kind == "thread" and fragment.state == "active"
    ]
    return f"{active[0].handle}: {clipped(active[0].text)} [{active[0].identity}]" if active else ""


def _state(view: View, cycle: Cycle, projects: Projects) -> list[str]:
    records: dict[str, list[Fragment]] = {kind.name: [] for kind in RECORDS}
    for path in paths.HOT:
        for fragment in view.tier(path).fragments:
            if fragment.kind in records:
                records[fragment.kind].append(fragment)
    lines = [f"- instances slept: {len(view.cycles) + 1}, {_where(view, cycle)}"]
    if projects.names:
        lines.append(f"{project_names.STATE.strip()} {', '.join(sorted(projects.names))}")
    for kind in sorted(RECORDS, key=lambda kind: kind.main_rank):
        group = [fragment for fragment in records[kind.name] if fragment.is_open] if kind.held else []
        if group:
            lines.append(f"- {kind.held}: {len(group)} (`sleepwake {kind.command}.list`)")
            lines += [f"  - {_record_line(fragment, projects)}" for fragment in _newest(group, projects)]
    return lines


def _waits(slept: View, cycle: Cycle, projects: Projects) -> list[str]:
    """Return the lines on what contradicts or is due when the cycle has been slept."""
    listed = agenda.stated(slept, cycle.slept, cycle.instance.number, projects)[:_MOST]
    return revisit.lines(
        [(tokens.clip(agenda.phrase(item), _LINE_TOKENS), str(item.fragment.identity)) for item in listed]
    )


def _where(view: View, cycle: Cycle) -> str:
    if not view.is_import(cycle.instance):
        return f"the last is {cycle.instance} in cycle {cycle.number}"
    lived = next(view.lived, None)
    last = f"the last that lived is {lived}" if lived else "all of them documents that were taken in"
    return f"{last}, up to cycle {cycle.number}"


def _newest(group: Sequence[Fragment], projects: Projects) -> list[Fragment]:
    """Return the newest records, of several projects those of each in turn."""
    newest = sorted(group, key=lambda fragment: (-fragment.identity.number, fragment.identity.ordinal))
    turns: Counter[str] = Counter()
    order: list[tuple[int, int]] = []
    for place, fragment in enumerate(newest):
        name = projects.of(fragment.identity)
        order.append((turns[name], place))
        turns[name] += 1
    return [newest[place] for _, place in nsmallest(_MOST, order)]


def _record_line(fragment: Fragment, projects: Projects) -> str:
    name = projects.of(fragment.identity)
    head = f"{name}: " if name else ""
    head += f"{fragment.number} " if fragment.number else ""
    by = " (person)" if fragment.field(SOURCE) == "person" else ""
    return f"{head}{tokens.clip(fragment.text, _LINE_TOKENS)}{by} [{fragment.identity}]"


def memory_map(view: View) -> str:
    """Return the lines of the main page that say where what is remembered stands."""
    holds = [f"- `{managed_block.PATH}`: the decisions and rules that hold"] if view.read(managed_block.PATH) else []
    lines = [
        *holds,
        "- `memory/hot/`: threads, decisions and context of the last two instances, and all that is still open",
        "- `memory/warm/`, `memory/cold/`: older memory by topic",
        "- `journal/`: every instance's own words, never changed",
    ]
    for tier in ("warm", "cold"):
        names = dict.fromkeys(topics.base(paths.topic_of(path)) for path in view.files(f"memory/{tier}/"))
        if names:
            lines.append(tokens.clip(f"- {tier} topics: {', '.join(names)}", 150))
    return "\n".join(lines)
