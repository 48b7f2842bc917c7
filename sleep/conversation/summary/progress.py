"""The state of the work: which files were changed and read, what failed last, which tasks are open, what comes next.

Owns reading it from calls, results and the agent's last words, and taking over what an earlier summary said of it.
Refuses to judge whether work is done: it tells what was reported.
"""

from __future__ import annotations

import functools
import json
import re
from typing import TYPE_CHECKING

from sleep.conversation.messages import shapes
from sleep.conversation.messages.shapes import CALL, RESULT, TEXT
from sleep.conversation.summary.fact import bare, clipped, flat
from sleep.language import sentences
from sleep.language.acts.forms import form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.conversation.messages.shapes import Turn
    from sleep.conversation.summary.fact import Fact

CHANGED, READ, MADE, FAILED, TASKS, NEXT = (
    "files changed",
    "files read",
    "commits and pull requests",
    "last error",
    "tasks",
    "next step",
)
_FILES, _OTHERS = 24, 8  # files changed and read that are named, the latest
_OPEN = 8  # open tasks that are named
_NAMES = 256  # names of tools that are remembered
_LINE = 240  # characters of an error, a task or a next step
_ENDS = 600  # characters at both ends of what a call was given, in which its path stands
_EDITS = re.compile(r"(?i)write|edit|patch|str_?replace|create|^replace|insert|rename|delete")
_NO_FILES = re.compile(r"(?i)todo|task|stdin|memory|plan")
_READS = re.compile(r"(?i)read|view|^cat$|open")
_PATH = re.compile(
    r"(?m)(?:^|[{,]\s*\")(?:file_?path|absolute_path|notebook_path|path|file|filename|target_file)\"?"
    r"\s*:\s*\"?([^\"\n]{1,300})"
)
_COMMAND = re.compile(r"(?:command|cmd)\"?\s*:\s*\"?([^\"\n]{1,300})")
_COMMANDED = 100  # characters of a command
_PATCHED = re.compile(r"\*\*\* (?:Update|Add|Delete) File: ([^\n\"\\]{1,300})")
_UNDONE = re.compile(r"\s*(?:<tool_use_error>|Error\b|error:|The user doesn't want|.{0,80}\b(?:rejected|denied) by)")
_COMMITTED = re.compile(r"(?m)^\[([^\]\n]{1,120} [0-9a-f]{7,40})\] (.{1,200})$")
_REQUESTED = re.compile(r"https?://[^\s\"']{4,120}/(?:pull|merge_requests)/\d+(?=\s*(?:$|[\s\"']))")
_MAKES = re.compile(
    r"\bgit\b[^|;&]{0,200}\b(?:commit|merge|cherry-pick)\b|\b(?:gh pr|glab mr) (?:create|merge|ready)\b"
)
_NEWEST = 6  # commits and pull requests that are named
_TIMES = re.compile(r" ×(\d+)$")
_TASK = re.compile(r"(content|step|title|description|status|subject): (.+)")
_BOX = re.compile(r"[-*] \[([ xX~])\] (.+)")
_MADE = re.compile(r"Task #(\d+) created successfully: (.+)")
_MOVED = re.compile(r"\"?taskId\"?: \"?(\d+)")
_STATUS = re.compile(r"\"?status\"?: \"?(\w+)")
_DONE, _NOW = frozenset({"completed", "done", "cancelled", "deleted"}), frozenset({"in_progress", "doing", "active"})
_COUNT = re.compile(r"(\d+) of (\d+) done")
_NUMBERED = re.compile(r"#(\d+) ([^;]+)")
_SINCE = re.compile(r" \((?:then (\d+) results? without one|nothing ran after it)\)$")


def lines(turns: Sequence[Turn], before: Sequence[str], failure: Fact | None) -> tuple[str, ...]:
    """Return the state of the work, a line each; `before` are the lines of an earlier summary.

    `turns` are the removed ones and those that stay; in `failure`, the last that was printed, `at` is the index of one.
    """
    old = {name: rest for line in before for name, _, rest in [line.partition(": ")]}
    changed, read = _files(turns, _files_of(old.get(CHANGED, "")), _files_of(old.get(READ, "")))
    state = {
        CHANGED: _listed(changed, _FILES),
        READ: _listed({path: 1 for path in read if path not in changed}, _OTHERS),
        MADE: _made(turns, old.get(MADE, "")),
        FAILED: _failed(turns, old.get(FAILED, ""), failure),
        TASKS: _tasks(turns, old.get(TASKS, "")),
        NEXT: _comes(turns),
    }
    return tuple(f"{name}: {text}" for name, text in state.items() if text)


def path_of(arguments: str) -> str:
    """Return the path that a call was given, "" for none."""
    if len(arguments) > 2 * _ENDS:
        arguments = f"{arguments[:_ENDS]}\n{arguments[-_ENDS:]}"
    match = _PATH.search(arguments)
    return match[1].strip() if match else ""


