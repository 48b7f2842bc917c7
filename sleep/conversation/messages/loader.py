"""Files of messages: JSON, JSON lines, and what clients write down, as messages of a provider's shape.

Owns telling the formats apart and reading the plain ones. What a client's file means is `transcript`. Calls that were
never answered are left out, and the other way round: a provider would refuse them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from sleep.conversation.messages import shapes, transcript
from sleep.conversation.messages.shapes import CHAT
from sleep.errors import DocumentError, UsageError
from sleep.transcripts import readers
from sleep.transcripts.events import as_text, records

if TYPE_CHECKING:
    from sleep.conversation.messages.shapes import Message

FORMATS = ("auto", "json", "jsonl", *transcript.READERS)
_NAMES = {"gemini-cli": "gemini", "gemini-cli-json": "gemini"}  # of formats that `readers` tells apart
_WRAPPED = ("messages", "history", "input", "contents", "trajectory")  # the fields under which objects hold a history


class Record(NamedTuple):
    """A history read from a file: its messages, their shape, the format, and how many lines could not be read."""

    messages: list[Message]
    shape: str
    format: str
    unread: int = 0


def read(content: bytes, form: str = "auto", where: str = "") -> Record:
    """Return the history that a file holds.

    Raises:
        DocumentError: it holds none that is known.
        UsageError: it holds text that could not be written.
    """
    if form not in FORMATS:
        raise DocumentError(f"there is no format {form!r} ({', '.join(FORMATS)} would be right)", where=where)
    record = _read(content, form, where)
    if b"\\u" in content or b"\xed" in content:  # else there is no half of a surrogate pair
        _insist_on_text(record, where)
    return record


def _insist_on_text(record: Record, where: str) -> None:
    try:
        json.dumps(record.messages, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start]).strip("'")
        raise UsageError(
            f"has half of a character in a string, {half}, which no file can hold (whole ones would be right)",
            where=where,
            hint=f"jq -c . {where} > whole.jsonl puts a sign in its place",
        ) from None


def _read(content: bytes, form: str, where: str) -> Record:
    if form == "auto":
        form = readers.sniff(content[: readers.HEAD])
        form = _NAMES.get(form, form)
        form = form if form in FORMATS else _form(content)
    if form in transcript.READERS:
        return _require_messages(_read_client(content, form), where)
    return _require_messages(_read_lines(content) if form == "jsonl" else _read_json(content, form, where), where)


def _read_client(content: bytes, form: str) -> Record:
    try:
        values: list[Any] = [json.loads(content)]
    except (ValueError, RecursionError):
        values = _objects(content)
    lines = [value for value in values if isinstance(value, dict)]
    reader, shape = transcript.READERS[form]
    return Record(transcript.pair(reader(lines)), shape, form, len(values) - len(lines))


def _read_lines(content: bytes) -> Record:
    objects = _objects(content)
    lines = [line for line in objects if line is not None]
    values: list[Any] = [line["message"] if isinstance(line.get("message"), dict) else line for line in lines]
    history = [message for message in values if _is_message(message)]
    return Record(history, shapes.detect(history), "jsonl", len(objects) - len(history))


def _read_json(content: bytes, form: str, where: str) -> Record:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"is no JSON ({error})", where=where) from None
    items = _messages_in(value)
    history = [value for value in items if isinstance(value, dict) and _is_message(value)]
    return Record(history, shapes.detect(history), form, len(items) - len(history))


def _objects(content: bytes) -> list[dict[str, Any] | None]:
    """Return the objects of JSON lines, None for a line that is none; two on one line are both read."""
    return [value for _, value in records(content.split(b"\n"))]


def _form(content: bytes) -> str:
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return "jsonl"
    return "json"


def _require_messages(record: Record, where: str) -> Record:
    if not record.messages:
        raise DocumentError(
            "holds no messages (objects with `role` and `content`, or items, would be right)", where=where
        )
    return record


def _messages_in(value: object) -> list[object]:
    if isinstance(value, dict):
        inner = next((value[key] for key in _WRAPPED if isinstance(value.get(key), list)), None)
        return inner if inner is not None else [value]
    return value if isinstance(value, list) else []


def _is_message(value: dict[str, Any]) -> bool:
    return "role" in value or value.get("type") == "reasoning" or "_call" in as_text(value.get("type"))


__all__ = ["CHAT", "FORMATS", "Record", "read"]
