"""The namespace of a memory's tasks: whole for `tasks.py`, and for a command the part that it needs.

Owns which module makes which tasks. All of them together cost 200 ms to load, most commands need one.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from invoke.collection import Collection

from sleep.records.kinds import RECORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

# By what a command begins with: the modules of its tasks. A module has `collection`, `collections` or single tasks.
TASKS = {
    **dict.fromkeys(("init", "status", "doctor", "demo"), "root"),
    **{name: name for name in ("recall", "trace")},
    "compress": "cycle.compress",
    "mcp": "extras.mcp",
}
COLLECTIONS: Mapping[str, str] = {
    "journal": "journal",
    **dict.fromkeys((kind.command for kind in RECORDS), "registers"),
    "sleep": "cycle.sleep",
    "wake": "cycle.wake",
    "review": "review",
    "bench": "extras.bench",
    "conversation": "extras.conversation",
    "memory": "upkeep.memory",
    "topic": "upkeep.topic_tasks",
    "clients": "clients",
    "relay": "extras.relay",
}
# Tasks of a collection that stand in a module of their own.
MORE = {"journal": ("capture", "capture"), "sleep": ("cycle.attend", "attend")}


def part(word: str) -> Collection:
    """Return the namespace for a command that begins with `word`: its part alone, or all where none has it."""
    name = word.partition(".")[0]
    if word in TASKS:
        return _made((word,), ())
    return _made((), (name,)) if name in COLLECTIONS else whole()


def whole() -> Collection:
    """Return the namespace of all tasks."""
    return _made(tuple(TASKS), tuple(COLLECTIONS))


def _made(tasks: tuple[str, ...], collections: tuple[str, ...]) -> Collection:
    namespace = Collection()
    for name in tasks:
        namespace.add_task(getattr(_module(TASKS[name]), name))
    for name in collections:
        module = _module(COLLECTIONS[name])
        own: Collection = module.collections[name] if hasattr(module, "collections") else module.collection
        if name in MORE:
            where, what = MORE[name]
            if what not in own.tasks:
                own.add_task(getattr(_module(where), what))
        namespace.add_collection(own)
    return namespace


def _module(name: str) -> Any:
    return importlib.import_module(f"sleep.tasks.{name}")
