"""The files that were changed and read, by what calls were given: paths of tools, patches, and plain shell commands.

Owns reading the calls, and the line that lists the files, written and read again. A call that failed changed nothing.
Refuses to read programs: of shells only commands count that name what they change.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.messages.shapes import CALL, RESULT
from sleep.conversation.summary.fact import clipped
from sleep.conversation.summary.sequels import actions
from sleep.conversation.summary.state import shell_edits, task_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.conversation.messages.shapes import Turn

_FILES, _OTHERS = 24, 8  # files changed and read that are named, the latest
_NAMES = 256  # names of tools that are remembered
_ENDS = 600  # characters at both ends of what a call was given, in which its path stands
_EDITS = re.compile(r"(?i)write|edit|patch|str_?replace|create|^replace|insert|rename|delete")
_NO_FILES = re.compile(r"(?i)todo|task|stdin|memory|plan")
_READS = re.compile(r"(?i)read|view|^cat$|open")
_VIEWS = re.compile(r"(?:^|[{,\n]\s*\"?)command\"?\s*:\s*\"?view\b")  # of a tool that edits and views
_PATH = re.compile(
    r"(?m)(?:^|[{,]\s*\")(?:file_?path|absolute_path|notebook_path|path|file|filename|target_file)\"?"
    r"\s*:\s*\"?([^\"\n]{1,300})"
)
_ONLY = re.compile(r"(?=.*[/.])[~/.\w][^\s:{}\"]{1,255}")  # an argument that stands alone
_COMMAND = re.compile(r"(?:command|cmd)\"?\s*:\s*\"?([^\"\n]{1,300})")
_COMMANDED = 100  # characters of a command
_PATCHED = re.compile(r"\*\*\* (?:Update|Add|Delete) File: ([^\n\"\\]{1,300})")
# `Permission denied: /s/c.py`, `Failed to edit, could not find ...`; not `The file has been updated.`
_UNDONE = re.compile(
    r"\s*(?:<tool_use_error>|Error\b|error:|E[A-Z]{3,9}:|Permission denied|(?:Failed|Unable) to |Could not |Cannot "
    r"|apply_patch verification failed|The user doesn't want|.{0,80}\b(?:rejected|denied) by)"
)
_TIMES = re.compile(r" (?:×(\d+)|\((removed)\))$")
_EARLIER = re.compile(r"(\d+) earlier(?:, |$)")


class _Listed(NamedTuple):
    """Files by path, the latest last, with how often they were changed, 0 for one that was removed.

    `earlier` counts those that are not named any more.
    """

    files: dict[str, int]
    earlier: int = 0


class _Step(NamedTuple):
    """A path that a call touches: whether it is changed, else read, and whether it is gone afterwards."""

    path: str
    is_change: bool = True
    is_gone: bool = False


def of_turns(turns: Sequence[Turn], changed: str, read: str) -> tuple[str, str]:
    """Return the files that were changed and read, each as a line, added to those of an earlier summary."""
    now, looked = _read(changed), _read(read)
    names: dict[str, dict[str, None]] = {}
    for path in now.files:
        names.setdefault(_name(path), {})[path] = None
    undone: set[tuple[str, int]] | None = None
    times: dict[str, int] = {}
    for turn in turns:
        if not turn.calls:
            continue
        calls = iter(turn.calls)
        for kind, text, name in turn.parts:
            if kind != CALL:
                continue
            call = next(calls, ("", name))[0]
            times[call] = time = times.get(call, 0) + 1
            if not (_sort(name) or shell_edits.may_edit(text) or "*** " in text):
                continue
            for step in _touched(name, text):
                if not step.is_change:
                    looked.files[step.path] = looked.files.pop(step.path, 0) + 1
                    continue
                undone = _undone(turns) if undone is None else undone
                if (call, time) not in undone:
                    _note(now.files, names, step)
    rest = {path: 1 for path in looked.files if path not in now.files}
    return _listed(now, _FILES), _listed(_Listed(rest, looked.earlier), _OTHERS)


def path_of(arguments: str) -> str:
    """Return the path that a call was given, "" for none."""
    if len(arguments) > 2 * _ENDS:
        arguments = f"{arguments[:_ENDS]}\n{arguments[-_ENDS:]}"
    match = _PATH.search(arguments)
    return match[1].strip() if match else arguments if _ONLY.fullmatch(arguments) else ""


def named(name: str, arguments: str) -> str:
    """Return a call by its tool's name and the path or the command that it was given."""
    command = _COMMAND.search(arguments[:_ENDS])
    return f"[{name}] {path_of(arguments) or (clipped(command[1].strip(), _COMMANDED) if command else '')}".rstrip()


