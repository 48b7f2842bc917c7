"""A client written by hand: one JSON object a line, as the protocol says, and nothing of the SDK."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path

import template

SLEEPWAKE = str(Path(sys.executable).with_name("sleepwake"))
PATIENCE = 60  # seconds; a machine of CI is slower
HANDSHAKE = "2025-11-25"
MODERN = "2026-07-28"
_META = "io.modelcontextprotocol/"
ENVELOPE = {
    f"{_META}protocolVersion": MODERN,
    f"{_META}clientInfo": {"name": "by hand", "version": "1"},
    f"{_META}clientCapabilities": {},
}


def memory(path):
    """Make a memory in a new repository, and return its folder."""
    return template.lay(path, _memory)


def _memory(path):
    path.mkdir(parents=True, exist_ok=True)
    for words in (["git", "init", "-q"], [SLEEPWAKE, "init"], ["git", "add", "-A"], ["git", "commit", "-qm", "start"]):
        subprocess.run(words, cwd=path, check=True, capture_output=True, timeout=PATIENCE)


class Wire:
    """A server's process and its two pipes; every line that it prints must be a message."""

    def __init__(self, folder, *words, env=None):
        self.process = subprocess.Popen(
            [SLEEPWAKE, "mcp", *words],
            cwd=folder,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.lines = queue.Queue()
        self.complaints = []
        self._threads = [
            threading.Thread(target=self._read, args=(self.process.stdout, self.lines.put), daemon=True),
            threading.Thread(target=self._read, args=(self.process.stderr, self.complaints.append), daemon=True),
        ]
        for one in self._threads:
            one.start()
        self._last = 0

    def _read(self, stream, take):
        for line in stream:
            take(line)
        take(b"")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        for one in self._threads:
            one.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()

    def line(self, text):
        """Send a line as it is."""
        self.process.stdin.write(text if isinstance(text, bytes) else text.encode() + b"\n")
        self.process.stdin.flush()

    def send(self, method, params=None, **more):
        """Send a message: a request with an `id`, else a notification."""
        self.line(json.dumps({"jsonrpc": "2.0", "method": method, **more, **({"params": params} if params else {})}))

    def start(self, method, params=None):
        """Send a request and return its id."""
        self._last += 1
        self.send(method, params, id=self._last)
        return self._last

    def answer(self, patience=PATIENCE):
        """Return the next message of the server."""
        line = self.lines.get(timeout=patience)
        assert line, b"".join(self.complaints).decode()
        found = json.loads(line)
        assert found["jsonrpc"] == "2.0"
        return found

    def ask(self, method, params=None):
        """Send a request and return its answer."""
        number = self.start(method, params)
        found = self.answer()
        assert found["id"] == number, found
        return found

    def hello(self, revision=HANDSHAKE):
        """Shake hands, and return the server's part."""
        who = {"name": "by hand", "version": "1"}
        found = self.ask("initialize", {"protocolVersion": revision, "capabilities": {}, "clientInfo": who})
        self.send("notifications/initialized")
        return found["result"]

    def call(self, name, **given):
        """Call a tool and return (text, whether it is an error)."""
        return said(self.ask("tools/call", {"name": name, "arguments": given}))

    def children(self):
        """Return the processes that the server started and that live."""
        return [pid for pid, parent in processes() if parent == self.process.pid]

    def child(self):
        """Wait for a child of the server and return its number."""
        return until(self.children)[0]


def said(answer):
    """Return the text of a tool's result, and whether it is an error."""
    result = answer["result"]
    assert "structuredContent" not in result
    (one,) = result["content"]
    assert one["type"] == "text"
    return one["text"], result["isError"]


def processes():
    """Return (process, parent) of every process that lives."""
    shown = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = (line.split() for line in shown.splitlines())
    return [(int(pid), int(parent)) for pid, parent, state, *_ in rows if not state.startswith("Z")]


def is_alive(pid):
    """Return whether a process lives."""
    return any(one == pid for one, _ in processes())


def until(question, patience=PATIENCE):
    """Ask until the answer is true, and return it."""
    end = time.monotonic() + patience
    while not (found := question()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)
    return found
