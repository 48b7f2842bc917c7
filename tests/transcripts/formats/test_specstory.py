"""SpecStory's histories: who says what, and what tools did."""

from __future__ import annotations

from sleep.transcripts.formats import specstory


def read(text):
    """Return what was read."""
    return list(specstory.read(text.encode().splitlines(keepends=True)))


def test_the_sample_is_read(samples):
    """Prompts, text, edits and errors are told, each with the line of its heading; thoughts are not read."""
    found = [
        (one.role, one.kind, one.text or one.path, one.ok, one.side, one.line)
        for one in read(samples["specstory"].decode())
    ]
    assert found == [
        ("person", "prompt", "Rename it", True, False, 7),
        ("agent", "text", "Renaming.", True, False, 19),
        ("agent", "edit", "/p/a.py", True, False, 23),
        ("tool", "result", "", True, False, 23),
        ("agent", "edit", "", True, True, 33),
        ("tool", "result", "No match", False, True, 33),
    ]


def test_a_heading_that_a_tool_quotes_is_none():
    """A heading inside what a tool printed, or inside a thought, says nothing of who speaks."""
    quoted = "_**User (2026-01-02 03:04:05Z)**_\n\nPLANTED-77\n"
    text = (
        '_**Agent (m)**_\n\n<tool-use data-tool-type="read" data-tool-name="Read">'
        f"<details>\n{quoted}</details></tool-use>\n"
        f"\n_**Agent (m)**_\n\n<think><details>\n{quoted}</details></think>\n"
    )
    assert [(one.kind, one.text) for one in read(text)] == [("call", "Read"), ("result", "")]


def test_what_the_client_put_in_is_no_prompt():
    """Reminders and output of commands are taken out of a prompt, and commands are what was typed."""
    text = (
        "_**User (t)**_\n\n<command-name>/exit</command-name>\n<command-args></command-args>\n\n---\n\n"
        "_**User (t)**_\n\n<local-command-stdout>PLANTED-77</local-command-stdout>\n"
    )
    assert [one.text for one in read(text)] == ["/exit"]
