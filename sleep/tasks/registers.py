"""The commands of records, `thread.*`, `decision.*` and so on: made of the table of kinds.

Owns listing, showing and moving; `thread.open` is the one command that a single kind has.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from sleep.code import mentions
from sleep.documents import paths, register
from sleep.documents.journal import Draft
from sleep.errors import UsageError
from sleep.journal import named_record, thread_entries, writer
from sleep.memory import noticed
from sleep.memory.view import View
from sleep.records import headline, revisit
from sleep.records.fragment import SOURCE
from sleep.records.kinds import NOTICED, RECORDS
from sleep.review import agenda
from sleep.store.tree import WorkTree
from sleep.tasks import moments, notes
from sleep.tasks.arguments import here, now, prose, wanted
from sleep.tasks.output import clip, facts, say, table
from sleep.tasks.task import Task, task

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from sleep.documents.entries import Entry
    from sleep.documents.register import Record
    from sleep.memory.place import Place
    from sleep.recall.past.moment import Moment
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment
    from sleep.records.kinds import Kind, Move

_ADDRESS = "i7qxk.12"
_HANDLE = "its number or its address"
_WORDS = 100  # characters of what a record or an entry says, in a list
_CONDITION = 60  # characters of what it waits for
_AWAITED = {"decision": revisit.CONDITION, "thread": "next"}  # the field of a kind that says what comes
_DUE = "due: "
_ALWAYS = 3  # columns that every list has
_ENTRY_ONLY = "topic"  # a field of an entry that no fragment keeps: its document has the name, once it is in one
_AT_HELP = f"as it was at {moments.AT_HELP}"


def _facts(record: Record, moment: Moment | None) -> dict[str, object]:
    fragment = record.fragment
    return {
        "number": fragment.number,
        "address": str(fragment.identity),
        "kind": fragment.stated_kind,
        "standing": fragment.standing,
        "state": fragment.state,
        "says": fragment.text,
        "reason": fragment.reason,
        "fields": {name: value for name, value in fragment.fields if name != "status"},
        "addresses": [str(address) for address in fragment.addresses],
        "path": record.path,
        **moments.as_facts(moment),
    }


def _list(kind: Kind) -> Task:
    def list_(all: bool = False, state: str = "", at: str = "", json: bool = False, root: str = "") -> None:  # noqa: A002
        _expect(kind, state)
        where = here(root)
        moment, view = _seen(where, at)
        records = [record for record in _records(where, view, kind) if _is_listed(record.fragment, state, every=all)]
        if json:
            return facts([_facts(record, moment) for record in records])
        lead = moments.lead(moment)
        if not records:
            return say(f"{lead}no {kind.name} is {state or kind.born if not all else 'known'}")
        return say(lead + _table(kind, [record.fragment for record in records], _due(view) if not moment else ()))

    list_.__doc__ = f"List {kind.plural.lower()}.\n\nExample: sleepwake {kind.command}.list --all"
    words = {
        "all": f"also those that are no longer {kind.born}, and those that were only noticed",
        "state": f"only one state: {', '.join(kind.states)}; or `{NOTICED}`: what waits in `review`",
        "at": _AT_HELP,
    }
    return Task(f"{kind.command}.list", list_, help=words)


def _due(view: View) -> frozenset[Address]:
    """Return the addresses of the decisions that are due to be looked at again."""
    return frozenset(item.fragment.identity for item in agenda.dues(view, now()))


def _table(kind: Kind, fragments: Sequence[Fragment], due: Collection[Address]) -> str:
    """Return a row for each record, with its address where others have its number.

    A column that no record fills is left out: who said it, and what it waits for, with a mark where that has come.
    """
    times = Counter(fragment.handle for fragment in fragments)
    awaited = _AWAITED.get(kind.name, "")
    rows = [
        [
            f"{fragment.handle} [{fragment.identity}]" if times[fragment.handle] > 1 else fragment.handle,
            fragment.state or fragment.standing,
            _headline(fragment),
            fragment.field(SOURCE),
            f"{_DUE if fragment.identity in due else ''}{clip(fragment.field(awaited), _CONDITION)}",
        ]
        for fragment in fragments
    ]
    heads = [kind.name, "state", "says", "source", awaited]
    shown = [at for at in range(len(heads)) if at < _ALWAYS or any(row[at] for row in rows)]
    return table([heads[at] for at in shown], [[row[at] for at in shown] for row in rows])


def _expect(kind: Kind, state: str) -> None:
    """Raise UsageError for a state that a kind never has."""
    known = (*kind.states, NOTICED)
    if state and state not in known:
        raise UsageError(f"a {kind.name} has no state {state!r} (would be right: {', '.join(known)})")


def _headline(fragment: Fragment) -> str:
    return clip(headline.parted(fragment.stated_kind, fragment.text)[0], _WORDS)


def _is_listed(fragment: Fragment, state: str, *, every: bool) -> bool:
    if state:
        return state == (NOTICED if fragment.is_noticed else fragment.state)
    return every or fragment.is_open


def _show(kind: Kind) -> Task:
    def show(handle: str, at: str = "", json: bool = False, root: str = "") -> None:
        where = here(root)
        moment, view = _seen(where, at)
        records = _records(where, view, kind)
        if not register.named(records, handle):
            hint = f"sleepwake {kind.command}.list --all; sleepwake trace {handle} finds one that left the tiers"
            raise UsageError(f"there is no {kind.name} {handle}{named_record.near(records, handle)}", hint=hint)
        record = named_record.find(records, kind.name, handle)
        rows = thread_entries.of(view, record.fragment) if kind.amends else []
        fragment = record.fragment
        changed = [] if moment else mentions.find(where.root, view, [fragment], os.getcwd()).get(fragment.identity, [])
        if json:
            own = {"entries": [_entry(path, entry) for path, entry in rows]} if kind.amends else {}
            return facts(_facts(record, moment) | own | {"code": changed})
        lines = [
            f"{fragment.handle}: {fragment.text}",
            f"  state: {fragment.state}{f' ({fragment.reason})' if fragment.reason else ''}",
        ]
        lines += [f"  {name}: {value}" for name, value in fragment.fields if name != "status"]
        lines += [f"  {_ENTRY_ONLY}: {topic}" for topic in _topic(view, record)]
        lines += [f"  said in: {' '.join(map(str, fragment.addresses))}", f"  stands in: {record.path}"]
        lines += [f"  in the code: {mentions.sentence(mention, fragment.identity)}" for mention in changed]
        moves = register.legal(kind.name, fragment.state)
        lines.append(f"  can become: {', '.join(moves)}" if moves else "  this state is final")
        lines += [f"  [{entry.address}] {entry.kind}: {clip(_words(entry), _WORDS)}" for _, entry in rows]
        return say(moments.lead(moment) + "\n".join(lines))

    what = f"Show one {kind.name}, with its state, fields, addresses and legal moves."
    show.__doc__ = f"{what}\n\nExample: sleepwake {kind.command}.show {kind.example or _ADDRESS}"
    return Task(f"{kind.command}.show", show, help={"handle": _HANDLE, "at": _AT_HELP})


def _topic(view: View, record: Record) -> Iterator[str]:
    """Yield the topic that a record's entry names, while it stands in none."""
    entry = None if record.path.startswith((paths.WARM, paths.COLD)) else view.entry(record.fragment.identity)
    if entry and entry.field(_ENTRY_ONLY):
        yield entry.field(_ENTRY_ONLY)


