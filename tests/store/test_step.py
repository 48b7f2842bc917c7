"""What a step writes is what its commit holds, and nothing else moves."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from examples import share
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from world import START, WRITES, World, fill, in_child, plan

from sleep.errors import GitStateError, StorageError
from sleep.store import files, layout, lock, step
from sleep.store.plan import message
from sleep.store.repository import Repository
from sleep.store.tree import CommitTree

_NAMES = st.sampled_from(
    ["main.md", "memory/a.md", "memory/ü b/c.md", "memory/[x]*?.md", "journal/:(top)x", "journal/-n"]
)
_TEXTS = (
    st.none()
    | st.binary(max_size=40).map(lambda raw: raw.decode("utf-8", "surrogateescape"))
    | st.sampled_from(["a\r\nb\r\n", "\ufeff# bom\n", "", "a\r\nb\n", "\0"])
)


@settings(max_examples=share(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.dictionaries(_NAMES, _TEXTS, max_size=4), min_size=1, max_size=4))
def test_any_sequence_of_steps(plans):
    """After any sequence of steps the last commit holds exactly the texts written, and git finds nothing wrong."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder) / "p", "notes")
        texts = dict(START)
        for number, writes in enumerate(plans):
            differs = any(texts.get(path) != text for path, text in writes.items())
            sha = world.apply(plan(writes, subject=f"step {number}"))
            assert bool(sha) == differs
            texts = {path: text for path, text in {**texts, **writes}.items() if text is not None}
        tree = CommitTree(world.root, "HEAD")
        assert {path: tree.read(path) for path in tree.list("")} == texts
        assert world.leftovers() == []
        world.check()


def test_nothing_to_do(world):
    """A step whose files are as planned makes no commit and returns no id."""
    head = world.head()
    assert world.apply(plan({"main.md": START["main.md"], "memory/none.md": None})) == ""
    assert world.apply(plan({})) == ""
    assert world.head() == head


def test_the_message_is_exact(world):
    """The commit's message is the plan's, byte for byte, comment-like lines and all."""
    taken = plan(body="kept 3\n\n# heading\n  indented  \n------ >8 ------\nü \udcff")
    sha = world.apply(taken)
    raw = world.git("cat-file", "commit", sha).split("\n\n", 1)[1]
    assert raw == message(taken)


def test_line_endings_stay(tmp_path):
    """With autocrlf, CRLF, a BOM and bytes that are no UTF-8 keep as they are on disk, and git sees no change."""
    world = World(tmp_path / "w", start={**START, "main.md": "a\r\nb\r\n"})
    world.git("config", "core.autocrlf", "true")
    writes = {"main.md": "a\r\nB\r\n", "memory/mixed.md": "\ufeffa\r\nb\n\udcff\n", "memory/lf.md": "a\nb\n"}
    assert world.apply(plan(writes))
    assert world.texts(writes) == writes
    assert world.git("status", "--porcelain") == ""


def test_interrupted_with_line_endings(tmp_path):
    """A step cut off under autocrlf is recognised by its raw bytes and finished."""
    world = World(tmp_path / "w", start={**START, "main.md": "a\r\nb\r\n"})
    world.git("config", "core.autocrlf", "true")

    def fault(name):
        if name == "commit":
            os._exit(7)

    writes = {"main.md": "a\r\nB\r\n"}
    assert in_child(lambda: world.apply(plan(writes), fault)) == 7
    assert world.recover().outcome == "finished"
    assert world.texts(writes) == writes
    assert world.git("status", "--porcelain") == ""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere git syncs its objects itself")
def test_nothing_is_replaced_before_all_is_on_disk(world, monkeypatch):
    """When the first file is replaced, the new contents, the objects of both and the record have been synced."""
    synced, then = [], []

    def fsync(descriptor):
        synced.append(os.readlink(f"/proc/self/fd/{descriptor}"))
        os.fdatasync(descriptor)

    def fault(name):
        if name.startswith("replace:") and not then:
            then.extend(synced)

    monkeypatch.setattr(files, "_AT_ONCE", 8)
    monkeypatch.setattr(os, "fsync", fsync)
    assert world.apply(fault=fault)
    rows = [row for rev in ("HEAD", "HEAD~") for row in world.git("ls-tree", "-r", rev, "--", *WRITES).splitlines()]
    objects = {row.split()[2] for row in rows}
    assert {path[-41:].replace("/", "") for path in then if "/objects/" in path} >= objects
    assert sum("/sleepwake/step/after-" in path for path in then) == sum(text is not None for text in WRITES.values())
    assert sum("intent.json" in path for path in then) == 1
    assert then[-1] == os.path.dirname(world.root.intent)


