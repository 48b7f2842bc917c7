"""What a patch of the form `*** Begin Patch` says: which files it changes.

Owns the reading of that form's headings, which several clients use. Refuses to apply or to check anything.
"""

from __future__ import annotations

import re

from sleep.transcripts.events import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BEGIN = "*** Begin Patch"
_FILE = re.compile(r"^[ \t]*\*\*\* (?:Add|Update|Delete) File:(.*)$", re.MULTILINE)


def edits(patch: str, call: str, path: str = "") -> Iterator[Event]:
    """Yield the edit of each file that a patch changes, all by one call; of `path` where the patch names none."""
    return (Event("agent", "edit", path=changed, id=call) for changed in files(patch) or (path,))


def files(patch: str) -> tuple[str, ...]:
    """Return the files that a patch adds, updates and deletes, each once, in order.

    A patch inside another language's string (a script that calls the tool) has its line ends escaped.
    """
    text = patch if "\n" in patch else patch.replace("\\n", "\n")
    return tuple(dict.fromkeys(filter(None, (path.strip() for path in _FILE.findall(text)))))
