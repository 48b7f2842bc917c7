"""Files on disk: whole reads and atomic writes, bytes exactly as given.

Owns reading, replacing (temporary file, fsync, rename, fsync of the folder) and the sentences for what a disk refuses.
Refuses newline translation, partial writes, reading a pipe or a device that nobody named, and, where a folder is given,
reading or writing what does not really lie in it: a cloned repository is input, and its links, devices and pipes are
not memory. Standard library only; hooks load it.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import time

from sleep.errors import StorageError
from sleep.store.layout import is_temporary

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook 4 ms
    from collections.abc import Callable, Iterable, Mapping
    from threading import Thread

_TEMPORARY = r"(?s)^\..+\.sleepwake-tmp-(?P<pid>\d+)$"  # compiled by who sweeps, and hooks do not
_STALE_SECONDS = 3600
_WRITABLE = 0o222
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_TO_SYNC = os.O_RDWR if os.name == "nt" else os.O_RDONLY
_AT_ONCE = 8  # threads that wait for the disk; more of them cost more than they spare
_PIECE = 1 << 16  # bytes
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_NEXT_STEP = {
    errno.ENOSPC: ("the disk is full", "free some space, then run the same command again"),
    errno.EDQUOT: ("the disk quota is used up", "free some space, then run the same command again"),
    errno.EFBIG: ("the file is larger than allowed here", "raise ulimit -f, then run the same command again"),
    errno.EROFS: ("the file system is read-only", "mount it for writing, then run the same command again"),
    **dict.fromkeys((errno.EEXIST, errno.ENOTDIR), ("a file stands where its folder has to be", "move that file away")),
    **dict.fromkeys((errno.EACCES, errno.EPERM), ("permission denied", "ls -ld shows who may write here")),
}


def decode(content: bytes) -> str:
    """Return bytes as text that `encode` turns back into the same bytes, whatever they are."""
    return content.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Return text as bytes; half of a surrogate pair, which no file can hold, raises UnicodeEncodeError."""
    return text.encode("utf-8", "surrogateescape")


def read(path: str, *, within: str | None = None) -> str | None:
    """Return a file's text with its newlines untouched, None when there is no such file.

    Args:
        path: the file.
        within: the folder that it must really lie in; None for one that may lie anywhere.

    Raises:
        StorageError: there is something, and it is no regular file, or cannot or may not be read.
    """
    content = read_bytes(path, within=within)
    return None if content is None else decode(content)


def read_bytes(path: str, *, within: str | None = None) -> bytes | None:
    """Return a file's bytes, None when there is no such file; arguments and errors as in `read`."""
    try:
        return None if "\0" in path else _all_of(open_regular(path, within))  # no file can be called so
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise refusal(error, path) from error


def open_regular(path: str, within: str | None) -> int:
    """Return a descriptor of a regular file that really lies in a folder, links followed; None: that lies anywhere.

    Nothing waits for whoever would write to a pipe.

    Raises:
        StorageError: it lies elsewhere, or is a device, a pipe or a folder.
        OSError: it cannot be opened, or there is none.
    """
    descriptor = os.open(path, _READ) if within is None else _open_below(path, within)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise StorageError("is no regular file (only those are read)", where=path, hint=f"ls -ld {path}")
    return descriptor


def _open_below(path: str, within: str) -> int:
    """Return a descriptor of a file that really lies in a folder, links followed; raises as `open_regular`."""
    folder = os.path.dirname(path)
    # Most folders are named without links: that is asked first.
    plainly = folder == within or _is_plainly_below(folder, within)
    if not plainly and not is_below(folder, within) and not is_below(folder, os.path.realpath(within)):
        raise _outside(path, within)
    try:
        return os.open(path, _READ | _NO_LINK)
    except OSError:
        if not os.path.islink(path):
            raise
        if not is_below(path, os.path.realpath(within)):
            raise _outside(path, within) from None
        return os.open(path, _READ)


def _all_of(descriptor: int) -> bytes:
    """Return what a file has, and close it: a file object would ask the system twice as often."""
    try:
        return b"".join(iter(lambda: os.read(descriptor, _PIECE), b""))
    finally:
        os.close(descriptor)


