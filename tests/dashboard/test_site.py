"""The dashboard over HTTP: what it serves and to whom, and the stream of events."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import re
import socket
import time
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from peer import PATIENCE, Key, Peer
from websockets.exceptions import InvalidStatus

from sleep.dashboard import board, site
from sleep.dashboard import board as board_
from sleep.dashboard.board import Board
from sleep.relay.endpoint import Endpoint
from sleep.relay.engine.effects import Noted
from sleep.relay.server import ports

pytestmark = pytest.mark.relay
EVIL = "<script>alert(1)</script>"


def _get(host, path, method="GET", **headers):
    line = http.client.HTTPConnection("127.0.0.1", host.port, timeout=PATIENCE)
    line.request(method, path, headers=headers)
    answer = line.getresponse()
    body = answer.read()
    line.close()
    return answer.status, answer.headers, body.decode()


class Watcher:
    """A reader of the stream."""

    def __init__(self, host, **headers):
        self.line = http.client.HTTPConnection("127.0.0.1", host.port, timeout=PATIENCE)
        self.line.request("GET", "/events", headers=headers)
        self.answer = self.line.getresponse()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.line.close()
        self.answer.close()

    def read(self):
        """Return the next event."""
        lines = []
        while (line := self.answer.readline()) not in (b"\n", b""):
            lines.append(line.decode().rstrip("\n"))
        assert len(lines) == 2, lines
        assert lines[0].startswith("event: ")
        assert lines[1].startswith("data: ")
        return lines[0].removeprefix("event: "), json.loads(lines[1].removeprefix("data: "))

    def until(self, kind, test=lambda _: True):
        """Return the next event of a kind that passes a test."""
        while True:
            name, value = self.read()
            if name == kind and test(value):
                return value


@pytest.mark.parametrize("path", ["/", "/memory", "/app.js", "/style.css", "/icon.svg", "/commit/abc"])
def test_headers(relay, path):
    """Every page has the policy that lets nothing in from elsewhere, and nothing inline."""
    host = relay()
    status, headers, _ = _get(host, path, Authorization=f"Bearer {host.server.pages}")
    assert status == (404 if path == "/commit/abc" else 200)
    policy = dict(one.strip().split(" ", 1) for one in headers["Content-Security-Policy"].split(";"))
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "connect-src": "'self'",
        "img-src": "'self' data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/", "/memory", "/events", "/status"])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "get"])
def test_verbs(relay, path, method):
    """No verb but GET does anything."""
    status, headers, body = _get(relay(), path, method)
    assert (status, headers["Allow"]) == (405, "GET")
    assert body == ("" if method == "HEAD" else "GET only\n")


def _answered(line):
    seen = b""
    while piece := line.recv(4096):
        seen += piece
    return seen


def test_verbs_in_pieces(relay):
    """However the bytes of a request come, and with a body behind it, the answer is the same, and whole."""
    host = relay()
    for verb, status in ((b"POST", b"405"), (b"GET", b"200"), (b"HEAD", b"405")):
        with socket.create_connection(("127.0.0.1", host.port), timeout=PATIENCE) as line:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for byte in verb + b" /health HTTP/1.1\r\n":
                line.sendall(bytes([byte]))
            line.sendall(b"Host: 127.0.0.1\r\n\r\n")
            if verb == b"POST":
                line.sendall(b"x" * 100_000)
            head, _, body = _answered(line).partition(b"\r\n\r\n")
            assert head.split()[1] == status
            assert (b"Allow: GET" in head) == (status == b"405")
            assert bool(body) == (verb != b"HEAD")


@pytest.mark.parametrize(
    "line", [b"\x16\x03\x01\n", b"\n", b"POST\n", b"x" * 20_000, b"POST / HTTP/2.0\r\n", b"GET \r\n"]
)
def test_no_request(relay, line):
    """What is no request of HTTP/1 gets no page, and its connection is ended."""
    host = relay()
    with socket.create_connection(("127.0.0.1", host.port), timeout=PATIENCE) as raw:
        raw.sendall(line)
        with contextlib.suppress(ConnectionResetError):
            assert b" 200 " not in _answered(raw)
    assert _get(host, "/health")[0] == 200


def test_static():
    """Pages hold no inline script, style or handler, ask no other host for anything, and write text as text."""
    whole = {path: page.content.decode() for path, page in site.Site(".")._static.items()}
    assert " style=" not in whole["/"]
    assert "<style" not in whole["/"]
    assert whole["/"].count("<script") == 1
    for text in whole.values():
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "fetch("):
        assert word not in whole["/app.js"]
    for word in ("XMLHttpRequest", "WebSocket", "sendBeacon", "<form", "<input", "<button"):
        assert word not in whole["/"] + whole["/app.js"]


def _luminance(colour):
    """Return the relative luminance of WCAG 2.2 of `#rgb` or `#rrggbb`."""
    whole = colour[1:] if len(colour) == 7 else "".join(one * 2 for one in colour[1:])
    parts = [int(whole[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one, other):
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast():
    """Every colour of words can be read on both backgrounds, light and dark, and so can the areas of the plot."""
    sheet = site.Site(".").find("/style.css").content.decode()
    light, dark = (dict(re.findall(r"--(\w+): (#\w+);", one)) for one in sheet.split("@media (prefers-color")[:2])
    for colours in (light, {**light, **dark}):
        for paper in ("page", "card"):
            for words in ("ink", "soft", "link", "online", "sleeping", "count", "bad"):
                assert _contrast(colours[words], colours[paper]) >= 4.5, (words, paper)
            for area in ("hot", "warm", "cold"):
                assert _contrast(colours[area], colours[paper]) >= 3, (area, paper)


def test_story(relay):
    """Sleep, a buffered message and the wake come as events, each within a second or so."""
    host = relay()
    with Watcher(host) as watcher, Peer(host.url, "alice") as alice, Peer(host.url, "bob") as bob:
        assert watcher.answer.headers.get_content_type() == "text/event-stream"
        assert watcher.answer.headers["Content-Length"] is None
        name, value = watcher.read()
        assert (name, value["whole"]) == ("feed", True)
        assert watcher.read()[0] == "state"
        alice.say("#love", "@@sleep:600s@@")
        slept = watcher.until("feed", lambda one: any(two["doing"] == "slept" for two in one["entries"]))
        assert slept["whole"] is False
        state = watcher.until("state", lambda one: one["asleep"] == 1)
        first = state["agents"][0]
        assert (first["name"], first["sleep"]["mode"]) == ("alice", "default")
        assert 0 < first["sleep"]["wakes_at"] - state["ts"] <= 600_000
        took = []
        for number in (1, 2, 3):
            bob.say("@alice", EVIL)
            before = time.monotonic()
            state = watcher.until("state", lambda one, number=number: one["agents"][0]["sleep"]["buffered"] == number)
            took.append(time.monotonic() - before)
            assert EVIL not in json.dumps(state)
        assert min(took) < 1.9
        alice.say("#love", "awake")
        woke = watcher.until("feed", lambda one: one["entries"][-1]["doing"] == "woke")
        assert "3 buffered" in woke["entries"][-1]["detail"]
        assert watcher.until("state", lambda one: one["asleep"] == 0)


def test_leaves_nothing(relay):
    """When the last reader is gone the relay is looked at no more."""
    host = relay()
    with Watcher(host) as watcher:
        watcher.until("state")
        assert len(host.call(lambda: tuple(host.server.watchers))) == 1
    end = time.monotonic() + PATIENCE
    with Peer(host.url, "alice") as alice:
        while host.call(lambda: len(host.server.watchers)) and time.monotonic() < end:
            alice.say("#love", "@@sleep:0.01s@@")
            time.sleep(0.05)
    assert host.call(lambda: len(host.server.watchers)) == 0


def test_stop(relay):
    """A relay that stops does not wait for who watches."""
    host = relay()
    with Watcher(host) as watcher:
        watcher.until("state")
        began = time.monotonic()
        host.stop()
        assert time.monotonic() - began < 5
        with pytest.raises((AssertionError, OSError)):
            watcher.until("never")


def test_stream_is_no_client(relay):
    """What a reader sends behind its request is no frame: it neither speaks nor ends anything."""
    host = relay()
    with socket.create_connection(("127.0.0.1", host.port), timeout=PATIENCE) as line:
        frame = b"\x81\x9e" + bytes(4) + b'{"type":"IDENTIFY","name":"x"}'
        line.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" + frame)
        seen = b""
        while b"event: state" not in seen:
            seen += line.recv(4096)
        line.sendall(frame)
        with Peer(host.url, "alice"):
            while b'"name":"alice"' not in seen:
                seen += line.recv(4096)
        assert b'"name":"x"' not in seen
    assert _get(host, "/health")[0] == 200


def test_silence(relay, monkeypatch):
    """A stream outlives the time after which a silent WebSocket is dropped."""
    monkeypatch.setattr(board_, "_BEAT", 0.1)
    monkeypatch.setattr(board_, "_PACE", 0.1)
    host = relay(relay_heartbeat=0.2, relay_silence=2.0)
    board = host.site.board
    with Watcher(host) as watcher:
        end = time.monotonic() + 5
        while time.monotonic() < end:
            watcher.until("state")
        assert len(board._fresh) == 1


def test_full(relay, monkeypatch):
    """There are so many streams at most, and one that ends makes room."""
    monkeypatch.setattr(board_, "MOST", 1)
    host = relay()
    with Watcher(host) as watcher:
        watcher.until("state")
        assert _get(host, "/events")[0] == 503
        assert _get(host, "/")[0] == 200
    with Peer(host.url, "alice"):
        end = time.monotonic() + PATIENCE
        while host.site.board.is_full and time.monotonic() < end:
            time.sleep(0.05)
    with Watcher(host) as watcher:
        assert watcher.answer.status == 200


def test_doors(relay):
    """A page of another origin, and another name for this machine, are refused as everywhere."""
    host = relay()
    for path in ("/", "/memory", "/events"):
        assert _get(host, path, Host="evil.example")[0] == 403
        assert _get(host, path, Origin="http://evil.example")[0] == 403


def test_token(relay):
    """With a token every page demands it; a browser that showed it once keeps a pass that is good for pages alone."""
    host = relay(relay_token="open sesame")
    for path in ("/", "/app.js", "/memory", "/events", "/commit/abc"):
        assert _get(host, path)[0] == 401
    status, headers, _ = _get(host, "/memory?token=open%20sesame")
    assert (status, headers["Location"]) == (303, "/memory")
    cookie = headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "sesame" not in cookie
    kept = cookie.partition(";")[0]
    for path in ("/", "/app.js", "/memory"):
        assert _get(host, path, Cookie=f"a=b; {kept}")[0] == 200
        assert _get(host, path, Cookie=f"{kept}x")[0] == 401
        assert _get(host, path, Cookie="é".encode().decode("latin-1"))[0] == 401
    with Watcher(host, Cookie=kept) as watcher:
        assert watcher.answer.status == 200
    assert _get(host, "/status", Cookie=kept)[0] == 401
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    assert _get(host, "/", Cookie=kept, **upgrade, **{"Sec-WebSocket-Key": "x" * 22 + "=="})[0] == 401
    assert _get(host, "/", Authorization="Bearer open sesame")[0] == 200


def test_memory_is_private(relay):
    """Without a token the memory is shown to who has the key of the pages alone; that opens nothing else."""
    host = relay()
    key = host.server.pages
    for path in ("/memory", "/commit/abc"):
        status, headers, body = _get(host, path)
        assert (status, headers["WWW-Authenticate"]) == (401, "Bearer")
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "relay.serve" in body
        assert _get(host, f"{path}?token={key}x")[0] == 401
        assert _get(host, path, Cookie=f"sleepwake-{host.port}={key}x")[0] == 401
    assert _get(host, "/")[0] == 200
    for shown in (f"{key}x", "", "%ff"):  # an open page gives the key to nobody
        status, headers, body = _get(host, f"/?token={shown}")
        assert (status, headers["Set-Cookie"]) == (200, None)
        assert key not in body
    status, headers, _ = _get(host, f"/?token={key}")
    assert (status, headers["Location"]) == (303, "/")
    kept = headers["Set-Cookie"].partition(";")[0]
    assert _get(host, "/memory", Cookie=kept)[0] == 200
    assert key not in _get(host, "/memory", Cookie=kept)[2]
    assert key not in _get(host, "/status", Cookie=kept)[2]


def test_key_is_no_token(relay):
    """Where a token is demanded the key of the pages opens them, and neither a WebSocket nor `/status`."""
    host = relay(relay_token="open sesame")
    key = host.server.pages
    assert _get(host, f"/memory?token={key}")[0] == 303
    assert _get(host, "/memory", Authorization=f"Bearer {key}")[0] == 200
    assert _get(host, f"/status?token={key}")[0] == 401
    for options in ({}, {"additional_headers": {"Authorization": f"Bearer {key}"}}):
        with pytest.raises(InvalidStatus) as refused:
            Peer(f"{host.url}/?token={key}", **options)
        assert refused.value.response.status_code == 401


def test_link(relay):
    """The link to the dashboard holds the key, and is made of what the note of a relay has."""
    host = relay()
    link = Endpoint(host.url, "", "", 1, host.server.pages).dashboard
    assert link == f"http://127.0.0.1:{host.port}/?token={host.server.pages}"
    assert _get(host, urlsplit(link)._replace(scheme="", netloc="").geturl())[0] == 303
    assert Endpoint("wss://relay.example/", "t", "", 0).dashboard == "https://relay.example/"


def test_sleeper_cut_off(relay, tmp_path):
    """A keyed sleeper whose relay was restarted is shown as cut off."""
    first = relay(tmp_path / "journal.db")
    alice = Peer(first.url, "alice", Key())
    alice.say("#love", "@@sleep:60s@@")
    alice.until_now()
    first.stop()
    alice.drop()
    with Watcher(relay(tmp_path / "journal.db")) as watcher:
        agent = watcher.until("state")["agents"][0]
        assert (agent["here"], agent["presence"]) == (False, "sleeping")


# --- without a relay --------------------------------------------------------------------------------------------------


def _agent(name, wakes=0):
    sleep = {"mode": "default", "since": 0, "wakes_at": wakes, "buffered": 0, "dropped": 0} if wakes else None
    return {"id": f"@{name}", "name": name, "sleep": sleep}


def _seen(agents, feed=()):
    counts = {"count": len(agents), "asleep": sum(one["sleep"] is not None for one in agents)}
    return {"ts": 1, "server": "s", "connections": 0, "journal": "off", "agents": agents, "feed": list(feed), **counts}


def test_glance():
    """Who wakes next stands first, then who is awake by name."""
    agents = [_agent("Zoe"), _agent("adam"), _agent("late", 9), _agent("soon", 5)]
    assert [one["name"] for one in board.state_of(_seen(agents))["agents"]] == ["soon", "late", "adam", "Zoe"]


def test_event_is_one_line():
    """No text breaks out of an event."""
    text = "a\r\n\r\nevent: evil\u2028data: x\ud800"
    event = board.event("feed", {"entries": [{"detail": text}]})
    assert event.count(b"\n") == 3
    assert b"\r" not in event
    assert json.loads(event.split(b"data: ", 1)[1])["entries"][0]["detail"] == text


class Reader:
    """A stream that may be slow."""

    def __init__(self):
        self.is_free, self.got = True, []

    def write(self, data):
        """Keep what came."""
        self.got.append(data)


async def until(what):
    """Wait for something."""
    async with asyncio.timeout(PATIENCE):
        while not what():  # noqa: ASYNC110  # it tells nobody
            await asyncio.sleep(0.005)


def test_slow_reader():
    """Who cannot be written to gets nothing, keeps nothing, and is brought up to date at once when it can."""

    async def run():
        board, quick, slow, watchers, feed, count = Board(), Reader(), Reader(), set(), [], [0]

        def observe():
            return _seen([_agent(f"a{number}") for number in range(count[0])], [one._asdict() for one in feed])

        board.attach(observe, watchers)
        for one in (quick, slow):
            board.enter(one)
        await until(lambda: quick.got and slow.got)
        assert (len(quick.got), len(slow.got)) == (1, 1)
        slow.is_free = False
        for number in range(1, 4):
            count[0] = number
            feed.append(Noted(number, "@a", "a", "slept", ""))
            for watcher in tuple(watchers):
                watcher(feed[-1]._asdict())
            await until(lambda number=number: len(quick.got) > number)
        assert (len(quick.got), len(slow.got)) == (4, 1)
        slow.is_free = True
        feed.append(Noted(4, "@a", "a", "woke", ""))
        for watcher in tuple(watchers):
            watcher(feed[-1]._asdict())
        await until(lambda: len(slow.got) > 1)
        assert b'"whole":true' in slow.got[-1]
        assert slow.got[-1].count(b'"doing"') == 4
        assert b'"count":3' in slow.got[-1]
        for one in (quick, slow):
            board.leave(one)
        assert not watchers
        assert board._next is None

    asyncio.run(run())


def test_costly_look(monkeypatch):
    """A look that takes long is followed by a pause a hundred times as long, whatever happens."""

    async def run():
        board, watchers, looks = Board(), set(), []

        def observe():
            looks.append(time.monotonic())
            end = time.thread_time() + 0.05
            while time.thread_time() < end:
                pass
            return _seen([])

        board.attach(observe, watchers)
        board.enter(Reader())
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            for watcher in tuple(watchers):
                watcher(Noted(1, "@a", "a", "slept", "")._asdict())
            await asyncio.sleep(0.01)
        assert len(looks) == 1
        assert len(board._news) <= board_.NEWS
        board.leave(next(iter(board._fresh)))

    asyncio.run(run())


def _free(ports):
    for port in ports:
        with socket.socket() as tried, contextlib.suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port
    pytest.fail("none of the ports that browsers refuse is free")


def test_a_port_that_browsers_open(relay):
    """Beside a chat's port that browsers refuse, the dashboard answers on one that they open."""
    host = relay(relay_port=_free(range(6665, 6670)), relay_dashboard_port=0)
    at = host.server.dashboard_port
    assert at != host.port
    assert not ports.is_refused_by_browsers(at)
    assert _get(SimpleNamespace(port=at), "/")[0] == _get(host, "/")[0] == 200
    host.stop()
    with pytest.raises(OSError, match="refused"):
        _get(SimpleNamespace(port=at), "/")


def test_one_port_is_enough(relay):
    """Where browsers open the relay's own port there is no other, and the link leads to the one that they open."""
    host = relay()
    assert host.server.dashboard_port == host.port
    noted = Endpoint("ws://127.0.0.1:6667", "", "", 1, "k", "http://127.0.0.1:6670")
    assert noted.dashboard == "http://127.0.0.1:6670/?token=k"
