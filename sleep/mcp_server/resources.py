"""What is read in this process: recall, and the documents of the tiers as resources.

Owns addresses of documents (`sleep://memory/warm/auth.md`) and which documents have one: the main page and the tiers.
Refuses to write, and to read any other file.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from sleep import settings
from sleep.documents import paths
from sleep.recall import query
from sleep.store import files, layout, private
from sleep.store.tree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sleep.store.layout import Root

SCHEME = "sleep://"
MARKDOWN = "text/markdown"
_TIERS = {
    "hot": "the last two instances, and all that is open",
    "warm": "older knowledge, by topic",
    "cold": "the oldest knowledge, by topic, at its shortest",
}


def root(named: str) -> Root:
    """Return the memory root that was named, else the one around this folder; NoMemoryError when there is none."""
    return layout.find_root(os.getcwd(), named or settings.root_override())


def recall(where: Root, values: Mapping[str, Any]) -> str:
    """Return what the memory has on a question, with the arguments of the tool `recall`; raises what `asking` does."""
    asked = query.Query(
        private.clean(values["question"]),  # an answer repeats its words, in small letters
        str(values.get("budget", "")),
        tuple(values.get("tiers", ())),
        tuple(values.get("kinds", ())),
        values.get("since", ""),
        values.get("at", ""),
        values.get("ever", False),
        values.get("least", False),
        values.get("project", ""),
    )
    answer = query.answer(where, asked)
    return answer._replace(advice=answer.advice.replace("--", "")).text  # a tool's arguments have no dashes


def resources(where: Root) -> list[dict[str, Any]]:
    """Return the documents that can be read, as `resources/list` gives them."""
    entries = []
    for path in _documents(where):
        tier = paths.tier_of(path)
        says = f"{tier}: {_TIERS[tier]}" if tier else "purpose, handoff, current state and map"
        entry = {"uri": uri(path), "name": path, "title": _title(path), "description": says, "mimeType": MARKDOWN}
        entries.append({**entry, "size": os.path.getsize(where.absolute(path))})
    return entries


def templates() -> list[dict[str, Any]]:
    """Return the forms of addresses, as `resources/templates/list` gives them."""
    return [
        {
            "uriTemplate": f"{SCHEME}memory/{tier}/{{name}}.md",
            "name": f"{tier} memory",
            "description": f"{tier}: {says}",
            "mimeType": MARKDOWN,
        }
        for tier, says in _TIERS.items()
    ]


def document(where: Root, asked: str) -> str | None:
    """Return the text of the document that has an address, None when there is none."""
    path = unquote(asked[len(SCHEME) :]) if asked.startswith(SCHEME) else ""
    return WorkTree(where).read(path) if path in _documents(where) else None


def uri(path: str) -> str:
    """Return the address of a document."""
    return SCHEME + quote(path)


def _documents(where: Root) -> Iterator[str]:
    """Yield the main page and the tiers' documents; a link that leads out of the memory is none."""
    listed = [path for tier in _TIERS for path in files.list_files(where.path, f"memory/{tier}")]
    for path in (paths.MAIN, *listed):
        absolute = where.absolute(path)
        inside = os.path.realpath(absolute).startswith(os.path.join(where.path, ""))
        if path.endswith(".md") and path.isprintable() and inside and os.path.isfile(absolute):
            yield path  # a name that is no UTF-8 is not printable


def _title(path: str) -> str:
    tier = paths.tier_of(path)
    return f"{tier}: {paths.topic_of(path)}" if tier else "main page"
