"""Records that speak of files which have changed since, or are gone: what a record says may have been overtaken.

Owns which words of a record name a file of the code's history, and what became of it since the record was made: since
the moment that its entry tells, else since its instance ended, for what that did behind the record is its own work. A
name that several files of the history have is none's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.code import commits, work_tree
from sleep.debt import timestamps
from sleep.documents import front_matter
from sleep.errors import SleepError
from sleep.memo import memo
from sleep.store import context as contexts
from sleep.store.git import bounded_log
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.code.work_tree import Code
    from sleep.memory.view import View
    from sleep.records.address import Address, InstanceId
    from sleep.records.fragment import Fragment
    from sleep.store.layout import Root

_MOST, _SECONDS, _SIZE = 2_000, 1.0, 8 << 20  # commits, and bounds of git
_LONGEST = 200
_SHOWN = 80  # characters of a name
# A word with an ending: `auth.py`, `src/auth.py`, `.github/ci.yml`; not `3.5`, `e.g.`, nor a page of the web.
_FILE = re.compile(r"(?<![\w@/.:-])(?:[\w.@+-]{1,60}/){0,12}[\w@+-][\w.@+-]{0,60}\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/@-])")
_BARE = re.compile(r"(?<![\w@/.:-])(?:[\w.@+-]{1,60}/){1,12}[\w.@+-]{1,60}(?![\w/@-])")


class Mention(NamedTuple):
    """A file that a record names, changed since: `name` as it is said, `path` from the top of the work tree.

    `commits` changed it since the record was made, or, where no entry tells when (`is_dated` is False), since its
    instance ended, and if that has not (`is_ended` is False), since it began; `last` is the day of the newest.
    `is_gone`: it is there no more. `is_whole` is False where there may be more commits.
    """

    name: str
    path: str
    commits: int
    last: str
    is_gone: bool = False
    is_dated: bool = False
    is_whole: bool = True
    is_ended: bool = False


class _File(NamedTuple):
    """What became of a path: the moments of the commits that changed it, newest first, and whether it is gone."""

    moments: list[int]
    is_gone: bool


class _History(NamedTuple):
    """What became of each path, and the paths by their last part; back to a moment, 0 where nothing is missing."""

    files: dict[str, _File]
    endings: dict[str, list[str]]
    reached: int = 0

    def add(self, path: str, at: int, *, is_gone: bool) -> None:
        """Note that a commit changed a path; the newest comes first, and says whether it is gone."""
        if path not in self.files:
            self.files[path] = _File([], is_gone)
            self.endings.setdefault(path.rpartition("/")[2], []).append(path)
        self.files[path].moments.append(at)

    def path(self, name: str) -> str:
        """Return the one path that a name means, "" for none and for several; of a moved file, where it is now."""
        name = name.removeprefix("./")
        same = self.endings.get(name.rpartition("/")[2], ())
        meant = [path for path in same if path == name or path.endswith(f"/{name}")]
        there = [path for path in meant if not self.files[path].is_gone]
        if name in meant and (name in there or not there):
            return name
        return (there or meant)[0] if len(there or meant) == 1 else ""

    def mention(self, name: str, path: str, since: float) -> Mention:
        """Return what became of a path since a moment; without a commit, nothing did."""
        moments = [at for at in self.files[path].moments if at >= int(since)]  # git has whole seconds
        last = timestamps.date(max(moments)) if moments else ""
        is_gone = self.files[path].is_gone
        return Mention(name, path, len(moments), last, is_gone, is_whole=self.reached <= since)


def find(root: Root, view: View, fragments: Iterable[Fragment], start: str = "") -> dict[Address, list[Mention]]:
    """Return by identity of a record the files that it names and that have changed since.

    Args:
        root: the memory's root.
        view: the memory as it is.
        fragments: the records.
        start: the folder that somebody works in.
    """
    named = {fragment.identity: names for fragment in fragments if (names := _names(fragment))}
    moments = {instance: _bounds(view, instance) for instance in {address.instance for address in named}}
    bounds = {address: own for address in named if any(own := moments[address.instance])}
    code = work_tree.find(contexts.of(root), start) if bounds else None
    if code is None:
        return {}
    history = _history(code, min(ended or began for began, ended in bounds.values()))
    mentions = {address: _changed(history, view, address, named[address], *own) for address, own in bounds.items()}
    return {address: own for address, own in mentions.items() if own}


def _changed(
    history: _History, view: View, address: Address, names: Iterable[str], began: float, ended: float
) -> list[Mention]:
    """Return what became of the files that a record names, whose instance began and (0 for not yet) ended then."""
    pairs = [(name, path) for name in names if (path := history.path(name))]
    moment = _moment(view, address) if pairs else 0.0
    mentions = (history.mention(name, path, moment or ended or began) for name, path in pairs)
    return [mention._replace(is_dated=bool(moment), is_ended=bool(ended)) for mention in mentions if mention.commits]


def sentence(mention: Mention, address: Address) -> str:
    """Return a mention as a reader is told: `auth.py` has changed in 3 commits since (last on 2026-11-23)."""
    name = commits.fit(mention.name, _SHOWN)
    where = "" if mention.path == mention.name else f" ({commits.fit(mention.path, _SHOWN)})"
    bound = "ended" if mention.is_ended else "began"
    since = "since" if mention.is_dated else f"since instance {address.number} {bound}"
    if mention.is_gone:
        return f"`{name}`{where} is gone {since} ({mention.last})"
    more = "" if mention.is_whole else " or more"
    count = f"{mention.commits} {'commit' if mention.commits == 1 and not more else 'commits'}{more}"
    return f"`{name}`{where} has changed in {count} {since} (last on {mention.last})"


def _names(fragment: Fragment) -> list[str]:
    """Return the words of a record that look like files, each once."""
    texts = (fragment.text, *(value for name, value in fragment.fields if name not in ("source", "transcript")))
    words = (word for text in texts for word in _words(text))
    return [word for word in dict.fromkeys(words) if len(word) <= _LONGEST]


@memo(1 << 9, tuple, None)
def _words(text: str) -> tuple[str, ...]:
    """Return what looks like a file in a text, then what looks like a path."""
    return (*_FILE.findall(text), *_BARE.findall(text))


def _bounds(view: View, instance: InstanceId) -> tuple[float, float]:
    """Return when an instance began and ended, in seconds since 1970; 0 where its journal does not tell."""
    path = view.path_of(instance)
    fields = front_matter.peek(view.read(path) or "").fields if path else {}
    began, ended = (timestamps.seconds(str(fields[name])) if name in fields else None for name in ("started", "ended"))
    return began or 0.0, ended or 0.0


def _moment(view: View, address: Address) -> float:
    """Return when an entry was made, 0 where it does not tell."""
    try:
        entry = view.entry(address)
    except SleepError:
        return 0.0
    return (timestamps.seconds(entry.field("time")) if entry else None) or 0.0


def _history(code: Code, oldest: float) -> _History:
    """Return what became of the code's paths since a moment, as far as git's bounds go."""
    log = bounded_log.Log(code.work_tree, most=_MOST, seconds=_SECONDS, size=_SIZE, since=oldest)
    history = _History({}, {})
    for commit in log:
        history = history._replace(reached=commit.at)
        for letter, path in commit.changes:
            if not code.is_memory(path):
                history.add(path, commit.at, is_gone=letter == bounded_log.GONE)
    return history if log.is_cut else history._replace(reached=0)
