"""Copilot CLI's transcripts: what a line means."""

from __future__ import annotations

import json

from sleep.transcripts.formats import copilot


def event(kind, record=(), **told):
    """A line."""
    return json.dumps({"type": kind, "data": told, "timestamp": "t", **dict(record)}).encode()


def read(*lines):
    """Return (role, kind, text or path) of what was read."""
    return [(one.role, one.kind, one.text or one.path) for one in copilot.read(lines)]


def start(name, call="c1", **given):
    """A call."""
    return event("tool.execution_start", toolCallId=call, toolName=name, arguments=given)


def done(call="c1", **told):
    """How a call ended."""
    return event("tool.execution_complete", toolCallId=call, **told)


def test_a_prompt_is_what_was_typed():
    """What was typed is read, not what the client made of it, nor what a skill or the autopilot says for a person."""
    assert read(
        event("session.start", context={"cwd": "/p"}),
        event("user.message", content="Fix it", transformedContent="<system_reminder>x</system_reminder>Fix it"),
        event("user.message", content="A skill", source="skill-pdf"),
        event("user.message", content="Go on", isAutopilotContinuation=True),
        event("assistant.message", content="Fixed.", toolRequests=[]),
        event("assistant.message", content="", toolRequests=[{"name": "edit"}]),
    ) == [("", "root", "/p"), ("person", "prompt", "Fix it"), ("agent", "text", "Fixed.")]


def test_what_a_hook_put_in_is_never_an_event():
    """What hooks are given and say, the system's message and its notices become no event."""
    planted = "PLANTED-77"
    assert (
        read(
            event("hook.start", hookType="sessionStart", input={"initialPrompt": planted}),
            event("hook.end", hookType="sessionStart", output={"additionalContext": planted}),
            event("system.message", role="system", content=planted),
            event("system.notification", content=f"<system_notification>{planted}</system_notification>"),
        )
        == []
    )


def test_calls_are_told_by_what_they_do():
    """Edits have their path, a patch one for each of its files, commands their text; a look at a file is no edit."""
    patch = "*** Begin Patch\n*** Add File: a\n*** Update File: b\n*** End Patch"
    assert read(
        start("create", path="/p/a", file_text="x"),
        start("edit", path="/p/b"),
        start("str_replace_editor", command="view", path="/p/c"),
        start("str_replace_editor", command="str_replace", path="/p/c"),
        event("tool.execution_start", toolName="apply_patch", arguments=patch),
        start("apply_patch", input=patch),
        start("bash", command="make"),
        start("update_todo", todos="- [x] a\n- [ ] b"),
        start("task_complete", summary="All done."),
        start("view", path="/p/d"),
    ) == [
        ("agent", "edit", "/p/a"),
        ("agent", "edit", "/p/b"),
        ("agent", "call", "str_replace_editor"),
        ("agent", "edit", "/p/c"),
        ("agent", "edit", "a"),
        ("agent", "edit", "b"),
        ("agent", "edit", "a"),
        ("agent", "edit", "b"),
        ("agent", "run", "make"),
        ("agent", "tasks", "- [x] a\n- [ ] b"),
        ("agent", "text", "All done."),
        ("agent", "call", "view"),
    ]


def test_how_a_call_ended():
    """Only a failure gives its text, a person's no gives none, and a person's answer is theirs."""
    found = list(
        copilot.read(
            [
                done(success=True, result={"content": "secret"}),
                done(success=False, error={"message": "No match", "code": "failure"}),
                done(success=False, error={"message": "The tool call was rejected by the user", "code": "rejected"}),
                done(success=True, result={"content": "User selected: main"}),
            ]
        )
    )
    assert [(one.role, one.kind, one.text, one.ok, one.line) for one in found] == [
        ("tool", "result", "", True, 1),
        ("tool", "result", "No match", False, 2),
        ("tool", "result", "", False, 3),
        ("person", "answer", "main", True, 4),
        ("tool", "result", "", True, 4),
    ]


def test_a_sub_agent_is_marked():
    """What a sub-agent says and calls is marked, by the call that began it or by its own id."""
    lines = [
        event("assistant.message", content="a", parentToolCallId="c1"),
        event("assistant.message", {"agentId": "x"}, content="b"),
        event("assistant.message", content="c"),
    ]
    assert [one.side for one in copilot.read(lines)] == [True, True, False]
