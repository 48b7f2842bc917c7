"""The sections that are read from JSON: recent changelog and latest release.

Owns finding the records in whatever wraps them, and which is the newest: of changes by day, of releases by version, not
by where they stand. A file that is no JSON costs one line.
"""

from __future__ import annotations

import os
import re

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
    found, problem = load(read)
    if problem:
        return Part(name, f"## {name}", [Item(f"({where} {problem})", where)], count=f"{where} {problem}", where=where)
    chosen = choose(found)
    if not chosen:
        return None
    count = f"{len(found)} in {where}"

    def part(limit: int, less: Part | None = None) -> Part:
        items = [Item(line(one, limit), _text(one, "version", "date") or name) for one in chosen]
        return Part(name, f"## {name}", items, count=count, where=where, less=less)

    return part(0, part(SHORT))


def load(read: page_files.Text) -> tuple[list[dict[str, Any]], str]:
    """Return the records of a file of JSON, and why there are none to be had."""
    import json  # late: it costs 2 ms, and many projects have no such file  # noqa: PLC0415

    if read.problem or not read.text.strip():
        return [], read.problem
    try:
        found = json.loads(read.text)
    except json.JSONDecodeError as error:
        return [], f"is no JSON (line {error.lineno}: {error.msg})"
    except RecursionError:
        return [], "is no JSON that can be read (nested too deep)"
    listed = _listed(found)
    if listed is None:
        return [], "holds no list of records"
    told = (one if isinstance(one, dict) else {"description": str(one)} for one in listed if one)
    return [one for one in told if any(one.values())], ""


def _listed(found: object) -> Sequence[Any] | None:
    """Return the list in a JSON value: itself, the one that it wraps, or the records that stand under their version."""
    if isinstance(found, list):
        return found
    if not isinstance(found, dict):
        return None
    for name in _WRAPPERS:
        if isinstance(found.get(name), (list, dict)):
            return _listed(found[name])
    lists = [value for value in found.values() if isinstance(value, list)]
    if lists:
        return lists[0]
    keyed = [{"version": key, **value} for key, value in found.items() if isinstance(value, dict)]
    return keyed or ([found] if {"version", "description"} & found.keys() else [] if not found else None)


def recent(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the newest changes by their day; of one day, or without one, the first in the file are the newest."""
    days = [_DAY.match(_text(one, "date", "timestamp", "created_at", "created")) for one in found]
    if not all(days):
        return list(found[:RECENT])
    order = sorted(range(len(found)), key=lambda at: days[at][0], reverse=True)  # type: ignore[index]  # all are
    return [found[at] for at in order[:RECENT]]


def latest(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the release with the highest version, in a list; those that are planned do not count."""
    out = [one for one in found if not _is_planned(one)]
    ranked = [(rank, one) for one in out if (rank := version(_text(one, "version", "tag", "name"))) is not None]
    if ranked:
        return [max(ranked, key=lambda one: one[0])[1]]
    return recent(out)[:1]


def _is_planned(one: dict[str, Any]) -> bool:
    words = {_text(one, "status").lower(), _text(one, "version").lower(), _text(one, "date").lower()}
    return bool(words & _PLANNED) or one.get("released") is False or one.get("planned") is True


def version(text: str) -> tuple[tuple[int, ...], int, tuple[tuple[int, int, str], ...]] | None:
    """Return what versions are compared by, as semver.org says: a pre-release is below its release; None for none."""
    found = _VERSION.fullmatch(text.strip())
    if found is None or len(found[1]) > 100:  # noqa: PLR2004  # digits: Python refuses to read thousands
        return None
    numbers = [int(one) for one in found[1].split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    before = tuple(
        (0, int(one), "") if one.isdecimal() and one.isascii() and len(one) < 20 else (1, 0, one)  # noqa: PLR2004
        for one in (found[2] or "").replace("-", ".").split(".")
        if one
    )
    return tuple(numbers), int(not before), before


def _change(one: dict[str, Any], limit: int) -> str:
    kind = _text(one, "type", "kind")
    lead = " ".join(
        filter(None, (_text(one, "date", "timestamp", "created_at", "created"), f"[{kind}]" if kind else ""))
    )
    says = _text(one, "description", "summary", "title", "message", "text")
    scope = _text(one, "scope")
    words = f"{scope}: {says}" if scope and says else scope or says
    broken = " (BREAKING)" if one.get("breaking") is True else ""
    return f"- {' '.join(filter(None, (lead, prose.cut(words, limit) if limit else words)))}{broken}"


def _release(one: dict[str, Any], limit: int) -> str:
    day = _text(one, "date", "released_at", "released_on")
    head = _text(one, "version", "tag", "name") or "unnamed"
    head += (f" ({day})" if day else "") + (" (BREAKING)" if one.get("breaking") is True else "")
    says = _text(one, "summary", "description", "title", "notes")
    lines = [f"- {head}{': ' if says else ''}{prose.cut(says, limit) if limit else says}"]
    counts = [(name, len(value)) for name in ("task", "feature") if isinstance(value := one.get(f"{name}s"), list)]
    if included := [f"{number} {name}{'s' if number > 1 else ''}" for name, number in counts if number]:
        lines.append(f"  Includes: {', '.join(included)}")
    return "\n".join(lines)


def _text(one: dict[str, Any], *names: str) -> str:
    for name in names:
        value = one.get(name)
        if value not in (None, "", [], {}) and not isinstance(value, (dict, bool)):
            words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            return prose.flat(words)
    return ""
