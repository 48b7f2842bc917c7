"""Topic files: which topic a fragment goes to, and in which part of it there is room.

Owns the files of warm and cold memory: what comes is placed, topics open and fold, as `topic_plan` says, and one that
outgrows its file goes on in a further part. Refuses to choose what is kept: that is done before a fragment comes here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.compression import extractive
from sleep.documents import paths, tier
from sleep.documents.markdown import lines
from sleep.language import tokens
from sleep.memory.view import View
from sleep.records import address as addressing
from sleep.records import topic, topic_changes, topic_choice, topic_plan
from sleep.records.topic_changes import Change
from sleep.records.topic_choice import Piece
from sleep.records.topic_plan import Place
from sleep.store.tree import Overlay

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from sleep.records.fragment import Fragment

_HEADING = 13  # tokens of a section's heading and a day's, at most


class _Standing:
    """What stands in a tier, place by place: topic, path, fragment. A page of which nobody asks a place is not parsed.

    `topics` has the topic of each place. With `among`, it is what stands in those files of the tier that it holds.
    """

    __slots__ = ("_pages", "_places", "_view", "topics")

    def __init__(self, view: View, folder: str, among: Container[str] | None = None) -> None:
        self._view = view
        self._pages: dict[str, Sequence[Fragment]] = {}
        self._places = [
            (path, number)
            for path in view.files(folder)
            if among is None or path in among
            for number in range(tier.count(view.read(path) or ""))
        ]
        self.topics = [base(paths.topic_of(path)) for path, _ in self._places]

    def __len__(self) -> int:
        """Return how many fragments stand there."""
        return len(self._places)

    def __getitem__(self, at: int) -> tuple[str, str, Fragment]:
        """Return what stands at a place."""
        path, number = self._places[at]
        if path not in self._pages:
            self._pages[path] = self._view.tier(path).fragments
        return self.topics[at], path, self._pages[path][number]

    def __iter__(self) -> Iterator[tuple[str, str, Fragment]]:
        """Yield what stands at each place."""
        return map(self.__getitem__, range(len(self)))


def arranged(
    view: View, folder: str, items: Sequence[tuple[str, Fragment]], limit: int
) -> tuple[dict[str, str | None], list[str]]:
    """Return the topic files of a tier with fragments added, and the topic of each.

    An item is (the topic that it had in the tier before, or "", and the fragment). What people renamed, merged and
    split holds; what folds is written to the page of topics.
    """
    changes = view.topic_changes
    standing = _Standing(view, folder)
    before = [changes.home(name, fragment) for name, _, fragment in standing] if changes.by_people else standing.topics
    arriving = [*_arriving(view, items)]
    is_small = not topic_choice.is_large(len(before) + len(arriving))
    decided = topic_plan.plan(
        before,
        arriving,
        lambda at: _piece(standing[at][2]),
        lambda name: changes.is_chosen(name) or (is_small and _is_given(view, name, standing)),
        changes.aliases,
        lines.page_title(view.read(paths.MAIN) or ""),
        _topics_beside(view, folder),
    )
    homes = decided.homes
    if changes.by_people:
        fragments = (*(fragment for _, _, fragment in standing), *(fragment for _, fragment in items))
        homes = tuple(changes.home(home, fragment) for home, fragment in zip(homes, fragments, strict=True))
    new = list(homes[len(standing) :])
    arrivals = [(home, fragment) for home, (_, fragment) in zip(new, items, strict=True)]
    moves = [(standing[at], homes[at]) for at, name in enumerate(standing.topics) if homes[at] != name]
    writes = _moved(view, folder, moves, arrivals, limit)
    if decided.folds:
        tier_name = folder.rstrip("/").rpartition("/")[2]
        folds = [Change(topic_changes.FOLDED, (fold.name,), fold.into, tier=tier_name) for fold in decided.folds]
        writes[topic_changes.PATH] = topic_changes.append(view.read(topic_changes.PATH), folds)
    return writes, new


def _topics_beside(view: View, folder: str) -> list[str]:
    """Return the topics of the tier that this one is not."""
    return [base(paths.topic_of(path)) for path in view.files(paths.COLD if folder == paths.WARM else paths.WARM)]


def relocated(view: View, writes: Mapping[str, str | None]) -> list[tuple[str, str]]:
    """Return the topic before and the topic after of each fragment that stays in its tier and changes its topic."""
    after = View(Overlay(view.tree, writes), view)
    pairs = []
    for folder in (paths.WARM, paths.COLD):
        before = {fragment: name for name, _, fragment in _Standing(view, folder, writes)}
        now = [(fragment, name) for name, _, fragment in _Standing(after, folder, writes)]
        pairs += [(before[fragment], name) for fragment, name in now if before.get(fragment, name) != name]
    return pairs


def obeyed(view: View, limit: int) -> dict[str, str | None]:
    """Return the files of both tiers with each fragment in the topic where people want it."""
    writes: dict[str, str | None] = {}
    for folder in (paths.WARM, paths.COLD):
        standing = _Standing(view, folder)
        homes = [view.topic_changes.home(name, fragment) for name, _, fragment in standing]
        writes |= _moved(view, folder, list(zip(standing, homes, strict=True)), [], limit)
    return writes


def _moved(
    view: View,
    folder: str,
    standing: Iterable[tuple[tuple[str, str, Fragment], str]],
    arrivals: Sequence[tuple[str, Fragment]],
    limit: int,
) -> dict[str, str | None]:
    """Return the files of a tier with what stands there in its home, and with what comes, (topic, fragment)."""
    gone: dict[str, list[Fragment]] = {}
    adding: list[tuple[str, Fragment]] = []
    for (name, path, fragment), home in standing:
        if home != name:
            gone.setdefault(path, []).append(fragment)
            adding.append((home, fragment))
    writes = {path: emptied(tier.write(view.read(path) or "", drop=own)) for path, own in gone.items()}
    added = put(View(Overlay(view.tree, writes), view), folder, [*adding, *arrivals], limit)
    return {**writes, **added}


def _arriving(view: View, items: Sequence[tuple[str, Fragment]]) -> Iterator[Place]:
    """Yield the places of what comes, with what its entry, its thread and its headings say."""
    described = [_described(view, fragment) for _, fragment in items]
    titles = _titles(view, [own for _, own in described])
    for (home, fragment), (headings, own) in zip(items, described, strict=True):
        number = addressing.number_of(own)
        above = (*headings, titles[own]) if own in titles else headings
        named = topic.slug(own) if own and not number else ""
        yield Place(_piece(fragment, above), home, named, is_new=True)


def _piece(fragment: Fragment, headings: tuple[str, ...] = ()) -> Piece:
    return Piece(fragment.text, headings, str(fragment.identity.instance))


def _titles(view: View, names: Iterable[str]) -> dict[str, str]:
    """Return the titles of the threads by number, at least of those that are among the names."""
    handles = [own for own in names if addressing.number_of(own)]
    return {
        fragment.number: fragment.text
        for _, fragment in view.naming(handles)
        if fragment.kind == "thread" and fragment.number
    }


def _is_given(view: View, name: str, standing: _Standing) -> bool:
    """Return whether the entry of one of a topic's fragments names that topic."""
    fragments = (standing[at][2] for at, home in enumerate(standing.topics) if home == name)
    return any(own and topic.slug(own) == name for _, own in (_described(view, fragment) for fragment in fragments))


