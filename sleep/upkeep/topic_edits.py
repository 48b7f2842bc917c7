"""Topics as a person wants them: renamed, merged, split, each one commit that later cycles respect.

Owns what may be asked for, the commit, and the list of topics. Refuses to move a fragment itself: `cycle.topics` makes
the files follow the page of changes, here, in every sleep and in a rebuild alike.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple

from sleep.cycle import adoption, handoff, topics
from sleep.documents import main_page, paths
from sleep.errors import SecretError, UsageError
from sleep.memory import place
from sleep.memory.view import View
from sleep.records import topic_changes
from sleep.records.topic import GENERAL, slug
from sleep.records.topic_changes import MERGED, RENAMED, SPLIT, TOPICS, Change
from sleep.store import step
from sleep.store.plan import Plan
from sleep.store.tree import Overlay, WorkTree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.memory.place import Place
    from sleep.records.fragment import Fragment

_OWN = ("memory/warm", "memory/cold", topic_changes.PATH, paths.MAIN)


class Known(NamedTuple):
    """A topic: its fragments in warm and in cold memory, and whether a person gave it its name."""

    topic: str
    warm: int
    cold: int
    is_chosen: bool

    @property
    def fragments(self) -> int:
        """How many there are."""
        return self.warm + self.cold


class Done(NamedTuple):
    """What a change did, or would do: the change, how many fragments moved, the files, and the commit ("" for none)."""

    change: Change
    moved: int
    files: tuple[str, ...]
    commit: str = ""


def known(view: View) -> list[Known]:
    """Return the topics of warm and cold memory, the largest first."""
    counts: dict[str, list[int]] = {}
    for index, folder in enumerate((paths.WARM, paths.COLD)):
        for path in view.files(folder):
            counts.setdefault(topics.base(paths.topic_of(path)), [0, 0])[index] += len(view.tier(path).fragments)
    changes = view.topic_changes
    listed = [Known(name, warm, cold, changes.is_chosen(name)) for name, (warm, cold) in counts.items()]
    return sorted(listed, key=lambda topic: (-topic.fragments, topic.topic))


def rename(view: View, old: str, new: str) -> Change:
    """Return the change that gives a topic another name; UsageError where it is none, or that name is another's."""
    name, into = _standing(view, old), _name(new)
    if into in {topic.topic for topic in known(view)}:
        raise UsageError(f"there is a topic {into} already", hint=f"sleepwake topic.merge {name} --into {into}")
    return Change(RENAMED, (_named(name),), _named(into))


def merge(view: View, names: Sequence[str], into: str) -> Change:
    """Return the change that makes one topic of several; UsageError where one of them is none."""
    target = _named(_name(into))
    parts = tuple(dict.fromkeys(_named(name) for part in names if (name := _standing(view, part)) != target))
    if not parts:
        raise UsageError("name the topics to merge", hint=f"sleepwake topic.merge A B --into {target}")
    return Change(MERGED, parts, target)


def split(view: View, name: str, into: str, words: Sequence[str], addresses: Sequence[str]) -> Change:
    """Return the change that gives some of a topic's fragments a topic of their own.

    Args:
        view: the memory.
        name: the topic.
        into: the topic that they get, a new one or one that is there.
        words: those that say one of these go, now and later.
        addresses: those at one of these go.

    Raises:
        UsageError: nothing of the topic is meant, or all of it.
    """
    whole, target = _standing(view, name), _named(_name(into))
    if target == whole:
        raise UsageError(f"{whole} cannot be split into itself", hint="sleepwake topic.list")
    own = _fragments(view, whole)
    wanted = Change(SPLIT, (whole,), target, tuple(addresses), tuple(word for word in map(_word, words) if word))
    fragments = [fragment for fragment in own if wanted.takes(fragment)]
    strange = set(addresses) - {str(fragment.identity) for fragment in own}
    if strange:
        raise UsageError(f"{min(strange)} is no fragment of {whole}", hint=f"sleepwake topic.list {whole}")
    if not fragments:
        raise UsageError(f"no fragment of {whole} is meant", hint=f"sleepwake topic.list {whole} shows what it says")
    if len(fragments) == len(own) and whole != GENERAL:
        raise UsageError(f"that is all of {whole}", hint=f"sleepwake topic.rename {whole} {target}")
    named = dict.fromkeys(str(fragment.identity) for fragment in fragments)
    return wanted._replace(addresses=tuple(named))


