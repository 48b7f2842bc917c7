"""One connection of the relay: WebSocket frames in and out of a socket.

Owns the transport, the handshake, the limits on what comes in, and the queue of what goes out. Refuses to know what a
message means.

The protocol itself is that of the library websockets, without its own I/O (`ServerProtocol`): what comes in one read is
handled at once, what goes out in one tick is written at once, and the transport stays ours, also for plain HTTP.
Nothing is written before the tick has committed it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, cast

from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from sleep.relay.server import answers
from sleep.relay.server.frame_codec import FrameReader

if TYPE_CHECKING:
    from sleep.relay.engine.effects import Awake, Sent
    from sleep.relay.server.hub import Server
    from sleep.relay.server.site_protocol import Board
    from sleep.relay.server.windows import Window

_SLICE = 64  # frames of one connection that are handled before others get their turn
_HIGH = 256 * 1024  # bytes that the transport may hold before frames wait here
_OPEN = 10.0  # seconds for a handshake
_CLOSE = 5.0  # seconds for a closing handshake
_WORK = 60.0  # seconds for a page that a thread makes
_FRAGMENTS = 1024
_QUIET = logging.getLogger("sleep.relay.server.connection")
_QUIET.addHandler(logging.NullHandler())
_QUIET.propagate = False
_QUIET.setLevel(logging.CRITICAL)


class Connection(asyncio.BufferedProtocol):
    """A connection, from its first byte to its last."""

    __slots__ = (
        "_aside",
        "_board",
        "_closing",
        "_ended",
        "_first",
        "_inbox",
        "_out",
        "_parts",
        "_paused",
        "_queued",
        "_reader",
        "_relay",
        "_timer",
        "_transport",
        "_ws",
        "address",
        "agent",
        "asked",
        "challenge",
        "chunks",
        "dirty",
        "heard",
        "marks",
        "pubkey",
        "since",
        "unasked",
        "window",
    )

    def __init__(self, relay: Server, window: Window) -> None:
        self._relay = relay
        self._ws = ServerProtocol(max_size=relay.frame_size, logger=_QUIET)
        self._reader = FrameReader(self._ws, relay.frame_size)
        self._out: list[bytes] = []
        self._queued = 0
        self._paused = self._closing = self._ended = False
        self._first: bytes | None = b""  # what came in of the first line, None when all of it has
        self._aside = False  # an answer of plain HTTP is under way: nothing more is read
        self._board: Board | None = None
        self._inbox: deque[object] = deque()
        self._parts: list[bytes] = []
        self._timer: asyncio.TimerHandle | None = None
        self.window = window
        self.address = ""
        self.agent = ""
        self.pubkey = ""
        self.chunks: Window | None = None
        self.challenge: tuple[str, str, str, str, float] | None = None
        self.dirty = False
        self.marks: dict[bytes, Awake | Sent | None] = {}  # pings without an answer, and what had been sent by then
        self.unasked: Sent | None = None
        self.since = self.heard = self.asked = asyncio.get_running_loop().time()

    # --- asyncio's protocol -----------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=_HIGH)
        peer = transport.get_extra_info("peername")
        self.address = peer[0] if isinstance(peer, tuple) and peer else "local"
        self._timer = asyncio.get_running_loop().call_later(_OPEN, self._transport.abort)
        self._relay.opened(self)

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return where to put what comes in: one place for all connections, for it is taken out at once."""
        del sizehint
        return self._relay.inlet

    def buffer_updated(self, nbytes: int) -> None:
        """Take out what came in."""
        self.data_received(bytes(self._relay.inlet[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """Take what came in, and handle it: a slice now, what is more in turn with the others."""
        self.heard = asyncio.get_running_loop().time()
        if self._aside:
            return
        if self._first is not None:
            self._first += data
            if b"\n" not in self._first and len(self._first) < answers.LINE:
                return
            data, self._first = self._first, None
            if refused := answers.refuse_verb(data):
                self._aside = True
                self._write_last(refused)
                return
        events = self._reader.receive(data)
        if len(events) <= _SLICE and not self._inbox:
            for event in events:
                self._handle(event)
            self._write_protocol()  # after what was said before a good-bye
            self._relay.settle()
        else:
            if not self._inbox:
                self._transport.pause_reading()
                asyncio.get_running_loop().call_soon(self._go_on)
            self._inbox.extend(events)

    def eof_received(self) -> None:
        """Take note of the other side's end."""
        if self._aside:
            return  # which closes
        self._reader.end()
        self._write_protocol()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        del exc
        self._closing = True
        self._inbox.clear()
        self._out.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._reader.end()
        if self._board is not None:
            self._board.leave(self)
        self._relay.lost(self)

    def pause_writing(self) -> None:
        """Keep what goes out, for the reader is slow."""
        self._paused = True

    def resume_writing(self) -> None:
        """Go on, at the end of a tick: what waits may not be committed yet."""
        self._paused = False
        self._touch()

    # --- for the server -----------------------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """True from the end of the handshake until it begins to close."""
        return not self._closing and self._ws.state is State.OPEN

    def push(self, frames: bytes) -> None:
        """Send frames at the end of the tick. Who reads too slowly for that is cut off."""
        if self._closing or self._ws.state is not State.OPEN:
            return
        self._out.append(frames)
        self._queued += len(frames)
        if self._queued > self._relay.queue:
            self._out.clear()
            self.close(1008, f"too slow: {self._queued} bytes were waiting")
            self._queued = 0
        elif not self.dirty:
            self._touch()

    def ping(self, mark: bytes, delivery: Awake | Sent | None = None) -> None:
        """Send a ping behind what was pushed; its answer says that all of that has arrived."""
        if self.is_open:
            if not self.marks:
                self.asked = asyncio.get_running_loop().time()  # or, later, when the last one was answered
            self.marks[mark] = delivery
            self._ws.send_ping(mark)
            self.push(b"".join(self._ws.data_to_send()))

    def close(self, code: int, reason: str) -> None:
        """Send what was pushed and then close, in any case after a few seconds."""
        if self._closing:
            return
        if self._ws.state is State.OPEN:
            self._ws.send_close(code, reason.encode()[:120].decode(errors="ignore"))
            self._out.extend(self._ws.data_to_send())
            self._touch()
        elif self._aside:
            self._transport.close()
        self._begin_end()

    def flush(self) -> None:
        """Write what was pushed, as far as the transport has room."""
        self.dirty = False
        if self._paused or self._ended or not self._out or self._transport.is_closing():
            return
        data = self._out[0] if len(self._out) == 1 else b"".join(self._out)
        self._out.clear()
        self._queued = 0
        self._transport.write(data)

    def abort(self) -> None:
        """Drop the connection."""
        self._transport.abort()

    # --- for the board (site.Stream) ----------------------------------------------------------------------------------

    @property
    def is_free(self) -> bool:
        """True if nothing waits to be written."""
        return not self._closing and self._transport.get_write_buffer_size() == 0

    def write(self, data: bytes) -> None:
        """Write events of a stream. That one of them could be written is its sign of life: it never answers a ping."""
        self.since = self.heard = asyncio.get_running_loop().time()
        self._transport.write(data)

    # --- inside -------------------------------------------------------------------------------------------------------

    def _touch(self) -> None:
        self.dirty = True
        self._relay.changed(self)

    def _go_on(self) -> None:
        for _ in range(_SLICE):
            if not self._inbox or self._closing:
                break
            self._handle(self._inbox.popleft())
        if self._closing:
            self._inbox.clear()
        if self._inbox:
            asyncio.get_running_loop().call_soon(self._go_on)
            return
        self._write_protocol()
        if not self._transport.is_closing():
            self._transport.resume_reading()

    def _handle(self, event: object) -> None:
        if self._closing or self._aside:
            return
        if isinstance(event, bytes):
            if self._relay.allows(self):
                self._message(event)
            else:
                self.close(1008, "Rate limit exceeded")
        elif isinstance(event, Frame):
            self._frame(event)
        elif isinstance(event, Request):
            self._request(event)

    def _request(self, request: Request) -> None:
        response = self._relay.answer(self, request)
        if isinstance(response, answers.Later):
            self._later(response)
            return
        if isinstance(response, answers.Live):
            self._stream(response)
            return
        self._ws.send_response(response if response is not None else self._ws.accept(request))
        self._write_protocol()
        if self._ws.state is not State.OPEN:
            self._begin_end()
        elif self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _later(self, response: answers.Later) -> None:
        """Have a thread make the answer; it has a while for that."""
        self._aside = True
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(_WORK, self._transport.abort)
        work = asyncio.get_running_loop().run_in_executor(None, response.work)
        work.add_done_callback(self._answer)

    def _answer(self, work: asyncio.Future[Response]) -> None:
        """Write the answer that a thread made, and end."""
        if work.cancelled() or self._closing or self._transport.is_closing():
            return
        failed = work.exception()
        response = answers.reply(500, "this page could not be made\n") if failed else work.result()
        self._write_last(response.serialize())

    def _stream(self, response: answers.Live) -> None:
        """Write the head, and let the board write what follows for as long as the connection lasts."""
        self._aside = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._transport.write(response.serialize())
        self._board = response.board
        self._board.enter(self)

    def _frame(self, frame: Frame) -> None:
        code = frame.opcode
        if code is Opcode.CLOSE:
            self._begin_end()
        elif code is Opcode.PONG and (mark := bytes(frame.data)) in self.marks:
            self.asked = self.heard
            self._relay.arrived(self, mark)
        elif not self._relay.allows(self):
            self.close(1008, "Rate limit exceeded")
        elif code is Opcode.TEXT and frame.fin:
            self._message(bytes(frame.data))
        elif code in (Opcode.TEXT, Opcode.CONT) and not (code is Opcode.CONT and not self._parts):
            self._parts.append(bytes(frame.data))
            if len(self._parts) > _FRAGMENTS:
                self.close(1008, "too many fragments")
            elif frame.fin:
                whole, self._parts = b"".join(self._parts), []
                self._message(whole)
        elif code in (Opcode.BINARY, Opcode.CONT):
            self.close(1003, "text frames only")

    def _message(self, data: bytes) -> None:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self.close(1007, "no UTF-8")
            return
        self._relay.heard(self, text)

    def _write_protocol(self) -> None:
        """Write what the protocol itself answers: pongs, the end of the handshake, the end of the connection."""
        for data in self._ws.data_to_send():
            if data and not self._ended:
                self._transport.write(data)
            else:
                self._end_writing()

    def _write_last(self, data: bytes) -> None:
        self._transport.write(data)
        self._end_writing()

    def _end_writing(self) -> None:
        """Say that no more comes, and go on reading: to close on what is unread would take back what was written."""
        self._ended = True
        self._out.clear()
        if self._transport.can_write_eof() and not self._transport.is_closing():
            self._transport.write_eof()
            self._begin_end()
        else:
            self._transport.close()

    def _begin_end(self) -> None:
        if not self._closing:
            self._closing = True
            self._relay.ending(self)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(_CLOSE, self._transport.abort)
