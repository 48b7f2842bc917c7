"""The scene that tests of the clients play in: a context folder, and a hook run in this process."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest

from sleep.clients.hooks import hook
from sleep.debt import book
from sleep.store import context

SAMPLES = json.loads(Path(__file__).with_name("samples.json").read_text(encoding="utf-8"))
EVENTS = (
    "stop",
    "session-start",
    "subagent-start",
    "session-end",
    "pre-compact",
    "user-prompt-submit",
    "subagent-stop",
)
SOUL = "---\nname: test\n---\nTest soul."


@pytest.fixture
def memory(tmp_path, monkeypatch):
    """Return the context of a tree with a context folder and nothing else, no git; the tests run in it."""
    for folder in ("core/features", "state", "knowledge"):
        (tmp_path / "tree" / "memory" / folder).mkdir(parents=True)
    (tmp_path / "tree/memory/core/0.soul.md").write_text(SOUL, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "tree")
    return context.require(os.getcwd())


class Said(str):
    """What a hook printed."""

    __slots__ = ()

    @property
    def context(self) -> str:
        """The text that the model is given."""
        inner = json.loads(self)
        assert len(self.splitlines()) == 1
        assert set(inner) <= {"hookSpecificOutput", "additionalContext"}
        inner = inner.get("hookSpecificOutput", inner)
        assert set(inner) <= {"hookEventName", "additionalContext"}
        return inner["additionalContext"]


@pytest.fixture
def run(memory, monkeypatch):  # never without a memory of its own: this checkout has a real one
    """Return a function that runs a hook in this process with bytes or an object on stdin; returns what it printed."""

    def run(event, given=b"", code=0):
        content = given if isinstance(given, bytes) else json.dumps(given).encode()
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
            patch.setattr("sys.stdout", out)
            assert hook.main([event]) == code
        out.flush()
        return Said(out.buffer.getvalue().decode("utf-8"))

    return run


@pytest.fixture
def ledger(memory):
    """Return a function that reads the ledger's file."""

    def ledger():
        return json.loads(Path(memory.ledger).read_text(encoding="utf-8"))

    return ledger


@pytest.fixture
def debt(memory):
    """Return a function that books debt by hand."""

    def add(total):
        while total:
            book.add(memory, min(3, total), "by hand", 1.7e9)
            total -= min(3, total)

    return add


@pytest.fixture
def transcript(tmp_path):
    """Return a function that writes a transcript of so many calls of a tool, without ids."""

    def write(count, name, text=None):
        line = json.dumps(
            {"type": "assistant", "message": {"content": [{"type": "tool_use", "name": name, "input": {}}]}}
        )
        path = tmp_path / f"{name}-{count}.jsonl"
        path.write_text("".join(f"{line}\n" for _ in range(count)) if text is None else text, encoding="utf-8")
        return str(path)

    return write
