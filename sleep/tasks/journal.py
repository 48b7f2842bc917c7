"""`journal.*`: open, show, close, import, sources. `notes` has what writes an entry."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from sleep.documents import paths, register
from sleep.errors import UsageError
from sleep.journal import tone_check, writer
from sleep.journal.imports.source import FORMS, TRANSCRIPTS
from sleep.memory.view import View
from sleep.plurals import several
from sleep.records import address as addressing
from sleep.records import kinds
from sleep.store.tree import WorkTree
from sleep.tasks import notes
from sleep.tasks.arguments import here, now, number
from sleep.tasks.output import LINE, PATIENCE, clip, facts, progress, say, table
from sleep.tasks.task import task

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.documents.entries import Entry
    from sleep.documents.journal import Journal
    from sleep.journal.imports.source import Report
    from sleep.store.layout import Root

_ROWS = 20  # of a table or a list that are printed


@task(
    "journal.open",
    help={
        "client": "the agent's program, kept in the journal",
        "session": "the client's session id, which binds later commands to this instance",
    },
)
def open_(client: str = "", session: str = "", json: bool = False, root: str = "") -> None:
    """Open a new instance's journal (`wake` does it too, and prints what to read).

    Example: sleepwake journal.open --client claude-code --session 0b9f2ac6
    """
    made = writer.open_instance(here(root), now(), client=client, session=session)
    if json:
        return facts({"instance": str(made.address.instance), "path": made.path})
    say(f"opened {made.path} ({made.address.instance})")
    return say(tone_check.QUESTION) if made.asks_tone else None


@task(
    "journal.show",
    plain=("instance",),
    help={
        "instance": "the instance's number or name (i7qxk), or an entry's address for its words whole; default: the"
        " open one, else the last",
        "kind": "only entries of this kind",
    },
)
def show(instance: str = "", kind: str = "", json: bool = False, root: str = "") -> None:
    """Show a journal's entries with their addresses.

    Example: sleepwake journal.show --instance 7 --kind decision
    """
    where, kind = here(root), _kind(kind)
    view = View(WorkTree(where.root))
    at = addressing.parse(instance.strip("[] "))
    path = _called(where.root, view, instance)
    current = view.journal(path)
    entries = [entry for entry in current.entries if (entry.address == at if at else kind in ("", entry.kind))]
    if at and not entries:
        raise UsageError(f"no entry has the address {at}", hint=f"sleepwake recall {at}")
    if json:
        return facts(_journal_facts(path, current, entries))
    if at:
        return say(current.text[entries[0].start : entries[0].end].strip())
    state = "closed" if current.sealed else "open"
    counts = several(len(current.entries), "entry")
    if current.unmarked:
        counts += f", {several(current.unmarked, 'piece')} without an address, which a sleep gives"
    say(f"{path}: instance {current.instance}, {state}, {counts}")
    rows = [[str(entry.address), entry.kind, entry.number, clip(register.whole(entry), LINE)] for entry in entries]
    return say(table(["address", "kind", "number", "says"], rows)) if rows else None


def _called(root: Root, view: View, name: str) -> str:
    """Return the path of the journal that a number, an instance's name or an address calls."""
    bare = name.strip("[] ")
    at = addressing.parse(bare)
    called = at.instance if at else addressing.parse_instance(bare)
    if called is None:
        return _path(root, view, number(name, "instance"))
    path = view.path_of(called)
    if path is None:
        what = f"no entry has the address {at}" if at else f"there is no instance {called}"
        raise UsageError(what, hint=f"sleepwake recall {bare}")
    return path


def _kind(name: str) -> str:
    """Return the kind of entry that a name means, "" for none; UsageError for one that there is not."""
    kind = kinds.spelt(name) if name else ""
    if kind and kind not in kinds.ENTRIES and not kinds.event_record(kind):
        raise UsageError(f"no kind is called {name!r} (would be right: {', '.join(kinds.ENTRIES)})")
    return kind


def _journal_facts(path: str, current: Journal, entries: Sequence[Entry]) -> dict[str, object]:
    from sleep.journal.imports import provenance  # late: what reads Markdown costs 40 ms  # noqa: PLC0415

    return {
        "path": path,
        "instance": str(current.instance),
        "sealed": current.sealed,
        "entries": [
            {
                "address": str(entry.address),
                "kind": entry.kind,
                "number": entry.number,
                "text": register.whole(entry),
                "fields": dict(entry.fields),
                **({"origin": origin} if (origin := provenance.origin(current, entry)) else {}),
            }
            for entry in entries
        ],
    }


def _path(root: Root, view: View, instance: int | None) -> str:
    """Return the path of an instance's journal, of two one's own; for None that of the open one, else of the last."""
    opened = writer.open_path(view, instance, root=root)
    matching = [path for path in view.journals if instance in (None, paths.journal_number(path))]
    if not matching:
        what = "there is no journal yet" if instance is None else f"there is no instance {instance}"
        raise UsageError(what, hint="sleepwake wake" if instance is None else "sleepwake status")
    return opened or matching[-1]


