"""What a session is told after its conversation was compacted: what it was just doing."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import own_streams
import pytest
from talk import Talk

from sleep.clients.hooks import client_output, hook_child
from tests.clients.conftest import Said
from tests.clients.hooks.test_hook import errors
from tests.clients.test_lean import HEAVY, loaded

HEADING = "## This Session\n"
SOURCES = ("startup", "resume", "clear", "fork", "compact")


@pytest.fixture
def talk(memory, tmp_path):
    """Return a session's transcript, in a memory of ours in a repository."""
    subprocess.run(["git", "init", "--quiet", memory.base], check=True)
    Path(memory.settings).write_text("format: 1\n", encoding="utf-8")
    return Talk(tmp_path / "client" / "s1.jsonl")


@pytest.fixture
def hook(memory, talk, run, monkeypatch):
    """Return a function that runs a hook of the session in this process and returns what it printed."""
    if "FORKSERVER" not in os.environ:  # as for commands
        monkeypatch.setattr(hook_child, "run", own_streams.child)

    def hook(event, name, **more):
        given = {"session_id": "s1", "transcript_path": str(talk.path), "cwd": memory.base, "hook_event_name": name}
        return run(event, {**given, **more})

    return hook


def own(text):
    """Return the section of a text."""
    return text.partition(HEADING)[2].partition("\n\n## ")[0]


def test_what_a_compaction_drops_is_told_again(memory, talk, hook):
    """Request, decision and failure of the session stand at the top after the compaction, each with its address."""
    hook("session-start", "SessionStart", source="startup")
    talk.work()
    assert hook("pre-compact", "PreCompact", trigger="auto") == ""
    said = hook("session-start", "SessionStart", source="compact").context
    (journal,) = Path(memory.base, "journal").iterdir()
    lines = own(said).splitlines()
    assert f"journal/{journal.name}" in lines[1]
    for words in (
        "- Asked: Please make the lock hold on NFS",
        "- Decision D-001: I decided to use flock",
        "lock was lost",
    ):
        (line,) = (one for one in lines if words in one)
        address = line.rpartition("[")[2].rstrip("]")
        assert f"[{address}" in journal.read_text(encoding="utf-8")
    assert said.index(HEADING) < 100
    assert client_output.size(said) <= client_output.CAP
    assert errors(memory) == []


def test_telling_it_loads_nothing_heavy(memory, talk, hook):
    """The journal is read without a parser of Markdown or YAML, and without what only a sleep needs."""
    talk.work()
    hook("pre-compact", "PreCompact", trigger="auto")
    names, said = loaded(memory, "session-start", {"session_id": "s1", "source": "compact", "hook_event_name": "x"})
    assert HEADING in Said(said).context
    assert "sleep.wake.snapshot.interrupted_session" in names
    assert not {name for name in names if name in HEAVY or name.partition(".")[0] in HEAVY}
    assert not names & {
        "sleep.documents.journal",
        "sleep.documents.markdown.blocks",
        "sleep.redaction.untrusted",
        "sleep.compression",
    }


def test_only_a_compaction_tells_it(talk, hook):
    """Every other start tells of what was journaled the records alone; all of them alike, after a compaction too."""
    before = {source: hook("session-start", "SessionStart", source=source) for source in SOURCES}
    assert len(set(before.values())) == 1
    talk.work()
    hook("pre-compact", "PreCompact", trigger="auto")
    after = {source: hook("session-start", "SessionStart", source=source) for source in SOURCES}
    assert HEADING in after.pop("compact").context
    assert len(set(after.values())) == 1
    (said,) = {said.context for said in after.values()}
    assert HEADING not in said
    assert "- D-001 I decided to use flock" in said
    records = r"## (?:Standing Decisions|Open Tasks|Open Questions)\n\n.*?\n\n"
    assert re.sub(records, "", said, flags=re.DOTALL) == before["startup"].context


def test_a_session_whose_start_nobody_saw_is_told_too(talk, hook):
    """Where the hooks were installed meanwhile, the first of them is the one before the compaction."""
    talk.work()
    hook("pre-compact", "PreCompact", trigger="auto")
    assert "Decision D-001" in own(hook("session-start", "SessionStart", source="compact").context)


def test_a_second_compaction_tells_what_is_newest(talk, hook):
    """After another stretch of work its request is told first; twice in a row the same bytes are said."""
    talk.work()
    hook("pre-compact", "PreCompact", trigger="auto")
    talk.prompt("Now write down in the guide how the ledger is rebuilt.").says("The guide says how it is rebuilt now.")
    talk.edits("docs/guide.md")
    hook("pre-compact", "PreCompact", trigger="auto")
    said = hook("session-start", "SessionStart", source="compact")
    asked = [line for line in own(said.context).splitlines() if line.startswith("- Asked: ")]
    assert asked[0].startswith("- Asked: Now write down in the guide")
    assert asked[1].startswith("- Asked: Please make the lock hold on NFS")
    assert hook("session-start", "SessionStart", source="compact") == said


def test_a_section_that_fails_costs_the_start_nothing(memory, talk, hook, run, monkeypatch):
    """Where the journal cannot be read the rest is told all the same."""
    talk.work()
    hook("pre-compact", "PreCompact", trigger="auto")
    monkeypatch.setattr("sleep.wake.snapshot.interrupted_session.section", lambda *_: 1 / 0)
    said = run("session-start", {"session_id": "s1", "source": "compact", "hook_event_name": "SessionStart"}).context
    assert own(said) == "\n(division by zero)"
    assert "Test soul." in said
    assert errors(memory) == []
