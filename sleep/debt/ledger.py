"""The ledger as a value: the sessions that no sleep has consolidated, and what they add up to.

Owns its form, `.sleep.json`: the requirement's schema, newest session first, with a few keys of ours behind it, and
keys of others kept as they are. Reads whatever stands there, and says what it could not read. Refuses the clock and the
disk: times are ISO 8601 text here.
"""

from __future__ import annotations

from sleep import lean_json
from sleep.debt import fields
from sleep.debt.fields import Reader
from sleep.debt.ids import safe
from sleep.tuples import NamedTuple

_TOP = 3  # the highest score
BY_HAND = "manual-"  # what the id of an entry by hand begins with
UNREADABLE = "cannot be read as a ledger"


class Session(NamedTuple):
    """A session's record, or a manual entry's (`manual-MILLISECONDS`, without a transcript).

    The first six are the requirement's; `score` is None while a session is pending, `change_count` while nothing was
    counted. Both are of what no sleep has settled; `settled` are the changes before; `skipped` says why it was not
    counted; `more` are keys of others.
    """

    session_id: str
    transcript_path: str | None = None
    stopped_at: str = ""
    last_assistant_message: str | None = None
    change_count: int | None = None
    score: int | None = None
    settled: int = 0
    skipped: str = ""
    more: tuple[tuple[str, object], ...] = ()

    @property
    def changes(self) -> int:
        """The edits that took since it was settled."""
        return self.change_count or 0

    @property
    def total(self) -> int:
        """The edits that took from its beginning."""
        return self.settled + self.changes


class Settlement(NamedTuple):
    """What a sleep settles, as it stood when it began: `portions`, changes by session id from its beginning.

    `rest` is debt that no session explains, `debt` all of it. `cycle` and `instance` are of the sleep that a crash
    could cut off, `pid` and `started` its process; `undo` if it is one that is being undone.
    """

    at: str
    portions: tuple[tuple[str, int], ...] = ()
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


class PastSleep(NamedTuple):
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
    history: tuple[PastSleep, ...] = ()
    rest: int = 0
    more: tuple[tuple[str, object], ...] = ()
    trouble: str = ""

    @property
    def debt(self) -> int:
        """The debt."""
        return self.rest + sum(session.score or 0 for session in self.sessions)

    def find(self, session_id: str) -> Session | None:
        """Return a session's record, or None."""
        return next((session for session in self.sessions if session.session_id == session_id), None)

    def settled_by(self, cycle: int, instance: str) -> PastSleep | None:
        """Return what a cycle settled and no undo gave back, or None."""
        own = (cycle, instance, False)
        return next((past for past in self.history if (past.cycle, past.instance, past.returned) == own), None)


def parse(text: str | None) -> Ledger:
    """Return the ledger that a text holds; defaults for what is missing, `trouble` for what is something else."""
    if text is None:
        return Ledger()
    try:
        raw = lean_json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return Ledger(trouble=f"{UNREADABLE}: it is no JSON, or torn")
    if not isinstance(raw, dict):
        return Ledger(trouble=f"{UNREADABLE}: it is {_kind(raw)}, not an object")
    reader = Reader()
    sessions = _sessions(reader, "sessions", raw.pop("sessions", None))
    debt = reader.value(raw.pop("debt", None), fields.whole, 0, "debt")
    values = reader.read(raw, _LEDGER)
    # Sessions whose score is none are counted again, so the debt is not theirs twice.
    unscored = sum(name.startswith("sessions[") and name.endswith(".score") for name in reader.wrong)
    ledger = Ledger(
        **{**values, "last_sleep_at": values["last_sleep_at"] or None},
        sessions=sessions,
        epoch=_settlement(reader, "epoch", raw.pop("epoch", None)),
        sleeping=_settlement(reader, "sleeping", raw.pop("sleeping", None)),
        history=_history(reader, raw.pop("history", None)),
        rest=max(0, debt - sum(session.score or 0 for session in sessions) - _TOP * unscored),
        more=tuple(raw.items()),
    )
    return ledger._replace(trouble=f"{UNREADABLE} in {reader.names}" if reader.wrong else "")


def render(ledger: Ledger) -> str:
    """Return the ledger's text: indented by two, the requirement's keys first."""
    whole: dict[str, object] = {
        "debt": ledger.debt,
        "last_sleep": ledger.last_sleep,
        "last_sleep_summary": ledger.last_sleep_summary,
        "sessions": [_record(session) for session in ledger.sessions],
    }
    if ledger.last_sleep_at:
        whole["last_sleep_at"] = ledger.last_sleep_at
    if ledger.epoch:
        whole["epoch"] = _settlement_json(ledger.epoch)
    if ledger.sleeping:
        whole["sleeping"] = _settlement_json(ledger.sleeping)
    if ledger.history:
        whole["history"] = [_slept_json(entry) for entry in ledger.history]
    return dumped({**whole, **dict(ledger.more)})


