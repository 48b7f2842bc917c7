"""Blobs as git stores each by itself: a file of `objects`, named by what it holds.

Owns an object's name, and the form of its file (gitrepository-layout(5)): a head and the raw content in zlib's format.
Refuses to tell whether a repository is one in which git itself would do no more than that: see `Repository`.
"""

from __future__ import annotations

import os
import zlib
from functools import lru_cache

from sleep.store import files

try:
    from _sha1 import sha1  # type: ignore[import-not-found]  # hashlib loads OpenSSL, which takes 2 ms
except ImportError:
    from hashlib import sha1

_SHA256_DIGITS = 64
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
