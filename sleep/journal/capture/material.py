"""What is taken from the events of a transcript before anything is chosen: cleaned words, edited files, errors.

Owns cleaning (secrets and home directories out, paths below the project relative), which edits took, what broke and
what was done until the same call went well, and keeping all that in bounded memory however long the transcript is.
Refuses to choose what is kept: that is `compression.digest`'s. What stands in the transcript up to a given line is read
for what it tells about the rest (where the project is, which call a result belongs to), and is not taken again.
"""

from __future__ import annotations

import os
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import digest as choosing
from sleep.compression import passages
from sleep.journal.capture.inquiry import Inquiry
from sleep.language.acts import statements
from sleep.redaction import homes, secret_scan, terminal, untrusted
from sleep.transcripts import shell
from sleep.transcripts.events import Event

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.compression.passages import Passage
    from sleep.journal.capture.inquiry import Finding

ERROR = 200  # characters of an error that are kept
ERRORS = 5  # that are kept of those that were mended, and of the others
ELSEWHERE = -1  # the line of what stands in a sub-agent's own file: when it was done tells whether it is new
_OPEN = 16  # errors that wait for the same call to go well
_NAMED = 3  # files that an error's end names
_REMARKS = 8  # messages behind an error that are held
# No summaries of what a client cut away: what they sum up was said, and is read where it was.
_SPEECH = ("prompt", "answer", "text", "plan", "ask")
_REPLIES = ("prompt", "answer")
_CALLS = ("edit", "run", "call")
_MOST = 2_000_000  # characters of speech that are held; of more, the passages that tell most go on
_THINNED = 16_000  # tokens of these
_CUT = re.compile(r"[|;>]|\d>|&>")  # what a command's output goes to does not say which command it is
_KEY = 3  # words of a command that say which it is, besides its options


class Files(NamedTuple):
    """The files that the agent edited, most edited first: those that changed, and those where no edit took.

    `edits` are how many each of the changed files had.
    """

    changed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    edits: tuple[int, ...] = ()


class Fault(NamedTuple):
    """An error: its words, where and when it was told, how it ended ("" where nobody can tell), and where that was.

    `mended` are the files that were edited until the same command went well. `remarks` are what the agent said before
    the first of these edits in its turn, `remedy` what it said right before that edit, in its turn or the next.
    """

    text: str
    line: int = 0
    at: str = ""
    solved: str = ""
    until: int = 0
    mended: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    remedy: str = ""

    @property
    def change(self) -> str:
        """What mended it, in our words, "" for an error that nobody mended by an edit."""
        return edits_of(self.mended)


class Work(NamedTuple):
    """The messages after edits or a commit in their turn, those of turns with edits, and these with the turn behind.

    `contradicted` and `declined` are those that a person's next words contradict, or say no to, `findings` those that
    ended a turn of looks.
    """

    after: frozenset[int] = frozenset()
    beside: frozenset[int] = frozenset()
    near: frozenset[int] = frozenset()
    contradicted: frozenset[int] = frozenset()
    declined: frozenset[int] = frozenset()
    findings: Mapping[int, Finding] = MappingProxyType({})


class _Call(NamedTuple):
    """A call whose result is not there yet: what it was, and the files that it edits."""

    key: str
    paths: tuple[str, ...] = ()


class _Breakage(NamedTuple):
    """A call that failed and has not gone well since: the words of its error, and the files edited since, in order.

    `turn` is that of the error; to `remarks` and `remedy` (see `Fault`) no more comes once it `is_edited`.
    """

    error: str
    edited: dict[str, None]
    turn: int = 0
    remarks: tuple[str, ...] = ()
    remedy: str = ""
    is_edited: bool = False


