"""Blame: for each line of a document who said it: an entry of an instance, or a commit and its author.

Owns joining the marks of a tier or a journal with `git blame`. Refuses to guess: a line that belongs to no entry is
told by its commit alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.debt import timestamps
from sleep.documents import paths
from sleep.errors import DocumentError, UsageError
from sleep.history import filtered_blame
from sleep.history import line as lines
from sleep.language import dates
from sleep.memory.view import View
from sleep.store.history import Blamed
from sleep.store.tree import WorkTree

if TYPE_CHECKING:
    from sleep.history.line import Part
    from sleep.memory.place import Place


class Row(NamedTuple):
    """A line and who said it.

    `addresses` are those of the fragment or entry that the line belongs to (none: nobody's), `instance` is the first
    one's, `number` a record's, `day` the day (ISO 8601, "" where it is not known), `age` that in days, `confidence`
    what the entry says of itself. `commit`, `author` and `when` are git's of the line as it is, "" where it is not
    committed.
    """

    line: int
    text: str
    addresses: tuple[str, ...]
    instance: int | None
    number: str
    day: str
    age: int | None
    confidence: str
    commit: str
    author: str
    when: str


def read(where: Place, file: str, now: str, folder: str = "") -> tuple[str, tuple[Row, ...]]:
    """Return the path of a document, relative to the root, and who said each of its lines.

    Args:
        where: the memory.
        file: its path, relative to the root or to `folder`.
        now: ISO 8601, UTC: ages are counted up to it.
        folder: the folder that the command runs in.

    Raises:
        UsageError: it is no document of this memory.
        DocumentError: a journal whose front matter cannot be read.
    """
    view = View(WorkTree(where.root))
    path = lines.known(where.root, file, folder or where.root.path)
    text = view.read(path) if path else None
    if text is None:
        right = f"would be right: {paths.MAIN}, {paths.DECISIONS}, journal/instance-7.md"
        raise UsageError(f"{file} is no document of this memory ({right})")
    if paths.journal_number(path) is not None:
        view.journal(path)  # raises where it cannot be read
    texts = text.removesuffix("\n").split("\n")
    blamed = filtered_blame.blame(where.root, path)
    blamed = (*blamed, *[Blamed()] * (len(texts) - len(blamed)))
    waiting = sorted(lines.parts(view, path), reverse=True)
    sources: dict[Part, tuple[str, str]] = {}
    rows: list[Row] = []
    start = 0
    for number, (words, by) in enumerate(zip(texts, blamed, strict=False), 1):
        while waiting and waiting[-1].end <= start:
            waiting.pop()
        part = waiting[-1] if waiting and waiting[-1].start <= start and words.strip() else None
        row = Row(number, words.rstrip("\r"), (), None, "", "", _age(by.when, now), "", by.sha, by.author, by.when)
        if part:
            if part not in sources:
                sources[part] = _source(view, part)
            day, confidence = sources[part]
            row = row._replace(
                addresses=tuple(map(str, part.addresses)),
                instance=part.addresses[0].number,
                number=part.number,
                day=day,
                age=_age(day, now),
                confidence=confidence,
            )
        rows.append(row)
        start += len(words) + 1
    return path, tuple(rows)


def _source(view: View, part: Part) -> tuple[str, str]:
    """Return the day that an entry was said on, in ISO form, and its confidence, "" for what its journal does not tell.

    Cold memory may have left the confidence out that the entry itself tells.
    """
    path = view.path_of(part.addresses[0].instance)
    try:
        entry = view.entry(part.addresses[0])
        fields = view.journal(path).fields if path else {}
    except DocumentError:
        return "", part.confidence
    day = ((entry.field("time") if entry else "") or dates.of_fields(fields))[:10]
    confidence = part.confidence or (entry.field(lines.CONFIDENCE) if entry else "")
    return "" if timestamps.seconds(day) is None else day, confidence


def _age(moment: str, now: str) -> int | None:
    """Return the whole days from a day or a time to now, None where it is neither."""
    began, ended = timestamps.seconds(moment), timestamps.seconds(now)
    return None if began is None or ended is None else max(0, int((ended - began) // timestamps.DAY))
