"""Gemini CLI's transcript as older versions wrote it: one JSON document with `messages`.

Owns that form; what a message means is `gemini`'s to say. It is written anew as a whole each time.
"""

from __future__ import annotations

from sleep.transcripts.events import UNREAD, Event, as_list, as_object, document
from sleep.transcripts.formats import gemini

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def sniff(head: bytes) -> bool:
    """True if the first bytes of a file look like this form's."""
    return b'"projectHash"' in head and b'"sessionId"' in head and not gemini.sniff(head)


def read(lines: Iterable[bytes]) -> Iterator[Event]:
    """Yield what happened; never raises for what the document holds."""
    whole = document(lines)
    messages = whole if isinstance(whole, list) else as_object(whole).get("messages")
    if whole != {} and not isinstance(messages, list):
        yield UNREAD
    for message in as_list(messages):
        yield from gemini.events(as_object(message))
