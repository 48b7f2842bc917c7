"""The pages that errors and hints name, for who has the program and no checkout: `sleepwake help recovery#moves`.

Owns finding a page, which the wheel holds beside the package (`docs/` in a checkout), and the section of an anchor.
"""

from __future__ import annotations

import os
import re

from sleep.documents.markdown import lines
from sleep.errors import UsageError

PAGES = ("compressors", "concurrency", "configuration", "evaluation", "formats", "recall", "recovery", "relay")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_FOLDERS = (os.path.join(_PACKAGE, "manual"), os.path.join(os.path.dirname(_PACKAGE), "docs"))
_NAME = re.compile(r"(?:docs/)?([a-z]+)(?:\.md)?(?:#([\w-]+))?")  # `recovery`, `docs/recall.md#vectors`, not `a.b`
_SIGN = re.compile(r"[^\w -]")


def text(word: str) -> str:
    """Return the page, or its section, that a word names; "" for what is no page's name.

    Raises UsageError where the page has no such section, or is not installed.
    """
    match = _NAME.fullmatch(word)
    if match is None or match[1] not in PAGES:
        return ""
    places = (os.path.join(folder, f"{match[1]}.md") for folder in _FOLDERS)
    place = next(filter(os.path.isfile, places), "")
    if not place:
        raise UsageError(f"the page {match[1]} is not installed (pip install sleepwake brings it)")
    with open(place, encoding="utf-8") as file:
        page = file.read()
    return _section(page, match[2], match[1]) if match[2] else page


def _section(page: str, anchor: str, name: str) -> str:
    """Return the part of a page from a heading, by its anchor as GitHub makes it, to the next of its level."""
    rows = lines.words(page)
    heads = lines.headings(rows, lines.code(rows))
    own = next((head for head in heads if _SIGN.sub("", head.title.lower()).replace(" ", "-") == anchor), None)
    if own is None:
        raise UsageError(f"{name} has no section {anchor!r}", hint=f"sleepwake help {name}")
    end = next((head.first for head in heads if head.first > own.first and head.level <= own.level), len(rows))
    return "\n".join(rows[own.first : end]).rstrip() + "\n"
