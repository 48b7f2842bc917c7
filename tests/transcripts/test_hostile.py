"""Whatever stands in a file: no reader and no count raises, and none takes longer than the file is long."""

from __future__ import annotations

import json

import pytest
from examples import share
from hypothesis import given, settings
from hypothesis import strategies as st
from processor_time import spent

from sleep.transcripts import events, readers, tally
from sleep.transcripts.tally import Count, count_on

SECONDS = 1  # half a megabyte takes a twentieth of one; what is quadratic takes more than two

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just(10**4_000)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
SHARDS = st.sampled_from(
    [
        b"\0",
        b"\xef\xbb\xbf",
        b"\r\n",
        b"\n\n",
        b"\r",
        b"}{",
        b'"',
        b"\\ud800",
        b"\\",
        b"NaN",
        b"-Infinity",
        b"1e999",
        b"9" * 5_000,
        b"[" * 3_000,
        b'{"a":' * 3_000,
        b"\xff\xfe",
        b"\xf0\x9f",
        b"null",
        b"[]",
    ]
)


def check(client, raw):
    """Read and count bytes as a client's; everything that comes out can be written down."""
    for event in readers.reader(client).read(raw.splitlines(keepends=True)):
        assert isinstance(event, events.Event)
        assert isinstance(event.line, int)
        f"{event.text}{event.at}{event.path}{event.id}".encode()
    known = Count(client=client, offset=0 if readers.is_whole(client) else 1)
    for found in (count_on(known, [raw]), count_on(Count(), [raw])):
        assert tally.changes(found) >= tally.calls(found) >= 0
        assert Count.from_json(json.loads(json.dumps(found.to_json()))) == found


@settings(max_examples=share(50))
@given(st.binary(max_size=300))
def test_bytes(client, raw):
    """Any bytes are read as any client's."""
    check(client, raw)


@settings(max_examples=share(50))
@given(st.data())
def test_a_transcript_with_shards_in_it(samples, client, data):
    """A transcript that was cut, doubled and littered is read, however little of it is left."""
    raw = samples[client]
    for _ in range(data.draw(st.integers(1, 4))):
        start, end = sorted((data.draw(st.integers(0, len(raw))), data.draw(st.integers(0, len(raw)))))
        middle = data.draw(st.sampled_from([b"", raw[start:end] * 2]) | SHARDS | st.binary(max_size=4))
        raw = raw[:start] + middle + raw[end if data.draw(st.booleans()) else start :]
    check(client, raw)


def places(value, at=()):
    """Every place inside a JSON value."""
    yield at
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        yield from places(one, (*at, key))


def put(value, at, other):
    """The value with another in one of its places."""
    if not at:
        return other
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[at[0]] = put(value[at[0]], at[1:], other)
    return changed


@settings(max_examples=share(50))
@given(st.data())
def test_a_transcript_of_another_shape(samples, client, data):
    """A transcript in which values have other types, or keys are missing, is read."""
    if client in readers.MARKDOWN:
        return
    rows = [samples[client]] if readers.is_whole(client) else samples[client].splitlines()
    number = data.draw(st.integers(0, len(rows) - 1))
    record = json.loads(rows[number])
    for _ in range(data.draw(st.integers(1, 3))):
        record = put(record, data.draw(st.sampled_from(list(places(record)))), data.draw(VALUES))
    rows[number] = json.dumps(record).encode()
    check(client, b"\n".join(rows))


def row(**record):
    """A line."""
    return json.dumps(record).encode() + b"\n"


def claudes(text, **more):
    """What a person typed, and what a tool returned, in Claude Code's form."""
    error = {"type": "tool_result", "tool_use_id": "a", "is_error": True, "content": text}
    typed = row(type="user", message={"content": text}, **more)
    return (
        typed
        + row(type="user", message={"content": [error]})
        + row(type="user", message={"content": text}, isCompactSummary=True)
    )


N = 10_000
PATCH = "*** Begin Patch\n"


def answer(text):
    """What the tool that asks returned, in Claude Code's form."""
    use = {"type": "tool_use", "id": "a", "name": "AskUserQuestion", "input": {}}
    returned = {"type": "tool_result", "tool_use_id": "a", "content": text}
    return row(type="assistant", message={"content": [use]}) + row(type="user", message={"content": [returned]})


def pasted(text):
    """What somebody had pasted, in Aider's form."""
    return b"# aider chat started at 2026-01-02 03:04:05\n<shell-commands-results>" + text.encode()


