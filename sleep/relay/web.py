"""Plain HTTP on the relay's port: who may ask, and the answers.

Owns the routes, and the checks that keep web pages of others away: the host that was asked for, the origin, the token.
Reading only: no request changes anything. The pages themselves are the dashboard's.
"""

from __future__ import annotations

import hmac
import ipaddress
import json
import os
import re
import secrets
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from sleep.relay.dashboard import pages
from sleep.relay.dashboard.live import Board

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from urllib.parse import SplitResult

    from sleep.relay.dashboard.pages import Page

    Route = Callable[[], Response]

LINE = 8192  # bytes of a request's first line
_VERB = re.compile(rb"(?!GET )([!-~]+) [!-~]+ HTTP/1\.[01]\r?\n")
_PHRASES = {int(status): status.phrase for status in HTTPStatus}


# Ports that no browser opens, from 1024 on: https://fetch.spec.whatwg.org/#port-blocking
_REFUSED = frozenset(
    (1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, *range(6665, 6670), 6679, 6697, 10080)
)


def is_refused_by_browsers(port: int) -> bool:
    """Return whether browsers refuse to open a port, because other protocols have it; IRC's 6667 is one."""
    return port in _REFUSED


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine and nothing else."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


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
    """Return facts."""
    return reply(200, json.dumps(value, ensure_ascii=False), "application/json; charset=utf-8")


def refused(request: bytes) -> bytes:
    """Return the answer to a request of another verb than GET, for which websockets 16 has no word."""
    verb = _VERB.match(request)
    if verb is None:
        return b""
    whole = reply(405, "GET only\n", Allow="GET")
    if verb[1] == b"HEAD":
        whole.body = b""
    return bytes(whole.serialize())


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


class Door:
    """Who may come in, by the words of the request."""

    def __init__(self, host: str, token: str, origins: str, routes: Mapping[str, Route]) -> None:
        """Make the door of a relay on an address; `routes` are the paths of plain HTTP and their answers."""
        self._local = is_loopback(host)
        self._token = token
        self._origins = frozenset(origins.split())
        self._routes = routes
        self._pages = pages.Pages(os.getcwd())
        self._board = Board()
        self.key = secrets.token_urlsafe(24)  # opens the pages, and nothing else, until this relay ends

    def answer(self, request: Request) -> Response | None:
        """Return the answer, None for a WebSocket that may come in."""
        try:
            url = urlsplit(request.path)
            refused = self._refuse(request, url.path, url.query)
        except ValueError:
            return reply(400, "no address\n")
        if refused:
            return refused
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return None
        return self._get(request, url)

    def _get(self, request: Request, url: SplitResult) -> Response:
        if url.path == pages.EVENTS:
            return self._events()
        if route := self._routes.get(url.path):
            return route()
        found = self._pages.find(url.path)
        if found is None:
            return reply(404, "not found\n")
        if "token" in parse_qs(url.query) and self._is_shown(_shown(request, url.query)):
            return self._admit(request, url.path)
        return _page(found) if isinstance(found, pages.Page) else Later(lambda: _page(found()))

    def _events(self) -> Response:
        if self._board.is_full:
            return reply(503, "too many are watching\n", Retry_After="5")
        head = reply(200, "", "text/event-stream; charset=utf-8", **pages.HEADERS)
        del head.headers["Content-Length"]
        return Live(head, self._board)

    def _admit(self, request: Request, path: str) -> Response:
        """Have a browser that showed a token keep the key of the pages, and drop the token from its address bar."""
        cookie = f"{_cookie(request)}={self.key}; Path=/; HttpOnly; SameSite=Strict"
        return reply(303, "", Location=path, Set_Cookie=cookie, **pages.HEADERS)

    def _refuse(self, request: Request, path: str, query: str) -> Response | None:
        try:
            host = request.headers.get("Host", "")
            origin = request.headers.get("Origin")
            request.headers.get("Upgrade")
            shown = _shown(request, query)
        except LookupError:  # one of them twice
            return reply(403, "ambiguous headers\n")
        if self._local and not is_loopback(_name(host)):  # a page whose name was pointed here
            return reply(403, "this relay answers to the names of loopback only\n")
        if origin is not None and origin not in self._origins and urlsplit(origin).netloc != host:
            return reply(403, "not from this origin\n")
        may = self._is_open(request, path) or self._is_token(shown) or self._has_key(request, path, shown)
        return None if may else self._ask()

    def _ask(self) -> Response:
        if self._token:
            return reply(401, "a token is needed\n", WWW_Authenticate="Bearer")
        return _page(pages.CLOSED, WWW_Authenticate="Bearer")

    def _is_open(self, request: Request, path: str) -> bool:
        """Return whether anybody who reaches the relay may have this: without a token all but the memory."""
        if self._token:
            return path == "/health" and not request.headers.get("Upgrade")
        return not pages.is_private(path)

    def _is_token(self, shown: bytes) -> bool:
        return bool(self._token) and hmac.compare_digest(shown, self._token.encode())

    def _is_shown(self, shown: bytes) -> bool:
        """Return whether a browser may keep the key: it showed that, or the token."""
        return self._is_token(shown) or hmac.compare_digest(shown, self.key.encode())

    def _has_key(self, request: Request, path: str, shown: bytes) -> bool:
        """Return whether a page is asked for with the key of the pages, which opens no WebSocket, nor `/status`."""
        if request.headers.get("Upgrade") or (path != pages.EVENTS and self._pages.find(path) is None):
            return False
        name, key = _cookie(request), self.key.encode()
        kept = "; ".join(request.headers.get_all("Cookie")).split("; ")
        given = [shown, *(_bytes(one.removeprefix(f"{name}=")) for one in kept if one.startswith(f"{name}="))]
        return any(hmac.compare_digest(one, key) for one in given)


def _page(page: Page, **more: str) -> Response:
    return reply(page.status, page.content, page.kind, **pages.HEADERS, **more)


def _shown(request: Request, query: str) -> bytes:
    """Return the token that a request shows, by header or by query; b"" if it shows none."""
    header = request.headers.get("Authorization", "")
    if header.startswith("Bearer "):
        return _bytes(header.removeprefix("Bearer "))
    return next(iter(parse_qs(query).get("token", ())), "").encode(errors="replace")


def _bytes(header: str) -> bytes:
    """Return what came over the wire: of bytes above 127 websockets 16 makes surrogates, 17 makes Latin-1."""
    return header.encode("latin-1", "surrogateescape")


def _cookie(request: Request) -> str:
    """Return the name of the pass's cookie: browsers keep cookies by host, and two relays differ in their port."""
    port = request.headers.get("Host", "").rpartition(":")[2]
    return f"sleepwake-{port if port.isascii() and port.isdigit() else 'relay'}"


def _name(host: str) -> str:
    """Return the host without its port."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.rpartition(":")[0] if ":" in host else host
