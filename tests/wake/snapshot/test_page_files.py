"""Files in whatever state: a sentence for what cannot be read, and nothing from outside of the project."""

from __future__ import annotations

import os
import sys

import pytest

from sleep.wake.snapshot import page_files

POSIX = pytest.mark.skipif(os.name == "nt", reason="links, pipes and permission bits")


@pytest.fixture
def place(world):
    """Return the path of a file to be in the context's core, and the context."""
    world.lay({"core/other.md": "x"})
    return world.context, os.path.join(world.base, "memory", "core", "page.md")


@POSIX
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read everything")
def test_permission(place):
    """A file that may not be read says so."""
    context, path = place
    with open(path, "w") as file:
        file.write("x")
    os.chmod(path, 0)
    assert page_files.whole(context, path).problem == "permission denied"


def test_permission_as_root(place, monkeypatch):
    """The same where the tests run as root: what the system refuses is a sentence."""
    context, path = place

    def refused(*_args):
        raise PermissionError(13, "Permission denied", path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refused)
        assert page_files.whole(context, path).problem == "permission denied"
        patch.setattr(os, "listdir", refused)
        assert page_files.files(context, "core").problem == "permission denied"


@POSIX
def test_a_pipe_does_not_hold_a_session_up(place):
    """A pipe in a page's place is no file, and nobody waits for its writer."""
    context, path = place
    os.mkfifo(path)
    assert page_files.whole(context, path).problem == "is no file"


@POSIX
def test_links(place, tmp_path_factory):
    """A link inside the project is followed; one out of it, to nowhere or in a circle is a sentence."""
    context, path = place
    outside = tmp_path_factory.mktemp("outside") / "key"
    outside.write_text("private")
    for target, said in (
        ("other.md", ""),
        (os.path.join(context.base, "memory/core/other.md"), ""),
        (str(outside), "is a link that leads out of the project"),
        ("nowhere", "is a link that leads nowhere"),
        ("page.md", "is a link that leads in a circle"),
    ):
        os.symlink(target, path)
        assert page_files.whole(context, path).problem == said
        assert page_files.single(context, path).problem == said
        os.unlink(path)


@POSIX
def test_folders_that_are_links(world, tmp_path_factory):
    """A folder that leads out of the project lists nothing; a context folder that is a link itself is the project's."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "core").mkdir()
    (outside / "core" / "0.soul.md").write_text("Words.")
    (outside / "page.md").write_text("private")
    world.lay({"core/0.soul.md": "Mine."})
    os.symlink(outside, os.path.join(world.base, "memory", "knowledge"))
    text = world.text()
    assert "private" not in text
    assert "## Knowledge Index\n\n(memory/knowledge/ is a link that leads out of the project)" in text
    os.rename(os.path.join(world.base, "memory"), os.path.join(world.base, "away"))
    os.symlink(outside, os.path.join(world.base, "memory"))
    assert "Words." in world.text()


@POSIX
def test_a_core_folder_that_is_a_link(world, tmp_path_factory):
    """Neither soul nor records are read through a folder that leads out of the project."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "0.soul.md").write_text("private")
    (outside / "CHANGELOG.json").write_text('[{"description": "private"}]')
    world.lay({"state/a.md": "x"})
    os.rmdir(os.path.join(world.base, "memory", "core"))
    os.symlink(outside, os.path.join(world.base, "memory", "core"))
    for text in (world.text(), world.briefing()):
        assert "private" not in text
    assert "(memory/core/0.soul.md is a link that leads out of the project)" in world.text()


def test_a_folder_that_is_a_file(world):
    """A file in a folder's place costs the section one line."""
    world.lay({"knowledge": "x", "core/0.soul.md": "Words."})
    assert "## Knowledge Index\n\n(memory/knowledge/ is no folder)" in world.text()


def test_a_beginning_is_enough(place):
    """Of a large file no more than its beginning is read; a whole file has a limit, which is said."""
    context, path = place
    with open(path, "w") as file:
        file.write("x" * (page_files.HEAD + 1))
    begun = page_files.beginning(context, path)
    assert (len(begun.text), begun.whole) == (page_files.HEAD, False)
    assert page_files.whole(context, path).text == "x" * (page_files.HEAD + 1)
    with open(path, "wb") as file:
        file.truncate(50 << 20)
    assert page_files.whole(context, path).problem == "is too large to show (50.0 MiB)"


def test_names_that_cannot_be_printed(world):
    """A name with a line feed, or with bytes that are no text, is one printable line."""
    if sys.platform != "linux":
        pytest.skip("names of any bytes")
    world.lay({"knowledge/a\nb.md": "x", "state/ok.md": "x"})
    os.close(os.open(os.fsencode(world.base) + b"/memory/state/\xff.md", os.O_CREAT))
    text = world.text()
    assert "- **a?b** (memory/knowledge/a?b.md): x" in text
    assert "- ? (status: unknown" in text


def test_nothing_is_remembered_between_two_snapshots(world):
    """An edit of the same length at the same time is seen at once: there is no cache that could be stale."""
    page = os.path.join(world.base, "memory", "knowledge", "a.md")
    world.lay({"knowledge/a.md": "---\ndescription: It is red\n---\n"})
    before, state = world.text(), os.stat(page)
    world.lay({"knowledge/a.md": "---\ndescription: It is big\n---\n"})
    os.utime(page, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert os.stat(page).st_size == state.st_size
    assert "It is red" in before
    assert "It is big" in world.text()


def test_every_scan_is_one(world, monkeypatch):
    """Each folder is listed once, and no page is opened twice but those that are pinned."""
    pinned = "---\npinned: true\n---\nx"
    world.lay({f"knowledge/{at}.md": "x" for at in range(20)} | {"knowledge/p.md": pinned, "core/0.soul.md": "x"})
    context = world.context
    listed, opened = [], []
    listdir, open_ = os.listdir, os.open
    monkeypatch.setattr(os, "listdir", lambda path: listed.append(path) or listdir(path))
    monkeypatch.setattr(os, "open", lambda path, *more, **at: opened.append(path) or open_(path, *more, **at))
    from sleep import settings  # noqa: PLC0415
    from sleep.wake.snapshot import build  # noqa: PLC0415

    build.snapshot(context, settings.Settings())
    assert len(listed) == len(set(listed))
    assert [path for path in opened if opened.count(path) > 1] == [
        os.path.join(context.folder, "knowledge", "p.md")
    ] * 2
