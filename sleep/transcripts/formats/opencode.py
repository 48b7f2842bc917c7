"""OpenCode's transcript: what `opencode export` prints, one JSON document, or JSON lines of messages and parts.

Owns what these mean. The export is `{info, messages: [{info, parts}]}`; versions nest the same messages and parts in
other ways, so they are looked for at any depth. A part that was written again counts in its last form.
"""

from __future__ import annotations

import re

from sleep.transcripts import boilerplate, patch_text
from sleep.transcripts.events import UNREAD, Event, as_list, as_object, as_text, checklist, clip, document, records
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NAME = "opencode"
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
    found: dict[str, list[Event]] = {}
    if isinstance(whole, (dict, list)):
        _walk(whole, 0, found)
    else:
        for number, record in records(raw):
            if record is None:
                found[f"line {number}"] = [UNREAD._replace(line=number)]
            else:
                _walk(record, number, found)
    for told in found.values():
        yield from told


def _walk(top: object, line: int, found: dict[str, list[Event]]) -> None:
    """Look for messages and parts at any depth, in order; what a call was given is not looked into."""
    left: list[tuple[object, _Above]] = [(top, _Above())]
    while left:
        one, above = left.pop()
        if isinstance(one, list):
            left.extend((each, above) for each in reversed(one))
            continue
        if not isinstance(one, dict):
            continue
        above = _above(one, above)
        key = as_text(one.get("callID")) or as_text(one.get("id")) or f"{line}.{len(found)}"
        told = [event._replace(line=line, side=above.side, at=event.at or above.at) for event in _part(one, above)]
        if told:
            found[key] = [event._replace(line=found[key][0].line) for event in told] if key in found else told
        inside = one if not told else {"metadata": as_object(one.get("state")).get("metadata")}
        under = above._replace(side=True) if told and "tool" in one else above
        left.extend((each, under) for name, each in reversed(inside.items()) if name not in ("input", "summary"))
        if told and "tool" in one:  # what a sub-agent called is summed up in its own call
            left.append((as_object(as_object(one.get("state")).get("metadata")).get("summary"), under))


def _above(one: dict[str, object], above: _Above) -> _Above:
    info = as_object(one.get("info")) or one
    role = as_text(info.get("role"))
    if as_text(info.get("directory")) and info.get("parentID"):
        above = above._replace(side=True)  # the session of a sub-agent
    if role not in ("user", "assistant"):
        return above
    at = moment(as_object(info.get("time")).get("created"))
    return above._replace(role=role, at=at or above.at, is_summary=info.get("summary") is True)


def _part(one: dict[str, object], above: _Above) -> Iterator[Event]:
    """Yield what one object says, where it is a session, a text or a call."""
    kind = one.get("type")
    if as_text(one.get("directory")) and as_text(one.get("id")).startswith("ses_"):
        yield Event("", "root", path=as_text(one.get("directory")))
    elif kind == "text" and not one.get("synthetic") and not one.get("ignored"):
        text = as_text(one.get("text")).strip()
        if above.role == "user":
            if typed := boilerplate.strip(text):
                yield Event("person", "prompt", typed)
        elif text:
            yield Event("agent", "summary" if above.is_summary else "text", text)
    elif kind == "tool" and isinstance(one.get("tool"), str):
        state, call = as_object(one.get("state")), as_text(one.get("callID")) or as_text(one.get("id"))
        at = moment(as_object(state.get("time")).get("start"))
        yield from (
            event._replace(at=at) for event in _call(as_text(one.get("tool")), as_object(state.get("input")), call)
        )
        yield from (event._replace(at=at) for event in _result(state, call))


def _call(name: str, given: dict[str, object], call: str) -> Iterator[Event]:
    path = as_text(given.get("filePath")) or as_text(given.get("path"))
    if name in EDITS:
        patched = patch_text.files(as_text(given.get("patchText")) or as_text(given.get("patch")))
        yield from (Event("agent", "edit", path=one, id=call) for one in patched or (path,))
    elif name == "bash":
        yield Event("agent", "run", as_text(given.get("command")), id=call)
    elif name == "question":
        asked = [as_text(as_object(one).get("question")) for one in as_list(given.get("questions"))]
        yield Event("agent", "ask", "\n".join(filter(None, asked)), id=call)
    elif name == "todowrite":
        listed = [as_object(one) for one in as_list(given.get("todos"))]
        done = [(as_text(one.get("content")), one.get("status") == "completed") for one in listed]
        yield Event("agent", "tasks", checklist(done), id=call)
    else:
        yield Event("agent", "call", name, path=path, id=call)


def _result(state: dict[str, object], call: str) -> Iterator[Event]:
    """Yield how a call ended; one that never ended changed nothing. A person's words in a refusal are theirs."""
    error = as_text(state.get("error")).strip()
    if refused := _REFUSED.search(error):
        if refused[1]:
            yield Event("person", "answer", refused[1].strip(), id=call)
        error = ""
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