def is_below(path: str, folder: str) -> bool:
    """Return whether a path, links followed, lies below a folder (real, absolute) or is it."""
    real = os.path.realpath(path)
    return real == folder or real.startswith(os.path.join(folder, ""))


def _is_plainly_below(path: str, folder: str) -> bool:
    """Return whether a path is named as one below a folder, and no folder on the way is a link; tells it at once."""
    inside = path.removeprefix(f"{folder}/")
    if inside == path or os.sep != "/":
        return False
    place = folder
    for name in inside.split("/"):
        place = f"{place}/{name}"
        if name in {"", os.curdir, os.pardir} or os.path.islink(place):
            return False
    return True


def _outside(path: str, folder: str) -> StorageError:
    real, inside = os.path.realpath(path), os.path.realpath(folder)
    return StorageError(
        f"is a link that leads out, to {real} (only files below {inside} are memory)",
        where=path,
        hint=f"ls -ld {path} {os.path.dirname(path)}",
    )


def write(path: str, text: str, mode: int | None = None, *, within: str | None = None, sync: bool = True) -> None:
    """Replace a file by `text`, wholly or not at all, making its folders.

    Args:
        path: the file; a link is written through to the real file.
        text: the new content, as `decode` gives it.
        mode: permission bits; by default those of the replaced file, else what the umask allows.
        within: the folder that the real file must lie in; by default the one that `path` names.
        sync: whether it must outlast a loss of power; a killed process never tears it.

    Raises:
        StorageError: the disk refuses, the file is read-only, or it really lies outside `within`.
    """
    target = resolve(path, within or os.path.dirname(os.path.abspath(path)))
    temporary = prepare(target, encode(text), mode, sync=sync)
    try:
        replace(temporary, target, sync=sync)
    except BaseException:
        remove(temporary)
        raise


def resolve(path: str, within: str) -> str:
    """Return the real path of a file, links followed; StorageError when it lies outside the folder `within`.

    One below that folder that needs no link to be followed there is itself.
    """
    if _is_plainly_below(path, within):
        return path
    real, folder = os.path.realpath(path), os.path.realpath(within)
    if os.path.commonpath((real, folder)) != folder or real == folder:
        raise StorageError(
            f"is a link that leads to {real} (a file below {folder} can be written)", where=path, hint=f"ls -l {path}"
        )
    return real


def prepare(path: str, content: bytes, mode: int | None = None, *, at: str = "", sync: bool = True) -> str:
    """Write what is to become the file `path` to a temporary file, safe on disk, and return where that is.

    It is made at `at`, by default beside `path`. `sync` and errors as in `write`.
    """
    temporary = at or _beside(os.path.abspath(path))
    try:
        bits = mode if mode is not None else permissions(path)
        _refuse_read_only(path, bits)
        os.makedirs(os.path.dirname(temporary), exist_ok=True)
        remove(temporary)
        with open(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666), "wb") as file:
            if bits is not None:
                os.chmod(temporary, bits)
            file.write(content)
            file.flush()
            if sync:
                os.fsync(file.fileno())
    except OSError as error:
        remove(temporary)
        raise refusal(error, path) from error
    except BaseException:
        remove(temporary)
        raise
    return temporary


def replace(temporary: str, path: str, *, sync: bool = True) -> None:
    """Put a prepared file in its place in one step, making its folders; `sync` and errors as in `write`."""
    path = os.path.abspath(path)  # a bare name has no folder to make or to sync
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.replace(temporary, path)
        if sync:
            sync_folder(os.path.dirname(path))
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise refusal(error, path) from error
        with open(temporary, "rb") as file:  # it was made on another file system
            replace(prepare(path, file.read(), permissions(temporary)), path)
        remove(temporary)


def delete(path: str, *, sync: bool = True) -> None:
    """Remove a file for good, fine when it is gone already; `sync` and errors as in `write`."""
    try:
        _refuse_read_only(path, permissions(path))
        os.unlink(path)
        if sync:
            sync_folder(os.path.dirname(os.path.abspath(path)))
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise refusal(error, path) from error


def remove(path: str) -> None:
    """Remove a temporary file if it can be removed."""
    try:
        os.unlink(path)
    except OSError:
        return


