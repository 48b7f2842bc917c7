"""The ledger as a value: the sessions that no sleep has consolidated, and what they add up to.

Owns its form, `.sleep.json`: the requirement's schema, newest session first, with a few keys of ours behind it, and
keys of others kept as they are. Reads whatever stands there, and says what it could not read. Refuses the clock and the
disk: times are ISO 8601 text here.
"""

from __future__ import annotations

import json

from sleep.debt.ids import safe
from sleep.tuples import NamedTuple

_MOST = 10**15  # a number above is garbage
_TOP = 3  # the highest score
_NAMED = 5  # of what cannot be read
UNREADABLE = "cannot be read as a ledger"


class Measure(NamedTuple):
    """How much happened: edits that took, and, for `score_by: substance`, turns, decisions and new words."""

    changes: int = 0
    turns: int = 0
    decisions: int = 0
    words: int = 0

    def plus(self, other: Measure) -> Measure:
        """Return both together."""
        return Measure(*map(sum, zip(self, other, strict=True)))

    def minus(self, other: Measure) -> Measure:
        """Return what is more in this one, never below nothing."""
        return Measure(*(max(0, one - less) for one, less in zip(self, other, strict=True)))


NOTHING = Measure()


class Session(NamedTuple):
    """A session's record, or a manual entry's (`manual-MILLISECONDS`, without a transcript).

    The first six are the requirement's; `score` is None while a session is pending, `change_count` while nothing was
    counted. Both are of what no sleep has settled. `talk` are turns, decisions and words of the same, where they are
    scored; `settled` is what was consolidated before; `skipped` says why it was not counted; `more` are keys of others.
    """

    session_id: str
    transcript_path: str | None = None
    stopped_at: str = ""
    last_assistant_message: str | None = None
    change_count: int | None = None
    score: int | None = None
    talk: tuple[int, int, int] = (0, 0, 0)
    settled: Measure = NOTHING
    skipped: str = ""
    more: tuple[tuple[str, object], ...] = ()

    @property
    def measure(self) -> Measure:
        """What happened in it since it was settled."""
        return Measure(self.change_count or 0, *self.talk)

    @property
    def total(self) -> Measure:
        """What happened in it from its beginning."""
        return self.settled.plus(self.measure)

    def measured(self, measure: Measure, score: int | None) -> Session:
        """Return the record with another measure and its score."""
        talk = (measure.turns, measure.decisions, measure.words)
        return self._replace(change_count=measure.changes, talk=talk, score=score)


class Settlement(NamedTuple):
    """What a sleep settles, as it stood when it began: `portions` by session id, each counted from its beginning.

    `rest` is debt that no session explains, `debt` all of it. `cycle` and `instance` are of the sleep that a crash
    could cut off, `pid` and `started` its process; `undo` if it is one that is being undone.
    """

    at: str
    portions: tuple[tuple[str, Measure], ...] = ()
    rest: int = 0
    debt: int = 0
    cycle: int = 0
    instance: str = ""
    pid: int = 0
    started: str = ""
    undo: bool = False

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to settle."""
        return not (self.portions or self.rest)

    @property
    def sessions(self) -> tuple[str, ...]:
        """The ids, newest first."""
        return tuple(name for name, _ in self.portions)


class Slept(NamedTuple):
    """One settling in the ledger's history: when, what the sleep said, what it settled, and its cycle (0: by hand).

    `returned` if an undo gave it back.
    """

    at: str
    summary: str = ""
    debt: int = 0
    rest: int = 0
    cycle: int = 0
    instance: str = ""
    sessions: tuple[Session, ...] = ()
    returned: bool = False


class Ledger(NamedTuple):
    """The whole state. `debt` is the sum of the scores and of `rest`; `trouble` says what could not be read, or "".

    `epoch` is a sleep by hand under way, `sleeping` one by the program.
    """

    last_sleep: str | None = None
    last_sleep_summary: str | None = None
    sessions: tuple[Session, ...] = ()
    last_sleep_at: str | None = None
    epoch: Settlement | None = None
    sleeping: Settlement | None = None
    history: tuple[Slept, ...] = ()
    rest: int = 0
    more: tuple[tuple[str, object], ...] = ()
    trouble: str = ""

    @property
    def debt(self) -> int:
        """The debt."""
        return self.rest + sum(one.score or 0 for one in self.sessions)

    def find(self, session_id: str) -> Session | None:
        """Return a session's record, or None."""
        return next((one for one in self.sessions if one.session_id == session_id), None)


