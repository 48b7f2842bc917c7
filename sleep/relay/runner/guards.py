"""What a headless agent is prompted with, when, and what of its answer is said: the guards against loops and cost.

Owns the rules of a runner: its agent never hears itself (nor its own words from somebody else), has one turn at a time
and so many an hour, gets a prompt of bounded size, and is left alone while it sleeps. Refuses every clock, process and
network: the time comes with the call.
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from sleep.plurals import several
from sleep.redaction import secret_scan
from sleep.relay.engine import markers, names
from sleep.relay.notices import Fired, Lost, Message, Welcome, Woke

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.relay.notices import Notice

HOUR = 3600.0
_SLACK = 5.0  # seconds after its time that a sleeper waits for the relay to wake it, before it wakes by itself
_SETTLES = 10  # times the settling time that talk which never pauses can put a turn off
_SHARE = 4  # one message takes no more than this part of a prompt
_ECHOES = 20  # own answers that are known again
_HEAD = 1000  # characters of a prompt that are ours
_ANSWERED = 200  # answered messages that are known again
_LONG = 32  # characters of a name that are shown
_LABEL = re.compile(r"\[(#\S{1,31}(?=\] \S{1,32}: )|to you alone|your callback)\]")
_GAP = "\n\n"  # each message is a paragraph: what one says is not read on in what the next one says


class Limits(NamedTuple):
    """What a runner allows; sizes in characters, times in seconds."""

    turns: int = 30  # in any hour
    prompt: int = 32_000  # also as an argument in UTF-8, of which Linux takes 128 KiB
    waiting: int = 50
    answer: int = 100_000
    settle: float = 0.3
    longest: float = 86_400.0  # a relay allows less, and says when it is over


class Turn(NamedTuple):
    """What an agent is prompted with, and where its answer goes."""

    prompt: str
    to: str
    messages: int


class Answer(NamedTuple):
    """What is sent of an output (with its markers), what of it is text, and how long its agent sleeps then (or 0)."""

    sent: str
    text: str
    sleep: float


class Pace:
    """So many turns in any hour."""

    def __init__(self, turns: int) -> None:
        self._begun: deque[float] = deque(maxlen=max(1, turns))

    def ready(self, now: float) -> float:
        """Return when the next turn may begin."""
        full = len(self._begun) == self._begun.maxlen
        return max(now, self._begun[0] + HOUR) if full else now

    def begin(self, now: float) -> None:
        """Count a turn."""
        self._begun.append(now)


class BacklogItem(NamedTuple):
    """Something heard: its id, where an answer to it belongs (a channel, or the agent that wrote), and its line."""

    ident: str
    place: str
    line: str


class Backlog(NamedTuple):
    """What waits, oldest first, and the ids of what was answered last."""

    items: tuple[BacklogItem, ...] = ()
    answers: tuple[str, ...] = ()


class Guards:
    """The state of one runner.

    Args:
        name: what others call the agent.
        channels: where it listens; other channels are none of its business.
        limits: what it may cost.
        mentions: in a channel only a mention concerns it.
        bare: a prompt is what was said and nothing else.
    """

    def __init__(
        self,
        name: str,
        channels: Sequence[str],
        limits: Limits | None = None,
        *,
        mentions: bool = False,
        bare: bool = False,
    ) -> None:
        self.limits = limits or Limits()
        self._name = name
        self._channels = tuple(channels)
        self._mentions = mentions
        self._bare = bare
        self._own: set[str] = set()
        self._said: deque[str] = deque(maxlen=_ECHOES)
        self._waiting: deque[BacklogItem] = deque()
        self._turn: tuple[BacklogItem, ...] = ()
        self._answered: deque[str] = deque(maxlen=_ANSWERED)
        self._lost = 0
        self._woke: str = ""
        self._asleep: float | None = None  # until when at most
        self._cut = False  # the line is broken: the relay cannot say that it is over
        self._busy = False
        self._first = self._last = 0.0
        self._pace = Pace(self.limits.turns)

    # --- what comes in ------------------------------------------------------------------------------------------------

    def hear(self, notice: Notice, now: float) -> None:
        """Take in what the relay says."""
        if isinstance(notice, Fired) and notice.origin not in self._own:  # what another says, later
            sender, text, to, ident, ts = notice
            notice = Message(sender, "", to, text, ident, ts, replay=False, raw={})
        if isinstance(notice, Welcome):
            self._own.add(notice.agent)
            self._name = notice.name or self._name
            self._cut = False
            if self._asleep is not None:  # a relay that knows the sleeper wakes it now
                self._asleep = max(self._asleep, now + _SLACK)
        elif isinstance(notice, Lost):
            self._cut = True
        elif isinstance(notice, Woke):
            self._lost += notice.dropped
            self._wake(now)
        elif isinstance(notice, Fired):
            if notice.to in {*self._channels, *self._own} and not self._is_known(notice.ident):
                line = self._line("your callback", self._name, notice.payload)
                self._push(BacklogItem(notice.ident, self._place(notice.to, ""), line))
                self._touch(now)
        elif isinstance(notice, Message) and self._concerns(notice):
            where = notice.to if notice.to.startswith("#") else "to you alone"
            line = self._line(where, notice.name or notice.sender, notice.text)
            self._push(BacklogItem(notice.ident, self._place(notice.to, notice.sender), line))
            self._touch(now)

    def ask(self, text: str, now: float) -> None:
        """Take in what the one who started the runner wants."""
        self._push(BacklogItem("", self._place("", ""), text[: self.limits.prompt - _HEAD]))
        self._touch(now)

    def resume(self, backlog: Backlog, now: float) -> None:
        """Take up what a runner before this one heard and did not answer."""
        self._answered.extend(backlog.answers)
        for item in backlog.items:
            self._push(item)
            self._touch(now)
        if backlog.items:
            self._woke = "You were started again; what follows was said to you before that."

    def backlog(self) -> Backlog:
        """Return what waits for an answer, that of the turn under way included, and what was answered last."""
        items = (*self._turn, *self._waiting)
        return Backlog(tuple(item for item in items if item.ident), tuple(self._answered))

    def _is_known(self, ident: str) -> bool:
        return bool(ident) and (
            ident in self._answered or any(ident == item.ident for item in (*self._turn, *self._waiting))
        )

    def _concerns(self, message: Message) -> bool:
        if self._is_known(message.ident):
            return False
        if (
            message.replay
            or message.sender in self._own
            or message.sender == "@server"
            or message.text.strip() in self._said
        ):
            return False
        if not message.to.startswith("#"):
            return True
        words = markers.mentions(message.text) if self._mentions else ()
        mine = {names.fold(self._name), *(agent[1:].lower() for agent in self._own)}
        return message.to in self._channels and (not self._mentions or not mine.isdisjoint(words))

    def _line(self, where: str, name: str, text: str) -> str:
        """Return what somebody said as a quotation in Markdown: their words, which bind nobody; bare, the words alone.

        What looks like a label within them (`[#love] ana: `) loses its brackets, so that no message poses as another.
        """
        most = self._share()
        words = _clipped(text.replace("\0", ""), most)
        if self._bare:
            return words
        words = _LABEL.sub(r"(\1)", words)
        lines = f"[{where}] {name[:_LONG]}: {words}".splitlines()
        return "\n".join(f"> {line}" for line in lines)[: 2 * most]

    def _place(self, to: str, sender: str) -> str:
        if to.startswith("#"):
            return to
        return sender or (self._channels[0] if self._channels else "")

    def _share(self) -> int:
        return max(1, (self.limits.prompt - _HEAD) // _SHARE)

    def _push(self, item: BacklogItem) -> None:
        self._waiting.append(item)
        if len(self._waiting) > self.limits.waiting:
            self._waiting.popleft()
            self._lost += 1

    def _touch(self, now: float) -> None:
        if len(self._waiting) == 1 and not self._woke:
            self._first = now
        self._last = now

    def _wake(self, now: float) -> None:
        self._asleep = None
        self._woke = "You slept, and are awake again."
        self._first = self._last = now

    # --- turns --------------------------------------------------------------------------------------------------------

    def due(self, now: float) -> float | None:
        """Return when `take` has a turn, maybe in the past; None while only something heard can change that."""
        if self._busy:
            return None
        if self._asleep is not None:
            return None if self._cut else self._asleep
        if not self._waiting and not self._woke:
            return None
        settled = min(self._last + self.limits.settle, self._first + _SETTLES * self.limits.settle)
        return max(settled, self._pace.ready(now))

    def take(self, now: float) -> Turn | None:
        """Begin the turn that is due, if one is."""
        overdue = self._asleep is not None and now >= self._asleep
        if overdue and not self._busy and not self._cut:  # the relay forgot it
            self._wake(now)
        due = self.due(now)
        if due is None or now < due:
            return None
        places = {item.place for item in self._waiting}
        to = places.pop() if len(places) == 1 else self._place("", "")
        private = to.startswith("#") and any(not item.place.startswith("#") for item in self._waiting)
        lines, room = [], self.limits.prompt - _HEAD
        for item in reversed(self._waiting):
            room -= len(item.line) + len(_GAP)
            if room < 0:
                break
            lines.append(item.line)
        self._lost += len(self._waiting) - len(lines)
        goal = to if to.startswith("#") else "who wrote to you alone"
        goal += ", not to who wrote to you alone" if private else ""
        turn = Turn(self._prompt(goal, _GAP.join(reversed(lines))), to, len(lines))
        self._turn = tuple(self._waiting)
        self._waiting.clear()
        self._lost, self._woke, self._busy = 0, "", True
        self._pace.begin(now)
        return turn

    def _prompt(self, goal: str, text: str) -> str:
        loss = f" Lost: {several(self._lost, 'older message')}." if self._lost else ""
        if self._bare:
            return text or self._woke
        where = ", ".join(self._channels)[:200] or "no channel"
        nothing = "" if text else " Nothing was said to you."
        head = f"You are {self._name[:_LONG]}, an agent in {where}. {self._woke}{nothing}{loss}".rstrip()
        tail = f"What you answer is sent to {goal}. Answer @@sleep:Ns@@ alone (N: seconds) to stay silent and sleep."
        return _GAP.join((aside(head), *filter(None, (text,)), aside(tail))) + "\n"

    def says(self, answer: Answer, now: float) -> None:
        """Note what is about to be said: to know it again, and to leave the agent alone while it sleeps."""
        if answer.text.strip():
            self._said.append(answer.text.strip())
        if answer.sleep:
            self._asleep = now + answer.sleep + _SLACK

    def rouse(self) -> None:
        """Forget the sleep: the relay refused what had its marker."""
        self._asleep = None

    def done(self) -> None:
        """End the turn: what it was about is answered, whatever came of it."""
        self._busy = False
        self._answered.extend(item.ident for item in self._turn if item.ident)
        self._turn = ()


def aside(text: str) -> str:
    """Return words of the runner's own, so marked that no memory takes them for a person's (`boilerplate.strip`)."""
    return f"<relay-runner>{text}</relay-runner>"


def answer(output: str, limits: Limits, secrets: Sequence[str] = ()) -> Answer:
    """Return what is said of an output: without secrets, and not longer than allowed.

    Of one that is too long the middle goes, and its callbacks; its sleep marker is put in front.
    """
    text = secret_scan.redact(output.rstrip().lstrip("\r\n"), secrets)[0]
    parsed = markers.parse(text)
    sleep = min(parsed.sleep.seconds, limits.longest) if parsed.sleep else 0.0
    if len(text) <= limits.answer:
        return Answer(text, parsed.text, sleep)
    marker = f"@@sleep:{sleep:.3f}s:{parsed.sleep.mode}@@\n" if parsed.sleep else ""
    marker = marker.replace(":default@@", "@@")
    body = _clipped(parsed.text.replace("@@", "@ @"), limits.answer)  # a cut may open or close code
    return Answer(marker + body, body, sleep)


def _clipped(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters are left out ...]\n{text[len(text) - half :]}"
