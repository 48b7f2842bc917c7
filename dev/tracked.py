"""What may stand in a tracked file: no path of a person's machine, no address of a package registry, no dead link.

Owns the rules; takes texts and returns complaints, `path:line: what is wrong`. Refuses to read files or git.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import mistune

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

HOME = re.compile(r"(?<![\w.])(?:/(?:home|Users)/(?!NAME\b)[\w.-]+|/root|[A-Z]:\\Users\\(?!NAME\b)[\w.-]+)[/\\][\w.]")
REGISTRY = re.compile(
    r"\b(?:pypi\.(?:org|python)|(?:files\.)?pythonhosted\.org|registry\.(?:npmjs|yarnpkg)|crates\.io|proxy\.golang)"
)
_INDEX_OPTION = re.compile(r"^\s*(?:--(?:extra-)?index-url|--find-links|-i|-f)\b", re.MULTILINE)
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")


def private(path: str, text: str, *, here: Iterable[str] = ()) -> list[str]:
    """Return what in `text` belongs to one machine; `here` are directories of this one, as absolute paths."""
    rules = [
        ("an absolute home path", HOME),
        ("the address of a package registry", REGISTRY),
        *(("a path of this machine", re.compile(re.escape(place) + r"(?![\w-])")) for place in here),
    ]
    if path.startswith("requirements/"):
        rules.append(("an option that names a package index", _INDEX_OPTION))
    return [
        f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {what}: {match.group()}"
        for what, rule in rules
        for match in rule.finditer(text)
    ]


def dead_links(pages: Mapping[str, str], tracked: Container[str]) -> list[str]:
    """Return the relative links and images of pages that lead to no tracked path, or to no heading of a page."""
    dead = []
    for path, text in pages.items():
        for link in _links(text):
            target, _, anchor = link.partition("#")
            to = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(target))) if target else path
            if to not in tracked:
                dead.append(f"{path}: leads nowhere: {link}")
            elif anchor and to in pages and anchor not in anchors(pages[to]):
                dead.append(f"{path}: {to} has no heading #{anchor}")
    return dead


def anchors(text: str) -> set[str]:
    """Return the anchors that GitHub gives to a page's headings; a repeated heading's later ones are left out."""
    words = (_plain(token) for token in _tokens(text) if token["type"] == "heading")
    return {re.sub(r"[^\w\- ]", "", word.lower()).strip().replace(" ", "-") for word in words}


def _links(text: str) -> Iterator[str]:
    for token in _tokens(text):
        if token["type"] in {"link", "image"} and not _SCHEME.match(token["attrs"]["url"]):
            yield token["attrs"]["url"]


def _tokens(text: str) -> Iterator[dict[str, Any]]:
    waiting: Any = mistune.create_markdown(renderer="ast", plugins=["table"])(text)
    while waiting:
        token = waiting.pop()
        yield token
        waiting += token.get("children", [])


def _plain(token: dict[str, Any]) -> str:
    return str(token.get("raw", "")) + "".join(_plain(child) for child in token.get("children", []))
