"""`journal.*`: open, add, show, close, import, sources."""

from __future__ import annotations

import operator
import os
from collections import Counter
from typing import TYPE_CHECKING, Any

from sleep.cycle.step_message import several
from sleep.documents import paths, register
from sleep.documents.entries import IMPORTED, SOURCE, SPEAKERS, STANDING
from sleep.documents.journal import Draft
from sleep.errors import SecretError, UsageError
from sleep.journal import thread_entries, tone_check, writer
from sleep.journal.imports.source import FORMS, TRANSCRIPTS
from sleep.memory import place
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.records import kinds
from sleep.store.tree import WorkTree
from sleep.tasks.form import LINE, PATIENCE, clip, facts, here, now, number, progress, prose, say, table, task

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sleep.journal.imports.source import Report
    from sleep.journal.writer import NewEntry
    from sleep.store.layout import Root

_HANDOFF, _SUCCESSOR = "handoff", "for my successor"
_ASKED = (*kinds.BINDING, "dead end", _HANDOFF)  # kinds that tell a later reader little without their fields
_FIELDS = "; ".join(kinds.further_fields(("why", "alternatives", "confidence", "revisit when", "commit", "next")))
SAID_BY_HELP = "whose word it is: person or agent"
_ROWS = 20  # of a table or a list that are printed
DECISION_HELP = {
    "alternative": "an option that was rejected; may be given again",
    "confidence": "high, medium or low (decision)",
    "revisit_when": 'when to reconsider: "after 2027-01-01", "after 10 instances", or in words',
    "thread": "the thread it belongs to, e.g. T-001",
    "topic": "the topic it goes to when it cools",
    "commit": "the commit it is about",
}


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
    "journal.add",
    help={
        "kind": f"one of: {', '.join(kinds.ENTRIES)}",
        "text": "what it says, in your own words (of a handoff: to the successor); - reads standard input",
        "title": "a heading of its own; default: the first line of the text",
        "why": f"the reason ({', '.join(kind.name for kind in kinds.RECORDS if 'why' in kind.fields)})",
        **DECISION_HELP,
        "next": "what comes next (thread, handoff)",
        "field": f"name=value; may be given again; names: {_FIELDS}",
        "instance": "the instance's number; default: the one that is open",
        "standing": f"{' (default) or '.join(kinds.STANDINGS)}, which waits in `review`",
        "quotation": "noticed: the sentence it was found in",
        "said_by": f"{SAID_BY_HELP}; noticed: person (default), agent, or a document's path",
        "transcript": "noticed: where that stands, SESSION:LINE",
    },
)
def add(
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
    standing: str = "",
    quotation: str = "",
    said_by: str = "",
    transcript: str = "",
    json: bool = False,
    root: str = "",
) -> None:
    """Write an entry into the open journal: a decision with its reason, a rule, a question, a task, what was learnt.

    Example: sleepwake journal.add --kind decision --text "Use flock for the lock" --why "no server is needed"
    --alternative "a lock file with a pid" --confidence high --revisit-when "after 20 instances"
    """
    fields = {"why": why, "confidence": confidence, "revisit when": revisit_when, "thread": thread, "topic": topic}
    more = _fields(field or [])
    following = "next priority" if kinds.spelt(kind) == _HANDOFF and "next priority" not in more else "next"
    fields |= {"commit": commit, following: next, "alternatives": "; ".join(alternative or []), **more}
    fields |= _origin(kinds.spelt(kind), standing, quotation, said_by, transcript)
    write(kind, text, fields, title=title, instance=instance, root=root, json=json)


