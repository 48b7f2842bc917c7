"""A step is killed at every point, and ends wholly before or wholly after."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
from errno import ENOSPC
from itertools import count
from time import sleep

import pytest
from world import START, WRITES, World, in_child, plan

from sleep.errors import GitStateError, RecoveryError, StorageError
from sleep.store import intent, lock, step
from sleep.store.repository import Repository

BEFORE = {path: START.get(path) for path in WRITES}
_HOOKS = (
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "post-index-change",
    "reference-transaction",
)
_KILL = """#!/bin/sh
test -n "$VICTIM" || exit 0
echo >>"$VICTIM_COUNT"
test "$(wc -l <"$VICTIM_COUNT")" -eq "$VICTIM_AT" || exit 0
kill -KILL $VICTIM
sleep 0.05
"""


def _killing(nth):
    seen = count(1)

    def fault(name):
        if next(seen) == nth:
            os.kill(os.getpid(), signal.SIGKILL)

    return fault


def _settle(world, head, persons):
    """Recover in a new process; assert all is wholly before or after, and nothing else has changed."""
    assert in_child(world.recover) == 0
    now = world.texts()
    assert now in (BEFORE, WRITES)
    assert (world.head() == head) == (now == BEFORE)
    assert not step.interrupted(world.root)
    assert world.leftovers() == []
    assert world.persons() == persons
    assert not world.git("status", "--porcelain", "--", *(path for path in WRITES)).strip()
    world.check()
    return now


def test_killed_at_every_point_of_ours(tmp_path):
    """A step killed before any of its operations is afterwards wholly taken or not at all, and can be taken again."""
    first = World(tmp_path / "first")
    first.person_works()
    outcomes = set()
    for nth in count(1):
        shutil.copytree(first.top, tmp_path / f"{nth}", symlinks=True)
        world = World.__new__(World)
        world.top = world.home = tmp_path / f"{nth}"
        head, persons = world.head(), world.persons()
        ended = in_child(lambda: world.apply(fault=_killing(nth)))  # noqa: B023
        outcomes.add(str(_settle(world, head, persons) == WRITES))
        world.apply()
        assert world.texts() == WRITES
        assert world.persons() == persons
        assert world.git("log", "--format=%s").split("\n")[:2] == ["sleep: hot to warm, 1 decision", "start"]
        if ended == 0:
            break
        assert ended == -signal.SIGKILL
    assert nth > 12
    assert outcomes == {"True", "False"}


@pytest.mark.parametrize("whole_group", [False, True], ids=["process", "group"])
def test_killed_inside_every_git_child(tmp_path, whole_group):
    """A step killed while git runs its hooks, with or without that git, ends wholly before or wholly after."""
    first = World(tmp_path / "first")
    first.person_works()
    for name in _HOOKS:
        hook = first.top / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(_KILL)
        hook.chmod(0o755)
    for nth in count(1):
        shutil.copytree(first.top, tmp_path / f"{nth}", symlinks=True)
        world = World.__new__(World)
        world.top = world.home = tmp_path / f"{nth}"
        head, persons = world.head(), world.persons()

        def victim():
            os.environ["VICTIM"] = f"-{os.getpid()}" if whole_group else str(os.getpid())
            os.environ["VICTIM_COUNT"] = str(tmp_path / f"count-{nth}")  # noqa: B023
            os.environ["VICTIM_AT"] = str(nth)  # noqa: B023
            world.apply()  # noqa: B023

        ended = in_child(victim)
        _settle(world, head, persons)
        if ended == 0:
            break
        assert ended == -signal.SIGKILL
    assert nth > 8


@pytest.mark.parametrize(
    "error", [OSError(ENOSPC, "No space left on device"), GitStateError("no"), KeyboardInterrupt()]
)
def test_failed_at_every_point(tmp_path, error):
    """A step whose n-th operation fails is undone at once, or had been taken before, and recovery leaves nothing."""
    world = World(tmp_path / "world")
    world.person_works()
    persons, head = world.persons(), world.head()
    for nth in count(1):
        seen = count(1)

        def fault(name):
            if next(seen) == nth:  # noqa: B023
                raise error

        try:
            world.apply(fault=fault)
        except type(error):
            assert world.persons() == persons
            if world.head() == head:
                assert world.texts() == BEFORE
                assert world.leftovers() == []
                assert not (world.home / "memory/warm").exists()
            else:
                assert world.recover().outcome == "found"
        else:
            assert world.texts() == WRITES
        if world.head() != head:
            break
    assert nth == 13
    assert world.texts() == WRITES
    assert world.leftovers() == []
    assert world.persons() == persons


@pytest.mark.parametrize("moments", [6, pytest.param(200, marks=pytest.mark.torture)], ids=["smoke", "torture"])
def test_killed_at_any_moment(tmp_path, moments):
    """A step killed with all its children at a random moment ends wholly before or wholly after, and can be taken."""
    chance = random.Random(11)
    world = World(tmp_path / "world")
    world.person_works()
    world.apply(plan({"main.md": "0"}))
    for number in range(moments):
        writes = {"main.md": f"{number + 1}", f"memory/new-{number}.md": "new\n", "memory/hot/threads.md": f"{number}"}
        before, head, persons = world.texts(writes), world.head(), world.persons(writes)
        moment = chance.uniform(0, 0.15)
        read, write = os.pipe()

        def act():
            os.write(write, b"x")  # noqa: B023
            world.apply(plan(writes))  # noqa: B023

        ended = in_child(act, meanwhile=lambda pid: (os.read(read, 1), sleep(moment), killpg(pid)))  # noqa: B023
        os.close(read)
        os.close(write)
        assert in_child(world.recover) == 0
        now = world.texts(writes)
        assert now in (before, writes)
        assert (world.head() == head) == (now == before)
        assert world.persons(writes) == persons
        assert world.leftovers() == []
        assert ended in {0, -signal.SIGKILL}
        assert in_child(lambda: world.apply(plan(writes))) == 0  # noqa: B023
        assert world.texts(writes) == writes
    world.check()


def killpg(pid):
    """Kill a child and all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _cut(world, at):
    """Kill a step just before the operation named."""

    def fault(name):
        if name == at:
            os.kill(os.getpid(), signal.SIGKILL)

    assert in_child(lambda: world.apply(fault=fault)) == -signal.SIGKILL


