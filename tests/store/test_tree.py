"""The work tree, a commit, and changes laid over either are read alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from world import START, World, fill

from sleep.store import history
from sleep.store.tree import CommitTree, FixedTree, InMemory, Overlay, WorkTree


def test_commit_and_work_tree_agree(tmp_path):
    """Right after a commit, both trees list and read the same; later the commit stays as it was."""
    world = World(tmp_path / "vault", "notes")
    root = world.root
    work, commit = WorkTree(root), CommitTree(root, "HEAD")
    for prefix in ("", "memory", "memory/", "memory/hot", "journal", "none"):
        assert work.list(prefix) == commit.list(prefix)
    assert {path: commit.read(path) for path in commit.list("")} == START
    assert {path: work.read(path) for path in work.list("")} == START
    assert commit.read("memory") is commit.read("none/x") is work.read("none/x") is None
    assert commit.read("memory/sleep.yaml") == START["memory/sleep.yaml"]
    fill(world.home, {"main.md": "new", "journal/x.md": "x"})
    assert (work.read("main.md"), commit.read("main.md")) == ("new", START["main.md"])
    assert "journal/x.md" not in commit.list("journal")
    assert commit.sha == history.head(root)


def test_kept_as_first_seen():
    """A kept tree goes on saying what it said, also of what was not there, and asks anew only for what is new."""
    below = InMemory({"a/x": "1"})
    kept = FixedTree(below)
    assert (kept.read("a/x"), kept.read("a/y"), kept.list("a")) == ("1", None, ("a/x",))
    below.take({"a/x": "2", "a/y": "3", "b/z": "4"})
    assert (kept.read("a/x"), kept.read("a/y"), kept.list("a")) == ("1", None, ("a/x",))
    assert (kept.read("b/z"), kept.list("b")) == ("4", ("b/z",))


def test_a_folder_is_read_at_once(world, monkeypatch):
    """Reading every file of a folder of a commit runs git no more often than reading one."""
    calls = []
    really = history.ask
    monkeypatch.setattr(history, "ask", lambda *words, **options: calls.append(words) or really(*words, **options))
    tree = CommitTree(world.root, "HEAD")
    tree.read("memory/hot/old.md")
    count = len(calls)
    tree.read("memory/hot/threads.md")
    assert tree.list("memory/hot") == ("memory/hot/old.md", "memory/hot/threads.md")
    assert len(calls) == count


_PATHS = st.sampled_from(["main.md", "memory/a.md", "memory/hot/a.md", "memory/hot/b.md", "journal/1.md"])


@given(
    st.dictionaries(_PATHS, st.text()),
    st.lists(st.dictionaries(_PATHS, st.none() | st.text()), max_size=4),
    st.sampled_from(["", "memory", "memory/hot/", "journal", "main.md"]),
)
def test_overlays_are_like_writing(base, layers, prefix):
    """Changes laid over a tree, one over the other, read and list like a tree in which they were made."""
    tree, texts, made = InMemory(base), dict(base), InMemory(base)
    for writes in layers:
        tree = Overlay(tree, writes)
        made.take(writes)
        texts = {path: text for path, text in {**texts, **writes}.items() if text is not None}
    assert made.texts == texts
    assert tree.list(prefix) == made.list(prefix)
    assert {path: tree.read(path) for path in base} == {path: made.read(path) for path in base}
