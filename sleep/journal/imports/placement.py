"""Placing: the pages of a context tree that go to their place in `memory/`, where nothing stands yet.

Owns which pages those are. Refuses to overwrite: only a page that `init` laid and nobody wrote in counts as nothing. A
snapshot reads these pages; their words are in the journals too, where they have addresses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents import paths
from sleep.documents.page_templates import CORE
from sleep.memory import place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.store.tree import Tree

_FOLDERS = ("core/", "knowledge/", "state/")


def page_of(path: str) -> str:
    """Return where a page of a context tree goes, "" for one that stays where it is."""
    if not path.startswith(_FOLDERS) or any(part.startswith(".") for part in path.split("/")):
        return ""
    return f"{paths.MEMORY}{path}"


def missing(tree: Tree, pages: Mapping[str, str]) -> dict[str, str]:
    """Return the pages that a memory does not have, without secrets and home directories."""
    return {path: place.clean(text) for path, text in pages.items() if _is_free(tree, path)}


def _is_free(tree: Tree, path: str) -> bool:
    there = tree.read(path)
    return there is None or (path in CORE and there.strip() == f"<!-- {CORE[path]} -->")
