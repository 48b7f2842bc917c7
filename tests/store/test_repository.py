"""Exactly the given paths are committed, on any machine, and a person's work stays as it is."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from world import START, WRITES, World, fill, git, in_child, plan

from sleep.errors import GitStateError, StorageError
from sleep.store import layout, lock, repository
from sleep.store.git import stale_locks
from sleep.store.repository import Repository


def _hook(world, name, script):
    place = world.top / ".git" / "hooks" / name
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"#!/bin/sh\n{script}\n")
    place.chmod(0o755)


def _commit(world, paths, message="sleep: x\n", **options):
    with lock.hold(world.root, "test") as held:
        return Repository(world.root, **options).commit(paths, message, held)


def _merge(world):
    world.git("merge", "--no-commit", "--no-ff", "side")


def _cherry_pick(world):
    world.git("cherry-pick", "side", check=False)


def _revert(world):
    world.git("revert", "--no-edit", "HEAD~1", check=False)


def _rebase(world):
    world.git("rebase", "side", check=False)


def _rebase_apply(world):
    world.git("rebase", "--apply", "side", check=False)


def _am(world):
    world.git("am", input=world.git("format-patch", "--stdout", "-1", "side"), check=False)


def _sequence(world):
    world.git("cherry-pick", "side~1", "side", check=False)
    (world.top / ".git/CHERRY_PICK_HEAD").unlink()


@pytest.mark.parametrize("begin", [_merge, _cherry_pick, _revert, _rebase, _rebase_apply, _am, _sequence])
def test_refused_while_git_is_in_the_middle(world, begin):
    """With a merge, rebase, cherry-pick, revert or am under way nothing is changed, and the way out is named."""
    world.git("switch", "--quiet", "--create", "side")
    for text in ("side 1\n", "side 2\n"):
        fill(world.top, {"staged.txt" if begin is not _merge else "side.txt": text})
        world.git("add", "--all")
        world.git("commit", "--quiet", "--message=side")
    world.git("switch", "--quiet", "main")
    for text in ("main 1\n", "main 2\n"):
        fill(world.top, {"staged.txt": text})
        world.git("commit", "--quiet", "--all", "--message=main")
    begin(world)
    before = world.persons({}), world.head()
    with pytest.raises(GitStateError, match="under way") as caught:
        world.apply()
    assert "--abort" in caught.value.hint
    assert (world.persons({}), world.head()) == before
    assert world.leftovers() == []


def _unborn(world):
    world.git("checkout", "--quiet", "--orphan", "fresh")


def _detached(world):
    world.git("checkout", "--quiet", "--detach")


def _bisecting(world):
    world.git("commit", "--quiet", "--allow-empty", "--message=next")
    world.git("bisect", "start", "HEAD", "HEAD~1")


def _awkward(world):
    for key, value in {
        "commit.template": "/nowhere",
        "commit.verbose": "true",
        "commit.cleanup": "scissors",
        "commit.status": "true",
        "i18n.commitEncoding": "latin1",
        "core.autocrlf": "true",
        "core.safecrlf": "true",
        "core.commentChar": "k",
        "core.editor": "false",
        "core.abbrev": "no",
        "status.showUntrackedFiles": "no",
        "status.relativePaths": "true",
        "status.renames": "copies",
        "diff.noprefix": "true",
        "color.ui": "always",
        "gc.auto": "1",
        "core.quotePath": "true",
        "commit.gpgSign": "false",
    }.items():
        world.git("config", key, value)


@pytest.mark.parametrize("state", [_unborn, _detached, _bisecting, _awkward])
def test_fine_states_and_settings(world, state):
    """Unborn, detached or bisecting, and under every awkward setting, the step is committed with its exact message."""
    world.person_works()
    state(world)
    persons = world.persons()
    sha = world.apply()
    assert sha == world.head()
    assert world.texts() == WRITES
    assert world.persons() == persons
    assert world.leftovers() == []
    assert "\n# not a comment\n" in world.git("show", "--no-patch", "--format=%B", sha)
    changed = world.git("diff-tree", "--root", "--no-commit-id", "--name-only", "-r", sha).split()
    assert set(changed) == set(WRITES) - (set() if state is not _unborn else {"memory/hot/old.md"})


@pytest.mark.parametrize("prefix", ["", "notes/agent é"])
def test_in_a_sub_directory_worktree_and_submodule(tmp_path, prefix):
    """Steps work in a sub-directory of the repository, in a linked worktree on its branch, and in a submodule."""
    world = World(tmp_path / "project", prefix)
    world.git("worktree", "add", "--quiet", "-b", "linked", str(tmp_path / "linked"))
    outer = World(tmp_path / "outer", start={"readme": ""})
    outer.git("submodule", "--quiet", "add", str(world.top), "inner")
    linked, inner = World.__new__(World), World.__new__(World)
    linked.top, linked.home = tmp_path / "linked", tmp_path / "linked" / prefix
    inner.top, inner.home = outer.top / "inner", outer.top / "inner" / prefix
    outer_head, main = outer.head(), world.head()
    for place in (linked, inner):
        place.person_works()
        persons = place.persons()
        assert place.apply() == place.head()
        assert place.texts() == WRITES
        assert place.persons() == persons
        assert place.leftovers() == []
    assert (outer.head(), world.head()) == (outer_head, main)
    assert world.git("rev-parse", "linked").strip() == linked.head()


def test_pushed_to_a_bare_remote(world, tmp_path):
    """Commits can be pushed to a bare clone, and a bare repository itself is no place for memory."""
    world.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))
    world.git("remote", "add", "origin", str(tmp_path / "bare.git"))
    sha = world.apply()
    world.git("push", "--quiet", "origin", "main")
    assert git(tmp_path / "bare.git", "rev-parse", "main").strip() == sha
    assert layout.find_git(str(tmp_path / "bare.git")) is None


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("", "sleepwake <sleepwake@localhost> by sleepwake <sleepwake@localhost>"),
        ("[user]\n name = Bo\n", "Bo <sleepwake@localhost> by Bo <sleepwake@localhost>"),
        ("[user]\n email = b@x\n useConfigOnly = true\n", "sleepwake <b@x> by sleepwake <b@x>"),
        ("[author]\n name = Au\n email = a@x\n", "Au <a@x> by sleepwake <sleepwake@localhost>"),
        ("[user]\n name = Bo\n email = b@x\n", "Bo <b@x> by Bo <b@x>"),
    ],
)
def test_identity(world, hermetic, settings, expected):
    """Only what a machine leaves unset of the identity is filled in, for our commit alone."""
    (hermetic / ".gitconfig").write_text(settings)
    sha = world.apply()
    assert world.git("show", "--no-patch", "--format=%an <%ae> by %cn <%ce>", sha).strip() == expected
    assert (hermetic / ".gitconfig").read_text() == settings


def test_identity_of_the_environment(world, hermetic, monkeypatch):
    """An identity in the environment is used."""
    (hermetic / ".gitconfig").write_text("")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Env")
    monkeypatch.setenv("EMAIL", "env@x")
    sha = world.apply()
    assert world.git("show", "--no-patch", "--format=%an <%ae>", sha).strip() == "Env <env@x>"


@pytest.mark.parametrize("config", [("gpg.program", "false"), ("gpg.format", "ssh", "user.signingKey", "/no/such/key")])
def test_no_key_to_sign_with(world, config):
    """A commit that cannot be signed is refused with everything as before, and goes through with signing off."""
    for name, value in (("commit.gpgSign", "true"), *zip(config[::2], config[1::2], strict=True)):
        world.git("config", name, value)
    with pytest.raises(GitStateError, match="signed") as caught:
        world.apply()
    assert "git.sign: false" in caught.value.hint
    assert world.git("status", "--porcelain") == ""
    assert world.leftovers() == []
    assert world.apply(sign=False) == world.head()


@pytest.mark.parametrize("name", ["pre-commit", "prepare-commit-msg", "commit-msg"])
def test_a_hook_refuses(world, name):
    """A refusing hook leaves everything as before and is quoted; with hooks off it does not run."""
    _hook(world, name, "echo 'error: not on my watch' >&2; exit 1")
    world.person_works()
    persons, status = world.persons(), world.git("status", "--porcelain")
    with pytest.raises(GitStateError, match="not on my watch") as caught:
        world.apply()
    assert "git.hooks: false" in caught.value.hint
    assert (world.persons(), world.git("status", "--porcelain")) == (persons, status)
    assert world.texts() == {path: START.get(path) for path in WRITES}
    assert world.leftovers() == []
    assert world.apply(run_hooks=False) == world.head()


def test_a_hook_of_core_hooks_path(world):
    """Hooks of `core.hooksPath` count as well, and their flood of output is clipped."""
    world.git("config", "core.hooksPath", "tools/hooks")
    fill(world.top, {"tools/hooks/pre-commit": "#!/bin/sh\nseq 1 9999; exit 1\n"})
    (world.top / "tools/hooks/pre-commit").chmod(0o755)
    with pytest.raises(GitStateError, match="hook refused") as caught:
        world.apply()
    assert len(str(caught.value)) < 3000


def test_a_hook_changes_what_is_committed(world):
    """What a hook adds to the commit is in the commit, and the work tree is clean afterwards."""
    _hook(world, "pre-commit", "echo formatted >>main.md; git add main.md")
    world.person_works()
    persons = world.persons()
    sha = world.apply()
    assert world.git("show", f"{sha}:main.md").endswith("formatted\n")
    assert world.git("status", "--porcelain", "main.md") == ""
    assert world.persons() == persons


@pytest.mark.parametrize(
    "script",
    ["sed -i /^Sleep-/d $1", "sed -i /^Sleep-Cycle/d $1", "printf '\\n\\nReviewed: no\\n' >> $1", "echo x > $1"],
)
@pytest.mark.parametrize("commit", [True, False])
def test_a_hook_that_takes_the_trailers_out_refuses(tmp_path, script, commit):
    """A commit that a hook left without our trailers is taken back, for it could not be undone."""
    world = World(tmp_path / "project", commit=commit)
    _hook(world, "commit-msg", script)
    before, status = world.head(), world.git("status", "--porcelain")
    with pytest.raises(GitStateError, match=r"took .*Sleep-Cycle.* out") as caught:
        world.apply()
    assert "git.hooks: false" in caught.value.hint
    assert (world.head(), world.git("status", "--porcelain")) == (before, status)
    assert world.texts() == {path: START.get(path) for path in WRITES}
    assert world.leftovers() == []


def test_a_commit_on_which_another_stands_is_not_taken_back(world):
    """Where a hook took the trailers out and another one committed on top, the step stands."""
    _hook(world, "commit-msg", "sed -i /^Sleep-/d $1")
    _hook(world, "post-commit", '[ "$INNER" ] && exit; export INNER=1; git commit -q --allow-empty -m log')
    assert world.apply() == world.git("rev-parse", "HEAD~1").strip()
    assert world.git("status", "--porcelain") == ""


def test_a_step_is_known_behind_a_number_of_a_hook(world):
    """A step whose subject a hook has put a number before is known to have landed when it was cut off then."""
    _hook(world, "commit-msg", 'printf "PROJ-1: %s\\n" "$(cat $1)" > $1')

    def fault(name):
        if name == "forget":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        world.apply(fault=fault)
    assert world.recover().outcome == "found"
    assert world.git("rev-list", "--count", "HEAD") == "2\n"


def test_a_hook_changes_and_refuses(world):
    """What a refusing hook made of a file is undone, but kept as an object that the error names."""
    _hook(world, "pre-commit", "echo formatted >>main.md; echo fixed, add again; exit 1")
    with pytest.raises(GitStateError, match="cat-file -p") as caught:
        world.apply()
    assert world.git("status", "--porcelain") == ""
    name = str(caught.value).split("cat-file -p ")[1].split()[0]
    assert world.git("cat-file", "-p", name).endswith("HANDOFF\nformatted\n")


def test_the_callers_git_does_not_matter(world, tmp_path, monkeypatch):
    """Called from a git hook of another repository, with its variables set, the step is taken in its own."""
    other = World(tmp_path / "other")
    index, head = (other.top / ".git/index").read_bytes(), other.head()
    for name, value in {
        "GIT_DIR": str(other.top / ".git"),
        "GIT_INDEX_FILE": str(other.top / ".git/index"),
        "GIT_WORK_TREE": str(other.top),
        "GIT_PREFIX": "x/",
        "GIT_OBJECT_DIRECTORY": str(other.top / ".git/objects"),
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
    }.items():
        monkeypatch.setenv(name, value)
    root = layout.find_root(str(world.home))
    with lock.hold(root, "test") as held:
        sha = Repository(root).commit(["main.md"], "sleep: x\n", held)
    assert "GIT_DIR" not in os.environ
    assert sha == world.head()
    assert (other.head(), (other.top / ".git/index").read_bytes()) == (head, index)


def test_pending(world):
    """What is pending is told by path: staged, unstaged, partly staged, untracked, in conflict, renames as two."""
    world.person_works()
    world.git("mv", "main.md", "moved.md")
    found = {change.path: change for change in Repository(world.root).pending()}
    assert found["staged.txt"].staged
    assert not found["staged.txt"].unstaged
    assert [path for path, change in found.items() if change.partly_staged] == ["split.txt"]
    assert found["unstaged.txt"].unstaged
    assert found["new.txt"].untracked
    assert found["main.md"].staged
    assert found["moved.md"].staged
    owned = Repository(world.root).pending(layout.OWNED)
    assert [change.path for change in owned] == ["journal/instance-2.md", "main.md", "memory/hot/mine.md"]


def test_pending_conflict_and_kept_file(world):
    """An unmerged path is in conflict, and a file whose removal is staged but which is there is partly staged."""
    world.git("rm", "--quiet", "--cached", "main.md")
    world.git("switch", "--quiet", "--create", "side")
    fill(world.top, {"staged.txt": "side"})
    world.git("commit", "--quiet", "--message=side", "staged.txt")
    world.git("switch", "--quiet", "main")
    fill(world.top, {"staged.txt": "main"})
    world.git("stash", "--quiet", "--", "staged.txt", check=False)
    fill(world.top, {"staged.txt": "third"})
    world.git("commit", "--quiet", "--message=third", "staged.txt")
    world.git("stash", "pop", "--quiet", check=False)
    found = {change.path: change for change in Repository(world.root).pending()}
    assert found["main.md"].partly_staged
    assert found["staged.txt"].conflicted


def test_ignored(tmp_path):
    """A new file that git ignores is named, in a sub-directory as well; what is tracked already is not."""
    world = World(tmp_path / "vault", "notes")
    fill(world.home, {".gitignore": "memory/state/\n*.log\nmain.md\n", "a b.log": "", "memory/x.md": ""})
    opened = Repository(world.root)
    with lock.hold(world.root, "test") as held:
        opened.track(["main.md", "memory/x.md"], held)
        with pytest.raises(GitStateError, match=r"a b\.log: is ignored by git"):
            opened.track(["main.md", "a b.log"], held)


def test_a_child_that_is_slow_to_start_gets_its_input(world, monkeypatch):
    """What a git child is given reaches it also when the machine is too busy for it to start within a look's time."""
    world.git("config", "core.sharedRepository", "group")  # so that git stores what it is given
    communicate, limits = subprocess.Popen.communicate, iter([10, 0])  # the first child reads settings

    def at_once(child, *words, timeout=None):
        return communicate(child, *words, timeout=next(limits, timeout))

    monkeypatch.setattr(subprocess.Popen, "communicate", at_once)
    with lock.hold(world.root, "test") as held:
        assert len(Repository(world.root).write_blobs([str(world.home / "main.md")] * 5000, held)) == 5000


