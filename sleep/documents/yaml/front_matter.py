"""Front matter: the YAML fields above a Markdown page.

Owns where front matter begins and ends, its fields, and changing a field by replacing its lines. Refuses to rewrite
what was not asked for: bytes outside the lines of a changed key stay. A `---` at the top that no second one closes, or
with nothing like `key: value` below it, is a thematic break of the page and no front matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.documents.markdown.edit import Edit, apply, newline
from sleep.documents.yaml import values

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sleep.documents.yaml.scalar import Value

_BOM = "\ufeff"
_FIRST = 2  # the YAML begins on the second line of the file
_CLOSING = {"---", "..."}


class Front(NamedTuple):
    """The fields, the span of the YAML text between the markers, and where the body begins; all in str offsets.

    Without front matter there are no fields, and all three offsets are the start of the text (after a BOM).
    """

    fields: dict[str, Value]
    start: int
    end: int
    body: int


def read(text: str) -> Front:
    """Return the front matter of a page.

    Raises:
        Broken: there is front matter and it is no YAML map; a ValueError with the line (in the file) and what is wrong.
    """
    top = int(text.startswith(_BOM))
    start, end, body = _span(text, top)
    if body == top:
        return Front({}, top, top, top)
    written = text[start:end]
    try:
        return Front(values.load(written, _FIRST), start, end, body)
    except values.Broken:
        if written.lstrip(" \t")[:1] in {"\r", "\n"}:  # prose between two thematic breaks
            return Front({}, top, top, top)
        raise


def set_fields(text: str, fields: Mapping[str, Value]) -> str:
    """Return the page with these fields set; None removes a field, and a page without front matter gets it.

    Raises:
        Broken: there is front matter and it is no YAML map.
    """
    front = read(text)
    wanted = {key: value for key, value in {**front.fields, **fields}.items() if fields.get(key, 0) is not None}
    if _same(wanted, front.fields):
        return text
    ending = newline(text)
    if front.body == front.start:
        return apply(text, [Edit(front.body, front.body, render(wanted).replace("\n", ending))])
    written = text[front.start : front.end]
    for gap in (False, True):
        edited = apply(text, _edits(written, front, wanted, ending, gap=gap))
        if _holds(edited, wanted, text[front.body :]):
            return edited
    whole = render(wanted).replace("\n", ending) if wanted else ""
    return apply(text, [Edit(int(text.startswith(_BOM)), front.body, whole)])


def render(fields: Mapping[str, Value]) -> str:
    """Return front matter in the one form we write, markers and last newline included."""
    return f"---\n{values.dump(dict(fields)) if fields else ''}---\n"


def _edits(written: str, front: Front, wanted: dict[str, Value], ending: str, *, gap: bool) -> Iterable[Edit]:
    """Return the edits; with `gap`, a changed key takes the blank lines and comments after it along."""
    places = values.keys(written, _FIRST)
    if places is None:
        return [Edit(front.start, front.end, values.dump(wanted).replace("\n", ending) if wanted else "")]
    edits = []
    for place, follower in zip(places, [*(key.start for key in places[1:]), len(written)], strict=True):
        name, old = place.name, front.fields[place.name]
        if name not in wanted:
            line = ""
        elif _same(wanted[name], old):
            continue
        else:
            line = values.dump({name: wanted[name]}).replace("\n", ending)
        edits.append(Edit(front.start + place.start, front.start + (follower if gap else place.end), line))
    added = {key: value for key, value in wanted.items() if key not in front.fields}
    if added:
        edits.append(Edit(front.end, front.end, values.dump(added).replace("\n", ending)))
    return edits


def _holds(text: str, fields: dict[str, Value], body: str) -> bool:
    try:
        front = read(text)
    except values.Broken:
        return False
    return _same(front.fields, fields) and text[front.body :] == body


def _same(one: Value, other: Value) -> bool:
    """Whether two values are written the same: True is not 1, and 1 is not 1.0."""
    return one == other and repr(one) == repr(other)


def _span(text: str, top: int) -> tuple[int, int, int]:
    """Return the start and end of the YAML text and the start of the body, all `top` without front matter."""
    none = (top, top, top)
    at = _next(text, top)
    if text[top:at].rstrip() != "---" or text[at - 1 : at] not in {"\n", "\r"}:
        return none
    start, first, blank, alike = at, "", False, False
    while at < len(text):
        after = _next(text, at)
        line = text[at:after]
        if line[:3] in _CLOSING and line.rstrip() in _CLOSING:
            return (start, at, after) if at == start or first == "key" or (alike and not blank) else none
        if not line.strip():
            blank = True
        elif not line.lstrip(" \t").startswith("#"):
            alike = alike or _is_key(line)
            first = first or ("key" if _is_key(line) else "other")
        at = after
    return none


def _is_key(line: str) -> bool:
    """Whether a line looks like `key: value`, or a map in braces."""
    bare = line.strip()
    return line[0] not in "-#>|*" and (": " in bare or ":\t" in bare or bare.endswith(":") or bare[0] == "{")


def _next(text: str, at: int) -> int:
    r"""Return the start of the next line; lines end in `\n`, `\r\n` or `\r`."""
    end = text.find("\n", at)
    carriage = text.find("\r", at, end if end >= 0 else len(text))
    if carriage >= 0 and carriage != end - 1:
        return carriage + 1
    return end + 1 if end >= 0 else len(text)
