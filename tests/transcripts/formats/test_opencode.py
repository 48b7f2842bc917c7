"""OpenCode's exports: what messages and parts mean, however they are nested."""

from __future__ import annotations

import datetime as dt
import json

from hypothesis import given
from hypothesis import strategies as st

from sleep.transcripts.formats import opencode


def message(role, *parts, **info):
    """A message as `export` writes it."""
    return {"info": {"id": "msg_1", "role": role, "sessionID": "ses_1", **info}, "parts": list(parts)}


def text(words, number="prt_1", **more):
    """A part that is text."""
    return {"id": number, "type": "text", "text": words, **more}


def tool(name, call="c1", status="completed", error=None, metadata=None, **given):
    """A part that is a call."""
    state = {"status": status, "input": given, "error": error, "metadata": metadata}
    return {"id": f"prt_{call}", "type": "tool", "tool": name, "callID": call, "state": state}


def read(whole):
    """Return (role, kind, text or path) of what was read."""
    return [(one.role, one.kind, one.text or one.path) for one in opencode.read([json.dumps(whole, indent=2).encode()])]


def test_the_export_is_read():
    """Prompts, text, summaries and calls are read in order; what the client made up or left out is not."""
    whole = {
        "info": {"id": "ses_1", "directory": "/p", "title": "x"},
        "messages": [
            message("user", text("Fix it"), text("PLANTED-77", "prt_2", synthetic=True)),
            message("assistant", text("Fixing.", "prt_3"), tool("write", filePath="/p/a"), {"type": "step-finish"}),
            message("assistant", text("PLANTED-77", "prt_4", ignored=True), tool("bash", "c2", command="make")),
            message("assistant", text("The story.", "prt_5"), summary=True),
        ],
    }
    assert [one for one in read(whole) if one[1] != "result"] == [
        ("", "root", "/p"),
        ("person", "prompt", "Fix it"),
        ("agent", "text", "Fixing."),
        ("agent", "edit", "/p/a"),
        ("agent", "run", "make"),
        ("agent", "summary", "The story."),
    ]


def test_lines_of_messages_and_parts_are_read_as_well():
    """The same parts are read from JSON lines, each in its last form, where it stood first; a bad line is counted."""
    lines = [
        json.dumps(message("user", text("Fix it"))).encode() + b"\n",
        json.dumps(
            {"type": "tool_use", "sessionID": "ses_1", "part": tool("edit", status="running", filePath="/p/a")}
        ).encode(),
        b"torn",
        json.dumps({"type": "text", "part": text("Fixed.", "prt_2")}).encode(),
        json.dumps({"type": "tool_use", "part": tool("edit", filePath="/p/a")}).encode(),
    ]
    assert [(one.kind, one.ok, one.line) for one in opencode.read(lines)] == [
        ("prompt", True, 1),
        ("edit", True, 2),
        ("result", True, 2),
        ("unread", False, 3),
        ("text", True, 4),
    ]


def test_calls_are_told_by_what_they_do():
    """A patch is an edit of each of its files; lists, questions and other calls are what they are."""
    patch = "*** Begin Patch\n*** Add File: a\n*** Update File: b\n*** End Patch"
    todos = [{"content": "a", "status": "completed"}, {"content": "b", "status": "pending"}]
    whole = message(
        "assistant",
        tool("apply_patch", "c1", patchText=patch),
        tool("todowrite", "c2", todos=todos),
        tool("question", "c3", questions=[{"question": "Now?"}]),
        tool("read", "c4", filePath="/p/c"),
    )
    assert [one for one in read([whole]) if one[1] != "result"] == [
        ("agent", "edit", "a"),
        ("agent", "edit", "b"),
        ("agent", "tasks", "- [x] a\n- [ ] b"),
        ("agent", "ask", "Now?"),
        ("agent", "call", "read"),
    ]


def test_how_a_call_ended():
    """An error gives its text, what never ended failed without, and what a person says in a refusal is theirs."""
    refused = "The user rejected permission to use this specific tool call with the following feedback: Use main"
    whole = [
        message("assistant", tool("edit", "c1", "error", "No match"), tool("edit", "c2", "running")),
        message("assistant", tool("edit", "c3", "error", refused)),
    ]
    found = [one for one in opencode.read([json.dumps(whole).encode()]) if one.kind != "edit"]
    assert [(one.kind, one.text, one.ok) for one in found] == [
        ("result", "No match", False),
        ("result", "", False),
        ("answer", "Use main", True),
        ("result", "", False),
    ]


def test_what_a_person_answers_to_the_tool_that_asks_is_theirs():
    """The answers stand in the tool's output, each with its question."""
    asks = tool("question", "c1", questions=[{"question": "Which store?"}])
    asks["state"]["output"] = 'User has answered your questions: "Which store?"="SQLite". You can now continue.'
    found = list(opencode.read([json.dumps(message("assistant", asks)).encode()]))
    assert [(one.asked, one.text) for one in found if one.kind == "answer"] == [("Which store?", "SQLite")]


def test_a_sub_agent_is_marked():
    """What a sub-agent's session holds is a sub-agent's, and so is what its parent's call says that it did."""
    session = {
        "info": {"id": "ses_2", "directory": "/p", "parentID": "ses_1"},
        "messages": [message("user", text("Go"))],
    }
    assert {one.side for one in opencode.read([json.dumps(session).encode()])} == {True}
    task = tool("task", metadata={"summary": [tool("edit", "c2", filePath="/p/a")]})
    found = list(opencode.read([json.dumps(message("assistant", task)).encode()]))
    assert [(one.kind, one.side) for one in found if one.kind != "result"] == [("call", False), ("edit", True)]


@given(st.datetimes(dt.datetime(1970, 1, 1), dt.datetime(5000, 1, 1)))  # noqa: DTZ001  # strategies want naive ones
def test_moments_are_those_of_the_calendar(moment):
    """Milliseconds become the same time in ISO form as the calendar of the standard library says."""
    moment = moment.replace(tzinfo=dt.UTC, microsecond=moment.microsecond // 1_000 * 1_000)
    since = round((moment - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)) / dt.timedelta(milliseconds=1))
    expected = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z") if since else ""
    assert opencode.moment(since) == expected
    assert opencode.moment(str(since)) == ""