@pytest.mark.parametrize("shared", ["false", "group"])
def test_blobs_are_raw(world, shared):
    """Objects hold the bytes of the work tree, whatever filters and line endings are set, by any file name.

    In a repository that is shared git stores them, so that others may write where it lets them.
    """
    if shared != "false":
        world.git("config", "core.sharedRepository", shared)
    world.git("config", "core.autocrlf", "true")
    fill(world.top, {".gitattributes": "*.md text eol=crlf\n", 'é "\n\\x.md': b"a\r\nb\n"})
    place = str(world.top / 'é "\n\\x.md')
    with lock.hold(world.root, "test") as held:
        names = Repository(world.root).write_blobs([place, place], held)
    assert names[0] == names[1]
    folder = world.top / ".git" / "objects" / names[0][:2]
    assert stat.S_IMODE((folder / names[0][2:]).stat().st_mode) == 0o444
    assert bool(folder.stat().st_mode & stat.S_ISGID) == (shared == "group")
    answer = subprocess.run(("git", "cat-file", "blob", names[0]), cwd=world.top, capture_output=True, check=True)
    assert answer.stdout == b"a\r\nb\n"


def test_commit_of_nothing_but_words(world):
    """A commit without paths, or of paths that are nowhere, takes nothing of what a person has staged along."""
    world.person_works()
    persons = world.persons({})
    for paths in ([], ["memory/nowhere.md"]):
        sha = _commit(world, paths)
        assert world.git("diff-tree", "--no-commit-id", "-r", sha) == ""
    assert world.persons({}) == persons


