"""One process at a time holds the lock, and its end is the lock's end."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest
from world import in_child

from sleep.errors import HeldError, StorageError
from sleep.store import layout, lock


def test_held_by_another(world):
    """Whoever waits in vain is told who holds the lock, why, since when, and how long it waited."""

    def act():
        with pytest.raises(HeldError) as caught, lock.hold(world.root, "journal", 0.2):
            pass
        assert "held by sleep (process " in caught.value.what
        assert " since 20" in caught.value.what
        assert "waited 0.2 s" in caught.value.what
        assert str(os.getppid()) in caught.value.what

    with lock.hold(world.root, "sleep"):
        assert in_child(act) == 0
    assert lock.owner(os.path.join(world.root.shared_dir, "lock")) is None


def test_shared_by_worktrees(world, tmp_path):
    """All worktrees of a repository have one lock."""
    world.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    linked = layout.find_root(str(tmp_path / "linked"))

    def act():
        with pytest.raises(HeldError), lock.hold(linked, "sleep", 0):
            pass

    with lock.hold(world.root, "sleep"):
        assert in_child(act) == 0


def test_twice_in_one_process_is_a_bug(world):
    """Taking the lock again where it is held is an error at once, and the lock stays held."""
    with lock.hold(world.root, "sleep") as held:
        with pytest.raises(RuntimeError, match="twice"), lock.hold(world.root, "sleep"):
            pass
        assert held.fileno() > 0
    with pytest.raises(RuntimeError, match="not held"):
        held.fileno()
    with lock.hold(world.root, "sleep", 0):
        pass


def test_ends_with_its_holder(world):
    """A holder that is killed no longer holds the lock."""

    def act():
        lock.hold(world.root, "sleep").__enter__()
        os.kill(os.getpid(), signal.SIGKILL)

    assert in_child(act) == -signal.SIGKILL
    with lock.hold(world.root, "journal", 0):
        pass


def test_inherited_by_a_child(world):
    """A killed holder's child that has the descriptor holds the lock until it ends, and the record says so."""
    number = world.top.with_name("child")

    def act():
        held = lock.hold(world.root, "sleep").__enter__()
        child = subprocess.Popen(("sleep", "600"), pass_fds=(held.fileno(),))
        number.write_text(str(child.pid), encoding="ascii")
        os.kill(os.getpid(), signal.SIGKILL)

    assert in_child(act) == -signal.SIGKILL
    with pytest.raises(HeldError, match="ended and left a git process"), lock.hold(world.root, "journal", 0.1):
        pass
    os.kill(int(number.read_text(encoding="ascii")), signal.SIGKILL)
    with lock.hold(world.root, "journal", 5):
        pass


def test_freed_although_a_daemon_kept_the_descriptor(world):
    """Leaving the lock frees it even if something that outlives us has inherited the descriptor."""
    with lock.hold(world.root, "sleep") as held:
        child = subprocess.Popen(("sleep", "5"), pass_fds=(held.fileno(),))
    try:
        with lock.hold(world.root, "journal", 0):
            pass
    finally:
        child.kill()
        child.wait()


def test_a_removed_lock_file(world):
    """A lock file that somebody removed does not let two holders in, and is made anew."""
    path = os.path.join(world.root.shared_dir, "lock")
    with lock.hold(world.root, "sleep"):
        pass
    os.unlink(path)
    with lock.hold(world.root, "sleep"):
        assert lock.owner(path).pid == os.getpid()


def test_where_nothing_can_be_written(world):
    """A lock file that cannot be made is told as what it is, not as held."""
    (world.top / ".git/sleepwake").write_text("a file where the folder should be")
    with pytest.raises(StorageError, match=r"\.git/sleepwake"), lock.hold(world.root, "sleep"):
        pass


def test_counting_race(world, tmp_path):
    """Four processes that each add one to a file twenty-five times under the lock make it a hundred."""
    counter = tmp_path / "counter"
    counter.write_text("0")

    def act():
        for _ in range(25):
            with lock.hold(world.root, "count"):
                counter.write_text(str(int(counter.read_text()) + 1))

    started = time.monotonic()
    children = []
    for _ in range(4):
        if not (pid := os.fork()):
            os._exit(0 if in_child(act) == 0 else 1)
        children.append(pid)
    assert [os.waitpid(pid, 0)[1] for pid in children] == [0] * 4
    assert counter.read_text() == "100"
    assert time.monotonic() - started < 20
