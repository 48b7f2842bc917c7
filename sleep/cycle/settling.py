"""What a sleep of ours settles: debt and sessions, in the ledger and in the trailers of its last commit.

Owns which sessions a sleep is about, and what its last handoff says of them. How the ledger is changed, and what
becomes of it when the sleep is cut off, is `sleep.debt.settling`. Also finds the ledger of a folder that has no git
around it.
"""

from __future__ import annotations

import contextlib
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from sleep import settings as settings_
from sleep.debt import book, moments
from sleep.errors import DocumentError, SleepError
from sleep.memory import paths
from sleep.store import context as contexts
from sleep.store import files
from sleep.text import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.cycle.place import Place
    from sleep.cycle.view import View
    from sleep.debt.ledger import Settlement, Slept
    from sleep.settings import Settings
    from sleep.store.context import Context

NOTHING = "nothing to consolidate"  # the summary of a sleep that settled and had no journal to sleep on


class Desk(NamedTuple):
    """A context folder with its settings: where debt is kept, git or no git."""

    context: Context
    settings: Settings


class Under(NamedTuple):
    """A sleep under way: what it settles, the journal whose handoff says so, "" for none, and where."""

    settlement: Settlement
    path: str
    context: Context

    @property
    def settled(self) -> Settlement | None:
        """What is settled, None for nothing."""
        return None if self.settlement.is_empty else self.settlement

    def keep(self, path: str) -> None:
        """Before the first commit of the cycle of a journal: have the ledger tell, if it is the sleep's last."""
        if path == self.path and self.settled:
            book.keep(self.context, self.settlement)


def find(start: str, explicit: str | None = None) -> Desk:
    """Return the desk that a command run in `start` works at.

    Raises:
        NoMemoryError: there is no context folder.
        DocumentError: its `sleep.yaml` cannot be read.
    """
    context = contexts.require(start, explicit or settings_.root_override())
    try:
        fields = yaml.load(files.read(context.settings) or "")
    except ValueError as error:
        raise DocumentError(str(error), where=context.settings, hint="mend the line; docs/configuration.md") from None
    return Desk(context, settings_.resolve(fields, where=context.settings))


def of(where: Place) -> Desk:
    """Return the desk of a memory."""
    return Desk(contexts.of(where.root), where.settings)


def bound(view: View, number: int | None) -> tuple[str, ...] | None:
    """Return the sessions that an instance's journal names, None for a sleep on all instances."""
    if number is None:
        return None
    found = (path for path in view.journals if paths.journal_number(path) == number)
    return tuple(session for path in found for session in sessions_in(view, path))


def sessions_in(view: View, path: str) -> tuple[str, ...]:
    """Return the sessions that a journal's front matter names."""
    try:
        named = view.journal(path).fields.get("sessions")
    except DocumentError:
        return ()
    return tuple(map(str, named)) if isinstance(named, list) else ()


@contextmanager
def under_way(
    where: Place, view: View, now: str, *, path: str, cycle: int, only: tuple[str, ...] | None
) -> Iterator[Under]:
    """Settle what stands when a sleep begins, when it has come to its end.

    Args:
        where: the memory; the caller may write to it.
        view: the memory as it is.
        now: ISO 8601, UTC.
        path: the journal whose handoff is the sleep's last; "" where there is none to sleep on.
        cycle: its cycle.
        only: the sessions that the sleep is about; None for all.
    """
    context, settings = of(where)
    moment = moments.seconds(now) or 0.0
    instance = str(view.journal(path).instance) if path else ""
    settlement = book.begin(
        context,
        moment,
        cycle=cycle if path else 0,
        instance=instance,
        only=only,
        settings=settings,
        keeps=False,
    )
    try:
        yield Under(settlement, path, context)
    except BaseException:
        with contextlib.suppress(SleepError):  # what stopped the sleep is what has to be said
            book.forget(context, moment, settings)
        raise
    if path or not settlement.is_empty:
        book.settle(context, settlement, f"cycle {cycle}" if path else NOTHING, moment, settings)


def standing(where: Place, now: str, only: tuple[str, ...] | None) -> Settlement | None:
    """Return what a sleep that began now would settle, None for nothing; reads only."""
    found = book.standing(of(where).context, moments.seconds(now) or 0.0, only)
    return None if found.is_empty else found


def lines(under: Under | None, path: str) -> list[str]:
    """Return what the message of a journal's handoff says of the debt; the last one's alone says something."""
    return [f"settled: {told(under.settlement)}"] if under and trailers(under, path) else []


def trailers(under: Under | None, path: str) -> list[tuple[str, str]]:
    """Return the trailers of the same."""
    if under is None or under.path != path or under.settlement.is_empty:
        return []
    named = [("Sleep-Session", session) for session in under.settlement.sessions]
    return [("Sleep-Debt", str(under.settlement.debt)), *named]


def told(settlement: Settlement) -> str:
    """Return in words what is settled: `debt 7 of 3 sessions`."""
    count = len(settlement.portions)
    return f"debt {settlement.debt}" + (f" of {count} session{'' if count == 1 else 's'}" if count else "")


@contextmanager
def undoing(where: Place, cycle: int, instance: str) -> Iterator[None]:
    """Keep that a cycle is being undone while its commit is made; debt is given back when the commit has landed."""
    context, settings = of(where)
    now = time.time()
    book.begin_undo(context, cycle, instance, now, settings)
    try:
        yield
    except BaseException:
        with contextlib.suppress(SleepError):
            book.forget(context, now, settings)
        raise


def give_back(where: Place, cycle: int, instance: str) -> Slept | None:
    """Give back the debt that a cycle settled, and return what that was, None for nothing."""
    context, settings = of(where)
    return book.give_back(context, cycle, instance, settings)


def to_give_back(where: Place, cycle: int, instance: str) -> Slept | None:
    """Return what undoing a cycle would give back; reads only."""
    return book.to_give_back(of(where).context, cycle, instance)
