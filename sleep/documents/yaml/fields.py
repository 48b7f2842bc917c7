"""The fields above a page, read for showing: every value as the words that were written.

Owns a reading that always answers. `front_matter` reads what YAML means and refuses what is broken; a snapshot wants
the words (`1.10` stays `1.10`, a date stays as it was written) and a line for every page, broken or not. So a field
that is no YAML is its raw text, and nothing heavy is loaded. Where YAML is in order the words are those of
`front_matter`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from sleep.documents.yaml.scalar import Unsupported, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

Words: TypeAlias = "str | list[str]"

_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
_UNUSUAL = frozenset({" ", "{", "\n"})  # what fields begin with that do not stand in the first column
_FOLLOWS = frozenset({" ", "\t", "-", "#", ""})  # what a line begins with that may belong to the field above
_MARKS = frozenset({"!", "&"})  # what a tag and an anchor begin with
_TRUE = frozenset({"true", "yes", "on", "1"})


def span(text: str) -> tuple[int, int, int]:
    """Return where the front matter's fields start and end and where the page's body starts; all 0 without any."""
    if not text.startswith("---"):
        return 0, 0, 0
    start = text.find("\n") + 1
    if not start or text[3 : start - 1].strip(" \t"):
        return 0, 0, 0
    at = start - 1
    dots = text.find("\n...", at)
    while True:
        dashes = text.find("\n---", at)
        if -1 < dots < at:  # looked for again only behind it: a page of dashes has none
            dots = text.find("\n...", at)
        at = dashes if dots < 0 or -1 < dashes < dots else dots
        if at < 0:
            return 0, 0, 0
        body = text.find("\n", at + 4) + 1 or len(text)
        if not text[at + 4 : body].strip():
            fields = text[start : at + 1]
            return (start, at + 1, body) if not fields.strip() or _has_key(fields) else (0, 0, 0)
        at += 4


def _has_key(written: str) -> bool:
    """Return whether the first line that says something reads like `key: value`, or a map in braces."""
    line = next((one for one in map(str.strip, written.split("\n")) if one and one[0] != "#"), "")
    return line[:1] == "{" or (line[:1] not in "->|*" and (": " in line or line.endswith(":")))


def read(text: str, wanted: frozenset[str]) -> dict[str, Words]:
    """Return the wanted fields of a page, by name in lower case with `_`; a list stays a list, all else is one line.

    A field that is absent or says nothing has no key.
    """
    start, end, _ = span(text)
    written = text[start:end]
    if written[:1] in _UNUSUAL:
        written = _flush(written)
    found: dict[str, Words] = {}
    lines = written.split("\n")
    for at, line in enumerate(lines):
        if not line or line[0] in " \t#-":
            continue
        key, colon, rest = line.partition(":")
        name = key if key in wanted else _named(key)
        if name in wanted and colon and name not in found:
            goes_on = at + 1 < len(lines) and lines[at + 1][:1] in _FOLLOWS
            if value := _value(rest.strip(), _below(lines, at + 1) if goes_on else ()):
                found[name] = value
    return found


def _flush(written: str) -> str:
    """Return fields that do not begin in the first column as if they did; those in braces one a line."""
    first = next((line for line in written.split("\n") if line.strip()), "")
    if first.lstrip()[:1] == "{":
        return "\n".join(_flow_lines(" ".join(written.split()).removeprefix("{")))
    return "\n".join(line[len(first) - len(first.lstrip()) :] for line in written.split("\n"))


def _below(lines: Sequence[str], at: int) -> list[str]:
    """Return the lines from `at` that belong to the field above them."""
    found = []
    for line in lines[at:]:
        if line and line[0] not in " \t#-":
            break
        if line.strip():
            found.append(line)
    return found


@lru_cache(maxsize=256)  # hundreds of pages have the same few
def _named(key: str) -> str:
    return key.strip().strip("\"'").lower().replace("-", "_")


def line_of(text: str, name: str) -> int:
    """Return the line of the page, from 1, that a field stands on, or 1."""
    for number, line in enumerate(text[: span(text)[1]].split("\n"), 1):
        if _named(line.partition(":")[0]) == name:
            return number
    return 1


def one(value: Words | None) -> str:
    """Return a field as one line."""
    return "" if value is None else value if isinstance(value, str) else ", ".join(value)


def many(value: Words | None) -> list[str]:
    """Return a field as a list: `a, b` counts as two."""
    if isinstance(value, list):
        return value
    return [word for word in map(str.strip, value.split(",")) if word] if value else []


def is_true(value: Words | None) -> bool:
    """Return whether a field says yes."""
    return isinstance(value, str) and value.lower() in _TRUE


def _value(rest: str, follow: Sequence[str]) -> Words:
    if rest[:1] in _MARKS:
        rest = _unmarked(rest)
    if rest and rest[0] == "#":
        rest = ""
    if rest[:1] == "[":
        return _flow(" ".join([rest, *map(str.strip, follow)]))
    if not follow:
        return _scalar(rest)
    bare = [line.strip() for line in follow]
    if rest[:1] in {"|", ">"}:
        return " ".join(bare)
    bare = [line for line in bare if line[0] != "#"]
    if not rest and bare and (bare[0] == "-" or bare[0].startswith("- ")):
        return [word for word in map(_scalar, _items(bare)) if word]
    return _scalar(" ".join([rest, *bare]).strip())


def _unmarked(text: str) -> str:
    """Return a value without its tag (`!!str`) and its anchor (`&name`), which say nothing to a reader."""
    for _ in _MARKS:  # a value has one of each at the most
        if not (text[2:3].isalnum() if text.startswith(("!!", "!<")) else text[:1] == "&" and text[1:2].isalnum()):
            break
        text = text.partition(" ")[2].lstrip()
    return text


def _items(bare: Sequence[str]) -> list[str]:
    """Return the items of a list written one a line; a line without a dash goes on with the item above."""
    items: list[str] = []
    for line in bare:
        if line == "-" or line.startswith("- "):
            items.append(line[2:].strip())
        else:
            items[-1] = f"{items[-1]} {line}".strip()
    return items


def _scalar(text: str) -> str:
    if text[:1] in _MARKS:
        text = _unmarked(text)
    if text[:1] in {"'", '"'}:
        try:
            return " ".join(quoted(text, 0)[0].split())
        except (Unsupported, IndexError):
            return text.strip("\"'")
    comment = text.find(" #")
    if comment >= 0:
        text = text[:comment].rstrip()
    return "" if text in _NOTHING else text


def _flow(text: str) -> list[str]:
    """Return the words of a list in brackets; what is nested in it stays as written."""
    return [word for word in map(_scalar, _parted(text[1:], "]")) if word]


def _flow_lines(inner: str) -> list[str]:
    """Return a map in braces, without the first of them, as lines, one a key."""
    return _parted(inner, "}")


def _parted(text: str, close: str) -> list[str]:
    """Return what stands between the commas of a text, up to where it closes; quotes and brackets hold together."""
    parts, start, at, depth = [], 0, 0, 0
    while at < len(text) and (depth or text[at] != close):
        sign = text[at]
        if sign in "'\"" and (at == start or text[at - 1] in " ,[{:"):
            try:
                at = quoted(text, at)[1]
                continue
            except (Unsupported, IndexError):
                pass
        depth += (sign in "[{") - (sign in "]}")
        if sign == "," and not depth:
            parts.append(text[start:at].strip())
            start = at + 1
        at += 1
    return [*parts, text[start:at].strip()]
