"""One line, made fit for showing.

Owns cutting it where a reader would: between words, outside of links, code spans and addresses. Refuses what does not
show: control characters, turned directions, halves of surrogate pairs. Pure.
"""

from __future__ import annotations

import re

ELLIPSIS = "..."
_JOINER = "\u200d"
_AM = "\u0e33\u0eb3"  # vowels of Thai and Lao that begin with a mark above the sign before
_LONGEST = 8  # characters of a placeholder without brackets
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_WHOLE = re.compile(
    r"!?\[[^\[\]]*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?: \"[^\"]*\")?\)|\[\[[^\[\]]+\]\]|`[^`]+`|<[^<>\s]+>|https?://\S+"
)
_LINK = re.compile(r"!?\[(?P<says>[^\[\]]*)\]\(")
_PLACEHOLDER = re.compile(
    r"\(.*\)[.!?…]?|\{\{[^{}]*\}\}|\[[^\[\]]*\]|tbd|todo|tba|n/?a|none(?: yet)?|\.{3}|…|-+|_+",
    re.IGNORECASE | re.DOTALL,
)


def flat(text: str) -> str:
    """Return a text on one line, without what would not show."""
    if text.isprintable():
        return text.strip() if "  " not in text else " ".join(text.split())
    return " ".join(printable(text).split())


def printable(text: str) -> str:
    """Return a text without colours, control characters (line feeds and tabs aside), and halves of surrogate pairs."""
    if text.isascii() and text.isprintable():
        return text
    if "\x1b" in text:
        from sleep.redaction import terminal  # late: what a page hardly ever has  # noqa: PLC0415

        text = terminal.strip_escapes(text)
    text = _CONTROL.sub("", text) if _CONTROL.search(text) else text
    # JSON can hold half a surrogate pair, which nothing can print.
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def cut(text: str, limit: int) -> str:
    """Return a line, or as many of its words as fit `limit` characters with an ellipsis.

    A link, a code span or an address is shown whole or not at all, but one that begins the line and does not fit: of a
    link its words stay. A word that is longer than the limit is cut between characters.
    """
    if len(text) <= limit:
        return text
    room = max(0, limit - len(ELLIPSIS))
    at = next((match.start() for match in _WHOLE.finditer(text, 0) if match.end() > room >= match.start()), room)
    if at == 0 and (link := _LINK.match(text)) and link["says"].strip():
        return cut(text[link.start("says") : link.end("says")] + text[_WHOLE.match(text).end() :], limit)  # type: ignore[union-attr]  # what `_LINK` begins
    while at and not _parts(text, at):
        at -= 1
    start = text[:at].rstrip(" ,;:–—-(/")
    if not start:
        at = room
        while at > 1 and (_is_joined(text[at]) or text[at - 1] == _JOINER):
            at -= 1
        start = text[:at]
    return start + ELLIPSIS if start else ""


def _parts(text: str, at: int) -> bool:
    """Return whether a line may be cut before its character `at`."""
    before, behind = text[at - 1], text[at]
    if behind.isspace() or before.isspace():
        return True
    if before.isascii() and behind.isascii():
        return False
    from sleep.language.tokenizer import has_wide  # late: in most scripts there is a space  # noqa: PLC0415

    return (has_wide(before) or has_wide(behind)) and not _is_joined(behind)


def _is_joined(sign: str) -> bool:
    """Return whether a sign goes with the one before it: a mark, a joiner, a variant, a colour of skin."""
    if sign.isascii():
        return False
    import unicodedata  # late: most lines have none, and a session's start loads this  # noqa: PLC0415

    return unicodedata.category(sign)[0] == "M" or sign in (_JOINER, *_AM) or "\U0001f3fb" <= sign <= "\U0001f3ff"


def is_placeholder(text: str) -> bool:
    """Return whether a line only keeps a place: blank, `(To be defined)`, `{{NAME}}`, `TBD`."""
    if len(text) > _LONGEST and text[0].isalnum():
        return False
    return not text.strip() or bool(_PLACEHOLDER.fullmatch(text.strip()))
