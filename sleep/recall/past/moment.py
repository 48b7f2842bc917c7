"""A moment of the past, as a person names it: a commit, a day, a cycle, an instance; and the commit that it means.

Owns reading the name and finding the commit. A day means its end, in UTC as in journals, on the branch that is checked
out; a cycle and an instance mean the last commit that a sleep made for them. Refuses to touch the work tree: what is
asked of a moment is read from git's objects.
"""

from __future__ import annotations

import calendar
import re
import time
from typing import TYPE_CHECKING

from sleep.documents import cycles, front_matter, paths
from sleep.errors import UsageError
from sleep.language import dates
from sleep.memory.view import View
from sleep.recall import periods as days
from sleep.store import history, layout
from sleep.store.files import decode
from sleep.store.git import file_lists
from sleep.store.tree import CommitTree, WorkTree
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn

    from sleep.records.address import InstanceId
    from sleep.store.layout import Root
    from sleep.store.tree import Tree

_CYCLE = re.compile(r"c(?:ycle)?[ -]?([0-9]{1,9})", re.IGNORECASE)
_INSTANCE = re.compile(r"i(?:nstance)?[ -]?([0-9]{1,7})([a-z]{3})?", re.IGNORECASE)
_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?Z?)?")
_WORD = re.compile(
    rf"[0-9]{{1,4}}(?:st|nd|rd|th)?|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}|(?:{'|'.join(calendar.month_name[1:])})"
    rf"|(?:{'|'.join(calendar.month_abbr[1:])}|sept)\.?|(?:day|week|month|year)s?|weekend|yesterday|today|ago|last|this|past"
    r"|a|an|one|two|three|four|five|six|few|couple|the|of|in|on|since|during",
    re.IGNORECASE,
)
_NOW = ("now", "today", "tomorrow")
_DAY = 86_400
_RIGHT = "would be right: a commit, a day as 2026-03-01, `March 2026` or `last week`, `cycle 12` or `instance 7`"


class Moment(NamedTuple):
    """A moment of the past: its commit ("" for now), the commit's date (ISO 8601), and how the name was read."""

    sha: str = ""
    when: str = ""
    how: str = ""

    @property
    def label(self) -> str:
        """What an answer says of where it is from."""
        if not self.sha:
            return f"as of now ({self.how})" if self.how else "as of now"
        how = f": {self.how}" if self.how else ""
        return f"as of commit {self.sha[:7]}, {dates.spoken(self.when)}{how}"

    @property
    def facts(self) -> dict[str, str]:
        """It as facts have it."""
        return {"commit": self.sha, "date": self.when, "means": self.how}

    def tree(self, root: Root) -> Tree:
        """Return the memory as it was."""
        return CommitTree(root, self.sha) if self.sha else WorkTree(root)


def find(root: Root, name: str, today: str) -> Moment:
    """Return the moment that a name means; `today` is the ISO day that `last week` is told from.

    Raises:
        UsageError: no moment is called so, or the memory did not exist then.
    """
    name = dates.in_iso(" ".join(name.split()))
    if name.casefold() in _NOW:
        return Moment()
    dated = _DATE.fullmatch(name)
    if dated and (end := _end(*dated.groups())):
        return _at(root, name, end, today)
    if named := _CYCLE.fullmatch(name):
        return _require_memory(root, _cycle(root, name, int(named[1])), name)
    if named := _INSTANCE.fullmatch(name):
        return _require_memory(root, _instance(root, int(named[1]), (named[2] or "").lower()), name)
    if commit := history.latest(root, name) if name else None:
        return _require_memory(root, Moment(*commit, "" if commit[0].startswith(name) else name), name)
    if spoken := "" if dated else _spoken_day(name, today):
        return _at(root, name, _midnight(spoken), today)
    if not history.head(root):  # says so when it is the repository that cannot be read
        raise UsageError("nothing of this memory was committed yet", hint="sleepwake sleep")
    raise UsageError(f"no moment is called {name!r} ({_RIGHT})", hint="sleepwake sleep.history, or git log --oneline")


