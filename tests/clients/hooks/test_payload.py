"""Reading what clients say: their real words, and anything else."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from sleep.clients.hooks import log, payload
from tests.clients.conftest import SAMPLES

SHARED = os.environ.get("SLEEP_SHARED")  # read now: the environment of a test is emptied
CASES = [(client, name, given) for client, events in SAMPLES.items() for name, given in events.items()]
READ = "import sys, time; from sleep.clients.hooks import payload; print(payload.read()[0])"


def told(given, **environ):
    """Return the payload that an object makes."""
    return payload.Payload(given, environ)


@pytest.fixture
def stdin(monkeypatch):
    """Return a function that reads a payload from a descriptor, or from bytes."""

    def read(source):
        stream = open(source, "rb", closefd=False) if isinstance(source, int) else io.BytesIO(source)  # noqa: SIM115
        with stream, io.TextIOWrapper(stream) as text:
            monkeypatch.setattr("sys.stdin", text)
            return payload.read()[0]

    return read


@pytest.mark.parametrize(("client", "name", "given"), CASES, ids=[f"{client}-{name}" for client, name, _ in CASES])
def test_real_words_are_understood(client, name, given):
    """Of every sample the client is told, Copilot by its variable, and the fields are those that it gave."""
    found = told(given, **({"COPILOT_CLI": "1"} if client == "copilot" else {}))
    assert found.client == client, name
    assert found.event == given["hook_event_name"]
    assert found.session == given["session_id"]
    assert found.transcript == given.get("transcript_path", "")  # which may be missing
    assert found.message == given.get("last_assistant_message", given.get("prompt_response", ""))


@pytest.mark.parametrize("moved", [False, True])
def test_a_transcript_that_a_client_does_not_name_is_where_it_keeps_them(tmp_path, moved):
    """Copilot names no transcript at a start and an end: it is told by the session, below its folder at home."""
    given = SAMPLES["copilot"]["SessionEnd:complete"]
    home = tmp_path / ("state" if moved else ".copilot")
    environ = {"COPILOT_CLI": "1", "HOME": str(tmp_path), **({"COPILOT_HOME": str(home)} if moved else {})}
    assert told(given, **environ).transcript == ""
    (home / "session-state").mkdir(parents=True)
    assert told(given, **environ).transcript == str(home / "session-state" / given["session_id"] / "events.jsonl")
    for session in ("../../x", "a/b", "", "x\0y", "."):
        assert told({**given, "session_id": session}, **environ).transcript == ""
    assert told({"hook_event_name": "SessionEnd", "session_id": "s", "turn_id": "t"}, **environ).transcript == ""


SUB_AGENT = {  # of Copilot CLI 1.0.102: the sub-agent's id stands where a session's does
    "hook_event_name": "Stop",
    "session_id": "ce770408-8271-475e-9654-d79d720b0442",
    "agent_id": "ce770408-8271-475e-9654-d79d720b0442",
    "parent_agent_id": "887abcd8-52c2-42d2-a954-90ba433f586a",
}


@pytest.mark.parametrize(("transcript", "session"), [("887abcd8", "887abcd8"), ("0000abcd", "0000abcd"), ("", "")])
def test_a_sub_agent_is_no_session(transcript, session):
    """The Stop of a sub-agent is that of the session whose transcript it names, else of the agent above it."""
    path = f"/h/.copilot/session-state/{transcript}/events.jsonl" if transcript else ""
    found = told({**SUB_AGENT, "transcript_path": path}, COPILOT_CLI="1")
    assert (found.client, found.session) == ("copilot", session or SUB_AGENT["parent_agent_id"])
    assert not found.may_go_on


def test_what_was_typed_is_the_prompt():
    """Where a client says what was typed beside what it makes of it, the former counts; an empty one stays empty."""
    given = {"session_id": "s", "prompt": "<system-reminder>\nx\n</system-reminder>\n\nWhy?"}
    assert told({**given, "submitted_prompt": "Why?"}).prompt == "Why?"
    assert told({**given, "prompt": ""}).prompt == ""


@pytest.mark.parametrize(
    ("environ", "client"),
    [
        ({"COPILOT_CLI": "1", "CLAUDECODE": "1"}, "copilot"),
        ({"QWEN_PROJECT_DIR": "/p", "GEMINI_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p"}, "qwen"),
        ({"GEMINI_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p"}, "gemini"),
        ({"CLAUDECODE": "1"}, "claude"),
        ({}, ""),
    ],
)
def test_the_environment_tells_where_words_do_not(environ, client):
    """Without a transcript the client's variables tell, and those that others set too come last."""
    assert told({"session_id": "s"}, **environ).client == client


def test_a_transcript_tells_more_than_an_inherited_variable():
    """A client in another one's shell inherits its variables; its own transcript names it."""
    path = "/srv/ada/.claude/projects/-p/x.jsonl"
    assert told({"transcript_path": path}, COPILOT_CLI="1").client == "claude"
    assert told({"transcript_path": "C:\\Users\\ada\\.codex\\sessions\\x.jsonl"}, CLAUDECODE="1").client == "codex"


def test_names_in_camel_case_are_the_same():
    """Copilot's other form gives the same payload."""
    found = told({"sessionId": "s", "transcriptPath": "/x/session-state/s/events.jsonl"})
    assert (found.session, found.client) == ("s", "copilot")