def test_what_a_persons_git_took_out_of_the_index(world):
    """A file that was announced, and that another git took out since, is announced again; a missing one is said."""
    fill(world.top, {"memory/new.md": "new\n"})
    with lock.hold(world.root, "test") as held:
        made = Repository(world.root).commit(["memory/new.md"], "sleep: x\n", held, ["memory/new.md"])
        assert world.git("show", "--name-only", "--format=", made).split() == ["memory/new.md"]
        began = time.monotonic()
        with pytest.raises(GitStateError, match="did not match"):
            Repository(world.root).commit(["memory/none.md"], "sleep: x\n", held, ["memory/none.md"])
        assert time.monotonic() - began < Repository(world.root).patience


def test_a_drafted_message_stays(world):
    """The message that `git merge --squash` drafted for a person is there after our commit."""
    world.git("switch", "--quiet", "--create", "side")
    fill(world.top, {"side.txt": "side"})
    world.git("add", "side.txt")
    world.git("commit", "--quiet", "--message=side work")
    world.git("switch", "--quiet", "main")
    world.git("merge", "--squash", "side")
    persons = world.persons()
    world.apply()
    assert "side work" in (world.top / ".git/SQUASH_MSG").read_text()
    assert world.persons() == persons


@pytest.mark.parametrize("place", ["top", "linked"])
def test_nobody_elses_draft_is_touched(world, tmp_path, place):
    """The message file of a person's commit in an editor stays theirs, and our commit is in the reflog of HEAD."""
    world.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    if place == "linked":
        world.top = world.home = tmp_path / "linked"
    draft = os.path.join(world.root.git_dir, "COMMIT_EDITMSG")
    fill("/", {draft: "a person is writing this"})
    sha = world.apply()
    assert Path(draft).read_text() == "a person is writing this"
    assert world.git("reflog", "-1", "--format=%H %gs").strip() == f"{sha} commit: sleep: hot to warm, 1 decision"
    assert world.git("reflog", "-1", "--format=%H", "HEAD@{1}").strip() == world.git("rev-parse", "HEAD~1").strip()