def day(name: str, today: str) -> str:
    """Return the first ISO day that a name means (`2026-03`, `last week`); UsageError for what is no day."""
    dated = _DATE.fullmatch(dates.in_iso(" ".join(name.split())))
    if dated and _end(*dated.groups()[:3]):
        year, month, number = (int(part or 1) for part in dated.groups()[:3])
        return f"{year:04}-{month:02}-{number:02}"
    if spoken := "" if dated else _spoken_day(name, today, first=True):
        return spoken
    raise UsageError(f"{name!r} is no day (would be right: 2026-03-01, `March 2026` or `last week`)")


def _at(root: Root, name: str, end: int, today: str) -> Moment:
    """Return the last commit before a moment (seconds since the epoch)."""
    if end >= _midnight(today):
        return Moment("", "", "" if end == _midnight(today) else f"{name} is not over yet")
    commit = history.latest(root, until=end)
    if commit is None:
        _too_early(root, name)
    return _require_memory(root, Moment(*commit, f"the last one by {name}"), name)


def _cycle(root: Root, name: str, number: int) -> Moment:
    """Return the last commit of a cycle: told by trailers, else by the first commit whose table has its line."""
    known: set[int] = set()
    slept: dict[str, str] = {}
    for commit in _ours(root):
        trailers = dict(commit.trailers)
        if trailers.get("Sleep-Cycle") == str(number) and "Sleep-Undo" not in trailers:
            slept.setdefault(trailers.get("Sleep-Instance", "an instance"), commit.sha)
        known.add(int(trailers["Sleep-Cycle"]) if trailers.get("Sleep-Cycle", "").isdigit() else 0)
    if len(slept) > 1:
        names = " or ".join(sorted(slept))
        raise UsageError(f"several cycles have the number {number}: of which instance (would be right: {names})")
    for instance, sha in slept.items():
        return _moment(root, sha, f"the end of cycle {number} of {instance}")
    first: tuple[str, InstanceId] | None = None
    for sha, table in _tables(root):
        known |= table.keys()
        first = (sha, table[number]) if number in table else first
    if first:
        _refuse_cut(root, first[0], name)
        return _moment(root, first[0], f"the first one after cycle {number} of {first[1]}")
    if commit_ := history.latest(root, name):  # c1234 may be a commit
        return Moment(*commit_)
    there = sorted(known - {0})
    says = f"cycles {there[0]} to {there[-1]} are known" if there else "no cycle has run"
    raise UsageError(f"there is no cycle {number} ({says})", hint="sleepwake sleep.history")


def _refuse_cut(root: Root, sha: str, name: str) -> None:
    """Raise UsageError for the commit that a shallow clone begins with: what it seems to have done was done before."""
    if sha in file_lists.boundary(root):
        raise UsageError(
            f"{name} is older than this clone, which is shallow and begins with commit {sha[:7]}",
            hint="git fetch --unshallow",
        )


def _instance(root: Root, number: int, tag: str) -> Moment:
    """Return the last commit of the cycle that slept on an instance, else the last that changed its journal."""
    name = f"instance {number}" if not tag else f"i{number}{tag}"
    slept: dict[str, str] = {}
    for commit in _ours(root):
        trailers = dict(commit.trailers)
        own = _INSTANCE.fullmatch(trailers.get("Sleep-Instance", ""))
        is_asked = own and int(own[1]) == number and tag in ("", own[2])
        if is_asked and "Sleep-Cycle" in trailers and "Sleep-Undo" not in trailers:
            slept.setdefault(trailers["Sleep-Instance"], commit.sha)
    if len(slept) > 1:
        names = " or ".join(sorted(slept))
        raise UsageError(f"several instances have the number {number} (would be right: {names})")
    for instance, sha in slept.items():
        return _moment(root, sha, f"the end of the sleep of {instance}")
    for path in _journal_names(root, number, tag):
        changed = history.commits(root, paths=(path,), limit=1)
        if changed and (not tag or _tag(history.read(root, changed[0].sha, path)) == tag):
            _refuse_cut(root, changed[0].sha, name)
            return _moment(root, changed[0].sha, f"the last one that changed {path}")
    raise UsageError(f"nothing of {name} was ever committed", hint="sleepwake sleep.history, or sleepwake status")


