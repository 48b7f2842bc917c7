"""The stream of events: who watches, and when they are told.

Owns the pace: what happened goes out soon, what only grew (buffers) within a second, and looking costs at most one part
in a hundred of the relay's time. A slow reader misses states, never the newest one, and never makes others wait.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any, Protocol

from sleep.relay.dashboard import glance

if TYPE_CHECKING:
    from collections.abc import Callable

    from sleep.relay.events import Noted

    Observe = Callable[[], dict[str, Any]]
    Watchers = set[Callable[[Noted], None]]

MOST = 64  # streams
_SOON, _PACE = 0.05, 1.0  # seconds from an event, and between two looks
_SHARE = 100  # a look is followed by so many times its own duration
_BEAT = 15.0  # seconds after which a stream without news is told that it lives


class Stream(Protocol):
    """What is written to."""

    @property
    def is_free(self) -> bool:
        """True if nothing waits to be written."""

    def write(self, data: bytes) -> None:
        """Write events."""


class Board:
    """The streams of one relay, and what each of them has been shown."""

    def __init__(self) -> None:
        self._fresh: dict[Stream, bool] = {}  # whether a stream is up to date; else it needs everything
        self._news: list[Noted] = []
        self._last = ""
        self._told = 0.0
        self._after = 0.0  # the next look is not before
        self._next: tuple[float, asyncio.TimerHandle] | None = None
        self._observe: Observe | None = None
        self._watchers: Watchers | None = None

    @property
    def is_full(self) -> bool:
        """True if there is no room for another stream."""
        return len(self._fresh) >= MOST

    def enter(self, stream: Stream, observe: Observe, watchers: Watchers) -> None:
        """Take in a stream; the relay is looked at as long as there is one."""
        if not self._fresh:
            self._observe, self._watchers = observe, watchers
            watchers.add(self._heard)
        self._fresh[stream] = False
        self._arm(0.0)

    def leave(self, stream: Stream) -> None:
        """Let go of a stream."""
        self._fresh.pop(stream, None)
        if not self._fresh and self._watchers is not None:
            self._watchers.discard(self._heard)
            self._observe = self._watchers = None
            self._news.clear()
            if self._next:
                self._next[1].cancel()
                self._next = None

    def _heard(self, noted: Noted) -> None:
        self._news.append(noted)
        if len(self._news) > glance.MOST:
            del self._news[0]
        self._arm(_SOON)

    def _arm(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        due = max(loop.time() + seconds, self._after)
        if self._next and self._next[0] <= due:
            return
        if self._next:
            self._next[1].cancel()
        self._next = (due, loop.call_at(due, self._look))

    def _look(self) -> None:
        self._next = None
        if self._observe is None:
            return
        loop = asyncio.get_running_loop()
        began, worked = loop.time(), time.thread_time()
        seen = self._observe()
        state = glance.state(seen)
        key = json.dumps(state)
        changed = key != self._last
        news, self._news = glance.entries(self._news), []
        parts = b""
        if news:
            parts += glance.event("feed", {"whole": False, "entries": news})
        if changed or began - self._told > _BEAT:
            parts += glance.event("state", {"ts": seen["ts"], **state})
            self._last, self._told = key, began
        self._show(parts, seen, state)
        took = time.thread_time() - worked  # not what others on the machine took meanwhile
        self._after = loop.time() + took * _SHARE
        self._arm(max(_PACE, took * _SHARE))

    def _show(self, parts: bytes, seen: dict[str, Any], state: dict[str, Any]) -> None:
        whole = b""
        for stream, fresh in tuple(self._fresh.items()):
            if not stream.is_free:
                self._fresh[stream] = False
            elif fresh:
                if parts:
                    stream.write(parts)
            else:
                whole = whole or glance.event(
                    "feed", {"whole": True, "entries": glance.entries(seen["feed"])}
                ) + glance.event("state", {"ts": seen["ts"], **state})
                stream.write(whole)
                self._fresh[stream] = True
