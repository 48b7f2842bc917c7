"""Cursor's transcripts: what a line means."""

from __future__ import annotations

import json

import pytest

from sleep.transcripts.formats import cursor


def line(role, *blocks):
    """A line of the conversation."""
    return json.dumps({"role": role, "message": {"content": list(blocks)}}).encode()


def text(words):
    """A block of text."""
    return {"type": "text", "text": words}


def use(name, given):
    """A call of a tool."""
    return {"type": "tool_use", "name": name, "input": given}


def read(*lines):
    """Return (role, kind, text or path) of what was read."""
    return [(one.role, one.kind, one.text or one.path) for one in cursor.read(lines)]


def test_the_sample_is_read(samples):
    """A prompt stands in its tag, what follows it has its time, and a thought that was kept back is no word."""
    found = list(cursor.read(samples["cursor"].splitlines(keepends=True)))
    assert [(one.role, one.kind, one.text or one.path, one.line) for one in found] == [
        ("person", "prompt", "Write it", 1),
        ("agent", "text", "Writing.", 2),
        ("agent", "edit", "/p/a", 2),
        ("agent", "edit", "/p/b", 3),
        ("agent", "run", "make", 3),
    ]
    assert {one.at for one in found} == {"2026-01-02T03:04:00+00:00"}


@pytest.mark.parametrize(
    ("words", "at"),
    [
        ("Sunday, Sep 20, 2026, 12:31 AM (UTC+3)", "2026-09-20T00:31:00+03:00"),
        ("Friday, July 31, 2026, 5:10\u202fPM (UTC-5)", "2026-07-31T17:10:00-05:00"),
        ("Friday, Jul 31, 2026, 12:10 PM (UTC+5:30)", "2026-07-31T12:10:00+05:30"),
        ("2026-09-20", ""),
        ("Foo 1, 2026, 5:10 PM", ""),
    ],
)
def test_a_time_is_read(words, at):
    """The day, the half of the day and the zone are those of the line; what is no time gives none."""
    (found,) = cursor.read([line("user", text(f"<timestamp>{words}</timestamp>\n<user_query>Go</user_query>"))])
    assert (found.text, found.at) == ("Go", at)


def test_what_the_editor_adds_is_no_prompt():
    """Elements around a question are the editor's, also where no question is marked; other words are a person's."""
    added = "<open_and_recently_viewed_files>\na.py\n</open_and_recently_viewed_files>"
    assert read(
        line("user", text(f"{added}\n<user_query>Use <b>tabs</b></user_query>\n<system_reminder>x</system_reminder>")),
        line("user", text(f"{added}Use tabs")),
        line("user", text("<system_reminder>Be safe")),
    ) == [("person", "prompt", "Use <b>tabs</b>"), ("person", "prompt", "Use tabs")]


def test_calls_are_told_by_what_they_do():
    """Patches and notebooks are edits, commands are run, questions and plans are words, and all else is a call."""
    patch = "*** Begin Patch\n*** Update File: b.py\n*** End Patch"
    blocks = (
        use("ApplyPatch", patch),
        use("EditNotebook", {"target_notebook": "n.ipynb"}),
        use("Delete", {"path": "old.py"}),
        use("AskQuestion", {"questions": [{"prompt": "Which?"}, {"prompt": "When?"}]}),
        use("CreatePlan", {"plan": "First this."}),
        use("Read", {"path": "a.py"}),
    )
    assert read(line("assistant", *blocks)) == [
        ("agent", "edit", "b.py"),
        ("agent", "edit", "n.ipynb"),
        ("agent", "edit", "old.py"),
        ("agent", "ask", "Which?\nWhen?"),
        ("agent", "plan", "First this."),
        ("agent", "call", "Read"),
    ]
    signed = [any(sign in line("assistant", block) for sign in cursor.SIGNS) for block in blocks]
    assert (signed[:3], signed[-1]) == ([True] * 3, False)


def test_the_task_list_is_kept():
    """A call gives the list whole, or what changes in it."""
    whole = [{"id": name, "content": name, "status": "pending"} for name in "ab"]
    found = read(
        line("assistant", use("TodoWrite", {"todos": whole})),
        line("assistant", use("TodoWrite", {"merge": True, "todos": [{"id": "a", "status": "completed"}]})),
        line("assistant", use("TodoWrite", {"merge": False, "todos": [{"id": "c", "content": "c"}]})),
    )
    assert [words for _, _, words in found] == ["- [ ] a\n- [ ] b", "- [x] a\n- [ ] b", "- [ ] c"]


def test_a_result_that_failed_is_told():
    """Where a transcript has results, one that failed gives its words."""
    failed = {"type": "tool_result", "tool_use_id": "c1", "is_error": True, "content": [text("no rule")]}
    (found,) = cursor.read([line("user", failed)])
    assert (found.kind, found.text, found.id, found.ok) == ("result", "no rule", "c1", False)


def test_a_plan_is_not_agreed_to_by_being_shown():
    """Its call goes well before anybody has read it."""
    assert [one.ok for one in cursor.read([line("assistant", use("CreatePlan", {"plan": "First this."}))])] == [False]