def test_what_the_index_names_is_not_stored_again(world, monkeypatch):
    """Of what stands git is only given what its index does not have: a person's edits, and text that git would turn."""
    stored = []

    def write(repository, places, held):
        stored.extend(os.path.basename(place) for place in places)
        return write_blobs(repository, places, held)

    write_blobs = Repository.write_blobs
    monkeypatch.setattr(Repository, "write_blobs", write)
    fill(world.top, {"main.md": "edited by a person\n"})
    world.apply()
    assert stored == ["main.md", "after-0", "after-1", "after-2"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="descriptors are told by /proc")
def test_a_disk_that_refuses_leaves_everything_as_it_was(world, monkeypatch):
    """Where one of many contents cannot be made safe, the step names its file and changes nothing."""
    before = world.texts()

    def fsync(descriptor):
        if os.readlink(f"/proc/self/fd/{descriptor}").endswith("after-1"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files, "_AT_ONCE", 8)
    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(StorageError, match="disk is full") as caught:
        world.apply()
    assert caught.value.where.startswith(world.root.path)
    assert ".git" not in caught.value.where
    assert world.texts() == before
    assert world.leftovers() == []


def test_a_persons_edits_of_the_same_file(world):
    """A file that a person has edited, staged or not, is as the person left it when the step is undone."""
    fill(world.top, {"main.md": "staged by a person\n", "memory/hot/threads.md": "edited by a person\n"})
    world.git("add", "main.md")
    before = world.texts(), world.git("status", "--porcelain"), world.git("diff", "--cached")

    def fault(name):
        if name == "commit":
            raise StorageError("no")

    with pytest.raises(StorageError):
        world.apply(fault=fault)
    assert (world.texts(), world.git("status", "--porcelain"), world.git("diff", "--cached")) == before
    world.apply()
    assert world.texts() == WRITES
    assert world.git("status", "--porcelain") == ""


def test_what_another_git_wrote_back_is_no_split(world):
    """An index entry that is an older commit's, of a file that is as committed on disk, is brought up to HEAD."""
    path = "memory/hot/threads.md"
    older = world.git("ls-files", "--stage", path).split()[1]
    world.apply(plan({path: "newer\n"}))
    world.git("update-index", "--cacheinfo", f"100644,{older},{path}")
    assert world.git("status", "--porcelain") == f"MM {path}\n"
    made = world.apply(plan({path: "newest\n"}))
    assert world.git("show", f"{made}:{path}") == "newest\n"
    assert world.git("status", "--porcelain") == ""


def test_partly_staged_is_refused(world):
    """An owned file of which a part is staged is refused with both ways out, and stays split."""
    fill(world.top, {"main.md": "half\n"})
    world.git("add", "main.md")
    fill(world.top, {"main.md": "half\nwhole\n"})
    diff = world.git("diff"), world.git("diff", "--cached")
    with pytest.raises(GitStateError, match="partly staged") as caught:
        world.apply()
    assert "git add" in caught.value.hint
    assert (world.git("diff"), world.git("diff", "--cached")) == diff


def test_conflict_is_refused_that_looks_settled(world):
    """A file in conflict is refused also when it is on disk exactly as one of its sides."""
    name = world.git("rev-parse", "HEAD:main.md").strip()
    sides = "".join(f"100644 {name} {stage}\tmain.md\n" for stage in (1, 2, 3))
    world.git("update-index", "--index-info", input=f"0 {'0' * 40}\tmain.md\n{sides}")
    with pytest.raises(GitStateError, match="is in conflict"):
        world.apply()
    assert world.text("main.md") == START["main.md"]


def test_few_processes(world, monkeypatch):
    """A step on files that git knows, and that are as committed, runs git once: to commit."""
    world.apply()
    count = []
    really = subprocess.Popen.__init__
    monkeypatch.setattr(
        subprocess.Popen, "__init__", lambda self, *words, **named: count.append(words) or really(self, *words, **named)
    )
    root = world.root
    with lock.hold(root, "test") as held:
        repository = Repository(root)
        step.apply(root, plan({"main.md": "first\n"}), held, repository)
        count.clear()
        step.apply(root, plan({"main.md": "second\n", "memory/hot/threads.md": "third\n"}), held, repository)
    assert len(count) == 1


def test_ignored_is_refused(world):
    """A new file that git ignores is refused, as its content would never be committed."""
    with pytest.raises(GitStateError, match="ignored"):
        world.apply(plan({"memory/state/.x.md": "x"}))
    assert world.text("memory/state/.x.md") is None