def test_waits_for_a_persons_git(world):
    """An index locked by another git is waited for; one that stays locked is named with the way out, and left."""
    place = world.top / ".git/index.lock"
    place.touch()
    with subprocess.Popen(("sh", "-c", f"sleep 0.5; rm '{place}'")):
        assert world.apply(plan({"main.md": "1"})) == world.head()
    place.touch()
    before = world.head()
    with pytest.raises(GitStateError, match="another git") as caught:
        _commit(world, ["main.md"], patience=0.3)
    assert str(place) in caught.value.hint
    assert place.exists()
    assert world.head() == before


def test_stale_locks_are_moved_aside(world):
    """Lock files that no running git can own are moved aside; with a git at work here nothing is moved."""
    names = ("index.lock", "HEAD.lock", "refs/heads/main.lock", "next-index-77.lock", "sleepwake/desk/index.lock")
    (world.top / ".git/sleepwake/desk").mkdir(parents=True, exist_ok=True)
    for name in names:
        (world.top / ".git" / name).touch()
    with subprocess.Popen(("git", "hash-object", "--stdin"), cwd=world.top, stdin=subprocess.PIPE) as alive:
        time.sleep(0.1)
        with pytest.raises(GitStateError, match="running"):
            stale_locks.clear(world.root, 0.2)
        alive.stdin.close()
    assert len(stale_locks.clear(world.root)) == len(names)
    assert not any((world.top / ".git" / name).exists() for name in names)
    assert stale_locks.clear(world.root) == ()


