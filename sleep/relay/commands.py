"""What the commands of the relay do: run one, and speak to one.

Owns the event loop's edges: signals, one-shot clients, and how what was heard is written for people and programs.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import threading
import urllib.error
import urllib.request
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from sleep.errors import RelayError
from sleep.relay import notices
from sleep.relay.client import Client, Sent
from sleep.relay.endpoint import Endpoint
from sleep.relay.server.hub import Server
from sleep.relay.server.persistence import Journal
from sleep.relay.server.ports import is_loopback

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sleep.relay.configuration import Configuration
    from sleep.relay.identity import Identity
    from sleep.relay.notices import Notice
    from sleep.relay.server.site_protocol import Site

_PATIENCE = 10.0
_BETWEEN = 1.1  # seconds between two messages: a relay takes one a second
_FILES = 65_536
_FURTHER = "\n         "  # under the name, where a line begins with the time


async def run(
    configuration: Configuration,
    path: str,
    known: Sequence[str],
    tell: Callable[[Endpoint, str], None],
    server: Server | None = None,
    site: Site | None = None,
) -> Endpoint:
    """Run a relay until it is interrupted, and say where it listens and what journal was set aside.

    Without a server it is one of its own, with a journal, which serves the site to browsers.

    Raises:
        RelayError: it cannot start.
        StorageError: the journal cannot be written any more.
    """
    _raise_limit()
    full = configuration.relay_journal == "full"
    off = configuration.relay_journal == "off" or server is not None
    journal = None if off else Journal(path, full=full, history=configuration.relay_history)
    server = server or Server(configuration, journal, known, site)
    await server.start()
    host = f"[{configuration.relay_host}]" if ":" in configuration.relay_host else configuration.relay_host
    browser_url = f"http://{host}:{server.dashboard_port}" if server.dashboard_port != server.port else ""
    relay = Endpoint(
        f"ws://{host}:{server.port}", configuration.relay_token, server.admin, os.getpid(), server.pages, browser_url
    )
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    tell(relay, journal.set_aside if journal else "")
    tasks = [asyncio.ensure_future(stop.wait()), asyncio.ensure_future(server.serve())]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await server.stop()
    return relay


def _raise_limit() -> None:
    """Allow as many connections as the system lets this process have."""
    try:
        import resource  # late: not everywhere  # noqa: PLC0415
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _FILES if hard == resource.RLIM_INFINITY else min(hard, _FILES)
    if 0 <= soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def send(relay: Endpoint, name: str, identity: Identity | None, to: str, text: str) -> Sent:
    """Connect, join the channel if it is one, say something, and leave."""
    async with Client(relay.url, name, identity=identity, token=relay.token, again=False) as client:
        if to.startswith("#"):
            await client.join(to)
        return await client.send(to, text)


async def listen(
    relay: Endpoint,
    name: str,
    identity: Identity | None,
    channels: Sequence[str],
    seconds: float | None,
    tell: Callable[[Notice, str], None],
    typed: int | None = None,
) -> None:
    """Join the channels, then tell what is heard for so many seconds, with the id of who listens.

    With a file descriptor (`typed`) its lines are said meanwhile, in the first of the channels.

    Raises:
        RelayError: a channel cannot be joined, now or after the line broke, or the relay ended the session.
    """
    async with Client(relay.url, name, identity=identity, token=relay.token) as client:
        for channel in channels:
            await client.join(channel)
        where = (*channels, "#general")[0]
        speaking = None if typed is None else asyncio.create_task(_speak(client, typed, where, tell))
        try:
            async with asyncio.timeout(seconds):
                async for notice in client:
                    if isinstance(notice, notices.Failed) and not speaking:  # it would listen to less
                        raise RelayError(f"refused: {notice.why}", where=relay.url)
                    tell(notice, client.agent)
                    if isinstance(notice, notices.Ended):
                        raise RelayError(f"the relay ended the session: {notice.why}", where=relay.url)
        except TimeoutError:
            return
        finally:
            if speaking:
                speaking.cancel()


async def _speak(client: Client, typed: int, channel: str, tell: Callable[[Notice, str], None]) -> None:
    """Say each line that is typed in the channel, `/@bob words` to bob alone, and tell which could not be said."""
    loop, lines = asyncio.get_running_loop(), asyncio.Queue[bytes]()

    def read() -> None:
        # Until the terminal or the loop is gone; on a thread, because a loop waits for no file.
        with contextlib.suppress(OSError, RuntimeError), open(typed, "rb", closefd=False) as file:
            for line in file:
                loop.call_soon_threadsafe(lines.put_nowait, line)

    threading.Thread(target=read, daemon=True).start()
    while True:
        text = (await lines.get()).decode(errors="replace").strip()
        to, _, words = text[1:].partition(" ") if text.startswith("/@") else (channel, "", text)
        if words:
            try:
                await client.send(to, words)
            except RelayError as problem:
                if problem.where != to:  # what the relay refuses it says itself
                    tell(notices.Failed("", f"{problem.what}: {words}"), client.agent)
            await asyncio.sleep(_BETWEEN)


async def kick(relay: Endpoint, agent: str, reason: str) -> str:
    """End an agent's session; return its id."""
    headers = {"Authorization": f"Bearer {relay.token}"} if relay.token else {}
    try:
        async with connect(relay.url, additional_headers=headers, compression=None) as line:
            frame = {"type": "ADMIN_KICK", "agent_id": agent, "admin_key": relay.admin, "reason": reason}
            await line.send(json.dumps(frame))
            async with asyncio.timeout(_PATIENCE):
                answer = json.loads(await line.recv())
    except (OSError, InvalidHandshake, ConnectionClosed, TimeoutError) as error:
        raise RelayError(f"no relay answers: {error}", where=relay.url) from None
    if answer.get("type") != "ADMIN_RESULT":
        raise RelayError(str(answer.get("message")), where=relay.url)
    return str(answer["agentId"])


