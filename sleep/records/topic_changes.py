"""`memory/topics.md`: what topics were renamed to, merged into and split by, and which folded because they were small.

Owns the form of the page, one line a change, oldest first, and what the changes make of a topic's name. What a person
changed holds for all that comes later; what folded is only told. Refuses to move fragments: that is `cycle`'s.

    - renamed build-recall to recall (2026-11-23)
    - merged dns, hosts into networking (2026-11-23)
    - split recall-index from recall by "index, posting": i3abc.4 i5qxk.2 (2026-11-23)
    - folded toys into games in warm
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.records import address as addressing
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.records.fragment import Fragment

PATH = "memory/topics.md"
TOPICS = "topics"  # the step, in the trailer of a commit that a person's change made
RENAMED, MERGED, SPLIT, FOLDED = "renamed", "merged", "split", "folded"
_HEAD = """# Topics

What became of the topics of warm and cold memory, one line a change, oldest first. `sleepwake topic.list` tells it.

"""
_WHEN = re.compile(r" \(([^()]*)\)$")
_WENT = re.compile(
    r"- (?P<what>renamed|merged|folded) (?P<names>[^ ]+(?:, [^ ]+)*) (?:in)?to (?P<into>[^ ]+)(?: in (?P<tier>\w+))?"
)
_PARTED = re.compile(r'- split (?P<into>[^ ]+) from (?P<name>[^ ]+)(?: by "(?P<words>[^"]*)")?:(?P<at>.*)')


class Change(NamedTuple):
    """One change: topics that went `into` another, or fragments of one that went there.

    A split takes those at its `addresses`, and what comes later and says one of its `words`. `tier` is that of what
    folded; `when` is the day of what a person changed.
    """

    what: str
    names: tuple[str, ...]
    into: str
    addresses: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    tier: str = ""
    when: str = ""

    @property
    def line(self) -> str:
        """The change as a line of the page."""
        when = f" ({self.when})" if self.when else ""
        if self.what == SPLIT:
            words = f' by "{", ".join(self.words)}"' if self.words else ""
            return f"- split {self.into} from {self.names[0]}{words}: {' '.join(self.addresses)}{when}"
        joint = "to" if self.what == RENAMED else "into"
        tier = f" in {self.tier}" if self.tier else ""
        return f"- {self.what} {', '.join(self.names)} {joint} {self.into}{tier}{when}"

    def takes(self, fragment: Fragment) -> bool:
        """Return whether a split takes a fragment of the topic."""
        if str(fragment.identity) in self.addresses:
            return True
        text = fragment.text.casefold()
        return any(re.search(rf"(?<!\w){re.escape(word.casefold())}(?!\w)", text) for word in self.words)


class Changes(NamedTuple):
    """All changes, oldest first."""

    all: tuple[Change, ...] = ()

    @property
    def by_people(self) -> tuple[Change, ...]:
        """The changes that hold for what comes later."""
        return tuple(change for change in self.all if change.what != FOLDED)

    def home(self, name: str, fragment: Fragment | None = None) -> str:
        """Return the topic that a fragment of a topic belongs to now; without one, where the topic itself went."""
        for change in self.all:  # nearly none: this is asked of every fragment of a tier
            if (
                name in change.names
                and change.what != FOLDED
                and (change.what != SPLIT or (fragment is not None and change.takes(fragment)))
            ):
                name = change.into
        return name

    def is_chosen(self, name: str) -> bool:
        """Return whether a person gave a topic this name, and so wants it."""
        return any(change.into == name for change in self.by_people)

    @property
    def aliases(self) -> dict[str, str]:
        """Where each name went that a person took away; what came to be again since is none."""
        gone = {name for change in self.by_people if change.what != SPLIT for name in change.names}
        return {name: now for name in sorted(gone) if (now := self.home(name)) != name}

    def became(self, name: str) -> str:
        """Return what became of a topic that is gone, by a person or because it was small; "" where nobody knows."""
        now = name
        for change in self.all:
            if now in change.names and change.what != SPLIT:
                now = change.into
        return now if now != name else ""


@lru_cache(maxsize=8)
def read(text: str | None) -> Changes:
    """Return the changes of the page; lines of another form are passed over."""
    return Changes(tuple(change for row in (text or "").splitlines() if (change := _change(row))))


def _change(row: str) -> Change | None:
    day = _WHEN.search(row)
    bare, when = (row[: day.start()], day[1]) if day else (row, "")
    if went := _WENT.fullmatch(bare.strip()):
        tier = went["tier"] or ""
        return Change(went["what"], tuple(went["names"].split(", ")), went["into"], tier=tier, when=when)
    if parted := _PARTED.fullmatch(bare.strip()):
        addresses = tuple(map(str, addressing.addresses(parted["at"])))
        words = tuple(word for part in (parted["words"] or "").split(",") if (word := part.strip()))
        return Change(SPLIT, (parted["name"],), parted["into"], addresses, words, when=when)
    return None


def append(text: str | None, changes: Sequence[Change]) -> str:
    """Return the page with changes at its end; what folded and is told already is not told twice."""
    known = read(text).all
    rows = [change.line for change in changes if change.what != FOLDED or change not in known]
    start = text if text and text.strip() else _HEAD
    return "".join((start if start.endswith("\n") else f"{start}\n", *(f"{row}\n" for row in dict.fromkeys(rows))))
