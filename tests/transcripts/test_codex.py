"""Codex's transcripts: what a line means."""

from __future__ import annotations

import json

from sleep.transcripts import codex


def item(**payload):
    """A line of the conversation."""
    return json.dumps({"timestamp": "t", "type": "response_item", "payload": payload}).encode()


def said(role, text):
    """A message."""
    sort = "output_text" if role == "assistant" else "input_text"
    return item(type="message", role=role, content=[{"type": sort, "text": text}])


def test_messages_are_read_once_and_without_what_is_put_in():
    """The event that repeats a message is passed over, and so are the project's instructions and the environment."""
    event = json.dumps({"type": "event_msg", "payload": {"type": "user_message", "message": "Push it"}}).encode()
    lines = [
        json.dumps({"type": "session_meta", "payload": {"cwd": "/p"}}).encode(),
        said("user", "# AGENTS.md instructions for /p"),
        said("user", "<environment_context>\n</environment_context>"),
        said("developer", "Be safe"),
        said("user", "Push it"),
        event,
        said("assistant", "Pushed."),
    ]
    assert [(one.role, one.kind, one.text or one.path) for one in codex.read(lines)] == [
        ("", "root", "/p"),
        ("person", "prompt", "Push it"),
        ("agent", "text", "Pushed."),
    ]


def test_a_patch_is_an_edit_of_each_file():
    """A patch gives an edit a file, whether it is a call of its own or stands in a shell command."""
    patch = "*** Begin Patch\n*** Add File: a.py\n+x\n*** Update File: b.py\n*** End Patch"
    own = item(type="custom_tool_call", name="apply_patch", call_id="1", input=patch)
    shell = item(type="function_call", name="shell", call_id="2", arguments=json.dumps({"command": ["bash", patch]}))
    found = [(one.kind, one.path, one.id) for one in codex.read([own, shell])]
    assert found == [("edit", "a.py", "1"), ("edit", "b.py", "1"), ("edit", "a.py", "2"), ("edit", "b.py", "2")]


def test_an_exit_code_is_a_failure():
    """A command that ended with another code than 0 failed, and only then its output is given, without its frame."""
    lines = [
        item(type="function_call", name="exec_command", call_id="1", arguments='{"cmd": "make"}'),
        item(type="function_call_output", call_id="1", output="Process exited with code 0\nOutput:\nfine"),
        item(type="function_call_output", call_id="2", output="Process exited with code 2\nOutput:\nno rule"),
    ]
    found = [(one.kind, one.text, one.ok) for one in codex.read(lines)]
    assert found == [("run", "make", True), ("result", "", True), ("result", "no rule", False)]


def test_a_plan_is_a_list_of_tasks():
    """The steps of a plan are tasks, done or not."""
    plan = json.dumps({"plan": [{"step": "a", "status": "completed"}, {"step": "b", "status": "pending"}]})
    line = item(type="function_call", name="update_plan", call_id="1", arguments=plan)
    assert [one.text for one in codex.read([line])] == ["- [x] a\n- [ ] b"]
