"""Which files a shell command changes, where it names them: `sed -i`, `git mv`, `rm`, `cat > f <<EOF`, `tee f`.

Owns reading the command. Refuses what a shell would have to work out: patterns, variables, loops, other programs; and
what stands in folders for passing things.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_SIGNS = ("sed ", "mv ", "rm ", "tee ", ">")
_STEPS = re.compile(r"&&|\|\||[;|\n]")
_WORD = re.compile(r"'[^']*'|\"[^\"]*\"|[^\s'\"]+")
_HEREDOC = re.compile(r"<<-?[ \t]*(['\"]?)(\w{1,40})\1([^\n]*)\n(?:.*?^[ \t]*\2[ \t]*$|.*)", re.MULTILINE | re.DOTALL)
# Not `2>&1`, `cmd > log`, `echo "a -> b"`.
_WRITES = re.compile(r"(?:cat|echo|printf)\b(?:[^>'\"]|'[^']*'|\"[^\"]*\")*(?<![\d&<>])>{1,2}\s*([^\s<>&|]+)")
_PLAIN = re.compile(r"[\w@.+/-][\w@~./+-]{0,255}")
_PASSING = ("/tmp/", "/dev/", "/var/tmp/", "/proc/")  # noqa: S108  # nothing is written there
_TWO = 2


def may_edit(arguments: str) -> bool:
    """Return whether what a call was given may be a command that changes a file."""
    for sign in _SIGNS:  # noqa: SIM110  # asked of every call
        if sign in arguments:
            return True
    return False


def paths(command: str) -> Iterator[tuple[str, bool]]:
    """Yield the files that a command changes, each with whether it is gone afterwards.

    `sed -i s/a/b/ f.py` changes `f.py`; `git mv a b` takes `a` away and changes `b`.
    """
    folder = ""
    for step in _STEPS.split(_HEREDOC.sub(r" \3", command)):
        words = [word.strip("'\"") for word in _WORD.findall(step)]
        if words[:1] == ["sudo"]:
            words = words[1:]
        if words[:1] == ["cd"] and len(words) == _TWO:
            folder = words[1].rstrip("/") + "/" if words[1].startswith("/") else ""
        if writes := _WRITES.match(step.strip()):
            words = ["tee", writes[1].strip("'\"")]
        for path, is_gone in _of_step(words):
            whole = path if path.startswith("/") else folder + path.removeprefix("./")
            if _is_file(path, is_gone=is_gone) and not whole.startswith(_PASSING):
                yield whole, is_gone


def _is_file(path: str, *, is_gone: bool) -> bool:
    """Return whether a word is a plain path; what is removed without an ending was a folder that something made."""
    return _PLAIN.fullmatch(path) is not None and (not is_gone or "." in path.rpartition("/")[2])


def _of_step(words: Sequence[str]) -> list[tuple[str, bool]]:
    """Return the files that a step of a command changes, each with whether it is gone afterwards."""
    if words[:1] == ["git"] and words[1:2] in (["mv"], ["rm"]):
        words = words[1:]
    read = _PROGRAMS.get(words[0]) if words else None
    return read(words, [word for word in words[1:] if not word.startswith("-")]) if read else []


def _sed(words: Sequence[str], operands: list[str]) -> list[tuple[str, bool]]:
    if not any(word.startswith(("-i", "--in-place")) for word in words):
        return []
    return [(path, False) for path in operands["-e" not in words :]]


def _tee(_: Sequence[str], operands: list[str]) -> list[tuple[str, bool]]:
    return [(path, False) for path in operands]


def _rm(words: Sequence[str], operands: list[str]) -> list[tuple[str, bool]]:
    return [(path, True) for path in operands if "--cached" not in words]


def _mv(_: Sequence[str], operands: list[str]) -> list[tuple[str, bool]]:
    if len(operands) != _TWO:
        return []
    source, target = operands
    return [(source, True), (target + (source.rpartition("/")[2] if target.endswith("/") else ""), False)]


_PROGRAMS: dict[str, Callable[[Sequence[str], list[str]], list[tuple[str, bool]]]] = {
    "sed": _sed,
    "tee": _tee,
    "rm": _rm,
    "mv": _mv,
}
