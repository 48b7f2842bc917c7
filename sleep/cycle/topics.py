"""Topic files: which topic a fragment goes to, and in which part of it there is room.

Owns the files of warm and cold memory. Refuses to choose what is kept: that is done before a fragment comes here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.compression import extractive
from sleep.memory import address as addressing
from sleep.memory import paths, tier, topic
from sleep.text import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.cycle.view import View
    from sleep.memory.fragment import Fragment

_HEADING = 13  # tokens of a section's heading and a day's, at most


def assign(view: View, fragments: Sequence[Fragment], existing: Iterable[str]) -> list[str]:
    """Return a topic for each fragment: what its entry or thread names, else what its words and headings ask for."""
    items = [_described(view, one) for one in fragments]
    handles = [own for _, _, own in items if addressing.number_of(own)]
    titles = {one.number: one.text for _, one in view.naming(handles) if one.kind == "thread" and one.number}
    return topic.assign(items, existing, titles)


def _described(view: View, fragment: Fragment) -> tuple[str, tuple[str, ...], str]:
    path = view.path_of(fragment.identity.instance)
    entry = None
    if path:
        entry = next((one for one in view.journal(path).entries if one.address == fragment.identity), None)
    own = (entry.field("topic") or entry.field("thread")) if entry else fragment.field("thread")
    if fragment.kind == "thread":
        own = own or fragment.number
    return fragment.text, entry.sections if entry else (), own


def base(name: str) -> str:
    """Return a topic without the number of its part: `auth-2` is part of `auth`."""
    stem, _, part = name.rpartition("-")
    return stem if stem and part.isdigit() else name


def put(view: View, folder: str, items: Sequence[tuple[str, Fragment]], limit: int) -> dict[str, str | None]:
    """Return the topic files with (topic, fragment) added, going on in a further part where one is full."""
    writes: dict[str, str | None] = {}
    groups: dict[str, list[Fragment]] = {}
    for name, fragment in items:
        groups.setdefault(base(name), []).append(fragment)
    for name, fragments in sorted(groups.items()):
        part = 1
        while view.read(_path(folder, name, part + 1)) is not None:
            part += 1
        batch: list[Fragment] = []
        path = _path(folder, name, part)
        size = tokens.count(view.read(path) or "")
        for fragment in fragments:
            price = extractive.cost(fragment)
            heading = 0 if batch and (batch[-1].kind, batch[-1].when) == (fragment.kind, fragment.when) else _HEADING
            if size + price + heading > limit and (batch or size > tokens.count(f"# {name}")):
                if batch:
                    writes[path] = tier.write(view.read(path) or "", add=batch, title=_title(name, part))
                part += 1
                path, batch, size = _path(folder, name, part), [], 0
            batch.append(fragment)
            size += price + heading
        writes[path] = tier.write(view.read(path) or "", add=batch, title=_title(name, part))
    return writes


def has_content(text: str) -> bool:
    """True if a topic file says more than its title."""
    return any(line.strip() and not line.startswith("# ") for line in text.split("\n"))


def emptied(text: str) -> str | None:
    """Return the file, or None (to delete it) when nothing but its title is left."""
    return text if has_content(text) else None


def titled(path: str) -> str:
    """Return the title of a tier's file."""
    return paths.TITLES.get(path, paths.topic_of(path))


def _path(folder: str, name: str, part: int) -> str:
    return f"{folder}{name}.md" if part == 1 else f"{folder}{name}-{part}.md"


def _title(name: str, part: int) -> str:
    title = name.replace("-", " ").capitalize()
    return title if part == 1 else f"{title}, part {part}"
