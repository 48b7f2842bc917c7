"""`journal.*`: open, add, show, close, import, sources, digest."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from invoke.collection import Collection

from sleep.documents import paths, register
from sleep.documents.journal import Draft
from sleep.errors import UsageError
from sleep.journal import writer
from sleep.journal.capture import BUDGET
from sleep.journal.imports.source import FORMS
from sleep.memory import place
from sleep.memory.view import View
from sleep.records import kinds
from sleep.store.tree import WorkTree
from sleep.tasks.form import JSON_HELP, PATIENCE, ROOT_HELP, facts, here, now, number, progress, prose, say, table, task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.journal.imports.source import Batch, Report

_ROWS = 20  # of a table or a list that are printed
_FIELDS = ("why", "confidence", "revisit_when", "thread", "topic", "commit", "next")


@task(
    name="open",
    help={
        "client": "the agent's program, kept in the journal",
        "session": "the client's session id, which binds later commands to this instance",
        "json": JSON_HELP,
        "root": ROOT_HELP,
    },
)
def open_(_c: Any, client: str = "", session: str = "", json: bool = False, root: str = "") -> None:
    """Open a new instance's journal (`wake` does it too, and prints what to read).

    Example: sleepwake journal.open --client claude-code --session 0b9f2ac6
    """
    made = writer.open_instance(here(root), now(), client=client, session=session)
    if json:
        return facts({"instance": str(made.address.instance), "path": made.path})
    return say(f"opened {made.path} ({made.address.instance})")


@task(
    help={
        "kind": f"one of: {', '.join(kinds.names())}",
        "text": "what it says, in your own words; - reads standard input",
        "title": "a heading of its own; default: the first line of the text",
        "why": f"the reason ({', '.join(kind.name for kind in kinds.RECORDS if 'why' in kind.fields)})",
        "alternative": "an alternative that was rejected; may be given again",
        "confidence": "high, medium or low (decision)",
        "revisit_when": 'when to reconsider, e.g. "memory past 100k tokens", "after 2027-01-01", "after 10 instances"',
        "thread": "the thread it belongs to, e.g. T-001",
        "topic": "the topic it goes to when it cools",
        "commit": "the commit it is about",
        "next": "what comes next (thread)",
        "field": "a further field as name=value (handoff: session summary, next priority, ...); may be given again",
        "instance": "the instance's number; default: the one that is open",
        "json": JSON_HELP,
        "root": ROOT_HELP,
    },
    iterable=["alternative", "field"],
)
def add(
    _c: Any,
    kind: str = "note",
    text: str = "",
    title: str = "",
    why: str = "",
    alternative: list[str] | None = None,
    confidence: str = "",
    revisit_when: str = "",
    thread: str = "",
    topic: str = "",
    commit: str = "",
    next: str = "",  # noqa: A002
    field: list[str] | None = None,
    instance: str = "",
    json: bool = False,
    root: str = "",
) -> None:
    """Write an entry into the open journal; a decision says why, what was rejected, how sure, and when to revisit.

    Example: sleepwake journal.add --kind decision --text "Use flock for the lock" --why "no server is needed"
    --alternative "a lock file with a pid" --confidence high --revisit-when "after 20 instances"
    """
    given = {"why": why, "confidence": confidence, "revisit when": revisit_when, "thread": thread, "topic": topic}
    given |= {"commit": commit, "next": next, "alternatives": "; ".join(alternative or [])}
    for pair in field or []:
        name, sign, value = pair.partition("=")
        if not sign:
            raise UsageError(f"--field takes name=value, not {pair!r}")
        given[name.strip().replace("_", " ").replace("-", " ")] = value.strip()
    if {"source", "transcript"} & given.keys():
        raise UsageError("an entry of your own has no source: it is yours (leave it out)")
    words = prose(text).strip("\n")
    head, _, rest = (title, "", words) if title else words.partition("\n")
    kind = kinds.spelt(kind)
    draft = Draft(kind, head, rest.strip("\n"), tuple((name, value) for name, value in given.items() if value))
    made = writer.add(here(root), now(), draft, instance=number(instance, "instance"))
    asked = [name for name in (kinds.ENTRIES[kind].fields if kind in kinds.ENTRIES else ()) if not given.get(name)]
    if json:
        return facts(
            {"address": str(made.address), "number": made.number, "path": made.path, "redacted": made.redacted}
        )
    lines = [f"{made.number + ' ' if made.number else ''}[{made.address}] in {made.path}"]
    if made.opened:
        lines.append("no journal was open, so one was opened; sleepwake wake prints what to read")
    if made.redacted:
        lines.append(_secrets(made.redacted))
    if kind in ("decision", "constraint") and asked:
        lines.append(f"it does not say: {', '.join(asked)}")
    return say("\n".join(lines))


@task(
    help={
        "instance": "the instance's number; default: the open one, else the last",
        "kind": "only entries of this kind",
        "json": JSON_HELP,
        "root": ROOT_HELP,
    },
)
def show(_c: Any, instance: str = "", kind: str = "", json: bool = False, root: str = "") -> None:
    """Show a journal's entries with their addresses.

    Example: sleepwake journal.show --instance 7 --kind decision
    """
    where = here(root)
    view = View(WorkTree(where.root))
    wanted = number(instance, "instance")
    path = writer.open_path(view) if wanted is None else None
    if path is None:
        matching = [one for one in view.journals if wanted is None or paths.journal_number(one) == wanted]
        if not matching:
            raise UsageError(f"there is no instance {instance}" if instance else "there is no journal yet")
        path = matching[-1]
    current = view.journal(path)
    entries = [one for one in current.entries if not kind or one.kind == kind]
    if json:
        from sleep.journal.imports import provenance  # late: what reads Markdown costs 40 ms  # noqa: PLC0415

        return facts(
            {
                "path": path,
                "instance": str(current.instance),
                "sealed": current.sealed,
                "entries": [
                    {
                        "address": str(one.address),
                        "kind": one.kind,
                        "number": one.number,
                        "text": register.whole(one),
                        "fields": dict(one.fields),
                        **({"origin": origin} if (origin := provenance.origin(current, one)) else {}),
                    }
                    for one in entries
                ],
            }
        )
    state = "closed" if current.sealed else "open"
    counts = f"{len(current.entries)} entries, {current.unmarked} pieces unaddressed"
    say(f"{path}: instance {current.instance}, {state}, {counts}")
    rows = [[str(one.address), one.kind, one.number, register.whole(one)[:90]] for one in entries]
    return say(table(["address", "kind", "number", "says"], rows)) if rows else None


@task(help={"instance": "the instance's number; default: the open one", "root": ROOT_HELP})
def close(_c: Any, instance: str = "", root: str = "") -> None:
    """Close the open journal, so that nothing can be added; `sleep` does it too.

    Example: sleepwake journal.close
    """
    path = writer.close(here(root), now(), instance=number(instance, "instance"))
    say(f"closed {path}")


@task(
    name="import",
    positional=["file"],
    help={
        "file": "a file, a folder, or a quoted pattern such as 'logs/*.md'",
        "also": "a further file; may be given again (sleepwake also takes further files as plain words)",
        "from_": f"what it is, where it should not be told by itself; one of: {', '.join(FORMS)}",
        "dry_run": "only show what it would become",
        "json": JSON_HELP,
        "root": ROOT_HELP,
    },
    iterable=["also"],
)
def import_(
    _c: Any,
    file: str,
    also: list[str] | None = None,
    from_: str = "",
    dry_run: bool = False,
    json: bool = False,
    root: str = "",
) -> None:
    """Take in what there is already, each text as an instance of its own; nothing is dropped, and twice is once.

    It takes decision records, daily logs, memory banks, context trees, the memories of Claude Code and Codex, and
    journals written by hand, of any form. `journal.sources` finds them.

    Example: sleepwake journal.import docs/adr
    """
    from sleep.journal.imports import importer, reader  # noqa: PLC0415  # late: as above

    where = here(root)
    with progress("reading files", PATIENCE) as notice:
        held = reader.gather([file, *(also or [])], where.root, from_, notice)
    with progress("writing journals", PATIENCE) as notice:
        done = importer.import_sources(where, now(), held, notice, dry_run=dry_run)
    if json:
        rows: list[dict[str, Any]] = [one._asdict() | {"instance": str(one.instance)} for one in done.journals]
        rows += [{"source": path, "path": "", "instance": one, "why": "is there already"} for path, one in done.there]
        rows += [{"source": one.path, "path": "", "why": one.why} for one in done.left]
        rows += [{"source": "", "path": path, "why": "a page, laid in its place"} for path in done.pages]
        return facts(rows)
    return _tell(done, held, dry_run=dry_run)


def _tell(done: Report, held: Batch, *, dry_run: bool) -> None:
    """Print what an import did."""
    say("\n".join(f"{place_}: {FORMS[form]}" for place_, form in held.forms.items()))
    if done.journals:
        rows = [[one.path, one.origin or one.source, one.date, _kinds(one.kinds)] for one in done.journals]
        say(table(["journal", "from", "day", "entries"], rows[:_ROWS]))
    if len(done.journals) > _ROWS:
        say(f"and {len(done.journals) - _ROWS} more, {len(done.journals)} in all (--json lists them)")
    changed = [one for one in done.journals if one.adds_to]
    notes = [f"{one.origin} has changed: {one.path} adds what is new to {one.adds_to}" for one in changed[:_ROWS]]
    notes += [f"{len(done.there)} there already"] if done.there else []
    notes += [f"{'would lay' if dry_run else 'laid'} {path}" for path in done.pages]
    notes += [f"left out: {one.path} {one.why}" for one in done.left[:_ROWS]]
    notes += [f"left out: {len(done.left) - _ROWS} more (--json lists them)"] if len(done.left) > _ROWS else []
    if redacted := sum(one.redacted for one in done.journals):
        notes.append(_secrets(redacted))
    if not (done.journals or done.pages):
        notes.append("nothing is new")
    if dry_run:
        notes.append("dry run: nothing was written")
    if notes:
        say("\n".join(notes))


def _secrets(count: int) -> str:
    return "1 secret was taken out" if count == 1 else f"{count} secrets were taken out"


def _kinds(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{counts[kind]} {kind}" for kind in kinds.names() if kind in counts)


@task(help={"json": JSON_HELP, "root": ROOT_HELP})
def sources(_c: Any, json: bool = False, root: str = "") -> None:
    """Say what there is that `journal.import` could take in: in this project, and in the home about it.

    What is in the home is only counted; it is read when you name it.

    Example: sleepwake journal.sources
    """
    from sleep.journal.imports import discovery  # noqa: PLC0415  # late: as above

    found = discovery.find(here(root), "" if root else os.getcwd())
    if json:
        return facts([one._asdict() for one in found])
    if not found:
        return say("nothing was found (sleepwake journal.import PATH takes what lies elsewhere)")
    rows = [[one.path, FORMS[one.form], str(one.texts), "?" if one.new is None else str(one.new)] for one in found]
    say(table(["place", "is", "texts", "new"], rows))
    return say("sleepwake journal.import PLACE takes it in; --dry-run shows what it would become")


@task(
    positional=["file"],
    help={
        "file": "a client's transcript, e.g. ~/.claude/projects/PROJECT/SESSION.jsonl",
        "budget": f"tokens, at most; default: {BUDGET}",
        "into": "append it to the open journal instead of printing it",
        "dry_run": "with --into: only show the entries",
        "instance": "with --into: the instance's number; default: the one that is open",
        "json": JSON_HELP,
        "root": ROOT_HELP,
    },
)
def digest(
    _c: Any,
    file: str,
    budget: str = "",
    into: bool = False,
    dry_run: bool = False,
    instance: str = "",
    json: bool = False,
    root: str = "",
) -> None:
    """Say what a transcript holds: intent, outcome, open items, files, what was learnt; by default it is printed.

    Any beginning of it is a good digest. No model is asked; every sentence stands in the transcript.

    Example: sleepwake journal.digest session.jsonl --budget 500
    """
    from sleep.journal.capture import session_digest as digests  # noqa: PLC0415  # late: as above

    found = digests.of(
        digests.read(file),
        number(budget, "budget") or BUDGET,
        homes=(os.path.expanduser("~"),),
        known=place.secrets(),
    )
    entries = digests.drafts(found)
    if into and not dry_run:
        made = writer.add_all(here(root), now(), entries, instance=number(instance, "instance"))
        return facts([str(one.address) for one in made]) if json else say(f"{len(made)} entries added")
    if json:
        listed = [one._asdict() | {"fields": dict(one.fields)} for one in entries]
        counts = {"unread": found.unread, "redacted": found.redacted, "refused": found.refused}
        return facts({"files": found.files._asdict(), "entries": listed, **counts})
    if into:
        return say(table(["kind", "says"], [[one.kind, f"{one.title} {one.body}"[:90]] for one in entries]))
    return say(digests.markdown(found))


collection = Collection("journal", open_, add, show, close, import_, sources, digest)