def patch(text):
    """A patch, in Codex' form."""
    return row(type="response_item", payload={"type": "custom_tool_call", "name": "apply_patch", "input": PATCH + text})


def geminis(text):
    """What a person typed, in Gemini CLI's form."""
    return row(sessionId="s", projectHash="h") + row(type="user", id="m", content=text)


def output(text):
    """What a tool returned, in Codex' form."""
    return row(type="response_item", payload={"type": "custom_tool_call_output", "output": text})


def todos(text):
    """A list, in Copilot CLI's form."""
    return row(type="tool.execution_start", data={"toolName": "update_todo", "arguments": {"todos": text}})


LONG = {
    "open brackets": b"[" * 150_000,
    "open objects": b'{"a":' * 50_000,
    "many objects": b"{}" * 50_000,
    "spaces": b" " * 150_000,
    "line ends": b"\n" * 100_000,
    "carriage returns": b"\r" * 150_000,
    "quotes": b'"' * 150_000,
    "backslashes": b'{"type":"user","message":{"content":"' + b"\\" * 150_001,
    "signs": b'"tool_use" is_error": true "name":"Write"' * N,
    "nested progress": b'{"type":"progress","data":' + b'{"a":[' * 400 + b"1" + b"]}" * 400 + b"}\n",
    "open tags": claudes("<system-reminder " * N),
    "open reminders": claudes("<system-reminder>" * N),
    "hooks": claudes("<a-hook>" * N + "<" + "a" * N),
    "commands": claudes("<command-name>" * N + " " * N),
    "interruptions": claudes("[Request interrupted by user" * N),
    "refusals": claudes("The user doesn't want to proceed " + "the user said:" * N),
    "session context": geminis("<session_context " * N),
    "referenced files": geminis("\n--- Content from" * N),
    "patches": patch("\n" * N + " " * N),
    "patch lines": patch("\n*** Add File: " * N),
    "outputs": output("Wall time\n" * N + "Exit code: " * N),
    "todos": todos("\n " * N + "- [x]" * N),
    "issues": row(trajectory=[], history=[{"role": "user", "content": "<pr_description>" * N + "\nISSUE:" * N}]),
    "refused": json.dumps({"info": {"id": "ses_1"}, "parts": [
        {"type": "tool", "tool": "edit", "state": {"status": "error", "error": "The user rejected " * N}}]}).encode(),
    "headings": b"<!-- Generated by SpecStory -->\n" + b"_**User (" * N + b"\n" + b"<tool_use_error>" * N,
    "summaries": b'_**Agent (m)**_\n<tool-use data-tool-type="write" data-tool-name="Edit">'
    + b"<summary>Tool use: **Edit** " * N + b"The file a" * N + b"\n",
    "applied": b"# aider chat started at 2026-01-02 03:04:05\n> Applied edit to " + b" " * 150_000 + b"x\n",
    "errors": b"# aider chat started at 2026-01-02 03:04:05\n> " + b"Error" * N + b"\n",
    "answers": answer('"=' * N),
    "questions": answer('"="' * N),
    "ends of summaries": claudes("\nPlease continue the conversation from where" * N + "\n\nx"),
    "pasted commands": pasted("command: a " * N),
    "a pasted command": pasted("command: x" + " " * 5 * N + "\nerror:"),
    "choices": claudes("use " * N + "chose " * N),
}  # fmt: skip


def test_time_is_bounded(client):
    """What is made to be slow takes no longer than it is long."""
    for name, raw in LONG.items():
        seconds = spent(lambda: list(readers.reader(client).read(raw.splitlines(keepends=True))))  # noqa: B023
        seconds += spent(lambda: count_on(Count(client=client, offset=1), [raw]))  # noqa: B023
        assert seconds < SECONDS, name


@pytest.mark.parametrize("depth", [100, 900, 5_000])
def test_nesting_of_any_depth(client, samples, depth):
    """What is nested to any depth is read, or is a line that cannot be, and the lines around it are read."""
    deep = b'{"type":"progress","data":' + b'{"message":[' * depth + b"1" + b"]}" * depth + b"}\n"
    check(client, deep)
    if not readers.is_whole(client):
        found = count_on(Count(), [samples[client] + deep + samples[client].splitlines(keepends=True)[-1]])
        assert tally.changes(found) == tally.changes(count_on(Count(), [samples[client]]))
