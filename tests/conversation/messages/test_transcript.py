"""Transcripts of clients become histories that a provider accepts, with the calls and results that were in them."""

from __future__ import annotations

import json

from sleep.conversation import MemoryConsolidator
from sleep.conversation.messages import loader, shapes, validator


def _lines(*values):
    return "".join(f"{json.dumps(value)}\n" for value in values).encode()


def _told(record):
    """Return (role, kind of part, text) of a history."""
    turns = [shapes.read_turn(message) for message in record.messages]
    return [(turn.role, part.kind, part.text) for turn in turns for part in turn.parts]


def _event(kind, **data):
    return {"type": kind, "data": data, "id": "e", "timestamp": "2026-06-25T01:50:34.403Z", "parentId": None}


def test_copilots_events_are_read():
    """What was typed, said, called and answered, two calls at once, a failure; not hooks and not sub-agents."""
    calls = [
        {"toolCallId": "t1", "name": "create", "arguments": {"path": "a.txt"}},
        {"toolCallId": "t2", "name": "bash", "arguments": {"command": "make"}},
    ]
    content = _lines(
        _event("session.start", context={"cwd": "/p"}),
        _event("hook.start", input={"prompt": "PLANTED"}),
        _event("user.message", content="Make it", transformedContent="<time/>PLANTED"),
        _event("assistant.message", content="Making it.", toolRequests=calls),
        _event("assistant.message", content="PLANTED", parentToolCallId="t9"),
        _event("tool.execution_complete", toolCallId="t1", success=True, result={"content": "Created"}),
        _event("tool.execution_complete", toolCallId="t2", success=False, error={"message": "make: *** [a] Error 2"}),
        _event("assistant.message", content="It failed.", toolRequests=[]),
    )
    record = loader.read(content)
    assert (record.format, record.shape, record.unread) == ("copilot-cli", "anthropic", 0)
    assert validator.faults(record.messages, record.shape) == []
    assert _told(record) == [
        ("user", "text", "Make it"),
        ("assistant", "text", "Making it."),
        ("assistant", "call", "a.txt"),
        ("assistant", "call", "make"),
        ("tool", "result", "Created"),
        ("tool", "result", "make: *** [a] Error 2"),
        ("assistant", "text", "It failed."),
    ]


def _part(name, call, status="completed", **state):
    return {"type": "tool", "id": f"prt_{call}", "callID": call, "tool": name, "state": {"status": status, **state}}


def _message(role, *parts):
    return {"info": {"id": "msg_1", "role": role, "sessionID": "ses_1"}, "parts": list(parts)}


def test_opencodes_export_is_read():
    """Calls bear their results, also a failed one; what is under way, made up by the client or left out is not read."""
    export = {
        "info": {"id": "ses_1", "directory": "/p"},
        "messages": [
            _message(
                "user", {"type": "text", "text": "Fix it"}, {"type": "text", "text": "PLANTED", "synthetic": True}
            ),
            _message(
                "assistant",
                {"type": "step-start"},
                {"type": "text", "text": "Fixing."},
                _part("edit", "c1", input={"filePath": "/p/a.py"}, output="Edited"),
                _part("bash", "c2", "error", input={"command": "make"}, error="fatal: no rule"),
                _part("bash", "c3", "running", input={"command": "PLANTED"}),
            ),
            _message(
                "assistant", {"type": "text", "text": "PLANTED", "ignored": True}, {"type": "text", "text": "Done."}
            ),
        ],
    }
    record = loader.read(json.dumps(export, indent=1).encode())
    assert (record.format, record.shape) == ("opencode", "anthropic")
    assert validator.faults(record.messages, record.shape) == []
    assert _told(record) == [
        ("user", "text", "Fix it"),
        ("assistant", "text", "Fixing."),
        ("assistant", "call", "/p/a.py"),
        ("assistant", "call", "make"),
        ("tool", "result", "Edited"),
        ("tool", "result", "fatal: no rule"),
        ("assistant", "text", "Done."),
    ]


def test_opencodes_lines_are_read():
    """What `opencode run` prints, a part a line, is read as well."""
    record = loader.read(
        _lines(
            _message("user", {"type": "text", "text": "Fix it"}),
            {"type": "text", "sessionID": "ses_1", "part": {"type": "text", "text": "Fixing."}},
            {
                "type": "tool_use",
                "sessionID": "ses_1",
                "part": _part("bash", "c1", input={"command": "ls"}, output="a"),
            },
        )
    )
    assert [text for _, _, text in _told(record)] == ["Fix it", "Fixing.", "ls", "a"]
    assert validator.faults(record.messages, record.shape) == []


