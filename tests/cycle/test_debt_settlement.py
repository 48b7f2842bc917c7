"""A sleep settles debt: in the ledger, in the trailers of its last commit, and an undo gives it back."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from pathlib import Path

import faults
import pytest
from world import in_child

from sleep.cycle import cycle_plan, debt_settlement
from sleep.debt import book, sessions
from sleep.errors import GateError, StorageError
from sleep.store import context as contexts
from sleep.store import step


def killed(scene, at, is_last):
    """Return whether a sleep was killed at an operation of the step whose plan is the last."""
    honest = step.apply

    def cut(name):
        if name == at:
            os.kill(os.getpid(), signal.SIGKILL)

    def applied(root, plan, *rest):
        with faults.raised(cut if is_last(plan) else None):
            return honest(root, plan, *rest)

    def act():
        step.apply = applied
        scene.sleep()

    return in_child(act) == -signal.SIGKILL


def edits(scene, name, count, first=0):
    """Write a transcript of so many edits and return its path."""
    lines = [
        {
            "type": "assistant",
            "timestamp": "2026-11-21T09:00:00.000Z",
            "message": {"content": [{"type": "tool_use", "id": f"{name}-{at}", "name": "Write", "input": {}}]},
        }
        for at in range(first, first + count)
    ]
    path = scene.top.parent / f"{name}.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return str(path)


def context(scene):
    """Return the context of a scene."""
    return contexts.of(scene.place.root)


def stop(scene, name, count):
    """Stop a session with so many edits."""
    return book.record_stop(
        context(scene),
        scene.place.settings,
        sessions.Sighting(name, "claude", edits(scene, name, count)),
        "did",
        time.time(),
    )


def ledger(scene):
    """Return the ledger."""
    return book.read(context(scene))


def trailers(scene, rev="HEAD"):
    """Return (debt, sessions) as a commit's trailers say it."""
    said = [scene.git("log", "-1", f"--format=%(trailers:key={key},valueonly)", rev).split() for key in _KEYS]
    return tuple(said)


_KEYS = ("Sleep-Debt", "Sleep-Session")


def test_a_sleep_settles_what_stands(scene):
    """A sleep takes every session, entry and older debt, and its handoff says how much and which sessions."""
    Path(context(scene).state).mkdir()
    Path(context(scene).ledger).write_text('{"debt": 1}')
    stop(scene, "s1", 5)
    made = book.add(context(scene), 3, "talk", time.time())
    scene.open(session="s1")
    scene.add("decision", "Use the lock")
    report = scene.sleep()
    assert (report.settled.debt, report.settled.sessions) == (6, (made.session_id, "s1"))
    assert trailers(scene) == (["6"], [made.session_id, "s1"])
    assert "- settled: debt 6 from 2 sessions\n" in scene.git("log", "-1", "--format=%b")
    found = ledger(scene)
    assert (found.debt, found.sessions, found.sleeping, found.last_sleep_summary) == (0, (), None, "cycle 1")
    assert found.last_sleep == found.last_sleep_at[:10] == "2026-11-21"
    (entry,) = found.history
    assert (entry.cycle, entry.instance, entry.debt, entry.rest) == (1, str(scene.view.cycles[0].instance), 6, 1)
    assert scene.git("status", "--porcelain") == ""


def live(scene, *names):
    """Live one instance for each session, and sleep on none of them."""
    for name in names:
        scene.open(session=name)
        scene.add("decision", f"Use {name}")
        scene.git("add", "--all")
        scene.git("commit", "--quiet", "--message=journal")


