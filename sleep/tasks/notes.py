"""Writing entries: `journal.add`, and `note` and `decide` for the two kinds that are written most.

Owns what their options say of an entry, and what whoever wrote it is told. `note` and `decide` take the text as the one
plain word.
"""

from __future__ import annotations

import operator
import os
from collections import Counter
from typing import TYPE_CHECKING

from sleep.code import commit_name
from sleep.documents.entries import IMPORTED, SOURCE, SPEAKERS, STANDING
from sleep.documents.journal import Draft
from sleep.errors import SecretError, UsageError
from sleep.journal import thread_entries, tone_check, writer
from sleep.language import dates
from sleep.memory import place
from sleep.memory.view import View
from sleep.records import kinds, revisit
from sleep.store.tree import WorkTree
from sleep.tasks.arguments import here, now, number, prose
from sleep.tasks.output import facts, say
from sleep.tasks.task import task

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.journal.writer import NewEntry

_HANDOFF, _SUCCESSOR = "handoff", "for my successor"
_ASKED = (*kinds.BINDING, "dead end", _HANDOFF)  # kinds that tell a later reader little without their fields
_FIELDS = "; ".join(kinds.further_fields(("why", "alternatives", "confidence", "revisit when", "commit", "next")))
SAID_BY_HELP = "whose word it is: person or agent"
DECISION_HELP = {
    "alternative": "an option that was rejected; may be given again",
    "confidence": "high, medium or low (decision)",
    "revisit_when": 'when to reconsider: "after 1 January 2027", "after 10 instances", or in words',
    "thread": "the thread it belongs to, e.g. T-001",
    "topic": "the topic it goes to when it cools",
    "commit": "the commit it is about; HEAD and other names are stored as the id they name now",
}
_TEXT = "what it says, in your own words and in quotes; - reads standard input"


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


@task(
    "note",
    quoted="text",
    help={
        "text": _TEXT,
        "thread": "the thread it belongs to, e.g. T-001",
        "topic": "the topic it goes to when it cools",
        "said_by": SAID_BY_HELP,
    },
)
def note(text: str, thread: str = "", topic: str = "", said_by: str = "", json: bool = False, root: str = "") -> None:
    """Write a note into the open journal: what the next instance should know and no record says.

    Notes cool into topics and are shortened. What has to hold is a record: `decide` for a decision, `journal.add --kind
    constraint` for a rule, `--kind question` or `--kind task` for what is open.

    Example: sleepwake note "The importer reads dates as UTC, whatever the file says"
    """
    write("note", text, {"thread": thread, "topic": topic, **speaker(said_by)}, root=root, json=json)


@task(
    "decide",
    quoted="text",
    help={
        "text": _TEXT,
        "why": "the reason; without it nobody can tell later whether the decision still holds",
        **DECISION_HELP,
        "said_by": SAID_BY_HELP,
    },
)
def decide(
    text: str,
    why: str = "",
    alternative: list[str] | None = None,
    confidence: str = "",
    revisit_when: str = "",
    thread: str = "",
    topic: str = "",
    said_by: str = "",
    commit: str = "",
    json: bool = False,
    root: str = "",
) -> None:
    """Write a decision into the open journal, with its reason; it is told to later sessions until it is superseded.

    It says which fields are missing. `decision.list` shows the decisions, `decision.supersede` replaces one.

    Example: sleepwake decide "Use flock for the lock" --why "no server is needed" --alternative "a file with a pid"
    """
    fields = {"why": why, "confidence": confidence, "revisit when": revisit_when, "thread": thread, "topic": topic}
    fields |= {"commit": commit, "alternatives": "; ".join(alternative or []), **speaker(said_by)}
    write("decision", text, fields, root=root, json=json)


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
    fields = {**fields, revisit.CONDITION: dates.in_iso(fields.get(revisit.CONDITION, ""))}
    fields |= {kinds.COMMIT: commit_name.resolve(fields.get(kinds.COMMIT, ""), os.getcwd())}
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
    lines = outcome(made)
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


def outcome(made: NewEntry, head: str = "") -> list[str]:
    """Return what a person is told of a new entry, a line each; `head` is the first, by default where it stands."""
    lines = [head or f"{made.number + ' ' if made.number else ''}[{made.address}] in {made.path}"]
    if made.opened:
        lines.append("no journal was open, so one was opened; sleepwake wake prints what to read")
    if made.asks_tone:
        lines.append(tone_check.QUESTION)
    if made.repeats:
        lines.append(f"{made.repeats} says the same: the next sleep makes them one")
    if made.closes:
        lines.append(f"{made.closes} holds no more: this takes its place")
    if made.redacted:
        lines.append(secrets_line(made.secrets))
    return lines


def _replacing(kind: str, made: NewEntry) -> str:
    """Return the command that closes the record near to a new one."""
    if kind == "decision":
        return f'sleepwake decision.supersede {made.near} --by {made.number} --why "..."'
    return f'sleepwake constraint.lift {made.near} --why "..."'


def secrets_line(secrets: Sequence[str], verb: str = "") -> str:
    """Return how many secrets of which kinds were taken out, or by another verb."""
    count = len(secrets)
    words = f"1 secret {verb or 'was'} taken out" if count == 1 else f"{count} secrets {verb or 'were'} taken out"
    return f"{words}: {', '.join(f'{times} {kind}' for kind, times in sorted(Counter(secrets).items()))}"


TASKS = (add, note, decide)