def dumped(value: object) -> str:
    """Return JSON as our files have it; what no file can hold (half a surrogate pair) stays escaped."""
    text = lean_json.dumps(value, ascii_only=False, indent=2) + "\n"
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return lean_json.dumps(value, indent=2) + "\n"
    return text


def _changes(value: object) -> int | None:
    """Return a number of changes, or None; an older program wrote a list that begins with it."""
    return fields.whole(value[0] if isinstance(value, list) and value else value)


def _record(session: Session) -> dict[str, object]:
    record: dict[str, object] = {name: getattr(session, name) for name in _REQUIRED}
    if session.settled:
        record["settled"] = session.settled
    if session.skipped:
        record["skipped"] = session.skipped
    return {**record, **dict(session.more)}


def _settlement_json(settlement: Settlement) -> dict[str, object]:
    form: dict[str, object] = {**settlement._asdict(), "sessions": dict(settlement.portions)}
    del form["portions"]
    return {key: value for key, value in form.items() if value or key in ("at", "sessions")}


def _slept_json(entry: PastSleep) -> dict[str, object]:
    form: dict[str, object] = {**entry._asdict(), "sessions": [_record(each) for each in entry.sessions]}
    return {key: value for key, value in form.items() if value or key in ("at", "debt", "sessions")}


def _kind(value: object) -> str:
    kinds = {list: "an array", str: "a text", bool: "a truth value", type(None): "null"}
    return kinds.get(type(value), "a number")


_REQUIRED = ("session_id", "transcript_path", "stopped_at", "last_assistant_message", "change_count", "score")
_TEXT, _NO_TEXT = (fields.text, ""), (fields.text, None)
_WHOLE, _NO_NUMBER = (fields.whole, 0), (fields.whole, None)
_LEDGER = dict.fromkeys(("last_sleep", "last_sleep_summary", "last_sleep_at"), _NO_TEXT)
_SESSION = {
    "transcript_path": _NO_TEXT,
    "stopped_at": _TEXT,
    "last_assistant_message": _NO_TEXT,
    "change_count": _NO_NUMBER,
    "score": _NO_NUMBER,
    "settled": (_changes, 0),
    "skipped": _TEXT,
}
_SETTLEMENT = {"rest": _WHOLE, "debt": _WHOLE, "cycle": _WHOLE, "instance": _TEXT, "pid": _WHOLE, "started": _TEXT}
_SLEPT = {"summary": _TEXT, "debt": _WHOLE, "rest": _WHOLE, "cycle": _WHOLE, "instance": _TEXT}


def _sessions(reader: Reader, name: str, value: object) -> tuple[Session, ...]:
    """Return the records of an array, the first of each session."""
    sessions: dict[str, Session] = {}
    for index, raw in enumerate(_array(reader, name, value)):
        session = _session(reader, f"{name}[{index}]", raw)
        if session is not None:
            sessions.setdefault(session.session_id, session)
    return tuple(sessions.values())


def _array(reader: Reader, name: str, value: object) -> list[object]:
    if value is not None and not isinstance(value, list):
        reader.wrong.append(name)
    return value if isinstance(value, list) else []


def _session(reader: Reader, name: str, value: object) -> Session | None:
    raw = dict(value) if isinstance(value, dict) else {}
    session_id = raw.pop("session_id", None)
    if not isinstance(session_id, str) or not session_id.strip():
        reader.wrong.append(name)
        return None
    values = reader.read(raw, _SESSION, f"{name}.")
    return Session(safe(session_id), **values, more=tuple(raw.items()))


def _settlement(reader: Reader, name: str, value: object) -> Settlement | None:
    if value is None:
        return None
    raw = dict(value) if isinstance(value, dict) else {}
    portions = raw.get("sessions")
    if not isinstance(raw.get("at"), str) or not isinstance(portions, dict):
        reader.wrong.append(name)
        return None
    totals = tuple(
        (safe(session_id), reader.value(total, _changes, 0, f"{name}.sessions"))
        for session_id, total in portions.items()
        if session_id.strip()
    )
    return Settlement(raw["at"], totals, undo=bool(raw.get("undo")), **reader.read(raw, _SETTLEMENT, f"{name}."))


def _history(reader: Reader, value: object) -> tuple[PastSleep, ...]:
    history = []
    for index, each in enumerate(_array(reader, "history", value)):
        name = f"history[{index}]"
        if not isinstance(each, dict) or not isinstance(each.get("at"), str):
            reader.wrong.append(name)
            continue
        raw = dict(each)
        values = reader.read(raw, _SLEPT, f"{name}.")
        sessions = _sessions(reader, f"{name}.sessions", raw.get("sessions"))
        history.append(PastSleep(raw["at"], **values, sessions=sessions, returned=bool(raw.get("returned"))))
    return tuple(history)
