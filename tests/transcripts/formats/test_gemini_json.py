"""Gemini CLI's older transcripts: one document."""

from __future__ import annotations

from sleep.transcripts.formats import gemini_json


def test_messages_of_the_document_are_read():
    """Messages are read in order, over any number of lines, and none of them has a line."""
    lines = [b'{"sessionId": "s", "projectHash": "h",\n', b' "messages": [{"type": "user", "content": "Fix it"},\n']
    lines.append(b'{"type": "gemini", "content": "Fixed."}]}')
    assert [(one.kind, one.text, one.line) for one in gemini_json.read(lines)] == [
        ("prompt", "Fix it", 0),
        ("text", "Fixed.", 0),
    ]


def test_a_document_that_is_cut_off_is_unread():
    """A document that is cut off is one thing that could not be read."""
    assert [one.kind for one in gemini_json.read([b'{"messages": [{"type": "user", '])] == ["unread"]


def test_only_this_form_is_told():
    """A document with a project's hash is this client's, one of lines is not."""
    assert gemini_json.sniff(b'{\n  "sessionId": "s",\n  "projectHash": "h",')
    assert not gemini_json.sniff(b'{"sessionId":"s","projectHash":"h"}\n')
