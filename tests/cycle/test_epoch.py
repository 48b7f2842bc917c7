"""A sleep by hand that `sleep` carries out: what came before it is settled, what came after keeps its debt."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

PROTOCOL = Path(__file__).resolve().parents[2] / "plugin/agents/consolidate.md"


def _status(scene):
    return json.loads(scene.run("sleep.status", "--json")[1])


def _do(scene, *words):
    code, out, err = scene.run(*words)
    assert code == 0, out + err
    return out


def test_the_protocols_own_steps_settle_what_came_before(scene):
    """The consolidator's steps, as its page has them, settle what stood at their start and leave no epoch open."""
    steps = re.findall(r"`sleepwake (sleep(?:\.\w+)?)(?: [^`]*)?`", PROTOCOL.read_text(encoding="utf-8"))
    assert [steps[0], steps.index("sleep") > 0] == ["sleep.start", True]
    _do(scene, "sleep.add", "1", "before: we chose raft")
    _do(scene, "sleep.start")
    _do(scene, "sleep.add", "2", "after: we doubt raft")
    scene.add("note", "something to sleep on")
    assert "settled debt 1 from 1 session" in _do(scene, "sleep")
    left = _status(scene)
    assert (left["debt"], left["epoch"]) == (2, None)
    assert [one["last_assistant_message"] for one in left["sessions"]] == ["after: we doubt raft"]
    assert "we chose raft" in scene.text("memory/hot/context.md")
    assert "we doubt raft" not in scene.text("memory/hot/context.md")
    _do(scene, "sleep.start")
    _do(scene, "sleep")
    assert (_status(scene)["debt"], _status(scene)["epoch"]) == (0, None)
    assert "we doubt raft" in scene.text("memory/hot/context.md")


@pytest.mark.parametrize("debt", [False, True])
def test_a_sleep_with_nothing_to_sleep_on_ends_the_epoch(scene, debt):
    """Where there is no journal to sleep on, a sleep still settles what the epoch names and ends it."""
    scene.add("note", "x")
    scene.sleep()
    if debt:
        _do(scene, "sleep.add", "1", "x")
        _do(scene, "journal.add", "--text", "x is done")
    _do(scene, "sleep.start")
    _do(scene, "sleep.add", "2", "after")
    _do(scene, "sleep")
    assert (_status(scene)["debt"], _status(scene)["epoch"]) == (2, None)
    _do(scene, "sleep.start")


def test_an_undo_gives_back_what_the_epoch_settled(scene):
    """Undoing the cycle gives back the debt from before the start, beside what came after."""
    _do(scene, "sleep.add", "1", "before")
    _do(scene, "sleep.start")
    _do(scene, "sleep.add", "2", "after")
    scene.add("note", "x")
    _do(scene, "sleep")
    _do(scene, "sleep.undo")
    assert _status(scene)["debt"] == 3


def test_a_dry_run_says_what_would_be_settled(scene):
    """A dry run under an epoch tells the debt from before it alone, and changes nothing."""
    _do(scene, "sleep.add", "1", "before")
    _do(scene, "sleep.start")
    _do(scene, "sleep.add", "2", "after")
    scene.add("note", "x")
    assert "debt 1 from 1 session" in _do(scene, "sleep", "--dry-run")
    assert _status(scene)["epoch"]
    assert _status(scene)["debt"] == 3
