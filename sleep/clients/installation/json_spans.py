"""JSON edited by span: what is not touched keeps its every byte, also its order, indentation and number forms.

Owns finding where each value of a JSON text stands, and taking out and putting in members and items. Pure. Refuses
JSON with comments or trailing commas, which it could not give back as it was.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from sleep.documents.markdown import edit

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str | int, ...]
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)
_DEFAULT_INDENT = "  "


class Node(NamedTuple):
    """A value: where it starts and ends, and what is in it as (key or index, start of the member, value)."""

    start: int
    end: int
    inner: tuple[tuple[str | int, int, Node], ...] = ()


def parse(text: str) -> Any:  # noqa: ANN401  # whatever the JSON says
    """Return the value of a JSON text; ValueError for what is no JSON, RecursionError for what is too deep."""
    return json.loads(text.removeprefix("\ufeff"))


def put(text: str, path: Path, value: object) -> str:
    """Return the text with a value at a path: replaced, or added as the last member or item (the index -1).

    Objects that the path names and that are not there are made.
    """
    node = _tree(text)
    for depth, step in enumerate(path):
        child = _child(node, step)
        if child is None:
            for name in reversed(path[depth + 1 :]):
                value = [value] if name == -1 else {str(name): value}
            return _added(text, node, step, value)
        node = child[1]
    line, unit = _line_indent(text, node.start), _unit(text)
    return text[: node.start] + _rendered(text, value, line, unit) + text[node.end :]


def drop(text: str, path: Path) -> str:
    """Return the text without the member or item at a path; nothing there changes nothing."""
    node = _tree(text)
    for step in path[:-1]:
        child = _child(node, step)
        if child is None:
            return text
        node = child[1]
    at = next((index for index, (name, _, _) in enumerate(node.inner) if name == path[-1]), None)
    if at is None:
        return text
    if len(node.inner) == 1:
        return text[: node.start + 1] + text[node.end - 1 :]
    if at + 1 < len(node.inner):
        return text[: node.inner[at][1]] + text[node.inner[at + 1][1] :]
    return text[: node.inner[at - 1][2].end] + text[node.inner[at][2].end :]


def _child(node: Node, step: str | int) -> tuple[int, Node] | None:
    return next(((start, value) for name, start, value in node.inner if name == step), None)


def _added(text: str, node: Node, step: str | int, value: object) -> str:
    key = "" if isinstance(step, int) else json.dumps(step, ensure_ascii=False)
    unit = _unit(text)
    if node.inner:
        first, last = node.inner[0][1], node.inner[-1][2].end
        gap = text[node.start + 1 : first]  # what stands before the first one stands before the new one
        broken = "\n" in gap
        line = gap[gap.rindex("\n") + 1 :] if broken else ""
        shown = _rendered(text, value, line, unit if broken else "")
        return f"{text[:last]},{gap or ' '}{key}{': ' if key else ''}{shown}{text[last:]}"
    outer = _line_indent(text, node.start)
    newline = edit.newline(text)
    shown = _rendered(text, value, outer + unit, unit)
    inside = f"{newline}{outer}{unit}{key}{': ' if key else ''}{shown}{newline}{outer}"
    return text[: node.start + 1] + inside + text[node.end - 1 :]


def _rendered(text: str, value: object, line: str, unit: str) -> str:
    if not unit:
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", edit.newline(text) + line)


def _unit(text: str) -> str:
    """Return what one level is indented by in a text."""
    match = re.search(r"[{\[]\r?\n([ \t]+)", text)
    return match[1] if match else _DEFAULT_INDENT


def _line_indent(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    return text[start : start + len(text[start:at]) - len(text[start:at].lstrip(" \t"))]


def _tree(text: str) -> Node:
    tokens = _TOKEN.finditer(text, 1 if text.startswith("\ufeff") else 0)
    return _value(next(tokens), tokens)


def _value(token: re.Match[str], tokens: Iterator[re.Match[str]]) -> Node:
    if token[0] not in ("{", "["):
        return Node(token.start(), token.end())
    inner: list[tuple[str | int, int, Node]] = []
    start, keyed = token.start(), token[0] == "{"
    token = next(tokens)
    while token[0] not in ("}", "]"):
        if token[0] == ",":
            token = next(tokens)
        begin = token.start()
        name: str | int = len(inner)
        if keyed:
            name = str(json.loads(token[0]))
            next(tokens)  # the colon
            token = next(tokens)
        inner.append((name, begin, _value(token, tokens)))
        token = next(tokens)
    return Node(start, token.end(), tuple(inner))
