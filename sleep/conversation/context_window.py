"""ContextManager: the history of one conversation, kept within its budget, and an event for each consolidation.

Owns the history and the event. The clock, the ids and where events go are passed in; there is no other state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.consolidator import MemoryConsolidator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sleep.conversation.consolidation import Report
    from sleep.conversation.messages.counters import Prompt
    from sleep.conversation.messages.shapes import Message

EVENT = "conversation.consolidated"


class Event(NamedTuple):
    """The audit record of a consolidation: what, which, when, in which session, and all that the report says."""

    event: str
    id: str
    at: str
    session: str
    messages_removed: int
    messages_before: int
    messages_after: int
    tokens_before: int
    tokens_after: int
    target: int
    summary_length: int
    kept: dict[str, int]
    dropped: dict[str, int]
    clipped: int
    redacted: int
    originals: str
    strategy: str
    shape: str
    verdict: str
    note: str


class ContextManager:
    """Assembles the messages of a conversation for the next request.

    Args:
        consolidator: who consolidates; default one with the default settings.
        system_prompt: the prompt that goes with every request; it counts, and it is not among the messages.
        audit: takes the event of each consolidation.
        now: the time, as the event is to say it.
        new_id: an id for the next event.
        session: the conversation's id, for the event.
    """

    def __init__(
        self,
        consolidator: MemoryConsolidator | None = None,
        system_prompt: Prompt = "",
        *,
        audit: Callable[[Event], object] | None = None,
        now: Callable[[], str] | None = None,
        new_id: Callable[[], str] | None = None,
        session: str = "",
    ) -> None:
        self.consolidator = consolidator or MemoryConsolidator()
        self.system_prompt = system_prompt
        self.messages: list[Message] = []
        self.report: Report | None = None
        self._audit = audit
        self._now = now
        self._new_id = new_id
        self._session = session

    def add(self, *messages: Message) -> None:
        """Append messages to the history."""
        self.messages += messages

    def tokens(self) -> int:
        """Return what history and system prompt take now."""
        return self.consolidator.count(self.messages, self.system_prompt)

    def build_messages(self, new: Iterable[Message] = ()) -> list[Message]:
        """Append messages, consolidate where the budget asks for it, and return what to send.

        What a consolidation leaves takes the place of the history from then on.
        """
        self.messages += new
        if self.consolidator.should_consolidate(self.tokens()):
            self._consolidate()
        return list(self.messages)

    def _consolidate(self) -> None:
        before = len(self.messages)
        outcome = self.consolidator.outcome(self.messages, self.system_prompt)
        self.report = outcome.report
        if not outcome.report.changed:
            return  # nothing new since the last time: it would fire for ever
        self.messages = outcome.messages
        if self._audit is not None:
            self._audit(self._event(outcome.report, before))

    def _event(self, report: Report, before: int) -> Event:
        return Event(
            event=EVENT,
            id=self._new_id() if self._new_id else "",
            at=self._now() if self._now else "",
            session=self._session,
            messages_removed=report.removed,
            messages_before=before,
            messages_after=report.remaining,
            tokens_before=report.tokens_before,
            tokens_after=report.tokens_after,
            target=report.target,
            summary_length=report.summary_length,
            kept=report.kept,
            dropped=report.dropped,
            clipped=report.clipped,
            redacted=report.redacted,
            originals=report.address,
            strategy=report.strategy,
            shape=report.shape,
            verdict=report.verdict,
            note=report.note,
        )
