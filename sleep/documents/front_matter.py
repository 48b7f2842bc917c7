"""Front matter: the YAML fields above a Markdown page.

Owns where front matter begins and ends, its fields as values (`read`) or as the words that were written (`words`), and
changing a field by replacing its lines: bytes outside the lines of a changed key stay. A `---` at the top that no
second one closes, or with nothing like `key: value` below it, is a thematic break of the page and no front matter.
Loads nothing heavy, for hooks read with it; `yaml_oracle` reads what is not in the usual form.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.documents.yaml_values import Broken, Unsupported, dump, quoted
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook 3 ms
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    from sleep.documents.markdown.edit import Edit
    from sleep.documents.yaml_values import Value

    Words: TypeAlias = "str | list[str]"

_BOM = "\ufeff"
_FIRST = 2  # the YAML begins on the second line of the file
_OPENING = re.compile(r"\ufeff?---[^\S\r\n]*(?:\r\n?|\n)")
_CLOSING = re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[^\S\r\n]*(?:\r\n?|\n|\Z)")
_LINE = re.compile(r"[^\r\n]+")
_ROW = re.compile(r"[^\r\n]+(?:\r\n?|\n|\Z)")

_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
_UNUSUAL = frozenset({" ", "{", "\n"})  # what fields begin with that do not stand in the first column
_FOLLOWS = frozenset({" ", "\t", "-", "#", "]", "}", ""})  # what a line begins with that may belong to the field above
_MARKS = frozenset({"!", "&"})  # what a tag and an anchor begin with
_TRUE = frozenset({"true", "yes", "on", "1"})


class Front(NamedTuple):
    """The fields, the span of the YAML text between the markers, and where the body begins; all in str offsets.

    Without front matter there are no fields, and all three offsets are the start of the text (after a BOM).
    """

    fields: Mapping[str, Value]
    start: int
    end: int
    body: int


def span(text: str) -> tuple[int, int, int]:
    """Return where the YAML text starts and ends and where the body starts; without any, thrice where the text does."""
    top = int(text.startswith(_BOM))
    opened = _OPENING.match(text)
    closed = _CLOSING.search(text, opened.end()) if opened else None
    if opened and closed and _is_map(text[opened.end() : closed.start()]):
        return opened.end(), closed.start(), closed.end()
    return top, top, top


def _is_map(written: str) -> bool:
    """Return whether the first line that says something is a key, or, with no blank line anywhere, a later one is."""
    says = (line for line in _LINE.findall(written) if line.strip() and line.lstrip(" \t")[0] != "#")
    first = next(says, "")
    if not first or _is_key(first):
        return bool(first) or not written
    rows = written.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return all(map(str.strip, rows[:-1])) and any(map(_is_key, says))


def _is_key(line: str) -> bool:
    """Return whether a line looks like `key: value`, or a map in braces."""
    bare = line.strip()
    return line[0] not in "-#>|*" and (": " in bare or ":\t" in bare or bare.endswith(":") or bare[0] == "{")


@lru_cache(maxsize=64)  # each step of a sleep asks for the same journals and pages again and again
def read(text: str) -> Front:
    """Return the front matter of a page; the fields are shared with whoever reads the same, and nobody changes them.

    Raises:
        Broken: there is front matter and it is no YAML map; a ValueError with the line (in the file) and what is wrong.
    """
    start, end, body = span(text)
    if start == body:
        return Front({}, start, end, body)
    try:
        return Front(_fields(text[start:end]), start, end, body)
    except Broken:
        if text[start:end].lstrip(" \t")[:1] in {"\r", "\n"}:  # prose between two thematic breaks
            top = int(text.startswith(_BOM))
            return Front({}, top, top, top)
        raise


def peek(text: str) -> Front:
    """Return the front matter as `read` does; what cannot be read as fields is read as the words of the page."""
    try:
        return read(text)
    except Broken:
        return Front({}, 0, 0, 0)


@lru_cache(maxsize=512)  # the body of a page changes more often than its fields
def _fields(written: str) -> Mapping[str, Value]:
    from sleep.documents import yaml_reader  # late: `words` needs none  # noqa: PLC0415

    return yaml_reader.load(written, _FIRST)


def set_fields(text: str, fields: Mapping[str, Value]) -> str:
    """Return the page with these fields set; None removes a field, and a page without front matter gets it.

    Raises:
        Broken: there is front matter and it is no YAML map.
    """
    from sleep.documents.markdown.edit import Edit, apply, newline  # late: who only reads needs none  # noqa: PLC0415

    front = read(text)
    wanted = {key: value for key, value in {**front.fields, **fields}.items() if fields.get(key, 0) is not None}
    if _is_same(wanted, front.fields):
        return text
    ending = newline(text)
    if front.body == front.start:
        return apply(text, [Edit(front.body, front.body, render(wanted).replace("\n", ending))])
    for gap in (False, True):
        edited = apply(text, _edits(text, front, wanted, ending, gap=gap))
        if _holds(edited, wanted, text[front.body :]):
            return edited
    whole = render(wanted).replace("\n", ending) if wanted else ""
    return apply(text, [Edit(int(text.startswith(_BOM)), front.body, whole)])


def render(fields: Mapping[str, Value]) -> str:
    """Return front matter in the one form we write, markers and last newline included."""
    return f"---\n{_dump(fields)}---\n"


def _dump(fields: Mapping[str, Value]) -> str:
    return dump(dict(fields)) if fields else ""


def _edits(text: str, front: Front, wanted: Mapping[str, Value], ending: str, *, gap: bool) -> Iterable[Edit]:
    """Yield the edits; with `gap`, a changed key takes the blank lines and comments after it along."""
    from sleep.documents.markdown.edit import Edit  # noqa: PLC0415  # late: as above

    places = _places(text[: front.end], front.start)
    changed = {name for name, value in front.fields.items() if not (name in wanted and _is_same(wanted[name], value))}
    if changed and len(places) != len(front.fields):  # a map in braces, or a value that goes on like a key
        yield Edit(front.start, front.end, _dump(wanted).replace("\n", ending))
        return
    followers = [*(start for start, _ in places[1:]), front.end]
    for name, (start, end), follower in zip(front.fields, places, followers, strict=bool(changed)):
        if name in changed:
            line = _dump({name: wanted[name]}).replace("\n", ending) if name in wanted else ""
            yield Edit(start, follower if gap else end, line)
    added = {key: value for key, value in wanted.items() if key not in front.fields}
    if added:
        yield Edit(front.end, front.end, _dump(added).replace("\n", ending))


def _places(text: str, at: int) -> list[tuple[int, int]]:
    """Return where each key's lines start and end, without what only stands behind them: by lines, from a place on."""
    places: list[tuple[int, int]] = []
    for row in _ROW.finditer(text, at):
        if row[0].strip() and row[0].lstrip(" ")[0] != "#":
            if row[0][0] not in _FOLLOWS:
                places.append(row.span())
            elif places:
                places[-1] = places[-1][0], row.end()
    return places