def status(relay: Endpoint) -> dict[str, Any]:
    """Return what may be seen of a relay."""
    parts = urlsplit(relay.url)
    url = parts._replace(scheme="https" if parts.scheme == "wss" else "http", path="/status").geturl()
    request = urllib.request.Request(url)  # noqa: S310  # the scheme was just set
    if relay.token:
        request.add_header("Authorization", f"Bearer {relay.token}")
    direct = urllib.request.ProxyHandler({}) if is_loopback(parts.hostname or "") else urllib.request.ProxyHandler()
    try:
        with urllib.request.build_opener(direct).open(request, timeout=_PATIENCE) as answer:
            facts: dict[str, Any] = json.load(answer)
    except urllib.error.HTTPError as error:
        raise RelayError(f"refused: {error.read().decode(errors='replace').strip()}", where=relay.url) from None
    except (OSError, ValueError) as error:
        raise RelayError(f"no relay answers: {error}", where=relay.url, hint="sleepwake relay.serve") from None
    return facts


# --- for people and programs -----------------------------------------------------------------------------------------


def row(agent: Mapping[str, Any], now: int) -> list[str]:
    """Return an agent as a row of a table."""
    sleep = agent["sleep"]
    here = "" if agent["here"] else " (cut off)"
    cells = [agent["id"], agent["name"], agent["presence"] + here]
    if not sleep:
        return [*cells, "", "", ""]
    wakes = f"{_clock(sleep['wakes_at'])}, in {max(0, round((sleep['wakes_at'] - now) / 1000))} s"
    kinds = sleep.get("kinds", {})  # a relay of an older version tells the sum alone
    way = "in channels" if sleep["mode"] == "buffer" else "by mention"
    parts = ((kinds.get("channel"), way), (kinds.get("callbacks"), "by callback"))
    of = ", ".join(f"{count} {what}" for count, what in parts if count)
    return [*cells, wakes, f"{sleep['buffered']} ({of})" if of else str(sleep["buffered"]), str(sleep["dropped"])]


def as_json(notice: Notice) -> str:
    """Return what was heard as one line of JSON."""
    return json.dumps({"event": type(notice).__name__.lower(), **notice._asdict()}, ensure_ascii=False, default=dict)


def as_text(notice: Notice, own: str = "", channels: Sequence[str] = ()) -> str:
    """Return what was heard as a line for a person, "" for what says nothing to one; nothing in it can move the cursor.

    Who comes and goes is told of the given channels: all are in each public one. Its further lines are indented, so
    that none of them looks like what another one said. `own` is the id of who reads it.
    """
    if isinstance(notice, notices.Moved) and notice.channel not in channels:
        return ""
    if isinstance(notice, (notices.Message, notices.Fired)) and notice.to == own:
        notice = notice._replace(to="to you")
    line = _LINES[type(notice)](notice)
    shown = "".join(sign if sign.isprintable() or sign in "\n\t" else "\ufffd" for sign in line)
    return shown.replace("\n", _FURTHER)


def _clock(ts: int) -> str:
    return datetime.fromtimestamp(ts / 1000, UTC).astimezone().strftime("%H:%M:%S")


def _message(message: notices.Message) -> str:
    """Return what somebody said; history with its day. That somebody came, as the server says, is told otherwise."""
    if message.sender == "@server":
        return ""
    moment = datetime.fromtimestamp(message.ts / 1000, UTC).astimezone()
    shown = moment.strftime("%Y-%m-%d %H:%M:%S" if message.replay else "%H:%M:%S")
    return f"{shown} {message.to} <{message.name}> {message.text}"


def _members(frame: Mapping[str, Any]) -> str:
    agents = frame.get("agents")
    names = [str(agent.get("name")) for agent in agents if isinstance(agent, dict)] if isinstance(agents, list) else []
    return f"in {frame.get('channel')}: {', '.join(names) or 'nobody'}"


_LINES: dict[type, Callable[[Any], str]] = {
    notices.Welcome: lambda notice: f"connected to {notice.server} as {notice.name} ({notice.agent})",
    notices.Message: _message,
    notices.Woke: lambda notice: f"{_clock(notice.ts)} awake: {notice.buffered} buffered, {notice.dropped} dropped",
    notices.Fired: lambda notice: f"{_clock(notice.ts)} {notice.to} callback: {notice.payload}",
    notices.Presence: lambda notice: f"{notice.name} is {notice.presence} {notice.text}".rstrip(),
    notices.Moved: lambda notice: f"{notice.name} {'joined' if notice.here else 'left'} {notice.channel}",
    notices.Renamed: lambda notice: f"{notice.old} is now {notice.new}",
    notices.Failed: lambda notice: f"refused: {notice.why}",
    notices.Ended: lambda notice: f"ended: {notice.why}",
    notices.Lost: lambda notice: f"the line broke ({notice.why}); again in {notice.seconds:.1f} s",
    notices.Other: lambda notice: _members(notice.raw) if notice.kind == "JOINED" else "",
}
