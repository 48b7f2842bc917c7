"""What is said to clients: bounded, whole characters, exact forms."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from sleep.clients.hooks import client_output

LONG = ["漢" * 50, "🌙" * 50, "a\n" * 50]
TEXTS = st.text(st.characters(exclude_categories=()), max_size=60) | st.sampled_from(LONG)


@given(TEXTS, st.integers(0, 300))
def test_what_is_clipped_fits_and_is_whole(text, room):
    """A clipped text has at most so many bytes and no half of a character; one that fits is as it was."""
    found = client_output.clipped(text, room)
    assert client_output.size(found) <= room or client_output.size(text) <= room
    assert found == text or client_output.size(text) > room
    assert "\ufffd" not in found or "\ufffd" in text


@given(TEXTS, TEXTS)
def test_the_directive_comes_first_and_all_of_it_fits(directive, body):
    """Whatever the body is, directive and body stay below the cap."""
    found = client_output.composed(directive, lambda _room: body * 1000)
    assert client_output.size(found) <= client_output.CAP
    assert found.startswith(directive.strip()[:100])


def test_the_body_is_asked_for_what_is_left():
    """The body is made for the bytes that the directive leaves."""
    rooms = []
    client_output.composed("x" * 498, lambda room: rooms.append(room) or "")
    assert rooms == [client_output.CAP - 500]


@given(TEXTS, st.sampled_from(["SessionStart", "SubagentStart"]))
def test_an_answer_is_one_line_of_json(text, event):
    """Either form is one line that parses to exactly the keys that the client knows."""
    line = client_output.formed(text, event)
    assert "\n" not in line
    assert json.loads(line) == {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    assert json.loads(client_output.formed(text, event, bare=True)) == {"additionalContext": text}


def test_nobody_listening_is_no_error():
    """A client that closed the pipe, or gave none, gets no error, and the exit code is 0."""
    code = "from sleep.clients.hooks import client_output; client_output.say('x' * 1000000)"
    reading, writing = os.pipe()
    os.close(reading)
    for stdout in (writing, subprocess.DEVNULL):
        done = subprocess.run(
            [sys.executable, "-c", code], stdout=stdout, stderr=subprocess.PIPE, timeout=30, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")
    os.close(writing)
    done = subprocess.run(
        ["sh", "-c", f'exec {sys.executable} -c "{code}" >&-'], capture_output=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
