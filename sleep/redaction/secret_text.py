"""A text as secrets are looked for in it: one byte a character, and its words, each once.

Owns the projection, and asking it for pieces. Hooks load it.
"""

from __future__ import annotations

from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook 4 ms
    from collections.abc import Sequence

_LONG = 20_000  # characters of a text from which on its words are looked through, each once
_DIGITS = b"0123456789"
# Signs that stand in no piece that is looked for, as a space: words that differ in them alone are one.
_APART = bytes(32 if byte in b'"(){};\\*+@!?%&^>`' else byte for byte in range(256))


class Projection(NamedTuple):
    """A text as it is looked through: one byte a character, the same in small letters, and its words.

    `words` is a text in which every piece of a word without a digit stands that stands in `low`.
    """

    raw: bytes
    low: bytes
    words: bytes


def project(text: str) -> Projection:
    """Return a text as it is looked through."""
    raw = projected(text)
    low = raw.lower()
    return Projection(raw, low, _words(low))


def projected(text: str) -> bytes:
    """Return one byte a character and a final newline: the neighbours of any stretch exist. A wide colon is a colon."""
    return text.replace("：", ":").encode("ascii", "replace") + b"\n"


def _words(low: bytes) -> bytes:
    """Return a text in which every piece of a word stands that stands in `low`, but for digits.

    Of a long one, each word once, without digits and without signs that part words: people use few, and what tools
    print are a few forms, filled in again and again.
    """
    if len(low) < _LONG:
        return low
    lines = set(low.translate(_APART, _DIGITS).split(b"\n"))
    return b" ".join(set(b" ".join(lines).split()))


def has_any(words: bytes, pieces: Sequence[bytes]) -> bool:
    """Return whether a piece stands in the words of a text."""
    for piece in pieces:  # noqa: SIM110  # a generator costs three times as much, for every message
        if piece in words:
            return True
    return False
