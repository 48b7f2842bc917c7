"""The index, read off git's own file: which entries a few paths have.

Owns the form of versions 2 and 3 (gitformat-index(5)) with names of SHA-1. Where the file is of another version, split,
sparse, large or broken, it says nothing, and git has to be asked. Git replaces the file as a whole, so that a reader
needs no lock.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from sleep.store.git import loose_objects

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_HEAD = struct.Struct(">4sII")
_ENTRY = struct.Struct(">24xI12x20sH")  # mode, id, flags; between them what the file's state was
_EXTENSION = struct.Struct(">4sI")
_VERSIONS = (2, 3)
_EXTENDED = 0x4000  # two more bytes of flags
_LENGTH = 0xFFF  # of the name, or more than that
_DIGEST = 20
_LARGEST = 1 << 20  # bytes: some 10,000 entries, for which git needs no longer


def read(path: str, wanted: Collection[bytes]) -> dict[bytes, str] | None:
    """Return the entries (`mode id`, and a stage in a conflict) of those paths that the index has.

    Args:
        path: the index; where there is none it has no entries.
        wanted: paths from the top of the work tree.

    Returns:
        None where the file does not say it plainly.
    """
    try:
        with open(path, "rb") as file:
            content = file.read(_LARGEST + 1)
        magic, version, count = _HEAD.unpack_from(content)
        is_known = len(content) <= _LARGEST and magic == b"DIRC" and version in _VERSIONS
        if not is_known or not _is_intact(content):
            return None
        rows = {}
        end = _HEAD.size
        for name, at, end in _names(content, count):  # noqa: B007  # where the last one ends
            if name in wanted:
                mode, digest, flags = _ENTRY.unpack_from(content, at)
                stage = flags >> 12 & 3
                rows[name] = f"{mode:06o} {digest.hex()}{f' {stage}' if stage else ''}"
        return rows if _is_all(content, end) else None
    except FileNotFoundError:
        return {}
    except (OSError, struct.error, IndexError, ValueError):
        return None


def _names(content: bytes, count: int) -> Iterator[tuple[bytes, int, int]]:
    """Yield each entry's path, and where it begins and ends."""
    at = _HEAD.size
    for _ in range(count):
        flags = content[at + 60] << 8 | content[at + 61]
        start = at + (64 if flags & _EXTENDED else 62)
        length = flags & _LENGTH
        stop = content.index(b"\0", start) if length == _LENGTH else start + length
        end = stop + 8 - (stop - at) % 8  # one to eight bytes of zero
        yield content[start:stop], at, end
        at = end


def _is_intact(content: bytes) -> bool:
    """Return whether the digest at the end is that of the rest; `index.skipHash` leaves it empty."""
    end = content[-_DIGEST:]
    return not any(end) or end == loose_objects.digest(content[:-_DIGEST])


def _is_all(content: bytes, at: int) -> bool:
    """Return whether only extensions follow that need not be understood, whose names begin with a capital."""
    while at < len(content) - _DIGEST:
        name, size = _EXTENSION.unpack_from(content, at)
        if not name[:1].isupper():
            return False
        at += _EXTENSION.size + size
    return at == len(content) - _DIGEST
