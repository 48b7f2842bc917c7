"""One run of a hook, as the events' own modules take it.

Owns the settings of the run and the time that is left. Refuses to know the events: those are `hook`'s.
"""

from __future__ import annotations

import time

from sleep import settings as settings_
from sleep.clients import client_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.clients.hooks.payload import Payload
    from sleep.debt.sessions import Sighting
    from sleep.settings import Settings
    from sleep.store.context import Context

_PATIENCE = 5.0  # seconds that a hook waits for a lock: it is held for milliseconds, and the person waits, too
_MARGIN = 2.0  # seconds that a child has less than the hook, or a quarter of all where that is less


class Call:
    """One run of a hook: the event, what was said, where memory is, when it began, and the debt it caught up with."""

    __slots__ = ("_settings", "began", "caught", "context", "event", "now", "said")

    def __init__(self, event: str, payload: Payload, context: Context, began: float) -> None:
        self.event = event
        self.said = payload
        self.context = context
        self.began = began
        self.now = time.time()
        self.caught = 0
        self._settings: Settings | None = None

    @property
    def settings(self) -> Settings:
        """The settings, read once, the defaults where they cannot be; a lock is waited for only shortly."""
        if self._settings is None:
            own, share = self._read(), client_table.usable(self.said.client, self.event)
            self._settings = own._replace(lock_wait=min(own.lock_wait, _PATIENCE, share / 2))
        return self._settings

    @property
    def seen(self) -> Sighting:
        """The session as the ledger takes it."""
        from sleep.debt import liveness, sessions  # late: not for what is ignored  # noqa: PLC0415

        payload = self.said
        return sessions.Sighting(
            payload.session, payload.client, payload.transcript, payload.cwd, payload.source, *liveness.client_process()
        )

    def left(self) -> float:
        """Return the seconds that a child may take."""
        spent = time.monotonic() - self.began
        share = client_table.usable(self.said.client, self.event)
        return share - spent - min(_MARGIN, share / 4)

    def note(self, words: str) -> None:
        """Log what was done."""
        from sleep.clients.hooks import log  # late: not for what is ignored  # noqa: PLC0415

        log.info(self.context, self.event, words)

    def failed(self, error: BaseException | str) -> None:
        """Log what went wrong."""
        from sleep.clients.hooks import log  # late: same  # noqa: PLC0415

        log.error(self.context, self.event, error)

    def _read(self) -> Settings:
        from sleep.store import files  # late: not for what is ignored  # noqa: PLC0415

        try:
            text = files.read(self.context.settings) or ""
            lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
            fields: Mapping[str, object] = {}
            if any(line.rstrip() != f"format: {settings_.FORMAT}" for line in lines):  # else it is as `init` wrote it
                from sleep.documents import yaml_reader  # late: 1 ms, and most say nothing  # noqa: PLC0415

                fields = yaml_reader.load(text)
            return settings_.resolve(fields, where=self.context.settings)
        except Exception as error:  # noqa: BLE001  # a slip in a file must not cost the session its memory
            self.failed(error)
            return settings_.Settings()