def test_geminis_lines_count_in_their_last_form():
    """A message that was written again is read once, as it was last; a document of the same messages reads alike."""
    call = {
        "id": "g1",
        "name": "run_shell_command",
        "args": {"command": "ls"},
        "status": "success",
        "resultDisplay": "a",
    }
    asked = {"id": "m1", "type": "user", "content": "List it"}
    draft = {"id": "m2", "type": "gemini", "content": "Lis"}
    said = {"id": "m2", "type": "gemini", "content": "Listing.", "toolCalls": [call]}
    head = {"sessionId": "s", "projectHash": "h"}
    lines = loader.read(_lines(head, asked, draft, {"$set": {"messages": [asked, said]}}))
    whole = loader.read(json.dumps({**head, "messages": [asked, said]}, indent=1).encode())
    assert lines.messages == whole.messages
    assert (lines.format, lines.shape) == (whole.format, whole.shape) == ("gemini", "gemini")
    assert [text for _, _, text in _told(lines)] == ["List it", "Listing.", "ls", "a"]


def test_qwens_lines_are_read():
    """Prompts, answers and results are contents; a line that stands twice counts once."""
    asked = {"uuid": "1", "parentUuid": None, "type": "user", "provenance": "real_user"}
    asked["message"] = {"role": "user", "parts": [{"text": "List it"}]}
    called = {"functionCall": {"id": "q1", "name": "ls", "args": {"path": "."}}}
    answered = {"functionResponse": {"id": "q1", "name": "ls", "response": {"output": "a"}}}
    record = loader.read(
        _lines(
            asked,
            asked,
            {"uuid": "2", "parentUuid": "1", "type": "assistant", "message": {"role": "model", "parts": [called]}},
            {"uuid": "3", "parentUuid": "2", "type": "tool_result", "message": {"role": "user", "parts": [answered]}},
        )
    )
    assert (record.format, len(record.messages)) == ("qwen-code", 3)
    assert validator.faults(record.messages, record.shape) == []


def test_a_client_is_consolidated_from_its_file():
    """The files that Copilot changed and its failure are in the state of the work."""
    call = {"toolCallId": "t1", "name": "create", "arguments": {"path": "/p/a.txt", "file_text": "x"}}
    run = {"toolCallId": "t2", "name": "bash", "arguments": {"command": "make"}}
    events = [_event("user.message", content="Make it"), _event("assistant.message", content="", toolRequests=[call])]
    events += [
        _event("tool.execution_complete", toolCallId="t1", success=True, result={"content": "Created file /p/a.txt"})
    ]
    events += [_event("assistant.message", content="", toolRequests=[run])]
    events += [
        _event("tool.execution_complete", toolCallId="t2", success=False, error={"message": "make: Error 2 in a"})
    ]
    events += [
        _event(f"{who}.message", content=f"{who} {number}") for number in range(3) for who in ("assistant", "user")
    ]
    record = loader.read(_lines(*events))
    text = MemoryConsolidator(shape=record.shape).consolidate(record.messages)[1]
    assert "- files changed: /p/a.txt\n- last error: [bash] make: Error 2 in a (nothing ran after it)" in text


def test_what_is_typed_between_results_stands_behind_them():
    """A provider wants all results first: what Claude Code writes between them comes after, in its order."""
    lines = [
        {"type": "user", "message": {"role": "user", "content": "go"}},
        {
            "type": "assistant",
            "message": {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": number, "name": "x", "input": {}} for number in "12"],
            },
        },
        *(
            {"type": "user", "message": {"role": "user", "content": [block]}}
            for block in (
                {"type": "tool_result", "tool_use_id": "1", "content": "a"},
                {"type": "text", "text": "wait"},
                {"type": "tool_result", "tool_use_id": "2", "content": "b"},
                {"type": "text", "text": "and now"},
            )
        ),
    ]
    record = loader.read("\n".join(map(json.dumps, lines)).encode(), "claude-code")
    assert [block["type"] for block in record.messages[2]["content"]] == ["tool_result", "tool_result", "text", "text"]
    assert [block["text"] for block in record.messages[2]["content"][2:]] == ["wait", "and now"]
    assert validator.faults(record.messages, record.shape) == []
