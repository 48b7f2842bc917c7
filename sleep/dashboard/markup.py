"""HTML and SVG as values: an element's text and attributes are escaped because nothing else can be built.

Owns the escaping. Refuses scripts, styles and handlers: the content security policy allows none in a page.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_EMPTY = frozenset({"link", "meta"})


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def element(tag: str, /, *inside: object, **attributes: object) -> Markup:
    """Return an element: markup inside stays markup, everything else is text; an attribute that is None is left out.

    `class_` is the attribute `class`, and `_` in a name stands for `-`.
    """
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{words}>") if tag in _EMPTY else Markup(f"<{tag}{words}>{join(inside)}</{tag}>")


def join(parts: Iterable[object]) -> Markup:
    """Return parts as one piece of markup."""
    return Markup("".join(part if isinstance(part, Markup) else escape(str(part)) for part in parts))


def table(caption: str, heads: Iterable[str], rows: Iterable[Iterable[object]]) -> Markup:
    """Return a table whose first column names the row."""
    body = []
    for row in rows:
        first, *others = row
        body.append(element("tr", element("th", first, scope="row"), *(element("td", other) for other in others)))
    head = element("tr", *(element("th", label, scope="col") for label in heads))
    whole = element("table", element("caption", caption), element("thead", head), element("tbody", *body))
    return element("div", whole, class_="wide", tabindex="0", role="region", aria_label=caption)
