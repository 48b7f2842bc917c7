"""The tasks as the agent wrote them down: how many are done, which are open. Owns reading every client's lists."""

from __future__ import annotations

import functools
import json
import re
from typing import TYPE_CHECKING

from sleep.conversation.messages import shapes
from sleep.conversation.messages.shapes import CALL, RESULT
from sleep.conversation.summary.fact import clipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.conversation.messages.shapes import Turn

_NAMES = 256  # names of tools that are remembered
_OPEN = 8  # open tasks that are named
_LINE = 240  # characters of a task
_TASK = re.compile(r"(content|step|title|description|status|subject): (.+)")
_BOX = re.compile(r"[-*] \[([ xX~])\] (.+)")
_MADE = re.compile(r"Task #(\d+) created successfully: (.+)")
_MOVED = re.compile(r"\"?taskId\"?: \"?(\d+)")
_STATUS = re.compile(r"\"?status\"?: \"?(\w+)")
_DONE, _NOW = frozenset({"completed", "done", "cancelled", "deleted"}), frozenset({"in_progress", "doing", "active"})
_COUNT = re.compile(r"(\d+) of (\d+) done")
_NUMBERED = re.compile(r"#(\d+) ([^;]+)")
_EMPTY = re.compile(r"\s*\{?\s*\"?(?:todos|plan|items)\"?\s*:\s*(?:\[\s*\]\s*\}?\s*)?\Z")  # a list that was cleared


@functools.lru_cache(_NAMES)
def is_list(name: str) -> bool:
    """Return whether a tool of this name notes tasks."""
    low = name.lower()
    return "todo" in low or low in ("update_plan", "taskupdate")


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
        if (rows := list(_rows(arguments))) or _EMPTY.match(arguments):
            self._by, self._past, self._before = {row: (row, status) for row, status in rows}, 0, ""
        elif (moved := _MOVED.search(arguments)) and moved[1] in self._by and (status := _STATUS.search(arguments)):
            self._by[moved[1]] = (self._by[moved[1]][0], status[1])
            self._before = ""

    def __str__(self) -> str:
        return self._before or (_counted(self._by, self._past) if self._by else "")


def of_turns(turns: Sequence[Turn], before: str) -> str:
    """Return how many tasks are done, and which are open, by the last list that the agent wrote down."""
    tasks = _Tasks(before)
    for turn in turns:
        for kind, text, name in turn.parts:
            if kind == RESULT and text.startswith("Task #"):
                tasks.note(text)
            elif kind == CALL and is_list(name):
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
