"""Whether a sleep is due by itself, and on which instances: asked at every session start.

Owns the rules: what waits to be slept on, what must be left alone because somebody may still live in it, the cooldown,
and the mode. Reads journals' heads and the table of cycles, nothing else; loads nothing that a hook could not afford,
starts nothing and changes nothing. Whoever acts on it is `cycle/attend.py`.
"""

from __future__ import annotations

import os
import re

from sleep.debt import last_sleep, liveness, sessions, settlement, timestamps
from sleep.documents import front_matter, paths
from sleep.errors import StorageError
from sleep.store import files, layout
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from sleep.debt.ledger import Ledger
    from sleep.documents.front_matter import Words
    from sleep.settings import Settings
    from sleep.store.context import Context

SUGGEST, RUN = "suggest", "run"
QUIET = 1800.0  # seconds without a change after which a journal that no session is known for is left
_TITLE = re.compile(r"\s*# Journal: instance [0-9]+\s*")
_FIELDS = frozenset({"instance", "tag", "started", "ended", "sessions", "by"})  # of a journal's front matter
_HEADING = re.compile(r"(?m)^#.*$")
_TONE = "## Tone: tone check"  # all that a wake writes
_ENTRY = re.compile(r"(?m)^## ([A-Z][a-z ]+?)(?::| \[)")
_IDLE = frozenset({"Note", "Handoff", "Tone"})  # all that a digest writes of a session without work
_DIGEST = "digest"
_LETTERS = 3  # of an instance's tag
_LOOK = 1 << 14  # bytes of a journal that say what it is


class Waiting(NamedTuple):
    """An instance that no cycle has slept on and whose journal says something.

    `path` is absolute. `is_sealed`: its journal is closed. `touched` is when the file last changed, in seconds. `began`
    is what it says of its beginning (`2026-11-24T09:59:51Z`).
    """

    number: int
    path: str
    sessions: tuple[str, ...] = ()
    is_sealed: bool = False
    touched: float = 0.0
    began: str = ""


def is_idle(text: str) -> bool:
    """Return whether a journal is a digest's, and tells of a session in which nothing was done, decided or asked.

    A sleep by hand takes it along; by itself no sleep begins for it, and no commits are made.
    """
    if len(text) >= _LOOK or _fields(text).get("by") != _DIGEST:
        return False
    return _IDLE.issuperset(_ENTRY.findall(text)) and "\n- files: " not in text


def unslept(context: Context) -> list[Waiting]:
    """Return the instances that wait to be slept on, in order; journals with nothing in them do not wait."""
    return [waiting for number, path in _unslept(context) if (waiting := _waiting(number, path))]


def slept_since(context: Context, number: int, start: str) -> list[str]:
    """Return the paths of the journals slept on of instances from a number on, or that ended after `start`."""
    waiting = {path for _, path in _unslept(context)}
    rows = last_sleep.cycles(context) if start else ()
    late = {int(instance[1:-_LETTERS]) for _, instance, when in rows if when > start}
    return [path for own, path in _journals(context) if path not in waiting and (own >= number or own in late)]


def ready(context: Context, now: float, but: str = "", others: Collection[str] = ()) -> list[Waiting]:
    """Return those that can be slept on without waking anybody.

    Left alone are the instances of the session that starts (`but`), of a session that may still live, and of nobody
    that is known here, unless the journal is closed or has not been touched for 30 minutes; and of a session in which
    nothing was done. So are `others`, the paths of journals of other people's clones.
    """
    left = (
        waiting for waiting in unslept(context) if _is_left(context, waiting, now, sessions.safe(but) if but else "")
    )
    return [waiting for waiting in left if waiting.path not in others and not is_idle(_head(waiting.path))]


def journals_of(context: Context, session: str) -> list[str]:
    """Return the paths of the journals that name a session, slept on or not, the newest first."""
    name = sessions.safe(session)
    return [path for _, path in reversed(_journals(context)) if name in _sessions(_head(path))]


def is_cooling(ledger: Ledger, settings: Settings, now: float) -> bool:
    """True for some time after a sleep, whoever began it; a sleep by hand does not ask."""
    last = timestamps.seconds(ledger.last_sleep_at)
    return last is not None and 0 <= now - last < settings.sleep_cooldown * 60


def mode(context: Context, settings: Settings) -> str:
    """Return `off`, `suggest` or `run`; unless it is set, `run` only where memory has a repository of its own."""
    return settings.sleep_auto or (RUN if has_own_repository(context) else SUGGEST)


def has_own_repository(context: Context) -> bool:
    """True for a memory in a repository of its own, to which that of the code points."""
    return bool(context.separate) or _is_pointed_at(context)