def _journal_names(root: Root, number: int, tag: str) -> list[str]:
    """Return the paths that an instance's journal may have; where several people journal, names have a tag."""
    there = () if tag else View(WorkTree(root)).journals
    tagged = [paths.journal(number, tag)] if tag else [path for path in there if paths.journal_number(path) == number]
    return [*dict.fromkeys((*tagged, paths.journal(number)))]


def _ours(root: Root) -> list[history.Commit]:
    """Return the commits that changed this memory, newest first."""
    return history.commits(root, paths=layout.OWNED)


def _tables(root: Root) -> Iterator[tuple[str, dict[int, InstanceId]]]:
    """Yield, newest first, each commit that changed the table of cycles, and the instances of its cycles by number."""
    changed = [(commit.sha, row.after) for commit, rows in history.walk(root, (cycles.PATH,)) for row in rows]
    contents = history.blobs(root, (name for _, name in changed if name))
    for sha, name in changed:
        yield sha, {cycle.number: cycle.instance for cycle in cycles.read(decode(contents.get(name) or b""))}


def _tag(text: str | None) -> str:
    try:
        return str(front_matter.read(text or "").fields.get("tag", ""))
    except ValueError:
        return ""


def _moment(root: Root, sha: str, how: str) -> Moment:
    commit = history.latest(root, sha)
    return Moment(sha, commit[1] if commit else "", how)


def _require_memory(root: Root, moment: Moment, name: str) -> Moment:
    """Return a moment at which there was a memory."""
    if not any(history.listing(root, moment.sha, folder) for folder in ("memory", "journal")):
        _too_early(root, name)
    return moment


def _too_early(root: Root, name: str) -> NoReturn:
    began = history.commits(root, paths=layout.OWNED)
    if not began:
        raise UsageError("nothing of this memory was committed yet", hint="sleepwake sleep")
    hint = "git fetch --unshallow" if file_lists.boundary(root) else "without --at; days that journals tell: --since"
    first = began[-1]
    raise UsageError(
        f"there was no memory yet: {name} is before commit {first.sha[:7]} of {dates.spoken(first.when)}, its first",
        hint=hint,
    )


def _end(year: str, month: str, day_: str, hour: str = "", minute: str = "", second: str = "") -> int:
    """Return the end of a year, month, day or minute in seconds since the epoch, 0 for none that there is."""
    last = int(month) if month else 12
    if not 1 <= last <= 12 or not 1970 <= int(year) < 9999:  # noqa: PLR2004  # months; git knows no earlier day
        return 0
    days_ = calendar.monthrange(int(year), last)[1]
    number = int(day_) if day_ else days_
    if not 1 <= number <= days_ or (hour and not day_):
        return 0
    at = calendar.timegm((int(year), last, number, 0, 0, 0))
    if not hour:
        return at + _DAY - 1
    if int(hour) > 23 or max(int(minute), int(second or 0)) > 59:  # noqa: PLR2004  # of a day, of an hour
        return 0
    return at + 3600 * int(hour) + 60 * int(minute) + int(second or 59)


def _midnight(iso: str) -> int:
    """Return the last second of an ISO day."""
    return calendar.timegm(time.strptime(iso[:10], "%Y-%m-%d")) + _DAY - 1


def _spoken_day(name: str, today: str, *, first: bool = False) -> str:
    """Return the ISO day that words mean (`March`, `1 March 2026`, `3 weeks ago`), the first or last of them; or ""."""
    if not all(_WORD.fullmatch(word) for word in name.replace(",", " ").split()):
        return ""  # a name that only has the letters or digits of a day in it, as 2026-W10
    spoken = f"in {name.title()}"
    if spans := days.find_spans(spoken):
        span = spans[0]
        iso = span.first if first else span.last
        if iso.startswith("--"):  # no year: the last one that has been
            this = f"{today[:4]}-{span.first[2:]}"
            year = int(today[:4]) - (this > today)
            iso = f"{year}{iso[1:]}"
        year, month, number = map(int, iso.split("-"))
        return f"{year:04}-{month:02}-{min(number, calendar.monthrange(year, month)[1]):02}"
    if spans := days.find_spans(spoken, today):  # so long ago, give or take: what lies in the middle
        ends = [_midnight(end) for end in (spans[0].first, spans[0].last)]
        return time.strftime("%Y-%m-%d", time.gmtime(sum(ends) // 2))
    return ""