def parse(text: str | None) -> Ledger:
    """Return the ledger that a text holds; defaults for what is missing, `trouble` for what is something else."""
    if text is None:
        return Ledger()
    try:
        raw = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return Ledger(trouble=f"{UNREADABLE}: it is no JSON, or torn")
    if not isinstance(raw, dict):
        return Ledger(trouble=f"{UNREADABLE}: it is {_kind(raw)}, not an object")
    reading = _Reading()
    sessions = reading.sessions("sessions", raw.pop("sessions", None))
    debt = reading.whole("debt", raw.pop("debt", None)) or 0
    ledger = Ledger(
        last_sleep=reading.text("last_sleep", raw.pop("last_sleep", None)),
        last_sleep_summary=reading.text("last_sleep_summary", raw.pop("last_sleep_summary", None)),
        sessions=sessions,
        last_sleep_at=reading.text("last_sleep_at", raw.pop("last_sleep_at", None)) or None,
        epoch=reading.settlement("epoch", raw.pop("epoch", None)),
        sleeping=reading.settlement("sleeping", raw.pop("sleeping", None)),
        history=reading.history(raw.pop("history", None)),
        rest=max(0, debt - sum(one.score or 0 for one in sessions) - _TOP * reading.unscored),
        more=tuple(raw.items()),
    )
    return ledger._replace(trouble=f"{UNREADABLE} in {reading.named}" if reading.wrong else "")


def render(ledger: Ledger) -> str:
    """Return the ledger's text: indented by two, the requirement's keys first."""
    whole: dict[str, object] = {
        "debt": ledger.debt,
        "last_sleep": ledger.last_sleep,
        "last_sleep_summary": ledger.last_sleep_summary,
        "sessions": [_record(one) for one in ledger.sessions],
    }
    if ledger.last_sleep_at:
        whole["last_sleep_at"] = ledger.last_sleep_at
    if ledger.epoch:
        whole["epoch"] = _settlement(ledger.epoch)
    if ledger.sleeping:
        whole["sleeping"] = _settlement(ledger.sleeping)
    if ledger.history:
        whole["history"] = [_slept(one) for one in ledger.history]
    return dumped({**whole, **dict(ledger.more)})


def dumped(value: object) -> str:
    """Return JSON as our files have it; what no file can hold (half a surrogate pair) stays escaped."""
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return json.dumps(value, indent=2) + "\n"
    return text


