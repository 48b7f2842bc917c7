"""Blame of files that git keeps in another form than they stand in, as git-crypt and LFS have it.

Owns the options with which `git blame` reads such a file as a checkout writes it (gitattributes(5), "textconv"), and
finding the lines of the last commit again in the file on disk. Refuses to change a setting of git's.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import tempfile
from typing import TYPE_CHECKING

from sleep.store import files, history
from sleep.store.git import content_filters, file_lists

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.store.history import Blamed
    from sleep.store.layout import Root

_DRIVER = "sleepwake"


def blame(root: Root, path: str) -> tuple[Blamed, ...]:
    """Return for each line of a file on disk the commit that wrote it; nothing for a file that HEAD does not have."""
    with _options(root, path) as options:
        if not options:
            return history.blame(root, path)
        blamed = history.blame(root, path, options, "HEAD")  # what is on disk it would send through the filter
    texts = history.read(root, "HEAD", path), files.read(root.absolute(path), within=root.path)
    before, now = ((text or "").split("\n") for text in texts)
    lines = [history.Blamed()] * len(now)
    for match in difflib.SequenceMatcher(None, before, now, autojunk=False).get_matching_blocks():
        part = blamed[match.a : match.a + match.size]
        lines[match.b : match.b + len(part)] = part
    return tuple(lines[: len(now) - (not now[-1])])


@contextlib.contextmanager
def _options(root: Root, path: str) -> Iterator[tuple[str, ...]]:
    """Yield the options that git needs for a file, none where it has no filter or none can help."""
    driver = _driver(root, path) if content_filters.may_be(root) else ""
    if not driver:
        yield ()
        return
    own = ("-c", f"diff.{driver}.textconv=cat")  # git has sent what it stores through the filter by then
    if driver != _DRIVER:
        yield own
        return
    with tempfile.TemporaryDirectory(prefix="sleepwake-") as folder:
        place = os.path.join(folder, "attributes")
        with open(place, "wb") as file:
            file.write(files.encode(f"{_personal_attributes(root)}\n* diff={_DRIVER}\n"))
        yield ("-c", f"core.attributesFile={place}", *own)


def _driver(root: Root, path: str) -> str:
    """Return the `diff` driver by which a file with a filter is made text, "" without a filter or where it has none."""
    name, driver = file_lists.attributes(root, path, "filter", "diff")
    if name in file_lists.NO_NAMES or driver in file_lists.NO_NAMES[1:]:
        return ""
    return _DRIVER if driver == file_lists.NO_NAMES[0] else driver


def _personal_attributes(root: Root) -> str:
    """Return the attributes of a person's home, which the option would hide."""
    named = next(iter(history.configured(root, "core.attributesFile")), "")
    place = os.path.expanduser(named) if named else content_filters.home_attributes()
    return (files.read(place) or "") if os.path.isfile(place) else ""