class Material:
    """What is taken from the events of a transcript, cleaned.

    Args:
        homes: home directories, which become `~`.
        known: values of secrets, which are taken out wherever they stand.
        since: the line up to which the transcript was digested before; its events for a client that writes no lines.
        root: the directory of the project, for a client that does not say where it works.
    """

    def __init__(self, homes: Sequence[str], known: Sequence[str], since: int = 0, root: str = "") -> None:
        self.said: list[Event] = []
        self.turns: list[tuple[int, bool]] = []  # by what was said: its turn, and whether that had edits before it
        self.edited_turns: set[int] = set()
        self.unread = 0
        self.redacted = 0
        self.refused = 0
        self.reached = 0  # the last line that could be read
        self.first = self.last = ""  # when it began and ended, as the client wrote it
        self.begun = 0  # the line of the first edit
        self.edited = Event("agent", "edit")  # the last edit
        self.paths: dict[str, frozenset[str]] = {}
        self._homes, self._known, self._since = homes, known, since
        self._before = ""  # when the last thing was said that was digested before
        self._put = Event("agent", "text")  # what an agent said last before what is new, while nobody replied
        self._root = _below(root)
        self._events = 0
        self._turn, self._is_at_work = 0, False
        self._inquiry = Inquiry()
        self._held = 0
        self._calls: dict[str, _Call] = {}
        self._cleaned: dict[str, str] = {}
        self._times: dict[str, int] = {}
        self._tried: dict[str, None] = {}
        self._faults: dict[str, Fault] = {}
        self._broken: dict[str, _Breakage] = {}  # by call
        self._tasks = Event("agent", "tasks")

    @property
    def requests(self) -> int:
        """How many messages of a person are new, also of a session too long to be held whole."""
        return self._turn

    def take(self, event: Event) -> None:
        """Take one event; what a sub-agent said is its parent's to report, its edits are the session's."""
        if event.line == ELSEWHERE:
            self._side(event, fresh=not self._since or event.at > self._before)
            return
        self._events += 1
        place = event.line or self._events
        fresh = place > self._since
        if event.kind == "unread":
            self.unread += fresh
            return
        self.reached = max(self.reached, place)
        if event.side:
            self._side(event, fresh=fresh)
            return
        self._take(event, fresh=fresh)
        if not fresh:
            self._before = event.at or self._before
            if event.kind in ("text", *_REPLIES):
                self._put = event if event.kind == "text" else Event("agent", "text")
        elif event.at:
            self.first, self.last = self.first or event.at, event.at

    def _take(self, event: Event, *, fresh: bool) -> None:
        if event.kind == "root":
            self._root = _below(event.path)
        elif event.kind in _CALLS:
            self._call(event, fresh=fresh)
        elif event.kind == "result":
            self._result(event, fresh=fresh)
        elif fresh and event.kind in _SPEECH:
            self._say(event._replace(ok=event.ok and not event.id) if event.kind == "plan" else event)
        elif fresh and event.kind == "tasks":
            self._tasks = event

    def _side(self, event: Event, *, fresh: bool) -> None:
        """Take a sub-agent's edit, or that one failed."""
        if event.kind == "edit":
            self._call(event, fresh=fresh)
        elif event.kind == "result" and not event.ok:
            self._undone(self._calls.pop(event.id, _Call("")))

    def _undone(self, call: _Call) -> None:
        for path in call.paths:
            self._times[path] -= 1
            self._tried[path] = None

    def _say(self, event: Event) -> None:
        text = self.clean(event.text)
        if not text:
            return
        if event.kind == "prompt":
            last = self.said[-1] if self.said else event
            self._inquiry.begin(text, len(self.said) - 1, last.text if last.kind == "text" else "")
            self._turn, self._is_at_work = self._turn + 1, False
        self.said.append(event._replace(text=text, asked=self.clean(event.asked)))
        if event.kind == "text":
            self._explain(text)
        self.turns.append((self._turn, self._is_at_work))
        self._held += len(event.text)
        if self._held > _MOST:
            best = [passage.passage for passage in choosing.choose(passages.cut(self.said), _THINNED)]
            best.sort(key=lambda passage: passage.order)
            self.turns = [self.turns[passage.message] for passage in best]
            self.said = [
                Event(passage.role, passage.kind, _again(passage), passage.at, line=passage.line) for passage in best
            ]
            self._held = sum(len(passage.text) for passage in self.said)
            self._inquiry = Inquiry()

    def _explain(self, text: str) -> None:
        """Take in what an agent says about what is broken, "" for a call that edits nothing."""
        for key, breakage in self._broken.items():
            if not breakage.is_edited:
                is_near = bool(text) and self._turn == breakage.turn
                remarks = (*breakage.remarks, text)[-_REMARKS:] if is_near else breakage.remarks
                remedy = text if self._turn - breakage.turn <= 1 else ""
                self._broken[key] = breakage._replace(remarks=remarks, remedy=remedy)

    def _call(self, event: Event, *, fresh: bool) -> None:
        if fresh and event.kind == "run" and (message := shell.commit_message(event.text)):
            self._is_at_work = True
            self._say(event._replace(kind="commit", text=message))
        path = self._path(event.path) if event.path else ""
        if path and fresh:
            name = os.path.basename(path)
            self.paths[name] = self.paths.get(name, frozenset()) | {path}
        edits = (path,) if path and fresh and event.kind == "edit" else ()
        if event.kind != "edit":
            self._explain("")
            self._inquiry.look()
        for edited in edits:
            self._times[edited] = self._times.get(edited, 0) + 1
            if event.line != ELSEWHERE:
                self._is_at_work = True
                self.edited_turns.add(self._turn)
                self.begun, self.edited = self.begun or event.line, event
                self._inquiry.edit(edited)
        if event.id:
            before = self._calls.get(event.id, _Call("")).paths  # one patch edits several files
            self._calls[event.id] = _Call(_key(event), (*before, *edits))

    def _result(self, event: Event, *, fresh: bool) -> None:
        if event.ok:
            self._agree(event.id)
        call = self._calls.pop(event.id, _Call(""))
        if event.ok:
            for key, breakage in self._broken.items():
                breakage.edited.update(dict.fromkeys(call.paths))
                self._broken[key] = breakage._replace(is_edited=breakage.is_edited or bool(call.paths))
            if (broken := self._broken.pop(call.key, None)) and (fault := self._faults.get(broken.error)):
                if call.paths:  # the edit took in the end: nothing was broken but the call
                    del self._faults[fault.text]
                else:
                    mended = fault._replace(
                        until=event.line, mended=tuple(broken.edited), remarks=broken.remarks, remedy=broken.remedy
                    )
                    self._faults[fault.text] = mended._replace(solved=_solved(mended.change))
            return
        self._undone(call)
        if fresh:
            self._error(event, call.key)

    def _agree(self, call: str) -> None:
        """Take in that a call of the agent's went well: a plan that was put forward by it is agreed to."""
        for number in range(len(self.said) - 1, -1, -1):
            if self.said[number].kind == "plan" and call and self.said[number].id == call:
                self.said[number] = self.said[number]._replace(ok=True)

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
            edited = self._broken.pop(key, _Breakage(words, {})).edited
            self._broken[key] = _Breakage(words, edited, self._turn)
        for waiting, most in ((self._faults, _OPEN + 2 * ERRORS), (self._broken, _OPEN)):
            while len(waiting) > most:
                del waiting[next(iter(waiting))]

    def _path(self, path: str) -> str:
        if path not in self._cleaned:
            self._cleaned[path] = self.clean(path).replace("\\", "/")
        return self._cleaned[path]

    def clean(self, text: str) -> str:
        """Return a text as it shows, without secrets and home directories, with paths below the project relative."""
        text, secrets = secret_scan.redact(terminal.strip_escapes(text), self._known)
        self.redacted += len(secrets)
        if self._root:
            text = self._root.sub("", text)
        return homes.hide(text, self._homes)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The last errors that were mended, and the last of all others, each once, in their order."""
        left: dict[bool, int] = {True: ERRORS, False: ERRORS}
        last = []
        for fault in reversed(self._faults.values()):
            if left[bool(fault.mended)]:
                left[bool(fault.mended)] -= 1
                last.append(fault)
        return tuple(reversed(last))

    def tasks(self) -> list[Event]:
        """Return the tasks that the agent's last list leaves open, as something that is said at the end."""
        rows = self._tasks.text.split("\n")
        left = [row.removeprefix("- [ ] ") for row in rows if row.startswith("- [ ] ")]
        return [self._tasks._replace(kind="task", text=self.clean(row)) for row in left]

    def work(self, first: int) -> Work:
        """Return which messages the edits belong to; `first` is the number of the first that is new."""
        turns, edited = dict(enumerate(self.turns, first)), self.edited_turns
        return Work(
            frozenset(number for number, (_, is_at_work) in turns.items() if is_at_work),
            frozenset(number for number, (turn, _) in turns.items() if turn in edited),
            frozenset(number for number, (turn, _) in turns.items() if not edited.isdisjoint((turn, turn - 1))),
            findings={first + number: finding for number, finding in self._inquiry.findings.items()},
        )

    @property
    def put(self) -> tuple[Event, ...]:
        """What the agent said last before what is new, cleaned: a reply may take it up. Nothing where nobody waits."""
        redacted = self.redacted
        put = self._put._replace(text=self.clean(self._put.text))
        self.redacted = redacted  # they were told
        return (put,) if put.text.strip() else ()

    @property
    def files(self) -> Files:
        """The files that edits went to."""
        changed = sorted((path for path, times in self._times.items() if times), key=lambda path: -self._times[path])
        unchanged = tuple(path for path in self._tried if not self._times[path])
        return Files(tuple(changed), unchanged, tuple(self._times[path] for path in changed))


