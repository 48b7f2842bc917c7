"""Setting a memory up: `init`, in the tree or in a repository of its own.

Owns what is laid where. Never overwrites a person's file: what is there is left, or gets the managed sections
appended. Run twice it changes nothing.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from sleep import settings
from sleep.documents import main_page, paths
from sleep.documents.markdown import edit
from sleep.documents.page_templates import ARCHITECTURE, CORE
from sleep.errors import NoMemoryError, UsageError
from sleep.plurals import several
from sleep.store import context, files, layout

TASKS = '"""The tasks of this memory: `inv --list`."""\n\nfrom sleep.tasks import namespace as ns\n\n__all__ = ["ns"]\n'
JOIN = "from sleep.tasks import join; ns = join(globals())"  # what a person adds to a `tasks.py` of her own
_IGNORED = ("memory/state/.*",)
_SEPARATE = ".sleepwake"
_KEEP = "This file keeps the folder in git. It is not empty: git cannot merge beside an empty file that has a filter.\n"


class Laid(NamedTuple):
    """What `init` did with one path: `created`, `extended`, `left` (with what a person may want to do about it)."""

    path: str
    what: str
    note: str = ""


def init(start: str, separate: str | None = None, *, nested: bool = False) -> tuple[str, list[Laid]]:
    """Lay a memory out and return its root and what was done with each path.

    Args:
        start: a folder in a git work tree; the memory is laid there.
        separate: None for a memory in the tree; "" or a path (seen from `start`) for a repository of its own, which the
            tree ignores and all its worktrees share.
        nested: lay a second memory below one that the tree has further up.

    Raises:
        NoMemoryError: not in a git work tree.
        UsageError: the repository has a memory already, of the other kind or elsewhere.
    """
    git = layout.find_git(start)
    if git is None:
        raise NoMemoryError(
            "not in a git work tree", where=os.path.realpath(start), hint="git init, then sleepwake init"
        )
    work_tree, _, common_dir = git
    _refuse_place(os.path.realpath(start), git, nested=nested or separate is not None)
    pointer, pointed = layout.pointer(work_tree), layout.pointed(work_tree) or ""
    if separate is not None:
        root = os.path.realpath(
            os.path.join(start, separate) if separate else os.path.join(_main_tree(*git), _SEPARATE)
        )
        if pointed not in ("", root):
            raise _has_one(pointed, pointer)
        if os.path.exists(os.path.join(work_tree, paths.SETTINGS)):
            raise UsageError(
                "this repository has a memory in its tree already", where=work_tree, hint="sleepwake status"
            )
        return root, _lay_separate(work_tree, common_dir, root, pointer)
    root = os.path.realpath(start)
    if pointed:
        raise _has_one(pointed, pointer)
    return root, _lay(root, os.path.basename(root))


def _has_one(pointed: str, pointer: str) -> UsageError:
    if os.path.exists(os.path.join(pointed, paths.SETTINGS)):
        return UsageError("this repository has a separate memory already", where=pointed, hint="sleepwake status")
    what = "this repository has a separate memory, and it is not there any more (moved?)"
    hint = f"write where it is now into {pointer}; without that file sleepwake init lays a new one"
    return UsageError(what, where=pointed, hint=hint)


def _refuse_place(start: str, git: tuple[str, str, str], *, nested: bool) -> None:
    """Raise UsageError for a folder inside the git directory, and below a memory unless it is to be `nested`."""
    folders = layout.upwards(start)
    if any(os.path.realpath(place) in folders for place in git[1:]):
        raise UsageError("is inside the git directory (a folder of the work tree)", where=start, hint=f"cd {git[0]}")
    if nested or os.path.exists(os.path.join(start, paths.SETTINGS)):
        return
    for folder in folders[1 : folders.index(git[0]) + 1] if git[0] in folders else ():
        if os.path.exists(os.path.join(folder, paths.SETTINGS)):
            raise UsageError(
                f"there is a memory above, at {folder}, and commands work in it from here",
                where=start,
                hint="sleepwake status; sleepwake init --nested lays a second one, which the first does not see",
            )


def _main_tree(work_tree: str, git_dir: str, common_dir: str) -> str:
    """Return the work tree that outlives linked ones, which git takes away with all that is ignored."""
    linked = git_dir != common_dir and os.path.basename(common_dir) == ".git"
    return os.path.dirname(common_dir) if linked else work_tree


def _lay_separate(work_tree: str, common_dir: str, root: str, pointer: str) -> list[Laid]:
    """Lay the memory in a repository of its own and point the code's repository, which stays clean, to it."""
    from sleep.store import repository  # late: GitPython costs 74 ms, and only this way needs it  # noqa: PLC0415

    laid = []
    around = layout.find_git(root)
    if around is None or around[0] != root:
        if os.path.lexists(root) and not os.path.isdir(root):
            raise UsageError("is no folder (a new one for the memory would be right)", where=root)
        repository.create(root)
        laid.append(Laid(os.path.relpath(root, work_tree), "created", "a git repository of its own"))
    laid += _lay(root, os.path.basename(work_tree))
    above = layout.find_git(os.path.dirname(root))
    if above is not None and above[2] == common_dir:
        inside = os.path.relpath(root, above[0]).replace(os.sep, "/")
        # Not in .gitignore: that would be a change to the code's repository.
        laid.append(
            _ignore(os.path.join(common_dir, "info", "exclude"), (f"/{inside}/",), "git's own list of what to ignore")
        )
    if files.read(pointer) is None:
        files.write(pointer, os.path.relpath(root, common_dir) + "\n")
        laid.append(Laid(pointer, "created", "every worktree finds the memory by it"))
    return [path for path in laid if path.what != "same"]


