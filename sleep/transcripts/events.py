"""What happened in a conversation, whichever client wrote it down.

Owns the value that every reader yields, and what readers share: getting records out of a file's lines, clipping what a
tool said. Refuses to judge what is worth keeping: that is the digest's. It is on the path of hooks: standard library
only, nothing heavy.
"""

from __future__ import annotations

import re

from sleep import lean_json
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ERROR_LIMIT = 2_000  # characters of an error that are carried on: its head and its end, where errors say what they are
_ASKED, _ANSWERED = 600, 2_000  # characters of a question and of its answer, at most
_IS, _LINKS = '"="', r'(?="=")'  # what stands between the two, and where, also within another
# Where an answer ends: takes `"This", "` and what stands before a note (`"This" user notes: ...`), leaves `"This"s`.
_ENDS = r'"(?=, "|\.(?: |$)|\s|$)'
_DEEPEST = 200  # objects on one line, at most; a client that writes more has written garbage


class Event(NamedTuple):
    """One thing that happened, in the order of the transcript.

    `role` is who did it: `person`, `agent`, `tool`, or "" for what the client says about the conversation. `kind`:

    - person: `prompt` (typed), `answer` (to a question of the agent's, or when refusing a call of its);
    - agent: `text`, `summary` (of what the client cut away), `plan`, `tasks` (the whole list, as `- [ ]` items), `ask`,
      `edit` (of `path`), `run` (a command), `call` (any other tool, by `text`);
    - tool: `result` of the call `id`; its text is given only when it failed, and clipped;
    - "": `root` (the directory `path` that the agent works in), `unread` (a line that could not be read).

    `at` is the time as the client wrote it, `id` the call's, `ok` false for what failed, `side` true for a sub-agent.
    `line` is the line of the file that says so, from 1; 0 where the file is one document without lines of its own.
    `asked` is the question that an `answer` is to, "" where the client does not say it.
    """

    role: str
    kind: str
    text: str = ""
    at: str = ""
    path: str = ""
    id: str = ""
    ok: bool = True
    side: bool = False
    line: int = 0
    asked: str = ""


UTTERANCES = ("prompt", "answer", "text")  # kinds of what somebody says to somebody
UNREAD = Event("", "unread", ok=False)


def records(lines: Iterable[bytes]) -> Iterator[tuple[int, dict[str, object] | None]]:
    """Yield (line, JSON object) of a file's lines, None for each line that has something else in it.

    Two objects that a client wrote onto one line (`}{`) are both yielded. Lines are counted from 1.
    """
    for number, line in enumerate(lines, 1):
        text = line.decode("utf-8", "replace").strip().removeprefix("\ufeff").strip("\0")
        at = 0
        for _ in range(_DEEPEST):
            if at >= len(text):
                break
            try:
                value, at = lean_json.scan(text, at)
            except (ValueError, RecursionError):
                yield number, None
                break
            yield number, value if isinstance(value, dict) else None
            while at < len(text) and text[at] in " \t,\r":
                at += 1


def document(lines: Iterable[bytes]) -> object:
    """Return the one JSON value that a file's lines are together; an empty object for nothing, None for no value."""
    text = b"".join(lines).decode("utf-8", "replace").strip("\0 \t\r\n\ufeff")
    try:
        return lean_json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None


def clip(text: str, limit: int = ERROR_LIMIT) -> str:
    """Return a text's head and end, with `…` between them where it is longer than the limit."""
    half = limit // 2
    return text if len(text) <= limit else f"{text[:half]}…{text[-half:]}"


def as_text(value: object) -> str:
    """Return a value's text where it is one, else ""; half a surrogate pair, which no file can hold, becomes `?`."""
    if not isinstance(value, str):
        return ""
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "replace").decode()
    return value


def text_of(fields: dict[str, object], *names: str) -> str:
    """Return the text of the first of these fields that has one, else ""."""
    return next(filter(None, (as_text(fields.get(name)) for name in names)), "")


def message_text(content: object) -> str:
    """Return the text of a message that is one string, or a list of parts with a `text`, as most clients write it."""
    if not isinstance(content, list):
        return as_text(content) or as_text(as_object(content).get("text"))
    return "\n".join(filter(None, (as_text(part) or as_text(as_object(part).get("text")) for part in content)))


def between(text: str, before: str, after: str) -> str:
    """Return what stands between two marks, "" where they do not stand there."""
    _, _, rest = text.partition(before)
    inside, end, _ = rest.partition(after)
    return inside.strip() if end else ""


def as_object(value: object) -> dict[str, object]:
    """Return a value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """Return a value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def questions(asked: object) -> str:
    """Return what a tool asks (`[{question}]`), one question a line."""
    return "\n".join(filter(None, (as_text(as_object(item).get("question")) for item in as_list(asked))))


def answers(result: str) -> Iterator[tuple[str, str]]:
    """Yield (question, answer) of what the result of a tool that asks tells the model: `... "Which?"="This", ...`."""
    for line in result.split("\n") if _IS in result else ():
        ends = [match.start() for match in re.finditer(_ENDS, line)]
        at = number = 0  # where a question may begin, and which of the ends is the next
        for middle in [match.start() for match in re.finditer(_LINKS, line)]:
            begun = middle + len(_IS)
            number = next((later for later in range(number, len(ends)) if ends[later] >= begun), len(ends))
            start = line.find('"', max(at, middle - _ASKED - 1), max(at, middle - 1))
            if start < 0 or number == len(ends) or ends[number] > begun + _ANSWERED:
                continue
            at = ends[number] + 1
            if answer := line[begun : ends[number]].strip():
                yield line[start + 1 : middle].strip(), answer


def todo_list(listed: object, *names: str) -> str:
    """Return a tool's list of tasks as a check list; the first of the fields `names` says what is to be done."""
    items = [item for item in map(as_object, as_list(listed)) if item.get("status") != "cancelled"]
    return checklist((text_of(item, *names), item.get("status") == "completed") for item in items)


def checklist(items: Iterable[tuple[str, bool]]) -> str:
    """Return (what, is done) as the items of a check list."""
    return "\n".join(f"- [{'x' if done else ' '}] {' '.join(what.split())}" for what, done in items if what.strip())
