"""Objects as git stores each by itself: a file of `objects`, named by what it holds.

Owns an object's name, and the form of its file (gitrepository-layout(5)): a head and the raw content in zlib's format.
What was committed lately is read without a process. Whatever else there is (a pack, damage, a replaced object, another
system than Linux) git is asked for. Refuses to tell whether git itself would store no more than that: see `Repository`.
"""

from __future__ import annotations

import os
import sys
import zlib
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.store import files

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

try:
    from _sha1 import sha1  # type: ignore[import-not-found]  # hashlib loads OpenSSL, which takes 2 ms
except ImportError:
    from hashlib import sha1

_SHA1_DIGITS, _SHA256_DIGITS = 40, 64
_FEW = 64  # objects: more of them git reads as fast, its start included
_LARGEST = 1 << 20  # bytes of `packed-refs` that are looked through
_TREE = slice(5, 45)  # of a commit, which begins `tree <id>`
_READ_ONLY = 0o444
_SMALL = 1 << 18  # bytes of content that is kept with its name: of all together no more than 16 MB
_FASTEST = 1  # of zlib's levels, which git takes for these files too


def digest(content: bytes) -> bytes:
    """Return the SHA-1 of content, by which git names objects and ends the index."""
    return bytes(sha1(content, usedforsecurity=False).digest())


def blob_name(content: bytes, like: str = "") -> str:
    """Return the id that git gives to raw content, by the same algorithm as the id `like` (SHA-1 by default)."""
    return (_small_name if len(content) <= _SMALL else _name)(content, len(like))


def _name(content: bytes, digits: int) -> str:
    whole = _whole(content)
    if digits != _SHA256_DIGITS:
        return digest(whole).hex()
    import hashlib  # late: as above  # noqa: PLC0415

    return hashlib.sha256(whole).hexdigest()


_small_name = lru_cache(maxsize=1 << 6)(_name)  # a step asks for each before, while and after it is written


def place(folder: str, name: str) -> str:
    """Return where an object of the folder `objects` has its file, if it has one."""
    return os.path.join(folder, name[:2], name[2:])


def contents(common_dir: str, names: Sequence[str]) -> dict[str, bytes] | None:
    """Return the contents of a few objects by id, None where git has to be asked."""
    if len(names) > _FEW or _may_be_replaced(common_dir):
        return None
    known: dict[str, bytes] = {}
    for name in names:
        there = _read(common_dir, name)
        if there is None:
            return None
        known[name] = there[1]
    return known


def listing(common_dir: str, commit: str, paths: Collection[str]) -> list[tuple[str, str]] | None:
    """Return (path, blob id) of the regular files of a commit at or below paths, None where git has to be asked."""
    folders = {path[:at] for path in paths for at, sign in enumerate(path) if sign == "/"}
    is_plain = all(part not in {"", ".", ".."} for path in paths for part in path.split("/"))
    if not paths or not is_plain or _may_be_replaced(common_dir):
        return None
    there = _read(common_dir, commit)
    if there is None or there[0] != "commit":
        return None
    rows: list[tuple[str, str]] = []
    level = [("", there[1][_TREE].decode(), False)]
    for above, tree, is_wanted in level:
        there = _read(common_dir, tree)
        if there is None or len(level) > _FEW:
            return None
        for mode, part, name in tree_rows(there[1], len(commit) // 2):
            path = f"{above}{part}"
            is_within = is_wanted or path in paths
            if mode == "40000" and (is_within or path in folders):
                level.append((f"{path}/", name, is_within))
            elif mode.startswith("100") and is_within:
                rows.append((path, name))
    return sorted(rows, key=lambda row: os.fsencode(row[0]))  # as git does


def tree_rows(content: bytes, width: int) -> Iterator[tuple[str, str, str]]:
    """Yield (mode, name, id) of a tree object: `<mode> <name>NUL<id>` again and again, ids `width` bytes long."""
    at = 0
    while at < len(content):
        end = content.index(b"\0", at)
        mode, _, name = content[at:end].partition(b" ")
        at = end + 1 + width
        yield mode.decode(), os.fsdecode(name), content[end + 1 : at].hex()


def _read(common_dir: str, name: str) -> tuple[str, bytes] | None:
    """Return the kind and the content of an object whose own file holds what its name says, None for any other."""
    if len(name) != _SHA1_DIGITS or not name.isalnum():
        return None
    try:
        with open(place(os.path.join(common_dir, "objects"), name), "rb") as file:
            whole = zlib.decompress(file.read())
    except (OSError, zlib.error):
        return None
    head, _, content = whole.partition(b"\0")
    return (head.split(b" ")[0].decode(), content) if digest(whole).hex() == name else None


def _may_be_replaced(common_dir: str) -> bool:
    """Return whether git may show another object than the one that is asked for, or spell names otherwise."""
    if not sys.platform.startswith("linux"):
        return True
    if any(os.path.exists(os.path.join(common_dir, *names)) for names in (("refs", "replace"), ("reftable",))):
        return True
    try:
        with open(os.path.join(common_dir, "packed-refs"), "rb") as file:
            packed = file.read(_LARGEST)
    except OSError as error:
        return not isinstance(error, FileNotFoundError)
    return len(packed) == _LARGEST or b" refs/replace/" in packed


def store(folder: str, source: str) -> str:
    """Store the bytes of a file in the folder `objects` and return the blob's id; it is not synced yet.

    One that is there gets the time of now, as git does it, so that no `git gc` takes it for an old one.

    Raises:
        StorageError: the disk refuses.
    """
    try:
        with open(source, "rb") as file:
            content = file.read()
    except OSError as error:
        raise files.refusal(error, source) from error
    name = blob_name(content)
    path = place(folder, name)
    try:
        os.utime(path)
    except OSError:  # it is not there, or is somebody else's
        _write(path, zlib.compress(_whole(content), _FASTEST))
    return name


def _write(path: str, packed: bytes) -> None:
    """Write an object by the name under which git looks for what a killed writer left, and rename it."""
    temporary = os.path.join(os.path.dirname(path), f"tmp_obj_{os.getpid()}")
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files.remove(temporary)
        with open(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _READ_ONLY), "wb") as file:
            file.write(packed)
        os.replace(temporary, path)
    except OSError as error:
        files.remove(temporary)
        raise files.refusal(error, path) from error
    except BaseException:
        files.remove(temporary)
        raise


def _whole(content: bytes) -> bytes:
    return b"blob %d\0" % len(content) + content
