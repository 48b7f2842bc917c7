"""Secrets out of messages, all at once: one pass over what a history says; a message without any stays as it was.

Owns laying the texts of many messages side by side for the redactor and putting them back. A value's name counts:
what stands under `api_key` in a structure is read with it.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any

from sleep.conversation.history import shapes
from sleep.redaction import secret_scan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.conversation.history.shapes import Message

_BETWEEN = "\n\x1d\n"
_FORM = frozenset({"role", "type", "id", "tool_call_id", "call_id", "tool_use_id", "name", "status"})  # say nothing
_TELLING = re.compile(r"key|token|secret|pass|pwd|cred|auth", re.IGNORECASE)
_NAMES = 1_000  # names of fields that are remembered


def clean(messages: Sequence[Message], known: Sequence[str] = ()) -> tuple[list[Message], int]:
    """Return messages without secrets, and how many were taken out; a message without any is the same object."""
    said: list[str] = []
    ends: list[int] = []
    for message in messages:
        for key, value in message.items():
            if type(value) is str:
                if key not in _FORM:
                    said.append(value)
            elif value is not None:
                _inner(value, key, said)
        ends.append(len(said))
    result, found = texts(said, known)
    if not found:
        return list(messages), 0
    start = 0
    out = []
    for message, end in zip(messages, ends, strict=True):
        changed = result[start:end] != said[start:end]
        out.append(_rebuilt(message, iter(result[start:end])) if changed else message)
        start = end
    return out, found


def texts(said: Sequence[str], known: Sequence[str] = ()) -> tuple[list[str], int]:
    """Return texts without secrets, and how many were taken out; a secret that one text names is one in all of them."""
    once = list(dict.fromkeys(said))
    if not once:
        return list(said), 0
    joined, found = secret_scan.redact(_BETWEEN.join(once), known)
    if not found:
        return list(said), 0
    pieces = joined.split(_BETWEEN)
    if len(pieces) != len(once):  # what was found reaches over a border, or a text holds the border's sign
        pieces = [secret_scan.redact(text, known)[0] for text in once]
    after = dict(zip(once, pieces, strict=True))
    return [after[text] for text in said], len(found)


@functools.lru_cache(_NAMES)
def _is_telling(key: str) -> bool:
    return bool(_TELLING.search(key))


def _inner(value: object, key: str, said: list[str]) -> None:
    """Add the texts of a structure, in the order in which `_again` takes them back."""
    if isinstance(value, str):
        if key not in _FORM:
            said.append(f"{key}: {value}" if _is_telling(key) else value)
    elif isinstance(value, dict):
        if not shapes.is_media(value):
            for name, one in value.items():
                if type(one) is not str or name not in _FORM:
                    _inner(one, str(name), said)
    elif isinstance(value, (list, tuple)):
        for one in value:
            _inner(one, key, said)


def _rebuilt(message: Message, feed: Iterator[str]) -> Message:
    return {
        key: (value if key in _FORM else next(feed)) if type(value) is str else _again(value, key, feed)
        for key, value in message.items()
    }


def _again(value: object, key: str, feed: Iterator[str]) -> Any:  # noqa: ANN401  # any value of a message
    if isinstance(value, str):
        if key in _FORM:
            return value
        text = next(feed)
        return text.removeprefix(f"{key}: ") if _is_telling(key) else text
    if isinstance(value, dict) and not shapes.is_media(value):
        return {name: _again(one, str(name), feed) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_again(one, key, feed) for one in value]
    return value
