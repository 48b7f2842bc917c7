"""Folders of journals and of cases that the tests of the evaluation are run on."""

from __future__ import annotations

import json

import pytest
from made import journal, said


@pytest.fixture
def logs(tmp_path):
    """Return a folder of journals of one project, nine days."""
    folder = tmp_path / "logs" / "project"
    folder.mkdir(parents=True)
    for number in range(9):
        (folder / f"2026-01-{number + 1:02}.md").write_text(journal(number))
    return folder.parent


@pytest.fixture
def conversations(tmp_path):
    """Return a folder with a case of four sessions and a question about each, and two questions that do not count."""
    folder = tmp_path / "cases" / "made" / "up"
    (folder / "journal").mkdir(parents=True)
    turns, asked = [], []
    for session in range(1, 5):
        lines = [f"- [D{session}:{turn}] **Paula:** {said(session, turn)}" for turn in range(1, 7)]
        text = "\n".join([f"# Journal: Instance {session}", "", *lines, ""])
        (folder / "journal" / f"instance-{session:03}.md").write_text(text)
        turns += [
            {"anchor": f"D{session}:{turn}", "session": session, "text": said(session, turn)} for turn in range(1, 7)
        ]
        asked.append({"answer": f"number {session}2", "evidence": [f"D{session}:2"], "granularity": "turn"})
    asked.append(asked[0] | {"adversarial": True})
    asked.append(asked[0] | {"gold_ok": False})
    for number, one in enumerate(asked):
        one |= {"id": f"q{number}", "adversarial": one.get("adversarial", False), "gold_ok": one.get("gold_ok", True)}
    (folder / "units.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in turns))
    (folder / "qa.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in asked))
    return folder.parents[1]
