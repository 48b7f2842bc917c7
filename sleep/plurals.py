"""So many of something: `1 entry`, `2 entries`."""

from __future__ import annotations


def several(number: int, name: str) -> str:
    """Return so many of something: `1 record`, `2 records`, `2 fixes`, `2 entries`."""
    ending = "" if number == 1 else "es" if name.endswith(("x", "s")) else "s"
    stem = name[:-1] + "ie" if ending and name.endswith("ry") else name
    return f"{number:,} {stem}{ending}"