def _lay(root: str, project: str) -> list[Laid]:
    is_new = not os.path.exists(os.path.join(root, paths.SETTINGS))
    laid = [
        *(_report_what_is_there(root) if is_new else ()),
        _lay_main(root, project),
        _lay_file(root, paths.SETTINGS, sleep_yaml()),
        *(_lay_file(root, path, f"# {title}\n") for path, title in paths.TITLES.items()),
        _lay_architecture(root),
        _lay_core(root),
        _lay_file(root, "journal/.gitkeep", _KEEP),
        _lay_tasks(root),
        _ignore(os.path.join(root, ".gitignore"), _IGNORED)._replace(path=".gitignore"),
    ]
    return [path for path in laid if path.what != "same"]


def sleep_yaml() -> str:
    """Return the commented settings file: every setting with its default and meaning."""
    lines = ["# Settings of this memory. A line that is a comment shows the default.", f"format: {settings.FORMAT}"]
    group = ""
    for name, default in settings.Settings._field_defaults.items():
        if name == "format":
            continue
        head = settings.group_of(name)
        shown = (
            str(default).lower()
            if isinstance(default, bool)
            else f"{default:g}"
            if isinstance(default, float)
            else default
        )
        if head and head != group:
            lines.append(f"# {head}:")
        group = head
        key = f"#   {name.removeprefix(f'{head}_')}" if head else f"# {name}"
        lines.append(f"{key}: {shown or chr(34) * 2}  # {settings.MEANING[name]}")
    return "\n".join(lines) + "\n"


def _report_what_is_there(root: str) -> list[Laid]:
    """Report a person's own files in `memory/`, and the context folders of older tools, read only where that is not."""
    folder = paths.MEMORY.rstrip("/")
    own = files.list_files(root, folder)
    laid = [Laid(folder, "left", f"as it was: {several(len(own), 'file')}")] if own else []
    note = (
        "not read any more: memory/ comes before it; to go on with its core, knowledge and state pages: "
        "sleepwake journal.import {0}"
    )
    return laid + [Laid(name, "left", note.format(name)) for name in _context_folders(root)]


def _context_folders(root: str) -> list[str]:
    return [name for name in context.FOLDERS[1:] if os.path.isdir(os.path.join(root, name))]


def _lay_core(root: str) -> Laid:
    """Lay the core pages, one line for all of them; none where pages of an older tool are to be moved here."""
    where = "memory/core/"
    if _context_folders(root):
        return Laid(where, "same")
    laid = {_lay_file(root, path, f"<!-- {says} -->\n").what for path, says in CORE.items()}
    if laid == {"same"}:
        return Laid(where, "same")
    return Laid(where, "extended" if "same" in laid else "created", "soul, user and memory: told to every session")


def _lay_file(root: str, path: str, text: str) -> Laid:
    place = os.path.join(root, *path.split("/"))
    if os.path.lexists(place):
        return Laid(path, "same")
    files.write(place, text)
    return Laid(path, "created")


def _lay_main(root: str, project: str) -> Laid:
    place = os.path.join(root, paths.MAIN)
    text = files.read(place)
    if text is None:
        files.write(place, main_page.new(project))
        return Laid(paths.MAIN, "created", "say in it what the project is for")
    if main_page.section(text, "Wake protocol"):
        return Laid(paths.MAIN, "same")
    newline = edit.newline(text)
    lead = "" if text.endswith("\n") or not text else newline
    files.write(place, text + lead + f"\n## Wake protocol\n\n{main_page.PROTOCOL}".replace("\n", newline))
    return Laid(paths.MAIN, "extended", "your text stays as it is")


def _lay_architecture(root: str) -> Laid:
    if any(os.path.exists(os.path.join(root, *path.split("/"))) for path in paths.ARCHITECTURE):
        return Laid(paths.ARCHITECTURE[0], "same")
    return _lay_file(root, paths.ARCHITECTURE[0], ARCHITECTURE)


def _lay_tasks(root: str) -> Laid:
    there = [path for path in ("tasks/__init__.py", "tasks.py") if os.path.lexists(os.path.join(root, path))]
    if not there and _hides_ours(root):
        note = "none is laid: this project has a module `sleep`, which inv would load for ours; sleepwake does the same"
        return Laid("tasks.py", "left", note)
    if not there:
        return _lay_file(root, "tasks.py", TASKS)
    if re.search(r"^(?:from|import) sleep\.tasks", files.read(os.path.join(root, there[0])) or "", re.MULTILINE):
        return Laid(there[0], "same")
    return Laid(
        there[0], "left", f"inv goes on with your tasks; to have these beside them, add as its last line: {JOIN}"
    )


def _hides_ours(root: str) -> bool:
    """Return whether the project has a module of the name of our package."""
    package = os.path.join(root, "sleep", "__init__.py")
    is_ours = os.path.exists(os.path.join(root, "sleep", "tasks", "__init__.py"))
    return os.path.exists(os.path.join(root, "sleep.py")) or (os.path.exists(package) and not is_ours)


def _ignore(place: str, lines: tuple[str, ...], note: str = "") -> Laid:
    text = files.read(place) or ""
    missing = [line for line in lines if line not in text.splitlines()]
    if not missing:
        return Laid(place, "same")
    newline = edit.newline(text)
    lead = "" if not text or text.endswith("\n") else newline
    files.write(place, text + lead + "".join(f"{line}{newline}" for line in missing))
    return Laid(place, "extended" if text else "created", note)