def test_each_cycle_of_a_run_settles_its_own(scene):
    """Of several cycles each settles the sessions of its journal, and the last one what no journal names as well."""
    Path(context(scene).state).mkdir()
    Path(context(scene).ledger).write_text('{"debt": 1}')
    stop(scene, "s1", 5)
    stop(scene, "s3", 1)
    stop(scene, "s4", 9)
    live(scene, "s1", "s2", "s3")
    report = scene.sleep()
    assert (report.settled.debt, report.settled.sessions) == (7, ("s1", "s4", "s3"))
    handoffs = scene.git("log", "--format=%H", "--grep=Sleep-Step: handoff").split()[::-1]
    assert [trailers(scene, one) for one in handoffs] == [(["2"], ["s1"]), ([], ["s2"]), (["5"], ["s4", "s3"])]
    assert [("- settled: " in scene.git("log", "-1", "--format=%b", one)) for one in handoffs] == [True, False, True]
    assert [cycle.sessions for cycle in scene.view.cycles] == [("s1",), ("s2",), ("s3",)]
    found = ledger(scene)
    assert (found.debt, found.sessions, found.sleeping, found.last_sleep_summary) == (0, (), None, "cycle 3")
    assert [(one.cycle, one.debt, one.rest) for one in found.history] == [(3, 5, 1), (1, 2, 0)]


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_undo_of_one_cycle_of_a_run(scene, order):
    """Undoing a cycle of a run gives back what its own instance had, and undoing the other one the rest."""
    stop(scene, "s1", 5)
    stop(scene, "s2", 1)
    live(scene, "s1", "s2")
    scene.sleep()
    debts = {1: (2, ("s1",)), 2: (1, ("s2",))}
    for number in order:
        done = scene.undo(number)
        assert (done.debt, done.sessions) == debts[number]
    assert [(one.session_id, one.score) for one in ledger(scene).sessions] == [("s2", 1), ("s1", 2)]
    scene.sleep()
    assert ledger(scene).debt == 0


def test_a_session_of_two_instances_is_settled_by_the_last_of_them(scene):
    """A session that went on in a further instance is settled once, by the cycle after which all of it is slept on."""
    stop(scene, "s1", 5)
    live(scene, "s1", "s2")
    path = next((scene.home / "journal").glob("instance-2*.md"))
    path.write_text(path.read_text().replace("s2", "s1", 1))
    scene.sleep()
    assert [(one.cycle, one.debt) for one in ledger(scene).history] == [(2, 2)]


def test_a_cycle_that_is_refused_keeps_its_debt(scene, monkeypatch):
    """When the gate refuses the second of two cycles, the first has settled its own, and the rest stands."""
    book.add(context(scene), 3, "talk", time.time())
    stop(scene, "s1", 5)
    stop(scene, "s2", 1)
    live(scene, "s1", "s2")
    honest = cycle_plan.check

    def refuses(view, decided, path, settings):
        if "instance-2" in path:
            raise GateError("no")
        honest(view, decided, path, settings)

    monkeypatch.setattr(cycle_plan, "check", refuses)
    with pytest.raises(GateError):
        scene.sleep()
    found = ledger(scene)
    assert (found.debt, found.sleeping, [one.debt for one in found.history]) == (4, None, [2])
    assert found.find("s2")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the victim is a fork")
@pytest.mark.parametrize("at", ["commit", "forget"])
def test_killed_in_the_second_cycle(scene, at):
    """A run that is killed in its second cycle has settled the first one's debt; what it goes on with is not lost."""
    stop(scene, "s1", 5)
    stop(scene, "s2", 1)
    live(scene, "s1", "s2")
    assert killed(scene, at, lambda plan: plan.step == "handoff" and ("Sleep-Cycle", "2") in plan.trailers)
    assert (ledger(scene).debt, ledger(scene).sleeping.cycle) == (1, 2)
    scene.sleep()
    found = ledger(scene)
    assert (found.debt, found.sleeping, len(scene.view.cycles)) == (0, None, 2)
    assert sorted((one.cycle, one.debt) for one in found.history if one.debt) == [(1, 2), (2, 1)]
    assert scene.undo(1).debt == 2


def test_a_sleep_with_nothing_to_settle_says_nothing_of_debt(scene):
    """Without debt the handoff has no trailer of it, and the ledger still says when the last sleep was."""
    scene.lived()
    assert trailers(scene) == ([], [])
    assert ledger(scene).last_sleep_at
    assert scene.sleep().settled is None
    before = ledger(scene)
    scene.sleep()
    assert ledger(scene) == before


def test_debt_without_a_journal(scene):
    """Where debt stands of which nothing is told, it is settled in the ledger alone, and no commit is made."""
    Path(context(scene).state).mkdir()
    Path(context(scene).ledger).write_text('{"debt": 2}')
    head = scene.head()
    report = scene.sleep()
    assert (report.steps, report.settled.debt, scene.head()) == ((), 2, head)
    assert (ledger(scene).debt, ledger(scene).last_sleep_summary) == (0, debt_settlement.NOTHING)
    assert scene.sleep().settled is None


def test_a_dry_run_shows_and_writes_nothing(scene):
    """A dry run says what would be settled, and the ledger stays as it is."""
    stop(scene, "s1", 5)
    scene.open(session="s1")
    scene.add("decision", "Use the lock")
    before = scene.everything()
    assert scene.rehearse().settled.sessions == ("s1",)
    assert scene.everything() == before