def test_changed_while_under_way(world):
    """A file that a person saves while the step is under way keeps what the person saved, and the step is undone."""

    def fault(name):
        if name == "replace:main.md":
            fill(world.top, {"memory/hot/threads.md": "saved just now\n"})

    with pytest.raises(GitStateError, match="changed while"):
        world.apply(fault=fault)
    assert world.text("memory/hot/threads.md") == "saved just now\n"
    assert world.text("main.md") == START["main.md"]
    assert world.leftovers() == []


def test_saved_between_reading_and_storing(world):
    """A file that a person saves before it is stored is noticed, and nothing is changed."""

    def fault(name):
        if name == "blobs":
            fill(world.top, {"main.md": "saved just now\n"})

    with pytest.raises(GitStateError, match="changed while"):
        world.apply(fault=fault)
    assert world.text("main.md") == "saved just now\n"
    assert world.text("memory/warm/deep/auth.md") is None
    assert world.leftovers() == []


@pytest.mark.parametrize("path", ["../x.md", "memory/../../x.md", ".git/config", "memory/.git/x", "out/x.md", "."])
def test_paths_outside(world, path):
    """A path out of the root, into a git directory or through a link that leaves it is refused."""
    (world.top / "out").symlink_to("..")
    with pytest.raises(StorageError):
        world.apply(plan({path: "x"}))


def test_a_linked_main_page(world):
    """A file that is a link inside the root is written and committed where it really is."""
    (world.top / "main.md").unlink()
    fill(world.top, {"docs/main.md": "old\n"})
    (world.top / "main.md").symlink_to("docs/main.md")
    world.git("add", "--all")
    world.git("commit", "--quiet", "--message=link")
    sha = world.apply(plan({"main.md": "new\n"}))
    assert (world.top / "main.md").is_symlink()
    assert world.git("show", f"{sha}:docs/main.md") == "new\n"
    assert world.git("status", "--porcelain") == ""


def test_permission_bits_stay(world):
    """An executable or private file keeps its bits, when undone as well."""
    (world.top / "main.md").chmod(0o700)
    _fail_at_commit(world)
    assert (world.top / "main.md").stat().st_mode & 0o777 == 0o700
    world.apply()
    assert (world.top / "main.md").stat().st_mode & 0o777 == 0o700


def _fail_at_commit(world):
    def fault(name):
        if name == "commit":
            raise StorageError("no")

    with pytest.raises(StorageError):
        world.apply(fault=fault)


def test_read_only_file(world):
    """A read-only file among those to be written stops the step before anything is changed."""
    (world.top / "memory/hot/threads.md").chmod(0o444)
    with pytest.raises(StorageError, match="read-only"):
        world.apply()
    assert world.git("status", "--porcelain") == ""
    assert world.leftovers() == []


def test_removal_of_an_untracked_file(world):
    """A file that git never knew can be removed by a step, whose commit is then empty."""
    fill(world.top, {"memory/note.md": "x"})
    sha = world.apply(plan({"memory/note.md": None}))
    assert world.text("memory/note.md") is None
    assert world.git("diff-tree", "--no-commit-id", "-r", sha) == ""


def test_adopt(world):
    """A person's pending edits of owned files, changed, new or removed, are committed as they are; other work stays."""
    world.person_works()
    fill(world.top, {"main.md": "mine\r\n", "memory/state/.sleep.json": "{}"})
    (world.top / "memory/hot/old.md").unlink()
    paths = {"main.md", "memory/hot/old.md", "journal/instance-2.md", "memory/hot/mine.md"}
    texts, persons = world.texts(paths), world.persons(dict.fromkeys(paths))
    root = world.root
    with lock.hold(root, "test") as held:
        sha = step.adopt(root, plan({}, step="adopt"), Repository(root).pending(layout.OWNED), held, Repository(root))
        assert step.adopt(root, plan({}), Repository(root).pending(), held, Repository(root)) == ""
    assert world.texts(paths) == texts
    assert set(world.git("diff-tree", "--no-commit-id", "--name-only", "-r", sha).split()) == paths
    assert world.persons(dict.fromkeys(paths)) == persons


def test_a_repository_of_longer_ids(tmp_path, monkeypatch):
    """A repository with SHA-256 ids works the same, a step cut off included."""
    monkeypatch.setenv("GIT_DEFAULT_HASH", "sha256")
    world = World(tmp_path / "w")
    assert in_child(lambda: world.apply(fault=lambda name: os._exit(7) if name == "commit" else None)) == 7
    found = world.recover()
    assert (found.outcome, len(found.sha)) == ("finished", 64)
    assert world.texts() == WRITES
    assert world.git("status", "--porcelain") == ""
