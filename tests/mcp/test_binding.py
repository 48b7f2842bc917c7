"""Which session a call belongs to, where a client keeps its server over many."""

from __future__ import annotations

import pytest

from sleep.debt import liveness, sessions
from sleep.mcp_server import binding
from sleep.store import context as contexts
from sleep.store import layout

TURN = {"x-codex-turn-metadata": {"session_id": "told", "turn_id": "t"}}


@pytest.fixture
def where(project):
    """Return the root of a memory."""
    return layout.find_root(str(project))


@pytest.fixture
def seen(where, monkeypatch):
    """Return a function that notes a session as hooks do, in this test's own process unless another is named."""
    mine = liveness.own_process()
    if not mine[1]:
        pytest.skip("no /proc here, so hooks know no process")
    monkeypatch.setattr(liveness, "client_process", lambda: mine)

    def note(name, at, ended=None, process=mine):
        fields = {"pid": process[0], "pid_started": process[1], "started_at": f"2026-11-21T10:00:0{at}Z"}
        sessions.update(contexts.of(where), name, **fields, ended_at=ended)

    return note


def test_the_call_itself_is_believed_first(where, seen, monkeypatch):
    """A call that names its session belongs to it, whatever hooks have seen and the environment says."""
    seen("hooked", 1)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "stale")
    assert binding.session(TURN, where) == "told"
    monkeypatch.setenv("SLEEP_SESSION", "chosen")
    assert binding.session(TURN, where) == "chosen"


def test_after_a_clear_the_newer_session_is_meant(where, seen, monkeypatch):
    """Of the sessions of this client's process the last that has not ended is meant, not the one of the environment."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "first")
    assert binding.session({}, where) == "first"
    seen("first", 1, ended="2026-11-21T10:00:02Z")
    seen("second", 2)
    seen("elsewhere", 3, process=(1, "another"))
    assert binding.session({}, where) == "second"


@pytest.mark.parametrize("turn", [None, "x", {}, {"session_id": 7}, {"session_id": "a b"}, {"session_id": "x" * 201}])
def test_what_is_no_session_is_passed_over(where, turn, monkeypatch):
    """What a client says in another form than we know is as if it had said nothing."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "mine")
    assert binding.session({"x-codex-turn-metadata": turn}, where) == "mine"
    assert binding.session({"x-codex-turn-metadata": turn}, None) == "mine"
