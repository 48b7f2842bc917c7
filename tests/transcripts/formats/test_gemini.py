"""Gemini CLI's transcripts, as lines: what a message means, and which form of it counts."""

from __future__ import annotations

import json

from sleep.transcripts.formats import gemini


def lines(*records):
    """Return records as a file's lines."""
    return [json.dumps(one).encode() for one in records]


def message(kind, content, number="m1", **more):
    """A message."""
    return {"id": number, "timestamp": "t", "type": kind, "content": content, **more}


def call(status="success", name="write_file", **response):
    """A call and what it gave back."""
    result = [{"functionResponse": {"id": "c1", "name": name, "response": response}}]
    return {"id": "c1", "name": name, "args": {"file_path": "/p/a"}, "status": status, "result": result}


def read(*records):
    """Return (role, kind, text or path) of what was read."""
    return [(one.role, one.kind, one.text or one.path) for one in gemini.read(lines(*records))]


def test_a_prompt_is_what_was_typed():
    """A prompt is read in both forms, without what the client, a hook or a named file put in."""
    assert read(
        message("user", "Fix it", "m1"),
        message("user", [{"text": "<hook_context>PLANTED-77</hook_context>\n\nTest it"}], "m2"),
        message("user", [{"text": "<session_context>\nPLANTED-77\n</session_context>"}], "m3"),
        message("user", [{"text": "Read @a"}, {"text": "\n--- Content from referenced files ---\nPLANTED-77"}], "m4"),
        message("user", "PLANTED-77 expanded", "m5", displayContent="/review 12"),
        message("user", "System: Please continue.", "m6"),
        message("warning", "PLANTED-77", "m7"),
    ) == [("person", "prompt", one) for one in ("Fix it", "Test it", "Read @a", "/review 12")]


def test_the_client_says_where_it_works():
    """The first of the directories that the client names before the first prompt is where it works, and no prompt."""
    said = (
        "<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\nMy operating system"
        " is: linux\n"
        "The project's temporary directory is: /tmp/x\n- **Workspace Directories:**\n  - /srv/my app\n  - /srv/other\n"
        "- **Directory Structure:**\n\n/srv/my app\n</session_context>"
    )
    patch = {"$set": {"messages": [message("user", [{"text": said}], "m0")]}}
    assert read(patch, message("user", "Fix it")) == [("", "root", "/srv/my app"), ("person", "prompt", "Fix it")]
    for text in (f"I read:\n{said}", said.replace("This is the Gemini CLI", "This is another")):
        assert [kind for _, kind, _ in read(message("user", text))] == ["prompt"] * text.startswith("I")


def test_the_last_form_of_a_message_counts_in_the_place_of_its_first():
    """A message that is written again, or repeated by a patch, is read once, as it was last, where it stood first."""
    first, then = message("gemini", "Writing."), message("gemini", "Writing.", toolCalls=[call()])
    after = message("user", "And?", "m2")
    expected = [
        ("agent", "text", "Writing."),
        ("agent", "edit", "/p/a"),
        ("tool", "result", ""),
        ("person", "prompt", "And?"),
    ]
    assert read(first, after, then) == expected
    assert read(first, after, {"$set": {"messages": [then, after], "lastUpdated": "t"}}) == expected
    assert [one.line for one in gemini.read(lines(first, after, then))] == [1, 1, 1, 2]


def test_what_was_rewound_is_read():
    """A rewind takes nothing back that happened."""
    assert read(message("user", "Fix it"), {"$rewindTo": "m1"}) == [("person", "prompt", "Fix it")]


def test_a_call_counts_once_it_ended():
    """A call that is under way is not read; one that failed gives its error, one that was cancelled failed without."""
    assert read(message("gemini", "", toolCalls=[call("executing")])) == []
    for status, ok, text in (("success", True, ""), ("error", False, "No match"), ("cancelled", False, "")):
        edit, result = gemini.read(lines(message("gemini", "", toolCalls=[call(status, error="No match")])))
        assert (edit.kind, result.ok, result.text) == ("edit", ok, text)


def test_a_sub_agents_file_is_marked():
    """All events of a sub-agent's own file are a sub-agent's."""
    found = list(gemini.read(lines({"sessionId": "s", "kind": "subagent"}, message("gemini", "Done."))))
    assert [one.side for one in found] == [True]


def test_the_two_forms_are_told_apart():
    """A file whose first line is an object of its own is one of lines; one document is the older form."""
    first = b'{"sessionId":"s","projectHash":"h"}'
    assert gemini.sniff(first + b"\n")
    assert not gemini.sniff(b'{"sessionId":"s","projectHash":"h","messages":[]}\n')
    assert not gemini.sniff(b'{\n  "sessionId": "s",\n  "projectHash": "h"')