def is_due(
    context: Context,
    ledger: Ledger,
    settings: Settings,
    now: float,
    but: str = "",
    *,
    caught_up: int = 0,
    others: Collection[str] = (),
) -> str:
    """Return why a sleep by itself is due, "" if it is not; the mode and the cooldown are asked apart.

    It is due where there is something to sleep on, and debt is at "must sleep", or the last instance was not slept on.

    Args:
        context: the context folder.
        ledger: its ledger.
        settings: its settings.
        now: seconds since 1970.
        but: the session that starts.
        caught_up: debt that was booked only now, for sessions that were missed; it does not count.
        others: paths of journals that are left to other people's clones. A hook does not know them, and asks for more.
    """
    waiting = ready(context, now, but, others)
    if not waiting or _is_under_way(ledger, now):
        return ""
    debt = ledger.debt - caught_up
    if debt >= settings.debt_must:
        return f"debt is {debt}"
    last = waiting[-1].number
    after = (_head(path) for number, path in _journals(context) if number > last and path not in others)
    own = sessions.safe(but) if but else ""
    later = any(own not in _sessions(text) and not is_idle(text) for text in after)
    return "" if later else f"instance {last} is not slept on"


def attend_wanted(
    context: Context, ledger: Ledger, settings: Settings, now: float, but: str = "", *, caught_up: int = 0
) -> bool:
    """True if a child is worth its start: a step was cut off, a digest missed, or a sleep may run that is due."""
    if not is_memory(context):
        return False
    if settlement.has_intent(context):
        return True
    if settings.journal_auto and sessions.missed(context, now, but):
        return True
    may_run = mode(context, settings) == RUN and not is_cooling(ledger, settings, now)
    return may_run and bool(is_due(context, ledger, settings, now, but, caught_up=caught_up))


def is_memory(context: Context) -> bool:
    """True for a context that `init` made, in a git work tree: only there can journals be written and slept on."""
    ours = context.is_own and os.path.isfile(context.settings)
    return ours and layout.find_git(context.base) is not None


def _is_under_way(ledger: Ledger, now: float) -> bool:
    """True while somebody sleeps by hand (`sleep.start`), or a process of ours does."""
    if settlement.under_way(ledger, now):
        return True
    return bool(ledger.sleeping and liveness.is_running(ledger.sleeping.pid, ledger.sleeping.started))


def _is_pointed_at(context: Context) -> bool:
    """True for a memory whose repository stands inside another that points to it, as `separate` says from there."""
    above = layout.find_git(os.path.dirname(context.base))
    return bool(above) and layout.pointed(above[0] if above else "") == context.base


def _journals(context: Context) -> list[tuple[int, str]]:
    folder = os.path.join(context.base, "journal")
    names = files.names(folder)
    journals = ((paths.journal_number(f"{paths.JOURNALS}{name}"), os.path.join(folder, name)) for name in names)
    return sorted((number, path) for number, path in journals if number is not None)


def _unslept(context: Context) -> list[tuple[int, str]]:
    """Return the journals that the table of cycles does not name; one is opened for it only if two share a number."""
    slept = {instance for _, instance, _ in last_sleep.cycles(context)}
    numbers = {int(instance[1:-_LETTERS]) for instance in slept}
    journals = _journals(context)
    shared = [number for number, _ in journals]
    return [
        (number, path)
        for number, path in journals
        if number not in numbers or (shared.count(number) > 1 and f"i{number}{_tag(path)}" not in slept)
    ]


def _tag(path: str) -> str:
    return front_matter.as_line(_fields(_head(path)).get("tag"))


def _waiting(number: int, path: str) -> Waiting | None:
    text = _head(path)
    if not _says_something(text):
        return None
    fields = _fields(text)
    began = front_matter.as_line(fields.get("started"))
    return Waiting(number, path, _sessions(text), bool(fields.get("ended")), sessions.changed(path), began)


def _says_something(text: str) -> bool:
    """True for a journal of ours with more in it than its title and the tone check that a wake opens it with."""
    fields = _fields(text)
    if not (fields.get("instance") and fields.get("tag")):
        return False
    body = _TITLE.sub("", text[front_matter.span(text)[2] :], count=1).strip()
    return bool(body) and not (body.startswith(_TONE) and len(_HEADING.findall(body)) == 1)


def _is_left(context: Context, waiting: Waiting, now: float, but: str) -> bool:
    """True if nobody lives in an instance."""
    if but in waiting.sessions:
        return False
    known = [session for name in waiting.sessions if (session := sessions.read(context, name))]
    if any(sessions.is_living(session, now) for session in known):
        return False
    quiet = now - waiting.touched >= QUIET
    return waiting.is_sealed or quiet or (bool(known) and len(known) == len(waiting.sessions))


def _fields(text: str) -> dict[str, Words]:
    """Return what a journal's front matter says of these few fields."""
    return front_matter.words(text, _FIELDS)


def _sessions(text: str) -> tuple[str, ...]:
    return tuple(front_matter.as_list(_fields(text).get("sessions")))


def _head(path: str) -> str:
    """Return a journal's first characters: its front matter, and enough to know whether it says something."""
    try:
        with open(files.open_regular(path, os.path.dirname(os.path.dirname(path))), "rb") as file:
            return files.decode(file.read(_LOOK))
    except (OSError, StorageError):
        return ""
