"""The ledger made anew from commits and transcripts."""

from __future__ import annotations

import json
import os
import re
import uuid
from pathlib import Path

import pytest

from sleep.cycle import debt_settlement
from sleep.debt import book, sessions, timestamps
from sleep.upkeep import ledger_rebuild

AFTER = timestamps.seconds("2027-01-01T00:00:00Z")
ONE, TWO, FORK, OLD, NO = (str(uuid.UUID(int=number)) for number in range(1, 6))


def edit(call, at, cwd=""):
    """Return the line of an edit at a time."""
    use = {"type": "tool_use", "id": call, "name": "Write", "input": {}}
    where = {"cwd": cwd, "sessionId": "s", "parentUuid": None} if cwd else {}
    return json.dumps({**where, "type": "assistant", "timestamp": at, "message": {"content": [use]}}) + "\n"


def lay(path, text, at=AFTER):
    """Write a transcript as it was at a time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (at, at))
    return str(path)


@pytest.fixture
def slept(scene):
    """Return a scene with one session that was slept on and a cycle that was committed, made on a fixed day."""
    desk = debt_settlement.of(scene.place)
    path = scene.top.parent / "known.jsonl"
    lay(path, edit("k1", "2026-11-21T09:00:00Z") + edit("k2", "2026-11-21T09:01:00Z"))
    seen = sessions.Sighting("known", "claude", str(path), str(scene.home))
    book.record_stop(desk.context, desk.settings, seen, "did", timestamps.seconds("2026-11-21T09:02:00Z"))
    os.environ["GIT_AUTHOR_DATE"] = "2026-11-21T12:00:00Z"
    try:
        scene.cycle(1)
    finally:
        del os.environ["GIT_AUTHOR_DATE"]
    return scene


def rebuilt(scene):
    """Rebuild the ledger."""
    return ledger_rebuild.rebuild(debt_settlement.of(scene.place), AFTER + 100)


def test_only_what_came_after_the_last_sleep(slept):
    """Of a session that was slept on only later changes are debt, by the lines' own times; the old ledger is kept."""
    path = slept.top.parent / "known.jsonl"
    lay(path, path.read_text() + "".join(edit(f"n{at}", f"2026-11-22T09:0{at}:00Z") for at in range(4)))
    context = debt_settlement.of(slept.place).context
    Path(context.ledger).write_text("garbage")
    made = rebuilt(slept)
    assert (made.debt, made.last_sleep, made.is_incomplete) == (2, "2026-11-21T12:00:00.000Z", True)
    assert [(one.session_id, one.change_count, one.score) for one in made.sessions] == [("known", 4, 2)]
    found = book.read(context)
    assert (found.debt, found.last_sleep, found.last_sleep_summary) == (2, "2026-11-21", "cycle 1")
    assert Path(made.aside).read_text() == "garbage"
    seen = sessions.Sighting("known", "claude", str(path), str(slept.home))
    lay(path, path.read_text() + edit("m", "2026-11-23T09:00:00Z"), AFTER + 5)
    record = book.record_stop(context, slept.place.settings, seen, "did", AFTER + 200)
    assert record.change_count == 5


def test_without_any_state(slept):
    """With the whole state gone, sessions are found in the clients' own folders, by the directory that they ran in."""
    context = debt_settlement.of(slept.place).context
    for file in sorted(Path(context.state).rglob("*"), reverse=True):
        file.unlink() if file.is_file() else file.rmdir()
    home = Path(os.path.expanduser("~"))
    name = re.sub("[^A-Za-z0-9]", "-", context.base)
    here, below = context.base, os.path.join(context.base, "src")
    at = "2026-11-22T09:00:00Z"
    old = edit("o", "2026-11-21T09:00:00Z", here)
    lay(home / ".claude/projects" / name / f"{ONE}.jsonl", old + edit("a", at))
    lay(home / ".claude/projects" / f"{name}-src" / f"{TWO}.jsonl", edit("b", at, below) + edit("c", at))
    lay(home / ".claude/projects" / name / f"{FORK}.jsonl", edit("a", at, here) + edit("d", at), AFTER + 1)
    lay(home / ".claude/projects" / f"{name}-other" / f"{NO}.jsonl", edit("e", at, f"{here}-other"))
    lay(home / ".claude/projects" / name / f"{OLD}.jsonl", old, timestamps.seconds("2026-11-21T10:00:00Z"))
    rollout = "rollout-2026-11-22T09-00-00-0b9f2ac6-1111-2222-3333-444455556666.jsonl"
    patch = "*** Begin Patch\n*** Add File: x\n+x\n*** Update File: y\n*** End Patch"
    call = {"type": "custom_tool_call", "name": "apply_patch", "call_id": "p", "input": patch}
    text = "".join(
        json.dumps({"timestamp": at, "type": kind, "payload": payload}) + "\n"
        for kind, payload in (("session_meta", {"id": "x", "cwd": here}), ("response_item", call))
    )
    lay(home / ".codex/sessions/2026/11/22" / rollout, text)
    made = rebuilt(slept)
    found = {one.session_id: one.change_count for one in made.sessions}
    assert found == {ONE: 1, TWO: 2, FORK: 1, "0b9f2ac6-1111-2222-3333-444455556666": 2}
    assert (made.debt, made.aside, made.is_incomplete) == (4, "", True)