@task("journal.close", help={"instance": "the instance's number; default: the open one"})
def close(instance: str = "", root: str = "") -> None:
    """Close the open journal, so that nothing can be added; `sleep` does it too.

    Example: sleepwake journal.close
    """
    path = writer.close(here(root), now(), instance=number(instance, "instance"))
    say(f"closed {path}")


@task(
    "journal.import",
    plain=("file", "also"),
    help={
        "file": "a file, a folder, or a quoted pattern such as 'logs/*.md'",
        "also": "a further file; may be given again (sleepwake also takes further files as plain words)",
        "from_": f"what it is, where it should not be told by itself; one of: {', '.join(FORMS)}",
        "dry_run": "only show what it would become",
    },
)
def import_(
    file: str,
    also: list[str] | None = None,
    from_: str = "",
    dry_run: bool = False,
    json: bool = False,
    root: str = "",
) -> None:
    """Take in what there is already, each text as an instance of its own; nothing is lost or taken in twice.

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
        rows: list[dict[str, Any]] = [log._asdict() | {"instance": str(log.instance)} for log in done.journals]
        rows += [{"source": path, "path": "", "instance": at, "why": "is there already"} for path, at in done.there]
        rows += [{"source": file.path, "path": "", "why": file.why} for file in done.left]
        rows += [{"source": "", "path": path, "why": "a page, laid in its place"} for path in done.pages]
        return facts(rows)
    return say(
        "\n".join(
            [*(f"{path}: {FORMS[form]}" for path, form in held.forms.items()), *_written(done), *_others(done, dry_run)]
        )
    )


def _written(done: Report) -> Iterator[str]:
    """Yield which journals an import has written, or would write."""
    rows = []
    for log in done.journals:
        counts = ", ".join(several(log.kinds[kind], kind) for kind in kinds.names() if kind in log.kinds)
        rows.append([log.path, log.origin or log.source, log.date, counts])
    if rows:
        yield table(["journal", "from", "day", "entries"], rows[:_ROWS])
    yield from (f"and {line}" for line in _more(rows, f", {len(rows)} in all"))
    for log in [log for log in done.journals if log.adds_to][:_ROWS]:
        yield f"{log.origin} has changed: {log.path} adds what is new to {log.adds_to}"


def _others(done: Report, dry_run: bool) -> Iterator[str]:
    """Yield what else an import did, and what it left."""
    if done.there:
        yield f"{len(done.there)} there already"
    yield from (f"{'would lay' if dry_run else 'laid'} {path}" for path in done.pages)
    yield from (f"left out: {file.path} {file.why}" for file in done.left[:_ROWS])
    yield from (f"left out: {line}" for line in _more(done.left))
    yield from _places(done, "would be" if dry_run else "")
    if not (done.journals or done.pages):
        yield "nothing is new"
    if dry_run:
        yield "dry run: nothing was written"
    elif done.journals:
        yield "Next: sleepwake sleep, which consolidates them"


def _places(done: Report, verb: str) -> Iterator[str]:
    """Yield which secrets an import took out, and where they stood."""
    secrets = [(log.origin or log.source, *secret) for log in done.journals for secret in log.secrets]
    if secrets:
        yield notes.secrets_line([kind for _, _, kind in secrets], verb)
    yield from (f"  {file}:{line} {kind}" for file, line, kind in secrets[:_ROWS])
    if len(secrets) > _ROWS:
        yield f"  and {len(secrets) - _ROWS} more"


def _more(rows: Sequence[object], total: str = "") -> list[str]:
    """Return a line that says how many rows are not printed, if there are any."""
    return [f"{len(rows) - _ROWS} more{total} (--json lists them)"] if len(rows) > _ROWS else []


@task("journal.sources")
def sources(json: bool = False, root: str = "") -> None:
    """Say what there is that `journal.import` could take in: in this project, and in the home about it.

    What is in the home is only counted, and so are transcripts, which `journal.capture` takes.

    Example: sleepwake journal.sources
    """
    from sleep.journal.imports import discovery  # noqa: PLC0415  # late: as above

    sources = discovery.find(here(root), "" if root else os.getcwd())
    if json:
        return facts(sources)
    if not sources:
        return say("nothing was found (sleepwake journal.import PATH takes what lies elsewhere)")
    rows = [
        [each.path, FORMS.get(each.form, each.form), str(each.texts), "?" if each.new is None else str(each.new)]
        for each in sources
    ]
    say(table(["place", "is", "texts", "new"], rows))
    forms = {source.form for source in sources}
    if forms - {TRANSCRIPTS}:
        say("sleepwake journal.import PLACE takes it in; --dry-run shows what it would become")
    return say("sleepwake journal.capture PLACE takes transcripts in") if TRANSCRIPTS in forms else None


TASKS = (open_, show, close, import_, sources)