def whole_number(value: object) -> int | None:
    """Return a value where it is a whole number from 0, else None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if 0 <= value <= _MOST and value == int(value) else None


def measure_of(value: object) -> Measure | None:
    """Return a measure from its list, or None."""
    numbers = [whole_number(one) for one in value] if isinstance(value, list) else []
    found = [one for one in numbers if one is not None]
    return Measure(*found) if found and len(found) == len(numbers) <= len(NOTHING) else None


def _record(session: Session) -> dict[str, object]:
    record: dict[str, object] = dict(zip(Session._fields[:6], session[:6], strict=True))
    if any(session.talk):
        record["talk"] = list(session.talk)
    if session.settled != NOTHING:
        record["settled"] = list(session.settled)
    if session.skipped:
        record["skipped"] = session.skipped
    return {**record, **dict(session.more)}


def _settlement(one: Settlement) -> dict[str, object]:
    found: dict[str, object] = {**one._asdict(), "sessions": {name: list(total) for name, total in one.portions}}
    del found["portions"]
    return {key: value for key, value in found.items() if value or key in ("at", "sessions")}


def _slept(one: Slept) -> dict[str, object]:
    found: dict[str, object] = {**one._asdict(), "sessions": [_record(each) for each in one.sessions]}
    return {key: value for key, value in found.items() if value or key in ("at", "debt", "sessions")}


def _kind(value: object) -> str:
    kinds = {list: "an array", str: "a text", bool: "a truth value", type(None): "null"}
    return kinds.get(type(value), "a number")


class _Reading:
    """One reading of a ledger: values where they are what they should be, and the names of those that are not."""

    __slots__ = ("wrong",)

    def __init__(self) -> None:
        self.wrong: list[str] = []

    def text(self, name: str, value: object) -> str | None:
        if value is None or isinstance(value, str):
            return value
        self.wrong.append(name)
        return None

    def whole(self, name: str, value: object) -> int | None:
        found = whole_number(value)
        if found is None and value is not None:
            self.wrong.append(name)
        return found

    def measure(self, name: str, value: object) -> Measure:
        found = measure_of(value)
        if found is None and value is not None:
            self.wrong.append(name)
        return found or NOTHING

    def sessions(self, name: str, value: object) -> tuple[Session, ...]:
        if value is None:
            return ()
        if not isinstance(value, list):
            self.wrong.append(name)
            return ()
        found: dict[str, Session] = {}
        for index, one in enumerate(value):
            session = self.session(f"{name}[{index}]", one)
            if session is not None:
                found.setdefault(session.session_id, session)
        return tuple(found.values())

    def session(self, name: str, value: object) -> Session | None:
        raw = dict(value) if isinstance(value, dict) else {}
        session_id = raw.pop("session_id", None)
        if not isinstance(session_id, str) or not session_id.strip():
            self.wrong.append(name)
            return None
        talk = self.measure(f"{name}.talk", raw.pop("talk", None))
        return Session(
            safe(session_id),
            self.text(f"{name}.transcript_path", raw.pop("transcript_path", None)),
            self.text(f"{name}.stopped_at", raw.pop("stopped_at", None)) or "",
            self.text(f"{name}.last_assistant_message", raw.pop("last_assistant_message", None)),
            self.whole(f"{name}.change_count", raw.pop("change_count", None)),
            self.whole(f"{name}.score", raw.pop("score", None)),
            (talk[0], talk[1], talk[2]),
            self.measure(f"{name}.settled", raw.pop("settled", None)),
            self.text(f"{name}.skipped", raw.pop("skipped", None)) or "",
            tuple(raw.items()),
        )

    def settlement(self, name: str, value: object) -> Settlement | None:
        if value is None:
            return None
        raw = value if isinstance(value, dict) else {}
        portions = raw.get("sessions")
        if not isinstance(raw.get("at"), str) or not isinstance(portions, dict):
            self.wrong.append(name)
            return None
        return Settlement(
            raw["at"],
            tuple(
                (safe(each), self.measure(f"{name}.sessions", one)) for each, one in portions.items() if each.strip()
            ),
            self.whole(f"{name}.rest", raw.get("rest")) or 0,
            self.whole(f"{name}.debt", raw.get("debt")) or 0,
            self.whole(f"{name}.cycle", raw.get("cycle")) or 0,
            self.text(f"{name}.instance", raw.get("instance")) or "",
            self.whole(f"{name}.pid", raw.get("pid")) or 0,
            self.text(f"{name}.started", raw.get("started")) or "",
            bool(raw.get("undo")),
        )

    def history(self, value: object) -> tuple[Slept, ...]:
        if value is None:
            return ()
        if not isinstance(value, list):
            self.wrong.append("history")
            return ()
        found = []
        for index, one in enumerate(value):
            name = f"history[{index}]"
            if not isinstance(one, dict) or not isinstance(one.get("at"), str):
                self.wrong.append(name)
                continue
            found.append(
                Slept(
                    one["at"],
                    self.text(f"{name}.summary", one.get("summary")) or "",
                    self.whole(f"{name}.debt", one.get("debt")) or 0,
                    self.whole(f"{name}.rest", one.get("rest")) or 0,
                    self.whole(f"{name}.cycle", one.get("cycle")) or 0,
                    self.text(f"{name}.instance", one.get("instance")) or "",
                    self.sessions(f"{name}.sessions", one.get("sessions")),
                    bool(one.get("returned")),
                )
            )
        return tuple(found)

    @property
    def named(self) -> str:
        """The names, as many as a line has room for."""
        more = len(self.wrong) - _NAMED
        return ", ".join(self.wrong[:_NAMED]) + (f" and {more} more" if more > 0 else "")

    @property
    def unscored(self) -> int:
        """How many sessions have a score that is none: they are counted again, so the debt is not theirs twice."""
        return sum(name.startswith("sessions[") and name.endswith(".score") for name in self.wrong)