def _seen(where: Place, at: str) -> tuple[Moment | None, View]:
    """Return a moment, None for now, and the memory as it was then."""
    moment = moments.at(where, at)
    return moment, View(moment.tree(where.root) if moment else WorkTree(where.root))


def _records(where: Place, view: View, kind: Kind) -> list[Record]:
    """Return the records of a kind in the order of their ids; those that were only noticed come last."""
    records = [record for record in view.records.values() if record.fragment.kind == kind.name]
    records.sort(key=lambda record: (record.fragment.identity.number, record.fragment.identity.ordinal))
    asked = noticed.waiting(view, where.settings.review_most)
    return [*records, *(record for record in asked if record.fragment.stated_kind == kind.name)]


def _entry(path: str, entry: Entry) -> dict[str, object]:
    return {"address": str(entry.address), "kind": entry.kind, "text": _words(entry), "path": path}


def _words(entry: Entry) -> str:
    """Return what an entry says; of a move also where to, and why."""
    move = (entry.field("to"), register.says(entry)) if register.is_move(entry) else ()
    return ": ".join(filter(None, move)) or register.whole(entry)


def _move(kind: Kind, move: Move) -> Task:
    """Return the task that makes a move: its options are what the move says, and `--why` beside `--by`."""
    options = {move.option: move.ask}
    if move.says == "by":
        options["why"] = "the reason"

    def run(handle: str, json: bool = False, root: str = "", **values: str) -> None:
        says, by = values.get(move.option, ""), values.get("by", "")
        says = prose(values.get("why", "") if by else says if move.is_free else wanted(says, move.option, name, handle))
        record, added = writer.move(here(root), now(), handle, kind.name, move.to, says, by=by)
        state = record.fragment.state
        if json:
            return facts(
                {"record": record.fragment.handle, "from": state, "to": move.to, "address": str(added.address)}
            )
        head = f"{record.fragment.handle}: {state} -> {move.to} [{added.address}]"
        return say("\n".join(notes.outcome(added, head)))

    value = kind.example.replace("014", "020") if move.says == "by" else '"..."'
    example = "" if move.is_free else f" --{move.option} {value}"
    example = f"sleepwake {kind.command}.{move.verb} {kind.example or _ADDRESS}{example}"
    run.__doc__ = f"{move.about}\n\nExample: {example}"
    words = {name: says if name == "by" else f"{says}; - reads standard input" for name, says in options.items()}
    name = f"{kind.command}.{move.verb}"
    return Task(name, run, more=tuple(options), help={"handle": _HANDLE, **words})


