"""Secrets out of messages, all at once: one pass over what a history says; a message without any stays as it was.

Owns laying the texts of many messages side by side for the redactor and putting them back. A value's name counts:
what stands under `api_key` in a structure is read with it.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from sleep.conversation.messages import shapes
from sleep.redaction import secret_scan, secret_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.conversation.messages.shapes import Message

_BETWEEN = "\n\x1d\n"
_FORM = frozenset({"role", "type", "id", "tool_call_id", "call_id", "tool_use_id", "name", "status"})  # say nothing
# What a provider seals in its thoughts: nobody can read it, or say anything in it.
_SEALED = _FORM | {"signature", "encrypted_content", "data"}
_THOUGHTS = frozenset({"thinking", "redacted_thinking", "reasoning"})
_SECRET_NAME = re.compile(r"key|token|secret|pass|pwd|cred|auth", re.IGNORECASE)
_NAMES = 1_000  # names of fields that are remembered


class Clean(NamedTuple):
    """Messages without secrets, how many were taken out, and a text with each word that stood in them, once."""

    messages: list[Message]
    redacted: int
    words: bytes


def clean(messages: Sequence[Message], secrets: Sequence[str] = ()) -> Clean:
    """Return messages without secrets; a message without any is the same object."""
    strings: list[str] = []
    ends: list[int] = []
    for message in messages:
        form = _form(message)
        for key, value in message.items():
            if type(value) is str:
                if key not in form:
                    strings.append(value)
            elif value is not None:
                _inner(value, key, strings)
        ends.append(len(strings))
    result, count, words = _clean_strings(strings, secrets)
    if not count:
        return Clean(list(messages), 0, words)
    start = 0
    out = []
    for message, end in zip(messages, ends, strict=True):
        changed = result[start:end] != strings[start:end]
        out.append(_rebuilt(message, iter(result[start:end])) if changed else message)
        start = end
    return Clean(out, count, words)


def clean_texts(strings: Sequence[str], secrets: Sequence[str] = ()) -> list[str]:
    """Return texts without secrets; a secret that one text names is one in all of them."""
    return _clean_strings(strings, secrets)[0]


def _clean_strings(strings: Sequence[str], secrets: Sequence[str]) -> tuple[list[str], int, bytes]:
    """Return texts without secrets, how many were taken out, and the words of all."""
    once = list(dict.fromkeys(strings))
    if not once:
        return list(strings), 0, b""
    whole = _BETWEEN.join(once)
    projection = secret_text.project(whole)
    joined, findings = secret_scan.redact(whole, secrets, projection)
    if not findings:
        return list(strings), 0, projection.words
    pieces = joined.split(_BETWEEN)
    if len(pieces) != len(once):  # what was found reaches over a border, or a text holds the border's sign
        pieces = [secret_scan.redact(text, secrets)[0] for text in once]
    after = dict(zip(once, pieces, strict=True))
    return [after[text] for text in strings], len(findings), projection.words


@functools.lru_cache(_NAMES)
def _is_telling(key: str) -> bool:
    return bool(_SECRET_NAME.search(key))


def _form(block: dict[str, Any]) -> frozenset[str]:
    """Return the names of the fields of a message or a block in which nothing is said."""
    kind = block.get("type")
    return _SEALED if type(kind) is str and kind in _THOUGHTS else _FORM


def _inner(value: object, key: str, strings: list[str]) -> None:
    """Add the texts of a structure, in the order in which `_again` takes them back."""
    if isinstance(value, str):
        if key not in _FORM:
            strings.append(f"{key}: {value}" if _is_telling(key) else value)
    elif isinstance(value, dict):
        if not shapes.is_media(value):
            form = _form(value)
            for name, inner in value.items():
                if type(inner) is not str or name not in form:
                    _inner(inner, str(name), strings)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            _inner(inner, key, strings)


def _rebuilt(message: Message, feed: Iterator[str]) -> Message:
    form = _form(message)
    return {
        key: (value if key in form else next(feed)) if type(value) is str else _again(value, key, feed)
        for key, value in message.items()
    }


def _again(value: object, key: str, feed: Iterator[str]) -> Any:  # noqa: ANN401  # any value of a message
    if isinstance(value, str):
        if key in _FORM:
            return value
        text = next(feed)
        return text.removeprefix(f"{key}: ") if _is_telling(key) else text
    if isinstance(value, dict) and not shapes.is_media(value):
        form = _form(value)
        return {
            name: inner if type(inner) is str and name in form else _again(inner, str(name), feed)
            for name, inner in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_again(inner, key, feed) for inner in value]
    return value
