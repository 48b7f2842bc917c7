"""What of a text a terminal would show: no sequence that drives it, no sign that turns or hides what stands there.

Owns the list of what is taken out: escape sequences (colours, titles, the clipboard), control characters but for the
end of a line and the tab, marks that turn the direction of writing, and signs without width but for the two that join
letters. Refuses to change anything else.
"""

from __future__ import annotations

import re

_DRIVES = re.compile(
    r"(?:\x1b\]|\x9d)[^\x07\x1b\x9c]{0,4000}(?:\x07|\x1b\\|\x9c|\Z)"  # OSC: titles, links, the clipboard
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]{0,4000}(?:\x1b\\|\x9c|\Z)"  # strings of other kinds
    r"|(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]?"  # CSI: colours, the cursor
    r"|\x1b[ -/]{0,8}[0-~]?"
)
_HIDES = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def strip_escapes(text: str) -> str:
    """Return a text without what drives a terminal or hides what it says."""
    return _HIDES.sub("", _DRIVES.sub("", text)) if _HIDES.search(text) else text
