"""The real Claude Code and Codex as agents on a relay, their model scripted on loopback."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.clients.driven import drive

pytestmark = pytest.mark.real
assert drive  # a fixture
pytest.importorskip("websockets", reason="the extra `relay` is absent: what it would show is NOT shown")
TALK = """
import asyncio, json, os, subprocess, sys
from hosts import Hosted
from test_tasks import COMMAND
from sleep.relay import notices
from sleep.relay.client import Client

async def said(client):
    async with asyncio.timeout(150):
        async for heard in client:
            if isinstance(heard, notices.Message) and heard.name == "ann":
                return [heard.to, heard.text]

async def run(url):
    words = ("relay.run", "--name=ann", "--channel=#love", f"--url={url}", *sys.argv[1:])
    async with Client(url, "bob") as bob:
        child = subprocess.Popen([sys.executable, "-c", COMMAND, *words])
        try:
            async with asyncio.timeout(90):
                while not any(one["name"] == "ann" for one in await bob.join("#love")):
                    await asyncio.sleep(0.1)
            await bob.send("#love", "how is the build?")
            first = await said(bob)
            echo = (await bob.send("@ann", "and the tests?")).echo
            return [first, echo.get("recipient"), await said(bob)]
        finally:
            child.terminate()
            assert child.wait(60) == 0

hosted = Hosted()
print("TALK " + json.dumps(asyncio.run(run(hosted.url))))
hosted.stop()
"""


STEPS = [
    {"text": "ready"},
    {"text": "The build is green. @@sleep:4s@@"},
    {"text": "The tests pass."},
]


def talk(drive, client, *words, **more):
    """Drive a client as an agent; return what it said and was told, and the prompts of its two turns."""
    path = os.pathsep.join([str(Path(__file__).parents[1]), str(Path(__file__).parents[3]), *filter(None, sys.path)])
    line = f"PYTHONPATH='{path}' '{sys.executable}' talk.py {' '.join(words)} > talk.out 2>talk.err; cat talk.err; true"
    done = drive(
        client,
        {
            "files": {"talk.py": TALK},
            "before": ["true"],
            "runs": [{"prompt": "first of all"}],
            "lanes": [{"name": "main", "steps": STEPS}],
            "after": [line],
            **more,
        },
    ).wait()
    out = (done.project / "talk.out").read_text(encoding="utf-8")
    assert out.startswith("TALK "), (done.project / "talk.err").read_text(encoding="utf-8")
    return json.loads(out.removeprefix("TALK ")), done.requests()[1:]


@pytest.mark.parametrize(
    ("client", "words"),
    [
        ("claude", ("--", "${CLAUDE}", "-p")),
        ("codex", ("--argument", "--", "${CODEX}", "exec")),
    ],
)
def test_sleeps_and_is_prompted_again(drive, client, words):
    """A client answers in the channel, its marker puts it to sleep, and it wakes to what it was told meanwhile."""
    (first, echo, second), (asked, again) = talk(drive, client, *words)
    assert first == ["#love", "The build is green."]
    assert echo == "sleeping"
    assert second[1] == "The tests pass."
    assert "[#love] bob: how is the build?" in asked
    assert "You slept, and are awake again." in again
    assert "[to you alone] bob: and the tests?" in again
