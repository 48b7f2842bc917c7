"""Aider's histories: who says what, and what was applied."""

from __future__ import annotations

from sleep.transcripts.formats import aider


def read(text):
    """Return what was read."""
    return list(aider.read(text.encode().splitlines(keepends=True)))


def test_the_sample_is_read(samples):
    """Prompts, text, edits and errors are told, each with its line; what the program sends itself is no prompt."""
    found = [(one.role, one.kind, one.text or one.path, one.line) for one in read(samples["aider"].decode())]
    assert found == [
        ("person", "prompt", "Use the Spinner\nplease", 7),
        ("agent", "text", "Certainly.", 10),
        ("agent", "edit", "a.py", 12),
        (
            "tool",
            "result",
            "The LLM did not conform to the edit format.\n# 1 SEARCH/REPLACE block failed to match!",
            16,
        ),
        ("agent", "edit", "dir/b c.py", 19),
    ]


def test_sessions_are_told_apart():
    """What one session applied has not the ids of another in the same file."""
    text = "".join(f"# aider chat started at 2026-01-0{day} 03:04:05\n\n> Applied edit to a.py  \n\n" for day in (1, 2))
    found = [(one.path, one.at, one.id) for one in read(text)]
    assert found == [("a.py", f"2026-01-0{day} 03:04:05", f"2026-01-0{day} 03:04:05#1") for day in (1, 2)]
