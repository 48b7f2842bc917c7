"""The strategy `compatible`: what an older tool of this kind does, to the byte, for those who rely on it.

Owns that behaviour alone, its faults included: it may cut a call from its result, copies secrets, and need not fit.
Its source is docs/conversation.md, "What compatible does". The default strategy shares nothing with it but the
interface.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.conversation.messages.shapes import Message

KEEP = 4
HEADER = "[Session context consolidated]"
NOTHING = "- (previous conversation context — no key facts extracted)"
_KEYWORDS = (
    "result:", "decided:", "found:", "error:", "success:", "created:", "updated:", "deleted:", "confirmed:", "output:",
)  # fmt: skip
_HEAD = 200
_SHORT = 120


def consolidate(messages: Sequence[Message]) -> tuple[list[Message], str]:
    """Return the history after its consolidation, and the summary, "" where nothing was done."""
    if len(messages) <= KEEP:
        return list(messages), ""
    facts = dict.fromkeys(fact for message in messages[:-KEEP] for fact in _facts(message))
    summary = "\n".join(f"- {fact}" for fact in facts) if facts else NOTHING
    return [{"role": "user", "content": f"{HEADER}\n\n{summary}"}, *messages[-KEEP:]], summary


def estimate_tokens(messages: Sequence[Message]) -> int:
    """Return the characters of all contents, written as Python writes them, by four."""
    return sum(len(str(message.get("content", ""))) for message in messages) // 4


def _facts(message: Message) -> Iterator[str]:
    role, content = message.get("role", ""), str(message.get("content", ""))
    if role == "tool":
        head = content[:_HEAD].strip()
        if head:
            yield f"[{message.get('name', 'tool')}] {head}"
        return
    for line in content.split("\n"):
        stripped = line.strip()
        low = stripped.lower()
        if any(keyword in low for keyword in _KEYWORDS):
            yield stripped
    if role == "user" and 0 < len(content) <= _SHORT:
        yield content