def test_entries_by_hand_are_carried_over(slept):
    """Manual entries of a ledger that can be read stay; a later sleep by hand counts as the last one."""
    context = debt_settlement.of(slept.place).context
    book.done(context, "by hand", timestamps.seconds("2026-11-25T00:00:00Z"))
    book.add(context, 2, "talk", timestamps.seconds("2026-11-26T00:00:00Z"))
    path = slept.top.parent / "known.jsonl"
    lay(path, path.read_text() + edit("n1", "2026-11-24T09:00:00Z") + edit("n2", "2026-11-27T09:00:00Z"))
    made = rebuilt(slept)
    assert (made.manual, made.is_incomplete, made.last_sleep) == (1, False, "2026-11-25T00:00:00.000Z")
    assert sorted((one.change_count or 0, one.score) for one in made.sessions) == [(0, 2), (1, 1)]
    assert book.read(context).history


def test_records_without_a_transcript_are_carried_over(slept):
    """A session whose transcript its client has deleted keeps the score that the old ledger still has."""
    context, settings = debt_settlement.of(slept.place)
    for name in ("gone", "there"):
        path = lay(slept.top.parent / f"{name}.jsonl", edit(f"{name}-1", "2026-11-22T09:00:00Z"))
        book.record_stop(context, settings, sessions.Sighting(name, "claude", path), "did", AFTER)
    (slept.top.parent / "gone.jsonl").unlink()
    (slept.top.parent / "known.jsonl").unlink()
    before = book.read(context)
    made = rebuilt(slept)
    assert [(one.session_id, one.change_count, one.score) for one in made.sessions] == [("there", 1, 1), ("gone", 1, 1)]
    assert book.read(context).find("gone") == before.find("gone")
    assert rebuilt(slept).debt == 2


def test_an_undone_cycle_is_no_sleep(slept):
    """A cycle that was undone does not count as the last sleep."""
    slept.undo()
    made = rebuilt(slept)
    assert (made.last_sleep, [one.change_count for one in made.sessions]) == ("", [2])


def test_without_git(tmp_path):
    """A folder without git is rebuilt from transcripts alone."""
    (tmp_path / "memory" / "state").mkdir(parents=True)
    desk = debt_settlement.find(str(tmp_path))
    path = lay(tmp_path / "a.jsonl", edit("a", "2026-11-22T09:00:00Z"))
    Path(desk.context.ledger).write_text(json.dumps({"sessions": [{"session_id": "a", "transcript_path": path}]}))
    made = ledger_rebuild.rebuild(desk, AFTER)
    assert (made.debt, made.last_sleep, made.transcripts) == (1, "", 1)


def test_a_worktree_has_its_own(slept):
    """A session of a worktree that stands inside this one is left to that one; it is found again when that is gone."""
    context = debt_settlement.of(slept.place).context
    inside = os.path.join(context.base, "trees", "inside")
    slept.git("worktree", "add", "--quiet", inside)
    name = re.sub("[^A-Za-z0-9]", "-", inside)
    line = edit("w", "2026-11-22T09:00:00Z", inside)
    lay(Path(os.path.expanduser("~")) / ".claude/projects" / name / f"{ONE}.jsonl", line)
    assert [one.session_id for one in rebuilt(slept).sessions] == []
    there = ledger_rebuild.rebuild(debt_settlement.find(inside), AFTER + 100)
    assert [(one.session_id, one.change_count) for one in there.sessions] == [(ONE, 1)]
    slept.git("worktree", "remove", "--force", inside)
    assert [(one.session_id, one.change_count) for one in rebuilt(slept).sessions] == [(ONE, 1)]


@pytest.mark.parametrize(("undone", "left"), [((), set()), ((1,), {"s1"}), ((2,), {"s2"}), ((1, 2), {"s1", "s2"})])
def test_of_a_run_only_what_was_undone(scene, undone, left):
    """Of two cycles of one run the sessions of the one that was undone are debt again, until they are slept on."""
    desk = debt_settlement.of(scene.place)
    for name in ("s1", "s2"):
        path = lay(scene.top.parent / f"{name}.jsonl", edit(name, "2026-11-21T09:00:00Z"))
        book.record_stop(desk.context, desk.settings, sessions.Sighting(name, "claude", path), "did", AFTER)
        scene.open(session=name)
        scene.add("decision", f"Use {name}")
        scene.git("add", "--all")
        scene.git("commit", "--quiet", "--message=journal")
    scene.sleep()
    for number in undone:
        scene.undo(number)
    before = book.read(desk.context).debt
    Path(desk.context.ledger).write_text("garbage")
    made = rebuilt(scene)
    assert ({one.session_id for one in made.sessions}, made.debt) == (left, before)
    scene.sleep()
    Path(desk.context.ledger).write_text("garbage")
    assert rebuilt(scene).debt == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    """A transcript that is a pipe says nothing of a session."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert list(ledger_rebuild._events(str(tmp_path / "pipe.jsonl"))) == []
