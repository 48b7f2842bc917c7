"""No pattern has a possessive quantifier behind a group."""

from __future__ import annotations

import re
from pathlib import Path

import sleep

_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]+\})\+|\{[a-z_]+\}[*+?]\+")


def test_no_group_is_possessive():
    """Python 3.11.0 to 3.11.4 reads `(?:ab?)*+` wrong, so that a key was no secret: `(?>(?:ab?)*)` says the same."""
    root = Path(sleep.__file__).parent
    files = [*root.rglob("*.py"), *root.rglob("*.txt")]
    assert len(files) > 300
    assert not [str(path.relative_to(root)) for path in files if _GROUP.search(path.read_text(encoding="utf-8"))]
    assert all(_GROUP.search(pattern) for pattern in (r"(?:ab)*+", "(a){2,}+", "{run}++"))
    assert not any(_GROUP.search(pattern) for pattern in (r"[ab]*+", r"\)*+", "`{{3,}}+", "(?>(?:ab)*)"))
