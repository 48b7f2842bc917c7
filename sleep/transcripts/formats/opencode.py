"""OpenCode's transcript: what `opencode export` prints, one JSON document, or JSON lines of messages and parts.

Owns what these mean. The export is `{info, messages: [{info, parts}]}`; versions nest the same messages and parts in
other ways, so they are looked for at any depth. A part that was written again counts in its last form.
"""

from __future__ import annotations

import re

from sleep.transcripts import boilerplate, patch_text
from sleep.transcripts.events import (
    UNREAD,
    Event,
    answers,
    as_object,
    as_text,
    clip,
    document,
    questions,
    records,
    text_of,
    todo_list,
)
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EDITS = ("write", "edit", "multiedit", "patch", "apply_patch")
_SESSION = re.compile(rb'"(?:id|sessionID)"\s*:\s*"ses_')
_REFUSED = re.compile(r"\bThe user (?:has )?(?:rejected|dismissed)\b.*?(?:following feedback:\s*(.*))?\Z", re.DOTALL)
_DAY, _SECOND = 86_400, 1_000
_LATEST = 10**14  # milliseconds: beyond it stands no time


class _Above(NamedTuple):
    """What holds for what stands inside a message: who says it, when, whether a sub-agent or a summary does."""

    role: str = ""
    at: str = ""
    side: bool = False
    is_summary: bool = False


def sniff(head: bytes) -> bool:
    """True if the first bytes of a file look like this client's."""
    return bool(_SESSION.search(head))


def read(lines: Iterable[bytes]) -> Iterator[Event]:
    """Yield what happened, once all is read; never raises for what the file holds."""
    raw = list(lines)
    whole = document(raw)
    parts: dict[str, list[Event]] = {}
    if isinstance(whole, (dict, list)):
        _walk(whole, 0, parts)
    else:
        for number, record in records(raw):
            if record is None:
                parts[f"line {number}"] = [UNREAD._replace(line=number)]
            else:
                _walk(record, number, parts)
    for events in parts.values():
        yield from events


def _walk(top: object, line: int, parts: dict[str, list[Event]]) -> None:
    """Look for messages and parts at any depth, in order; what a call was given is not looked into."""
    left: list[tuple[object, _Above]] = [(top, _Above())]
    while left:
        node, above = left.pop()
        if isinstance(node, list):
            left.extend((child, above) for child in reversed(node))
        if not isinstance(node, dict):
            continue
        above = _above(node, above)
        key = text_of(node, "callID", "id") or f"{line}.{len(parts)}"
        at = parts[key][0].line if key in parts else line
        events = [event._replace(line=at, side=above.side, at=event.at or above.at) for event in _part(node, above)]
        if not events:
            left.extend(_children(node, above))
            continue
        parts[key] = events
        metadata = as_object(node.get("state")).get("metadata")
        if "tool" in node:  # what a sub-agent called is summed up in its own call
            above = above._replace(side=True)
            left.extend(((metadata, above), (as_object(metadata).get("summary"), above)))
        else:
            left.append((metadata, above))


def _children(node: dict[str, object], above: _Above) -> Iterator[tuple[object, _Above]]:
    """Yield the members of an object, the last first; what a call was given, and a summary, are not looked into."""
    return ((child, above) for name, child in reversed(node.items()) if name not in ("input", "summary"))


def _above(node: dict[str, object], above: _Above) -> _Above:
    info = as_object(node.get("info")) or node
    role = as_text(info.get("role"))
    if as_text(info.get("directory")) and info.get("parentID"):
        above = above._replace(side=True)  # the session of a sub-agent
    if role not in ("user", "assistant"):
        return above
    at = moment(as_object(info.get("time")).get("created"))
    return above._replace(role=role, at=at or above.at, is_summary=info.get("summary") is True)


def _part(node: dict[str, object], above: _Above) -> Iterator[Event]:
    """Yield what one object says, where it is a session, a text or a call."""
    kind = node.get("type")
    if as_text(node.get("directory")) and as_text(node.get("id")).startswith("ses_"):
        yield Event("", "root", path=as_text(node.get("directory")))
    elif kind == "text" and not node.get("synthetic") and not node.get("ignored"):
        text = as_text(node.get("text")).strip()
        if above.role == "user":
            if typed := boilerplate.strip(text):
                yield Event("person", "prompt", typed)
        elif text:
            yield Event("agent", "summary" if above.is_summary else "text", text)
    elif kind == "tool" and isinstance(node.get("tool"), str):
        state, call = as_object(node.get("state")), text_of(node, "callID", "id")
        at = moment(as_object(state.get("time")).get("start"))
        yield from (
            event._replace(at=at) for event in _call(as_text(node.get("tool")), as_object(state.get("input")), call)
        )
        yield from (event._replace(at=at) for event in _result(as_text(node.get("tool")), state, call))


def _call(name: str, arguments: dict[str, object], call: str) -> Iterator[Event]:
    path = text_of(arguments, "filePath", "path")
    if name in EDITS:
        yield from patch_text.edits(text_of(arguments, "patchText", "patch"), call, path)
    elif name == "bash":
        yield Event("agent", "run", as_text(arguments.get("command")), id=call)
    elif name == "question":
        yield Event("agent", "ask", questions(arguments.get("questions")), id=call)
    elif name == "todowrite":
        yield Event("agent", "tasks", todo_list(arguments.get("todos"), "content"), id=call)
    else:
        yield Event("agent", "call", name, path=path, id=call)


def _result(name: str, state: dict[str, object], call: str) -> Iterator[Event]:
    """Yield how a call ended; one that never ended changed nothing. A person's words in a refusal are theirs."""
    error = as_text(state.get("error")).strip()
    if refused := _REFUSED.search(error):
        if refused[1]:
            yield Event("person", "answer", refused[1].strip(), id=call)
        error = ""
    if name == "question":  # its output tells the model what a person answered
        for asked, answer in answers(as_text(state.get("output"))):
            yield Event("person", "answer", answer, id=call, asked=asked)
    ok = state.get("status") in (None, "completed")
    yield Event("tool", "result", "" if ok else clip(error), id=call, ok=ok)


def moment(value: object) -> str:
    """Return milliseconds since 1970 as a time in ISO form; "" where they are none. No clock is asked."""
    if not isinstance(value, (int, float)) or not 0 < value < _LATEST:
        return ""
    seconds, thousandths = divmod(int(value), _SECOND)
    days, left = divmod(seconds, _DAY)
    # Howard Hinnant's civil_from_days: days since 1 March of year 0, in eras of 400 years.
    era, day = divmod(days + 719_468, 146_097)
    year = (day - day // 1_460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5 - 1
    year, month = year + (month + 2) // 12, (month + 2) % 12 + 1  # its months begin with March
    hours, minutes = divmod(left // 60, 60)
    return f"{era * 400 + year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{left % 60:02}.{thousandths:03}Z"
