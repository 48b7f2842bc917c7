"""The commands of records, `thread.*`, `decision.*` and so on: made of the table of kinds, one collection a kind.

Owns listing, showing and moving; `thread.open` is the one command that a single kind has.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

from invoke.collection import Collection

from sleep.documents import register
from sleep.documents.journal import Draft
from sleep.errors import UsageError
from sleep.journal import writer
from sleep.memory.view import View
from sleep.records.fragment import SOURCE
from sleep.records.kinds import RECORDS, key
from sleep.store.tree import WorkTree
from sleep.tasks import moments
from sleep.tasks.form import JSON_HELP, ROOT_HELP, facts, here, now, prose, say, table, task, wanted

if TYPE_CHECKING:
    from invoke.tasks import Task

    from sleep.documents.register import Record
    from sleep.recall.past.moment import Moment
    from sleep.records.kinds import Kind, Move

_ADDRESS = "i7qxk.12"
_AT_HELP = f"as it was at {moments.AT_HELP}"


def _facts(record: Record, moment: Moment | None) -> dict[str, object]:
    one = record.fragment
    return {
        "number": one.number,
        "address": str(one.identity),
        "kind": key(one.kind),
        "state": one.state,
        "says": one.text,
        "reason": one.reason,
        "fields": {name: value for name, value in one.fields if name != "status"},
        "addresses": [str(address) for address in one.addresses],
        "path": record.path,
        **moments.told(moment),
    }


def _list(kind: Kind) -> Task[Any]:
    @task(
        name="list",
        help={
            "all": f"also those that are no longer {kind.born}",
            "state": f"only one state: {', '.join(kind.states)}",
            "at": _AT_HELP,
            "json": JSON_HELP,
            "root": ROOT_HELP,
        },
    )
    def list_(_c: Any, all: bool = False, state: str = "", at: str = "", json: bool = False, root: str = "") -> None:  # noqa: A002
        moment, registry = _registry(root, at)
        found = [one for one in registry.values() if one.fragment.kind == kind.name]
        found = [one for one in found if (one.fragment.state == state if state else all or one.fragment.is_open)]
        found.sort(key=lambda one: (one.fragment.identity.number, one.fragment.identity.ordinal))
        if json:
            return facts([_facts(one, moment) for one in found])
        lead = moments.lead(moment)
        if not found:
            return say(f"{lead}no {kind.name} is {state or 'open' if not all else 'known'}")
        rows = [
            [one.fragment.handle, one.fragment.state, one.fragment.text[:100], one.fragment.field(SOURCE)]
            for one in found
        ]
        width = 4 if any(row[-1] for row in rows) else 3
        return say(lead + table([kind.name, "state", "says", "source"][:width], [row[:width] for row in rows]))

    list_.__doc__ = f"List {kind.plural.lower()}.\n\nExample: sleepwake {kind.command}.list --all"
    return list_


def _show(kind: Kind) -> Task[Any]:
    @task(
        name="show",
        positional=["handle"],
        help={"handle": "its number or its address", "at": _AT_HELP, "json": JSON_HELP, "root": ROOT_HELP},
    )
    def show(_c: Any, handle: str, at: str = "", json: bool = False, root: str = "") -> None:
        moment, registry = _registry(root, at)
        if not register.named((one for one in registry.values() if one.fragment.kind == kind.name), handle):
            hint = f"sleepwake {kind.command}.list --all; sleepwake trace {handle} finds one that left the tiers"
            raise UsageError(f"there is no {kind.name} {handle}", hint=hint)
        found = writer.find_record(registry.values(), kind.name, handle)
        if json:
            return facts(_facts(found, moment))
        one = found.fragment
        lines = [f"{one.handle}: {one.text}", f"  state: {one.state}{f' ({one.reason})' if one.reason else ''}"]
        lines += [f"  {name}: {value}" for name, value in one.fields if name != "status"]
        lines += [f"  said in: {' '.join(map(str, one.addresses))}", f"  stands in: {found.path}"]
        moves = register.legal(kind.name, one.state)
        lines.append(f"  can become: {', '.join(moves)}" if moves else "  this state is final")
        return say(moments.lead(moment) + "\n".join(lines))

    what = f"Show one {kind.name}, with its state, fields, addresses and legal moves."
    show.__doc__ = f"{what}\n\nExample: sleepwake {kind.command}.show {kind.example or _ADDRESS}"
    return show


def _registry(root: str, at: str) -> tuple[Moment | None, dict[Any, Record]]:
    where = here(root)
    moment = moments.at(where, at)
    return moment, View(moment.tree(where.root) if moment else WorkTree(where.root)).records


def _move(kind: Kind, move: Move) -> Task[Any]:
    """Return the task that makes a move: its options are what the move says, and `--reason` beside `--by`."""
    options = {move.says: move.ask}
    if move.says == "by":
        options["reason"] = "why"

    def run(_c: Any, handle: str, json: bool, root: str, **said: str) -> None:
        says = said[move.says] if move.is_free else wanted(said[move.says], move.says)
        by = said.get("by", "")
        says = prose(said["reason"] if by else says)
        record, added = writer.move(here(root), now(), handle, kind.name, move.to, says, by=by)
        state = record.fragment.state
        if json:
            return facts(
                {"record": record.fragment.handle, "from": state, "to": move.to, "address": str(added.address)}
            )
        return say(f"{record.fragment.handle}: {state} -> {move.to} [{added.address}]")

    own = {"_c": Parameter.empty, "handle": Parameter.empty, **dict.fromkeys(options, ""), "json": False, "root": ""}
    parameters = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default) for name, default in own.items()]
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # what Invoke makes the options of
    value = kind.example.replace("014", "020") if move.says == "by" else '"..."'
    example = "" if move.is_free else f" --{move.says} {value}"
    example = f"sleepwake {kind.command}.{move.verb} {kind.example or _ADDRESS}{example}"
    run.__doc__ = f"{move.about}\n\nExample: {example}"
    words = {name: says if name == "by" else f"{says}; - reads standard input" for name, says in options.items()}
    shown = {"handle": "its number or its address", **words, "json": JSON_HELP, "root": ROOT_HELP}
    return task(name=move.verb, positional=["handle"], help=shown)(run)


@task(
    name="open",
    help={
        "text": "what the thread is about; - reads standard input",
        "next": "its next step",
        "json": JSON_HELP,
        "root": ROOT_HELP,
    },
)
def open_thread(_c: Any, text: str = "", next: str = "", json: bool = False, root: str = "") -> None:  # noqa: A002
    """Open a thread: a line of work that goes on across instances.

    Example: sleepwake thread.open --text "Move the lock to flock" --next "measure it"
    """
    fields = (("next", next),) if next else ()
    made = writer.add(here(root), now(), Draft("thread", wanted(prose(text), "text"), fields=fields))
    if json:
        return facts({"number": made.number, "address": str(made.address), "path": made.path})
    return say(f"{made.number} [{made.address}] in {made.path}")


_MORE = {"thread": (open_thread,)}  # commands that no other kind has


def _collection(kind: Kind) -> Collection:
    made = Collection(kind.command, _list(kind), _show(kind), *_MORE.get(kind.name, ()))
    for move in kind.moves:
        made.add_task(_move(kind, move))
    return made


collections = {kind.command: _collection(kind) for kind in RECORDS}
