"""`memory.log` and `memory.blame`: the history of a topic, and of the lines of a document."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from sleep.errors import UsageError
from sleep.history import blame as blames
from sleep.history import topic_log
from sleep.language import dates
from sleep.plurals import several
from sleep.tasks.arguments import here, now, number
from sleep.tasks.output import PATIENCE, clip, facts, progress, say, table
from sleep.tasks.task import task

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.history.blame import Row
    from sleep.history.topic_log import Event, TopicLog

_MOST = 20  # happenings that are shown
_WIDE = 100  # characters of a table where no terminal says how wide it is
_LEAST = 30  # characters of a line's words, at least
_YEAR = 365
_KEYS = {"day": "said"}  # what a field is called in JSON


@task(
    "memory.log",
    plain=("topic",),
    help={
        "topic": "the topic, also one that is gone or has another name now; its parts (auth-2) belong to it",
        "limit": f"how many of the last cycles and commits; 0 for all; default {_MOST}",
    },
)
def log(topic: str = "", limit: str = str(_MOST), json: bool = False, root: str = "") -> None:
    """Tell the history of a topic: what each cycle brought, moved, merged and dropped, and what people edited.

    Example: sleepwake memory.log auth
    """
    if not topic.strip():
        raise UsageError("memory.log needs TOPIC, the topic", hint="sleepwake topic.list")
    most = number(limit, "limit")
    with progress("reading history", PATIENCE) as notice:
        log = topic_log.read(here(root), topic, notice=notice)
    events = log.events[-most:] if most else log.events
    if json:
        listed = [{**event._asdict(), "sentence": event.sentence} for event in events]
        return facts({**log._asdict(), "events": listed, "earlier": len(log.events) - len(events)})
    return say("\n".join(_log(log, events)))


def _log(topic: TopicLog, events: Sequence[Event]) -> Iterator[str]:
    held = f"{several(topic.fragments, 'fragment')} in {', '.join(topic.files)}"
    gone = f"now {topic.became}" if topic.became else "gone"
    yield f"{topic.topic}: {held if topic.files else f'{gone}; this is what became of it'}\n"
    if earlier := len(topic.events) - len(events):
        yield f"({earlier} earlier: --limit 0)"
    day, name = "", topic.topic
    for event in events:
        if event.topic != name:
            name = event.topic
            yield f"as topic {name}:"
        spoken = dates.spoken(event.when)
        lead = f"{'' if spoken == day else spoken:<18}{event.who:<10} "
        day = spoken
        for index, clause in enumerate(event.clauses):
            end = f"  ({' '.join(sha[:7] for sha in event.commits)})" if index == len(event.clauses) - 1 else ";"
            yield f"{lead if not index else ' ' * len(lead)}{clause}{end}"


@task("memory.blame", help={"file": "a document of the memory: a tier's, a journal, main.md"})
def blame(file: str, json: bool = False, root: str = "") -> None:
    """Show for each line of a document who said it, how long ago and how surely; of other lines, who committed them.

    Example: sleepwake memory.blame memory/hot/decisions.md
    """
    path, rows = blames.read(here(root), file, now(), os.getcwd())
    if json:
        return facts(
            {
                "path": path,
                "lines": [{_KEYS.get(key, key): value for key, value in row._asdict().items()} for row in rows],
            }
        )
    return say("\n".join([path, "", *_blame(rows)]))


def _blame(rows: Sequence[Row]) -> list[str]:
    cells = [
        [str(row.line), _who(row), "" if row.instance is None else str(row.instance), _ago(row.age), row.confidence]
        for row in rows
    ]
    heads = ["line", "address", "of", "age", "confidence"]
    if not any(row[4] for row in cells):
        heads, cells = heads[:4], [row[:4] for row in cells]
    width = sum(max(len(row[column]) for row in [heads, *cells]) + 2 for column in range(len(heads)))
    wide = shutil.get_terminal_size((_WIDE, 0)).columns if sys.stdout.isatty() else _WIDE
    room = max(_LEAST, wide - width)
    texts = [clip(row.text, room) for row in rows]
    return [table([*heads, "says"], [[*row, text] for row, text in zip(cells, texts, strict=True)])]


def _who(row: Row) -> str:
    if row.addresses:
        more = len(row.addresses) - 1
        return f"{row.addresses[0]}{f' +{more}' if more else ''}"
    if not row.commit:
        return "not committed"
    return f"{row.commit[:7]} {row.author.partition(' <')[0].partition(' ')[0]}"


def _ago(days: int | None) -> str:
    if days is None:
        return ""
    return "today" if not days else f"{days} d" if days < _YEAR else f"{days / _YEAR:.1f} y"


TASKS = (log, blame)