def write(
    kind: str,
    text: str,
    fields: Mapping[str, str],
    *,
    title: str = "",
    instance: str = "",
    root: str = "",
    json: bool = False,
) -> None:
    """Write an entry of a kind into the open journal, `-` being standard input, and say where it is."""
    words, kind = prose(text).strip("\n"), kinds.spelt(kind)
    head, _, rest = (title, "", words) if title else words.partition("\n")
    draft = Draft(kind, head, rest.strip("\n"), tuple(filter(operator.itemgetter(1), fields.items())))
    where = here(root)
    if thread := fields.get("thread"):
        thread_entries.refuse_unknown(View(WorkTree(where.root)), thread)
    made = writer.add(where, now(), draft, instance=number(instance, "instance"))
    if json:
        known = {"address": str(made.address), "number": made.number, "path": made.path, "redacted": made.redacted}
        further = {"repeats": made.repeats, "closes": made.closes, "near": made.near}
        return facts(known | {name: handle for name, handle in further.items() if handle})
    lines = _outcome(made)
    if made.near:
        lines.append(f"{made.near} is near to it; if this takes its place: {_replacing(draft.kind, made)}")
    if draft.standing == kinds.NOTICED:
        lines.append("it was only noticed and binds nobody yet (sleepwake review confirms or rejects it)")
    elif kind in _ASKED and (missing := _missing(kind, fields)):
        lines.append(f"not given: {', '.join(missing)}")
    return say("\n".join(lines))


def _missing(kind: str, fields: Mapping[str, str]) -> list[str]:
    """Return the fields of a kind that were not given; the text of a handoff is for the successor."""
    return [name for name in kinds.ENTRIES[kind].fields if not (fields.get(name) or name == _SUCCESSOR)]


def _origin(kind: str, standing: str, quotation: str, said_by: str, transcript: str) -> dict[str, str]:
    """Return the fields that say whose word an entry is, and of a record that is only noticed where it stood."""
    if standing not in ("", *kinds.STANDINGS):
        raise UsageError(f"--standing is {' or '.join(kinds.STANDINGS)}, not {standing!r}")
    if standing != kinds.NOTICED:
        if quotation or transcript:
            raise UsageError("--quotation and --transcript need --standing noticed")
        return speaker(said_by)
    if not kinds.is_record(kind):
        raise UsageError(f"only a record can be noticed ({', '.join(known.name for known in kinds.RECORDS)})")
    source = said_by if said_by in ("", *SPEAKERS) else f"{IMPORTED}{said_by}"
    return {STANDING: kinds.NOTICED, "quotation": quotation, SOURCE: source or "person", "transcript": transcript}


def speaker(said_by: str) -> dict[str, str]:
    """Return the field that says whose word an entry is, empty for the instance's own."""
    if said_by not in ("", *SPEAKERS):
        raise UsageError(f"--said-by is {' or '.join(SPEAKERS)}, not {said_by!r} (a name belongs into --text or --why)")
    return {SOURCE: said_by}


def _fields(pairs: Sequence[str]) -> dict[str, str]:
    """Return the fields that `--field name=value` gives, by the names that a journal has."""
    fields = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign:
            raise UsageError(f"--field takes name=value, not {pair!r}")
        if place.clean(name) != name:
            raise SecretError(
                "the name of a --field holds a secret or a home directory (would be right: --field name=value)",
                hint="sleepwake journal.add --help",
            )
        fields[name.strip().replace("_", " ").replace("-", " ")] = value.strip()
    if {SOURCE, "transcript", STANDING, "quotation", "confirms", "corrects"} & fields.keys():
        raise UsageError("--field cannot say where a record comes from (--said-by and --standing noticed take that)")
    return fields