def test_a_sleep_on_one_instance(scene):
    """`--instance` settles the sessions that its journal names, and leaves the others and what nobody explains."""
    Path(context(scene).state).mkdir()
    Path(context(scene).ledger).write_text('{"debt": 1}')
    for name in ("s1", "s2"):
        stop(scene, name, 4)
        scene.open(session=name)
        scene.add("decision", f"Use {name}")
    assert scene.rehearse(instance=1).settled.sessions == ("s1",)
    scene.sleep(instance=1)
    assert trailers(scene) == (["2"], ["s1"])
    assert ([one.session_id for one in ledger(scene).sessions], ledger(scene).debt) == (["s2"], 3)


def test_a_refused_sleep_settles_nothing(scene, monkeypatch):
    """When the gate refuses, debt stands as it was, and nothing says that a sleep is under way."""
    stop(scene, "s1", 5)
    scene.open(session="s1")
    scene.add("decision", "Use the lock")
    scene.sleep()
    scene.add("decision", "Use another")
    stop(scene, "s2", 5)
    before = scene.everything()

    def refuses(*_args, **_options):
        raise GateError("no")

    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=journal")
    monkeypatch.setattr(cycle_plan, "check", refuses)
    before = scene.everything()
    with pytest.raises(GateError):
        scene.sleep()
    assert scene.everything() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the victim is a fork")
@pytest.mark.parametrize("at", ["commit", "forget"])
def test_killed_before_it_settled(scene, at):
    """A sleep that is killed in or after its last commit is settled by the next command that writes."""
    stop(scene, "s1", 5)
    scene.open(session="s1")
    scene.add("decision", "Use the lock")
    assert killed(scene, at, lambda plan: plan.step == "handoff")
    assert ledger(scene).debt == 2
    assert ledger(scene).sleeping
    book.add(context(scene), 1, "talk", time.time())
    assert ledger(scene).sleeping  # git has a step to finish first
    scene.sleep()
    found = ledger(scene)
    assert (found.debt, found.sleeping, len(scene.view.cycles)) == (0, None, 2)  # one on what was said of the talk
    assert [one.session_id for one in found.history[-1].sessions] == ["s1"]
    assert found.history[-1].cycle == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the victim is a fork")
def test_killed_before_its_last_commit(scene):
    """A sleep that is killed before its last commit has settled nothing; the next one settles it once."""
    stop(scene, "s1", 5)
    scene.open(session="s1")
    scene.add("decision", "Use the lock")
    honest = step.apply

    def act():
        def dies(root, plan, *rest):
            if plan.step == "handoff":
                os.kill(os.getpid(), signal.SIGKILL)
            return honest(root, plan, *rest)

        step.apply = dies
        scene.sleep()

    assert in_child(act) == -signal.SIGKILL
    book.add(context(scene), 1, "talk", time.time())
    assert (ledger(scene).debt, ledger(scene).sleeping) == (3, None)
    report = scene.sleep()
    # One of them is on what was said of the talk.
    assert (report.settled.debt, ledger(scene).debt, len(ledger(scene).history)) == (3, 0, 2)


def test_undo_gives_back(scene):
    """Undoing a cycle gives its debt and sessions back; another undo of it is refused and gives nothing."""
    stop(scene, "s1", 5)
    book.add(context(scene), 2, "talk", time.time())
    before = ledger(scene)
    scene.open(session="s1")
    scene.add("decision", "Use the lock")
    scene.sleep()
    shown = scene.undo(dry_run=True)
    assert (shown.debt, set(shown.sessions)) == (4, {one.session_id for one in before.sessions})
    assert ledger(scene).debt == 0
    done = scene.undo()
    assert (done.debt, done.sessions, ledger(scene).debt) == (shown.debt, shown.sessions, 4)
    assert ledger(scene).sessions == before.sessions
    assert ledger(scene).sleeping is None
    scene.sleep()
    assert ledger(scene).debt == 0


