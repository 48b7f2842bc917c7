"""What the command survives: being killed, being one of many, and repositories in every state."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import faults
import pytest
from scene import Scene, command, environment, git, repository, write
from world import in_child

from sleep.memory import place
from sleep.store import step

_KILLED = -signal.SIGKILL


def _grown(top):
    """Return a memory of two cycles with a third instance to sleep on, and a person's work beside it."""
    scene = Scene(top).lived(2)
    scene.open()
    scene.add("decision", "Use the last engine", why="it stays", alternatives="none")
    scene.add("question", "Who owns the last part?")
    scene.add("insight", "The parser reads `src/last.py` twice")
    scene.person_works()
    return scene


def _copy(scene, top):
    shutil.copytree(scene.top, top, symlinks=True)
    return Scene.copied(top)


def _tiers(scene):
    """Return the memory as a cycle leaves it, without the moment of its end."""
    return {
        path: content.replace(b"2026-12", b"2026-11")
        for path, content in scene.owned().items()
        if path.startswith("memory/") and path != "memory/cycles.md"
    }


def _settled(scene, whole, persons, base):
    """Finish what is left by the command; assert that all is as after an uninterrupted run, but a person's work."""
    assert scene.persons() == persons
    code, _, err = scene.run("sleep.resume")
    assert (code, err) == (0, "")
    assert _tiers(scene) == _tiers(whole)
    assert scene.persons() == persons
    subjects = scene.git("log", "--format=%s", f"{base}..HEAD").splitlines()
    assert subjects == whole.git("log", "--format=%s", f"{base}..HEAD").splitlines()
    assert [cycle.instance.number for cycle in scene.view.cycles] == [1, 2, 3]
    assert not step.interrupted(scene.place.root)
    assert not list(Path(scene.top, ".git").glob("*.lock"))
    assert scene.git("fsck", "--strict", "--no-dangling") == ""
    assert scene.run("sleep")[1].startswith("nothing to sleep on\n")


@pytest.fixture
def grown(tmp_path):
    """Return the memory, a copy in which the sleep was taken without interruption, its persons' work and its base."""
    scene = _grown(tmp_path / "first")
    whole = _copy(scene, tmp_path / "whole")
    whole.sleep()
    return scene, whole, scene.persons(), scene.head()


def _killing(nth):
    """Return a fault that kills this process at the n-th file or git operation of all steps."""
    seen = count(1)

    def fault(_name):
        if next(seen) == nth:
            os.kill(os.getpid(), signal.SIGKILL)

    return fault


def _killed_at(scene, nth):
    def act():
        with faults.raised(_killing(nth)):
            scene.sleep()

    return in_child(act)


def _walk(grown, tmp_path, points):
    scene, whole, persons, base = grown
    for nth in points:
        victim = _copy(scene, tmp_path / f"at-{nth}")
        ended = _killed_at(victim, nth)
        if ended == 0:
            return nth
        assert ended == _KILLED
        _settled(victim, whole, persons, base)
        shutil.rmtree(victim.top)
    return 0


def test_killed_at_counted_points(grown, tmp_path):
    """A sleep killed at points spread over all its steps is finished by `sleep.resume` as if nothing had been."""
    _walk(grown, tmp_path, random.Random(7).sample(range(1, 40), 5))


@pytest.mark.torture
def test_killed_at_every_point(grown, tmp_path):
    """A sleep killed at each of its operations is finished by `sleep.resume` as if nothing had been."""
    assert _walk(grown, tmp_path, count(1)) > 40


