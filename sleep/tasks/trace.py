"""`trace`: from a line of the memory back to who said it, and forward to what became of it."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from sleep.compression.contract import DROPPED, KEPT, MERGED
from sleep.history import entry_life, past_steps, transcript_span
from sleep.history import trace as traces
from sleep.history.trace import Plain, Several, Trace
from sleep.language import dates
from sleep.records import address as addressing
from sleep.records.fragment import flat
from sleep.tasks.form import JSON_HELP, PATIENCE, ROOT_HELP, facts, here, named, progress, prose, say, task

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
    positional=["what"],
    iterable=["transcripts"],
    help={
        "what": "an address (i7qxk.12), a record (D-014), a place (memory/warm/auth.md:12), or the words of a line "
        "(without its dash); - reads them from standard input",
        "transcripts": "a file or folder to look for the transcript in; may be repeated",
        "json": JSON_HELP,
        "root": ROOT_HELP,
    },
)
def trace(_c: Any, what: str, transcripts: list[str] | None = None, json: bool = False, root: str = "") -> None:
    """Trace a line of the memory: who said it, in which transcript, which commits wrote it, and what became of it.

    Example: sleepwake trace i7qxk.12
    """
    where = here(root)
    given = [os.path.abspath(os.path.expanduser(one)) for one in transcripts or ()]
    with progress("reading history", PATIENCE) as notice:
        found = traces.trace(where, prose(what), folder=os.getcwd(), transcripts=given, notice=notice)
    if json:
        return facts(_facts(found))
    match found:
        case Trace():
            return say("\n".join(_shown(found)))
        case Plain():
            return say("\n".join(_plain(found)))
        case Several():
            return say("\n".join(_several(found)))


def _facts(found: Trace | Plain | Several) -> object:
    """Return the facts; addresses as they are written."""
    if isinstance(found, Several):
        lines = [one._asdict() | {"addresses": list(map(str, one.addresses))} for one in found.lines]
        return {"text": found.text, "lines": lines}
    return named(found)


def _shown(found: Trace) -> Iterator[str]:
    head = (found.address, f"{found.kind} {found.number}".strip(), found.day, f"instance {found.instance}")
    yield " · ".join(filter(None, head))
    yield f"  {_quoted(found.says)}\n"
    yield from _part("written", _written(found))
    if found.span:
        yield from _part("from", _span(found.span))
    yield from _part("then", _then(found))
    now = [row for one in found.stands for row in _stands(one, found.says)]
    yield from _part("now", now or [found.verdict])
    rows = [f"{one.address}  {_clip(one.says)}  ({_place(one.path, one.line)})" for one in found.also]
    yield from _part("also from", rows)
    yield from _part("note", [*_observed(found.happened), *found.notes])


def _part(name: str, rows: Sequence[str]) -> Iterator[str]:
    for index, row in enumerate(rows):
        yield f"{'' if index else name:<{_MARGIN}}{row}"


def _written(found: Trace) -> list[str]:
    at, one = _place(found.path, found.line), found.written
    if one is None:
        return [f"{at or 'its journal is gone'} · not committed" if at else "its journal is not in this branch"]
    by = f"commit {one.commit[:7]} · {_moment(one.when)} · {_name(one.author)}"
    rows = [f"{at or f'{one.path}:{one.line}'} · {by}"]
    if at and found.path != one.path:
        rows.append(f"as {one.path}:{one.line} then")
    if not at:
        rows.append("its journal is there no more")
    if one.marked:
        rows.append(f"its address was given in commit {one.marked[:7]}")
    if one.step == past_steps.OLDER:
        rows.append("what was before that commit is not in this clone")
    return rows


def _span(one: transcript_span.Span) -> list[str]:
    who = f"{one.client} session {', '.join(one.sessions)}".strip()
    several = f"lines {one.line} to {one.until}" if one.until else f"line {one.line}"
    line = f", {several} of its transcript" if one.line else ", its transcript"
    rows = [f"{who}{line} ({_STATES[one.state]})"]
    if not one.line and not one.time:
        rows[0] += " · no line is stored: the agent wrote the entry itself"
    if one.transcript and one.state != transcript_span.EXPIRED:
        rows.append(_home(one.transcript))
    if one.ends:
        return [*rows, *(f"{end.line}  {end.role}: {_quoted(flat(end.says))}" for end in one.ends)]
    return [*rows, f"{one.role}: {_quoted(one.says)}"] if one.says else rows


def _then(found: Trace) -> list[str]:
    """Return a line for each thing that happened, in columns, and the words wherever they are no longer the same."""
    told = [one for one in found.happened if one.fate != entry_life.SEALED]
    cells = [[_short(one.target or one.source), one.commit[:7], _day(one.when)] for one in told]
    widths = [max((len(row[column]) for row in cells), default=0) for column in range(3)]
    by, words, rows = found.written.author if found.written else "", found.says, []
    for one, row in zip(told, cells, strict=True):
        start = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        who = f" · by {_name(one.author)}" if one.author not in (by, "") and "by " not in one.detail else ""
        rows.append(f"{start}  {_what(one)}{who}")
        by = one.author or by
        if one.after and one.after != words and one.fate not in (DROPPED, entry_life.REMOVED):
            rows.append(f"  {_quoted(one.after)}")
            words = one.after
    return rows


def _what(one: Happening) -> str:
    step = f"cycle {one.cycle}" if one.cycle else one.step
    if one.step == past_steps.UNDO:
        return f"undo · {one.fate} ({one.detail})"
    fate = "kept whole" if one.fate == KEPT else one.fate
    if one.fate == MERGED and addressing.parse(one.detail):
        return f"{step} · merged with {one.detail}"
    detail = _EMAIL.sub("", one.detail)
    return f"{step} · {fate}{f' ({detail})' if detail else ''}"


def _short(path: str) -> str:
    return path.removeprefix("memory/")


def _stands(one: entry_life.Stands, says: str) -> list[str]:
    row = f"{one.path}:{one.line}{f' · {one.state}' if one.state else ''}"
    return [row] if one.text == says else [row, f"  {_quoted(one.text)}"]


def _observed(happened: Sequence[Happening]) -> Iterator[str]:
    for why in dict.fromkeys(one.observed for one in happened if one.observed):
        commits = dict.fromkeys(one.commit[:7] for one in happened if one.observed == why)
        yield f"of {', '.join(commits)} only what the documents show is told: {why}"


def _plain(found: Plain) -> Iterator[str]:
    yield f"{found.path}:{found.line} · no address: no entry of a journal is behind this line"
    yield f"  {_quoted(found.says)}\n"
    if not found.commit:
        yield "written   not committed"
        return
    step = f"cycle {found.cycle}, {found.step}" if found.cycle else found.step
    yield f"written   commit {found.commit[:7]} · {_moment(found.when)} · {_name(found.author)} · {step}"


def _several(found: Several) -> Iterator[str]:
    yield f"{len(found.lines)} lines say that, of more than one entry:\n"
    for one in found.lines[:_MOST]:
        mark = f" [{' '.join(map(str, one.addresses))}]" if one.addresses else ""
        yield f"  {one.path}:{one.line}{mark}"
        yield f"    {_clip(one.text)}"
    if len(found.lines) > _MOST:
        yield f"  and {len(found.lines) - _MOST} more"
    first = found.lines[0]
    yield f"\nChoose one by its address or its place: sleepwake trace {first.path}:{first.line}"


def _place(path: str, line: int) -> str:
    return f"{path}:{line}" if path and line else path


def _name(author: str) -> str:
    return author.partition(" <")[0]


def _moment(when: str) -> str:
    return f"{dates.spoken(when)} {when[11:16]}"


def _day(when: str) -> str:
    return when[:10]


def _home(path: str) -> str:
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if path.startswith(home + os.sep) else path


def _quoted(words: str) -> str:
    return f'"{_clip(words)}"'


def _clip(words: str) -> str:
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN].rstrip()}…"