def test_undo_of_an_older_cycle(scene):
    """Undoing an older cycle gives back what that one settled, and no more."""
    stop(scene, "s1", 5)
    scene.cycle(1)
    stop(scene, "s2", 1)
    scene.cycle(2)
    assert scene.undo(1).debt == 2
    assert [(one.session_id, one.score) for one in ledger(scene).sessions] == [("s1", 2)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the victim is a fork")
def test_an_undo_killed_before_it_gave_back(scene):
    """An undo that is killed after its commit gives back at the next command that writes."""
    stop(scene, "s1", 5)
    scene.cycle(1)

    def act():
        def dies(*_args):
            os.kill(os.getpid(), signal.SIGKILL)

        debt_settlement.give_back = dies
        scene.undo()

    assert in_child(act) == -signal.SIGKILL
    assert (ledger(scene).debt, scene.view.cycles) == (0, ())
    book.add(context(scene), 1, "talk", time.time())
    assert (ledger(scene).debt, ledger(scene).sleeping) == (3, None)


def test_an_undo_that_fails(scene, monkeypatch):
    """An undo whose commit fails gives nothing back."""
    stop(scene, "s1", 5)
    scene.cycle(1)
    monkeypatch.setattr("sleep.history.rebuild.undo._apply", lambda *_: (_ for _ in ()).throw(GateError("no")))
    with contextlib.suppress(GateError):
        scene.undo()
    assert (ledger(scene).debt, ledger(scene).sleeping) == (0, None)


def test_a_sleep_ends_the_sleep_by_hand_that_it_settled(scene):
    """A sleep that settles all that stood when one by hand was begun ends that one: the next can begin."""
    stop(scene, "s1", 5)
    book.start(context(scene), time.time())
    scene.open(session="s1")
    scene.add("decision", "Use the lock")
    scene.sleep()
    assert ledger(scene).epoch is None
    assert book.start(context(scene), time.time()).sessions == ()


def test_a_dry_run_scores_as_the_sleep_does(scene):
    """A session that goes on after a sleep by hand was begun is worth to a dry run what it settles."""
    path = scene.home / "edits.jsonl"

    def edit(*calls):
        with path.open("a", encoding="utf-8") as file:
            for call in calls:
                content = [{"type": "tool_use", "id": f"c{call}", "name": "Write", "input": {"file_path": "/p/a.py"}}]
                file.write(json.dumps({"type": "assistant", "message": {"content": content}}) + "\n")
        seen = sessions.Sighting("s1", "claude", str(path))
        return book.record_stop(context(scene), scene.place.settings, seen, "edited", time.time())

    assert edit(0).score == 1
    begun = book.start(context(scene), time.time())
    assert edit(*range(1, 10)).score == 3
    told = debt_settlement.standing(scene.place, "2026-11-21T11:00:00Z", None)
    assert told.debt == begun.debt == 1


@pytest.mark.parametrize("words", [("sleep",), ("sleep.resume",), ("sleep.undo",), ("sleep.done", "by hand")])
def test_where_no_debt_can_be_settled_nothing_is_done(scene, words):
    """Where a folder stands in the ledger's place, a sleep, an undo and a sleep by hand are refused as a whole."""
    scene.add("note", "something to sleep on")
    scene.sleep()
    scene.add("note", "something more")
    Path(context(scene).ledger).unlink(missing_ok=True)
    Path(context(scene).ledger).mkdir()
    before = scene.everything()
    code, out, err = scene.run(*words)
    assert (code, out) == (10, "")
    assert "is no file" in err
    assert scene.everything() == before


def test_where_the_ledgers_folder_may_not_be_written_to_nothing_is_done(scene, monkeypatch):
    """A sleep looks whether it may write beside the ledger before its first commit, and names the folder."""
    scene.add("note", "something to sleep on")
    Path(context(scene).state).mkdir(exist_ok=True)
    before = scene.everything()
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda path, _mode: path != context(scene).state)
        with pytest.raises(StorageError, match="permission denied") as refusal:
            scene.sleep()
    assert refusal.value.where == context(scene).state
    assert scene.everything() == before


def _breaks_settings(scene):
    (scene.top / ".git" / "config").write_text("[core\n")


def _refuses_commits(scene):
    hook = scene.top / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)


@pytest.mark.parametrize("spoil", [_breaks_settings, _refuses_commits])
@pytest.mark.parametrize("is_open", [False, True])
def test_what_only_the_ledger_holds_is_not_journaled_where_git_refuses(scene, spoil, is_open):
    """A sleep that git refuses leaves no note of the ledger's behind, neither in an open journal nor in a new one."""
    if is_open:
        scene.add("note", "something to sleep on")
    book.add(context(scene), 3, "a talk that no journal has", time.time())
    journals = {path: path.read_bytes() for path in (scene.home / "journal").iterdir()}
    spoil(scene)
    assert scene.run("sleep")[0] == 6
    assert {path: path.read_bytes() for path in (scene.home / "journal").iterdir()} == journals
