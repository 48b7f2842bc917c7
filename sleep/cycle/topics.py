"""Topic files: which topic a fragment goes to, and in which part of it there is room.

Owns the files of warm and cold memory, and keeps them few: a topic that has become small goes into the nearest, one
that outgrows its file gives off what speaks of one thing. Refuses to choose what is kept: that is done before a
fragment comes here.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from sleep.compression import extractive
from sleep.documents import journal, paths, tier
from sleep.language import terms, tokens
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.records import topic
from sleep.store.tree import Overlay

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.records.address import InstanceId
    from sleep.records.fragment import Fragment
    from sleep.records.topic import Wish

_HEADING = 13  # tokens of a section's heading and a day's, at most
_SUBJECT = re.compile(r"[^\W\d_][^\W_]+(?: [^\W_]+)?")  # what a topic can be called by
_GIVES = re.compile(r"(?i)(?:topic|thread) *(?:\*\*|__)? ?:(?=(.*))")  # more than what can be such a field
_SHARE, _BULK = 24, 3  # one in so many is the least that a subject has of a topic; so many in thirds are all of it


def assign(view: View, fragments: Sequence[Fragment], folder: str) -> list[str]:
    """Return a topic for each fragment: what its entry or thread names, else what its words and headings ask for."""
    return topic.settle(_wishes(view, fragments), _standing(view, folder))


def onwards(view: View, items: Sequence[tuple[str, Fragment]], folder: str) -> list[str]:
    """Return a topic in the next tier for each (topic, fragment): the same where it is there or enough ask for it."""
    asked = _wishes(view, [fragment for _, fragment in items])
    homes = [
        wish if wish.named and wish.name == home else topic.Wish(wish.text, home)
        for wish, (home, _) in zip(asked, items, strict=True)
    ]
    return topic.settle(homes, _standing(view, folder))


def _wishes(view: View, fragments: Sequence[Fragment]) -> list[Wish]:
    items = [_described(view, fragment) for fragment in fragments]
    return topic.wishes(items, _titles(view, [own for _, _, own in items]))


def _titles(view: View, names: Iterable[str]) -> dict[str, str]:
    """Return the titles of the threads by number, at least of those that are among the names."""
    handles = [own for own in names if addressing.number_of(own)]
    return {
        fragment.number: fragment.text
        for _, fragment in view.naming(handles)
        if fragment.kind == "thread" and fragment.number
    }


class _NamedTopics:
    """The topics that people gave names, told by the lines of journals that may say so; those alone are parsed.

    Args:
        view: the memory.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._starts: dict[InstanceId, tuple[str, ...]] = {}

    def has(self, name: str, files: Iterable[str]) -> bool:
        """True if a person gave one of the files' fragments to the topic of that name."""
        letters = _letters(name)
        return any(
            self._of(fragment) == name
            for path in files
            if self._may_have(letters, self._view.read(path) or "")
            for fragment in self._view.tier(path).fragments
            if fragment.kind == "thread"
            or fragment.field("thread")
            or letters.startswith(self._begins(fragment.identity.instance))
        )

    def _may_have(self, letters: str, text: str) -> bool:
        return "thread" in text.casefold() or any(
            letters.startswith(self._begins(instance)) for instance in addressing.instances(text)
        )

    def _of(self, fragment: Fragment) -> str:
        """Return the topic that a person gave a fragment, or ""."""
        path = self._view.path_of(fragment.identity.instance)
        fields = journal.fields_of(self._view.read(path) or "", fragment.identity) if path else None
        own = _own(fragment, fields) if fields is not None else _described(self._view, fragment)[2]
        return topic.wishes([("", (), own)], _titles(self._view, [own]))[0].name if own else ""

    def _begins(self, instance: InstanceId) -> tuple[str, ...]:
        """Return what the names begin with that a journal may give; "" where a title or a further line says more."""
        starts = self._starts.get(instance)
        if starts is None:
            path = self._view.path_of(instance)
            values = frozenset(_GIVES.findall(self._view.read(path) or "")) if path else frozenset()
            slugs = ("" if addressing.number_of(value.strip(" *_")) else topic.slug(value) for value in values)
            starts = self._starts[instance] = tuple("" if slug == topic.GENERAL else _letters(slug) for slug in slugs)
        return starts


