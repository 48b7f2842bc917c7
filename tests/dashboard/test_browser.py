"""The dashboard in a real browser: headless Chromium, driven by Playwright. Screenshots go to build/dashboard/."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from peer import Peer

from sleep.relay.engine.effects import Arrived, Now

pytestmark = pytest.mark.browser

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or ""
SHOTS = Path(__file__).parents[2] / "build" / "dashboard"
EVIL = "<img src=x onerror=\"document.title='owned'\"><b id=evil>bold</b>"
LONG = "a-name-of-thirty-two-characters-"
NOW = Now(0.0, 1_795_000_000_000)
PATIENCE = 90_000  # ms: a slow machine is slow, and no test waits without a reason
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def _missing(what):
    """Skip, or fail where nothing may be skipped."""
    words = f"{what}: what a browser shows is NOT shown"
    if os.environ.get("CI") == "true":
        pytest.fail(words)
    pytest.skip(words)


@pytest.fixture(scope="module")
def browser():
    """Return Chromium."""
    try:
        from playwright.sync_api import sync_playwright  # late: none of the extras  # noqa: PLC0415
    except ModuleNotFoundError:
        _missing("pip install playwright")
    if not CHROMIUM:
        _missing("no Chromium on PATH (apt-get install chromium, or CHROMIUM=PATH)")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    with sync_playwright() as play:
        made = play.chromium.launch(executable_path=CHROMIUM, args=flags, timeout=PATIENCE)
        yield made
        made.close()


@pytest.fixture
def look(browser):
    """Return a function that opens a page and keeps what its console says; every test ends without an error there."""
    said, contexts = [], []

    def opened(url, expected=200, **options):
        contexts.append(browser.new_context(**{"viewport": {"width": 1000, "height": 800}, **options}))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda one: said.append(f"uncaught: {one}"))
        page.on("requestfailed", lambda one: said.append(f"failed: {one.url}") if "/events" not in one.url else None)
        if expected == 200:
            page.on("console", lambda one: said.append(f"{one.type}: {one.text}") if _matters(one) else None)
        assert page.goto(url).status == expected
        return page

    yield opened
    for one in contexts:
        one.close()
    assert said == []


def _matters(message):
    """Return whether the console may not say this; that the stream broke is said in a test that breaks it."""
    return message.type != "log" and not message.location.get("url", "").endswith("/events")


def _at(host):
    return f"http://127.0.0.1:{host.port}/"


def _link(host):
    return f"{_at(host)}?token={host.server.pages}"


def _shot(page, name):
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png", full_page=True)


def _left(row):
    """Return the seconds that a countdown shows."""
    found = re.fullmatch(r"wakes in (?:(\d+)m )?(\d+)s", row.locator(".left").inner_text())
    return int(found[1] or 0) * 60 + int(found[2])


def test_story(relay, look):
    """One agent sleeps, its countdown counts, messages raise the badge, it wakes, and the feed says so."""
    host = relay(relay_max_buffer=3)
    page = look(_at(host))
    page.get_by_text("Live", exact=True).wait_for()
    page.get_by_text("Nobody is here.").wait_for()
    with Peer(host.url, "alice") as alice, Peer(host.url, "bob") as bob:
        page.locator("#agents tr").nth(1).wait_for()
        alice.send(type="SET_PRESENCE", status="busy", presence="busy", status_text=EVIL)
        alice.say("#love", f"{EVIL} good night @@sleep:600s@@")
        row = page.locator("#agents tr", has_text="alice")
        row.locator(".left").get_by_text("wakes in").wait_for()
        first = _left(row)
        assert 400 < first <= 600
        assert row.locator("time").get_attribute("datetime").endswith("Z")
        assert re.search(r"\d:\d\d:\d\d", row.locator("time").inner_text())
        assert row.locator(".kept").inner_text() == "0 DMs buffered"
        for number in range(3):
            bob.say("@alice", f"{EVIL} {number}")
        row.get_by_text("3 DMs buffered", exact=True).wait_for()
        _shot(page, "asleep")
        page.wait_for_function(
            "before => { const [, m, s] = document.querySelector('.left').textContent.match(/(?:(\\d+)m )?(\\d+)s/);"
            " return 60 * (m || 0) + Number(s) < before - 1; }",
            arg=first,
        )
        bob.say("@alice", "one too many")
        row.get_by_text("3 DMs buffered, 1 dropped", exact=True).wait_for()
        bob.say("#love", "look @alice")
        row.get_by_text("2 DMs, 1 mention buffered, 2 dropped", exact=True).wait_for()
        feed = page.locator("#feed")
        feed.get_by_text("fell asleep").wait_for()
        assert "woke up" not in feed.inner_text()
        alice.say("#love", "early")
        feed.get_by_text("woke up").wait_for()
        assert "3 buffered, 2 dropped" in feed.locator("li.woke").first.inner_text()
        row.get_by_text("online", exact=True).wait_for()
        assert not row.locator(".asleep").is_visible()
        assert row.locator(".kept").inner_text() == ""
        alice.say("#love", "@@sleep:1s@@")
        feed.locator("li.woke", has_text="its time was up").wait_for()
        assert EVIL in row.inner_text()  # the status text, as text
        assert page.locator("#evil, main img").count() == 0
        assert page.title().startswith("Agents")
        _shot(page, "awake")
    page.get_by_text("Nobody is here.").wait_for()


def test_kicked(relay, look):
    """The reason for which an agent was removed is text, whatever is in it."""
    host = relay()
    page = look(_at(host))
    with Peer(host.url, "alice") as alice, Peer(host.url) as admin:
        alice.say("#love", "@@sleep:600s@@")
        page.locator(".sleeper").wait_for()
        admin.send(type="ADMIN_KICK", agent_id="alice", admin_key=host.server.admin, reason=EVIL)
        page.locator("#feed .kicked").wait_for()
        assert EVIL in page.locator("#feed .kicked").inner_text()
        assert page.locator("#evil, main img").count() == 0


@pytest.mark.parametrize(("scheme", "width"), [("light", 360), ("dark", 360), ("dark", 320)])
def test_phone(relay, look, scheme, width):
    """On a phone no page is wider than the screen, light or dark, and a countdown stands on one line."""
    host = relay()
    options = {"viewport": {"width": width, "height": 720}, "color_scheme": scheme, "reduced_motion": "reduce"}
    with Peer(host.url, LONG) as alice, Peer(host.url, "bob") as bob:
        alice.say("#love", "@@sleep:3600s:buffer@@")
        alice.until_now()  # she sleeps before bob speaks: these are two connections
        bob.say(f"@{LONG}", "hello")
        page = look(_link(host), **options)
        page.get_by_text("1 DM buffered").wait_for()
        page.locator(".sleeper .left", has_text="wakes in").wait_for()
        _shot(page, f"phone-{scheme}-{width}")
        assert page.evaluate(WIDE) == 0
        for part in (".left", ".kept.count", ".badge.sleeping"):
            assert page.evaluate(f"document.querySelector('{part}').getClientRects().length") == 1, part
            assert page.locator(part).first.bounding_box()["height"] < 32, part
        assert page.evaluate("getComputedStyle(document.querySelector('#feed li')).animationName") == "none"
        page.get_by_role("link", name="Memory").click()
        page.get_by_role("heading", name="Memory").wait_for()
        _shot(page, f"phone-memory-{scheme}-{width}")
        assert page.evaluate(WIDE) == 0
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (int(re.search(r"\d+", paper)[0]) < 128) == (scheme == "dark")


@pytest.mark.parametrize("width", [1000, 360])
def test_landmarks(relay, look, width):
    """A screen reader finds the landmarks, a table with heads, and a log that speaks politely of what is new."""
    host = relay()
    page = look(_at(host), viewport={"width": width, "height": 800})
    with Peer(host.url, "alice"):
        page.locator("#agents tr").wait_for()
        table = page.get_by_role("table", name="Agents, who wakes next first")
        assert table.count() == 1
        assert table.get_by_role("columnheader").all_inner_texts() == ["agent", "state", "waiting"]
        assert table.get_by_role("rowheader").count() == 1
        assert table.get_by_role("cell").count() == 2
        for role in ("banner", "main", "status", "log"):
            assert page.get_by_role(role).count() == 1, role
        assert page.get_by_role("log", name="Activity").get_by_role("listitem").count() >= 1
        assert page.get_by_role("navigation", name="Pages").count() == 1
        assert page.get_by_role("heading", level=1).all_inner_texts() == ["Agents"]
        assert page.get_by_role("heading", level=2).all_inner_texts() == ["Who is here", "Activity"]
        page.locator("#log[aria-live=polite]").wait_for()
        assert page.locator("html").get_attribute("lang") == "en"


def test_keyboard(relay, look):
    """The keyboard reaches everything in the order in which it stands, and each stop can be seen."""
    host = relay()
    page = look(_at(host))
    with Peer(host.url, "alice"):
        page.locator("#agents tr").wait_for()
        words = []
        for _ in range(5):
            page.keyboard.press("Tab")
            words.append(page.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.id"
                                       " || document.activeElement.textContent"))  # fmt: skip
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
        assert words == ["Skip to the content", "Agents", "Memory", "Agents", "log"]


def test_many(relay, look):
    """Of more agents than are shown, the page says how many there are."""
    host = relay(relay_address_connections=0)
    page = look(_at(host))
    host.call(lambda: [host.server.engine.handle(Arrived(f"@a{n}", f"a{n}", keyed=False), NOW) for n in range(1203)])
    page.get_by_text("and 1,003 more; shown are who wakes next and who came last").wait_for()
    page.get_by_text("1,203 agents, 0 asleep").wait_for()
    assert page.locator("#agents tr").count() == 200


def test_restarted(relay, look):
    """When the relay is gone the page says so, and when it is back it shows what is."""
    first = relay()
    page = look(_at(first))
    page.get_by_text("Live", exact=True).wait_for()
    first.stop()
    page.get_by_text("The relay does not answer").wait_for()
    second = relay(relay_port=first.port)
    with Peer(second.url, "alice"):
        page.get_by_text("Live", exact=True).wait_for()
        page.locator("#agents tr", has_text="alice").wait_for()


def test_token(relay, look):
    """A browser that shows the token once keeps watching, without it in the address."""
    host = relay(relay_token="open sesame")
    page = look(f"{_at(host)}?token=open%20sesame")
    page.get_by_text("Live", exact=True).wait_for()
    assert page.url == _at(host)
    page.get_by_role("link", name="Memory").click()
    page.get_by_role("heading", name="Memory").wait_for()


def test_without_the_key(relay, look):
    """Without the key the memory is not shown, and the page says how to get it."""
    page = look(f"{_at(relay())}memory", expected=401)
    page.get_by_text("Open the link that relay.serve printed").wait_for()
    assert page.get_by_role("heading", name="Sleep debt").count() == 0


def test_memory(relay, look):
    """This repository's own memory reads: debt, the plot, the cycles and their commits, threads."""
    host = relay()
    page = look(_link(host))
    page.get_by_role("link", name="Memory").click()
    page.get_by_role("heading", name="Sleep debt").wait_for()
    page.get_by_role("img", name="Tokens in each tier after each cycle").wait_for()
    _shot(page, "memory")
    page.get_by_role("table", name="The last cycles").get_by_role("link").first.click()
    page.get_by_role("heading", name="Files").wait_for()
    _shot(page, "commit")
