"""The namespace of a memory's tasks: whole for `tasks.py`, and for a command the part that it needs.

Owns which module makes which tasks. All of them together cost 200 ms to load, most commands need one.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from invoke.collection import Collection
from invoke.tasks import Task

from sleep.records.kinds import RECORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# By what a command begins with: the modules of its tasks. A module has `collection`, `collections` or single tasks.
TASKS = {
    **dict.fromkeys(("init", "status", "doctor", "demo"), "root"),
    **{name: name for name in ("recall", "trace")},
    "compress": "cycle.compress",
    "snapshot": "cycle.snapshot",
    **dict.fromkeys(("note", "decide"), "notes"),
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


def named(namespace: Collection, prefix: str = "") -> Iterator[tuple[str, Task[Any]]]:
    """Yield the tasks by the names that a person calls them by: `journal.add`, or `sleep` for its default."""
    for name, task in namespace.tasks.items():
        yield (prefix.rstrip(".") if name == namespace.default else prefix + name), task
    for name, inner in namespace.collections.items():
        yield from named(inner, f"{prefix}{name}.")


def names(namespace: Collection) -> list[str]:
    """Return what a person calls the tasks, in their order."""
    return [name for name, _ in named(namespace)]


def has(namespace: Collection, word: str) -> bool:
    """Return whether a word is the name of a task: as a person calls it, or in full (`sleep.sleep`)."""
    try:
        return bool(word) and namespace[word] is not None
    except (KeyError, ValueError):  # no such task; a collection without a default
        return False


def join(names: Mapping[str, object]) -> Collection:
    """Return the tasks of a `tasks.py`, by its global names, and beside them those of a memory.

    What is there keeps its name: a task of the memory of the same name is left to `sleepwake`. A namespace of its own
    (`ns` or `namespace`) goes on as it is.
    """
    own = next((names[name] for name in ("ns", "namespace") if isinstance(names.get(name), Collection)), None)
    joined = own if isinstance(own, Collection) else Collection()
    if own is None:
        for value in names.values():
            if isinstance(value, Task):
                joined.add_task(value)
    every = whole()
    for name, task in every.tasks.items():
        if not _has(joined, name):
            joined.add_task(task, name)
    for name, collection in every.collections.items():
        if not _has(joined, name):
            joined.add_collection(collection, name)
    return joined


def _has(namespace: Collection, name: str) -> bool:
    return name in namespace.tasks or name in namespace.collections


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
