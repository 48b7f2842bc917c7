"""`core/CHANGELOG.json`: the entry that a cycle adds to the list of changes, by span, in whatever form the list has.

Owns finding the list in the text and its indentation; an entry of ours carries its cycle and instance, by which it is
known. Refuses a file that is no JSON or holds no list: it is left as it is.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from sleep.documents.markdown import edit
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PATH = "memory/core/CHANGELOG.json"
WRAPPERS = ("entries", "changelog", "changes", "items", "records", "data")  # keys of an object around the list
_SPACE = re.compile(r"[ \t\r\n]*")
_DEFAULT = "  "


class _Item(NamedTuple):
    """An item of the list: where it stands, and what it says."""

    start: int
    end: int
    value: Any


class _List(NamedTuple):
    """The list: where what is inside its brackets begins and ends, and its items."""

    start: int
    end: int
    items: tuple[_Item, ...]


def added(text: str, entry: dict[str, Any]) -> str:
    """Return the file with an entry, newest first unless its own order is the other; once for a cycle.

    Raises ValueError for what is no JSON, or holds no list.
    """
    listed = _listed(text)
    if any(_key(item.value) == _key(entry) for item in listed.items if is_ours(item.value)):
        return text
    newline = edit.newline(text)
    if not listed.items:
        closing = newline + _indent(text, listed.end)
        raw = _raw(entry, closing + _DEFAULT, newline)
        return edit.apply(text, [edit.Edit(listed.start, listed.end, f"{closing}{_DEFAULT}{raw}{closing}")])
    first, last = listed.items[0], listed.items[-1]
    lead = text[listed.start : first.start] or " "
    raw = _raw(entry, lead, newline)
    if _day(first.value) < _day(last.value):
        at, fresh = last.end, f",{lead}{raw}"
    else:
        at, fresh = first.start, f"{raw},{lead}"
    return edit.apply(text, [edit.Edit(at, at, fresh)])


def split(text: str) -> tuple[str, tuple[dict[str, Any], ...]]:
    """Return the file without our entries, and these, the oldest first; ValueError as in `added`."""
    listed = _listed(text)
    items, gone = listed.items, []
    for number, item in enumerate(items):
        if not is_ours(item.value):
            continue
        others = [other for other in items if not is_ours(other.value)]
        if not others:
            return edit.apply(text, [edit.Edit(listed.start, listed.end, "")]), _oldest_first(items)
        if item.start < others[-1].start:  # with the comma behind it
            gone.append(edit.Edit(item.start, items[number + 1].start, ""))
        else:
            gone.append(edit.Edit(items[number - 1].end, item.end, ""))
    return edit.apply(text, gone), _oldest_first(items)


def join(bare: str, ours: Sequence[dict[str, Any]]) -> str:
    """Return a file from what `split` returns of files."""
    for entry in ours:
        bare = added(bare, entry)
    return bare


def is_kept(before: str, after: str) -> bool:
    """Return whether a change of the file brought nothing but entries of ours."""
    try:
        old, new = ([item.value for item in _listed(text).items if not is_ours(item.value)] for text in (before, after))
    except ValueError:
        return False
    return old == new


def is_ours(value: object) -> bool:
    """Return whether an entry is one that a cycle added."""
    return isinstance(value, dict) and value.get("type") == "sleep" and "cycle" in value and "instance" in value


def _oldest_first(items: Sequence[_Item]) -> tuple[dict[str, Any], ...]:
    return tuple(sorted((item.value for item in items if is_ours(item.value)), key=_key))


def _key(value: dict[str, Any]) -> tuple[int, str]:
    number = value.get("cycle")
    return number if isinstance(number, int) else 0, str(value.get("instance"))


def _day(value: object) -> str:
    day = value.get("date") if isinstance(value, dict) else ""
    return day if isinstance(day, str) else ""


def _raw(entry: dict[str, Any], lead: str, newline: str) -> str:
    """Return an entry as JSON, indented as its list is: on a line where the list is, over several where items are."""
    if "\n" not in lead:
        return json.dumps(entry, ensure_ascii=False)
    indent = lead.rpartition("\n")[2]
    unit = indent if indent and len(indent) <= len(_DEFAULT) * 2 and not len(indent) % 2 else _DEFAULT
    return json.dumps(entry, ensure_ascii=False, indent=unit).replace("\n", f"{newline}{indent}")


def _indent(text: str, at: int) -> str:
    """Return the white space that the line begins with in which a place is."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _listed(text: str) -> _List:
    """Return the list of a file; ValueError where there is none."""
    start = 1 if text.startswith("\ufeff") else 0
    json.loads(text[start:])
    at = _skip(text, start)
    if text[at] == "{":
        members = {key: at for key, at in _members(text, at) if key in WRAPPERS and text[at] == "["}
        at = next((members[key] for key in WRAPPERS if key in members), at)
    if text[at] != "[":
        raise ValueError("holds no list of changes")
    items = tuple(_items(text, at + 1))
    end = _skip(text, items[-1].end if items else at + 1)
    return _List(at + 1, end, items)


def _items(text: str, at: int) -> Iterator[_Item]:
    decoder = json.JSONDecoder()
    at = _skip(text, at)
    while text[at] != "]":
        value, end = decoder.raw_decode(text, at)
        yield _Item(at, end, value)
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at


def _members(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Yield the keys of an object, and where their values begin."""
    decoder = json.JSONDecoder()
    at = _skip(text, at + 1)
    while text[at] != "}":
        key, at = decoder.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)
        yield str(key), at
        at = _skip(text, decoder.raw_decode(text, at)[1])
        at = _skip(text, at + 1) if text[at] == "," else at


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