@pytest.mark.parametrize("value", [None, 3, 1.5, True, [], ["a"], {}, {"a": 1}, ""])
def test_a_value_of_another_type_was_not_said(value):
    """A field that is no text counts as not given."""
    found = told(dict.fromkeys(("session_id", "transcript_path", "cwd", "source", "prompt", "hook_event_name"), value))
    assert not any(getattr(found, name) for name in payload.Payload.__slots__)


def test_half_of_a_pair_and_a_null_do_no_harm():
    """Half a surrogate pair is replaced, for no file can hold it, and a path with a null byte is none."""
    found = told(json.loads('{"session_id": "a\\ud83d", "transcript_path": "/a\\u0000b", "cwd": "/x"}'))
    assert (found.session, found.transcript, found.cwd) == ("a?", "", "/x")


def test_a_transcript_is_a_file(tmp_path):
    """A path that names a pipe, a folder or a device is none, for reading it could wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    for path in (str(tmp_path / "pipe"), str(tmp_path), "/dev/zero"):
        assert told({"session_id": "s", "transcript_path": path}).transcript == ""


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" \n",
        b"null",
        b"[]",
        b"3",
        b'"text"',
        b"{",
        b'{"a": 1}}',
        b"\xff\xfe\x00",
        b"NaN",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"a": ' + b"9" * 10_000 + b"}",
        b"{'a': 1}",
    ],
)
def test_what_is_no_object_is_nothing(stdin, content):
    """Whatever is no JSON object reads as an empty one."""
    assert stdin(content) == {}


def test_invalid_bytes_inside_a_text_are_kept_out(stdin):
    """Bytes that are no UTF-8, and a byte order mark, do not cost the rest of the payload."""
    assert stdin(b'\xef\xbb\xbf{"session_id": "a\xff", "x": NaN}')["session_id"] == "a\ufffd"


def test_more_than_the_limit_is_not_read(stdin, monkeypatch):
    """Of an input above the limit no more is read, and what is torn is nothing."""
    monkeypatch.setattr(payload, "LIMIT", 1000)
    assert stdin(json.dumps({"session_id": "s", "message": "x" * 2000}).encode()) == {}


def test_a_file_and_a_pipe_are_read_to_their_end(stdin, tmp_path):
    """A payload of several megabytes comes whole from a file and from a pipe."""
    given = {"session_id": "s", "last_assistant_message": "ä" * 3_000_000}
    content = json.dumps(given).encode()
    path = tmp_path / "in"
    path.write_bytes(content)
    with path.open("rb") as file:
        assert stdin(file.fileno()) == given
    reading, writing = os.pipe()
    writer = threading.Thread(target=lambda: (os.write(writing, content[:10]), _send(writing, content[10:])))
    writer.start()
    assert stdin(reading) == given
    writer.join()
    os.close(reading)


def _send(descriptor, content):
    while content:
        content = content[os.write(descriptor, content) :]
    os.close(descriptor)


def test_a_pipe_that_stays_open_is_not_waited_for(stdin, monkeypatch):
    """When the object is whole the hook goes on, whether the pipe is closed or not; an empty pipe has a limit."""
    reading, writing = os.pipe()
    os.write(writing, b'{"session_id": "s", "a": {}}\n')
    began = time.monotonic()
    assert stdin(reading)["session_id"] == "s"
    assert time.monotonic() - began < payload.PATIENCE / 2
    monkeypatch.setattr(payload, "PATIENCE", 0.1)
    assert stdin(reading) == {}
    os.write(writing, b'{"session_id": "s", "a": {}')
    assert stdin(reading) == {}
    os.close(reading)
    os.close(writing)


def test_a_pause_inside_an_object_is_waited_for(stdin):
    """A writer that pauses after a brace in the middle loses nothing."""
    reading, writing = os.pipe()

    def write():
        os.write(writing, b'{"a": {}')
        time.sleep(0.5)
        os.write(writing, b', "session_id": "s"}')

    writer = threading.Thread(target=write)
    writer.start()
    assert stdin(reading)["session_id"] == "s"
    writer.join()
    os.close(reading)
    os.close(writing)


def test_a_person_at_a_terminal_is_not_waited_for():
    """Typed at a terminal, a hook reads nothing and ends."""
    person, terminal = pty.openpty()
    done = subprocess.run([sys.executable, "-c", READ], stdin=terminal, capture_output=True, timeout=30, check=True)
    assert done.stdout.strip() == b"{}"
    os.close(person)
    os.close(terminal)


def test_no_standard_input_is_no_error():
    """A hook whose standard input is closed reads nothing."""
    done = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -c '{READ}' <&-"], capture_output=True, timeout=30, check=True
    )
    assert done.stdout.strip() == b"{}"
    assert Path(__file__).exists()


@pytest.mark.real
def test_all_real_samples_are_understood(run, memory):
    """Every recorded hook input of the five clients, of whatever event, is taken by every hook without an error."""
    assert SHARED, "SLEEP_SHARED must name the folder of the real samples"
    found = sorted(Path(SHARED, "e2e/samples").glob("*/hook_stdin*.json"))
    assert len(found) == 5
    for path in found:
        client = path.parent.name.partition("-")[0]
        for name, given in json.loads(path.read_text(encoding="utf-8")).items():
            environ = {"COPILOT_CLI": "1"} if client == "copilot" else {}
            assert told(given, **environ).client == client, name
            for event in (
                "stop",
                "session-start",
                "subagent-start",
                "session-end",
                "pre-compact",
                "user-prompt-submit",
            ):
                said = run(event, given)
                assert said == "" or "Test soul." in said.context or event == "subagent-start"
    assert log.last_error(memory) == ""
