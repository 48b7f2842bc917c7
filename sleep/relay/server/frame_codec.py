"""Messages out of the bytes of a WebSocket, and bytes out of messages.

Owns the short way: a text message in one masked frame, which nearly all are, is read and written here. Everything else
(the handshake, pings, the end, fragments, what is large and came in part, what is wrong) is left to the library
websockets, frame by frame, so that it knows of every frame that this module did not read whole. RFC 6455, section 5.2.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from websockets.frames import apply_mask
from websockets.protocol import State

if TYPE_CHECKING:
    from websockets.server import ServerProtocol

    from sleep.relay.engine.frames import Frame

_WHOLE_TEXT, _MASKED, _FINAL, _CODE, _CONTROL = 0x81, 0x80, 0x80, 0x0F, 0x08
_SHORT, _MEDIUM = 126, 127  # lengths that say that the length follows in 2 bytes, or in 8
_HEAD = 14  # bytes of the longest head
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_LARGE = 2**16  # bytes of a frame that the library puts together, if it does not come at once


def serialize(text: bytes) -> bytes:
    """Return a text message as the frame that any number of clients can be sent."""
    length = len(text)
    if length < _SHORT:
        return b"\x81%c" % length + text
    if length < _LARGE:
        return b"\x81\x7e" + length.to_bytes(2, "big") + text
    return b"\x81\x7f" + length.to_bytes(8, "big") + text


class Encoder:
    """Frames as they go out. The last one is remembered, for it goes to many."""

    def __init__(self) -> None:
        self._last: tuple[Frame | None, str, bytes] = (None, "", b"")

    def encode(self, frame: Frame) -> tuple[str, bytes]:
        """Return a frame as JSON, and as the bytes that any number of clients can be sent."""
        if self._last[0] is not frame:
            text = _encode(frame)
            self._last = (frame, text, serialize(text.encode()))
        return self._last[1:]


class FrameReader:
    """What comes in on one connection."""

    __slots__ = ("_inside", "_library", "_most", "_owed", "_rest")

    def __init__(self, library: ServerProtocol, most: int) -> None:
        self._library = library
        self._most = most  # bytes of a message
        self._rest = b""  # the beginning of a frame, the rest of which has not come yet
        self._owed = 0  # bytes of a frame that are still to be given to the library
        self._inside = False  # a message in fragments is under way

    def receive(self, data: bytes) -> list[object]:
        """Return what came in, in order: a whole text message as bytes, everything else as the library has it."""
        if self._rest:
            data, self._rest = self._rest + data, b""
        events: list[object] = []
        at, end = 0, len(data)
        while at < end:
            if self._owed or self._library.state is not State.OPEN:
                at = self._give(data, at, events)
                continue
            begin, length = _head(data, at)
            if not begin:
                self._rest = data[at:]
                break
            size = begin - at + length
            plain = data[at] == _WHOLE_TEXT and data[at + 1] & _MASKED and length <= self._most and not self._inside
            if plain and at + size <= end:
                events.append(apply_mask(data[begin : begin + length], data[begin - 4 : begin]))
                at += size
            elif plain and size <= _LARGE:
                self._rest = data[at:]
                break
            else:
                self._owed = size
                if not data[at] & _CONTROL:
                    self._inside = not data[at] & _FINAL
        return events

    def end(self) -> None:
        """Tell the library that no more comes."""
        if self._rest:
            self._library.receive_data(self._rest)
            self._rest = b""
        self._library.receive_eof()

    def _give(self, data: bytes, at: int, events: list[object]) -> int:
        """Give the library what is its own; return how far."""
        upto = min(len(data), at + self._owed) if self._owed else len(data)
        self._library.receive_data(data[at:upto])
        self._owed = max(0, self._owed - (upto - at))
        events += self._library.events_received()
        return upto


def _head(data: bytes, at: int) -> tuple[int, int]:
    """Return where the payload of a frame begins, and its length; (0, 0) where the head is not all there."""
    head = data[at : at + _HEAD]
    if len(head) < 2:  # noqa: PLR2004  # the least that says what follows
        return 0, 0
    length, size = head[1] & ~_MASKED, 2
    if length == _SHORT:
        length, size = int.from_bytes(head[2:4], "big"), 4
    elif length == _MEDIUM:
        length, size = int.from_bytes(head[2:10], "big"), 10
    size += 4 if head[1] & _MASKED else 0
    return (at + size, length) if len(head) >= size else (0, 0)
