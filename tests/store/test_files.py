"""Files are written wholly or not at all, with the bytes that were given."""

from __future__ import annotations

import errno
import os
import resource
import signal
import stat
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from world import in_child

from sleep.errors import StorageError
from sleep.store import files


@given(st.binary())
def test_any_bytes_survive(content):
    """What is read as text is written back as the same bytes, newlines and all."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a", "b.md")
        Path(folder, "raw").write_bytes(content)
        files.write(path, files.read(os.path.join(folder, "raw")))
        assert Path(path).read_bytes() == content
        assert os.listdir(os.path.dirname(path)) == ["b.md"]


def test_missing_is_none(tmp_path):
    """A file that is not there, or can have no such name, reads as None, below a file as well; a folder is an error."""
    (tmp_path / "file").write_text("")
    assert files.read(str(tmp_path / "none")) is None
    assert files.read(str(tmp_path / "file" / "none")) is None
    assert files.read(str(tmp_path / "a\0b")) is None
    assert files.read(str(tmp_path / "a\0b"), within=str(tmp_path)) is None
    with pytest.raises(StorageError):
        files.read(str(tmp_path))


@pytest.mark.parametrize("make", [os.mkfifo, lambda at: os.symlink("/dev/zero", at), os.mkdir])
@pytest.mark.parametrize("is_memory", [False, True])
def test_what_is_no_file_is_refused_at_once(tmp_path, make, is_memory):
    """A pipe, a device and a folder are refused wherever they stand: nobody waits for a writer."""
    make(str(tmp_path / "a"))
    with pytest.raises(StorageError, match=r"is no regular file|leads out"):
        files.read(str(tmp_path / "a"), within=str(tmp_path) if is_memory else None)


def test_a_file_in_the_place_of_a_folder_is_named(tmp_path):
    """Where a file stands in the place of a folder, it is that which has to go."""
    (tmp_path / "hot").write_text("x")
    with pytest.raises(StorageError, match="a file stands where its folder has to be") as caught:
        files.write(str(tmp_path / "hot" / "a.md"), "new")
    assert caught.value.hint.startswith("move that file away")


def test_permissions_stay(tmp_path):
    """A replaced file keeps its permission bits, a new one has those of the umask, and given ones are used."""
    path = tmp_path / "run.sh"
    path.write_text("1")
    path.chmod(0o750)
    files.write(str(path), "2")
    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    before = os.umask(0o027)
    try:
        files.write(str(tmp_path / "new"), "")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    files.write(str(tmp_path / "secret"), "", 0o600)
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


def test_through_a_link_inside(tmp_path):
    """A link to a file in the given folder stays a link, and the real file is written."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "main.md").write_text("old")
    (tmp_path / "main.md").symlink_to("docs/main.md")
    files.write(str(tmp_path / "main.md"), "new", within=str(tmp_path))
    assert (tmp_path / "main.md").is_symlink()
    assert (tmp_path / "docs" / "main.md").read_text() == "new"


