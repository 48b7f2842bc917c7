"""The dashboard in a real browser: headless Chromium, driven by Playwright. Screenshots go to build/dashboard/."""

from __future__ import annotations

import os
import re
import shutil
import time
from pathlib import Path

import pytest
from peer import Peer

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="pip install playwright; what a browser shows is NOT shown"
)
pytestmark = [pytest.mark.real, pytest.mark.relay]

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or ""
SHOTS = Path(__file__).parents[2] / "build" / "dashboard"
EVIL = "<img src=x onerror=\"document.title='owned'\"><b id=evil>bold</b>"


@pytest.fixture(scope="module")
def browser():
    """Return Chromium."""
    if not CHROMIUM:
        if os.environ.get("CI") == "true":
            pytest.fail("no Chromium on PATH (apt-get install chromium, or CHROMIUM=PATH)")
        pytest.skip("no Chromium on PATH (apt-get install chromium, or CHROMIUM=PATH): what it shows is NOT shown")
    with sync_api.sync_playwright() as play:
        made = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield made
        made.close()


@pytest.fixture
def look(browser):
    """Return a function that opens a page and keeps what its console says; every test ends without an error there."""
    said, contexts = [], []

    def opened(url, **options):
        contexts.append(browser.new_context(**{"viewport": {"width": 1000, "height": 800}, **options}))
        page = contexts[-1].new_page()
        page.on("console", lambda one: said.append(f"{one.type}: {one.text}") if one.type != "log" else None)
        page.on("pageerror", lambda one: said.append(f"uncaught: {one}"))
        page.on("requestfailed", lambda one: said.append(f"failed: {one.url}") if "/events" not in one.url else None)
        page.goto(url)
        return page

    yield opened
    for one in contexts:
        one.close()
    assert said == []


def _shot(page, name):
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png", full_page=True)


def _seconds(text):
    return int(re.fullmatch(r"wakes in (\d+)s", text)[1])


def test_story(relay, look):
    """One agent sleeps, its countdown counts, a message raises the badge, it wakes, and the feed says so."""
    host = relay()
    page = look(f"http://127.0.0.1:{host.port}/")
    page.get_by_text("Live", exact=True).wait_for()
    assert page.get_by_text("Nobody is here.").is_visible()
    with Peer(host.url, "alice") as alice, Peer(host.url, "bob") as bob:
        page.locator("#agents tr").nth(1).wait_for()
        alice.send(type="SET_PRESENCE", status="busy", presence="busy", status_text=EVIL)
        alice.say("#love", f"{EVIL} good night @@sleep:6s@@")
        row = page.locator("#agents tr", has_text="alice")
        row.locator(".left").get_by_text("wakes in").wait_for()
        first = _seconds(row.locator(".left").inner_text())
        assert 4 <= first <= 6
        assert row.locator("time").get_attribute("datetime").endswith("Z")
        assert row.locator(".kept").inner_text() == "0 DMs buffered"
        for number in range(3):
            bob.say("@alice", f"{EVIL} {number}")
        row.get_by_text("3 DMs buffered").wait_for()
        _shot(page, "asleep")
        later = _seconds(row.locator(".left").inner_text())
        time.sleep(1.5)
        assert _seconds(row.locator(".left").inner_text()) < later
        feed = page.locator("#feed")
        feed.get_by_text("fell asleep").wait_for()
        assert "woke up" not in feed.inner_text()
        feed.get_by_text("woke up").wait_for()
        assert "3 buffered, 0 dropped" in feed.locator("li").first.inner_text()
        row.get_by_text("online", exact=True).wait_for()
        assert not row.locator(".asleep").is_visible()
        assert row.locator(".kept").inner_text() == ""
        assert EVIL[:100] in row.inner_text()  # the status text, as text
        assert page.locator("#evil, main img").count() == 0
        assert page.title().startswith("Agents")
        _shot(page, "awake")
    page.get_by_text("Nobody is here.").wait_for()


def test_kicked(relay, look):
    """The reason for which an agent was removed is text, whatever is in it."""
    host = relay()
    page = look(f"http://127.0.0.1:{host.port}/")
    with Peer(host.url, "alice") as alice, Peer(host.url) as admin:
        alice.say("#love", "@@sleep:60s@@")
        page.locator(".sleeper").wait_for()
        admin.send(type="ADMIN_KICK", agent_id="alice", admin_key=host.server.admin, reason=EVIL)
        page.locator("#feed .kicked").wait_for()
        assert EVIL in page.locator("#feed .kicked").inner_text()
        assert page.locator("#evil, main img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone(relay, look, scheme):
    """On a phone no page is wider than the screen, light or dark."""
    host = relay()
    at = f"http://127.0.0.1:{host.port}"
    options = {"viewport": {"width": 360, "height": 720}, "color_scheme": scheme, "reduced_motion": "reduce"}
    with Peer(host.url, "a-name-of-thirty-two-characters-") as alice, Peer(host.url, "bob") as bob:
        alice.say("#love", "@@sleep:3600s:buffer@@")
        bob.say("@a-name-of-thirty-two-characters-", "hello")
        page = look(at, **options)
        page.get_by_text("1 message buffered").wait_for()
        _shot(page, f"phone-{scheme}")
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) == 0
        assert page.evaluate("getComputedStyle(document.querySelector('#feed li')).animationName") == "none"
        page.get_by_role("link", name="Memory").click()
        page.get_by_role("heading", name="Memory").wait_for()
        _shot(page, f"phone-memory-{scheme}")
        assert page.evaluate(wide) == 0
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (int(re.search(r"\d+", paper)[0]) < 128) == (scheme == "dark")


def test_landmarks(relay, look):
    """A screen reader finds the landmarks, a table with its caption, and a log that speaks politely of what is new."""
    host = relay()
    page = look(f"http://127.0.0.1:{host.port}/")
    with Peer(host.url, "alice"):
        page.get_by_role("table", name="Agents, who wakes next first").wait_for()
        for role in ("banner", "main", "status", "log"):
            assert page.get_by_role(role).count() == 1, role
        assert page.get_by_role("navigation", name="Pages").count() == 1
        assert page.get_by_role("rowheader").count() == 1
        page.locator("#feed[aria-live=polite]").wait_for()
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"


def test_token(relay, look):
    """A browser that shows the token once keeps watching, without it in the address."""
    host = relay(relay_token="open sesame")
    page = look(f"http://127.0.0.1:{host.port}/?token=open%20sesame")
    page.get_by_text("Live", exact=True).wait_for()
    assert page.url == f"http://127.0.0.1:{host.port}/"
    page.get_by_role("link", name="Memory").click()
    page.get_by_role("heading", name="Memory").wait_for()


def test_memory(relay, look):
    """This repository's own memory reads: debt, the plot, the cycles and their commits, threads."""
    host = relay()
    page = look(f"http://127.0.0.1:{host.port}/memory")
    page.get_by_role("heading", name="Sleep debt").wait_for()
    page.get_by_role("img", name="Tokens in each tier after each cycle").wait_for()
    _shot(page, "memory")
    page.get_by_role("table", name="The last cycles").get_by_role("link").first.click()
    page.get_by_role("heading", name="Files").wait_for()
    _shot(page, "commit")
