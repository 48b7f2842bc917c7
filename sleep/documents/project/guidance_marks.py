"""Our block in the pages that agents read by themselves (`AGENTS.md`, `CLAUDE.md`): its marks. Pure.

Owns where it begins and ends. Refuses to say what stands in it: `clients.installation.guidance` writes it.
"""

from __future__ import annotations

import re

BEGIN, END = "<!-- sleep:begin -->", "<!-- sleep:end -->"
MARKED = re.compile(rf"(?ms)^{BEGIN}[ \t]*\r?$.*?^{END}(?=[ \t]*\r?$)")


def bare(text: str) -> str:
    """Return what others wrote in a page.

    Our block is empty lines, so that what stands below it keeps its line; at the end of the page it leaves none.
    """
    if BEGIN not in text:
        return text
    rest = MARKED.sub(lambda block: "\n" * block[0].count("\n"), text)
    return rest if rest == text else rest.rstrip() + "\n"