def short(line: str, most: int) -> str:
    """Return a line of files with fewer of them, the latest, in at most so many characters; "" where none fits."""
    listed = _read(line)
    for number in range(len(listed.files), 0, -1):
        if len(text := _listed(listed, number)) <= most:
            return text
    return ""


def _note(files: dict[str, int], names: dict[str, dict[str, None]], step: _Step) -> None:
    """Take in that a file was changed or removed; a path of a shell is that of a file that is known by more.

    `names` are the paths of the files by their last piece, in the same order.
    """
    same = names.setdefault(_name(step.path), {})
    ends = [path for path in same if path.endswith(f"/{step.path}")] if "/" in step.path else []
    path = ends[0] if ends else step.path
    times = files.pop(path, 0)
    files[path] = 0 if step.is_gone else times + 1
    same.pop(path, None)
    same[path] = None


def _name(path: str) -> str:
    """Return the last piece of a path, behind which nothing stands."""
    return path.rpartition("/")[2]


def _undone(turns: Sequence[Turn]) -> set[tuple[str, int]]:
    """Return the calls that changed nothing, by what they gave back: an id, and which call of that id it was."""
    undone: set[tuple[str, int]] = set()
    times: dict[str, int] = {}
    for turn in turns:
        texts = [part.text for part in turn.parts if part.kind == RESULT] if turn.results else []
        for call, text in zip(turn.results, texts, strict=False):
            times[call] = times.get(call, 0) + 1
            if _UNDONE.match(text) or actions.tells_failure(text):
                undone.add((call, times[call]))
    return undone


def _touched(name: str, arguments: str) -> Iterator[_Step]:
    """Yield the paths that a call changes or reads."""
    if "*** " in arguments and (patched := _PATCHED.findall(arguments)):
        yield from (_Step(path.strip()) for path in patched)
    elif sort := _sort(name):
        if path := path_of(arguments):
            yield _Step(path, sort == "changes" and not _VIEWS.search(arguments[:_ENDS]))
    elif command := actions.command_of(name, arguments):
        yield from (_Step(path, is_gone=is_gone) for path, is_gone in shell_edits.paths(command))


@functools.lru_cache(_NAMES)
def _sort(name: str) -> str:
    """Return whether a tool of this name `changes` or `reads` files; "" for another."""
    if _EDITS.search(name) and not _NO_FILES.search(name) and not task_list.is_list(name):
        return "changes"
    return "reads" if _READS.search(name) and not task_list.is_list(name) else ""


def _listed(listed: _Listed, most: int) -> str:
    """Return files, the latest last, below the folder that they share."""
    paths = list(listed.files)
    if not paths:
        return ""
    root = _root(paths)
    names = [path[len(root) :] + _sign(listed.files[path]) for path in paths[-most:]]
    earlier = listed.earlier + max(0, len(paths) - most)
    more = f"{earlier} earlier, " if earlier else ""
    return f"{f'in {root}: ' if root else ''}{more}{', '.join(names)}"


def _sign(times: int) -> str:
    return f" ×{times}" if times > 1 else "" if times else " (removed)"


def _root(paths: Sequence[str]) -> str:
    """Return the folder that paths share, "" for none below the root."""
    folders = [path.split("/")[:-1] for path in paths]
    shared = 0
    if len(paths) > 1 and all(path.startswith("/") for path in paths):
        while all(len(folder) > shared and folder[shared] == folders[0][shared] for folder in folders):
            shared += 1
    return "/".join(folders[0][:shared]) + "/" if shared > 1 else ""


def _read(line: str) -> _Listed:
    """Return the files of a line of an earlier summary."""
    root = ""
    if line.startswith("in /"):
        root, _, line = line[3:].partition(": ")
    more = _EARLIER.match(line)
    files = {}
    for entry in line[more.end() if more else 0 :].split(", ") if line else ():
        times = _TIMES.search(entry)
        files[root + _TIMES.sub("", entry)] = (0 if times[2] else int(times[1])) if times else 1
    return _Listed(files, int(more[1]) if more else 0)