def _killed_after(scene, seconds, group):
    """Kill a sleep after a time, with or without its git children; return whether it was cut."""
    child = subprocess.Popen(
        command("sleep"),
        cwd=scene.home,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        (os.killpg if group else os.kill)(child.pid, signal.SIGKILL)
        child.communicate()
    return child.returncode == _KILLED


def _random_kills(grown, tmp_path, seed, times, least=1):
    """Kill so many sleeps; more, until `least` were cut, on a machine that was busy while a whole one was measured."""
    scene, whole, persons, base = grown
    chance = random.Random(seed)
    began = time.perf_counter()
    assert not _killed_after(_copy(scene, tmp_path / "measured"), 60, group=False)
    longest = time.perf_counter() - began
    cut = 0
    for number in range(5 * times):
        if cut >= least and number >= times:
            break
        victim = _copy(scene, tmp_path / f"{number}")
        cut += _killed_after(victim, chance.uniform(0.15, 1) * longest, chance.random() < 0.5)
        _settled(victim, whole, persons, base)
        shutil.rmtree(victim.top)
    return cut


def test_killed_at_random(grown, tmp_path):
    """A sleep killed at random moments is finished by `sleep.resume` as if nothing had been."""
    assert _random_kills(grown, tmp_path, 11, 3)


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(5))
def test_killed_at_random_again_and_again(grown, tmp_path, seed):
    """The same for a hundred moments."""
    assert _random_kills(grown, tmp_path, seed, 20, least=6) >= 6


