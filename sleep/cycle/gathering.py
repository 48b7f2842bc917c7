"""What is taken from the events of a transcript before anything is chosen: cleaned words, edited files, errors.

Owns cleaning (secrets and home directories out, paths below the project relative), which edits took, what broke and
what was done until the same call went well, and keeping all that in bounded memory however long the transcript is.
Refuses to choose what is kept: that is `digest`'s. What stands in the transcript up to a given line is read for what it
tells about the rest (where the project is, which call a result belongs to), and is not taken again.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import digest as choosing
from sleep.compression import passages
from sleep.text import homes, redaction, untrusted
from sleep.transcripts import commands
from sleep.transcripts.events import Event

if TYPE_CHECKING:
    from collections.abc import Sequence

ERROR = 200  # characters of an error that are kept
ERRORS = 5
_OPEN = 16  # errors that wait for the same call to go well
_NAMED = 3  # files that an error's end names
_SAID = ("prompt", "answer", "text", "summary", "plan", "ask")
_CALLS = ("edit", "run", "call")
_MOST = 2_000_000  # characters of speech that are held; of more, the passages that tell most go on
_THINNED = 16_000  # tokens of these
_CUT = re.compile(r"\s*(?:\||;|>|\d>|&>)")  # what a command's output goes to does not say which command it is
_KEY = 3  # words of a command that say which it is, besides its options


class Files(NamedTuple):
    """The files that the agent edited, most edited first: those that changed, and those where no edit took."""

    changed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()


class Fault(NamedTuple):
    """An error: its words, where and when it was told, how it ended ("" where nobody can tell), and where that was."""

    text: str
    line: int = 0
    at: str = ""
    solved: str = ""
    until: int = 0


class _Call(NamedTuple):
    """A call whose result is not there yet: what it was, and the files that it edits."""

    key: str
    paths: tuple[str, ...] = ()


class Gathered:
    """What is taken from the events of a transcript, cleaned.

    Args:
        homes: home directories, which become `~`.
        known: values of secrets, which are taken out wherever they stand.
        since: the line up to which the transcript was digested before; its events for a client that writes no lines.
    """

    def __init__(self, homes: Sequence[str], known: Sequence[str], since: int = 0) -> None:
        self.said: list[Event] = []
        self.unread = 0
        self.redacted = 0
        self.refused = 0
        self.reached = 0  # the last line that could be read
        self.first = self.last = ""  # when it began and ended, as the client wrote it
        self.begun = 0  # the line of the first edit
        self.edited = Event("agent", "edit")  # the last edit
        self.paths: dict[str, frozenset[str]] = {}
        self._homes, self._known, self._since = homes, known, since
        self._root: re.Pattern[str] | None = None
        self._events = 0
        self._held = 0
        self._calls: dict[str, _Call] = {}
        self._cleaned: dict[str, str] = {}
        self._times: dict[str, int] = {}
        self._tried: dict[str, None] = {}
        self._faults: dict[str, Fault] = {}
        self._broken: dict[str, tuple[str, dict[str, None]]] = {}  # call -> its error, the files edited since
        self._tasks = Event("agent", "tasks")

    def take(self, event: Event) -> None:
        """Take one event; a sub-agent's are its parent's to report."""
        self._events += 1
        place = event.line or self._events
        fresh = place > self._since
        if event.kind == "unread":
            self.unread += fresh
            return
        self.reached = max(self.reached, place)
        if event.kind == "root":
            root = re.escape(event.path.rstrip("/\\"))
            self._root = re.compile(rf"(?<![\w./~-]){root}[/\\]+") if root else None
        elif event.side:
            return
        elif event.kind in _CALLS:
            self._call(event, fresh=fresh)
        elif event.kind == "result":
            self._result(event, fresh=fresh)
        elif fresh and event.kind in _SAID:
            self._say(event)
        elif fresh and event.kind == "tasks":
            self._tasks = event
        if fresh and event.at:
            self.first, self.last = self.first or event.at, event.at

    def _say(self, event: Event) -> None:
        self.said.append(event._replace(text=self.clean(event.text)))
        self._held += len(event.text)
        if self._held > _MOST:
            kept = [one.passage for one in choosing.choose(passages.cut(self.said), _THINNED)]
            kept.sort(key=lambda one: one.order)
            self.said = [Event(one.role, one.kind, one.text, one.at, line=one.line) for one in kept]
            self._held = sum(len(one.text) for one in self.said)

    def _call(self, event: Event, *, fresh: bool) -> None:
        if fresh and event.kind == "run" and (message := commands.commit_message(event.text)):
            self._say(event._replace(kind="commit", text=message))
        path = self._path(event.path) if event.path else ""
        if path and fresh:
            name = os.path.basename(path)
            self.paths[name] = self.paths.get(name, frozenset()) | {path}
        edits = (path,) if path and fresh and event.kind == "edit" else ()
        for one in edits:
            self._times[one] = self._times.get(one, 0) + 1
            self.begun, self.edited = self.begun or event.line, event
        if event.id:
            before = self._calls.get(event.id, _Call("")).paths  # one patch edits several files
            self._calls[event.id] = _Call(_key(event), (*before, *edits))

    def _result(self, event: Event, *, fresh: bool) -> None:
        call = self._calls.pop(event.id, _Call(""))
        if event.ok:
            for _, since in self._broken.values():
                since.update(dict.fromkeys(call.paths))
            if (broken := self._broken.pop(call.key, None)) and (fault := self._faults.get(broken[0])):
                if call.paths:  # the edit took in the end: nothing was broken but the call
                    del self._faults[fault.text]
                else:
                    self._faults[fault.text] = fault._replace(solved=_solved(tuple(broken[1])), until=event.line)
            return
        for path in call.paths:
            self._times[path] -= 1
            self._tried[path] = None
        if fresh:
            self._error(event, call.key)

    def _error(self, event: Event, key: str) -> None:
        words = self.clean(" ".join(event.text.split()))
        if untrusted.is_instruction(event.text):  # all of it, before it is clipped
            self.refused += 1
            return
        if len(words) > ERROR:
            words = f"{words[: ERROR // 2 - 1].rsplit(' ', 1)[0]}…{words[-ERROR // 2 :].split(' ', 1)[-1]}"
        if not words:
            return
        self._faults.pop(words, None)
        self._faults[words] = Fault(words, event.line, event.at)
        if key:
            since = self._broken.pop(key, (words, {}))[1]
            self._broken[key] = (words, since)
        for waiting, most in ((self._faults, _OPEN + ERRORS), (self._broken, _OPEN)):
            while len(waiting) > most:
                del waiting[next(iter(waiting))]

    def _path(self, path: str) -> str:
        if path not in self._cleaned:
            self._cleaned[path] = self.clean(path).replace("\\", "/")
        return self._cleaned[path]

    def clean(self, text: str) -> str:
        """Return a text without secrets and home directories, with paths below the project relative."""
        text, found = redaction.redact(text, self._known)
        self.redacted += len(found)
        if self._root:
            text = self._root.sub("", text)
        return homes.hide(text, self._homes)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The last errors, each once."""
        return tuple(self._faults.values())[-ERRORS:]

    def tasks(self) -> list[Event]:
        """Return the tasks that the agent's last list leaves open, as something that is said at the end."""
        rows = self._tasks.text.split("\n")
        left = [row.removeprefix("- [ ] ") for row in rows if row.startswith("- [ ] ")]
        return [self._tasks._replace(kind="task", text=self.clean(row)) for row in left]

    @property
    def files(self) -> Files:
        """The files that edits went to."""
        changed = sorted((path for path, times in self._times.items() if times), key=lambda path: -self._times[path])
        return Files(tuple(changed), tuple(path for path in self._tried if not self._times[path]))

    @property
    def edits(self) -> tuple[int, ...]:
        """How many edits each of the changed files had."""
        return tuple(self._times[path] for path in self.files.changed)


def _key(event: Event) -> str:
    """Return what makes two calls the same, but for how they go about it: `run pytest tests`, `edit lock.py`."""
    if event.kind != "run":
        return f"{event.kind} {event.path or event.text}"
    last = event.text.rsplit("&&", 1)[-1]
    words = [word for word in _CUT.split(last, 1)[0].split() if not word.startswith("-") and "=" not in word]
    return f"run {' '.join(words[:_KEY])}"


def _solved(edited: tuple[str, ...]) -> str:
    """Return how an error ended, in our words."""
    if not edited:
        return "it went well when it was tried again"
    more = f" and {len(edited) - _NAMED} more" if len(edited) > _NAMED else ""
    return f"it went well after edits of {', '.join(edited[:_NAMED])}{more}"
