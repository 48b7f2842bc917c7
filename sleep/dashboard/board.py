"""The stream of events: who watches, and when they are told.

Owns what is shown of what the relay lets be seen, sleepers first, and the pace: what happened goes out soon, what only
grew (buffers) within a second, and looking costs at most one part in a hundred of the relay's time. A slow reader
misses states, never the newest one, and never makes others wait.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Entry = Mapping[str, Any]  # of the feed: when, who, and what it did
    Observation = Callable[[], Mapping[str, Any]]
    Watchers = set[Callable[[Entry], None]]

MOST = 64  # streams
NEWS = 200  # entries of the feed that wait to be sent
_SOON, _PACE = 0.05, 1.0  # seconds from an event, and between two looks
_SHARE = 100  # a look is followed by so many times its own duration
_BEAT = 15.0  # seconds after which a stream without news is told that it lives


def state_of(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is seen of a relay, without its time: counts, and the agents, who wakes next first, then by name."""
    names = ("server", "connections", "journal", "count", "asleep")
    return {name: view[name] for name in names} | {"agents": sorted(view["agents"], key=_order)}


def event(name: str, value: object) -> bytes:
    """Return a server-sent event; JSON has no line break in it, so one line of data is enough."""
    return f"event: {name}\ndata: {json.dumps(value, separators=(',', ':'))}\n\n".encode()


def _order(agent: Mapping[str, Any]) -> tuple[float, str]:
    sleep = agent["sleep"]
    return (sleep["wakes_at"] if sleep else float("inf"), agent["name"].lower())


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
        self._news: list[Entry] = []
        self._last = ""  # the state that was sent last, and when
        self._sent = 0.0
        self._after = 0.0  # the next look is not before
        self._next: tuple[float, asyncio.TimerHandle] | None = None
        self._observe: Observation | None = None
        self._watchers: Watchers = set()

    @property
    def is_full(self) -> bool:
        """True if there is no room for another stream."""
        return len(self._fresh) >= MOST

    def attach(self, observe: Observation, watchers: Watchers) -> None:
        """Show what a relay lets be seen: all of it at once, and each new entry of its feed."""
        self._observe, self._watchers = observe, watchers

    def enter(self, stream: Stream) -> None:
        """Take in a stream; the relay is looked at as long as there is one."""
        self._watchers.add(self._note)
        self._fresh[stream] = False
        self._arm(0.0)

    def leave(self, stream: Stream) -> None:
        """Let go of a stream."""
        self._fresh.pop(stream, None)
        if not self._fresh:
            self._watchers.discard(self._note)
            self._news.clear()
            if self._next:
                self._next[1].cancel()
                self._next = None

    def _note(self, entry: Entry) -> None:
        self._news.append(entry)
        if len(self._news) > NEWS:
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
        view = self._observe()
        state = state_of(view)
        key = json.dumps(state)
        changed = key != self._last
        news, self._news = self._news, []
        parts = b""
        if news:
            parts += event("feed", {"whole": False, "entries": news})
        if changed or began - self._sent > _BEAT:
            parts += event("state", {"ts": view["ts"], **state})
            self._last, self._sent = key, began
        self._show(parts, view, state)
        pause = (time.thread_time() - worked) * _SHARE  # not what others on the machine took meanwhile
        self._after = loop.time() + pause
        self._arm(max(_PACE, pause))

    def _show(self, parts: bytes, view: Mapping[str, Any], state: dict[str, Any]) -> None:
        whole = b""
        for stream, fresh in tuple(self._fresh.items()):
            if not stream.is_free:
                self._fresh[stream] = False
            elif fresh:
                if parts:
                    stream.write(parts)
            else:
                feed = {"whole": True, "entries": view["feed"]}
                whole = whole or event("feed", feed) + event("state", {"ts": view["ts"], **state})
                stream.write(whole)
                self._fresh[stream] = True
