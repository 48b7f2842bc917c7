"""Who may ask over plain HTTP on the relay's port, and for what.

Owns the routes, and the checks that keep web pages of others away: the host that was asked for, the origin, the token,
the key of the site. Reading only: no request changes anything.
"""

from __future__ import annotations

import hmac
import secrets
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from sleep.relay.server.answers import Later, Live, reply
from sleep.relay.server.ports import is_loopback

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from urllib.parse import SplitResult

    from websockets.http11 import Request, Response

    from sleep.relay.server.site_protocol import Page, Site

    Route = Callable[[], Response]


class Door:
    """Who may come in, by the words of the request."""

    def __init__(self, host: str, token: str, origins: str, routes: Mapping[str, Route], site: Site | None) -> None:
        """Make the door of a relay on an address; `routes` are the relay's own paths and their answers."""
        self._local = is_loopback(host)
        self._token = token
        self._origins = frozenset(origins.split())
        self._routes = routes
        self._site = site
        self.key = secrets.token_urlsafe(24)  # opens the site, and nothing else, until this relay ends

    def answer(self, request: Request) -> Response | None:
        """Return the answer, None for a WebSocket that may come in."""
        try:
            url = urlsplit(request.path)
            refusal = self._refuse(request, url.path, url.query)
        except ValueError:
            return reply(400, "no address\n")
        if refusal:
            return refusal
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return None
        return self._get(request, url)

    def _get(self, request: Request, url: SplitResult) -> Response:
        if route := self._routes.get(url.path):
            return route()
        site = self._site
        if site is None:
            return reply(404, "not found\n")
        if url.path == site.events:
            return _stream(site)
        page = site.find(url.path)
        if page is None:
            return reply(404, "not found\n")
        if "token" in parse_qs(url.query) and self._opens_site(_credential(request, url.query)):
            return self._admit(request, url.path, site)
        return Later(lambda: _page(site, page())) if callable(page) else _page(site, page)

    def _admit(self, request: Request, path: str, site: Site) -> Response:
        """Have a browser that showed a token keep the key of the site, and drop the token from its address bar."""
        cookie = f"{_cookie(request)}={self.key}; Path=/; HttpOnly; SameSite=Strict"
        return reply(303, "", Location=path, Set_Cookie=cookie, **site.headers)

    def _refuse(self, request: Request, path: str, query: str) -> Response | None:
        try:
            host = request.headers.get("Host", "")
            origin = request.headers.get("Origin")
            request.headers.get("Upgrade")
            credential = _credential(request, query)
        except LookupError:  # one of them twice
            return reply(403, "ambiguous headers\n")
        if self._local and not is_loopback(_name(host)):  # a page whose name was pointed here
            return reply(403, "this relay answers to the names of loopback only\n")
        if origin is not None and origin not in self._origins and urlsplit(origin).netloc != host:
            return reply(403, "not from this origin\n")
        if self._is_open(request, path) or self._is_token(credential) or self._has_key(request, path, credential):
            return None
        if self._token or self._site is None:
            return reply(401, "a token is needed\n", WWW_Authenticate="Bearer")
        return _page(self._site, self._site.closed(), WWW_Authenticate="Bearer")

    def _is_open(self, request: Request, path: str) -> bool:
        """Return whether anybody who reaches the relay may have this: without a token all but private pages."""
        if self._token:
            return path == "/health" and not request.headers.get("Upgrade")
        return self._site is None or not self._site.is_private(path)

    def _is_token(self, credential: bytes) -> bool:
        return bool(self._token) and hmac.compare_digest(credential, self._token.encode())

    def _opens_site(self, credential: bytes) -> bool:
        """Return whether a browser may keep the key: it showed that, or the token."""
        return self._is_token(credential) or hmac.compare_digest(credential, self.key.encode())

    def _has_key(self, request: Request, path: str, credential: bytes) -> bool:
        """Return whether a page is asked for with the key of the site, which opens no WebSocket, nor `/status`."""
        site = self._site
        if site is None or request.headers.get("Upgrade") or (path != site.events and site.find(path) is None):
            return False
        prefix, key = f"{_cookie(request)}=", self.key.encode()
        cookies = "; ".join(request.headers.get_all("Cookie")).split("; ")
        keys = [_bytes(cookie.removeprefix(prefix)) for cookie in cookies if cookie.startswith(prefix)]
        return any(hmac.compare_digest(candidate, key) for candidate in (credential, *keys))


def _page(site: Site, page: Page, **more: str) -> Response:
    return reply(page.status, page.content, page.kind, **site.headers, **more)


def _stream(site: Site) -> Response:
    if site.board.is_full:
        return reply(503, "too many are watching\n", Retry_After="5")
    head = reply(200, "", "text/event-stream; charset=utf-8", **site.headers)
    del head.headers["Content-Length"]
    return Live(head, site.board)


def _credential(request: Request, query: str) -> bytes:
    """Return the token or key that a request shows, by header or by query; b"" if it shows none."""
    header = request.headers.get("Authorization", "")
    if header.startswith("Bearer "):
        return _bytes(header.removeprefix("Bearer "))
    return next(iter(parse_qs(query).get("token", ())), "").encode(errors="replace")


def _bytes(header: str) -> bytes:
    """Return what came over the wire: of bytes above 127 websockets 16 makes surrogates, 17 makes Latin-1."""
    return header.encode("latin-1", "surrogateescape")


def _cookie(request: Request) -> str:
    """Return the name of the key's cookie: browsers keep cookies by host, and two relays differ in their port."""
    port = request.headers.get("Host", "").rpartition(":")[2]
    return f"sleepwake-{port if port.isascii() and port.isdigit() else 'relay'}"


def _name(host: str) -> str:
    """Return the host without its port."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.rpartition(":")[0] if ":" in host else host