def named(name: str, arguments: str) -> str:
    """Return a call by its tool's name and the path or the command that it was given."""
    command = _COMMAND.search(arguments[:_ENDS])
    return f"[{name}] {path_of(arguments) or (clipped(command[1].strip(), _COMMANDED) if command else '')}".rstrip()


# --- files -----------------------------------------------------------------------------------------------------------


def _files(
    turns: Sequence[Turn], changed: dict[str, int], read: dict[str, int]
) -> tuple[dict[str, int], dict[str, int]]:
    """Return how often files were changed and read, the latest last, added to what is known."""
    undone: set[str] | None = None
    for turn in turns:
        if not turn.calls:
            continue
        calls = iter(turn.calls)
        for kind, text, name in turn.parts:
            if kind != CALL:
                continue
            call = next(calls, ("", name))[0]
            for path, is_change in _touched(name, text):
                if not is_change:
                    read[path] = read.pop(path, 0) + 1
                    continue
                undone = _undone(turns) if undone is None else undone
                if call not in undone:
                    changed[path] = changed.pop(path, 0) + 1
    return changed, read


def _made(turns: Sequence[Turn], before: str) -> str:
    """Return the commits and pull requests that commands made, the latest last."""
    made = dict.fromkeys(before.split("; ") if before else ())
    for text in _printed_by_makers(turns):
        commits = [f"[{where}] {what}".replace("; ", ", ") for where, what in _COMMITTED.findall(text)]
        for name in (*commits, *_REQUESTED.findall(text)):
            made.pop(name, None)
            made[name] = None
    return "; ".join(list(made)[-_NEWEST:])


def _printed_by_makers(turns: Sequence[Turn]) -> Iterator[str]:
    """Yield what commands printed that may make a commit or a pull request."""
    waits: set[str] = set()
    for turn in turns:
        if turn.calls:
            waits.update(_makers(turn))
        if waits and not waits.isdisjoint(turn.results):
            texts = [part.text for part in turn.parts if part.kind == RESULT]
            yield from (text for call, text in zip(turn.results, texts, strict=False) if call in waits)


def _makers(turn: Turn) -> list[str]:
    """Return the ids of the calls of a turn that may make a commit or a pull request."""
    calls = [_makes(part.text) for part in turn.parts if part.kind == CALL]
    return [call for (call, _), makes in zip(turn.calls, calls, strict=False) if makes]


def _makes(arguments: str) -> bool:
    """Return whether a call may make a commit or a pull request."""
    return ("git" in arguments or "gh pr" in arguments or "glab" in arguments) and _MAKES.search(arguments) is not None


def _undone(turns: Sequence[Turn]) -> set[str]:
    """Return the ids of calls that changed nothing, by what they gave back; of a shape without ids, names."""
    return {part.name for turn in turns for part in turn.parts if part.kind == RESULT and _UNDONE.match(part.text)}


def _touched(name: str, arguments: str) -> Iterator[tuple[str, bool]]:
    """Yield the paths that a call changes or reads."""
    if "*** " in arguments and (patched := _PATCHED.findall(arguments)):
        yield from ((path.strip(), True) for path in patched)
    elif (sort := _sort(name)) in (CHANGED, READ) and (path := path_of(arguments)):
        yield path, sort == CHANGED


@functools.lru_cache(_NAMES)
def _sort(name: str) -> str:
    """Return what a tool of this name does: it changes or reads files, or notes tasks; "" for another."""
    low = name.lower()
    if "todo" in low or low in ("update_plan", "taskupdate"):
        return TASKS
    if _EDITS.search(name) and not _NO_FILES.search(name):
        return CHANGED
    return READ if _READS.search(name) else ""


def _listed(files: dict[str, int], most: int) -> str:
    """Return files, the latest last, below the folder that they share."""
    paths = list(files)
    folders = [path.split("/")[:-1] for path in paths]
    shared = 0
    if len(paths) > 1 and all(path.startswith("/") for path in paths):
        while all(len(folder) > shared and folder[shared] == folders[0][shared] for folder in folders):
            shared += 1
    root = "/".join(folders[0][:shared]) + "/" if shared > 1 else ""
    named = [path[len(root) :] + (f" ×{files[path]}" if files[path] > 1 else "") for path in paths[-most:]]
    more = f"{len(paths) - most} earlier, " if len(paths) > most else ""
    return f"{f'in {root}: ' if root else ''}{more}{', '.join(named)}" if paths else ""


def _files_of(line: str) -> dict[str, int]:
    """Return the files of a line of an earlier summary."""
    root = ""
    if line.startswith("in /"):
        root, _, line = line[3:].partition(": ")
    files = {}
    for entry in line.split(", ") if line else ():
        if not entry.endswith(" earlier"):
            times = _TIMES.search(entry)
            files[root + _TIMES.sub("", entry)] = int(times[1]) if times else 1
    return files


