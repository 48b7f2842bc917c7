"""SWE-agent's trajectories: what a step means."""

from __future__ import annotations

import json

from sleep.transcripts.formats import sweagent


def read(**whole):
    """Return what was read."""
    return list(sweagent.read([json.dumps(whole, indent=4).encode()]))


def step(action, observation="", **more):
    """A step."""
    return {"action": action, "observation": observation, "thought": "", **more}


def test_the_issue_is_the_prompt():
    """Of the first message only the issue is a person's; demonstrations are not."""
    demo = {"role": "user", "content": "A demonstration", "is_demo": True}
    asked = {"role": "user", "content": "Solve.\nISSUE:\nIt breaks.\n\nINSTRUCTIONS:\nNow."}
    other = {
        "role": "user",
        "content": [{"type": "text", "text": "<pr_description>\nIt fails.\n</pr_description>Now."}],
    }
    for message, text in ((asked, "It breaks."), (other, "It fails.")):
        (prompt,) = read(history=[demo, message], trajectory=[])
        assert (prompt.role, prompt.text) == ("person", text)


def test_steps_are_told_by_what_they_do():
    """Edits have the file that is named or open, other actions are commands, thoughts are the agent's text."""
    state = {"open_file": "/p/a.py", "working_dir": "/p"}
    found = read(
        trajectory=[
            step("create b.py", state=state, thought="Create it."),
            step("edit 'x' 'y'", state=json.dumps(state)),
            step("str_replace_editor str_replace /p/c.py --old x", state=state),
            step("str_replace_editor view /p/c.py", state=state),
        ]
    )
    assert [(one.kind, one.path or one.text) for one in found if one.kind != "result"] == [
        ("root", "/p"),
        ("text", "Create it."),
        ("edit", "b.py"),
        ("edit", "/p/a.py"),
        ("edit", "/p/c.py"),
        ("run", "str_replace_editor view /p/c.py"),
    ]


def test_an_edit_that_was_not_applied_failed():
    """An observation that says that an edit was not applied is an error of that step, and of no other."""
    found = read(
        trajectory=[step("edit 'x' 'y'", "Your proposed edit has introduced new syntax error(s)."), step("ls", "a")]
    )
    results = [(one.ok, one.id) for one in found if one.kind == "result"]
    assert [ok for ok, _ in results] == [False, True]
    assert results[0][1] == next(one.id for one in found if one.kind == "edit") != results[1][1]


def test_a_history_alone_is_read():
    """Where there is no trajectory the history has the steps, and what follows a step is what came back on it."""
    found = read(
        history=[
            {"role": "user", "content": "Solve it."},
            {"role": "assistant", "content": "I edit it.", "thought": "I edit it.", "action": "edit 'x' 'y'"},
            {"role": "tool", "content": "Text replaced."},
        ]
    )
    assert [(one.kind, one.text) for one in found] == [
        ("prompt", "Solve it."),
        ("text", "I edit it."),
        ("edit", ""),
        ("result", ""),
    ]