def test_without_proc(world, monkeypatch):
    """Where nobody says what processes work on, any running git stops the moving of a lock."""
    really = os.path.isdir
    monkeypatch.setattr("sleep.store.git.stale_locks.os.path.isdir", lambda path: path != "/proc/self" and really(path))
    (world.top / ".git/index.lock").touch()
    with subprocess.Popen(("git", "hash-object", "--stdin"), cwd="/", stdin=subprocess.PIPE) as alive:
        time.sleep(0.1)
        with pytest.raises(GitStateError):
            stale_locks.clear(world.root, 0)
        alive.stdin.close()


def test_git_objects_on_a_full_disk(tmp_path):
    """When git itself runs out of room the step is undone, said to be the disk, and taken once there is room."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", "size=1m", "none", str(disk))
    mounted = not subprocess.run(mount, capture_output=True, check=False).returncode
    try:
        world = World(disk / "project")
        (world.top / "ballast.bin").write_bytes(b"\0" * 1000)
        world.git("add", "ballast.bin")
        world.git("commit", "--quiet", "--message=ballast")
        head, texts = world.head(), world.texts()
        filler = disk / "filler"

        def fill_up(name):
            if name == "commit" and mounted:
                with filler.open("wb") as file:
                    for _ in range(4_000):  # twice what it holds
                        file.write(b"x" * 512)
                        file.flush()
            if name == "commit":
                raise StorageError("the disk is full")

        for point in ("commit",):
            with pytest.raises((StorageError, OSError)):
                world.apply(fault=lambda name: fill_up(name) if name == point else None)  # noqa: B023
            assert (world.head(), world.texts()) == (head, texts)
        if mounted:
            with pytest.raises(StorageError, match=r"space|full"):
                world.apply()
            assert (world.head(), world.texts()) == (head, texts)
            filler.unlink()
        assert world.apply() == world.head()
        assert world.leftovers() == []
    finally:
        if mounted:
            subprocess.run(("umount", str(disk)), check=True)


def test_create(tmp_path, monkeypatch):
    """A repository is made where it is asked for, whatever git is calling, and making it again is fine."""
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "else"))
    for _ in range(2):
        repository.create(str(tmp_path / "a $HOME b" / "memory"))
    assert layout.find_git(str(tmp_path / "a $HOME b" / "memory"))
    assert not (tmp_path / "else").exists()


def test_not_a_work_tree(world):
    """A root whose repository is gone is told as that."""
    root = world.root._replace(work_tree="/nowhere")
    with pytest.raises(GitStateError):
        Repository(root)


def test_interrupted_git_is_ended(world):
    """When we are interrupted, the git child ends with us and the index is not left locked."""
    _hook(world, "pre-commit", "kill -INT $PPID_OF_US; exec sleep 5")

    def act():
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background starts with it ignored
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # and git is asked to end by this one
        os.environ["PPID_OF_US"] = str(os.getpid())
        started = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            world.apply()
        assert time.monotonic() - started < 4

    assert in_child(act) == 0
    assert world.git("status", "--porcelain") == ""
    assert world.leftovers() == []


def test_git_that_is_killed_is_cleared_away(world):
    """A git child that the system kills leaves no lock: the step is taken back, and the next one is taken."""
    _hook(world, "pre-commit", "kill -KILL $PPID; sleep 0.1")
    with pytest.raises(GitStateError, match="git commit was ended by signal 9"):
        world.apply()
    assert world.leftovers() == []
    assert world.git("status", "--porcelain") == ""
    (world.top / ".git/hooks/pre-commit").unlink()
    world.apply()
    assert world.texts() == WRITES


def test_an_interrupt_in_the_middle_of_a_start(world):
    """An interrupt while git is being started neither loses the git nor lets it go on behind our back."""
    _hook(world, "pre-commit", "sleep 2; echo ran >hook-ran")

    def inside(frame, event, _):
        commits = "commit" in frame.f_locals.get("args", ())
        if event == "line" and commits and frame.f_locals["self"]._child_created and not sent:
            sent.append(True)
            signal.raise_signal(signal.SIGINT)
        return inside

    sent = []

    def act():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        sys.settrace(lambda frame, *_: inside if frame.f_code.co_name == "_execute_child" else None)
        with pytest.raises(KeyboardInterrupt):
            world.apply()
        sys.settrace(None)
        assert sent

    assert in_child(act) == 0
    assert world.git("status", "--porcelain") == ""
    assert world.leftovers() == []
