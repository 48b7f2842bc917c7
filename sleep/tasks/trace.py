"""`trace`: from a line of the memory back to who said it, and forward to what became of it."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from sleep.compression.contract import DROPPED, MERGED, WHOLE
from sleep.debt.ledger import BY_HAND
from sleep.history import entry_life, past_steps, transcript_span
from sleep.history import trace as traces
from sleep.history.step_fates import Past
from sleep.history.trace import Plain, Several, Trace
from sleep.language import dates
from sleep.recall import passages
from sleep.records import address as addressing
from sleep.records.fragment import flat
from sleep.tasks.arguments import here, prose
from sleep.tasks.output import PATIENCE, clip, facts, progress, say
from sleep.tasks.task import task

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.history.entry_life import Happening

_SHOWN = 160  # characters of words that are shown
_MOST = 20  # lines to choose from
_MARGIN = 10
_EMAIL = re.compile(r" <[^<>]*>")
_STATES = {
    transcript_span.THERE: "still there",
    transcript_span.CHANGED: "the file is there, but says something else at that place",
    transcript_span.EXPIRED: "expired: the client has deleted it",
    transcript_span.UNKNOWN: "not known on this machine; --transcripts FOLDER looks for it",
}


@task(
    "trace",
    joined="what",
    help={
        "what": "an address (i7qxk.12), a record (D-014), a place (memory/warm/auth.md:12), or the words of a line "
        "(without its dash); - reads them from standard input",
        "transcripts": "a file or folder to look for the transcript in; may be repeated",
    },
)
def trace(what: str, transcripts: list[str] | None = None, json: bool = False, root: str = "") -> None:
    """Trace a line of the memory: who said it, in which transcript, which commits wrote it, and what became of it.

    Example: sleepwake trace i7qxk.12
    """
    where = here(root)
    paths = [os.path.abspath(os.path.expanduser(path)) for path in transcripts or ()]
    with progress("reading history", PATIENCE) as notice:
        result = traces.trace(Past(where.root), prose(what), folder=os.getcwd(), transcripts=paths, notice=notice)
    if json:
        return facts(_facts(result))
    match result:
        case Trace():
            return say("\n".join(_shown(result)))
        case Plain():
            return say("\n".join(_plain(result)))
        case Several():
            return say("\n".join(_several(result)))


def _facts(result: Trace | Plain | Several) -> object:
    """Return the facts; addresses as they are written."""
    if isinstance(result, Several):
        lines = [line._asdict() | {"addresses": list(map(str, line.addresses))} for line in result.lines]
        return {"text": result.text, "lines": lines}
    return result


def _shown(result: Trace) -> Iterator[str]:
    head = (result.address, f"{result.kind} {result.number}".strip(), result.day, f"instance {result.instance}")
    by = "" if result.origin else passages.attribution(result.source)  # an import names its file below
    yield " · ".join(filter(None, (*head, by)))
    yield f"  {_quoted(result.says)}\n"
    yield from _part("written", _written(result))
    if result.span:
        yield from _part("from", _span(result.span))
    if result.origin:
        yield from _part("from", [f"{result.origin}, which was imported"])
    yield from _part("then", _then(result))
    now = []
    for standing in result.stands:
        now.append(f"{standing.path}:{standing.line}{f' · {standing.state}' if standing.state else ''}")
        now += [] if standing.text == result.says else [f"  {_quoted(standing.text)}"]
    yield from _part("now", now or [result.verdict])
    rows = [f"{line.address}  {clip(line.says, _SHOWN)}  ({_place(line.path, line.line)})" for line in result.also]
    yield from _part("also from", rows)
    yield from _part("note", [*entry_life.observations(result.happened), *result.notes])


def _part(name: str, rows: Sequence[str]) -> Iterator[str]:
    for index, row in enumerate(rows):
        yield f"{'' if index else name:<{_MARGIN}}{row}"


def _written(result: Trace) -> list[str]:
    at, writing = _place(result.path, result.line), result.written
    if writing is None:
        return [f"{at or 'its journal is gone'} · not committed" if at else "its journal is not in this branch"]
    by = f"commit {writing.commit[:7]} · {_moment(writing.when)} · {_name(writing.author)}"
    rows = [f"{at or f'{writing.path}:{writing.line}'} · {by}"]
    if at and result.path != writing.path:
        rows.append(f"as {writing.path}:{writing.line} then")
    if not at:
        rows.append("its journal is there no more")
    if writing.marked:
        rows.append(f"its address was given in commit {writing.marked[:7]}")
    if writing.changed:
        rows.append(f"said then: {_quoted(writing.then)}")
        if writing.changed == past_steps.UNCOMMITTED:
            rows.append("its words now are an edit that is not committed")
        else:
            who = f"{_moment(writing.changed_when)} · {_name(writing.changed_by)}"
            rows.append(f"its words now are of commit {writing.changed[:7]} · {who}")
    if writing.step == past_steps.OLDER:
        rows.append("what was before that commit is not in this clone")
    return rows


def _span(span: transcript_span.Span) -> list[str]:
    if span.sessions[0].startswith(BY_HAND):
        return [f"`sleep.add`, by hand at {_moment(span.time)}"]
    who = f"{span.client} session {', '.join(span.sessions)}".strip()
    several = f"lines {span.line} to {span.until}" if span.until else f"line {span.line}"
    line = f", {several} of its transcript" if span.line else ", its transcript"
    rows = [f"{who}{line} ({_STATES[span.state]})"]
    if not span.line and not span.time:
        rows[0] += " · no line is stored: the agent wrote the entry itself"
    if span.transcript and span.state != transcript_span.EXPIRED:
        home = os.path.join(os.path.expanduser("~"), "")
        rows.append(f"~/{span.transcript.removeprefix(home)}" if span.transcript.startswith(home) else span.transcript)
    if span.ends:
        return [*rows, *(f"{end.line}  {end.role}: {_quoted(flat(end.says))}" for end in span.ends)]
    return [*rows, f"{span.role}: {_quoted(span.says)}"] if span.says else rows


def _then(result: Trace) -> list[str]:
    """Return a line for each thing that happened, in columns, and the words wherever they are no longer the same."""
    happenings = [happening for happening in result.happened if happening.fate != entry_life.SEALED]
    places = [(happening.target or happening.source).removeprefix("memory/") for happening in happenings]
    width = max(map(len, places), default=0)
    by, words, rows = result.written.author if result.written else "", result.says, []
    for place, happening in zip(places, happenings, strict=True):
        row = f"{place:<{width}}  {happening.commit[:7]:<7}  {happening.when[:10]:<10}  {_what(happening)}"
        is_new = happening.author not in (by, "") and "by " not in happening.detail
        rows.append(f"{row} · by {_name(happening.author)}" if is_new else row)
        by = happening.author or by
        if happening.after not in ("", words) and happening.fate not in (DROPPED, entry_life.REMOVED):
            rows.append(f"  {_quoted(happening.after)}")
            words = happening.after
    return rows


def _what(happening: Happening) -> str:
    step = f"cycle {happening.cycle}" if happening.cycle else happening.step
    if happening.step == past_steps.UNDO:
        return f"undo · {happening.fate} ({happening.detail})"
    fate = "kept whole" if happening.fate == WHOLE else happening.fate
    if happening.fate == MERGED and addressing.parse(happening.detail):
        return f"{step} · merged with {happening.detail}"
    detail = _EMAIL.sub("", happening.detail)
    return f"{step} · {fate}{f' ({detail})' if detail else ''}"


def _plain(result: Plain) -> Iterator[str]:
    yield f"{result.path}:{result.line} · no address: no entry of a journal is behind this line"
    yield f"  {_quoted(result.says)}\n"
    if not result.commit:
        yield "written   not committed"
        return
    step = f"cycle {result.cycle}, {result.step}" if result.cycle else result.step
    yield f"written   commit {result.commit[:7]} · {_moment(result.when)} · {_name(result.author)} · {step}"


def _several(result: Several) -> Iterator[str]:
    yield f"{len(result.lines)} lines say that, of more than one entry:\n"
    for line in result.lines[:_MOST]:
        mark = f" [{' '.join(map(str, line.addresses))}]" if line.addresses else ""
        yield f"  {line.path}:{line.line}{mark}"
        yield f"    {clip(line.text, _SHOWN)}"
    if len(result.lines) > _MOST:
        yield f"  and {len(result.lines) - _MOST} more"
    first = result.lines[0]
    yield f"\nChoose one by its address or its place: sleepwake trace {first.path}:{first.line}"


def _place(path: str, line: int) -> str:
    return f"{path}:{line}" if path and line else path


def _name(author: str) -> str:
    return author.partition(" <")[0]


def _moment(when: str) -> str:
    return f"{dates.spoken(when)} {when[11:16]}"


def _quoted(words: str) -> str:
    return f'"{clip(words, _SHOWN)}"'


TASKS = (trace,)
