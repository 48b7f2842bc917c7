"""Qwen Code's transcripts: what a line means."""

from __future__ import annotations

import json

from sleep.transcripts.formats import qwen


def line(kind, *parts, **more):
    """A line."""
    return json.dumps({"type": kind, "message": {"role": "user", "parts": list(parts)}, **more}).encode()


def read(*lines):
    """Return (role, kind, text or path) of what was read."""
    return [(one.role, one.kind, one.text or one.path) for one in qwen.read(lines)]


def call(name, **given):
    """A call."""
    return {"functionCall": {"id": "c1", "name": name, "args": given}}


def test_a_prompt_is_what_was_typed():
    """A prompt is read as it was typed, without what hooks added; what the client says as a user is none."""
    added = "<qwen:user-prompt-submit-context>\nPLANTED-77\n</qwen:user-prompt-submit-context>"
    assert read(
        line("user", {"text": "Fix it"}, {"text": added}, provenance="real_user", cwd="/p"),
        line(
            "user", {"text": f"Test it{added}"}, systemPayload={"displayText": "Test it", "hookContext": "PLANTED-77"}
        ),
        line("user", {"text": "PLANTED-77"}, provenance="system"),
        line("user", {"text": "PLANTED-77"}, provenance="real_user", subtype="notification"),
        line("system", {"text": "PLANTED-77"}, subtype="ui_telemetry"),
    ) == [("", "root", "/p"), ("person", "prompt", "Fix it"), ("person", "prompt", "Test it")]


def test_the_agents_parts():
    """Text and calls are read, thoughts are not."""
    todos = [{"content": "a", "status": "completed"}, {"content": "b", "status": "pending"}]
    assert read(
        line("assistant", {"text": "Hm.", "thought": True}, {"text": "Writing."}, call("write_file", file_path="/p/a")),
        line("assistant", call("edit", file_path="/p/b"), call("run_shell_command", command="make")),
        line("assistant", call("todo_write", todos=todos), call("exit_plan_mode", plan="# Plan")),
        line("assistant", call("ask_user_question", questions=[{"question": "Now?"}]), call("glob", pattern="*")),
    ) == [
        ("agent", "text", "Writing."),
        ("agent", "edit", "/p/a"),
        ("agent", "edit", "/p/b"),
        ("agent", "run", "make"),
        ("agent", "tasks", "- [x] a\n- [ ] b"),
        ("agent", "plan", "# Plan"),
        ("agent", "ask", "Now?"),
        ("agent", "call", "glob"),
    ]


def test_how_a_call_ended():
    """Only an error gives its text; what a person cancelled failed and gives none."""

    def ended(status, **response):
        part = {"functionResponse": {"id": "c1", "name": "edit", "response": response}}
        return line("tool_result", part, toolCallResult={"callId": "c1", "status": status})

    lines = [
        ended("success", output="fine"),
        ended("error", error="No match"),
        ended("cancelled", error="User said no"),
    ]
    found = [(one.text, one.ok, one.id, one.line) for one in qwen.read(lines)]
    assert found == [("", True, "c1", 1), ("No match", False, "c1", 2), ("", False, "c1", 3)]
    assert all(any(sign in one for sign in qwen.SIGNS) for one in lines)


def test_a_line_that_a_branch_repeats_counts_once():
    """A line with a `uuid` that was read already is passed over."""
    one = line("assistant", {"text": "a"}, uuid="u1")
    assert len(read(one, one)) == 1


def test_a_compaction_is_a_summary():
    """What replaces a compressed conversation is a summary of the agent's."""
    history = [{"role": "user", "parts": [{"text": "The story."}]}, {"role": "model", "parts": [{"text": "Got it."}]}]
    record = line("system", subtype="chat_compression", systemPayload={"compressedHistory": history})
    assert read(record) == [("agent", "summary", "The story.")]
