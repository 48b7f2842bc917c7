"""Codex's transcripts: what a line means."""

from __future__ import annotations

import json

from sleep.transcripts import readers
from sleep.transcripts.formats import codex


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
    here = ["bash", "-lc", f"apply_patch <<'EOF'\n{patch}\nEOF"]
    shell = item(type="function_call", name="shell", call_id="2", arguments=json.dumps({"command": here}))
    script = item(type="custom_tool_call", name="exec", call_id="3", input=f"tools.apply_patch({json.dumps(patch)})")
    found = [(one.kind, one.path, one.id) for one in codex.read([own, shell, script])]
    assert found == [("edit", path, call) for call in "123" for path in ("a.py", "b.py")]


def test_a_patch_that_is_only_shown_is_no_edit():
    """A command that prints a patch, or writes it down, edits no file of the patch."""
    shown = item(type="function_call", name="shell", call_id="1", arguments='{"cmd": "echo \'*** Begin Patch\'"}')
    assert [one.kind for one in codex.read([shown])] == ["run"]


def test_how_a_call_ended_is_told_in_every_form():
    """A patch says in words that it failed; commands have their code in text or beside it; a person's no has none."""
    ended = {
        "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM error.py": (True, ""),
        "apply_patch verification failed: no such file": (False, "apply_patch verification failed: no such file"),
        "Error: invalid patch": (False, "Error: invalid patch"),
        '{"output":"no rule","metadata":{"exit_code":2,"duration_seconds":0.1}}': (False, "no rule"),
        '{"output":"error: none","metadata":{"exit_code":0}}': (True, ""),
        "patch rejected by user": (False, ""),
        "aborted by user after 2.5s": (False, ""),
    }
    for text, (ok, shown) in ended.items():
        raw = item(type="custom_tool_call_output", call_id="1", output=text)
        (found,) = codex.read([raw])
        assert (found.ok, found.text) == (ok, shown)
        assert any(sign in raw for sign in codex.SIGNS)
    (found,) = codex.read([item(type="function_call_output", call_id="1", output={"content": "no", "success": False})])
    assert (found.ok, found.text) == (False, "no")


def test_each_event_has_its_line():
    """An event's line is that of the file, from 1."""
    assert [one.line for one in codex.read([b"{}\n", said("user", "a"), b"torn", said("assistant", "b")])] == [2, 3, 4]


def test_what_a_hook_put_in_is_never_an_event():
    """What hooks add comes as the developer's word and is not read."""
    assert list(codex.read([said("developer", "PLANTED-77"), said("user", "<hook_prompt>PLANTED-77")])) == []


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


def test_a_session_of_before_september_2025_is_read():
    """Items stand bare behind a first line that alone has a time; the folder stands in the environment."""
    patch = "*** Begin Patch\n*** Update File: exporter.py\n@@\n-a\n+b\n*** End Patch\n"
    call = {"type": "function_call", "name": "shell", "call_id": "c1"}
    environment = "<environment_context>\nCurrent working directory: /p\nApproval policy: on-request\n"
    lines = [
        json.dumps(record).encode() + b"\n"
        for record in (
            {"id": "5973b6c0", "timestamp": "2025-07-15T10:00:00.000Z", "instructions": None},
            {"record_type": "state"},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": environment}]},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Add a flag"}]},
            call | {"arguments": json.dumps({"command": ["apply_patch", patch]})},
            {"type": "function_call_output", "call_id": "c1", "output": '{"output":"no","metadata":{"exit_code":1}}'},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It has one."}]},
        )
    ]
    assert readers.sniff(b"".join(lines)) == "codex"
    assert readers.sniff(lines[0].replace(b'"instructions": null', b'"git":{"branch":"main"},"instructions":"x"'))
    assert [(one.kind, one.text or one.path, one.ok) for one in codex.read(lines)] == [
        ("root", "/p", True),
        ("prompt", "Add a flag", True),
        ("edit", "exporter.py", True),
        ("result", "no", False),
        ("text", "It has one.", True),
    ]
    assert {one.at for one in codex.read(lines) if one.kind != "root"} == {"2025-07-15T10:00:00.000Z"}
    assert all(any(sign in line for sign in codex.SIGNS) for line in lines[4:6])


def test_a_line_that_only_looks_like_the_old_first_line_is_nobodys():
    """An object with an id and a time, and no instructions, is no session of Codex."""
    assert readers.sniff(b'{"id":"1","timestamp":"2025-07-15T10:00:00Z","text":"x"}\n') == ""
    assert readers.sniff(b'{"record_type":"other","id":"1"}\n') == ""
