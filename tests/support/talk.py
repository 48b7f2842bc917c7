"""Transcripts of Claude Code, made line by line, as its versions since 2.1 write them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

CWD = "/ho" + "me/ana/work/app"


class Talk:
    """A transcript on disk that grows."""

    def __init__(self, path, session="s1", cwd=CWD, begins=datetime(2026, 11, 21, 10, 0, tzinfo=UTC)):
        self.path = path
        self.session = session
        self.cwd = cwd
        self._time = begins
        self._calls = 0
        self.lines = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()

    def _write(self, kind, content, **more):
        self.lines += 1
        self._time += timedelta(milliseconds=1370)
        record = {
            "parentUuid": None,
            "isSidechain": False,
            "sessionId": self.session,
            "cwd": self.cwd,
            "uuid": f"{self.session}-{self.lines}",
            "timestamp": self._time.strftime("%Y-%m-%dT%H:%M:%S.%f")[:23] + "Z",
            "type": kind,
            "message": {"role": kind, "content": content},
            **more,
        }
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
        return self

    def prompt(self, text):
        """A person types."""
        return self._write("user", text)

    def says(self, text):
        """The agent says something."""
        return self._write("assistant", [{"type": "text", "text": text}])

    def calls(self, name, *, ok=True, said="", **given):
        """The agent calls a tool, and its result comes."""
        self._calls += 1
        call = f"{self.session}-call-{self._calls}"
        self._write("assistant", [{"type": "tool_use", "id": call, "name": name, "input": given}])
        result = {"type": "tool_result", "tool_use_id": call, "content": said, **({} if ok else {"is_error": True})}
        return self._write("user", [result])

    def edits(self, name, *, ok=True, said="done"):
        """The agent edits a file of the project."""
        return self.calls("Edit", ok=ok, said=said, file_path=f"{self.cwd}/{name}")

    def runs(self, command, *, ok=True, said=""):
        """The agent runs a command."""
        return self.calls("Bash", ok=ok, said=said, command=command)

    def summary(self, text):
        """The client cuts the conversation short."""
        return self._write("user", text, isCompactSummary=True)

    def raw(self, line):
        """Add a line as it is, without its end."""
        with self.path.open("ab") as file:
            file.write(line if isinstance(line, bytes) else line.encode())
        return self

    def work(self, what="the lock"):
        """A session in small: a request, a decision, edits, an error that is mended, a closing message."""
        self.prompt(f"Please make {what} hold on NFS, and say why it was lost.")
        self.says(f"I decided to use flock for {what} because the kernel drops it with its holder.")
        self.edits("src/lock.py").edits("src/lock.py")
        self.runs("pytest tests -q", ok=False, said="Exit code 1\nAssertionError: lock was lost after 3 tries")
        self.edits("src/wait.py")
        self.runs("pytest tests -q | tail -3", said="3 passed")
        return self.says(f"{what.capitalize()} holds on NFS now: the race was in `src/lock.py`. Shall I push it?")
