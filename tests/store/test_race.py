"""Several of us and a person commit at once, and no commit is lost."""

from __future__ import annotations

import os
import random
import subprocess
import time
import traceback
from pathlib import Path

import pytest
from world import World, fill, plan

from sleep.errors import HeldError
from sleep.store import lock, step
from sleep.store.repository import Repository


def _while_patient():
    """Yield until it has gone on for too long: who never gets the lock fails, and does not try for ever."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        yield
    raise TimeoutError


def _ours(world, name, steps, report):
    for number in range(steps):
        writes = {f"memory/{name}.md": f"{name} {number}\n", f"journal/{name}-{number}.md": "x\n"}
        for _ in _while_patient():
            try:
                sha = world.apply(plan(writes, subject=f"{name} {number}"))
            except HeldError:
                continue
            break
        with report.open("a") as file:
            file.write(f"{sha}\n")


def _person(world, commits, report, seed):
    chance = random.Random(seed)
    for number in range(commits):
        fill(world.top, {f"code-{number % 5}.py": f"{number}\n", "staged.txt": f"{number}\n"})
        for _ in _while_patient():
            words = ("commit", "--quiet", f"--message=code {number}", "--allow-empty")
            added = subprocess.run(
                ("git", "add", f"code-{number % 5}.py"), cwd=world.top, capture_output=True, check=False
            )
            if added.returncode == 0:
                made = subprocess.run(("git", *words), cwd=world.top, capture_output=True, check=False)
                if made.returncode == 0:
                    break
            time.sleep(chance.uniform(0.005, 0.05))
        with report.open("a") as file:
            file.write("person\n")
        time.sleep(chance.uniform(0, 0.02))


def _start(act):
    if pid := os.fork():
        return pid
    code = 1
    try:
        act()
        code = 0
    except Exception:  # noqa: BLE001  # a process of its own: its code is asked after, and what it says is shown
        traceback.print_exc()
    finally:
        os._exit(code)


@pytest.mark.parametrize(
    ("steps", "commits"), [(5, 8), pytest.param(25, 50, marks=pytest.mark.torture)], ids=["smoke", "torture"]
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_four_of_us_and_a_person(tmp_path, steps, commits):
    """Every commit that was reported, of four processes of ours and one person, is in history, once and whole."""
    world = World(tmp_path / "world")
    report = tmp_path / "report"
    children = [_start(lambda name=name: _ours(world, name, steps, report)) for name in "abcd"]
    children.append(_start(lambda: _person(world, commits, report, 7)))
    assert [os.waitpid(pid, 0)[1] for pid in children] == [0] * 5
    history = world.git("log", "--format=%H %s").split("\n")[:-1]
    known = {line.split(" ")[0]: line.split(" ", 2)[1:] for line in history}
    shas = [line for line in report.read_text().split() if line != "person"]
    assert len(set(shas)) == len(shas) == 4 * steps
    assert set(shas) <= set(known)
    assert sum(1 for line in history if " code " in line) == commits
    assert len(history) == 1 + 4 * steps + commits
    for sha in shas:
        changed = world.git("diff-tree", "--no-commit-id", "--name-only", "-r", sha).split()
        assert len(changed) == 2
        assert all(path.startswith(("memory/", "journal/")) for path in changed)
    _adopt_what_a_persons_git_took_back(world)
    assert world.git("status", "--porcelain").split("\n") == [" M staged.txt", ""]
    assert world.leftovers() == []
    assert _gits_in(world.top) == []
    world.check()


def _adopt_what_a_persons_git_took_back(world):
    """Sleep's next step commits again what two gits at once lose by git's own making, and nothing of a person's.

    `git commit` reads the index before it locks it. What a commit of ours changed in between, it takes out of the index
    and of its own commit; the files stay.
    """
    root = world.root
    with lock.hold(root, "test", 20) as held:
        repository = Repository(root)
        step.adopt(root, plan(subject="adopt"), repository.pending(), held, repository)


def _gits_in(folder):
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            inside = (place / "cwd").readlink().is_relative_to(folder)
            words = (place / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if inside and words[0].endswith(b"git"):
            found.append(words)
    return found