def edits_of(paths: Sequence[str]) -> str:
    """Return that files were edited, in our words, "" for none."""
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return f"edits of {', '.join(paths[:_NAMED])}{more}" if paths else ""


def _again(passage: Passage) -> str:
    """Return a passage's text as it is cut into the same passage a second time."""
    return (
        statements.plainly(passage.states, passage.text, passage.why)
        if passage.states and passage.kind != "ask"
        else passage.text
    )


def _below(root: str) -> re.Pattern[str] | None:
    """Return what begins a path below a directory, None for the disk itself."""
    bare = re.escape(root.rstrip("/\\"))
    return re.compile(rf"(?<![\w./~-]){bare}[/\\]+") if bare else None


def _key(event: Event) -> str:
    """Return what makes two calls the same, but for how they go about it: `run pytest tests`, `edit lock.py`.

    Of a call that is neither a command nor names a file nobody can tell: "".
    """
    if event.kind != "run":
        return f"{event.kind} {event.path}" if event.path else ""
    last = event.text.rsplit("&&", 1)[-1]
    words = [word for word in _CUT.split(last, 1)[0].split() if not word.startswith("-") and "=" not in word]
    return f"run {' '.join(words[:_KEY])}"


def _solved(change: str) -> str:
    """Return how an error ended, in our words."""
    return f"it went well after {change}" if change else "it went well when it was tried again"
