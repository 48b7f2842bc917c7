"""`thread.*`, `task.*`, `blocker.*`, `decision.*`, `question.*`, `doubt.*`, `constraint.*`, `deadend.*`: records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from invoke.collection import Collection

from sleep.documents import register
from sleep.documents.journal import Draft
from sleep.errors import UsageError
from sleep.journal import writer
from sleep.memory.view import View
from sleep.records.fragment import SOURCE
from sleep.records.kinds import KINDS, command, key
from sleep.store.tree import WorkTree
from sleep.tasks import moments
from sleep.tasks.form import JSON_HELP, ROOT_HELP, facts, here, now, prose, say, table, task, wanted

if TYPE_CHECKING:
    from collections.abc import Callable

    from invoke.tasks import Task

    from sleep.documents.register import Record
    from sleep.recall.past.moment import Moment

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


def _list(kind: str) -> Task[Any]:
    born = KINDS[kind].states[0]

    @task(
        name="list",
        help={
            "all": f"also those that are no longer {born}",
            "state": f"only one state: {', '.join(KINDS[kind].states)}",
            "at": _AT_HELP,
            "json": JSON_HELP,
            "root": ROOT_HELP,
        },
    )
    def list_(_c: Any, all: bool = False, state: str = "", at: str = "", json: bool = False, root: str = "") -> None:  # noqa: A002
        moment, registry = _registry(root, at)
        found = [one for one in registry.values() if one.fragment.kind == kind]
        found = [one for one in found if (one.fragment.state == state if state else all or one.fragment.is_open)]
        found.sort(key=lambda one: (one.fragment.identity.number, one.fragment.identity.ordinal))
        if json:
            return facts([_facts(one, moment) for one in found])
        lead = moments.lead(moment)
        if not found:
            return say(f"{lead}no {kind} is {state or 'open' if not all else 'known'}")
        rows = [
            [one.fragment.handle, one.fragment.state, one.fragment.text[:100], one.fragment.field(SOURCE)]
            for one in found
        ]
        width = 4 if any(row[-1] for row in rows) else 3
        return say(lead + table([kind, "state", "says", "source"][:width], [row[:width] for row in rows]))

    list_.__doc__ = f"List {KINDS[kind].plural.lower()}.\n\nExample: sleepwake {command(kind)}.list --all"
    return list_


def _show(kind: str) -> Task[Any]:
    @task(
        name="show",
        positional=["handle"],
        help={"handle": "its number or its address", "at": _AT_HELP, "json": JSON_HELP, "root": ROOT_HELP},
    )
    def show(_c: Any, handle: str, at: str = "", json: bool = False, root: str = "") -> None:
        moment, registry = _registry(root, at)
        if not register.named((one for one in registry.values() if one.fragment.kind == kind), handle):
            hint = f"sleepwake {command(kind)}.list --all; sleepwake trace {handle} finds one that left the tiers"
            raise UsageError(f"there is no {kind} {handle}", hint=hint)
        found = writer.named(registry.values(), kind, handle)
        if json:
            return facts(_facts(found, moment))
        one = found.fragment
        lines = [f"{one.handle}: {one.text}", f"  state: {one.state}{f' ({one.reason})' if one.reason else ''}"]
        lines += [f"  {name}: {value}" for name, value in one.fields if name != "status"]
        lines += [f"  said in: {' '.join(map(str, one.addresses))}", f"  stands in: {found.path}"]
        moves = register.legal(kind, one.state)
        lines.append(f"  can become: {', '.join(moves)}" if moves else "  this state is final")
        return say(moments.lead(moment) + "\n".join(lines))

    example = {"T": "T-001", "D": "D-014", "Q": "Q-003"}.get(KINDS[kind].letter, "i7qxk.12")
    what = f"Show one {kind}, with its state, fields, addresses and legal moves."
    show.__doc__ = f"{what}\n\nExample: sleepwake {command(kind)}.show {example}"
    return show


def _registry(root: str, at: str) -> tuple[Moment | None, dict[Any, Record]]:
    where = here(root)
    moment = moments.at(where, at)
    return moment, View(moment.tree(where.root) if moment else WorkTree(where.root)).records


def _move(kind: str, verb: str, to: str, flag: str) -> Task[Any]:
    """Return the task that moves a record; `flag` is what it must say (`reason`, `outcome`, `answer`) or "".

    A flag that ends in `?` may be left out.
    """
    flag, must = flag.removesuffix("?"), bool(flag) and not flag.endswith("?")
    options = {
        flag or "reason": f"the {flag}; - reads standard input" if flag else "why",
        "by": "the decision that takes its place",
    }
    shown = {"handle": "its number or its address", "json": JSON_HELP, "root": ROOT_HELP}

    def apply(handle: str, says: str, by: str, json: bool, root: str) -> None:
        record, added = writer.move(here(root), now(), handle, kind, to, prose(says), by=by)
        if json:
            return facts(
                {
                    "record": record.fragment.handle,
                    "from": record.fragment.state,
                    "to": to,
                    "address": str(added.address),
                }
            )
        return say(f"{record.fragment.handle}: {record.fragment.state} -> {to} [{added.address}]")

    made: dict[str, Callable[..., object]] = {}
    if to == "superseded":

        def supersede(_c: Any, handle: str, by: str = "", reason: str = "", json: bool = False, root: str = "") -> None:
            wanted(by, "by")
            apply(handle, reason, by, json, root)

        made[verb], shown = supersede, {**shown, "by": options["by"], "reason": "why"}
    elif flag == "outcome":

        def with_outcome(_c: Any, handle: str, outcome: str = "", json: bool = False, root: str = "") -> None:
            apply(handle, wanted(outcome, "outcome") if must else outcome, "", json, root)

        made[verb], shown = with_outcome, {**shown, "outcome": options["outcome"]}
    elif flag == "answer":

        def with_answer(_c: Any, handle: str, answer: str = "", json: bool = False, root: str = "") -> None:
            apply(handle, wanted(answer, "answer"), "", json, root)

        made[verb], shown = with_answer, {**shown, "answer": options["answer"]}
    else:

        def with_reason(_c: Any, handle: str, reason: str = "", json: bool = False, root: str = "") -> None:
            apply(handle, wanted(reason, "reason") if must else reason, "", json, root)

        made[verb], shown = with_reason, {**shown, "reason": options[flag or "reason"]}
    body = made[verb]
    example = f' --{flag} "..."' if must else ""
    example = " --by D-020" if to == "superseded" else example
    number = {"T": "T-001", "D": "D-014", "Q": "Q-003"}.get(KINDS[kind].letter, "i7qxk.12")
    body.__doc__ = f"Journal that a {kind} is {to}.\n\nExample: sleepwake {command(kind)}.{verb} {number}{example}"
    return task(name=verb, positional=["handle"], help=shown)(body)


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


def _collection(kind: str, *moves: tuple[str, str, str], more: tuple[Task[Any], ...] = ()) -> Collection:
    made = Collection(command(kind), _list(kind), _show(kind), *more)
    for verb, to, flag in moves:
        made.add_task(_move(kind, verb, to, flag))
    return made


_ALL = (
    _collection(
        "thread",
        ("pause", "paused", "reason"),
        ("resume", "active", ""),
        ("resolve", "resolved", "outcome"),
        ("abandon", "abandoned", "reason"),
        more=(open_thread,),
    ),
    _collection(
        "decision",
        ("reverse", "reversed", "reason"),
        ("supersede", "superseded", ""),
        ("reinstate", "standing", "reason"),
    ),
    _collection("question", ("answer", "answered", "answer"), ("reopen", "open", "reason")),
    _collection("doubt", ("resolve", "resolved", "outcome"), ("reopen", "open", "reason")),
    _collection("constraint", ("lift", "lifted", "reason"), ("restore", "active", "reason")),
    _collection("task", ("done", "done", "outcome?"), ("drop", "dropped", "reason"), ("reopen", "open", "reason")),
    _collection("blocker", ("resolve", "resolved", "outcome"), ("reopen", "open", "reason")),
    _collection("dead end", ("retry", "retried", "reason"), ("reinstate", "standing", "reason")),
)
collections = {str(one.name): one for one in _ALL}