def _described(view: View, fragment: Fragment) -> tuple[tuple[str, ...], str]:
    """Return the headings above a fragment's entry that name something, and the topic or thread that it names."""
    entry = view.entry(fragment.identity)
    fields = dict(reversed(entry.fields)) if entry else {"thread": fragment.field("thread")}
    own = fields.get("topic") or fields.get("thread") or (fragment.number if fragment.kind == "thread" else "")
    return tuple(filter(topic.from_heading, entry.sections)) if entry else (), own


def base(name: str) -> str:
    """Return a topic without the number of its part: `auth-2` is part of `auth`."""
    stem, _, part = name.rpartition("-")
    return stem if stem and part.isdecimal() else name


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


def emptied(text: str) -> str | None:
    """Return the file, or None (to delete it) when nothing but its title is left."""
    return text if any(line.strip() and not line.startswith("# ") for line in text.split("\n")) else None


def titled(path: str) -> str:
    """Return the title of a tier's file."""
    return paths.TITLES.get(path, paths.topic_of(path))


def _path(folder: str, name: str, part: int) -> str:
    return f"{folder}{name}.md" if part == 1 else f"{folder}{name}-{part}.md"


def _title(name: str, part: int) -> str:
    title = name.replace("-", " ").capitalize()
    return title if part == 1 else f"{title}, part {part}"