@task(
    "journal.show",
    plain=("instance",),
    help={
        "instance": "the instance's number, or an entry's address for its words whole; default: the open one, else the"
        " last",
        "kind": "only entries of this kind",
    },
)
def show(instance: str = "", kind: str = "", json: bool = False, root: str = "") -> None:
    """Show a journal's entries with their addresses.

    Example: sleepwake journal.show --instance 7 --kind decision
    """
    where, wanted = here(root), kinds.spelt(kind)
    if kind and wanted not in kinds.ENTRIES and not kinds.event_record(wanted):
        raise UsageError(f"no kind is called {kind!r} (would be right: {', '.join(kinds.ENTRIES)})")
    view = View(WorkTree(where.root))
    at = addressing.parse(instance.strip("[] "))
    path = view.path_of(at.instance) if at else _path(where.root, view, number(instance, "instance"))
    current = view.journal(path) if path else None
    entries = (
        []
        if current is None
        else [entry for entry in current.entries if (not kind or entry.kind == wanted) and at in (None, entry.address)]
    )
    if current is None or (at and not entries):
        raise UsageError(f"no entry has the address {at}", hint=f"sleepwake recall {at}")
    if json:
        from sleep.journal.imports import provenance  # late: what reads Markdown costs 40 ms  # noqa: PLC0415

        return facts(
            {
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
        )
    if at:
        return say(current.text[entries[0].start : entries[0].end].strip())
    state = "closed" if current.sealed else "open"
    counts = several(len(current.entries), "entry")
    if current.unmarked:
        counts += f", {several(current.unmarked, 'piece')} without an address, which a sleep gives"
    say(f"{path}: instance {current.instance}, {state}, {counts}")
    rows = [[str(entry.address), entry.kind, entry.number, clip(register.whole(entry), LINE)] for entry in entries]
    return say(table(["address", "kind", "number", "says"], rows)) if rows else None


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
        counts = ", ".join(_several(log.kinds[kind], kind) for kind in kinds.names() if kind in log.kinds)
        rows.append([log.path, log.origin or log.source, log.date, counts])
    if rows:
        yield table(["journal", "from", "day", "entries"], rows[:_ROWS])
    yield from (f"and {line}" for line in _more(rows, f", {len(rows)} in all"))
    for log in [log for log in done.journals if log.adds_to][:_ROWS]:
        yield f"{log.origin} has changed: {log.path} adds what is new to {log.adds_to}"


def _several(number: int, kind: str) -> str:
    return kinds.KINDS[kind].several(number) if kind in kinds.KINDS else several(number, kind)


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
        yield _secrets([kind for _, _, kind in secrets], verb)
    yield from (f"  {file}:{line} {kind}" for file, line, kind in secrets[:_ROWS])
    if len(secrets) > _ROWS:
        yield f"  and {len(secrets) - _ROWS} more"


def _replacing(kind: str, made: NewEntry) -> str:
    """Return the command that closes the record near to a new one."""
    if kind == "decision":
        return f'sleepwake decision.supersede {made.near} --by {made.number} --reason "..."'
    return f'sleepwake constraint.lift {made.near} --reason "..."'


def _more(rows: Sequence[object], total: str = "") -> list[str]:
    """Return a line that says how many rows are not printed, if there are any."""
    return [f"{len(rows) - _ROWS} more{total} (--json lists them)"] if len(rows) > _ROWS else []


def _outcome(made: NewEntry) -> list[str]:
    """Return what a person is told of a new entry, a line each."""
    lines = [f"{made.number + ' ' if made.number else ''}[{made.address}] in {made.path}"]
    if made.opened:
        lines.append("no journal was open, so one was opened; sleepwake wake prints what to read")
    if made.asks_tone:
        lines.append(tone_check.QUESTION)
    if made.repeats:
        lines.append(f"{made.repeats} says the same: the next sleep makes them one")
    if made.closes:
        lines.append(f"{made.closes} holds no more: this takes its place")
    if made.redacted:
        lines.append(_secrets(made.secrets))
    return lines


def _secrets(secrets: Sequence[str], verb: str = "") -> str:
    """Return how many secrets of which kinds were taken out, or by another verb."""
    count = len(secrets)
    words = f"1 secret {verb or 'was'} taken out" if count == 1 else f"{count} secrets {verb or 'were'} taken out"
    return f"{words}: {', '.join(f'{times} {kind}' for kind, times in sorted(Counter(secrets).items()))}"


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


TASKS = (open_, add, show, close, import_, sources)
