"""Keeping a text within its entry: nothing that it leaves open reaches over what is written behind it.

Owns the form that the body of an entry gets, and the line that closes what a text written by hand leaves open. Refuses
to leave a word out.
"""

from __future__ import annotations

import re

from sleep.documents import front_matter
from sleep.documents.markdown import edit
from sleep.records.fragment import flat

_LEVEL = 2  # of the headings of entries
_PROBE = "\n\n## x\n"
_FENCE = re.compile(r" *(`{3,}|~{3,})")
# Paragraphs and lists of plain lines, none of which could be, begin or underline anything else.
_PLAIN = re.compile(r"(?:(?:[-*+] )?[^\W\d_][^\r\n]*(?:\n+|\Z))+")
_OPENS = ("`", "~", "<")
_CLOSERS = ("-->", "?>", "]]>", ">", "</script>", "</pre>", "</style>", "</textarea>")


def contain(head: str, body: str) -> str:
    """Return the body of an entry in a form that ends before what is written after it."""
    if _PLAIN.fullmatch(body) and not any(sign in head for sign in _OPENS):
        return body.rstrip("\n")
    from sleep.documents.markdown import blocks  # late: it loads a parser of Markdown  # noqa: PLC0415

    deeper = [
        edit.Edit(
            block.start, block.end, f"{'#' * min(6, block.level + 2)} {flat(body[block.text_start : block.text_end])}\n"
        )
        for block in blocks.parse(body)
        if block.kind == "heading"
    ]
    inside = edit.apply(body, deeper).rstrip("\n")
    levels = [block.level for block in blocks.parse(f"{head}\n{inside}{_PROBE}") if block.kind == "heading"]
    if _ends(f"{head}\n{inside}") and all(level > _LEVEL for level in levels[1:-1]):
        return inside
    longest = max((len(run) for run in re.findall(r"`+", body)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{body}\n{fence}"


def _ends(text: str) -> bool:
    """Return whether a heading written behind the text would be one."""
    from sleep.documents.markdown import blocks  # noqa: PLC0415  # late: as above

    last = blocks.parse(text + _PROBE)[-1]
    return last.kind == "heading" and last.level == _LEVEL


def close(text: str, newline: str) -> str:
    """Return the line that closes the fence, comment or tag that a hand-written text leaves open; "" when none is."""
    if not any(sign in text for sign in ("```", "~~~", "<")):
        return ""
    from sleep.documents.markdown import blocks  # noqa: PLC0415  # late: as above

    parsed = blocks.parse(text + _PROBE, front_matter.read(text).body)
    if parsed[-1].kind == "heading":
        return ""
    rest = text[parsed[-1].start :]
    fence = _FENCE.match(rest)
    lead = "" if text.endswith("\n") else newline
    for sign in (fence[1], *_CLOSERS) if fence else _CLOSERS:
        if _ends(f"{rest}{lead}{sign}"):
            return f"{lead}{sign}{newline}"
    return ""