def test_swept_into_a_persons_commit(world):
    """Files of an interrupted step that a person committed along still get the step's own commit, with its trailers."""
    _cut(world, "commit")
    world.git("add", "--all")
    world.git("commit", "--quiet", "--message=sweep")
    found = world.recover()
    assert found.outcome == "finished"
    assert world.git("log", "--format=%s", "-2").split("\n")[:2] == ["sleep: hot to warm, 1 decision", "sweep"]
    assert world.git("log", "-1", "--format=%(trailers:key=Sleep-Cycle,valueonly)").strip() == "3"
    assert world.git("status", "--porcelain") == ""


def test_a_person_committed_meanwhile(world):
    """A step whose branch moved on is finished on top of what a person committed."""
    _cut(world, "replace:memory/warm/deep/auth.md")
    (world.top / "code.py").write_text("1\n")
    world.git("add", "code.py")
    world.git("commit", "--quiet", "--message=code")
    assert world.recover().outcome == "finished"
    assert world.texts() == WRITES
    assert world.git("status", "--porcelain") == ""


def test_a_person_changed_a_file_meanwhile(world):
    """A file that is neither before nor after stops recovery, named, with nothing touched, until it is put right."""
    _cut(world, "replace:memory/hot/threads.md")
    (world.top / "memory/hot/threads.md").write_text("mine\n")
    files, status = world.texts(), world.git("status", "--porcelain")
    for _ in range(2):
        with pytest.raises(RecoveryError, match=r"memory/hot/threads\.md.*cat-file -p"):
            world.recover()
        assert (world.texts(), world.git("status", "--porcelain")) == (files, status)
    with lock.hold(world.root, "doctor"):
        intent.forget(world.root)
    assert world.recover() == step.Recovery("nothing")
    assert world.text("memory/hot/threads.md") == "mine\n"


