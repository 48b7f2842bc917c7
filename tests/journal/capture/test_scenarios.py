"""The sessions of `tests/clients/scenarios.py` in a made transcript: every record that was said, and no other."""

from __future__ import annotations

import pytest
from scene import Scene
from talk import Talk

from sleep.journal.capture import backlog
from tests.clients import scenarios
from tests.clients.scenarios import Edit, Run


def play(talk, session):
    """Write a session as Claude Code would."""
    for turn in session.turns:
        talk.prompt(turn.prompt)
        for step in turn.steps:
            if isinstance(step, Edit):
                talk.calls("Write", said="done", file_path=f"{talk.cwd}/{step.path}")
            elif isinstance(step, Run):
                talk.runs(step.command, ok=not step.error, said=f"Exit code 1\n{step.error}" if step.error else "ok")
            else:
                talk.says(step)


@pytest.mark.parametrize("session", scenarios.SESSIONS, ids=lambda session: session.name)
def test_every_record_that_was_said_is_one(session, tmp_path):
    """Each is of its kind, with its reason and its line; nothing else is a record."""
    scene = Scene(tmp_path / "project")
    talk = Talk(tmp_path / "sessions/s1.jsonl", cwd=str(scene.top))
    play(talk, session)
    (done,) = backlog.capture_transcripts(scene.place, scene.now(), backlog.find_transcripts([str(talk.path)]))
    entries = scene.view.journal(done.path).entries
    assert scenarios.faults(session, entries, talk.path.read_text(encoding="utf-8").splitlines()) == []
