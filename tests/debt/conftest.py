"""A context folder with a ledger, and sessions that stop in it, with a clock that goes on by itself."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from sleep.debt import book, moves, sessions
from sleep.debt import settlement as settlements
from sleep.settings import Settings
from sleep.store import context as contexts

BEGIN = 1_795_255_200.0  # 2026-11-21T10:00:00Z


def block(name="Write", call="", at="", *, failed=False):
    """Return the lines of one call that edits, as a client writes them; without an id unless one is given."""
    use = {"type": "tool_use", "name": name, "input": {}, **({"id": call} if call else {})}
    line = {"type": "assistant", "message": {"content": [use]}, **({"timestamp": at} if at else {})}
    lines = [line]
    if failed:
        result = {"type": "tool_result", "tool_use_id": call, "is_error": True, "content": "no"}
        lines.append({"type": "user", "message": {"content": [result]}})
    return "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in lines)


class Desk:
    """A context folder, git or no git, with its settings, transcripts and a clock."""

    def __init__(self, home, folder="memory"):
        self.home = Path(home)
        (self.home / folder).mkdir(parents=True, exist_ok=True)
        self.context = contexts.Context(str(self.home), str(self.home / folder))
        self.settings = Settings()
        self.now = BEGIN

    def tick(self, seconds=1.0):
        """Let time go on, and return it."""
        self.now += seconds
        return self.now

    def transcript(self, name, text):
        """Write a transcript, now by this clock, and return its path."""
        path = self.home / "transcripts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        os.utime(path, (self.tick(), self.now))
        return str(path)

    def edits(self, name, count, tool="Write", first=0):
        """Write a transcript of so many edits with ids of their own, from `first` on, and return its path."""
        return self.transcript(name, "".join(block(tool, f"{name}-{at}") for at in range(first, first + count)))

    def append(self, path, text):
        """Add to a transcript."""
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)
        os.utime(path, (self.tick(), self.now))

    def seen(self, session, path="", **fields):
        """Return a session as a hook names it."""
        return sessions.Sighting(session, "claude", path, str(self.home), **fields)

    def open(self, session, path="", **fields):
        """Begin a session."""
        return book.record_start(self.context, self.seen(session, path, **fields), self.tick())

    def stop(self, session, path="", message="did it", **fields):
        """Stop a session."""
        return book.record_stop(self.context, self.settings, self.seen(session, path, **fields), message, self.tick())

    def end(self, session, path="", reason="exit"):
        """End a session."""
        return book.record_end(self.context, self.settings, self.seen(session, path), reason, self.tick())

    def catch_up(self, but=""):
        """Catch up, as at a session start."""
        return book.catch_up(self.context, self.settings, self.tick(), but)

    def add(self, score, text="talked it over"):
        """Add an entry by hand."""
        return book.add(self.context, score, text, self.tick())

    def start(self):
        """Start a sleep by hand."""
        return book.start(self.context, self.tick())

    def done(self, summary="consolidated"):
        """End a sleep by hand."""
        return book.done(self.context, summary, self.tick(), self.settings)

    def begin(self, cycle=1, instance="i1abc"):
        """Begin a sleep of one cycle, as far as its first commit."""
        (share,) = settlements.begin(
            self.context, self.tick(), [moves.CycleShare(cycle, instance)], settings=self.settings
        )
        settlements.keep(self.context, share)
        return share

    def sleep(self, cycle=1, instance="i1abc", meanwhile=lambda: None, *, lands=True):
        """Sleep as the program does; `meanwhile` happens between its beginning and its settling."""
        settlement = self.begin(cycle, instance)
        meanwhile()
        if lands:
            self.land(cycle, instance)
        return settlements.settle(self.context, settlement, f"cycle {cycle}", self.tick(), self.settings)

    def land(self, cycle, instance):
        """Have the table of cycles name a cycle."""
        table = Path(self.context.folder, "cycles.md")
        table.write_text(f"| {cycle} | {instance} | 2026-11-21T10:00:00Z | - | 1 | 1 | handoff |\n", encoding="utf-8")

    @property
    def ledger(self):
        """The ledger as it is."""
        return book.read(self.context)

    @property
    def json(self):
        """The ledger's file, parsed."""
        return json.loads(Path(self.context.ledger).read_text(encoding="utf-8"))

    def write(self, value):
        """Write the ledger's file: a text, or a value as JSON."""
        Path(self.context.state).mkdir(exist_ok=True)
        text = value if isinstance(value, str) else json.dumps(value)
        Path(self.context.ledger).write_text(text, encoding="utf-8")

    def records(self):
        """Return (id, changes, score) of each session, newest first."""
        return [(one.session_id, one.change_count, one.score) for one in self.ledger.sessions]

    def known(self, session):
        """Return what is known of a session."""
        return sessions.read(self.context, session)

    def state(self):
        """Return every file of the state, by its path."""
        found = Path(self.context.state).rglob("*")
        return {one.relative_to(self.context.state).as_posix(): one.read_bytes() for one in found if one.is_file()}

    def aside(self):
        """Return the contents of what was set aside."""
        return [text.decode() for name, text in sorted(self.state().items()) if ".corrupt-" in name]

    def age(self, path, seconds):
        """Make a file look as if it had not changed for so long."""
        os.utime(path, (self.now - seconds, self.now - seconds))

    def copy(self, home):
        """Return a desk with a copy of everything."""
        shutil.copytree(self.home, home)
        made = Desk(home)
        made.now = self.now
        return made


@pytest.fixture
def desk(tmp_path):
    """Return a context folder without a ledger."""
    return Desk(tmp_path / "project")


@pytest.fixture
def edit():
    """Return the function that gives the lines of one edit."""
    return block