def make(where: Place, change: Change, now: str, *, dry_run: bool = False) -> Done:
    """Make a change, in one commit; in a dry run only tell what it would do.

    Raises GitStateError where the files are partly staged, SecretError where an edit that waits has a secret.
    """
    change = change._replace(when=now[:10])
    if dry_run:
        return _planned(View(WorkTree(where.root)), change, where.settings.topic_tokens)[0]
    with place.writing(where, TOPICS) as writer:
        adoption.adopt(writer, _OWN)
        done, writes = _planned(View(WorkTree(writer.root)), change, writer.settings.topic_tokens)
        sha = step.apply(writer.root, _plan(done, writes), writer.lock, writer.repository)
        return done._replace(commit=sha)


def _planned(view: View, change: Change, limit: int) -> tuple[Done, dict[str, str | None]]:
    page = topic_changes.append(view.read(topic_changes.PATH), [change])
    writes: dict[str, str | None] = {topic_changes.PATH: page}
    writes |= topics.obeyed(View(Overlay(view.tree, writes)), limit)
    writes |= _map(view, writes)
    moved = sum(
        change.what != SPLIT or change.takes(fragment) for name in change.names for fragment in _fragments(view, name)
    )
    return Done(change, moved, tuple(sorted(writes))), writes


def _map(view: View, writes: dict[str, str | None]) -> dict[str, str | None]:
    """Return the main page with the topics that the writes leave in its map; nothing where it has no map of ours."""
    text = view.read(paths.MAIN) or ""
    if not main_page.section(text, main_page.MAP):
        return {}
    drawn = main_page.with_section(text, main_page.MAP, handoff.memory_map(View(Overlay(view.tree, writes))))
    return {paths.MAIN: drawn} if drawn != text else {}


def _plan(done: Done, writes: dict[str, str | None]) -> Plan:
    change = done.change
    what = {RENAMED: "rename", MERGED: "merge", SPLIT: "split"}[change.what]
    joint = "to" if change.what == RENAMED else "into"
    subject = f"{what} topic{'s' if len(change.names) > 1 else ''} {', '.join(change.names)} {joint} {change.into}"
    body = f"{change.line}\n- fragments moved: {done.moved}"
    return Plan(TOPICS, subject, body, (("Sleep-Step", TOPICS),), writes)


def fragments_of(view: View, name: str) -> list[Fragment]:
    """Return what a topic holds, warm memory first; UsageError where there is none."""
    return _fragments(view, _standing(view, name))


def _fragments(view: View, name: str) -> list[Fragment]:
    return [
        fragment
        for folder in (paths.WARM, paths.COLD)
        for path in view.files(folder)
        if topics.base(paths.topic_of(path)) == name
        for fragment in view.tier(path).fragments
    ]


def _standing(view: View, name: str) -> str:
    """Return the topic of that name; UsageError, with what became of it or those most like it, where there is none."""
    names = [topic.topic for topic in known(view)]
    forms = (name.strip(), topics.base(name.strip()), slug(name))
    if standing := next((form for form in forms if form in names), ""):
        return standing
    became = view.topic_changes.became(slug(name))
    near = [became] if became else difflib.get_close_matches(slug(name), names, 3)
    right = f" ({'it is' if became else 'would be right:'} {', '.join(near)}{' now' if became else ''})" if near else ""
    raise UsageError(f"there is no topic {name!r}{right}", hint="sleepwake topic.list")


def _name(name: str) -> str:
    if not any(map(str.isalnum, name)):
        raise UsageError("a topic's name needs letters", hint="sleepwake topic.rename OLD NEW")
    return slug(_free(name))


def _free(words: str) -> str:
    """Return words that a person gives and a commit would hold; SecretError where they have a secret or a home."""
    if place.clean(words) != words:
        what = "a topic's name or words hold a secret or a home directory"
        raise SecretError(f"{what} (they would be committed)", hint="say it without: sleepwake topic.rename OLD NEW")
    return words


def _named(name: str) -> str:
    """Return the name of a topic that is more than the rest, which has no subject to rename or merge."""
    if name == GENERAL:
        raise UsageError(
            f"{GENERAL} holds what has no topic", hint=f"sleepwake topic.split {GENERAL} --into NAME --words WORD"
        )
    return name


def _word(word: str) -> str:
    """Return a word as the page can say it."""
    return " ".join(_free(word).replace('"', " ").replace(",", " ").split())
