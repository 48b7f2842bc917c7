"""The modules of the packages, parsed once for all rules."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


PACKAGES = ("sleep", "dev")


@dataclass(frozen=True, slots=True)
class Source:
    """A module: its dotted name, the number of its lines and its tree."""

    name: str
    lines: int
    tree: ast.Module
    is_package: bool

    @property
    def base(self) -> str:
        """Return the last part of the name."""
        return self.name.rpartition(".")[2]

    @property
    def package(self) -> str:
        """Return the name of the package that holds the module."""
        return self.name if self.is_package else self.name.rpartition(".")[0]


@functools.cache
def read(root: Path) -> list[Source]:
    """Return the modules of `PACKAGES` below `root`, sorted by path."""
    sources = []
    for path in sorted(path for name in PACKAGES for path in (root / name).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        parts = path.relative_to(root).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        sources.append(Source(name, len(text.splitlines()), ast.parse(text), is_package))
    return sources
