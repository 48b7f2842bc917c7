"""Filters of git's attributes, such as git-crypt's and LFS's: git stores something else than what stands in the file.

Owns whether the memory's files may have one (gitattributes(5), "filter"), under which name each blob was listed, and
reading blobs through the filter, as a checkout does. Where no attribute names one this costs a look at a few files.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep.store import files

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sleep.store.layout import Root

_NAME = ".gitattributes"
_WORD = "filter"
_BELOW = ("memory", "journal")
# By root and blob, a path under which it was listed, from the top of the work tree: who asks what stands in blobs has
# their ids alone.
_names: dict[tuple[str, str], str] = {}


def may_be(root: Root) -> bool:
    """Return whether an attribute names a filter for anything here."""
    inside = root.prefix.split("/") if root.prefix else []
    folders = ["/".join(inside[:depth]) for depth in range(len(inside) + 1)]
    folders += [root.in_tree(name) for name in _BELOW]
    places = [os.path.join(root.work_tree, folder, _NAME) for folder in folders]
    places += [os.path.join(root.common_dir, "info", "attributes"), home_attributes()]
    return any(_WORD in (files.read(place) or "") for place in places if os.path.isfile(place))


def home_attributes() -> str:
    """Return where git looks for the attributes of a person, unless a setting says another place."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(home, "git", "attributes")


def note(root: Root, listed: Iterable[tuple[str, str]]) -> None:
    """Note under which path, relative to the root, each blob stands; git cannot be asked for one with a newline."""
    if may_be(root):
        _names.update(((root.path, blob), root.in_tree(path)) for path, blob in listed if blob and "\n" not in path)


def names(root: Root, blobs: Iterable[str]) -> dict[str, str]:
    """Return the path by id of those blobs that were listed here, where there may be filters; {} without any."""
    if not (_names and may_be(root)):
        return {}
    return {blob: path for blob in blobs if (path := _names.get((root.path, blob)))}


class Question:
    """What `git cat-file --batch --filters` is asked, and how its answer is read.

    Git says how large an object is as it is stored, not how much of it follows: so behind each, it is asked for one
    that nobody has.
    """

    WORDS = ("cat-file", "--batch", "--filters")

    def __init__(self, paths: Mapping[str, str]) -> None:
        self._mark = b"sleepwake-" + os.urandom(16).hex().encode()
        self._blobs = list(paths)
        lines = (b"%s %s\n%s\n" % (blob.encode(), os.fsencode(paths[blob]), self._mark) for blob in paths)
        self.feed = b"".join(lines)

    def read(self, answer: bytes) -> dict[str, bytes | None]:
        """Return the contents by id, None for one that is not there."""
        parts = answer.split(b"%s missing\n" % self._mark)
        heads = (part.partition(b"\n") for part in parts)
        return {
            blob: None if head.endswith(b" missing") else content.removesuffix(b"\n")
            for blob, (head, _, content) in zip(self._blobs, heads, strict=False)
        }
