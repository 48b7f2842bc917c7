"""Answers of plain HTTP on the relay's port.

Owns their headers, the two that are not written at once (one that a thread makes, one without end), and the answer to
verbs that the library does not know. Refuses to decide who may have what.
"""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from websockets.datastructures import Headers
from websockets.http11 import Response

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sleep.relay.server.site_protocol import Board

LINE = 8192  # bytes of a request's first line
_VERB = re.compile(rb"(?!GET )([!-~]+) [!-~]+ HTTP/1\.[01]\r?\n")
_PHRASES = {int(status): status.phrase for status in HTTPStatus}


class Later(Response):  # type: ignore[misc]  # of an extra, which mypy is told not to read
    """An answer that takes a while: `work` makes it, in a thread."""

    def __init__(self, work: Callable[[], Response]) -> None:
        super().__init__(200, "", Headers())
        self.work = work


class Live(Response):  # type: ignore[misc]  # same
    """An answer without end: its head, and the board that writes what follows."""

    def __init__(self, head: Response, board: Board) -> None:
        super().__init__(head.status_code, head.reason_phrase, head.headers)
        self.board = board


def reply(status: int, body: str | bytes, kind: str = "text/plain; charset=utf-8", **more: str) -> Response:
    """Return a whole answer that no cache keeps and nothing else embeds."""
    content = body.encode() if isinstance(body, str) else body
    headers = Headers(
        {
            "Content-Type": kind,
            "Content-Length": str(len(content)),
            "Connection": "close",
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            **{name.replace("_", "-"): value for name, value in more.items()},
        }
    )
    return Response(status, _PHRASES.get(status, ""), headers, content)


def reply_json(value: Mapping[str, Any]) -> Response:
    """Return a value as JSON."""
    return reply(200, json.dumps(value, ensure_ascii=False), "application/json; charset=utf-8")


def refuse_verb(request: bytes) -> bytes:
    """Return the answer to a request of another verb than GET, for which websockets 16 has no word; b"" for GET."""
    verb = _VERB.match(request)
    if verb is None:
        return b""
    whole = reply(405, "GET only\n", Allow="GET")
    if verb[1] == b"HEAD":
        whole.body = b""
    return bytes(whole.serialize())
