"""OpenAI Agents SDK: a session that consolidates what another keeps. Needs the extra `openai-agents`.

    session = ConsolidatingSession(SQLiteSession("user-1", "chat.db"), MemoryConsolidator(max_tokens=100_000))
    await Runner.run(agent, "...", session=session)

Owns when: after a turn has been added, so that a run never finds its history changed under it. The SDK's items are of
the shape of Responses and need no translation. Between clearing and adding again the other session is empty: a lock
keeps this process out, and the whole history is put back if adding fails.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

from agents.memory import SessionABC

from sleep.conversation.consolidator import MemoryConsolidator

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.items import TResponseInputItem
    from agents.memory import Session

    from sleep.conversation.consolidation import Report
    from sleep.conversation.messages.shapes import Message


class ConsolidatingSession(SessionABC):  # type: ignore[misc]  # checked as if the extra were absent
    """A session that hands everything to another, and consolidates its items when they near the limit.

    Args:
        inner: the session that keeps the items.
        consolidator: who consolidates; default one with the default settings.
        system_prompt: the agent's instructions, which count too.
        audit: takes the report of each consolidation.
    """

    def __init__(
        self,
        inner: Session,
        consolidator: MemoryConsolidator | None = None,
        *,
        system_prompt: str = "",
        audit: Callable[[Report], object] | None = None,
    ) -> None:
        self.inner = inner
        self.session_id = inner.session_id
        self.session_settings = getattr(inner, "session_settings", None)
        self.consolidator = consolidator or MemoryConsolidator(shape="responses")
        self.system_prompt = system_prompt
        self._audit = audit
        self._lock = asyncio.Lock()

    async def get_items(self, limit: int | None = None, *args: Any, **kwargs: Any) -> list[TResponseInputItem]:  # noqa: ANN401  # newer versions pass more
        """Return the items of the other session."""
        async with self._lock:
            return cast("list[TResponseInputItem]", await self.inner.get_items(limit, *args, **kwargs))

    async def add_items(self, items: list[TResponseInputItem], *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  # same
        """Add items to the other session, and consolidate where the budget asks for it."""
        async with self._lock:
            await self.inner.add_items(items, *args, **kwargs)
            await self._consolidate()

    async def pop_item(self, *args: Any, **kwargs: Any) -> TResponseInputItem | None:  # noqa: ANN401  # same
        """Remove and return the last item of the other session."""
        async with self._lock:
            return cast("TResponseInputItem | None", await self.inner.pop_item(*args, **kwargs))

    async def clear_session(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  # same
        """Clear the other session."""
        async with self._lock:
            await self.inner.clear_session(*args, **kwargs)

    async def _consolidate(self) -> None:
        items = cast("list[Message]", await self.inner.get_items())
        outcome = self.consolidator.outcome_where_due(items, self.system_prompt)
        if outcome is None:
            return
        await self.inner.clear_session()
        try:
            await self.inner.add_items(cast("list[TResponseInputItem]", outcome.messages))
        except BaseException:
            await self.inner.clear_session()
            await self.inner.add_items(cast("list[TResponseInputItem]", items))
            raise
        if self._audit is not None:
            self._audit(outcome.report)
