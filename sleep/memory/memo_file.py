"""The file in which a command keeps what functions of a text returned, for its next run: see `memo`.

Owns the file, one a command, among what belongs to this worktree alone. It holds what the last run asked for, so no
more than the memory has, and little that has left it; whoever removes it loses a second. Another program, another
Python, or a byte that is not as it was written, and the file counts as none.
"""

from __future__ import annotations

import marshal
import os
import sys
import zlib
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from sleep import memo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.memo import Answers
    from sleep.store.layout import Root

try:
    from _blake2 import blake2b  # hashlib loads OpenSSL, which takes 2 ms
except ImportError:
    from hashlib import blake2b

FOLDER = "memo"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_DIGEST, _SUM = 16, 4  # bytes
_MOST = 1 << 26  # bytes of a file: a memory of which more is asked is read as ever


@contextmanager
def keep(root: Root, command: str) -> Iterator[None]:
    """Answer from what a command's last run asked for, and keep what this one asks for, if it comes to its end."""
    path = os.path.join(root.state_dir, FOLDER, command)
    program = _program()
    memo.fill(_read(path, program))
    try:
        yield
    except BaseException:
        memo.empty()
        raise
    answers = memo.empty()
    if answers is not None and program:
        _write(path, program, answers)


def _read(path: str, program: bytes) -> dict[str, Answers]:
    with suppress(OSError, ValueError, EOFError, TypeError), open(path, "rb") as file:
        content = memoryview(file.read())
        place, head = len(program), len(program) + _SUM
        if program and content[:place] == program and _sum(content[head:]) == content[place:head]:
            known: dict[str, Answers] = marshal.loads(content[head:])  # noqa: S302  # as trusted as git's own files there
            return known
    return {}


def _write(path: str, program: bytes, answers: dict[str, Answers]) -> None:
    content = marshal.dumps(answers)
    beside = f"{path}.{os.getpid()}"
    with suppress(OSError):  # a disk that is full or may not be written: the next run is as slow as this one
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if len(content) > _MOST:
            os.unlink(path)
            return
        with open(beside, "wb") as file:
            file.writelines((program, _sum(content), content))  # not as one: of a long run it is large
        os.replace(beside, path)


def _sum(content: bytes | memoryview) -> bytes:
    """Return what tells a content from one that was damaged, in a fifth of the time of a digest."""
    return zlib.crc32(content).to_bytes(_SUM, "big")


def _program() -> bytes:
    """Return what tells this program, word lists included, and this Python from others; nothing where it is no files.

    As with bytecode, a file is another one when its size or its time is.
    """
    lines = [sys.version, _PACKAGE]
    folders = [_PACKAGE]
    try:
        for folder in folders:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders += [entry.path] if entry.name != "__pycache__" else []
                    else:
                        there = entry.stat()
                        lines.append(f"{entry.path} {there.st_size} {there.st_mtime_ns}")
    except OSError:
        return b""
    return blake2b("\n".join(sorted(lines)).encode("utf-8", "surrogateescape"), digest_size=_DIGEST).digest()
