"""What was taken in before: the record that each imported journal carries in its front matter.

Owns knowing a text again, on any machine that has the journals, and what is new in one that has changed. The record is
tracked with the text it tells of: a journal that is taken away can be taken in again.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sleep.documents import front_matter
from sleep.documents import journal as journals
from sleep.documents.hand import annotation
from sleep.documents.markdown import blocks
from sleep.journal.imports.source import print_of
from sleep.records.fragment import flat

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.documents.entries import Entry
    from sleep.documents.journal import Journal
    from sleep.journal.imports.source import Source
    from sleep.memory.view import View
    from sleep.records.address import InstanceId

FIELD = "imported"
_DECISION = re.compile(r"^## Decision: .* \[i\d+[a-z]{3}\.\d+ (D-\d+)\]\r?$", re.MULTILINE)
_HEAD = 4_000  # characters of a journal in which its front matter says so
_INSERTED = 2  # the heading that opens a journal, and the line below


class ImportRecord(NamedTuple):
    """A text that was taken in: its form, path, part and hash, the journal that it became, and its repository.

    Before that was written down, it is "", as it is of the memory's own repository.
    """

    form: str
    path: str
    part: str
    print: str
    journal: str
    instance: InstanceId
    repository: str = ""


def import_records(view: View) -> list[ImportRecord]:
    """Return the record of every import, in the order of the journals."""
    return [record for path in view.journals if (record := _record(path, view.read(path) or ""))]


def _record(path: str, text: str) -> ImportRecord | None:
    if f"\n{FIELD}:" not in text[:_HEAD]:
        return None
    fields = front_matter.peek(text).fields
    origin, instance = fields.get(FIELD), journals.identity_in(fields)
    if not isinstance(origin, dict) or instance is None:
        return None
    form, where, part, digits = (str(origin.get(key) or "") for key in ("from", "path", "part", "hash"))
    return ImportRecord(form, where, part, digits, path, instance, str(origin.get("repository") or ""))


def is_of(source: Source, record: ImportRecord, stored: str) -> bool:
    """Return whether a record is of an earlier state of a source's file, whose path and part it has.

    `stored` is the text of its journal. Two repositories may have files of one path (`docs/log/2026-03-01.md`), and one
    may have another name since (a folder was moved), or none that was written down: then half of the earlier text has
    to stand in this one.
    """
    if record.repository == source.repository:
        return True
    before = {flat(unit) for unit, level in _units(original_text(stored, record.instance)) if not level}
    now = {flat(unit) for unit, level in _units(source.text) if not level}
    return 0 < len(before) <= 2 * len(before & now)


def split(
    known: Iterable[ImportRecord], sources: Sequence[Source]
) -> tuple[list[Source], list[tuple[Source, ImportRecord]]]:
    """Return the sources that are new, and those that were taken in before with the record of each.

    A text is known again by its hash and its path; or by its hash and the name of its file, for folders are moved. Each
    record stands for one source.
    """
    left = list(known)
    there: dict[int, ImportRecord] = {}
    prints = {at: print_of(source.text) for at, source in enumerate(sources) if source.path}
    for name_of in (str, posixpath.basename):
        records: dict[tuple[str, str, str], list[ImportRecord]] = {}
        for record in left:
            records.setdefault((name_of(record.path), record.part, record.print), []).append(record)
        for at, digits in prints.items():
            source = sources[at]
            same = records.get((name_of(source.path), source.part, digits))
            if same and at not in there:
                there[at] = same.pop(0)
        left = [record for rest in records.values() for record in rest]
    new = [source for at, source in enumerate(sources) if at not in there]
    return new, [(sources[at], record) for at, record in sorted(there.items())]


def decision_number(text: str) -> str:
    """Return the number of the decision that an imported record became, "" where it became none."""
    numbers = _DECISION.findall(text)
    return numbers[-1] if numbers else ""


def new_text(text: str, before: Iterable[str]) -> str:
    """Return what a text says that earlier ones do not: whole blocks and items, under the headings they stand under.

    Front matter counts as a block. What comes twice as often as before is new once.
    """
    seen = Counter(flat(unit) for other in before for unit, _ in _units(other))
    units: list[str] = []
    heads: list[tuple[int, str]] = []
    for unit, level in _units(text):
        if level:
            heads = [*(head for head in heads if head[0] < level), (level, unit)]
        same = flat(unit)
        if seen[same]:
            seen[same] -= 1
            continue
        units += [head for _, head in heads] + ([] if level else [unit])
        heads = []
    return "".join(f"{unit.rstrip()}\n\n" for unit in units)


def _units(text: str) -> list[tuple[str, int]]:
    """Return the blocks of a text, of a list its items, each with the level of a heading or 0."""
    head = front_matter.peek(text)
    inner = text[head.start : head.end].strip("\r\n")
    units = [(f"```yaml\n{inner}\n```", 0)] if inner else []  # as a journal keeps it
    for block in blocks.parse(text, head.body):
        whole = [(item.start, item.end) for item in blocks.items(text, block)] or [(block.start, block.end)]
        units += [(text[start:end].strip("\r\n"), block.level) for start, end in whole]
    return units


def original_text(text: str, instance: InstanceId) -> str:
    """Return what an imported journal had from its file: the body without marks and our heading."""
    bare = annotation.unmark(text, instance)
    return bare[front_matter.read(bare).body :].split("\n", _INSERTED)[-1]


def origin(current: Journal, entry: Entry) -> str:
    """Return the file and the line that an entry of an imported journal came from, "" where it came from none.

    An entry that says what a whole file is names its line itself. Of a file that had changed only the file is known.
    """
    record = current.fields.get(FIELD)
    if not isinstance(record, dict) or entry.field("source"):
        return entry.field("source")
    path, line = str(record.get("path") or ""), record.get("line") or 1
    if record.get("adds_to") or not isinstance(line, int):
        return path
    return f"{path}:{original_text(current.text[: entry.start], current.instance).count(chr(10)) + line}"
