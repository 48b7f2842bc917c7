"""The list of what offended when a rule came: it may only shrink.

Owns `.ci/offenders.txt`, a line `RULE NAME NUMBER` each. Refuses what is not in the list or has grown, and an entry
that no longer offends; `inv dev.fix` takes those out and lowers the numbers, and adds nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dev.house import names, shape, sources

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Offences = Mapping[tuple[str, str], int]

_LIST = ".ci/offenders.txt"
RULES: dict[str, Callable[[list[sources.Source]], dict[tuple[str, str], int]]] = {
    "shape": shape.offences,
    "names": names.offences,
}
_SHAPE = ("function", "complexity", "file", "package")
_LIMITS = {
    "function": f"lines, at most {shape.FUNCTION}",
    "complexity": f"paths, at most {shape.COMPLEXITY}",
    "file": f"lines, at most {shape.FILE}",
    "package": f"modules, at most {shape.PACKAGE}: make floors",
    "module": "a module is named by a noun",
    "name": "a value is named by a noun, a function by a verb",
    "value": "times: name what it is",
    "base": "modules of one base name that do not mirror each other",
}


def complaints(root: Path, check: str) -> list[str]:
    """Return what is wrong with the package by the rules of a check, `shape` or `names`."""
    now = RULES[check](sources.read(root))
    is_shape = check == "shape"
    return compare(now, {key: most for key, most in _read(root).items() if (key[0] in _SHAPE) == is_shape})


def compare(now: Offences, listed: Offences) -> list[str]:
    """Return a line for each offence that is new or has grown, and for each listed one that is none any more."""
    lines = []
    for (rule, name), number in now.items():
        if number > (before := listed.get((rule, name), 0)):
            lines.append(f"{rule} {name}: {number} {_LIMITS[rule]}{f' ({before} in {_LIST})' if before else ''}")
    healed = [key for key in listed if key not in now]
    return lines + [f"{rule} {name}: offends no more; inv dev.fix takes it out of {_LIST}" for rule, name in healed]


def shrink(root: Path) -> int:
    """Take out of the list what offends no more, lower what has shrunk, and return 0."""
    now: dict[tuple[str, str], int] = {}
    for offences in RULES.values():
        now |= offences(sources.read(root))
    write(root, {key: min(most, now[key]) for key, most in _read(root).items() if key in now})
    return 0


def write(root: Path, offences: Offences) -> None:
    """Write the list."""
    lines = sorted(f"{rule} {name} {number}" for (rule, name), number in offences.items())
    (root / _LIST).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _read(root: Path) -> dict[tuple[str, str], int]:
    rows = (line.split() for line in (root / _LIST).read_text(encoding="utf-8").splitlines())
    return {(rule, name): int(number) for rule, name, number in rows}
