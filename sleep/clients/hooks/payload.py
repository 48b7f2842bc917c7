"""What a client says to a hook on standard input, whoever the client is.

Owns reading it (bounded in size and in time) and taking it as it comes: no UTF-8, no JSON, no object, other types,
other names. Refuses to fail: what cannot be read is as if it had not been said. Ids are kept as given; who makes a path
of one looks at it first.
"""

from __future__ import annotations

import os
import sys
import time

from sleep import lean_json
from sleep.clients import client_table

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs 4 ms, and every turn of every agent comes this way
    from collections.abc import Mapping

LIMIT = 64 << 20
PATIENCE = 4.0  # seconds for a pipe that stays open
_QUIET = 0.25  # of silence after what looks like the end
_CHUNK = 1 << 18
_FIRST_PAUSE, _LONGEST_PAUSE = 0.0005, 0.02
_MARK = b"\xef\xbb\xbf"  # of byte order
_LONGEST_ID = 256
_SUBAGENT = "subagent"  # the type of such a task
_KIND, _REGULAR = 0o170_000, 0o100_000  # of a file's mode: inode(7)


class Payload:
    """What was said: each field is text, "" where it was not said; `event` is the client's own name of the event.

    `may_go_on` is true where the client says that no hook has made it go on already, and that this is the main agent's
    turn with no sub-agent of it under way.
    """

    __slots__ = (
        "client",
        "cwd",
        "event",
        "may_go_on",
        "message",
        "prompt",
        "reason",
        "session",
        "source",
        "transcript",
    )

    def __init__(self, fields: Mapping[str, object], environ: Mapping[str, str]) -> None:
        self.event = _text(fields, "hook_event_name", "hookEventName")
        self.session = _text(fields, "session_id", "sessionId")[:_LONGEST_ID]
        self.transcript = _file(_path(fields, "transcript_path", "transcriptPath"))
        self.cwd = _path(fields, "cwd")
        self.source = _text(fields, "source")
        self.reason = _text(fields, "reason")
        self.prompt = _text(fields, "submitted_prompt", "prompt")  # the first without what the client put in
        self.message = _text(fields, "last_assistant_message", "prompt_response")
        self.may_go_on = (
            fields.get("stop_hook_active") is False
            and not _text(fields, "agent_id", "agent_transcript_path")
            and not _has_agents(fields.get("background_tasks"))
        )
        self.client = client_table.name_of(self.transcript, self.event, fields, environ)
        if not self.transcript and self.client:
            self.transcript = _file(client_table.transcript_of(self.client, self.session, environ))
        if parent := _text(fields, "parent_agent_id")[:_LONGEST_ID]:  # a sub-agent, which names itself as the session
            self.session = client_table.session_of(self.client, self.transcript) or parent


def read() -> tuple[dict[str, object], str]:
    """Return what standard input says, {} when it says nothing that can be read, and what is wrong with it.

    Nothing is wrong where nothing was said, or a person sits there.
    """
    stream = sys.stdin
    try:
        if stream is None or stream.closed or stream.isatty():
            return {}, ""
        try:
            descriptor = stream.fileno()
        except (OSError, ValueError):  # not a file: a test's
            return _whole(stream.buffer.read(LIMIT))
        return _drained(descriptor)
    except (OSError, ValueError, AttributeError):
        return {}, ""


def _whole(content: bytes) -> tuple[dict[str, object], str]:
    """Return the fields of all that was said, and what is wrong with it; none of its words, which are not ours."""
    if not content.strip():
        return {}, ""
    try:
        value = lean_json.loads(content.removeprefix(_MARK).decode("utf-8", "replace"))
    except (ValueError, RecursionError, MemoryError) as error:
        why = str(error) if isinstance(error, ValueError) else type(error).__name__
        return {}, f"what the client said is no JSON ({len(content)} bytes: {why})"
    if isinstance(value, dict):
        return value, ""
    return {}, f"what the client said is JSON of a {type(value).__name__} (would be right: an object)"


def _drained(descriptor: int) -> tuple[dict[str, object], str]:
    """Read to the end, or until the time is up; a pipe that stays open after a whole object is not waited for."""
    parts: list[bytes] = []
    size, deadline = 0, time.monotonic() + PATIENCE
    while size < LIMIT:
        ended = bool(parts) and parts[-1].rstrip()[-1:] == b"}"
        part = _next(descriptor, min(deadline, time.monotonic() + _QUIET) if ended else deadline)
        if part is None:  # silence
            if ended and not (whole := _whole(b"".join(parts)))[1]:
                return whole
            if time.monotonic() >= deadline:
                break
        elif part:
            parts.append(part)
            size += len(part)
        else:
            break
    return _whole(b"".join(parts))


def _next(descriptor: int, deadline: float) -> bytes | None:
    """Return what can be read next, b"" at the end, None when nothing came before the deadline.

    By looking again and again: loading `select` costs more than most hooks wait.
    """
    pause = _FIRST_PAUSE
    try:
        os.set_blocking(descriptor, False)
    except (OSError, AttributeError):  # Windows: a pipe is waited for
        return os.read(descriptor, _CHUNK)
    try:
        while True:
            try:
                return os.read(descriptor, _CHUNK)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    return None
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)
    finally:
        os.set_blocking(descriptor, True)


def _text(fields: Mapping[str, object], *names: str) -> str:
    """Return the first of these fields that is text, without halves of surrogate pairs, which no file can hold."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str) and value:
            return value.encode("utf-8", "replace").decode("utf-8")
    return ""


def _has_agents(tasks: object) -> bool:
    """Return whether a sub-agent is among the tasks in the background: the turn is not over then."""
    return isinstance(tasks, list) and any(isinstance(task, dict) and task.get("type") == _SUBAGENT for task in tasks)


def _path(fields: Mapping[str, object], *names: str) -> str:
    value = _text(fields, *names)
    return "" if "\0" in value else value


def _file(path: str) -> str:
    """Return a path, "" if a pipe, device or folder is there, which could keep its reader waiting for ever."""
    try:
        return path if not path or os.stat(path).st_mode & _KIND == _REGULAR else ""
    except (OSError, ValueError):
        return path
