"""The commit that is checked out, read off git's own files: `HEAD`, the file of a branch, `packed-refs`.

Owns the forms of these files (gitrepository-layout(5)), as far as they say it plainly; where they do not (refs in
tables, a link), it says nothing. Runs no git; hooks load it.
"""

from __future__ import annotations

import os

from sleep.store import files

_BRANCH = "ref: refs/heads/"
_ELSEWHERE = ".invalid"  # what HEAD names where refs are kept in tables
_LARGEST = 4 << 20  # bytes of `packed-refs` that are looked through
_IDS = (40, 64)


def commit(git_dir: str, common_dir: str) -> str:
    """Return the id of the commit that is checked out, "" where there is none or no file says it plainly."""
    text = line(os.path.join(git_dir, "HEAD"))
    if name := named(text):
        text = line(os.path.join(common_dir, "refs", "heads", *name.split("/"))) or _packed(common_dir, name)
    return text if len(text) in _IDS and text.isalnum() else ""


def damage(git_dir: str, common_dir: str) -> str:
    """Return which of the two files git cannot read, `HEAD` or that of the branch it names, "" where both are sound."""
    place = os.path.join(git_dir, "HEAD")
    text = line(place)
    if os.path.islink(place):
        return ""
    if not _names_something(text) or os.pardir in text:
        return place
    if name := named(text):
        place = os.path.join(common_dir, "refs", "heads", *name.split("/"))
        if os.path.isfile(place) and not os.path.islink(place) and not _names_something(line(place)):
            return place
    return ""


def _names_something(text: str) -> bool:
    """Return whether the first line of a file of git is that of a ref: another ref, or the id of a commit."""
    first = text.partition("\n")[0].rstrip()
    return first.startswith("ref:") or (len(first) in _IDS and first.isalnum())


def named(text: str) -> str:
    """Return the branch that a line of HEAD names, "" where it names none plainly."""
    name = text.removeprefix(_BRANCH)
    return "" if name in {text, _ELSEWHERE} else name


def line(path: str) -> str:
    """Return the only line of a file, "" where there is no such file or where it is a link."""
    text = "" if os.path.islink(path) else files.read(path) or ""
    return text.removesuffix("\n")


def _packed(common_dir: str, name: str) -> str:
    path = os.path.join(common_dir, "packed-refs")
    try:
        text = (files.read(path) or "") if os.stat(path).st_size <= _LARGEST else ""
    except OSError:
        return ""
    end = f" refs/heads/{name}"
    return next((row[: -len(end)] for row in text.split("\n") if row.endswith(end)), "")