def _holds(text: str, fields: Mapping[str, Value], body: str) -> bool:
    try:
        front = read(text)
    except Broken:
        return False
    return _is_same(front.fields, fields) and text[front.body :] == body


def _is_same(value: object, other: object) -> bool:
    """Return whether two values are written the same: True is not 1, and 1 is not 1.0."""
    return value == other and repr(value) == repr(other)


def words(text: str, wanted: frozenset[str]) -> dict[str, Words]:
    """Return the wanted fields of a page, by name in lower case with `_`; a list stays a list, all else is one line.

    A field that is absent or says nothing has no key.
    """
    start, end, _ = span(text)
    written = text[start:end]
    if "\r" in written:
        written = written.replace("\r\n", "\n").replace("\r", "\n")
    if written[:1] in _UNUSUAL:
        written = _flush(written)
    values: dict[str, Words] = {}
    lines = written.split("\n")
    for at, line in enumerate(lines):
        if not line or line[0] in " \t#-":
            continue
        key, colon, rest = line.partition(":")
        name = key if key in wanted else _named(key)
        if name in wanted and colon and name not in values:
            goes_on = at + 1 < len(lines) and lines[at + 1][:1] in _FOLLOWS
            if value := _value(rest.strip(), _below(lines, at + 1) if goes_on else ()):
                values[name] = value
    return values


def _flush(written: str) -> str:
    """Return fields that do not begin in the first column as if they did; those in braces one a line."""
    first = next((line for line in written.split("\n") if line.strip()), "")
    if first.lstrip()[:1] == "{":
        return "\n".join(_parted(" ".join(written.split()).removeprefix("{"), "}"))
    return "\n".join(line[len(first) - len(first.lstrip()) :] for line in written.split("\n"))


def _below(lines: Sequence[str], at: int) -> list[str]:
    """Return the lines from `at` that belong to the field above them."""
    rows = []
    for line in lines[at:]:
        if line and line[0] not in " \t#-":
            break
        if line.strip():
            rows.append(line)
    return rows


@lru_cache(maxsize=256)  # hundreds of pages have the same few
def _named(key: str) -> str:
    return key.strip().strip("\"'").lower().replace("-", "_")


def line_of(text: str, name: str) -> int:
    """Return the line of the page, from 1, that a field stands on, or 1."""
    for number, line in enumerate(text[: span(text)[1]].split("\n"), 1):
        if _named(line.partition(":")[0]) == name:
            return number
    return 1


def as_line(value: Words | None) -> str:
    """Return a field as one line."""
    return "" if value is None else value if isinstance(value, str) else ", ".join(value)


def as_list(value: Words | None) -> list[str]:
    """Return a field as a list: `a, b` counts as two."""
    if isinstance(value, list):
        return value
    return [word for word in map(str.strip, value.split(",")) if word] if value else []


def is_true(value: Words | None) -> bool:
    """Return whether a field says yes."""
    return isinstance(value, str) and value.lower() in _TRUE


def _value(rest: str, follow: Sequence[str]) -> Words:
    rest = _unmarked(rest)
    if rest[:1] == "#":
        rest = ""
    if rest[:1] == "[":
        return [word for word in map(_scalar, _parted(" ".join([rest, *map(str.strip, follow)])[1:], "]")) if word]
    if not follow:
        return _scalar(rest)
    bare = [line.strip() for line in follow]
    if rest[:1] in {"|", ">"}:
        return " ".join(bare)
    bare = [line for line in bare if line[0] != "#"]
    if not rest and bare and f"{bare[0]} ".startswith("- "):
        return [word for word in map(_scalar, _items(bare)) if word]
    return _scalar(" ".join([rest, *bare]).strip())


def _unmarked(text: str) -> str:
    """Return a value without its tag (`!!str`) and its anchor (`&name`), which say nothing to a reader."""
    if text[:1] not in _MARKS:
        return text
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
