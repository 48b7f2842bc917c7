"""A client of a relay: connects, proves who it is, connects again when the line breaks, and speaks in typed values.

Owns the connection of one agent. What is heard more than once is told once. Refuses to decide what to say.

    async with Client("ws://127.0.0.1:6667", "alice", channels=("#love",)) as client:
        await client.send("#love", "hello @@sleep:60s@@")
        async for heard in client:
            match heard:
                case Woke(buffered=n): ...
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from sleep.errors import RelayError
from sleep.relay import notices

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from types import TracebackType
    from typing import Self

    from sleep.relay.identity import Identity
    from sleep.relay.notices import Notice

_FIRST, _LONGEST = 0.2, 30.0  # seconds of back-off
_PATIENCE = 15.0  # seconds for an answer
_QUEUE = 10_000  # things heard that nobody has taken yet
_SIZE = 4 * 2**20
_FATAL = frozenset({"VERIFICATION_FAILED", "NOT_ALLOWED"})  # a name may be our own last session's, which ends


class Sent(NamedTuple):
    """What became of a message: its id ("" if nothing was left to relay), and the echo."""

    ident: str
    echo: dict[str, Any]


class Client:
    """One agent on a relay.

    Args:
        url: `ws://host:port`, or `wss://`.
        name: what others call it.
        identity: a key, for an agent that is the same one next time; it brings no name of its own.
        token: what the relay demands, if it does.
        channels: joined after each connection, besides the public ones.
        again: connect again when the line breaks.
    """

    def __init__(
        self,
        url: str,
        name: str,
        *,
        identity: Identity | None = None,
        token: str = "",
        channels: Sequence[str] = (),
        again: bool = True,
    ) -> None:
        self.agent = ""
        self._url = url
        self._name = name
        self._identity = identity
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._channels = dict.fromkeys(channels)
        self._again = again
        self._line: ClientConnection | None = None
        self._repeats = notices.Repeats()
        self._heard: asyncio.Queue[Notice | None] = asyncio.Queue(_QUEUE)
        self._answers: list[dict[str, Any]] = []
        self._pong: asyncio.Future[None] | None = None
        self._speaking = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Connect; raises RelayError where that fails for good or at the first try."""
        await self._connect()
        self._task = asyncio.create_task(self._listen())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Say good-bye."""
        await self.close()

    async def close(self) -> None:
        """End the session."""
        try:
            if self._task is not None:
                self._task.cancel()
                await asyncio.wait([self._task])
                self._task = None
        finally:
            if self._line is not None:
                await self._line.close()
                self._line = None

    async def __aiter__(self) -> AsyncIterator[Notice]:
        """Yield what is heard until the session ends."""
        while (notice := await self._heard.get()) is not None:
            yield notice

    # --- speaking -----------------------------------------------------------------------------------------------------

    async def send(self, to: str, text: str, in_reply_to: str = "") -> Sent:
        """Say something to a `#channel` or an `@agent`, and return what became of it.

        Raises:
            RelayError: it was refused, or there is no connection.
        """
        frame = {"type": "MSG", "to": to, "content": text}
        answers = await self.ask(frame | ({"in_reply_to": in_reply_to} if in_reply_to else {}))
        for answer in answers:
            if answer.get("type") == "ERROR":
                raise RelayError(str(answer.get("message")), where=to)
        echo = next((reply for reply in answers if reply.get("type") == "MSG"), {})
        return Sent(str(echo.get("msg_id", "")), echo)

    async def join(self, channel: str) -> list[dict[str, Any]]:
        """Join a channel, now and after each new connection; return its members. Its history is heard as replay."""
        answers = await self.ask({"type": "JOIN", "channel": channel})
        joined = next((answer for answer in answers if answer.get("type") == "JOINED"), None)
        if joined is None:
            why = next((str(answer.get("message")) for answer in answers if answer.get("type") == "ERROR"), "no answer")
            raise RelayError(why, where=channel)
        self._channels[channel] = None
        return list(joined.get("agents", ()))

    async def ask(self, frame: dict[str, Any]) -> list[dict[str, Any]]:
        """Send a frame and return what answers it: every frame for this agent alone until the relay is done.

        A PING goes behind it: the relay answers in order, so the PONG says that the frame is done with.
        """
        async with self._speaking:
            line = self._line
            if line is None:
                raise RelayError("there is no connection at the moment", where=self._url)
            self._answers = []
            self._pong = asyncio.get_running_loop().create_future()
            try:
                await line.send(json.dumps(frame))
                await line.send('{"type":"PING"}')
                async with asyncio.timeout(_PATIENCE):  # `wait_for` swallows a cancellation until Python 3.12
                    await self._pong
            except (ConnectionClosed, TimeoutError):
                raise RelayError("the connection broke: whether it was heard is not known", where=self._url) from None
            finally:
                self._pong = None
            return self._answers

    # --- listening ----------------------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        wait = _FIRST
        while True:
            why = await self._hear()
            if not self._again or why is None:
                break
            self._tell(notices.Lost(why, wait))
            while True:
                await asyncio.sleep(wait * random.uniform(0.5, 1.0))  # noqa: S311  # not all at once
                wait = min(wait * 2, _LONGEST)
                try:
                    await self._connect(again=True)
                except RelayError as problem:
                    if problem.where == "IDENTIFY":
                        self._tell(notices.Ended(problem.what))
                        return self._finish()
                    self._tell(notices.Lost(problem.what, wait))
                else:
                    wait = _FIRST
                    break
        return self._finish()

    def _finish(self) -> None:
        self._line = None
        if self._heard.full():
            self._heard.get_nowait()
        self._heard.put_nowait(None)

    async def _hear(self) -> str | None:
        """Take in frames until the connection ends; return why, None if it is not to be taken up again."""
        line, ended = self._line, False
        if line is None:
            return "no connection"
        try:
            async for data in line:
                frame = _frame(data)
                ended = ended or frame.get("type") in ("SESSION_DISPLACED", "KICKED")
                self._take(frame)
        except ConnectionClosed as closed:
            why = str(closed)
        else:
            why = line.close_reason or "the relay closed the connection"
        self._line = None
        if self._pong is not None and not self._pong.done():
            self._pong.set_exception(TimeoutError())
        return None if ended else why

    def _take(self, frame: dict[str, Any]) -> None:
        kind = frame.get("type")
        if kind == "PONG":
            if self._pong is not None and not self._pong.done():
                self._pong.set_result(None)
            return
        if self._pong is not None and (kind != "MSG" or frame.get("from") == self.agent):
            self._answers.append(frame)
        if kind != "MSG" or not self._repeats.again(frame):
            self._tell(notices.read(frame))

    def _tell(self, notice: Notice) -> None:
        """Hand on what was heard; the oldest goes where nobody takes it."""
        if self._heard.full():
            self._heard.get_nowait()
        self._heard.put_nowait(notice)

    # --- connecting ---------------------------------------------------------------------------------------------------

    async def _connect(self, *, again: bool = False) -> None:
        try:
            line = await connect(
                self._url, additional_headers=self._headers, max_size=_SIZE, compression=None, open_timeout=_PATIENCE
            )
        except InvalidStatus as problem:
            body = (problem.response.body or b"").decode(errors="replace").strip()
            raise RelayError(f"refused: {body or problem}", where=self._url) from None
        except (OSError, InvalidHandshake, InvalidURI, TimeoutError) as problem:
            raise RelayError(f"no relay answers: {problem}", where=self._url, hint="sleepwake relay.serve") from None
        try:
            async with asyncio.timeout(_PATIENCE):
                welcome = await self._identify(line)
            self._tell(welcome._replace(again=again))
            for channel in self._channels:
                await line.send(json.dumps({"type": "JOIN", "channel": channel}))
        except (ConnectionClosed, TimeoutError) as problem:
            raise RelayError(f"the relay went away: {problem}", where=self._url) from None
        except RelayError:
            await line.close()
            raise
        self._line = line

    async def _identify(self, line: ClientConnection) -> notices.Welcome:
        pubkey = self._identity.pubkey if self._identity else None
        await line.send(json.dumps({"type": "IDENTIFY", "name": self._name, "pubkey": pubkey}))
        while True:
            frame = _frame(await line.recv())
            if frame.get("type") == "CHALLENGE" and self._identity:
                challenge, stamp = str(frame.get("challenge_id")), time.time_ns() // 1_000_000
                signature = self._identity.answer(str(frame.get("nonce")), challenge, stamp)
                proof = {"type": "VERIFY_IDENTITY", "challenge_id": challenge, "signature": signature}
                await line.send(json.dumps({**proof, "timestamp": stamp}))
            elif frame.get("type") == "ERROR":
                fatal = "IDENTIFY" if frame.get("code") in _FATAL else self._url
                raise RelayError(str(frame.get("message")), where=fatal)
            elif frame.get("type") == "WELCOME":
                welcome = notices.read(frame)
                assert isinstance(welcome, notices.Welcome)  # noqa: S101  # for the type checker
                self.agent = welcome.agent
                return welcome


def _frame(data: str | bytes) -> dict[str, Any]:
    """Return a frame, an empty one for what is none: the other side may be anything."""
    try:
        frame = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return frame if isinstance(frame, dict) else {}
