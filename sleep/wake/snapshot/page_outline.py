"""A page, taken apart for showing: its comments, its sections, and where it may be cut.

Owns reading it by lines, as `markdown.lines` does, for hundreds of pages are read at once. A comment is taken out
wherever it is not code; a heading inside a fence or a comment is none; a page is cut between paragraphs, never in a
fence. Pure.
"""

from __future__ import annotations

import re

from sleep.documents.markdown import lines
from sleep.wake.snapshot.prose import flat, is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.documents.markdown.lines import Heading

_ENTRY = 3  # the level of the headings in a changelog
_OWN = 2  # the level of a page's sections
_UNDERLINES = ("\n--", "\n==", "\n-\n", "\n=\n")  # of a heading, perhaps
_SPAN = 2_000  # characters of a code span, at the most
_SPANNED = re.compile(r"`[^`]*`")
# What may open here: a fence, a code span, a comment. Whichever comes first rules.
_OPENS = re.compile(r"(?m)^[ \t]*(?P<fence>`{3,}|~{3,})|(?P<code>`+)|<!--")
_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|>[ \t]?|#{1,6}[ \t]+")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")
_ENDS = (".", "!", "?", ":", ";", "。", "！", "？", "：")


def without_comments(text: str, *, keeps_lines: bool = False) -> str:
    """Return a page without its HTML comments; those in code stay, and so does one that nothing closes.

    With `keeps_lines` it has as many lines as before.
    """
    if "<!--" not in text:
        return text
    visible: list[str] = []
    done = at = 0
    endless: set[str] = set()  # closers that do not come any more
    while match := _OPENS.search(text, at):
        at = match.end()
        if sign := match["fence"]:
            at = _after_fence(text, match.end(), sign, endless)
        elif sign := match["code"]:
            at = _after_span(text, at, sign)
        elif "-->" not in endless:
            end = text.find("-->", at)
            if end < 0:
                endless.add("-->")
                continue
            at = end + 3
            visible.append(text[done : match.start()])
            if keeps_lines:
                visible.append("\n" * text.count("\n", match.start(), at))
            done = at if keeps_lines else _gap(text, done, match.start(), at)
            at = max(at, done)
    return "".join([*visible, text[done:]])


def _after_fence(text: str, at: int, sign: str, endless: set[str]) -> int:
    """Return where a fence that `sign` opened is over; `at` if nothing closes it."""
    line = text.find("\n", at)
    if sign in endless or line < 0 or (sign[0] == "`" and "`" in text[at:line]):
        return at
    closes = re.compile(rf"\n[ \t]*{sign}{sign[0]}*[ \t]*(?=\n|$)").search(text, line)
    if closes is None:
        endless.add(sign)
        return at
    return closes.end()


def _after_span(text: str, at: int, sign: str) -> int:
    """Return where a code span is over, which no blank line is in; `at` if nothing closes it."""
    stop = text.find("\n\n", at)
    stop = min(stop if stop >= 0 else len(text), at + _SPAN)
    end = text.find(sign, at, stop)
    while end >= 0 and text[end + len(sign) : end + len(sign) + 1] == "`":
        while text[end : end + 1] == "`":
            end += 1
        end = text.find(sign, end, stop)
    return end + len(sign) if end >= 0 else at


def _gap(text: str, done: int, start: int, end: int) -> int:
    """Return where a page goes on behind a comment: one that has its lines to itself leaves no blank ones."""
    before = text.rfind("\n", 0, start) + 1
    after = text.find("\n", end)
    after = len(text) if after < 0 else after + 1
    if text[max(before, done) : start].strip() or text[end:after].strip():
        return end
    blank = before == 0 or text[max(0, before - 2) : before] == "\n\n"
    while blank and text[after : after + 1] == "\n":
        after += 1
    return after


def section(text: str, title: str) -> str:
    """Return what stands under the heading with this title (in lower case), "" when there is none.

    Of several the highest counts, then the first.
    """
    plain = _plain_section(text, title)
    if plain is not None or title not in text.lower():
        return plain or ""
    rows = without_comments(text).split("\n")
    heads = _headings(rows)
    fitting = [number for number, head in enumerate(heads) if head.title.rstrip(" :?").lower() == title]
    if not fitting:
        return ""
    number = min(fitting, key=lambda index: heads[index].level)
    head = heads[number]
    stop = next((other.first for other in heads[number + 1 :] if other.level <= head.level), len(rows))
    return "\n".join(rows[head.last + 1 : stop])


