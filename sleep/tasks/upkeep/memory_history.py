"""`memory.log` and `memory.blame`: the history of a topic, and of the lines of a document."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

from sleep.errors import UsageError
from sleep.history import blame as blames
from sleep.history import topic_log
from sleep.language import dates
from sleep.tasks.form import JSON_HELP, PATIENCE, ROOT_HELP, facts, here, named, now, number, progress, say, table, task

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.history.blame import Row
    from sleep.history.topic_log import Event, TopicLog

_MOST = 20  # happenings that are shown
_WIDE = 100  # characters of a table where no terminal says how wide it is
_LEAST = 30  # characters of a line's words, at least
_YEAR = 365


@task(
    help={
        "topic": "the topic, also one that is gone or has another name now; its parts (auth-2) belong to it",
        "limit": f"how many of the last cycles and commits; 0 for all; default {_MOST}",
        "json": JSON_HELP,
        "root": ROOT_HELP,
    }
)
def log(_c: Any, topic: str = "", limit: str = str(_MOST), json: bool = False, root: str = "") -> None:
    """Tell the history of a topic: what each cycle brought, moved, merged and dropped, and what people edited.

    Example: sleepwake memory.log --topic auth
    """
    if not topic.strip():
        raise UsageError("--topic is needed", hint="sleepwake memory.stats lists the topics")
    most = number(limit, "limit")
    with progress("reading history", PATIENCE) as notice:
        found = topic_log.read(here(root), topic, notice=notice)
    events = found.events[-most:] if most else found.events
    if json:
        told = [
            {**one._asdict(), "moved": [each._asdict() for each in one.moved], "sentence": one.sentence}
            for one in events
        ]
        return facts({**found._asdict(), "events": told, "earlier": len(found.events) - len(events)})
    return say("\n".join(_log(found, events)))


def _log(found: TopicLog, events: Sequence[Event]) -> Iterator[str]:
    held = f"{found.fragments} fragment{'' if found.fragments == 1 else 's'} in {', '.join(found.files)}"
    yield f"{found.topic}: {held if found.files else 'gone; this is what became of it'}\n"
    if earlier := len(found.events) - len(events):
        yield f"({earlier} earlier: --limit 0)"
    day, name = "", found.topic
    for one in events:
        if one.topic != name:
            name = one.topic
            yield f"as topic {name}:"
        said = dates.spoken(one.when)
        lead = f"{'' if said == day else said:<18}{one.who:<10} "
        day = said
        for index, clause in enumerate(one.clauses):
            end = f"  ({' '.join(sha[:7] for sha in one.commits)})" if index == len(one.clauses) - 1 else ";"
            yield f"{lead if not index else ' ' * len(lead)}{clause}{end}"


@task(
    positional=["file"],
    help={"file": "a document of the memory: a tier's, a journal, main.md", "json": JSON_HELP, "root": ROOT_HELP},
)
def blame(_c: Any, file: str, json: bool = False, root: str = "") -> None:
    """Show for each line of a document who said it, how long ago and how surely; of other lines, who committed them.

    Example: sleepwake memory.blame memory/hot/decisions.md
    """
    path, rows = blames.read(here(root), file, now(), os.getcwd())
    if json:
        return facts({"path": path, "lines": named(rows)})
    return say("\n".join([path, "", *_blame(rows)]))


def _blame(rows: Sequence[Row]) -> list[str]:
    cells = [
        [str(one.line), _who(one), "" if one.instance is None else str(one.instance), _ago(one.age), one.confidence]
        for one in rows
    ]
    heads = ["line", "address", "of", "age", "confidence"]
    if not any(row[4] for row in cells):
        heads, cells = heads[:4], [row[:4] for row in cells]
    taken = sum(max(len(row[column]) for row in [heads, *cells]) + 2 for column in range(len(heads)))
    wide = shutil.get_terminal_size((_WIDE, 0)).columns if sys.stdout.isatty() else _WIDE
    room = max(_LEAST, wide - taken)
    shown = [[*row, _cut(one.text, room)] for row, one in zip(cells, rows, strict=True)]
    return [table([*heads, "says"], shown)]


def _who(one: Row) -> str:
    if one.addresses:
        more = len(one.addresses) - 1
        return f"{one.addresses[0]}{f' +{more}' if more else ''}"
    if not one.commit:
        return "not committed"
    return f"{one.commit[:7]} {one.author.partition(' <')[0].partition(' ')[0]}"


def _ago(days: int | None) -> str:
    if days is None:
        return ""
    return "today" if not days else f"{days} d" if days < _YEAR else f"{days / _YEAR:.1f} y"


def _cut(words: str, room: int) -> str:
    return words if len(words) <= room else f"{words[: room - 1].rstrip()}…"