def _letters(name: str) -> str:
    """Return a topic's name without hyphens, which one more word at its end can put in or take away."""
    return name.replace("-", "")


def _standing(view: View, folder: str) -> dict[str, list[str]]:
    """Return the topics of a tier, each with the paths of its parts."""
    standing: dict[str, list[str]] = {}
    for path in view.files(folder):
        standing.setdefault(base(paths.topic_of(path)), []).append(path)
    return standing


def _described(view: View, fragment: Fragment) -> tuple[str, tuple[str, ...], str]:
    path = view.path_of(fragment.identity.instance)
    entry = None
    if path:
        entry = next((entry for entry in view.journal(path).entries if entry.address == fragment.identity), None)
    return fragment.text, entry.sections if entry else (), _own(fragment, entry.fields if entry else None)


def _own(fragment: Fragment, fields: Sequence[tuple[str, str]] | None) -> str:
    """Return what a person put a fragment under, by the fields of its entry (None: there is no such entry), or ""."""
    by_name = dict(reversed(fields)) if fields is not None else {"thread": fragment.field("thread")}
    own = by_name.get("topic") or by_name.get("thread") or ""
    return own or (fragment.number if fragment.kind == "thread" else "")


def base(name: str) -> str:
    """Return a topic without the number of its part: `auth-2` is part of `auth`."""
    stem, _, part = name.rpartition("-")
    return stem if stem and part.isdecimal() else name


def arranged(view: View, folder: str, items: Sequence[tuple[str, Fragment]], limit: int) -> dict[str, str | None]:
    """Return the topic files with (topic, fragment) added, small topics folded and overgrown ones divided."""
    writes, moved = _folded(view, folder, items)
    items = [*moved, *items]
    while division := _divided(View(Overlay(view.tree, writes)), folder, items, limit):
        writes |= division[0]
        items = division[1]
    return {**writes, **put(View(Overlay(view.tree, writes)), folder, items, limit)}


def _folded(
    view: View, folder: str, items: Sequence[tuple[str, Fragment]]
) -> tuple[dict[str, str | None], list[tuple[str, Fragment]]]:
    """Return the files of topics that go, as they are without our fragments, and where these go.

    Those go that have too few fragments, and the smallest where there are too many topics; not those of a person's
    name, nor those that something comes to now.
    """
    standing = _standing(view, folder)
    targets = {name for name, _ in items}
    over = len(targets.union(standing) - {topic.GENERAL}) - topic.MOST
    given_names = _NamedTopics(view)
    sizes = {
        name: sum(tier.count(view.read(path) or "") for path in standing[name])
        for name in standing.keys() - targets - {topic.GENERAL}
    }
    writes: dict[str, str | None] = {}
    moved: list[tuple[str, Fragment]] = []
    for name in sorted(sizes, key=lambda name: (sizes[name], name)):
        if (sizes[name] >= topic.LEAST and over <= 0) or given_names.has(name, standing[name]):
            continue
        over -= 1
        own = [fragment for path in standing[name] for fragment in view.tier(path).fragments]
        for path in standing.pop(name):
            text = tier.write(view.read(path) or "", drop=view.tier(path).fragments)
            writes[path] = emptied(text)
        moved += [(topic.nearest(topic.Wish(other.text, name), {*standing, *targets}), other) for other in own]
    return writes, moved


