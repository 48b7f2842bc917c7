"""History is read as it is, whatever the bytes and settings."""

from __future__ import annotations

import subprocess

import pytest
from world import World, fill, git

from sleep.errors import GitStateError, UsageError
from sleep.store import history, layout
from sleep.store.git import file_lists


def _commit(world, message, **options):
    """Commit everything with a message given as bytes."""
    world.git("add", "--all")
    words = ("git", "commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "--file=-")
    subprocess.run(words, cwd=world.top, input=message, check=True, capture_output=True, **options)
    return world.head()


@pytest.fixture(params=["", "notes/agent"])
def rooted(request, tmp_path):
    """Return a memory at the top of its repository, and one below."""
    return World(tmp_path / "project", request.param)


def test_resolve(rooted):
    """A revision becomes a full id; an unknown one is named, and none can pass for an option."""
    assert history.resolve(rooted.root, "main") == history.resolve(rooted.root, "HEAD") == rooted.head()
    for rev in ("nope", "--all", "", "HEAD:main.md", "HEAD~99", "a b"):
        with pytest.raises(UsageError, match="no commit is called"):
            history.resolve(rooted.root, rev)


def test_unborn(tmp_path):
    """A branch without commits has no head and no history, but a name."""
    root = World(tmp_path / "new", commit=False).root
    assert history.head(root) is None
    assert history.branch(root) == "main"
    assert history.commits(root) == []
    with pytest.raises(UsageError):
        history.commits(root, "main..other")


def test_detached(world):
    """A detached HEAD has a commit and no branch."""
    world.git("checkout", "--quiet", "--detach")
    assert history.branch(world.root) is None
    assert history.head(world.root) == world.head()


def test_commit_fields(world):
    """A commit is told in full: ids, author, date, subject, body, and its trailers in order, folded ones unfolded."""
    parent = world.head()
    message = b"tree %s\nparent %s\nauthor Ada Example <ada@example.org> 1700000000 +0100\n"
    message += b"committer C <c@x> 1700000000 +0000\n\n"
    message %= world.git("rev-parse", "HEAD^{tree}").strip().encode(), parent.encode()
    message += b"sleep: x\n\nbody: not a trailer\n\x1e\x1f\x0c\nmore\n\n"
    message += b"Sleep-Cycle: 3\nSleep-Session: a\xff b\n  folded\nSleep-Session: c: d\n"
    words = ("git", "hash-object", "-t", "commit", "-w", "--stdin")
    sha = subprocess.run(words, cwd=world.top, input=message, check=True, capture_output=True).stdout.decode().strip()
    world.git("update-ref", "HEAD", sha)
    (found,) = history.commits(world.root, "HEAD~1..HEAD")
    assert found.sha == sha
    assert found.parents == (parent,)
    assert found.author == "Ada Example <ada@example.org>"
    assert found.when == "2023-11-14T23:13:20+01:00"
    assert found.subject == "sleep: x"
    assert found.body.startswith("body: not a trailer\n\x1e\x1f\x0c\nmore\n")
    assert found.trailers == (
        ("Sleep-Cycle", "3"),
        ("Sleep-Session", "a\udcff b folded"),
        ("Sleep-Session", "c: d"),
    )


def test_commits_by_path_and_number(rooted):
    """Commits can be asked for by paths of the root, taken literally, and by number; newest first."""
    fill(rooted.home, {"memory/a*.md": "1"})
    star = _commit(rooted, b"star\n")
    fill(rooted.home, {"memory/ab.md": "2", "journal/é \n.md": "3"})
    other = _commit(rooted, b"other\n")
    assert [one.sha for one in history.commits(rooted.root, paths=("memory/a*.md",))] == [star]
    assert [one.sha for one in history.commits(rooted.root, paths=("journal",), limit=1)] == [other]
    assert [one.sha for one in history.commits(rooted.root, limit=2)] == [other, star]
    assert len(history.commits(rooted.root, f"{star} ^{other}")) == 0
    with pytest.raises(UsageError):
        history.commits(rooted.root, "--output=x")


def test_settings_do_not_matter(world, monkeypatch):
    """A person's colours, signatures, notes, diffs and locale change nothing of what is read."""
    before = history.commits(world.root), history.listing(world.root, "HEAD")
    for key, value in {
        "color.ui": "always",
        "log.showSignature": "true",
        "format.pretty": "oneline",
        "core.quotePath": "true",
        "i18n.logOutputEncoding": "latin1",
        "log.follow": "true",
        "core.pager": "false",
    }.items():
        world.git("config", key, value)
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere")
    assert (history.commits(world.root), history.listing(world.root, "HEAD")) == before


def test_contents(rooted):
    """Texts of a commit come back byte for byte, by any name; what is not a file there is None."""
    odd = {'memory/ü "x"\n.md': b"\xef\xbb\xbfa\r\n\xff\0b", ":(top)a": b"", "memory/empty.md": b""}
    fill(rooted.home, odd)
    (rooted.home / "memory/link.md").symlink_to("sleep.yaml")
    _commit(rooted, b"odd\n")
    for path, content in odd.items():
        assert history.read(rooted.root, "HEAD", path).encode("utf-8", "surrogateescape") == content
    texts = history.read_many(rooted.root, "HEAD", [*odd, "none", "memory", "memory/link.md"])
    assert set(texts) == set(odd)
    assert history.read(rooted.root, "HEAD~1", ":(top)a") is None
    with pytest.raises(UsageError, match="nope"):
        history.read(rooted.root, "nope", "main.md")


def test_listing(rooted):
    """Folders of a commit are listed below the root only."""
    first = rooted.head()
    fill(rooted.home, {"memory/hot/new.md": "1", "main.md": "2"})
    fill(rooted.top, {"code.py": "3"})
    second = _commit(rooted, b"more\n")
    assert list(history.listing(rooted.root, first, "memory/hot")) == ["memory/hot/old.md", "memory/hot/threads.md"]
    assert history.listing(rooted.root, first, "memory/ho") == {}
    listed = history.listing(rooted.root, second)
    assert set(listed) >= {"main.md", "memory/hot/new.md"}
    assert ("code.py" in listed) == (rooted.root.prefix == "")


def test_differences(rooted):
    """Two commits, or nothing and one, are compared below the root; what is no regular file has no id."""
    fill(rooted.home, {"memory/hot/link.md": "was a file"})
    first = _commit(rooted, b"file\n")
    (rooted.home / "memory/hot/link.md").unlink()
    (rooted.home / "memory/hot/link.md").symlink_to("old.md")
    fill(rooted.home, {"memory/hot/new.md": "1", "main.md": "2"})
    fill(rooted.top, {"code.py": "3"})
    second = _commit(rooted, b"more\n")
    rows = file_lists.differences(rooted.root, first, second)
    code = [] if rooted.root.prefix else ["code.py"]
    assert [row.path for row in rows] == [*code, "main.md", "memory/hot/link.md", "memory/hot/new.md"]
    for rev, side in ((first, "before"), (second, "after")):
        names = {row.path: getattr(row, side) for row in rows if getattr(row, side)}
        assert names == history.blob_ids(rooted.root, rev, [row.path for row in rows])
    whole = tuple(row.path for row in file_lists.differences(rooted.root, "", second) if row.after)
    assert whole == tuple(history.listing(rooted.root, second))


def test_blobs(world):
    """Objects are read by id in one go, one that is missing is None, and the order of asking does not matter."""
    names = [git(world.top, "hash-object", "-w", "--stdin", input=text).strip() for text in ("", "a\n", "b\n\nc")]
    assert list(history.blobs(world.root, [*names, "0" * 40, names[1]]).values()) == [b"", b"a\n", b"b\n\nc", None]
    assert history.blobs(world.root, []) == {}


def test_not_a_repository(world):
    """A repository that git cannot read is told as that, not as an unknown revision or an empty history."""
    root = world.root
    (world.top / ".git/HEAD").write_text("nonsense")
    for ask in (lambda: history.head(root), lambda: history.resolve(root, "main"), lambda: history.commits(root)):
        with pytest.raises(GitStateError):
            ask()


def test_changes(rooted):
    """What a commit changed is told with both blobs; what is new or gone has no id on that side."""
    ((start, _),) = history.walk(rooted.root, ["memory/hot"])
    fill(rooted.home, {"memory/hot/threads.md": "# Threads\n", "memory/hot/new one.md": "x\n", "code.txt": "y\n"})
    (rooted.home / "memory/hot/old.md").unlink()
    sha = _commit(rooted, b"more\n")
    found = {commit.sha: changed for commit, changed in history.walk(rooted.root, ["memory/hot"])}
    assert list(found) == [sha, start.sha]
    assert [(one.path, bool(one.before), bool(one.after)) for one in found[sha]] == [
        ("memory/hot/new one.md", False, True),
        ("memory/hot/old.md", True, False),
        ("memory/hot/threads.md", True, True),
    ]
    contents = history.blobs(rooted.root, [name for one in found[sha] for name in one[1:] if name])
    assert set(contents.values()) >= {b"# Threads\n", b"x\n", b"to be removed\n"}
    assert {one.path for one in found[start.sha]} == {"memory/hot/old.md", "memory/hot/threads.md"}


def test_changes_of_nothing(tmp_path):
    """A branch without commits has changed nothing."""
    assert history.walk(World(tmp_path / "new", commit=False).root) == []


def test_shallow(world, tmp_path):
    """A clone that holds only the newest part says so."""
    _commit(world, b"one more\n")
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{world.top}", "clone")
    clone = layout.find_root(str(tmp_path / "clone"))
    assert file_lists.boundary(clone) == {history.head(clone)}
    assert file_lists.boundary(world.root) == frozenset()


def test_a_full_id_that_is_none(world):
    """A full id that names no commit is an error of the words, as any other unknown revision."""
    for name in ("1" * 40, history.listing(world.root, world.head(), "memory")["memory/hot/old.md"]):
        with pytest.raises(UsageError, match="no commit is called"):
            history.listing(world.root, name)


def test_a_walk_tells_each_commit_with_its_changes(rooted):
    """One walk gives what log and changes give apart; what a merge changed of each parent is told elsewhere."""
    rooted.git("checkout", "--quiet", "-b", "side")
    fill(rooted.home, {"memory/hot/side.md": "a\n"})
    rooted.git("add", "--all")
    rooted.git("commit", "--quiet", "--message=side\n\n\x1e body: with\n\n:a sign\n\nSleep-Cycle: 3")
    rooted.git("checkout", "--quiet", "-")
    fill(rooted.home, {"memory/hot/main.md": "b\n"})
    rooted.git("add", "--all")
    rooted.git("commit", "--quiet", "--message=main")
    rooted.git("merge", "--quiet", "--no-ff", "--message=both", "side")
    walked = history.walk(rooted.root, ["memory"])
    assert [commit for commit, _ in walked] == history.commits(rooted.root, paths=["memory"])
    told = {commit.subject: [one.path for one in changed] for commit, changed in walked}
    assert told["both"] == []
    (sides,) = file_lists.sides(rooted.root, [rooted.head()], ["memory"]).values()
    assert [[one.path for one in changed] for changed in sides] == [["memory/hot/side.md"], ["memory/hot/main.md"]]
    assert (told["side"], told["main"]) == (["memory/hot/side.md"], ["memory/hot/main.md"])
    assert ("Sleep-Cycle", "3") in next(commit.trailers for commit, _ in walked if commit.subject == "side")


def test_blame_names_who_wrote_each_line(rooted):
    """Each line has its commit, author and time; what is not committed has none, and so has a file that is new."""
    fill(rooted.home, {"memory/hot/lines.md": "one\ntwo\n"})
    assert history.blame(rooted.root, "memory/hot/lines.md") == ()
    rooted.git("add", "--all")
    rooted.git(
        "commit", "--quiet", "--message=x", "--author=Eve Else <eve@example.org>", "--date=2026-01-02T03:04:05-0230"
    )
    fill(rooted.home, {"memory/hot/lines.md": "one\nnew\ntwo\n"})
    first, second, third = history.blame(rooted.root, "memory/hot/lines.md")
    assert first == third == (history.head(rooted.root), "Eve Else <eve@example.org>", "2026-01-02T03:04:05-02:30")
    assert second == ("", "", "")


def test_a_repository_that_lacks_an_object(world):
    """Where a commit of the history is gone from git's objects, the repository is at fault, not the words."""
    first = world.head()
    _commit(world, b"second")
    (world.top / ".git/objects" / first[:2] / first[2:]).unlink()
    for read in (history.commits, history.walk):
        with pytest.raises(GitStateError, match="git log") as error:
            read(world.root)
        assert error.value.hint.startswith("git fsck")