def clear(folder: str) -> None:
    """Remove a folder of temporary files with them, as far as that can be done; what is linked there stays."""
    if os.path.islink(folder):
        return
    for name in names(folder):
        remove(os.path.join(folder, name))
    try:
        os.rmdir(folder)
    except OSError:
        return


def permissions(path: str) -> int | None:
    """Return the permission bits of a file, None when there is no such file."""
    try:
        return os.stat(path).st_mode & 0o7777
    except (FileNotFoundError, NotADirectoryError):
        return None


def sync_folder(folder: str) -> None:
    """Make a rename in a folder outlast a loss of power, where folders can be opened for that."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:  # some network file systems have no fsync for folders
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:
            raise
    finally:
        os.close(descriptor)


def sync_folders(folders: Iterable[str]) -> None:
    """Make the renames in several folders outlast a loss of power, each folder once; errors as in `write`."""
    _at_once(sync_folder, {folder: folder for folder in folders})


def sync_files(written: Mapping[str, str]) -> None:
    """Make what was written to files outlast a loss of power.

    Args:
        written: the files, each with the path to name where the disk refuses; errors as in `write`.
    """
    _at_once(_sync_file, written)


def _sync_file(path: str) -> None:
    descriptor = os.open(path, _TO_SYNC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _at_once(sync: Callable[[str], None], places: Mapping[str, str]) -> None:
    """Sync several places in threads: what a disk is asked for together it does in one turn."""
    rest = iter(places.items())
    refused: list[tuple[OSError, str]] = []

    def work() -> None:
        for place, path in rest:
            try:
                sync(place)
            except OSError as error:
                refused.append((error, path))

    threads: list[Thread] = []
    if len(places) > 1:
        from threading import Thread  # late: hooks load this module, and sync nothing together  # noqa: PLC0415

        try:
            while len(threads) < min(len(places), _AT_ONCE) - 1:
                threads.append(Thread(target=work))
                threads[-1].start()
        except RuntimeError:  # no more are to be had: those that began do the work
            threads.pop()
    work()
    for thread in threads:
        thread.join()
    for error, path in refused:
        raise refusal(error, path) from error


def list_files(root: str, sub: str = "") -> tuple[str, ...]:
    """Return the sorted paths, relative to `root` with `/`, of all files below its folder `sub`.

    Git directories, links to folders and files still being written are left out; a missing folder has no files.
    """
    paths = []
    for folder, folders, files in os.walk(os.path.join(root, *sub.split("/")) if sub else root):
        folders[:] = [name for name in folders if name != ".git"]
        inside = os.path.relpath(folder, root).replace(os.sep, "/")
        lead = "" if inside == os.curdir else f"{inside}/"
        paths += [lead + name for name in files if name != ".git" and not is_temporary(name)]
    return tuple(sorted(paths))


def names(folder: str) -> list[str]:
    """Return the sorted names in a folder, none where it cannot be listed."""
    try:
        return sorted(os.listdir(folder))
    except (OSError, ValueError):
        return []


def sweep(folder: str, *, below: bool = True) -> None:
    """Remove what writers that are no more left in a folder, and in the folders below it."""
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if below and name != ".git"]
        for name in files:
            left = re.match(_TEMPORARY, name)
            if left and _is_stale(os.path.join(place, name), int(left["pid"])):
                remove(os.path.join(place, name))


def refusal(error: OSError, path: str) -> StorageError:
    """Return what the system refused as a sentence with a next step."""
    reason, hint = _NEXT_STEP.get(error.errno or 0, (error.strerror or str(error), f"ls -ld {path}"))
    return StorageError(reason, where=path, hint=hint)


def is_running(pid: int) -> bool:
    """Return whether a process of this number runs on this machine; True where that cannot be told."""
    if os.name == "nt":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _refuse_read_only(path: str, bits: int | None) -> None:
    """Raise StorageError for a file that nobody may write: a rename would replace it all the same."""
    if bits is not None and not bits & _WRITABLE:
        raise StorageError("is read-only (its owner would be allowed to write)", where=path, hint=f"chmod u+w {path}")


def _is_stale(path: str, pid: int) -> bool:
    if pid == os.getpid() or not is_running(pid):
        return True
    try:
        return time.time() - os.stat(path).st_mtime > _STALE_SECONDS
    except OSError:
        return False


def _beside(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name}.sleepwake-tmp-{os.getpid()}")
