"""The sections that are read from JSON: recent changelog and latest release.

Owns finding the records in whatever wraps them, and which is the newest: of changes by day, of releases by version, not
by where they stand. A file that is no JSON costs one line.
"""

from __future__ import annotations

import os
import re

from sleep.plurals import several
from sleep.wake.snapshot import page_files, prose
from sleep.wake.snapshot.pages import display_path
from sleep.wake.snapshot.parts import Item, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from sleep.store.context import Context

RECENT = 3
SHORT = 120
_WRAPPERS = ("entries", "releases", "changelog", "changes", "versions", "items", "records", "data")
_PLANNED = frozenset(
    {"planned", "planning", "unreleased", "upcoming", "draft", "next", "todo", "in_progress", "pending"}
)
_VERSION = re.compile(r"[vV]?(\d+(?:\.\d+)*)(?:-?([0-9A-Za-z][0-9A-Za-z.-]*))?(?:\+.*)?")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}[T ]?[\d:.]*")


def changelog(context: Context) -> Part | None:
    """Return the section of the newest changes."""
    return _section(context, "Recent Changelog", "CHANGELOG.json", recent, _change)


def release(context: Context) -> Part | None:
    """Return the section of the latest release."""
    return _section(context, "Latest Release", "RELEASES.json", latest, _release)


def _section(context: Context, name: str, file: str, choose: Any, line: Any) -> Part | None:  # noqa: ANN401
    path, where = os.path.join(context.folder, "core", file), display_path(context, "core", file)
    read = page_files.single(context, path)
    if read is None:
        return None
    records, problem = load(read)
    if problem:
        return Part(name, f"## {name}", [Item(f"({where} {problem})", where)], count=f"{where} {problem}", where=where)
    chosen = choose(records)
    if not chosen:
        return None
    count = f"{len(records)} in {where}"

    def part(limit: int, less: Part | None = None) -> Part:
        items = [Item(line(record, limit), _text(record, "version", "date") or name) for record in chosen]
        return Part(name, f"## {name}", items, count=count, where=where, less=less)

    return part(0, part(SHORT))


def load(read: page_files.Text) -> tuple[list[dict[str, Any]], str]:
    """Return the records of a file of JSON, and why there are none to be had."""
    import json  # late: it costs 2 ms, and many projects have no such file  # noqa: PLC0415

    if read.problem or not read.text.strip():
        return [], read.problem
    try:
        value = json.loads(read.text)
    except json.JSONDecodeError as error:
        return [], f"is no JSON (line {error.lineno}: {error.msg})"
    except RecursionError:
        return [], "is no JSON that can be read (nested too deep)"
    listed = _listed(value)
    if listed is None:
        return [], "holds no list of records"
    records = (item if isinstance(item, dict) else {"description": str(item)} for item in listed if item)
    return [record for record in records if any(record.values())], ""


def _listed(data: object) -> Sequence[Any] | None:
    """Return the list in a JSON value: itself, the one that it wraps, or the records that stand under their version."""
    if isinstance(data, list):
        return data
    if not isinstance(data, dict):
        return None
    for name in _WRAPPERS:
        if isinstance(data.get(name), (list, dict)):
            return _listed(data[name])
    lists = [value for value in data.values() if isinstance(value, list)]
    if lists:
        return lists[0]
    keyed = [{"version": key, **value} for key, value in data.items() if isinstance(value, dict)]
    return keyed or ([data] if {"version", "description"} & data.keys() else [] if not data else None)


def recent(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the newest changes by their day; of one day, or without one, the first in the file are the newest."""
    days = [_DAY.match(_text(record, "date", "timestamp", "created_at", "created")) for record in records]
    if not all(days):
        return list(records[:RECENT])
    order = sorted(range(len(records)), key=lambda at: days[at][0], reverse=True)  # type: ignore[index]  # all are
    return [records[at] for at in order[:RECENT]]


def latest(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the release with the highest version, in a list; those that are planned do not count."""
    out = [record for record in records if not _is_planned(record)]
    ranked = [
        (rank, record) for record in out if (rank := version(_text(record, "version", "tag", "name"))) is not None
    ]
    if ranked:
        return [max(ranked, key=lambda pair: pair[0])[1]]
    return recent(out)[:1]


def _is_planned(record: dict[str, Any]) -> bool:
    words = {_text(record, "status").lower(), _text(record, "version").lower(), _text(record, "date").lower()}
    return bool(words & _PLANNED) or record.get("released") is False or record.get("planned") is True


def version(text: str) -> tuple[tuple[int, ...], int, tuple[tuple[int, int, str], ...]] | None:
    """Return what versions are compared by, as semver.org says: a pre-release is below its release; None for none."""
    match = _VERSION.fullmatch(text.strip())
    if match is None or len(match[1]) > 100:  # noqa: PLR2004  # digits: Python refuses to read thousands
        return None
    numbers = [int(digits) for digits in match[1].split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    before = tuple(
        (0, int(word), "") if word.isdecimal() and word.isascii() and len(word) < 20 else (1, 0, word)  # noqa: PLR2004
        for word in (match[2] or "").replace("-", ".").split(".")
        if word
    )
    return tuple(numbers), int(not before), before


def _change(record: dict[str, Any], limit: int) -> str:
    kind = _text(record, "type", "kind")
    lead = " ".join(
        filter(None, (_text(record, "date", "timestamp", "created_at", "created"), f"[{kind}]" if kind else ""))
    )
    says = _text(record, "description", "summary", "title", "message", "text")
    scope = _text(record, "scope")
    words = f"{scope}: {says}" if scope and says else scope or says
    broken = " (BREAKING)" if record.get("breaking") is True else ""
    return f"- {' '.join(filter(None, (lead, prose.cut(words, limit) if limit else words)))}{broken}"


def _release(record: dict[str, Any], limit: int) -> str:
    day = _text(record, "date", "released_at", "released_on")
    head = _text(record, "version", "tag", "name") or "unnamed"
    head += (f" ({day})" if day else "") + (" (BREAKING)" if record.get("breaking") is True else "")
    says = _text(record, "summary", "description", "title", "notes")
    lines = [f"- {head}{': ' if says else ''}{prose.cut(says, limit) if limit else says}"]
    counts = [(name, len(value)) for name in ("task", "feature") if isinstance(value := record.get(f"{name}s"), list)]
    if included := [several(number, name) for name, number in counts if number]:
        lines.append(f"  Includes: {', '.join(included)}")
    return "\n".join(lines)


def _text(record: dict[str, Any], *names: str) -> str:
    for name in names:
        value = record.get(name)
        if value not in (None, "", [], {}) and not isinstance(value, (dict, bool)):
            words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            return prose.flat(words)
    return ""