def _crowd(scene, rounds, commits):
    """Let four processes sleep and journal while a person commits; return all that each reported."""
    program = (
        "import sys\n"
        "from scene import Scene\n"
        "scene = Scene.copied(sys.argv[1])\n"
        "for number in range(int(sys.argv[3])):\n"
        "    made = scene.open(session=f's{sys.argv[2]}-{number}')\n"
        "    for _ in range(2):\n"
        "        added = scene.add('decision', f'Use {number} of {sys.argv[2]}', instance=made.address.number)\n"
        "        print('entry', added.address)\n"
        "    for one in scene.sleep(instance=made.address.number).steps:\n"
        "        print('commit', one.sha)\n"
    )
    here = os.pathsep.join((str(Path(sys.modules[Scene.__module__].__file__).parent), environment()["PYTHONPATH"]))
    env = environment(PYTHONPATH=here, SLEEP_LOCK_WAIT="300")
    children = [
        subprocess.Popen(
            (command()[0], "-c", program, str(scene.home), str(number), str(rounds)),
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    mine = []
    for number in range(commits):
        write(scene.top / f"code-{number}.py", f"{number}\n")
        for words in (
            ("add", f"code-{number}.py"),
            ("commit", "--quiet", f"--message=mine {number}", "--", f"code-{number}.py"),
        ):
            for _ in range(400):
                done = subprocess.run(("git", *words), cwd=scene.top, capture_output=True, check=False)
                if done.returncode == 0:
                    break
                time.sleep(0.02)
            assert done.returncode == 0, done.stderr
        mine.append(f"mine {number}")
    said = []
    for child in children:
        out, err = child.communicate(timeout=900)
        assert (child.returncode, err) == (0, "")
        said += [line.split() for line in out.splitlines()]
    return said, mine


def _crowded(scene, rounds, commits):
    scene.write("split.txt", "staged half\n")
    scene.git("add", "split.txt")
    scene.write("split.txt", "staged half\nother half\n")
    said, mine = _crowd(scene, rounds, commits)
    shas = set(scene.git("log", "--format=%H").split())
    reported = [value for what, value in said if what == "commit"]
    assert set(reported) <= shas
    assert len(reported) == len(set(reported)) >= rounds * 4 * 3
    assert set(mine) <= set(scene.subjects())
    entries = {value for what, value in said if what == "entry"}
    records = [record.fragment for record in scene.view.records.values()]  # some say the same, and are one
    assert entries == {str(address) for record in records for address in record.addresses}
    assert len(scene.view.cycles) == rounds * 4
    numbers = [number for record in records for number in record.numbers]
    assert len(set(numbers)) == len(numbers)
    assert scene.git("show", ":split.txt") == "staged half\n"
    assert scene.git("status", "--porcelain") == "MM split.txt\n"
    assert scene.git("fsck", "--strict", "--no-dangling") == ""
    assert not _gits_in(scene.top)
    assert [one for one in scene.check() if one.level == "fail"] == []
    return len(reported)


def _gits_in(top):
    """Return the git processes that work in a folder."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
        try:
            where, words = os.readlink(f"/proc/{pid}/cwd"), Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if where.startswith(str(top)) and b"git" in words.split(b"\0")[0]:
            found.append(words)
    return found


def test_four_processes_and_a_person(scene):
    """Four processes journal and sleep while a person commits: all that was reported is there, no process is left."""
    _crowded(scene, 1, 5)


@pytest.mark.torture
def test_a_crowd(scene):
    """The same with at least eighty commits of ours and forty of a person."""
    assert _crowded(scene, 7, 40) >= 80


def _fine(scene, *, folder=None, **environ):
    """Assert that journaling, sleeping, undoing and waking work there, by the command."""
    for words in (
        ("journal.add", "--kind", "decision", "--text", "Use it", "--why", "x"),
        ("sleep",),
        ("sleep.undo",),
        ("sleep",),
        ("wake", "--peek"),
        ("wake.check",),
    ):
        code, out, err = scene.run(*words, folder=folder, **environ)
        assert (code, err) == (0, ""), (words, out, err)
    assert scene.subjects()[0].startswith("sleep: handoff of instance")
    assert len(scene.view.cycles) == 1


def _refused(scene, code, *said, words=("sleep",), **environ):
    """Assert that a command is refused with this code and these words, a hint, and nothing changed."""
    before = scene.everything()
    ended, out, err = scene.run(*words, **environ)
    assert (ended, out) == (code, ""), err
    assert all(word in err for word in (*said, "Hint: "))
    assert "Traceback" not in err
    assert scene.everything() == before


def _conflicting(scene):
    """Leave two branches that conflict in a file of code."""
    scene.git("switch", "--quiet", "--create", "side")
    write(scene.top / "staged.txt", "side\n")
    scene.git("commit", "--quiet", "--all", "--message=side")
    scene.git("switch", "--quiet", "main")
    write(scene.top / "staged.txt", "main\n")
    scene.git("commit", "--quiet", "--all", "--message=main")


@pytest.mark.parametrize(
    ("begin", "abort"),
    [
        (("merge", "side"), ("merge", "--abort")),
        (("rebase", "side"), ("rebase", "--abort")),
        (("cherry-pick", "side"), ("cherry-pick", "--abort")),
        (("revert", "--no-edit", "HEAD~1"), ("revert", "--abort")),
    ],
    ids=["merge", "rebase", "cherry-pick", "revert"],
)
def test_git_in_the_middle_of_something(scene, begin, abort):
    """While git is in the middle of something nothing is committed, the way out is named, and then all goes on."""
    _conflicting(scene)
    if begin[0] == "revert":
        write(scene.top / "staged.txt", "third\n")
        scene.git("commit", "--quiet", "--all", "--message=third")
    scene.add("note", "x")
    scene.git(*begin, check=False)
    _refused(scene, 6, "is under way", f"git {abort[0]} --abort")
    assert scene.run("journal.add", "--text", "journaling goes on")[0] == 0
    scene.git(*abort)
    assert scene.run("sleep")[0] == 0


def test_detached_head(scene):
    """On a detached head everything works, and the commits are on it."""
    scene.git("checkout", "--quiet", "--detach")
    _fine(scene)
    assert scene.git("rev-list", "--count", "main..HEAD").strip() != "0"


def test_unborn_branch(tmp_path):
    """On a branch without commits everything works."""
    (tmp_path / "new").mkdir()
    git(tmp_path / "new", "init", "--quiet")
    scene = Scene(tmp_path / "new", commit=False)
    _fine(scene)


def test_linked_worktree(scene, tmp_path):
    """In a linked worktree everything works on its own branch, and the main one stays as it is."""
    before = scene.everything()[:3]
    scene.git("worktree", "add", "--quiet", str(tmp_path / "side"))
    side = Scene.copied(tmp_path / "side")
    _fine(side)
    assert scene.everything()[:3] == before
    assert scene.git("log", "--format=%s", "main..side").splitlines()[0] == "sleep: handoff of instance 1"


def test_submodule(scene, tmp_path):
    """In a memory that is a submodule everything works, and the outer repository sees only its pointer move."""
    outer = repository(tmp_path / "outer")
    git(outer, "submodule", "--quiet", "add", str(scene.top), "mind")
    git(outer, "commit", "--quiet", "--message=mind")
    inner = Scene.copied(outer / "mind")
    _fine(inner)
    assert git(outer, "status", "--porcelain") == " M mind\n"


def test_sub_directory(tmp_path):
    """In a folder of a repository everything works, from below it too, and no other file is committed."""
    scene = Scene(tmp_path / "project", "apps/one")
    (scene.home / "src" / "deep").mkdir(parents=True)
    scene.person_works()
    persons = scene.persons()
    _fine(scene, folder=scene.home / "src" / "deep")
    assert scene.persons() == persons
    changed = scene.git("log", "--format=", "--name-only", "HEAD~5..HEAD").split()
    assert all(path.startswith("apps/one/") for path in changed)


def test_a_bare_clone_as_remote(scene, tmp_path):
    """A memory can be pushed to a bare clone, cloned from it, and gone on with there."""
    git(tmp_path, "clone", "--quiet", "--bare", str(scene.top), "bare.git")
    scene.git("remote", "add", "origin", str(tmp_path / "bare.git"))
    scene.cycle(1)
    scene.git("push", "--quiet", "origin", "main")
    git(tmp_path, "clone", "--quiet", "bare.git", "clone")
    clone = Scene.copied(tmp_path / "clone")
    assert [cycle.number for cycle in clone.view.cycles] == [1]
    assert clone.cycle(2).steps[-1].cycle == 2
    assert clone.git("push", "--quiet", "origin", "main") == ""


def test_no_identity(scene, hermetic):
    """Without a user.name the documented identity commits, and a person's own wins where it is set."""
    (hermetic / ".gitconfig").write_text("[init]\n\tdefaultBranch = main\n")
    scene.add("note", "x")
    assert scene.run("sleep")[0] == 0
    assert scene.git("log", "-1", "--format=%an <%ae>").strip() == "sleepwake <sleepwake@localhost>"
    scene.git("config", "user.name", "Ada")
    scene.add("note", "y")
    assert scene.run("sleep")[0] == 0
    assert scene.git("log", "-1", "--format=%an <%ae>").strip() == "Ada <sleepwake@localhost>"


def test_signing_without_a_key(scene):
    """With commit.gpgsign and no key nothing changes, and the setting that helps is named and helps."""
    scene.git("config", "commit.gpgsign", "true")
    scene.git("config", "gpg.program", "false")
    scene.add("note", "x")
    _refused(scene, 6, "could not be signed", "git.sign: false")
    scene.write("memory/sleep.yaml", scene.text("memory/sleep.yaml") + "git:\n  sign: false\n")
    assert scene.run("sleep")[0] == 0


def test_a_hook_that_refuses(scene):
    """A pre-commit hook that refuses stops the step, in its words, with nothing changed; a setting passes it by."""
    hook = scene.top / ".git" / "hooks" / "pre-commit"
    write(hook, "#!/bin/sh\necho 'line too long' >&2\nexit 1\n")
    hook.chmod(0o755)
    scene.add("note", "x")
    _refused(scene, 6, "a git hook refused", "line too long", "git.hooks: false")
    scene.write("memory/sleep.yaml", scene.text("memory/sleep.yaml") + "git:\n  hooks: false\n")
    assert scene.run("sleep")[0] == 0


def test_autocrlf(tmp_path):
    """With autocrlf everything works, and git finds nothing to commit afterwards."""
    scene = Scene(tmp_path / "project")
    scene.git("config", "core.autocrlf", "true")
    for path in ("main.md", "memory/hot/context.md"):
        scene.write(path, scene.text(path).replace("\n", "\r\n"))
    _fine(scene)
    scene.cycle(2)
    assert scene.git("status", "--porcelain") == ""
    assert "\r" not in scene.git("show", "HEAD:main.md")


def test_a_hooks_environment(scene, tmp_path):
    """With another repository in GIT_DIR, GIT_INDEX_FILE and GIT_WORK_TREE the memory's own is worked on."""
    other = repository(tmp_path / "other")
    head = git(other, "rev-parse", "HEAD")
    _fine(
        scene,
        GIT_DIR=str(other / ".git"),
        GIT_INDEX_FILE=str(other / ".git" / "index"),
        GIT_WORK_TREE=str(other),
        GIT_PREFIX="x/",
        GIT_AUTHOR_NAME="Bob",
    )
    assert git(other, "rev-parse", "HEAD") == head
    assert git(other, "status", "--porcelain") == ""
    assert scene.git("log", "-1", "--format=%an").strip() == "Bob"


def test_run_by_a_git_hook(scene):
    """A sleep that a person's post-commit hook runs works, and its own commits do not go round in circles."""
    hook = scene.top / ".git" / "hooks" / "post-commit"
    line = " ".join(command("sleep"))
    write(hook, f'#!/bin/sh\ntest -n "$INSIDE" && exit 0\nINSIDE=1 PYTHONPATH={environment()["PYTHONPATH"]} {line}\n')
    hook.chmod(0o755)
    scene.add("decision", "Use it")
    write(scene.top / "staged.txt", "changed\n")
    scene.git("commit", "--quiet", "--message=mine", "--", "staged.txt")
    assert scene.subjects()[0] == "sleep: handoff of instance 1"
    assert "mine" in scene.subjects()


def test_held_by_another_process(scene):
    """While another process sleeps, a command waits as it is told to, then says who does, since when."""
    program = "import time\nfrom sleep.store import layout, lock\nimport sys\n"
    program += (
        "with lock.hold(layout.find_root(sys.argv[1]), 'sleep'):\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    holder = subprocess.Popen((command()[0], "-c", program, str(scene.home)), env=environment(), stdout=subprocess.PIPE)
    try:
        assert holder.stdout.readline() == b"held\n"
        code, out, err = scene.run("journal.add", "--text", "x", SLEEP_LOCK_WAIT="0.3")
        assert (code, out) == (7, "")
        assert f"held by sleep (process {holder.pid} on " in err
        assert " since " in err
    finally:
        holder.kill()
        holder.communicate()
    assert scene.run("journal.add", "--text", "x")[0] == 0


def test_an_ignored_memory(scene):
    """A memory that the repository ignores is refused with the path that is, not passed over in silence."""
    write(scene.top / ".gitignore", "memory/hot/\n")
    scene.git("rm", "--quiet", "--cached", "-r", "memory/hot")
    scene.git("commit", "--quiet", "--all", "--message=ignored")
    scene.add("decision", "x")
    scene.git("add", "journal")
    scene.git("commit", "--quiet", "--message=journal")
    code, out, err = scene.run("sleep")
    assert (code, out) == (6, "")
    assert "memory/hot/decisions.md: is ignored by git" in err


def test_git_that_is_missing(scene, tmp_path):
    """Without git on PATH a command that needs it says so."""
    code, _, err = scene.run("sleep", PATH=str(tmp_path))
    assert code == 6
    assert "git was not found" in err


def test_resuming_where_nothing_was_cut(scene):
    """`sleep.resume` with nothing to resume is a sleep, and says nothing of a recovery."""
    scene.add("note", "x")
    code, out, _ = scene.run("sleep.resume")
    assert code == 0
    assert "finished the step" not in out
    assert not step.interrupted(place.find(str(scene.home)).root)
