"""The tasks of a memory by name: which module has which.

Owns finding the one that a command needs: all of them together cost 200 ms to load.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from sleep.records.kinds import RECORDS

if TYPE_CHECKING:
    from sleep.tasks.task import Task

# The modules of tasks by what these are called: a name, or the beginning of the other names that begin so.
MODULES = {
    **dict.fromkeys(("init", "doctor", "demo"), "root"),
    "status": "upkeep.status",
    "recall": "recall",
    "trace": "trace",
    "compress": "cycle.compress",
    "snapshot": "cycle.snapshot",
    **dict.fromkeys(("note", "decide", "journal.add"), "notes"),
    "mcp": "extras.mcp",
    "journal.": "journal",
    **dict.fromkeys(("journal.capture", "journal.digest"), "capture"),
    **dict.fromkeys((f"{kind.command}." for kind in RECORDS), "registers"),
    **dict.fromkeys(("sleep", "sleep.resume", "sleep.undo"), "cycle.sleep"),
    "sleep.": "cycle.debt",
    "sleep.attend": "cycle.attend",
    "wake": "cycle.wake",
    "wake.": "cycle.wake_page",
    **dict.fromkeys(("review", "review."), "review"),
    "bench.": "extras.bench",
    "conversation.": "extras.conversation",
    "memory.": "upkeep.memory",
    **dict.fromkeys(("memory.log", "memory.blame"), "upkeep.memory_history"),
    "topic.": "upkeep.topic_tasks",
    "clients.": "clients",
    "relay.": "extras.relay",
}


def find(name: str) -> Task | None:
    """Return the task of a name, None for none."""
    module = MODULES.get(name) or MODULES.get(f"{name.partition('.')[0]}.", "")
    return next((task for task in _tasks(module) if task.name == name), None) if module else None


def family(task: Task) -> list[Task]:
    """Return a task with those whose names begin as its own does."""
    head = task.name.partition(".")[0]
    modules = dict.fromkeys(module for name, module in MODULES.items() if name.partition(".")[0] == head)
    return [task for module in modules for task in _tasks(module) if task.name.partition(".")[0] == head]


def every() -> dict[str, Task]:
    """Return all tasks by name."""
    return {task.name: task for module in dict.fromkeys(MODULES.values()) for task in _tasks(module)}


def _tasks(module: str) -> tuple[Task, ...]:
    tasks: tuple[Task, ...] = importlib.import_module(f"sleep.tasks.{module}").TASKS
    return tasks