def test_another_branch_is_checked_out(world):
    """A step planned for one branch is undone, not committed, when another one is checked out."""
    _cut(world, "commit")
    world.git("switch", "--quiet", "--create", "other")
    assert world.recover().outcome == "rolled back"
    assert world.texts() == BEFORE
    assert world.git("status", "--porcelain") == ""
    assert world.git("log", "--all", "--format=%s").strip() == "start"


def test_committed_on_a_branch_left_since(world):
    """A step that was committed before its branch was left is found there, and the files of this one stay."""
    _cut(world, "forget")
    world.git("switch", "--quiet", "--create", "other", "HEAD~1")
    assert world.recover().outcome == "found"
    assert world.texts() == BEFORE
    assert world.git("status", "--porcelain") == ""


def test_amended_by_a_person(world):
    """A step whose commit a person amended is found, and not taken twice."""
    _cut(world, "forget")
    world.git("commit", "--quiet", "--amend", "--no-edit", "--author=Bob <bob@example.org>")
    assert world.recover().outcome == "found"
    assert world.git("rev-list", "--count", "HEAD").strip() == "2"


def test_blobs_pruned(world):
    """A step whose stored contents were pruned stops recovery with a sentence instead of writing nothing."""
    _cut(world, "replace:main.md")
    world.git("prune", "--expire=now")
    with pytest.raises(RecoveryError, match="gone"):
        world.recover()
    assert world.texts() == BEFORE


def test_a_record_that_cannot_be_read(world):
    """A record of another format, or torn, is refused and kept."""
    _cut(world, "replace:main.md")
    record = os.path.join(world.root.state_dir, "intent.json")
    for text in ("{", '{"format": 2}', "[]"):
        with open(record, "w") as file:
            file.write(text)
        with pytest.raises(RecoveryError, match="cannot be read"):
            world.recover()
    assert step.interrupted(world.root)


def test_apply_does_not_start_on_an_interrupted_step(world):
    """A step is not taken while another one waits to be finished."""
    _cut(world, "commit")
    root = world.root
    with lock.hold(root, "test") as held, pytest.raises(RecoveryError, match="interrupted"):
        step.apply(root, plan({"main.md": "x"}), held, Repository(root))


def test_merge_begun_after_the_crash(world):
    """Recovery waits for a merge that a person began meanwhile, and touches nothing."""
    _cut(world, "replace:main.md")
    world.git("switch", "--quiet", "--create", "side")
    (world.top / "side.txt").write_text("side\n")
    world.git("add", "side.txt")
    world.git("commit", "--quiet", "--message=side")
    world.git("switch", "--quiet", "main")
    world.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
    with pytest.raises(GitStateError, match="merge"):
        world.recover()
    world.git("merge", "--abort")
    assert world.recover().outcome == "finished"


def test_disk_full_again_while_undoing(world, monkeypatch):
    """A step that can neither be finished nor be undone says both reasons, and is finished later."""
    head = world.head()

    def fault(name):
        if name == "commit":
            raise StorageError("the disk is full")

    def full(*_):
        raise StorageError("still full")

    monkeypatch.setattr("sleep.store.exchange.Exchange.back", full)
    with pytest.raises(RecoveryError, match=r"the disk is full.*still full"):
        world.apply(fault=fault)
    monkeypatch.undo()
    assert world.head() == head
    assert world.recover().outcome == "finished"
    assert world.texts() == WRITES


def test_stale_temporary_files_are_swept(world):
    """Temporary files of a writer that is no more are removed; those of a living one stay."""
    child = in_child(lambda: None)
    assert child == 0
    gone = world.top / "memory" / f".a.md.sleepwake-tmp-{2**22 + 1}"
    living = world.top / "memory" / f".a.md.sleepwake-tmp-{os.getppid()}"
    for path in (gone, living):
        path.write_text("half")
    world.recover()
    assert (gone.exists(), living.exists()) == (False, True)