@task(
    "thread.open",
    quoted="text",
    help={"text": "what the thread is about, in quotes; - reads standard input", "next": "its next step"},
)
def open_thread(text: str, next: str = "", json: bool = False, root: str = "") -> None:  # noqa: A002
    """Open a thread: a line of work that goes on across instances.

    Example: sleepwake thread.open "Move the lock to flock" --next "measure it"
    """
    fields = (("next", next),) if next else ()
    made = writer.add(here(root), now(), Draft("thread", wanted(prose(text), "text", "thread.open"), fields=fields))
    if json:
        return facts({"number": made.number, "address": str(made.address), "path": made.path})
    return say("\n".join(notes.outcome(made)))


def _amend(kind: Kind, field: str) -> Task:
    """Return the task that says a field of a record anew."""

    def amend(handle: str, text: str = "", json: bool = False, root: str = "") -> None:
        record, added = writer.amend(here(root), now(), handle, kind.name, field, prose(text))
        if json:
            was = record.fragment.field(field)
            return facts({"record": record.fragment.handle, "was": was, "address": str(added.address)})
        head = f"{record.fragment.handle}: {field} is said anew [{added.address}]"
        return say("\n".join(notes.outcome(added, head)))

    what = f"Say anew what is {field} of a {kind.name}; the journal keeps what it was."
    amend.__doc__ = f'{what}\n\nExample: sleepwake {kind.command}.{field} {kind.example or _ADDRESS} --text "..."'
    words = {"handle": _HANDLE, "text": f"what is {field} now; - reads standard input"}
    return Task(f"{kind.command}.{field}", amend, help=words)


_MORE = {"thread": (open_thread,)}  # commands that no other kind has


def _tasks(kind: Kind) -> Iterator[Task]:
    yield from (_list(kind), _show(kind), *_MORE.get(kind.name, ()))
    yield from (_move(kind, move) for move in kind.moves)
    yield from (_amend(kind, field) for field in kind.amends)


TASKS = tuple(task for kind in RECORDS for task in _tasks(kind))