def _divided(
    view: View, folder: str, items: Sequence[tuple[str, Fragment]], limit: int
) -> tuple[dict[str, str | None], list[tuple[str, Fragment]]] | None:
    """Return the files without what leaves an overgrown topic for one of its own, and the items with it; None if none.

    What leaves is what names the subject that most of its fragments name.
    """
    standing = _standing(view, folder)
    names = {name for name, _ in items}
    if len(names.union(standing) - {topic.GENERAL}) >= topic.MOST:
        return None
    for name in sorted(names):
        parts = standing.get(name, [])
        subject = _large_subject(view, name, parts, [fragment for other, fragment in items if other == name], limit)
        new = topic.slug(subject if name == topic.GENERAL else f"{name} {subject}") if subject else name
        if new == name or new in standing or new in names:
            continue
        writes, leaving = _parted(view, parts, subject, new)
        rest = [
            (new if other == name and subject in _subjects(fragment) else other, fragment) for other, fragment in items
        ]
        return writes, [*leaving, *rest]
    return None


def _large_subject(view: View, name: str, parts: Sequence[str], own: Sequence[Fragment], limit: int) -> str:
    """Return the subject that most of an overgrown topic's fragments name, "" where it is not overgrown or has none."""
    size = sum(tokens.count(view.read(path) or "") for path in parts) + sum(map(extractive.cost, own))
    if size <= limit:
        return ""
    return _subject([*(fragment for path in parts for fragment in view.tier(path).fragments), *own], name)


def _parted(
    view: View, parts: Sequence[str], subject: str, new: str
) -> tuple[dict[str, str | None], list[tuple[str, Fragment]]]:
    """Return a topic's files without the fragments that name a subject, and these under their new topic."""
    writes: dict[str, str | None] = {}
    leaving: list[tuple[str, Fragment]] = []
    for path in parts:
        gone = [fragment for fragment in view.tier(path).fragments if subject in _subjects(fragment)]
        if gone:
            writes[path] = emptied(tier.write(view.read(path) or "", drop=gone))
            leaving += [(new, fragment) for fragment in gone]
    return writes, leaving


def _subject(fragments: Sequence[Fragment], name: str) -> str:
    """Return the subject that most of the fragments name, where that is many of them but not nearly all, or ""."""
    counts = Counter(subject for fragment in fragments for subject in _subjects(fragment))
    least = max(2 * topic.LEAST, len(fragments) // _SHARE)
    fits = [
        (count, subject)
        for subject, count in counts.items()
        if count >= least and count * _BULK <= 2 * len(fragments) and topic.from_heading(subject) not in ("", name)
    ]
    return min(fits, key=lambda fit: (-fit[0], fit[1]), default=(0, ""))[1]


def _subjects(fragment: Fragment) -> frozenset[str]:
    """Return what a fragment names that a topic can be called by: a word or two, no path and no file."""
    named = terms.find(fragment.text)
    return frozenset(name for name in named.names | named.capitals if _SUBJECT.fullmatch(name))


def put(view: View, folder: str, items: Sequence[tuple[str, Fragment]], limit: int) -> dict[str, str | None]:
    """Return the topic files with (topic, fragment) added, going on in a further part where one is full."""
    writes: dict[str, str | None] = {}
    groups: dict[str, list[Fragment]] = {}
    for name, fragment in items:
        groups.setdefault(base(name), []).append(fragment)
    for name, fragments in sorted(groups.items()):
        part = 1
        batch: list[Fragment] = []
        path = _path(folder, name, part)
        size = tokens.count(view.read(path) or "")
        for fragment in fragments:
            price = extractive.cost(fragment)
            heading = 0 if batch and (batch[-1].kind, batch[-1].when) == (fragment.kind, fragment.when) else _HEADING
            while size + price + heading > limit and (batch or size > tokens.count(f"# {name}")):
                if batch:
                    writes[path] = tier.write(view.read(path) or "", add=batch, title=_title(name, part))
                part += 1
                path, batch, heading = _path(folder, name, part), [], _HEADING
                size = tokens.count(view.read(path) or "")
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