def _plain_section(text: str, title: str) -> str | None:
    """Return a section that nothing makes another thing, as on nearly every page; None where one has to look."""
    usual = f"\n## {title.capitalize()}\n"
    at = 0 if text.startswith(usual[1:]) else text.find(usual) + 1 or -1
    if at < 0 or "```" in text or "~~~" in text or "<!--" in text[:at]:
        return None
    start = at + len(usual) - 1
    ends = [end for end in (text.find("\n## ", start - 1), text.find("\n# ", start - 1)) if end >= 0]
    inside = text[start : min(ends, default=len(text))]
    return None if any(sign in inside for sign in _UNDERLINES) else inside


def _headings(rows: list[str]) -> list[Heading]:
    """Return the headings outside of code. Most lines cannot be one, and there are thousands of them."""
    fenced = _fenced(rows)
    if not fenced and not any(row[:1] in {"=", "-"} and not row.strip("=- ") for row in rows):
        at = [number for number, row in enumerate(rows) if row[:1] == "#"]
        return [
            head._replace(first=at[head.first], last=at[head.last])
            for head in lines.headings([rows[row] for row in at], fenced)
        ]
    return lines.headings(rows, fenced)


def opening(text: str) -> str:
    """Return what stands between a page's title, if it has one, and its first section of level 2."""
    rows = text.split("\n")
    start, stop = 0, len(rows)
    for head in _headings(rows):
        if head.level == _OWN:
            stop = head.first
            break
        if head.level < _OWN and start == 0:
            start = head.last + 1
    return "\n".join(rows[start:stop]).strip()


def entries(text: str) -> list[tuple[str, str]]:
    """Return the headings of level 3 in a section, each with what stands under it."""
    rows = text.split("\n")
    heads = [head for head in _headings(rows) if head.level <= _ENTRY]
    stops = [*(head.first for head in heads[1:]), len(rows)]
    return [
        (flat(head.title), "\n".join(rows[head.last + 1 : stop]))
        for head, stop in zip(heads, stops, strict=False)
        if head.level == _ENTRY
    ]


def _fenced(rows: list[str]) -> frozenset[int]:
    return lines.code(rows) if any("```" in row or "~~~" in row for row in rows) else frozenset()


def first_line(text: str) -> str:
    """Return the first line of a section that says something; a sentence that wraps is shown on.

    Placeholders, such as `(To be defined)`, headings and code say nothing.
    """
    paragraph = ""
    for line in _prose(text):
        bare = line.strip()
        if paragraph and (not bare or paragraph.endswith(_ENDS) or _MARKER.match(bare)):
            break
        bare = _MARKER.sub("", bare, count=1)
        if paragraph or not is_placeholder(bare):
            paragraph = f"{paragraph} {bare}".strip()
    return flat(paragraph)


def first_item(text: str) -> str:
    """Return the first list item of a section on one line, else its first line."""
    rows = list(_prose(text))
    for number, line in enumerate(rows):
        if _ITEM.match(line.strip()):
            words = _MARKER.sub("", line.strip(), count=1)
            for more in rows[number + 1 :]:
                if not more.startswith((" ", "\t")) or _ITEM.match(more.strip()) or not more.strip():
                    break
                words = f"{words} {more.strip()}"
            return flat(words)
    return first_line(text)


def prose_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a page, numbered from 1, that are neither code nor in a comment."""
    rows = without_comments(text, keeps_lines=True).split("\n")
    fenced = _fenced(rows)
    for number, row in enumerate(rows):
        if number not in fenced:
            yield number + 1, _SPANNED.sub("", row)


def _prose(text: str) -> Iterator[str]:
    """Yield the lines of a text that are neither code nor headings, comments taken out."""
    rows = without_comments(text).split("\n")
    fenced = _fenced(rows)
    titles = {line for head in _headings(rows) for line in (head.first, head.last)}
    for number, line in enumerate(rows):
        if number not in fenced and number not in titles:
            yield line


def is_empty(text: str) -> bool:
    """Return whether a page's body has only headings, comments and placeholders."""
    if "```" in text or "~~~" in text:
        return not text.strip()
    return all(is_placeholder(_MARKER.sub("", line.strip(), count=1)) for line in _prose(text))


def ends(text: str) -> list[int]:
    """Return where a page may be cut, in order: behind paragraphs, list items of the first column and fences.

    A heading goes with what follows it.
    """
    rows = text.split("\n")
    fenced = _fenced(rows)
    heads = {line for head in _headings(rows) for line in range(head.first, head.last + 1)}
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row) + 1)
    ends: list[int] = []
    last = -1  # the line that says something, above
    for number, row in enumerate(rows):
        if not row.strip() and number not in fenced:
            continue
        parted = last >= 0 and (number - last > 1 or bool(_ITEM.match(row)) or number in heads)
        if parted and last not in heads and not (number in fenced and last in fenced):
            ends.append(starts[last] + len(rows[last]))
        last = number
    return [*ends, len(text.rstrip())] if last >= 0 else []
