"""Files that tools write, told by their names: nobody reads them to know what was worked on. Pure.

Owns the names that are sure in any project. Refuses those that may hold a person's work too, such as `build/`. Hooks
load this.
"""

from __future__ import annotations

_FOLDERS = frozenset(
    ("__pycache__", "node_modules", ".venv", ".tox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".next", ".gradle")
)
_NAMES = frozenset(
    ("package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum", ".DS_Store", "Thumbs.db", "desktop.ini")
)
_ENDINGS = (
    ".pyc",
    ".pyo",
    ".class",
    ".o",
    ".obj",
    ".min.js",
    ".min.css",
    ".js.map",
    ".css.map",
    ".lock",
    ".log",
    ".swp",
)


def is_generated(path: str) -> bool:
    """Return whether a path from the top of the work tree, with `/`, is that of a file that a tool writes."""
    *folders, name = path.split("/")
    return name in _NAMES or name.endswith(_ENDINGS) or not _FOLDERS.isdisjoint(folders)
