"""What was removed, by address: the messages without their secrets, as JSON, named by the hash of their bytes.

Owns the form and the address, and the store in memory. A store is anything with `keep` and `find`; the one on disk is
`stores`. Refuses to keep a secret: what comes in has been cleaned.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sleep.conversation.messages import shapes
from sleep.conversation.summary import summary_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.conversation.messages.shapes import Message

FORMAT = 1


class Originals(NamedTuple):
    """Messages that were removed or clipped: `text` is JSON, `address` the SHA-256 of its UTF-8 bytes in hex."""

    address: str
    text: str

    @property
    def messages(self) -> list[Message]:
        """The messages, in the order of the conversation."""
        messages: list[Message] = json.loads(self.text)["messages"]
        return messages


class Store(Protocol):
    """Where originals go and come back from."""

    def keep(self, originals: Originals) -> None:
        """Keep originals; keeping the same again changes nothing."""
        ...

    def find(self, address: str) -> Originals | None:
        """Return the originals of an address or an unambiguous beginning of it, None where there are none."""
        ...


class Memory:
    """A store that lives as long as the process: for tests, and for runtimes that keep originals themselves."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    def keep(self, originals: Originals) -> None:
        """Keep originals; keeping the same again changes nothing."""
        self._kept[originals.address] = originals.text

    def find(self, address: str) -> Originals | None:
        """Return the originals of an address or an unambiguous beginning of it, None where there are none."""
        keys = [key for key in self._kept if address and key.startswith(address)]
        return Originals(keys[0], self._kept[keys[0]]) if len(keys) == 1 else None


def of(messages: Sequence[Message]) -> Originals:
    """Return messages, which hold no secrets, as originals; what JSON does not know is written as Python writes it."""
    try:
        body = json.dumps(messages, ensure_ascii=False, default=str)
    except (TypeError, ValueError):  # keys that are no strings, or a structure that holds itself
        body = json.dumps([{"role": "unknown", "content": repr(message)} for message in messages], ensure_ascii=False)
    text = f'{{"format": {FORMAT}, "messages": {body}}}\n'
    return Originals(hashlib.sha256(encoded(text)).hexdigest(), text)


def encoded(text: str) -> bytes:
    """Return the bytes of originals; half of a surrogate pair, which JSON may hold, is kept."""
    return text.encode("utf-8", "surrogatepass")


def all_of(store: Store, address: str) -> list[Any]:
    """Return the messages of an address and of all consolidations before it, oldest first.

    A summary among the removed messages gives way to what it stood for, as far as the store has that.
    """
    originals = store.find(address)
    if originals is None:
        return []
    out: list[Message] = []
    for message in originals.messages:
        text = shapes.flatten(message.get("parts", message.get("content"))) if isinstance(message, dict) else ""
        before = summary_text.read(text).address if summary_text.is_summary(text) else ""
        earlier = all_of(store, before) if before and before != originals.address else []
        content = message.get("parts", message.get("content")) if isinstance(message, dict) else None
        is_all = isinstance(content, str) or not isinstance(content, list) or len(content) == 1
        out += earlier if earlier and is_all else [*earlier, message]
    return out
