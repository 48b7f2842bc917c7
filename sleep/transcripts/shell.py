"""What a shell command says: the message of a `git commit` in it.

Owns the reading of that one form, quoted or as a here-document. Refuses to run or to understand anything else.
"""

from __future__ import annotations

import re

_COMMIT = re.compile(
    r"\bgit\b[^\n|;&]{0,300}?\bcommit\b[^\n|;&]{0,200}?(?:-[a-z]*m|--message)[ =]*"
    r"(?:\"\$\(cat <<-?\s*['\"]?(?P<end>\w+)['\"]?\n(?P<here>.*?)\n\s*(?P=end)\b"
    r"|\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>[^']*)')",
    re.DOTALL,
)
_SIGNED = re.compile(
    r"^\s*(?:Co-Authored-By|Signed-off-by|[\w-]+-Session-Id):.*$|^.*Generated with \[.*$", re.IGNORECASE | re.MULTILINE
)
_ESCAPED = re.compile(r"\\([\"\\$`])")


def commit_message(command: str) -> str:
    """Return the message that a command gives to `git commit`, without trailers; "" where there is none."""
    commit = _COMMIT.search(command)
    if not commit:
        return ""
    message = commit["here"] or _ESCAPED.sub(r"\1", commit["double"] or "") or commit["single"] or ""
    return _SIGNED.sub("", message).strip()
