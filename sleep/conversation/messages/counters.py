"""How many tokens messages take: of what they say, and a little for their form.

Owns the sum; the count of a text is a function that can be replaced. Refuses to be exact: providers add their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.conversation.messages import shapes
from sleep.language import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sleep.conversation.messages.shapes import Message, Turn

    Counter = Callable[[str], int]
    Prompt = str | Sequence[Message] | None  # a text, or blocks of it, as Anthropic has them

FORM = 4  # tokens of a message beside what it says
MEDIA = 1_600  # tokens of a picture or a file, whose characters say nothing of its size
_CALL = 12  # tokens of a call's or a result's id, name and form
plain: Counter = tokens.count


def named(name: str) -> Counter:
    """Return the counter of a name: `plain`, or an encoding that tiktoken knows and has the vocabulary of.

    Raises:
        ValueError: the library, the encoding or its vocabulary is not there.
    """
    if name in ("", "plain"):
        return plain
    try:
        import tiktoken  # late: not ours to install  # noqa: PLC0415

        encoding = tiktoken.get_encoding(name)
    except Exception as error:  # noqa: BLE001  # the library's own, or the network's when the vocabulary must be fetched
        raise ValueError(f"tokens cannot be counted as {name!r}: {error} (plain would be right)") from None
    return lambda text: len(encoding.encode_ordinary(text))


def count_turns(turns: Iterable[Turn], count: Counter) -> int:
    """Return the tokens of messages as they are read."""
    total = 0
    for turn in turns:
        total += FORM
        for kind, text, _ in turn.parts:
            total += MEDIA if kind == shapes.MEDIUM else count(text)
            if kind != shapes.TEXT:
                total += _CALL
    return total


def count_prompt(prompt: Prompt, count: Counter) -> int:
    """Return the tokens of a system prompt that is passed beside the messages."""
    return count(prompt) if isinstance(prompt, str) else sum(count(block.get("text", "")) for block in prompt or ())


def upper_bound(message: Message, count: Counter, turn: Turn | None = None) -> int:
    """Return the tokens of a message, or those of its content as Python writes it where that is more.

    So a budget also holds for who counts as `MemoryConsolidator.estimate_tokens` does. `turn` is the message as it is
    read, where that is known.
    """
    turn = turn or shapes.read_turn(message)
    own = count_turns((turn,), count)
    content = message.get("content", message.get("parts", message.get("output")))
    if content is None or isinstance(content, str) or any(part.kind == shapes.MEDIUM for part in turn.parts):
        return own
    return max(own, len(str(content)) // tokens.CHARACTERS + 1)