def test_a_link_outside_is_refused(tmp_path):
    """A link that leads out of the folder, by itself or by its folder, is refused and nothing is written."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a").write_text("theirs")
    root = tmp_path / "root"
    root.mkdir()
    (root / "a").symlink_to("../out/a")
    (root / "folder").symlink_to("../out")
    for path in ("a", "folder/a", "folder/new", "../out/a"):
        with pytest.raises(StorageError, match="link"):
            files.write(str(root / path), "ours", within=str(root))
    with pytest.raises(StorageError, match="link"):
        files.write(str(root / "a"), "ours")
    assert [(path.name, path.read_text()) for path in (tmp_path / "out").iterdir()] == [("a", "theirs")]


def test_read_only_file(tmp_path):
    """A file that nobody may write is refused, although a rename could replace it."""
    path = tmp_path / "a"
    path.write_text("kept")
    path.chmod(0o444)
    with pytest.raises(StorageError, match="read-only") as caught:
        files.write(str(path), "new")
    assert caught.value.hint == f"chmod u+w {path}"
    with pytest.raises(StorageError, match="read-only"):
        files.delete(str(path))
    assert path.read_text() == "kept"


def test_read_only_folder(tmp_path):
    """A folder that does not let us write gives the path and a next step, and no temporary file."""
    folder = tmp_path / "locked"
    folder.mkdir()
    (folder / "a").write_text("kept")
    tmp_path.parent.parent.chmod(0o755)
    folder.chmod(0o555)

    def act():
        if os.geteuid() == 0:
            for place in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
                place.chmod(0o755)
            os.seteuid(65534)
        with pytest.raises(StorageError, match="permission denied"):
            files.write(str(folder / "a"), "new")

    assert in_child(act) == 0
    assert os.listdir(folder) == ["a"]
    folder.chmod(0o755)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO])
@pytest.mark.parametrize("call", ["fsync", "replace", "open"])
def test_what_the_system_refuses(tmp_path, monkeypatch, code, call):
    """Every refusal of the system becomes a sentence with path and next step, and leaves the old file alone."""
    path = tmp_path / "a"
    path.write_text("kept")

    def refuse(*_args, **_options):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(f"sleep.store.files.os.{call}", refuse)
    with pytest.raises(StorageError) as caught:
        files.write(str(path), "new")
    monkeypatch.undo()
    assert caught.value.where == str(path)
    assert caught.value.hint
    assert os.listdir(tmp_path) == ["a"]
    assert path.read_text() == "kept"


def test_many_files_are_synced_together(tmp_path, monkeypatch):
    """As many threads as there are files, up to eight, wait for the disk at one time."""
    paths = {str(tmp_path / str(number)): str(number) for number in range(8)}
    for path in paths:
        Path(path).write_text("kept")
    together = threading.Barrier(8)
    monkeypatch.setattr(os, "fsync", lambda _: together.wait(10))  # broken, and an error, unless all have come
    monkeypatch.setattr(files, "_AT_ONCE", 8)
    files.sync_files(paths)
    assert not together.broken


def test_full_disk(tmp_path):
    """On a disk that is really full the old file stays whole and nothing is left over."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ("mount", "-t", "tmpfs", "-o", "size=1m", "none", str(disk)), capture_output=True, check=False
    )

    def act():
        if mounted.returncode:  # no right to mount: let the limit on file sizes say no
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, 2**20))
        with pytest.raises(StorageError, match=r"full|larger than allowed"):
            files.write(str(disk / "a"), "x" * 2**21)

    try:
        (disk / "a").write_text("kept")
        assert in_child(act) == 0
        assert os.listdir(disk) == ["a"]
        assert (disk / "a").read_text() == "kept"
    finally:
        if not mounted.returncode:
            subprocess.run(("umount", str(disk)), check=True)


def test_a_prepared_file_makes_its_folders(tmp_path):
    """A file that was prepared elsewhere gets to a folder that is not there yet."""
    path = tmp_path / "to" / "deep" / "a"
    files.replace(files.prepare(str(path), b"new", 0o640, at=str(tmp_path / "from" / "x")), str(path))
    assert path.read_bytes() == b"new"


def test_staged_on_another_file_system(tmp_path, monkeypatch):
    """A file prepared on another file system gets to its place all the same, with its permissions."""
    path, really = tmp_path / "to" / "a", os.replace

    def across(source, target):
        if os.path.dirname(source) != os.path.dirname(target):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        really(source, target)

    monkeypatch.setattr("sleep.store.files.os.replace", across)
    files.replace(files.prepare(str(path), b"new", 0o640, at=str(tmp_path / "from" / "x")), str(path))
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path / "from") == []


def test_half_a_surrogate_pair(tmp_path):
    """Text that no file can hold is refused before anything is written."""
    with pytest.raises(UnicodeEncodeError):
        files.write(str(tmp_path / "a"), "\ud83d")
    assert os.listdir(tmp_path) == []


def test_listing(tmp_path):
    """A listing is sorted, recursive, without git's and without half-written files; a missing folder is empty."""
    for path in ("b/c", "b/a.md", "a", ".git/config", "b/.a.md.sleepwake-tmp-1", "b/.git", "b c/é"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("")
    assert files.list_files(str(tmp_path)) == ("a", "b c/é", "b/a.md", "b/c")
    assert files.list_files(str(tmp_path), "b") == ("b/a.md", "b/c")
    assert files.list_files(str(tmp_path), "none") == ()


def test_syncing_where_no_thread_is_to_be_had(tmp_path, monkeypatch):
    """Where the system gives no more threads, all files are synced all the same."""

    def refuse(_thread):
        raise RuntimeError("can't start new thread")

    synced = []
    monkeypatch.setattr(files, "_AT_ONCE", 8)
    monkeypatch.setattr("threading.Thread.start", refuse)
    monkeypatch.setattr("sleep.store.files._sync_file", synced.append)
    places = {str(tmp_path / f"{number}"): "" for number in range(20)}
    files.sync_files(places)
    assert synced == [*places]