# --- what failed, what is open, what comes next ----------------------------------------------------------------------


def _failed(turns: Sequence[Turn], before: str, last: Fact | None) -> str:
    """Return the last failure that a tool printed, and how many results came after it."""
    if last is not None:
        later = sum(part.kind == RESULT for turn in turns[last.at + 1 :] for part in turn.parts)
        text = f"[{last.name}] {clipped(last.text, _LINE)}"
    elif before:
        count = _SINCE.search(before)
        later = int(count[1] or 0) if count else 0
        later += sum(part.kind == RESULT for turn in turns for part in turn.parts)
        text = _SINCE.sub("", before)
    else:
        return ""
    since = f"then {later} result{'s' * (later > 1)} without one" if later else "nothing ran after it"
    return f"{text} ({since})"


class _Tasks:
    """The tasks as they stand: (text, status) by number or text, and how many were done and are not named any more."""

    def __init__(self, before: str) -> None:
        self._by: dict[str, tuple[str, str]] = {}
        for part, _, rest in (group.partition(": ") for group in before.split(" | ")):
            status = "in_progress" if part == "in progress" else "pending"
            self._by.update((number, (text.strip(), status)) for number, text in _NUMBERED.findall(rest))
        done = _COUNT.search(before)
        self._past = max(0, int(done[2]) - len(self._by)) if done and self._by else 0
        self._before = before

    def note(self, text: str) -> None:
        """Take in that a task was made, as a tool says it."""
        if made := _MADE.match(text):
            self._by[made[1]] = (made[2].strip(), "pending")
            self._before = ""

    def call(self, arguments: str) -> None:
        """Take in a call that writes the list, or moves one task of it."""
        if rows := list(_rows(arguments)):
            self._by, self._past, self._before = {row: (row, status) for row, status in rows}, 0, ""
        elif (moved := _MOVED.search(arguments)) and moved[1] in self._by and (status := _STATUS.search(arguments)):
            self._by[moved[1]] = (self._by[moved[1]][0], status[1])
            self._before = ""

    def __str__(self) -> str:
        return self._before or (_counted(self._by, self._past) if self._by else "")


def _tasks(turns: Sequence[Turn], before: str) -> str:
    """Return how many tasks are done, and which are open, by the last list that the agent wrote down."""
    tasks = _Tasks(before)
    for turn in turns:
        for kind, text, name in turn.parts:
            if kind == RESULT and text.startswith("Task #"):
                tasks.note(text)
            elif kind == CALL and _sort(name) == TASKS:
                tasks.call(text)
    return str(tasks)


def _rows(arguments: str) -> Iterator[tuple[str, str]]:
    """Yield the tasks of a list that a call was given, each with its status."""
    if arguments.startswith("{"):
        try:
            arguments = shapes.flatten(json.loads(arguments))
        except (ValueError, RecursionError):
            return
    row: dict[str, str] = {}
    for whole in arguments.split("\n"):
        line = whole.removeprefix("todos: ").removeprefix("plan: ")
        if box := _BOX.match(line.strip()):
            yield box[2].strip(), "completed" if box[1] in "xX" else "pending"
        elif match := _TASK.match(line):
            row["status" if match[1] == "status" else "text"] = match[2].strip()
            if len(row) > 1:
                yield row["text"], row["status"]
                row = {}


def _counted(tasks: dict[str, tuple[str, str]], past: int) -> str:
    """Return the tasks that are open, and how many are done; `past` are those that were done before."""

    def named(rows: Iterable[tuple[str, str]]) -> str:
        rows = list(rows)
        more = f"; and {len(rows) - _OPEN} more" if len(rows) > _OPEN else ""
        return (
            "; ".join(f"#{key} {text}" if key.isdigit() else clipped(text, _LINE) for key, text in rows[:_OPEN]) + more
        )

    done = past + sum(status in _DONE for _, status in tasks.values())
    groups = [f"{done} of {past + len(tasks)} done"]
    if now := named((key, text) for key, (text, status) in tasks.items() if status in _NOW):
        groups.append(f"in progress: {now}")
    if later := named((key, text) for key, (text, status) in tasks.items() if status not in _DONE | _NOW):
        groups.append(f"to do: {later}")
    return " | ".join(groups)


def _comes(turns: Sequence[Turn]) -> str:
    """Return what the agent said in its last words that it would do next, "" where a person spoke since."""
    for turn in reversed(turns):
        speech = "\n".join(part.text for part in turn.parts if part.kind == TEXT)
        if not speech.strip() or turn.role not in ("user", "assistant"):
            continue
        for line in reversed(speech.split("\n") if turn.role == "assistant" else []):
            for start, stop in reversed(sentences.spans(own := bare(line))):
                if form("signs.next").written().match(own, start, stop):
                    return clipped(flat(own[start:stop]), _LINE)
        break
    return ""
